/* Tests that the counters of each line are right, and that the line with the mistake is the worst.
 *
 *   BUILD=build LADDERS="PROGRAM..." runs_test      programs that the tests build
 *
 * Solutions and the lecture's kernels have known counters. Each wrong solution of this test has one
 * line that makes it slow.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../profile.h"
#include "emulator/tests/scratch.h"

static const char *build;

/* ---- running --------------------------------------------------------------------------------- */
static Recording run(const char *program, const char *arguments) {
  char log[SCRATCH_MOST], command[4096];
  int file = scratch_file(log, "runs");
  assert_true(file >= 0);
  close(file);
  snprintf(command, sizeof command, "LOCKSTEP_LOG=%s LOCKSTEP_QUIET=1 %s %s >/dev/null", log,
           program, arguments);
  if (system(command) != 0)
    fail_msg("%s: failed", command);
  Recording r = recording_read(log);
  remove(log);
  if (r.damage[0] || !r.kernel_count)
    fail_msg("%s: %s", command, r.damage[0] ? r.damage : "no kernels in its log");
  return r;
}

static Recording run_built(const char *name, const char *arguments) {
  char program[500];
  snprintf(program, sizeof program, "%s/emulated-clang/%s.float --no-check --repeats 1", build,
           name);
  return run(program, arguments);
}

/* ---- looking up ------------------------------------------------------------------------------ */
static const Kernel *kernel_of(const Recording *r, const char *name) {
  for (size_t i = 0; i < r->kernel_count; i++)
    if (!strcmp(r->kernels[i].name, name))
      return &r->kernels[i];
  fail_msg("no kernel %s in the log", name);
  return NULL;
}

/* Returns the number of the first line, at or after `from`, that contains this text. */
static unsigned line_with(const char *path, unsigned from, const char *text) {
  Source s = source_read(path);
  unsigned line = from;
  while (line <= s.count && !strstr(s.lines[line - 1], text))
    line++;
  if (line > s.count)
    fail_msg("%s: no line with %s", path, text);
  source_free(&s);
  return line;
}

static Tally tally_at(const Recording *r, const char *kernel, unsigned line) {
  size_t count;
  Tally *lines = tally_lines(r, kernel_of(r, kernel), &count), found = {.line = 0};
  for (size_t i = 0; i < count; i++)
    if (lines[i].line == line)
      found = lines[i];
  free(lines);
  if (!found.line)
    fail_msg("%s has no numbers at line %u", kernel, line);
  return found;
}

static void expect_rate(const char *what, double got, double expected) {
  if (!(fabs(got - expected) < 1e-9))
    fail_msg("%s: %g, expected %g", what, got, expected);
}

/* ---- the lecture's ladder -------------------------------------------------------------------- */
static const char *const ladder_source = "common/emulator/tests/programs/ladder.cu";

static void check_naive(const Recording *r) {
  Tally t = tally_at(r, "naive<float>", line_with(ladder_source, 1, "sum += A["));
  expect_rate("naive: sectors per request", per_request(&t.global), 2.5);
  assert_int_equal(t.global.requests, 2 * 128 * 128 / LANES * 128);
}

/* The tiles are stored as [tx][ty]. All lanes access one bank; if rows have 33 elements, each lane
 * accesses a different bank. */
static void check_exchanged(const Recording *r, const char *kernel, double conflicts) {
  unsigned store = line_with(ladder_source, 1, "As[tx][ty] = A[");
  for (unsigned line = store; line <= store + 1; line++) {
    Tally t = tally_at(r, kernel, line);
    expect_rate("stores of a tile: conflicts per request", excess_per_request(&t.shared),
                conflicts);
    expect_rate("loads of a tile: sectors per request", per_request(&t.global), 4);
  }
  Tally t = tally_at(r, kernel, line_with(ladder_source, store, "sum += As["));
  expect_rate("loads from tiles: conflicts per request", excess_per_request(&t.shared),
              conflicts / 2); /* As[i][ty] is one word for the whole warp */
}

static void check_outputs(const Recording *r, const char *kernel, int outputs) {
  unsigned line = line_with(ladder_source, 1, "Bs[i][tx]");
  Tally t = tally_at(r, kernel, line);
  expect_rate("conflicts per request", excess_per_request(&t.shared), 0);
  assert_int_equal(t.shared.requests, 128 * 128 / LANES / outputs * 128);
}

static void ladder_numbers(void **state) {
  char *ladders = strdup(getenv("LADDERS"));
  (void)state;
  for (char *program = strtok(ladders, " "); program; program = strtok(NULL, " ")) {
    Recording r = run(program, "all 128 float");
    check_naive(&r);
    check_exchanged(&r, "smem_exchanged<float, 32>", 31);
    check_exchanged(&r, "smem_exchanged<float, 33>", 0);
    check_outputs(&r, "smem_outputs<float, 1>", 1);
    check_outputs(&r, "smem_outputs<float, 2>", 2);
    check_outputs(&r, "smem_outputs<float, 4>", 4);
    Findings f = rank(&r, NULL, 0);
    assert_true(f.count > 0 && f.items[0].kind == FINDING_CONFLICTS);
    assert_string_equal(f.items[0].kernel->name, "smem_exchanged<float, 32>");
    free(f.items);
    recording_free(&r);
  }
  free(ladders);
}

/* ---- the labs' solutions --------------------------------------------------------------------- */
static double real_at(const json_t *o, const char *key) {
  return json_number_value(json_object_get(o, key));
}

static json_int_t whole_at(const json_t *o, const char *key) {
  const json_t *value = json_object_get(o, key);
  assert_true(json_is_integer(value));
  return json_integer_value(value);
}

/* The sums over a kernel's lines equal its totals and its counters, and shares add up to 1. */
static void check_sums(const json_t *kernel) {
  const json_t *total = json_object_get(kernel, "total"), *c = json_object_get(kernel, "counters");
  json_int_t executed = 0, lanes = 0, sectors = 0, wavefronts = 0;
  double global = 0, shared = 0;
  size_t i;
  json_t *line;
  json_array_foreach(json_object_get(kernel, "lines"), i, line) {
    executed += whole_at(line, "inst_executed");
    lanes += whole_at(line, "thread_inst_executed");
    sectors += whole_at(line, "memory_l2_theoretical_sectors_global");
    wavefronts += whole_at(line, "memory_l1_wavefronts_shared");
    global += real_at(line, "global_traffic_share");
    shared += real_at(line, "shared_traffic_share");
  }
  assert_int_equal(executed, whole_at(c, "warp_instructions"));
  assert_int_equal(lanes, whole_at(c, "thread_instructions"));
  assert_int_equal(sectors, whole_at(c, "global_load_sectors") +
                                whole_at(c, "global_store_sectors") +
                                whole_at(c, "global_atomic_sectors"));
  assert_int_equal(sectors, whole_at(total, "memory_l2_theoretical_sectors_global"));
  assert_int_equal(wavefronts,
                   whole_at(c, "shared_load_wavefronts") + whole_at(c, "shared_store_wavefronts"));
  assert_int_equal(wavefronts - whole_at(total, "memory_l1_wavefronts_shared_ideal"),
                   whole_at(c, "shared_load_conflicts") + whole_at(c, "shared_store_conflicts"));
  assert_int_equal(whole_at(c, "smsp__inst_executed.sum"), executed);
  expect_rate("shares of global traffic", global, sectors ? 1 : 0);
  expect_rate("shares of shared traffic", shared, wavefronts ? 1 : 0);
}

static void solutions_add_up(void **state) {
  static const char *const labs[] = {"01-naive", "02-shared", "03-bank-conflicts",
                                     "04-ilp",   "05-matvec", "06-nbody"};
  (void)state;
  for (size_t i = 0; i < sizeof labs / sizeof *labs; i++) {
    char name[64];
    snprintf(name, sizeof name, "solutions/%s", labs[i]);
    Recording r = run_built(name, "--size 100");
    Findings f = rank(&r, NULL, 0);
    json_t *profile = profile_json(&r, NULL, &f), *kernel;
    size_t k;
    assert_int_equal(r.mistake_count, 0);
    json_array_foreach(json_object_get(profile, "kernels"), k, kernel) check_sums(kernel);
    json_decref(profile);
    free(f.items);
    recording_free(&r);
  }
}

/* One line of a solution with its expected sectors and conflicts per request; NaN: there are no
 * such requests. */
typedef struct Known {
  const char *lab, *file, *arguments, *kernel, *text;
  double sectors, conflicts;
} Known;

static const Known known[] = {
    {"01-naive", "naive.cu", "--variant kernel --size 64", "matmul", "sum += A[", 2.5, NAN},
    {"01-naive", "naive.cu", "--variant kernel --size 64", "matmul", "C[row * n", 4, NAN},
    {"02-shared", "shared.cu", "--variant shared --size 64", "matmul", "As[y][x] = ", 4, 0},
    {"02-shared", "shared.cu", "--variant shared --size 64", "matmul", "As[y][i] *", NAN, 0},
    {"03-bank-conflicts", "bank_conflicts.cu", "--size 64", "smem1", "As[tx][ty] =", NAN, 31},
    {"03-bank-conflicts", "bank_conflicts.cu", "--size 64", "smem1_double", "As[tx][ty] =", NAN,
     30},
    {"03-bank-conflicts", "bank_conflicts.cu", "--size 64", "smem3", "As[ty][tx] =", NAN, 0},
    {"04-ilp", "ilp.cu", "--size 64", "matmul_1", "Bs[tx][i]", NAN, 15.5},
    {"04-ilp", "ilp.cu", "--size 64", "matmul_4", "real b = Bs", NAN, 0},
    {"05-matvec", "matvec.cu", "--size 256", "matvec_naive", "sum += M[", 16.5, NAN},
    {"06-nbody", "nbody.cu", "--n 256", "accelerate", "Vector p = pull(r, R", 1, NAN},
};

static void same_rate(const Known *k, const char *what, double got, double expected) {
  if (isnan(expected) ? !isnan(got) : !(fabs(got - expected) < 1e-9))
    fail_msg("%s, %s, line with %s: %s per request %g, expected %g", k->lab, k->kernel, k->text,
             what, got, expected);
}

/* Returns the counters of the executed line that contains this text. */
static Tally executed_line(const Recording *r, const Known *k, const char *path) {
  size_t count;
  Tally *lines = tally_lines(r, kernel_of(r, k->kernel), &count), found = {.line = 0};
  Source s = source_read(path);
  for (size_t i = 0; i < count; i++) {
    const char *text = same_file(lines[i].file, path) ? source_line(&s, lines[i].line) : NULL;
    if (!found.line && text && strstr(text, k->text))
      found = lines[i];
  }
  source_free(&s);
  free(lines);
  if (!found.line)
    fail_msg("%s: %s executes no line with %s", path, k->kernel, k->text);
  return found;
}

static void known_lines(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const Known *k = &known[i];
    char name[64], path[128];
    snprintf(name, sizeof name, "solutions/%s", k->lab);
    snprintf(path, sizeof path, "solutions/%s/%s", k->lab, k->file);
    Recording r = run_built(name, k->arguments);
    Tally t = executed_line(&r, k, path);
    same_rate(k, "sectors", per_request(&t.global), k->sectors);
    same_rate(k, "conflicts", excess_per_request(&t.shared), k->conflicts);
    recording_free(&r);
  }
}

/* ---- wrong solutions ------------------------------------------------------------------------- */
typedef struct Wrong {
  const char *mutant, *arguments;
  FindingKind kind;
  /* A text in the worst line, and a text in the advice for it. */
  const char *text, *advice;
} Wrong;

static const Wrong wrong[] = {
    {"01-naive/row-column-exchanged", "--variant kernel", FINDING_UNCOALESCED, "sum += A[",
     "along a row of A"},
    {"03-bank-conflicts/pad-nothing", "--variant smem2", FINDING_CONFLICTS, "T b = Bs[tx][i]",
     "pad"},
    {"03-bank-conflicts/pad-only-bs", "--variant smem2", FINDING_CONFLICTS,
     "As[tx][ty] =", "rows of As"},
    {"03-bank-conflicts/exchange-only-loads", "--variant smem3", FINDING_CONFLICTS,
     "s[tx][ty] =", "exchange the indices"},
    {"04-ilp/sums-in-memory", "--variant smem5", FINDING_LOCAL, "sum[o] +=", "unroll"},
    {"05-matvec/lanes-in-chunks", "--variant warp", FINDING_UNCOALESCED, "sum += M[",
     "threadIdx.x"},
};

static void the_worst_line(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const Wrong *w = &wrong[i];
    char name[128], path[128];
    snprintf(name, sizeof name, "mutants/%s", w->mutant);
    snprintf(path, sizeof path, "%s/mutants/%s.cu", build, w->mutant);
    Recording r = run_built(name, w->arguments);
    Source s = source_read(path);
    Findings f = rank(&r, &s, 0);
    if (!f.count || f.items[0].kind != w->kind)
      fail_msg("%s: the worst is of kind %d, expected %d", w->mutant,
               f.count ? (int)f.items[0].kind : -1, (int)w->kind);
    const char *text = source_line(&s, f.items[0].line);
    Advice a = advise(&f.items[0], &s);
    if (!text || !strstr(text, w->text))
      fail_msg("%s: the worst line is %u: %s", w->mutant, f.items[0].line, text ? text : "?");
    if (!strstr(a.attempt, w->advice))
      fail_msg("%s: what to try is: %s", w->mutant, a.attempt);
    free(f.items);
    source_free(&s);
    recording_free(&r);
  }
}

/* Solutions have no mistakes, only possible improvements. Two patterns are intended: lab 04 stores
 * C four columns apart, and lab 05's naive kernel reads down a column. */
static void right_ones_are_left_alone(void **state) {
  static const char *const runs[][2] = {
      {"solutions/01-naive", "--size 128"},
      {"solutions/01-naive", "--size 100"}, /* rows do not begin at sector boundaries */
      {"solutions/02-shared", "--variant shared --size 128"},
      {"solutions/03-bank-conflicts", "--variant smem2 --size 128"},
      {"solutions/03-bank-conflicts", "--variant double3 --size 128"},
      {"solutions/04-ilp", "--variant smem5 --size 128"},
      {"solutions/04-ilp", "--variant 4x4 --size 128"},
      {"solutions/04-ilp", "--variant tile --size 128"},
      {"solutions/05-matvec", "--variant vector --size 1024"},
      {"solutions/06-nbody", "--n 512 --variant global"},
      {"solutions/06-nbody", "--n 512 --variant shared"},
      {"solutions/06-nbody",
       "--n 512 --variant fast"}, /* clang keeps the sums of variant expert in local memory */
  };
  (void)state;
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    Recording r = run_built(runs[i][0], runs[i][1]);
    Findings f = rank(&r, NULL, 0);
    for (size_t n = 0; n < f.count; n++)
      if (f.items[n].kind < FINDING_REPEATED)
        fail_msg("%s %s: line %u: %s", runs[i][0], runs[i][1], f.items[n].line,
                 advise(&f.items[n], NULL).what);
    free(f.items);
    recording_free(&r);
  }
}

/* The advice names partly filled warps, divergence, or both. */
static void causes_of_idle_lanes(void **state) {
  (void)state;
  static const struct {
    unsigned threads;
    double lanes;
    bool ragged, parted;
  } cases[] = {{48, 24, true, false},   {48, 12, true, true}, {64, 16, false, true},
               {33, 16.5, true, false}, {33, 8, true, true},  {1023, 16, false, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Kernel k = {.name = "k", .block = {cases[i].threads, 1, 1}};
    Finding f = {.kind = FINDING_IDLE_LANES, .kernel = &k, .now = cases[i].lanes, .ideal = LANES};
    Advice a = advise(&f, NULL);
    if (!!strstr(a.attempt, "a multiple of 32") != cases[i].ragged ||
        !!strstr(a.attempt, "same for whole warps") != cases[i].parted)
      fail_msg("%u threads, %g lanes: %s", cases[i].threads, cases[i].lanes, a.attempt);
    assert_true(a.why[strlen(a.why) - 1] == '.' || a.why[strlen(a.why) - 1] == ' ');
    assert_true(strlen(a.attempt) + 1 < sizeof a.attempt);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ladder_numbers),
      cmocka_unit_test(solutions_add_up),
      cmocka_unit_test(known_lines),
      cmocka_unit_test(the_worst_line),
      cmocka_unit_test(right_ones_are_left_alone),
      cmocka_unit_test(causes_of_idle_lanes),
  };
  build = getenv("BUILD") ? getenv("BUILD") : "build";
  if (!getenv("LADDERS")) {
    fprintf(stderr, "runs_test: set LADDERS to the ladder programs\n");
    return 2;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
