/* Implements `checker --class DIRECTORY`: writes all files of a class, and prints a summary for the
 * instructor. */
#include "alike.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PROBLEMS = 8 }; /* The maximum number of problems that are printed. */

/* ---- folders --------------------------------------------------------------------------------- */

/* Returns true if `name` is the id of a student of this class followed by `ending`. */
static bool is_report(const Class *class, const char *name, const char *ending) {
  size_t length = strlen(name), end = strlen(ending);
  if (length <= end || strcmp(name + length - end, ending) != 0)
    return false;
  for (size_t i = 0; i < class->count; i++)
    if (strlen(class->students[i].id) == length - end &&
        strncmp(class->students[i].id, name, length - end) == 0)
      return true;
  return false;
}

/* Makes the folder. If it exists, removes all files that do not belong to a student of this
 * class. */
static void prepare_folder(const Class *class, const char *name, const char *ending) {
  char path[1024], file[1400];
  struct dirent *entry;
  snprintf(path, sizeof path, "%s/%s", class->folder, name);
  if (mkdir(path, 0777) != 0 && errno != EEXIST)
    bad_input("%s: cannot be made (%s)", path, strerror(errno));
  DIR *folder = opendir(path);
  while (folder && (entry = readdir(folder))) {
    if (entry->d_name[0] == '.' && strspn(entry->d_name, ".") == strlen(entry->d_name))
      continue;
    snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    if (!is_report(class, entry->d_name, ending))
      remove(file);
  }
  if (folder)
    closedir(folder);
}

/* ---- what is printed ------------------------------------------------------------------------- */

static void print_labs(const Class *class) {
  for (size_t lab = 0; lab < class->lab_count; lab++) {
    char number[3];
    lab_number(class->labs[lab]->name, number);
    printf("  lab %s  %-26s %4zu graded, mean %5.1f/%d, full marks %zu\n", number,
           class->labs[lab]->title, count_entries(class, lab, ENTRY_GRADED), mean_score(class, lab),
           class->points[lab], count_full(class, lab, POINTS_THAT_COUNT));
  }
}

static size_t count_all(const Class *class, EntryState state) {
  size_t count = 0;
  for (size_t lab = 0; lab < class->lab_count; lab++)
    count += count_entries(class, lab, state);
  return count;
}

/* Prints problems that affect a whole submission, such as a damaged archive, so that the instructor
 * can ask the student for another file. The students' reports name the problems, too. */
static void print_problems(const Class *class) {
  size_t shown = 0, count = 0;
  for (size_t i = 0; i < class->count; i++)
    count += class->students[i].problem != NULL;
  if (count)
    printf("\n  submissions with a problem: %zu\n", count);
  for (size_t i = 0; i < class->count && shown < PROBLEMS; i++)
    if (class->students[i].problem && ++shown)
      printf("    %s: %s\n", class->students[i].id, class->students[i].problem);
  if (shown < count)
    printf("    and %zu more: see class.html, Not graded\n", count - shown);
}

/* Prints how many labs count as late only because of the date of a file, which may be the date of a
 * download. */
static void print_doubtful_dates(const Class *class) {
  size_t count = 0;
  for (size_t i = 0; i < class->count; i++)
    for (size_t lab = 0; lab < class->lab_count; lab++)
      count += class->students[i].entries[lab].late_days && class->students[i].entries[lab].by_file;
  if (count)
    printf(
        "\n  late by the date of a file only: %zu. Check whether this is the date of the "
        "submission or\n"
        "  downloaded? If the latter, take `due` out of the points: checker/TEACHING.md, Points\n",
        count);
}

int class_report(const Settings *settings, const char *folder) {
  Class class;
  char points[24], gradebooks[2200];
  class_read(&class, settings, folder);
  prepare_folder(&class, "reports", ".txt");
  prepare_folder(&class, "results", ".json");
  reports_write(&class);
  gradescope_write(&class);
  csv_write(&class);
  gradebooks_write(&class, gradebooks, sizeof gradebooks);
  junit_write(&class);
  class.look_alikes = alike_write(&class, settings->paths.labs);
  page_write(&class);
  size_t ungraded = count_all(&class, ENTRY_UNGRADED);
  printf("%s: %zu student%s\n\n", class.title, class.count, class.count == 1 ? "" : "s");
  print_labs(&class);
  if (class.no_walls)
    printf("\n  graded without a sandbox (SANDBOX=none)\n");
  printf("\n  page    %s/class.html\n  marks   %s/grades.csv, %s/grades.xml%s\n", folder, folder,
         folder, gradebooks);
  if (ungraded)
    printf("\n  not graded yet: %zu\n", ungraded);
  if (class.look_alikes)
    printf("\n  look-alikes, in pairs or groups: %zu, see %s/alike.html\n", class.look_alikes,
           folder);
  print_doubtful_dates(&class);
  print_problems(&class);
  printf("\n  score   %.1f/%s on average, median %.1f; what was not handed in counts 0\n",
         mean_score(&class, class.lab_count), points_text(class.all_points, points),
         median_score(&class, class.lab_count));
  class_free(&class);
  return ungraded ? 1 : 0;
}
