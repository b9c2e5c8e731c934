/* Settings from the command line, grouped by what they describe. main.c fills them in. Other code
 * only reads them, or changes a copy for one run.
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* The programs that are graded, and how they were built. Element 0 of an array is for float,
 * element 1 for double. */
typedef struct Build {
  const char *program, *precision;
  /* The program of the same source in double; NULL: not graded. If it does not exist, FILE.log says
   * why. */
  const char *in_double;
  /* The reference solution's program, timed beside the student's on a GPU; or NULL. */
  const char *reference;
  /* The log of a failed compilation; NULL if it compiled. */
  const char *compile_log;
  /* A program with the lab's given part only. It runs the kernels of `object` and replays the
   * recorded calls of the student's program, so no code of the student runs on the host. NULL: the
   * program itself is graded. */
  const char *replay[2];
  const char *object[2], *assembly[2];
  /* A file with the names that are reserved for the workbook, as nm -g prints them; NULL: objects
   * are not checked for them. */
  const char *names;
  const char *device, *compiler;
  /* The emulated card; NULL: the default card, on which marks are based. */
  const char *card;
  bool on_gpu;
} Build;

typedef struct Paths {
  const char *source;
  /* The student's file as handed out; NULL: unknown, and no comparison is made. */
  const char *handout;
  const char *labs, *state;
  const char *xml, *json;
  const char *points;
  const char *secret;
} Paths;

/* The root of the files inside the sandbox. */
#define SANDBOX_ROOT "/lockstep"

/* The sandbox for untrusted submissions. */
typedef struct Walls {
  /* "bwrap" or "none"; NULL on a student's own machine. */
  const char *sandbox;
  /* The folder of one submission, with work/labs and work/out; or NULL. */
  const char *work;
  /* Folders outside of /usr that a compiler may read, separated by colons; or NULL. */
  const char *readable;
  /* The lock file that serialises use of a shared GPU; or NULL. */
  const char *gpu_lock;
  /* There is no network already, so runs need no network namespace of their own. */
  bool offline;
  /* Limit in seconds for the compiler, the checker and all runs together; 0: none. */
  double budget;
  /* A file with the seconds that earlier calls for the same lab have used; or NULL. */
  const char *spent;
} Walls;

/* Settings of one run of a program. */
typedef struct RunSettings {
  unsigned seed, schedule;
  double seconds;
  /* The number of the runtime call that fails; 0: none. */
  unsigned fail;
  /* Simulate sizes only; no memory is accessed. */
  bool pretend;
  /* Do not look up host source lines. */
  bool no_lines;
  /* A file with PTX that replaces the student's kernels; or NULL. */
  const char *kernels;
} RunSettings;

/* How to compile a changed source: for a change that a hint proposes, and for a file whose given
 * part was changed. */
typedef struct ChangeSettings {
  /* Command that compiles the source "$1" to PTX "$2" in precision "$3"; NULL: changes of device
   * code are not tried. */
  const char *edited;
  /* Command that builds the program "$2" from the source "$1" in precision "$3"; NULL: changes of
   * host code are not tried. */
  const char *rebuilt;
  /* The reference solution, or NULL. */
  const char *solution;
} ChangeSettings;

typedef struct Settings {
  const char *lab;
  /* The task of a hint or a change; 0: the first open one. */
  size_t task;
  Build build;
  Paths paths;
  Walls walls;
  RunSettings run;
  ChangeSettings change;
  bool plain, remember;
  /* The reason why the lab could not be graded; NULL if it can. */
  const char *ungraded;
} Settings;

#endif
