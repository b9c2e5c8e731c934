/* Detects buffers allocated with the number of elements instead of the number of bytes.
 *
 * A single index past the end is not enough evidence, but the kernel's largest index is: if the
 * kernel uses exactly as many elements as the buffer has bytes, a sizeof was probably forgotten. */
#ifndef OBSERVE_ELEMENTS_H
#define OBSERVE_ELEMENTS_H

#include "../state/memory.h"
#include "report.h"

/* Records an access of `bytes` bytes at an address past the end of the allocation. May be called by
 * any thread. */
void elements_note(const Allocation *, uint64_t address, unsigned bytes);
/* Called before such a report is shown: adds the explanation if it applies. */
void elements_explain(Report *);
/* Called before the next launch, whose indices are counted anew. */
void elements_forget(void);

#endif
