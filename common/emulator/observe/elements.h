/* Was a buffer allocated with the number of its elements in place of the number of its bytes?
 *
 * One index past the end says nothing about that. The kernel's largest index does: where it uses
 * exactly as many elements as the buffer has bytes, somebody may have left out a sizeof.
 */
#ifndef OBSERVE_ELEMENTS_H
#define OBSERVE_ELEMENTS_H

#include "../state/memory.h"
#include "report.h"

/* A kernel accesses `bytes` bytes at an address behind the end of the allocation. Any thread. */
void elements_note(const Allocation *, uint64_t address, unsigned bytes);
/* Before a report about that is shown: adds what is known now. */
void elements_explain(Report *);
/* The next launch has indices of its own. */
void elements_forget(void);

#endif
