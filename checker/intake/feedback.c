/* Writes feedback.zip, an archive of the students' reports that can be uploaded to a platform. Each
 * report has the name that the platform expects, which is made from the name of the submission: Ana
 * Ruiz_88_assignsubmission_file_/report.txt in Moodle, zhangwei_4711_90210_report.txt in Canvas.
 * The same reports give the same bytes. */
#include "intake.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_MOST = 4 << 20 };

void feedback_name(const Student *student, char *out, size_t size) {
  const Entry *entry = &student->entries[student->entry_count - 1];
  for (size_t i = student->entry_count; i-- > 0;)
    if (!student->entries[i].remark) {
      entry = &student->entries[i];
      break;
    }
  size_t length = strlen(entry->name), inside = strlen(entry->inside);
  if (entry->platform && inside && inside < length)
    snprintf(out, size, "%.*sreport.txt", (int)(length - inside), entry->name);
  else if (entry->kind == ENTRY_FOLDER)
    snprintf(out, size, "%s/report.txt", entry->name);
  else
    snprintf(out, size, "%s/report.txt", entry->who);
}

static void put_report(struct archive *zip, const char *name, const char *bytes, size_t size) {
  struct archive_entry *entry = archive_entry_new();
  archive_entry_set_pathname_utf8(entry, name);
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_size(entry, (la_int64_t)size);
  archive_entry_set_mtime(entry, 946728000, 0);
  if (archive_write_header(zip, entry) != ARCHIVE_OK ||
      archive_write_data(zip, bytes, size) != (la_ssize_t)size)
    bad_input("feedback.zip: cannot be written (%s)", archive_error_string(zip));
  archive_entry_free(entry);
}

/* Adds the report of a student. Does nothing if the student has no report. */
static void add_report(struct archive *zip, const char *class, const char *id, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/reports/%s.txt", class, id);
  FILE *file = fopen(path, "r");
  char *bytes = file ? malloc(REPORT_MOST) : NULL;
  if (bytes)
    put_report(zip, name, bytes, fread(bytes, 1, REPORT_MOST, file));
  if (file)
    fclose(file);
  free(bytes);
}

void feedback_write(const char *class) {
  char path[1024], fresh[1040];
  const char *id;
  json_t *identity;
  snprintf(path, sizeof path, "%s/identities.json", class);
  json_t *identities = json_load_file(path, 0, NULL);
  if (!identities)
    bad_input("%s: cannot be read", path);
  snprintf(path, sizeof path, "%s/feedback.zip", class);
  snprintf(fresh, sizeof fresh, "%s.new", path);
  struct archive *zip = archive_write_new();
  if (archive_write_set_format_zip(zip) != ARCHIVE_OK ||
      archive_write_set_options(zip, "hdrcharset=UTF-8") != ARCHIVE_OK ||
      archive_write_open_filename(zip, fresh) != ARCHIVE_OK)
    bad_input("%s: cannot be written (%s)", path, archive_error_string(zip));
  json_object_foreach(identities, id, identity) {
    const char *name = json_string_value(json_object_get(identity, "report"));
    if (name)
      add_report(zip, class, id, name);
  }
  if (archive_write_close(zip) != ARCHIVE_OK || rename(fresh, path) != 0)
    bad_input("%s: cannot be written (%s)", path, archive_error_string(zip));
  archive_write_free(zip);
  json_decref(identities);
}
