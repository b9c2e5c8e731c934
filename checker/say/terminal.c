/* Prints the report on the terminal. The report has one line for each task. Below a failed task are
 * the headline, the facts with their places, and the cause. The last line of the report is the next
 * step. */
#include "say/report.h"
#include "harness/screen.h"

#include <stdlib.h>
#include <string.h>

enum { TITLE_WIDTH = 26, PLACE_COLUMN = 50, DEVICE_COLUMN = 55, INDENT = 6, LINE_MOST = 100 };

typedef struct Style {
  /* The number of columns of a line. */
  int width;
  const char *good, *bad, *dim, *bold, *off;
} Style;

/* Returns the style of the output. plain: without colours and with a fixed width, so that the
 * output is the same on every terminal. */
static Style choose_style(FILE *out, bool plain) {
  bool paint = !plain && isatty(fileno(out)) && !getenv("NO_COLOR");
  int width = plain ? SCREEN_USUAL : screen_width(fileno(out));
  width = width < LINE_MOST ? width : LINE_MOST;
  return paint ? (Style){width, "\033[32m", "\033[31m", "\033[2m", "\033[1m", "\033[0m"}
               : (Style){width, "", "", "", "", ""};
}

static int width_of(const char *text) { return screen_places(text, SIZE_MAX); }

static void pad(FILE *out, int from, int to) {
  for (; from < to; from++)
    fputc(' ', out);
}

/* Returns the column in which the places of facts are printed. This column is after the longest
 * text if the longest place fits there; otherwise it is as far left as necessary. */
static int place_column(const Verdict *verdict, int margin) {
  int column = PLACE_COLUMN, longest = 0;
  char words[SAID_WORDS];
  for (size_t i = 0; i < verdict->fact_count; i++) {
    const Fact *fact = &verdict->facts[i];
    said_text(&fact->says, words, sizeof words);
    int text = INDENT + width_of(words) + 2, place = width_of(fact->place);
    if (!place)
      continue;
    column = text > column ? text : column;
    longest = place > longest ? place : longest;
  }
  return column + longest <= margin ? column : margin - longest;
}

static void print_said(FILE *out, int indent, const char *before, const Said *said, int width) {
  char words[SAID_WORDS];
  said_text(said, words, sizeof words);
  screen_wrapped(out, indent, before, words, width);
}

static void print_fact(FILE *out, const Fact *fact, int column, const Style *style) {
  char words[SAID_WORDS];
  said_text(&fact->says, words, sizeof words);
  int end = INDENT + width_of(words);
  if (!fact->place[0] || end + 2 > column) {
    screen_wrapped(out, INDENT, "", words, style->width);
    end = 0;
  } else {
    fprintf(out, "%*s%s", INDENT, "", words);
  }
  if (!fact->place[0])
    return;
  pad(out, end, column);
  fprintf(out, "%s%s%s\n", style->bold, fact->place, style->off);
}

static void print_facts(FILE *out, const Verdict *verdict, const Style *style) {
  int column = place_column(verdict, style->width);
  for (size_t i = 0; i < verdict->fact_count; i++)
    print_fact(out, &verdict->facts[i], column, style);
  if (verdict->cause.id)
    print_said(out, INDENT, "", &verdict->cause, style->width);
  if (verdict->again[0])
    fprintf(out, "%*s%sagain: %s%s\n", INDENT, "", style->dim, verdict->again, style->off);
}

/* Prints the command that shows an order of warps in which the race changes a result. */
static void print_race(FILE *out, const Marks *marks, const Verdict *verdict, const Style *style) {
  char number[3], labs[LABS_WORD];
  if (!verdict_is_race(verdict) || verdict->kind == VERDICT_RACE_STREAMS ||
      marks->settings->build.on_gpu || marks->settings->walls.sandbox)
    return;
  labs_word(marks->settings, labs);
  lab_number(marks->lab->name, number);
  fprintf(out, "%*s%ssee it go wrong: make race%s%s%s\n", INDENT, "", style->dim, number, labs,
          style->off);
}

static const char *headline_of(const Verdict *verdict, char words[SAID_WORDS]) {
  static const char in_double[] = "in double: ";
  size_t before = verdict->in_double ? strlen(in_double) : 0;
  memcpy(words, in_double, before);
  said_text(&verdict->headline, words + before, SAID_WORDS - before);
  return words;
}

void verdict_print(FILE *out, const Verdict *verdict) {
  Style style = choose_style(out, true);
  char words[SAID_WORDS];
  if (verdict_failed(verdict))
    screen_wrapped(out, INDENT, "", headline_of(verdict, words), style.width);
  print_facts(out, verdict, &style);
}

/* Prints the headline after the points if it fits there; otherwise on the next line. */
static void print_headline(FILE *out, const char *headline, int column, int margin) {
  bool fits = column + width_of(headline) <= margin;
  fprintf(out, fits && headline[0] ? "   %s\n" : "\n", headline);
  if (!fits)
    screen_wrapped(out, INDENT, "", headline, margin);
}

static bool passed_in_part(const Marks *marks, size_t i) {
  return marks->earned[i] != 0 && marks->earned[i] != marks->lab->tasks[i].points;
}

/* Prints the points of each part: "result 15/15, errors 0/10". */
static void print_parts(FILE *out, const Marks *marks, size_t i) {
  const Task *task = &marks->lab->tasks[i];
  const char *before = "\n      ";
  for (size_t part = 0; task->parts[part] != SAY_NOTHING; part++) {
    char name[SAID_WORDS];
    const Said said = said_plain(task->parts[part]);
    bool right = marks->parts_right[i] >> part & 1;
    said_text(&said, name, sizeof name);
    fprintf(out, "%s%s %d/%d", before, name, right ? task->part_points[part] : 0,
            task->part_points[part]);
    before = ", ";
  }
  fputc('\n', out);
}

/* Prints the first answers to predictions that were wrong, with the correct values. Called when the
 * task has passed. */
static void print_predictions(FILE *out, const Marks *marks, size_t i, const Style *style) {
  for (size_t k = 0; k < marks->predicted_count[i]; k++) {
    const Predicted *p = &marks->predicted[i][k];
    if (p->first == p->truth)
      continue;
    const Said said = SAID(FIRST_ANSWER, p->name, p->first, p->truth);
    print_said(out, INDENT, "", &said, style->width);
  }
}

static void print_task(FILE *out, const Marks *marks, size_t i, const Style *style) {
  const Task *task = &marks->lab->tasks[i];
  const Verdict *verdict = &marks->verdicts[i];
  bool passed = marks->status[i] == TASK_PASSED;
  char words[SAID_WORDS];
  const char *headline = headline_of(verdict, words);
  fprintf(out, "  %zu %s", i + 1, task->title);
  pad(out, width_of(task->title), TITLE_WIDTH);
  if (marks->status[i] == TASK_NOT_GRADED) {
    fprintf(out, "%s%s%s\n", style->dim,
            verdict_failed(verdict) ? headline : "not graded: needs DEVICE=emulated", style->off);
  } else if (marks->status[i] == TASK_NOT_RUN && verdict->kind != VERDICT_NOT_BEGUN) {
    fprintf(out, "%s%s%s\n", style->dim, headline, style->off);
  } else {
    fprintf(out, "%s%2d/%d%s", passed ? style->good : style->bad, marks->earned[i], task->points,
            style->off);
    if (passed_in_part(marks, i)) {
      print_parts(out, marks, i);
      screen_wrapped(out, INDENT, "", headline, style->width);
    } else {
      print_headline(out, headline, TITLE_WIDTH + 4 + 8, style->width);
    }
    if (passed)
      print_predictions(out, marks, i, style);
    print_facts(out, verdict, style);
    print_race(out, marks, verdict, style);
  }
}

static void print_heading(FILE *out, const Marks *marks, const Style *style) {
  const Settings *settings = marks->settings;
  const char *card = settings->build.card, *compiler = settings->build.compiler;
  char left[128], right[128], number[3];
  lab_number(marks->lab->name, number);
  snprintf(left, sizeof left, "lab %s  %s", number, marks->lab->title);
  snprintf(right, sizeof right, "%s%s%s%s%s%s", settings->build.on_gpu ? "GPU" : "emulated device",
           card ? " as " : "", card ? card : "", compiler ? ", " : "",
           compiler ? compiler + strspn(compiler, " ") : "",
           strcmp(settings->build.precision, "double") == 0 ? ", double" : "");
  fprintf(out, "%s%s%s", style->bold, left, style->off);
  if (DEVICE_COLUMN + width_of(right) <= style->width)
    pad(out, width_of(left), DEVICE_COLUMN);
  else
    fprintf(out, "\n%*s", INDENT + 2, "");
  fprintf(out, "%s\n\n", right);
  if (settings->walls.sandbox && strcmp(settings->walls.sandbox, "none") == 0)
    fputs("  graded without a sandbox (SANDBOX=none)\n\n", out);
}

/* Returns true if only predictions are open. Then the next step is to answer them, and no hint is
 * offered. */
static bool only_predictions(const Marks *marks) {
  bool any = false;
  for (size_t i = 0; i < marks->lab->task_count; i++) {
    if (marks->status[i] == TASK_NOT_RUN)
      return false;
    if (marks->status[i] != TASK_FAILED)
      continue;
    any = true;
    if (marks->verdicts[i].kind != VERDICT_PREDICTION_OPEN)
      return false;
  }
  return any;
}

/* Returns the number of the first task that failed. If no task failed, returns the first task that
 * was not run; 0 if all tasks have passed. */
static size_t first_open(const Marks *marks) {
  static const TaskStatus open[] = {TASK_FAILED, TASK_NOT_RUN};
  for (size_t k = 0; k < sizeof open / sizeof open[0]; k++)
    for (size_t i = 0; i < marks->lab->task_count; i++)
      if (marks->status[i] == open[k])
        return i + 1;
  return 0;
}

/* Writes "TODO(3), labs/01-naive/naive.cu:48", or "task 3" if the file has no such line. */
static void name_gap(const Marks *marks, size_t task, char *out, size_t size) {
  const char *source = marks->settings->paths.source;
  char *text = text_of_file(source), place[200] = "";
  int line = text ? gap_line(text, (int)task) : 0;
  if (line)
    place_format(place, sizeof place, source, line);
  if (*place)
    snprintf(out, size, "TODO(%zu), %s", task, place);
  else
    snprintf(out, size, "task %zu", task);
  free(text);
}

/* Writes the next step: the gap of a task without code, or "correct task 3" with the command for a
 * hint. */
static void name_open(const Marks *marks, const char *number, const char *labs, char *out,
                      size_t size) {
  size_t task = first_open(marks);
  VerdictKind kind = task ? marks->verdicts[task - 1].kind : VERDICT_NONE;
  if (!task)
    snprintf(out, size, "make hint%s%s", number, labs);
  else if (kind == VERDICT_NOT_BEGUN || kind == VERDICT_PREDICTION_OPEN)
    name_gap(marks, task, out, size);
  else
    snprintf(out, size, "correct task %zu (make hint%s%s helps)", task, number, labs);
}

static void print_next(FILE *out, const Marks *marks, const Style *style) {
  char score[32], next[LABS_WORD + 240], number[3], labs[LABS_WORD];
  const char before[] = "next: ";
  labs_word(marks->settings, labs);
  lab_number(marks->lab->name, number);
  snprintf(score, sizeof score, "score %d/%d", marks->score, marks->points);
  if (!marks->compiled)
    snprintf(next, sizeof next, "repair that%s, then make lab%s%s",
             *marks->compiling.facts[0].place ? " line" : "", number, labs);
  else if (only_predictions(marks))
    snprintf(next, sizeof next, "write your numbers there, then make lab%s%s", number, labs);
  else if (marks->score < marks->points)
    name_open(marks, number, labs, next, sizeof next);
  else
    lab_next_step(marks->lab, next, sizeof next);
  fprintf(out, "  %s%s%s", marks->score == marks->points ? style->good : "", score, style->off);
  if (TITLE_WIDTH + 4 + width_of(before) + width_of(next) <= style->width)
    pad(out, width_of(score), TITLE_WIDTH + 2);
  else
    fputs("\n  ", out);
  fprintf(out, "%s%s\n", before, next);
}

/* Prints how the student's file changes given code, and that the file was graded with the handout's
 * given code. */
static void print_given(FILE *out, const Marks *marks, const Style *style) {
  if (!verdict_failed(&marks->given))
    return;
  fputc('\n', out);
  print_said(out, 2, "", &marks->given.headline, style->width);
  print_facts(out, &marks->given, style);
  fputc('\n', out);
}

void marks_print(FILE *out, const Marks *marks) {
  Style style = choose_style(out, marks->settings->plain);
  print_heading(out, marks, &style);
  if (marks->settings->ungraded) {
    fputs("  not graded; this is not the fault of the file:\n", out);
    screen_wrapped(out, INDENT, "", marks->settings->ungraded, style.width);
    fputs("  no score\n", out);
    return;
  }
  if (!marks->compiled) {
    bool refused = marks->compiling.kind == VERDICT_FORBIDDEN;
    print_said(out, 2, refused ? "refused: " : "does not compile: ", &marks->compiling.headline,
               style.width);
    print_facts(out, &marks->compiling, &style);
    if (marks->settings->walls.work && !refused)
      compile_print(out, marks->compile_log);
  } else {
    for (size_t i = 0; i < marks->lab->task_count; i++)
      print_task(out, marks, i, &style);
  }
  print_given(out, marks, &style);
  print_next(out, marks, &style);
}
