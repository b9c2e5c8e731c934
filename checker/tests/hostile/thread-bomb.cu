// Creates threads in an endless loop.
// expect: processes | kind-processes
#include "lab.h"
#include <pthread.h>
#include <unistd.h>
static void *sleeper(void *) {
  for (;;)
    pause();
}
static int attack() {
  pthread_t thread;
  for (;;)
    pthread_create(&thread, NULL, sleeper, NULL);
}
