/* grades.csv for a spreadsheet or a learning platform, grades.xml for whatever reads JUnit. */
#include "class.h"

#include <string.h>

/* RFC 4180. A spreadsheet computes what begins like a formula, so that gets a quote in front. */
static void put_field(FILE *out, const char *text) {
  bool formula = *text && strchr("=+-@\t\r", *text);
  fprintf(out, "\"%s", formula ? "'" : "");
  for (; *text; text++)
    fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, out);
  fputc('"', out);
}

/* Without marks yet: nothing, so that nobody takes it for 0. */
static void put_student(FILE *out, const Class *class, const Student *student) {
  put_field(out, student->name);
  fputc(',', out);
  put_field(out, student->id);
  for (size_t lab = 0; lab < class->lab_count; lab++) {
    fputc(',', out);
    if (student->entries[lab].state != ENTRY_UNGRADED)
      fprintf(out, "%d", student->entries[lab].score);
  }
  fputc(',', out);
  if (student->complete)
    fprintf(out, "%d", student->score);
  fputs("\r\n", out);
}

void csv_write(const Class *class) {
  ClassFile file = class_open(class, "grades.csv");
  fputs("name,id", file.out);
  for (size_t lab = 0; lab < class->lab_count; lab++)
    fprintf(file.out, ",%s", class->labs[lab]->name);
  fputs(",total\r\n", file.out);
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
