/* Where is the mistake? Wrong numbers show what went wrong, and seldom on which line. A mistake is mostly one thing in place
 * of another, so that one change makes all right again: the changes of edits.c are tried, each in the kernels alone, and one
 * with which every run of the task comes out right is named. It is no guess: it has been run.
 *
 * Hundreds of them are compiled at once, each in a namespace of its own, its kernels under names of their own. What the compiler does not take is left out and the rest compiled again. The PTX is cut apart then, and a program
 * runs with one piece of it in place of its own kernels (LOCKSTEP_KERNELS).
 */
#include "repair.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "edits.h"
#include "harness/harness.h"

enum {
  KERNELS_MOST = 32,
  TOGETHER = 128,
  TRIED_MOST = 6 * TOGETHER,
  IN_A_CLASS = 3 * TOGETHER,
  FILES = 2
};
static const double SECONDS = 40; /* of processor time */

/* Part 0 is the file as it is. */
typedef struct Part {
  const Edit *edit; /* NULL: none */
  char *ptx;        /* without what differs from part to part; NULL: it does not compile */
  size_t length;
  bool refused;
} Part;

typedef struct Repair {
  Check *check;
  char *source, *text;         /* text: of it what is compiled, at the same places */
  const json_t *launched;      /* by the run that went wrong: no other kernel is compiled */
  char *kernels[KERNELS_MOST]; /* names of all, and of other functions that C would know */
  size_t kernel_count;
  Part *parts;
  size_t count, from, to;    /* from, to: those at hand; part 0 is with all */
  char file[2 * FILES][800]; /* sources, then PTX */
  char seen[2 * FILES][400]; /* as the compiler sees them */
  double start;
} Repair;

/* Of processor time, so that a busy machine finds what an idle one does. */
static double used(void) {
  struct rusage of[2];
  double seconds = 0;
  getrusage(RUSAGE_SELF, &of[0]);
  getrusage(RUSAGE_CHILDREN, &of[1]);
  for (int i = 0; i < 2; i++)
    seconds += (double)(of[i].ru_utime.tv_sec + of[i].ru_stime.tv_sec) +
               1e-6 * (double)(of[i].ru_utime.tv_usec + of[i].ru_stime.tv_usec);
  return seconds;
}

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

static char *read_file(const char *path) {
  char *text = NULL;
  size_t length = 0;
  FILE *in = fopen(path, "re"), *out = in ? open_memstream(&text, &length) : NULL;
  for (int c; out && (c = getc(in)) != EOF;)
    putc(c, out);
  if (out)
    fclose(out);
  if (in)
    fclose(in);
  return text;
}

/* ---- one source of many ------------------------------------------------------------------------ */

static bool is_include(const char *line) {
  line += strspn(line, " \t");
  return *line == '#' && strncmp(line + 1 + strspn(line + 1, " \t"), "include", 7) == 0;
}

static size_t line_length(const char *line) {
  size_t length = strcspn(line, "\n");
  return length + (line[length] == '\n');
}

static void put_includes(FILE *out, const char *source) {
  for (; *source; source += line_length(source))
    if (is_include(source))
      fprintf(out, "%.*s", (int)line_length(source), source);
}

/* Blank from here to the end, with all line ends. */
static void blank(char *from, const char *end) {
  for (; from < end; from++)
    *from = *from == '\n' ? '\n' : ' ';
}

static void blank_includes(char *source) {
  for (; *source; source += line_length(source))
    if (is_include(source))
      blank(source, source + line_length(source));
}

/* From { to the } that belongs to it; NULL: there is none. */
static char *behind_braces(char *open) {
  int depth = 0;
  for (char *at = open; *at; at++) {
    depth += (*at == '{') - (*at == '}');
    if (depth == 0)
      return at + 1;
  }
  return NULL;
}

/* What is C's outside of functions, such as numbers for the harness, has one place in a program. */
static void blank_linkage(char *source) {
  static const char linkage[] = "extern \"C\"";
  for (char *at = source; (at = strstr(at, linkage)); at++) {
    char *open = at + sizeof linkage - 1 + strspn(at + sizeof linkage - 1, " \t\n");
    char *end = *open == '{' ? behind_braces(open) : NULL;
    if (end)
      blank(open + 1, end - 1);
  }
}

/* Of kernels that did not run nothing is left but the head. */
static void blank_kernel(char *source, const char *name) {
  size_t length = strlen(name);
  for (char *at = source; (at = strstr(at, name)); at += length) {
    char *behind = at + length, *close = strchr(behind, ')');
    char *open = close ? close + 1 + strspn(close + 1, " \t\n") : behind;
    bool head = (at == source || !is_letter(at[-1])) && *behind == '(' && *open == '{';
    char *end = head ? behind_braces(open) : NULL;
    if (end && !memchr(open, '\\', (size_t)(end - open))) /* a macro has its lines to itself */
      blank(open + 1, end - 1);
  }
}

static bool is_kernel(const Repair *r, const char *name, size_t length) {
  for (size_t i = 0; i < r->kernel_count; i++)
    if (strlen(r->kernels[i]) == length && strncmp(r->kernels[i], name, length) == 0)
      return true;
  return false;
}

static void put_undefined(FILE *out, const char *source) {
  static const char define[] = "#define ";
  for (; *source; source += line_length(source))
    if (strncmp(source, define, sizeof define - 1) == 0) {
      const char *name = source + sizeof define - 1;
      size_t length = 0;
      while (is_letter(name[length]))
        length++;
      fprintf(out, "#undef %.*s\n", (int)length, name);
    }
}

/* The text, in which kernels have names of their own. */
static void put_renamed(FILE *out, const Repair *r, size_t number, const char *text,
                        size_t length) {
  for (const char *end = text + length; text < end;) {
    const char *word = text;
    while (text < end && is_letter(*text))
      text++;
    size_t letters = (size_t)(text - word);
    if (letters && is_kernel(r, word, letters))
      fprintf(out, "edit_%04zu_", number);
    fwrite(word, 1, letters ? letters : 1, out);
    text += !letters;
  }
}

static void put_part(FILE *out, const Repair *r, size_t number) {
  const Edit *edit = r->parts[number].edit;
  size_t from = edit ? edit->from : 0, to = edit ? edit->to : 0;
  fprintf(out, "namespace edit_%04zu {\n#line 1 \"edit_%04zu\"\n", number, number);
  put_renamed(out, r, number, r->text, from);
  if (edit)
    put_renamed(out, r, number, edit->text, strlen(edit->text));
  put_renamed(out, r, number, r->text + to, strlen(r->text + to));
  fputs("\n}\n", out);
  put_undefined(out, r->source);
}

/* Each file has every FILES-th of those at hand, and the first one that is no change. */
static bool is_in(const Repair *r, size_t part, size_t file) {
  return part % FILES == file && !r->parts[part].refused &&
         (part == 0 || (part >= r->from && part < r->to));
}

static bool write_sources(const Repair *r) {
  for (size_t file = 0; file < FILES; file++) {
    FILE *out = fopen(r->file[file], "we");
    if (!out)
      return false;
    put_includes(out, r->source);
    for (size_t i = 0; i < r->to; i++)
      if (is_in(r, i, file))
        put_part(out, r, i);
    if (fclose(out) != 0)
      return false;
  }
  return true;
}

/* ---- names that C knows: two of them would be one ------------------------------------------------ */

static void add_kernel(Repair *r, const char *name, size_t length) {
  if (!is_kernel(r, name, length) && r->kernel_count < KERNELS_MOST)
    r->kernels[r->kernel_count++] = strndup(name, length);
}

/* In PTX: of kernels. */
static void names_of_entries(Repair *r, const char *ptx) {
  static const char entry[] = ".visible .entry ";
  for (const char *at = ptx; (at = strstr(at, entry));) {
    at += sizeof entry - 1;
    size_t length = strcspn(at, "( \t\n");
    add_kernel(r, at, length);
  }
}

/* In the source: of functions of the host. */
static void names_of_functions(Repair *r) {
  static const char linkage[] = "extern \"C\"";
  for (const char *at = r->source; (at = strstr(at, linkage));) {
    at += sizeof linkage - 1;
    const char *open = at + strcspn(at, "(;{#"), *end = open;
    while (end > at && !is_letter(end[-1]))
      end--;
    const char *name = end;
    while (name > at && is_letter(name[-1]))
      name--;
    if (*open == '(' && end > name && strncmp(name, "__", 2) != 0)
      add_kernel(r, name, (size_t)(end - name));
  }
}

/* ---- the compiler ------------------------------------------------------------------------------- */

/* What it says names the parts that it does not take: "edit_0017:43:5: error: ...". True: there are none. */
static bool note_refused(Repair *r, FILE *said, bool *any) {
  char line[512];
  bool good = true;
  *any = false;
  rewind(said);
  while (fgets(line, sizeof line, said)) {
    size_t number;
    if (!strstr(line, "error:"))
      continue;
    good = false;
    if (sscanf(line, "edit_%zu:", &number) != 1 || number == 0 || number >= r->count)
      continue;
    *any |= !r->parts[number].refused;
    r->parts[number].refused = true;
  }
  return good;
}

/* Compiles one file, or both at once; what was said is in `said`. */
static bool compile(Repair *r, const char *const (*pairs)[2], size_t count, FILE *said) {
  const Settings *settings = r->check->settings;
  bool walls = sandbox_wanted(settings);
  char command[8192];
  size_t at = (size_t)snprintf(command, sizeof command, "cd '%s' && each() { %s; }; ",
                               settings->work && !walls ? settings->work : ".", settings->edited);
  for (size_t i = 0; i < count && at < sizeof command; i++)
    at += (size_t)snprintf(command + at, sizeof command - at, "each '%s' '%s' 2>'%s.said' & ",
                           pairs[i][0], pairs[i][1], pairs[i][1]);
  for (size_t i = 0; i < count && at < sizeof command; i++)
    at += (size_t)snprintf(command + at, sizeof command - at, "%scat '%s.said'; rm '%s.said'; ",
                           i ? "" : "wait; ", pairs[i][1], pairs[i][1]);
  if (at >= sizeof command)
    return false;
  const char *arguments[] = {"/bin/sh", "-c", command, NULL};
  rewind(said);
  if (ftruncate(fileno(said), 0) != 0)
    return false;
  Sandbox box = {
      .work = settings->work, .readable = settings->readable, .offline = settings->offline};
  ChildEnd end = child_run(&(ChildRequest){
      .arguments = arguments, .seconds = SECONDS, .box = walls ? &box : NULL, .heard = said});
  return end.how == CHILD_EXITED && end.code == 0;
}

/* ---- one text of PTX for each ------------------------------------------------------------------- */

/* The part that a line of PTX belongs to, by the first name in it; `none` where there is no such name. */
static size_t part_of(const char *line, size_t length, size_t none) {
  static const char mark[] = "edit_";
  const char *at = memmem(line, length, mark, sizeof mark - 1);
  return at ? strtoul(at + sizeof mark - 1, NULL, 10) : none;
}

/* Lines that say the same in all parts: no number of a part, no number of a function, no line of the source. */
static void put_alike(FILE *out, const char *line, size_t length) {
  for (size_t i = 0; i < length;) {
    if (length - i > 9 && strncmp(line + i, "edit_", 5) == 0) {
      bool own = line[i + 9] == '_';
      fputs(own ? "" : "edit_0000", out);
      i += own ? 10 : 9;
    } else if (length - i > 3 && strncmp(line + i, "LBB", 3) == 0) {
      fputs("LBB", out);
      for (i += 3; i < length && isdigit((unsigned char)line[i]);)
        i++;
    } else {
      fputc(line[i++], out);
    }
  }
}

static bool says_nothing(const char *line) {
  static const char *const beginnings[] = {"Ltmp", "Lfunc", "\t.loc", "\t.file",
                                           "//",   "\t//",  "\n"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strncmp(line, beginnings[i], strlen(beginnings[i])) == 0)
      return true;
  return false;
}

/* Of one thing that stands in PTX by itself, a function or a variable: where it ends. */
static const char *behind_thing(const char *ptx) {
  int depth = 0;
  char last = ' ';
  for (; *ptx; ptx++) {
    depth += (*ptx == '(' || *ptx == '{') - (*ptx == ')' || *ptx == '}');
    if (*ptx == '\n' && depth == 0 && (last == ';' || last == '}'))
      return ptx + 1;
    last = *ptx == ' ' || *ptx == '\n' ? last : *ptx;
  }
  return ptx;
}

static bool stands_alone(const char *line) {
  static const char *const beginnings[] = {".version", ".target", ".address_size"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strncmp(line, beginnings[i], strlen(beginnings[i])) == 0)
      return true;
  return false;
}

static void put_lines(FILE *out, const char *line, const char *end) {
  for (; line < end; line += line_length(line))
    if (!says_nothing(line))
      put_alike(out, line, line_length(line));
}

/* Cuts what was compiled together apart; what belongs to no part is everybody's. */
static void cut_apart(Repair *r, const char *ptx, size_t file) {
  FILE **out = calloc(r->to, sizeof *out);
  for (size_t i = 0; out && i < r->to; i++)
    if (is_in(r, i, file) && !r->parts[i].ptx)
      out[i] = open_memstream(&r->parts[i].ptx, &r->parts[i].length);
  while (out && *ptx) {
    bool alone = says_nothing(ptx) || stands_alone(ptx);
    const char *end = alone ? ptx + line_length(ptx) : behind_thing(ptx);
    size_t owner = part_of(ptx, (size_t)(end - ptx), r->count);
    bool debug = strncmp(ptx + strspn(ptx, "\t"), ".section", 8) == 0;
    for (size_t i = file; i < r->to && !debug; i += FILES)
      if (out[i] && (owner == r->count || owner == i))
        put_lines(out[i], ptx, end);
    ptx = end;
  }
  for (size_t i = file; out && i < r->to; i += FILES)
    if (out[i])
      fclose(out[i]);
  free(out);
}

/* Those at hand. */
static bool compile_some(Repair *r, FILE *said) {
  enum { ROUNDS = 8 };
  const char *pairs[FILES][2];
  bool any = true, good = false;
  for (size_t i = 0; i < FILES; i++) {
    pairs[i][0] = r->seen[i];
    pairs[i][1] = r->seen[FILES + i];
  }
  for (int round = 0; round < ROUNDS && any && !good; round++)
    good = write_sources(r) && compile(r, pairs, FILES, said) && note_refused(r, said, &any);
  for (size_t file = 0; good && file < FILES; file++) {
    char *ptx = read_file(r->file[FILES + file]);
    if (ptx)
      cut_apart(r, ptx, file);
    good = ptx;
    free(ptx);
  }
  return good && r->parts[0].ptx && *r->parts[0].ptx;
}

/* ---- which of them is right? --------------------------------------------------------------------- */

/* Changes of the task's own gaps come first, and of these the likely ones: mistaken for another, off by one, too much. */
static int rank(const Edit *edit, int task) {
  static const char *const operations[] = {
      "comparison", "operand",  "variable",   "indices",      "arguments", "operand dropped",
      "arithmetic", "constant", "off by one", "type",         "barrier",   "qualifier",
      "condition",  "moved",    "dropped",    "operand added"};
  enum { COUNT = sizeof operations / sizeof *operations };
  int which = 0;
  while (which < COUNT && strcmp(edit->operation, operations[which]) != 0)
    which++;
  return 2 * which + (edit->task != task);
}

static int task_first; /* for qsort */
static int by_rank(const void *a, const void *b) {
  const Edit *x = ((const Part *)a)->edit, *y = ((const Part *)b)->edit;
  int apart = rank(x, task_first) - rank(y, task_first);
  return apart ? apart : x->from < y->from ? -1 : x->from > y->from;
}

static bool come_out_right(Repair *r, const Part *part, const JudgedRun *runs, size_t count,
                           unsigned limit) {
  Settings settings = *r->check->settings;
  Check check = {.settings = &settings, .runs = r->check->runs};
  char path[340];
  snprintf(check.folder, sizeof check.folder, "%s", r->check->folder);
  snprintf(path, sizeof path, "%s/kernels", r->check->folder);
  settings.kernels = path;
  settings.budget = 0; /* is for what counts */
  settings.limit = limit;
  settings.seconds = limit ? 1 : settings.seconds;
  FILE *out = fopen(path, "we");
  if (!out)
    return false;
  fwrite(part->ptx, 1, part->length, out);
  bool right = fclose(out) == 0;
  for (size_t i = 0; i < count && right; i++) {
    memset(&check.verdict, 0, sizeof check.verdict);
    right = judged_right(&check, &runs[i], NULL);
  }
  r->check->runs = check.runs;
  unlink(path);
  return right;
}

/* Nothing that was tried before. */
static bool is_new(const Repair *r, size_t number) {
  const Part *part = &r->parts[number];
  if (!part->ptx)
    return false;
  for (size_t i = 0; i < number; i++)
    if (r->parts[i].ptx && r->parts[i].length == part->length &&
        memcmp(r->parts[i].ptx, part->ptx, part->length) == 0)
      return false;
  return true;
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

/* Branches that a warp takes for such sizes; of the changes that are tried, many make a loop endless. */
static unsigned branches(const JudgedRun *run) {
  unsigned most = 200;
  for (int i = 0; i < problem_sizes(run->subject->problem); i++)
    most += 2 * (unsigned)run->size[i];
  return most;
}

/* The first with which all runs of the task come out right, and the ragged one; else the first of the others. */
static const Part *first_right(Repair *r, FILE *said, const Wanted *wanted) {
  const JudgedRun last = ragged(&wanted->failed);
  const Part *found = NULL;
  for (r->from = 1; r->from < r->count; r->from = r->to) {
    r->to = r->from + TOGETHER < r->count ? r->from + TOGETHER : r->count;
    if (!compile_some(r, said))
      break;
    for (size_t i = r->from; i < r->to && used() - r->start < SECONDS; i++) {
      const Part *part = &r->parts[i];
      if (!is_new(r, i) ||
          !come_out_right(r, part, &wanted->failed, 1, branches(&wanted->failed)) ||
          !come_out_right(r, part, wanted->runs, wanted->count, 0))
        continue;
      if (come_out_right(r, part, &last, 1, 0))
        return part;
      found = found ? found : part;
    }
  }
  return found;
}

/* ---- in words ------------------------------------------------------------------------------------ */

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
  if (length > 2 && *text == '(' && text[length - 1] == ')' && !memchr(text + 1, '(', length - 1))
    text++, length -= 2;
  for (size_t i = 0; i < length && at < MOST; i++)
    if (!isspace((unsigned char)text[i]))
      out[at++] = text[i];
    else if (at && out[at - 1] != ' ')
      out[at++] = ' ';
  snprintf(out + at, 60 - at, "%s", at == MOST ? "..." : "");
}

/* The sentence, and the place of what it is about. */
static void say(const Repair *r, const Edit *edit, size_t count, bool replaces, Verdict *verdict) {
  char was[60], is[60], before[60], place[200], how[160], runs[40];
  size_t word = edit->from;
  while (word > 0 && (is_letter(r->source[word - 1]) || r->source[word - 1] == '.'))
    word--;
  shorten(before, r->source + word, edit->from - word);
  shorten(was, r->source + edit->from, edit->to - edit->from);
  shorten(is, edit->text, strlen(edit->text));
  place_format(place, sizeof place, r->check->settings->source, edit->line);
  if (strcmp(edit->operation, "dropped") == 0 || strcmp(edit->operation, "operand dropped") == 0)
    snprintf(how, sizeof how, "without \"%s\"", was);
  else if (strcmp(edit->operation, "moved") == 0)
    snprintf(how, sizeof how, "with these two statements the other way round");
  else if (edit->from == edit->to)
    snprintf(how, sizeof how, "with \"%s\" behind \"%s\"", is, before);
  else
    snprintf(how, sizeof how, "with \"%s\" in place of \"%s\"", is, was);
  snprintf(runs, sizeof runs, count == 1 ? "the run" : "all %zu runs", count);
  verdict_line(verdict, place, "here is the mistake");
  if (replaces)
    verdict->cause[0] = '\0';
  size_t length = strlen(verdict->cause);
  snprintf(verdict->cause + length, sizeof verdict->cause - length,
           "%s%s in line %d %s of this task come%s out right", length ? ". And " : "", how,
           edit->line, runs, count == 1 ? "s" : "");
  verdict->explained = verdict->repaired = true;
}

/* A question is no answer. */
static bool is_question(const char *text) {
  size_t length = strlen(text);
  return length && text[length - 1] == '?';
}

/* Numbers that nobody has explained; at home, where nobody else waits, also what shows where it went wrong, and not why. */
static bool is_open(const Verdict *verdict, bool at_home, bool *replaces) {
  VerdictKind kind = verdict->kind;
  bool numbers = kind == VERDICT_WRONG || kind == VERDICT_UNWRITTEN || kind == VERDICT_NOT_A_NUMBER;
  *replaces = numbers && (!verdict->explained || is_question(verdict->cause));
  return *replaces || (at_home && (kind == VERDICT_OUT_OF_BOUNDS || kind == VERDICT_UNINITIALISED ||
                                   (numbers && verdict->suspects.count != 1)));
}

/* ---- the whole ------------------------------------------------------------------------------------ */

/* Strangers' work is compiled where it lies, in the sandbox if there is one. */
static void place_files(Repair *r) {
  const Settings *settings = r->check->settings;
  const char *work = settings->work;
  for (size_t i = 0; i < 2 * FILES; i++) {
    bool ptx = i >= FILES;
    if (work && !ptx)
      snprintf(r->seen[i], sizeof r->seen[i], "labs/%s/edits%zu.cu", settings->lab, i);
    else if (work)
      snprintf(r->seen[i], sizeof r->seen[i], "out/edits%zu.ptx", i);
    else
      snprintf(r->seen[i], sizeof r->seen[i], "%s/edits%zu.%s", r->check->folder, i,
               ptx ? "ptx" : "cu");
    snprintf(r->file[i], sizeof r->file[i], "%s%s%s", work ? work : "", work ? "/" : "",
             r->seen[i]);
  }
}

static bool begin(Repair *r, Check *check, int task, const json_t *launched) {
  const Edit *edits;
  *r = (Repair){.check = check,
                .start = used(),
                .source = read_file(check->settings->source),
                .launched = launched};
  if (!r->source)
    return false;
  place_files(r);
  size_t count = edits_of(r->source, true, &edits);
  r->parts = calloc(count + 1, sizeof *r->parts);
  if (!r->parts)
    return false;
  for (size_t i = 0; i < count; i++)
    r->parts[1 + i].edit = &edits[i];
  task_first = task;
  qsort(r->parts + 1, count, sizeof *r->parts, by_rank);
  r->count = 1 + count;
  r->from = r->to = 1;
  return (r->text = strdup(r->source));
}

/* Changes of what is not compiled change nothing. */
static void keep_what_runs(Repair *r) {
  size_t kept = 1;
  for (size_t i = 1; i < r->count; i++) {
    const Edit *edit = r->parts[i].edit;
    if (memcmp(r->text + edit->from, r->source + edit->from, edit->to - edit->from) == 0)
      r->parts[kept++] = r->parts[i];
  }
  size_t most = r->check->settings->sandbox ? IN_A_CLASS : TRIED_MOST;
  r->count = kept < most ? kept : most;
}

/* Kernels have the names that PTX has for them, macros or not. */
static bool name_kernels(Repair *r, FILE *said) {
  const char *const alone[1][2] = {{r->seen[0], r->seen[FILES]}};
  names_of_functions(r);
  char *ptx = write_sources(r) && compile(r, alone, 1, said) ? read_file(r->file[FILES]) : NULL;
  if (ptx)
    names_of_entries(r, ptx);
  free(ptx);
  blank_includes(r->text);
  blank_linkage(r->text);
  for (size_t i = 0; i < r->kernel_count; i++)
    if (!json_object_get(r->launched, r->kernels[i]))
      blank_kernel(r->text, r->kernels[i]);
  keep_what_runs(r);
  return ptx;
}

static void end(Repair *r) {
  for (size_t i = 0; i < r->count; i++)
    free(r->parts ? r->parts[i].ptx : NULL);
  for (size_t i = 0; i < r->kernel_count; i++)
    free(r->kernels[i]);
  for (size_t i = 0; i < 2 * FILES; i++)
    unlink(r->file[i]);
  free(r->parts);
  free(r->text);
  free(r->source);
}

bool repair_explains(Check *check, int task, const Wanted *wanted, Verdict *verdict) {
  Repair r;
  bool replaces;
  const Part *found = NULL;
  FILE *said = is_open(verdict, !check->settings->sandbox, &replaces) ? tmpfile() : NULL;
  if (!said)
    return false;
  Trial trial = judged_start(check, &wanted->failed, NULL);
  if (begin(&r, check, task, trial.log.kernels) && name_kernels(&r, said))
    found = first_right(&r, said, wanted);
  if (found)
    say(&r, found->edit, wanted->count, replaces, verdict);
  trial_free(&trial);
  end(&r);
  fclose(said);
  return found;
}
