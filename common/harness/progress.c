/* The progress line. A thread of its own writes it, so that work needs no calls in between; it
 * starts to show after half a second. The cursor stays at the beginning of the line: whatever is
 * printed next overwrites it.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"

static struct {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t stop;
  bool running; /* under the lock */
  const char *what;
  double begin;
  const _Atomic size_t *done; /* under the lock: the counter lives only as long as its work */
  size_t total;
} line = {.lock = PTHREAD_MUTEX_INITIALIZER, .stop = PTHREAD_COND_INITIALIZER};

static const char CLEAR[] = "\033[K";

/* Ctrl-C: leaves no half line on the terminal, then ends as without us. */
static void interrupted(int signal_number) {
  if (write(STDERR_FILENO, CLEAR, sizeof CLEAR - 1) < 0)
    _exit(1);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static void show(void) {
  fprintf(stderr, "%s  %s", CLEAR, line.what);
  if (line.done && line.total) {
    size_t done = atomic_load(line.done);
    fprintf(stderr, " %zu%%", 100 * (done < line.total ? done : line.total) / line.total);
  }
  fprintf(stderr, " %.0f s\r", (timing_now() - line.begin) / 1e3);
}

static void *write_line(void *unused) {
  (void)unused;
  struct timespec next;
  clock_gettime(CLOCK_REALTIME, &next);
  pthread_mutex_lock(&line.lock);
  while (line.running) {
    next.tv_nsec += 500000000;
    next.tv_sec += next.tv_nsec / 1000000000;
    next.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&line.stop, &line.lock, &next);
    if (line.running)
      show();
  }
  pthread_mutex_unlock(&line.lock);
  return NULL;
}

void progress_begin(const char *what) {
  if (line.running || !isatty(STDERR_FILENO))
    return;
  line.what = what;
  line.begin = timing_now();
  line.running = true;
  if (pthread_create(&line.thread, NULL, write_line, NULL)) {
    line.running = false;
    return;
  }
  signal(SIGINT, interrupted);
}

void progress_watch(const _Atomic size_t *done, size_t total) {
  pthread_mutex_lock(&line.lock);
  line.done = done;
  line.total = total;
  pthread_mutex_unlock(&line.lock);
}

void progress_end(void) {
  pthread_mutex_lock(&line.lock);
  bool was_running = line.running;
  line.running = false;
  pthread_cond_signal(&line.stop);
  pthread_mutex_unlock(&line.lock);
  if (!was_running)
    return;
  pthread_join(line.thread, NULL);
  signal(SIGINT, SIG_DFL);
  fputs(CLEAR, stderr);
}
