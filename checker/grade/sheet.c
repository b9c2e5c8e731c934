/* The labs that the checker knows, each with the sheet of its tasks, and how commands name them. */
#include "checker.h"

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

void lab_number(const char *name, char out[3]) { snprintf(out, 3, "%.2s", name); }

void lab_next_step(const Sheet *lab, char *out, size_t size) {
  char number[3];
  if (!lab->next) {
    snprintf(out, size, "make progress");
    return;
  }
  lab_number(lab->next->name, number);
  snprintf(out, size, "make lab%s", number);
}

void labs_word(const Settings *settings, char out[LABS_WORD]) {
  bool own = strcmp(settings->labs, "labs") == 0;
  snprintf(out, LABS_WORD, "%s%s", own ? "" : " LABS=", own ? "" : settings->labs);
}
