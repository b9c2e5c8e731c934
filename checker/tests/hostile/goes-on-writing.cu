// Starts a thread that writes to the result after the function has returned.
// expect: unwritten/not-launched | score
#include "lab.h"
#include <pthread.h>
#define WITH_THE_HOST_SIDE
static void *go_on(void *C) {
  for (;;)
    *(volatile real *)C = 1;
}
#define attack()                                                                                   \
  pthread_t thread;                                                                                \
  pthread_create(&thread, NULL, go_on, C);
