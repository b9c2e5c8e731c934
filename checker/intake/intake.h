/* Intake from inside: one section for each file.
 *
 * The folder of submissions is listed first: what is a submission, whose, of which platform, and when
 * (entries.c, platforms.c, gradescope.c, names.c); a student gets an id that depends on nobody else
 * (ids.c). Each student is then read by a process of its own (main.c): folders (folder.c), archives
 * (archive.c), single files. They offer what they meet to the student's finds (finds.c), which keep
 * the best file for each lab, as UTF-8 (source.c). What came out stands in the class's folder
 * (class.c): in/ID/NN-name/name.cu, roster.json, identities.json and students.mk; list.c prints it.
 * Nothing that was handed in is run, followed or unpacked, and no name from it becomes a path.
 */
#ifndef INTAKE_H
#define INTAKE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

enum {
  LABS_MOST = 100,
  FILE_MOST = 1 << 20,     /* bytes of a lab's file */
  UNPACKED_MOST = 1 << 29, /* bytes that an archive may unpack to */
  ENTRIES_MOST = 20000,    /* files and folders of one student; a built workbook has 3000 */
  DEPTH_MOST = 32,
  PATH_MOST = 4096,
  NAME_MOST = 256,  /* bytes of a file's name */
  SHOWN_MOST = 100, /* bytes of a name in a sentence */
  ID_MOST = 100,    /* fits a file system with an ending behind it */
  SAME_TIME = 2,    /* seconds: what zips and copies blur */
  NOTES_MOST = 12   /* remarks on one student */
};

/* ---- names.c: what a file's name says -------------------------------------------------------- */
typedef struct Lab {
  const char *name; /* "03-bank-conflicts" */
  char file[64];    /* "bank_conflicts.cu" */
  char plain[64];   /* "bankconflicts" */
  char *given;      /* the file as it was handed out; NULL: not known */
  size_t given_size;
} Lab;

typedef struct Labs {
  Lab lab[LABS_MOST];
  size_t count;
} Labs;

/* "Jane_naive (2).cu": the lab, before "Jane", copy 2. */
typedef struct LabName {
  const Lab *lab;       /* NULL: none */
  bool guess;           /* there are other words around it */
  unsigned copy;        /* the number that browsers and platforms give to a second one of a name */
  char rest[NAME_MOST]; /* these words: a person's, in a folder where all files lie together */
} LabName;

void lab_add(Labs *, const char *name, const char *handouts);
void labs_free(Labs *);
LabName lab_named(const Labs *, const char *file);
bool is_cuda(const char *file); /* ".cu", ".cu.txt", in any case */
/* Bytes of a name without an ending that archives have. */
size_t without_ending(const char *name);
/* Is it one that may lie beside the work: hidden, or left there by an operating system? */
bool beside_the_work(const char *name);
/* Bytes of the character at `text`, as UTF-8; 0: none that can be shown. */
size_t character(const char *text);
/* The same name in the one form that Unicode has for it (NFC); a longer one stays as it is. */
void compose(char *name, size_t size);
/* The name as it can be shown: valid UTF-8 without control characters, shortened. */
const char *shown(const char *name, char out[SHOWN_MOST]);

/* ---- platforms.c, gradescope.c: whose it is, as learning platforms name it ------------------- */
typedef enum EntryKind { ENTRY_FOLDER, ENTRY_ARCHIVE, ENTRY_FILE, ENTRY_ODD } EntryKind;

/* One folder, archive or file in the folder of submissions. */
typedef struct Entry {
  char *name;
  EntryKind kind;
  const char *platform;      /* "Canvas", ..; NULL: a plain name */
  char who[NAME_MOST];       /* the person */
  char key[NAME_MOST];       /* what the platform calls the person; "": it says nothing */
  char group[2 * NAME_MOST]; /* entries of one student have the same */
  char inside[NAME_MOST];    /* of a single file: as the student called it */
  long long attempt;         /* the larger, the later, among those of one student; 0: unknown */
  time_t submitted;          /* as the platform says; 0: it does not */
  bool late;                 /* the platform says so */
  bool remark;               /* what a platform writes itself: it holds no work */
} Entry;

/* Fills in what the name tells. */
void platform_read(Entry *);
/* Who it is, however the name was packed: entries of one student are known by it. */
void entry_compose(Entry *);
/* From the metadata of Gradescope's export, if this is one. */
typedef struct Metadata Metadata;
Metadata *metadata_read(int submissions);
void metadata_apply(const Metadata *, Entry *);
void metadata_free(Metadata *);

/* ---- ids.c ------------------------------------------------------------------------------------ */
/* The student's id: a function of these two and nothing else. */
void id_make(const char *who, const char *key, char out[ID_MOST + 1]);
/* One that tells nothing: of an id and the class's secret. */
void id_hide(const char *secret, const char *id, char out[ID_MOST + 1]);

/* ---- entries.c: who handed in ----------------------------------------------------------------- */
/* Where a file stands, and what that says about it. */
typedef struct Place {
  size_t lab, entry;
  size_t container; /* 0 the entry itself, else an archive in it */
  bool empty, untouched, guess;
  int rank;  /* 0: labs/NN-name/name.cu, 1: NN-name/name.cu, 2: anywhere */
  int depth; /* folders above it */
  unsigned copy;
  time_t changed;       /* the file */
  time_t packed;        /* what holds it: the archive; or the file */
  char path[PATH_MOST]; /* as handed in */
} Place;

/* A file that is a lab's, or what stands in its place. */
typedef struct Find {
  bool there;
  Place place;
  char problem[400]; /* why it cannot be graded; "": it can */
  char *bytes;
  size_t size;
} Find;

typedef struct Student {
  Entry *entries;
  size_t entry_count;
  char id[ID_MOST + 1];
  const char *kind; /* "folder", "archive", "file": of the first entry */
  const Labs *labs;
  bool hidden; /* anonymous: no name goes into the roster */
  bool shared; /* several people have this id: none of them is read */
  /* While it is read: */
  size_t entry, container;
  char inside[PATH_MOST]; /* before each path: "Jane.zip/" */
  time_t packed;
  Find finds[LABS_MOST];
  char problem[400];           /* the first one */
  size_t problems;             /* how many in all */
  bool unread;                 /* because of them nothing of a lab's was found */
  size_t files, seen;          /* seen: of folders, with what is beside the work */
  size_t containers;           /* archives in folders */
  char first_cuda[SHOWN_MOST]; /* a CUDA file that is no lab's */
  size_t other_cuda;
  char others_group[2 * NAME_MOST]; /* an archive in which somebody's submission lies */
  char *notes[NOTES_MOST];
  size_t note_count;
} Student;

typedef struct Roster {
  Student *students;
  size_t count;
  Entry *entries; /* theirs */
  size_t entry_count;
  json_t *left; /* what is no submission: [[name, why], ..] */
} Roster;

/* The names in a folder, sorted by their bytes, without hidden ones. */
char **names_in(int folder, size_t *count);
/* secret: NULL, or of the class's anonymous ids. */
Roster roster_list(int submissions, const Labs *, const char *secret);
void roster_free(Roster *);

/* ---- finds.c: the best file for each lab ------------------------------------------------------ */
void complain(Student *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void note(Student *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Could the file be a lab's? Then it is to be read and given to find_take. */
bool find_place(Student *, const char *path, time_t changed, Place *);
/* Takes the bytes (to be freed by it) or, when they are NULL, the problem. */
void find_take(Student *, Place *, char *bytes, size_t size, const char *problem);
/* What is no file and no folder, or a folder that is a link: a problem of the lab or of all. */
void find_odd(Student *, const char *path, const char *what);
/* Where it lies below the folder of submissions. */
void place_path(const Student *, const Place *, char *out, size_t size);
bool any_found(const Student *);
/* When all was read: what there is to say. */
void find_end(Student *);

/* ---- source.c --------------------------------------------------------------------------------- */
/* Makes UTF-8 without a mark of what an editor of Windows saved as UTF-16. NULL: done; else why not.
 * `was` names what it was, or is NULL. */
const char *source_tidy(char **bytes, size_t *size, const char **was);
bool source_empty(const char *, size_t);                                      /* but for blanks */
bool source_same(const char *a, size_t a_size, const char *b, size_t b_size); /* up to blanks */

/* ---- folder.c, archive.c ---------------------------------------------------------------------- */
void read_folder(Student *, int folder);
void read_archive(Student *, int file);
/* A single file, which the student called so. */
void read_single(Student *, int folder, const char *name, const char *called);

/* ---- class.c: what stands in the class's folder ------------------------------------------------ */
/* Puts the student's files into CLASS/in, unless that is -1, and returns what roster.json says. */
json_t *student_keep(const Student *, int class_folder);
/* Writes roster.json, identities.json and students.mk, and takes from in/ and marks/ what is nobody's
 * any more. */
void class_write(int class_folder, const Roster *, const json_t *roster);
/* The class's secret, for ids that tell nothing: made once. */
void class_secret(int class_folder, char out[40]);

/* ---- feedback.c --------------------------------------------------------------------------------- */
/* The name under which the platform takes the student's report back. */
void feedback_name(const Student *, char *out, size_t size);
/* Packs the class's reports. */
void feedback_write(const char *class);

/* ---- list.c ------------------------------------------------------------------------------------ */
/* Who handed in what, for a person; `all`: with each file. */
void list_print(FILE *, const Roster *, const json_t *roster, const Labs *, bool all);

/* ---- main.c ------------------------------------------------------------------------------------ */
void bad_input(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
