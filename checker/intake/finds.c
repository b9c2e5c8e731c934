/* Which file is a lab's: the one whose path ends NN-name/name.cu, best below labs/; else one called
 * name.cu anywhere, because students flatten folders. Of two of the same rank the one with fewer
 * folders above it; two that are equal in that, too, are a problem unless they hold the same.
 */
#include "intake.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the character at `text`; 0: none that can be shown. */
static size_t character(const unsigned char *text) {
  if (*text < 0x80)
    return *text >= 0x20 && *text != 0x7f;
  size_t length = *text >= 0xf0 ? 4 : *text >= 0xe0 ? 3 : 2;
  unsigned value = *text & (0xff >> (length + 1));
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (*text < 0xc2 || *text > 0xf4)
    return 0;
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80)
      return 0;
    value = value << 6 | (text[i] & 0x3f);
  }
  bool control = value < 0xa0 || value == 0x2028 || value == 0x2029;
  bool turns = (value >= 0x202a && value <= 0x202e) || (value >= 0x2066 && value <= 0x2069);
  bool none = value < least[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff);
  return control || turns || none ? 0 : length;
}

const char *shown(const char *name, char out[SHOWN_MOST]) {
  static const char unknown[] = "\xef\xbf\xbd", more[] = "..";
  const unsigned char *at = (const unsigned char *)name;
  size_t used = 0;
  while (*at) {
    size_t length = character(at), put = length ? length : 3;
    if (used + put + sizeof more > SHOWN_MOST) {
      memcpy(out + used, more, 2);
      used += 2;
      break;
    }
    memcpy(out + used, length ? (const char *)at : unknown, put);
    used += put;
    at += length ? length : 1;
  }
  out[used] = '\0';
  return out;
}

void complain(Student *student, const char *format, ...) {
  va_list arguments;
  if (student->problems++)
    return;
  va_start(arguments, format);
  vsnprintf(student->problem, sizeof student->problem, format, arguments);
  va_end(arguments);
}

/* ---- what a path says ---------------------------------------------------------------------------- */

static int depth_of(const char *path) {
  int depth = 0;
  for (; *path; path++)
    depth += *path == '/';
  return depth;
}

/* Is `end` the end of the path, from a component's beginning on? */
static bool ends_with(const char *path, const char *end) {
  size_t length = strlen(path), least = strlen(end);
  if (length < least || strcmp(path + length - least, end) != 0)
    return false;
  return length == least || path[length - least - 1] == '/';
}

static const Lab *lab_of_file(const Labs *labs, const char *path) {
  const char *slash = strrchr(path, '/');
  for (size_t i = 0; i < labs->count; i++)
    if (strcmp(slash ? slash + 1 : path, labs->lab[i].file) == 0)
      return &labs->lab[i];
  return NULL;
}

static int rank_of(const Lab *lab, const char *path) {
  char tail[256];
  snprintf(tail, sizeof tail, "labs/%s/%s", lab->name, lab->file);
  if (ends_with(path, tail))
    return 0;
  return ends_with(path, tail + strlen("labs/")) ? 1 : 2;
}

/* ---- the best one ----------------------------------------------------------------------------------- */

/* Below 0: the path is better than what was found. */
static int compare(const Find *find, int rank, int depth) {
  return rank != find->rank ? rank - find->rank : depth - find->depth;
}

Find *find_place(Student *student, const char *path) {
  const Lab *lab = lab_of_file(student->labs, path);
  student->files++;
  if (!lab) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strstr(name, ".cu") && !student->first_cuda[0]) /* "naive (1).cu", "naive.cu.txt" */
      shown(name, student->first_cuda);
    return NULL;
  }
  Find *find = &student->finds[lab - student->labs->lab];
  if (find->there && compare(find, rank_of(lab, path), depth_of(path)) > 0)
    return NULL;
  return find;
}

static bool same(const Find *find, const char *bytes, size_t size) {
  return find->bytes && bytes && find->size == size && memcmp(find->bytes, bytes, size) == 0;
}

/* Two files could be meant. In an archive a second one of the same name replaces the first. */
static bool take_second(Find *find, const char *path, const char *bytes, size_t size) {
  char one[SHOWN_MOST], other[SHOWN_MOST];
  if (strcmp(find->path, path) == 0)
    return true;
  if (same(find, bytes, size))
    return false;
  snprintf(find->problem, sizeof find->problem,
           "two files could be it, %s and %s: hand in one of them", shown(find->path, one),
           shown(path, other));
  return false;
}

void find_take(Student *student, Find *find, const char *path, char *bytes, size_t size,
               const char *problem) {
  const Lab *lab = &student->labs->lab[find - student->finds];
  int rank = rank_of(lab, path), depth = depth_of(path);
  if (find->there && compare(find, rank, depth) == 0 && !take_second(find, path, bytes, size)) {
    free(bytes);
    return;
  }
  free(find->bytes);
  *find = (Find){.there = true, .rank = rank, .depth = depth, .bytes = bytes, .size = size};
  snprintf(find->path, sizeof find->path, "%s", path);
  snprintf(find->problem, sizeof find->problem, "%s", bytes ? "" : problem);
}

void find_odd(Student *student, const char *path, const char *what) {
  char problem[256], text[SHOWN_MOST], inside[PATH_MOST + 64];
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  Find *find = find_place(student, path);
  if (find) {
    snprintf(problem, sizeof problem, "%s is %s: hand in the file itself", shown(name, text), what);
    find_take(student, find, path, NULL, 0, problem);
  }
  if (strcmp(name, "labs") == 0)
    complain(student, "labs is %s: hand in the folder itself", what);
  for (size_t i = 0; i < student->labs->count; i++) {
    if (strcmp(name, student->labs->lab[i].name) != 0)
      continue;
    snprintf(inside, sizeof inside, "%s/%s", path, student->labs->lab[i].file);
    snprintf(problem, sizeof problem, "%s is %s: hand in the folder itself", name, what);
    if (strlen(inside) < PATH_MOST && (find = find_place(student, inside)))
      find_take(student, find, inside, NULL, 0, problem);
  }
}

bool any_found(const Student *student) {
  for (size_t i = 0; i < student->labs->count; i++)
    if (student->finds[i].there)
      return true;
  return false;
}

void find_end(Student *student) {
  if (any_found(student))
    return;
  student->unread = student->problems > 0;
  if (student->unread)
    return;
  if (student->files == 0)
    complain(student, "nothing was handed in: the %s is empty", student->kind);
  else if (student->first_cuda[0])
    complain(student, "no file has the name of a lab's, but there is %s", student->first_cuda);
  else
    complain(student, "no file has the name of a lab's");
}
