// Asks the preprocessor with __has_include which files of the machine exist.
// expect: unwritten | none-written
#include "lab.h"
#if __has_include("@ROOT@/solutions/01-naive/naive.cu") ||                                         \
                  __has_include(                                                                   \
                      "@ROOT@/build/secret") ||                                                    \
                      __has_include("/etc/shadow") ||                                              \
                                    __has_include("@HOME@/.bashrc") ||                             \
                                                  __has_include("/proc/1/cmdline") ||              \
                                                                __has_include("@ROOT@/Makefile")
#error BREACH
#endif
static int attack() { return 0; }
