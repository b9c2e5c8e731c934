/* The declarations of the program intake. This header has one section for each file.
 *
 * intake first lists the folder of submissions: the entries, their students, platforms and dates
 * (entries.c, platforms.c, gradescope.c, names.c). A student gets an id that does not depend on
 * other students (ids.c). Then each student's submission is read in a separate process (main.c):
 * folders (folder.c), archives (archive.c) and single files. finds.c keeps the best file for each
 * lab, converted to UTF-8 (source.c). The results are written to the class's folder (class.c):
 * in/ID/NN-name/name.cu, roster.json, identities.json and students.mk. list.c prints them. No file
 * that was handed in is run or unpacked, no link in it is followed, and no name from it becomes a
 * path. */
#ifndef INTAKE_H
#define INTAKE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

enum {
  LABS_MOST = 100,
  FILE_MOST = 1 << 20,     /* The maximum size of a lab's file in bytes. */
  UNPACKED_MOST = 1 << 29, /* The maximum size of an unpacked archive in bytes. */
  ENTRIES_MOST = 20000,    /* Maximum files and folders of a student; a built workbook has 3000. */
  DEPTH_MOST = 32,
  PATH_MOST = 4096,
  NAME_MOST = 256,  /* The size of a buffer for a file's name. */
  SHOWN_MOST = 100, /* The size of a buffer for a name in a message. */
  ID_MOST = 100,    /* The maximum length of an id. */
  SAME_TIME = 2,    /* The inaccuracy of dates in zip files in seconds. */
  NOTES_MOST = 12   /* The maximum number of notes on one student. */
};

/* ---- names.c: what a file's name shows ------------------------------------------------------- */
typedef struct Lab {
  /* The name of the lab, "03-bank-conflicts". */
  const char *name;
  /* The name of its file, "bank_conflicts.cu". */
  char file[64];
  /* The name without separators, "bankconflicts". */
  char plain[64];
  /* The content of the file as it was handed out; NULL: unknown. */
  char *given;
  size_t given_size;
} Lab;

typedef struct Labs {
  Lab lab[LABS_MOST];
  size_t count;
} Labs;

/* The parts of a file's name: "Jane_naive (2).cu" has the lab naive, the words "Jane", and copy
 * 2. */
typedef struct LabName {
  /* NULL: the name belongs to no lab. */
  const Lab *lab;
  /* true: the name has other words than the lab's name. */
  bool guess;
  /* The number that browsers and platforms add to another file of the same name; 0: none. */
  unsigned copy;
  /* The other words. If all submissions are files in one folder, they are the student's name. */
  char rest[NAME_MOST];
} LabName;

void lab_add(Labs *, const char *name, const char *handouts);
void labs_free(Labs *);
LabName lab_named(const Labs *, const char *file);
bool is_cuda(const char *file); /* ".cu" or ".cu.txt", in upper or lower case */
/* Returns the length of a name without the ending of an archive, such as ".zip". */
size_t without_ending(const char *name);
/* Returns true for a file that is not part of the student's work: a hidden file, or a file that an
 * operating system has created. */
bool beside_the_work(const char *name);
/* Returns the number of bytes of the UTF-8 character at `text`; 0 if it cannot be printed. */
size_t character(const char *text);
/* Converts the name to Unicode's composed form (NFC) if the result fits into `size` bytes. */
void compose(char *name, size_t size);
/* Writes the name to `out` as valid UTF-8, shortened and without control characters. Returns
 * `out`. */
const char *shown(const char *name, char out[SHOWN_MOST]);

/* ---- platforms.c, gradescope.c: the student's name on learning platforms --------------------- */
typedef enum EntryKind { ENTRY_FOLDER, ENTRY_ARCHIVE, ENTRY_FILE, ENTRY_ODD } EntryKind;

/* One folder, archive or file in the folder of submissions. */
typedef struct Entry {
  char *name;
  EntryKind kind;
  /* The platform that has made the name, such as "Canvas"; NULL: none. */
  const char *platform;
  /* The name of the student. */
  char who[NAME_MOST];
  /* The platform's number or login of the student; "": unknown. */
  char key[NAME_MOST];
  /* Equal for all entries of one student, and different for other students. */
  char group[2 * NAME_MOST];
  /* The name that a single file had on the student's computer. */
  char inside[NAME_MOST];
  /* A number that is larger for later attempts of a student; 0: unknown. */
  long long attempt;
  /* The date of the submission from the platform; 0: unknown. */
  time_t submitted;
  /* true: the platform marks the submission as late. */
  bool late;
  /* true: the platform itself has written the file, which contains no student's work. */
  bool remark;
} Entry;

/* Fills in the platform, the student and the attempt, which the name of the entry shows. */
void platform_read(Entry *);
/* Converts the names to NFC, so that the names of one student are equal, whichever system has
 * packed them. */
void entry_compose(Entry *);
/* The metadata of Gradescope's export. metadata_read returns NULL if the folder has no metadata. */
typedef struct Metadata Metadata;
Metadata *metadata_read(int submissions);
void metadata_apply(const Metadata *, Entry *);
void metadata_free(Metadata *);

/* ---- ids.c ----------------------------------------------------------------------------------- */
/* Makes a student's id, which depends only on the name and the platform's number. */
void id_make(const char *who, const char *key, char out[ID_MOST + 1]);
/* Makes an anonymous id from an id and the class's secret. */
void id_hide(const char *secret, const char *id, char out[ID_MOST + 1]);

/* ---- entries.c: the students ----------------------------------------------------------------- */
/* A file that may be the file of a lab: its place in the submission, and the criteria by which
 * finds.c compares it with other files. */
typedef struct Place {
  size_t lab, entry;
  /* The number of the archive within the entry that contains the file; 0: none. */
  size_t container;
  bool empty, untouched, guess;
  /* 0: labs/NN-name/name.cu; 1: NN-name/name.cu; 2: any other path. */
  int rank;
  /* The number of folders above the file. */
  int depth;
  unsigned copy;
  /* The date of the file. */
  time_t changed;
  /* The date of the archive that contains the file; without an archive, of the file itself. */
  time_t packed;
  /* The path as it was handed in. */
  char path[PATH_MOST];
} Place;

/* The best file for a lab, or the reason why it could not be read. */
typedef struct Find {
  bool there;
  Place place;
  /* The reason why the file cannot be graded; "" if it can be graded. */
  char problem[400];
  char *bytes;
  size_t size;
} Find;

typedef struct Student {
  Entry *entries;
  size_t entry_count;
  char id[ID_MOST + 1];
  /* The kind of the first entry: "folder", "archive" or "file". */
  const char *kind;
  const Labs *labs;
  /* true: the id is anonymous, and the roster contains no name. */
  bool hidden;
  /* true: several people have this id, so none of their submissions is read. */
  bool shared;
  /* The entry and the archive that are being read. */
  size_t entry, container;
  /* The archive that is being read, as the beginning of each path: "Jane.zip/". */
  char inside[PATH_MOST];
  time_t packed;
  Find finds[LABS_MOST];
  /* The first problem. */
  char problem[400];
  /* The number of problems. */
  size_t problems;
  /* true: no lab was found, because of problems. */
  bool unread;
  /* files: the number of files whose path was compared. seen: the number of all files and folders
   * within folders. */
  size_t files, seen;
  /* The number of archives within folders. */
  size_t containers;
  /* The first CUDA file that belongs to no lab. */
  char first_cuda[SHOWN_MOST];
  size_t other_cuda;
  /* The Entry.group of the first name in a platform's format that was found in an archive. */
  char others_group[2 * NAME_MOST];
  char *notes[NOTES_MOST];
  size_t note_count;
} Student;

typedef struct Roster {
  Student *students;
  size_t count;
  /* The entries of all students. */
  Entry *entries;
  size_t entry_count;
  /* The entries that are not submissions, with the reasons: [[name, why], ..]. */
  json_t *left;
} Roster;

/* Returns the names in a folder, sorted by their bytes, without the names of hidden files. The
 * caller frees them. */
char **names_in(int folder, size_t *count);
/* Lists the students of a folder of submissions. secret: the class's secret for anonymous ids. May
 * be NULL. */
Roster roster_list(int submissions, const Labs *, const char *secret);
void roster_free(Roster *);

/* ---- finds.c: the best file for each lab ----------------------------------------------------- */
void complain(Student *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void note(Student *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Fills in the Place of a file. Returns true if the file may be the file of a lab. Then the caller
 * reads it and calls find_take. */
bool find_place(Student *, const char *path, time_t changed, Place *);
/* Records the content of a file, or the problem if `bytes` is NULL. Frees the bytes if they are not
 * kept. */
void find_take(Student *, Place *, char *bytes, size_t size, const char *problem);
/* Reports a link, or something else that is neither a file nor a folder, if it has the name of a
 * lab's file, of a lab or of labs/. */
void find_odd(Student *, const char *path, const char *what);
/* Writes the file's path below the folder of submissions. */
void place_path(const Student *, const Place *, char *out, size_t size);
bool any_found(const Student *);
/* Adds the notes and problems that are only known after all files were read. */
void find_end(Student *);

/* ---- source.c -------------------------------------------------------------------------------- */
/* Converts a text that a Windows editor saved as UTF-16, or with a byte order mark, to UTF-8
 * without a mark. Returns NULL, or the reason why the conversion failed. Stores in *was the name of
 * the old encoding, or NULL if the text is unchanged. */
const char *source_tidy(char **bytes, size_t *size, const char **was);
bool source_empty(const char *, size_t);                                      /* Ignores blanks. */
bool source_same(const char *a, size_t a_size, const char *b, size_t b_size); /* Ignores blanks. */

/* ---- folder.c, archive.c --------------------------------------------------------------------- */
void read_folder(Student *, int folder);
void read_archive(Student *, int file);
/* Reads a single file. called: the name that the file had on the student's computer. */
void read_single(Student *, int folder, const char *name, const char *called);

/* ---- class.c: the class's folder ------------------------------------------------------------- */
/* Writes the student's files to CLASS/in and returns the student's part of roster.json.
 * class_folder -1: no file is written. */
json_t *student_keep(const Student *, int class_folder);
/* Writes roster.json, identities.json and students.mk. Removes files of other students from in/ and
 * marks/. */
void class_write(int class_folder, const Roster *, const json_t *roster);
/* Returns the class's secret for anonymous ids. Creates the secret if the class has none. */
void class_secret(int class_folder, char out[40]);

/* ---- feedback.c ------------------------------------------------------------------------------ */
/* Writes the name that the platform expects for the student's report. */
void feedback_name(const Student *, char *out, size_t size);
/* Writes the reports of the class to feedback.zip. */
void feedback_write(const char *class);

/* ---- list.c ---------------------------------------------------------------------------------- */
/* Prints the students and what they handed in, for instructors. all: prints the path of each
 * file. */
void list_print(FILE *, const Roster *, const json_t *roster, const Labs *, bool all);

/* ---- main.c ---------------------------------------------------------------------------------- */
void bad_input(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
