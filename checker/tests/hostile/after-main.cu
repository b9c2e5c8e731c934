// Registers a destructor and an atexit function that run after main and never end.
// expect: time-out | still-running
// seconds: 2
// budget: 16
#include "lab.h"
#include <stdlib.h>
#include <unistd.h>
static void late() {
  for (;;)
    usleep(1000);
}
__attribute__((destructor)) static void later() { late(); }
static int attack() { return atexit(late); }
