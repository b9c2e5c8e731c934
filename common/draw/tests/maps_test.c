/* Tests the maps of access patterns whose wavefronts and sectors are known, and the messages of
 * draw.
 *
 *   BUILD=build maps_test      BUILD is the folder that contains draw/draw
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../draw.h"
#include "emulator/tests/scratch.h"

static const char *build;

/* ---- patterns -------------------------------------------------------------------------------- */
static SharedArray tile = {.name = "tile", .bytes = 32 * 33 * 4};
static Kernel kernel = {.name = "k", .arrays = &tile, .array_count = 1, .grid = {1, 1, 1}};

typedef struct Pattern {
  Sample sample;
  Access access;
  Request request;
} Pattern;

static void set(Pattern *p, Space space, unsigned bytes) {
  *p = (Pattern){.sample = {.space = space, .buffer = "tile", .element = 4, .threads = {32, 1, 1}},
                 .access = {.space = space, .bytes = bytes}};
  p->sample.buffer_bytes = 1 << 20;
  p->access.sample = &p->sample;
}

static void finish(Pattern *p) {
  static Recording recording = {.banks = 4};
  p->request = request_of(&recording, &kernel, &p->access, NULL);
}

/* Makes a pattern in which lane i accesses the bytes at offset i * stride. */
static void strided(Pattern *p, Space space, unsigned bytes, int64_t stride) {
  set(p, space, bytes);
  for (int lane = 0; lane < LANES; lane++)
    p->sample.offset[lane] = lane * stride;
  finish(p);
}

static void expect_wavefronts(unsigned bytes, int64_t stride, unsigned wavefronts, unsigned ideal) {
  Pattern p;
  strided(&p, SPACE_SHARED, bytes, stride);
  Schedule s = request_schedule(&p.request);
  if (s.wavefronts != wavefronts || s.ideal != ideal)
    fail_msg("%u bytes every %d: %u wavefronts of ideally %u, expected %u of %u", bytes,
             (int)stride, s.wavefronts, s.ideal, wavefronts, ideal);
}

static void known_patterns(void **state) {
  (void)state;
  expect_wavefronts(4, 4, 1, 1);           /* lanes access consecutive words */
  expect_wavefronts(4, 0, 1, 1);           /* all lanes access the same word */
  expect_wavefronts(4, 8, 2, 1);           /* lanes access every second word */
  expect_wavefronts(4, 12, 1, 1);          /* lanes access every third word */
  expect_wavefronts(4, 16, 4, 1);          /* lanes access every fourth word */
  expect_wavefronts(4, 32 * 4, 32, 1);     /* lanes access a column of 32 × 32 words */
  expect_wavefronts(4, 33 * 4, 1, 1);      /* lanes access a column of padded rows */
  expect_wavefronts(1, 1, 1, 1);           /* four lanes access the bytes of one word */
  expect_wavefronts(8, 8, 2, 2);           /* doubles: one wavefront per half-warp */
  expect_wavefronts(8, 0, 1, 1);           /* all lanes access the same double */
  expect_wavefronts(8, 32 * 8, 32, 2);     /* lanes access a column of 32 × 32 doubles */
  expect_wavefronts(16, 16, 4, 4);         /* float4: one wavefront per quarter-warp */
  expect_wavefronts(16, 8 * 16, 4 * 8, 4); /* all lanes access the same four banks */
}

/* If all lanes access different words of one bank, wavefront i serves lane i. */
static void wavefronts_in_order(void **state) {
  Pattern p;
  (void)state;
  strided(&p, SPACE_SHARED, 4, 32 * 4);
  Schedule s = request_schedule(&p.request);
  assert_int_equal(s.count, 32);
  for (unsigned i = 0; i < s.count; i++) {
    assert_int_equal(s.words[i].wavefront, i);
    assert_int_equal(s.words[i].lanes, 1u << i);
    assert_true(s.words[i].number == 32 * i && s.words[i].extra == (i > 0));
  }
  strided(&p, SPACE_SHARED, 4, 0);
  s = request_schedule(&p.request);
  assert_true(s.count == 1 && s.words[0].lanes == UINT32_MAX && !s.words[0].extra);
}

static void footprints(void **state) {
  static const struct {
    int64_t stride;
    unsigned bytes, sectors, used;
  } cases[] = {{4, 4, 4, 128}, {0, 4, 1, 4},      {1024, 4, 32, 128},
               {8, 4, 8, 128}, {16, 16, 16, 512}, {1, 1, 1, 32}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Pattern p;
    strided(&p, SPACE_GLOBAL, cases[i].bytes, cases[i].stride);
    Footprint f = request_footprint(&p.request);
    assert_int_equal(f.count, cases[i].sectors);
    assert_int_equal(f.bytes_used, cases[i].used);
  }
}

/* ---- pictures -------------------------------------------------------------------------------- */
static char *picture(const Request *r) {
  char *out = NULL;
  size_t length;
  FILE *stream = open_memstream(&out, &length);
  (r->access->space == SPACE_SHARED ? draw_banks : draw_sectors)(stream, r, &(Words){"x", NULL});
  fclose(stream);
  return out;
}

static unsigned occurrences(const char *text, const char *word) {
  unsigned count = 0;
  for (; (text = strstr(text, word)); text += strlen(word))
    count++;
  return count;
}

/* Checks that tags are balanced and nested correctly, and that there is one root element. */
static void expect_balanced(const char *svg) {
  char open[20][16];
  int depth = 0;
  for (const char *at = strchr(svg, '<'); at; at = strchr(at + 1, '<')) {
    const char *end = strchr(at, '>'), *quote = strchr(at, '"');
    while (quote && quote < end) {
      const char *closing = strchr(quote + 1, '"');
      assert_non_null(closing);
      end = strchr(closing, '>');
      quote = strchr(closing + 1, '"');
    }
    char name[16];
    assert_int_equal(sscanf(at + (at[1] == '/' ? 2 : 1), "%15[a-z]", name), 1);
    assert_non_null(end);
    if (at[1] == '/') {
      assert_true(depth > 0);
      assert_string_equal(open[--depth], name);
    } else if (end[-1] != '/') {
      assert_true(depth < 20);
      strcpy(open[depth++], name);
    }
  }
  assert_int_equal(depth, 0);
}

static void labels(void **state) {
  static const struct {
    int64_t stride;
    unsigned wavefronts;
    const char *title;
  } cases[] = {
      {4, 1, "<title id=\"x-title\">load of tile: 1 wavefront, no bank conflict</title>"},
      {8, 2,
       "<title id=\"x-title\">load of tile: 2 wavefronts where 1 would do, 1 bank conflict</"},
      {128, 32, ">load of tile: 32 wavefronts where 1 would do, 31 bank conflicts</title>"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Pattern p;
    strided(&p, SPACE_SHARED, 4, cases[i].stride);
    char *svg = picture(&p.request), last[32];
    snprintf(last, sizeof last, ">wavefront %u</text>", cases[i].wavefronts);
    assert_int_equal(occurrences(svg, ">wavefront "), cases[i].wavefronts);
    assert_int_equal(occurrences(svg, last), 1);
    assert_non_null(strstr(svg, cases[i].title));
    assert_int_equal(occurrences(svg, ">31</text>"),
                     4); /* lane 31, bank 31, the word of lane 31, bank 31 in the right part */
    expect_balanced(svg);
    free(svg);
  }
}

static void lanes_without_address(void **state) {
  Pattern p;
  (void)state;
  set(&p, SPACE_SHARED, 4);
  for (int lane = 0; lane < LANES; lane++)
    p.sample.offset[lane] = lane < 2 ? lane * 128 : NO_OFFSET;
  finish(&p);
  char *svg = picture(&p.request);
  assert_int_equal(occurrences(svg, ">wavefront "), 2);
  expect_balanced(svg);
  free(svg);
  for (int space = SPACE_GLOBAL; space <= SPACE_SHARED; space++) {
    set(&p, (Space)space, 4);
    for (int lane = 0; lane < LANES; lane++)
      p.sample.offset[lane] = NO_OFFSET;
    finish(&p);
    svg = picture(&p.request);
    expect_balanced(svg);
    free(svg);
  }
}

/* Tests names and offsets that only a hostile program or a damaged log contains. */
static void hostile(void **state) {
  Pattern p;
  (void)state;
  strided(&p, SPACE_GLOBAL, 4, INT64_MAX / 40);
  p.sample.buffer = "<b onclick=\"x\">&\x01'";
  p.sample.rows = 3;
  p.sample.columns = UINT64_MAX / 2;
  p.access.bytes = 77;
  finish(&p);
  char *svg = picture(&p.request);
  assert_null(strstr(svg, "<b"));
  assert_null(strchr(svg, 1));
  assert_non_null(strstr(svg, "&lt;b onclick=&quot;x&quot;&gt;&amp;?&#39;"));
  expect_balanced(svg);
  free(svg);
  strided(&p, SPACE_SHARED, 4, INT64_MAX / 40);
  svg = picture(&p.request);
  expect_balanced(svg);
  free(svg);
}

/* ---- the program ----------------------------------------------------------------------------- */
/* Runs draw on a log. Writes its messages to `said` and returns its exit status. */
static int run_draw(const char *log, const char *arguments, char *said, size_t size) {
  char path[SCRATCH_MOST], command[1000];
  int file = scratch_file(path, "maps");
  assert_int_equal(write(file, log, strlen(log)), (ssize_t)strlen(log));
  close(file);
  snprintf(command, sizeof command, "%s/draw/draw %s %s 2>&1 >/dev/null", build, arguments, path);
  FILE *pipe = popen(command, "r");
  size_t got = fread(said, 1, size - 1, pipe);
  said[got] = 0;
  int status = pclose(pipe);
  remove(path);
  return WEXITSTATUS(status);
}

static void refuses(void **state) {
  static const char start[] =
      "{\"event\":\"start\",\"pid\":1,\"seed\":0,\"workers\":1,\"banks\":4}\n";
  static const char whole[] =
      "{\"event\":\"start\",\"pid\":1,\"seed\":0,\"workers\":1,\"banks\":4}\n"
      "{\"event\":\"end\",\"reports\":0,\"live_allocations\":0}\n";
  static const struct {
    const char *log, *arguments, *word;
  } cases[] = {
      {"", "banks --line 1", "not a log"},
      {"hello\n", "sectors --line 1", "not a log"},
      {start, "banks --line 1", "did not come to its end"},
      {whole, "banks --line 1", "no such access"},
      {whole, "tiles", "no matrices"},
      {whole, "circles", "unknown picture"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char said[500];
    assert_int_equal(run_draw(cases[i].log, cases[i].arguments, said, sizeof said), 2);
    if (!strstr(said, cases[i].word) || strchr(said, '\n') != said + strlen(said) - 1)
      fail_msg("draw %s said: %s", cases[i].arguments, said);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_patterns),
      cmocka_unit_test(wavefronts_in_order),
      cmocka_unit_test(footprints),
      cmocka_unit_test(labels),
      cmocka_unit_test(lanes_without_address),
      cmocka_unit_test(hostile),
      cmocka_unit_test(refuses),
  };
  build = getenv("BUILD") ? getenv("BUILD") : "build";
  return cmocka_run_group_tests(tests, NULL, NULL);
}
