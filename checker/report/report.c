/* The report that a person reads: one line for each task, below a failure what happened, where and
 * why, and last of all the next thing to do.
 */
#include "checker.h"
#include "harness/screen.h"

#include <stdlib.h>
#include <string.h>

enum { TITLE_WIDTH = 26, PLACE_COLUMN = 50, DEVICE_COLUMN = 55, INDENT = 6, LINE_MOST = 100 };

typedef struct Style {
  int width; /* of a line */
  const char *good, *bad, *dim, *bold, *off;
} Style;

/* plain: the same wherever it is shown */
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

/* Where the places begin, below one another: behind the longest text, if the longest place fits there. */
static int place_column(const Verdict *verdict, int margin) {
  int column = PLACE_COLUMN, longest = 0;
  for (size_t i = 0; i < verdict->line_count; i++) {
    const VerdictLine *line = &verdict->lines[i];
    int text = INDENT + width_of(line->text) + 2, place = width_of(line->place);
    if (!place)
      continue;
    column = text > column ? text : column;
    longest = place > longest ? place : longest;
  }
  return column + longest <= margin ? column : margin - longest;
}

static void print_lines(FILE *out, const Verdict *verdict, const Style *style) {
  int column = place_column(verdict, style->width);
  for (size_t i = 0; i < verdict->line_count; i++) {
    const VerdictLine *line = &verdict->lines[i];
    int end = INDENT + width_of(line->text);
    if (!line->place[0] || end + 2 > column) {
      screen_wrapped(out, INDENT, "", line->text, style->width);
      end = 0;
    } else {
      fprintf(out, "%*s%s", INDENT, "", line->text);
    }
    if (!line->place[0])
      continue;
    pad(out, end, column);
    fprintf(out, "%s%s%s\n", style->bold, line->place, style->off);
  }
  if (verdict->cause[0])
    screen_wrapped(out, INDENT, "", verdict->cause, style->width);
  if (verdict->again[0])
    fprintf(out, "%*s%sagain: %s%s\n", INDENT, "", style->dim, verdict->again, style->off);
}

void verdict_print(FILE *out, const Verdict *verdict) {
  Style style = choose_style(out, true);
  if (verdict->headline[0])
    screen_wrapped(out, INDENT, "", verdict->headline, style.width);
  print_lines(out, verdict, &style);
}

/* Behind the marks if it fits there, else below. */
static void print_headline(FILE *out, const char *headline, int column, int margin) {
  bool fits = column + width_of(headline) <= margin;
  fprintf(out, fits && headline[0] ? "   %s\n" : "\n", headline);
  if (!fits)
    screen_wrapped(out, INDENT, "", headline, margin);
}

static void print_task(FILE *out, const Marks *marks, size_t i, const Style *style) {
  const Task *task = &marks->lab->tasks[i];
  const Verdict *verdict = &marks->verdicts[i];
  bool passed = marks->status[i] == TASK_PASSED;
  fprintf(out, "  %zu %s", i + 1, task->title);
  pad(out, width_of(task->title), TITLE_WIDTH);
  if (marks->status[i] == TASK_NOT_GRADED) {
    fprintf(out, "%s%s%s\n", style->dim,
            verdict->headline[0] ? verdict->headline : "not graded: needs DEVICE=emulated",
            style->off);
  } else if (marks->status[i] == TASK_NOT_RUN) {
    fprintf(out, "%s%s%s\n", style->dim, verdict->headline, style->off);
  } else {
    fprintf(out, "%s%2d/%d%s", passed ? style->good : style->bad, passed ? task->points : 0,
            task->points, style->off);
    print_headline(out, verdict->headline, TITLE_WIDTH + 4 + 8, style->width);
    print_lines(out, verdict, style);
  }
}

static void print_heading(FILE *out, const Marks *marks, const Style *style) {
  const Settings *settings = marks->settings;
  char left[128], number[3];
  lab_number(marks->lab->name, number);
  snprintf(left, sizeof left, "lab %s  %s", number, marks->lab->title);
  fprintf(out, "%s%s%s", style->bold, left, style->off);
  pad(out, width_of(left), DEVICE_COLUMN);
  fprintf(out, "%s", settings->on_gpu ? "GPU" : "emulated device");
  if (settings->card)
    fprintf(out, " as %s", settings->card);
  if (settings->compiler)
    fprintf(out, ", %s", settings->compiler + strspn(settings->compiler, " "));
  if (strcmp(settings->precision, "double") == 0)
    fprintf(out, ", double");
  fputs("\n\n", out);
  if (settings->sandbox && strcmp(settings->sandbox, "none") == 0)
    fputs("  graded without a sandbox (SANDBOX=none)\n\n", out);
}

/* Nothing is left but predictions: an answer is the next step, and no hint. */
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

static void print_next(FILE *out, const Marks *marks, const Style *style) {
  char score[32], next[LABS_WORD + 64], number[3], labs[LABS_WORD];
  labs_word(marks->settings, labs);
  lab_number(marks->lab->name, number);
  snprintf(score, sizeof score, "score %d/%d", marks->score, marks->points);
  if (!marks->compiled)
    snprintf(next, sizeof next, "repair that%s, then make lab%s%s",
             *marks->compiling.lines[0].place ? " line" : "", number, labs);
  else if (only_predictions(marks))
    snprintf(next, sizeof next, "write your numbers there, then make lab%s%s", number, labs);
  else if (marks->score < marks->points)
    snprintf(next, sizeof next, "make hint%s%s", number, labs);
  else
    lab_next_step(marks->lab, next, sizeof next);
  fprintf(out, "  %s%s%s", marks->score == marks->points ? style->good : "", score, style->off);
  pad(out, width_of(score), TITLE_WIDTH + 2);
  fprintf(out, "next: %s\n", next);
}

void marks_print(FILE *out, const Marks *marks) {
  Style style = choose_style(out, marks->settings->plain);
  print_heading(out, marks, &style);
  if (marks->settings->ungraded) {
    fputs("  not graded, through no fault of the file:\n", out);
    screen_wrapped(out, INDENT, "", marks->settings->ungraded, style.width);
    fputs("  no score\n", out);
    return;
  }
  if (!marks->compiled) {
    bool refused = marks->compiling.kind == VERDICT_FORBIDDEN;
    screen_wrapped(out, 2, refused ? "refused: " : "does not compile: ", marks->compiling.headline,
                   style.width);
    print_lines(out, &marks->compiling, &style);
    if (marks->settings->work && !refused)
      compile_print(out, marks->settings->compile_log);
  } else {
    for (size_t i = 0; i < marks->lab->task_count; i++)
      print_task(out, marks, i, &style);
  }
  print_next(out, marks, &style);
}

void marks_print_found(FILE *out, const Marks *marks) {
  Style style = choose_style(out, marks->settings->plain);
  for (size_t i = 0; i < marks->lab->task_count; i++)
    if (marks->verdicts[i].repaired)
      print_task(out, marks, i, &style);
}
