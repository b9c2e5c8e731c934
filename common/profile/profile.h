/* The profile: what each line of a CUDA source did in one run on the emulated device. This header
 * has one section per source file, in the order in which the data pass through them.
 *
 * recording.c reads the log that the device wrote (its format is in common/emulator/emulator.h)
 * into structs. source.c reads the student's file. tally.c sums the counters of each line.
 * ranking.c finds the lines that cost most, and advice.c explains each cost and suggests a change.
 * annotate.c and json.c write the result. All files but main.c form a library that common/draw and
 * common/view use too.
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

/* One recorded request of an access; emulator.h says how it is chosen. */
typedef struct Sample {
  /* SPACE_GLOBAL or SPACE_SHARED */
  Space space;
  /* for example "A", "As", "allocation 2" */
  const char *buffer;
  /* size and shape of a global buffer; 0: not known */
  uint64_t buffer_bytes, element, rows, columns;
  /* blockIdx, and the number of the warp within its block */
  unsigned block[3], warp;
  /* blockDim */
  unsigned threads[3];
  /* bytes from the start of the buffer, or of the block's shared memory; or NO_OFFSET */
  int64_t offset[LANES];
  /* number of active lanes without an offset */
  unsigned elsewhere;
  unsigned sectors, wavefronts, ideal;
} Sample;

/* Counters of one instruction that accesses memory, over all launches of a kernel. */
enum { PRINTED = -3 }; /* value of Access.parameter: a store of an argument of printf */
typedef struct Access {
  const char *file;
  unsigned line, column;
  /* for example "ld.global.f32" */
  const char *op;
  Space space;
  Operation operation;
  /* number of the kernel's parameter that the address derives from; negative: unknown or PRINTED */
  int parameter;
  /* per lane */
  unsigned bytes;
  /* ideal: wavefronts without bank conflicts */
  uint64_t requests, lanes, sectors, wavefronts, ideal;
  /* may be NULL */
  const Sample *sample;
} Access;

typedef struct ExecutedLine {
  const char *file;
  unsigned line;
  /* warp instructions; active lanes, summed over these instructions */
  uint64_t executed, lanes;
} ExecutedLine;

typedef struct SharedArray {
  const char *name;
  unsigned offset, bytes;
  bool dynamic;
} SharedArray;

/* Resources and stall reasons of the timing model (emulator/timing/timing.h). */
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

/* The share of the time of a kernel's warps that one line takes, and its split by stall reason. */
typedef struct WaitingLine {
  const char *file;
  unsigned line;
  double share, waits[WAITS];
} WaitingLine;

/* The activity of one SM from the launch on. Each row is one warp slot; emulator.h lists the
 * letters. */
typedef struct Timeline {
  /* clock cycles per column */
  unsigned clocks;
  size_t columns, count;
  const char **rows;
} Timeline;

/* The predicted time of one launch on a card; emulator.h explains the numbers. */
typedef struct Predicted {
  /* the whole event of the log */
  const json_t *event;
  const char *card, *limit, *occupancy_limit;
  /* what the model cannot predict about this kernel; NULL: nothing */
  const char *unknown;
  double us, busy[RESOURCES], waits[WAITS], waves, achieved, l2_bytes, dram_bytes;
  unsigned registers, spilled, blocks, warps, most_warps;
  WaitingLine *lines;
  size_t line_count;
  /* count is 0 if the log has no timeline */
  Timeline timeline;
} Predicted;

/* All launches of one kernel. */
typedef struct Kernel {
  /* the mangled name */
  const char *symbol;
  /* the demangled name with template arguments: "naive<float>" */
  char name[96];
  uint64_t launches;
  /* those of the first launch */
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
  /* may be NULL, and so may file, did, other_file and other_did */
  const char *cause, *detail, *kernel;
  /* other_file and other_did: the second access of a race */
  const char *file, *did, *other_file, *other_did;
  /* "" if not known; element, row and column are then -1 */
  const char *buffer;
  int64_t element, row, column;
  bool wrote, other_wrote;
  unsigned line, other_line;
  /* false for host code: thread, block, other_thread and other_block are then unused */
  bool threads, other_threads;
  unsigned thread[3], block[3], other_thread[3], other_block[3];
} Mistake;

typedef struct Recording {
  /* owns the strings of all other members */
  json_t *events;
  Kernel *kernels;
  Mistake *mistakes;
  size_t kernel_count, mistake_count;
  /* BankMode of shared memory; 0: the log does not name one */
  unsigned banks;
  /* what is wrong with the log, in one line; "" if nothing */
  char damage[200];
} Recording;

/* Reads as much of a damaged log as possible. A missing key reads as 0 or "?". */
Recording recording_read(const char *path);
void recording_free(Recording *);
/* Returns true if the log has an error, not only warnings. The counters are then those of a wrong
 * program, and predicted times are dropped. */
bool recording_is_wrong(const Recording *);

/* ---- event.c --------------------------------------------------------------------------------- */
/* Values of an object of the log. A value that is missing, of another type or negative reads as
 * `otherwise`, or as 0. */
const char *log_text(const json_t *, const char *key, const char *otherwise);
uint64_t log_number(const json_t *, const char *key);
unsigned log_small(const json_t *, const char *key); /* at most INT_MAX */

/* ---- source.c -------------------------------------------------------------------------------- */
typedef struct Source {
  const char *path;
  /* without line ends; line n is lines[n - 1] */
  char **lines;
  /* per line: n between TODO(n) or DONE(n) and END(n), which the student writes; else 0 */
  int *gap;
  size_t count;
  bool has_gaps;
  /* read no other file: #line in an untrusted source can name any file */
  bool alone;
} Source;

/* The count is 0 if the file does not exist, is empty, or is not a regular file of at most 16
 * MiB. */
Source source_read(const char *path);
void source_free(Source *);
/* Returns NULL if the file has no such line. */
const char *source_line(const Source *, unsigned line);
/* Writes the name of a kernel's parameter from the source. Returns false if it is not found. */
bool source_parameter(const Source *, const char *kernel, int parameter, char *out, size_t size);
/* Returns the row length, in elements, of a shared array with this many elements, from its
 * declaration: the last one above `line`, otherwise any. 0: not known, or one dimension.
 * (shape.c) */
uint64_t source_columns(const Source *, const char *array, uint64_t elements, unsigned line);
/* Returns true if a path in the log names this file. */
bool same_file(const char *, const char *);
/* Returns true if a kernel is given to the student: none of its functions contains a gap. */
bool source_gives(const Source *, const Kernel *);
/* Returns true if a function of the kernel contains a gap of this task. Task 0 means any task. */
bool source_has_gap(const Source *, const Kernel *, int task);
/* The first kernel that has a gap of this task in one of its functions, or NULL. */
const Kernel *kernel_of_task(const Recording *, const Source *, int task);
/* Returns the source if at least one kernel of the run is the student's. Otherwise returns NULL, so
 * that a run of given kernels alone is reported in full. */
const Source *source_of_gaps(const Source *, const Recording *);
/* Returns true if one of the student's kernels accesses memory; with source NULL, any kernel. */
bool touches_memory(const Recording *, const Source *);
/* Returns true for the device's own headers, which a student cannot change. */
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
/* The longest stall reason, or WAIT_SELECTED if no warp stalled. */
Wait longest_stall(const double waits[WAITS]);
/* Explains each stall reason that is the longest of some kernel: "barrier: for other warps ...;
 * ..." */
void longest_stalls_legend(const Recording *, char *out, size_t size);
size_t timeline_columns(const Timeline *); /* number of columns that show any warp */
/* Returns true if the kernel runs longer than the timeline shows. `all`: its length in clocks. */
bool timeline_cut(const Predicted *, double *all);
Resource predicted_busiest(const Predicted *);
/* for example "an NVIDIA H200" */
void predicted_card(const Predicted *, char *out, size_t size);
double predicted_grid(const Predicted *); /* blocks of one launch */
/* Returns how many times the block slots of the card are filled. `places` is the number of slots,
 * `last` the number of blocks in the last turn. */
double predicted_turns(const Predicted *, double *places, double *last);
/* For example "on an NVIDIA H200 about 1.86 ms: shared memory 94 % busy; warps wait for ..." */
void predicted_sentence(const Predicted *, char *out, size_t size);
/* The student's kernel with the longest predicted time; without one, the longest given kernel; NULL
 * if nothing is predicted. */
const Kernel *longest_kernel(const Recording *, const Source *);

/* ---- tally.c --------------------------------------------------------------------------------- */
typedef struct Traffic {
  /* moved: sectors or wavefronts; ideal: the fewest that could serve the same data */
  uint64_t requests, moved, ideal;
} Traffic;

/* Counters of a source line or of a kernel. A line of a template, or of a function that several
 * kernels call, is summed over these kernels. */
typedef struct Tally {
  const char *file;
  unsigned line;
  uint64_t executed, lanes;
  Traffic global, shared, local;
  /* number of launches that were counted; 1 in a run of several kernels */
  uint64_t launches;
  /* totals of the kernels that execute this line */
  uint64_t all_executed, all_sectors, all_wavefronts;
  /* predicted µs: `time` of this line, `waits` the part of it spent stalled, `all_time` of its
   * kernels */
  double time, waits[WAITS], all_time;
} Tally;

/* The sectors that the lanes' bytes would fill if they were contiguous, at least one per request.
 * The result is at most a->sectors: lanes that share an address can need fewer. */
uint64_t access_ideal_sectors(const Access *);
Tally tally_kernel(const Kernel *);
/* Merges instructions that a compiler made from one access of the source, and keeps the first one's
 * sample. The caller frees the list. */
Access *kernel_accesses(const Kernel *, size_t *count);
/* Tallies sorted by file and line; the caller frees them. `only` NULL: of all kernels. */
Tally *tally_lines(const Recording *, const Kernel *only, size_t *count);
uint64_t tally_each(const Tally *, uint64_t count); /* `count` per launch, rounded */
double per_request(const Traffic *);                /* NaN without requests */
double excess_per_request(const Traffic *);         /* NaN without requests */
double active_lanes(const Tally *);                 /* per instruction; NaN without instructions */
double share_of(uint64_t part, uint64_t whole);     /* NaN if `whole` is 0 */
/* A rough cost in cycles of one multiprocessor, only for comparing lines: one cycle per sector or
 * wavefront, and one per four warp instructions. */
double tally_cost(const Tally *);

/* ---- ranking.c ------------------------------------------------------------------------------- */
typedef enum FindingKind {
  FINDING_UNCOALESCED,
  FINDING_CONFLICTS,
  FINDING_LOCAL,
  FINDING_IDLE_LANES,
  FINDING_REPEATED, /* this kind and later ones are not mistakes, but possible improvements */
  FINDING_SHARED_LOADS,
  FINDING_KINDS
} FindingKind;

/* A cost of one line that can be reduced. */
typedef struct Finding {
  FindingKind kind;
  /* the kernel in which it costs most */
  const Kernel *kernel;
  /* number of other kernels with the same finding at this line */
  unsigned more_kernels;
  const char *file;
  unsigned line;
  /* the two accesses that cost most; `second` may have no requests */
  Access access, second;
  /* of the line in that kernel */
  Tally tally;
  /* of `access`; the unit depends on the kind: per request, per instruction or per byte */
  double now, ideal;
  /* the cost that can be saved, in units of tally_cost */
  double avoidable;
  /* the part of it that `access` causes */
  double largest;
  /* `avoidable` as a part of the kernel's cost */
  double share;
  /* BankMode of the recording */
  unsigned banks;
  /* true if the kernel is not the student's */
  bool given;
  /* true if the kernel belongs to the task given to rank() */
  bool leads;
} Finding;

typedef struct Findings {
  /* Findings of the task's kernels come first, those of given kernels last; within these groups the
   * most expensive comes first. */
  Finding *items;
  size_t count;
  /* Some mistakes cost too little to be listed. */
  bool small;
} Findings;

/* `source` is NULL if no file is the student's. Findings in kernels of `task` come first; 0: of no
 * task. */
Findings rank(const Recording *, const Source *, int task);
/* Chooses the findings to print: one per line, the first of each kind of improvement because its
 * advice is the same for every kernel, and none in given kernels. Returns their number. */
size_t findings_choose(const Findings *, const Finding **chosen, size_t most);

/* ---- numbers.c ------------------------------------------------------------------------------- */
enum { NUMBER_ROOM = 16 };
/* 1234567 becomes "1.2M". */
const char *count_text(uint64_t, char out[NUMBER_ROOM]);
/* One decimal, or none for an integer; NaN becomes "". */
const char *rate_text(double, char out[NUMBER_ROOM]);
/* For example "31%"; "" if `part` or `whole` is 0. */
const char *share_text(uint64_t part, uint64_t whole, char out[NUMBER_ROOM]);
/* Formats microseconds, for example "1.86 ms". */
const char *time_text(double us, char out[NUMBER_ROOM]);
/* A finding's share of its kernel, for example "97% of its global traffic". */
void finding_share(const Finding *, char *out, size_t size);

/* ---- advice.c -------------------------------------------------------------------------------- */
typedef struct Advice {
  /* a heading; an explanation of the numbers; a suggestion */
  char what[160], why[400], attempt[400];
} Advice;
Advice advise(const Finding *, const Source *);

/* ---- annotate.c ------------------------------------------------------------------------------ */
typedef struct Page {
  /* first line: the command that was run */
  const char *title;
  /* the command that checks the lab, printed when the run has mistakes; may be NULL */
  const char *again;
  /* of the terminal, in columns */
  int width;
  bool colours;
} Page;
/* Returns false if no kernel accessed memory. The page then says so in one line. */
bool annotate(FILE *, const Recording *, const Source *, const Findings *, const Page *);

/* ---- json.c ---------------------------------------------------------------------------------- */
/* The profile as a JSON object, which the caller owns. */
json_t *profile_json(const Recording *, const Source *, const Findings *);

#endif
