/* Races between streams: two pieces of work on the same bytes, one of which writes, that nothing orders.
 *
 * Work is a kernel, a copy, a memset; it runs here when it is queued, but what is said of it must not depend on that.
 * So each piece comes with a clock, which says how far the work of other streams is certainly done when it begins
 * (runtime/order.c), and with the bytes that it touches. It is compared with those pieces of other streams that touched
 * the same buffer and that its clock does not know to be done. What the host has waited for is forgotten, and so is what
 * later work of the same stream has touched again.
 */
#ifndef OBSERVE_STREAM_RACES_H
#define OBSERVE_STREAM_RACES_H

#include "../state/clock.h"
#include "report.h"
#include "touched.h"

typedef struct StreamWork {
  uint32_t stream, number; /* the stream's, in clocks; of the work in it */
  Clock *after;            /* what is done when it begins; learns of the order that was missing */
  const char *what;        /* "cudaMemcpyAsync", or the kernel's name */
  bool is_kernel;
  const char *verb; /* what it did to memory, where that is neither reading nor writing, or NULL */
  char where[28];   /* "stream 2", "the default stream" */
  bool defaults;    /* in a default stream */
  bool apart;       /* the stream does not wait for the default one */
  bool in_graph;    /* a node of a graph */
} StreamWork;

/* The work that is queued now; `what` and `after` are needed until it ends. */
void stream_races_begin(const StreamWork *);
/* It touches [address, address + bytes); nothing is looked at before it ends. Nobody's work: no effect. */
void stream_races_touch(Allocation *, TouchWay, uint64_t address, size_t bytes);
/* It was a kernel: it touched what that touched. */
void stream_races_kernel(void);
/* Its races are reported, and it is remembered; or it came to nothing. true: it may have told the host how far the
 * stream has come, by what it changed in pinned memory. */
bool stream_races_end(bool done);

/* The host has waited so far. */
void stream_races_forget(const Clock *host);
void stream_races_free(Allocation *);
/* What of a buffer that both sides share the host has to wait for, once more: bits in its maps. */
void stream_races_unsettle(Allocation *);
/* Who writes there, or reads, without having been waited for; NULL: nobody is known. */
typedef struct StreamTouch StreamTouch;
const StreamTouch *stream_races_at(const Allocation *, uint64_t offset, bool writes);
/* "cudaMemcpyAsync in stream 1 writes it", and where it was called. */
void stream_races_say(const StreamTouch *, bool writes, ReportPlace *, CallSite *);

#endif
