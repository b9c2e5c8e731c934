/* The tasks of lab 01, the naive matrix product, and their checks. Tasks 1 to 3 and the first part
 * of task 8 use kernels that double each element. Tasks 4 and 5 and the second part of task 8 check
 * the product, which the harness launches. Task 6 checks the student's host code. Task 7 compares
 * predictions with the cost of the addresses. */
#include "explain/explain.h"
#include "grade/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"

enum { PARAMETER_A, PARAMETER_B, PARAMETER_C };
enum { TILE = 32 }; /* rows and columns of a block, as in naive.cu */
enum { TASK_INDEX = 1, TASK_GUARD, TASK_PLACE, TASK_PRODUCT, TASK_EDGES, TASK_HOST, TASK_PREDICT };

/* ---- the element of a thread -------------------------------------------------------------- */

/* A thread: its block (bx, by), its position (tx, ty) in the block, the size of the grid in blocks
 * (gx, gy) and of a block in threads (width, height). */
typedef struct Thread {
  long bx, by, tx, ty, gx, gy, width, height;
} Thread;

typedef struct Element {
  long row, column;
} Element;

typedef struct Misplaced {
  Element (*element)(const Thread *);
  SayId says;
} Misplaced;

#define ELEMENT(id, row_, column_)                                                                 \
  static Element element_##id(const Thread *p) {                                                   \
    const long bx = p->bx, by = p->by, tx = p->tx, ty = p->ty, gx = p->gx;                         \
    const long width = p->width, height = p->height;                                               \
    (void)bx, (void)by, (void)tx, (void)ty, (void)gx, (void)width, (void)height;                   \
    return (Element){row_, column_};                                                               \
  }
#define INDEX(id, i) ELEMENT(id, i, 0)
#define PLACE(id, row, column) ELEMENT(id, row, column)
#include "tasks/01-naive.mistakes.def"

#define INDEX(id, i) {element_##id, SAY_##id},
#define PLACE(id, row, column)
static const Misplaced indices[] = {
#include "tasks/01-naive.mistakes.def"
};
#define INDEX(id, i)
#define PLACE(id, row, column) {element_##id, SAY_##id},
static const Misplaced places[] = {
#include "tasks/01-naive.mistakes.def"
};

/* Returns the first thread of a launch with one thread for each element, in blocks of width ×
 * height threads. */
static Thread launch_of(long columns, long rows, long width, long height) {
  return (Thread){.width = width,
                  .height = height,
                  .gx = CEIL_DIV(columns, width),
                  .gy = CEIL_DIV(rows, height)};
}

/* Advances to the next thread of the launch. Returns false after the last thread. */
static bool next_thread(Thread *p) {
  if (++p->tx < p->width)
    return true;
  p->tx = 0;
  if (++p->ty < p->height)
    return true;
  p->ty = 0;
  if (++p->bx < p->gx)
    return true;
  p->bx = 0;
  return ++p->by < p->gy;
}

/* Returns true if the threads, with this mistake, store exactly the elements that are not in
 * `missing`. */
static bool leaves_out(const Misplaced *m, Thread p, Shape all, const unsigned char *missing) {
  unsigned char *stored = calloc(all.rows * all.columns, 1);
  bool same = stored != NULL;
  do {
    const Element e = m->element(&p);
    if (stored && e.row >= 0 && e.column >= 0 && e.row < (long)all.rows &&
        e.column < (long)all.columns)
      stored[(size_t)e.row * all.columns + (size_t)e.column] = 1;
  } while (next_thread(&p));
  for (size_t at = 0; at < all.rows * all.columns && same; at++)
    same = stored[at] == !missing[at];
  free(stored);
  return same;
}

static Shape output_of(const Instance *instance) {
  return operand_shape(instance->problem, instance->size, problem_inputs(instance->problem));
}

static void blame_place(const Misplaced *all, size_t count, const Instance *instance, Thread first,
                        const unsigned char *missing, Verdict *verdict) {
  for (size_t i = 0; i < count; i++)
    if (leaves_out(&all[i], first, output_of(instance), missing)) {
      verdict_proven(verdict, said_plain(all[i].says));
      return;
    }
}

/* ---- tasks 1 and 2: a vector ----------------------------------------------------------------- */

enum { THREADS = 256 };                    /* threads of a block, as in lab.c */
#define GUARD_UNTOUCHED 0xb6c61fa31c96b2f1 /* "bool inside = true;" */

/* The margin is 0, because doubling is exact. */
static void no_margin(const Instance *instance, double *margin) {
  const Shape all = output_of(instance);
  memset(margin, 0, all.rows * all.columns * sizeof *margin);
}

static void index_unwritten(const Instance *instance, const unsigned char *missing,
                            Verdict *verdict) {
  const Shape all = output_of(instance);
  size_t count = 0;
  for (size_t at = 0; at < all.rows; at++)
    count += missing[at];
  if (count == 1 && missing[all.rows - 1])
    verdict_proven(verdict, SAID(GUARD_EXCLUDES_LAST));
  else
    blame_place(indices, sizeof indices / sizeof *indices, instance,
                launch_of(instance->size[0], 1, THREADS, 1), missing, verdict);
}

static long coordinate(const json_t *report, const char *of) {
  return (long)json_integer_value(json_array_get(json_object_get(report, of), 0));
}

/* Explains an access out of bounds. There are two causes: the guard does not exclude a thread
 * without an element, or the thread computes a wrong index. */
static void blame_index(const Instance *instance, const json_t *report, Verdict *verdict) {
  Thread p = launch_of(instance->size[0], 1, THREADS, 1);
  p.bx = coordinate(report, "block");
  p.tx = coordinate(report, "thread");
  const long before = (long)json_integer_value(json_object_get(report, "elements_before"));
  const long element = before ? -before : (long)number_at(report, "element");
  const long n = instance->size[0], own = p.bx * p.width + p.tx;
  if (verdict->kind != VERDICT_OUT_OF_BOUNDS || !json_object_get(report, "thread"))
    return;
  if (element == own && element == n && (n + 1) % THREADS &&
      number_at(report, "times") <= 2) /* one load and one store */
    verdict_proven(verdict, SAID(GUARD_LETS_N_IN));
  for (size_t i = 0; i < sizeof indices / sizeof *indices && element != own; i++)
    if (indices[i].element(&p).row == element) {
      verdict_proven(verdict, said_plain(indices[i].says));
      return;
    }
}

static const Problem vector_problem = {
    .formula = "out = 2·in, for n numbers",
    .size_names = {"n"},
    .operands = {{"in", 0, ONE, {1, 0}}, {"out", 0, ONE, {0, 0}}},
    .gold = gold_doubled,
};

static const Subject vector_subject = {
    .problem = &vector_problem,
    .margin = no_margin,
    .unwritten = index_unwritten,
    .blame = blame_index,
    .drawn_most = {9999},
    .drawn_work = 9999,
    .never_stored = SAY_DOUBLED_NEVER_STORED,
    .turned_away = SAY_DOUBLED_NOT_ALL_STORED,
    .stored_twice = SAY_DOUBLED_STORED_TWICE,
};

#define VECTOR(n)                                                                                  \
  {                                                                                                \
    .subject = &vector_subject, .variant = "scale", .size = { n }                                  \
  }

/* Checks that each element is stored once. The result does not show whether several threads store
 * the same value to an element, so the stores are counted. */
static void each_stored_once(Check *check, const JudgedRun *run, bool whole_blocks) {
  const double bytes = run->size[0] * (double)check_element_bytes(check);
  Trial trial;
  if (judged_right(check, run, &trial)) {
    const double stored = log_counter(&trial.log, "scale", "global_store_bytes");
    const double threads = log_counter(&trial.log, "scale", "threads");
    if (!check_gate(check, SAY_Q_BYTES_STORED, stored, bytes, bytes, NULL))
      verdict_cause(&check->verdict, stored >= threads * bytes ? SAID(THREAD_STORES_ALL)
                                     : whole_blocks            ? SAID(DOUBLED_SEVERAL_TIMES)
                                                               : SAID(DOUBLED_STORED_BY_SEVERAL));
  }
  trial_free(&trial);
}

/* Returns true if only the last element is missing and each other thread has stored its own element
 * once. If the index were shifted, the stores of a warp would touch more sectors. */
static bool only_last_excluded(Check *check, const JudgedRun *run) {
  const size_t n = (size_t)run->size[0], bytes = check_element_bytes(check);
  const Recipe recipe = {FILL_UNIFORM, check->settings->run.seed};
  Instance instance = instance_make(&vector_problem, run->size, bytes, recipe);
  Trial trial = judged_start(check, run, NULL);
  const ResultFile *output = &trial.output;
  instance_gold(&instance);
  bool held = trial.end.how == CHILD_EXITED && !log_report(&trial.log, "error") && output->there &&
              output->rows == n && output->states[n - 1] == ELEMENT_POISON &&
              log_counter(&trial.log, "scale", "global_store_bytes") == (double)((n - 1) * bytes) &&
              log_counter(&trial.log, "scale", "global_store_sectors") == (double)(n * bytes / 32);
  for (size_t at = 0; at + 1 < n && held; at++)
    held = output->states[at] == ELEMENT_VALUE && output->values[at] == instance.gold[at];
  trial_free(&trial);
  instance_free(&instance);
  return held;
}

/* Returns true if the index is right for all elements but the last. A guard that excludes the last
 * element is a mistake in task 2, not in task 1. */
static bool index_right_but_for_last(Check *check, const JudgedRun *runs, size_t count) {
  const SizeRange whole = {THREADS, THREADS, 20 * THREADS};
  const JudgedRun drawn = judged_drawn(check, (JudgedRun)VECTOR(0), &whole, whole.most);
  bool right = !check->settings->build.on_gpu && only_last_excluded(check, &drawn);
  for (size_t i = 0; i < count && right; i++)
    right = only_last_excluded(check, &runs[i]);
  return right;
}

/* Returns true if the guard, which is in the same kernel, may be the reason for missing elements:
 * the student has changed the guard, and no mistake in the index explains the missing elements. */
static bool guard_may_be_wrong(const Check *check) {
  const Verdict *verdict = &check->verdict;
  char *text = text_of_file(check->settings->paths.source);
  const bool written = text && gap_fingerprint(text, TASK_GUARD) != GUARD_UNTOUCHED;
  free(text);
  return written && verdict->kind == VERDICT_UNWRITTEN && verdict->certainty != CERTAINTY_PROVEN;
}

/* Task 1: checks the index at sizes that are multiples of the block. */
static void check_index(Check *check) {
  static const JudgedRun runs[] = {VECTOR(1024), VECTOR(256), VECTOR(2560)};
  const size_t count = sizeof runs / sizeof runs[0];
  const bool right = judged_all_right(check, runs, count);
  if (!right && check->verdict.cause.id == SAY_GUARD_EXCLUDES_LAST) {
    if (index_right_but_for_last(check, runs, count))
      memset(&check->verdict, 0, sizeof check->verdict);
    else
      verdict_cause(&check->verdict, SAID(DOUBLED_NOT_ALL_STORED));
  }
  if (right && !check->settings->build.on_gpu)
    each_stored_once(check, &runs[0], true);
  else if (!right && guard_may_be_wrong(check))
    verdict_fact(&check->verdict, "", SAID(GUARD_SEEN_IN_INDEX));
}

/* Task 2: checks the guard. A thread outside may store the correct value to the last element again,
 * so the stores are counted, too. */
static void check_guard(Check *check) {
  static const JudgedRun runs[] = {VECTOR(1000), VECTOR(257), VECTOR(255),
                                   VECTOR(1),    VECTOR(512), VECTOR(70000)};
  const SizeRange range = {THREADS + 1, 1, 10 * THREADS};
  if (!judged_all_right(check, runs, sizeof runs / sizeof runs[0]) || check->settings->build.on_gpu)
    return;
  const JudgedRun run = judged_drawn(check, (JudgedRun)VECTOR(0), &range, range.most);
  each_stored_once(check, &run, false);
}

/* ---- tasks 3 and 8: a matrix ----------------------------------------------------------------- */

enum { WIDTH = 32, HEIGHT = 8 }; /* a block of scale_matrix, as in lab.c */

static void place_unwritten(const Instance *instance, const unsigned char *missing,
                            Verdict *verdict) {
  blame_place(places, sizeof places / sizeof *places, instance,
              launch_of(instance->size[1], instance->size[0], WIDTH, HEIGHT), missing, verdict);
}

static const Problem matrix_problem = {
    .formula = "out = 2·in, for m rows of n numbers",
    .size_names = {"m", "n"},
    .operands = {{"in", 0, 1, {1, 2}}, {"out", 0, 1, {0, 0}}},
    .gold = gold_doubled,
};

static const Subject place_subject = {
    .problem = &matrix_problem,
    .margin = no_margin,
    .unwritten = place_unwritten,
    .drawn_most = {300, 300},
    .drawn_work = 40000,
    .never_stored = SAY_DOUBLED_NEVER_STORED,
    .turned_away = SAY_DOUBLED_NOT_ALL_STORED,
    .stored_twice = SAY_DOUBLED_STORED_TWICE,
};

/* The subject of the first part of task 8. */
static const Subject turned_subject = {
    .problem = &matrix_problem,
    .margin = no_margin,
    .drawn_most = {300, 300},
    .drawn_work = 40000,
    .never_stored = SAY_DOUBLED_NEVER_STORED,
    .turned_away = SAY_TURNED_NOT_ALL_STORED,
    .stored_twice = SAY_DOUBLED_STORED_TWICE,
};
#define TURNED(m, n)                                                                               \
  {                                                                                                \
    .subject = &turned_subject, .variant = "turned", .size = { m, n }                              \
  }

static void check_place(Check *check) {
#define MATRIX(m, n)                                                                               \
  {                                                                                                \
    .subject = &place_subject, .variant = "matrix", .size = { m, n }                               \
  }
  static const JudgedRun runs[] = {MATRIX(64, 96), MATRIX(40, 160), MATRIX(96, 32),
                                   MATRIX(33, 70), MATRIX(5, 3),    MATRIX(1, 1)};
  judged_all_right(check, runs, sizeof runs / sizeof runs[0]);
}

/* ---- tasks 4 and 5: the product -------------------------------------------------------------- */

/* Sizes that are multiples of 32, so that no block reaches past an edge. */
static const ProductRun whole_products[] = {
    {.variant = "kernel", .m = 32, .k = 96, .n = 32},
    {.variant = "kernel", .m = 96, .k = 64, .n = 96},
};
enum { WHOLE_PRODUCTS = sizeof whole_products / sizeof whole_products[0] };

/* Judges a run of another task. If task 5 has failed, also accepts the result of a guard that
 * excludes the last row and column. */
static bool product_held(Check *check, const ProductRun *run, Trial *kept) {
  return check_task_failed(check, TASK_EDGES) ? product_right_inside(check, run, 0, kept)
                                              : product_right(check, run, kept);
}

/* Task 4: checks the product. A guard that excludes the last row or column is a mistake in task 5,
 * so in this case only the other elements are checked. */
static void check_product(Check *check) {
  if (product_all_right(check, whole_products, WHOLE_PRODUCTS))
    return;
  const Verdict seen = check->verdict;
  ProductRun drawn = product_drawn(check, "kernel", TILE, 1, true);
  drawn.n = drawn.m;
  memset(&check->verdict, 0, sizeof check->verdict);
  bool right = product_right_inside(check, &drawn, 0, NULL);
  for (size_t i = 0; i < WHOLE_PRODUCTS && right; i++)
    right = product_right_inside(check, &whole_products[i], 0, NULL);
  if (!right)
    check->verdict = seen;
}

/* Checks that threads outside of C store nothing. Such a thread may compute the nearest element at
 * the edge of C: the values are correct, but these elements are stored several times. k is 1,
 * because a sum that is stored after each term is a mistake in task 8. */
static void outside_is_idle(Check *check) {
  ProductRun run = product_drawn(check, "kernel", TILE, 1, false);
  run.m = 3 + run.m % 16;
  run.k = 1;
  Trial trial;
  double bytes = (double)(run.m * run.n * check_element_bytes(check));
  if (product_right(check, &run, &trial) &&
      !check_gate(check, SAY_Q_BYTES_STORED,
                  log_counter(&trial.log, "matmul", "global_store_bytes"), bytes, 2 * bytes, NULL))
    verdict_cause(&check->verdict, SAID(EDGE_STORED_BY_SEVERAL));
  trial_free(&trial);
}

/* Task 5: checks the edges of C. Task 4 accepts a wrong guard, so its runs are repeated here.
 * Runs whose sizes are multiples of 32 rule out causes that are not at the edges. */
static void check_edges(Check *check) {
  static const ProductRun runs[] = {
      {.variant = "kernel", .m = 32, .k = 96, .n = 32},
      {.variant = "kernel", .m = 96, .k = 64, .n = 96},
      {.variant = "kernel", .m = 33, .k = 33, .n = 33},
      {.variant = "kernel", .m = 32, .k = 96, .n = 64},
      {.variant = "kernel", .m = 31, .k = 13, .n = 40},
      {.variant = "kernel", .m = 96, .k = 40, .n = 13},
      {.variant = "kernel", .m = 13, .k = 1, .n = 65},
      {.variant = "kernel", .m = 9, .k = 333, .n = 40},
      {.variant = "kernel", .m = 1, .k = 1, .n = 1},
      {.variant = "kernel", .m = 2, .k = 33000, .n = 3}, /* k does not fit in a short */
      {.variant = "kernel", .m = 33, .k = 33, .n = 33, .fill = FILL_WHOLE},
  };
  if (product_all_right(check, whole_products, WHOLE_PRODUCTS) &&
      product_all_right(check, runs, sizeof runs / sizeof runs[0]) &&
      !check->settings->build.on_gpu)
    outside_is_idle(check);
}

/* Returns true if the kernel executed the multiply-adds of the product, which shows that it
 * computed the result. */
static bool launched(Check *check, const ProductRun *what, const Trial *trial) {
  const size_t idle = check_task_failed(check, TASK_EDGES); /* rows that a wrong guard excludes */
  double needed = 2.0 * (double)(what->m - idle) * (double)what->k * (double)(what->n - idle);
  double counted = log_counter(&trial->log, "matmul", "flop");
  if (check->settings->build.on_gpu || counted >= needed)
    return true;
  if (counted < 0)
    verdict_set(&check->verdict, VERDICT_NOT_LAUNCHED, SAID(NEVER_LAUNCHED_ONE));
  else
    verdict_set(&check->verdict, VERDICT_NOT_LAUNCHED, SAID(TOO_FEW_OPERATIONS, counted, needed));
  verdict_cause(&check->verdict, SAID(LAUNCH_THE_KERNEL));
  return false;
}

/* Returns true if the blocks have at least 32 threads and their number is not larger than needed.
 * Some wrong launches also give the right product, but have many blocks without an element: a grid
 * in elements, exchanged <<<block, grid>>>, or a grid of n / TILE + 1 blocks. */
static bool few_blocks(Check *check, const ProductRun *what, const Trial *trial) {
  double blocks = log_counter(&trial->log, "matmul", "blocks"), all = (double)(what->m * what->n);
  if (check->settings->build.on_gpu ||
      (blocks <= all / 32 && log_counter(&trial->log, "matmul", "threads") < 1.2 * all))
    return true;
  verdict_set(&check->verdict, VERDICT_TOO_MANY_BLOCKS,
              SAID(BLOCKS_LAUNCHED, blocks, ((what->m + 31) / 32) * ((what->n + 31) / 32)));
  verdict_cause(&check->verdict, SAID(GRID_THEN_BLOCK));
  check_again(check, "--variant %s --m %zu --k %zu --n %zu", what->variant, what->m, what->k,
              what->n);
  return false;
}

static bool copied_once(Check *check, const Trial *trial) {
  double in = log_copied_again(&trial->log, "to_device");
  double out = log_copied_again(&trial->log, "to_host");
  if (!(in > 0) && !(out > 0))
    return true;
  verdict_set(
      &check->verdict, VERDICT_COPIED_TWICE,
      SAID(BYTES_COPIED_TWICE, in > 0 ? in : out, phrase(in > 0 ? SAY_TO_THE_DEVICE : SAY_BACK)));
  verdict_cause(&check->verdict, SAID(COPY_ONCE));
  return false;
}

static const HostSide host_side = {.function = "matmul_on_device",
                                   .cause = SAY_BYTES_DO_NOT_FIT_INT};
/* Returns true if the harness's launch of the kernel gives the correct result at these sizes. */
static bool kernel_works(Check *check, ProductRun run) {
  const Verdict before = check->verdict;
  memset(&check->verdict, 0, sizeof check->verdict);
  run.variant = "kernel";
  run.own_launch = false;
  bool works = product_held(check, &run, NULL);
  check->verdict = before;
  return works;
}

/* Returns a run with sizes that are multiples of 32. The grid is not square, unless the kernel's
 * guard exchanges m and n. */
static ProductRun whole_blocks(Check *check) {
  ProductRun run = product_drawn(check, "host", TILE, 1, true);
  run.own_launch = true;
  run.n += run.n == run.m ? TILE : 0;
  if (check_task_failed(check, TASK_EDGES) && !kernel_works(check, run))
    run.n = run.m;
  return run;
}

/* Judges only the runs at whose sizes the kernel is right. At other sizes the guard of the kernel
 * may be wrong. */
static bool held_where_kernel_works(Check *check, const ProductRun *runs, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (kernel_works(check, runs[i]) && !product_held(check, &runs[i], NULL))
      return false;
  return true;
}

/* Judges the results of the host code. Sizes that are not multiples of 32 need the kernel's guard.
 * If the guard is wrong, only multiples of 32 are checked. */
static bool host_is_right(Check *check) {
  static const ProductRun unguarded[] = {
      {.variant = "host", .m = 64, .k = 64, .n = 64, .own_launch = true},
      {.variant = "host", .m = 96, .k = 40, .n = 32, .own_launch = true},
      {.variant = "host", .m = 32, .k = 31, .n = 96, .own_launch = true},
  };
  static const ProductRun ragged[] = {
      {.variant = "host", .m = 64, .k = 64, .n = 64, .own_launch = true},
      {.variant = "host", .m = 33, .k = 33, .n = 33, .own_launch = true},
      {.variant = "host", .m = 96, .k = 40, .n = 13, .own_launch = true},
      {.variant = "host", .m = 13, .k = 31, .n = 96, .own_launch = true},
      {.variant = "host", .m = 3, .k = 130, .n = 1100, .own_launch = true},
  };
  if (check_task_failed(check, TASK_EDGES))
    return held_where_kernel_works(check, unguarded, sizeof unguarded / sizeof unguarded[0]);
  return product_all_right(check, ragged, sizeof ragged / sizeof ragged[0]);
}

/* Judges runs in which the row or the column of a thread does not fit in a signed 16-bit
 * integer. */
static bool host_is_right_for_wide(Check *check) {
  static const ProductRun wide[] = {
      {.variant = "host", .m = 33000, .k = 2, .n = 1, .own_launch = true},
      {.variant = "host", .m = 1, .k = 2, .n = 33000, .own_launch = true},
  };
  return check_task_failed(check, TASK_EDGES) || product_all_right(check, wide, 2);
}

/* Returns true if a kernel was launched and the program ended. Otherwise the errors and sizes of
 * the host code cannot be checked. */
static bool has_launched(const Trial *trial) {
  return trial->end.how == CHILD_EXITED && log_counter(&trial->log, "matmul", "launches") > 0;
}

/* Task 6: checks the host code. Its parts are the result, the errors and the sizes in bytes. All
 * parts are checked, even if one part is wrong. */
static void check_host(Check *check) {
  /* In each run a different matrix has more bytes than 32 bits can count: first B, then A, then
   * C. */
  static const ProductRun large[] = {
      {.variant = "host", .m = 3, .k = 30000, .n = 40000, .own_launch = true},
      {.variant = "host", .m = 40000, .k = 30000, .n = 3, .own_launch = true},
      {.variant = "host", .m = 30000, .k = 3, .n = 40000, .own_launch = true},
  };
  const ProductRun whole = whole_blocks(check);
  Trial trial;
  const bool right = host_is_right(check);
  const Verdict seen = check->verdict;
  if (seen.kind == VERDICT_TIME_OUT) { /* leaves time for the other tasks */
    check_end_part(check);
    return;
  }
  const bool once_more = product_held(check, &whole, &trial) && launched(check, &whole, &trial) &&
                         few_blocks(check, &whole, &trial) && copied_once(check, &trial);
  if (!right)
    check->verdict = seen;
  else if (once_more)
    host_is_right_for_wide(check);
  check_end_part(check);
  if (!has_launched(&trial)) {
    trial_free(&trial);
    return;
  }
  product_host_tells(check, &host_side, &whole, &trial.log);
  check_end_part(check);
  for (size_t i = 0; i < sizeof large / sizeof large[0] && !verdict_failed(&check->verdict); i++)
    product_host_counts(check, &host_side, &large[i]);
  check_end_part(check);
  trial_free(&trial);
}

/* ---- counters ------------------------------------------------------------------------- */

typedef struct Traffic {
  /* The loads of A and of B, and the stores of C. */
  LogAccess a, b, c;
  /* The number of requests for A (and also for B) if each warp makes one for each term. */
  double loads;
  /* The number of sectors that C occupies. */
  double stored;
} Traffic;

/* Fills in the traffic of a run. Returns false if the product is wrong or cannot be measured. */
static bool measure(Check *check, const ProductRun *run, Traffic *traffic) {
  Trial trial;
  bool right = product_held(check, run, &trial);
  const Log *log = &trial.log;
  if (right && !product_counted(check, log, "matmul"))
    right = false;
  if (right && !(log_access(log, "matmul", PARAMETER_A, false, &traffic->a) &&
                 log_access(log, "matmul", PARAMETER_B, false, &traffic->b) &&
                 log_access(log, "matmul", PARAMETER_C, true, &traffic->c))) {
    verdict_set(&check->verdict, VERDICT_NO_COUNTERS, SAID(KERNEL_DOES_NOT_READ_AB));
    right = false;
  }
  traffic->loads = log_counter(log, "matmul", "threads") / 32 * (double)run->k;
  traffic->stored = ceil((double)(run->m * run->n * check_element_bytes(check)) / 32);
  trial_free(&trial);
  return right;
}

static double per_request(const LogAccess *access) { return access->sectors / access->requests; }

/* Returns the number of sectors that a warp touches when its lanes read 32 consecutive elements. */
static double sectors_of_neighbours(const Check *check) {
  return 32.0 * (double)check_element_bytes(check) / 32.0;
}

/* Returns the maximum number of sectors of A or B, with `each` sectors per request. 10 % more are
 * allowed for threads outside of C, because the harness launches a square grid, and for kernels
 * that load one term ahead. */
static double most_sectors(const Traffic *traffic, double each) {
  return 1.1 * traffic->loads * each;
}

static bool along_a_row(const Check *check, const Traffic *traffic, bool shifted) {
  double best = sectors_of_neighbours(check), row = best + shifted;
  return per_request(&traffic->a) <= 1 + shifted && per_request(&traffic->b) <= row &&
         per_request(&traffic->c) <= row &&
         traffic->a.sectors <= most_sectors(traffic, 1 + shifted) &&
         traffic->b.sectors <= most_sectors(traffic, row);
}

/* Gates for the sums of sectors. Additional loads that touch few sectors reduce the mean number of
 * sectors per request. So do 32 loads by one lane each in place of one load. But the sum of the
 * sectors does not become smaller. */
static void gate_sums(Check *check, const Traffic *traffic, bool shifted) {
  double best = sectors_of_neighbours(check), loads = traffic->loads;
  double stored = shifted ? INFINITY : traffic->stored;
  CHECK_GATES(check,
              {SAY_Q_SECTORS_STORED, traffic->c.sectors, traffic->stored, stored,
               SAY_STORED_SEVERAL_TIMES, &traffic->c},
              {SAY_Q_SECTORS_OF_A, traffic->a.sectors, loads, most_sectors(traffic, 1 + shifted),
               SAY_ONE_LOAD_PER_TERM, &traffic->a},
              {SAY_Q_SECTORS_OF_B, traffic->b.sectors, loads * best,
               most_sectors(traffic, best + shifted), SAY_ONE_LOAD_PER_TERM, &traffic->b});
}

/* Checks further costs: each element is stored once, however many terms its sum has, and no other
 * memory is used instead of loads from global memory. */
static bool gate_rest(Check *check, const ProductRun *run) {
  const TileCosts costs = tile_costs(run->m, run->k, run->n, check_element_bytes(check), 1, 1);
  Trial trial;
  bool held =
      product_held(check, run, &trial) && traffic_clean(check, &trial.log, "matmul", false, 0) &&
      (check_task_failed(check, TASK_EDGES) ||
       traffic_stored_once(check, &trial.log, "matmul", costs.stored, costs.stored_sectors));
  trial_free(&trial);
  return held;
}

static const char *const names[] = {"PREDICT_A_SECTORS_PER_REQUEST",
                                    "PREDICT_B_SECTORS_PER_REQUEST", NULL};
/* Returns the correct value of a prediction, in float: for one term, the 32 threads of a warp load
 * the same element of A (`of` is 0), or consecutive elements of a row of B (`of` is 1). */
static double true_sectors(size_t of) {
  return pattern_sectors(of == 0 ? 0 : sizeof(float), sizeof(float));
}

/* Checks the cost of the kernel that the student corrects: each element is loaded and stored once,
 * and each warp accesses consecutive elements of a row. */
static bool turned_back(Check *check, bool whole) {
  const char *kernel = "turned";
  const SizeRange sizes =
      whole ? (SizeRange){TILE, TILE, 10 * TILE} : (SizeRange){TILE + 1, 1, 10 * TILE};
  const JudgedRun run =
      judged_drawn(check, (JudgedRun)TURNED(0, 0), (const SizeRange[]){sizes, sizes}, 40000);
  const double m = run.size[0], n = run.size[1], each = sectors_of_neighbours(check);
  const double bytes = m * n * (double)check_element_bytes(check);
  const double most = each + (fmod(bytes / m, 32) != 0), sectors = m * ceil(n / 32) * most;
  LogAccess in = {.requests = 0};
  Trial trial;
  const Log *log = &trial.log;
  if (judged_right(check, &run, &trial) && traffic_traced(check, log, kernel, 1, "in and out") &&
      traffic_clean(check, log, kernel, false, 0)) {
    const bool loads = log_access(log, kernel, 0, false, &in);
    const double loaded = log_counter(log, kernel, "global_load_bytes");
    const double stored = log_counter(log, kernel, "global_store_bytes");
    if (CHECK_GATES(
            check, {SAY_Q_BYTES_STORED, stored, bytes, bytes, SAY_TURNED_SEVERAL_TIMES, NULL},
            {SAY_Q_SECTORS_PER_REQUEST_IN, loads ? per_request(&in) : 0, each, most,
             SAY_TURNED_DOWN_A_COLUMN, &in},
            {SAY_Q_BYTES_OF_IN, loaded, bytes, bytes, SAY_ONE_LOAD_PER_ELEMENT, &in},
            {SAY_Q_SECTORS_OF_IN, in.sectors, bytes / 32, sectors, SAY_ONE_LOAD_PER_ELEMENT, &in}))
      traffic_stored_once(check, log, kernel, bytes, sectors);
  }
  trial_free(&trial);
  return !verdict_failed(&check->verdict);
}

/* The first part of task 8: the given kernel `turned`, which the student corrects. */
static bool turned_is_right(Check *check) {
  static const JudgedRun runs[] = {TURNED(64, 96), TURNED(33, 70), TURNED(70, 33),
                                   TURNED(300, 5), TURNED(5, 300), TURNED(1, 1)};
  return judged_all_right(check, runs, sizeof runs / sizeof runs[0]) &&
         (check->settings->build.on_gpu || (turned_back(check, true) && turned_back(check, false)));
}

/* The second part of task 8: the student's product. */
static void check_orientation_of_product(Check *check) {
  static const ProductRun compared = {
      .variant = "kernel", .m = 96, .k = 64, .n = 96}; /* its work is compared in a class */
  ProductRun square = product_drawn(check, "kernel", TILE, 1, true), run = square;
  Traffic traffic;
  double best = sectors_of_neighbours(check);
  /* Columns that are a grid apart are consecutive if the grid has one block. */
  if (square.m < 2 * TILE)
    square.m = 2 * TILE;
  run.n = run.m = square.n = square.m;
  if (check->settings->build.on_gpu || !product_held(check, &compared, NULL) ||
      !measure(check, &square, &traffic))
    return;
  bool along = along_a_row(check, &traffic, false), guarded = !check_task_failed(check, TASK_EDGES);
  /* If C is not square like the harness's grid, the kernel needs the guard of task 5. */
  if (along && guarded)
    run = product_drawn(check, "kernel", TILE, 1, false);
  bool shifted = run.n != square.n || run.m != square.m;
  if (shifted && !measure(check, &run, &traffic))
    return;
  if (along && along_a_row(check, &traffic, shifted)) {
    square.m = square.n = TILE;
    square.k *= 16;
    if (gate_rest(check, &square))
      gate_rest(check, &run);
    return;
  }
  check_gate(check, SAY_Q_SECTORS_PER_REQUEST_A, per_request(&traffic.a), 1, 1 + shifted,
             &traffic.a);
  check_gate(check, SAY_Q_SECTORS_PER_REQUEST_B, per_request(&traffic.b), best, best + shifted,
             &traffic.b);
  check_gate(check, SAY_Q_SECTORS_PER_REQUEST_C, per_request(&traffic.c), best, best + shifted,
             &traffic.c);
  if (!verdict_failed(&check->verdict))
    gate_sums(check, &traffic, shifted);
  else if (per_request(&traffic.a) > 1 + shifted)
    verdict_cause(&check->verdict, SAID(X_WALKS_DOWN));
  else
    verdict_cause(&check->verdict, SAID(X_OWNS_APART));
}

static void check_orientation(Check *check) {
  if (turned_is_right(check))
    check_orientation_of_product(check);
}

static void check_predict(Check *check) {
  static const SayId what[] = {SAY_Q_SECTORS_PER_REQUEST_A, SAY_Q_SECTORS_PER_REQUEST_B};
  for (size_t i = 0; i < 2; i++)
    predict_check(check, names[i], what[i], true_sectors(i));
  if (verdict_failed(&check->verdict))
    verdict_cause(&check->verdict, SAID(COUNT_PIECES_OF_32));
}

static Task tasks[] = {
    {.title = "index", .untouched = 0x210d4a852755bef9, .check = check_index},
    {.title = "guard", .untouched = GUARD_UNTOUCHED, .needs = TASK_INDEX, .check = check_guard},
    {.title = "row and column", .untouched = 0x8b7eecb49ddd0777, .check = check_place},
    {.title = "product", .untouched = 0x8b7eecb49ddd0777, .check = check_product},
    {.title = "edges",
     .untouched = 0xb6c61fa31c96b2f1,
     .needs = TASK_PRODUCT,
     .check = check_edges},
    {.title = "host side",
     .untouched = UNTOUCHED_EMPTY,
     .needs = TASK_PRODUCT,
     .parts = {SAY_PART_RESULT, SAY_PART_ERRORS, SAY_PART_SIZES},
     .check = check_host},
    {.title = "predict", .predictions = names, .check = check_predict},
    {.title = "orientation",
     .untouched = 0x386752f28d5d207e,
     .needs = TASK_PRODUCT,
     .predict_first = TASK_PREDICT,
     .check = check_orientation,
     .counters = true,
     .timed = "kernel"},
};

SHEET(.name = "01-naive", .title = "naive matrix product", .baseline = 0,
      .untouched = 0xab9dbfbde37b1c0b, .timed_size = 1024, .tasks = tasks,
      .task_count = sizeof tasks / sizeof tasks[0])
