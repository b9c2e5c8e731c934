/* What intake makes of what students hand in: folders and archives laid out well, badly and with
 * intent. Each test puts them into a folder of its own and runs the program over it.
 */
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

static char root[SCRATCH_MOST]; /* the working folder: SUBMISSIONS in in/, CLASS in class/ */
static char program[4096];
static json_t *roster;

/* ---- what is handed in -------------------------------------------------------------------------- */

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

/* One entry of an archive; text NULL: not a regular file. */
typedef struct Entry {
  const char *path, *text;
  unsigned type;
  const char *link;
  long long size; /* when it is another than the text's */
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

/* The ending of its name says which kind of archive. */
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

/* Nothing but a header of tar, which promises a file of 8 GB. */
static void put_promise(const char *path) {
  char header[512] = "zeros";
  unsigned sum = 0;
  memcpy(header + 100, "0000644", 8);
  memcpy(header + 124, "77777777777", 12);
  memcpy(header + 148, "        ", 8);
  memcpy(header + 257, "ustar\00000", 8);
  for (size_t i = 0; i < sizeof header; i++)
    sum += (unsigned char)header[i];
  snprintf(header + 148, 8, "%06o", sum);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(header, 1, sizeof header, file), sizeof header);
  fclose(file);
}

#define ARCHIVED(path, ...)                                                                        \
  put_archive(path, NULL, sizeof((const Entry[]){__VA_ARGS__}) / sizeof(Entry),                    \
              (const Entry[]){__VA_ARGS__})

/* ---- what becomes of it -------------------------------------------------------------------------- */

static int take_in(void) {
  mkdir("class", 0777);
  json_decref(roster);
  char command[5000];
  snprintf(command, sizeof command, "'%s' in class 01-naive 03-bank-conflicts 2>said", program);
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

/* What is wrong in all, with the labs: NULL nothing, else these words are in it; "-" in place of a
 * lab's: it was not handed in. */
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

/* ---- folders ------------------------------------------------------------------------------------- */

static void test_layouts(void **state) {
  (void)state;
  put("in/as-given/labs/01-naive/naive.cu", "1");
  put("in/as-given/labs/03-bank-conflicts/bank_conflicts.cu", "3");
  put("in/whole/workbook/labs/01-naive/naive.cu", "mine");
  put("in/whole/solutions/01-naive/naive.cu", "not mine");
  put("in/flat/naive.cu", "flat");
  put("in/renamed/Lab one/naive.cu", "renamed");
  put("in/shallow/naive.cu", "new");
  put("in/shallow/old/naive.cu", "old");
  put("in/ranks/naive.cu", "flat");
  put("in/ranks/deep/down/01-naive/naive.cu", "in its folder");
  put("in/two/a/naive.cu", "one");
  put("in/two/b/naive.cu", "other");
  put("in/two-alike/a/naive.cu", "same");
  put("in/two-alike/b/naive.cu", "same");
  put("in/beside/.git/01-naive/naive.cu", "hidden");
  put("in/beside/__MACOSX/01-naive/naive.cu", "left by a Mac");
  put("in/.DS_Store", "");
  assert_int_equal(take_in(), 0);
  assert_int_equal(json_array_size(roster), 9);
  expect("as-given", NULL, NULL, NULL);
  expect("whole", NULL, NULL, "-");
  expect_naive("whole", "mine");
  expect_naive("flat", "flat");
  expect_naive("renamed", "renamed");
  expect_naive("shallow", "new");
  expect_naive("ranks", "in its folder");
  expect("two", NULL, "two files could be it, a/naive.cu and b/naive.cu", "-");
  expect("two-alike", NULL, NULL, "-");
  expect("beside", "nothing was handed in: the folder is empty", "-", "-");
}

static void test_nothing_to_grade(void **state) {
  (void)state;
  mkdir("in", 0777);
  mkdir("in/empty", 0777);
  put("in/again/naive (1).cu", "");
  put("in/text/report.pdf", "");
  put("in/bare.rar", "Rar!\x1a\x07 and so on");
  put("in/nothing.zip", "");
  assert_int_equal(take_in(), 0);
  expect("empty", "the folder is empty", "-", "-");
  expect("again", "but there is naive (1).cu", "-", "-");
  expect("text", "no file has the name of a lab's", "-", "-");
  expect("bare.rar", "it cannot be read as zip or tar", "-", "-");
  expect("nothing", "it is an empty file", "-", "-");
}

static void test_odd_files(void **state) {
  (void)state;
  put("in/other/01-naive/naive.cu", "another student's");
  put("in/other/03-bank-conflicts/bank_conflicts.cu", "");
  run("mkdir -p in/links/01-naive in/links-2 in/pipe/01-naive in/big/01-naive "
      "in/is-folder/naive.cu && "
      "ln -s ../../other/01-naive/naive.cu in/links/01-naive/naive.cu && "
      "ln -s ../other/03-bank-conflicts in/links/03-bank-conflicts && ln -s ../other "
      "in/links-2/labs && "
      "ln -s other in/linked && mkfifo in/pipe/01-naive/naive.cu && "
      "truncate -s 1048577 in/big/01-naive/naive.cu && truncate -s 1048576 "
      "in/big/bank_conflicts.cu");
  assert_int_equal(take_in(), 0);
  expect("links", NULL, "naive.cu is a symbolic link", "03-bank-conflicts is a symbolic link");
  expect("links-2", "labs is a symbolic link", "-", "-");
  expect("linked", "it is a symbolic link", "-", "-");
  expect("pipe", NULL, "naive.cu is a named pipe", "-");
  expect("big", NULL, "it has 1048577 bytes", NULL);
  expect("is-folder", "the folder is empty", "-", "-");
}

static void test_too_many(void **state) {
  (void)state;
  run("mkdir -p in/many/z/01-naive && cd in/many && seq 20000 | xargs touch && echo "
      ">z/01-naive/naive.cu");
  run("mkdir -p in/deep && cd in/deep && for i in $(seq 40); do mkdir a && cd a; done; echo "
      ">naive.cu");
  assert_int_equal(take_in(), 0);
  expect("many", "it has more than 20000 files", "-", "-");
  expect("deep", "folders lie deeper than 32", "-", "-");
}

/* ---- names ---------------------------------------------------------------------------------------- */

static void test_names(void **state) {
  (void)state;
  static const char *const names[][2] = {{"a b", "a_b"},
                                         {"a_b", "a_b-2"},
                                         {"a\nb", "a_b"},
                                         {"it's \"x\"", "it_s__x_"},
                                         {"$(touch harm)", "__touch_harm_"},
                                         {"-rf", "-rf"},
                                         {"J\xc3\xb6rg", "J__rg"},
                                         {"\xff\xfe", "__"},
                                         {"50%", "50_"},
                                         {"a:b;c#d\\", "a_b_c_d_"}};
  char path[512], long_name[256];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    snprintf(path, sizeof path, "in/%s/01-naive/naive.cu", names[i][0]);
    put(path, names[i][0]);
  }
  memset(long_name, 'x', 255);
  long_name[255] = '\0';
  snprintf(path, sizeof path, "in/%s/naive.cu", long_name);
  put(path, "long");
  assert_int_equal(take_in(), 0);
  expect_naive("it_s__x_", "it's \"x\"");
  expect_naive("__touch_harm_", "$(touch harm)");
  expect_naive("-rf", "-rf");
  expect_naive("a_b", "a\nb"); /* "a\nb" < "a b" < "a_b" */
  expect_naive("a_b-2", "a b");
  expect_naive("a_b-3", "a_b");
  expect_text(json_object_get(student("J__rg"), "name"), "J\xc3\xb6rg", "J__rg");
  expect_text(json_object_get(student("a_b"), "name"),
              "a\xef\xbf\xbd"
              "b",
              "a_b");
  expect_text(json_object_get(student("__"), "name"), "\xef\xbf\xbd\xef\xbf\xbd", "__");
  long_name[100] = '\0';
  expect_naive(long_name, "long");
  assert_int_not_equal(access("in/harm", F_OK), 0);
  assert_int_not_equal(access("harm", F_OK), 0);
}

/* ---- archives -------------------------------------------------------------------------------------- */

static void test_archives(void **state) {
  (void)state;
  static const char *const endings[] = {".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"};
  char path[64], id[16];
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    snprintf(path, sizeof path, "in/s%zu%s", i, endings[i]);
    ARCHIVED(path, {.path = "./labs/", .type = AE_IFDIR},
             {.path = "./labs/01-naive/naive.cu", .text = "archived"},
             {.path = "solutions/01-naive/naive.cu", .text = "not this"},
             {.path = "__MACOSX/01-naive/._naive.cu", .text = "nor this"});
  }
  rename("in/s3.tgz", "in/s3.ZIP"); /* what it is decides, not what it is called */
  ARCHIVED("in/windows.zip", {.path = "labs\\01-naive\\naive.cu", .text = "w"});
  ARCHIVED("in/twice.tar", {.path = "naive.cu", .text = "old"},
           {.path = "naive.cu", .text = "new"});
  ARCHIVED("in/empty.tar", {.path = "labs/", .type = AE_IFDIR});
  ARCHIVED("in/names.tar", {.path = "a\nb/01-naive/naive.cu", .text = "n"},
           {.path = "$(touch harm) '\"/bank_conflicts.cu", .text = "n"});
  put("in/uploaded/remarks.txt", "on a platform");
  ARCHIVED("in/uploaded/work.zip", {.path = "labs/01-naive/naive.cu", .text = "uploaded"});
  put("in/two-uploads/text", "");
  ARCHIVED("in/two-uploads/first.zip", {.path = "naive.cu", .text = "1"});
  ARCHIVED("in/two-uploads/second.zip", {.path = "naive.cu", .text = "2"});
  assert_int_equal(take_in(), 0);
  expect("uploaded", NULL, NULL, "-");
  expect_naive("uploaded", "uploaded");
  expect("two-uploads", "no file has the name of a lab's", "-", "-");
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    snprintf(id, sizeof id, "s%zu", i);
    expect(id, NULL, NULL, "-");
    expect_naive(id, "archived");
    expect_text(json_object_get(student(id), "name"), id, id);
    expect_text(json_object_get(student(id), "kind"), "archive", id);
  }
  expect_naive("windows", "w");
  expect_naive("twice", "new");
  expect("empty", "the archive is empty", "-", "-");
  expect("names", NULL, NULL, NULL);
}

static void test_hostile_archives(void **state) {
  (void)state;
  Entry good = {.path = "bank_conflicts.cu", .text = "good"};
  ARCHIVED("in/up.tar", {.path = "../../harm/01-naive/naive.cu", .text = "x"},
           {.path = "labs/../../01-naive/naive.cu", .text = "x"}, good);
  ARCHIVED("in/up-zip.zip", {.path = "..\\..\\01-naive\\naive.cu", .text = "x"}, good);
  char harm[SCRATCH_MOST + 8], in_harm[SCRATCH_MOST + 32], left_out[SCRATCH_MOST + 64];
  snprintf(harm, sizeof harm, "%s/harm", root);
  snprintf(in_harm, sizeof in_harm, "%s/01-naive/naive.cu", harm);
  snprintf(left_out, sizeof left_out, "a path outside itself, %s", in_harm);
  ARCHIVED("in/root.tar", {.path = in_harm, .text = "x"}, good);
  ARCHIVED("in/devices.tar", {.path = "01-naive/naive.cu", .type = AE_IFBLK},
           {.path = "sda", .type = AE_IFBLK}, good);
  ARCHIVED("in/pipe.tar", {.path = "01-naive/naive.cu", .type = AE_IFIFO}, good);
  ARCHIVED("in/soft.tar", {.path = "01-naive/naive.cu", .type = AE_IFLNK, .link = "/etc/passwd"},
           good);
  ARCHIVED("in/soft-zip.zip",
           {.path = "01-naive/naive.cu", .type = AE_IFLNK, .link = "/etc/passwd"}, good);
  ARCHIVED("in/through.tar", {.path = "labs", .type = AE_IFLNK, .link = harm},
           {.path = "labs/01-naive/naive.cu", .text = "x"}, good);
  ARCHIVED("in/hard.tar", {.path = "01-naive/naive.cu", .link = "/etc/passwd"}, good);
  put_promise("in/bomb.tar");
  ARCHIVED("in/big.tar.gz", {.path = "naive.cu", .text = "", .size = 2 << 20}, good);
  put_archive("in/secret.zip", "password", 1, &(Entry){.path = "naive.cu", .text = "hidden"});
  assert_int_equal(take_in(), 0);
  expect("up", "a path outside itself, ../../harm/01-naive/naive.cu: left out (and 1 more", "-",
         NULL);
  expect("up-zip", "a path outside itself", "-", NULL);
  expect("root", left_out, "-", NULL);
  expect("devices", "the archive has a device, 01-naive/naive.cu", "naive.cu is a device", NULL);
  expect("pipe", NULL, "naive.cu is a named pipe", NULL);
  expect("soft", NULL, "naive.cu is a symbolic link", NULL);
  expect("soft-zip", NULL, "naive.cu is a symbolic link", NULL);
  expect("through", "labs is a symbolic link", NULL, NULL);
  expect("hard", NULL, "naive.cu is a hard link", NULL);
  expect("bomb", "the archive unpacks to more than 512 MB", "-", "-");
  expect("big", NULL, "it has more than 1048576 bytes", NULL);
  expect("secret", "the archive is encrypted", "-", "-");
  assert_int_not_equal(access(harm, F_OK), 0);
}

static void test_damaged_archives(void **state) {
  (void)state;
  char many[40000];
  for (size_t i = 0; i < sizeof many - 1; i++) /* not to be compressed away */
    many[i] = (char)('a' + i * i % 97 * 31 % 26);
  many[sizeof many - 1] = '\0';
  ARCHIVED("in/cut.tar.gz", {.path = "naive.cu", .text = "x"}, {.path = "more", .text = many});
  ARCHIVED("in/cut-tar.tar", {.path = "naive.cu", .text = "x"}, {.path = "more", .text = many});
  ARCHIVED("in/cut-zip.zip", {.path = "naive.cu", .text = many}, {.path = "more", .text = many});
  ARCHIVED("in/crc.zip", {.path = "naive.cu", .text = many},
           {.path = "bank_conflicts.cu", .text = "x"});
  put("in/noise.zip", "PK\x03\x04 and then nothing that makes sense");
  run("truncate -s -60 in/cut.tar.gz && truncate -s 20000 in/cut-tar.tar && truncate -s 300 "
      "in/cut-zip.zip && "
      "printf 'XXXXXXXX' | dd of=in/crc.zip bs=1 seek=200 conv=notrunc status=none");
  assert_int_equal(take_in(), 0);
  expect("cut", "it cannot be read as zip or tar", "-", "-");
  expect("cut-tar", "it cannot be read as zip or tar", "-", "-");
  expect("crc", NULL, "it cannot be read from the archive", NULL);
  assert_true(!json_is_null(json_object_get(student("noise"), "problem")));
  assert_int_not_equal(access("class/in/cut-zip/01-naive/naive.cu", F_OK), 0);
}

/* ---- again ----------------------------------------------------------------------------------------- */

static struct stat status_of(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    fail_msg("no %s", path);
  return status;
}

static void test_again(void **state) {
  (void)state;
  put("in/alice/naive.cu", "1");
  put("in/alice/bank_conflicts.cu", "3");
  ARCHIVED("in/bob.zip", {.path = "naive.cu", .text = "1"});
  put("in/carol/naive.cu", "1");
  assert_int_equal(take_in(), 0);
  const char *const made[] = {"class/roster.json", "class/students.mk",
                              "class/in/alice/01-naive/naive.cu", "class/in/bob/01-naive/naive.cu"};
  struct stat before[4];
  for (size_t i = 0; i < 4; i++)
    before[i] = status_of(made[i]);
  const char *const marks[] = {"alice/01-naive", "alice/03-bank-conflicts", "bob/01-naive",
                               "carol/01-naive"};
  for (size_t i = 0; i < 4; i++) {
    char path[128];
    snprintf(path, sizeof path, "class/marks/%s.json", marks[i]);
    put(path, "marks");
  }
  assert_int_equal(take_in(), 0);
  for (size_t i = 0; i < 4; i++) {
    struct stat now = status_of(made[i]);
    assert_true(now.st_ino == before[i].st_ino && now.st_mtim.tv_nsec == before[i].st_mtim.tv_nsec);
  }
  expect_file("class/students.mk",
              "# Written by intake: what there is to grade.\nHANDED_IN := \\\n  alice/01-naive \\\n"
              "  alice/03-bank-conflicts \\\n  bob/01-naive \\\n  carol/01-naive\n");

  put("in/alice/naive.cu", "2");
  run("touch -d 1999-01-01 in/alice/naive.cu && rm -r in/carol && rm in/alice/bank_conflicts.cu");
  assert_int_equal(take_in(), 0);
  expect_naive("alice", "2");
  expect("alice", NULL, NULL, "-");
  assert_int_not_equal(access("class/marks/alice/01-naive.json", F_OK), 0);
  assert_int_not_equal(access("class/marks/alice/03-bank-conflicts.json", F_OK), 0);
  expect_file("class/marks/bob/01-naive.json", "marks");
  assert_int_not_equal(access("class/in/carol", F_OK), 0);
  assert_int_not_equal(access("class/marks/carol", F_OK), 0);
}

static void test_bad_input(void **state) {
  (void)state;
  assert_int_equal(take_in(), 2);
  expect_file("said", "intake: in: No such file or directory\n");
  mkdir("in", 0777);
  assert_int_equal(take_in(), 2);
  expect_file("said", "intake: in: nothing was handed in there\n");
}

/* ---- each test has a folder ------------------------------------------------------------------------- */

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

int main(void) {
  const char *build = getenv("BUILD");
  char here[2048];
  if (!getcwd(here, sizeof here))
    return 2;
  if (build && build[0] == '/')
    here[0] = '\0';
  snprintf(program, sizeof program, "%s/%s/checker/intake", here, build ? build : "build");
  const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
      TEST(test_layouts),
      TEST(test_nothing_to_grade),
      TEST(test_odd_files),
      TEST(test_too_many),
      TEST(test_names),
      TEST(test_archives),
      TEST(test_hostile_archives),
      TEST(test_damaged_archives),
      TEST(test_again),
      TEST(test_bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
