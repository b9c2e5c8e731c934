/* Predictions: a student writes `#define PREDICT_SOMETHING 12` before measuring. We read the number
 * from the source and compare it with what the kernel did; no right answer is typed in anywhere.
 */
#include "checker.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *at) {
  while (*at == ' ' || *at == '\t')
    at++;
  return at;
}

/* The text after `#define name`, or NULL when the line is something else. */
static const char *after_define(const char *line, const char *name) {
  line = skip_space(line);
  if (*line != '#')
    return NULL;
  line = skip_space(line + 1);
  if (strncmp(line, "define", 6) != 0)
    return NULL;
  line = skip_space(line + 6);
  size_t length = strlen(name);
  if (strncmp(line, name, length) != 0 || isalnum((unsigned char)line[length]) ||
      line[length] == '_')
    return NULL;
  return line + length;
}

/* A number, or numbers with * and / between them, such as 128 / 32; a comment may follow. */
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
    if (*end == '\0' || strncmp(end, "//", 2) == 0 || strncmp(end, "/*", 2) == 0)
      return true;
    if (*end != '*' && *end != '/')
      return false;
    operation = *end;
    text = end + 1;
  }
}

Prediction predict_read(const char *source, const char *name) {
  Prediction prediction = {.defined = false};
  char line[512];
  int number = 0;
  FILE *file = fopen(source, "r");
  if (!file)
    return prediction;
  while (fgets(line, sizeof line, file)) {
    const char *rest = after_define(line, name);
    number++;
    if (!rest)
      continue;
    prediction.defined = true;
    prediction.line = number;
    prediction.number = read_number(rest, &prediction.value);
  }
  fclose(file);
  return prediction;
}

static void name_place(Verdict *verdict, const Check *check, const char *name, int line) {
  char place[200];
  place_format(place, sizeof place, check->settings->source, line);
  verdict_line(verdict, place, "%s", name);
}

static bool answered(Prediction said) { return said.defined && said.number && said.value != 0; }

static void not_answered(Verdict *verdict, const char *name, Prediction said) {
  if (verdict->headline[0])
    return;
  if (!said.defined)
    verdict_set(verdict, PREDICTION_OPEN, "%s is not defined", name);
  else if (!said.number)
    verdict_set(verdict, PREDICTION_OPEN, "not a plain number, such as 8");
  else
    verdict_set(verdict, PREDICTION_OPEN, "not answered yet");
  if (said.defined && !said.number)
    verdict_cause(verdict, "write one plain number behind the name, such as 8");
}

bool predict_answered(Check *check, const char *const *names) {
  bool all = true;
  for (; *names; names++) {
    Prediction said = predict_read(check->settings->source, *names);
    if (answered(said))
      continue;
    all = false;
    not_answered(&check->verdict, *names, said);
    if (said.defined)
      name_place(&check->verdict, check, *names, said.line);
  }
  return all;
}

bool predict_check(Check *check, const char *name, const char *what, double measured) {
  Prediction said = predict_read(check->settings->source, name);
  if (!predict_answered(check, (const char *const[]){name, NULL}))
    return false;
  if (fabs(said.value - measured) <= 0.02 * measured)
    return true;
  verdict_set(&check->verdict, "prediction", "predicted %g %s: %s", said.value, what,
              said.value > measured ? "too many" : "too few");
  name_place(&check->verdict, check, name, said.line);
  return false;
}
