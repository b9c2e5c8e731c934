/* Makes a text in which the given part of a lab's file is replaced by the given part of the
 * handout.
 *
 * A unit of the handout is given if it has no gap. Some units without a gap connect the student's
 * functions with the program and are not given: a host function, a call of a macro or a variable
 * that names a function or a macro with a gap, such as launch_fast or KERNEL(smem2, padded, real).
 * A kernel without a gap is given even if it calls a function with a gap.
 *
 * The text begins with the given part, directly after the lab's header. So the student's text
 * cannot change the meaning of the given part by a macro, an overload, a namespace or a condition.
 * A function with a gap that a given kernel calls is declared before the kernel. The student's text
 * follows without its own copies of given units. If the compiler divides the student's text into
 * other units than this file does, a name is defined twice and the text does not compile. */
#include "facts/given.h"
#include "facts/comparison.h"

#include <stdlib.h>
#include <string.h>

#include "facts/facts.h"

Given given_of(const char *handout, const char *student) {
  Comparison c = compare(handout, student);
  find_doubts(&c);
  compare_end(&c);
  return c.found;
}

static void put_line(FILE *out, int line, const char *path) {
  fprintf(out, "#line %d \"", line);
  for (; *path; path++)
    fprintf(out, *path == '"' || *path == '\\' ? "\\%c" : "%c", *path);
  fputs("\"\n", out);
}

/* Declares the functions with a gap that a given kernel calls and that the student's text
 * defines. */
static void declare_open(FILE *out, const Comparison *c, const Unit *kernel) {
  const Units *units = &c->handout;
  for (size_t i = 0; i < units->count; i++) {
    const Unit *unit = &units->all[i];
    if (c->of_handout[i] == HAS_GAP && unit->kind == UNIT_FUNCTION &&
        unit_has(units, kernel, units, unit->name))
      fprintf(out, "%.*s;\n", (int)(units->tokens[unit->head_end].from - unit_from(units, unit)),
              units->text + unit_from(units, unit));
  }
}

static void put_given(FILE *out, const Comparison *c, const char *path) {
  const Units *units = &c->handout;
  for (size_t i = 0; i < units->count; i++) {
    const Unit *unit = &units->all[i];
    if (c->of_handout[i] != IS_GIVEN)
      continue;
    size_t k = c->partner[i];
    const Units *of = k < c->student.count ? &c->student : units;
    const Unit *place = k < c->student.count ? &c->student.all[k] : unit;
    declare_open(out, c, unit);
    put_line(out, unit_line(of, unit_from(of, place)), path);
    fprintf(out, "%.*s\n", (int)(unit_to(units, unit) - unit_from(units, unit)),
            units->text + unit_from(units, unit));
  }
}

static void blank(char *text, const Units *units, const Unit *unit) {
  for (size_t at = unit_from(units, unit); at < unit_to(units, unit); at++)
    if (text[at] != '\n')
      text[at] = ' ';
}

/* Returns true for a pragma that gives a declared function another name. */
static bool renames(const Units *units, const Unit *unit) {
  return unit_is_directive(unit) &&
         (unit_has_word(units, unit, "redefine_extname") || unit_has_word(units, unit, "weak"));
}

char *given_text(const char *handout, const char *student, const char *path) {
  Comparison c = compare(handout, student);
  char *text = NULL, *own = strdup(student);
  size_t size;
  FILE *out = own ? open_memstream(&text, &size) : NULL;
  if (!out)
    bad_input("out of memory");
  put_given(out, &c, path);
  memset(own, ' ', units_mark(own));
  for (size_t k = 0; k < c.student.count; k++)
    if (c.of_student[k] != OTHER || renames(&c.student, &c.student.all[k]))
      blank(own, &c.student, &c.student.all[k]);
  if (c.student.odd || has_operators(&c)) /* _Pragma may rename, too. */
    fputs("#define _Pragma(text)\n", out);
  put_line(out, 1, path);
  fputs(own, out);
  fclose(out);
  free(own);
  compare_end(&c);
  return text;
}
