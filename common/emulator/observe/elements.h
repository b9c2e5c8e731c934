/* Detects buffers that were allocated with the number of elements instead of the number of bytes.
 *
 * If the kernel uses exactly as many elements as the buffer has bytes, a sizeof is probably missing
 * in the call that allocated the buffer. One access beyond the end is not enough evidence, so the
 * largest index of the launch is recorded. */
#ifndef OBSERVE_ELEMENTS_H
#define OBSERVE_ELEMENTS_H

#include "../state/memory.h"
#include "report.h"

/* Records an access of `bytes` bytes at an address beyond the end of the allocation. Any thread may
 * call this function. */
void elements_note(const Allocation *, uint64_t address, unsigned bytes);
/* Called before a report is shown: if a sizeof is probably missing, adds this explanation to the
 * report. */
void elements_explain(Report *);
/* Called before the next launch: deletes all recorded accesses. */
void elements_forget(void);

#endif
