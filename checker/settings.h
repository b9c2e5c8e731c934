/* What a command line asks of the checker, split by what it describes. main.c fills it in; all others only read it or
 * change a copy for one run.
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* The programs that are graded, and how they were built. Arrays hold float's first, then double's. */
typedef struct Build {
  const char *program, *precision;
  /* The same source with elements of double; NULL: not graded. FILE.log explains why it could not be built. */
  const char *in_double;
  /* The reference solution's program, timed beside the student's on a GPU; or NULL. */
  const char *reference;
  /* The log of a compilation that failed; NULL: it compiled. */
  const char *compile_log;
  /* The program of the lab's given part: it runs the kernels of `object` and repeats the recorded calls of the
   * student's program, so that nothing of the student's runs on the host. NULL: the program itself is graded. */
  const char *replay[2];
  const char *object[2], *assembly[2];
  /* A file with the names that belong to the workbook, as nm -g prints them; NULL: objects are not inspected. */
  const char *names;
  const char *device, *compiler;
  /* The emulated card; NULL: the default one, by which marks are given. */
  const char *card;
  bool on_gpu;
} Build;

typedef struct Paths {
  const char *source;
  /* The student's file as it was handed out; NULL: unknown, and nothing is compared with it. */
  const char *handout;
  const char *labs, *state;
  const char *xml, *json;
  const char *points;
  const char *secret;
} Paths;

/* Where files are inside of the sandbox. */
#define SANDBOX_ROOT "/lockstep"

/* How strangers' work is confined. */
typedef struct Walls {
  /* "bwrap" or "none"; NULL: the student's own machine. */
  const char *sandbox;
  /* Holds one submission: work/labs, work/out; or NULL. */
  const char *work;
  /* Folders outside of /usr that a compiler may read, separated by colons; or NULL. */
  const char *readable;
  /* A file that tells whose turn it is on a shared GPU; or NULL. */
  const char *gpu_lock;
  /* No network exists here already, so that runs may share one. */
  bool offline;
  /* Seconds for the compiler, the checker and all runs together; 0: no limit. */
  double budget;
  /* A file with the seconds of it that calls of the checker for the same lab have used; or NULL. */
  const char *spent;
} Walls;

/* One start of a program. */
typedef struct RunSettings {
  unsigned seed, schedule;
  double seconds;
  /* The number of the call that fails; 0: none. */
  unsigned fail;
  /* Sizes are pretended: no memory is touched. */
  bool pretend;
  /* Host source lines are not looked up. */
  bool no_lines;
  /* A file with PTX that replaces the student's kernels; or NULL. */
  const char *kernels;
} RunSettings;

/* How a changed source becomes a program: for rung 4 of the hints, and for a file whose given part was changed. */
typedef struct ChangeSettings {
  /* Compiles the source "$1" to PTX "$2" in precision "$3"; NULL: changes of device code are not tried. */
  const char *edited;
  /* Builds the program "$2" of the source "$1" in precision "$3"; NULL: changes of host code are not tried. */
  const char *rebuilt;
  /* The reference solution, or NULL. */
  const char *solution;
} ChangeSettings;

typedef struct Settings {
  const char *lab;
  /* The task that a hint or a change is about; 0: the first open one. */
  size_t task;
  Build build;
  Paths paths;
  Walls walls;
  RunSettings run;
  ChangeSettings change;
  bool plain, remember;
  /* Why the lab could not be graded; NULL: it can. */
  const char *ungraded;
} Settings;

#endif
