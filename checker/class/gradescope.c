/* Writes results/ID.json in the format of results.json, which Gradescope's documentation of
 * autograders describes. Each task is one test. The file has no times, so the same submission gives
 * the same file. The file has no leaderboard, because a student must not see the instruction counts
 * of other students' programs.
 *
 * Gradescope stores extra_data but does not show it. Here extra_data contains the counters of the
 * device, without the counters that answer an open prediction. */
#include "class.h"

#include <stdlib.h>
#include <string.h>

/* A stream in memory, for functions that print. printed_end makes a JSON string of the text. */
typedef struct Printed {
  FILE *out;
  char *text;
  size_t size;
} Printed;

static void printed_begin(Printed *printed) {
  *printed = (Printed){NULL, NULL, 0};
  printed->out = open_memstream(&printed->text, &printed->size);
  if (!printed->out)
    bad_input("not enough memory for a report");
}

/* Returns the text as a JSON string. A truncated text may end within a UTF-8 character, which JSON
 * does not allow. In this case all bytes outside of ASCII are replaced. */
static json_t *printed_end(Printed *printed) {
  fclose(printed->out);
  for (size_t i = 0; i < printed->size; i++)
    if ((unsigned char)printed->text[i] < ' ' && printed->text[i] != '\n')
      printed->text[i] = '?';
  json_t *string = json_stringn(printed->text, printed->size);
  for (size_t i = 0; !string && i < printed->size; i++)
    if ((unsigned char)printed->text[i] >= 0x80)
      printed->text[i] = '?';
  string = string ? string : json_stringn(printed->text, printed->size);
  free(printed->text);
  return string;
}

static void print_task(FILE *out, const Entry *entry, size_t task) {
  bool compiled = json_is_true(json_object_get(entry->marks, "compiled"));
  Verdict verdict;
  char what[400];
  if (entry->state != ENTRY_GRADED) {
    entry_describe(entry, what, sizeof what);
    fprintf(out, "%s\n", what);
    return;
  }
  verdict = verdict_read(compiled ? task_of(entry, task) : entry->marks);
  verdict_print(out, &verdict);
}

/* Returns extra_data of a task. */
static json_t *task_data(const Entry *entry, size_t task) {
  json_t *data = json_object();
  const json_t *from = task_of(entry, task);
  static const char *const keys[] = {"kind", "work", "kernels"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (json_object_get(from, keys[i]))
      json_object_set(data, keys[i], json_object_get(from, keys[i]));
  return data;
}

static json_t *task_test(const Class *class, const Student *student, size_t lab, size_t task) {
  const Sheet *sheet = class->labs[lab];
  const Entry *entry = &student->entries[lab];
  bool passed = task_is(entry, task, "passed");
  char name[160], number[24];
  Printed output;
  json_t *test = json_object();
  snprintf(name, sizeof name, "lab %.2s, task %zu: %s", sheet->name, task + 1,
           sheet->tasks[task].title);
  snprintf(number, sizeof number, "%d.%zu", atoi(sheet->name), task + 1);
  json_object_set_new(test, "name", json_string(name));
  json_object_set_new(test, "number", json_string(number));
  json_object_set_new(test, "score", json_integer(task_score(entry, sheet, task)));
  json_object_set_new(test, "max_score", json_integer(sheet->tasks[task].points));
  json_object_set_new(test, "status", json_string(passed ? "passed" : "failed"));
  printed_begin(&output);
  print_task(output.out, entry, task);
  json_object_set_new(test, "output", printed_end(&output));
  json_object_set_new(test, "output_format", json_string("text"));
  json_object_set_new(test, "visibility", json_string("visible"));
  json_object_set_new(test, "tags", json_pack("[s]", sheet->name));
  json_object_set_new(test, "extra_data", task_data(entry, task));
  return test;
}

/* Returns extra_data of a lab. */
static json_t *lab_data(const Class *class, const Entry *entry, size_t lab) {
  static const char *const keys[] = {"device", "precision", "work", "graded"};
  json_t *data = json_object();
  json_object_set_new(data, "state", json_string(entry_words(entry->state)));
  json_object_set_new(data, "score", json_integer(entry->score));
  json_object_set_new(data, "points", json_integer(class->points[lab]));
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (json_object_get(entry->marks, keys[i]))
      json_object_set(data, keys[i], json_object_get(entry->marks, keys[i]));
  return data;
}

json_t *gradescope_json(const Class *class, const Student *student) {
  json_t *results = json_object(), *tests = json_array(), *labs = json_object();
  Printed output;
  int score = 0;
  printed_begin(&output);
  summary_print(output.out, class, student);
  for (size_t lab = 0; lab < class->lab_count; lab++) {
    score += student->entries[lab].score;
    json_object_set_new(labs, class->labs[lab]->name, lab_data(class, &student->entries[lab], lab));
    for (size_t task = 0; task < class->labs[lab]->task_count; task++)
      if (class->counts[lab][task])
        json_array_append_new(tests, task_test(class, student, lab, task));
  }
  /* Gradescope itself subtracts points for late work. */
  json_object_set_new(results, "score", json_integer(score));
  json_object_set_new(results, "output", printed_end(&output));
  json_object_set_new(results, "output_format", json_string("text"));
  json_object_set_new(results, "test_output_format", json_string("text"));
  json_object_set_new(results, "test_name_format", json_string("text"));
  json_object_set_new(results, "visibility", json_string("visible"));
  json_object_set_new(results, "stdout_visibility", json_string("hidden"));
  json_object_set_new(results, "extra_data",
                      json_pack("{s:s, s:o}", "id", student->id, "labs", labs));
  json_object_set_new(results, "tests", tests);
  return results;
}

void gradescope_write(const Class *class) {
  for (size_t i = 0; i < class->count; i++) {
    ClassFile file = class_open(class, "results/%s.json", class->students[i].id);
    json_t *results = gradescope_json(class, &class->students[i]);
    if (json_dumpf(results, file.out, JSON_INDENT(2)) != 0)
      bad_input("%s: cannot be written", file.path);
    fputc('\n', file.out);
    class_close(&file);
    json_decref(results);
  }
}
