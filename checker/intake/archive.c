/* Reads a zip or tar archive that was handed in. libarchive reads it as a stream, one entry after
 * the other. Nothing is unpacked to the disk. The paths in the archive are only compared and never
 * opened. A path that leads outside of the archive is reported. */
#include "intake.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK_MOST = 1 << 16 };

/* Writes the path without "." and doubled slashes to `out`, which has the size of `from`. A zip
 * from Windows may have backslashes. */
static void tidy_path(const char *from, char *out) {
  size_t used = 0;
  while (*from) {
    size_t length = strcspn(from, "/\\");
    if (length && !(length == 1 && *from == '.')) {
      if (used)
        out[used++] = '/';
      memcpy(out + used, from, length);
      used += length;
    }
    from += length;
    from += *from != '\0';
  }
  out[used] = '\0';
}

/* Returns true if a component of the path satisfies the predicate. */
static bool any_component(const char *path, bool (*is)(const char *)) {
  char copy[PATH_MOST], *rest = NULL;
  snprintf(copy, sizeof copy, "%s", path);
  for (char *part = strtok_r(copy, "/", &rest); part; part = strtok_r(NULL, "/", &rest))
    if (is(part))
      return true;
  return false;
}

static bool is_upwards(const char *name) { return strcmp(name, "..") == 0; }

static const char *kind_of(struct archive_entry *entry) {
  if (archive_entry_hardlink(entry))
    return "a hard link";
  switch (archive_entry_filetype(entry)) {
  case AE_IFREG:
  case AE_IFDIR:
    return NULL;
  case AE_IFLNK:
    return "a symbolic link";
  case AE_IFIFO:
    return "a named pipe";
  case AE_IFSOCK:
    return "a socket";
  default:
    return "a device";
  }
}

/* Returns the first line of libarchive's message. */
static const char *reason(struct archive *archive, char out[SHOWN_MOST]) {
  const char *text = archive_error_string(archive);
  return shown(text ? text : "no reason given", out);
}

static void read_file(Student *student, struct archive *archive, Place *place) {
  char problem[200] = "", text[SHOWN_MOST], *bytes = malloc(FILE_MOST + 1);
  size_t size = 0;
  la_ssize_t got = 0;
  while (bytes && size <= FILE_MOST &&
         (got = archive_read_data(archive, bytes + size, FILE_MOST + 1 - size)) > 0)
    size += (size_t)got;
  if (!bytes || got < 0)
    snprintf(problem, sizeof problem, "it cannot be read from the archive (%s)",
             reason(archive, text));
  else if (size > FILE_MOST)
    snprintf(problem, sizeof problem, "it has more than %d bytes", FILE_MOST);
  if (problem[0]) {
    free(bytes);
    bytes = NULL;
  }
  find_take(student, place, bytes, size, problem);
}

/* Returns true for a path that leads outside of the archive, because it is absolute or contains
 * "..". Reports such a path. */
static bool leads_outside(Student *student, const char *name, const char *path) {
  char text[SHOWN_MOST];
  if (*name != '/' && *name != '\\' && !any_component(path, is_upwards))
    return false;
  complain(student, "the archive has a path outside itself, %s: left out", shown(name, text));
  return true;
}

/* Returns true if the archive contains the names of several people, which means that it is a
 * platform's download of all submissions. */
static bool holds_a_class(Student *student, const char *path) {
  char name[NAME_MOST];
  Entry entry = {.name = name};
  snprintf(name, sizeof name, "%.*s", (int)strcspn(path, "/"), path);
  platform_read(&entry);
  /* Folders of one student, such as lab_01_naive_2026, look like names from ILIAS. */
  if (!entry.platform || strcmp(entry.platform, "ILIAS") == 0)
    return false;
  if (!student->others_group[0])
    snprintf(student->others_group, sizeof student->others_group, "%s", entry.group);
  return strcmp(student->others_group, entry.group) != 0;
}

static void read_entry(Student *student, struct archive *archive, struct archive_entry *entry) {
  char path[PATH_MOST], text[SHOWN_MOST];
  Place place;
  const char *name = archive_entry_pathname_utf8(entry), *kind = kind_of(entry);
  if (!name)
    name = archive_entry_pathname(entry);
  if (!name)
    /* The name has an unknown character set, so it is not the name of a lab's file. */
    return;
  if (strlen(name) >= PATH_MOST) {
    complain(student, "a path is too long: %s", shown(name, text));
    return;
  }
  tidy_path(name, path);
  if (leads_outside(student, name, path) || any_component(path, beside_the_work))
    return;
  if (kind && strcmp(kind, "a device") == 0)
    complain(student, "the archive has a device, %s: left out", shown(path, text));
  if (kind) {
    find_odd(student, path, kind);
  } else if (archive_entry_filetype(entry) == AE_IFREG) {
    if (find_place(student, path, archive_entry_mtime(entry), &place))
      read_file(student, archive, &place);
  }
}

static bool too_much(Student *student, long long entries, long long bytes) {
  if (entries > ENTRIES_MOST)
    complain(student, "the archive has more than %d entries: hand in labs/ alone", ENTRIES_MOST);
  else if (bytes > UNPACKED_MOST)
    complain(student, "the archive unpacks to more than %d MB: hand in labs/ alone",
             UNPACKED_MOST >> 20);
  else
    return false;
  return true;
}

static bool refused(Student *student, struct archive_entry *entry) {
  const char *name = archive_entry_pathname(entry);
  if (archive_entry_is_encrypted(entry))
    complain(student, "the archive is encrypted: hand it in without a password");
  else if (name && holds_a_class(student, name))
    complain(student, "the archive holds the submissions of several people: unpack it, and "
                      "use SUBMISSIONS= with the unpacked folder");
  else
    return false;
  return true;
}

/* Reads all entries. Returns false if the archive ends too early or is refused. */
static bool read_entries(Student *student, struct archive *archive) {
  struct archive_entry *entry;
  char text[SHOWN_MOST];
  long long entries = 0, bytes = 0;
  int status;
  while ((status = archive_read_next_header(archive, &entry)) != ARCHIVE_EOF) {
    if (status == ARCHIVE_FATAL) {
      complain(student, "it cannot be read as zip or tar (%s)", reason(archive, text));
      return false;
    }
    if (archive_entry_size(entry) > 0)
      bytes += archive_entry_size(entry);
    if (too_much(student, ++entries, bytes) || refused(student, entry))
      return false;
    if (status != ARCHIVE_RETRY)
      read_entry(student, archive, entry);
  }
  return true;
}

/* Checks the checksum at the end of a gzip file with zlib, because libarchive 3.6 ignores it.
 * Returns NULL if the checksum is right or the file is not gzip; otherwise the problem. */
static const char *wrong_gzip(int file) {
  unsigned char head[2] = {0};
  char *bytes = malloc(BLOCK_MOST);
  const char *problem = NULL;
  if (!bytes || pread(file, head, sizeof head, 0) != 2 || head[0] != 0x1f || head[1] != 0x8b) {
    free(bytes);
    return NULL;
  }
  gzFile in = gzdopen(dup(file), "rb");
  long long all = 0;
  int got = 0, error = Z_OK;
  while (in && all <= UNPACKED_MOST && (got = gzread(in, bytes, BLOCK_MOST)) > 0)
    all += got;
  if (in && got < 0)
    gzerror(in, &error),
        problem = error == Z_DATA_ERROR ? "its checksum is wrong" : "it is damaged";
  if (in && gzclose(in) == Z_BUF_ERROR)
    problem = "it is cut off";
  free(bytes);
  lseek(file, 0, SEEK_SET);
  return problem;
}

static bool read_all(Student *student, int file) {
  const char *wrong = wrong_gzip(file);
  if (wrong) {
    complain(student, "it cannot be read as zip or tar (gzip: %s)", wrong);
    return false;
  }
  struct archive *archive = archive_read_new();
  char text[SHOWN_MOST];
  bool whole = false;
  archive_read_support_filter_gzip(archive);
  archive_read_support_filter_bzip2(archive);
  archive_read_support_filter_xz(archive);
  archive_read_support_filter_lzma(archive);
  archive_read_support_filter_zstd(archive);
  archive_read_support_format_tar(archive);
  archive_read_support_format_zip(archive);
  if (archive_read_open_fd(archive, file, 1 << 16) == ARCHIVE_OK)
    whole = read_entries(student, archive);
  else
    complain(student, "it cannot be read as zip or tar (%s)", reason(archive, text));
  archive_read_free(archive);
  return whole;
}

/* Reads an archive and adds its files to the finds of the student. If the archive ends too early,
 * adds no file: an incomplete submission would look complete, and would replace an earlier
 * attempt. */
void read_archive(Student *student, int file) {
  size_t size = sizeof student->finds;
  Find *before = malloc(size), *found = malloc(size);
  if (!before || !found)
    abort();
  memcpy(before, student->finds, size);
  memset(student->finds, 0, size);
  bool whole = read_all(student, file);
  memcpy(found, student->finds, size);
  memcpy(student->finds, before, size);
  for (size_t i = 0; i < student->labs->count; i++) {
    Find *find = &found[i];
    if (whole && find->there && !find->problem[0])
      find_take(student, &find->place, find->bytes, find->size, NULL);
    else if (whole && find->there)
      find_take(student, &find->place, NULL, 0, find->problem);
    if (!whole || find->problem[0])
      free(find->bytes);
  }
  free(before);
  free(found);
}
