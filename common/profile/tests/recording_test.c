/* Tests how intact logs, damaged logs and the student's file are read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../profile.h"
#include "emulator/tests/scratch.h"

#define START "{\"event\":\"start\",\"pid\":1,\"seed\":0,\"workers\":1,\"banks\":4}\n"
#define END "{\"event\":\"end\",\"reports\":0,\"live_allocations\":0}\n"
#define KERNEL                                                                                     \
  "{\"event\":\"kernel\",\"name\":\"_Z4scanIfLi32EEvPKT_i\",\"launches\":2,\"grid\":[4,1,1],"      \
  "\"block\":[64,1,1],\"shared_bytes\":128,\"shared\":[{\"name\":\"As\",\"offset\":0,"             \
  "\"bytes\":128,\"dynamic\":true}],\"counters\":{\"launches\":2,\"warp_instructions\":100},"      \
  "\"accesses\":[{\"file\":\"a.cu\",\"line\":7,\"column\":3,\"op\":\"ld.global.v2.f32\","          \
  "\"space\":\"global\",\"parameter\":1,\"bytes\":8,\"requests\":10,\"lanes\":320,"                \
  "\"sectors\":90,\"wavefronts\":0,\"ideal\":0,\"sample\":{\"space\":\"global\","                  \
  "\"block\":[1,0,0],\"warp\":1,\"threads\":[64,1,1],\"offsets\":[null,8,16],"                     \
  "\"buffer\":\"A\",\"buffer_bytes\":4096,\"element\":4,\"rows\":2,\"columns\":512,"               \
  "\"sectors\":9}}],\"lines\":[{\"file\":\"a.cu\",\"line\":7,\"executed\":100,\"lanes\":3200}]}\n"

static char path[SCRATCH_MOST];

static void write_file(const char *text, size_t length) {
  int file = scratch_file(path, "recording");
  assert_true(file >= 0);
  assert_int_equal(write(file, text, length), (ssize_t)length);
  close(file);
}

static Recording read_text(const char *text) {
  write_file(text, strlen(text));
  Recording r = recording_read(path);
  remove(path);
  return r;
}

static void a_whole_log(void **state) {
  (void)state;
  Recording r = read_text(START KERNEL END);
  assert_string_equal(r.damage, "");
  assert_int_equal(r.banks, 4);
  assert_int_equal(r.kernel_count, 1);
  const Kernel *k = &r.kernels[0];
  assert_string_equal(k->name, "scan<float, 32>");
  assert_int_equal(k->launches, 2);
  assert_int_equal(k->block[0], 64);
  assert_int_equal(k->counters.warp_instructions, 100);
  assert_true(k->array_count == 1 && k->arrays[0].dynamic && k->arrays[0].bytes == 128);
  const Access *a = &k->accesses[0];
  assert_true(a->space == SPACE_GLOBAL && a->operation == OPERATION_LOAD && a->bytes == 8);
  assert_int_equal(access_ideal_sectors(a), 80);
  assert_true(a->sample->offset[0] == NO_OFFSET && a->sample->offset[2] == 16);
  assert_true(a->sample->offset[31] == NO_OFFSET && a->sample->columns == 512);
  recording_free(&r);
}

static void names_of_kernels(void **state) {
  (void)state;
  static const struct {
    const char *symbol, *name;
  } cases[] = {
      {"matmul", "matmul"},
      {"_Z5naivePKfPfi", "naive"},
      {"_ZN2ns4scanIiEEvPT_", "ns::scan<int>"},
      {"_ZN12_GLOBAL__N_11kEi", "(anonymous namespace)::k"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char log[500];
    snprintf(log, sizeof log, START "{\"event\":\"kernel\",\"name\":\"%s\"}\n" END,
             cases[i].symbol);
    Recording r = read_text(log);
    assert_int_equal(r.kernel_count, 1);

    assert_string_equal(r.kernels[0].name, cases[i].name);
    recording_free(&r);
  }
}

static void expect_damage(const char *log, const char *word, size_t kernels) {
  Recording r = read_text(log);
  if (!strstr(r.damage, word) || strchr(r.damage, '\n'))
    fail_msg("expected one line with \"%s\", got \"%s\"", word, r.damage);
  assert_int_equal(r.kernel_count, kernels);
  recording_free(&r);
}

static void damaged_logs(void **state) {
  (void)state;
  Recording none = recording_read("/nowhere/at/all");
  assert_non_null(strstr(none.damage, "No such file"));
  recording_free(&none);
  expect_damage("", "not a log", 0);
  expect_damage("hello\n", "not a log", 0);
  expect_damage("{\"event\":\"end\"}\n", "not a log", 0);
  expect_damage(START, "did not come to its end", 0);
  expect_damage(START KERNEL, "did not come to its end", 1);
  expect_damage(START KERNEL "{\"event\":\"ke", "cut off in line 3", 1);
  expect_damage(START "[1,2]\n" KERNEL END, "line 2 is damaged", 1);
  expect_damage(START "{{{\n\n" KERNEL END, "line 2 is damaged", 1);
}

/* Values of wrong types and absurd numbers must not crash the reader. Any value may result. */
static void nonsense(void **state) {
  (void)state;
  Recording r = read_text(
      START "{\"event\":\"kernel\",\"name\":7,\"launches\":-1,\"grid\":\"x\",\"accesses\":"
            "[3,{\"op\":[],\"requests\":-5,\"lanes\":9223372036854775807,\"bytes\":99999999999,"
            "\"space\":\"global\",\"sectors\":1,\"sample\":{\"offsets\":7}},"
            "{\"space\":\"shared\",\"wavefronts\":1,\"ideal\":5,\"requests\":1,"
            "\"sample\":{\"space\":\"shared\",\"offsets\":[-7,1e9,\"a\"]}}],"
            "\"lines\":[null,{\"executed\":true}],\"counters\":[]}\n{\"event\":\"report\"}\n" END);
  assert_string_equal(r.damage, "");
  assert_string_equal(r.kernels[0].name, "?");
  assert_true(r.kernels[0].launches == 0 && r.kernels[0].accesses[1].requests == 0);
  Findings findings = rank(&r, NULL, 0);
  json_decref(profile_json(&r, NULL, &findings));
  FILE *out = tmpfile();
  annotate(out, &r, NULL, &findings, &(Page){NULL, NULL, 80, false});
  fclose(out);
  free(findings.items);
  recording_free(&r);
}

/* Reads every prefix of a log, and the log with each byte changed once. */
static void cut_and_bent(void **state) {
  (void)state;
  static const char log[] = START KERNEL END;
  char bent[sizeof log];
  for (size_t length = 0; length < sizeof log - 1; length++) {
    write_file(log, length);
    Recording cut = recording_read(path);
    assert_true(cut.damage[0] || length == sizeof log - 2); /* only the last newline is missing */
    recording_free(&cut);
    remove(path);
    memcpy(bent, log, sizeof log);
    bent[length] ^= 1;
    Recording r = read_text(bent);
    Findings findings = rank(&r, NULL, 0);
    free(findings.items);
    recording_free(&r);
  }
}

/* ---- the student's file ---------------------------------------------------------------------- */
static const char *const source_text = "template <class T>\n"
                                       "__global__ void scan(const T *in,\n"
                                       "                     T *out, int n) {\n"
                                       "  out[0] = in[0];\n"
                                       "}\n"
                                       "\n"
                                       "__device__ void tile(float (*As)[32]) {\n"
                                       "  // TODO(1): a gap.\n"
                                       "  As[0][0] = 1;\n"
                                       "  // END(1)\n"
                                       "}\n"
                                       "\n"
                                       "extern \"C\" __global__ void yours(float *C) {\n"
                                       "  C[0] = 1;\n"
                                       "}\n";

static bool given(const Source *s, unsigned line) {
  ExecutedLine executed = {s->path, line, 1, 32};
  Kernel k = {.lines = &executed, .line_count = 1};
  return source_gives(s, &k);
}

static void gaps_and_parameters(void **state) {
  (void)state;
  write_file(source_text, strlen(source_text));
  Source s = source_read(path);
  char name[16];
  assert_int_equal(s.count, 15);
  assert_string_equal(source_line(&s, 4), "  out[0] = in[0];");
  assert_null(source_line(&s, 16));
  assert_true(source_parameter(&s, "scan<float>", 0, name, sizeof name) && !strcmp(name, "in"));
  assert_true(source_parameter(&s, "scan<float>", 1, name, sizeof name) && !strcmp(name, "out"));
  assert_true(source_parameter(&s, "scan<float>", 2, name, sizeof name) && !strcmp(name, "n"));
  assert_false(source_parameter(&s, "scan<float>", 3, name, sizeof name));
  assert_false(source_parameter(&s, "scan<float>", -1, name, sizeof name));
  assert_false(source_parameter(&s, "tile", 0, name, sizeof name)); /* not a kernel */
  assert_false(source_parameter(&s, "<unnamed>", 0, name, sizeof name));
  assert_true(s.has_gaps && given(&s, 4) && given(&s, 14));
  assert_false(given(&s, 7) || given(&s, 9) || given(&s, 11));
  source_free(&s);
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_whole_log),  cmocka_unit_test(names_of_kernels),
      cmocka_unit_test(damaged_logs), cmocka_unit_test(nonsense),
      cmocka_unit_test(cut_and_bent), cmocka_unit_test(gaps_and_parameters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
