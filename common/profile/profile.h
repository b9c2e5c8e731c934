/* Declares the profile, which shows what each line of a CUDA source did in one run on the emulated
 * device. This header has one section per source file, in the order in which the data pass through
 * them.
 *
 * recording.c reads the log that the device wrote (its format is in common/emulator/emulator.h)
 * into structs. source.c reads the student's file. tally.c sums the counters of each line.
 * ranking.c finds the lines that cost most, and advice.c explains each cost and suggests a change.
 * annotate.c and json.c write the result. All files except main.c form a library that common/draw
 * and common/view also use.
 *
 * The terms are those of Nsight Compute. A request is one warp instruction that accesses memory.
 * Global memory transfers sectors of 32 bytes; shared memory serves a request in wavefronts over
 * its 32 banks. Traffic of global memory is counted in sectors. Traffic of shared memory is counted
 * in wavefronts, so it includes bank conflicts. No output adds the two.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emulator/emulator.h"
#include "emulator/prediction_error.h"
#include "emulator/state/constants.h"

/* ---- recording.c ----------------------------------------------------------------------------- */
enum { LANES = WARP_LANES, NO_OFFSET = -1 };

typedef enum Space { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_OTHER } Space;
typedef enum Operation { OPERATION_LOAD, OPERATION_STORE, OPERATION_ATOMIC } Operation;

/* One recorded request of an access. emulator.h describes which request is recorded. */
typedef struct Sample {
  /* SPACE_GLOBAL or SPACE_SHARED */
  Space space;
  /* for example "A", "As", "allocation 2" */
  const char *buffer;
  /* `buffer_bytes` and `element`: sizes of a global buffer and of its elements in bytes. `rows` and
   * `columns`: shape of the buffer in elements. 0: not known. */
  uint64_t buffer_bytes, element, rows, columns;
  /* blockIdx, and the number of the warp within its block */
  unsigned block[3], warp;
  /* blockDim */
  unsigned threads[3];
  /* The offset of each lane's address in bytes from the start of the buffer, or of the block's
   * shared memory. NO_OFFSET if the lane is inactive or accesses another buffer. */
  int64_t offset[LANES];
  /* The number of active lanes that access another buffer. */
  unsigned elsewhere;
  unsigned sectors, wavefronts, ideal;
} Sample;

/* Counters of one instruction that accesses memory, over all launches of a kernel. */
enum { PRINTED = -3 }; /* Access.parameter of a store that writes an argument of printf */
typedef struct Access {
  const char *file;
  unsigned line, column;
  /* for example "ld.global.f32" */
  const char *op;
  Space space;
  Operation operation;
  /* The number of the kernel parameter that the address derives from; negative: unknown, or
   * PRINTED. */
  int parameter;
  /* The bytes that each lane accesses. */
  unsigned bytes;
  /* `lanes` counts active lanes, summed over the requests. `ideal` counts the wavefronts that would
   * be needed without bank conflicts. */
  uint64_t requests, lanes, sectors, wavefronts, ideal;
  /* A recorded request; NULL if there is none. */
  const Sample *sample;
} Access;

typedef struct ExecutedLine {
  const char *file;
  unsigned line;
  /* executed: warp instructions. lanes: active lanes, summed over these instructions. */
  uint64_t executed, lanes;
} ExecutedLine;

typedef struct SharedArray {
  const char *name;
  unsigned offset, bytes;
  bool dynamic;
} SharedArray;

/* The resources and the stall reasons of the timing model (emulator/timing/timing.h). */
typedef enum Resource {
#define RESOURCE(id, ...) RESOURCE_##id,
#include "emulator/timing/timing.def"
  RESOURCES
} Resource;
typedef enum Wait {
#define WAIT(id, ...) WAIT_##id,
#include "emulator/timing/timing.def"
  WAITS
} Wait;

/* The fraction of a kernel's warp time that is spent at one line, and its parts by stall reason. */
typedef struct WaitingLine {
  const char *file;
  unsigned line;
  double share, waits[WAITS];
} WaitingLine;

/* The activity of one SM from the launch on. Each row is one warp slot, each column a time
 * interval; emulator.h explains the letters. */
typedef struct Timeline {
  /* The clock cycles that one column covers. */
  unsigned clocks;
  size_t columns, count;
  const char **rows;
} Timeline;

/* The predicted time of one launch on a card; emulator.h explains the members. */
typedef struct Predicted {
  /* The event of the log that the other members are read from. */
  const json_t *event;
  const char *card, *limit, *occupancy_limit;
  /* The aspect of this kernel that the model does not cover; NULL: none. */
  const char *unknown;
  double us, busy[RESOURCES], waits[WAITS], waves, achieved, l2_bytes, dram_bytes;
  unsigned registers, spilled, blocks, warps, most_warps;
  WaitingLine *lines;
  size_t line_count;
  /* `count` is 0 if the log has no timeline. */
  Timeline timeline;
} Predicted;

/* All launches of one kernel. */
typedef struct Kernel {
  /* the mangled name */
  const char *symbol;
  /* the demangled name with template arguments: "naive<float>" */
  char name[96];
  uint64_t launches;
  /* The dimensions of the first launch. */
  unsigned grid[3], block[3];
  unsigned shared_bytes;
  SharedArray *arrays;
  Access *accesses;
  ExecutedLine *lines;
  size_t array_count, access_count, line_count;
  EmulatorCounters counters;
  /* NULL if the log has no prediction */
  Predicted *predicted;
} Kernel;

/* A mistake that the observers reported. */
typedef struct Mistake {
  const char *kind, *severity, *sentence;
  /* These strings, `file`, `did`, `other_file` and `other_did` may be NULL. */
  const char *cause, *detail, *kernel;
  /* For a race, `other_file` and `other_did` describe the second access. */
  const char *file, *did, *other_file, *other_did;
  /* If the buffer is not known, `buffer` is "", and `element`, `row` and `column` are -1. */
  const char *buffer;
  int64_t element, row, column;
  bool wrote, other_wrote;
  unsigned line, other_line;
  /* If false, the access is in host code, and `thread` and `block` (or `other_thread` and
   * `other_block`) are unused. */
  bool threads, other_threads;
  unsigned thread[3], block[3], other_thread[3], other_block[3];
} Mistake;

typedef struct Recording {
  /* Owns the strings to which all other members point. */
  json_t *events;
  Kernel *kernels;
  Mistake *mistakes;
  size_t kernel_count, mistake_count;
  /* The BankMode of shared memory; 0: the log does not contain it. */
  unsigned banks;
  /* The error message, one line, if the log is damaged; otherwise "". */
  char damage[200];
} Recording;

/* Reads as much of a damaged log as possible. A missing key reads as 0 or "?". */
Recording recording_read(const char *path);
void recording_free(Recording *);
/* Returns true if the observers reported an error, not only warnings. In this case the counters
 * describe a wrong program, and predicted times are dropped. */
bool recording_is_wrong(const Recording *);

/* ---- event.c --------------------------------------------------------------------------------- */
/* Return a value of a JSON object of the log. If the value is missing, negative or of another type,
 * they return `otherwise`, or 0. */
const char *log_text(const json_t *, const char *key, const char *otherwise);
uint64_t log_number(const json_t *, const char *key);
unsigned log_small(const json_t *, const char *key); /* at most INT_MAX */

/* ---- source.c -------------------------------------------------------------------------------- */
typedef struct Source {
  const char *path;
  /* The text without newlines; line n is lines[n - 1]. */
  char **lines;
  /* For each line, the task of the gap that contains it; 0: the line is in no gap. */
  int *gap;
  size_t count;
  bool has_gaps;
  /* If true, no other file is read. A #line in an untrusted source can name any file. */
  bool alone;
} Source;

/* The source has no lines if the file does not exist, is empty, or is not a regular file of at most
 * 16 MiB. */
Source source_read(const char *path);
void source_free(Source *);
/* Returns NULL if the file has no such line. */
const char *source_line(const Source *, unsigned line);
/* Stores the name of parameter number `parameter` of a kernel, as the source declares it. Returns
 * false if it is not found. */
bool source_parameter(const Source *, const char *kernel, int parameter, char *out, size_t size);
/* Returns the row length, in elements, of a shared array with this many elements. The length is
 * read from the last declaration above `line`, or from any other declaration if there is none
 * above. Returns 0 if it is not known or the array has one dimension. Defined in shape.c. */
uint64_t source_columns(const Source *, const char *array, uint64_t elements, unsigned line);
/* Returns true if a path in the log names this file. */
bool same_file(const char *, const char *);
/* Returns true if a kernel is given: none of its functions contains a gap for the student. */
bool source_gives(const Source *, const Kernel *);
/* Returns true if a function of the kernel contains a gap of this task. Task 0 means any task. */
bool source_has_gap(const Source *, const Kernel *, int task);
/* Returns the first kernel that has a gap of this task in one of its functions, or NULL. */
const Kernel *kernel_of_task(const Recording *, const Source *, int task);
/* Returns the source if at least one kernel of the run contains a gap. Otherwise returns NULL, so
 * that a run of given kernels alone is reported in full. */
const Source *source_of_gaps(const Source *, const Recording *);
/* Returns true if a kernel that contains a gap accesses memory. If no kernel contains a gap or
 * source is NULL, any kernel counts. */
bool touches_memory(const Recording *, const Source *);
/* Returns true if the file is a header of the emulated device, which a student cannot change. */
bool source_is_system(const char *file);

/* ---- predicted.c ---------------------------------------------------------------------------- */
const char *card_title(const char *name);
const char *busy_name(Resource);
const char *busy_sentence(Resource); /* for example "shared memory" */
const char *stall_name(Wait);        /* the name in Nsight Compute */
const char *stall_meaning(Wait);     /* for example "for shared memory or a special function" */
const char *stall_word(Wait);        /* at most five letters */
/* Returns NULL if the event has no prediction. The strings belong to the event. */
Predicted *predicted_read(const json_t *event);
void predicted_free(Predicted *);
/* Returns the stall reason with the longest time, or WAIT_SELECTED if no warp stalled. */
Wait longest_stall(const double waits[WAITS]);
/* Explains each stall reason that is the longest of any kernel, for example "barrier: for other
 * warps ...; ..." */
void longest_stalls_legend(const Recording *, char *out, size_t size);
size_t timeline_columns(const Timeline *); /* up to the last column with a warp */
/* Returns true if the kernel runs longer than the timeline shows. Stores in *all the kernel's
 * length in clock cycles. */
bool timeline_cut(const Predicted *, double *all);
Resource predicted_busiest(const Predicted *);
/* Stores the name of the card, for example "an NVIDIA H200". */
void predicted_card(const Predicted *, char *out, size_t size);
double predicted_grid(const Predicted *); /* blocks of one launch */
/* Returns the number of waves in which the card executes the grid. `places` is the number of blocks
 * in a full wave, `last` the number in the last wave. */
double predicted_turns(const Predicted *, double *places, double *last);
/* Describes a prediction: "on an NVIDIA H200 about 1.86 ms: shared memory 94 % busy; warps wait for
 * ..." */
void predicted_sentence(const Predicted *, char *out, size_t size);
/* Returns the kernel with the longest predicted time. Given kernels are considered only if there is
 * no other kernel. Returns NULL if no time is predicted. */
const Kernel *longest_kernel(const Recording *, const Source *);

/* ---- tally.c --------------------------------------------------------------------------------- */
typedef struct Traffic {
  /* `moved` counts sectors or wavefronts. `ideal` is the minimum number that could transfer the
   * same data. */
  uint64_t requests, moved, ideal;
} Traffic;

/* Counters of a source line or of a kernel. If several kernels execute the line, because it is in a
 * template or in a function that they call, its counters are summed. */
typedef struct Tally {
  const char *file;
  unsigned line;
  uint64_t executed, lanes;
  Traffic global, shared, local;
  /* The number of launches that the counters include; 1 if several kernels were launched. */
  uint64_t launches;
  /* Totals of all kernels that execute this line. */
  uint64_t all_executed, all_sectors, all_wavefronts;
  /* Predicted times in µs. `time`: of this line. `waits`: the parts of `time` in which warps were
   * stalled, by stall reason. `all_time`: of all kernels that execute the line. */
  double time, waits[WAITS], all_time;
} Tally;

/* Returns the number of sectors that the lanes' bytes would fill if they were contiguous, at least
 * one per request. Returns at most a->sectors, which can be smaller if lanes share addresses. */
uint64_t access_ideal_sectors(const Access *);
Tally tally_kernel(const Kernel *);
/* Returns the accesses of a kernel. Instructions that the compiler made from one access of the
 * source are merged, and the sample of the first instruction is kept. The caller frees the list. */
Access *kernel_accesses(const Kernel *, size_t *count);
/* Returns the tallies of all lines, sorted by file and line. `only` selects a kernel; NULL: all
 * kernels. The caller frees the list. */
Tally *tally_lines(const Recording *, const Kernel *only, size_t *count);
uint64_t tally_each(const Tally *, uint64_t count); /* divides by the number of launches, rounded */
double per_request(const Traffic *);                /* NaN without requests */
double excess_per_request(const Traffic *);         /* NaN without requests */
double active_lanes(const Tally *);                 /* per instruction; NaN without instructions */
double share_of(uint64_t part, uint64_t whole);     /* NaN if `whole` is 0 */
/* Returns a rough cost in cycles of one multiprocessor, only for comparing lines: one cycle per
 * sector or wavefront, and one per four warp instructions. */
double tally_cost(const Tally *);

/* ---- ranking.c ------------------------------------------------------------------------------- */
typedef enum FindingKind {
  FINDING_UNCOALESCED,
  FINDING_CONFLICTS,
  FINDING_LOCAL,
  FINDING_IDLE_LANES,
  FINDING_REPEATED, /* from this kind on: possible improvements, not mistakes */
  FINDING_SHARED_LOADS,
  FINDING_KINDS
} FindingKind;

/* A cost of one line that can be reduced. */
typedef struct Finding {
  FindingKind kind;
  /* The kernel in which this line costs most. */
  const Kernel *kernel;
  /* The number of other kernels that have the same finding at this line. */
  unsigned more_kernels;
  const char *file;
  unsigned line;
  /* The two accesses of the line that cost most. `second` may have no requests. */
  Access access, second;
  /* The counters of the line in `kernel`. */
  Tally tally;
  /* The measured and the ideal value for `access`, per request, per instruction or per byte,
   * depending on `kind`. */
  double now, ideal;
  /* The cost that can be saved, in the unit of tally_cost. */
  double avoidable;
  /* The part of `avoidable` that `access` causes. */
  double largest;
  /* `avoidable` divided by the cost of the kernel. */
  double share;
  /* The BankMode of the recording. */
  unsigned banks;
  /* True if the kernel contains no gap for the student. */
  bool given;
  /* True if the kernel contains a gap of the task that was passed to rank(). */
  bool leads;
} Finding;

typedef struct Findings {
  /* Findings with `leads` come first, findings with `given` last. Within these groups, the most
   * expensive comes first. */
  Finding *items;
  size_t count;
  /* True if uncoalesced accesses or bank conflicts were found that cost too little to be listed. */
  bool small;
} Findings;

/* Returns the findings of a run. `source` is the student's file, or NULL. Findings in kernels of
 * `task` come first; with task 0, no kernel is preferred. */
Findings rank(const Recording *, const Source *, int task);
/* Chooses at most `most` findings to print: one per line, none in given kernels, and only the first
 * improvement of each kind, because the advice for a kind is the same in every kernel. Returns the
 * number of chosen findings. */
size_t findings_choose(const Findings *, const Finding **chosen, size_t most);

/* ---- numbers.c ------------------------------------------------------------------------------- */
enum { NUMBER_ROOM = 16 };
/* 1234567 becomes "1.2M". */
const char *count_text(uint64_t, char out[NUMBER_ROOM]);
/* Formats with one decimal, or none if the value is an integer; NaN becomes "". */
const char *rate_text(double, char out[NUMBER_ROOM]);
/* Formats for example "31%"; "" if `part` or `whole` is 0. */
const char *share_text(uint64_t part, uint64_t whole, char out[NUMBER_ROOM]);
/* Formats microseconds, for example "1.86 ms". */
const char *time_text(double us, char out[NUMBER_ROOM]);
/* Formats the share that the finding's line has in its kernel, for example "97% of its global
 * traffic". */
void finding_share(const Finding *, char *out, size_t size);

/* ---- advice.c -------------------------------------------------------------------------------- */
typedef struct Advice {
  /* A heading, an explanation of the numbers, and a suggestion. */
  char what[160], why[400], attempt[400];
} Advice;
Advice advise(const Finding *, const Source *);

/* ---- annotate.c ------------------------------------------------------------------------------ */
typedef struct Page {
  /* The first line of the page: the command that was run. */
  const char *title;
  /* The command that checks the lab. It is printed if the run has mistakes. May be NULL. */
  const char *again;
  /* The width of the terminal in columns. */
  int width;
  bool colours;
} Page;
/* Prints the page. If no kernel accessed memory, prints one line that says so and returns false. */
bool annotate(FILE *, const Recording *, const Source *, const Findings *, const Page *);

/* ---- json.c ---------------------------------------------------------------------------------- */
/* Returns the profile as a JSON object, which the caller owns. */
json_t *profile_json(const Recording *, const Source *, const Findings *);

#endif
