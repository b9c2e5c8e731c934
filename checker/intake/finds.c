/* Chooses a lab's file among all files that a student handed in.
 *
 * The first criterion is the name (names.c): the name of the lab, with or without the number of a
 * copy, is better than a name with other words. A file that is empty or unchanged since it was
 * handed out is never preferred to another. The second criterion is the attempt: a later attempt is
 * better. The platform's names give the date of an attempt; otherwise the dates of archives and
 * files are used. Within an attempt, labs/NN-name/name.cu is better than NN-name/name.cu, which is
 * better than any other name.cu, because students may leave out folders. The next criteria are
 * fewer folders above the file, a later date, and a higher number of the copy. If two different
 * files are equal in all criteria, this is a problem. A note names each file that was not chosen
 * but may be the intended one. */
#include "intake.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void complain(Student *student, const char *format, ...) {
  va_list arguments;
  if (student->problems++)
    return;
  int used = snprintf(student->problem, sizeof student->problem, "%.100s%s", student->inside,
                      student->inside[0] ? ": " : "");
  va_start(arguments, format);
  vsnprintf(student->problem + used, sizeof student->problem - (size_t)used, format, arguments);
  va_end(arguments);
}

void note(Student *student, const char *format, ...) {
  va_list arguments;
  if (student->note_count == NOTES_MOST)
    return;
  va_start(arguments, format);
  if (vasprintf(&student->notes[student->note_count], format, arguments) >= 0)
    student->note_count++;
  va_end(arguments);
}

/* ---- the path -------------------------------------------------------------------------------- */

static int depth_of(const char *path) {
  int depth = 0;
  for (; *path; path++)
    depth += *path == '/';
  return depth;
}

static bool starts(const char *path, size_t length, const char *word) {
  return strlen(word) == length && strncasecmp(path, word, length) == 0;
}

/* Returns the rank of a path: 0 if the file is in labs/NN-name/, 1 if it is in NN-name/, otherwise
 * 2. */
static int rank_of(const Lab *lab, const char *path) {
  const char *file = strrchr(path, '/'), *above = file, *before;
  while (above && above > path && above[-1] != '/')
    above--;
  if (!above || !starts(above, (size_t)(file - above), lab->name))
    return 2;
  for (before = above > path ? above - 1 : path; before > path && before[-1] != '/';)
    before--;
  return above > path && starts(before, (size_t)(above - 1 - before), "labs") ? 0 : 1;
}

void place_path(const Student *student, const Place *place, char *out, size_t size) {
  const Entry *entry = &student->entries[place->entry];
  bool single = entry->kind == ENTRY_FILE;
  snprintf(out, size, "%s%s%s", entry->name, single ? "" : "/", single ? "" : place->path);
}

/* Returns the path of a file as it was handed in. If the student has several entries, the path
 * begins with the name of the entry. */
static const char *where(const Student *student, const Place *place, bool several,
                         char out[SHOWN_MOST]) {
  char path[PATH_MOST + NAME_MOST + 2];
  place_path(student, place, path, sizeof path);
  return shown(several ? path : place->path, out);
}

/* ---- comparing two files --------------------------------------------------------------------- */

/* Returns a positive number if `a` is later than `b`, and a negative number if `a` is earlier.
 * Returns 0 if the difference is within the inaccuracy of copies and archives. */
static int later(time_t a, time_t b) { return a > b + SAME_TIME ? 1 : b > a + SAME_TIME ? -1 : 0; }

static const Entry *entry_of(const Student *student, const Place *place) {
  return &student->entries[place->entry];
}

/* Returns a positive number if a is from a later attempt than b. Stores the evidence in *why. */
static int later_attempt(const Student *student, const Place *a, const Place *b, const char **why) {
  long long x = entry_of(student, a)->attempt, y = entry_of(student, b)->attempt;
  if (a->entry == b->entry && a->container == b->container)
    return 0;
  *why = "of a later attempt";
  if (a->entry != b->entry && x && y && x != y)
    return x > y ? 1 : -1;
  *why = "handed in later, by its date";
  return later(a->packed, b->packed);
}

/* Returns a positive number if file a is better than b. Stores the reason in *why. */
static int better(const Student *student, const Place *a, const Place *b, const char **why) {
  int order;
  *why = "the other one is empty";
  if (a->empty != b->empty)
    return b->empty - a->empty;
  *why = "the other one is as it was handed out";
  if (a->untouched != b->untouched)
    return b->untouched - a->untouched;
  *why = "its name fits better";
  if (a->guess != b->guess)
    return b->guess - a->guess;
  if ((order = later_attempt(student, a, b, why)))
    return order;
  *why = "it stands where the lab does";
  if (a->rank != b->rank)
    return b->rank - a->rank;
  if (a->depth != b->depth)
    return b->depth - a->depth;
  *why = "newer, by its date";
  if ((order = later(a->changed, b->changed)))
    return order;
  *why = "the later copy, by its number";
  return (int)a->copy - (int)b->copy;
}

/* Returns true if a student may ask why the other file was not chosen. Files at different places of
 * the same workbook need no explanation. */
static bool is_rival(const Place *a, const Place *b) {
  return a->entry != b->entry || a->container != b->container || a->copy != b->copy ||
         (a->rank == b->rank && a->depth == b->depth);
}

/* ---- files that belong to no lab ------------------------------------------------------------- */

/* Returns true for the workbook's own files, because some students hand in the whole workbook. */
static bool in_workbook(const char *path) {
  static const char *const parts[] = {"checker/", "common/", "solutions/", "slides/"};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (strstr(path, parts[i]))
      return true;
  return false;
}

static void see_other(Student *student, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  if (!is_cuda(name) || in_workbook(path))
    return;
  /* Ignores further files of a lab's folder. */
  for (size_t i = 0; i < student->labs->count; i++)
    if (strstr(path, student->labs->lab[i].name))
      return;
  if (student->other_cuda++ == 0)
    shown(path, student->first_cuda);
}

/* ---- taking files ---------------------------------------------------------------------------- */

bool find_place(Student *student, const char *path, time_t changed, Place *place) {
  LabName name = lab_named(student->labs, path);
  student->files++;
  if (!name.lab || (name.guess && in_workbook(path))) {
    see_other(student, path);
    return false;
  }
  *place = (Place){.lab = (size_t)(name.lab - student->labs->lab),
                   .entry = student->entry,
                   .container = student->container,
                   .guess = name.guess,
                   .rank = rank_of(name.lab, path),
                   .depth = depth_of(path) + depth_of(student->inside),
                   .copy = name.copy,
                   .changed = changed,
                   .packed = student->packed ? student->packed : changed};
  if (snprintf(place->path, sizeof place->path, "%s%s", student->inside, path) >= PATH_MOST)
    return false;
  const Find *find = &student->finds[place->lab];
  const char *why;
  /* Whether a file is empty or unchanged is known only after it was read. */
  return !find->there || find->place.empty || find->place.untouched ||
         is_rival(place, &find->place) || better(student, place, &find->place, &why) >= 0;
}

static bool same(const Find *find, const char *bytes, size_t size) {
  return find->bytes && bytes && find->size == size && memcmp(find->bytes, bytes, size) == 0;
}

/* Adds a note that says which of two different files was chosen. */
static void note_rivals(Student *student, size_t lab, const Place *taken, const Place *left,
                        const char *why) {
  char one[SHOWN_MOST], other[SHOWN_MOST];
  bool several = taken->entry != left->entry;
  if (is_rival(taken, left))
    note(student, "%s: taken %s (%s), not %s", student->labs->lab[lab].file,
         where(student, taken, several, one), why, where(student, left, several, other));
}

/* Returns true if the earlier file is kept. If an archive has two files with the same path, the
 * second replaces the first. */
static bool stays(Student *student, Find *find, const Place *place, const char *bytes,
                  size_t size) {
  char one[SHOWN_MOST], other[SHOWN_MOST];
  const char *why;
  bool once_more = strcmp(find->place.path, place->path) == 0;
  int order = once_more ? 1 : better(student, place, &find->place, &why);
  if (order && !once_more && !same(find, bytes, size))
    note_rivals(student, place->lab, order > 0 ? place : &find->place,
                order > 0 ? &find->place : place, why);
  if (order == 0 && !place->empty && !same(find, bytes, size))
    snprintf(find->problem, sizeof find->problem,
             "two files have this name, %s and %s: hand in one of them",
             where(student, &find->place, find->place.entry != place->entry, one),
             where(student, place, find->place.entry != place->entry, other));
  return order <= 0;
}

static const char *tidy(const Student *student, Place *place, char **bytes, size_t *size,
                        const char **was) {
  const Lab *lab = &student->labs->lab[place->lab];
  const char *problem = source_tidy(bytes, size, was);
  place->untouched =
      !problem && lab->given && source_same(*bytes, *size, lab->given, lab->given_size);
  place->empty = !problem && source_empty(*bytes, *size);
  return place->empty ? "the file is empty" : problem;
}

void find_take(Student *student, Place *place, char *bytes, size_t size, const char *problem) {
  Find *find = &student->finds[place->lab];
  const char *was = NULL, *damaged = bytes ? tidy(student, place, &bytes, &size, &was) : NULL;
  if (damaged) {
    free(bytes);
    bytes = NULL;
    problem = damaged;
  }
  if (find->there && stays(student, find, place, bytes, size)) {
    free(bytes);
    return;
  }
  free(find->bytes);
  *find = (Find){.there = true, .place = *place, .bytes = bytes, .size = size};
  snprintf(find->problem, sizeof find->problem, "%s", bytes ? "" : problem);
  if (was)
    note(student, "%s: was %s, and is read as UTF-8", student->labs->lab[place->lab].file, was);
}

void find_odd(Student *student, const char *path, const char *what) {
  char problem[256], text[SHOWN_MOST], inside[PATH_MOST + 64];
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  Place place;
  if (find_place(student, path, 0, &place)) {
    snprintf(problem, sizeof problem, "%s is %s: hand in the file itself", shown(name, text), what);
    find_take(student, &place, NULL, 0, problem);
  }
  if (strcmp(name, "labs") == 0)
    complain(student, "labs is %s: hand in the folder itself", what);
  for (size_t i = 0; i < student->labs->count; i++) {
    if (strcmp(name, student->labs->lab[i].name) != 0)
      continue;
    snprintf(inside, sizeof inside, "%s/%s", path, student->labs->lab[i].file);
    snprintf(problem, sizeof problem, "%s is %s: hand in the folder itself", name, what);
    if (strlen(inside) < PATH_MOST && find_place(student, inside, 0, &place))
      find_take(student, &place, NULL, 0, problem);
  }
}

/* ---- after reading --------------------------------------------------------------------------- */

bool any_found(const Student *student) {
  for (size_t i = 0; i < student->labs->count; i++)
    if (student->finds[i].there)
      return true;
  return false;
}

static bool all_found(const Student *student) {
  for (size_t i = 0; i < student->labs->count; i++)
    if (!student->finds[i].there)
      return false;
  return true;
}

static void note_guesses(Student *student) {
  char text[SHOWN_MOST];
  for (size_t i = 0; i < student->labs->count; i++) {
    const Find *find = &student->finds[i];
    const Entry *entry = entry_of(student, &find->place);
    /* In a name without a platform, the words beside the lab's name are the student's name. */
    bool by_person = !entry->platform && entry->inside[0];
    if (find->there && !find->problem[0] && find->place.guess && !by_person)
      note(student, "%s was taken for %s", where(student, &find->place, false, text),
           student->labs->lab[i].file);
  }
}

/* Writes the name that the file should have: "naive.cu", or "the lab's own, such as naive.cu". */
static const char *names_wanted(const Student *student, char *out, size_t size) {
  snprintf(out, size, "%s%s", student->labs->count > 1 ? "the lab's own, such as " : "",
           student->labs->lab[0].file);
  return out;
}

static bool typed_only(const Student *student) {
  for (size_t i = 0; i < student->entry_count; i++)
    if (!student->entries[i].remark)
      return false;
  return true;
}

void find_end(Student *student) {
  char wanted[120];
  note_guesses(student);
  if (student->other_cuda > 1 && !all_found(student))
    note(student, "%s and %zu more files have names that belong to no lab", student->first_cuda,
         student->other_cuda - 1);
  else if (student->other_cuda && any_found(student) && !all_found(student))
    note(student, "the name of %s belongs to no lab", student->first_cuda);
  if (any_found(student))
    return;
  student->unread = student->problems > 0;
  if (student->unread)
    return;
  if (student->files == 0 && typed_only(student))
    complain(student,
             "nothing was handed in but a text, typed on the platform: hand in %s as a file",
             names_wanted(student, wanted, sizeof wanted));
  else if (student->files == 0)
    complain(student, "nothing was handed in: the %s is empty", student->kind);
  else if (student->first_cuda[0])
    complain(student, "no file has the name of a lab's, but there is %s: rename it to %s",
             student->first_cuda, names_wanted(student, wanted, sizeof wanted));
  else
    complain(student, "no file has the name of a lab's");
}
