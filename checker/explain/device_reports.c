/* Adds causes to the reports of the emulated device's observers. The observers' own sentences fit
 * any kernel; the causes here are for the kernels of the labs. */
#include "explain/judge.h"

#include <stdlib.h>
#include <string.h>

/* Returns true if stores in different lines write the same word of shared memory. In this case two
 * arrays overlap, and a barrier would not help. */
static bool arrays_overlap(const Log *log) {
  const json_t *report = log_report(log, "error");
  return strcmp(text_at(report, "space"), "shared") == 0 &&
         json_is_true(json_object_get(report, "wrote")) &&
         json_is_true(json_object_get(report, "other_wrote")) &&
         number_at(report, "line") != number_at(report, "other_line");
}

/* Returns true if the race is on a variable in shared memory that holds one element only. */
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

/* Returns true if an index of 16 bits, in elements or in rows, has wrapped around from 32767 to
 * -32768. */
static bool wrapped_around(const Expected *e, const json_t *report) {
  long long element = json_integer_value(json_object_get(report, "elements_before")), rows = 0;
  for (int i = 0; i < problem_sizes(e->instance.problem); i++)
    rows += element == 32768LL * e->instance.size[i];
  return element == 32768 || (element && rows);
}

/* Explains a read of values that other kernels have to store. If no other kernel stores anything,
 * the verdict says that these kernels are not begun. */
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
    verdict->fact_count = 0;
    verdict_set(verdict, VERDICT_UNWRITTEN, SAID(NONE_WRITTEN_BY_KERNEL, subject->stores, other));
    verdict_cause(verdict, SAID(OTHER_KERNEL_NOT_BEGUN, other, phrase(subject->not_stored)));
  } else {
    verdict_cause(verdict, said_plain(others == 0          ? subject->read_back
                                      : e->run->own_launch ? subject->grid_too_small
                                                           : subject->not_stored));
  }
}

/* Returns true if the dynamic shared memory is smaller than one element for each thread. Then the
 * launch passes the number of elements instead of bytes. */
static bool launched_in_elements(const Expected *e, const Log *log, const json_t *report) {
  const char *kernel = text_at(report, "kernel");
  double threads = log_counter(log, kernel, "threads") / log_counter(log, kernel, "blocks");
  double bytes = log_shared_bytes(log, kernel);
  return log_dynamic_bytes(log, kernel) == bytes && bytes > 0 &&
         bytes < threads * (double)e->instance.element_bytes;
}

/* Tells whether the element of a thread is inside the output, for blocks with a thread for each
 * element of a tile. EITHER: the answer depends on whether x is the column or the row. */
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
  /* Some kernels use a warp for each row. */
  if (threads >= 32 * (double)e->rows)
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

/* Returns true if a guard exchanges the two sizes of the output. The output of a product has m rows
 * and n columns. With n > m, such a guard admits m·(n - m) threads that read k elements each in
 * rows of A that do not exist. Without a guard, or with a guard for rows only, more threads read
 * outside. */
static bool guard_sizes_exchanged(const Expected *e, const Log *log, const json_t *report) {
  const Instance *instance = &e->instance;
  if (instance->problem != &matmul_problem || e->columns <= e->rows ||
      log_shared_bytes(log, text_at(report, "kernel")) > 0 ||
      strcmp(text_at(report, "buffer"), instance->problem->operands[MATMUL_A].name) != 0)
    return false;
  const double threads = (double)e->rows * (double)(e->columns - e->rows);
  return number_at(report, "times") == threads * instance->size[MATMUL_K];
}

/* Explains a load past an edge of a matrix. Thread (x, y) of a block of TILE×TILE threads loads
 * element (y, x) of a tile. For A, `own` is the row of the loaded element and `owns` the number of
 * rows. For B, they are the column and the number of columns. `other` is the coordinate along k. */
static bool blame_edge(Verdict *verdict, bool of_a, size_t own, size_t owns, size_t other,
                       size_t k) {
  if (own >= owns)
    verdict_cause(verdict, of_a ? SAID(TILE_PAST_A_ROWS, own, owns - 1)
                                : SAID(TILE_PAST_B_COLUMNS, own, owns - 1));
  else if (other >= k)
    verdict_cause(verdict, of_a ? SAID(TILE_PAST_A_COLUMNS, other, k - 1)
                                : SAID(TILE_PAST_B_ROWS, other, k - 1));
  return own >= owns || other >= k;
}

/* Explains a load of a tile past an edge of its matrix, in labs 02 and 03. Returns false if the
 * thread does not load this element in any step. */
static bool blame_tile_load(Verdict *verdict, const Expected *e, const Log *log,
                            const json_t *report) {
  enum { TILE = 32 };
  const char *kernel = text_at(report, "kernel"), *buffer = text_at(report, "buffer");
  const bool of_a = strcmp(buffer, "A") == 0;
  if ((!of_a && strcmp(buffer, "B") != 0) || !e->subject->sums || e->columns == 1 ||
      json_object_get(report, "elements_before") || !log_block_is(log, kernel, TILE, TILE) ||
      !(log_shared_bytes(log, kernel) > 0))
    return false;
  const size_t element = (size_t)number_at(report, "element");
  const size_t k = (size_t)e->instance.size[MATMUL_K];
  const size_t x = coordinate(report, "thread", 0), y = coordinate(report, "thread", 1);
  const size_t row = TILE * coordinate(report, "block", 1) + y;
  const size_t column = TILE * coordinate(report, "block", 0) + x;
  const size_t other = of_a               ? element - row * k
                       : element < column ? 0
                                          : (element - column) / e->columns;
  const bool at_step = of_a ? element >= row * k && other % TILE == x
                            : other * e->columns + column == element && other % TILE == y;
  return at_step && other < CEIL_DIV(k, (size_t)TILE) * TILE &&
         blame_edge(verdict, of_a, of_a ? row : column, of_a ? e->rows : e->columns, other, k);
}

static void blame_outside(Verdict *verdict, const Expected *e, const Log *log,
                          const json_t *report) {
  Side side = own_element(e, log, report);
  if (strcmp(text_at(report, "space"), "shared") == 0) {
    if (launched_in_elements(e, log, report))
      verdict_cause(verdict, SAID(SHARED_BYTES_IN_ELEMENTS,
                                  log_shared_bytes(log, text_at(report, "kernel"))));
    else if (log_shared_bytes(log, text_at(report, "kernel")) > 0)
      verdict_cause(verdict, SAID(INDEX_PAST_ARRAY));
  } else if (wrapped_around(e, report))
    verdict_cause(verdict, SAID(SIXTEEN_BITS));
  else if (blame_tile_load(verdict, e, log, report))
    return;
  else if (side == SIDE_UNKNOWN && json_object_get(report, "row"))
    verdict_cause(verdict, SAID(ROW_OR_COLUMN_OUTSIDE));
  else if (side == SIDE_INSIDE)
    verdict_cause(verdict, SAID(OWN_ELEMENT_INSIDE, e->name));
  else if (side == SIDE_OUTSIDE && log_shared_bytes(log, text_at(report, "kernel")) > 0 &&
           strcmp(text_at(report, "buffer"), e->name) != 0)
    /* Threads outside of the output still have to load tiles and to reach the barriers. */
    verdict_cause(verdict, SAID(OUTSIDE_BUT_GOES_ON, text_at(report, "buffer")));
  else if (side == SIDE_OUTSIDE)
    verdict_cause(verdict, SAID(OWN_ELEMENT_OUTSIDE, e->name));
  else if (side == SIDE_EITHER && guard_sizes_exchanged(e, log, report))
    verdict_proven(verdict, SAID(GUARD_SIZES_EXCHANGED));
  else if (side == SIDE_EITHER)
    verdict_cause(verdict, SAID(OWN_ELEMENT_EITHER, e->name));
}

/* Explains an unwritten element of a tile, in lab 02. There a block has a thread for each element
 * of the tiles As and Bs, which have the layout of their matrices. Either the element is outside of
 * the matrix, or its thread did not load it because the thread has no element of C. */
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
  /* If k > TILE, the first step has filled the whole tile, so only elements beyond k stay
   * unwritten. */
  size_t k = (size_t)e->instance.size[MATMUL_K];
  bool idle = above + y >= e->rows || left + x >= e->columns;
  bool missing = of_a ? above + y >= e->rows || x >= k : left + x >= e->columns || y >= k;
  if (missing)
    verdict_cause(verdict, SAID(PLACE_NEEDS_ZERO, y, x, buffer));
  else if (idle)
    verdict_cause(verdict, SAID(PLACE_OF_IDLE_THREAD, y, x, buffer, x, y, e->name));
  if (missing || idle)
    verdict->certainty = CERTAINTY_PROVEN;
  return missing || idle;
}

/* Explains a read of a buffer that was never filled. The student's buffers have no names, but the
 * parameters of a kernel are the operands in their order. If a part of the buffer was filled, the
 * detail of the report says so. */
static bool blame_unfilled(Verdict *verdict, const Expected *e, const json_t *report) {
  const int which = (int)number_at(report, "argument") - 1;
  char place[200];
  if (!e->run->own_launch || !e->subject->launched_wrongly || text_at(report, "detail")[0] ||
      which < 0 || which >= problem_inputs(e->instance.problem))
    return false;
  const char *name = e->instance.problem->operands[which].name;
  place_format(place, sizeof place, text_at(report, "made_file"),
               (int)number_at(report, "made_line"));
  if (place[0])
    verdict_fact(verdict, place, SAID(BUFFER_ALLOCATED, name));
  verdict_cause(verdict, SAID(BUFFER_NOT_FILLED, name, which + 1));
  return true;
}

static void blame_undefined(Verdict *verdict, const Expected *e, const Log *log,
                            const json_t *report) {
  if (blame_tile(verdict, e, log, report) || blame_unfilled(verdict, e, report))
    return;
  if (strcmp(text_at(report, "space"), "shared") == 0)
    verdict_cause(verdict, SAID(SHARED_NOT_STORED));
  else if (strcmp(text_at(report, "buffer"), e->name) == 0)
    verdict_cause(verdict, SAID(OUTPUT_READ_FIRST, e->name));
}

/* Adds a cause if a copy has the size of another operand. */
static void blame_size(Verdict *verdict, const Expected *e, const json_t *report) {
  size_t has = (size_t)number_at(report, "bytes_there"), asked = (size_t)number_at(report, "bytes");
  const Operand *all = e->instance.problem->operands;
  const Operand *right = NULL, *wrong = NULL;
  for (int i = 0; has && asked && i <= problem_inputs(e->instance.problem); i++) {
    right = operand_bytes(&e->instance, i) == has ? &all[i] : right;
    wrong = operand_bytes(&e->instance, i) == asked ? &all[i] : wrong;
  }
  if (right && wrong)
    verdict_cause(verdict, SAID(COPY_OF_OTHER_SIZE, asked, wrong->name, has, right->name));
}

/* Adds a cause if a buffer does not have the size of its operand. A kernel's arguments are the
 * operands in their order. */
static bool blame_buffer(Verdict *verdict, const Expected *e, const json_t *report) {
  const int which = number_at(report, "argument") - 1;
  const size_t has = (size_t)number_at(report, "bytes_there");
  if (has == 0 || which < 0 || which > problem_inputs(e->instance.problem))
    return false;
  const Operand *operand = &e->instance.problem->operands[which];
  const size_t right = operand_bytes(&e->instance, which);
  if (has == right)
    return false;
  verdict_cause(verdict, SAID(BUFFER_OF_OTHER_SIZE, operand->name, has, operand->name, right,
                              phrase(e->instance.element_bytes == sizeof(double) && 2 * has == right
                                         ? SAY_SIZEOF_REAL_IN_DOUBLE
                                         : SAY_SIZEOF_REAL)));
  return true;
}

/* Adds a cause if a launch asks for shared memory of the size of a whole operand. */
static void blame_tiles(Verdict *verdict, const Expected *e, const json_t *report) {
  size_t asked = (size_t)number_at(report, "bytes");
  for (int i = 0; asked && i < problem_inputs(e->instance.problem); i++)
    if (operand_bytes(&e->instance, i) == asked)
      verdict_cause(verdict, SAID(TILE_OF_WHOLE_OPERAND, e->instance.problem->operands[i].name));
}

/* Returns true if no observer reported a mistake. Otherwise fills in the verdict and adds the
 * causes. */
bool judge_report(Verdict *verdict, const Expected *e, const Log *log) {
  const Subject *subject = e->subject;
  if (verdict_report(verdict, log, "error"))
    return true;
  const json_t *report = log_report(log, "error");
  bool race = verdict_is_race(verdict);
  bool outside = verdict->kind == VERDICT_OUT_OF_BOUNDS;
  if (outside)
    blame_outside(verdict, e, log, report);
  else if (verdict->kind == VERDICT_UNINITIALISED && subject->not_stored &&
           strcmp(text_at(report, "buffer"), subject->stores) == 0)
    judge_not_stored(verdict, e, log, report);
  else if (verdict->kind == VERDICT_UNINITIALISED)
    blame_undefined(verdict, e, log, report);
  blame_size(verdict, e, report);
  if (verdict->kind == VERDICT_LAUNCH)
    blame_tiles(verdict, e, report);
  if (subject->blame)
    subject->blame(&e->instance, report, verdict);
  if (race && arrays_overlap(log))
    verdict_cause(verdict, SAID(ARRAYS_OVERLAP));
  if (race && is_one_number(e, log))
    verdict_cause(verdict, SAID(ONE_NUMBER_PER_BLOCK));
  if (e->run->own_launch && (race || outside) && subject->launched_wrongly &&
      verdict->kind != VERDICT_RACE_STREAMS && !(outside && blame_buffer(verdict, e, report)))
    verdict_cause(verdict, said_plain(subject->launched_wrongly));
  else if (race && strcmp(text_at(report, "buffer"), e->name) == 0 && subject->stored_twice)
    verdict_cause(verdict, said_plain(subject->stored_twice));
  return false;
}

/* Explains a crash of the host after a copy that was larger than the output and so overwrote the
 * heap. */
void blame_copy(Verdict *verdict, const Expected *e, const Log *log) {
  const json_t *report = log_report(log, "unwritten-copy");
  double bytes = number_at(report, "bytes");
  double right = (double)(e->rows * e->columns * e->instance.element_bytes);
  if (verdict->kind != VERDICT_CRASH || !e->run->own_launch || bytes <= right)
    return;
  char place[200];
  place_format(place, sizeof place, text_at(report, "file"), (int)number_at(report, "line"));
  verdict_fact(verdict, place, SAID(BYTES_COPIED_BACK, bytes, e->name, right));
  verdict_cause(verdict, SAID(COPY_COUNTS_BYTES));
  for (int i = 0; i < problem_inputs(e->instance.problem); i++)
    if (bytes == (double)operand_bytes(&e->instance, i))
      verdict_cause(verdict, SAID(BYTES_OF_OTHER, e->instance.problem->operands[i].name, e->name));
}
