/* Finds constructs in a student's file that may change the meaning of given code although every
 * given unit is unchanged. Such constructs are rare, and most of them are harmless. If a file has
 * one, the program is built again from the repaired text, in which these constructs have no
 * effect. */
#include "facts/comparison.h"

#include <ctype.h>
#include <string.h>

static const char *const harmless_pragmas[] = {"unroll",           "nounroll",        "once",
                                               "nv_diag_suppress", "nv_diag_default", NULL};

static bool is_word_of(const Units *units, size_t token, const char *const *words) {
  for (; *words; words++)
    if (unit_token_is(units, token, *words))
      return true;
  return false;
}

static bool is_harmless_pragma(const Units *units, const Unit *unit) {
  static const char *const of_compilers[] = {"unroll", "ivdep", "loop", "diagnostic", NULL};
  bool named = unit_token_is(units, unit->name, "GCC") || unit_token_is(units, unit->name, "clang");
  return is_word_of(units, unit->name, harmless_pragmas) ||
         (named && is_word_of(units, unit->name + 1, of_compilers));
}

/* Returns true for an #include of a system header, with a plain name in <>. */
static bool is_harmless_include(const Units *units, const Unit *unit) {
  const UnitToken *last = &units->tokens[unit->end - 1];
  size_t from = units->tokens[unit->name].from, length = last->to - from;
  const char *at = units->plain + from;
  if (!unit_token_is(units, unit->first + 1, "include") || *at != '<' || at[1] == '/')
    return false;
  for (size_t i = 1; i + 1 < length; i++)
    if (!isalnum((unsigned char)at[i]) && !strchr("_./-", at[i]))
      return false;
  return !memmem(at, length, "..", 2) && !memmem(at, length, ".cu", 3);
}

/* Returns true for _Pragma("unroll") and _Pragma("nounroll"). */
static bool is_harmless_operator(const Units *units, size_t token) {
  const char *at =
      token + 2 < units->token_count ? units->plain + units->tokens[token + 2].from : "";
  return strncmp(at, "\"unroll", 7) == 0 || strncmp(at, "\"nounroll", 9) == 0;
}

static bool is_asm(const Units *units, size_t token) {
  static const char *const words[] = {"asm", "__asm__", "__asm", NULL};
  return is_word_of(units, token, words);
}

bool has_operators(const Comparison *c) {
  for (size_t i = 0; i < c->student.token_count; i++)
    if (unit_token_is(&c->student, i, "_Pragma") && !is_harmless_operator(&c->student, i))
      return true;
  return false;
}

/* Returns true if the declared name is followed by asm("name"), which gives it another name for the
 * linker. */
static bool has_label(const Units *units, const Unit *unit) {
  for (size_t i = unit->first; i < unit->head_end; i++)
    if (is_asm(units, i))
      return true;
  return false;
}

/* Returns true for a call of a macro that the handout does not have. The macro, or an attribute
 * that looks like a call, may change the next unit. */
static bool is_other_call(const Comparison *c, size_t k) {
  const Unit *unit = &c->student.all[k];
  return unit->kind == UNIT_CALL && !units_find(&c->handout, UNIT_CALL, &c->student, unit->name);
}

/* Returns true for an operator function whose head names a given type, if it is before given code
 * that uses the type. */
static bool is_given_operator(const Comparison *c, const Unit *unit) {
  if (unit->kind != UNIT_FUNCTION || !unit_token_is(&c->student, unit->name, "operator"))
    return false;
  for (size_t i = 0; i < c->handout.count; i++)
    if (c->of_handout[i] == IS_GIVEN && c->handout.all[i].kind == UNIT_TYPE)
      for (size_t k = unit->first; k < unit->head_end; k++)
        if (unit_tokens_same(&c->student, k, &c->handout, c->handout.all[i].name) &&
            given_behind(c, unit->first, k, false))
          return true;
  return false;
}

/* Returns true if the token names a function with a gap that a given kernel calls. */
static bool is_called_open(const Comparison *c, size_t token) {
  for (size_t i = 0; i < c->handout.count; i++) {
    const Unit *unit = &c->handout.all[i];
    if (c->of_handout[i] != HAS_GAP || unit->kind != UNIT_FUNCTION ||
        !unit_tokens_same(&c->handout, unit->name, &c->student, token))
      continue;
    for (size_t k = 0; k < c->handout.count; k++)
      if (c->of_handout[k] == IS_GIVEN &&
          unit_has(&c->handout, &c->handout.all[k], &c->handout, unit->name))
        return true;
  }
  return false;
}

/* Returns true if the unit names a function with a gap that a given kernel calls, unless the unit
 * is the only definition of this function. The kernel may call another function because of such a
 * unit. */
static bool is_second_open(const Comparison *c, size_t k) {
  const Unit *unit = &c->student.all[k];
  bool function = unit->kind == UNIT_FUNCTION;
  if (function && is_called_open(c, unit->name)) {
    for (size_t i = 0; i < c->student.count; i++)
      if (i != k && c->student.all[i].kind == UNIT_FUNCTION &&
          unit_tokens_same(&c->student, c->student.all[i].name, &c->student, unit->name))
        return true;
    return unit->specialised;
  }
  for (size_t i = unit->first; i < (function ? unit->head_end : unit->end); i++)
    if (is_called_open(c, i))
      return true;
  return false;
}

/* Returns true if the tokens of a macro may change given code: assembly, or the name of a given
 * function or of a function with a gap. A macro can put these tokens anywhere into the preprocessed
 * text. */
static bool has_suspect_words(const Comparison *c, const Unit *macro) {
  for (size_t i = macro->name + 1; i < macro->end; i++)
    if (is_asm(&c->student, i) || given_function(c, i) || is_called_open(c, i))
      return true;
  return false;
}

static bool is_doubtful(const Comparison *c, size_t k) {
  const Units *units = &c->student;
  const Unit *unit = &units->all[k];
  switch (unit->kind) {
  case UNIT_INCLUDE:
    return c->of_student[k] != SAME && !is_harmless_include(units, unit);
  case UNIT_PRAGMA:
    return !is_harmless_pragma(units, unit);
  case UNIT_MACRO:
    return c->of_student[k] != SAME && has_suspect_words(c, unit);
  case UNIT_CONDITION:
  case UNIT_UNDEF:
    return false;
  default:
    return c->of_student[k] != SAME && (has_label(units, unit) || is_other_call(c, k) ||
                                        is_given_operator(c, unit) || is_second_open(c, k));
  }
}

/* Returns true for a macro or an #include above the lab's header, because it may change that
 * header. */
static bool is_above_header(const Comparison *c, size_t k) {
  const Unit *unit = &c->student.all[k];
  for (size_t i = 0; i < c->handout.count; i++)
    if (c->handout.all[i].kind == UNIT_INCLUDE && c->partner[i] < c->student.count &&
        c->partner[i] > k)
      return unit->kind == UNIT_MACRO || unit->kind == UNIT_UNDEF || unit->kind == UNIT_INCLUDE;
  return false;
}

/* Returns true if the handout has given code: a function or a call of a macro. Constants and types
 * alone compute nothing. */
static bool has_given_code(const Comparison *c) {
  for (size_t i = 0; i < c->handout.count; i++)
    if (c->of_handout[i] == IS_GIVEN &&
        (c->handout.all[i].kind == UNIT_FUNCTION || c->handout.all[i].kind == UNIT_CALL))
      return true;
  return false;
}

void find_doubts(Comparison *c) {
  c->found.odd = c->student.odd;
  c->found.doubtful |= c->student.odd;
  for (size_t k = 0; k < c->student.count; k++)
    c->found.doubtful |=
        is_doubtful(c, k) || (c->of_student[k] == OTHER && is_above_header(c, k) &&
                              !is_harmless_include(&c->student, &c->student.all[k]));
  c->found.doubtful |= has_operators(c);
  c->found.doubtful &= c->found.count > 0 || has_given_code(c);
}
