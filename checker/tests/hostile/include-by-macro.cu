// Includes the grader's files, whose names are built by a macro.
// expect: not-compiled | file not found
#include "lab.h"
#define TEXT(x) #x
#define FILE_OF(x) TEXT(x)
#if __has_include("/etc/shadow") || __has_include("/proc/self/environ") ||                         \
                                                  __has_include("@ROOT@/Makefile")
#error BREACH: the compiler sees the machine
#endif
#include FILE_OF(/ lockstep / out / program.d)
static int attack() { return 0; }
