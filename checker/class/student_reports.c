/* Writes reports/ID.txt for each student: a summary of all labs, followed by the checker's report
 * on each lab. */
#include "class.h"
#include "draw/markup.h"

#include <stdlib.h>
#include <string.h>

static void put_rule(FILE *out) {
  for (int i = 0; i < 100; i++)
    fputc('-', out);
  fputc('\n', out);
}

static void print_lab(FILE *out, const Class *class, const Student *student, size_t lab) {
  const Entry *entry = &student->entries[lab];
  char number[3], what[400], points[24];
  lab_number(class->labs[lab]->name, number);
  fprintf(out, "  lab %s  %-34s ", number, class->labs[lab]->title);
  if (entry->state == ENTRY_UNGRADED)
    fprintf(out, "  -/%d", class->points[lab]);
  else
    fprintf(out, "%3s/%d", points_text(entry->counts, points), class->points[lab]);
  if (entry->state == ENTRY_GRADED) {
    marks_reason(out, entry->marks);
  } else {
    entry_describe(&student->entries[lab], what, sizeof what);
    fprintf(out, "  %s", what);
  }
  late_describe(entry, what, sizeof what);
  fprintf(out, "%s%s\n", *what ? "  " : "", what);
}

void summary_print(FILE *out, const Class *class, const Student *student) {
  size_t i;
  json_t *note;
  char total[24], all[24];
  for (size_t lab = 0; lab < class->lab_count; lab++)
    print_lab(out, class, student, lab);
  fprintf(out, "\n  score %s/%s%s\n", points_text(student->total, total),
          points_text(class->all_points, all),
          student->complete ? "" : ", and a lab that is not graded yet");
  if (student->problem)
    fprintf(out, "\n  note: %s\n", student->problem);
  json_array_foreach(student->notes, i, note) {
    fputs(i || student->problem ? "  note: " : "\n  note: ", out);
    plain_text(out, json_string_value(note));
    fputc('\n', out);
  }
  if (student->no_walls)
    fprintf(out, "\n  Graded without a sandbox (SANDBOX=none).\n");
}

/* Copies the checker's report without control characters. */
static void copy_text(FILE *out, const char *path) {
  FILE *in = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  if (!in) {
    fprintf(out, "  (the checker's report is missing)\n");
    return;
  }
  while (getline(&line, &room, in) > 0)
    plain_text(out, line);
  free(line);
  fclose(in);
}

static void write_report(const Class *class, const Student *student) {
  ClassFile file = class_open(class, "reports/%s.txt", student->id);
  char path[1024];
  fprintf(file.out, "%s\n\n", student->name);
  summary_print(file.out, class, student);
  if (student->total < class->all_points)
    fputs("\n  `again:` repeats a check in your own workbook; an appeal says which lab and which "
          "task.\n",
          file.out);
  for (size_t lab = 0; lab < class->lab_count; lab++) {
    if (student->entries[lab].state != ENTRY_GRADED)
      continue;
    fputc('\n', file.out);
    put_rule(file.out);
    snprintf(path, sizeof path, "%s/marks/%s/%s.txt", class->folder, student->id,
             class->labs[lab]->name);
    copy_text(file.out, path);
  }
  class_close(&file);
}

void reports_write(const Class *class) {
  for (size_t i = 0; i < class->count; i++)
    write_report(class, &class->students[i]);
}
