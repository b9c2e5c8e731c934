/* Declarations for make step02, a page on which the student executes a kernel line by line, and
 * chooses the warp that executes the next line.
 *
 *   main.c    reads the options, starts the server and prints its address
 *   serve.c   answers HTTP requests on the loopback address
 *   show.c    writes one block of a run as JSON: its steps, accesses, arrays and barriers
 *   time.c    draws the warps of a multiprocessor over time, as the timing model predicts them
 *   json.c    writes strings and bytes as JSON
 *   assets.c  contains the page's files: page.html, page.css, tape.js, page.js
 *
 * The server keeps no session state. A request names an order: a list of warps, each with a number
 * of steps. The server runs the program in this order (emulator/state/order.h) and answers with the
 * tape of the run. The page moves back and forth along the tape. If the student chooses another
 * warp, the page requests the steps so far, followed by one step of that warp. The same order
 * always gives the same page. common/race reads the tapes and the reports.
 */
#ifndef STEP_H
#define STEP_H

#include "race/race.h"

typedef struct Text {
  char *bytes;
  size_t length;
} Text;

enum { TOKEN_BYTES = 33, SHOWN_MOST = 32, KEY_MOST = 65536 };

/* A cached answer; the key names the launch, the block and the order. */
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
  /* True if the student still has to predict results. In this case predicted times are not shown.
   */
  bool withheld;
  /* The run in ascending order. */
  Outcome plain;
  Gold gold;
  /* The random part of the URL. */
  char token[TOKEN_BYTES];
  unsigned port;
  Shown shown[SHOWN_MOST];
  /* Number of answers that were stored in `shown`. New answers overwrite the oldest answers. */
  size_t nshown;
  /* The page of the race search; race.bytes is NULL until the search has been made. */
  Text race;
  /* True if the run with predicted times has been recorded. */
  bool recorded;
} Stepper;

/* ---- serve.c --------------------------------------------------------------------------------- */
/* Starts a thread that answers requests; sets s->token and s->port. On failure prints the reason
 * and returns false. */
bool serve_begin(Stepper *);

/* ---- show.c ---------------------------------------------------------------------------------- */
/* Writes the data that the page loads first: the source, the launches, the reports, and the number
 * of the launch and of the block to show. */
Text show_start(const Stepper *);
/* Writes one block of a run. */
Text show_block(const Stepper *, const Outcome *, uint64_t launch, uint64_t block);
/* Writes a message in place of a block. */
Text show_refusal(const char *sentence);

/* ---- time.c ---------------------------------------------------------------------------------- */
/* Returns the timeline of the launched kernel as SVG. If there is none, sets *why to the reason. */
Text show_time(Stepper *, uint64_t launch, const char **why);

/* ---- json.c ---------------------------------------------------------------------------------- */
/* Writes a JSON string. If the text is not valid UTF-8, its non-ASCII bytes become question marks.
 */
void json_text(FILE *, const char *);
/* Writes bytes as hexadecimal digits, in quotes. */
void json_hex(FILE *, const uint8_t *, size_t count);

/* ---- assets.c -------------------------------------------------------------------------------- */
typedef struct Asset {
  const char *name, *type, *bytes, *end;
} Asset;
/* Returns NULL if there is no such file. */
const Asset *asset_find(const char *name);

#endif
