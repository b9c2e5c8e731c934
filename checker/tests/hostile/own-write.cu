// What the device writes into its log comes here first.
// expect: forbidden | in place of the workbook's write
// open: unwritten | never written
#include "lab.h"
#include <sys/types.h>
extern "C" ssize_t write(int, const void *, size_t bytes) { return (ssize_t)bytes; }
static int attack() { return 0; }
