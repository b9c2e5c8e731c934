/* make race02: looks for an order of warps in which a race changes a number, and shows that order in a few panels.
 * common/step uses the same runs and tapes.
 *
 * which.c   which run of the program is looked at
 * tape.c    reads the tape of a run: what its warps did, and what device memory held after each launch
 * run.c     runs the program in a prescribed order, and keeps its tape, its reports and its answer
 * pairs.c   the accesses of a tape that the reported races are about
 * search.c  tries orders, the shortest first, until one changes a number
 * choice.c  from two runs to the two accesses that tell how a number came out
 * story.c   and to panels: which word, who read or wrote it, what came of it
 * proof.c   when there is no race: which barriers do the work, and what happens without each
 * report.c  all of these, one after the other
 * text.c    panels for a terminal; page.c: the same as a page to mail; figure.c: as a picture for a slide
 *
 * Orders are those of emulator/state/order.h. The program itself runs anew for each of them.
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
  const TapeHead **events; /* accesses, holds, arrivals and barriers, in the order of execution */
  const TapeShared **shared;
  const TapeBuffer **buffers;
  size_t nevents, nshared, nbuffers;
  const TapeEnd *end; /* NULL: the program ended before it */
} TapedLaunch;

typedef struct Tape {
  void *map;
  size_t bytes;
  TapedLaunch *launches;
  size_t nlaunches;
} Tape;

Tape tape_read(const char *path); /* of no launch where there is no such file */
void tape_free(Tape *);
const char *tape_file(const TapeAccess *); /* its source file */
const char *
tape_name(const TapeHead *); /* what follows a launch, a shared array, a buffer or an arrival */
const uint8_t *tape_bytes(const TapeBuffer *);
/* An event as an access; NULL: it is something else. */
const TapeAccess *tape_access(const TapeHead *);
unsigned access_bytes(const TapeAccess *); /* of a lane */
/* Do the bytes of a lane of one and a lane of another have any in common? */
bool access_touches(const TapeAccess *, unsigned lane, uint8_t space, uint64_t block,
                    uint64_t address, unsigned bytes);

/* What a lane reads or writes at an address, up to the end of the element; false: the tape does not say. */
bool access_value(const TapeAccess *, unsigned lane, uint64_t address, uint64_t *value);

/* ---- run.c ----------------------------------------------------------------------------------- */
enum { ORDER_BYTES = 1024 };

typedef struct Place {
  const char *file;
  unsigned line;
  bool has_thread, wrote;
  const char *did; /* "read it" */
  uint32_t thread[3], block[3];
} Place;

typedef struct Race {
  const char *kind, *kernel, *sentence, *buffer, *space, *cause;
  Place at, other;
} Race;

typedef struct Outcome {
  char order[ORDER_BYTES];
  int status;    /* of the program; 128 + the signal that ended it */
  bool late;     /* it was stopped */
  uint64_t said; /* hash of what it printed */
  Tape tape;
  Race *races;
  size_t nraces;
  const char *mistake;   /* what else the device reports, NULL: nothing */
  struct json_t *events; /* owns the strings of the races */
} Outcome;

typedef struct Program {
  char **command;   /* ends with NULL */
  char work[40];    /* a folder for the tape, the log and the output of each run */
  const char *gold; /* where it writes the right answer; NULL: it has none */
  double deadline;  /* seconds of seconds_now() */
  unsigned runs;
  bool babbles;       /* it prints another text each time */
  atomic_int process; /* that runs now, the leader of a group; 0: none */
} Program;

double seconds_now(void);
void outcome_run(Program *, const char *order, Outcome *);
void outcome_free(Outcome *);
/* Runs the program in the usual order, with its counters and predicted times in that log. false: it was stopped. */
bool program_record(Program *, const char *log);

/* The right answer of a lab's program, as its option --gold writes it; count 0: there is none. */
typedef struct Gold {
  double *values, *margins; /* margins: how far each may be off */
  size_t count;
} Gold;
Gold gold_read(const char *path);
bool gold_differs(const Gold *, uint64_t index, double value);
/* Bytes of a number of the buffer, of which the right answer has as many; 0: it is another buffer. */
unsigned gold_bytes(const Gold *, const TapeBuffer *);
/* A floating-point number of so many bytes. */
double buffer_number(const TapeBuffer *, uint64_t index, unsigned bytes);
bool race_is_error(const Race *);

/* ---- which.c --------------------------------------------------------------------------------- */
typedef struct Which {
  const char *marks; /* the checker's marks name the run that failed; NULL: there are none */
  const char *usual; /* arguments where no marks name a run; NULL: none */
  bool gold;         /* the program is a lab's, and knows the right answer */
} Which;
/* The options --marks, --usual and --gold of make race and make step. Its input is a Which. */
extern const struct argp which_argp;
/* Adds the arguments of the chosen run to the command, and makes the folder. false: errno says why. */
bool program_begin(Program *, const Which *);
void program_end(const Program *);

/* ---- pairs.c --------------------------------------------------------------------------------- */
/* Two accesses of a launch to the same bytes by different threads, of which at least one writes; `second` is executed
 * later, or by a later lane of the same instruction. */
typedef struct Pair {
  const TapeAccess *first, *second;
  unsigned first_lane, second_lane;
  const Race *race;
  bool reported; /* its threads are those that the report names */
  size_t launch; /* index in the tape */
} Pair;

typedef struct Pairs {
  Pair *all;
  size_t count, room;
} Pairs;

/* How often the warp of an access has come to the line of another one before. Where both warps go through the same loop, a
 * store whose time is larger belongs to a later round. */
uint32_t rounds_before(const TapedLaunch *, const TapeAccess *, const TapeAccess *other);
/* Those at the lines of the races, not separated by a barrier of the block. At most `most`. */
Pairs pairs_find(const TapedLaunch *, const Race *, size_t nraces, size_t most);

/* ---- search.c -------------------------------------------------------------------------------- */
/* A number that two runs compute differently. */
typedef struct Difference {
  bool any, said;           /* said: only the text that the program prints differs */
  size_t launch;            /* index: after this one memory differs first */
  const TapeBuffer *buffer; /* NULL: only what the program prints, or its status, differs */
  uint64_t at;         /* the first number that differs: its place in the buffer, in bytes, ... */
  unsigned bytes;      /* ... and its size */
  bool plain_is_wrong; /* of the two the first run's is wrong */
  bool clear;          /* and the other one is right */
} Difference;

typedef struct Found {
  Outcome plain; /* the run in ascending order */
  Outcome held;  /* the run in the shortest order that changes a number */
  bool found;    /* there is one */
  Gold gold;
  Pair pair;             /* for which the order was tried */
  Difference difference; /* between the two */
  size_t candidates;     /* orders with one hold */
  /* when nothing was found: */
  bool turned;         /* some order turned the accesses of a race around */
  bool read_otherwise; /* and a read of a race got another value */
  bool within;         /* and numbers changed, each within what is allowed */
  bool exhausted;      /* every order that was to be tried was tried */
} Found;

void search(Program *, Found *);
Difference outcome_difference(const Outcome *, const Outcome *, const Gold *);

/* ---- choice.c -------------------------------------------------------------------------------- */
/* A lane's access to a word at a line that races, in the run that is shown; and its place in the other run. */
typedef struct Moment {
  uint64_t block, address;
  const TapeAccess *access;
  size_t event, other; /* other: SIZE_MAX: it does not happen there */
  uint32_t warp, lane;
  bool differs; /* it reads another value there */
} Moment;

typedef struct Moments {
  Moment *all;
  size_t count, room;
} Moments;

typedef struct Telling {
  const Found *found;
  const Outcome *shown, *other;
  const TapedLaunch *launch, *other_launch; /* with the race; in either run */
  const TapeBuffer *result; /* memory of the shown run with the number that differs; NULL: none */
  uint8_t type;             /* TapeType of what was stored there */
  Moments moments;          /* by block, address and event */
  /* Of each word of the result: block << 10 | thread, + 1; 0: it does not count. And those that count, by writer. */
  uint64_t *writer;
  struct Result *results;
  size_t nresults;
  struct {
    const TapeAccess *read, *write;
    bool wrongly;
  } asked; /* last: neighbouring lanes ask the same */
  struct Story *story;
} Telling;

typedef struct Choice {
  const Moment *first, *second; /* in the shown run */
  const Race *race;             /* NULL: there are no such two */
  long score;
} Choice;

/* false: the runs have no such launch, and there is nothing to end. */
bool telling_begin(Telling *, const Found *);
void telling_end(Telling *);
Choice choose(Telling *);
/* The first word of the result that the thread wrote. */
bool wrote_result(const Telling *, const Moment *, uint64_t *word);
/* The buffer at the same address. */
const TapeBuffer *same_buffer(const TapedLaunch *, const TapeBuffer *);

/* ---- story.c --------------------------------------------------------------------------------- */
enum { PANELS_MOST = 8, VALUE_BYTES = 40, PANEL_WORDS = 400 };

typedef struct Panel {
  char says[PANEL_WORDS];
  char word[VALUE_BYTES]; /* what the word holds after it; "": the panel is not about it */
  unsigned line;          /* of the source, 0: none */
  const char *file;
  int actor;         /* which of the two warps acts; -1: none */
  char waits[2][80]; /* where each of the two is */
} Panel;

typedef struct Story {
  char actor[2][60];                                       /* "warp 0", "warp 3 of block (1,0)" */
  char word[120];                                          /* "Bs, word 0" */
  char order[300];                                         /* that is shown, in a sentence */
  char contrast[300];                                      /* the other one */
  char element[120], got[VALUE_BYTES], other[VALUE_BYTES]; /* the number at the end */
  char end[400];
  const Race *race;
  Panel panels[PANELS_MOST];
  size_t npanels;
} Story;

void story_tell(const Found *, Story *);
/* A value of a type of the tape as text. */
void value_text(char out[VALUE_BYTES], uint8_t type, unsigned bytes, uint64_t value);

/* ---- proof.c --------------------------------------------------------------------------------- */
enum { BARRIERS_MOST = 16 };
typedef struct Barrier {
  const char *file;
  unsigned line;
  uint64_t times;
  bool tried;
  Outcome without;     /* the run that leaves it out */
  const char *happens; /* what races there, in a sentence; "": nothing, or that is unknown */
} Barrier;
typedef struct Proof {
  Barrier barriers[BARRIERS_MOST];
  size_t count;
  bool atomics;
} Proof;
void proof_find(Program *, const Outcome *plain, const char *source, Proof *);

/* ---- report.c, text.c, page.c, figure.c ------------------------------------------------------ */
typedef struct Report {
  const char *title, *source, *command; /* command: what shows it again */
  const Program *program;
  const Found *found;
  const Story *story; /* NULL: no number changes */
  const Proof *proof; /* NULL: there is a race */
  double seconds;
} Report;
/* Looks for so many seconds. What the report then points to lasts as long as the process. */
void report_find(Report *, Program *, double seconds);
void text_write(FILE *, const Report *);
void page_write(FILE *, const Report *);
/* A picture for a slide. false: no number changes, and nothing was drawn. */
bool figure_write(FILE *, const Report *, const char *id);
/* A line of a source file without its blanks, in a static buffer; "": it cannot be read. */
const char *line_of_source(const char *file, unsigned line);
/* Why no order changes a number, or what was proved; in a few sentences. */
const char *verdict_text(const Report *, char *out, size_t size);

#endif
