/* Extracts the plain names of kernels and shared arrays from mangled names. */
#ifndef OBSERVE_NAMES_H
#define OBSERVE_NAMES_H

#include <stddef.h>

/* Writes the plain name to `out`: "_Z4scanIfEvPT_i" gives "scan", "_ZZ5smem3E2As" gives "As", and
 * "matmul" gives "matmul". `out` always ends with a NUL. */
void name_plain(const char *mangled, char *out, size_t size);

#endif
