/* Runs one program as a child that cannot hurt: its own session, so that it can be ended with all
 * it started; a time limit; a memory limit that is measured, because the emulated device reserves
 * far more address space than it uses and RLIMIT_AS would refuse that; what it prints goes into a
 * pipe that we empty and mostly forget.
 *
 * No RLIMIT_NPROC: it counts every process of the user, so it would fail for reasons that lie
 * outside. What escapes from the session becomes our child (subreaper) and is killed at the end.
 * Walls against bad intentions are the sandbox's task; these limits are there for accidents.
 */
#include "checker.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const size_t RESIDENT_MOST = (size_t)2 << 30;
static const size_t PRINTED_MOST = (size_t)16 << 20;
static const off_t FILE_MOST = (off_t)256 << 20;
static const int TICK_MS = 10;

typedef struct Words {
  char line[sizeof((ChildEnd *)0)->last_words];
  size_t length, total;
  bool ended; /* the line in hand is complete */
} Words;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void set_number(const char *name, unsigned value) {
  char text[24];
  snprintf(text, sizeof text, "%u", value);
  setenv(name, text, 1);
}

static void set_environment(const ChildRequest *request) {
  unsetenv("LOCKSTEP_CHECKS");
  unsetenv("LOCKSTEP_BANKS");
  setenv("LOCKSTEP_QUIET", "1", 1);
  setenv("LOCKSTEP_LOG", request->log, 1);
  set_number("LOCKSTEP_SEED", request->schedule);
  set_number("LOCKSTEP_WORKERS", 1);    /* the same reports in the same order every time */
  set_number("LOCKSTEP_LIMIT", 200000); /* no loop of a check is longer */
}

static void set_limits(const ChildRequest *request) {
  struct rlimit none = {0, 0};
  rlim_t cpu = (rlim_t)request->seconds * 64 + 1; /* all its threads together: a second net only */
  struct rlimit processor = {cpu, cpu};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_CPU, &processor);
}

/* In the child; an error of exec goes back through the pipe `failed`, which a good exec closes. */
static void become(const ChildRequest *request, int printed, int failed) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();
  int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(printed, STDOUT_FILENO);
  dup2(printed, STDERR_FILENO);
  set_environment(request);
  set_limits(request);
  execv(request->arguments[0], (char *const *)request->arguments);
  int error = errno;
  if (write(failed, &error, sizeof error) < 0)
    _exit(126);
  _exit(127);
}

static void hear(Words *words, const char *text, size_t length) {
  words->total += length;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\n') {
      words->ended = true;
      continue;
    }
    if (words->ended)
      words->length = 0;
    words->ended = false;
    if (words->length + 1 < sizeof words->line)
      words->line[words->length++] = isprint((unsigned char)text[i]) ? text[i] : ' ';
  }
}

/* Empties the pipe; false when it has ended. */
static bool listen_to(int printed, Words *words) {
  char text[16384];
  ssize_t length;
  while ((length = read(printed, text, sizeof text)) > 0) {
    hear(words, text, (size_t)length);
    if (words->total > PRINTED_MOST)
      return true;
  }
  return length < 0 && (errno == EAGAIN || errno == EINTR);
}

static size_t resident(int pid) {
  char path[64];
  unsigned long size = 0, pages = 0;
  snprintf(path, sizeof path, "/proc/%d/statm", pid);
  FILE *file = fopen(path, "r");
  if (!file)
    return 0;
  if (fscanf(file, "%lu %lu", &size, &pages) != 2)
    pages = 0;
  fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static bool files_too_big(const ChildRequest *request) {
  for (size_t i = 0; request->files[i]; i++) {
    struct stat status;
    if (stat(request->files[i], &status) == 0 && status.st_size > FILE_MOST)
      return true;
  }
  return false;
}

/* Everything the child left behind: its session, then whatever has become our own child. */
static void sweep(int pid) {
  char path[64];
  kill(-pid, SIGKILL);
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  for (int round = 0; round < 1000; round++) {
    int left = 0, other;
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%d", &other) == 1)
      left += kill(other, SIGKILL) == 0;
    if (file)
      fclose(file);
    while (waitpid(-1, NULL, WNOHANG) > 0)
      ;
    if (left == 0)
      return;
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
}

/* Which limit has been passed? */
static bool over(const ChildRequest *request, const Words *words, double start, ChildEnd *end) {
  if (now() - start > request->seconds)
    end->how = CHILD_TIMED_OUT;
  else if (words->total > PRINTED_MOST || files_too_big(request))
    end->how = CHILD_FLOODED;
  else if (resident(end->pid) > RESIDENT_MOST)
    end->how = CHILD_TOO_BIG;
  else
    return false;
  return true;
}

static void watch(const ChildRequest *request, int printed, double start, ChildEnd *end) {
  Words words = {.length = 0};
  int status = 0;
  bool open = true;
  for (;;) {
    struct pollfd waiting = {.fd = open ? printed : -1, .events = POLLIN};
    poll(&waiting, 1, open ? TICK_MS : 1);
    if (open)
      open = listen_to(printed, &words);

    if (waitpid(end->pid, &status, WNOHANG) == end->pid)
      break;
    if (over(request, &words, start, end)) {
      kill(-end->pid, SIGKILL);
      kill(end->pid, SIGKILL);
      waitpid(end->pid, &status, 0);
      memcpy(end->last_words, words.line, words.length);
      return;
    }
  }
  listen_to(printed, &words);
  memcpy(end->last_words, words.line, words.length);
  end->how = WIFSIGNALED(status) ? CHILD_SIGNALLED : CHILD_EXITED;
  end->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

ChildEnd child_run(const ChildRequest *request) {
  ChildEnd end = {.how = CHILD_NOT_STARTED};
  int printed[2], failed[2], error = 0;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (pipe2(printed, O_CLOEXEC) != 0 || pipe2(failed, O_CLOEXEC) != 0)
    bad_input("cannot make a pipe: %s", strerror(errno));
  fcntl(printed[0], F_SETFL, O_NONBLOCK);
  double start = now();
  end.pid = fork();
  if (end.pid < 0)
    bad_input("cannot start a process: %s", strerror(errno));
  if (end.pid == 0)
    become(request, printed[1], failed[1]);
  close(printed[1]);
  close(failed[1]);
  bool started = read(failed[0], &error, sizeof error) != sizeof error;
  if (started)
    watch(request, printed[0], start, &end);
  sweep(end.pid);
  end.code = started ? end.code : error;
  end.seconds = now() - start;
  close(printed[0]);
  close(failed[0]);
  return end;
}
