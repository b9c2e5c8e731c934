/* Functions for the tests of intake. They write submissions into a folder, run intake, and compare
 * its result with the expected result. Each test has its own working folder. */
#ifndef HANDED_IN_H
#define HANDED_IN_H

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "emulator/tests/scratch.h"

static char root[SCRATCH_MOST]; /* working folder; in/ has the submissions, class/ the result */
static char program[4096];
static json_t *roster;

/* ---- writing submissions --------------------------------------------------------------------- */

static void run(const char *format, ...) {
  char command[2048];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(command, sizeof command, format, arguments);
  va_end(arguments);
  if (system(command) != 0)
    fail_msg("%s", command);
}

static void put(const char *path, const char *text) {
  char copy[1024];
  snprintf(copy, sizeof copy, "%s", path);
  for (char *at = strchr(copy, '/'); at; at = strchr(at + 1, '/')) {
    *at = '\0';
    mkdir(copy, 0777);
    *at = '/';
  }
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

/* An entry of an archive. If `text` is NULL, the entry is not a regular file. */
typedef struct Entry {
  const char *path, *text;
  unsigned type;
  const char *link;
  /* the size in the entry's header, if it differs from the length of `text` */
  long long size;
} Entry;

static void put_entry(struct archive *archive, const Entry *from) {
  struct archive_entry *entry = archive_entry_new();
  size_t length = from->text ? strlen(from->text) : 0;
  archive_entry_set_pathname(entry, from->path);
  archive_entry_set_filetype(entry, from->type ? from->type : AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_size(entry, from->size ? from->size : (long long)length);
  if (from->type == AE_IFLNK)
    archive_entry_set_symlink(entry, from->link);
  else if (from->link)
    archive_entry_set_hardlink(entry, from->link);
  if (from->type == AE_IFBLK)
    archive_entry_set_rdev(entry, 0x801);
  assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
  assert_int_equal(archive_write_data(archive, from->text, length), length);
  archive_entry_free(entry);
}

/* Writes an archive in the format of the name's suffix. */
static void put_archive(const char *path, const char *password, size_t count,
                        const Entry *entries) {
  struct archive *archive = archive_write_new();
  assert_int_equal(archive_write_set_format_filter_by_ext(archive, path), ARCHIVE_OK);
  if (password) {
    assert_int_equal(archive_write_set_options(archive, "zip:encryption=traditional"), ARCHIVE_OK);
    archive_write_set_passphrase(archive, password);
  }
  mkdir("in", 0777);
  assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
  for (size_t i = 0; i < count; i++)
    put_entry(archive, &entries[i]);
  archive_write_close(archive);
  archive_write_free(archive);
}

#define ARCHIVED(path, ...)                                                                        \
  put_archive(path, NULL, sizeof((const Entry[]){__VA_ARGS__}) / sizeof(Entry),                    \
              (const Entry[]){__VA_ARGS__})

/* ---- checking the result of intake ----------------------------------------------------------- */

static int take_in(void) {
  mkdir("class", 0777);
  json_decref(roster);
  char command[5000];
  snprintf(command, sizeof command,
           "'%s' --handouts given in class 01-naive 03-bank-conflicts 2>said >list", program);
  int status = system(command);
  roster = json_load_file("class/roster.json", 0, NULL);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static json_t *student(const char *id) {
  size_t i;
  json_t *one;
  json_array_foreach(roster, i, one) {
    if (strcmp(json_string_value(json_object_get(one, "id")), id) == 0)
      return one;
  }
  fail_msg("there is no %s", id);
  return NULL;
}

static void expect_text(const json_t *text, const char *expected, const char *whose) {
  const char *is = json_string_value(text);
  if (!expected ? is != NULL : !is || !strstr(is, expected))
    fail_msg("%s: expected \"%s\", got \"%s\"", whose, expected ? expected : "none",
             is ? is : "none");
}

/* Checks the problem of the whole submission and of the two labs. NULL: no problem. "-": the lab
 * was not handed in. Other texts must be part of the problem's text. */
static void expect(const char *id, const char *problem, const char *naive, const char *conflicts) {
  json_t *labs = json_object_get(student(id), "labs");
  const char *const names[] = {"01-naive", "03-bank-conflicts"}, *const words[] = {naive,
                                                                                   conflicts};
  static const char *const files[] = {"naive.cu", "bank_conflicts.cu"};
  char path[512];
  expect_text(json_object_get(student(id), "problem"), problem, id);
  const char *why = json_string_value(json_object_get(student(id), "problem"));
  bool was_read = !why || strstr(why, "no file has") || strstr(why, "nothing was handed in");
  assert_int_equal(json_is_true(json_object_get(student(id), "unread")),
                   json_object_size(labs) == 0 && !was_read);
  for (size_t i = 0; i < 2; i++) {
    json_t *lab = json_object_get(labs, names[i]);
    bool absent = words[i] && strcmp(words[i], "-") == 0;
    assert_int_equal(lab == NULL, absent);
    if (!absent)
      expect_text(lab, words[i], id);
    snprintf(path, sizeof path, "class/in/%s/%s/%s", id, names[i], files[i]);
    if ((access(path, F_OK) == 0) != (words[i] == NULL))
      fail_msg("%s: %s", path, words[i] ? "is there" : "is not there");
  }
}

static void expect_file(const char *path, const char *text) {
  char bytes[256];
  FILE *file = fopen(path, "r");
  if (!file)
    fail_msg("no %s", path);
  bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
  fclose(file);
  assert_string_equal(bytes, text);
}

#define NAIVE "class/in/%s/01-naive/naive.cu"
static void expect_naive(const char *id, const char *text) {
  char path[512];
  snprintf(path, sizeof path, NAIVE, id);
  expect_file(path, text);
}

static void expect_note(const char *id, const char *words) {
  size_t i;
  json_t *one;
  json_array_foreach(json_object_get(student(id), "notes"), i, one) {
    if (strstr(json_string_value(one), words))
      return;
  }
  fail_msg("%s: no note \"%s\"", id, words);
}

/* ---- the folder of a test -------------------------------------------------------------------- */

static int enter(void **state) {
  (void)state;
  return scratch_folder(root, "intake") && chdir(root) == 0 ? 0 : -1;
}

static int leave(void **state) {
  (void)state;
  if (chdir("/") != 0)
    return -1;
  run("rm -rf '%s'", root);
  return 0;
}

/* Stores the absolute path of intake. Must be called before a test changes the working folder. */
static bool find_intake(void) {
  const char *build = getenv("BUILD");
  char here[2048];
  if (!getcwd(here, sizeof here))
    return false;
  if (build && build[0] == '/')
    here[0] = '\0';
  snprintf(program, sizeof program, "%s/%s/checker/intake", here, build ? build : "build");
  return true;
}

#endif
