/* Names as the learner wrote them: C++ compilers mangle those of kernels and of shared arrays. */
#ifndef OBSERVE_NAMES_H
#define OBSERVE_NAMES_H

#include <stddef.h>

/* "_Z4scanIfEvPT_i" -> "scan", "_ZZ5smem3E2As" -> "As", "matmul" -> "matmul". `out` is always
 * ended. */
void name_plain(const char *mangled, char *out, size_t size);

#endif
