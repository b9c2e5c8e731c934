/* Tests that blocks of a page are filled, that blocks which are up to date are not changed, and
 * that an invalid block gives an error of one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../weave.h"
#include "emulator/tests/scratch.h"

static const char SOURCE[] = "/* An example. */\n"
                             "void one(int *x) {\n"
                             "  // Why.\n"
                             "  if (x)\n"
                             "    x[0] = 1; // trailing words stay\n"
                             "  /* Two lines\n"
                             "   * of comment. */\n"
                             "}\n"
                             "void two(int *x) {\n"
                             "  if (x)\n"
                             "    x[0] = 2;\n"
                             "}\n"
                             "void three(int *x) {\n"
                             "#define MORE\n"
                             "  x[0]++\n"
                             "#pragma unroll\n"
                             "  for (;;)\n"
                             "    x[0]++;\n"
                             "}\n";
static const char NUMBERS[] = "# made by hand, on a date\n"
                              "# device: none\n"
                              "variant,size,ms,loads\n"
                              "naive,512,2.5,16777216\n"
                              "tiled,512,1.25,524288\n"
                              "tiled,1024,10,\n";
static char directory[SCRATCH_MOST];

static int begin(void **state) {
  (void)state;
  if (!scratch_folder(directory, "weave") || chdir(directory))
    return 1;
  return !(file_write("a.cu", SOURCE) && file_write("a.csv", NUMBERS) &&
           file_write("bare.csv", "a,b\n1,2\n") && file_write("ragged.csv", "# c\na,b\n1\n"));
}

static int end(void **state) {
  (void)state;
  char command[SCRATCH_MOST + 16];
  snprintf(command, sizeof command, "rm -r '%s'", directory);
  return system(command) != 0;
}

static char said[2000];
static Page page;

/* Fills the blocks of a page, or calls page_bare if `bare` is not NULL. Errors are written to
 * `said`. Returns NULL if a block is invalid. */
static char *work(const char *text, const char *bare) {
  memset(said, 0, sizeof said);
  page = (Page){.path = "p.md", .errors = fmemopen(said, sizeof said, "w"), .check = true};
  char *result = bare ? page_bare(&page, text, bare) : page_weave(&page, text);
  fclose(page.errors);
  return result;
}

static void becomes(const char *text, const char *expected) {
  char *result = work(text, NULL);
  assert_string_equal(said[0] && !result ? said : "", "");
  assert_string_equal(result, expected);
  assert_int_equal(page.stale, strcmp(text, expected) != 0);
  char *again = work(result, NULL); /* a block that is up to date is not changed */
  assert_string_equal(again, expected);
  assert_int_equal(page.stale, 0);
  assert_string_equal(said, "");
  free(again);
  free(result);
}

static void complains(const char *text, const char *sentence) {
  char *result = work(text, NULL);
  assert_null(result);
  assert_string_equal(said, sentence);
}

/* ---- code ------------------------------------------------------------------------------------ */

static void code_is_filled_in(void **state) {
  (void)state;
  becomes("# T\n\n<!-- code a.cu from=\"if (x)\" to=\"= 1\" -->\nold\n<!-- end -->\nrest\n",
          "# T\n\n<!-- code a.cu from=\"if (x)\" to=\"= 1\" -->\n```cuda\nif (x)\n"
          "  x[0] = 1; // trailing words stay\n```\n<!-- end -->\nrest\n");
  becomes("<!-- code a.cu after=\"void two\" from=\"if (x)\" --><!-- end -->",
          "<!-- code a.cu after=\"void two\" from=\"if (x)\" -->\n```cuda\nif (x)\n```\n"
          "<!-- end -->");
}

static void a_pragma_stays_at_the_margin(void **state) {
  (void)state;
  becomes("<!-- code a.cu from=\"#pragma\" to=\"++\" -->\n<!-- end -->\n",
          "<!-- code a.cu from=\"#pragma\" to=\"++\" -->\n```cuda\n#pragma unroll\nfor (;;)\n"
          "  x[0]++;\n```\n<!-- end -->\n");
  becomes("<!-- code a.cu from=\"#define\" to=\"++\" -->\n<!-- end -->\n",
          "<!-- code a.cu from=\"#define\" to=\"++\" -->\n```cuda\n#define MORE\n  x[0]++\n```\n"
          "<!-- end -->\n");
}

static void bare_code_has_no_lines_of_comment(void **state) {
  (void)state;
  becomes("<!-- code a.cu to=\"void two\" bare -->\n<!-- end -->\n",
          "<!-- code a.cu to=\"void two\" bare -->\n```cuda\nvoid one(int *x) {\n  if (x)\n"
          "    x[0] = 1; // trailing words stay\n}\nvoid two(int *x) {\n```\n<!-- end -->\n");
}

static void code_that_is_not_there(void **state) {
  (void)state;
  complains("\n\n<!-- code b.cu -->\n<!-- end -->\n", "p.md:3: b.cu: No such file or directory\n");
  complains("<!-- code a.cu from=\"nothing\" -->\n<!-- end -->\n",
            "p.md:1: a.cu has no line with \"nothing\" in it\n");
  complains("<!-- code a.cu from=two to=\"= 1\" -->\n<!-- end -->\n",
            "p.md:1: a.cu has no line with \"= 1\" in it after \"two\"\n");
  complains("<!-- code a.cu upto=x -->\n<!-- end -->\n",
            "p.md:1: upto=x: a code block has the options after=, from=, to= and bare\n");
  complains("<!-- code . -->\n<!-- end -->\n", "p.md:1: .: Is a directory\n");
}

/* ---- tables and numbers ---------------------------------------------------------------------- */

static void tables_are_filled_in(void **state) {
  (void)state;
  becomes("<!-- table a.csv columns=variant,loads heads=\"\u00e4, loads\" format=%s,%'.0f "
          "rows=size:512 rows=variant:tiled,naive -->\n<!-- end -->\n",
          "<!-- table a.csv columns=variant,loads heads=\"\u00e4, loads\" format=%s,%'.0f "
          "rows=size:512 rows=variant:tiled,naive -->\n"
          "| \u00e4     |      loads |\n"
          "| ----- | ---------: |\n"
          "| tiled |    524\u00a0288 |\n"
          "| naive | 16\u00a0777\u00a0216 |\n"
          "<!-- end -->\n");
  becomes("<!-- table a.csv rows=size:1024 -->\n<!-- end -->",
          "<!-- table a.csv rows=size:1024 -->\n"
          "| variant | size |  ms | loads |\n"
          "| ------- | ---: | --: | ----: |\n"
          "| tiled   | 1024 |  10 |       |\n"
          "<!-- end -->");
}

static void numbers_are_filled_in(void **state) {
  (void)state;
  becomes("it is <!-- = a.csv variant:naive ms -->?<!-- end --> ms",
          "it is <!-- = a.csv variant:naive ms -->2.5<!-- end --> ms");
  becomes("| <!-- = a.csv variant:tiled size:512 ms \"%.2f ms\" --><!-- end --> |",
          "| <!-- = a.csv variant:tiled size:512 ms \"%.2f ms\" -->1.25 ms<!-- end --> |");
  becomes("a <!-- = a.csv variant:naive ms / variant:tiled size:512 ms %.1f\u00d7 -->3<!-- end -->",
          "a <!-- = a.csv variant:naive ms / variant:tiled size:512 ms %.1f\u00d7 -->2.0\u00d7"
          "<!-- end -->");
  becomes("a <!-- = a.csv variant:naive ms * 4 %g --><!-- end -->",
          "a <!-- = a.csv variant:naive ms * 4 %g -->10<!-- end -->");
  becomes("a <!-- = a.csv variant:naive ms + a.csv size:1024 ms %g -->3<!-- end -->",
          "a <!-- = a.csv variant:naive ms + a.csv size:1024 ms %g -->12.5<!-- end -->");
  becomes("a <!-- = a.csv variant:naive ms * 4 - 1 / a.csv size:1024 ms %g --><!-- end -->",
          "a <!-- = a.csv variant:naive ms * 4 - 1 / a.csv size:1024 ms %g -->0.9<!-- end -->");
}

static void numbers_that_are_not_there(void **state) {
  (void)state;
  complains("a <!-- = a.csv variant:fast ms --><!-- end -->\n", "p.md:1: a.csv has no such row\n");
  complains("a <!-- = a.csv variant:tiled ms --><!-- end -->\n",
            "p.md:1: a.csv has 2 such rows: add a column:value\n");
  complains("a <!-- = a.csv size:1024 loads --><!-- end -->\n",
            "p.md:1: a.csv has nothing in this place\n");
  complains("a <!-- = a.csv variant:naive time --><!-- end -->\n",
            "p.md:1: a.csv has no column \"time\"\n");
  complains("a <!-- = a.csv variant:naive ms / --><!-- end -->\n",
            "p.md:1: which column of a.csv?\n");
  complains("a <!-- = a.csv variant:naive ms %d --><!-- end -->\n",
            "p.md:1: %d: a format is text around one of %.2f, %'.0f, %g\n");
  complains("a <!-- = a.csv variant:naive ms %n%f --><!-- end -->\n",
            "p.md:1: %n%f: a format is text around one of %.2f, %'.0f, %g\n");
  complains("a <!-- = bare.csv a:1 b --><!-- end -->\n",
            "p.md:1: bare.csv: line 1: its first line has to say which command made it: # ...\n");
  complains("a <!-- = ragged.csv a:1 b --><!-- end -->\n",
            "p.md:1: ragged.csv: line 3: has another number of fields than there are columns\n");
  complains("<!-- table a.csv heads=a,b -->\n<!-- end -->\n",
            "p.md:1: heads= has to name as many as there are columns: 4\n");
  complains("<!-- table a.csv rows=variant:fast -->\n<!-- end -->\n",
            "p.md:1: a.csv has no such rows\n");
}

/* ---- pages ----------------------------------------------------------------------------------- */

static void other_comments_and_examples_are_left_alone(void **state) {
  (void)state;
  becomes("<!-- _class: title -->\n# T\n<!-- coded -->\n", "<!-- _class: title -->\n# T\n"
                                                           "<!-- coded -->\n");
  becomes("```\n<!-- code nowhere.cu -->\n```\n", "```\n<!-- code nowhere.cu -->\n```\n");
}

static void damaged_blocks(void **state) {
  (void)state;
  complains("a\n<!-- code a.cu -->\nb\n", "p.md:2: this block has no <!-- end -->\n");
  complains("<!-- code a.cu -->\n<!-- code b.cu -->\n<!-- end -->\n",
            "p.md:1: this block has no <!-- end -->\np.md:2: b.cu: No such file or directory\n");
  complains("a\n\n<!-- end -->\n", "p.md:3: this end has no block before it\n");
  complains("a <!-- = a.csv\n", "p.md:1: this comment is not closed: -->\n");
  complains("<!-- code a.cu from=\"x -->\n<!-- end -->\n",
            "p.md:1: a quotation mark is not closed, or there are more than 32 words\n");
  complains("\n```\n<!-- code a.cu -->\n", "p.md:2: this fence of ``` is not closed\n");
  complains(
      "- <!-- = a.csv variant:naive ms --><!-- end -->\n",
      "p.md:1: a number cannot begin a line: GitHub does not render the text after it; put a word "
      "before it\n");
  complains("<!-- code -->\n<!-- end -->\n",
            "p.md:1: no file is named: <!-- code FILE from=\"...\" to=\"...\" -->\n");
}

static void all_complaints_of_a_page(void **state) {
  (void)state;
  complains("<!-- code b.cu -->\n<!-- end -->\n\na <!-- = a.csv size:9 ms --><!-- end -->\n",
            "p.md:1: b.cu: No such file or directory\np.md:4: a.csv has no such row\n");
}

static void what_differs_is_said(void **state) {
  (void)state;
  char *result = work("a\n\nit takes <!-- = a.csv variant:naive ms -->2.6<!-- end --> ms\n", NULL);
  assert_string_equal(said, "p.md:3: is not what a.csv says: `make weave` brings it up to date\n");
  free(result);
}

static void bare_pages(void **state) {
  (void)state;
  char *result =
      work("<!-- _class: do -->\nsee [a](../labs/x.md), [b](02-b.md#c), [w](https://w/), "
           "![p](figures/p.svg)\n\n<!-- code a.cu -->\n```cuda\nx](y)\n```\n<!-- end -->\n"
           "is <!-- = a.csv variant:naive ms -->2.5<!-- end --> ms\n",
           "../s/");
  assert_string_equal(result, "<!-- _class: do -->\nsee [a](../s/../labs/x.md), [b](02-b.html#c), "
                              "[w](https://w/), ![p](../s/figures/p.svg)\n\n```cpp\nx](y)\n```\n\n"
                              "is 2.5 ms\n");
  free(result);
}

static void pictures_are_embedded(void **state) {
  (void)state;
  assert_true(file_write("p.svg", "<svg/>"));
  memset(said, 0, sizeof said);
  page = (Page){.path = "p.html", .errors = fmemopen(said, sizeof said, "w")};
  char *result = embed(&page, "<img alt=\"x\" src=\"p.svg\"> src=\"p.svg\" url(&quot;p.svg&quot;)");
  assert_string_equal(result, "<img alt=\"x\" src=\"data:image/svg+xml;base64,PHN2Zy8+\"> "
                              "src=\"p.svg\" url(&quot;data:image/svg+xml;base64,PHN2Zy8+&quot;)");
  free(result);
  assert_null(embed(&page, "\n<img src=\"q.svg\">"));
  fclose(page.errors);
  assert_string_equal(said, "p.html:2: q.svg: No such file or directory\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(code_is_filled_in),
      cmocka_unit_test(a_pragma_stays_at_the_margin),
      cmocka_unit_test(bare_code_has_no_lines_of_comment),
      cmocka_unit_test(code_that_is_not_there),
      cmocka_unit_test(tables_are_filled_in),
      cmocka_unit_test(numbers_are_filled_in),
      cmocka_unit_test(numbers_that_are_not_there),
      cmocka_unit_test(other_comments_and_examples_are_left_alone),
      cmocka_unit_test(damaged_blocks),
      cmocka_unit_test(all_complaints_of_a_page),
      cmocka_unit_test(what_differs_is_said),
      cmocka_unit_test(bare_pages),
      cmocka_unit_test(pictures_are_embedded),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
