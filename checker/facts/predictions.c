/* Reads and judges predictions. A student writes `#define PREDICT_SOMETHING 12` before measuring.
 * The number is read from the source and compared with the truth, which the checker computes. */
#include "facts/facts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *at) {
  while (*at == ' ' || *at == '\t')
    at++;
  return at;
}

/* Returns the text after the # of a directive; "" if the line is not a directive. */
static const char *directive(const char *line) {
  line = skip_space(line);
  return *line == '#' ? skip_space(line + 1) : "";
}

/* Returns the text after `#define name`; NULL if the line is something else. */
static const char *after_define(const char *line, const char *name) {
  line = directive(line);
  if (strncmp(line, "define", 6) != 0)
    return NULL;
  line = skip_space(line + 6);
  size_t length = strlen(name);
  if (strncmp(line, name, length) != 0 || isalnum((unsigned char)line[length]) ||
      line[length] == '_')
    return NULL;
  return line + length;
}

/* Reads a number, or several with * and / between them, such as 128 / 32. */
static bool read_number(const char *text, double *value) {
  char *end, operation = '*';
  *value = 1;
  for (;;) {
    while (*text && strchr(" \t(", *text))
      text++;
    double number = strtod(text, &end);
    if (end == text)
      return false;
    *value = operation == '*' ? *value * number : *value / number;
    while (*end && strchr(" \t\r\n)fFuUlL", *end))
      end++;
    if (*end == '\0')
      return true;
    if (*end != '*' && *end != '/')
      return false;
    operation = *end;
    text = end + 1;
  }
}

/* ---- the source, as a compiler sees it ------------------------------------------------------- */

typedef struct Source {
  FILE *file;
  /* The current line. Its comments are blanked. */
  char *line;
  size_t room;
  int number;
  /* true: the line ends inside of a comment. */
  bool comment;
  /* The nesting depth of conditions within an #if 0; 0: outside. */
  int left_out;
} Source;

/* Blanks the comments of the current line. A comment may span several lines. Comment marks in
 * strings are skipped. */
static void blank_comments(Source *source) {
  bool string = false;
  for (char *at = source->line; *at; at++) {
    if (source->comment) {
      source->comment = strncmp(at, "*/", 2) != 0;
      if (!source->comment)
        *at++ = ' ';
      *at = *at == '\n' ? '\n' : ' ';
    } else if (*at == '\\' && at[1]) {
      at++;
    } else if (strncmp(at, "'\"'", 3) == 0) {
      at += 2;
    } else if (*at == '"') {
      string = !string;
    } else if (!string && strncmp(at, "//", 2) == 0) {
      *at = '\0';
      return;
    } else if (!string && strncmp(at, "/*", 2) == 0) {
      source->comment = true;
      *at++ = ' ';
      *at = ' ';
    }
  }
}

/* Returns true if this line is inside an #if 0. */
static bool is_left_out(Source *source) {
  const char *word = directive(source->line);
  if (strncmp(word, "if", 2) == 0) {
    const char *condition = skip_space(word + 2);
    bool never =
        *condition == '0' && !isalnum((unsigned char)condition[1]) && !strpbrk(condition, "|=!<>?");
    source->left_out += source->left_out > 0 || never;
  } else if (source->left_out && strncmp(word, "endif", 5) == 0) {
    source->left_out--;
  } else if (source->left_out == 1 && strncmp(word, "el", 2) == 0) {
    source->left_out = 0;
  }
  return source->left_out > 0;
}

static bool next_line(Source *source) {
  while (getline(&source->line, &source->room, source->file) >= 0) {
    source->number++;
    blank_comments(source);
    if (!is_left_out(source))
      return true;
  }
  return false;
}

Prediction predict_read(const char *path, const char *name) {
  Prediction prediction = {.defined = false};
  Source source = {.file = fopen(path, "r")};
  if (!source.file)
    return prediction;
  while (next_line(&source)) {
    const char *rest = after_define(source.line, name);
    if (!rest)
      continue;
    prediction.defined = true;
    prediction.line = source.number;
    prediction.number = read_number(rest, &prediction.value);
  }
  free(source.line);
  fclose(source.file);
  return prediction;
}

double predict_asked(const Check *check, const char *name, double usual) {
  const Settings *settings = check->settings;
  const bool class = settings->walls.sandbox && settings->paths.handout;
  const Prediction asked =
      predict_read(class ? settings->paths.handout : settings->paths.source, name);
  return asked.number && asked.value > 0 ? asked.value : usual;
}

/* ---- facts of the verdict -------------------------------------------------------------------- */

static void name_place(Verdict *verdict, const Check *check, const char *name, int line) {
  char place[200];
  place_format(place, sizeof place, check->settings->paths.source, line);
  verdict_fact(verdict, place, SAID(PREDICTION_NAME, name));
}

static bool answered(Prediction said) { return said.defined && said.number && said.value != 0; }

static void not_answered(Verdict *verdict, const char *name, Prediction said) {
  if (verdict_failed(verdict))
    return;
  if (!said.defined)
    verdict_set(verdict, VERDICT_PREDICTION_OPEN, SAID(PREDICTION_NOT_DEFINED, name));
  else if (!said.number)
    verdict_set(verdict, VERDICT_PREDICTION_OPEN, SAID(PREDICTION_NO_NUMBER));
  else
    verdict_set(verdict, VERDICT_PREDICTION_OPEN, SAID(PREDICTION_NOT_ANSWERED));
  if (said.defined && !said.number)
    verdict_cause(verdict, SAID(PREDICTION_WRITE_NUMBER));
}

bool predict_answered(Check *check, const char *const *names) {
  bool all = true;
  for (; *names; names++) {
    Prediction said = predict_read(check->settings->paths.source, *names);
    if (answered(said))
      continue;
    all = false;
    not_answered(&check->verdict, *names, said);
    if (said.defined)
      name_place(&check->verdict, check, *names, said.line);
  }
  return all;
}

static void note(Check *check, const char *name, double answer, double truth) {
  if (check->predicted_count == PREDICTED_MOST)
    return;
  Predicted *predicted = &check->predicted[check->predicted_count++];
  *predicted = (Predicted){.answer = answer, .truth = truth, .first = answer};
  snprintf(predicted->name, sizeof predicted->name, "%s", name);
}

bool predict_check(Check *check, const char *name, SayId quantity, double truth) {
  Prediction said = predict_read(check->settings->paths.source, name);
  if (!predict_answered(check, (const char *const[]){name, NULL}))
    return false;
  note(check, name, said.value, truth);
  if (fabs(said.value - truth) <= 0.02 * truth)
    return true;
  if (!verdict_failed(&check->verdict))
    verdict_set(&check->verdict, VERDICT_PREDICTION, SAID(PREDICTED, said.value, phrase(quantity)));
  name_place(&check->verdict, check, name, said.line);
  return false;
}
