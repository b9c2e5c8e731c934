#ifndef LOCKSTEP_SIEVE_H
#define LOCKSTEP_SIEVE_H

/* A quick trial of many, side by side, as many at a time as there are processors: most fail it, and nobody needs to look at
 * them again. What one of the processes leaves in its copy of the check is lost.
 */
#include "checker.h"

/* passes[i - from]: whether trial(i) came out right, in a process with a folder of its own; true, too, where nobody tried it,
 * because time was up or there is a single processor. */
void sieve(Check *, size_t from, size_t to, bool (*trial)(const void *, size_t i), const void *,
           bool *passes);

#endif
