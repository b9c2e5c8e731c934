/* What the observers of the emulated device have reported, told to whom the kernel belongs: the observers' own words are made for
 * any kernel. */
#include "judge.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Two stores of different lines that meet in one word of shared memory: no barrier would mend that. */
static bool arrays_overlap(const Log *log) {
  const json_t *report = log_report(log, "error");
  return strcmp(text_at(report, "space"), "shared") == 0 &&
         strcmp(text_at(report, "did"), "wrote it") == 0 &&
         strcmp(text_at(report, "other_did"), "wrote it") == 0 &&
         number_at(report, "line") != number_at(report, "other_line");
}

/* Is what a race is about a number by itself in shared memory? */
static bool is_one_number(const Expected *e, const Log *log) {
  const json_t *report = log_report(log, "error");
  const json_t *kernel = json_object_get(log->kernels, text_at(report, "kernel"));
  const json_t *array;
  size_t i;
  bool one = false;
  json_array_foreach(json_object_get(kernel, "shared"), i, array) one |=
      strcmp(text_at(array, "name"), text_at(report, "buffer")) == 0 &&
      number_at(array, "bytes") == (double)e->instance.element_bytes;
  return one;
}

/* An index of 16 bits goes on from 32767 with -32768, in elements or in rows. */
static bool wrapped_around(const Expected *e, const char *sentence) {
  const char *at = strstr(sentence, ": element -");
  long long element = at ? strtoll(at + strlen(": element -"), NULL, 10) : 0, rows = 0;
  for (int i = 0; i < problem_sizes(e->instance.problem); i++)
    rows += element == 32768LL * e->instance.size[i];
  return element == 32768 || (element && rows);
}

/* One kernel reads what others have to store: do these store at all? Else they are not begun. */
static void judge_not_stored(Verdict *verdict, const Expected *e, const Log *log,
                             const json_t *report) {
  const Subject *subject = e->subject;
  const char *kernel, *reader = text_at(report, "kernel");
  json_t *event;
  size_t others = 0, idle = 0;
  const char *other = "";
  json_object_foreach(log->kernels, kernel, event) if (strcmp(kernel, reader) != 0) {
    other = kernel;
    others++;
    idle += !(log_counter(log, kernel, "global_store_requests") > 0);
  }
  if (others > 0 && idle == others) {
    verdict->line_count = 0;
    verdict_set(verdict, VERDICT_UNWRITTEN, "%s was never written: %s stores nothing there",
                subject->stores, other);
    verdict_cause(verdict, "%s is not begun, or its guard lets nobody in: %s", other,
                  subject->not_stored);
  } else {
    verdict_cause(verdict, "%s",
                  others == 0          ? subject->read_back
                  : e->run->own_launch ? subject->grid_too_small
                                       : subject->not_stored);
  }
}

/* Dynamic shared memory that is shorter than the block has threads: its bytes were counted as elements. */
static bool launched_in_elements(const Expected *e, const Log *log, const json_t *report) {
  const char *kernel = text_at(report, "kernel");
  double threads = log_counter(log, kernel, "threads") / log_counter(log, kernel, "blocks");
  double bytes = log_shared_bytes(log, kernel);
  return log_dynamic_bytes(log, kernel) == bytes && bytes > 0 &&
         bytes < threads * (double)e->instance.element_bytes;
}

/* Where blocks have a thread for each element of a tile of the output: does this thread's element lie in it? EITHER: it
 * depends on whether x runs along rows. */
typedef enum Side { SIDE_UNKNOWN, SIDE_INSIDE, SIDE_OUTSIDE, SIDE_EITHER } Side;
static size_t coordinate(const json_t *report, const char *of, size_t i) {
  return (size_t)json_integer_value(json_array_get(json_object_get(report, of), i));
}

static Side own_row(const Expected *e, const Log *log, const json_t *report) {
  const char *kernel = text_at(report, "kernel");
  double threads = log_counter(log, kernel, "threads");
  size_t width = (size_t)(threads / log_counter(log, kernel, "blocks"));
  size_t own = coordinate(report, "block", 0) * width + coordinate(report, "thread", 0);
  if (!log_block_is(log, kernel, (int)width, 1))
    return SIDE_UNKNOWN;
  if (threads >= 32 * (double)e->rows) /* a warp for each */
    own /= 32;
  return own < e->rows ? SIDE_INSIDE : SIDE_OUTSIDE;
}

static Side own_element(const Expected *e, const Log *log, const json_t *report) {
  enum { TILE = 32 };
  size_t at[2];
  if (e->columns == 1)
    return own_row(e, log, report);
  if (!log_block_is(log, text_at(report, "kernel"), TILE, TILE))
    return SIDE_UNKNOWN;
  for (size_t i = 0; i < 2; i++)
    at[i] = TILE * coordinate(report, "block", i) + coordinate(report, "thread", i);
  bool upright = at[0] < e->columns && at[1] < e->rows;
  bool turned = at[1] < e->columns && at[0] < e->rows;
  return upright && turned ? SIDE_INSIDE : upright || turned ? SIDE_EITHER : SIDE_OUTSIDE;
}

static void blame_outside(Verdict *verdict, const Expected *e, const Log *log,
                          const json_t *report) {
  Side side = own_element(e, log, report);
  if (strcmp(text_at(report, "space"), "shared") == 0) {
    if (launched_in_elements(e, log, report))
      verdict_cause(verdict,
                    "the launch asks for %.0f bytes of shared memory, fewer than one "
                    "element for each thread has: the third number in <<< >>> counts "
                    "bytes: an element for each thread, times sizeof(real)",
                    log_shared_bytes(log, text_at(report, "kernel")));
    else if (log_shared_bytes(log, text_at(report, "kernel")) > 0)
      verdict_cause(verdict, "an index runs past its array: how many elements are declared, and "
                             "which index is the largest?");
  } else if (wrapped_around(e, verdict->headline))
    verdict_cause(verdict, "after 32767 a number of 16 bits goes on with -32768: take an int");
  else if (side == SIDE_UNKNOWN && strstr(verdict->headline, "; its rows are 0 to "))
    verdict_cause(
        verdict,
        "a row that is not there, or a column behind the end of the last row, which is the "
        "same place: is each held against its own size?");
  else if (side == SIDE_INSIDE)
    verdict_cause(
        verdict,
        "the thread's own element lies inside of %s: look at the index that is "
        "read or written here: its guard, how long a row is in it, and where its loop ends",
        e->name);
  else if (side == SIDE_OUTSIDE && log_shared_bytes(log, text_at(report, "kernel")) > 0 &&
           strcmp(text_at(report, "buffer"), e->name) != 0)
    /* Threads that share tiles and barriers have to go on. */
    verdict_cause(
        verdict,
        "this element lies outside of %s: nothing is read there, and a 0 takes its place "
        "in the tile or the sum. But the thread goes on: the others of its block wait for "
        "it at their barriers",
        text_at(report, "buffer"));
  else if (side == SIDE_OUTSIDE)
    verdict_cause(verdict,
                  "the thread's own element lies outside of %s, where nothing is to be "
                  "done: the guard lets it in, or there is none",
                  e->name);
  else if (side == SIDE_EITHER)
    verdict_cause(verdict,
                  "whether the thread's own element lies inside of %s depends on which of x and y "
                  "counts rows: index, guard and grid have to agree, and each is compared with its "
                  "own size",
                  e->name);
}

/* In lab 02 a block has a thread for each place of the tiles As and Bs, which lie as their matrices do: which element should lie
 * here? One that is not there, or one whose thread has no element of C, and did not bring it. */
static bool blame_tile(Verdict *verdict, const Expected *e, const Log *log, const json_t *report) {
  enum { TILE = 32 };
  const char *kernel = text_at(report, "kernel"), *buffer = text_at(report, "buffer");
  const bool of_a = strcmp(buffer, "As") == 0;
  const size_t element = (size_t)number_at(report, "element");
  const double bytes = log_shared_array(log, kernel, buffer);
  const double row = bytes / (double)e->instance.element_bytes / TILE;
  if ((!of_a && strcmp(buffer, "Bs") != 0) || strcmp(e->lab, "02") != 0 ||
      (row != TILE && row != TILE + 1) || !log_block_is(log, kernel, TILE, TILE))
    return false;
  const size_t x = element % (size_t)row, y = element / (size_t)row;
  if (x >= TILE || y >= TILE)
    return false;
  size_t left = TILE * coordinate(report, "block", 0),
         above = TILE * coordinate(report, "block", 1);
  /* What a first whole tile has stored stays there. */
  size_t k = (size_t)e->instance.size[MATMUL_K];
  bool idle = above + y >= e->rows || left + x >= e->columns;
  bool missing = of_a ? above + y >= e->rows || x >= k : left + x >= e->columns || y >= k;
  if (missing)
    verdict_cause(verdict,
                  "what belongs into place [%zu][%zu] of %s lies outside of the matrix, and others "
                  "read the place all the same: it has to get a 0",
                  y, x, buffer);
  else if (idle)
    verdict_cause(verdict,
                  "place [%zu][%zu] of %s is for thread (%zu,%zu) to fill, which has no element of "
                  "%s: it has to load for the others all the same",
                  y, x, buffer, x, y, e->name);
  return verdict->explained = missing || idle;
}

static void blame_undefined(Verdict *verdict, const Expected *e, const Log *log,
                            const json_t *report) {
  if (blame_tile(verdict, e, log, report))
    return;
  if (strcmp(text_at(report, "space"), "shared") == 0)
    verdict_cause(verdict, "no thread has stored this element before: either the loads do not fill "
                           "the whole array, or an index or loop goes on behind what they filled");
  else if (strcmp(text_at(report, "buffer"), e->name) == 0)
    verdict_cause(verdict,
                  "%s is only stored, and holds nothing before: begin the sum with 0 and "
                  "store it with =, not +=",
                  e->name);
}

/* A copy of so many bytes as another matrix has. */
static void blame_size(Verdict *verdict, const Expected *e) {
  static const char there[] = " bytes are there, ";
  const char *at = strstr(verdict->headline, there), *begin = at;
  while (begin && begin > verdict->headline && isdigit((unsigned char)begin[-1]))
    begin--;
  size_t has = at ? strtoul(begin, NULL, 10) : 0;
  size_t asked = at ? strtoul(at + strlen(there), NULL, 10) : 0;
  const Operand *all = e->instance.problem->operands;
  const Operand *right = NULL, *wrong = NULL;
  for (int i = 0; at && i <= problem_inputs(e->instance.problem); i++) {
    right = operand_bytes(&e->instance, i) == has ? &all[i] : right;
    wrong = operand_bytes(&e->instance, i) == asked ? &all[i] : wrong;
  }
  if (right && wrong)
    verdict_cause(verdict, "%zu bytes has %s, and %zu bytes %s: each has a size of its own", asked,
                  wrong->name, has, right->name);
}

/* A kernel's arguments are the operands, in their order: has the buffer behind one as many bytes as it? */
static bool blame_buffer(Verdict *verdict, const Expected *e, const json_t *report) {
  const char *bytes = strstr(verdict->headline, " bytes)"), *detail = text_at(report, "detail");
  const char *argument = strstr(detail, "from argument ");
  int which = argument ? (int)strtol(argument + strlen("from argument "), NULL, 10) - 1 : -1;
  while (bytes && bytes > verdict->headline && isdigit((unsigned char)bytes[-1]))
    bytes--;
  if (!bytes || which < 0 || which > problem_inputs(e->instance.problem))
    return false;
  const Operand *all = e->instance.problem->operands;
  const size_t has = strtoul(bytes, NULL, 10), right = operand_bytes(&e->instance, which);
  if (has == 0 || has == right)
    return false;
  verdict_cause(verdict, "the buffer for %s has %zu bytes, and %s has %zu: elements times %s",
                all[which].name, has, all[which].name, right,
                e->instance.element_bytes == sizeof(double) && 2 * has == right
                    ? "sizeof(real), which is 8 in double, not sizeof(float)"
                    : "sizeof(real)");
  return true;
}

/* Shared memory for a whole operand. */
static void blame_tiles(Verdict *verdict, const Expected *e) {
  static const char words[] = " bytes of dynamic shared memory";
  size_t asked = strtoul(verdict->headline, NULL, 10);
  for (int i = 0; i < problem_inputs(e->instance.problem); i++)
    if (strstr(verdict->headline, words) && operand_bytes(&e->instance, i) == asked)
      verdict_cause(verdict,
                    "so many bytes has all of %s: the block needs no more at a time than a tile of "
                    "it, an element for each of its threads, which every phase fills anew",
                    e->instance.problem->operands[i].name);
}

/* The observers' own words are made for any kernel. */
bool judge_report(Verdict *verdict, const Expected *e, const Log *log) {
  const Subject *subject = e->subject;
  char on_output[64];
  if (verdict_report(verdict, log, "error"))
    return true;
  const json_t *report = log_report(log, "error");
  bool race = verdict_is_race(verdict);
  bool outside = verdict->kind == VERDICT_OUT_OF_BOUNDS;
  snprintf(on_output, sizeof on_output, " on %s,", e->name);
  if (outside)
    blame_outside(verdict, e, log, report);
  else if (verdict->kind == VERDICT_UNINITIALISED && subject->not_stored &&
           strcmp(text_at(report, "buffer"), subject->stores) == 0)
    judge_not_stored(verdict, e, log, report);
  else if (verdict->kind == VERDICT_UNINITIALISED)
    blame_undefined(verdict, e, log, report);
  blame_size(verdict, e);
  if (verdict->kind == VERDICT_LAUNCH)
    blame_tiles(verdict, e);
  if (subject->blame)
    subject->blame(&e->instance, report, verdict);
  if (race && arrays_overlap(log))
    verdict_cause(
        verdict,
        "two stores of different lines hit the same word: does an index run past the end of its "
        "array into the next one, or has an array too few rows?");
  if (race && is_one_number(e, log))
    verdict_cause(verdict,
                  "this is one number for the whole block, and each thread writes it: what "
                  "belongs to a thread is not __shared__");
  if (e->run->own_launch && (race || outside) && subject->launched_wrongly &&
      verdict->kind != VERDICT_RACE_STREAMS && !(outside && blame_buffer(verdict, e, report)))
    verdict_cause(verdict, "%s", subject->launched_wrongly);
  else if (race && strstr(verdict->headline, on_output) && subject->stored_twice)
    verdict_cause(verdict, "%s", subject->stored_twice);
  return false;
}

/* The host's heap after a copy of more bytes than it has there. */
void blame_copy(Verdict *verdict, const Expected *e, const Log *log) {
  const json_t *report = log_report(log, "unwritten-copy");
  const char *of = strstr(text_at(report, "sentence"), " of the ");
  double bytes = of ? strtod(of + strlen(" of the "), NULL) : 0;
  double right = (double)(e->rows * e->columns * e->instance.element_bytes);
  if (verdict->kind != VERDICT_CRASH || !e->run->own_launch || bytes <= right)
    return;
  char place[200];
  place_format(place, sizeof place, text_at(report, "file"), (int)number_at(report, "line"));
  verdict_line(verdict, place, "%.0f bytes are copied to the host here, %s has %.0f there", bytes,
               e->name, right);
  verdict_cause(verdict, "a copy takes as many bytes as elements times sizeof(real): what lies "
                         "behind the end belongs to others");
  for (int i = 0; i < problem_inputs(e->instance.problem); i++)
    if (bytes == (double)operand_bytes(&e->instance, i))
      verdict_cause(verdict, "so many bytes has %s: %s has a size of its own",
                    e->instance.problem->operands[i].name, e->name);
}
