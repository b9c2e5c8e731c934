/* Shows the progress line. A separate thread writes the line, so the working code does not have to
 * call a function regularly. The line appears after half a second. The cursor stays at the
 * beginning of the line, so the next output overwrites it. If calls are nested, the text of the
 * outermost work is shown. */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"

enum { BAR = 24, LONG = 15 /* seconds until the line mentions ctrl-C */ };

static struct {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t stop;
  /* Nesting depth. */
  int depth;
  /* Protected by `lock`. */
  bool running;
  const char *what;
  double begin;
  /* Protected by `lock`. The counter that `done` points to exists only during the work. */
  const _Atomic size_t *done;
  size_t total;
  /* Protected by `lock`; NaN: unknown. */
  double fraction;
  /* The text to print when interrupted; NULL: none. */
  const char *parting;
} line = {.lock = PTHREAD_MUTEX_INITIALIZER, .stop = PTHREAD_COND_INITIALIZER, .fraction = NAN};

static const char CLEAR[] = "\033[K";

static void say(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0)
    _exit(1);
}

/* Handles ctrl-C: erases the line, prints `parting`, and ends the program as the default handler
 * does. */
static void interrupted(int signal_number) {
  if (line.running)
    say(CLEAR);
  if (line.parting)
    say(line.parting);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void progress_parting(const char *text) {
  line.parting = text;
  signal(SIGINT, text ? interrupted : SIG_DFL);
}

/* Prints a bar and the remaining time: "[#########...............] 38%, about 20 s more". */
static void show_fraction(double fraction, double seconds) {
  char bar[BAR + 1];
  for (int i = 0; i < BAR; i++)
    bar[i] = i < (int)(fraction * BAR) ? '#' : '.';
  bar[BAR] = 0;
  fprintf(stderr, " [%s] %.0f%%", bar, 100 * fraction);
  if (fraction > 0.01 && seconds > 2)
    fprintf(stderr, ", about %.0f s more", seconds * (1 - fraction) / fraction);
}

static void show(void) {
  double seconds = (timing_now() - line.begin) / 1e3;
  bool moves = line.fraction > 0;
  fprintf(stderr, "%s  %s", CLEAR, line.what);
  if (!isnan(line.fraction)) {
    show_fraction(line.fraction, seconds);
  } else if (line.done && line.total) {
    size_t done = atomic_load(line.done);
    moves = done > 0;
    fprintf(stderr, " %zu%%", 100 * (done < line.total ? done : line.total) / line.total);
  }
  fprintf(stderr, ", %.0f s%s\r", seconds,
          seconds > LONG && !moves ? ": ctrl-C ends the run; make labNN finds endless loops" : "");
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
  if (line.depth++ || !isatty(STDERR_FILENO))
    return;
  line.what = what;
  line.begin = timing_now();
  line.fraction = NAN;
  line.running = true;
  if (pthread_create(&line.thread, NULL, write_line, NULL))
    line.running = false;
  else
    signal(SIGINT, interrupted);
}

void progress_watch(const _Atomic size_t *done, size_t total) {
  pthread_mutex_lock(&line.lock);
  line.done = done;
  line.total = total;
  pthread_mutex_unlock(&line.lock);
}

void progress_set(const char *what, double fraction) {
  pthread_mutex_lock(&line.lock);
  line.what = what;
  line.fraction = fraction;
  pthread_mutex_unlock(&line.lock);
}

void progress_end(void) {
  if (--line.depth)
    return;
  pthread_mutex_lock(&line.lock);
  bool was_running = line.running;
  line.running = false;
  pthread_cond_signal(&line.stop);
  pthread_mutex_unlock(&line.lock);
  if (!was_running)
    return;
  pthread_join(line.thread, NULL);
  if (!line.parting)
    signal(SIGINT, SIG_DFL);
  fputs(CLEAR, stderr);
}
