/* make step02: a page on which the student decides which warp goes next, line by line.
 *
 *   main.c    the options, the address that is printed, the end
 *   serve.c   answers requests on the loopback address
 *   show.c    one block of a run as JSON: its steps, their accesses, arrays and barriers
 *   time.c    the warps of a multiprocessor over time, from the timing model
 *   json.c    texts and numbers of JSON
 *   assets.c  the page's own files: page.html, page.css, tape.js, page.js
 *
 * The server keeps no state of a session. A request names an order: which warp takes how many
 * steps. The program runs in this order (emulator/state/order.h), the answer is its tape, and the
 * page moves back and forth along the tape. When the student chooses another warp, the page
 * requests the steps so far, followed by one of that warp. So the same order gives the same page
 * each time. Tapes and reports are those of common/race.
 */
#ifndef STEP_H
#define STEP_H

#include "race/race.h"

typedef struct Text {
  char *bytes;
  size_t length;
} Text;

enum { TOKEN_BYTES = 33, SHOWN_MOST = 32, KEY_MOST = 65536 };

/* A cached answer. */
typedef struct Shown {
  char *key;
  Text text;
} Shown;

typedef struct Stepper {
  /* `command`: the command that shows this page again. */
  const char *title, *source, *command;
  Program program;
  /* Time limit for one run of the program, in seconds. */
  double seconds;
  /* Predictions are open, so predicted times are not shown. */
  bool withheld;
  /* The run in the usual order. */
  Outcome plain;
  Gold gold;
  /* The random part of the address. */
  char token[TOKEN_BYTES];
  unsigned port;
  Shown shown[SHOWN_MOST];
  /* Number of answers so far. The oldest are overwritten. */
  size_t nshown;
  /* The page of the race search; NULL: not made yet. */
  Text race;
  /* The usual run has been recorded. */
  bool recorded;
} Stepper;

/* ---- serve.c --------------------------------------------------------------------------------- */
/* Starts a thread that answers requests; sets token and port. On failure prints why and returns
 * false. */
bool serve_begin(Stepper *);

/* ---- show.c ---------------------------------------------------------------------------------- */
/* Writes the data that the page needs first: the source, the launches, the reports, and the first
 * launch and block to show. */
Text show_start(const Stepper *);
/* Writes one block of a run. */
Text show_block(const Stepper *, const Outcome *, uint64_t launch, uint64_t block);
/* Writes a message in place of a block. */
Text show_refusal(const char *sentence);

/* ---- time.c ---------------------------------------------------------------------------------- */
/* The timeline of a launch's kernel as SVG. If there is none, *why is set to the reason. */
Text show_time(Stepper *, uint64_t launch, const char **why);

/* ---- json.c ---------------------------------------------------------------------------------- */
/* Writes a string in quotes. Bytes that are not UTF-8 become question marks. */
void json_text(FILE *, const char *);
/* Writes bytes as hexadecimal digits, in quotes. */
void json_hex(FILE *, const uint8_t *, size_t count);

/* ---- assets.c -------------------------------------------------------------------------------- */
typedef struct Asset {
  const char *name, *type, *bytes, *end;
} Asset;
/* NULL if there is no such file. */
const Asset *asset_find(const char *name);

#endif
