/* Races between streams: two pieces of work access the same bytes, at least one writes, and nothing
 * orders them.
 *
 * A piece of work is a kernel, a copy or a memset. It is executed here when it is queued, but the
 * reports must not depend on that. So each piece has a clock, which says how much work of each
 * stream is certainly done when it begins (runtime/order.c), and the set of bytes that it accesses.
 * It is compared with those pieces of other streams that accessed the same buffer and that its
 * clock does not cover. Work that the host has waited for is forgotten, and so are bytes that later
 * work of the same stream has accessed again. */
#ifndef OBSERVE_STREAM_RACES_H
#define OBSERVE_STREAM_RACES_H

#include "../state/clock.h"
#include "report.h"
#include "touched.h"

typedef struct StreamWork {
  /* The stream's number in clocks, and the number of the work in the stream. */
  uint32_t stream, number;
  /* The work that is done when this work begins. Extended by the order whose absence was reported.
   */
  Clock *after;
  /* "cudaMemcpyAsync", or the kernel's name. */
  const char *what;
  bool is_kernel;
  /* A verb for its access, if that is neither reading nor writing; otherwise NULL. */
  const char *verb;
  /* "stream 2", "the default stream". */
  char where[28];
  /* In a default stream. */
  bool defaults;
  /* The stream does not wait for the default stream. */
  bool apart;
  /* A node of a graph. */
  bool in_graph;
} StreamWork;

/* Starts a piece of work. `what` and `after` must stay valid until it ends. */
void stream_races_begin(const StreamWork *);
/* Records that the current work accesses [address, address + bytes). Nothing is checked until it
 * ends. No effect without current work. */
void stream_races_touch(Allocation *, TouchWay, uint64_t address, size_t bytes);
/* The work is a kernel: adds what the kernel accessed. */
void stream_races_kernel(void);
/* Ends the work: reports its races and remembers it. With `done` false it is dropped. Returns true
 * if it changed pinned memory atomically, so that it may have told the host the progress of the
 * stream. */
bool stream_races_end(bool done);

/* The host has waited for the work in `host`. */
void stream_races_forget(const Clock *host);
void stream_races_free(Allocation *);
/* Sets the bits of pending bytes in the maps of a buffer that host and device share
 * (Allocation.unsettled, in_use). */
void stream_races_unsettle(Allocation *);
/* The pending work that writes, or accesses, this byte; NULL: none is known. */
typedef struct StreamTouch StreamTouch;
const StreamTouch *stream_races_at(const Allocation *, uint64_t offset, bool writes);
/* Fills in what the work did, such as "cudaMemcpyAsync in stream 1 writes it", and where it was
 * called. */
void stream_races_say(const StreamTouch *, bool writes, ReportPlace *, CallSite *);

#endif
