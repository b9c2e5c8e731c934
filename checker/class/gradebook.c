/* Writes the tables that learning platforms import. A platform identifies students by its own
 * numbers, which intake/class.c has written to identities.json. Without that file no table is
 * written. A platform that no student of the class uses gets no table.
 *
 *   gradebook-canvas.csv   for Grades, Import: a column for each lab; Canvas finds students by ID
 *   gradebook-moodle.csv   for Upload grading worksheet: the total, for one assignment */
#include "class.h"

#include <string.h>
#include <unistd.h>

typedef struct Gradebook {
  const char *platform, *file;
  void (*head)(FILE *, const Class *);
  void (*student)(FILE *, const Class *, const Student *, const json_t *identity);
} Gradebook;

/* ---- Canvas ---------------------------------------------------------------------------------- */

static void canvas_head(FILE *out, const Class *class) {
  fputs("Student,ID,SIS User ID,SIS Login ID,Section", out);
  for (size_t lab = 0; lab < class->lab_count; lab++)
    fprintf(out, ",%s", class->labs[lab]->name);
  fputs("\r\n    Points Possible,,,,", out);
  for (size_t lab = 0; lab < class->lab_count; lab++)
    fprintf(out, ",%d", class->points[lab]);
  fputs("\r\n", out);
}

static void canvas_student(FILE *out, const Class *class, const Student *student,
                           const json_t *identity) {
  csv_field(out, student->name);
  fprintf(out, ",%s,,,", text_at(identity, "key"));
  for (size_t lab = 0; lab < class->lab_count; lab++)
    csv_points(out, &student->entries[lab]);
  fputs("\r\n", out);
}

/* ---- Moodle ---------------------------------------------------------------------------------- */

static void moodle_head(FILE *out, const Class *class) {
  (void)class;
  fputs("Identifier,\"Full name\",Status,Grade,\"Maximum Grade\",\"Grade can be changed\",\"Last "
        "modified (grade)\",\"Feedback comments\"\r\n",
        out);
}

/* Writes a comment for the student: the state and the points of each lab. */
static void moodle_comment(char *out, size_t size, const Class *class, const Student *student) {
  size_t used = 0;
  char what[400], late[400];
  for (size_t lab = 0; lab < class->lab_count && used < size; lab++) {
    const Entry *entry = &student->entries[lab];
    char points[24];
    entry_describe(entry, what, sizeof what);
    if (entry->state == ENTRY_GRADED)
      snprintf(what, sizeof what, "%s/%d", points_text(entry->counts, points), class->points[lab]);
    late_describe(entry, late, sizeof late);
    used += (size_t)snprintf(out + used, size - used, "lab %.2s: %s%s%s; ", class->labs[lab]->name,
                             what, *late ? ", " : "", late);
  }
  if (used < size)
    snprintf(out + used, size - used, "why: report.txt");
}

static void moodle_student(FILE *out, const Class *class, const Student *student,
                           const json_t *identity) {
  char points[24], comment[4000] = "";
  fprintf(out, "Participant %s,", text_at(identity, "key"));
  csv_field(out, student->name);
  fprintf(out, ",,%s", student->complete ? points_text(student->total, points) : "");
  fprintf(out, ",%s,Yes,-,", points_text(class->all_points, points));
  moodle_comment(comment, sizeof comment, class, student);
  csv_field(out, comment);
  fputs("\r\n", out);
}

/* ---- all platforms --------------------------------------------------------------------------- */

static const Gradebook gradebooks[] = {
    {"Canvas", "gradebook-canvas.csv", canvas_head, canvas_student},
    {"Moodle", "gradebook-moodle.csv", moodle_head, moodle_student},
};

static bool comes_from(const json_t *identity, const char *platform) {
  return strcmp(text_at(identity, "platform"), platform) == 0;
}

/* Writes the table of one platform. Returns false if no student used this platform. */
static bool write_one(const Class *class, const json_t *identities, const Gradebook *book) {
  size_t count = 0;
  char path[1024];
  for (size_t i = 0; i < class->count; i++)
    count += comes_from(json_object_get(identities, class->students[i].id), book->platform);
  if (count == 0) {
    snprintf(path, sizeof path, "%s/%s", class->folder, book->file);
    unlink(path);
    return false;
  }
  ClassFile file = class_open(class, "%s", book->file);
  csv_begin(file.out);
  book->head(file.out, class);
  for (size_t i = 0; i < class->count; i++) {
    const json_t *identity = json_object_get(identities, class->students[i].id);
    if (comes_from(identity, book->platform))
      book->student(file.out, class, &class->students[i], identity);
  }
  class_close(&file);
  return true;
}

void gradebooks_write(const Class *class, char *said, size_t size) {
  char path[1024];
  size_t used = 0;
  snprintf(path, sizeof path, "%s/identities.json", class->folder);
  json_t *identities = json_load_file(path, 0, NULL);
  said[0] = '\0';
  for (size_t i = 0; i < sizeof gradebooks / sizeof gradebooks[0]; i++)
    if (write_one(class, identities, &gradebooks[i]) && used < size)
      used +=
          (size_t)snprintf(said + used, size - used, ", %s/%s", class->folder, gradebooks[i].file);
  json_decref(identities);
}
