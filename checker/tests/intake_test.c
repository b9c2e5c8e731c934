/* Tests intake with well-formed, malformed and malicious folders and archives. Each test writes its
 * submissions into its own folder and runs intake. */
#include "handed_in.h"

/* ---- folders --------------------------------------------------------------------------------- */

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
  expect("two", NULL, "two files have this name, a/naive.cu and b/naive.cu", "-");
  expect("two-alike", NULL, NULL, "-");
  expect("beside", "nothing was handed in: the folder is empty", "-", "-");
}

static void test_nothing_to_grade(void **state) {
  (void)state;
  mkdir("in", 0777);
  mkdir("in/empty", 0777);
  put("in/again/kernel (1).cu", "");
  put("in/text/report.pdf", "");
  put("in/Ana_88_assignsubmission_onlinetext_/onlinetext.html", "<p>__global__</p>");
  put("in/bare.rar", "Rar!\x1a\x07 and so on");
  put("in/nothing.zip", "");
  assert_int_equal(take_in(), 0);
  expect("empty", "the folder is empty", "-", "-");
  expect("again", "but there is kernel (1).cu: rename it to the lab's own, such as naive.cu", "-",
         "-");
  expect("Ana-88", "nothing was handed in but a text, typed on the platform: hand in", "-", "-");
  expect("text", "no file has the name of a lab's", "-", "-");
  expect("bare", "it cannot be read as zip or tar", "-", "-");
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
  expect("deep", "folders are nested deeper than 32", "-", "-");
}

/* ---- names ----------------------------------------------------------------------------------- */

static void expect_id(const char *name, const char *expected) {
  char command[5000], id[256] = "";
  snprintf(command, sizeof command, "'%s' --id \"$NAME\"", program);
  setenv("NAME", name, 1);
  FILE *said = popen(command, "r");
  assert_non_null(said);
  assert_int_equal(fscanf(said, "%255[^\n]", id), 1);
  assert_int_equal(pclose(said), 0);
  assert_string_equal(id, expected);
}

/* Ids must not change from year to year, so this table must never be changed. */
static void test_ids(void **state) {
  (void)state;
  static const char *const ids[][2] = {
      {"alice", "alice"},
      {"s1234567.zip", "s1234567"},
      {"a_b", "a_b"},
      {"-rf", "-rf"},
      {"a b", "a_b-vfgbzd"},
      {"a\nb", "a_b-nmmhyv"},
      {"$(touch harm)", "touch_harm-myfykc"},
      {"J\xc3\xb6rg", "J\xc3\xb6rg-fzfnht"},
      {"\xe5\xbc\xa0\xe4\xbc\x9f", "\xe5\xbc\xa0\xe4\xbc\x9f-msztyq"},
      {"\xe7\x8e\x8b\xe8\x8a\xb3", "\xe7\x8e\x8b\xe8\x8a\xb3-mjmzpn"},
      {"Jo\xcc\x88rg", "J\xc3\xb6rg-fzfnht"}, /* the same name in the decomposed form of macOS */
      {"\xff\xfe", "student-fnmpmr"},
      {"x-bcdfgh", "x-bcdfgh-kzyqhp"},
      {"nul", "nul-cdhrsj"},
      {"Com1", "Com1-rndbmc"},
      {"com12", "com12"},
      {"console", "console"},
      {"con.x", "_con.x-qgcdgg"},
      {"AUX_4711_90210_naive.cu", "AUX-4711"},
      {"aux.b_4711_90210_naive.cu", "_aux.b-4711"},
      {"alice.", "alice.-tpqvkd"},
      {"zhangwei_4711_90210_naive.cu", "zhangwei-4711"}};
  for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
    expect_id(ids[i][0], ids[i][1]);
}

static void test_names(void **state) {
  (void)state;
  static const char *const names[] = {"a b",           "a_b",      "a\nb",        "it's \"x\"",
                                      "$(touch harm)", "-rf",      "J\xc3\xb6rg", "\xff\xfe",
                                      "50%",           "a:b;c#d\\"};
  char path[512], text[32], long_name[256];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    snprintf(path, sizeof path, "in/%s/01-naive/naive.cu", names[i]);
    snprintf(text, sizeof text, "of %s", names[i]);
    put(path, text);
  }
  memset(long_name, 'x', 255);
  long_name[255] = '\0';
  snprintf(path, sizeof path, "in/%s/naive.cu", long_name);
  put(path, "long");
  assert_int_equal(take_in(), 0);
  assert_int_equal(json_array_size(roster), 11);
  size_t i;
  json_t *one;
  json_array_foreach(roster, i, one) {
    const char *id = json_string_value(json_object_get(one, "id"));
    assert_true(strlen(id) <= 100 && strspn(id, ":;#\\%$()'\" \n/") == 0);
    snprintf(path, sizeof path, NAIVE, id);
    assert_int_equal(access(path, F_OK), 0);
  }
  expect_naive("a_b", "of a_b");
  expect_naive("-rf", "of -rf");
  assert_int_not_equal(access("in/harm", F_OK), 0);
  assert_int_not_equal(access("harm", F_OK), 0);
}

static void test_forms_of_a_name(void **state) {
  (void)state;
  put("in/Jo\xcc\x88rg/naive.cu", "apart");
  put("in/J\xc3\xb6rg - bank_conflicts.cu", "together");
  put("in/\xe1\x84\x80\xe1\x85\xa1 - naive.cu", "apart");
  put("in/\xea\xb0\x80 - bank_conflicts.cu", "together");
  assert_int_equal(take_in(), 0);
  assert_int_equal(json_array_size(roster), 2);
  expect("J\xc3\xb6rg-fzfnht", NULL, NULL, NULL);
  expect_naive("J\xc3\xb6rg-fzfnht", "apart");
}

/* ---- archives -------------------------------------------------------------------------------- */

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
  rename("in/s3.tgz", "in/s3.ZIP"); /* the contents decide the format, not the suffix */
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
  run("touch -d 2026-03-01 in/two-uploads/second.zip && touch -d 2026-03-02 "
      "in/two-uploads/first.zip");
  assert_int_equal(take_in(), 0);
  expect("uploaded", NULL, NULL, "-");
  expect_naive("uploaded", "uploaded");
  expect("two-uploads", NULL, NULL, "-");
  expect_naive("two-uploads", "1");
  expect_note("two-uploads",
              "naive.cu: taken first.zip/naive.cu (handed in later, by its date), not "
              "second.zip/naive.cu");
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

/* Writes a tar header that announces a file of 8 GB, without the contents. */
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

/* Tests archives in which other programs would read other names, and archives inside archives of
 * another format. */
static void test_double_meanings(void **state) {
  (void)state;
  Entry good = {.path = "bank_conflicts.cu", .text = "good"};
  ARCHIVED("in/case.zip", {.path = "01-naive/naive.cu", .text = "lower"},
           {.path = "01-naive/Naive.cu", .text = "upper"}, good);
  ARCHIVED("in/twice.tar", {.path = "01-naive/naive.cu", .text = "first"},
           {.path = "01-naive/naive.cu", .text = "second"}, good);
  ARCHIVED("in/lines.tar", {.path = "01-naive/naive.cu\nHANDED_IN := ../../x", .text = "x"}, good);
  ARCHIVED("in/orders.tar", {.path = "\033[2J/naive.cu", .text = "x"}, good);
  ARCHIVED("in/zero.zip", {.path = "01-naive/naive.cu#.txt", .text = "x"}, good);
  run("sed -i 's/naive.cu#/naive.cu\\x00/g' in/zero.zip");
  /* The local header and the central directory of this zip archive contain different names. */
  ARCHIVED("in/directories.zip", {.path = "01-naive/naive.cu", .text = "x"}, good);
  run("sed -i '0,/naive.cu/s/naive.cu/other.cu/' in/directories.zip");
  put("in/members.tar", "#mtree\n./naive.cu type=file contents=/etc/passwd\n");
  run("head -c 64M /dev/zero | gzip -9 | gzip -9 >in/layers.tar.gz");
  assert_int_equal(take_in(), 0);
  expect("case", NULL, "two files have this name, 01-naive/naive.cu and 01-naive/Naive.cu", NULL);
  expect("lines", "a path outside itself", "-", NULL);
  expect("orders", NULL, NULL, NULL);
  expect("members", "it cannot be read as zip or tar", "-", "-");
  expect("layers", "the archive is empty", "-", "-");
  run("! grep -q '[[:cntrl:]]' list && ! grep -qF ':= ../' class/students.mk");
  for (const char **id = (const char *[]){"twice", "zero", "directories", NULL}; *id; id++)
    assert_non_null(student(*id));
}

static void test_damaged_archives(void **state) {
  (void)state;
  char many[40000];
  for (size_t i = 0; i < sizeof many - 1; i++) /* incompressible contents */
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

/* ---- running intake again -------------------------------------------------------------------- */

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

/* If two students would get the same id, both students are reported and skipped. Other students are
 * not affected, and earlier files are kept. */
static void test_same_id(void **state) {
  (void)state;
  put("in/zhangwei-4711/naive.cu", "one");
  put("in/other/naive.cu", "other");
  assert_int_equal(take_in(), 0);
  expect_naive("zhangwei-4711", "one");
  put("class/marks/zhangwei-4711/01-naive.json", "marks");
  put("in/zhangwei_4711_90210_naive.cu", "two");
  put("in/third/naive.cu", "third");
  assert_int_equal(take_in(), 0);
  assert_int_equal(json_array_size(roster), 3);
  expect_text(json_object_get(student("zhangwei-4711"), "problem"),
              "would both be called zhangwei-4711: rename one of them", "zhangwei-4711");
  assert_int_equal(json_object_size(json_object_get(student("zhangwei-4711"), "labs")), 0);
  expect_naive("other", "other");
  expect_naive("third", "third");
  run("! grep -q zhangwei class/students.mk class/identities.json");
  expect_file("class/marks/zhangwei-4711/01-naive.json", "marks");
  run("mv in/zhangwei-4711 in/zhangwei-of-before");
  assert_int_equal(take_in(), 0);
  expect_naive("zhangwei-4711", "two");
  expect_naive("zhangwei-of-before", "one");
}

static void test_bad_input(void **state) {
  (void)state;
  assert_int_equal(take_in(), 2);
  expect_file("said", "intake: in: No such file or directory\n");
  mkdir("in", 0777);
  assert_int_equal(take_in(), 2);
  expect_file("said", "intake: in: nothing was handed in there\n");
}

int main(void) {
  if (!find_intake())
    return 2;
  const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
      TEST(test_layouts),
      TEST(test_nothing_to_grade),
      TEST(test_odd_files),
      TEST(test_too_many),
      TEST(test_ids),
      TEST(test_names),
      TEST(test_forms_of_a_name),
      TEST(test_archives),
      TEST(test_hostile_archives),
      TEST(test_double_meanings),
      TEST(test_damaged_archives),
      TEST(test_again),
      TEST(test_same_id),
      TEST(test_bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
