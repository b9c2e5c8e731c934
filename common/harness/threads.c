/* Distributes work among CPU threads. Each thread takes the next index from a shared counter. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "harness.h"

typedef struct Work {
  _Atomic size_t next;
  size_t count;
  void (*f)(size_t, void *);
  void *context;
} Work;

int threads_usable(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

static void *take_work(void *argument) {
  Work *work = argument;
  for (;;) {
    size_t index = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed);
    if (index >= work->count)
      return NULL;
    work->f(index, work->context);
  }
}

/* The calling thread takes part in the work. With threads = 1, no thread is started. If a thread
 * cannot be started, the work takes longer but is complete. */
void threads_for(size_t count, int threads, void (*f)(size_t index, void *context), void *context) {
  enum { MOST = 256 };
  Work work = {.count = count, .f = f, .context = context};
  pthread_t thread[MOST];
  int started = 0;
  progress_watch(&work.next, count);
  while (started < threads - 1 && started < MOST && (size_t)started + 1 < count &&
         !pthread_create(&thread[started], NULL, take_work, &work))
    started++;
  take_work(&work);
  while (started > 0)
    pthread_join(thread[--started], NULL);
  progress_watch(NULL, 0);
}
