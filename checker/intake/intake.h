/* Declarations of intake: one section for each file.
 *
 * First the folder of submissions is listed: the submissions, their students, platforms and dates
 * (entries.c, platforms.c, gradescope.c, names.c). A student gets an id that does not depend on
 * other students (ids.c). Then each student is read in a separate process (main.c): folders
 * (folder.c), archives (archive.c), single files. They pass their files to the student's finds
 * (finds.c), which keep the best file for each lab, as UTF-8 (source.c). The results are written to
 * the class's folder (class.c): in/ID/NN-name/name.cu, roster.json, identities.json and
 * students.mk. list.c prints them. No file that was handed in is run or unpacked, no link in it is
 * followed, and no name from it becomes a path. */
#ifndef INTAKE_H
#define INTAKE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

enum {
  LABS_MOST = 100,
  FILE_MOST = 1 << 20,     /* Bytes of a lab's file. */
  UNPACKED_MOST = 1 << 29, /* Bytes of an unpacked archive. */
  ENTRIES_MOST = 20000,    /* Files and folders of one student. A built workbook has 3000. */
  DEPTH_MOST = 32,
  PATH_MOST = 4096,
  NAME_MOST = 256,  /* Bytes of a file's name. */
  SHOWN_MOST = 100, /* Bytes of a name in a sentence. */
  ID_MOST = 100,    /* Short enough for a file system, with an ending added. */
  SAME_TIME = 2,    /* Seconds: the inaccuracy of dates in zips and copies. */
  NOTES_MOST = 12   /* Remarks about one student. */
};

/* ---- names.c: what a file's name shows ------------------------------------------------------- */
typedef struct Lab {
  /* "03-bank-conflicts" */
  const char *name;
  /* "bank_conflicts.cu" */
  char file[64];
  /* "bankconflicts" */
  char plain[64];
  /* The file as it was handed out. NULL: unknown. */
  char *given;
  size_t given_size;
} Lab;

typedef struct Labs {
  Lab lab[LABS_MOST];
  size_t count;
} Labs;

/* A file's name taken apart: "Jane_naive (2).cu" is the lab, "Jane" before it, copy 2. */
typedef struct LabName {
  /* NULL: no lab. */
  const Lab *lab;
  /* There are other words beside the lab's name. */
  bool guess;
  /* The number that browsers and platforms add to a second file of the same name. */
  unsigned copy;
  /* These words. They are a person's name if all files are in one folder. */
  char rest[NAME_MOST];
} LabName;

void lab_add(Labs *, const char *name, const char *handouts);
void labs_free(Labs *);
LabName lab_named(const Labs *, const char *file);
bool is_cuda(const char *file); /* ".cu", ".cu.txt", in any case. */
/* Returns the length of a name without an archive's ending. */
size_t without_ending(const char *name);
/* Returns true for a file that may be beside the work: hidden, or left there by an operating
 * system. */
bool beside_the_work(const char *name);
/* Returns the length of the UTF-8 character at `text`, 0 if it cannot be shown. */
size_t character(const char *text);
/* Changes the name to Unicode's composed form (NFC), unless that is too long. */
void compose(char *name, size_t size);
/* Returns the name as it can be shown: valid UTF-8 without control characters, shortened. */
const char *shown(const char *name, char out[SHOWN_MOST]);

/* ---- platforms.c, gradescope.c: the student's name on learning platforms --------------------- */
typedef enum EntryKind { ENTRY_FOLDER, ENTRY_ARCHIVE, ENTRY_FILE, ENTRY_ODD } EntryKind;

/* One folder, archive or file in the folder of submissions. */
typedef struct Entry {
  char *name;
  EntryKind kind;
  /* "Canvas", ... NULL: a plain name. */
  const char *platform;
  /* The person. */
  char who[NAME_MOST];
  /* The platform's number or login for the person. "": unknown. */
  char key[NAME_MOST];
  /* Equal for all entries of one student. */
  char group[2 * NAME_MOST];
  /* For a single file: its name on the student's computer. */
  char inside[NAME_MOST];
  /* Larger for later attempts of one student. 0: unknown. */
  long long attempt;
  /* The platform's date. 0: unknown. */
  time_t submitted;
  /* The platform says so. */
  bool late;
  /* Written by the platform itself: it has no work. */
  bool remark;
} Entry;

/* Fills in what the name shows. */
void platform_read(Entry *);
/* Composes the names, which are then the same however they were packed. Entries of one student are
 * recognized by them. */
void entry_compose(Entry *);
/* Reads the metadata of Gradescope's export, if this is one. */
typedef struct Metadata Metadata;
Metadata *metadata_read(int submissions);
void metadata_apply(const Metadata *, Entry *);
void metadata_free(Metadata *);

/* ---- ids.c ----------------------------------------------------------------------------------- */
/* Makes the student's id, which depends only on these two. */
void id_make(const char *who, const char *key, char out[ID_MOST + 1]);
/* Makes an id that does not show the name, from an id and the class's secret. */
void id_hide(const char *secret, const char *id, char out[ID_MOST + 1]);

/* ---- entries.c: the students ----------------------------------------------------------------- */
/* The place of a file, and what it shows about the file. */
typedef struct Place {
  size_t lab, entry;
  /* 0: the entry itself, otherwise an archive in it. */
  size_t container;
  bool empty, untouched, guess;
  /* 0: labs/NN-name/name.cu, 1: NN-name/name.cu, 2: anywhere. */
  int rank;
  /* The number of folders above it. */
  int depth;
  unsigned copy;
  /* The date of the file. */
  time_t changed;
  /* The date of the archive that has the file, otherwise of the file. */
  time_t packed;
  /* As handed in. */
  char path[PATH_MOST];
} Place;

/* A lab's file, or the problem in its place. */
typedef struct Find {
  bool there;
  Place place;
  /* The reason why it cannot be graded; "" if it can. */
  char problem[400];
  char *bytes;
  size_t size;
} Find;

typedef struct Student {
  Entry *entries;
  size_t entry_count;
  char id[ID_MOST + 1];
  /* "folder", "archive" or "file": of the first entry. */
  const char *kind;
  const Labs *labs;
  /* Anonymous: the roster has no name. */
  bool hidden;
  /* Several people have this id: none of them is read. */
  bool shared;
  /* Used during reading. */
  size_t entry, container;
  /* Precedes each path: "Jane.zip/". */
  char inside[PATH_MOST];
  time_t packed;
  Find finds[LABS_MOST];
  /* The first problem. */
  char problem[400];
  /* The number of problems. */
  size_t problems;
  /* Because of problems no lab was found. */
  bool unread;
  /* seen: in folders, including files beside the work. */
  size_t files, seen;
  /* Archives in folders. */
  size_t containers;
  /* A CUDA file of no lab. */
  char first_cuda[SHOWN_MOST];
  size_t other_cuda;
  /* The group of another submission found in an archive. */
  char others_group[2 * NAME_MOST];
  char *notes[NOTES_MOST];
  size_t note_count;
} Student;

typedef struct Roster {
  Student *students;
  size_t count;
  /* The students' entries. */
  Entry *entries;
  size_t entry_count;
  /* Names that are no submissions: [[name, why], ..]. */
  json_t *left;
} Roster;

/* Returns the names in a folder without hidden ones, sorted by their bytes. */
char **names_in(int folder, size_t *count);
/* secret: the class's, for anonymous ids; or NULL. */
Roster roster_list(int submissions, const Labs *, const char *secret);
void roster_free(Roster *);

/* ---- finds.c: the best file for each lab ----------------------------------------------------- */
void complain(Student *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void note(Student *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns true if the file may be a lab's. Then the caller reads it and calls find_take. */
bool find_place(Student *, const char *path, time_t changed, Place *);
/* Takes the bytes, which it frees, or the problem if they are NULL. */
void find_take(Student *, Place *, char *bytes, size_t size, const char *problem);
/* Reports something that is neither a file nor a folder, or a link to a folder: a problem of the
 * lab or of all labs. */
void find_odd(Student *, const char *path, const char *what);
/* Writes the file's path below the folder of submissions. */
void place_path(const Student *, const Place *, char *out, size_t size);
bool any_found(const Student *);
/* Reports what is left to say after all files were read. */
void find_end(Student *);

/* ---- source.c -------------------------------------------------------------------------------- */
/* Converts a text that an editor of Windows saved as UTF-16, or with a mark, to UTF-8 without a
 * mark. Returns NULL, or why it fails. `was` gets the name of the encoding, or NULL. */
const char *source_tidy(char **bytes, size_t *size, const char **was);
bool source_empty(const char *, size_t);                                      /* Ignores blanks. */
bool source_same(const char *a, size_t a_size, const char *b, size_t b_size); /* Ignores blanks. */

/* ---- folder.c, archive.c --------------------------------------------------------------------- */
void read_folder(Student *, int folder);
void read_archive(Student *, int file);
/* Reads a single file. called: its name on the student's computer. */
void read_single(Student *, int folder, const char *name, const char *called);

/* ---- class.c: the class's folder ------------------------------------------------------------- */
/* Puts the student's files into CLASS/in, unless class_folder is -1, and returns the student's part
 * of roster.json. */
json_t *student_keep(const Student *, int class_folder);
/* Writes roster.json, identities.json and students.mk, and removes from in/ and marks/ what belongs
 * to no student. */
void class_write(int class_folder, const Roster *, const json_t *roster);
/* Returns the class's secret for anonymous ids, which is made once. */
void class_secret(int class_folder, char out[40]);

/* ---- feedback.c ------------------------------------------------------------------------------ */
/* Writes the name under which the platform accepts the student's report. */
void feedback_name(const Student *, char *out, size_t size);
/* Packs the class's reports. */
void feedback_write(const char *class);

/* ---- list.c ---------------------------------------------------------------------------------- */
/* Prints the students and what they handed in, for a person to read. all: with each file. */
void list_print(FILE *, const Roster *, const json_t *roster, const Labs *, bool all);

/* ---- main.c ---------------------------------------------------------------------------------- */
void bad_input(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
