/* Subtracts points for late work. The learning platform gives the time of a submission. If there is
 * no platform, the date of the file or archive is used, and Entry.by_file is set. points.txt has
 * the due date of a lab and the points that a late day costs. */
#include "class.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Reads a time such as "2026-10-12 23:59[:00]" in this machine's time zone. Returns -1 if the text
 * is not a time. */
static time_t time_of(const char *text) {
  struct tm when = {.tm_isdst = -1};
  if (sscanf(text, "%d-%d-%d %d:%d:%d", &when.tm_year, &when.tm_mon, &when.tm_mday, &when.tm_hour,
             &when.tm_min, &when.tm_sec) < 5)
    return -1;
  when.tm_year -= 1900;
  when.tm_mon -= 1;
  return mktime(&when);
}

/* Returns the number of days since the end of the minute `due`, rounded up. Returns at least 1 if
 * the platform marks the submission as late, even if it gives no time. */
static int days_late(const json_t *file, const char *due, bool *by_file) {
  time_t end = time_of(due), at = time_of(text_at(file, "submitted"));
  const char *dated = text_at(file, "dated");
  bool late = json_is_true(json_object_get(file, "late"));
  *by_file = strcmp(dated, "platform") != 0;
  if (end == -1 || at == -1 || (*by_file && strcmp(dated, "mark") == 0 && !late))
    return 0;
  double seconds = difftime(at, end + 59);
  int days = seconds > 0 ? (int)ceil(seconds / 86400) : 0;
  return late && days == 0 ? 1 : days;
}

bool late_matters(const Class *class) {
  for (size_t lab = 0; lab < class->lab_count; lab++)
    if (class->labs[lab]->due[0])
      return true;
  return false;
}

void late_apply(const Class *class, Student *student) {
  const Lateness *rule = points_late();
  int left = rule->free_days;
  for (size_t lab = 0; lab < class->lab_count; lab++) {
    Entry *entry = &student->entries[lab];
    const json_t *file = json_object_get(student->files, class->labs[lab]->name);
    if (entry->state != ENTRY_GRADED || !file || !class->labs[lab]->due[0])
      continue;
    entry->late_days = days_late(file, class->labs[lab]->due, &entry->by_file);
    entry->free_days = entry->late_days < left ? entry->late_days : left;
    left -= entry->free_days;
    double share = 1 - (entry->late_days - entry->free_days) * rule->percent / 100;
    if (share < 0 || entry->late_days > rule->most_days)
      share = 0;
    entry->counts = round(entry->score * share * 100) / 100;
  }
}

void late_describe(const Entry *entry, char *out, size_t size) {
  char free_days[40] = "", off[24];
  out[0] = '\0';
  if (entry->late_days == 0)
    return;
  if (entry->free_days)
    snprintf(free_days, sizeof free_days, ", %d of them free", entry->free_days);
  snprintf(out, size, "%d day%s late%s%s: %s points off", entry->late_days,
           entry->late_days == 1 ? "" : "s", entry->by_file ? " by the file's date" : "", free_days,
           points_text(entry->score - entry->counts, off));
}
