// What the device writes into its log comes here first.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <sys/types.h>
extern "C" ssize_t write(int, const void *, size_t bytes) { return (ssize_t)bytes; }
static int attack() { return 0; }
