/* The checker from inside: one section for each file.
 *
 * The checker knows a lab as a program that it starts. run/ starts it many times and reads what each
 * run left behind: a log of the emulated device, a result file. judge/ computes what should have come
 * out itself, and says in one verdict what happened. grade/ has the tasks of each lab (labs/NN-name.c)
 * and makes each one CMocka test. report/ prints, writes and remembers the marks.
 *
 * Of strangers' work the object goes through a gate first (run/gate.c), and every start of theirs is
 * behind walls (run/sandbox.c). What becomes of a whole class is in class/, with a header of its own.
 */
#ifndef CHECKER_H
#define CHECKER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- main.c ---------------------------------------------------------------------------------- */
typedef struct Settings {
  const char *lab, *program, *source, *compile_log; /* what is graded */
  const char
      *in_double; /* the same source with elements of double: where it is right in float, it has to
                            be in double; NULL: nobody asks. FILE.log says why there is none */
  const char *reference; /* the reference solution's program, to be timed on a GPU; NULL: none */
  const char *device, *precision, *compiler; /* how it was built; compiler is only shown */
  const char *card; /* that the emulated device is; NULL: the usual one, by which marks are given */
  const char *xml, *json, *labs, *state; /* where results go, where hints come from */
  unsigned seed,
      schedule;   /* of the inputs, another one for each version of the source; of the order of
                              warps and blocks */
  size_t task;    /* whose hint is wanted; 0: that of the first one open */
  double seconds; /* for one run of the program */
  double budget;  /* for all runs of a stranger's; 0: no limit */
  bool plain, remember, on_gpu;
  unsigned fail;        /* for some runs of a check: the call that fails; 0: none */
  bool pretend;         /* the same: nothing is touched */
  bool no_lines;        /* the same: nobody asks where in host code something was */
  const char *gpu_lock; /* file: who has the GPU (run/turn.c); NULL: nobody else wants it */
  const char *sandbox;  /* "bwrap" or "none", when strangers' work is graded; else NULL */
  const char *work;     /* the folder that holds all of one submission: work/labs, work/out */
  /* Of the program, and of that in double: */
  const char *replay
      [2]; /* of the lab's given part alone: takes kernels out of the object, and does again what the
                            program asked the device for; NULL: what the program does counts */
  const char *object[2];   /* what the compiler made of the source; or NULL */
  const char *assembly[2]; /* what the compiler made the object from, or NULL */
  const char *
      names; /* file: names of the harness and the device, as nm -g prints them: the gate is closed to others;
                        or NULL */
  const char *secret;   /* file: 16 bytes that make the seeds nobody's guess; or NULL */
  const char *ungraded; /* why it could not be; or NULL */
  const char *readable; /* folders that a compiler needs outside of /usr, with colons between */
  const char *
      edited; /* a command of the shell: makes PTX, "$2", of the changed source "$1"; NULL: nobody looks for
                         the line of a mistake by changing it */
  const char
      *solution; /* file: a right one, towards which changes are tried first; NULL: there is none */
  const char *
      rebuilt; /* a command of the shell: makes a program, "$2", of the source "$1" in precision "$3"; or NULL */
  const char *kernels; /* for some runs of a check: a file with PTX in place of the student's */
  unsigned limit; /* the same: so many branches of a warp, and it counts as endless; 0: as usual */
  bool offline;   /* we are in a network of nobody, which runs may share */
  const char *points; /* the file with the points; NULL: checker/points.txt */
} Settings;

/* ---- report/bad_input.c: one line on standard error, exit 2 ---------------------------------- */
void bad_input(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* ---- report/json.c: JSON that others wrote, or whose text they did --------------------------- */
/* "" or 0 where there is no such key, or nothing of that type. */
const char *text_at(const json_t *, const char *key);
int number_at(const json_t *, const char *key);
/* Text that may be no UTF-8. */
json_t *text_json(const char *text);

/* ---- run/sandbox.c: bubblewrap's walls ------------------------------------------------------- */
#define SANDBOX_ROOT "/lockstep" /* where things stand inside */
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

/* ---- run/group.c: limits that the kernel keeps, where it lets us ------------------------------ */
typedef struct Group {
  int folder, procs; /* -1: there is none; who writes "0" to procs is in it */
  char name[40];
} Group;
Group group_make(size_t bytes, size_t tasks);
bool group_ran_out(const Group *);   /* of memory, and was ended */
bool group_is_full(const Group *);   /* no more processes */
double group_seconds(const Group *); /* of processor time; 0 where there is none */
void group_remove(Group *);          /* and all that is in it */

/* ---- run/child.c ----------------------------------------------------------------------------- */
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
  unsigned limit;                             /* LOCKSTEP_LIMIT; 0: that of all checks */
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
  int code; /* exit status, signal, or errno of a start that failed */
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
/* Processor time of this process and its children: a busy machine finds what an idle one does. */
double processor_seconds(void);

/* ---- run/turn.c: whose turn it is on a GPU -------------------------------------------------- */
/* False: not yet; to be called again, or left. True: it is ours, or nobody else wants it. */
bool gpu_take(const Settings *, bool alone);
void gpu_leave(void);
void gpu_wait(void); /* a moment, before it is tried again */
/* Waits for one of a few places: so many pairs of programs at most have memory of the device and wait to be measured. To
 * be closed; -1: nobody else wants one. */
int gpu_place(const Settings *);

/* ---- run/log.c ------------------------------------------------------------------------------- */
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

/* ---- run/work.c: what the device did --------------------------------------------------------- */
/* The device's names for what is summed; NULL at the end. */
extern const char *const work_counters[];
/* Adds a run's counters to those of each kernel, {"matmul":{"launches":n,..},..}. */
void work_add(json_t *kernels, const Log *);
void work_sum(json_t *kernels, const json_t *others); /* of other runs */
json_int_t work_total(const json_t *kernels);         /* thread instructions */

/* ---- run/output.c ---------------------------------------------------------------------------- */
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

/* ---- judge/verdict.c ------------------------------------------------------------------------- */
typedef struct VerdictLine {
  char text[200], place[200];
} VerdictLine;

/* Well-known slips, each of which gives just the values that were seen; and those that say nothing about this
 * run, since at its sizes they change too little, or lead outside. */
#define WEIGHED "terms of the sums are miscounted: those with"
#define FORMULA "the formula: "
#define OFF_BY_FLOAT "off by no more than a float rounds"
typedef struct Suspects {
  size_t count, silent_count;
  bool weights_silent;  /* too few elements to tell what each term counts */
  bool formulas_silent; /* too few bodies or steps to tell of which parts a motion is made */
  bool rows_silent; /* rows in other places would not show: too few, or the others are not there */
  char sentence[8][200];
  size_t shows_above[8]; /* so many terms in a sum; 0: nothing is known of that */
  const char *silent[64];
  bool listed_only; /* ask only for slips that need no search */
  size_t contradicted_count;
  const char *contradicted[80]; /* that give other values */
  bool few;                     /* so few elements that nothing can be told */
} Suspects;
typedef enum Alibi { ALIBI_NONE, ALIBI_SILENT, ALIBI_CONTRADICTED } Alibi;

#pragma GCC diagnostic error "-Wint-conversion" /* no text in place of a kind */
typedef enum VerdictKind {
  VERDICT_NONE,
#define VERDICT(id, ...) VERDICT_##id,
#include "judge/verdicts.def"
#define REPORT(id, ...) VERDICT_##id,
#include "observe/reports.def"
} VerdictKind;
const char *verdict_name(VerdictKind);     /* "wrong": in results files */
const char *verdict_element(VerdictKind);  /* JUnit's: "error", "failure", "skipped" */
const char *verdict_sentence(VerdictKind); /* "": an observer has its own */
/* Of results, a report, or a line of one: what its "kind" names; VERDICT_NONE: nothing that is known. */
VerdictKind verdict_kind(const json_t *);

typedef struct Verdict {
  bool passed;
  VerdictKind kind;
  char headline[200]; /* what happened */
  VerdictLine lines[6];
  size_t line_count;
  char cause[600]; /* usual cause */
  char again[440]; /* the command that shows it again */
  bool explained;  /* the cause was worked out from the values, not the usual one */
  bool repaired;   /* changes or other sizes were tried, and say more about it */
  char
      blamed; /* the operand of which other elements are taken than belong there; 0: none, or both */
  Suspects suspects;
} Verdict;

/* One start of the lab program and all that it left. */
typedef struct Trial {
  ChildEnd end;
  Log log;
  ResultFile output;
  bool among; /* other runs came before it in the same process */
} Trial;

/* What became of holding a slip against the values. */
void suspects_judge(Suspects *, Alibi, const char *sentence);
/* Unless it is there already, or there are enough. */
void suspects_add(Suspects *, const char *format, ...) __attribute__((format(printf, 2, 3)));
void verdict_say(Verdict *, VerdictKind); /* its sentence says all */
bool verdict_is_race(const Verdict *);
void verdict_set(Verdict *, VerdictKind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void verdict_line(Verdict *, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void verdict_cause(Verdict *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Behind the cause that is there. */
void verdict_cause_more(Verdict *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Where a submission lies; places in it, and in the sandbox, are shown from there. Its source may name other files as its
 * own places (#line): those are shown as places of the source. */
void place_root(const char *, const char *source);
/* "labs/01-naive/naive.cu:27", from the working directory where possible; "" without a file. */
void place_format(char *out, size_t size, const char *file, int line);

/* Each of these returns true when there is nothing to say, else fills in the verdict. */
bool verdict_report(Verdict *, const Log *, const char *which);
/* Reads behind the end of a tile in shared memory, as many as threads that add up `length` terms, called `sum`, in tiles
 * make where the index counts on from tile to tile, or the loop over a tile goes to the sum's end: true, with the cause. */
bool verdict_past_tile(Verdict *, const json_t *report, const char *sum, double threads,
                       double length, double tile);
bool verdict_ending(Verdict *, const Trial *, bool on_gpu);
bool verdict_output(Verdict *, const Trial *, size_t rows, size_t columns, size_t element_bytes);

/* ---- run/gate.c ------------------------------------------------------------------------------ */
/* Do the objects use and define only what a lab's may? Else the verdict says what. */
bool gate_open(Verdict *, const Settings *);

/* ---- grade/seed.c ----------------------------------------------------------------------------- */
typedef enum SeedPurpose {
  SEED_COUNTS, /* of the inputs that count */
  SEED_SHOWN   /* of those that a stranger's program sees */
} SeedPurpose;
/* Of the source, and in a class of a secret. */
unsigned seed_of(const Settings *, SeedPurpose);
/* A number below `count`, another one for each seed, for each of `what` and for each `which`. */
unsigned seed_draw(unsigned seed, const char *what, unsigned which, unsigned count);

/* ---- grade/check.c: what the tasks of every lab use ------------------------------------------ */
typedef struct Check {
  const Settings *settings;
  Verdict verdict;
  char folder[256]; /* for the files of the runs */
  unsigned runs;
  json_t *kernels;       /* work of these runs; NULL: nobody asks */
  int waits_for;         /* set by a check that cannot say anything before that task is done */
  struct Wanted *wanted; /* gets the runs of a kernel that went wrong; NULL: nobody asks */
  bool many_in_one;      /* the next runs launch very often, and may take longer for it */
  bool only_costs;       /* that lists of runs come out right is known */
  bool tells;            /* at a terminal: how far it is */
} Check;

/* ---- run/known.c: runs that were made before ---------------------------------------------------- */
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
bool check_gate(Check *, const char *what, double now, double ideal, double gate,
                const LogAccess *where);
size_t check_element_bytes(const Check *);
/* Notes in the verdict which command shows this run again. */
void check_again(Check *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- run/start.c ----------------------------------------------------------------------------- */
/* A stranger's program, once, with these words, shown on standard output; its log goes to
 * Settings.json. Returns its exit status, or 1. */
int start_command(Settings *, char **words, size_t count);

/* ---- judge/speed.c: the times of a GPU, beside the reference solution's ---------------------- */
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
bool speed_verdict(Verdict *, Speed *); /* true: fast enough, with a line that says so */
/* Runs both programs in turns; fails the check when the student's is slow. */
void check_speed(Check *, const char *variant, int size);

/* ---- judge/predict.c ------------------------------------------------------------------------- */
typedef struct Prediction {
  bool defined, number; /* the #define is there; what follows is a number */
  double value;
  int line;
} Prediction;

Prediction predict_read(const char *source, const char *name);
/* Is there a number other than 0 for each name (NULL at the end)? Fails the check if not, with a
 * line for each that is open. */
bool predict_answered(Check *, const char *const *names);
/* Compares `#define name` in the source with what was measured; fails the check if they differ. */
bool predict_check(Check *, const char *name, const char *what, double measured);

/* What the open predictions in the source forbid to show: "all", how names of variants begin, or "": nothing. */
struct Sheet;
const char *predict_withheld(const struct Sheet *, const Settings *);

/* ---- judge/judge.c: is what a variant computed right? ---------------------------------------- */
typedef struct Problem Problem; /* of the harness */
typedef struct Instance Instance;

/* A problem of the harness, as something to be judged. */
typedef struct Subject {
  const Problem *problem;
  /* For each element of the output: how far rounding alone may move it from gold. */
  void (*margin)(const Instance *, double *margin);
  /* Adds a sentence for each mistake that gives just this output. */
  void (*suspect)(const Instance *, const double *margin, const ResultFile *, Suspects *);
  /* The usual causes of elements that nothing wrote: all of them; some, with the student's grid;
   * some, with ours. */
  const char *never_stored, *grid_too_small, *turned_away;
  /* What an observer cannot know about an access out of bounds or a race; NULL: it said enough. Two
   * threads store one element of the output; a kernel right by itself goes wrong when the student
   * launches it. */
  const char *stored_twice, *launched_wrongly;
  /* A buffer of the device that the student's kernels hand on, and what it means that one reads there what none
   * stored; or NULL. */
  const char *stores, *not_stored;
  const char *read_back; /* the same where the kernel reads there that has to store it */
  bool finished_by_host; /* what the device returns is not yet the output */
  /* Additions and multiplications that the output takes at least; NULL: nobody knows. */
  double (*operations)(const Instance *);
  const char *
      by_hand; /* what to do about a wrong element that no suspect explains, with %s for the lab's number and for the variant;
                          or NULL */
  /* Where "C(3,4)" and "NaN comes from 0/0 ..." say too little; NULL: they do. */
  void (*element)(const Instance *, size_t at, char *name, size_t size);
  const char *not_a_number;
  /* What else a report of an observer means here; NULL: nothing. */
  void (*blame)(const Instance *, const json_t *report, Verdict *);
  /* What judge/probe.c can take apart: sums of products of the first operand's rows with the second's columns; sums of the
   * pulls of bodies; an element of each operand, moved. */
  bool sums, pulls, moves;
  /* One more line about a wrong output; NULL: none. */
  void (*remark)(const Instance *, const ResultFile *, Verdict *);
  /* The sizes that a seed draws for one run of a list: each at most so large, and their product. */
  int drawn_most[4];
  double drawn_work;
} Subject;

typedef struct JudgedRun {
  const Subject *subject;
  const char *variant;
  int size[4];     /* the harness's MAX_SIZES: in the problem's order */
  bool own_launch; /* the student's code computes the grid and copies */
  int fill;        /* the harness's Fill; 0: uniform */
  unsigned seed;   /* of FILL_LIT; all others have that of the grading */
} JudgedRun;

enum { RUNS_MOST = 64 }; /* in one task */
/* Runs of a task in which the student's kernels went wrong: `failed`, and all that have to come out right. */
typedef struct Wanted {
  JudgedRun failed, runs[RUNS_MOST];
  size_t count;   /* 0: none */
  bool costs;     /* all did, `failed` is the quickest: what is wrong is what they cost */
  bool in_double; /* in float all is right */
} Wanted;

/* Runs the variant and holds its result against gold; true when it is right and no observer has
 * complained. The run is kept in *kept when that is not NULL. */
bool judged_right(Check *, const JudgedRun *, Trial *kept);
/* All of them, up to the first that is wrong. */
bool judged_all_right(Check *, const JudgedRun *, size_t count);
/* Starts the variant on the inputs that judged_right has; extra: one more argument, or NULL. */
Trial judged_start(Check *, const JudgedRun *, const char *extra);
Trial judged_start_alone(Check *, const JudgedRun *, const char *extra);
void judged_start_ahead(Check *, const JudgedRun *, size_t count); /* check_start_ahead */
/* " --m 33 --k 5 --n 40" */
void judged_sizes(const JudgedRun *, char *out, size_t size);
/* Notes in the verdict which command shows this run again. */
void check_again_run(Check *, const JudgedRun *, const char *more);
/* Zeros; to free. */
double *numbers(size_t count);

/* ---- judge/probe.c: what is computed instead ------------------------------------------------- */
/* Of a variant whose sums are wrong at these sizes: runs it on chosen inputs, and says in the verdict which elements of
 * its operands it multiplies in place of which. False: there is nothing to say. */
bool probe_explains(Check *, const JudgedRun *, Verdict *);

/* ---- judge/host.c: the host's side where calls fail and sizes are large ---------------------- */
typedef struct HostSide {
  const char *function; /* the student's */
  const char *calls; /* which of the calls are the student's, by how their names begin; NULL: all */
  const char *cause; /* usual cause of a size that goes wrong */
} HostSide;
/* Each call that may fail does so, in a run of its own: is the error told, and everything freed? usual: the log of a run in
 * which nothing fails. */
bool host_tells_failures(Check *, const HostSide *, const JudgedRun *, const Log *usual);
bool host_tells_launches(Check *, const HostSide *, const JudgedRun *); /* that run goes before */
/* Does it come through at these sizes, which are pretended, and do all bytes travel? */
bool host_counts_bytes(Check *, const HostSide *, const JudgedRun *);

/* ---- judge/traffic.c: do counters say what a variant costs? ---------------------------------- */
/* Did this kernel do the work? */
bool traffic_alone(Check *, const Log *, const char *kernel);
/* Is every access known to be of one of the buffers that the kernel got, of which `output` (the number
 * of its parameter) is written? Else those that are known say nothing. names: "A, B and C". */
bool traffic_traced(Check *, const Log *, const char *kernel, int output, const char *names);

/* No atomic operations, no local memory, no spills, and in float nothing in double (in_double: there is)? */
bool traffic_clean(Check *, const Log *, const char *kernel, bool in_double);
/* So many bytes and no more, in so many times the sectors that they fill at best? */
bool traffic_stored_once(Check *, const Log *, const char *kernel, double bytes, double spread);

/* ---- judge/product.c: matrix products, C = A (m×k) · B (k×n) --------------------------------- */
typedef struct ProductRun {
  const char *variant;
  size_t m, k, n;
  bool own_launch; /* the student's code computes the grid and copies */
  int fill;        /* the harness's Fill; 0: uniform */
} ProductRun;

/* judged_right and judged_all_right for products. */
bool product_right(Check *, const ProductRun *, Trial *kept);
/* Do this kernel's counters say what the product costs, and those of A, B and C apart? */
bool product_counted(Check *, const Log *, const char *kernel);
bool product_all_right(Check *, const ProductRun *, size_t count);
bool product_host_tells(Check *, const HostSide *, const ProductRun *, const Log *usual);
bool product_host_counts(Check *, const HostSide *, const ProductRun *);

/* ---- judge/bodies.c: N bodies ---------------------------------------------------------------- */
extern const Subject bodies_subject;        /* sizes: bodies, steps */
extern const Subject accelerations_subject; /* the same, moved by the CPU */

/* ---- judge/suspects.c: mistakes that explain a wrong product --------------------------------- */
typedef struct Product {
  size_t m, k, n;
  const double *a, *b, *gold;
  const double *magnitude; /* sum of |a|·|b| for each element: the scale of rounding errors */
  double unit;             /* rounding error of the element type */
} Product;

/* How far rounding may move an element of the product. */
double product_rounding(const Product *, size_t element);
bool product_near(const Product *, size_t element, double got, double expected);
/* Adds a sentence for each mistake that gives just this output. */
void suspects_find(const Product *, const ResultFile *, Suspects *);

/* ---- judge/weights.c: which terms count, and how often ---------------------------------------- */
/* Elements that are each the sum of the same terms. */
typedef struct Sums {
  size_t elements, terms, block; /* block: as many terms as a tile has */
  const char *index;             /* of the terms, in words */
  double (*term)(const void *data, size_t element, size_t i);
  const void *data;
  const double *margin, *gold;
  const ResultFile *output;
} Sums;
/* Adds a sentence that begins with WEIGHED, where the factors of the terms come out as whole numbers. */
void weights_find(const Sums *, Suspects *);
/* Solves the symmetric positive system a·w = b of n equations, in place; w holds b. False: it is not positive. */
bool weights_solve(double *a, double *w, size_t n);

/* ---- grade/sheet.c: the labs there are, their tasks, and how commands name them -------------- */
typedef struct Task {
  const char *title;
  int points;        /* from points.txt */
  int needs;         /* number of the task that must be done before, 0: none */
  int predict_first; /* the task whose predictions its counters would give away, 0: none */
  const char *const *predictions; /* names that this task asks for, NULL at the end; or NULL */
  const char *predicted; /* which variants they are about: how their names begin; NULL: all */
  void (*check)(Check *);
  bool counters;     /* judged by counters: on a real GPU by its time alone, or not graded */
  const char *timed; /* the variant whose time counts on a GPU; NULL: none */
} Task;

typedef struct Sheet {
  const char *name, *title; /* "01-naive", "one thread, one element" */
  int baseline;             /* what the untouched skeleton scores */
  int timed_size;           /* --size of the variants that are timed */
  Task *tasks;
  size_t task_count;
  const struct Sheet *next;
  int points; /* from points.txt: of all tasks; what a point weighs in a class's total; when it is */
  double weight; /* due, "2026-10-12 23:59" or "" */
  char due[20];
} Sheet;

/* A lab adds itself: SHEET(.name = ..., ...) at the end of labs/NN-name.c. */
void sheet_add(Sheet *);
#define SHEET(...)                                                                                 \
  static Sheet sheet = {__VA_ARGS__};                                                              \
  __attribute__((constructor)) static void sheet_enter(void) { sheet_add(&sheet); }
const Sheet *sheet_find(const char *name); /* NULL: no such lab */
const Sheet *sheet_first(void);            /* by name; then ->next */
/* The number of a lab, as in "make lab01". */
void lab_number(const char *name, char out[3]);
/* What follows full marks: "make lab02", or "make progress" after the last lab. */
void lab_next_step(const Sheet *, char *out, size_t size);
/* What a recommended command needs to mean the same labs: " LABS=directory", or nothing for labs/. */
enum { LABS_WORD = 240 };
void labs_word(const Settings *, char out[LABS_WORD]);

/* ---- grade/grade.c --------------------------------------------------------------------------- */
typedef enum TaskStatus { TASK_NOT_RUN, TASK_PASSED, TASK_FAILED, TASK_NOT_GRADED } TaskStatus;
enum { TASKS_MAX = 12 };

typedef struct Marks {
  const Sheet *lab;
  const Settings *settings;
  TaskStatus status[TASKS_MAX];
  Verdict verdicts[TASKS_MAX];
  bool compiled;
  Verdict compiling; /* why not */
  Wanted wanted[TASKS_MAX];
  json_t *kernels[TASKS_MAX]; /* work of each task's runs; NULL: not on the emulated device */
  int score, points;          /* points: of the tasks that could be graded */
  double seconds;
} Marks;

/* The same for the program in double. */
Settings settings_in_double(const Settings *);
/* Runs every task. Exits with 2 when the program cannot be graded at all. */
void grade(const Sheet *, const Settings *, Marks *);
void marks_free(Marks *);
/* Looks for the line of what went wrong, by trying changes (judge/repair.h), and adds to the verdicts what it finds. Seconds;
 * nothing is asked without Settings.edited. Returns of how many tasks it has found it.
 * tells: how far it is, at a terminal. */
size_t marks_repair(Marks *, bool tells);

/* ---- run/compile.c --------------------------------------------------------------------------- */
/* The first error in what the compiler said. */
void verdict_compile(Verdict *, const char *build_log);
/* The first lines of it, for a report that outlives the file. */
void compile_print(FILE *, const char *build_log);
/* Runs the command over Settings.work, walled in as the settings say, and keeps what it says in
 * Settings.compile_log; false when it failed or was stopped. */
bool compile_run(const Settings *, const char *command);

/* ---- report/report.c ------------------------------------------------------------------------- */
void marks_print(FILE *, const Marks *);
/* The tasks whose line was looked for and found, once more. */
void marks_print_found(FILE *, const Marks *);
/* What happened, where and why, as it stands below a task. */
void verdict_print(FILE *, const Verdict *);

/* ---- report/results.c: marks as JSON --------------------------------------------------------- */
json_t *marks_json(const Marks *);
void marks_write(const Marks *, const char *path);
void verdict_read(Verdict *, const json_t *task);
/* Why not full marks, in a few words: the first task that failed. */
void marks_reason(FILE *, const json_t *marks);

/* ---- report/junit.c -------------------------------------------------------------------------- */
void junit_begin(FILE *);
void junit_suite(FILE *, const char *suite, const json_t *marks);
/* Where nothing was graded; element: "skipped", "failure" or "error". */
void junit_no_marks(FILE *, const char *suite, const char *element, const char *why);
void junit_end(FILE *);

/* ---- grade/points.c -------------------------------------------------------------------------- */
/* What late work costs. */
typedef struct Lateness {
  int free_days, most_days;
  double percent; /* a day */
} Lateness;
/* Fills in the points of all labs; NULL: from checker/points.txt. bad_input when they do not add up. */
void points_read(const char *path);
const Lateness *points_late(void);

/* ---- report/progress.c, report/collect.c, class/class.c -------------------------------------- */
/* Files that marks_write wrote, as one table, with Settings.json and .xml (JUnit). Returns the exit
 * status. */
int collect(const Settings *, char **paths, size_t count);
/* One of them: "85/100", or why it was not graded. Returns the exit status. */
int result_print(const char *path);
/* All that a class gets from its marks (class/class.h). Returns the exit status. */
int class_report(const Settings *, const char *folder);
void progress_remember(const Marks *);
int progress_print(const Settings *);
int hint_print(const Settings *);

#endif
