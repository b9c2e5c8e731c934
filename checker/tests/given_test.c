/* Tests the comparison of a student's file with the given part of the handout: which differences
 * are found, which texts count as equal, and the text in which the given part is restored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "facts/given.h"
#include "facts/units.h"
#include "grade/sheet.h"
#include "sources.h"

#define GAP(n, code) "  // TODO(" #n ")\n" code "  // END(" #n ")\n"
#define HEAD "#include <stdio.h>\n#define SIDE 4 // of a square\n"
#define TYPE "struct __align__(16) Pair {\n  float at[2];\n};\n"
#define AREA "static __device__ int area(int side) { return side * SIDE; }\n"
#define OPEN(code) "__device__ int grow(int x) {\n" GAP(1, code) "  return x;\n}\n"
#define SHOW "extern \"C\" __global__ void show(int *to) { to[0] = grow(area(3)); }\n"
#define LINE "MAKE(show, int)\n"
#define HANDOUT HEAD TYPE AREA OPEN("") SHOW LINE

typedef struct Case {
  const char *what, *student;
  /* The expected differences, separated by "; ". For example "changed area 4": the kind of
   * difference, the name and the line. */
  const char *differences;
  bool doubtful;
} Case;

static const Case cases[] = {
    /* ---- no difference */
    {"the handout itself", HANDOUT, "", false},
    {"a gap that is filled", HEAD TYPE AREA OPEN("  x += 1;\n") SHOW LINE, "", false},
    {"other blanks and comments",
     HEAD TYPE "/* mine */ static __device__ int area( int side )\n{ return side*SIDE; }\n" OPEN("")
         SHOW "MAKE( show, int )\n",
     "", false},
    {"a byte order mark", "\xef\xbb\xbf" HANDOUT, "", false},
    {"a helper of a type and operators",
     HEAD TYPE "struct Mine {\n  int a[2];\n};\n__device__ Mine operator+(Mine a, Mine b) { return "
               "a; }\n" AREA OPEN("") SHOW LINE,
     "", false},
    {"carriage returns", "#include <stdio.h>\r\n#define SIDE 4\r\n" TYPE AREA OPEN("") SHOW LINE,
     "", false},
    {"a function with a gap is the student's",
     HEAD TYPE AREA "__device__ int grow(int y) { return y + 1; }\n" SHOW LINE, "", false},
    {"helpers",
     HEAD TYPE "static __device__ int more(int x) { return area(x); }\n" AREA OPEN("") SHOW LINE,
     "", false},
    {"a helper's macros",
     "#include <math.h>\n" HEAD "#define PLUS(a, b) ((a) + (b))\n" TYPE AREA OPEN("") SHOW LINE, "",
     false},
    {"a macro that is gone before given code",
     HEAD TYPE "#define side 1\n#undef side\n" AREA OPEN("") SHOW LINE, "", false},
    {"a macro of the header that is gone before given code",
     HEAD "#define SIDE 5\n#undef SIDE\n" TYPE AREA OPEN("") SHOW LINE, "redefined SIDE 3", true},
    {"a macro behind given code", HEAD TYPE AREA OPEN("") SHOW LINE "#define side 1\n", "", false},
    {"conditions and loops to unroll",
     HEAD TYPE AREA OPEN(
         "#ifdef A\n  if (x) {\n#else\n  if (!x) {\n#endif\n#pragma unroll\n    x++;\n  }\n")
         SHOW LINE,
     "", true}, /* brackets in two branches */
    {"a raw string with given code",
     HEAD TYPE AREA OPEN("") SHOW LINE "const char *s = R\"x(" SHOW ")x\";\n", "", false},
    /* ---- the given code is changed */
    {"a body", HEAD TYPE "static __device__ int area(int side) { return 0; }\n" OPEN("") SHOW LINE,
     "changed area 6", true},
    {"a constant", "#include <stdio.h>\n#define SIDE 5\n" TYPE AREA OPEN("") SHOW LINE,
     "changed SIDE 2", true},
    {"a type", HEAD "struct __align__(8) Pair {\n  float at[2];\n};\n" AREA OPEN("") SHOW LINE,
     "changed Pair 3", true},
    {"a line", HEAD TYPE AREA OPEN("") SHOW "MAKE(show, long)\n", "changed MAKE(show, int) 13",
     true},
    {"a kernel that calls a gap",
     HEAD TYPE AREA OPEN("") "extern \"C\" __global__ void show(int *to) { to[0] = 12; }\n" LINE,
     "changed show 12", true},
    {"a kernel is missing", HEAD TYPE AREA OPEN(""), "missing show 0; missing MAKE(show, int) 0",
     true},
    {"a type that nothing given uses is missing", HEAD AREA OPEN("") SHOW LINE, "", false},
    {"a constant becomes a variable",
     "#include <stdio.h>\nconst int SIDE = 5;\n" TYPE AREA OPEN("") SHOW LINE, "missing SIDE 0",
     true},
    {"in #if 0", HEAD TYPE "#if 0\n" AREA "#endif\n" OPEN("") SHOW LINE, "changed area 7", true},
    {"in a comment", HEAD TYPE "/*\n" AREA "*/\n" OPEN("") SHOW LINE, "missing area 0", true},
    {"in a raw string", HEAD TYPE "const char *s = R\"x(\n" AREA ")x\";\n" OPEN("") SHOW LINE,
     "missing area 0", true},
    {"in a comment that a backslash goes on with", HEAD TYPE "// \\\n" AREA OPEN("") SHOW LINE,
     "missing area 0", true},
    {"in a namespace", HEAD TYPE "namespace away {\n" AREA "}\n" OPEN("") SHOW LINE,
     "missing area 0", true},
    {"in a call of a macro", HEAD TYPE "EAT(" AREA ")\n" OPEN("") SHOW LINE, "missing area 0",
     true},
    /* ---- the given code is the same but has another meaning */
    {"a given macro that only a gap uses",
     HEAD TYPE AREA OPEN("#undef SIDE\n#define SIDE 5\n") SHOW LINE, "redefined SIDE 9", true},
    {"a given macro behind given code", HANDOUT "#undef SIDE\n", "redefined SIDE 14", true},
    {"a given macro once more", HANDOUT "#define SIDE 4\n", "", false},
    {"a macro", HEAD TYPE "#define side 1\n" AREA OPEN("") SHOW LINE, "redefined side 6", true},
    {"a macro in a gap", HEAD TYPE AREA OPEN("#define area(x) 0\n") SHOW LINE, "redefined area 9",
     true},
    {"a macro behind a carriage return", HEAD TYPE "// x\r#define side 1\n" AREA OPEN("") SHOW LINE,
     "redefined side 6", true},
    {"a macro behind a digit separator",
     HEAD TYPE "int n = 1'0;\n#define side 1\n" AREA OPEN("") SHOW LINE, "redefined side 7", true},
    {"a macro in two lines", HEAD TYPE "#def\\\nine side 1\n" AREA OPEN("") SHOW LINE, "", true},
    {"a macro by digraphs", HEAD TYPE "%:define side 1\n" AREA OPEN("") SHOW LINE, "", true},
    {"a word of the language", HEAD TYPE "#define inline volatile\n" AREA OPEN("") SHOW LINE, "",
     true},
    {"brackets in a macro", HEAD "#define OPENS {\n" TYPE AREA OPEN("") SHOW LINE, "", true},
    {"names that are pasted", HEAD "#define JOIN(a, b) a##b\n" TYPE AREA OPEN("") SHOW LINE, "",
     true},
    {"an overload",
     HEAD TYPE AREA "static __device__ int area(long side) { return 0; }\n" OPEN("") SHOW LINE, "",
     true},
    {"an overload behind given code",
     HANDOUT "static __device__ int area(long side) { return 0; }\n", "", false},
    {"a specialisation",
     HEAD TYPE AREA "template <> int area<int>(int side) { return 0; }\n" OPEN("") SHOW LINE,
     "again area 7", true},
    {"an explicit instantiation of a helper",
     HANDOUT "template <typename T> void more(T) {}\ntemplate void more<int>(int);\n", "", false},
    {"an overload of a gap's function",
     HEAD TYPE AREA OPEN("") "__device__ int grow(unsigned x) { return 0; }\n" SHOW LINE, "", true},
    {"a declaration",
     HEAD TYPE "static __device__ int area(int side) asm(\"other\");\n" AREA OPEN("") SHOW LINE, "",
     true},
    {"an attribute", HEAD TYPE "__attribute__((noinline))\n" AREA OPEN("") SHOW LINE, "", true},
    {"a function that a macro names", HEAD TYPE "#define NAME area\n" AREA OPEN("") SHOW LINE, "",
     true},
    {"a label that a macro names", HEAD TYPE "#define LABEL(x) asm(x)\n" AREA OPEN("") SHOW LINE,
     "", true},
    {"a gap's function in a namespace",
     HEAD TYPE AREA OPEN(
         "") "inline namespace away {\n__device__ int grow(long x) { return 0; }\n}\n" SHOW LINE,
     "", true},
    {"a gap's function by using", HEAD TYPE AREA "using away::grow;\n" OPEN("") SHOW LINE, "",
     true},
    {"a pragma", HEAD TYPE AREA OPEN("") SHOW LINE "#pragma redefine_extname show other\n", "",
     true},
    {"a pragma by an operator", HEAD TYPE AREA OPEN("") SHOW LINE "_Pragma(\"weak show\")\n", "",
     true},
    {"another file", HEAD TYPE AREA "#include \"other.h\"\n" OPEN("") SHOW LINE, "", true},
    {"the file itself", HEAD TYPE AREA "#include __FILE__\n" OPEN("") SHOW LINE, "", true},
    {"above the header", "#define _STDIO_H\n" HEAD TYPE AREA OPEN("") SHOW LINE, "", true},
};

static const char *const hows[] = {[GIVEN_CHANGED] = "changed",
                                   [GIVEN_MISSING] = "missing",
                                   [GIVEN_AGAIN] = "again",
                                   [GIVEN_REDEFINED] = "redefined"};

static void differences_are_found(void **state) {
  int failed = 0;
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char found[800] = "";
    Given given = given_of(HANDOUT, cases[i].student);
    for (size_t k = 0; k < given.count; k++)
      snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s %s %d", k ? "; " : "",
               hows[given.all[k].how], given.all[k].name, given.all[k].line);
    if (strcmp(found, cases[i].differences) != 0 || given.doubtful != cases[i].doubtful) {
      print_error("%s: \"%s\"%s\n", cases[i].what, found, given.doubtful ? ", doubtful" : "");
      failed++;
    }
  }
  assert_int_equal(failed, 0);
}

/* The restored text begins with the given part, which contains each unit once. The lines of the
 * student's text keep their line numbers. */
static void the_given_part_comes_first(void **state) {
  const char *student = HEAD TYPE
      "static __device__ int area(int side) { return 0; }\n" OPEN("  x += 1;\n") SHOW LINE;
  char *text = given_text(HANDOUT, student, "a \"b\".cu");
  (void)state;
  const char *own = strstr(text, "#line 1 \"a \\\"b\\\".cu\"\n#include <stdio.h>");
  assert_non_null(own);
  own = strstr(own + 1, "#line 1 \"a \\\"b\\\".cu\"\n");
  assert_non_null(own);
  assert_non_null(strstr(text, "#line 6 \"a \\\"b\\\".cu\"\n" AREA));
  assert_null(strstr(text, "return 0;"));
  assert_true(strstr(text, "__device__ int grow(int x) ;") < strstr(text, "void show("));
  assert_true(strstr(text, "void show(") < own);
  assert_null(strstr(own, "void show("));
  assert_null(strstr(own, "#define SIDE"));
  assert_non_null(strstr(own, "  x += 1;\n"));
  Units units = units_of(own);
  /* line 9 of the file, after one #line directive */
  assert_int_equal(unit_line(&units, (size_t)(strstr(own, "x += 1") - own)), 10);
  units_gone(&units);
  free(text);
}

static void pragmas_that_rename_go(void **state) {
  char *text = given_text(
      HANDOUT, HANDOUT "#pragma redefine_extname show other\n#pragma weak show\n#pragma once\n",
      "a");
  (void)state;
  assert_null(strstr(text, "redefine_extname"));
  assert_null(strstr(text, "weak"));
  assert_non_null(strstr(text, "#pragma once"));
  free(text);
}

/* The parser terminates for incomplete and malformed texts. */
static void broken_texts_end(void **state) {
  static const char *const broken[] = {"",         "{",
                                       "}",        "(",
                                       "\"",       "'",
                                       "R\"",      "R\"(",
                                       "/*",       "//",
                                       "#",        "#define",
                                       "#if\n",    "#else\n#endif\n",
                                       "\\",       "\\\n",
                                       "#\\\n",    "template <",
                                       "template", "template template int a(b);",
                                       "asm(",     "x<",
                                       "operator", "=",
                                       ";;;",      "typedef",
                                       "struct",   "extern \"C\" {",
                                       "1'",       "%:",
                                       "_Pragma",  "_Pragma(",
                                       "a(b",      "a(b)",
                                       ">(",       "f<>>(){",
                                       "#include", "#pragma",
                                       "#undef"};
  (void)state;
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    given_of(broken[i], broken[i]);
    given_of(HANDOUT, broken[i]);
    given_of(broken[i], HANDOUT);
    free(given_text(HANDOUT, broken[i], "a"));
    free(given_text(broken[i], HANDOUT, "a"));
  }
  for (size_t cut = 0; cut < strlen(HANDOUT); cut++) {
    char *part = strndup(HANDOUT, cut);
    free(given_text(HANDOUT, part, "a"));
    free(given_text(part, HANDOUT, "a"));
    free(part);
  }
}

static void solutions_change_nothing(void **state) {
  (void)state;
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next) {
    char *handout = read_source("labs", lab), *solution = read_source("solutions", lab);
    assert_false(given_of(handout, handout).doubtful);
    assert_false(given_of(handout, solution).doubtful);
    free(handout);
    free(solution);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(differences_are_found),    cmocka_unit_test(the_given_part_comes_first),
      cmocka_unit_test(pragmas_that_rename_go),   cmocka_unit_test(broken_texts_end),
      cmocka_unit_test(solutions_change_nothing),
  };
  return cmocka_run_group_tests_name("given", tests, NULL, NULL);
}
