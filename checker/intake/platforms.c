/* Reads the student and the date from the names that learning platforms give to downloaded
 * submissions:
 *
 *   Canvas        zhangwei_LATE_4711_90210_naive-1.cu     name_[LATE_]person_upload_file
 *   Moodle        Ana Ruiz_88_assignsubmission_file_/     name_number_assignsubmission_kind_[file]
 *   Brightspace   31-77 - Ana Ruiz - Mar 1, 2026 1145 PM/ person-folder - name - date[ - file]
 *   Blackboard    Lab 1_aruiz_attempt_2026-03-01-23-45-10_naive.cu
 *                                                         title_login_attempt_date[_file]
 *   ILIAS         Ruiz_Ana_aruiz_4711/                    last_first_login_number, for single
 *                                                         files and "multi-feedback"
 *   Gradescope    submission_90210/                       names are in a file (gradescope.c)
 *
 * Any other name, such as that of a folder of GitHub Classroom, is used as the student's name. */
#include "intake.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static size_t digits(const char *text) { return strspn(text, "0123456789"); }

static void copy(char out[NAME_MOST], const char *from, size_t length) {
  snprintf(out, NAME_MOST, "%.*s", (int)length, from);
}

/* ---- dates ----------------------------------------------------------------------------------- */

/* Stores the date. The platform writes it in the time zone of the person who downloaded the
 * submissions, which is assumed to be the time zone of this machine. `attempt` becomes a number
 * such as 20260301234510, which is larger for later dates. */
static void set_time(Entry *entry, int year, int month, int day, int hour, int minute, int second) {
  struct tm when = {.tm_year = year - 1900,
                    .tm_mon = month - 1,
                    .tm_mday = day,
                    .tm_hour = hour,
                    .tm_min = minute,
                    .tm_sec = second,
                    .tm_isdst = -1};
  entry->submitted = mktime(&when);
  entry->attempt =
      ((((year * 100LL + month) * 100 + day) * 100 + hour) * 100 + minute) * 100 + second;
}

static int month_named(const char *name) {
  static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                       "jul", "aug", "sep", "oct", "nov", "dec"};
  for (int i = 0; i < 12; i++)
    if (strncasecmp(name, months[i], 3) == 0)
      return i + 1;
  return 0;
}

/* Reads a date such as "Mar 1, 2026 1145 PM" or "1 March, 2026 2345". Returns false if the text is
 * not such a date. If the month is in another language, no date is stored. */
static bool read_date(Entry *entry, const char *text) {
  char month[32], half = 0;
  int day = 0, year = 0, clock = 0, used = 0;
  if (sscanf(text, "%31[^0-9 .,] %d , %d %d%n", month, &day, &year, &clock, &used) < 4 &&
      sscanf(text, "%31[^0-9 .,]. %d , %d %d%n", month, &day, &year, &clock, &used) < 4 &&
      sscanf(text, "%d %31[^0-9 .,] , %d %d%n", &day, month, &year, &clock, &used) < 4 &&
      sscanf(text, "%d %31[^0-9 .,] %d %d%n", &day, month, &year, &clock, &used) < 4)
    return false;
  if (day < 1 || day > 31 || year < 1990 || year > 9999 || clock < 0 || clock > 2359)
    return false;
  sscanf(text + used, " %c", &half);
  int hour = clock / 100;
  if (tolower((unsigned char)half) == 'p' && hour < 12)
    hour += 12;
  if (tolower((unsigned char)half) == 'a' && hour == 12)
    hour = 0;
  if (month_named(month))
    set_time(entry, year, month_named(month), day, hour, clock % 100, 0);
  return true;
}

/* ---- the platforms --------------------------------------------------------------------------- */

static bool take(Entry *entry, const char *platform, const char *key, size_t length) {
  entry->platform = platform;
  copy(entry->key, key, length);
  snprintf(entry->group, sizeof entry->group, "%s/%s", platform,
           entry->key); /* Names have no slash. */
  return true;
}

/* Returns true for names from Canvas, which contain two numbers, as in "_4711_90210_". Canvas
 * ensures that no person's name contains such numbers. */
static bool is_canvas(Entry *entry) {
  for (const char *at = entry->name; (at = strchr(at, '_')); at++) {
    size_t person = digits(at + 1), upload = 0;
    if (at == entry->name || !person || at[1 + person] != '_')
      continue;
    upload = digits(at + 2 + person);
    if (!upload || upload > 18 || at[2 + person + upload] != '_' || !at[3 + person + upload])
      continue;
    size_t who = (size_t)(at - entry->name);
    entry->late = who > 5 && strncasecmp(at - 5, "_late", 5) == 0;
    copy(entry->who, entry->name, entry->late ? who - 5 : who);
    entry->attempt = atoll(at + 2 + person);
    copy(entry->inside, at + 3 + person + upload, strlen(at + 3 + person + upload));
    return take(entry, "Canvas", at + 1, person);
  }
  return false;
}

static bool is_moodle(Entry *entry) {
  const char *mark = strstr(entry->name, "_assignsubmission_"), *number = mark;
  while (number && number > entry->name && isdigit((unsigned char)number[-1]))
    number--;
  if (!mark || number == mark || number - entry->name < 2 || number[-1] != '_')
    return false;
  const char *kind = mark + strlen("_assignsubmission_"), *file = strchr(kind, '_');
  copy(entry->who, entry->name, (size_t)(number - 1 - entry->name));
  copy(entry->inside, file ? file + 1 : "", file ? strlen(file + 1) : 0);
  entry->remark = strncmp(kind, "file", 4) != 0;
  return take(entry, "Moodle", number, (size_t)(mark - number));
}

/* Returns the text after the next "- ". Returns NULL if the text has no "- ". */
static const char *next_part(const char *text) {
  const char *dash = strstr(text, "- ");
  return dash ? dash + 2 : NULL;
}

static bool is_brightspace(Entry *entry) {
  size_t person = digits(entry->name), folder;
  const char *text = entry->name + person, *date = NULL;
  if (!person || *text != '-' || !(folder = digits(text + 1)))
    return false;
  text += 1 + folder + strspn(text + 1 + folder, " ");
  if (text[0] != '-' || text[1] != ' ')
    return false;
  const char *who = text += 2;
  while ((text = next_part(text)))
    if (read_date(entry, text)) {
      date = text;
      break;
    }
  if (!date)
    return false;
  size_t length = (size_t)(date - 2 - who);
  while (length && who[length - 1] == ' ')
    length--;
  copy(entry->who, who, length);
  const char *file = strstr(date, " - ");
  copy(entry->inside, file ? file + 3 : "", file ? strlen(file + 3) : 0);
  return take(entry, "Brightspace", entry->name, person);
}

/* Returns true for names from Blackboard. A login may contain "_", and so may the title of the
 * assignment. So the whole text before "_attempt_" identifies the student, and its part after the
 * last "_" is shown as the name. */
static bool is_blackboard(Entry *entry) {
  static const char mark[] = "_attempt_";
  const char *at = strstr(entry->name, mark), *who = at;
  int time[6], used = 0;
  if (!at || sscanf(at + sizeof mark - 1, "%4d-%2d-%2d-%2d-%2d-%2d%n", &time[0], &time[1], &time[2],
                    &time[3], &time[4], &time[5], &used) < 6)
    return false;
  while (who > entry->name && who[-1] != '_')
    who--;
  if (who == entry->name || who == at)
    return false;
  const char *rest = at + sizeof mark - 1 + used;
  set_time(entry, time[0], time[1], time[2], time[3], time[4], time[5]);
  entry->remark = strcmp(rest, ".txt") == 0;
  copy(entry->who, who, (size_t)(at - who));
  copy(entry->inside, *rest == '_' ? rest + 1 : "", strlen(*rest == '_' ? rest + 1 : ""));
  return take(entry, "Blackboard", entry->name, (size_t)(at - entry->name));
}

/* Returns true for names from ILIAS: a folder whose name is a last name, a first name, a login and
 * a number of at least three digits. The condition on the login excludes other names with this
 * format. */
static bool is_ilias(Entry *entry) {
  enum { DIGITS_LEAST = 3, DIGITS_MOST = 9 };
  const char *name = entry->name, *number = strrchr(name, '_'), *login = number;
  if (entry->kind != ENTRY_FOLDER || !number)
    return false;
  size_t length = digits(number + 1);
  while (login > name && login[-1] != '_')
    login--;
  size_t who = login > name ? (size_t)(login - 1 - name) : 0;
  const char *between = memchr(name, '_', who);
  bool logged = login < number && strcspn(login, " ") > (size_t)(number - login) &&
                digits(login) < (size_t)(number - login);
  if (number[1 + length] || length < DIGITS_LEAST || length > DIGITS_MOST || !logged || !between ||
      between == name || between + 1 == login - 1)
    return false;
  copy(entry->who, name, who);
  for (char *at = entry->who; (at = strchr(at, '_'));)
    *at = ' ';
  return take(entry, "ILIAS", login, strlen(login));
}

void platform_read(Entry *entry) {
  entry->platform = NULL;
  entry->inside[0] = '\0';
  (void)(is_moodle(entry) || is_blackboard(entry) || is_brightspace(entry) || is_canvas(entry) ||
         is_ilias(entry));
}
