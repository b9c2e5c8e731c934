/* Writes the verdict, which is read from the checker's marks: tasks, points and gates. */
#include <stdlib.h>
#include <string.h>

#include "view.h"

static const char *text_of(const json_t *o, const char *key) {
  const char *text = json_string_value(json_object_get(o, key));
  return text ? text : "";
}

static int number_of(const json_t *o, const char *key) {
  return (int)json_integer_value(json_object_get(o, key));
}

bool has_marks(const View *v) { return json_is_array(json_object_get(v->marks, "tasks")); }

/* Writes a place such as "labs/03-bank-conflicts/bank_conflicts.cu:67". */
static void write_place(const View *v, const char *place) {
  const char *colon = strrchr(place, ':');
  char file[512];
  if (!colon) {
    html_text(v->out, "%s", place);
    return;
  }
  snprintf(file, sizeof file, "%.*s", (int)(colon - place), place);
  html_place(v, file, (unsigned)strtoul(colon + 1, NULL, 10));
}

#define CHECK "make lab" /* the command that starts the checker, without the lab's number */

static bool is_race(const char *kind) {
  return !strcmp(kind, "race") || !strcmp(kind, "race-in-warp") ||
         !strcmp(kind, "race-between-blocks") || !strcmp(kind, "lanes-write-differently");
}

/* Writes the parts of a verdict: its lines with numbers and places, the cause, and the command that
 * shows the verdict again. */
static void write_verdict(const View *v, const json_t *verdict) {
  const json_t *lines = json_object_get(verdict, "lines");
  size_t i;
  json_t *line;
  fputs("<p class=\"what\">", v->out);
  html_text(v->out, "%s", text_of(verdict, "headline"));
  fputs("</p>", v->out);
  if (json_array_size(lines))
    fputs("<ul>", v->out);
  json_array_foreach(lines, i, line) {
    fputs("<li>", v->out);
    html_text(v->out, "%s ", text_of(line, "text"));
    if (*text_of(line, "place"))
      write_place(v, text_of(line, "place"));
    fputs("</li>", v->out);
  }
  if (json_array_size(lines))
    fputs("</ul>", v->out);
  if (*text_of(verdict, "cause")) {
    fputs("<p>", v->out);
    html_text(v->out, "%s", text_of(verdict, "cause"));
    fputs("</p>", v->out);
  }
  if (*text_of(verdict, "again")) {
    fputs("<p>again: ", v->out);
    html_command(v->out, text_of(verdict, "again"));
    fputs("</p>", v->out);
  }
  if (is_race(text_of(verdict, "kind")) && v->again && !strncmp(v->again, CHECK, strlen(CHECK))) {
    fputs("<p>see it go wrong: <code>", v->out);
    html_text(v->out, "make race%s", v->again + strlen(CHECK));
    fputs("</code></p>", v->out);
  }
}

/* Writes the student's first predictions next to the correct values. The marks contain the correct
 * values only after the task has passed. */
static void write_predictions(const View *v, const json_t *task) {
  size_t i;
  json_t *one;
  json_array_foreach(json_object_get(task, "predictions"), i, one) {
    const json_t *truth = json_object_get(one, "truth");
    if (!truth)
      continue;
    fputs("<br>", v->out);
    html_text(v->out, "%s: you said %g; it is %g", text_of(one, "name"),
              json_number_value(json_object_get(one, "first")), json_number_value(truth));
  }
}

static void write_task(const View *v, const json_t *task) {
  const char *status = text_of(task, "status");
  bool passed = !strcmp(status, "passed");
  /* For a task that the student has not begun only the headline is shown. */
  bool failed = !strcmp(status, "failed") && strcmp(text_of(task, "kind"), "not-begun") != 0;
  fprintf(v->out, "<tr><td>%d</td><th scope=\"row\">", number_of(task, "number"));
  html_text(v->out, "%s", text_of(task, "title"));
  fprintf(v->out, "</th><td class=\"num\">%d/%d</td><td>", number_of(task, "score"),
          number_of(task, "points"));
  if (passed || (failed && strcmp(text_of(task, "kind"), "prediction-open") != 0))
    fputs(passed ? "<span class=\"good\">✓ passed</span>" : "<span class=\"bad\">✗ failed</span>",
          v->out);
  if (failed)
    write_verdict(v, task);
  else if (passed)
    write_predictions(v, task);
  else if (!passed)
    html_text(v->out, "%s", *text_of(task, "headline") ? text_of(task, "headline") : status);
  fputs("</td></tr>\n", v->out);
}

void write_marks(const View *v) {
  size_t i;
  json_t *task;
  fprintf(v->out,
          "<section id=\"verdict\" aria-labelledby=\"verdict-h\"><h2 id=\"verdict-h\">Verdict: "
          "%d of %d points</h2>\n",
          number_of(v->marks, "score"), number_of(v->marks, "points"));
  if (!json_is_true(json_object_get(v->marks, "compiled")))
    write_verdict(v, v->marks);
  if (json_object_get(v->marks, "given"))
    write_verdict(v, json_object_get(v->marks, "given"));
  if (v->withheld)
    fputs("<p class=\"note\">Predictions are still open. What they ask for is left out of this "
          "page until "
          "yours stand in the file: counts, maps and times.</p>",
          v->out);
  fputs("<table class=\"tasks\"><thead><tr><th scope=\"col\" colspan=\"2\">task</th><th "
        "scope=\"col\">points</th><th scope=\"col\">result</th></tr></thead><tbody>\n",
        v->out);
  json_array_foreach(json_object_get(v->marks, "tasks"), i, task) write_task(v, task);
  fputs("</tbody></table>", v->out);
  if (v->again && number_of(v->marks, "score") < number_of(v->marks, "points")) {
    fputs("<p>next: ", v->out);
    html_command(v->out, v->again);
    fputs("</p>", v->out);
  }
  fputs("</section>\n", v->out);
}
