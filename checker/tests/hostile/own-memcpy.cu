// Defines functions of the C library that the harness calls.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <stddef.h>
#ifndef __CUDA_ARCH__
extern "C" void *memcpy(void *to, const void *, size_t) { return to; }
extern "C" int strcmp(const char *, const char *) { return 0; }
extern "C" char *getenv(const char *) { return (char *)"/dev/null"; }
#endif
static int attack() { return 0; }
