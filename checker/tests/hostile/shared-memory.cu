// Allocates shared memory segments, which are charged to no process.
// expect: walls | kind-walls
#include "lab.h"
#include <string.h>
#include <sys/shm.h>
static int attack() {
  for (;;) {
    void *at = shmat(shmget(IPC_PRIVATE, 1 << 28, 0600), NULL, 0);
    memset(at, 1, 1 << 28);
    shmdt(at);
  }
}
