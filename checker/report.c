/* The report that a person reads: one line for each task, below a failure what happened, where and
 * why, and last of all the next thing to do.
 */
#include "checker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TITLE_WIDTH = 26, PLACE_COLUMN = 50, LINE_WIDTH = 100 };

typedef struct Paint {
  const char *good, *bad, *dim, *bold, *off;
} Paint;

static Paint choose_paint(FILE *out, bool plain) {
  bool paint = !plain && isatty(fileno(out)) && !getenv("NO_COLOR");
  return paint ? (Paint){"\033[32m", "\033[31m", "\033[2m", "\033[1m", "\033[0m"}
               : (Paint){"", "", "", "", ""};
}

/* Columns on the screen: UTF-8 continuation bytes take none. */
static int width_of(const char *text) {
  int width = 0;
  for (; *text; text++)
    width += ((unsigned char)*text & 0xc0) != 0x80;
  return width;
}

static void pad(FILE *out, int from, int to) {
  for (; from < to; from++)
    fputc(' ', out);
}

/* Text with an indent of 6, broken between words before the margin. */
static void print_wrapped(FILE *out, const char *text) {
  int column = 0;
  while (*text) {
    size_t length = strcspn(text, " ");
    char word[256];
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    if (column > 0 && column + 1 + width_of(word) > LINE_WIDTH) {
      fputc('\n', out);
      column = 0;
    }
    if (column == 0) {
      pad(out, 0, 6);
      column = 6;
    } else {
      fputc(' ', out);
      column++;
    }
    fputs(word, out);
    column += width_of(word);
    text += length + strspn(text + length, " ");
  }
  fputc('\n', out);
}

static int place_column(const Verdict *verdict) {
  int column = PLACE_COLUMN;
  for (size_t i = 0; i < verdict->line_count; i++)
    if (verdict->lines[i].place[0] && width_of(verdict->lines[i].text) + 6 + 2 > column)
      column = width_of(verdict->lines[i].text) + 6 + 2;
  return column;
}

static void print_lines(FILE *out, const Verdict *verdict, const Paint *paint) {
  int column = place_column(verdict);
  for (size_t i = 0; i < verdict->line_count; i++) {
    const VerdictLine *line = &verdict->lines[i];
    if (!line->place[0]) {
      print_wrapped(out, line->text);
      continue;
    }
    fprintf(out, "      %s", line->text);
    pad(out, width_of(line->text) + 6, column);
    fprintf(out, "%s%s%s\n", paint->bold, line->place, paint->off);
  }
  if (verdict->cause[0])
    print_wrapped(out, verdict->cause);
  if (verdict->again[0])
    fprintf(out, "      %sagain: %s%s\n", paint->dim, verdict->again, paint->off);
}

void verdict_print(FILE *out, const Verdict *verdict) {
  Paint paint = choose_paint(out, true);
  if (verdict->headline[0])
    print_wrapped(out, verdict->headline);
  print_lines(out, verdict, &paint);
}

/* Behind the marks if it fits there, else below. */
static void print_headline(FILE *out, const char *headline, int column) {
  bool fits = column + width_of(headline) <= LINE_WIDTH;
  fprintf(out, fits && headline[0] ? "   %s\n" : "\n", headline);
  if (!fits)
    print_wrapped(out, headline);
}

static void print_task(FILE *out, const Marks *marks, size_t i, const Paint *paint) {
  const Task *task = &marks->lab->tasks[i];
  const Verdict *verdict = &marks->verdicts[i];
  bool passed = marks->status[i] == TASK_PASSED;
  fprintf(out, "  %zu %s", i + 1, task->title);
  pad(out, width_of(task->title), TITLE_WIDTH);
  if (marks->status[i] == TASK_NOT_GRADED) {
    fprintf(out, "%s%s%s\n", paint->dim,
            verdict->headline[0] ? verdict->headline : "not graded: needs DEVICE=emulated",
            paint->off);
  } else if (marks->status[i] == TASK_NOT_RUN) {
    fprintf(out, "%s%s%s\n", paint->dim, verdict->headline, paint->off);
  } else {
    fprintf(out, "%s%2d/%d%s", passed ? paint->good : paint->bad, passed ? task->points : 0,
            task->points, paint->off);
    print_headline(out, verdict->headline, TITLE_WIDTH + 4 + 8);
    print_lines(out, verdict, paint);
  }
}

static void print_heading(FILE *out, const Marks *marks, const Paint *paint) {
  const Settings *settings = marks->settings;
  char left[128], number[3];
  lab_number(marks->lab->name, number);
  snprintf(left, sizeof left, "lab %s  %s", number, marks->lab->title);
  fprintf(out, "%s%s%s", paint->bold, left, paint->off);
  pad(out, width_of(left), PLACE_COLUMN + 5);
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
    if (strcmp(marks->verdicts[i].kind, PREDICTION_OPEN) != 0)
      return false;
  }
  return any;
}

static void print_next(FILE *out, const Marks *marks, const Paint *paint) {
  char score[32], next[LABS_WORD + 64], number[3], labs[LABS_WORD];
  labs_word(marks->settings, labs);
  lab_number(marks->lab->name, number);
  snprintf(score, sizeof score, "score %d/%d", marks->score, marks->points);
  if (!marks->compiled)
    snprintf(next, sizeof next, "repair that line, then make lab%s%s", number, labs);
  else if (only_predictions(marks))
    snprintf(next, sizeof next, "write your numbers behind the names, then make lab%s%s", number,
             labs);
  else if (marks->score < marks->points)
    snprintf(next, sizeof next, "make hint%s%s", number, labs);
  else
    lab_next_step(marks->lab, next, sizeof next);
  fprintf(out, "  %s%s%s", marks->score == marks->points ? paint->good : "", score, paint->off);
  pad(out, width_of(score), TITLE_WIDTH + 2);
  fprintf(out, "next: %s\n", next);
}

void marks_print(FILE *out, const Marks *marks) {
  Paint paint = choose_paint(out, marks->settings->plain);
  print_heading(out, marks, &paint);
  if (marks->settings->ungraded) {
    fputs("  not graded, through no fault of the file:\n", out);
    print_wrapped(out, marks->settings->ungraded);
    fputs("  no score\n", out);
    return;
  }
  if (!marks->compiled) {
    bool refused = strcmp(marks->compiling.kind, "forbidden") == 0;
    fprintf(out, "  %s: %s\n", refused ? "refused" : "does not compile", marks->compiling.headline);
    print_lines(out, &marks->compiling, &paint);
    if (marks->settings->work && !refused)
      compile_print(out, marks->settings->compile_log);
  } else {
    for (size_t i = 0; i < marks->lab->task_count; i++)
      print_task(out, marks, i, &paint);
  }
  print_next(out, marks, &paint);
}
