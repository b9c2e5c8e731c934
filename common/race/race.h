/* make race02: searches for an order of warps in which a data race changes a number. Shows that
 * order in a few panels. common/step uses the same runs and tapes.
 *
 *   which.c   chooses the arguments of the program
 *   tape.c    reads the tape of a run: the events of its warps, and device memory after each launch
 *   run.c     runs the program in a prescribed order; keeps its tape, its reports and its output
 *   pairs.c   finds the pairs of accesses on a tape that belong to the reported races
 *   search.c  tries orders, the shortest first, until one changes a number
 *   choice.c  compares two runs and chooses the two accesses that explain the changed number
 *   story.c   describes these two accesses and their effect in panels
 *   proof.c   if there is no race: finds which barriers are needed, and what races without each
 *   report.c  calls the search, then the story or the proof
 *   text.c    writes the report to a terminal
 *   page.c    writes the report as an HTML page
 *   figure.c  draws the panels for a slide
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
  /* The accesses, holds, arrivals and barriers of the launch, in the order of execution. */
  const TapeHead **events;
  const TapeShared **shared;
  const TapeBuffer **buffers;
  size_t nevents, nshared, nbuffers;
  /* NULL if the program ended before the launch was complete. */
  const TapeEnd *end;
} TapedLaunch;

typedef struct Tape {
  void *map;
  size_t bytes;
  TapedLaunch *launches;
  size_t nlaunches;
} Tape;

/* Reads a tape. If the file does not exist, the tape has no launches. */
Tape tape_read(const char *path);
void tape_free(Tape *);
/* Returns the path of the source file that contains the access. */
const char *tape_file(const TapeAccess *);
/* Returns the name that is stored at the end of a record. */
const char *tape_name(const TapeHead *);
const uint8_t *tape_bytes(const TapeBuffer *);
/* Returns the event as an access; NULL if it is another kind of event. */
const TapeAccess *tape_access(const TapeHead *);
/* Returns the number of bytes that one lane accesses. */
unsigned access_bytes(const TapeAccess *);
/* Returns true if `lane` accesses at least one of the `bytes` bytes at `address`. `block` matters
 * for shared memory only. */
bool access_touches(const TapeAccess *, unsigned lane, uint8_t space, uint64_t block,
                    uint64_t address, unsigned bytes);

/* Sets *value to the bytes that a lane reads or writes, from `address` to the end of the element.
 * Returns false if the tape does not contain them. */
bool access_value(const TapeAccess *, unsigned lane, uint64_t address, uint64_t *value);

/* ---- run.c ----------------------------------------------------------------------------------- */
enum { ORDER_BYTES = 1024 };

typedef struct Place {
  const char *file;
  unsigned line;
  bool has_thread, wrote;
  /* The access as words of a sentence, for example "read it". */
  const char *did;
  uint32_t thread[3], block[3];
} Place;

typedef struct Race {
  const char *kind, *kernel, *sentence, *buffer, *space, *cause;
  Place at, other;
} Race;

typedef struct Outcome {
  char order[ORDER_BYTES];
  /* Exit status of the program, or 128 + the number of the signal that ended it. */
  int status;
  /* True if the program was stopped at its time limit. */
  bool late;
  /* Hash of the program's output. */
  uint64_t said;
  Tape tape;
  Race *races;
  size_t nraces;
  /* A report of the device that is not about a race; NULL if there is none. */
  const char *mistake;
  /* The parsed log, which owns the strings in `races`. */
  struct json_t *events;
} Outcome;

typedef struct Program {
  /* The program and its arguments; the last element is NULL. */
  char **command;
  /* The folder for the tape, the log and the output of each run. */
  char work[40];
  /* The file to which the program writes the correct result; NULL if it writes none. */
  const char *gold;
  /* Time at which a run is stopped, on the clock of seconds_now(). */
  double deadline;
  unsigned runs;
  /* True if the output of the program is different in each run. */
  bool babbles;
  /* Id of the running process, which leads a process group; 0 if none is running. */
  atomic_int process;
} Program;

double seconds_now(void);
void outcome_run(Program *, const char *order, Outcome *);
void outcome_free(Outcome *);
/* Runs the program without a prescribed order. The device writes the counters and the predicted
 * times to `log`. Returns false if the run was stopped at the time limit. */
bool program_record(Program *, const char *log);

/* The correct result of a lab's program, which its option --gold writes. `count` is the number of
 * values, 0 if there is no such file. */
typedef struct Gold {
  /* `margins`: the tolerance of each value. */
  double *values, *margins;
  size_t count;
} Gold;
Gold gold_read(const char *path);
bool gold_differs(const Gold *, uint64_t index, double value);
/* Returns the size of one number in bytes if the buffer has as many numbers as the correct result;
 * otherwise 0. */
unsigned gold_bytes(const Gold *, const TapeBuffer *);
/* Returns element `index` of a buffer of floating-point numbers with `bytes` bytes each. */
double buffer_number(const TapeBuffer *, uint64_t index, unsigned bytes);
bool race_is_error(const Race *);

/* ---- which.c --------------------------------------------------------------------------------- */
typedef struct Which {
  /* The file with the checker's marks, which name the run that failed; NULL if there is none. */
  const char *marks;
  /* Arguments that are used if the marks name no run; NULL if there are none. */
  const char *usual;
  /* True if the program belongs to a lab and can write the correct result. */
  bool gold;
} Which;
/* Parses the options --marks, --usual and --gold of race and step into a Which. */
extern const struct argp which_argp;
/* Appends the arguments of the chosen run to p->command and creates the folder p->work. On failure
 * returns false and sets errno. */
bool program_begin(Program *, const Which *);
void program_end(const Program *);

/* ---- pairs.c --------------------------------------------------------------------------------- */
/* Two accesses by different threads to the same bytes in one launch, at least one of them a write.
 * `second` is executed after `first`, or is made by a higher lane of the same instruction. */
typedef struct Pair {
  const TapeAccess *first, *second;
  unsigned first_lane, second_lane;
  const Race *race;
  /* True if the report of the race names the threads of these two accesses. */
  bool reported;
  /* Index of the launch on the tape. */
  size_t launch;
} Pair;

typedef struct Pairs {
  Pair *all;
  size_t count, room;
} Pairs;

/* Returns how often the warp of the first access has executed the line of `other` before that
 * access. If both warps execute the same loop, this is the iteration of the first access. A store
 * whose `time` is larger belongs to a later iteration. */
uint32_t rounds_before(const TapedLaunch *, const TapeAccess *, const TapeAccess *other);
/* Returns at most `most` pairs of conflicting accesses at the lines of the races. */
Pairs pairs_find(const TapedLaunch *, const Race *, size_t nraces, size_t most);

/* ---- search.c -------------------------------------------------------------------------------- */
/* A number that differs between two runs. If the correct result is known, the number is wrong in at
 * least one of the runs. */
typedef struct Difference {
  /* `any`: a number in device memory or the exit status differs; `said`: the output differs. */
  bool any, said;
  /* Index of the first launch after which device memory differs. */
  size_t launch;
  /* The buffer with the number; NULL if only the program's output or exit status differs. */
  const TapeBuffer *buffer;
  /* Offset of the number in the buffer, in bytes. */
  uint64_t at;
  /* Size of the number that differs, in bytes. */
  unsigned bytes;
  /* True if the number is wrong in the first run. */
  bool plain_is_wrong;
  /* True if the number is wrong in one run and correct in the other. */
  bool clear;
} Difference;

typedef struct Found {
  /* The run in which warps are executed in ascending order. */
  Outcome plain;
  /* The run in the shortest order that changes a number. */
  Outcome held;
  /* True if such an order was found, that is, if `held` is set. */
  bool found;
  Gold gold;
  /* The pair of accesses that the order `held` exchanges. */
  Pair pair;
  /* The difference between `plain` and `held`. */
  Difference difference;
  /* Number of orders with one hold (search.c describes holds). */
  size_t candidates;
  /* The next four members say why no order was found. */
  /* True if some order executed the two accesses of a race in reverse. */
  bool turned;
  /* True if the read returned another value in such an order. */
  bool read_otherwise;
  /* True if numbers changed, but stayed within the tolerance. */
  bool within;
  /* True if all orders with one hold were tried. */
  bool exhausted;
} Found;

void search(Program *, Found *);
Difference outcome_difference(const Outcome *, const Outcome *, const Gold *);

/* ---- choice.c -------------------------------------------------------------------------------- */
/* One lane's access to one word at a line of a race, in the shown run. */
typedef struct Moment {
  uint64_t block, address;
  const TapeAccess *access;
  /* Indexes of the access in the events of the shown run and of the other run. `other` is SIZE_MAX
   * if the other run has no such access. */
  size_t event, other;
  uint32_t warp, lane;
  /* True if the access reads another value in the other run. */
  bool differs;
} Moment;

typedef struct Moments {
  Moment *all;
  size_t count, room;
} Moments;

/* The state of the functions that turn two runs into panels. */
typedef struct Telling {
  const Found *found;
  const Outcome *shown, *other;
  /* The launch with the race, in the shown run and in the other run. */
  const TapedLaunch *launch, *other_launch;
  /* The buffer of the shown run that contains the number that differs; NULL if there is none. */
  const TapeBuffer *result;
  /* TapeType of the values in `result`. */
  uint8_t type;
  /* Sorted by memory space, block (shared memory only), address and event. */
  Moments moments;
  /* writer[i] is (block << 10 | thread) + 1 for the thread that wrote word i of `result` last. It
   * is 0 if no thread wrote the word or if the race did not change it. `results` lists the other
   * words, sorted by writer. */
  uint64_t *writer;
  struct Result *results;
  size_t nresults;
  struct {
    const TapeAccess *read, *write;
    bool wrongly;
    /* The last result of reads_wrongly(). It is cached because neighbouring lanes share it. */
  } asked;
  struct Story *story;
} Telling;

typedef struct Choice {
  /* The two accesses in the shown run, in the order of execution. */
  const Moment *first, *second;
  /* NULL if no pair explains the number. */
  const Race *race;
  long score;
} Choice;

/* Returns false if one of the runs does not have the launch of the race. In this case telling_end
 * must not be called. */
bool telling_begin(Telling *, const Found *);
void telling_end(Telling *);
Choice choose(Telling *);
/* Sets *word to the first word of t->results that the thread of the access wrote. Returns false if
 * there is none. */
bool wrote_result(const Telling *, const Moment *, uint64_t *word);
/* Returns the launch's buffer that has the address of the given buffer; NULL if there is none. */
const TapeBuffer *same_buffer(const TapedLaunch *, const TapeBuffer *);

/* ---- story.c --------------------------------------------------------------------------------- */
enum { PANELS_MOST = 8, VALUE_BYTES = 40, PANEL_WORDS = 400 };

typedef struct Panel {
  char says[PANEL_WORDS];
  /* Value of the word after this event; "" if the panel is not about the word. */
  char word[VALUE_BYTES];
  /* Line of the source; 0 if there is none. */
  unsigned line;
  const char *file;
  /* Index in Story.actor of the warp that acts; -1 if neither acts. */
  int actor;
  /* The position of each of the two warps, for example "waits at the barrier, line 12". */
  char waits[2][80];
} Panel;

typedef struct Story {
  /* The names of the two warps, for example "warp 3 of block (1,0)". */
  char actor[2][60];
  /* The name of the word that the two accesses of the race access, for example "Bs, word 0". */
  char word[120];
  /* The order of the shown run as a sentence. */
  char order[300];
  /* The order of the other run as a sentence. */
  char contrast[300];
  /* The name of the number that differs, and its value in the shown run and in the other run. */
  char element[120], got[VALUE_BYTES], other[VALUE_BYTES];
  char end[400];
  const Race *race;
  Panel panels[PANELS_MOST];
  size_t npanels;
} Story;

void story_tell(const Found *, Story *);
/* Formats a value as `type`, a TapeType. */
void value_text(char out[VALUE_BYTES], uint8_t type, unsigned bytes, uint64_t value);

/* ---- proof.c --------------------------------------------------------------------------------- */
enum { BARRIERS_MOST = 16 };
typedef struct Barrier {
  const char *file;
  unsigned line;
  uint64_t times;
  bool tried;
  /* The run without this barrier. */
  Outcome without;
  /* The effect of the race that the barrier prevents, as a sentence; "" if there is none or if it
   * is unknown. */
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
  /* `command`: the command that shows the report again. */
  const char *title, *source, *command;
  const Program *program;
  const Found *found;
  /* NULL if no order that was tried changes a number. */
  const Story *story;
  /* NULL if the run has a race or another mistake. */
  const Proof *proof;
  double seconds;
} Report;
/* Fills the report. The search takes at most `seconds` seconds. The objects to which the report
 * points stay allocated until the process ends. */
void report_find(Report *, Program *, double seconds);
void text_write(FILE *, const Report *);
void page_write(FILE *, const Report *);
/* Writes a picture for a slide. Returns false, and writes nothing, if no number changes. */
bool figure_write(FILE *, const Report *, const char *id);
/* Returns a line of a source file without its leading blanks; "" if the line cannot be read. The
 * next call overwrites the result. */
const char *line_of_source(const char *file, unsigned line);
/* Writes the result of the search or of the proof to `out` in a few sentences, and returns `out`.
 */
const char *verdict_text(const Report *, char *out, size_t size);

#endif
