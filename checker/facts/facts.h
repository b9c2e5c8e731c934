/* The interface of the folder facts/: starts a lab program with limits and in a sandbox, and reads
 * the result and the log that it leaves. Nothing here depends on a lab. This header has one section
 * for each source file. */
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

/* ---- facts/bad_input.c: prints one line on standard error and exits with status 2 ------------ */
void bad_input(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* ---- facts/sandbox.c: sandboxes made by bubblewrap ------------------------------------------- */
#define SANDBOX_OBJECT SANDBOX_ROOT "/object"
#define SANDBOX_TRANSCRIPT SANDBOX_ROOT "/transcript"
#define SANDBOX_RECORDED SANDBOX_ROOT "/recorded"
#define SANDBOX_KERNELS SANDBOX_ROOT "/kernels"
/* The process id of the program inside of its sandbox. Process 1 is bwrap. */
enum { SANDBOX_PID = 2 };
typedef struct Sandbox {
  /* The folder in which a compiler runs, whose out/ is writable. NULL: the sandbox is for a
   * program. */
  const char *work;
  /* Folders that a compiler may read (Walls.readable). */
  const char *readable;
  /* offline: the checker itself has no network, so the sandbox needs no network namespace. */
  bool on_gpu, offline;
  /* File descriptors that the program inherits; 0: unused. */
  int pass[2];
  /* Files that a replay reads; NULL: not needed. */
  const char *object, *transcript, *recorded;
  /* A file of PTX that replaces the kernels of the object. May be NULL. */
  const char *kernels;
} Sandbox;
/* Returns the bwrap command with all options of the sandbox, followed by the arguments. The caller
 * frees the list and each word. Two descriptors must stay open for bwrap: `status`, to which it
 * writes how the program ended, and *filter. */
char **sandbox_command(const Sandbox *, const char *const *arguments, int status, int *filter);
/* Returns true if the settings ask for a sandbox. */
bool sandbox_wanted(const Settings *);
/* Returns true if the installed bwrap can limit the size of a tmpfs. */
bool sandbox_has_sizes(void);
/* Calls bad_input if this machine cannot run a program in a sandbox. */
void sandbox_check(void);
struct ChildEnd;
/* Calls bad_input, because a program of the workbook itself could not be started in the sandbox:
 * nothing can be graded on this machine. */
void not_started(const Settings *, const char *program, const struct ChildEnd *)
    __attribute__((noreturn));

/* ---- facts/group.c: limits enforced by the kernel, where permitted --------------------------- */
typedef struct Group {
  /* File descriptors of the control group's folder and of its cgroup.procs; -1: there is no group.
   * A process joins the group when it writes "0" to procs. */
  int folder, procs;
  char name[40];
} Group;
Group group_make(size_t bytes, size_t tasks);
/* Returns true if the group exceeded its memory limit and was killed. */
bool group_ran_out(const Group *);
/* Returns true if the group has reached its limit of processes. */
bool group_is_full(const Group *);
/* Returns the processor time of the group in seconds; 0 if unknown. */
double group_seconds(const Group *);
void group_remove(Group *); /* Kills its processes, too. */

/* ---- facts/child.c: one start of a program, with limits -------------------------------------- */
typedef enum ChildHow {
  CHILD_EXITED,
  CHILD_SIGNALLED,
  CHILD_TIMED_OUT,
  /* The budget for all runs together is used up. */
  CHILD_SPENT,
  CHILD_TOO_BIG,  /* Too much resident memory. */
  CHILD_TOO_MANY, /* Too many processes and threads. */
  /* Printed or wrote too much. */
  CHILD_FLOODED,
  /* Recorded more calls of the runtime than a transcript may have. */
  CHILD_ASKED,
  CHILD_NOT_STARTED
} ChildHow;

/* Lets a program that shares a GPU wait until it may use the GPU (harness/gpu_turn.c). */
typedef struct Turns {
  /* Called every few milliseconds after a request, until it returns true: the program may use the
   * GPU. alone: no other program may use it at the same time. */
  bool (*take)(void *data, bool alone);
  /* Called when the program has used the GPU or no longer waits for it. */
  void (*leave)(void *data);
  void *data;
} Turns;

typedef struct ChildRequest {
  /* The program and its arguments; NULL at the end. */
  const char *const *arguments;
  /* Files that the program may write, whose size is limited; NULL at the end. */
  const char *files[3];
  /* The value of LOCKSTEP_LOG, or NULL. */
  const char *log;
  /* The file for the transcript of the program's calls to the device. May be NULL. A transcript
   * turns the observers off. */
  FILE *asked;
  /* The values of LOCKSTEP_OBJECT, LOCKSTEP_REPLAY and LOCKSTEP_RECORDED. May be NULL. */
  const char *object, *transcript, *recorded;
  /* The value of LOCKSTEP_CARD; NULL: the default card. */
  const char *card;
  /* The value of LOCKSTEP_FAIL. */
  unsigned fail;
  /* The value of LOCKSTEP_KERNELS, or NULL. */
  const char *kernels;
  /* The value of LOCKSTEP_PRETEND, which simulates memory and launches. */
  bool pretend;
  /* true: sets LOCKSTEP_HOST_LINES=0, so the lines of host calls are not looked up. */
  bool no_lines;
  /* false: sets LOCKSTEP_PREDICT=0, so that the log has no predicted times. */
  bool predicted;
  /* The value of LOCKSTEP_SEED. */
  unsigned schedule;
  /* Limits in seconds: for this run, and for all runs together; 0: none. */
  double seconds, budget;
  /* The sandbox of the program; NULL: none. */
  const Sandbox *box;
  /* Receives the beginning of the program's output; or NULL. */
  FILE *heard;
  /* If not NULL, the program requests each use of the GPU and waits for the answer. */
  const Turns *turns;
} ChildRequest;

typedef struct ChildEnd {
  ChildHow how;
  /* The exit status, the signal, or errno if the start failed. If a start in a sandbox failed,
   * last_words contains the reason. */
  int code;
  int pid;
  /* seconds: the elapsed time. used: the part of the budget that the run has used. */
  double seconds, used;
  /* The last line that the program printed, printable characters only. Untrusted text. */
  char last_words[120];
} ChildEnd;

/* Runs a program until it ends or exceeds a limit. Kills all processes that it has started. */
ChildEnd child_run(const ChildRequest *);
/* Forks a process of the checker that ends when its parent ends. Returns 0 in the new process, and
 * -1 if it cannot be created. */
int child_of_ours(void);
/* Removes the folder of a process that child_of_ours created, and the files in the folder. */
void child_folder_gone(const char *path);
/* Excludes process `pid` from all runs: its time and its children are not counted, and it is not
 * killed at the end of a run. 0: no process is excluded. */
void child_leave_alone(int pid);
void child_end_left_alone(void);
/* Adds to the used budget the time of a run that another process of the checker has supervised. */
void child_used(double seconds);
/* Returns the seconds that this process and all runs with a budget have used so far. */
double child_spent(void);
/* Returns the processor time of this process and its children in seconds. This time does not depend
 * on the load of the machine. */
double processor_seconds(void);

/* ---- facts/gpu_turn.c: locks on a shared GPU ------------------------------------------------- */
/* Tries to lock the GPU. Returns true if this process has the lock, or if no other process uses the
 * GPU. After false, call again later, or call gpu_leave. */
bool gpu_take(const Settings *, bool alone);
void gpu_leave(void);
void gpu_wait(void); /* Waits 2 ms before the next attempt. */
/* Waits for one of three locks. These locks limit the number of pairs of programs that hold device
 * memory and wait to be measured. Returns a descriptor that the caller closes; -1: the GPU is not
 * shared. */
int gpu_place(const Settings *);

/* ---- facts/log.c ----------------------------------------------------------------------------- */
typedef struct Log {
  /* started: the log has the first line of a run. ended: it has the last line. */
  bool started, ended;
  /* true: the log ends in the middle of a line. */
  bool cut;
  /* true: the log has lines that the device did not write. */
  bool doubtful;
  /* live: the number of allocations when the program ended. */
  int pid, live;
  /* The number of bytes that were read. */
  size_t bytes;
  /* An array of the report events in their order. */
  json_t *reports;
  /* An object that maps the name of a kernel to its event. */
  json_t *kernels;
  /* An object whose keys are the names of the kernels whose launches were simulated. Each value is
   * true. */
  json_t *launched;
  /* The event that lists all copies; NULL: none. */
  json_t *copies;
  /* The event of the call that failed because of LOCKSTEP_FAIL; NULL: none. */
  json_t *failed;
  /* The number of calls that may fail on a device. */
  double calls;
  /* true: the replay has no transcript and needs one, because it has reached a call of the
   * student's function. */
  bool host;
  /* The reason why the replay stopped; "" if it did not stop. */
  char refused[160];
  /* The reason why the program's device code cannot be executed; "" if it can. */
  char unreadable[160];
  /* Set by a replay. written: the number of output elements that host code wrote. sent: the number
   * of elements that host code computed and sent to the device. */
  double written, sent;
} Log;

typedef struct LogAccess {
  /* requests: the number of warp instructions that access memory. sectors: set for global memory
   * only. */
  double requests, sectors;
  /* Set for shared memory only. wavefronts: the number that the accesses need. ideal: the number
   * that they would need without bank conflicts. */
  double wavefronts, ideal;
  /* The source line with the most sectors or bank conflicts per request. */
  char file[200];
  int line;
} LogAccess;

Log log_read(const char *path);
void log_free(Log *);
/* Returns the report of this severity or kind (NULL: any) that is most likely to explain the other
 * reports. Returns NULL if the log has no such report. */
const json_t *log_report(const Log *, const char *which);
/* Returns a counter of a kernel; -1 if the kernel was never launched. */
double log_counter(const Log *, const char *kernel, const char *counter);
/* Sums a kernel's accesses through one of its parameters. Returns false if there were none. */
bool log_access(const Log *, const char *kernel, int parameter, bool store, LogAccess *);
/* Sums a kernel's atomic operations through one of its parameters. Returns false if there were
 * none. */
bool log_atomic(const Log *, const char *kernel, int parameter, LogAccess *);
/* Sums the loads from global memory of at most `bytes` bytes per lane. Returns false if there were
 * none. */
bool log_narrow_loads(const Log *, const char *kernel, int bytes, LogAccess *);
/* Sums a kernel's loads or stores of shared memory in one source line, or in all lines if `line` is
 * 0. Returns false if there were none. */
bool log_shared_access(const Log *, const char *kernel, bool store, int line, LogAccess *);
/* Sums a kernel's atomic operations on shared memory. Returns false if there were none. */
bool log_shared_atomic(const Log *, const char *kernel, int line, LogAccess *);
/* Returns the number of requests that load from shared memory, atomic operations included; -1 if
 * the kernel was never launched. */
double log_shared_loads(const Log *, const char *kernel);
/* Returns true if in some load of shared memory each lane loads the word that it stored itself.
 * Compares the sampled offsets of the accesses. */
bool log_shared_kept(const Log *, const char *kernel);
/* Returns the number of instructions that exchange values between the lanes of a warp: shuffles,
 * votes, matrix instructions and others. */
double log_exchanges(const Log *, const char *kernel);
/* Returns the number of requests that store to local memory: to arrays and variables that are not
 * in registers. */
double log_local_stores(const Log *, const char *kernel);
double log_conflicts(const LogAccess *); /* Wavefronts above the ideal number, per request. */
/* The origin of the program's result. DEVICE: its bytes were copied from the device to the host.
 * HOST: the host computed them. SENT: the same bytes were copied to the device before. Bytes are
 * recognized by their emulator_hash. UNKNOWN: kernels and host code share memory, or no kernel was
 * launched. */
typedef enum LogOrigin { ORIGIN_UNKNOWN, ORIGIN_DEVICE, ORIGIN_HOST, ORIGIN_SENT } LogOrigin;
LogOrigin log_origin(const Log *, size_t bytes, uint64_t hash);
/* Returns the size of a copy that was made twice with the same contents; 0: no copy was made twice.
 * direction: "to_device" or "to_host". */
double log_copied_again(const Log *, const char *direction);
/* Returns the number of bytes of shared memory per block; -1 if the kernel was never launched. */
double log_shared_bytes(const Log *, const char *kernel);
/* Returns true if the blocks of the kernel have x by y threads. */
bool log_block_is(const Log *, const char *kernel, int x, int y);
/* log_dynamic_bytes returns the bytes of dynamic shared memory. log_shared_array returns the bytes
 * of one array in shared memory; 0 if there is no such array. */
double log_dynamic_bytes(const Log *, const char *kernel);
double log_shared_array(const Log *, const char *kernel, const char *name);

/* ---- facts/work.c: sums of counters ---------------------------------------------------------- */
/* The names of the counters that are summed; NULL at the end. */
extern const char *const work_counters[];
/* Adds a run's counters to the sums of each kernel, {"matmul":{"launches":n,..},..}. */
void work_add(json_t *kernels, const Log *);
void work_sum(json_t *kernels, const json_t *others); /* Adds the sums of other runs. */
json_int_t work_total(const json_t *kernels);         /* The number of thread instructions. */

/* ---- facts/output.c -------------------------------------------------------------------------- */
typedef enum ElementState { ELEMENT_VALUE, ELEMENT_NAN, ELEMENT_POISON } ElementState;

typedef struct ResultFile {
  /* true: the file was read. Otherwise `problem` has the reason. */
  bool there;
  /* The text "no result file: ..." or "the result file: ...". */
  char problem[120];
  size_t rows, columns, element_bytes;
  double *values;
  /* The ElementState of each element. */
  unsigned char *states;
  /* The emulator_hash of all elements. */
  uint64_t hash;
} ResultFile;

ResultFile result_file_read(const char *path);
/* Reads a file with the results of several runs, but at most `most` results. Returns the number of
 * results. */
size_t result_file_read_all(const char *path, ResultFile *, size_t most);
void result_file_free(ResultFile *);

/* One run of the lab program: how it ended, its log and its result. */
typedef struct Trial {
  ChildEnd end;
  Log log;
  ResultFile output;
  /* true: the process has made other runs, too. */
  bool among;
} Trial;

/* ---- facts/allowed_names.c ------------------------------------------------------------------- */
/* Returns true if the object files use and define only names that a lab may use and define.
 * Otherwise the verdict lists the forbidden names. */
bool gate_open(Verdict *, const Settings *);

/* ---- facts/seed.c ---------------------------------------------------------------------------- */
typedef enum SeedPurpose {
  /* The seed of the graded inputs. */
  SEED_COUNTS,
  /* The seed of the inputs that an untrusted program sees. */
  SEED_SHOWN
} SeedPurpose;
/* Returns a seed that is derived from the source and, in a class, from a secret. */
unsigned seed_of(const Settings *, SeedPurpose);
/* Returns a pseudo-random number below `count`, which depends on the seed, `what` and `which`. */
unsigned seed_draw(unsigned seed, const char *what, unsigned which, unsigned count);
/* A range of sizes: least, least + step, ... up to most. */
typedef struct SizeRange {
  int least, step, most;
} SizeRange;
/* Draws a size from each range. The product of the sizes is at most `work` if the ranges allow
 * it. */
void seed_sizes(unsigned seed, const char *what, const SizeRange *ranges, size_t count, double work,
                int *sizes);

/* A prediction that a check compared with the truth. */
enum { PREDICTED_MOST = 8 };
typedef struct Predicted {
  char name[48];
  double answer, truth;
  /* The student's first answer that was checked on this machine. */
  double first;
} Predicted;

/* ---- facts/check.c: runs and gates of a task's check ----------------------------------------- */
typedef struct Check {
  const Settings *settings;
  Verdict verdict;
  /* The folder for the files of the runs. */
  char folder[256];
  /* The number of runs so far, used in the names of their files. */
  unsigned runs;
  /* The sums of the runs' counters; NULL: they are not summed. */
  json_t *kernels;
  /* If this check needs another task to pass first, the number of that task; otherwise 0. Set by
   * the check. */
  int waits_for;
  /* Bit n is set if task n has not passed. */
  unsigned failed;
  /* parts: the number of parts that have been judged. parts_right: bit i is set if part i is right.
   * wrong_part: the verdict of the first wrong part. */
  unsigned parts, parts_right;
  Verdict wrong_part;
  /* The predictions in the source for the numbers that the task asks for. */
  Predicted predicted[PREDICTED_MOST];
  size_t predicted_count;
  /* true: the first run that fails ends the check, and its cause is not searched for. */
  bool quick;
  /* The command of the last run that was right, or "". */
  char last[440];
  /* true: the next run only simulates launches, so its time limit is short. */
  bool computes_nothing;
  /* true: the next runs launch a kernel many times, so their time limit is long. */
  bool many_in_one;
} Check;

/* ---- facts/run_cache.c: cached runs ---------------------------------------------------------- */
bool known_run(const char *key, Trial *); /* The caller frees the run. */
void known_keep(const char *key, const Trial *);
void known_forget(void);
void trial_free(Trial *);

/* The files that a run may write. */
typedef struct Leavings {
  const char *log, *output;
  /* The element of the program's arguments that check_run sets to the path of the output file.
   * NULL: none. */
  const char **named;
  /* The time limit of the run. */
  double seconds;
  /* Receives the beginning of the program's output; or NULL. */
  FILE *heard;
  /* true: the emulated device also writes predicted times to the log. No check needs them. */
  bool predicted;
  /* The lock of a shared GPU. NULL: the default lock. */
  const Turns *turns;
} Leavings;
/* Runs a program, in a sandbox if the settings ask for one. A file of `Leavings` exists afterwards
 * only if the program has written to it. Every start of a student's program calls this function. */
ChildEnd check_run(const Settings *, const char **arguments, const Leavings *);
/* Runs the program with these arguments (NULL at the end) and reads its log and its result. If the
 * run is in the cache, returns the cached one. */
Trial check_start(Check *, const char *const *arguments);
/* Makes all these runs in one process, for a GPU, where a start takes longer than a run.
 * check_start then returns the runs that were completed. If the result of such a run is wrong,
 * check_start_alone has to repeat the run in a separate process, because other runs may have
 * disturbed it. */
void check_start_ahead(Check *, const char *const *const *lists, size_t count);
Trial check_start_alone(Check *, const char *const *arguments);
/* Runs the program as a student does: it compares the results of all variants itself and writes no
 * result file. */
Trial check_start_plain(Check *, const char *const *arguments);
/* Returns true if `now` is at most `gate`. Otherwise fails the check and shows `now`, `ideal` and
 * `gate`. If `ideal` is NaN, because the student has not predicted it yet, shows only `now`. */
bool check_gate(Check *, SayId quantity, double now, double ideal, double gate,
                const LogAccess *where);
/* A number and its gate. check_gates returns true if each number is at most its gate. Otherwise it
 * fails the check with the first number above its gate, and adds the cause. */
typedef struct CounterGate {
  SayId quantity;
  double now, ideal, most;
  SayId cause;
  /* The accesses that were counted. May be NULL. */
  const LogAccess *where;
} CounterGate;
bool check_gates(Check *, const CounterGate *, size_t count);
#define CHECK_GATES(check, ...)                                                                    \
  check_gates(check, (const CounterGate[]){__VA_ARGS__},                                           \
              sizeof((const CounterGate[]){__VA_ARGS__}) / sizeof(CounterGate))
/* Ends a part of a task. The part gets its points if the verdict is empty. The next part begins
 * with an empty verdict. */
void check_end_part(Check *);
bool check_task_failed(const Check *, int task);
size_t check_element_bytes(const Check *);
/* Adds to the verdict the command that repeats this run. */
void check_again(Check *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- facts/costs.c: costs of accesses, from addresses and sizes alone ------------------------ */

/* Lane i accesses `bytes` bytes at address i * stride. Returns the number of 32-byte sectors of
 * global memory that the warp accesses. */
double pattern_sectors(size_t stride, size_t bytes);
/* Returns the largest number of different words of one bank that the lanes access at the same time;
 * 1: there is no conflict. For 8-byte elements only half of a warp accesses memory at the same
 * time. */
double pattern_ways(size_t stride, size_t bytes);
/* Returns the number of wavefronts for the access of the whole warp. */
double pattern_passes(size_t stride, size_t bytes);
/* The cost of a matrix product that computes C in square tiles, in steps of `depth` terms. Tiles at
 * the edges are filled with zeros, and each element of a tile is loaded once. No correct solution
 * needs more. */
typedef struct TileCosts {
  /* steps: the number of steps of each block. */
  double steps, multiply_adds;
  /* The number of elements and of sectors that are loaded from A and B. */
  double elements, sectors;
  /* stored: the number of bytes of C. */
  double stored, stored_sectors;
  /* true: some rows of the matrices do not begin at a sector boundary. */
  bool shifted;
} TileCosts;
TileCosts tile_costs(size_t m, size_t k, size_t n, size_t bytes, size_t side, size_t depth);

/* ---- facts/numbers.c ------------------------------------------------------------------------- */
/* Returns an array of zeros, which the caller frees. */
double *numbers(size_t count);

/* ---- facts/command.c: names of labs in commands ---------------------------------------------- */
/* Writes the number of a lab as in "make lab01": "01". */
void lab_number(const char *name, char out[3]);
/* Writes the name of the student's file: "bank_conflicts.cu" for "03-bank-conflicts". */
void lab_source_name(const char *lab, char out[80]);
/* Writes the argument that makes a command use the same folder of labs: " LABS=folder", or "" for
 * labs/. */
enum { LABS_WORD = 240 };
void labs_word(const Settings *, char out[LABS_WORD]);

/* ---- facts/speed.c: times on a GPU, relative to the reference solution ----------------------- */
enum { SPEED_ROUNDS = 5 };
typedef enum SpeedWord { SPEED_GOOD, SPEED_SLOW, SPEED_IMPOSSIBLE, SPEED_NOISY } SpeedWord;
typedef struct Speed {
  size_t rounds;
  /* The median time of each round: [0] of the student's program, [1] of the reference solution. */
  double medians[2][SPEED_ROUNDS];
  /* The relative scatter of the times within each run. */
  double within[2 * SPEED_ROUNDS];
  /* student and reference: the medians of all runs in ms. ratio: student / reference. */
  double student, reference, ratio;
  /* The lower bound of the time on this device, which the reference program measures; NaN:
   * unknown. */
  double least;
  double scatter;
} Speed;
/* Reads times from a file, and stores their lower bound or NaN in *least. Returns the number of
 * times; 0 if the format is wrong or an entry is not a time. */
size_t times_read(const char *path, double *times, size_t most, double *least);
/* Reads the files of both programs, each with the times of all rounds. Returns false if one of the
 * files has too few times. */
bool speed_read(Speed *, const char *student, const char *reference);
SpeedWord speed_judge(Speed *);
typedef enum SpeedEnd {
  SPEED_MEASURED,
  SPEED_ENDED_BADLY,
  SPEED_LEFT_NONE,
  SPEED_UNREADABLE
} SpeedEnd;
/* Runs the student's program and the reference solution in turns. If one of the programs left no
 * times, stores in *end how it ended. */
SpeedEnd speed_measure(Check *, const char *variant, int size, Speed *, ChildEnd *end);
/* The maximum time of the student's program, as a multiple of the reference solution's time. */
#define SPEED_GATE 1.25

/* ---- facts/gaps.c ---------------------------------------------------------------------------- */
/* Returns a hash of the code in all gaps of a task, without blanks and comments. task 0: returns
 * a hash of the code outside of all gaps. Returns 0 if the text has no such gap. */
uint64_t gap_fingerprint(const char *text, int task);
/* Returns the line of the first "// TODO(task)"; 0 if the text has no such line. */
int gap_line(const char *text, int task);
/* Returns a hash of the whole text. */
uint64_t text_fingerprint(const char *text);
/* Returns the content of a file, which the caller frees. Returns NULL if it cannot be read. */
char *text_of_file(const char *path);

/* ---- facts/predictions.c --------------------------------------------------------------------- */
typedef struct Prediction {
  /* defined: the #define exists. number: a number follows the name. */
  bool defined, number;
  double value;
  int line;
} Prediction;

Prediction predict_read(const char *source, const char *name);
/* Returns the value of `#define name`, a number on which a question depends and which an instructor
 * may draw at random (make questions). In a class the value is read from the handout, otherwise
 * from the student's file. Returns `usual` if there is no such #define. */
double predict_asked(const Check *, const char *name, double usual);
/* Returns true if each name has a number other than 0; names ends with NULL. Otherwise fails the
 * check and lists the lines of the open predictions. */
bool predict_answered(Check *, const char *const *names);
/* Compares `#define name` in the source with the truth. Fails the check if they differ. */
bool predict_check(Check *, const char *name, SayId quantity, double truth);

/* ---- facts/compile.c ------------------------------------------------------------------------- */
/* Adds the first error in the compiler's output to the verdict. */
void verdict_compile(Verdict *, const char *build_log);
/* Prints the first lines of the compiler's output. Reports contain them because the file is
 * deleted. */
void compile_print(FILE *, const char *build_log);
/* Runs a shell command in the folder Walls.work, in a sandbox if the settings ask for one, and
 * stores its output in Build.compile_log. Returns false if it failed or was stopped. */
bool compile_run(const Settings *, const char *command);
/* Returns the path that names the same file for a command that runs in the folder of a
 * submission. */
const char *compile_path(const Settings *, const char *path);
/* Runs a command of ChangeSettings, which compiles `source` to `made` in the precision of the
 * settings. Writes its output to the file `log`; NULL: the output is dropped. Returns false if it
 * failed. */
bool compile_source(const Settings *, const char *command, const char *source, const char *made,
                    const char *log);

#endif
