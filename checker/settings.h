/* The settings from the command line, grouped by their subject. main.c fills in the settings. Other
 * code only reads the settings, or changes a copy for one run. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* The programs that are graded, and how they were built. Element 0 of an array is for float,
 * element 1 for double. */
typedef struct Build {
  const char *program, *precision;
  /* The program that is built from the same source in double. NULL: no grading in double. If the
   * file does not exist, FILE.log has the compiler's errors. */
  const char *in_double;
  /* The program of the reference solution. On a GPU its time and the time of the student's program
   * are measured alternately. NULL: no measurement. */
  const char *reference;
  /* The compiler's log if the compilation failed; otherwise NULL. */
  const char *compile_log;
  /* A program that contains only the lab's given part. This program runs the kernels of `object`
   * and replays the calls that the student's program made, so that no host code of the student
   * computes the result. NULL: the result of `program` is graded. */
  const char *replay[2];
  const char *object[2], *assembly[2];
  /* A file with the names that only the workbook may define, in the format of nm -g. NULL: the
   * names in the object file are not checked. */
  const char *names;
  const char *device, *compiler;
  /* The card that the device emulates. NULL: the default card. Only marks for the default card are
   * recorded. */
  const char *card;
  bool on_gpu;
} Build;

typedef struct Paths {
  const char *source;
  /* The student's file as it was handed out. NULL: it is unknown, and changes of the given part are
   * not detected. */
  const char *handout;
  const char *labs, *state;
  const char *xml, *json;
  const char *points;
  const char *secret;
} Paths;

/* The folder inside the sandbox below which all files of the workbook are mounted. */
#define SANDBOX_ROOT "/lockstep"

/* The sandbox and the limits for untrusted submissions. */
typedef struct Walls {
  /* "bwrap" or "none". NULL: the student grades on their own machine. */
  const char *sandbox;
  /* The folder of one submission. The source is in its labs/, the compiler's output in its out/.
   * NULL: the workbook's own folders are used. */
  const char *work;
  /* Folders outside of /usr that the compiler may read, separated by colons. May be NULL. */
  const char *readable;
  /* The file that processes lock before they use a shared GPU. May be NULL. */
  const char *gpu_lock;
  /* true: the checker itself has no network, so runs need no network namespace of their own. */
  bool offline;
  /* The limit in seconds for the compiler, the checker and all runs together; 0: no limit. */
  double budget;
  /* A file with the number of seconds that earlier runs of the checker used for the same lab. May
   * be NULL. */
  const char *spent;
} Walls;

/* Settings of one run of a program. */
typedef struct RunSettings {
  unsigned seed, schedule;
  double seconds;
  /* The number of the CUDA runtime call that the emulator lets fail, counted from 1; 0: none. */
  unsigned fail;
  /* true: only the size arithmetic runs. Memory is neither allocated nor accessed, so huge sizes
   * are possible. */
  bool pretend;
  /* true: the source lines of host calls are not looked up, which saves time. */
  bool no_lines;
  /* A file of PTX whose kernels replace the student's kernels. May be NULL. */
  const char *kernels;
} RunSettings;

/* The commands that compile another source than the student's file: a source with a change that a
 * hint tries, or a source whose given part is restored. */
typedef struct ChangeSettings {
  /* A shell command that compiles the source "$1" to PTX "$2" in precision "$3". NULL: changes of
   * device code are not tried. */
  const char *edited;
  /* A shell command that builds the program "$2" from the source "$1" in precision "$3". NULL:
   * changes of host code are not tried. */
  const char *rebuilt;
  /* The source of the reference solution, or NULL. */
  const char *solution;
} ChangeSettings;

typedef struct Settings {
  const char *lab;
  /* The task for which a hint or a change is asked; 0: the first task that is not passed. */
  size_t task;
  Build build;
  Paths paths;
  Walls walls;
  RunSettings run;
  ChangeSettings change;
  bool plain, remember;
  /* The reason why the lab could not be graded, from --ungraded; otherwise NULL. */
  const char *ungraded;
} Settings;

#endif
