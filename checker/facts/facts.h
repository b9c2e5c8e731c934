/* What is known of a lab program, one section for each file: how it is started, behind which walls, what it left, and
 * what the device recorded. Nothing here knows a lab.
 */
#ifndef FACTS_H
#define FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "facts/json.h"
#include "say/verdict.h"
#include "settings.h"

/* ---- facts/bad_input.c: one line on standard error, exit 2 ---------------------------------- */
void bad_input(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* ---- facts/sandbox.c: bubblewrap's walls ------------------------------------------------------- */
#define SANDBOX_OBJECT SANDBOX_ROOT "/object"
#define SANDBOX_TRANSCRIPT SANDBOX_ROOT "/transcript"
#define SANDBOX_RECORDED SANDBOX_ROOT "/recorded"
#define SANDBOX_KERNELS SANDBOX_ROOT "/kernels"
enum { SANDBOX_PID = 2 }; /* of the program, inside; 1 is bwrap's own */
typedef struct Sandbox {
  const char *work;     /* to compile what lies there, out/ is writable; NULL: to run a program */
  const char *readable; /* for a compiler, see Settings */
  bool on_gpu, offline; /* offline: there is no network here already */
  int pass[2];          /* descriptors that the program gets, 0: none */
  const char *object, *transcript, *recorded; /* what a replay reads; or NULL */
  const char *kernels;                        /* PTX in place of the object's; or NULL */
} Sandbox;
/* bwrap with all that makes the walls, then the arguments; to be freed, each and all. Descriptors to be left open for it:
 * `status`, where it says how the program ended, and *filter. */
char **sandbox_command(const Sandbox *, const char *const *arguments, int status, int *filter);
bool sandbox_wanted(const Settings *); /* else strangers' work runs as everything else here */
bool sandbox_has_sizes(void);          /* can this bwrap limit a tmpfs? */
void sandbox_check(void);              /* bad_input when it cannot work here */
struct ChildEnd;
/* bad_input: a program of ours was not started, so nothing can be graded here. */
void not_started(const Settings *, const char *program, const struct ChildEnd *)
    __attribute__((noreturn));

/* ---- facts/group.c: limits that the kernel keeps, where it lets us ------------------------------ */
typedef struct Group {
  int folder, procs; /* -1: there is none; who writes "0" to procs is in it */
  char name[40];
} Group;
Group group_make(size_t bytes, size_t tasks);
bool group_ran_out(const Group *);   /* of memory, and was ended */
bool group_is_full(const Group *);   /* no more processes */
double group_seconds(const Group *); /* of processor time; 0 where there is none */
void group_remove(Group *);          /* and all that is in it */

/* ---- facts/child.c ----------------------------------------------------------------------------- */
typedef enum ChildHow {
  CHILD_EXITED,
  CHILD_SIGNALLED,
  CHILD_TIMED_OUT,
  CHILD_SPENT,    /* the time of all runs together is over */
  CHILD_TOO_BIG,  /* resident memory */
  CHILD_TOO_MANY, /* processes and threads */
  CHILD_FLOODED,  /* printed or wrote without end */
  CHILD_ASKED,    /* asked the device for more than a transcript holds */
  CHILD_NOT_STARTED
} ChildHow;

/* How a program that shares a GPU gets its turn (harness/turn.c). */
typedef struct Turns {
  bool (*take)(void *data, bool alone); /* called every few ms until true, once it was asked for */
  void (*leave)(void *data);            /* what it had, or waited for, is over */
  void *data;
} Turns;

typedef struct ChildRequest {
  const char *const *arguments; /* [0] the program, NULL at the end */
  const char *files[3];         /* files it may write, watched for size; NULL at the end */
  const char *log;              /* LOCKSTEP_LOG, or NULL */
  FILE *
      asked; /* gets the transcript of what it asks the device for; or NULL. Observers are off then */
  const char *object, *transcript, *recorded; /* LOCKSTEP_OBJECT, _REPLAY and _RECORDED; or NULL */
  const char *card;                           /* LOCKSTEP_CARD; NULL: the usual one */
  unsigned fail;                              /* LOCKSTEP_FAIL */
  const char *kernels;                        /* LOCKSTEP_KERNELS, or NULL */
  bool pretend;                               /* LOCKSTEP_PRETEND */
  bool no_lines;                              /* LOCKSTEP_HOST_LINES=0 */
  bool predicted;                             /* not LOCKSTEP_PREDICT=0 */
  unsigned schedule;                          /* LOCKSTEP_SEED */
  double seconds, budget;                     /* of this run; of all that have one; 0: none */
  const Sandbox *box;                         /* NULL: without walls */
  FILE *heard;                                /* gets the first of what it prints; or NULL */
  const Turns *turns; /* what it does on the device waits for its turn; NULL: never */
} ChildRequest;

typedef struct ChildEnd {
  ChildHow how;
  int code; /* exit status, signal, or errno of a start that failed (in a sandbox: last_words) */
  int pid;
  double seconds, used; /* used: of the budget */
  char last_words[120]; /* the last line it printed, printable characters only; never believed */
} ChildEnd;

/* Runs a program to its end, or ends it, with everything it has started. */
ChildEnd child_run(const ChildRequest *);
/* A process of ours, for a part of the work: it ends when we do. 0 in that process, -1 where there can be none. */
int child_of_ours(void);
/* The folder of such a process, with the files in it: removed. */
void child_folder_gone(const char *path);
/* A process of ours that no run has started, and whose time and children are its own; 0: none. */
void child_leave_alone(int pid);
void child_end_left_alone(void);
/* So much of the budget was used by a run that another process of ours watched. */
void child_used(double seconds);
/* What all runs with a budget have used so far, and this process. */
double child_spent(void);
/* Processor time of this process and its children: a busy machine finds what an idle one does. */
double processor_seconds(void);

/* ---- facts/turn.c: whose turn it is on a GPU -------------------------------------------------- */
/* False: not yet; to be called again, or left. True: it is ours, or nobody else wants it. */
bool gpu_take(const Settings *, bool alone);
void gpu_leave(void);
void gpu_wait(void); /* a moment, before it is tried again */
/* Waits for one of a few places: so many pairs of programs at most have memory of the device and wait to be measured. To
 * be closed; -1: nobody else wants one. */
int gpu_place(const Settings *);

/* ---- facts/log.c ------------------------------------------------------------------------------- */
typedef struct Log {
  bool started, ended; /* the first and the last line of a regular run */
  bool cut;            /* broken off in the middle of a line */
  bool doubtful;       /* lines that the device does not write */
  int pid, live;       /* live: allocations when the program ended */
  size_t bytes;        /* of its file, as far as it was read */
  json_t *reports;     /* array of report events in order */
  json_t *kernels;     /* name -> kernel event */
  json_t *launched;    /* name -> true: launches that were pretended */
  json_t *copies;      /* the event; NULL: there was none */
  json_t *failed;      /* which call failed, as was asked for; NULL: none */
  double calls;        /* that may fail */
  bool host;           /* a replay has come to a function of the student's, and has no transcript */
  char refused[160];   /* why a replay did not go on; "": it did */
  char unreadable[160]; /* what is wrong with the program's device code; "": nothing */
  double written,
      sent; /* by a replay: elements of the output that the host wrote; that it made and sent to the
                           device */
} Log;

typedef struct LogAccess {
  double requests, sectors; /* sectors: of global memory */
  double wavefronts, ideal; /* of shared memory: needed, and without bank conflicts */
  char file[200];           /* where most sectors, or conflicts, come on a request */
  int line;
} LogAccess;

Log log_read(const char *path);
void log_free(Log *);
/* Of the reports of this severity or kind (NULL: of all) the one that explains the others; NULL:
 * none. */
const json_t *log_report(const Log *, const char *which);
/* A counter of a kernel; -1 when the kernel was never launched. */
double log_counter(const Log *, const char *kernel, const char *counter);
/* Sums a kernel's accesses through one of its parameters; false when there were none. */
bool log_access(const Log *, const char *kernel, int parameter, bool store, LogAccess *);
/* The same of atomic operations. */
bool log_atomic(const Log *, const char *kernel, int parameter, LogAccess *);
/* Loads from global memory of so many bytes a lane at most. */
bool log_narrow_loads(const Log *, const char *kernel, int bytes, LogAccess *);
/* Sums a kernel's loads (or stores) of shared memory, those of one source line or, with 0, all;
 * false when there were none. */
bool log_shared_access(const Log *, const char *kernel, bool store, int line, LogAccess *);
/* The same of atomic operations, which load and store, and in which lanes take turns. */
bool log_shared_atomic(const Log *, const char *kernel, int line, LogAccess *);
/* Requests that load from shared memory, by atomic operations, too; -1 when the kernel was never launched. */
double log_shared_loads(const Log *, const char *kernel);
/* Does a warp load from shared memory where each lane has stored itself? Judged by the sample of each access. */
bool log_shared_kept(const Log *, const char *kernel);
/* Instructions by which the lanes of a warp hand one another values: shuffles, votes, matrices and others. */
double log_exchanges(const Log *, const char *kernel);
/* Requests that store to local memory: arrays and variables that are not in registers. */
double log_local_stores(const Log *, const char *kernel);
double log_conflicts(const LogAccess *); /* wavefronts beyond the ideal number, per request */
/* Where bytes of which the program has the result file come from, by emulator_hash: a copy to the host
 * brought them, or none did, or they had been sent to the device. Unknown where kernels and host code
 * share memory, and where no kernel was launched. */
typedef enum LogOrigin { ORIGIN_UNKNOWN, ORIGIN_DEVICE, ORIGIN_HOST, ORIGIN_SENT } LogOrigin;
LogOrigin log_origin(const Log *, size_t bytes, uint64_t hash);
/* How many bytes were copied twice and the same; direction: "to_device" or "to_host". 0: none. */
double log_copied_again(const Log *, const char *direction);
/* Bytes of shared memory of a block; -1 when the kernel was never launched. */
double log_shared_bytes(const Log *, const char *kernel);
/* Did it run in blocks of so many threads, all in one plane? */
bool log_block_is(const Log *, const char *kernel, int x, int y);
/* Of these, how many the launch asked for; those of one array, 0: there is none. */
double log_dynamic_bytes(const Log *, const char *kernel);
double log_shared_array(const Log *, const char *kernel, const char *name);

/* ---- facts/work.c: what the device did --------------------------------------------------------- */
/* The device's names for what is summed; NULL at the end. */
extern const char *const work_counters[];
/* Adds a run's counters to those of each kernel, {"matmul":{"launches":n,..},..}. */
void work_add(json_t *kernels, const Log *);
void work_sum(json_t *kernels, const json_t *others); /* of other runs */
json_int_t work_total(const json_t *kernels);         /* thread instructions */

/* ---- facts/output.c ---------------------------------------------------------------------------- */
typedef enum ElementState { ELEMENT_VALUE, ELEMENT_NAN, ELEMENT_POISON } ElementState;

typedef struct ResultFile {
  bool there;        /* false: the problem says why not */
  char problem[120]; /* "no result file", ... */
  size_t rows, columns, element_bytes;
  double *values;
  unsigned char *states; /* ElementState of each element */
  uint64_t hash;         /* emulator_hash of all elements */
} ResultFile;

ResultFile result_file_read(const char *path);
/* Those of several runs in one file: how many there are, at most so many. */
size_t result_file_read_all(const char *path, ResultFile *, size_t most);
void result_file_free(ResultFile *);

/* One start of the lab program and all that it left. */
typedef struct Trial {
  ChildEnd end;
  Log log;
  ResultFile output;
  bool among; /* other runs came before it in the same process */
} Trial;

/* ---- facts/gate.c ------------------------------------------------------------------------------ */
/* Do the objects use and define only what a lab's may? Else the verdict says what. */
bool gate_open(Verdict *, const Settings *);

/* ---- facts/seed.c ----------------------------------------------------------------------------- */
typedef enum SeedPurpose {
  SEED_COUNTS, /* of the inputs that count */
  SEED_SHOWN   /* of those that a stranger's program sees */
} SeedPurpose;
/* Of the source, and in a class of a secret. */
unsigned seed_of(const Settings *, SeedPurpose);
/* A number below `count`, another one for each seed, for each of `what` and for each `which`. */
unsigned seed_draw(unsigned seed, const char *what, unsigned which, unsigned count);
/* least, least + step, ... up to most */
typedef struct SizeRange {
  int least, step, most;
} SizeRange;
/* Draws a size from each range. Their product is at most `work`, if the ranges allow that. */
void seed_sizes(unsigned seed, const char *what, const SizeRange *ranges, size_t count, double work,
                int *sizes);

/* A prediction that a check compared with the truth. */
enum { PREDICTED_MOST = 8 };
typedef struct Predicted {
  char name[48];
  double answer, truth;
  double first; /* the first answer that was ever checked at home */
} Predicted;

/* ---- facts/check.c: what the tasks of every lab use ------------------------------------------ */
typedef struct Check {
  const Settings *settings;
  Verdict verdict;
  char folder[256]; /* for the files of the runs */
  unsigned runs;    /* made so far: numbers the files */
  json_t *kernels;  /* sums the counters of these runs; NULL: not wanted */
  int waits_for;    /* set by a check that cannot be made before that task is done */
  unsigned failed;  /* bit n: task n is not done */
  /* Parts of the task that were judged so far, those that are right (bit i: part i), and the verdict of the first that
   * is not. */
  unsigned parts, parts_right;
  Verdict wrong_part;
  /* What the source predicts, of the names that the task asks for. */
  Predicted predicted[PREDICTED_MOST];
  size_t predicted_count;
  bool quick;     /* the first run that goes wrong ends the check, and no cause is looked for */
  char last[440]; /* the command of the last run that was right, or "" */
  bool computes_nothing; /* the next run only pretends to launch: it has little time */
  bool many_in_one;      /* the next runs launch very often, and may take longer for it */
} Check;

/* ---- facts/known.c: runs that were made before ---------------------------------------------------- */
bool known_run(const char *key, Trial *); /* to be freed as any other */
void known_keep(const char *key, const Trial *);
void known_forget(void);
void trial_free(Trial *);

/* What a run may write. */
typedef struct Leavings {
  const char *log, *output;
  const char **named; /* the argument that names the output, filled in by the run; or NULL */
  double seconds;     /* its limit */
  FILE *heard;        /* gets the first of what it prints; or NULL */
  bool predicted;     /* the log shall have predicted times, which no check looks at */
  const Turns *turns; /* on a GPU, in place of those that all others have; or NULL */
} Leavings;
/* Runs a program, behind walls if the settings say so; the files lie there afterwards if it wrote
 * anything. Every start of a student's program goes through here. */
ChildEnd check_run(const Settings *, const char **arguments, const Leavings *);
/* Starts the program with these arguments (NULL at the end) and reads what it leaves. */
Trial check_start(Check *, const char *const *arguments);
/* On a GPU, where a start takes longer than a run: all these in one process, for check_start to know what came to its end.
 * Nothing to be judged wrong by: check_start_alone makes such a run again. */
void check_start_ahead(Check *, const char *const *const *lists, size_t count);
Trial check_start_alone(Check *, const char *const *arguments);
/* The same as a student would start it: the program compares by itself, all variants, no result
 * file. */
Trial check_start_plain(Check *, const char *const *arguments);
/* Is `now` at most `gate`? Fails the check if not, with the three numbers; where `ideal` is NaN, because it is yet to be
 * predicted, with the first alone. */
bool check_gate(Check *, SayId quantity, double now, double ideal, double gate,
                const LogAccess *where);
/* Each of these numbers at most its gate? The first that is not fails the check, and `cause` says why. */
typedef struct CounterGate {
  SayId quantity;
  double now, ideal, most;
  SayId cause;
  const LogAccess *where; /* or NULL */
} CounterGate;
bool check_gates(Check *, const CounterGate *, size_t count);
#define CHECK_GATES(check, ...)                                                                    \
  check_gates(check, (const CounterGate[]){__VA_ARGS__},                                           \
              sizeof((const CounterGate[]){__VA_ARGS__}) / sizeof(CounterGate))
/* Ends a part of a task: its points depend on the verdict so far, and the next part begins with an empty one. */
void check_end_part(Check *);
bool check_task_failed(const Check *, int task);
size_t check_element_bytes(const Check *);
/* Notes in the verdict which command shows this run again. */
void check_again(Check *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- facts/costs.c: what accesses cost, from addresses and sizes alone --------------------------- */

/* Lane i accesses `bytes` bytes at i * stride. The sectors of 32 bytes that the warp touches in global memory. */
double pattern_sectors(size_t stride, size_t bytes);
/* How many different words the worst of the 32 banks is asked for at once: 1 is free of conflicts. Of 8-byte elements, by
 * one half of the warp. */
double pattern_ways(size_t stride, size_t bytes);
/* The wavefronts of the whole warp's access. */
double pattern_passes(size_t stride, size_t bytes);
/* What a matrix product of these sizes takes by square tiles of C, in steps of `depth` terms of the sums, if zeros fill up
 * the tiles at the edges and each element of a tile is loaded once: no solution needs more. */
typedef struct TileCosts {
  double steps, multiply_adds;   /* steps: of a block */
  double elements, sectors;      /* loaded from A and B */
  double stored, stored_sectors; /* stored: bytes of C */
  bool shifted;                  /* rows of a matrix begin within a sector */
} TileCosts;
TileCosts tile_costs(size_t m, size_t k, size_t n, size_t bytes, size_t side, size_t depth);

/* ---- facts/numbers.c ---------------------------------------------------------------------------- */
/* Zeros, to be freed. */
double *numbers(size_t count);

/* ---- facts/command.c: what commands call a lab ------------------------------------------------- */
/* The number of a lab, as in "make lab01". */
void lab_number(const char *name, char out[3]);
/* The student's file of a lab; "03-bank-conflicts": "bank_conflicts.cu". */
void lab_source_name(const char *lab, char out[80]);
/* What a command needs in order to mean the same labs: " LABS=directory", or nothing for labs/. */
enum { LABS_WORD = 240 };
void labs_word(const Settings *, char out[LABS_WORD]);

/* ---- facts/speed.c: the times of a GPU, beside the reference solution's ---------------------------------- */
enum { SPEED_ROUNDS = 5 };
typedef enum SpeedWord { SPEED_GOOD, SPEED_SLOW, SPEED_IMPOSSIBLE, SPEED_NOISY } SpeedWord;
typedef struct Speed {
  size_t rounds;
  double medians[2][SPEED_ROUNDS];  /* of the student's runs, of the reference's */
  double within[2 * SPEED_ROUNDS];  /* how far the times of one run scatter */
  double student, reference, ratio; /* of all; ms */
  double least; /* that the device allows, as the reference measured; NaN: unknown */
  double scatter;
} Speed;
/* How many times a file holds, and what it says they are at least, or NaN; 0: it is no such file, or something in it is no
 * time. */
size_t times_read(const char *path, double *times, size_t most, double *least);
/* The files that both programs left, all rounds one after the other. False: one holds too little. */
bool speed_read(Speed *, const char *student, const char *reference);
SpeedWord speed_judge(Speed *);
typedef enum SpeedEnd {
  SPEED_MEASURED,
  SPEED_ENDED_BADLY,
  SPEED_LEFT_NONE,
  SPEED_UNREADABLE
} SpeedEnd;
/* Runs the student's program and the reference solution's in turns. *end: how the one ended that left no times. */
SpeedEnd speed_measure(Check *, const char *variant, int size, Speed *, ChildEnd *end);
/* The time that is allowed, in units of the reference solution's. */
#define SPEED_GATE 1.25

/* ---- facts/gaps.c -------------------------------------------------------------------------------- */
/* A hash of the code in all gaps of a task, without blanks and // comments; task 0: of the code outside of all gaps. 0: the
 * text has no such gap. */
uint64_t gap_fingerprint(const char *text, int task);
/* The line of the first "// TODO(task)"; 0: there is none. */
int gap_line(const char *text, int task);
/* A hash of all of it. */
uint64_t text_fingerprint(const char *text);
/* The whole file, to be freed; NULL: it cannot be read. */
char *text_of_file(const char *path);

/* ---- facts/predictions.c ------------------------------------------------------------------------- */
typedef struct Prediction {
  bool defined, number; /* the #define is there; what follows is a number */
  double value;
  int line;
} Prediction;

Prediction predict_read(const char *source, const char *name);
/* The number `#define name` that a question is about, which an instructor may draw (make questions): the handout's in a
 * class, otherwise that of the student's file. usual: the number where there is none. */
double predict_asked(const Check *, const char *name, double usual);
/* Is there a number other than 0 for each name (NULL at the end)? Fails the check if not, with a
 * line for each that is open. */
bool predict_answered(Check *, const char *const *names);
/* Compares `#define name` in the source with the truth; fails the check if they differ. */
bool predict_check(Check *, const char *name, SayId quantity, double truth);

/* ---- facts/compile.c --------------------------------------------------------------------------- */
/* The first error in what the compiler said. */
void verdict_compile(Verdict *, const char *build_log);
/* The first lines of it, for a report that outlives the file. */
void compile_print(FILE *, const char *build_log);
/* Runs the command over Settings.work, walled in as the settings say, and keeps what it says in
 * Settings.compile_log; false when it failed or was stopped. */
bool compile_run(const Settings *, const char *command);
/* A path as a command sees it that runs behind walls, or in the folder of a submission. */
const char *compile_path(const Settings *, const char *path);
/* Runs a command of the ChangeSettings, which makes `made` of `source` in the settings' precision. What it says goes to
 * the file `log`, or nowhere if that is NULL. */
bool compile_source(const Settings *, const char *command, const char *source, const char *made,
                    const char *log);

#endif
