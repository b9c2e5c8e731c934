/* Facts about a lab program, one section per source file: how it is started, in which sandbox, what
 * it left, and what the device recorded. Nothing here depends on a lab. */
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

/* ---- facts/bad_input.c: one line on standard error, exit 2 ----------------------------------- */
void bad_input(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* ---- facts/sandbox.c: sandboxes made by bubblewrap ------------------------------------------- */
#define SANDBOX_OBJECT SANDBOX_ROOT "/object"
#define SANDBOX_TRANSCRIPT SANDBOX_ROOT "/transcript"
#define SANDBOX_RECORDED SANDBOX_ROOT "/recorded"
#define SANDBOX_KERNELS SANDBOX_ROOT "/kernels"
/* The program's process id inside; 1 is bwrap itself. */
enum { SANDBOX_PID = 2 };
typedef struct Sandbox {
  /* The folder to compile in, whose out/ is writable; NULL: run a program. */
  const char *work;
  /* For a compiler; see Settings. */
  const char *readable;
  /* offline: there is no network on this machine already. */
  bool on_gpu, offline;
  /* Descriptors that the program inherits; 0: none. */
  int pass[2];
  /* The input of a replay, or NULL. */
  const char *object, *transcript, *recorded;
  /* PTX that replaces the object's, or NULL. */
  const char *kernels;
} Sandbox;
/* The bwrap command with all options of the sandbox, followed by the arguments. The caller frees
 * the list and each word. These descriptors must stay open for bwrap: `status`, where it reports
 * how the program ended, and *filter. */
char **sandbox_command(const Sandbox *, const char *const *arguments, int status, int *filter);
/* Returns true if untrusted programs run in a sandbox. Otherwise they run like all others. */
bool sandbox_wanted(const Settings *);
/* Returns true if this bwrap can limit the size of a tmpfs. */
bool sandbox_has_sizes(void);
/* Calls bad_input if a sandbox cannot work here. */
void sandbox_check(void);
struct ChildEnd;
/* Calls bad_input: a program of ours was not started, so nothing can be graded here. */
void not_started(const Settings *, const char *program, const struct ChildEnd *)
    __attribute__((noreturn));

/* ---- facts/group.c: limits enforced by the kernel, where permitted --------------------------- */
typedef struct Group {
  /* -1: none. A process that writes "0" to procs joins the group. */
  int folder, procs;
  char name[40];
} Group;
Group group_make(size_t bytes, size_t tasks);
/* Returns true if the group exceeded its memory and was killed. */
bool group_ran_out(const Group *);
/* Returns true if the group cannot have more processes. */
bool group_is_full(const Group *);
/* Processor time; 0 if unknown. */
double group_seconds(const Group *);
void group_remove(Group *); /* including its processes */

/* ---- facts/child.c --------------------------------------------------------------------------- */
typedef enum ChildHow {
  CHILD_EXITED,
  CHILD_SIGNALLED,
  CHILD_TIMED_OUT,
  /* The time of all runs together is used up. */
  CHILD_SPENT,
  CHILD_TOO_BIG,  /* resident memory */
  CHILD_TOO_MANY, /* processes and threads */
  /* Printed or wrote too much. */
  CHILD_FLOODED,
  /* Made more requests to the device than a transcript holds. */
  CHILD_ASKED,
  CHILD_NOT_STARTED
} ChildHow;

/* How a program that shares a GPU gets its turn (harness/gpu_turn.c). */
typedef struct Turns {
  /* Called every few milliseconds after a request, until it returns true. */
  bool (*take)(void *data, bool alone);
  /* The turn, or the wait for it, is over. */
  void (*leave)(void *data);
  void *data;
} Turns;

typedef struct ChildRequest {
  /* [0] the program, NULL at the end */
  const char *const *arguments;
  /* Files that it may write, checked for size; NULL at the end. */
  const char *files[3];
  /* LOCKSTEP_LOG, or NULL */
  const char *log;
  /* Receives the transcript of its requests to the device; or NULL. Observers are off then. */
  FILE *asked;
  /* LOCKSTEP_OBJECT, _REPLAY and _RECORDED; or NULL */
  const char *object, *transcript, *recorded;
  /* LOCKSTEP_CARD; NULL: the default */
  const char *card;
  /* LOCKSTEP_FAIL */
  unsigned fail;
  /* LOCKSTEP_KERNELS, or NULL */
  const char *kernels;
  /* LOCKSTEP_PRETEND */
  bool pretend;
  /* LOCKSTEP_HOST_LINES=0 */
  bool no_lines;
  /* Not LOCKSTEP_PREDICT=0. */
  bool predicted;
  /* LOCKSTEP_SEED */
  unsigned schedule;
  /* Limits for this run, and for all runs with a budget together; 0: none. */
  double seconds, budget;
  /* NULL: no sandbox */
  const Sandbox *box;
  /* Receives the beginning of its output; or NULL. */
  FILE *heard;
  /* Its use of the device waits for turns; NULL: it does not. */
  const Turns *turns;
} ChildRequest;

typedef struct ChildEnd {
  ChildHow how;
  /* Exit status, signal, or errno of a start that failed (in a sandbox: see last_words). */
  int code;
  int pid;
  /* used: of the budget. */
  double seconds, used;
  /* The last line it printed, printable characters only. It must never be trusted. */
  char last_words[120];
} ChildEnd;

/* Runs a program until it ends, or ends it, including all processes that it started. */
ChildEnd child_run(const ChildRequest *);
/* Forks a process that does a part of the work and ends when its parent does. Returns 0 in that
 * process, and -1 if it cannot be created. */
int child_of_ours(void);
/* Removes the folder of such a process, with its files. */
void child_folder_gone(const char *path);
/* Exempts a process that no run has started: its time and children do not count as a run's; 0:
 * none. */
void child_leave_alone(int pid);
void child_end_left_alone(void);
/* Adds time of the budget used by a run that another of our processes supervised. */
void child_used(double seconds);
/* The time used so far by all runs with a budget, and by this process. */
double child_spent(void);
/* Processor time of this process and its children, which does not depend on the load of the
 * machine. */
double processor_seconds(void);

/* ---- facts/gpu_turn.c: turns on a GPU -------------------------------------------------------- */
/* Returns true if the GPU is ours, or no other process uses it. False: not yet; call again, or
 * gpu_leave. */
bool gpu_take(const Settings *, bool alone);
void gpu_leave(void);
void gpu_wait(void); /* waits a moment before the next attempt */
/* Waits for one of a few places. They limit the number of pairs of programs that have device memory
 * and wait to be measured. Returns a descriptor to be closed; -1: no other process needs a place.
 */
int gpu_place(const Settings *);

/* ---- facts/log.c ----------------------------------------------------------------------------- */
typedef struct Log {
  /* The first and the last line of a regular run were read. */
  bool started, ended;
  /* The log ends in the middle of a line. */
  bool cut;
  /* The log contains lines that the device does not write. */
  bool doubtful;
  /* live: number of allocations when the program ended. */
  int pid, live;
  /* The size of its file, as far as it was read. */
  size_t bytes;
  /* Array of report events in order. */
  json_t *reports;
  /* name -> kernel event */
  json_t *kernels;
  /* name -> true: pretended launches */
  json_t *launched;
  /* The copies event; NULL: none. */
  json_t *copies;
  /* The call that failed on request; NULL: none. */
  json_t *failed;
  /* Number of calls that may fail. */
  double calls;
  /* A replay has reached a function of the student's, and has no transcript. */
  bool host;
  /* The reason why a replay stopped; "" if it did not. */
  char refused[160];
  /* The problem with the program's device code; "": none. */
  char unreadable[160];
  /* For a replay: the number of output elements that the host wrote; that it computed and sent
   * to the device. */
  double written, sent;
} Log;

typedef struct LogAccess {
  /* sectors: for global memory. */
  double requests, sectors;
  /* For shared memory: needed, and without bank conflicts. */
  double wavefronts, ideal;
  /* The line with the most sectors, or conflicts, per request. */
  char file[200];
  int line;
} LogAccess;

Log log_read(const char *path);
void log_free(Log *);
/* Among the reports of this severity or kind (NULL: all), the one that explains the others; NULL:
 * none. */
const json_t *log_report(const Log *, const char *which);
/* A counter of a kernel; -1 if the kernel was never launched. */
double log_counter(const Log *, const char *kernel, const char *counter);
/* Sums a kernel's accesses through one of its parameters. Returns false if there were none. */
bool log_access(const Log *, const char *kernel, int parameter, bool store, LogAccess *);
/* Likewise for atomic operations. */
bool log_atomic(const Log *, const char *kernel, int parameter, LogAccess *);
/* Loads from global memory of at most `bytes` bytes per lane. */
bool log_narrow_loads(const Log *, const char *kernel, int bytes, LogAccess *);
/* Sums a kernel's loads (or stores) of shared memory at one source line; 0: all lines. Returns
 * false if there were none. */
bool log_shared_access(const Log *, const char *kernel, bool store, int line, LogAccess *);
/* The same for atomic operations, which load and store, and in which lanes take turns. */
bool log_shared_atomic(const Log *, const char *kernel, int line, LogAccess *);
/* Requests that load from shared memory, including atomic operations; -1 if the kernel was never
 * launched. */
double log_shared_loads(const Log *, const char *kernel);
/* Returns true if a warp loads from shared memory what each lane stored itself, according to the
 * sample of each access. */
bool log_shared_kept(const Log *, const char *kernel);
/* Number of instructions that exchange values between the lanes of a warp: shuffles, votes,
 * matrices and others. */
double log_exchanges(const Log *, const char *kernel);
/* Requests that store to local memory: arrays and variables that are not in registers. */
double log_local_stores(const Log *, const char *kernel);
double log_conflicts(const LogAccess *); /* wavefronts beyond the ideal number, per request */
/* Where the bytes of the program's result file came from, by emulator_hash: copied to the host, not
 * copied, or sent to the device before. Unknown if kernels and host code share memory, or no kernel
 * was launched. */
typedef enum LogOrigin { ORIGIN_UNKNOWN, ORIGIN_DEVICE, ORIGIN_HOST, ORIGIN_SENT } LogOrigin;
LogOrigin log_origin(const Log *, size_t bytes, uint64_t hash);
/* The number of bytes that were copied twice without a change; direction: "to_device" or "to_host".
 * 0: none. */
double log_copied_again(const Log *, const char *direction);
/* Bytes of shared memory per block; -1 if the kernel was never launched. */
double log_shared_bytes(const Log *, const char *kernel);
/* Returns true if it ran in blocks of x by y threads. */
bool log_block_is(const Log *, const char *kernel, int x, int y);
/* The number of these bytes that the launch requested dynamically; and the bytes of one array, 0:
 * there is none. */
double log_dynamic_bytes(const Log *, const char *kernel);
double log_shared_array(const Log *, const char *kernel, const char *name);

/* ---- facts/work.c: the device's work --------------------------------------------------------- */
/* The device's names of the counters that are summed; NULL at the end. */
extern const char *const work_counters[];
/* Adds a run's counters to those of each kernel, {"matmul":{"launches":n,..},..}. */
void work_add(json_t *kernels, const Log *);
void work_sum(json_t *kernels, const json_t *others); /* adds the sums of other runs */
json_int_t work_total(const json_t *kernels);         /* thread instructions */

/* ---- facts/output.c -------------------------------------------------------------------------- */
typedef enum ElementState { ELEMENT_VALUE, ELEMENT_NAN, ELEMENT_POISON } ElementState;

typedef struct ResultFile {
  /* False: `problem` says why not. */
  bool there;
  /* "no result file", ... */
  char problem[120];
  size_t rows, columns, element_bytes;
  double *values;
  /* ElementState of each element. */
  unsigned char *states;
  /* emulator_hash of all elements. */
  uint64_t hash;
} ResultFile;

ResultFile result_file_read(const char *path);
/* Reads the results of several runs in one file, at most `most`. Returns their number. */
size_t result_file_read_all(const char *path, ResultFile *, size_t most);
void result_file_free(ResultFile *);

/* One start of the lab program and everything that it left. */
typedef struct Trial {
  ChildEnd end;
  Log log;
  ResultFile output;
  /* Other runs preceded it in the same process. */
  bool among;
} Trial;

/* ---- facts/allowed_names.c ------------------------------------------------------------------- */
/* Returns true if the objects use and define only what a lab's may. Otherwise the verdict says
 * what. */
bool gate_open(Verdict *, const Settings *);

/* ---- facts/seed.c ---------------------------------------------------------------------------- */
typedef enum SeedPurpose {
  /* For the inputs that count. */
  SEED_COUNTS,
  /* For the inputs that an untrusted program sees. */
  SEED_SHOWN
} SeedPurpose;
/* Derived from the source, and in a class from a secret. */
unsigned seed_of(const Settings *, SeedPurpose);
/* A number below `count`, which depends on the seed, `what` and `which`. */
unsigned seed_draw(unsigned seed, const char *what, unsigned which, unsigned count);
/* least, least + step, ... up to most. */
typedef struct SizeRange {
  int least, step, most;
} SizeRange;
/* Draws a size from each range. Their product is at most `work` if the ranges allow that. */
void seed_sizes(unsigned seed, const char *what, const SizeRange *ranges, size_t count, double work,
                int *sizes);

/* A prediction that a check compared with the truth. */
enum { PREDICTED_MOST = 8 };
typedef struct Predicted {
  char name[48];
  double answer, truth;
  /* The first answer that was ever checked on the student's machine. */
  double first;
} Predicted;

/* ---- facts/check.c: used by the tasks of every lab ------------------------------------------- */
typedef struct Check {
  const Settings *settings;
  Verdict verdict;
  /* For the files of the runs. */
  char folder[256];
  /* Number of runs so far; numbers the files. */
  unsigned runs;
  /* Sums the counters of these runs; NULL: not needed. */
  json_t *kernels;
  /* Set by a check that cannot be made before that task is done. */
  int waits_for;
  /* Bit n: task n is not done. */
  unsigned failed;
  /* Number of parts judged so far, the right ones (bit i: part i), and the verdict of the first
   * wrong one. */
  unsigned parts, parts_right;
  Verdict wrong_part;
  /* The source's predictions for the names that the task asks for. */
  Predicted predicted[PREDICTED_MOST];
  size_t predicted_count;
  /* The first run that fails ends the check, and causes are not searched. */
  bool quick;
  /* The command of the last run that was right, or "". */
  char last[440];
  /* The next run only pretends to launch, so its time limit is short. */
  bool computes_nothing;
  /* The next runs launch very often, so their time limit is long. */
  bool many_in_one;
} Check;

/* ---- facts/run_cache.c: cached runs ---------------------------------------------------------- */
bool known_run(const char *key, Trial *); /* the result must be freed as usual */
void known_keep(const char *key, const Trial *);
void known_forget(void);
void trial_free(Trial *);

/* The files that a run may write. */
typedef struct Leavings {
  const char *log, *output;
  /* The argument that names the output, filled in by the run; or NULL. */
  const char **named;
  /* Time limit. */
  double seconds;
  /* Receives the beginning of its output; or NULL. */
  FILE *heard;
  /* The log must have predicted times, which checks do not use. */
  bool predicted;
  /* On a GPU, replaces the default turns; or NULL. */
  const Turns *turns;
} Leavings;
/* Runs a program, in a sandbox if the settings say so. Afterwards the files exist if it wrote
 * anything. Every start of a student's program goes through here. */
ChildEnd check_run(const Settings *, const char **arguments, const Leavings *);
/* Starts the program with these arguments (NULL at the end) and reads what it leaves. */
Trial check_start(Check *, const char *const *arguments);
/* On a GPU, where a start takes longer than a run: makes all these runs in one process. check_start
 * then returns those that were complete. Such a run must not be judged wrong; check_start_alone
 * repeats it in a process of its own. */
void check_start_ahead(Check *, const char *const *const *lists, size_t count);
Trial check_start_alone(Check *, const char *const *arguments);
/* Starts the program as a student would: it compares by itself, with all variants, without a result
 * file. */
Trial check_start_plain(Check *, const char *const *arguments);
/* Returns true if `now` is at most `gate`. Otherwise fails the check with the three numbers; only
 * the first one if `ideal` is NaN because it is yet to be predicted. */
bool check_gate(Check *, SayId quantity, double now, double ideal, double gate,
                const LogAccess *where);
/* Checks that each number is at most its gate. The first one that is not fails the check, and
 * `cause` says why. */
typedef struct CounterGate {
  SayId quantity;
  double now, ideal, most;
  SayId cause;
  /* or NULL */
  const LogAccess *where;
} CounterGate;
bool check_gates(Check *, const CounterGate *, size_t count);
#define CHECK_GATES(check, ...)                                                                    \
  check_gates(check, (const CounterGate[]){__VA_ARGS__},                                           \
              sizeof((const CounterGate[]){__VA_ARGS__}) / sizeof(CounterGate))
/* Ends a part of a task: its points depend on the verdict so far, and the next part begins with an
 * empty one. */
void check_end_part(Check *);
bool check_task_failed(const Check *, int task);
size_t check_element_bytes(const Check *);
/* Adds to the verdict the command that repeats this run. */
void check_again(Check *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- facts/costs.c: costs of accesses, from addresses and sizes alone ------------------------ */

/* Lane i accesses `bytes` bytes at i * stride. The number of 32-byte sectors that the warp accesses
 * in global memory. */
double pattern_sectors(size_t stride, size_t bytes);
/* The largest number of distinct words requested from one bank at once: 1 is free of conflicts. For
 * 8-byte elements, by one half-warp. */
double pattern_ways(size_t stride, size_t bytes);
/* The wavefronts of the whole warp's access. */
double pattern_passes(size_t stride, size_t bytes);
/* The cost of a matrix product of these sizes by square tiles of C, in steps of `depth` terms of
 * the sums, if tiles at the edges are filled with zeros and each element of a tile is loaded once.
 * No solution needs more. */
typedef struct TileCosts {
  /* steps: per block. */
  double steps, multiply_adds;
  /* Loaded from A and B. */
  double elements, sectors;
  /* stored: bytes of C. */
  double stored, stored_sectors;
  /* Rows of a matrix do not begin at a sector. */
  bool shifted;
} TileCosts;
TileCosts tile_costs(size_t m, size_t k, size_t n, size_t bytes, size_t side, size_t depth);

/* ---- facts/numbers.c ------------------------------------------------------------------------- */
/* Zeros; the caller frees them. */
double *numbers(size_t count);

/* ---- facts/command.c: names of labs in commands ---------------------------------------------- */
/* The number of a lab, as in "make lab01". */
void lab_number(const char *name, char out[3]);
/* The student's file of a lab; for "03-bank-conflicts": "bank_conflicts.cu". */
void lab_source_name(const char *lab, char out[80]);
/* The word that makes a command use the same labs: " LABS=directory", or "" for labs/. */
enum { LABS_WORD = 240 };
void labs_word(const Settings *, char out[LABS_WORD]);

/* ---- facts/speed.c: times on a GPU, compared with the reference solution's ------------------- */
enum { SPEED_ROUNDS = 5 };
typedef enum SpeedWord { SPEED_GOOD, SPEED_SLOW, SPEED_IMPOSSIBLE, SPEED_NOISY } SpeedWord;
typedef struct Speed {
  size_t rounds;
  /* The medians of the student's runs, and of the reference's. */
  double medians[2][SPEED_ROUNDS];
  /* The scatter of the times within each run. */
  double within[2 * SPEED_ROUNDS];
  /* Over all runs, in ms. */
  double student, reference, ratio;
  /* The lower bound on this device, as measured by the reference; NaN: unknown. */
  double least;
  double scatter;
} Speed;
/* Reads times, and their lower bound or NaN, from a file. Returns their number; 0: the format is
 * wrong, or an entry is no time. */
size_t times_read(const char *path, double *times, size_t most, double *least);
/* Reads the files of both programs, which contain all rounds. Returns false if one has too few
 * times. */
bool speed_read(Speed *, const char *student, const char *reference);
SpeedWord speed_judge(Speed *);
typedef enum SpeedEnd {
  SPEED_MEASURED,
  SPEED_ENDED_BADLY,
  SPEED_LEFT_NONE,
  SPEED_UNREADABLE
} SpeedEnd;
/* Runs the student's program and the reference solution's in turns. *end: the end of the program
 * that left no times. */
SpeedEnd speed_measure(Check *, const char *variant, int size, Speed *, ChildEnd *end);
/* The allowed time, relative to the reference solution's. */
#define SPEED_GATE 1.25

/* ---- facts/gaps.c ---------------------------------------------------------------------------- */
/* A hash of the code in all gaps of a task, without blanks and // comments; task 0: of the code
 * outside of all gaps. 0: the text has no such gap. */
uint64_t gap_fingerprint(const char *text, int task);
/* The line of the first "// TODO(task)"; 0: there is none. */
int gap_line(const char *text, int task);
/* A hash of the whole text. */
uint64_t text_fingerprint(const char *text);
/* The content of a file, to be freed; NULL: it cannot be read. */
char *text_of_file(const char *path);

/* ---- facts/predictions.c --------------------------------------------------------------------- */
typedef struct Prediction {
  /* The #define exists; it is followed by a number. */
  bool defined, number;
  double value;
  int line;
} Prediction;

Prediction predict_read(const char *source, const char *name);
/* The number `#define name` that a question is about, which an instructor may draw (make
 * questions). In a class it is the handout's, otherwise that of the student's file. `usual`: the
 * number if there is none. */
double predict_asked(const Check *, const char *name, double usual);
/* Returns true if there is a number other than 0 for each name (NULL at the end). Otherwise fails
 * the check, with a line for each open one. */
bool predict_answered(Check *, const char *const *names);
/* Compares `#define name` in the source with the truth; fails the check if they differ. */
bool predict_check(Check *, const char *name, SayId quantity, double truth);

/* ---- facts/compile.c ------------------------------------------------------------------------- */
/* Adds the first error in the compiler's output to the verdict. */
void verdict_compile(Verdict *, const char *build_log);
/* Prints the first lines of the output, for a report that outlives the file. */
void compile_print(FILE *, const char *build_log);
/* Runs the command in Settings.work, in a sandbox if the settings say so, and stores its output in
 * Settings.compile_log. Returns false if it failed or was stopped. */
bool compile_run(const Settings *, const char *command);
/* A path as seen by a command in the sandbox, or in the folder of a submission. */
const char *compile_path(const Settings *, const char *path);
/* Runs a command of the ChangeSettings, which makes `made` from `source` in the settings'
 * precision. Its output goes to the file `log`; NULL: it is dropped. */
bool compile_source(const Settings *, const char *command, const char *source, const char *made,
                    const char *log);

#endif
