/* What commands call a lab. */
#include "facts/facts.h"

#include <string.h>

void lab_number(const char *name, char out[3]) { snprintf(out, 3, "%.2s", name); }

void labs_word(const Settings *settings, char out[LABS_WORD]) {
  bool own = strcmp(settings->paths.labs, "labs") == 0;
  snprintf(out, LABS_WORD, "%s%s", own ? "" : " LABS=", own ? "" : settings->paths.labs);
}
