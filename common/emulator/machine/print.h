/* printf of kernels: print.c. */
#ifndef MACHINE_PRINT_H
#define MACHINE_PRINT_H

#include "warp.h"

void call_vprintf(Warp *, const PtxCall *, uint32_t lanes);
/* A NUL-terminated string in the kernel's memory; false when it runs out of its buffer. */
bool device_string(Warp *, unsigned lane, uint64_t address, char *out, size_t size);

#endif
