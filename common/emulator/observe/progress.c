/* Shows the progress line of a program that takes long (progress.h). A thread rewrites the line
 * twice a second. */
#include "progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "../state/settings.h"
#include "names.h"

enum { PATIENCE_MS = 3000, PERIOD_MS = 500 };
#define ERASE "\r\033[K"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Run *running; /* the launch that is running; NULL: none */
/* The time at which the first launch of the program began, in milliseconds. */
static uint64_t begun;
/* The time at which the current launch began, in milliseconds. */
static uint64_t began;
/* Number of launches so far. */
static uint64_t nlaunches;
static volatile sig_atomic_t visible;

static uint64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- the line -------------------------------------------------------------------------------- */
static void erase(void) {
  if (visible && write(STDERR_FILENO, ERASE, sizeof ERASE - 1) > 0)
    visible = 0;
}

/* Called on Ctrl-C: erases the line, so that the shell prompt starts on an empty line. */
static void interrupted(int number) {
  erase();
  signal(number, SIG_DFL);
  raise(number);
}

static void end_well_when_interrupted(void) {
  struct sigaction old;
  if (!sigaction(SIGINT, NULL, &old) && old.sa_handler == SIG_DFL)
    signal(SIGINT, interrupted);
}

static size_t columns(void) {
  struct winsize size;
  return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 1 ? size.ws_col : 80;
}

static void span(char *out, size_t size, uint64_t ms) {
  const uint64_t s = (ms + 500) / 1000;
  if (s < 120)
    snprintf(out, size, "%" PRIu64 " s", s);
  else if (s < 7200)
    snprintf(out, size, "%" PRIu64 " min %" PRIu64 " s", s / 60, s % 60);
  else
    snprintf(out, size, "%" PRIu64 " h %" PRIu64 " min", s / 3600, s / 60 % 60);
}

static const char *rate(char out[24], uint64_t times, uint64_t ms) {
  const double each_second = (double)times * 1000 / (double)ms;
  snprintf(out, 24, each_second < 10 ? "%.2g" : "%.0f", each_second);
  return out;
}

/* Writes, for example, "matmul: 120 of 4096 blocks, 31 a second, 2 min 8 s left". If the current
 * launch has run for less than PATIENCE_MS, writes the number of launches instead. */
static int describe(char *out, size_t size) {
  const uint64_t here = now_ms() - began, all = now_ms() - begun, blocks = running->nblocks;
  const uint64_t counted = run_blocks_done(running), done = counted < blocks ? counted : blocks;
  char name[64], passed[32], left[32], per_second[24];
  name_plain(running->function->name, name, sizeof name);
  span(passed, sizeof passed, here < PATIENCE_MS ? all : here);
  if (here < PATIENCE_MS)
    return snprintf(out, size, "%s: launch %" PRIu64 ", %s launches a second, %s so far", name,
                    nlaunches, rate(per_second, nlaunches, all), passed);
  span(left, sizeof left,
       done ? (uint64_t)((double)here / (double)done * (double)(blocks - done)) : 0);
  return snprintf(out, size, "%s: %" PRIu64 " of %" PRIu64 " blocks, %s a second, %s %s", name,
                  done, blocks, rate(per_second, done, here), done ? left : passed,
                  done ? "left" : "so far");
}

static void say(void) {
  char text[400] = ERASE;
  const size_t start = sizeof ERASE - 1;
  int n = describe(text + start, sizeof text - start);
  size_t length = (size_t)n < columns() - 1 ? (size_t)n : columns() - 1;
  length = length < sizeof text - start ? length : sizeof text - start - 1;
  end_well_when_interrupted();
  if (write(STDERR_FILENO, text, start + length) > 0)
    visible = 1;
}

/* ---- timing ---------------------------------------------------------------------------------- */
static void *watch(void *nothing) {
  const struct timespec period = {0, PERIOD_MS * 1000000};
  for (;;) {
    nanosleep(&period, NULL);
    pthread_mutex_lock(&lock);
    if (running && now_ms() - begun >= PATIENCE_MS)
      say();
    pthread_mutex_unlock(&lock);
  }
  return nothing;
}

static void start(void) {
  pthread_t thread;
  sigset_t all, before;
  begun = now_ms();
  if (machine_settings()->quiet || !isatty(STDERR_FILENO))
    return;
  /* The new thread inherits this mask, so signals are delivered to the threads of the program. */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (!pthread_create(&thread, NULL, watch, NULL))
    pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void progress_launch_begins(Run *run) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  pthread_mutex_lock(&lock);
  running = run;
  began = now_ms();
  nlaunches++;
  pthread_mutex_unlock(&lock);
}

void progress_launch_done(void) {
  pthread_mutex_lock(&lock);
  running = NULL;
  erase();
  pthread_mutex_unlock(&lock);
}

void progress_clear(void) {
  pthread_mutex_lock(&lock);
  erase();
  pthread_mutex_unlock(&lock);
}
