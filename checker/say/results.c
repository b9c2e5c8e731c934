/* Writes marks as JSON, for `make grade`, the progress files and the tests. */
#include "say/report.h"

#include <string.h>

static const char *status_name(TaskStatus status) {
  static const char *const names[] = {
      [TASK_NOT_RUN] = "not-run",
      [TASK_PASSED] = "passed",
      [TASK_FAILED] = "failed",
      [TASK_NOT_GRADED] = "not-graded",
  };
  return names[status];
}

static void add_verdict(json_t *to, const Verdict *verdict) {
  json_t *json = verdict_json(verdict);
  json_object_update(to, json);
  json_decref(json);
}

/* Adds "work", the number of thread instructions, and "kernels", more counters for each kernel. */
static void add_work(json_t *to, json_t *kernels) {
  if (!kernels)
    return;
  json_object_set_new(to, "work", json_integer(work_total(kernels)));
  json_object_set(to, "kernels", kernels);
}

/* Adds "parts": the id of each part, its points, and the points that were earned. */
static void add_parts(json_t *to, const Marks *marks, size_t i) {
  const Task *task = &marks->lab->tasks[i];
  json_t *parts = json_array();
  for (size_t part = 0; task->parts[part] != SAY_NOTHING; part++) {
    char name[80];
    bool right = marks->status[i] == TASK_PASSED || marks->parts_right[i] >> part & 1;
    say_name(task->parts[part], name, sizeof name);
    json_array_append_new(parts, json_pack("{s:s, s:i, s:i}", "part", name, "points",
                                           task->part_points[part], "score",
                                           right ? task->part_points[part] : 0));
  }
  if (json_array_size(parts))
    json_object_set(to, "parts", parts);
  json_decref(parts);
}

/* Adds "predictions": the student's answers. If the whole task has passed, also adds the truth. */
static void add_predictions(json_t *to, const Marks *marks, size_t i) {
  json_t *all = json_array();
  for (size_t k = 0; k < marks->predicted_count[i]; k++) {
    const Predicted *predicted = &marks->predicted[i][k];
    json_t *one = json_pack("{s:s, s:f}", "name", predicted->name, "answer", predicted->answer);
    json_object_set_new(one, "first", json_real(predicted->first));
    if (marks->status[i] == TASK_PASSED)
      json_object_set_new(one, "truth", json_real(predicted->truth));
    json_array_append_new(all, one);
  }
  if (json_array_size(all))
    json_object_set(to, "predictions", all);
  json_decref(all);
}

static json_t *task_json(const Marks *marks, size_t i) {
  const Task *task = &marks->lab->tasks[i];
  json_t *json = json_object();
  json_object_set_new(json, "number", json_integer((json_int_t)i + 1));
  json_object_set_new(json, "title", json_string(task->title));
  json_object_set_new(json, "status", json_string(status_name(marks->status[i])));
  json_object_set_new(json, "score", json_integer(marks->earned[i]));
  json_object_set_new(json, "points", json_integer(task->points));
  add_verdict(json, &marks->verdicts[i]);
  add_parts(json, marks, i);
  add_predictions(json, marks, i);
  add_work(json, marks->kernels[i]);
  return json;
}

/* Returns why these marks do not count; NULL if they count. Noisy times are not the student's
 * fault. So a task with noisy times makes the marks ungraded, and does not get 0 points. */
static json_t *ungraded_json(const Marks *marks) {
  if (marks->settings->ungraded)
    return text_json(marks->settings->ungraded);
  for (size_t i = 0; i < marks->lab->task_count; i++)
    if (marks->status[i] == TASK_NOT_GRADED && verdict_failed(&marks->verdicts[i]))
      return json_sprintf("the times of task %zu scatter too much", i + 1);
  return NULL;
}

json_t *marks_json(const Marks *marks) {
  json_t *json = json_object(), *tasks = json_array();
  json_object_set_new(json, "lab", json_string(marks->lab->name));
  json_object_set_new(json, "title", json_string(marks->lab->title));
  json_object_set_new(json, "device", json_string(marks->settings->build.device));
  if (marks->settings->build.card)
    json_object_set_new(json, "card", json_string(marks->settings->build.card));
  json_object_set_new(json, "precision", json_string(marks->settings->build.precision));
  json_object_set_new(json, "seed", json_integer(marks->settings->run.seed));
  json_object_set_new(json, "schedule", json_integer(marks->settings->run.schedule));
  json_object_set_new(json, "score", json_integer(marks->score));
  json_object_set_new(json, "points", json_integer(marks->points));
  json_object_set_new(json, "baseline", json_integer(marks->lab->baseline));
  if (marks->settings->walls.sandbox)
    json_object_set_new(json, "graded",
                        json_pack("{s:s}", "sandbox", marks->settings->walls.sandbox));
  json_t *why = ungraded_json(marks);
  if (why)
    json_object_set_new(json, "ungraded", why);
  json_object_set_new(json, "compiled", json_boolean(marks->compiled));
  if (!marks->compiled)
    add_verdict(json, &marks->compiling);
  if (verdict_failed(&marks->given))
    json_object_set_new(json, "given", verdict_json(&marks->given));
  json_int_t work = 0;
  for (size_t i = 0; i < marks->lab->task_count; i++) {
    json_array_append_new(tasks, task_json(marks, i));
    work += work_total(marks->kernels[i]);
  }
  if (!marks->settings->build.on_gpu)
    json_object_set_new(json, "work", json_integer(work));
  json_object_set_new(json, "tasks", tasks);
  return json;
}

void marks_write(const Marks *marks, const char *path) {
  json_t *json = marks_json(marks);
  if (json_dump_file(json, path, JSON_INDENT(2)) != 0)
    bad_input("%s: cannot be written", path);
  json_decref(json);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Prints at most WIDTH characters of the text, without cutting a UTF-8 character. */
static void put_short(FILE *out, const char *text) {
  enum { WIDTH = 60 };
  int bytes = 0, characters = 0;
  for (; text[bytes]; bytes++) {
    characters += ((unsigned char)text[bytes] & 0xc0) != 0x80;
    if (characters > WIDTH)
      break;
  }
  fprintf(out, "%.*s%s", bytes, text, text[bytes] ? "…" : "");
}

void marks_reason(FILE *out, const json_t *marks) {
  size_t i;
  json_t *task;
  bool refused = verdict_kind(marks) != VERDICT_NOT_COMPILED;
  if (!json_is_true(json_object_get(marks, "compiled"))) {
    fputs(refused ? "  refused: " : "  does not compile: ", out);
    put_short(out, text_at(marks, "headline"));
    return;
  }
  json_array_foreach(json_object_get(marks, "tasks"), i, task) {
    if (strcmp(text_at(task, "status"), "failed") == 0) {
      fprintf(out, "  task %d: ", number_at(task, "number"));
      put_short(out, text_at(task, "headline"));
      return;
    }
  }
}
