/* Declarations that the files of mistakes.h share: where a mistake happened. Other files use
 * mistakes.h. */
#ifndef OBSERVE_REPORT_PLACES_H
#define OBSERVE_REPORT_PLACES_H

#include "mistakes.h"

/* The buffer around an address. */
typedef struct Around {
  /* Address and size of the buffer; bytes 0: there is none near. */
  uint64_t start, bytes;
  /* Size of an element in bytes. */
  unsigned element;
  /* 0: unknown */
  size_t rows, columns;
} Around;

/* Fills in thread and block; `number`: of the thread in its block. */
void place_thread(ReportPlace *, const Run *, uint64_t block, uint32_t number);
/* Fills in file and line of a source position. */
void place_line(ReportPlace *, const Run *, uint32_t line);
/* A report of this kind at the line and lane. */
Report report_at(const Warp *, ReportKind, uint32_t line, unsigned lane);

/* The buffer passed in the kernel argument from which the access's pointer derives; NULL: unknown.
 * An index far out of range may hit the space beside, or inside, another buffer. */
const Allocation *argument_buffer(const Warp *, const PtxInsn *);
/* The allocation that contains the address, otherwise the nearest one; NULL: there is none. */
const Allocation *allocation_around(uint64_t address);
/* Fills in the buffer; `address`: in global memory. */
void describe_allocation(Report *, Around *, const Allocation *, uint64_t address);
/* Fills in buffer, element, row and column of an address. `given`: the buffer that it was meant
 * for, if known. */
Around describe_within(Report *, const Warp *, PtxSpace, uint64_t address, unsigned bytes,
                       const Allocation *given);
Around describe(Report *, const Warp *, PtxSpace, uint64_t address, unsigned bytes);
/* Distance from an address to the buffer after it in bytes; 0: the address is not before the
 * buffer. Shared addresses have 32 bits, so an index below the first variable wraps around. */
uint64_t bytes_before(const Report *, const Around *, uint64_t address);
/* Fills in element, row and column of an address within the buffer. */
void place_element(Report *, const Around *, uint64_t address);
/* "a, row 3, column 4": the buffer and element of a report, in `out`. */
const char *element_text(const Report *, char *out, size_t size);

#endif
