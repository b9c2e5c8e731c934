/* make race02: looks for an order of warps in which a race changes a number, and shows that order
 * in a few panels. common/step uses the same runs and tapes.
 *
 *   which.c   the arguments of the run to look at
 *   tape.c    reads the tape of a run: the events of its warps, and device memory after each launch
 *   run.c     runs the program in a prescribed order; keeps its tape, reports and answer
 *   pairs.c   the accesses of a tape that the reported races are about
 *   search.c  tries orders, the shortest first, until one changes a number
 *   choice.c  from two runs to the two accesses that explain the number
 *   story.c   from these to panels: the word, the threads that read or wrote it, and the effect
 *   proof.c   without a race: which barriers are needed, and what races without each
 *   report.c  calls all of these
 *   text.c    panels for a terminal; page.c: for a browser; figure.c: a picture for a slide
 *
 * The format of an order is defined in emulator/state/order.h. The program runs again for each
 * order.
 */
#ifndef RACE_H
#define RACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "emulator/tape.h"

/* ---- tape.c ---------------------------------------------------------------------------------- */
typedef struct TapedLaunch {
  const TapeLaunch *launch;
  const char *kernel;
  /* accesses, holds, arrivals and barriers, in the order of execution */
  const TapeHead **events;
  const TapeShared **shared;
  const TapeBuffer **buffers;
  size_t nevents, nshared, nbuffers;
  /* NULL: the program ended before the launch did */
  const TapeEnd *end;
} TapedLaunch;

typedef struct Tape {
  void *map;
  size_t bytes;
  TapedLaunch *launches;
  size_t nlaunches;
} Tape;

Tape tape_read(const char *path); /* if there is no such file, the tape has no launches */
void tape_free(Tape *);
const char *tape_file(const TapeAccess *); /* its source file */
/* The name that is stored behind a record. */
const char *tape_name(const TapeHead *);
const uint8_t *tape_bytes(const TapeBuffer *);
/* The event as an access; NULL if it is something else. */
const TapeAccess *tape_access(const TapeHead *);
unsigned access_bytes(const TapeAccess *); /* the bytes of one lane */
/* True if the bytes of a lane of the access and the given bytes overlap. */
bool access_touches(const TapeAccess *, unsigned lane, uint8_t space, uint64_t block,
                    uint64_t address, unsigned bytes);

/* The value that a lane reads or writes at an address, up to the end of the element. Returns false
 * if it is not on the tape. */
bool access_value(const TapeAccess *, unsigned lane, uint64_t address, uint64_t *value);

/* ---- run.c ----------------------------------------------------------------------------------- */
enum { ORDER_BYTES = 1024 };

typedef struct Place {
  const char *file;
  unsigned line;
  bool has_thread, wrote;
  /* "read it" */
  const char *did;
  uint32_t thread[3], block[3];
} Place;

typedef struct Race {
  const char *kind, *kernel, *sentence, *buffer, *space, *cause;
  Place at, other;
} Race;

typedef struct Outcome {
  char order[ORDER_BYTES];
  /* exit status of the program, or 128 + the signal that ended it */
  int status;
  /* it was stopped at its time limit */
  bool late;
  /* hash of the program's output */
  uint64_t said;
  Tape tape;
  Race *races;
  size_t nraces;
  /* another report of the device; NULL: none */
  const char *mistake;
  /* owns the strings of the races */
  struct json_t *events;
} Outcome;

typedef struct Program {
  /* ends with NULL */
  char **command;
  /* a folder for the tape, the log and the output of each run */
  char work[40];
  /* the file to which it writes the right answer; NULL: it has none */
  const char *gold;
  /* on the clock of seconds_now() */
  double deadline;
  unsigned runs;
  /* its output is different in each run */
  bool babbles;
  /* the running process, the leader of a group; 0: none */
  atomic_int process;
} Program;

double seconds_now(void);
void outcome_run(Program *, const char *order, Outcome *);
void outcome_free(Outcome *);
/* Runs the program in the usual order and writes its counters and predicted times to `log`. Returns
 * false if it was stopped. */
bool program_record(Program *, const char *log);

/* The right answer of a lab's program, as written by its option --gold. count is 0 if there is
 * none. */
typedef struct Gold {
  /* margins: the tolerance of each value */
  double *values, *margins;
  size_t count;
} Gold;
Gold gold_read(const char *path);
bool gold_differs(const Gold *, uint64_t index, double value);
/* The bytes of one number, if the buffer has as many numbers as the right answer; 0: it has not. */
unsigned gold_bytes(const Gold *, const TapeBuffer *);
/* Number `index` of a buffer of floating-point numbers with this many bytes each. */
double buffer_number(const TapeBuffer *, uint64_t index, unsigned bytes);
bool race_is_error(const Race *);

/* ---- which.c --------------------------------------------------------------------------------- */
typedef struct Which {
  /* a file of marks that name the run that failed; NULL: none */
  const char *marks;
  /* arguments if the marks name no run; NULL: none */
  const char *usual;
  /* the program belongs to a lab and can write the right answer */
  bool gold;
} Which;
/* The options --marks, --usual and --gold of race and step. argp's input is a Which. */
extern const struct argp which_argp;
/* Adds the arguments of the chosen run to the command and makes the folder. On failure returns
 * false and sets errno. */
bool program_begin(Program *, const Which *);
void program_end(const Program *);

/* ---- pairs.c --------------------------------------------------------------------------------- */
/* Two accesses in a launch to the same bytes by different threads, at least one of them a write.
 * `second` is executed later, or by a later lane of the same instruction. */
typedef struct Pair {
  const TapeAccess *first, *second;
  unsigned first_lane, second_lane;
  const Race *race;
  /* its threads are the two in the report */
  bool reported;
  /* index in the tape */
  size_t launch;
} Pair;

typedef struct Pairs {
  Pair *all;
  size_t count, room;
} Pairs;

/* The number of times that the warp of the access has executed the other access's line before. If
 * both warps execute the same loop, a store whose time is larger than this belongs to a later
 * round. */
uint32_t rounds_before(const TapedLaunch *, const TapeAccess *, const TapeAccess *other);
/* The pairs at the lines of the races that no barrier of the block separates; at most `most`. */
Pairs pairs_find(const TapedLaunch *, const Race *, size_t nraces, size_t most);

/* ---- search.c -------------------------------------------------------------------------------- */
/* A number that differs between two runs. */
typedef struct Difference {
  /* said: only the program's output differs */
  bool any, said;
  /* index: device memory differs first after this launch */
  size_t launch;
  /* NULL: only the program's output or status differs */
  const TapeBuffer *buffer;
  /* the place of the first number that differs, in bytes */
  uint64_t at;
  /* the size of that number */
  unsigned bytes;
  /* the number of the first run is wrong */
  bool plain_is_wrong;
  /* one run's number is wrong and the other's is right */
  bool clear;
} Difference;

typedef struct Found {
  /* the run in ascending order */
  Outcome plain;
  /* the run in the shortest order that changes a number */
  Outcome held;
  /* `held` is set */
  bool found;
  Gold gold;
  /* the pair for which the order was tried */
  Pair pair;
  /* between the two runs */
  Difference difference;
  /* number of orders with one hold */
  size_t candidates;
  /* If nothing was found: */
  /* some order exchanged the accesses of a race */
  bool turned;
  /* and the read then returned another value */
  bool read_otherwise;
  /* and numbers changed, but within the tolerance */
  bool within;
  /* all candidate orders were tried */
  bool exhausted;
} Found;

void search(Program *, Found *);
Difference outcome_difference(const Outcome *, const Outcome *, const Gold *);

/* ---- choice.c -------------------------------------------------------------------------------- */
/* An access of a lane to a word at a line that races, in the shown run, and its event in the other
 * run. */
typedef struct Moment {
  uint64_t block, address;
  const TapeAccess *access;
  /* other: SIZE_MAX if it does not happen in the other run */
  size_t event, other;
  uint32_t warp, lane;
  /* it reads another value in the other run */
  bool differs;
} Moment;

typedef struct Moments {
  Moment *all;
  size_t count, room;
} Moments;

typedef struct Telling {
  const Found *found;
  const Outcome *shown, *other;
  /* the launch with the race, in each run */
  const TapedLaunch *launch, *other_launch;
  /* the buffer of the shown run with the number that differs; NULL: none */
  const TapeBuffer *result;
  /* TapeType of the values stored there */
  uint8_t type;
  /* sorted by block, address and event */
  Moments moments;
  /* writer[word of the result] is (block << 10 | thread) + 1, or 0 for a word that does not count.
   * results lists the words that count, sorted by writer. */
  uint64_t *writer;
  struct Result *results;
  size_t nresults;
  struct {
    const TapeAccess *read, *write;
    bool wrongly;
    /* the last query, cached because neighbouring lanes repeat it */
  } asked;
  struct Story *story;
} Telling;

typedef struct Choice {
  /* in the shown run */
  const Moment *first, *second;
  /* NULL: there is no such pair */
  const Race *race;
  long score;
} Choice;

/* Returns false if the runs have no such launch; then telling_end must not be called. */
bool telling_begin(Telling *, const Found *);
void telling_end(Telling *);
Choice choose(Telling *);
/* Finds the first word of the result that the thread wrote. */
bool wrote_result(const Telling *, const Moment *, uint64_t *word);
/* The buffer at the same address in another launch. */
const TapeBuffer *same_buffer(const TapedLaunch *, const TapeBuffer *);

/* ---- story.c --------------------------------------------------------------------------------- */
enum { PANELS_MOST = 8, VALUE_BYTES = 40, PANEL_WORDS = 400 };

typedef struct Panel {
  char says[PANEL_WORDS];
  /* the value of the word after it; "": the panel is not about the word */
  char word[VALUE_BYTES];
  /* line of the source; 0: none */
  unsigned line;
  const char *file;
  /* index of the warp that acts; -1: none */
  int actor;
  /* the position of each of the two warps */
  char waits[2][80];
} Panel;

typedef struct Story {
  /* "warp 0", "warp 3 of block (1,0)" */
  char actor[2][60];
  /* "Bs, word 0" */
  char word[120];
  /* the shown order, as a sentence */
  char order[300];
  /* the other order */
  char contrast[300];
  /* the number at the end */
  char element[120], got[VALUE_BYTES], other[VALUE_BYTES];
  char end[400];
  const Race *race;
  Panel panels[PANELS_MOST];
  size_t npanels;
} Story;

void story_tell(const Found *, Story *);
/* Formats a value of a tape type. */
void value_text(char out[VALUE_BYTES], uint8_t type, unsigned bytes, uint64_t value);

/* ---- proof.c --------------------------------------------------------------------------------- */
enum { BARRIERS_MOST = 16 };
typedef struct Barrier {
  const char *file;
  unsigned line;
  uint64_t times;
  bool tried;
  /* the run without this barrier */
  Outcome without;
  /* what races without it, as a sentence; "": nothing, or unknown */
  const char *happens;
} Barrier;
typedef struct Proof {
  Barrier barriers[BARRIERS_MOST];
  size_t count;
  bool atomics;
} Proof;
void proof_find(Program *, const Outcome *plain, const char *source, Proof *);

/* ---- report.c, text.c, page.c, figure.c ------------------------------------------------------ */
typedef struct Report {
  /* command: the command that shows the report again */
  const char *title, *source, *command;
  const Program *program;
  const Found *found;
  /* NULL: no number changes */
  const Story *story;
  /* NULL: there is a race */
  const Proof *proof;
  double seconds;
} Report;
/* Searches for up to `seconds`. The report's pointers stay valid until the process ends. */
void report_find(Report *, Program *, double seconds);
void text_write(FILE *, const Report *);
void page_write(FILE *, const Report *);
/* Writes a picture for a slide. Returns false, and writes nothing, if no number changes. */
bool figure_write(FILE *, const Report *, const char *id);
/* A line of a source file without its leading blanks, in a static buffer; "" if it cannot be
 * read. */
const char *line_of_source(const char *file, unsigned line);
/* Explains in a few sentences why no order changes a number, or what was proved. */
const char *verdict_text(const Report *, char *out, size_t size);

#endif
