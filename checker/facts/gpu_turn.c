/* Locks a GPU that several checkers share. Several labs may be graded on it at the same time, but
 * times must not include the load of another program. A program that measures times has an
 * exclusive lock. All other programs share the lock, and hold it only while they use the GPU
 * (harness/gpu_turn.c). A process holds the lock on FILE.next while it waits for the main lock, so
 * that later processes cannot overtake it.
 *
 * No function blocks except gpu_place, because the caller supervises a program while it waits
 * (child.c). */
#include "facts/facts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static int door = -1, held = -1;

/* Returns the descriptor of the locked file; -1 if another process holds the lock. */
static int locked(const char *path, int how) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0)
    bad_input("%s: %s", path, strerror(errno));
  if (flock(file, how | LOCK_NB) == 0)
    return file;
  if (errno != EWOULDBLOCK && errno != EINTR)
    bad_input("%s: %s", path, strerror(errno));
  close(file);
  return -1;
}

static void leave(int *file) {
  if (*file >= 0)
    close(*file);
  *file = -1;
}

bool gpu_take(const Settings *settings, bool alone) {
  char path[512];
  if (!settings->walls.gpu_lock || held >= 0)
    return true;
  snprintf(path, sizeof path, "%s.next", settings->walls.gpu_lock);
  if (door < 0 && (door = locked(path, LOCK_EX)) < 0)
    return false;
  held = locked(settings->walls.gpu_lock, alone ? LOCK_EX : LOCK_SH);
  if (held < 0)
    return false;
  leave(&door);
  return true;
}

void gpu_leave(void) {
  leave(&held);
  leave(&door);
}

void gpu_wait(void) { nanosleep(&(struct timespec){0, 2000000}, NULL); }

int gpu_place(const Settings *settings) {
  enum { PLACES = 3 };
  char path[512];
  for (int i = 0, file; settings->walls.gpu_lock; i = (i + 1) % PLACES) {
    snprintf(path, sizeof path, "%s.place%d", settings->walls.gpu_lock, i);
    if ((file = locked(path, LOCK_EX)) >= 0)
      return file;
    if (i == PLACES - 1)
      gpu_wait();
  }
  return -1;
}
