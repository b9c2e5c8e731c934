/* Tests the checker with badly behaved programs. Each program must fail with the expected verdict,
 * the checker must always end, and no process may be left. The hostile programs are functions of
 * this test program, which it runs when it is started through a link named "hostile-<name>". */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "explain/explain.h"
#include "say/report.h"
#include "observe/log.h"
#include "emulator/tests/scratch.h"

/* ---- the hostile programs ------------------------------------------------------------------- */

static const char *output_path;
static size_t rows = 1, columns = 1;

static void parse(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i++) {
    if (strcmp(argv[i], "--output") == 0)
      output_path = argv[i + 1];
    if (strcmp(argv[i], "--m") == 0)
      rows = strtoul(argv[i + 1], NULL, 10);
    if (strcmp(argv[i], "--n") == 0)
      columns = strtoul(argv[i + 1], NULL, 10);
  }
}

static void write_log(const char *text) {
  FILE *log = fopen(getenv("LOCKSTEP_LOG"), "a");
  fputs(text, log);
  fclose(log);
}

static void write_output(float value, size_t elements) {
  uint32_t words[2] = {4, 0};
  uint64_t shape[2] = {rows, columns};
  FILE *out = fopen(output_path, "wb");
  fwrite("LOCKSTEP", 8, 1, out);
  fwrite(words, sizeof words, 1, out);
  fwrite(shape, sizeof shape, 1, out);
  for (size_t i = 0; i < elements; i++)
    fwrite(&value, sizeof value, 1, out);
  fclose(out);
}

/* Writes a log that is complete and valid. The process knows the key that signs the log's
 * entries. */
static void regular_log(void) {
  log_event(json_pack("{s:s, s:i}", "event", "end", "reports", 0)); /* after a valid start entry */
}

static int forge_stdout(void) {
  puts("  1 index                     20/20\n  score 100/100\nPASSED");
  return 0;
}

static int forge_zeros(void) {
  regular_log();
  write_output(0, rows * columns);
  return 0;
}

static int truncate_output(void) {
  regular_log();
  write_output(1, rows * columns / 2);
  return 0;
}

static int garbage_output(void) {
  regular_log();
  FILE *out = fopen(output_path, "wb");
  for (int i = 0; i < 5000; i++)
    fputc(i * 37 % 256, out);
  fclose(out);
  return 0;
}

static int garbage_log(void) {
  write_log(
      "\"\xff\xfe{{{ "
      "[1,2\n{\"event\":7}\n{\"event\":\"kernel\",\"name\":[]}\n{\"event\":\"start\"}\nno json\n");
  write_output(1, rows * columns);
  return 0;
}

static int truncate_log(void) {
  write_log("{\"event\":\"start\",\"pid\":1,\"se");
  write_output(1, rows * columns);
  return 0;
}

static int foreign_log(void) {
  write_log("{\"event\":\"start\",\"pid\":1}\n{\"event\":\"end\",\"reports\":0}\n");
  write_output(1, rows * columns);
  return 0;
}

static int link_output(void) {
  regular_log();
  return symlink("/etc/passwd", output_path);
}

static int huge_header(void) {
  regular_log();
  rows = columns = SIZE_MAX / 2;
  write_output(1, 4);
  return 0;
}

static int flood(void) {
  while (puts("all work and no play makes a very long line, and then another one just like it") >=
         0)
    ;
  return 0;
}

static int hoard(void) {
  char *volatile memory; /* volatile, or an optimising compiler would remove the loop */
  while ((memory = malloc(1 << 24)))
    memset(memory, 1, 1 << 24);
  return 0;
}

/* Each of five processes stays below the memory limit, but together they exceed it. */
static int hoard_together(void) {
  for (int i = 0; i < 5; i++)
    if (fork() == 0) {
      size_t bytes = (size_t)500 << 20;
      memset(malloc(bytes), 1, bytes);
      pause();
    }
  while (pause() < 0)
    ;
  return 0;
}

/* Starts 600 processes. The number is limited so that the machine survives if the checker does not
 * stop the processes. */
static int multiply(void) {
  for (int i = 0; i < 600; i++)
    if (fork() == 0)
      pause();
  while (pause() < 0)
    ;
  return 0;
}

static int hang(void) {
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  while (pause() < 0)
    ;
  return 0;
}

/* Fills memory through a memfd. No process maps these pages, so only a control group can account
 * for them. */
static int hoard_unmapped(void) {
  static char block[1 << 20];
  int file = memfd_create("hoard", 0);
  memset(block, 1, sizeof block);
  for (int i = 0; i < 3 << 10; i++)
    if (write(file, block, sizeof block) < 0)
      return 1;
  return hang();
}

static int close_and_hang(void) {
  close(STDOUT_FILENO);
  close(STDERR_FILENO);
  return hang();
}

/* Leaves a running process in its own session that holds the pipe open. Waits until that process
 * has started. */
static int leave_behind(void) {
  int there[2];
  if (pipe(there) != 0)
    return 1;
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      if (write(there[1], "", 1) == 1)
        hang();
      _exit(1);
    }
    _exit(0);
  }
  return read(there[0], &(char){0}, 1) != 1;
}

static int crash(void) {
  signal(SIGSEGV, SIG_DFL); /* a sanitizer would turn the signal into an exit status */
  raise(SIGSEGV);
  return 0;
}

static int leave_early(void) { return 0; }

/* Prints the harness's message about a missing device, to make the checker blame the machine. */
static int no_device(void) {
  puts("lab 01: no usable CUDA device: no CUDA-capable device is detected");
  return 2;
}

/* Writes one log line that would need 10^9 bytes as parsed JSON. */
static int log_bomb(void) {
  FILE *file = fopen(getenv("LOCKSTEP_LOG"), "w");
  fputs("{\"event\":\"report\",\"all\":[", file);
  for (int i = 0; i < 30 << 20; i++)
    fputs("0,", file);
  fputs("0]}\n", file);
  fclose(file);
  write_output(1, rows * columns);
  return 0;
}

static const struct Hostile {
  const char *name;
  int (*act)(void);
  VerdictKind kind;
  SayId headline;
} all[] = {
    {"forge-stdout", forge_stdout, VERDICT_ENDED_EARLY, SAY_ENDED_TOO_EARLY},
    {"forge-zeros", forge_zeros, VERDICT_WRONG, SAY_ELEMENT_IS_EXPECTED},
    {"truncate-output", truncate_output, VERDICT_NO_OUTPUT, SAY_UNREADABLE},
    {"garbage-output", garbage_output, VERDICT_NO_OUTPUT, SAY_UNREADABLE},
    {"garbage-log", garbage_log, VERDICT_BAD_LOG, SAY_KIND_BAD_LOG},
    {"truncate-log", truncate_log, VERDICT_ENDED_EARLY, SAY_ENDED_TOO_EARLY},
    {"foreign-log", foreign_log, VERDICT_BAD_LOG, SAY_KIND_BAD_LOG},
    {"link-output", link_output, VERDICT_NO_OUTPUT, SAY_UNREADABLE},
    {"huge-header", huge_header, VERDICT_NO_OUTPUT, SAY_UNREADABLE},
    {"flood", flood, VERDICT_FLOOD, SAY_KIND_FLOOD},
    {"hoard", hoard, VERDICT_MEMORY, SAY_KIND_MEMORY},
    {"hoard-together", hoard_together, VERDICT_MEMORY, SAY_KIND_MEMORY},
    {"hoard-unmapped", hoard_unmapped, VERDICT_MEMORY, SAY_KIND_MEMORY},
    {"multiply", multiply, VERDICT_PROCESSES, SAY_KIND_PROCESSES},
    {"hang", hang, VERDICT_TIME_OUT, SAY_STILL_RUNNING},
    {"close-and-hang", close_and_hang, VERDICT_TIME_OUT, SAY_STILL_RUNNING},
    {"leave-behind", leave_behind, VERDICT_ENDED_EARLY, SAY_ENDED_TOO_EARLY},
    {"crash", crash, VERDICT_CRASH, SAY_HOST_CRASHED},
    {"leave-early", leave_early, VERDICT_ENDED_EARLY, SAY_ENDED_TOO_EARLY},
    {"no-device", no_device, VERDICT_ENDED_EARLY, SAY_ENDED_TOO_EARLY},
    {"log-bomb", log_bomb, VERDICT_NOT_REPEATED, SAY_KIND_NOT_REPEATED},
};

/* A well-behaved program for test_crowd: uses 0.7 s of processor time. */
static int wait_for_its_turn(void) {
  while (clock() < CLOCKS_PER_SEC * 7 / 10)
    ;
  return 0;
}

/* ---- the verdicts --------------------------------------------------------------------------- */

static char folder[SCRATCH_MOST];

static void make_link(const char *name, char *path, size_t size) {
  char self[1024];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  assert_true(length > 0);
  self[length] = '\0';
  snprintf(path, size, "%s/hostile-%s", folder, name);
  assert_int_equal(symlink(self, path), 0);
}

/* All processes that a program starts inherit the write end of this pipe. The pipe is closed only
 * after all of these processes have ended. */
static int alive[2];

static bool still_running(void) {
  struct pollfd end = {.fd = alive[0]};
  close(alive[1]);
  bool ended = poll(&end, 1, 0) == 1 && end.revents & POLLHUP;
  close(alive[0]);
  return !ended;
}

/* Runs the hostile program and returns true if the checker accepts its result. */
static bool run_hostile(const struct Hostile *hostile, double seconds, Check *check) {
  char path[256];
  make_link(hostile->name, path, sizeof path);
  Settings settings = {.lab = "01-naive",
                       .build = {.program = path, .precision = "float"},
                       .paths = {.labs = "labs"},
                       .run = {.schedule = 1, .seed = 1, .seconds = seconds}};
  ProductRun run = {.variant = "kernel", .m = 5, .k = 6, .n = 7};
  check->settings = &settings;
  snprintf(check->folder, sizeof check->folder, "%s", folder);
  bool right = product_right(check, &run, NULL);
  unlink(path);
  return right;
}

/* Returns true if this machine lets the checker create control groups. */
static bool has_groups(void) {
  Group group = group_make(1 << 20, 1);
  bool made = group.folder >= 0;
  group_remove(&group);
  return made;
}

static void test_hostile(void **state) {
  const struct Hostile *hostile = *state;
  Check check = {.settings = NULL};
  if (hostile->act == hoard_unmapped && !has_groups())
    skip();
  assert_int_equal(pipe(alive), 0);
  fcntl(alive[0], F_SETFD, FD_CLOEXEC);
  bool right = run_hostile(hostile, hostile->kind == VERDICT_TIME_OUT ? 0.5 : 30, &check);
  assert_false(right);
  assert_string_equal(verdict_name(check.verdict.kind), verdict_name(hostile->kind));
  assert_int_equal(check.verdict.headline.id, hostile->headline);
  assert_false(still_running());
  struct rusage used;
  assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
#ifndef __SANITIZE_ADDRESS__
  /* in KB: the output of programs must not use up the checker's memory */
  assert_true(used.ru_maxrss < 200 << 10);
#endif
}

/* ---- a busy processor ----------------------------------------------------------------------- */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void take_one_processor(const cpu_set_t *allowed) {
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
    if (CPU_ISSET(cpu, allowed))
      CPU_SET(cpu, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
}

/* The program needs less processor time than its limit. It shares the processor with two other
 * programs, so its elapsed time is longer than the limit. The program must not time out. The
 * checker runs in its own process, because the checker kills all of its children at the end. */
static void test_crowd(void **state) {
  static const double limit = 1;
  const struct Hostile slow = {"wait-for-its-turn", NULL, VERDICT_ENDED_EARLY, SAY_NOTHING};
  pid_t others[2], checker;
  cpu_set_t allowed;
  int status;
  (void)state;
  assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  take_one_processor(&allowed);
  for (size_t i = 0; i < 2; i++)
    if ((others[i] = fork()) == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (;;)
        ;
    }
  double begin = now();
  if ((checker = fork()) == 0) {
    Check check = {.settings = NULL};
    bool right = run_hostile(&slow, limit, &check);
    printf("%s: %s\n", slow.name, verdict_name(check.verdict.kind));
    _exit(fflush(stdout) || right || check.verdict.kind != slow.kind);
  }
  waitpid(checker, &status, 0);
  double passed = now() - begin;
  for (size_t i = 0; i < 2; i++) {
    kill(others[i], SIGKILL);
    waitpid(others[i], NULL, 0);
  }
  assert_int_equal(sched_setaffinity(0, sizeof allowed, &allowed), 0);
  assert_int_equal(status, 0);
  assert_true(passed > limit); /* the processor was really shared */
}

static int run_tests_of_checker(void) {
  enum { COUNT = sizeof all / sizeof all[0] };
  struct CMUnitTest tests[COUNT + 1];
  for (size_t i = 0; i < COUNT; i++)
    tests[i] = (struct CMUnitTest){all[i].name, test_hostile, NULL, NULL, (void *)&all[i]};
  tests[COUNT] = (struct CMUnitTest){"wait-for-its-turn", test_crowd, NULL, NULL, NULL};
  if (!scratch_folder(folder, "hostile"))
    return 1;
  int failures = cmocka_run_group_tests_name("hostile programs", tests, NULL, NULL);
  rmdir(folder);
  return failures;
}

int main(int argc, char **argv) {
  const char *name = strstr(argv[0], "/hostile-");
  parse(argc, argv);
  for (size_t i = 0; name && i < sizeof all / sizeof all[0]; i++)
    if (strcmp(name + strlen("/hostile-"), all[i].name) == 0)
      return all[i].act();
  if (name && strcmp(name, "/hostile-wait-for-its-turn") == 0)
    return wait_for_its_turn();
  return run_tests_of_checker();
}
