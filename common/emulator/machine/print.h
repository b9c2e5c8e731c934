/* Declares the functions of print.c, which implement printf in kernels. */
#ifndef MACHINE_PRINT_H
#define MACHINE_PRINT_H

#include "warp.h"

void call_vprintf(Warp *, const PtxCall *, uint32_t lanes);
/* Reads a NUL-terminated string from the kernel's memory. Returns false if the string has no NUL
 * before the end of its buffer. */
bool device_string(Warp *, unsigned lane, uint64_t address, char *out, size_t size);

#endif
