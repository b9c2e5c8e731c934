// Leaves a CUDA call by longjmp while the device holds its locks.
// expect: unwritten | none-written
#include "lab.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#define WITH_THE_HOST_SIDE
static jmp_buf back;
static void leave(int) { longjmp(back, 1); }
static void attack() {
  struct itimerval soon = {{0, 50}, {0, 50}};
  void *memory;
  signal(SIGALRM, leave);
  setitimer(ITIMER_REAL, &soon, NULL);
  for (volatile int i = 0; i < 1000; i = i + 1)
    if (!setjmp(back))
      cudaMalloc(&memory, 1 << 10);
}
