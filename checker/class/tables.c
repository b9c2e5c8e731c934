/* Writes grades.csv for a spreadsheet and grades.xml for tools that read JUnit. gradebook.c writes
 * tables for learning platforms. */
#include "class.h"

#include <string.h>

void csv_begin(FILE *out) { fputs("\xef\xbb\xbf", out); }

/* Writes a field as in RFC 4180. A spreadsheet would evaluate text that begins like a formula, so a
 * quote is written before such text. */
void csv_field(FILE *out, const char *text) {
  bool formula = *text && strchr("=+-@\t\r", *text);
  for (size_t i = 0; i < 4; i++)
    /* The full-width forms of = + - @. */
    formula = formula || !strncmp(text, (const char *[]){"＝", "＋", "－", "＠"}[i], 3);
  fprintf(out, "\"%s", formula ? "'" : "");
  for (; *text; text++)
    fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, out);
  fputc('"', out);
}

/* Writes the points. The field of a lab without marks is empty, because 0 would be a result. */
void csv_points(FILE *out, const Entry *entry) {
  char points[24];
  fputc(',', out);
  if (entry->state != ENTRY_UNGRADED)
    fputs(points_text(entry->counts, points), out);
}

static void put_task(FILE *out, const Class *class, const Entry *entry, size_t lab, size_t task) {
  fputc(',', out);
  if (entry->state != ENTRY_UNGRADED)
    fprintf(out, "%d", task_score(entry, class->labs[lab], task));
}

static void put_student(FILE *out, const Class *class, const Student *student) {
  char points[24];
  csv_field(out, student->name);
  fputc(',', out);
  csv_field(out, student->id);
  for (size_t lab = 0; lab < class->lab_count; lab++)
    csv_points(out, &student->entries[lab]);
  fputc(',', out);
  if (student->complete)
    fputs(points_text(student->total, points), out);
  for (size_t lab = 0; lab < class->lab_count; lab++) {
    if (class->labs[lab]->due[0])
      fprintf(out, ",%d", student->entries[lab].late_days);
    for (size_t task = 0; task < class->labs[lab]->task_count; task++)
      if (class->counts[lab][task])
        put_task(out, class, &student->entries[lab], lab, task);
  }
  fputs("\r\n", out);
}

/* Writes the headings of one lab's columns after the total: the days late, if the lab has a due
 * date, and the tasks. */
static void put_details(FILE *out, const Class *class, size_t lab) {
  const Sheet *sheet = class->labs[lab];
  char name[200];
  if (sheet->due[0])
    fprintf(out, ",%s days late", sheet->name);
  for (size_t task = 0; task < sheet->task_count; task++) {
    if (!class->counts[lab][task])
      continue;
    snprintf(name, sizeof name, "%s %zu %s", sheet->name, task + 1, sheet->tasks[task].title);
    fputc(',', out);
    csv_field(out, name);
  }
}

void csv_write(const Class *class) {
  ClassFile file = class_open(class, "grades.csv");
  csv_begin(file.out);
  fputs("name,id", file.out);
  for (size_t lab = 0; lab < class->lab_count; lab++)
    fprintf(file.out, ",%s", class->labs[lab]->name);
  fputs(",total", file.out);
  for (size_t lab = 0; lab < class->lab_count; lab++)
    put_details(file.out, class, lab);
  fputs("\r\n", file.out);
  for (size_t i = 0; i < class->count; i++)
    put_student(file.out, class, &class->students[i]);
  class_close(&file);
}

static void put_entry(FILE *out, const Class *class, const Student *student, size_t lab) {
  static const char *const elements[] = {
      [ENTRY_MISSING] = "skipped", [ENTRY_PROBLEM] = "failure", [ENTRY_UNGRADED] = "error"};
  const Entry *entry = &student->entries[lab];
  char suite[400], what[400];
  snprintf(suite, sizeof suite, "%s/%s", student->id, class->labs[lab]->name);
  if (entry->state == ENTRY_GRADED) {
    junit_suite(out, suite, entry->marks);
    return;
  }
  entry_describe(&student->entries[lab], what, sizeof what);
  junit_no_marks(out, suite, elements[entry->state], what);
}

void junit_write(const Class *class) {
  ClassFile file = class_open(class, "grades.xml");
  junit_begin(file.out);
  for (size_t i = 0; i < class->count; i++)
    for (size_t lab = 0; lab < class->lab_count; lab++)
      put_entry(file.out, class, &class->students[i], lab);
  junit_end(file.out);
  class_close(&file);
}
