/* Finds races between streams: two pieces of work access the same bytes, at least one of them
 * writes, and nothing orders them.
 *
 * A piece of work is a kernel, a copy or a memset. The emulated device executes work when the host
 * queues it, but the reports must not depend on this order. Therefore each piece of work has a
 * clock and sets of bytes. The clock covers the work in each stream that is certainly done when
 * this work begins (runtime/order.c). The sets contain the bytes that the work accesses. New work
 * is compared with earlier work in other streams, if both access the same buffer and the clock does
 * not cover the earlier work. The record of a piece of work is deleted when the host has waited for
 * the work, or when later work in the same stream has accessed the same bytes. */
#ifndef OBSERVE_STREAM_RACES_H
#define OBSERVE_STREAM_RACES_H

#include "../state/clock.h"
#include "report.h"
#include "touched.h"

typedef struct StreamWork {
  /* The number of the stream in clocks, and the number of the work in the stream. */
  uint32_t stream, number;
  /* The work that is done when this work begins. After a report of a race, the clock also covers
   * the earlier work of the race. */
  Clock *after;
  /* "cudaMemcpyAsync", or the name of the kernel. */
  const char *what;
  bool is_kernel;
  /* A verb for the access, if the work neither reads nor writes; otherwise NULL. */
  const char *verb;
  /* "stream 2" or "the default stream". */
  char where[28];
  /* The work is in a default stream. */
  bool defaults;
  /* The stream does not wait for the default stream. */
  bool apart;
  /* The work is a node of a graph. */
  bool in_graph;
} StreamWork;

/* Begins a piece of work, which becomes the current work. `what` and `after` must stay valid until
 * it ends. */
void stream_races_begin(const StreamWork *);
/* Records that the current work accesses [address, address + bytes). The access is checked when the
 * work ends. If there is no current work, does nothing. */
void stream_races_touch(Allocation *, TouchWay, uint64_t address, size_t bytes);
/* Called if the work is a kernel: adds the bytes that the kernel accessed. */
void stream_races_kernel(void);
/* Ends the current work. If `done`, reports its races and keeps its accesses for comparison with
 * later work; otherwise discards its accesses. Returns true if the work changed pinned memory
 * atomically: then host code may poll this memory to find out which work is done. */
bool stream_races_end(bool done);

/* Called when the host has waited for the work that the clock covers. */
void stream_races_forget(const Clock *host);
void stream_races_free(Allocation *);
/* For a buffer that host and device share: marks the bytes that pending work accesses in
 * Allocation.unsettled and Allocation.in_use. */
void stream_races_unsettle(Allocation *);
/* Returns pending work that writes the byte at `offset` or, if `writes` is false, reads it; NULL:
 * no such work is recorded. */
typedef struct StreamTouch StreamTouch;
const StreamTouch *stream_races_at(const Allocation *, uint64_t offset, bool writes);
/* Fills in the action of the work, such as "cudaMemcpyAsync writes it, in stream 1", and the place
 * of the call. */
void stream_races_say(const StreamTouch *, bool writes, ReportPlace *, CallSite *);

#endif
