/* Demangles the names of kernels and shared arrays. */
#ifndef OBSERVE_NAMES_H
#define OBSERVE_NAMES_H

#include <stddef.h>

/* "_Z4scanIfEvPT_i" -> "scan", "_ZZ5smem3E2As" -> "As", "matmul" -> "matmul". `out` is always
 * NUL-terminated. */
void name_plain(const char *mangled, char *out, size_t size);

#endif
