/* Functions of an Entry, which is one lab of one student: its tasks and its state in words. */
#include "class.h"

#include <string.h>

const json_t *task_of(const Entry *entry, size_t task) {
  return json_array_get(json_object_get(entry->marks, "tasks"), task);
}

bool task_is(const Entry *entry, size_t task, const char *status) {
  return entry->state == ENTRY_GRADED &&
         strcmp(text_at(task_of(entry, task), "status"), status) == 0;
}

int task_score(const Entry *entry, const Sheet *lab, size_t task) {
  if (entry->state != ENTRY_GRADED)
    return 0;
  return task_is(entry, task, "passed") ? lab->tasks[task].points
                                        : number_at(task_of(entry, task), "score");
}

const char *entry_words(EntryState state) {
  static const char *const words[] = {
      [ENTRY_MISSING] = "not handed in",
      [ENTRY_PROBLEM] = "cannot be graded",
      [ENTRY_UNGRADED] = "not graded yet",
      [ENTRY_GRADED] = "graded",
  };
  return words[state];
}

void entry_describe(const Entry *entry, char *out, size_t size) {
  bool why = entry->why != NULL;
  snprintf(out, size, "%s%s%s", entry_words(entry->state), why ? ": " : "", why ? entry->why : "");
}

const char *points_text(double points, char out[24]) {
  snprintf(out, 24, "%.2f", points);
  size_t length = strlen(out);
  while (out[length - 1] == '0')
    length--;
  out[length - (out[length - 1] == '.')] = '\0';
  return out;
}
