/* Finds races between streams: two pieces of work access the same bytes, at least one of them
 * writes, and nothing orders them.
 *
 * A piece of work is a kernel, a copy or a memset. The emulated device executes it when it is
 * queued, but the reports must not depend on that. So each piece of work has a clock and a set of
 * bytes. The clock says how much work of each stream is certainly done when this work begins
 * (runtime/order.c). The set has the bytes that the work accesses. The work is compared with
 * earlier work in other streams that accessed the same buffer and is not covered by the clock. Work
 * is forgotten when the host has waited for it, or when later work of the same stream has accessed
 * the same bytes. */
#ifndef OBSERVE_STREAM_RACES_H
#define OBSERVE_STREAM_RACES_H

#include "../state/clock.h"
#include "report.h"
#include "touched.h"

typedef struct StreamWork {
  /* The number of the stream in clocks, and the number of the work in the stream. */
  uint32_t stream, number;
  /* The work that is done when this work begins. After a report, the earlier work of the race
   * is added. */
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

/* Begins a piece of work. `what` and `after` must stay valid until it ends. */
void stream_races_begin(const StreamWork *);
/* Records that the current work accesses [address, address + bytes). The access is checked when the
 * work ends. Without current work, nothing is recorded. */
void stream_races_touch(Allocation *, TouchWay, uint64_t address, size_t bytes);
/* Called if the work is a kernel: adds the bytes that the kernel accessed. */
void stream_races_kernel(void);
/* Ends the current work. If `done`, reports its races and keeps its accesses for comparison with
 * later work; otherwise drops them. Returns true if the work changed pinned memory atomically: then
 * host code may read from this memory which work of the stream is done. */
bool stream_races_end(bool done);

/* Called when the host has waited for the work that the clock covers. */
void stream_races_forget(const Clock *host);
void stream_races_free(Allocation *);
/* For a buffer that host and device share: sets the bits of the bytes that pending work accesses
 * (Allocation.unsettled, in_use). */
void stream_races_unsettle(Allocation *);
/* Returns pending work that writes this byte or, with `writes` false, reads it; NULL: none is
 * known. */
typedef struct StreamTouch StreamTouch;
const StreamTouch *stream_races_at(const Allocation *, uint64_t offset, bool writes);
/* Fills in the action of the work, such as "cudaMemcpyAsync writes it, in stream 1", and the place
 * of the call. */
void stream_races_say(const StreamTouch *, bool writes, ReportPlace *, CallSite *);

#endif
