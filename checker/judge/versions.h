#ifndef LOCKSTEP_VERSIONS_H
#define LOCKSTEP_VERSIONS_H

/* Many versions of a student's kernels, each with one change, compiled together: each stands in a namespace of its own, its
 * kernels under names of their own. What the compiler does not take is left out and the rest compiled again; the PTX is then
 * cut apart, so that a program can run with one version of it in place of its own kernels (LOCKSTEP_KERNELS).
 */
#include "checker.h"
#include "edits.h"

enum { VERSION_FILES = 2, VERSION_KERNELS = 32 };

typedef struct Version {
  const Edit *edit; /* NULL: none */
  char *ptx;        /* without what differs from one to the other; NULL: it does not compile */
  size_t length;
  bool refused;
  size_t round; /* for who puts them in order */
} Version;

/* The first version is the file as it is. */
typedef struct Versions {
  const Settings *settings;
  char *solution; /* NULL: there is none */
  char *source, *text,
      *whole; /* text: of it what is compiled, at the same places; whole: with all kernels */
  char *kernels[VERSION_KERNELS]; /* names of all, and of other functions that C would know */
  size_t kernel_count;
  Version *versions;
  size_t count, from, to;            /* from, to: those at hand, and the first with them */
  char file[2 * VERSION_FILES][800]; /* sources, then PTX */
  char seen[2 * VERSION_FILES][400]; /* as the compiler sees them */
  bool as_program;                   /* compiled as the program is, whatever that takes */
  bool stopped;                      /* the compiler took too long: no more is compiled */
  FILE *said;                        /* by the compiler */
} Versions;

/* Of all changes of Settings.source those of what runs: `launched` has the names of the kernels that do; none: nobody knows.
 * folder: for files. False: it cannot be done; to be ended all the same. All but the first may be put in another order then. */
bool versions_begin(Versions *, const Settings *, const char *folder, const json_t *launched);
/* Versions from to up to, without `up_to`. */
bool versions_compile(Versions *, size_t from, size_t up_to);
/* This one once more, with the kernels that nobody has seen run, since other runs of the task may need them, compiled as the
 * program is, since that decides what they cost, and in the precision of these settings. */
void version_complete(Versions *, size_t number, const Settings *);
/* Nothing that an earlier one was. */
bool version_is_new(const Versions *, size_t number);
void versions_end(Versions *);
/* All of a file, to be freed; NULL: it cannot be read. */
char *text_of_file(const char *path);

#endif
