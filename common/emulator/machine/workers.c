/* Creates the worker threads, and runs a function on all of them. */
#include "workers.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

enum { MOST = 256 };

static struct {
  /* The process that created the threads. A forked child has a copy of this memory, but not the
   * threads. */
  pid_t process;
  uint32_t threads;
  sem_t start[MOST], done;
  void (*work)(void *, uint32_t);
  void *context;
} pool;

static void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0) { /* interrupted by a signal: wait again */
  }
}

/* ---- processors ------------------------------------------------------------------------------ */
/* The operating system may leave a new thread in the queue of the processor that created the
 * thread, for longer than a launch takes, although another processor is idle. Therefore each thread
 * starts pinned to a different processor, and then removes the restriction. If pinning is not
 * permitted, the thread starts without it. */
static cpu_set_t usable;

static void place(pthread_attr_t *thread, uint32_t number) {
  int processor = sched_getcpu(), skip = (int)number % CPU_COUNT(&usable);
  while (processor >= 0 && skip) {
    processor = (processor + 1) % CPU_SETSIZE;
    skip -= CPU_ISSET(processor, &usable) != 0;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  pthread_attr_setaffinity_np(thread, sizeof one, &one);
}

/* ---- threads --------------------------------------------------------------------------------- */
static void *wait_for_work(void *start) {
  const uint32_t number = (uint32_t)((sem_t *)start - pool.start);
  sched_setaffinity(0, sizeof usable, &usable);
  for (;;) {
    wait_for(start);
    pool.work(pool.context, number);
    sem_post(&pool.done);
  }
  return NULL;
}

/* Blocks signals in the workers, so that the program's own threads handle these signals. Signals
 * that a thread causes itself, such as SIGSEGV, are not blocked. */
static void block_signals(sigset_t *before) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
  sigset_t others;
  sigfillset(&others);
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    sigdelset(&others, own[i]);
  pthread_sigmask(SIG_SETMASK, &others, before);
}

static bool add_thread(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  sem_t *start = &pool.start[pool.threads + 1];
  sem_init(start, 0, 0);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (CPU_COUNT(&usable))
    place(&attributes, pool.threads + 1);
  int failed = pthread_create(&thread, &attributes, wait_for_work, start);
  pthread_attr_destroy(&attributes);
  if (failed)
    /* Pinning may not be permitted: start the thread without it. */
    failed = pthread_create(&thread, NULL, wait_for_work, start) || pthread_detach(thread);
  pool.threads += !failed;
  return !failed;
}

uint32_t workers_ready(uint32_t wanted) {
  const uint32_t most = wanted < MOST ? wanted : MOST;
  sigset_t before;
  if (pool.process != getpid()) {
    pool.process = getpid();
    pool.threads = 0;
    sem_init(&pool.done, 0, 0);
  }
  if (pool.threads + 1 < most) {
    if (sched_getaffinity(0, sizeof usable, &usable) != 0)
      CPU_ZERO(&usable);
    block_signals(&before);
    while (pool.threads + 1 < most && add_thread()) {
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  return pool.threads + 1 < most ? pool.threads + 1 : most;
}

void workers_run(uint32_t count, void (*work)(void *, uint32_t), void *context) {
  if (!count)
    return;
  pool.work = work;
  pool.context = context;
  for (uint32_t i = 1; i < count; i++)
    sem_post(&pool.start[i]);
  work(context, 0);
  for (uint32_t i = 1; i < count; i++)
    wait_for(&pool.done);
}
