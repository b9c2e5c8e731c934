/* The list of all labs, and functions that commands use for one lab. */
#include "grade/grade.h"

#include <string.h>

static Sheet *sheets;

void sheet_add(Sheet *lab) {
  Sheet **at = &sheets;
  while (*at && strcmp((*at)->name, lab->name) < 0)
    at = (Sheet **)&(*at)->next;
  lab->next = *at;
  *at = lab;
}

const Sheet *sheet_first(void) { return sheets; }

const Sheet *sheet_find(const char *name) {
  for (const Sheet *lab = sheets; lab; lab = lab->next)
    if (strcmp(lab->name, name) == 0)
      return lab;
  return NULL;
}

void lab_next_step(const Sheet *lab, char *out, size_t size) {
  char number[3];
  if (!lab->next) {
    snprintf(out, size, "make progress");
    return;
  }
  lab_number(lab->next->name, number);
  snprintf(out, size, "make lab%s", number);
}

const char *predict_withheld(const Sheet *lab, const Settings *settings) {
  for (size_t i = 0; i < lab->task_count; i++) {
    const Task *task = &lab->tasks[i];
    Check asked = {.settings = settings};
    if (task->predictions && !predict_answered(&asked, task->predictions))
      return task->predicted && strcmp(settings->build.precision, "double") != 0 ? task->predicted
                                                                                 : "all";
  }
  return "";
}

bool task_begun(const Sheet *lab, size_t task, const char *text) {
  uint64_t own = gap_fingerprint(text, (int)task);
  return own && own != lab->tasks[task - 1].untouched;
}
