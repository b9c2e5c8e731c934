/* Tests the search for look-alikes (alike_find and alike_write). Copies with other names, another
 * order, other comments and another layout must be found. Thirty independent solutions (written.h)
 * must not be reported as copies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "class/alike.h"
#include "emulator/tests/scratch.h"
#include "written.h"

static char root[SCRATCH_MOST];
enum { STUDENTS_MOST = 80 };
static Student students[STUDENTS_MOST];
static char ids[STUDENTS_MOST][16];
static Class class;

static void begin_class(void) {
  memset(students, 0, sizeof students);
  class = (Class){.folder = root, .students = students, .lab_count = 1};
  class.labs[0] = sheet_find("01-naive");
}

static void hand_in(const char *text) {
  char path[SCRATCH_MOST + 100];
  snprintf(ids[class.count], sizeof ids[0], "s%02zu", class.count);
  snprintf(path, sizeof path, "mkdir -p %s/in/%s/01-naive", root, ids[class.count]);
  assert_int_equal(system(path), 0);
  snprintf(path, sizeof path, "%s/in/%s/01-naive/naive.cu", root, ids[class.count]);
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
  students[class.count].id = ids[class.count];
  students[class.count++].entries[0].state = ENTRY_GRADED;
}

static void hand_in_written(Author author) {
  char *text = written_by(author);
  hand_in(text);
  free(text);
}

/* ---- pairs that are found -------------------------------------------------------------------- */

enum { AUTHORS = 30, COPIES = 10 };

static void hand_in_thirty(unsigned set) {
  begin_class();
  for (unsigned i = 0; i < AUTHORS; i++)
    hand_in_written((Author){1000 * set + i, 77 + 1000 * set + i});
}

static void test_independent(void **state) {
  (void)state;
  for (unsigned set = 0; set < 4; set++) {
    hand_in_thirty(set);
    Alike alike = alike_find(&class, "labs");
    for (size_t i = 0; i < alike.pair_count; i++)
      fail_msg("set %u: %zu and %zu, %.2f %.2f", set, alike.pairs[i].student[0],
               alike.pairs[i].student[1], alike.pairs[i].share[0], alike.pairs[i].share[1]);
    assert_int_equal(alike.counts[0], AUTHORS);
    for (size_t i = 0; i < AUTHORS; i++)
      assert_true(alike.works[0][i].own > 120);
    alike_free(&alike);
  }
}

/* Ten of the thirty solutions are handed in again with other names: exactly these ten pairs must be
 * found. */
static void test_copies(void **state) {
  (void)state;
  for (unsigned set = 0; set < 4; set++) {
    hand_in_thirty(set);
    for (unsigned i = 0; i < COPIES; i++)
      hand_in_written((Author){1000 * set + 3 * i, 5000 + 1000 * set + i});
    Alike alike = alike_find(&class, "labs");
    assert_int_equal(alike.pair_count, COPIES);
    for (size_t i = 0; i < COPIES; i++) {
      const Pair *pair = &alike.pairs[i];
      assert_int_equal(pair->student[0], 3 * (pair->student[1] - AUTHORS));
    }
    alike_free(&alike);
  }
}

/* In the first class, four students hand in one solution, which gives six pairs. In the second
 * class, both students hand in the same solution. */
static void test_rings(void **state) {
  (void)state;
  hand_in_thirty(9);
  for (unsigned i = 0; i < 3; i++)
    hand_in_written((Author){9005, 100 + i});
  Alike alike = alike_find(&class, "labs");
  assert_int_equal(alike.pair_count, 6);
  alike_free(&alike);
  begin_class();
  hand_in_written((Author){1, 1});
  hand_in_written((Author){1, 2});
  alike = alike_find(&class, "labs");
  assert_int_equal(alike.pair_count, 1);
  alike_free(&alike);
}

static char *whole(const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *in = fopen(path, "r");
  assert_non_null(in);
  assert_true(getdelim(&text, &size, '\0', in) > 0);
  fclose(in);
  return text;
}

/* Counts the tokens of one file of the pair that also occur in the other file but not in the
 * handout. */
static size_t count_shared(const Alike *alike, size_t pair, bool of_first) {
  const Pair *at = &alike->pairs[pair];
  const Work *a = &alike->works[at->lab][at->a], *b = &alike->works[at->lab][at->b];
  bool *in_a = calloc(a->tokens.count, 1), *in_b = calloc(b->tokens.count, 1);
  size_t count = 0;
  alike_mark(a, b, in_a, in_b);
  for (size_t i = 0; i < (of_first ? a : b)->tokens.count; i++)
    count += (of_first ? in_a : in_b)[i];
  free(in_a);
  free(in_b);
  return count;
}

/* Hands in the solution without one of its three cudaFree calls. The calls have the same tokens, so
 * only two of the three count as shared. */
static void test_one_less(void **state) {
  (void)state;
  char *text = whole("solutions/01-naive/naive.cu"), *call = strstr(text, "  cudaFree(c);\n");
  begin_class();
  memmove(call, call + strlen("  cudaFree(c);\n"), strlen(call + strlen("  cudaFree(c);\n")) + 1);
  hand_in(text);
  Alike alike = alike_find(&class, "labs");
  assert_int_equal(alike.pair_count, 1);
  const Work *works = alike.works[0];
  assert_int_equal(alike.pairs[0].student[1], class.count); /* the workbook's solution */
  assert_int_equal(works[1].own - works[0].own, 5);
  assert_int_equal(count_shared(&alike, 0, true), works[0].own);
  assert_in_range(count_shared(&alike, 0, false), works[0].own,
                  works[0].own + 2); /* may include the first tokens of the handout's text */
  assert_true(alike.pairs[0].share[0] == 1 && alike.pairs[0].share[1] < 1);
  alike_free(&alike);
  snprintf(class.title, sizeof class.title, "class");
  assert_int_equal(alike_write(&class, "labs"), 1);
  char path[SCRATCH_MOST + 20];
  snprintf(path, sizeof path, "%s/alike.html", root);
  char *page = whole(path);
  assert_non_null(strstr(page, "100 and 98 percent"));
  assert_non_null(strstr(page, "<td><b>the workbook&#39;s solution</b></td>"));
  free(page);
  free(text);
}

/* Hands in the solution with m and n exchanged in one statement. The two exchanged tokens must not
 * count as shared. */
static void test_exchanged(void **state) {
  static const char was[] = "grid(CEIL_DIV(n, TILE), CEIL_DIV(m, TILE));";
  static const char is[] = "grid(CEIL_DIV(m, TILE), CEIL_DIV(n, TILE));";
  (void)state;
  char *text = whole("solutions/01-naive/naive.cu"), *grid = strstr(text, was);
  assert_non_null(grid);
  memcpy(grid, is, strlen(is));
  begin_class();
  hand_in(text);
  Alike alike = alike_find(&class, "labs");
  const Work *work = &alike.works[0][0];
  assert_int_equal(alike.pair_count, 1);
  assert_int_equal(count_shared(&alike, 0, true), work->own - 2);
  assert_true(alike.pairs[0].share[0] < 1 && alike.pairs[0].share[1] < 1);
  alike_free(&alike);
  free(text);
}

/* The only student of the class hands in the solution with a line added at the top, and then the
 * same file without comments and with other names. Both copies must be found. */
static void test_near_the_solution(void **state) {
  static const char *const words[] = {"sum", "error", "b_bytes", "a_bytes"};
  (void)state;
  for (int renamed = 0; renamed < 2; renamed++) {
    char *solution = whole("solutions/01-naive/naive.cu"), *text = malloc(strlen(solution) + 6);
    sprintf(text, "// x\n%s", solution);
    for (size_t i = 0; renamed && i < sizeof words / sizeof words[0]; i++)
      for (char *at = text; (at = strstr(at, words[i]));)
        *at = 'q';
    for (char *at = text; renamed && (at = strstr(at, "//"));)
      memset(at, ' ', strcspn(at, "\n"));
    begin_class();
    hand_in(text);
    Alike alike = alike_find(&class, "labs");
    assert_int_equal(alike.group_count, 0);
    assert_int_equal(alike.pair_count, 1);
    assert_int_equal(alike.pairs[0].student[0], 0);
    assert_int_equal(alike.pairs[0].student[1], 1);
    alike_free(&alike);
    free(solution);
    free(text);
  }
}

/* The handout and an answer of one line have too little own text to be compared. */
static void test_handouts(void **state) {
  (void)state;
  char *text = whole("labs/01-naive/naive.cu");
  begin_class();
  for (int i = 0; i < 4; i++)
    hand_in(text);
  char *row = strstr(text, "int row = 0, column = 0;");
  assert_non_null(row);
  memcpy(row, "int row = 1, column = 2;", strlen("int row = 1, column = 2;"));
  for (int i = 0; i < 4; i++)
    hand_in(text);
  Alike alike = alike_find(&class, "labs");
  assert_int_equal(alike.counts[0], 8);
  assert_int_equal(alike.pair_count, 0);
  assert_int_equal(alike.works[0][0].own, 0);
  assert_true(alike.works[0][7].own < 20);
  alike_free(&alike);
  free(text);
}

/* Empty files, files that are not programs and files with an unterminated comment or literal are
 * read without an error and give no pair. */
static void test_odd_texts(void **state) {
  static const char *const odd[] = {"", "/*", "\"", "'", "//", "#", "\\", "1e", "\xff\xfe{{{", "x"};
  (void)state;
  begin_class();
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
    hand_in(odd[i]);
  Alike alike = alike_find(&class, "labs");
  assert_int_equal(alike.pair_count, 0);
  alike_free(&alike);
}

static void test_tokens(void **state) {
  static const char one[] = "static int f(const unsigned long x) { return x+1; } // one\n";
  static const char same[] =
      "/* more */ inline size_t gg ( int  yy )\n{\n  return yy\n+ 0x7f ;\n}\n";
  static const char other[] = "int f(long x) { return x - 1; }";
  (void)state;
  Tokens a = tokens_read(one), b = tokens_read(same), c = tokens_read(other);
  assert_int_equal(a.count, b.count);
  assert_int_equal(a.count, c.count);
  size_t differ = 0;
  for (size_t i = 0; i < a.count; i++) {
    assert_int_equal(a.all[i].kind, b.all[i].kind);
    differ += a.all[i].kind != c.all[i].kind;
  }
  assert_int_equal(differ, 1);
  assert_int_equal(b.all[b.count - 1].line, 4);
  free(a.all);
  free(b.all);
  free(c.all);
}

/* ---- alike.html ------------------------------------------------------------------------------ */

static void test_page(void **state) {
  char path[SCRATCH_MOST + 20];
  (void)state;
  begin_class();
  hand_in_written((Author){1, 1});
  hand_in_written((Author){1, 2});
  snprintf(class.title, sizeof class.title, "<class>");
  assert_int_equal(alike_write(&class, "labs"), 1);
  snprintf(path, sizeof path, "%s/alike.html", root);
  char *page = whole(path);
  assert_non_null(strstr(page, "<h1>Look-alikes of &lt;class&gt;</h1>"));
  assert_non_null(strstr(page, "<a href=\"reports/s00.txt\">s00</a>"));
  assert_non_null(strstr(page, "<b>")); /* text in both files */
  assert_non_null(strstr(page, "<s>")); /* text of the handout */
  assert_null(strstr(page, "<script"));
  free(page);
  class.count = 1;
  assert_int_equal(alike_write(&class, "labs"), 0);
  assert_int_not_equal(access(path, F_OK), 0);
}

/* One student hands in the workbook's solution, three students hand in the same one-line answer,
 * and two students hand in similar files. The first four students are reported as equal to another
 * file. The last two students are reported as a pair. */
static void test_same(void **state) {
  (void)state;
  char *solution = whole("solutions/01-naive/naive.cu"), *text = whole("labs/01-naive/naive.cu");
  char *row = strstr(text, "int row = 0, column = 0;");
  begin_class();
  hand_in(text);
  hand_in(text); /* two unchanged handouts */
  memcpy(row, "int row = 1, column = 2;", strlen("int row = 1, column = 2;"));
  hand_in(solution);
  for (int i = 0; i < 3; i++)
    hand_in(text);
  hand_in_written((Author){1, 1});
  hand_in_written((Author){1, 2});
  Alike alike = alike_find(&class, "labs");
  assert_int_equal(alike.group_count, 2);
  assert_int_equal(alike.same_count, 4);
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(alike.same[i].is_solution, alike.same[i].work == 2);
  assert_int_equal(alike.pair_count, 1);
  alike_free(&alike);
  free(solution);
  free(text);
}

/* Writes declarations with 12 operators each, and repeats each order of operators 64 times. So a
 * single repeated run of tokens would have 4096 matches between two such files. */
static char *long_text(size_t bytes, const char *name) {
  enum { TIMES = 64, TERMS = 12 };
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  fputs("#include \"lab.h\"\n", out);
  for (size_t order = 0; (size_t)ftell(out) < bytes; order++)
    for (size_t i = 0; i < TIMES && (size_t)ftell(out) < bytes; i++) {
      fprintf(out, "int %s%zu_%zu = 1", name, order, i);
      for (size_t term = 0; term < TERMS; term++)
        fprintf(out, " %c %zu", "+-*/"[order >> 2 * term & 3], term);
      fputs(";\n", out);
    }
  fclose(out);
  return text;
}

/* The number of compared tokens is limited for files of any length, which limits the running
 * time. */
static void test_long(void **state) {
  enum { LONG = 700 << 10, PAIRED_MOST = 1 << 18, PAGE_MOST = 1 << 20 };
  char path[SCRATCH_MOST + 20];
  (void)state;
  begin_class();
  for (size_t i = 0; i < 3; i++) {
    char *text = long_text(LONG + i, "one\0two\0six" + 4 * i);
    hand_in(text);
    free(text);
  }
  Alike alike = alike_find(&class, "labs");
  assert_int_equal(alike.pair_count, 3);
  const Work *works = alike.works[0];
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(works[i].tokens.count, TOKENS_MOST);
    assert_true(strlen(works[i].text) < LONG);
  }
  bool *marks[2] = {calloc(TOKENS_MOST, sizeof **marks), calloc(TOKENS_MOST, sizeof **marks)};
  assert_true(alike_mark(&works[0], &works[1], marks[0], marks[1]) < PAIRED_MOST);
  free(marks[0]);
  free(marks[1]);
  alike_free(&alike);
  assert_int_equal(alike_write(&class, "labs"), 3);
  snprintf(path, sizeof path, "%s/alike.html", root);
  char *page = whole(path);
  assert_true(strlen(page) < PAGE_MOST);
  free(page);
}

static int enter(void **state) {
  (void)state;
  return scratch_folder(root, "alike") ? 0 : -1;
}

static int leave(void **state) {
  char command[SCRATCH_MOST + 20];
  (void)state;
  snprintf(command, sizeof command, "rm -rf '%s'", root);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
      TEST(test_independent), TEST(test_copies),
      TEST(test_rings),       TEST(test_handouts),
      TEST(test_odd_texts),   TEST(test_tokens),
      TEST(test_page),        TEST(test_same),
      TEST(test_one_less),    TEST(test_near_the_solution),
      TEST(test_exchanged),   TEST(test_long),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
