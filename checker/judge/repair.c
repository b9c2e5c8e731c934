/* Where is the mistake? Wrong numbers show what went wrong, and seldom on which line. A mistake is mostly one thing in place
 * of another, so that one change makes all right again: the changes of edits.c are tried, each in the kernels alone, and one
 * with which every run of the task comes out right is named. It is no guess: it has been run.
 */
#include "repair.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/harness.h"
#include "judge.h"
#include "sieve.h"
#include "survey.h"
#include "versions.h"

enum { FIRST = 48, TOGETHER = 128, TRIED_MOST = 12 * TOGETHER, IN_A_CLASS = 2 * TOGETHER };
enum { STARTS_IN_A_CLASS = 400 };
enum { SLOW = 2000000 }; /* branches of a warp: more than a run that is to be quick takes */
static const double SECONDS = 40, SECONDS_IN_A_CLASS = 120; /* of processor time */
static const double WAITED = 40;                            /* by the clock, where runs sleep */

typedef struct Repair {
  Check *check;
  const Settings *settings,
      *other; /* of the precision that goes wrong; of the other one, or NULL */
  const Task *task;
  Versions all;
  double start;
  time_t began;
  unsigned runs;           /* before it */
  unsigned limit;          /* branches of a quick run */
  VerdictKind wrong, kind; /* of the file as it is; of the last run */
  bool promising; /* the change at hand: nobody wants to have stopped just before it was sure */
  int how;        /* sure the best one is */
} Repair;

static bool in_a_class(const Repair *r) { return r->check->settings->sandbox; }

static bool may_go_on(const Repair *r) {
  return in_a_class(r) ? r->check->runs - r->runs < STARTS_IN_A_CLASS
                       : r->promising || (processor_seconds() - r->start < SECONDS &&
                                          time(NULL) - r->began < WAITED);
}

/* In a class the same file has the same report: what no honest one needs, ends all. */
static bool took_too_long(const Repair *r) {
  return in_a_class(r) && processor_seconds() - r->start > SECONDS_IN_A_CLASS;
}

/* ---- which of them is right? --------------------------------------------------------------------- */

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
             {"arithmetic", false},
             {"off by one", false},
             {"exchanged", true},
             {"stride", true},
             {"computed of another", false},
             {"qualifier", true},
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

static int rank(const Edit *edit) {
  int which = 0;
  while (which < KINDS && strcmp(edit->operation, kinds[which].operation) != 0)
    which++;
  if ((!sought.few && edit->choice >= EDIT_CHOICES) ||
      (sought.costs && !kinds[which % KINDS].costs))
    which += KINDS;
  return 2 * which + (edit->task != sought.task);
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
  static const char *const of_race[] = {"barrier", "barrier added", "barrier moved",
                                        "other of two"},
                           *const of_outside[] = {"comparison",  "limited",
                                                  "condition",   "condition added",
                                                  "guard added", "condition of a sum added",
                                                  "own guard",   "room"},
                           *const of_unwritten[] = {"comparison", "condition", "operand dropped",
                                                    "own guard"};
  const char *const *wanted = sought.race        ? of_race
                              : sought.outside   ? of_outside
                              : sought.unwritten ? of_unwritten
                                                 : NULL;
  size_t count = sought.race ? 4 : sought.outside ? 8 : sought.unwritten ? 4 : 0, which = 0;
  while (which < count && strcmp(operation, wanted[which]) != 0)
    which++;
  return which < count;
}

/* Who reads elsewhere in shared memory does not meet what nothing wrote, and the mistake stays: it lies with who did not write.
 * What a condition leaves out is not made up for by other operations. */
static bool may_be(const Edit *edit) {
  return sought.left_out ? strcmp(edit->operation, "condition") == 0
                         : !sought.unfilled || strcmp(edit->operation, "limited") != 0;
}

static int distance(const Edit *edit) {
  int of_line = distance_of_line(edit->line);
  if (strcmp(edit->operation, "parentheses") == 0)
    return 0; /* there are few */
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
  apart = apart ? apart : rank(x) - rank(y);
  apart =
      apart || sought.few ? apart : x->choice - y->choice; /* first the likeliest of each place */
  return apart ? apart : x < y ? -1 : x > y;
}

/* As likely as others of their kind may be, some of each come first, of likely kinds more: who knows which kind it is. Those
 * near come some rounds before those far away, and those of the task's own gaps before others. Where few are tried, all
 * that is near comes first, and of that the likely kinds. */
static size_t round_of(const Edit *edit, size_t same) {
  enum { OF_A_LIKELY_KIND = 6, OF_ANOTHER = 4, LIKELY_KINDS = 28 };
  static const size_t behind[] = {0, 0, 2, 6, 12};
  bool likely = rank(edit) < 2 * LIKELY_KINDS;
  return distance(edit) == 0 ? 0
                             : same / (likely ? OF_A_LIKELY_KIND : OF_ANOTHER) +
                                   behind[distance(edit)] + (edit->task == sought.task ? 0 : 2);
}

static void put_in_order(Version *versions, size_t count) {
  qsort(versions, count, sizeof *versions, by_rank);
  if (sought.few)
    return;
  for (size_t i = 0, same = 0; i < count; i++) {
    const Edit *last = i ? versions[i - 1].edit : NULL, *next = versions[i].edit;
    bool alike = last && distance(last) == distance(next) && rank(last) == rank(next);
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

static void seek(int task, const char *path, bool few, const Verdict *verdict) {
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

/* count 0: all that the task asks for, what it costs, too; or only what it costs. */
static bool with_version(Repair *r, const Version *version, const JudgedRun *runs, size_t count,
                         unsigned limit, bool only_costs) {
  if (!may_go_on(r))
    return false;
  Settings settings = *r->settings;
  Check check = {.settings = &settings, .runs = r->check->runs, .only_costs = only_costs};
  char path[340];
  snprintf(check.folder, sizeof check.folder, "%s", r->check->folder);
  snprintf(path, sizeof path, "%s/kernels", r->check->folder);
  settings.kernels = path;
  settings.budget = 0; /* is for what counts */
  settings.no_lines = true;
  settings.limit = limit;
  settings.seconds = limit && limit < SLOW ? 1 : settings.seconds;
  FILE *out = fopen(path, "we");
  if (!out)
    return false;
  fwrite(version->ptx, 1, version->length, out);
  bool right = fclose(out) == 0;
  for (size_t i = 0; i < count && right; i++) {
    memset(&check.verdict, 0, sizeof check.verdict);
    right = judged_right(&check, &runs[i], NULL);
  }
  if (right && count == 0) {
    r->task->check(&check);
    right = !check.verdict.headline[0];
  }
  r->check->runs = check.runs;
  r->kind = check.verdict.kind;
  unlink(path);
  return right;
}

/* limit: of a warp's branches; 0: as many as a right kernel may take that was compiled for speed, as this one was not. */
static bool come_out_right(Repair *r, const Version *version, const JudgedRun *runs, size_t count,
                           unsigned limit) {
  return with_version(r, version, runs, count, limit ? limit : SLOW, false);
}

static bool is_done(Repair *r, const Version *version) {
  return with_version(r, version, NULL, 0, 0, false);
}

/* The whole task, with all kernels, in both precisions: what is right by chance in one is not in the other. */
static bool is_done_in_both(Repair *r, size_t number, const Settings *other) {
  const Settings *own = r->settings;
  version_complete(&r->all, number, own);
  bool done = is_done(r, &r->all.versions[number]);
  if (done && other) {
    version_complete(&r->all, number, other);
    r->settings = other;
    done = is_done(r, &r->all.versions[number]);
    r->settings = own;
  }
  return done;
}

/* The run that failed at sizes that no tile fits: where a task has whole tiles only, several changes may do, and the right one
 * does here, too, if the rest of the kernel is ready for it. */
static JudgedRun ragged(const JudgedRun *failed) {
  static const int sizes[] = {137, 71, 149, 3};
  JudgedRun run = *failed;
  for (int i = 0; i < problem_sizes(failed->subject->problem); i++) {
    int most = failed->subject->drawn_most[i];
    run.size[i] = sizes[i] < most ? sizes[i] : most;
  }
  return run;
}

/* Branches that a warp may take for such sizes, since of the changes that are tried many make a loop endless: more than it takes
 * unchanged. */
static unsigned branches(Repair *r, const JudgedRun *run) {
  enum { FEW = 500, MOST = 500000, MORE = 4 };
  unsigned most = FEW;
  for (int i = 0; i < problem_sizes(run->subject->problem); i++)
    most += 4 * (unsigned)run->size[i];
  while (most < MOST && !come_out_right(r, &r->all.versions[0], run, 1, most) &&
         r->kind == VERDICT_ENDLESS)
    most *= MORE;
  return most * MORE;
}

enum { DONE = 2, SURE = 2 + DONE };

/* All runs of the task come out right; how sure it is that this was the mistake. Where they did before, it is what it costs. */
static int how_right(Repair *r, const Version *version, const Wanted *wanted, const JudgedRun *last,
                     const JudgedRun *quick) {
  r->promising = false;
  if (!come_out_right(r, version, quick, 1, r->limit))
    return 0;
  r->promising = !wanted->costs; /* there all but a few come out right */
  if (wanted->costs ? !with_version(r, version, NULL, 0, 0, true)
                    : !come_out_right(r, version, wanted->runs, wanted->count, 0))
    return 0;
  size_t number = (size_t)(version - r->all.versions);
  if (wanted->costs)
    return is_done_in_both(r, number, r->other) ? SURE : 0;
  int how = 1 + come_out_right(r, version, last, 1, 0);
  return how + DONE * is_done_in_both(r, number, r->other);
}

/* The run with the least work that goes wrong as well: most changes end with it, if it is not one of a single element. */
static const JudgedRun *quickest(Repair *r, const Wanted *wanted) {
  enum { LEAST = 8 };
  const JudgedRun *best = &wanted->failed;
  for (size_t i = 0; i < wanted->count && !in_a_class(r) && !wanted->costs; i++)
    if (run_work(&wanted->runs[i]) >= LEAST && run_work(&wanted->runs[i]) < run_work(best) &&
        !come_out_right(r, &r->all.versions[0], &wanted->runs[i], 1, 0))
      best = &wanted->runs[i];
  return best;
}

/* Wrong numbers of any kind. */
static bool is_of_numbers(VerdictKind kind) {
  return kind == VERDICT_WRONG || kind == VERDICT_UNWRITTEN || kind == VERDICT_NOT_A_NUMBER;
}

/* At home the same with less work, if it goes wrong in the same way: all sizes are as whole, and as square, as those of the
 * task's runs, as the sizes are that nobody knows before. */
static JudgedRun shrunk(Repair *r, const Wanted *wanted, const JudgedRun *run) {
  static const int larger[] = {1, 2, 4, 8, 16, 32};
  enum { FEW = 3 };
  for (size_t i = 0;
       i < sizeof larger / sizeof *larger && wanted->count && !in_a_class(r) && !wanted->costs;
       i++) {
    JudgedRun small = *run;
    bool fits = true;
    for (int k = 0; k < problem_sizes(run->subject->problem); k++) {
      int step = runs_step(wanted->runs, wanted->count, k);
      int more = runs_twin(wanted->runs, wanted->count, k);
      small.size[k] = step > 1 ? step * (larger[i] + more) : FEW * larger[i] + more;
      fits &= small.size[k] <= run->subject->drawn_most[k];
    }
    if (!fits || 2 * run_work(&small) > run_work(run))
      break;
    bool right = come_out_right(r, &r->all.versions[0], &small, 1, r->limit);
    if (!right && (r->kind == r->wrong || (is_of_numbers(r->kind) && is_of_numbers(r->wrong))))
      return small;
  }
  return *run;
}

/* Who waits is told how far it is. */
static void tell(const Repair *r, size_t at, size_t count) {
  if (!r->check->tells)
    return;
  printf("\r  looking for the line of the mistake, for about %.0f s: change %zu of %zu ...",
         SECONDS, at, count);
  fflush(stdout);
}

static bool is_worth_it(const Repair *r, size_t number) {
  return version_is_new(&r->all, number) && may_be(r->all.versions[number].edit);
}

typedef struct Sieved {
  Repair *r;
  const JudgedRun *quick;
  bool costs;
} Sieved;

/* What most changes fail at. */
static bool passes_quick(const void *of, size_t number) {
  const Sieved *s = of;
  const Version *version = &s->r->all.versions[number];
  return !is_worth_it(s->r, number) || !may_go_on(s->r) ||
         (come_out_right(s->r, version, s->quick, 1, s->r->limit) &&
          (!s->costs || with_version(s->r, version, NULL, 0, 0, true)));
}

/* The first with which the ragged run comes out right, too, and the whole task is done; else the best of the others. In a
 * class, where many wait, the first of any kind. */
static const Edit *first_right(Repair *r, const Wanted *wanted) {
  const size_t tried = in_a_class(r) ? IN_A_CLASS : TRIED_MOST;
  const size_t count = r->all.count < tried ? r->all.count : tried;
  const JudgedRun last = ragged(&wanted->failed);
  JudgedRun quick;
  bool known = false;
  const Edit *found = NULL;
  enum { SOON = 12 };
  int best = 0;
  for (size_t from = 1, to; from < count && best < (in_a_class(r) ? 1 : SURE) && may_go_on(r);
       from = to) {
    to = from + (from == 1 && !in_a_class(r) ? FIRST : TOGETHER);
    to = to < count ? to : count;
    tell(r, from, count);
    if (!versions_compile(&r->all, from, to))
      continue;
    if (!known && wanted->costs && with_version(r, &r->all.versions[0], NULL, 0, 0, true))
      return NULL; /* it is not these kernels that cost too much */
    if (!known) {
      known = true;
      const JudgedRun *least = quickest(r, wanted);
      r->limit = branches(r, least);
      quick = shrunk(r, wanted, least);
      r->limit = branches(r, &quick);
    }
    const Sieved sieved = {r, &quick, wanted->costs};
    bool passes[TOGETHER];
    memset(passes, true, sizeof passes);
    if (!in_a_class(r))
      sieve(r->check, from, to, passes_quick, &sieved, passes);
    const size_t first = from;
    for (size_t i = from; i < to && (best < SURE || !in_a_class(r)) && may_go_on(r); i++) {
      if (took_too_long(r))
        return NULL;
      const Version *version = &r->all.versions[i];
      int how =
          passes[i - first] && is_worth_it(r, i) ? how_right(r, version, wanted, &last, &quick) : 0;
      if (how == SURE && best < SURE) /* a likelier one may come soon */
        to = i + SOON < to ? i + SOON : to;
      if (how > best || (how && how == best && rank(version->edit) < rank(found))) {
        r->how = best = how;
        found = version->edit;
      }
    }
  }
  return found;
}

/* ---- in words ------------------------------------------------------------------------------------ */

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

/* On one line, no longer than a line has room for; "(32 + 1)" is 33, and "(n + 1)" needs no parentheses. */
static void shorten(char out[60], const char *text, size_t length) {
  enum { MOST = 53 };
  size_t at = 0;
  int number, one;
  char sign, end;
  if (sscanf(text, "(%d %c %d%c", &number, &sign, &one, &end) == 4 && end == ')') {
    snprintf(out, 60, "%d", sign == '+' ? number + one : number - one);
    return;
  }
  while (length && isspace((unsigned char)text[length - 1]))
    length--;
  if (length > 2 && *text == '(' && text[length - 1] == ')' && !memchr(text + 1, '(', length - 1))
    text++, length -= 2;
  for (size_t i = 0; i < length && at < MOST; i++)
    if (!isspace((unsigned char)text[i]))
      out[at++] = text[i];
    else if (at && out[at - 1] != ' ')
      out[at++] = ' ';
  snprintf(out + at, 60 - at, "%s", at == MOST ? "..." : "");
}

/* Of two names that change places throughout a text: those where the texts begin to differ. */
static void put_exchanged(char *out, size_t size, const char *was, const char *is) {
  static const char ends[] = " ,;()[]*+-/%<>=?&|.";
  size_t at = 0;
  while (was[at] && was[at] == is[at])
    at++;
  while (at > 0 && is_letter(was[at - 1]))
    at--;
  snprintf(out, size, "with \"%.*s\" and \"%.*s\" exchanged", (int)strcspn(was + at, ends),
           was + at, (int)strcspn(is + at, ends), is + at);
}

/* A term that became 1 in several places: it ends where both texts go on alike. */
static void put_each_time(char *out, size_t size, const char *was, const char *is) {
  enum { ALIKE = 6 };
  size_t length = 1;
  while (was[length] && strncmp(was + length, is + 1, ALIKE) != 0)
    length++;
  snprintf(out, size, "with \"1\" in place of \"%.*s\" each time", (int)length, was);
}

/* "(start + TILE)", with which the text begins, in place of its first word, here and in the next statement. */
static void put_both_moved(char *out, size_t size, const char *is) {
  size_t word = strcspn(is + 1, " "), all = strcspn(is, ")");
  snprintf(out, size, "with \"%.*s\" in place of \"%.*s\" here and in the next statement,",
           (int)all - 1, is + 1, (int)word, is + 1);
}

/* "if (row < m && column < n) ...", for each statement that the condition stood before. */
static void put_own_guard(char *out, size_t size, const char *is) {
  const char *second = strstr(is + 1, "; if (");
  snprintf(out, size, "with %s\"%.*s\" before %s", second ? "a condition of its own, " : "",
           (int)(strstr(is, ") ") + 1 - is), is,
           second ? "the first of these statements, and so on," : "this statement");
}

static const char *name_at(const char *text) {
  static char name[41];
  size_t length = 0;
  while (is_letter(text[length]) && length + 1 < sizeof name)
    length++;
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  return name;
}

/* Of the other end of what a change changes. */
static int other_line(const Repair *r, const Edit *edit) {
  int line = edit->line;
  for (size_t i = edit->from; i < edit->to; i++)
    line += r->all.source[i] == '\n' && i + 1 < edit->to;
  return line;
}

/* The sentence, and the place of what it is about. */
static void say(const Repair *r, const Edit *edit, const Wanted *wanted, bool replaces,
                Verdict *verdict) {
  char was[60], is[60], before[60], place[200], how[200], runs[40];
  size_t word = edit->from;
  while (word > 0 && is_of_name(r->all.source[word - 1]))
    word--;
  shorten(before, r->all.source + word, edit->from - word);
  shorten(was, r->all.source + edit->from, edit->to - edit->from);
  shorten(is, edit->text, strlen(edit->text));
  place_format(place, sizeof place, r->check->settings->source, edit->line);
  if (strcmp(edit->operation, "dropped") == 0 || strcmp(edit->operation, "operand dropped") == 0)
    snprintf(how, sizeof how, "without \"%s\"", was);
  else if (strcmp(edit->operation, "moved") == 0)
    snprintf(how, sizeof how, "with these two statements the other way round");
  else if (strcmp(edit->operation, "barrier added") == 0)
    snprintf(how, sizeof how, "with __syncthreads() behind it");
  else if (strcmp(edit->operation, "barrier moved") == 0)
    snprintf(how, sizeof how, "with __syncthreads() %s line %d and not",
             *edit->text == '_' ? "before" : "behind", other_line(r, edit));
  else if (strncmp(edit->operation, "guard", 5) == 0)
    snprintf(how, sizeof how, "with \"%s\" in front of it", is);
  else if (strcmp(edit->operation, "tile turned") == 0)
    snprintf(how, sizeof how, "with the two indices of %.40s exchanged wherever it is used, first",
             name_at(r->all.source + edit->from));
  else if (strcmp(edit->operation, "tiles turned") == 0)
    snprintf(how, sizeof how, "with the two indices exchanged wherever a tile is used, first");
  else if (strcmp(edit->operation, "both moved") == 0)
    put_both_moved(how, sizeof how, edit->text);
  else if (strcmp(edit->operation, "each time") == 0)
    put_each_time(how, sizeof how, r->all.source + edit->from, edit->text);
  else if (strcmp(edit->operation, "parentheses") == 0)
    snprintf(how, sizeof how, "with parentheses around the parameters of this macro");
  else if (strcmp(edit->operation, "own guard") == 0)
    put_own_guard(how, sizeof how, edit->text);
  else if (strcmp(edit->operation, "too large") == 0)
    snprintf(how, sizeof how, "with \"%s\" in place of \"%s\", whose square no float holds,", is,
             was);
  else if (strcmp(edit->operation, "exchanged") == 0)
    put_exchanged(how, sizeof how, r->all.source + edit->from, edit->text);
  else if (edit->from == edit->to)
    snprintf(how, sizeof how, "with \"%s\" behind \"%s\"", is, before);
  else
    snprintf(how, sizeof how, "with \"%s\" in place of \"%s\"", is, was);
  const size_t count = wanted->count;
  snprintf(runs, sizeof runs, count == 1 ? "the run" : "all %zu runs", count);
  verdict_line(verdict, place, "here is the mistake");
  if (replaces)
    verdict->cause[0] = '\0';
  if (wanted->costs)
    verdict_cause_more(verdict, "%s in line %d this task is done, and costs no more than it may",
                       how, edit->line);
  else
    verdict_cause_more(verdict, "%s in line %d %s of this task come%s out right%s", how, edit->line,
                       runs, count == 1 ? "s" : "", wanted->in_double ? " in double" : "");
  verdict->explained = verdict->repaired = true;
}

/* A question is no answer. */
static bool is_question(const char *text) {
  size_t length = strlen(text);
  return length && text[length - 1] == '?';
}

/* Numbers that nobody has explained. At home, where nobody else waits, also numbers that somebody has, what shows where it went
 * wrong and not why, and what costs too much. */
static bool is_open(const Verdict *verdict, const Wanted *wanted, bool at_home, bool *replaces) {
  VerdictKind kind = verdict->kind;
  bool numbers = is_of_numbers(kind);
  bool seen = kind == VERDICT_OUT_OF_BOUNDS || kind == VERDICT_UNINITIALISED;
  bool left_out = kind == VERDICT_NOT_COMPUTED && verdict->explained;
  bool asks = is_question(verdict->cause);
  bool several = strncmp(verdict->cause, "either ", 7) == 0;
  *replaces = asks || (numbers && (several || !verdict->explained));
  if (wanted->costs)
    return at_home && kind == VERDICT_GATE;
  return at_home ? numbers || left_out || (seen && (asks || !verdict->explained)) ||
                       verdict_is_race(verdict)
                 : numbers && *replaces && !several;
}

/* A gap that is as it was handed out holds nothing to be mistaken for something else. */
static bool is_begun(const Versions *all, int task) {
  for (size_t i = 1; i < all->count; i++)
    if (all->versions[i].edit->task == task || all->versions[i].edit->task == EDIT_ANYWHERE)
      return true;
  return false;
}

/* What would be launched: a kernel that goes wrong ends a run, before the others had their turn. */
static Trial pretended(const Check *check, const JudgedRun *run) {
  Settings settings = *check->settings;
  Check own = {.settings = &settings, .runs = check->runs};
  snprintf(own.folder, sizeof own.folder, "%s", check->folder);
  settings.pretend = true;
  return judged_start(&own, run, "--pretend");
}

static bool explains(Check *check, const Settings *other, const Task *task, int number,
                     const Wanted *wanted, Verdict *verdict) {
  Repair r = {.check = check,
              .settings = check->settings,
              .other = other,
              .task = task,
              .start = processor_seconds(),
              .began = time(NULL),
              .runs = check->runs,
              .wrong = verdict->kind};
  const Edit *found = NULL;
  bool replaces;
  if (!is_open(verdict, wanted, !check->settings->sandbox, &replaces))
    return false;
  Trial trial = pretended(check, &wanted->failed);
  seek(number, check->settings->source, in_a_class(&r), verdict);
  bool begun = versions_begin(&r.all, check->settings, check->folder, trial.log.launched) &&
               is_begun(&r.all, number);
  r.all.as_program = wanted->costs;
  if (begun) {
    put_in_order(r.all.versions + 1, r.all.count - 1);
    found = first_right(&r, wanted);
  }
  if (found && (!replaces || !in_a_class(&r)) && r.how <= DONE)
    found = NULL; /* after this change the task is not done */
  if (found)
    say(&r, found, wanted, replaces, verdict);
  else if (wanted->in_double && widths_explain(check->settings->source, number, verdict))
    verdict->explained = verdict->repaired = true;
  else if (begun && !in_a_class(&r) && !wanted->costs && !verdict->suspects.count)
    verdict->repaired = survey_explains(check, wanted, verdict);
  versions_end(&r.all);
  trial_free(&trial);
  return verdict->repaired;
}

/* Changes are tried in the precision that goes wrong. */
bool repair_explains(Check *check, const Task *task, int number, const Wanted *wanted,
                     Verdict *verdict) {
  const Settings *settings = check->settings;
  Settings in_double = settings_in_double(settings);
  bool both = settings->in_double && access(settings->in_double, X_OK) == 0;
  if (wanted->in_double)
    check->settings = &in_double;
  bool found = explains(check,
                        wanted->in_double ? settings
                        : both            ? &in_double
                                          : NULL,
                        task, number, wanted, verdict);
  check->settings = settings;
  return found;
}
