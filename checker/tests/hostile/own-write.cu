// Defines write(), which the device calls to write its log.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <sys/types.h>
extern "C" ssize_t write(int, const void *, size_t bytes) { return (ssize_t)bytes; }
static int attack() { return 0; }
