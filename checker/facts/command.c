/* Converts the name of a lab to the forms that are used in commands and file names. */
#include "facts/facts.h"

#include <string.h>

void lab_number(const char *name, char out[3]) { snprintf(out, 3, "%.2s", name); }

void lab_source_name(const char *lab, char out[80]) {
  snprintf(out, 80, "%.70s.cu", lab + 3);
  for (char *at = out; (at = strchr(at, '-'));)
    *at = '_';
}

void labs_word(const Settings *settings, char out[LABS_WORD]) {
  bool own = strcmp(settings->paths.labs, "labs") == 0;
  snprintf(out, LABS_WORD, "%s%s", own ? "" : " LABS=", own ? "" : settings->paths.labs);
}
