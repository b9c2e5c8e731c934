/* Tests the page and the order of the findings. The recording is built in this file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../profile.h"
#include "emulator/tests/scratch.h"

enum { TASK = 1, FIRST = 4, SECOND = 6, GIVEN = 12, LONG = 7 };

static const char *const text =
    "template <int N>\n"
    "__global__ void yours(const float *A, float *C, int n) {\n"
    "  // TODO(1): two lines with conflicts.\n"
    "  As[threadIdx.x][threadIdx.y] = A[0];\n"
    "\n"
    "\t\tsum += As[threadIdx.y][threadIdx.x]; // tabs, and … as well as ä, ö and ü in a comment\n"
    "                                                              far_to_the_right(and, long);\n"
    "  // END(1)\n"
    "}\n"
    "\n"
    "__global__ void given(const float *A, float *C, int n) {\n"
    "  C[threadIdx.x * n] = A[0];\n"
    "}\n";

/* ---- a recording ----------------------------------------------------------------------------- */
static char path[SCRATCH_MOST];

static Access shared_access(unsigned line, uint64_t conflicts) {
  return (Access){.file = path,
                  .line = line,
                  .op = "ld.shared.f32",
                  .space = SPACE_SHARED,
                  .bytes = 4,
                  .requests = 100,
                  .lanes = 3200,
                  .wavefronts = 100 + conflicts,
                  .ideal = 100};
}

static Access store_far_apart(unsigned line) {
  return (Access){.file = path,
                  .line = line,
                  .op = "st.global.f32",
                  .operation = OPERATION_STORE,
                  .bytes = 4,
                  .requests = 1000,
                  .lanes = 32000,
                  .sectors = 32000};
}

static Access yours[2], given[1];
static ExecutedLine your_lines[3], given_lines[1];
static Kernel kernels[3];

static Recording make(void) {
  yours[0] = shared_access(FIRST, 1000);
  yours[1] = shared_access(SECOND, 2000);
  given[0] = store_far_apart(GIVEN);
  your_lines[0] = (ExecutedLine){path, FIRST, 400, 12800};
  your_lines[1] = (ExecutedLine){path, SECOND, 400, 9600};
  your_lines[2] = (ExecutedLine){path, LONG, 40, 1280};
  given_lines[0] = (ExecutedLine){path, GIVEN, 4000, 128000};
  Kernel k = {.name = "yours<1>",
              .launches = 1,
              .grid = {1, 1, 1},
              .block = {32, 1, 1},
              .accesses = yours,
              .access_count = 2,
              .lines = your_lines,
              .line_count = 3,
              .counters = {.warp_instructions = 840, .thread_instructions = 23680}};
  kernels[0] = kernels[1] = k;
  strcpy(kernels[1].name, "yours<2>");
  kernels[2] = (Kernel){.name = "given",
                        .launches = 1,
                        .accesses = given,
                        .access_count = 1,
                        .lines = given_lines,
                        .line_count = 1,
                        .counters = {.warp_instructions = 4000, .thread_instructions = 128000}};
  return (Recording){.kernels = kernels, .kernel_count = 3, .banks = 4};
}

static int write_source(void **state) {
  (void)state;
  int file = scratch_file(path, "page");
  ssize_t length = (ssize_t)strlen(text);
  if (file < 0 || write(file, text, strlen(text)) != length)
    return -1;
  return close(file);
}

static int remove_source(void **state) {
  (void)state;
  return remove(path);
}

/* Returns the page as a string, which the caller frees. */
static char *page(const Recording *r, int width, bool colours, bool *shown) {
  char *out = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&out, &length);
  Source s = source_read(path);
  Findings f = rank(r, &s, 0);
  bool yes = annotate(stream, r, &s, &f, &(Page){"a title", "make lab99", width, colours});
  if (shown)
    *shown = yes;
  fclose(stream);
  free(f.items);
  source_free(&s);
  return out;
}

/* ---- the order ------------------------------------------------------------------------------- */
static void worst_first(void **state) {
  (void)state;
  Recording r = make();
  Source s = source_read(path);
  Findings f = rank(&r, &s, 0);
  assert_int_equal(f.count, 3);
  assert_int_equal(f.items[0].line, SECOND);
  assert_int_equal(f.items[1].line, FIRST);
  assert_int_equal(f.items[0].more_kernels, 1); /* in both instances of the template */
  assert_true(f.items[2].given && f.items[2].line == GIVEN);
  assert_true(f.items[2].avoidable > f.items[0].avoidable); /* larger, but in a given kernel */
  free(f.items);
  Findings all = rank(&r, NULL, 0); /* no student's source */
  assert_int_equal(all.items[0].line, GIVEN);
  free(all.items);
  source_free(&s);
}

/* Findings in kernels of the task come first, even if others cost more. */
static void kernels_of_a_task_lead(void **state) {
  (void)state;
  Recording r = make();
  Source s = source_read(path);
  Access more[2] = {yours[0], shared_access(SECOND, 3000)};
  kernels[1].accesses = more;
  Findings by_cost = rank(&r, &s, 0), of_task = rank(&r, &s, TASK),
           of_other = rank(&r, &s, TASK + 1);
  assert_ptr_equal(by_cost.items[0].kernel, &kernels[1]);
  assert_ptr_equal(of_task.items[0].kernel, &kernels[0]);
  assert_true(of_task.items[0].leads && of_task.items[0].more_kernels == 1);
  assert_ptr_equal(of_other.items[0].kernel, &kernels[1]);
  assert_false(of_other.items[0].leads);
  assert_ptr_equal(kernel_of_task(&r, &s, TASK), &kernels[0]);
  assert_null(kernel_of_task(&r, &s, TASK + 1));
  free(by_cost.items);
  free(of_task.items);
  free(of_other.items);
  source_free(&s);
}

static void counts_are_shown_per_launch(void **state) {
  (void)state;
  size_t count;
  Recording r = make();
  kernels[0].launches = 3;
  Tally whole = tally_kernel(&kernels[0]), *lines = tally_lines(&r, &kernels[0], &count);
  assert_int_equal(tally_each(&whole, whole.executed), 280);
  assert_int_equal(lines[0].executed, 400);
  assert_int_equal(tally_each(&lines[0], lines[0].executed), 133);
  free(lines);
  lines = tally_lines(&r, NULL, &count);
  assert_int_equal(tally_each(&lines[0], lines[0].executed), lines[0].executed);
  free(lines);
}

static void lines_of_templates_are_summed(void **state) {
  (void)state;
  Recording r = make();
  size_t count;
  Tally *lines = tally_lines(&r, NULL, &count);
  assert_int_equal(count, 4);
  assert_int_equal(lines[1].line, SECOND);
  assert_int_equal(lines[1].executed, 800);
  assert_int_equal(lines[1].shared.moved, 4200);
  assert_int_equal(lines[1].all_wavefronts, 2 * (1100 + 2100));
  assert_true(active_lanes(&lines[1]) == 24);
  assert_int_equal(lines[3].line, GIVEN);
  assert_true(lines[3].all_wavefronts == 0 && lines[3].all_sectors == 32000);
  free(lines);
}

/* ---- the page -------------------------------------------------------------------------------- */
static int width_of(const char *from, const char *to) {
  int width = 0;
  for (; from < to; from++)
    width += ((unsigned char)*from & 0xc0) != 0x80;
  return width;
}

static void fits_the_terminal(void **state) {
  static const int widths[] = {60, 80, 100, 200};
  (void)state;
  Recording r = make();
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    char *out = page(&r, widths[i], false, NULL);
    int most = widths[i] < 100 ? widths[i] : 100;
    for (char *line = out, *end; (end = strchr(line, '\n')); line = end + 1)
      if (width_of(line, end) > most || strchr("\t ", end > line ? end[-1] : 'x'))
        fail_msg("width %d: %.*s|", widths[i], (int)(end - line), line);
    assert_null(strchr(out, '\033'));
    assert_null(strchr(out, '\t'));
    free(out);
  }
}

static void names_the_worst_line(void **state) {
  (void)state;
  Recording r = make();
  char *out = page(&r, 100, true, NULL);
  const char *worst =
      strstr(out, "worst line 6, yours<1> and 1 other: 66\u00a0% of its shared traffic");
  const char *then = strstr(out, "then line 4, yours<1> and 1 other");
  assert_true(worst && then && worst < then);
  /* Without a sample the buffer has no name. */
  assert_non_null(strstr(out, "loads of shared memory: 20.0"));
  assert_null(strstr(out, "line 12")); /* a given kernel */
  assert_non_null(strstr(out, "given "));
  assert_non_null(strstr(out, "1>   6   800    24               20  66%  "));
  assert_non_null(strstr(out, "2>   4   800    32"));
  assert_non_null(strstr(out, "    12  4.0k    32    32 100%"));
  assert_non_null(strstr(out, "\033["));
  free(out);
}

static void wrong_programs_are_warned_of(void **state) {
  (void)state;
  Recording r = make();
  Mistake mistakes[] = {{.severity = "warning", .sentence = "a leak"},
                        {.severity = "error", .sentence = "race on As", .kernel = "yours"}};
  r.mistakes = mistakes;
  r.mistake_count = 1;
  char *out = page(&r, 100, false, NULL);
  assert_null(strstr(out, "mistake"));
  assert_non_null(strstr(out, "try: "));
  free(out);
  r.mistake_count = 2;
  out = page(&r, 200, false, NULL);
  assert_non_null(strstr(out, "1 mistake reported, the first: race on As, in yours."));
  assert_non_null(strstr(out, "make lab99"));
  assert_null(strstr(out, "try: "));
  assert_non_null(strstr(out, "First repair the mistake"));
  free(out);
}

/* clang splits a copy of float4 into two accesses of 8 bytes. They must not count as strided. A
 * copy of every second float2 is strided. */
static void halves_are_one_access(void **state) {
  (void)state;
  enum { WARPS = 100 };
  Sample halves[2] = {{.buffer = "in", .buffer_bytes = 512 * WARPS},
                      {.buffer = "in", .buffer_bytes = 512 * WARPS}};
  Access accesses[2];
  for (int i = 0; i < 2; i++) {
    for (int lane = 0; lane < LANES; lane++)
      halves[i].offset[lane] = 16 * lane + 8 * i;
    accesses[i] = (Access){.file = "a.cu",
                           .line = 3,
                           .column = 7,
                           .op = "ld.global.v2.f32",
                           .space = SPACE_GLOBAL,
                           .bytes = 8,
                           .requests = WARPS,
                           .lanes = LANES * WARPS,
                           .sectors = 16 * WARPS,
                           .sample = &halves[i]};
  }
  Kernel k = {.name = "copy", .launches = 1, .accesses = accesses, .access_count = 2};
  Recording r = {.kernels = &k, .kernel_count = 1};
  size_t count;
  Access *all = kernel_accesses(&k, &count);
  assert_int_equal(count, 1);
  assert_int_equal(all->bytes, 16);
  assert_true(all->requests == WARPS && all->sectors == 16 * WARPS);
  free(all);
  Findings findings = rank(&r, NULL, 0);
  assert_int_equal(findings.count, 0);
  free(findings.items);
  k.access_count = 1;
  findings = rank(&r, NULL, 0);
  assert_int_equal(findings.count, 1);
  assert_int_equal(findings.items[0].kind, FINDING_UNCOALESCED);
  free(findings.items);
}

/* ---- nothing to show ------------------------------------------------------------------------- */
static void a_skeleton_gets_one_line(void **state) {
  (void)state;
  Recording r = make();
  bool shown = true;
  r.kernel_count = 1;
  kernels[0].access_count = 0;
  char *out = page(&r, 100, false, &shown);
  assert_false(shown);
  assert_non_null(strstr(out, ": its kernels ran and touched no memory, so"));
  assert_non_null(strstr(out, "make lab99"));
  assert_true(strlen(out) < 200);
  free(out);
  r.kernel_count = 0;
  out = page(&r, 100, false, &shown);
  assert_false(shown);
  assert_non_null(strstr(out, "launched no kernel"));
  free(out);
}

static void given_kernels_alone(void **state) {
  (void)state;
  Recording r = make();
  kernels[0].access_count = kernels[1].access_count = 0;
  char *out = page(&r, 100, false, NULL);
  assert_non_null(strstr(out, "Your kernels touch no memory yet; next: make lab99"));
  assert_null(strstr(out, "wastes traffic"));
  free(out);
}

/* Conflicts that cost almost nothing are not listed, but the page must not say that there are
 * none. */
static void small_waste_is_not_denied(void **state) {
  (void)state;
  Recording r = make();
  yours[0] = shared_access(FIRST, 0);
  yours[1] = shared_access(SECOND, 2);
  r.kernel_count = 1;
  your_lines[1].lanes = 12800;
  char *out = page(&r, 100, false, NULL);
  assert_null(strstr(out, "banks do not conflict"));
  assert_non_null(strstr(out, "No line wastes 5 %"));
  free(out);
  yours[1] = shared_access(SECOND, 0);
  out = page(&r, 100, false, NULL);
  assert_non_null(strstr(out, "banks do not conflict"));
  free(out);
}

/* If all kernels of a run are given, the page shows their costs. */
static void one_given_kernel(void **state) {
  (void)state;
  Recording r = make();
  r.kernels = &kernels[2];
  r.kernel_count = 1;
  char *out = page(&r, 100, false, NULL);
  assert_null(strstr(out, "touch no memory"));
  assert_non_null(strstr(out, "worst line"));
  free(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(worst_first),
      cmocka_unit_test(kernels_of_a_task_lead),
      cmocka_unit_test(counts_are_shown_per_launch),
      cmocka_unit_test(lines_of_templates_are_summed),
      cmocka_unit_test(fits_the_terminal),
      cmocka_unit_test(names_the_worst_line),
      cmocka_unit_test(wrong_programs_are_warned_of),
      cmocka_unit_test(halves_are_one_access),
      cmocka_unit_test(a_skeleton_gets_one_line),
      cmocka_unit_test(given_kernels_alone),
      cmocka_unit_test(small_waste_is_not_denied),
      cmocka_unit_test(one_given_kernel),
  };
  return cmocka_run_group_tests(tests, write_source, remove_source);
}
