/* Tests that any sequence of bytes is written as valid XML. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "draw/markup.h"

static void expect(const char *text, const char *markup) {
  char *written = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&written, &size);
  markup_text(out, text);
  fclose(out);
  assert_string_equal(written, markup);
  free(written);
}

static void test_marks(void **state) {
  (void)state;
  expect("", "");
  expect("a<b && \"c\" > 'd'", "a&lt;b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
  expect("&amp;", "&amp;amp;");
}

static void test_controls(void **state) {
  (void)state;
  expect("a\tb\nc", "a\tb\nc");
  expect("\x01\x1b[31m\r\x7f", "??[31m??");
}

static void test_characters(void **state) {
  (void)state;
  expect("\x7e \xc2\x80 \xdf\xbf é", "\x7e \xc2\x80 \xdf\xbf é");
  expect("\xe0\xa0\x80 \xed\x9f\xbf \xef\xbf\xbd \xef\xbc\x81",
         "\xe0\xa0\x80 \xed\x9f\xbf \xef\xbf\xbd \xef\xbc\x81");
  expect("\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf");
}

/* Characters that change the text direction must be written as code points. */
static void test_directions(void **state) {
  char *written = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&written, &size);
  (void)state;
  expect("\u202eif\u2066 (a)\u2069\u200f\u061c",
         "&lt;U+202E&gt;if&lt;U+2066&gt; (a)&lt;U+2069&gt;&lt;U+200F&gt;&lt;U+061C&gt;");
  expect("\u2029\u202f\u2065\u206a\u200d\u061b", "\u2029\u202f\u2065\u206a\u200d\u061b");
  plain_text(out, "\u202a<\x1b\u200e\xe2\x80");
  fclose(out);
  assert_string_equal(written, "<U+202A><?<U+200E>??");
  free(written);
}

static void test_no_characters(void **state) {
  (void)state;
  expect("\x80 \xbf \xff", "? ? ?");
  expect("\xc0\xaf \xe0\x9f\xbf \xf0\x8f\xbf\xbf", "?? ??? ????"); /* overlong encodings */
  /* a surrogate; a code point above U+10FFFF */
  expect("\xed\xa0\x80 \xf4\x90\x80\x80", "??? ????");
  expect("\xef\xbf\xbe \xef\xbf\xbf", "? ?");
  expect("\xc3", "?"); /* characters whose last bytes are missing */
  expect("\xe2\x82", "??");
  expect("\xf0\x9f\x98<", "???&lt;");
}

static void test_attribute(void **state) {
  char *written = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&written, &size);
  (void)state;
  markup_attribute(out, "name", "\"><script>");
  fclose(out);
  assert_string_equal(written, " name=\"&quot;&gt;&lt;script&gt;\"");
  free(written);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_marks),      cmocka_unit_test(test_controls),
      cmocka_unit_test(test_characters), cmocka_unit_test(test_no_characters),
      cmocka_unit_test(test_attribute),  cmocka_unit_test(test_directions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
