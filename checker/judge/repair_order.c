/* Which change is tried first? What went wrong says where to look, and what kind of change may make it right; of the rest, likely
 * kinds come first.
 */
#include "repair_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Likely ones come first: mistaken for another, off by one, too much, too little; of these, changes of the task's own gaps. Where
 * there is much to choose from, the rest comes last, and where all is right but costs too much, what seldom leaves it right. */
static const struct {
  const char *operation;
  bool costs;
} kinds[] = {{"too large", false},
             {"whole division", false},
             {"comparison", false},
             {"operand", true},
             {"variable", false},
             {"indices", true},
             {"tile turned", true},
             {"tiles turned", true},
             {"each time", true},
             {"both moved", false},
             {"arguments", false},
             {"barrier", true},
             {"other of two", false},
             {"type", true},
             {"constant", true},
             {"operand dropped", true},
             {"both or either", false},
             {"arithmetic", false},
             {"off by one", false},
             {"operand beside added", false},
             {"exchanged", true},
             {"stride", true},
             {"computed of another", false},
             {"qualifier", true},
             {"as in the solution", true}, /* on several lines */
             {"condition", true},
             {"own guard", true},
             {"parentheses", false},
             {"barrier moved", true},
             {"block added", false},
             {"room", true},
             {"moved", true},
             {"dropped", true},
             {"rounded up", true},
             {"condition added", true},
             {"guard added", true},
             {"guard of a sum added", false},
             {"remainder", false},
             {"value added", false},
             {"other operand", true},
             {"condition of a sum added", false},
             {"step", true},
             {"choices", true},
             {"operand subtracted", false},
             {"factor added", false},
             {"throughout", false},
             {"limited", false},
             {"barrier added", false}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Where an observer saw something go wrong, the mistake is mostly near, or where a name got its value that stands there. A race
 * wants a barrier, or the other of two buffers, an access out of bounds a guard. */
enum { LINES_MOST = 2000 };
static struct {
  int task, lines[2];
  bool gives_value[LINES_MOST]; /* to a name on one of these lines */
  bool says[LINES_MOST];        /* the operand that is taken wrongly, or the tile of it */
  bool decides[LINES_MOST];     /* has a condition, where elements are not written */
  bool race, outside, unfilled, unwritten, left_out, costs;
  bool few; /* are tried, as in a class */
} sought;   /* for qsort */

int repair_parts(const Edit *edit) {
  int parts = 0;
  while (edit->parts && edit->parts[parts])
    parts++;
  return parts;
}

bool repair_says_little(const Edit *edit) {
  return repair_goes_another_way(edit) || strcmp(edit->operation, "condition") == 0;
}

bool repair_goes_another_way(const Edit *edit) {
  const int parts = repair_parts(edit);
  return parts > 1 && edit->parts[parts - 1]->line != edit->parts[0]->line;
}

/* A right file has other words there, and in few other places. */
static bool leads_there(const Edit *edit) {
  enum { FEW = 8 };
  return edit->towards && edit->towards <= FEW;
}

int repair_rank(const Edit *edit) {
  int which = 0;
  if (edit->towards && !repair_goes_another_way(edit))
    return 2 * repair_parts(edit) + (edit->task != sought.task);
  while (which < KINDS && strcmp(edit->operation, kinds[which].operation) != 0)
    which++;
  if ((!sought.few && edit->choice >= EDIT_CHOICES) ||
      (sought.costs && !kinds[which % KINDS].costs))
    which += KINDS;
  return 2 * (EDIT_PARTS + 1 + which) + (edit->task != sought.task);
}

/* What decides whether a value is given stands above it, or below. */
static bool gives_beside(int line) {
  bool beside = false;
  for (int i = line > 3 ? line - 3 : 1; i <= line + 3 && i < LINES_MOST; i++)
    beside |= sought.gives_value[i];
  return beside;
}

/* 1: it is one of these lines, or gives a value to what stands there; 2: it is near; 3: neither. */
static int distance_of_line(int line) {
  enum { LINES = 6 };
  bool known = line > 0 && line + 1 < LINES_MOST;
  int least = !known                                                         ? 3
              : sought.gives_value[line] || sought.decides[line]             ? 1
              : sought.says[line] || (sought.unfilled && gives_beside(line)) ? 2
                                                                             : 3;
  for (size_t i = 0; i < 2; i++) {
    int apart = abs(line - sought.lines[i]), distance = !apart ? 1 : apart <= LINES ? 2 : 3;
    least = sought.lines[i] && distance < least ? distance : least;
  }
  return least;
}

/* Between what was stored and what was read. */
static bool lies_between(int line) {
  const int *of = sought.lines;
  return of[0] && of[1] && (line >= of[0]) != (line >= of[1]);
}

static bool is_wanted(const char *operation) {
  static const char
      *const of_race[] = {"barrier", "barrier added", "barrier moved", "other of two", NULL},
             *const of_outside[] = {"comparison",      "limited",     "condition",
                                    "condition added", "guard added", "condition of a sum added",
                                    "own guard",       "room",        NULL},
             *const of_unwritten[] = {"comparison",      "both or either", "condition",
                                      "operand dropped", "own guard",      NULL},
             *const of_unfilled[] = {"comparison", "operand dropped", "both or either", NULL},
             *const of_nothing[] = {NULL};
  const char *const *wanted = sought.race        ? of_race
                              : sought.outside   ? of_outside
                              : sought.unwritten ? of_unwritten
                              : sought.unfilled  ? of_unfilled
                                                 : of_nothing;
  while (*wanted && strcmp(operation, *wanted) != 0)
    wanted++;
  return *wanted;
}

/* Who reads elsewhere in shared memory does not meet what nothing wrote, and the mistake stays: it lies with who did not write.
 * What a condition leaves out is not made up for by other operations. */
bool repair_may_be(const Edit *edit) {
  return edit->towards     ? true
         : sought.left_out ? strcmp(edit->operation, "condition") == 0
                           : !sought.unfilled || strcmp(edit->operation, "limited") != 0;
}

static int distance(const Edit *edit) {
  int of_line = distance_of_line(edit->line);
  if (leads_there(edit) || strcmp(edit->operation, "parentheses") == 0)
    return 0;
  if (edit->towards)
    return of_line; /* there are few */
  if (strcmp(edit->operation, "operand added") == 0 || edit->choice >= EDIT_CHOICES)
    return 4; /* there are many */
  bool there =
      sought.race && (strncmp(edit->operation, "barrier", 7) == 0 || lies_between(edit->line));
  return is_wanted(edit->operation) && (of_line < 3 || there) ? 0 : of_line;
}

static int by_rank(const void *a, const void *b) {
  const Version *v = a, *w = b;
  const Edit *x = v->edit, *y = w->edit;
  int apart = (int)v->round - (int)w->round;
  apart = apart ? apart : distance(x) - distance(y);
  apart = apart ? apart : repair_rank(x) - repair_rank(y);
  apart =
      apart || sought.few ? apart : x->choice - y->choice; /* first the likeliest of each place */
  return apart ? apart : x < y ? -1 : x > y;
}

/* As likely as others of their kind may be, some of each come first, of likely kinds more: who knows which kind it is. Those
 * near come some rounds before those far away, and those of the task's own gaps before others. Where few are tried, all
 * that is near comes first, and of that the likely kinds. */
static size_t round_of(const Edit *edit, size_t same) {
  enum { OF_A_LIKELY_KIND = 6, OF_ANOTHER = 4, LIKELY_KINDS = 31 };
  static const size_t behind[] = {0, 0, 2, 6, 12};
  bool likely = repair_rank(edit) < 2 * (EDIT_PARTS + 1 + LIKELY_KINDS);
  return distance(edit) == 0 ? 0
         : edit->towards     ? (size_t)distance(edit)
                             : same / (likely ? OF_A_LIKELY_KIND : OF_ANOTHER) +
                               behind[distance(edit)] + (edit->task == sought.task ? 0 : 2);
}

void repair_put_in_order(Version *versions, size_t count) {
  qsort(versions, count, sizeof *versions, by_rank);
  if (sought.few)
    return;
  for (size_t i = 0, same = 0; i < count; i++) {
    const Edit *last = i ? versions[i - 1].edit : NULL, *next = versions[i].edit;
    bool alike = last && distance(last) == distance(next) && repair_rank(last) == repair_rank(next);
    same = alike ? same + 1 : 0;
    versions[i].round = round_of(next, same);
  }
  qsort(versions, count, sizeof *versions, by_rank);
}

static const char *behind_index(const char *at) {
  int open = 0;
  do {
    open += (*at == '[') - (*at == ']');
    at += open > 0 || *at == ']';
  } while (*at && (open > 0 || *at == '['));
  return at + strspn(at, " ");
}

/* Does a line of code say "name = ..." or "name[...] = ..."? */
static bool gives_value(const char *code, const char *name, size_t length) {
  for (const char *at = code; (at = strstr(at, name)); at += length) {
    const char *behind = behind_index(at + length);
    if ((at == code || !is_letter(at[-1])) && !is_letter(at[length]) && *behind == '=' &&
        behind[1] != '=')
      return true;
  }
  return false;
}

/* The lines before that one, in the same function, which begins in the first column. */
static void seek_values(char lines[][200], int line) {
  int from = line;
  while (from > 1 && !is_letter(*lines[from]))
    from--;
  for (const char *name = lines[line], *end; *name; name = end) {
    for (end = name; is_letter(*end);)
      end++;
    if (end == name || isdigit((unsigned char)*name)) {
      end += end == name;
      continue;
    }
    char word[200];
    snprintf(word, sizeof word, "%.*s", (int)(end - name), name);
    for (int i = from; i < line && i + 1 < LINES_MOST; i++)
      sought.gives_value[i] |= gives_value(lines[i], word, (size_t)(end - name));
  }
}

/* Lines that say B, or a name that begins or ends so, as Bs and tileB. */
static void seek_operand(char lines[][200], int count, char operand) {
  for (int i = 1; i <= count && operand; i++)
    for (const char *at = lines[i]; (at = strchr(at, operand)); at++)
      sought.says[i] |= at == lines[i] || !is_letter(at[-1]) || !is_letter(at[1]);
}

/* Lines that decide whether something is done. */
static void seek_conditions(char lines[][200], int count) {
  static const char *const words[] = {"if (", "for (", "while (", "&&", "||", " ? "};
  for (int i = 1; i <= count; i++)
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      sought.decides[i] |= strstr(lines[i], words[k]) != NULL;
}

static void seek_values_of_all(const char *path, char operand) {
  static char lines[LINES_MOST][200];
  int count = 0;
  FILE *in = fopen(path, "re");
  while (in && count + 1 < LINES_MOST && fgets(lines[count + 1], sizeof *lines, in))
    count++;
  if (in)
    fclose(in);
  seek_operand(lines, count, operand);
  if (sought.unwritten)
    seek_conditions(lines, count);
  for (size_t i = 0; i < 2; i++)
    if (sought.lines[i] > 0 && sought.lines[i] <= count) {
      seek_values(lines, sought.lines[i]);
      if (!sought.few && strstr(lines[sought.lines[i] - 1], "if (")) /* it may stand under it */
        seek_values(lines, sought.lines[i] - 1);
    }
}

void repair_seek(int task, const char *path, bool few, const Verdict *verdict) {
  size_t length = strlen(path), found = 0;
  memset(&sought, 0, sizeof sought);
  sought.task = task;
  sought.few = few;
  sought.race = verdict_is_race(verdict);
  sought.unfilled = verdict->kind == VERDICT_UNINITIALISED &&
                    strstr(verdict->headline, "of shared memory") != NULL;
  sought.unwritten = verdict->kind == VERDICT_UNWRITTEN && !few;
  sought.costs = verdict->kind == VERDICT_GATE;
  sought.left_out = verdict->kind == VERDICT_NOT_COMPUTED;
  sought.outside = verdict->kind == VERDICT_OUT_OF_BOUNDS ||
                   (verdict->kind == VERDICT_UNINITIALISED && !sought.unfilled);
  for (size_t i = 0; i < verdict->line_count && found < 2; i++) {
    const char *place = verdict->lines[i].place;
    if (strncmp(place, path, length) == 0 && place[length] == ':')
      sought.lines[found++] = (int)strtol(place + length + 1, NULL, 10);
  }
  seek_values_of_all(path, few ? 0 : verdict->blamed);
}
