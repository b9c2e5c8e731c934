/* Tests intake with a realistic class: forty students with names in five scripts, downloads in the
 * layouts of nine platforms and upload methods, and the additional files that platforms and
 * operating systems create. Intake must find every file and take the newer of two versions. A
 * student's id must not change when other students join or leave. Each file contains its student's
 * number and lab, so the test does not need to know how intake computes ids. */
#include <archive.h>
#include <archive_entry.h>
#include <ctype.h>
#include <fcntl.h>
#include <locale.h>
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
#include "handed_in.h"

enum { CLASS = 40, NEWCOMERS = 5, EVERYBODY = CLASS + NEWCOMERS };

/* ---- students -------------------------------------------------------------------------------- */

static const char *const latin[] = {"Ana Ruiz",    "Jürgen Groß",     "O'Neil, Mai",
                                    "Nguyễn Hồng", "Jean-Luc Picard", "Ayşe Özdemir",
                                    "Ana Ruíz",    "ana ruiz",        "Bo"};
static const char *const han[] = {"张伟",  "王芳", "李娜", "刘洋",   "張偉",
                                  "王 芳", "陈静", "杨",   "李 小龍"};
static const char *const cyrillic[] = {"Иван Петров",  "Анна Петрова", "Олена Коваль",
                                       "Иван Петровa", "Ђорђе",        "Юлія",
                                       "Пётр",         "Петр",         "Ян"};
static const char *const arabic[] = {"محمد علي", "فاطمة", "محمد على", "نور", "يوسف",
                                     "ليلى",     "سارة",  "عمر",      "حسن"};
static const char *const devanagari[] = {"प्रिया शर्मा", "राहुल", "अमित", "प्रिया", "नेहा",
                                         "संजय",        "दीपक", "अंजलि", "रवि"};

static const char *name_of(int student) {
  static const char *const *const scripts[] = {latin, han, cyrillic, arabic, devanagari};
  return scripts[student % 5][student / 5];
}

/* ---- the files of each student --------------------------------------------------------------- */

static bool has_old(int student) { return student % 4 == 1; }
static bool renamed(int student) { return student % 7 == 2; }
static bool wide(int student) { return student % 9 == 3; }

static const char *file_of(int student, int lab) {
  if (lab == 1)
    return renamed(student) ? "bank_conflicts-1.cu" : "bank_conflicts.cu";
  return renamed(student) ? "naive (1).cu" : "naive.cu";
}

/* Returns a file's text, such as "student 17 lab 0 new". */
static char *text_of(int student, int lab, bool old) {
  static char text[4][64];
  static size_t next;
  char *out = text[next++ % 4];
  snprintf(out, sizeof text[0], "student %d lab %d %s\n", student, lab, old ? "old" : "new");
  return out;
}

static void put_file(const char *path, int student, int lab, bool old) {
  const char *text = text_of(student, lab, old);
  if (!wide(student) || old) {
    put(path, text);
  } else { /* UTF-16 with a byte order mark; put() cannot write its zeros */
    put(path, "");
    FILE *file = fopen(path, "w");
    fwrite("\xff\xfe", 1, 2, file);
    for (; *text; text++)
      fwrite((char[]){*text, '\0'}, 1, 2, file);
    fclose(file);
  }
  struct timespec times[2] = {{.tv_sec = 1772400000 + (old ? 0 : 86400)},
                              {.tv_sec = 1772400000 + (old ? 0 : 86400)}};
  assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* ---- the platforms' layouts ------------------------------------------------------------------ */

typedef void Way(int student, bool old);

static void put_at(int student, bool old, const char *format, ...) {
  char path[1024], before[900];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(before, sizeof before, format, arguments);
  va_end(arguments);
  for (int lab = 0; lab < 2; lab++) {
    snprintf(path, sizeof path, "in/%s%s", before, file_of(old ? 0 : student, lab));
    put_file(path, student, lab, old);
  }
}

static void canvas(int student, bool old) {
  char name[200];
  size_t length = 0;
  for (const char *at = name_of(student); *at; at++) /* letters only, as on Canvas */
    if ((*at & 0x80) || isalnum((unsigned char)*at))
      name[length++] = (char)tolower((unsigned char)*at);
  name[length] = '\0';
  put_at(student, old, "%s_%s%d_%d_", name, student % 6 == 5 ? "LATE_" : "", 4700 + student,
         90000 + 10 * student + (old ? 0 : 5));
}

static void moodle(int student, bool old) {
  if (!old)
    put_at(student, old, "%s_%d_assignsubmission_file_%s", name_of(student), 880 + student,
           student % 2 ? "/" : "");
}

static void brightspace(int student, bool old) {
  put_at(student, old, "%d-77 - %s%s- Mar %d, 2026 %d %s%s", 3100 + student, name_of(student),
         student % 3 ? " " : "", old ? 1 : 2, student % 2 ? 1145 : 815, student % 2 ? "PM" : "AM",
         student % 2 ? "/" : " - ");
}

static void blackboard(int student, bool old) {
  char path[300], text[300];
  put_at(student, old, "Lab 1_s_%04d_attempt_2026-03-0%d-23-45-10_", student, old ? 1 : 2);
  snprintf(path, sizeof path, "in/Lab 1_s_%04d_attempt_2026-03-0%d-23-45-10.txt", student,
           old ? 1 : 2);
  snprintf(text, sizeof text, "Name: %s (s_%04d)\nAssignment: Lab 1\n", name_of(student), student);
  put(path, text);
}

static void gradescope(int student, bool old) {
  if (old)
    return;
  put_at(student, old, "submission_%d/", 500 + student);
  char sid[16] = ""; /* every eighth student has no sid */
  if (student % 8)
    snprintf(sid, sizeof sid, "%d", 70000 + student);
  FILE *about = fopen("in/submission_metadata.yml", "a");
  assert_non_null(about);
  fprintf(about,
          "submission_%d:\n  :submitters:\n  - :name: \"%s\"\n    :sid: '%s'\n    :email: "
          "s%d@example.edu\n  :created_at: 2026-03-02 12:00:00.5 Z\n",
          500 + student, name_of(student), sid, student);
  fclose(about);
}

static void ilias(int student, bool old) {
  char name[200];
  size_t length = 0;
  for (const char *at = name_of(student); *at; at++)
    if ((*at & 0x80) || isalnum((unsigned char)*at) || *at == ' ')
      name[length++] = *at;
  name[length] = '\0';
  if (!old)
    put_at(student, old, "%s_Kim_%s%d_%d/", name, student % 2 ? "s_" : "ab", student,
           4700 + student);
}

static void github(int student, bool old) {
  char path[100];
  if (!old)
    put_at(student, old, "lab-1-octo%03d/my work/", student);
  snprintf(path, sizeof path, "in/lab-1-octo%03d/.git/naive.cu", student);
  put(path, "not this one");
}

/* Writes an archive with both files, or the older version as a folder. */
static void archives(int student, bool old) {
  char path[400], paths[2][64];
  Entry entries[2];
  if (old) {
    put_at(student, old, "%s/", name_of(student));
    return;
  }
  for (int lab = 0; lab < 2; lab++) {
    snprintf(paths[lab], sizeof paths[0], "labs/%s", file_of(student, lab));
    entries[lab] = (Entry){.path = paths[lab], .text = text_of(student, lab, false)};
  }
  snprintf(path, sizeof path, "in/%s%s", name_of(student), student % 2 ? ".zip" : ".tar.gz");
  put_archive(path, NULL, 2, entries);
}

static void flat(int student, bool old) {
  if (!old)
    put_at(student, old, "%s - ", name_of(student));
}

static const struct {
  const char *name;
  Way *way;
  /* the platform's download contains a student's older attempt too */
  bool keeps_old;
} ways[] = {{"Canvas", canvas, true},
            {"Moodle", moodle, false},
            {"Brightspace", brightspace, true},
            {"Blackboard", blackboard, true},
            {"Gradescope", gradescope, false},
            {"GitHub", github, false},
            {"archives", archives, true},
            {"flat files", flat, false},
            {"ILIAS", ilias, false}};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* Writes files that can be in every download and do not belong to a student. */
static void litter(void) {
  static const char *const names[] = {"__MACOSX/._naive.cu", "Thumbs.db",   ".DS_Store",
                                      "index.html",          "desktop.ini", "naive.cu"};
  char path[100];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    snprintf(path, sizeof path, "in/%s", names[i]);
    put(path, "nobody's");
  }
}

/* ---- the result of intake -------------------------------------------------------------------- */

/* Returns the student whose file is at this path. Returns -1 if the file is missing or is not the
 * newer file of this lab. */
static int owner_of(const char *id, const char *lab_and_file, int lab) {
  char path[400], text[100], expected[100];
  int owner = -1;
  snprintf(path, sizeof path, "class/in/%s/%s", id, lab_and_file);
  FILE *file = fopen(path, "r");
  if (!file)
    return -1;
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  sscanf(text, "student %d", &owner);
  snprintf(expected, sizeof expected, "student %d lab %d new\n", owner, lab);
  return strcmp(text, expected) == 0 ? owner : -1;
}

/* Writes the files of the students in `there` in this layout, runs intake, and stores the students'
 * ids. */
static void arrive(size_t way, const bool there[EVERYBODY], char ids[EVERYBODY][128]) {
  size_t count = 0, i;
  json_t *one;
  run("rm -rf in && mkdir in");
  litter();
  for (int student = 0; student < EVERYBODY; student++) {
    if (!there[student])
      continue;
    count++;
    if (ways[way].keeps_old && has_old(student))
      ways[way].way(student, true);
    ways[way].way(student, false);
  }
  assert_int_equal(take_in(), 0);
  if (json_array_size(roster) != count)
    fail_msg("%s: %zu students came, %zu are there", ways[way].name, json_array_size(roster),
             count);
  json_array_foreach(roster, i, one) {
    const char *id = json_string_value(json_object_get(one, "id"));
    int owner = owner_of(id, "01-naive/naive.cu", 0);
    int other = owner_of(id, "03-bank-conflicts/bank_conflicts.cu", 1);
    if (owner < 0 || owner != other || !there[owner])
      fail_msg("%s: %s has the files of %d and %d", ways[way].name, id, owner, other);
    snprintf(ids[owner], 128, "%s", id);
  }
}

static void test_arrivals(void **state) {
  static char all[EVERYBODY][128], some[EVERYBODY][128];
  (void)state;
  for (size_t way = 0; way < WAYS; way++) {
    bool there[EVERYBODY];
    memset(all, 0, sizeof all);
    for (int i = 0; i < EVERYBODY; i++)
      there[i] = i < CLASS;
    arrive(way, there, all);
    for (int i = 0; i < EVERYBODY; i++) /* a third of the class leaves and five students join */
      there[i] = i >= CLASS || (i * 7 + (int)way) % 3 != 0;
    arrive(way, there, some);
    for (int i = 0; i < CLASS; i++)
      if (there[i])
        assert_string_equal(all[i], some[i]);
  }
}

/* One folder contains submissions in all layouts. All students have different names, so intake must
 * not assign two submissions to one student. */
static void test_all_ways_at_once(void **state) {
  (void)state;
  mkdir("in", 0777);
  litter();
  for (int student = 0; student < CLASS; student++)
    ways[student % WAYS].way(student, false);
  assert_int_equal(take_in(), 0);
  assert_int_equal(json_array_size(roster), CLASS);
  size_t i;
  json_t *one;
  json_array_foreach(roster, i, one) {
    const char *id = json_string_value(json_object_get(one, "id"));
    assert_true(owner_of(id, "01-naive/naive.cu", 0) >= 0);
  }
}

/* With --anonymous, the roster has no names and other ids. These ids do not change from run to run
 * either. */
static void test_anonymous(void **state) {
  char command[5000], id[128] = "";
  (void)state;
  for (int student = 0; student < 10; student++)
    moodle(student, false);
  mkdir("class", 0777);
  for (int time = 0; time < 2; time++) {
    snprintf(command, sizeof command,
             "'%s' --anonymous in class 01-naive 03-bank-conflicts >list && ! grep -e Ana -e 张 "
             "class/roster.json list && grep -q 张伟 class/identities.json",
             program);
    assert_int_equal(system(command), 0);
    json_decref(roster);
    roster = json_load_file("class/roster.json", 0, NULL);
    assert_int_equal(json_array_size(roster), time ? 11 : 10);
    json_t *one = json_array_get(roster, 0);
    for (size_t i = 0; i < json_array_size(roster); i++)
      if (owner_of(json_string_value(json_object_get(json_array_get(roster, i), "id")),
                   "01-naive/naive.cu", 0) == 7)
        one = json_array_get(roster, i);
    if (time)
      assert_string_equal(id, json_string_value(json_object_get(one, "id")));
    snprintf(id, sizeof id, "%s", json_string_value(json_object_get(one, "id")));
    moodle(20, false);
  }
}

/* ---- feedback.zip ---------------------------------------------------------------------------- */

static void expect_packed(const char *name, const char *expected) {
  struct archive *zip = archive_read_new();
  struct archive_entry *entry;
  char text[100] = "";
  archive_read_support_format_zip(zip);
  assert_int_equal(archive_read_open_filename(zip, "class/feedback.zip", 4096), ARCHIVE_OK);
  while (!text[0] && archive_read_next_header(zip, &entry) == ARCHIVE_OK)
    if (strcmp(archive_entry_pathname_utf8(entry), name) == 0)
      archive_read_data(zip, text, sizeof text - 1);
  archive_read_free(zip);
  if (strcmp(text, expected) != 0)
    fail_msg("%s: \"%s\"", name, text);
}

/* Each report in feedback.zip has the file name that the platform expects. */
static void test_feedback(void **state) {
  char path[300];
  size_t i;
  json_t *one;
  (void)state;
  setlocale(LC_CTYPE, "C.UTF-8");
  for (int student = 0; student < 6; student++)
    ways[student].way(student, false);
  put("in/Ana Ruiz/naive.cu", "x");
  put("in/a\\b/naive.cu", "x"); /* Windows would unzip this name as two folders */
  put("in/.hidden/naive.cu", "x");
  assert_int_equal(take_in(), 0);
  run("grep -q 'hidden.*begins with a dot' list");
  json_array_foreach(roster, i, one) {
    const char *id = json_string_value(json_object_get(one, "id"));
    snprintf(path, sizeof path, "class/reports/%s.txt", id);
    put(path, id);
  }
  for (int time = 0; time < 2; time++) {
    run("'%s' --feedback class && cp class/feedback.zip zip%d && sleep 0.01", program, time);
    expect_packed("anaruiz_4700_90005_report.txt", "anaruiz-4700");
    expect_packed("张伟_881_assignsubmission_file_/report.txt", "张伟-881");
    expect_packed("3102-77 - Иван Петров - Mar 2, 2026 815 AM - report.txt", "Иван_Петров-3102");
    expect_packed("a_b-qhdwch/report.txt", "a_b-qhdwch");
    expect_packed("submission_504/report.txt", "प्रिया_शर्मा-70004");
    expect_packed("lab-1-octo005/report.txt", "lab-1-octo005");
    expect_packed("Ana Ruiz/report.txt", "Ana_Ruiz-dtqpvg");
  }
  run("cmp zip0 zip1");
}

/* ---- file names and uploads ------------------------------------------------------------------ */

static void test_names_of_files(void **state) {
  static const char *const names[] = {"naive.cu",           "naive (1).cu",  "naive(2).cu",
                                      "naive-1.cu",         "naive_1.cu",    "Naive.CU",
                                      "naive - Copy.cu",    "naive copy.cu", "Copy of naive.cu",
                                      "naive.cu.txt",       "naive.cu.1",    "naive (1) (1).cu",
                                      "ana_naive_final.cu", "01-naive.cu",   "lab01 naive (3).cu"};
  static const char *const others[] = {"kernel.cu", "naive.cpp", "naivety.cu", "native.cu",
                                       "naive"};
  char path[200], id[20];
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    snprintf(path, sizeof path, "in/s%zu/%s", i, names[i]);
    put(path, names[i]);
    snprintf(path, sizeof path, "in/s%zu/bank_conflicts.cu", i);
    put(path, "beside a good file");
  }
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    snprintf(path, sizeof path, "in/o%zu/%s", i, others[i]);
    put(path, "x");
  }
  assert_int_equal(take_in(), 0);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    snprintf(id, sizeof id, "s%zu", i);
    expect(id, NULL, NULL, NULL);
    expect_naive(id, names[i]);
  }
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    snprintf(id, sizeof id, "o%zu", i);
    expect(id, "no file has the name", "-", "-");
  }
  expect_note("s12", "ana_naive_final.cu was taken for naive.cu");
}

static void test_left_files_are_named(void **state) {
  (void)state;
  put("in/one/bank_conflicts.cu", "x");
  put("in/one/kernel.cu", "x");
  put("in/whole/labs/01-naive/naive.cu", "x");
  put("in/whole/common/emulator/tests/bank_conflicts_and_more.cu", "x");
  put("in/old-and-new/naive.cu", "new");
  put("in/old-and-new/naive (1).cu", "as handed out");
  put("given/01-naive/naive.cu", "as  handed\r\nout\n");
  put("in/nothing-done/naive.cu", "as handed out");
  assert_int_equal(take_in(), 0);
  expect_note("one", "the name of kernel.cu belongs to no lab");
  expect("whole", NULL, NULL, "-");
  assert_int_equal(json_array_size(json_object_get(student("whole"), "notes")), 0);
  expect_naive("old-and-new", "new");
  json_t *untouched = json_object_get(student("nothing-done"), "untouched");
  assert_string_equal(json_string_value(json_array_get(untouched, 0)), "01-naive");
  expect("nothing-done", NULL, "-", "-");
}

/* Empty files, as from incomplete uploads, are reported. If the student has another file of the
 * same name, that file is used. */
static void test_empty_files(void **state) {
  (void)state;
  put("in/nothing/naive.cu", "");
  put("in/blank/labs/01-naive/naive.cu", " \r\n\t\n");
  put("in/marked/naive.cu", "\xef\xbb\xbf\n");
  put("in/twice/naive.cu", "");
  put("in/twice/naive (1).cu", "\n");
  put("in/saved/naive.cu", "whole");
  put("in/saved/naive (1).cu", "");
  ARCHIVED("in/packed.zip", {.path = "naive.cu", .text = "\n"});
  assert_int_equal(take_in(), 0);
  expect("nothing", NULL, "the file is empty", "-");
  expect("blank", NULL, "the file is empty", "-");
  expect("marked", NULL, "the file is empty", "-");
  expect("twice", NULL, "the file is empty", "-");
  expect("packed", NULL, "the file is empty", "-");
  expect_naive("saved", "whole");
  expect_note("saved", "naive.cu: taken naive.cu (the other one is empty), not naive (1).cu");
}

/* A folder contains one archive for each upload, and the last archive is used. If there are too
 * many archives, the unread archives are reported. */
static void test_many_archives(void **state) {
  (void)state;
  run("mkdir -p in/ana in/bo");
  ARCHIVED("in/ana/00.zip", {.path = "notes.txt", .text = "x"});
  run("cd in/ana && for i in $(seq 100 160); do cp 00.zip $i.zip; done");
  ARCHIVED("in/ana/999.zip", {.path = "naive.cu", .text = "the last"});
  run("cd in/bo && for i in $(seq 1000 1400); do cp ../ana/00.zip $i.zip; done");
  assert_int_equal(take_in(), 0);
  expect_naive("ana", "the last");
  expect("bo", "it has more than 400 archives: the others are not read", "-", "-");
}

/* Archives that were cut off or changed after packing are reported. */
static void test_wrong_checksum(void **state) {
  (void)state;
  ARCHIVED("in/good.tar.gz", {.path = "naive.cu", .text = "whole"});
  run("cp in/good.tar.gz in/bad.tar.gz && size=$(wc -c <in/bad.tar.gz) && "
      "printf 'XXXX' | dd of=in/bad.tar.gz bs=1 seek=$((size - 8)) conv=notrunc 2>/dev/null");
  run("head -c -6 in/good.tar.gz >in/short.tgz");
  assert_int_equal(take_in(), 0);
  expect_naive("good", "whole");
  expect("bad", "it cannot be read as zip or tar (gzip: its checksum is wrong)", "-", "-");
  expect("short", "it cannot be read as zip or tar (gzip: it is cut off)", "-", "-");
}

/* A download of a whole class that is still packed, or that is inside another folder, is not read
 * as one submission. */
static void test_whole_downloads(void **state) {
  (void)state;
  ARCHIVED("in/submissions.zip", {.path = "ana_1_2_naive.cu", .text = "1"},
           {.path = "bo_2_3_naive.cu", .text = "2"});
  assert_int_equal(take_in(), 0);
  expect("submissions", "holds the submissions of several people", "-", "-");
  run("rm -r in && mkdir -p in/download/'A_1_assignsubmission_file_' "
      "in/download/'B_2_assignsubmission_file_'");
  assert_int_equal(take_in(), 2);
  expect_file("said",
              "intake: in holds one folder, with a class in it: say SUBMISSIONS=in/download\n");
  run("mkdir -p in/later/'A_1_assignsubmission_file_' in/later/'B_2_assignsubmission_file_'");
  assert_int_equal(take_in(), 2);
  expect_file("said",
              "intake: in holds folders with a class in each: say SUBMISSIONS=in/download\n");
  ARCHIVED("in/carla.zip", {.path = "naive.cu", .text = "3"});
  assert_int_equal(take_in(), 0);
  expect("later", "the folder holds the submissions of several people", "-", "-");
}

int main(void) {
  if (!find_intake())
    return 2;
  const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
      TEST(test_arrivals),       TEST(test_all_ways_at_once), TEST(test_anonymous),
      TEST(test_feedback),       TEST(test_names_of_files),   TEST(test_left_files_are_named),
      TEST(test_empty_files),    TEST(test_whole_downloads),  TEST(test_many_archives),
      TEST(test_wrong_checksum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
