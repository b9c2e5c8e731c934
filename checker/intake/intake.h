/* Intake from inside: one section for each file.
 *
 * What students handed in is read once, by a process of its own for each (main.c): a folder
 * (folder.c) or an archive (archive.c). Both offer what they meet to the student's finds (finds.c),
 * which keep the best file for each lab. What came out stands in the class's folder (class.c):
 * in/ID/NN-name/name.cu, roster.json and students.mk. Nothing that was handed in is run, followed or
 * unpacked, and no name from it becomes a path.
 */
#ifndef INTAKE_H
#define INTAKE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum {
  LABS_MOST = 100,
  FILE_MOST = 1 << 20,     /* bytes of a lab's file */
  UNPACKED_MOST = 1 << 29, /* bytes that an archive may unpack to */
  ENTRIES_MOST = 20000,    /* files and folders of one student; a built workbook has 3000 */
  DEPTH_MOST = 32,
  PATH_MOST = 4096,
  SHOWN_MOST = 100 /* bytes of a name in a sentence */
};

/* ---- finds.c: the best file for each lab ------------------------------------------------------ */
typedef struct Lab {
  const char *name; /* "03-bank-conflicts" */
  char file[64];    /* "bank_conflicts.cu" */
} Lab;

typedef struct Labs {
  Lab lab[LABS_MOST];
  size_t count;
} Labs;

/* A file that is a lab's by its name, or what stands in its place. */
typedef struct Find {
  bool there;
  int rank;             /* 0: labs/NN-name/name.cu, 1: NN-name/name.cu, 2: name.cu anywhere */
  int depth;            /* folders above it */
  char path[PATH_MOST]; /* as handed in */
  char problem[400];    /* why it cannot be graded; "": it can */
  char *bytes;
  size_t size;
} Find;

typedef struct Student {
  char *entry; /* the name in the folder of submissions */
  char id[128];
  const char *kind; /* "folder", "archive" */
  const Labs *labs;
  Find finds[LABS_MOST];
  char problem[400];           /* the first one */
  size_t problems;             /* how many in all */
  bool unread;                 /* because of them nothing of a lab's was found */
  size_t files, entries;       /* seen; of a folder, with what is beside the work */
  char first_cuda[SHOWN_MOST]; /* a CUDA file that is no lab's */
  char archive[256];           /* directly in the folder */
  size_t archives;
} Student;

/* The name as it can be shown: valid UTF-8 without control characters, shortened. */
const char *shown(const char *name, char out[SHOWN_MOST]);
void complain(Student *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Is this path, if it is a lab's file, at least as good as what was found? Then its place. NULL: no,
 * there is nothing to read. */
Find *find_place(Student *, const char *path);
/* Takes the bytes (to be freed by it) or, when they are NULL, the problem. */
void find_take(Student *, Find *, const char *path, char *bytes, size_t size, const char *problem);
/* What is no file and no folder, or a folder that is a link: a problem of the lab or of all. */
void find_odd(Student *, const char *path, const char *what);
bool any_found(const Student *);
/* When all was read: what there is to say when nothing was found. */
void find_end(Student *);

/* ---- folder.c, archive.c ---------------------------------------------------------------------- */
void read_folder(Student *, int folder);
void read_archive(Student *, int file);
/* Is it one that an archive or a folder may hold beside the work: hidden, or left by a Mac? */
bool beside_the_work(const char *name);

/* ---- class.c: what stands in the class's folder ------------------------------------------------ */
typedef struct Roster {
  Student *students;
  size_t count;
} Roster;

/* The names in a folder, sorted by their bytes, without hidden ones. */
char **names_in(int folder, size_t *count);
/* Bytes of a name without an ending that archives have. */
size_t without_ending(const char *name);
/* An id for each: safe characters only, different from all before it. */
void roster_name(Roster *);
/* Puts the student's files into CLASS/in and returns what roster.json says. */
json_t *student_keep(const Student *, int class_folder);
/* Writes roster.json and students.mk, and takes from in/ and marks/ what is nobody's any more. */
void class_write(int class_folder, const json_t *roster);

/* ---- main.c ------------------------------------------------------------------------------------ */
void bad_input(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
