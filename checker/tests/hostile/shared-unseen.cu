// Writes shared pages and releases them, so that they are no longer counted as the process's
// memory.
// expect: walls | kind-walls
#include "lab.h"
#include <string.h>
#include <sys/mman.h>
#define WITH_THE_HOST_SIDE
static void attack() {
  const size_t step = (size_t)64 << 20;
  for (int i = 0; i < 128; i++) {
    void *all = mmap(NULL, step, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(all, 1, step);
    madvise(all, step, MADV_DONTNEED);
  }
}
