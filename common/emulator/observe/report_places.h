/* Functions that find the source line, the thread, and the element of a buffer for a report. Only
 * the files that implement mistakes.h include this header. */
#ifndef OBSERVE_REPORT_PLACES_H
#define OBSERVE_REPORT_PLACES_H

#include "mistakes.h"

/* The buffer that contains an address, or that is near the address. */
typedef struct Around {
  /* Start address of the buffer, and its size in bytes; 0 bytes: no buffer is near. */
  uint64_t start, bytes;
  /* Size of an element in bytes. */
  unsigned element;
  /* Numbers of rows and columns; 0: unknown. */
  size_t rows, columns;
} Around;

/* Fills in thread and block. `number`: linear number of the thread in its block. */
void place_thread(ReportPlace *, const Run *, uint64_t block, uint32_t number);
/* Fills in file and line. `line`: index in PtxModule.lines. */
void place_line(ReportPlace *, const Run *, uint32_t line);
/* Returns a report of this kind for a lane at a source line. */
Report report_at(const Warp *, ReportKind, uint32_t line, unsigned lane);

/* Returns the buffer that the program meant to access: the kernel argument from which the address
 * was computed points to it; NULL: unknown. If an index is far out of range, the address itself is
 * in another buffer or between buffers. */
const Allocation *argument_buffer(const Warp *, const PtxInsn *);
/* Returns the allocation that contains the address, or the nearest allocation; NULL: no allocation
 * is near. */
const Allocation *allocation_around(uint64_t address);
/* Fills in the buffer for an address in global memory. */
void describe_allocation(Report *, Around *, const Allocation *, uint64_t address);
/* Fill in buffer, element, row and column of an address. `given`: the buffer that the program meant
 * to access; NULL: unknown. */
Around describe_within(Report *, const Warp *, PtxSpace, uint64_t address, unsigned bytes,
                       const Allocation *given);
Around describe(Report *, const Warp *, PtxSpace, uint64_t address, unsigned bytes);
/* Returns the distance in bytes from an address to the start of the buffer; 0: the address is not
 * before the buffer. A shared address has 32 bits and may have wrapped around below 0. */
uint64_t bytes_before(const Report *, const Around *, uint64_t address);
/* Fills in element, row and column of an address in the buffer. */
void place_element(Report *, const Around *, uint64_t address);
/* Writes the buffer and element of a report to `out`, for example "a, row 3, column 4", and returns
 * `out`. */
const char *element_text(const Report *, char *out, size_t size);

#endif
