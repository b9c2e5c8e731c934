/* Replaces the clock functions of the C library. (files.c replaces file functions in the same way.)
 * The replacements detect whether the host has waited for its kernels before it reads a clock.
 * time() is not replaced, because it counts seconds and is not used to measure kernels. */
#include "runtime.h"

#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

#define INSTEAD __attribute__((weak))

int clock_gettime(clockid_t clock, struct timespec *now);
int gettimeofday(struct timeval *now, void *zone);
clock_t clock(void);
int timespec_get(struct timespec *now, int base);

/* Declares `real`, a pointer to the C library's function `name`, which is looked up once. */
#define REAL(name)                                                                                 \
  static __typeof__(&name) real;                                                                   \
  if (!real)                                                                                       \
  *(void **)&real = dlsym(RTLD_NEXT, #name)

INSTEAD int clock_gettime(clockid_t which, struct timespec *now) {
  REAL(clock_gettime);
  if (which == CLOCK_REALTIME || which == CLOCK_MONOTONIC || which == CLOCK_MONOTONIC_RAW)
    asynchrony_clock_read();
  return real(which, now);
}

INSTEAD int gettimeofday(struct timeval *now, void *zone) {
  REAL(gettimeofday);
  asynchrony_clock_read();
  return real(now, zone);
}

INSTEAD clock_t clock(void) {
  REAL(clock);
  asynchrony_clock_read();
  return real();
}

INSTEAD int timespec_get(struct timespec *now, int base) {
  REAL(timespec_get);
  asynchrony_clock_read();
  return real(now, base);
}
