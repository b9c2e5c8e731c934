/* The profile: what each line of a CUDA source did in one run on the emulated device. One section
 * per source file, in the order in which the numbers go through them.
 *
 * recording.c reads the log that the device wrote (common/emulator/emulator.h describes it) into
 * plain structs; source.c reads the student's file; tally.c sums up by line; ranking.c finds what
 * costs most and advice.c says why and what to try; annotate.c and json.c show it. All but main.c is
 * a library: the maps (common/draw) and the page (common/view) are made from the same.
 *
 * Terms are Nsight Compute's. A request is one warp instruction that reaches memory; global memory
 * moves in sectors of 32 bytes, shared memory in wavefronts over its 32 banks. Traffic of global
 * memory is sectors times 32 bytes, whoever asked for them; traffic of shared memory is wavefronts,
 * each of which keeps it busy once, so that bank conflicts count. The two are never added in what
 * is shown.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emulator/emulator.h"
#include "emulator/state/constants.h"

/* ---- recording.c ----------------------------------------------------------------------------- */
enum { LANES = WARP_LANES, NO_OFFSET = -1 };

typedef enum Space { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_OTHER } Space;
typedef enum Operation { OPERATION_LOAD, OPERATION_STORE, OPERATION_ATOMIC } Operation;

/* One request of an access; which one, emulator.h says. */
typedef struct Sample {
  Space space;                                   /* SPACE_GLOBAL or SPACE_SHARED */
  const char *buffer;                            /* "A", "As", "allocation 2" */
  uint64_t buffer_bytes, element, rows, columns; /* of a global buffer; 0: not known */
  unsigned block[3], warp;                       /* whose request: blockIdx, warp of the block */
  unsigned threads[3];                           /* of a block, blockDim */
  int64_t offset[LANES]; /* in the buffer or the block's shared memory, bytes; NO_OFFSET: none */
  unsigned elsewhere;    /* active lanes without offset */
  unsigned sectors, wavefronts, ideal; /* of this request */
} Sample;

/* What an instruction that accesses memory did, over all launches of a kernel. */
enum { PRINTED = -3 }; /* Access.parameter: a store of what printf gets */
typedef struct Access {
  const char *file;
  unsigned line, column;
  const char *op; /* "ld.global.f32" */
  Space space;
  Operation operation;
  int parameter; /* of the kernel, that the address derives from; below 0: none known; or PRINTED */
  unsigned bytes;                                       /* of each lane */
  uint64_t requests, lanes, sectors, wavefronts, ideal; /* ideal: wavefronts without conflicts */
  const Sample *sample;                                 /* NULL: none */
} Access;

typedef struct ExecutedLine {
  const char *file;
  unsigned line;
  uint64_t executed, lanes; /* warp instructions; active lanes summed over them */
} ExecutedLine;

typedef struct SharedArray {
  const char *name;
  unsigned offset, bytes;
  bool dynamic;
} SharedArray;

/* What the model of time (emulator/timing/timing.h) speaks of. */
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

/* Shares of the time of a kernel's warps. */
typedef struct WaitingLine {
  const char *file;
  unsigned line;
  double share, waits[WAITS];
} WaitingLine;

/* One SM from the launch on: letters as emulator.h says, a row for each place of a warp. */
typedef struct Timeline {
  unsigned clocks; /* of a column */
  size_t columns, count;
  const char **rows;
} Timeline;

/* How long a launch would take on a card; emulator.h says what the numbers are. */
typedef struct Predicted {
  const json_t *event; /* all of it */
  const char *card, *limit, *occupancy_limit;
  const char *unknown; /* what the model does not know of this kernel; NULL: nothing */
  double us, busy[RESOURCES], waits[WAITS], waves, achieved, l2_bytes, dram_bytes;
  unsigned registers, spilled, blocks, warps, most_warps;
  WaitingLine *lines;
  size_t line_count;
  Timeline timeline; /* count 0: none */
} Predicted;

/* All launches of a kernel. */
typedef struct Kernel {
  const char *symbol; /* as the linker knows it */
  char name[96];      /* as written, with template arguments: "naive<float>" */
  uint64_t launches;
  unsigned grid[3], block[3]; /* of the first launch */
  unsigned shared_bytes;      /* per block */
  SharedArray *arrays;
  Access *accesses;
  ExecutedLine *lines;
  size_t array_count, access_count, line_count;
  EmulatorCounters counters;
  Predicted *predicted; /* NULL: the log has none */
} Kernel;

/* A mistake that the observers saw. */
typedef struct Mistake {
  const char *kind, *severity, *sentence;
  const char *cause, *detail, *kernel;             /* these and the next line: may be NULL */
  const char *file, *did, *other_file, *other_did; /* the second: the other side of a race */
  const char *buffer;                              /* "": not known; likewise -1 in the next line */
  int64_t element, row, column;
  bool wrote, other_wrote;
  unsigned line, other_line;
  bool threads, other_threads; /* false: host code, and the next line means nothing */
  unsigned thread[3], block[3], other_thread[3], other_block[3];
} Mistake;

typedef struct Recording {
  json_t *events; /* owns the strings of all that is below */
  Kernel *kernels;
  Mistake *mistakes;
  size_t kernel_count, mistake_count;
  unsigned banks;   /* BankMode of shared memory; 0: the log does not say */
  char damage[200]; /* what is wrong with the log, in one line; "": nothing */
} Recording;

/* What can be read is there whatever else is damaged: keys that are missing read as 0 or "?". */
Recording recording_read(const char *path);
void recording_free(Recording *);
/* Were errors reported, and not only warnings? Then the counters are those of a wrong program, and no predicted time is
 * read. */
bool recording_is_wrong(const Recording *);

/* ---- event.c --------------------------------------------------------------------------------- */
/* Of an object in the log. What is missing, of another type or below 0 reads as `otherwise`, or 0. */
const char *log_text(const json_t *, const char *key, const char *otherwise);
uint64_t log_number(const json_t *, const char *key);
unsigned log_small(const json_t *, const char *key); /* INT_MAX at most */

/* ---- source.c -------------------------------------------------------------------------------- */
typedef struct Source {
  const char *path;
  char **lines; /* without their ends; line n is lines[n - 1] */
  int *gap;     /* of each line: n between TODO(n) or DONE(n) and END(n), the student's; else 0 */
  size_t count;
  bool has_gaps;
  bool alone; /* a stranger's: with #line it can name any file, so no other one is read */
} Source;

/* count 0: no such file, an empty one, or none that could be a source. */
Source source_read(const char *path);
void source_free(Source *);
/* NULL: the file has no such line. */
const char *source_line(const Source *, unsigned line);
/* The name that the source gives a parameter of a kernel; false: not found. */
bool source_parameter(const Source *, const char *kernel, int parameter, char *out, size_t size);
/* Elements in a row of a shared array that has so many, as its declaration says: the last above
 * `line`, else any. 0: not known, or no rows. (shape.c) */
uint64_t source_columns(const Source *, const char *array, uint64_t elements, unsigned line);
/* Does a path in the log name this file? */
bool same_file(const char *, const char *);
/* A kernel is given to the student, and not his, when none of its functions has a gap in it. */
bool source_gives(const Source *, const Kernel *);
/* Does a function of the kernel have a gap of this task in it? 0: of any task. */
bool source_has_gap(const Source *, const Kernel *, int task);
/* The first kernel of which a function has a gap of this task; NULL: there is none. */
const Kernel *kernel_of_task(const Recording *, const Source *, int task);
/* The source, if it tells which kernels to look at; NULL where only given ones were run: whoever asks for these alone
 * wants to know of them. */
const Source *source_of_gaps(const Source *, const Recording *);
/* Does one of the student's kernels access memory? source NULL: any kernel. */
bool touches_memory(const Recording *, const Source *);
/* The device's own headers are nobody's to mend. */
bool source_is_system(const char *file);

/* ---- predicted.c ---------------------------------------------------------------------------- */
const char *card_title(const char *name);
const char *busy_name(Resource);
const char *busy_sentence(Resource); /* "shared memory" */
const char *stall_name(Wait);        /* Nsight Compute's */
const char *stall_meaning(Wait);     /* "for shared memory or a special function" */
const char *stall_word(Wait);        /* five letters at most */
/* NULL: there is none. Its strings are the event's. */
Predicted *predicted_read(const json_t *event);
void predicted_free(Predicted *);
/* The longest wait; WAIT_SELECTED: there is none. */
Wait longest_stall(const double waits[WAITS]);
/* What the names mean that are the longest wait of some kernel: "barrier: for other warps ...; ..." */
void longest_stalls_legend(const Recording *, char *out, size_t size);
size_t timeline_columns(const Timeline *); /* that show any warp */
bool timeline_cut(const Predicted *,
                  double *all); /* does the kernel go on, to so many clocks, where they end? */
Resource predicted_busiest(const Predicted *);
/* "an NVIDIA H200" */
void predicted_card(const Predicted *, char *out, size_t size);
double predicted_grid(const Predicted *); /* blocks of a launch */
/* How often all places for blocks are taken; how many places there are, and blocks that are left for the last time. */
double predicted_turns(const Predicted *, double *places, double *last);
/* "on an NVIDIA H200 about 1.86 ms: shared memory 94 % busy; warps wait for ..." */
void predicted_sentence(const Predicted *, char *out, size_t size);
/* The student's kernel that takes longest; else the longest; NULL: nothing is predicted. */
const Kernel *longest_kernel(const Recording *, const Source *);

/* ---- tally.c --------------------------------------------------------------------------------- */
typedef struct Traffic {
  uint64_t requests, moved, ideal; /* moved: sectors or wavefronts; ideal: how few would do */
} Traffic;

/* A line of source, or a kernel. Lines of functions that several kernels call, and of templates,
 * are summed over the kernels. */
typedef struct Tally {
  const char *file;
  unsigned line;
  uint64_t executed, lanes;
  Traffic global, shared, local;
  uint64_t launches; /* that all this was counted in; 1: in a run of several kernels */
  uint64_t all_executed, all_sectors, all_wavefronts; /* of the kernels that execute this line */
  double time, waits[WAITS], all_time; /* predicted, µs: its part of its kernels' launches; of which
                                          its warps spent so much waiting; of those kernels */
} Tally;

/* The sectors that the lanes' bytes would fill if they lay side by side, one request at least each.
 * What one address for many lanes saves is no excess: never more than were moved. */
uint64_t access_ideal_sectors(const Access *);
Tally tally_kernel(const Kernel *);
/* Compilers make several instructions of one access in the source; these are summed, with the first
 * one's sample. The caller frees the list. */
Access *kernel_accesses(const Kernel *, size_t *count);
/* By file and line; the caller frees it. only: NULL for all kernels. */
Tally *tally_lines(const Recording *, const Kernel *only, size_t *count);
uint64_t tally_each(const Tally *, uint64_t count); /* per launch, rounded */
double per_request(const Traffic *);                /* NaN: no request */
double excess_per_request(const Traffic *);         /* NaN: no request */
double active_lanes(const Tally *);                 /* per instruction; NaN: none executed */
double share_of(uint64_t part, uint64_t whole);     /* NaN: of nothing */
/* A rough measure in cycles of one multiprocessor, only for comparing lines: a sector or a
 * wavefront takes one, four warp instructions take one. */
double tally_cost(const Tally *);

/* ---- ranking.c ------------------------------------------------------------------------------- */
typedef enum FindingKind {
  FINDING_UNCOALESCED,
  FINDING_CONFLICTS,
  FINDING_LOCAL,
  FINDING_IDLE_LANES,
  FINDING_REPEATED, /* from here on no mistakes: what the next version could do better */
  FINDING_SHARED_LOADS,
  FINDING_KINDS
} FindingKind;

/* Something that one line could do with less. */
typedef struct Finding {
  FindingKind kind;
  const Kernel *kernel;  /* where it costs most */
  unsigned more_kernels; /* others in which the same line does the same */
  const char *file;
  unsigned line;
  Access access, second; /* what it costs most at, and next; requests 0: none */
  Tally tally;           /* of the line in that kernel */
  double now, ideal; /* of `access`: per request, per instruction, per byte, as the kind has it */
  double avoidable;  /* cost */
  double largest;    /* of that, at `access` */
  double share;      /* of the kernel's cost */
  unsigned banks;    /* BankMode, of the recording */
  bool given;        /* in a kernel that is not the student's */
  bool leads;        /* in a kernel of the task that the ranking is for */
} Finding;

typedef struct Findings {
  /* Those of the task's kernels first, those of given kernels last; among them the worst first. */
  Finding *items;
  size_t count;
  bool small; /* there are mistakes that cost too little to be listed */
} Findings;

/* source: NULL when no file is the student's in particular. task: whose kernels come first; 0: none's. */
Findings rank(const Recording *, const Source *, int task);
/* Those to name: one for a line, and the worst of each kind that is no mistake, since the same advice
 * for every kernel would be noise; none of given kernels. Returns how many. */
size_t findings_choose(const Findings *, const Finding **chosen, size_t most);

/* ---- numbers.c ------------------------------------------------------------------------------- */
enum { NUMBER_ROOM = 16 };
/* 1234567 as "1.2M": three or four places. */
const char *count_text(uint64_t, char out[NUMBER_ROOM]);
/* One place behind the point, unless it is a whole number; NaN: "". */
const char *rate_text(double, char out[NUMBER_ROOM]);
/* "31%"; of nothing, and nothing: "" */
const char *share_text(uint64_t part, uint64_t whole, char out[NUMBER_ROOM]);
/* Microseconds as "1.86 ms". */
const char *time_text(double us, char out[NUMBER_ROOM]);
/* What a finding is about, as part of its kernel's: "97% of its global traffic" */
void finding_share(const Finding *, char *out, size_t size);

/* ---- advice.c -------------------------------------------------------------------------------- */
typedef struct Advice {
  char what[160], why[400], attempt[400]; /* a heading; what the numbers say; what to try */
} Advice;
Advice advise(const Finding *, const Source *);

/* ---- annotate.c ------------------------------------------------------------------------------ */
typedef struct Page {
  const char *title; /* first line: what was run */
  const char *again; /* the command that checks the lab, for runs with mistakes; NULL: none */
  int width;         /* of the terminal */
  bool colours;
} Page;
/* false: no kernel did anything that could be shown, which is said in one line. */
bool annotate(FILE *, const Recording *, const Source *, const Findings *, const Page *);

/* ---- json.c ---------------------------------------------------------------------------------- */
/* The same as an object, which the caller owns. */
json_t *profile_json(const Recording *, const Source *, const Findings *);

#endif
