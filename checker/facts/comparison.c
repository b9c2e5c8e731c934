/* Compares a student's file with its handout. Finds the given units of the handout, their copies in
 * the student's file, and the differences. */
#include "facts/comparison.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "facts/facts.h"
#include "harness/gaps.h"

/* ---- the handout's units --------------------------------------------------------------------- */

static bool has_gap(const Units *units, const Unit *unit) {
  size_t opened = 0, from = unit_from(units, unit), to = unit_to(units, unit);
  bool open = false;
  for (const char *line = units->text; *line; line += strcspn(line, "\n"), line += *line != '\0') {
    size_t at = (size_t)(line - units->text);
    bool closes = gap_mark(line, "END");
    if (open && closes && opened < to && at > from)
      return true;
    if (gap_mark(line, "TODO") || gap_mark(line, "DONE")) {
      open = true;
      opened = at;
    } else if (closes) {
      open = false;
    }
  }
  return open && opened < to;
}

/* Returns true if the unit names a function or a macro that has a gap. */
static bool names_open(const Comparison *c, const Unit *unit) {
  for (size_t i = 0; i < c->handout.count; i++)
    if (c->of_handout[i] == HAS_GAP && unit_token_is_name(&c->handout, c->handout.all[i].name) &&
        unit_has(&c->handout, unit, &c->handout, c->handout.all[i].name))
      return true;
  return false;
}

static bool is_kernel(const Units *units, const Unit *unit) {
  return unit->kind == UNIT_FUNCTION && unit_has_word(units, unit, "__global__");
}

/* Marks the units of the handout that have a gap and the units that are given. A unit without a gap
 * is given if it names no unit with a gap. A kernel without a gap is always given. */
static void mark_handout(Comparison *c) {
  const Units *units = &c->handout;
  for (size_t i = 0; i < units->count; i++)
    c->of_handout[i] = has_gap(units, &units->all[i]) ? HAS_GAP : OTHER;
  for (size_t i = 0; i < units->count; i++) {
    const Unit *unit = &units->all[i];
    bool may_be = unit->kind != UNIT_UNDEF && unit->kind != UNIT_PRAGMA &&
                  unit->kind != UNIT_CONDITION && !unit->inside;
    if (c->of_handout[i] == OTHER && may_be && (is_kernel(units, unit) || !names_open(c, unit)))
      c->of_handout[i] = IS_GIVEN;
  }
}

/* ---- matching the student's units ------------------------------------------------------------ */

const Unit *units_find(const Units *units, UnitKind kind, const Units *of, size_t name) {
  for (size_t i = 0; i < units->count; i++)
    if (units->all[i].kind == kind && unit_tokens_same(units, units->all[i].name, of, name))
      return &units->all[i];
  return NULL;
}

static void pair(Comparison *c, size_t i, size_t k, Mark mark) {
  c->partner[i] = k;
  c->of_student[k] = mark;
}

static void pair_same(Comparison *c) {
  for (size_t i = 0; i < c->handout.count; i++)
    for (size_t k = 0; c->of_handout[i] == IS_GIVEN && k < c->student.count; k++) {
      const Unit *unit = &c->student.all[k];
      if (c->of_student[k] == OTHER && !unit->inside &&
          units_same(&c->handout, &c->handout.all[i], &c->student, unit)) {
        pair(c, i, k, SAME);
        break;
      }
    }
}

/* Returns true if both units have the same kind and name, so that one may be a changed copy of the
 * other. For calls of a macro the first arguments must be equal, too. */
static bool is_changed(const Units *a, const Unit *unit, const Units *b, const Unit *other) {
  bool call = unit->kind == UNIT_CALL;
  return unit->kind == other->kind && unit->kind != UNIT_INCLUDE &&
         unit_tokens_same(a, unit->name, b, other->name) &&
         unit->specialised == other->specialised &&
         (!call || unit_tokens_same(a, unit->first + 2, b, other->first + 2));
}

/* Pairs each given unit that has no copy with a changed copy. A unit within #if counts as
 * changed. */
static void pair_changed(Comparison *c) {
  for (size_t i = 0; i < c->handout.count; i++)
    for (size_t k = 0;
         c->of_handout[i] == IS_GIVEN && c->partner[i] == c->student.count && k < c->student.count;
         k++)
      if (c->of_student[k] == OTHER &&
          is_changed(&c->handout, &c->handout.all[i], &c->student, &c->student.all[k]))
        pair(c, i, k, REPLACED);
}

/* ---- differences ----------------------------------------------------------------------------- */

static GivenKind kind_of(const Unit *unit) {
  return unit->kind == UNIT_FUNCTION ? GIVEN_FUNCTION
         : unit->kind == UNIT_MACRO  ? GIVEN_MACRO
         : unit->kind == UNIT_UNDEF  ? GIVEN_MACRO
         : unit->kind == UNIT_TYPE   ? GIVEN_TYPE
                                     : GIVEN_LINE;
}

/* Writes the text of the tokens first..last in one line, with single blanks. */
static void name_unit(char *name, size_t size, const Units *units, size_t first, size_t last) {
  size_t length = 0;
  for (size_t at = units->tokens[first].from; at < units->tokens[last].to && length + 1 < size;
       at++)
    if (!isspace((unsigned char)units->plain[at]))
      name[length++] = units->plain[at];
    else if (length && name[length - 1] != ' ')
      name[length++] = ' ';
}

/* Adds a difference unless the list has a difference with the same name. `unit` is in `units`.
 * `place` is the student's unit whose line is shown; NULL: no line. */
static void add(Comparison *c, GivenHow how, const Units *units, const Unit *unit,
                const Unit *place) {
  Given *given = &c->found;
  GivenDifference d = {.how = how, .kind = kind_of(unit)};
  bool whole = d.kind == GIVEN_LINE;
  name_unit(d.name, sizeof d.name, units, whole ? unit->first : unit->name,
            whole ? unit->end - 1 : unit->name);
  given->doubtful = true;
  for (size_t i = 0; i < given->count; i++)
    if (strcmp(given->all[i].name, d.name) == 0)
      return;
  if (given->count == GIVEN_MOST)
    return;
  d.line = place ? unit_line(&c->student, c->student.tokens[place->name].from) : 0;
  given->all[given->count++] = d;
}

/* Returns true if another given unit uses this unit of the handout. */
static bool is_used(const Comparison *c, const Unit *unit) {
  for (size_t i = 0; i < c->handout.count; i++)
    if (c->of_handout[i] == IS_GIVEN && &c->handout.all[i] != unit &&
        unit_has(&c->handout, &c->handout.all[i], &c->handout, unit->name))
      return true;
  return false;
}

/* Adds the given units that are changed or missing. A missing #include is not listed, because the
 * repaired text has it. A missing constant is not listed if no given code uses it. */
static void find_changes(Comparison *c) {
  for (size_t i = 0; i < c->handout.count; i++) {
    const Unit *unit = &c->handout.all[i];
    size_t k = c->partner[i];
    if (c->of_handout[i] != IS_GIVEN || (k < c->student.count && c->of_student[k] == SAME))
      continue;
    if (unit->kind == UNIT_INCLUDE)
      c->found.doubtful = true;
    else if (k < c->student.count)
      add(c, GIVEN_CHANGED, &c->handout, unit, &c->student.all[k]);
    else if (unit->kind == UNIT_FUNCTION || unit->kind == UNIT_CALL || is_used(c, unit))
      add(c, GIVEN_MISSING, &c->handout, unit, NULL);
  }
}

const Unit *given_behind(const Comparison *c, size_t from, size_t word, bool any) {
  const Unit *found = NULL;
  for (size_t i = 0; i < c->handout.count; i++) {
    size_t k = c->partner[i];
    const Unit *unit = &c->student.all[k];
    if (k < c->student.count && c->of_student[k] == SAME && unit->first > from &&
        (!found || unit->first < found->first) &&
        (any || unit_has(&c->student, unit, &c->student, word)))
      found = unit;
  }
  return found;
}

/* Returns true for keywords and for names that headers define. A macro with such a name may change
 * the meaning of a header's macros. */
static bool is_reserved(const Units *units, size_t name) {
  static const char *const words[] = {
      "auto",     "bool",   "break",  "case",      "char",   "class",    "const",    "constexpr",
      "continue", "double", "else",   "enum",      "extern", "float",    "for",      "if",
      "inline",   "int",    "long",   "namespace", "return", "short",    "signed",   "sizeof",
      "static",   "struct", "switch", "template",  "this",   "typename", "union",    "unsigned",
      "using",    "void",   "while",  "global",    "shared", "device",   "constant", "host",
      "asm",      "real",   "do",     "goto",      "typedef"};
  const char *at = units->plain + units->tokens[name].from;
  if (*at == '_' || strncmp(at, "cuda", 4) == 0)
    return true;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (unit_token_is(units, name, words[i]))
      return true;
  return false;
}

/* Reads the lab's header, which defines macros. Given code may use such a macro through another
 * macro, so its name need not occur in the given code. */
static void read_header(Comparison *c) {
  for (size_t i = 0; i < c->handout.count && !c->header_text; i++) {
    const Unit *unit = &c->handout.all[i];
    if (unit->kind != UNIT_INCLUDE || unit->end - unit->first < 3)
      continue;
    const UnitToken *file = &c->handout.tokens[unit->first + 2];
    char path[200];
    if (c->handout.plain[file->from] != '"')
      continue;
    snprintf(path, sizeof path, "common/%.*s", (int)(file->to - file->from) - 2,
             c->handout.plain + file->from + 1);
    c->header_text = text_of_file(path);
  }
  c->header = units_of(c->header_text ? c->header_text : "");
}

static bool is_of_header(const Comparison *c, size_t name) {
  return units_find(&c->header, UNIT_MACRO, &c->student, name);
}

/* Returns true if the student's file has a directive of this kind and name between two tokens. */
static bool is_between(const Comparison *c, UnitKind kind, const Unit *name, size_t from,
                       size_t to) {
  for (size_t k = 0; k < c->student.count; k++) {
    const Unit *unit = &c->student.all[k];
    if (unit->kind == kind && unit->first >= from && unit->first < to && !unit->inside &&
        unit_tokens_same(&c->student, unit->name, &c->student, name->name))
      return true;
  }
  return false;
}

/* Returns true if a #define has no effect on the unit `given` because an #undef follows before the
 * unit, or if the change is an #undef that only removes an earlier #define of the student. */
static bool is_undone(const Comparison *c, const Unit *unit, const Unit *given) {
  if (unit->inside || is_reserved(&c->student, unit->name) || is_of_header(c, unit->name) ||
      units_find(&c->handout, UNIT_MACRO, &c->student, unit->name))
    return false;
  return unit->kind == UNIT_MACRO ? is_between(c, UNIT_UNDEF, unit, unit->end, given->first)
                                  : is_between(c, UNIT_MACRO, unit, 0, unit->first);
}

/* Returns true if this directive of the student's file changes a macro that the handout defines. */
static bool is_given_macro(const Comparison *c, const Unit *unit) {
  for (size_t i = 0; i < c->handout.count; i++) {
    const Unit *given = &c->handout.all[i];
    if (c->of_handout[i] == IS_GIVEN && given->kind == UNIT_MACRO &&
        unit_tokens_same(&c->handout, given->name, &c->student, unit->name))
      return !units_same(&c->handout, given, &c->student, unit);
  }
  return false;
}

/* Adds the macros of the student's file that change given code. Such a macro either has a name that
 * is a token of a later given unit, or is a changed given macro. The program also uses given
 * macros, such as the size of a tile, outside of the file. */
static void find_macros(Comparison *c) {
  for (size_t k = 0; k < c->student.count; k++) {
    const Unit *unit = &c->student.all[k];
    if (c->of_student[k] != OTHER || (unit->kind != UNIT_MACRO && unit->kind != UNIT_UNDEF))
      continue;
    const Unit *hit = given_behind(c, unit->first, unit->name, false);
    const bool given = is_given_macro(c, unit);
    if (given || (hit && !is_undone(c, unit, hit)))
      add(c, GIVEN_REDEFINED, &c->student, unit, unit);
    else if (!hit && given_behind(c, unit->first, unit->name, true) &&
             (is_reserved(&c->student, unit->name) || is_of_header(c, unit->name)))
      c->found.doubtful = true;
    if (given || (hit && units_find(&c->handout, UNIT_MACRO, &c->student, unit->name)))
      c->of_student[k] = REPLACED;
  }
}

const Unit *given_function(const Comparison *c, size_t token) {
  for (size_t i = 0; i < c->handout.count; i++)
    if (c->of_handout[i] == IS_GIVEN && c->handout.all[i].kind == UNIT_FUNCTION &&
        unit_tokens_same(&c->handout, c->handout.all[i].name, &c->student, token))
      return &c->handout.all[i];
  return NULL;
}

/* Returns true if the head of a function, or any token of another unit, names a given function. */
static bool names_given(const Comparison *c, const Unit *unit) {
  for (size_t i = unit->first; i < (unit->kind == UNIT_FUNCTION ? unit->head_end : unit->end); i++)
    if (given_function(c, i))
      return true;
  return false;
}

/* Returns true if both functions have the same name and parameters. */
static bool is_same_head(const Comparison *c, const Unit *given, const Unit *unit) {
  size_t length = given->head_end - given->name;
  if (length != unit->head_end - unit->name)
    return false;
  for (size_t i = 0; i < length; i++)
    if (!unit_tokens_same(&c->handout, given->name + i, &c->student, unit->name + i))
      return false;
  return true;
}

static bool is_overload(const Comparison *c, const Unit *unit) {
  for (size_t i = 0; i < c->handout.count; i++)
    if (c->of_handout[i] == IS_GIVEN && c->handout.all[i].kind == UNIT_FUNCTION &&
        is_same_head(c, &c->handout.all[i], unit))
      return false;
  return !unit->specialised;
}

/* Adds the student's functions with the name and parameters of a given function. The repaired text
 * does not contain them, nor declarations of given functions. The repaired text contains the
 * student's overloads. They follow the given code, so they do not affect it. */
static void find_functions(Comparison *c) {
  for (size_t k = 0; k < c->student.count; k++) {
    const Unit *unit = &c->student.all[k];
    if (c->of_student[k] != OTHER || unit_is_directive(unit))
      continue;
    bool own_name = given_function(c, unit->name);
    if (unit->kind == UNIT_FUNCTION && own_name && is_overload(c, unit)) {
      c->found.doubtful |= given_behind(c, unit->first, unit->name, false) != NULL;
    } else if (unit->kind == UNIT_FUNCTION && own_name) {
      add(c, GIVEN_AGAIN, &c->student, unit, unit);
      c->of_student[k] = REPLACED;
    } else if (unit->kind == UNIT_DECLARATION && own_name) {
      c->of_student[k] = REPLACED;
      c->found.doubtful = true;
    } else if (unit->kind != UNIT_CALL && names_given(c, unit)) {
      c->found.doubtful = true;
    }
  }
}

/* ---- the comparison -------------------------------------------------------------------------- */

Comparison compare(const char *handout, const char *student) {
  Comparison c = {.handout = units_of(handout), .student = units_of(student)};
  c.of_handout = calloc(c.handout.count + 1, sizeof *c.of_handout);
  c.of_student = calloc(c.student.count + 1, sizeof *c.of_student);
  c.partner = calloc(c.handout.count + 1, sizeof *c.partner);
  if (!c.of_handout || !c.of_student || !c.partner)
    bad_input("out of memory");
  for (size_t i = 0; i < c.handout.count; i++)
    c.partner[i] = c.student.count;
  read_header(&c);
  mark_handout(&c);
  pair_same(&c);
  pair_changed(&c);
  find_changes(&c);
  find_functions(&c);
  find_macros(&c);
  return c;
}

void compare_end(Comparison *c) {
  units_gone(&c->handout);
  units_gone(&c->student);
  units_gone(&c->header);
  free(c->header_text);
  free(c->of_handout);
  free(c->of_student);
  free(c->partner);
}
