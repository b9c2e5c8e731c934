/* Detects buffers that were allocated with the number of elements instead of the number of bytes.
 *
 * A single index beyond the end is not enough evidence. But if the largest index of the kernel
 * shows that it uses exactly as many elements as the buffer has bytes, a sizeof is probably
 * missing. */
#ifndef OBSERVE_ELEMENTS_H
#define OBSERVE_ELEMENTS_H

#include "../state/memory.h"
#include "report.h"

/* Records an access of `bytes` bytes at an address beyond the end of the allocation. Any thread may
 * call this function. */
void elements_note(const Allocation *, uint64_t address, unsigned bytes);
/* Called before a report is shown: if a sizeof is probably missing, adds this explanation. */
void elements_explain(Report *);
/* Called before the next launch: drops what was recorded. */
void elements_forget(void);

#endif
