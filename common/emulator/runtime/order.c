/* Keeps track of the order in which a GPU is guaranteed to execute the work in streams.
 *
 * The emulated device executes all work in the order of the calls, which is one of the orders that
 * a GPU may choose. Vector clocks (state/clock.h) describe which other orders are possible. The
 * clock of a stream covers all work that is certainly done when the next work in the stream begins:
 * the stream's own earlier work, the work that the host had waited for when it queued the next
 * work, and the work before the events that the stream waits for. The legacy default stream and all
 * other streams wait for each other, except for streams created with cudaStreamNonBlocking. The
 * host's clock covers the work that the host has waited for. All host threads share this clock,
 * because the order of their calls is unknown to the emulator. observe/stream_races.c compares the
 * clocks.
 *
 * In a program that creates no streams, the clocks are not used ("not tracked"). */
#include "runtime.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Timeline {
  bool live;
  /* The stream synchronises with the legacy default stream. */
  bool blocking;
  /* The number of the latest work of the stream. */
  uint32_t last;
  /* The value of `queued` when order_busy last returned true for this stream. */
  uint64_t told;
  /* The clock of the stream: the work that is ordered before the next work in the stream. */
  Clock known;
} Timeline;

/* The timelines of all streams. Index 0 is that of the legacy default stream. */
static Timeline *timelines;
static uint32_t ntimelines;
static Clock host;
static bool tracked;
/* `recorded`: number of event records so far. `waited`: the value of `recorded` when the host last
 * waited. If streams are tracked, the clocks are used in addition. */
static uint64_t recorded, waited;
/* `queued`: number of pieces of work so far. `waited_work`: the value of `queued` when the host
 * last waited. `answered_at`: the value of `queued` when order_busy last returned true, if streams
 * are not tracked. */
static uint64_t queued, waited_work, answered_at;
/* The current work is queued: on a GPU, the host continues while it runs. */
static bool queueing;
/* The current call returns only after its work has finished, although the work is queued. */
static bool returns_late;

static void new_timeline(void) {
  timelines = realloc(timelines, (ntimelines + 1) * sizeof *timelines);
  assert(timelines);
  timelines[ntimelines++] = (Timeline){.last = 0};
}

bool order_tracked(void) { return tracked && machine_settings()->checks; }

void order_track(void) {
  tracked = true;
  if (!ntimelines) {
    new_timeline();
    timelines[0].live = true;
  }
}

void emulator_track_streams(void) { order_track(); }

/* Returns the timeline of a new stream. Reuses the timeline of a destroyed stream if the host has
 * waited for all work of that stream. */
uint32_t order_stream(bool blocking) {
  uint32_t i = 1;
  order_track();
  while (i < ntimelines && (timelines[i].live || timelines[i].last > clock_at(&host, i)))
    i++;
  if (i == ntimelines)
    new_timeline();
  timelines[i].live = true;
  timelines[i].blocking = blocking;
  timelines[i].told = 0;
  clock_clear(&timelines[i].known);
  return i;
}

void order_stream_gone(uint32_t i) { timelines[i].live = false; }

/* Updates the clock of a stream before work is queued in it. Adds the work that the host has waited
 * for. For a blocking stream, adds the work of the legacy default stream; for the legacy default
 * stream, adds the work of all blocking streams. */
static Timeline *catch_up(cudaStream_t stream) {
  const uint32_t i = runtime_timeline(stream);
  Timeline *t = &timelines[i];
  clock_join(&t->known, &host);
  for (uint32_t k = 1; i == 0 && k < ntimelines; k++)
    if (timelines[k].blocking)
      clock_join(&t->known, &timelines[k].known);
  if (t->blocking)
    clock_join(&t->known, &timelines[0].known);
  return t;
}

/* ---- work ------------------------------------------------------------------------------------ */
void order_begin(cudaStream_t stream, StreamWork work) {
  queueing = true;
  returns_late = false;
  queued++;
  if (!order_tracked())
    return;
  Timeline *t = catch_up(stream);
  const uint32_t i = runtime_timeline(stream);
  work.stream = i;
  work.number = ++t->last;
  work.after = &t->known;
  work.defaults = i == 0;
  work.in_graph = runtime_is_branch(stream);
  work.apart = i != 0 && !t->blocking && !work.in_graph;
  clock_set(&t->known, i, t->last);
  runtime_stream_name(stream, work.where, sizeof work.where);
  stream_races_begin(&work);
}

void order_begin_waiting(StreamWork work) {
  order_begin(0, work);
  queueing = false;
}

bool order_queueing(void) { return queueing; }
void order_returns_late(void) { returns_late = true; }

cudaError_t order_end(cudaStream_t stream, cudaError_t error) {
  bool told = order_tracked() && stream_races_end(error == cudaSuccess);
  runtime_shared_memory_close();
  if (told || (queueing && returns_late))
    order_host_waits(stream);
  queueing = false;
  return error;
}

cudaError_t order_end_waiting(cudaError_t error, bool waits) {
  order_end(0, error);
  if (waits)
    order_host_waits(0);
  return error;
}

/* ---- waiting --------------------------------------------------------------------------------- */
static void host_waited(void) {
  waited = recorded;
  waited_work = queued;
  asynchrony_host_waited();
}

static void host_knows(const Clock *clock) {
  clock_join(&host, clock);
  stream_races_forget(&host);
  runtime_shared_memory_settle();
}

void order_host_waits(cudaStream_t stream) {
  host_waited();
  if (!order_tracked())
    runtime_shared_memory_settle();
  else if (runtime_stream_valid(stream))
    host_knows(runtime_timeline(stream) ? &timelines[runtime_timeline(stream)].known
                                        : &catch_up(stream)->known);
}

/* Called when a stream has reached a host function. The host function may notify other host code,
 * so from now on the host counts as having waited for the work before the function. */
void order_host_learns(cudaStream_t stream) {
  if (order_tracked())
    catch_up(stream);
  order_host_waits(stream);
}

void order_host_waits_for(const Clock *clock) {
  host_waited();
  if (!order_tracked())
    runtime_shared_memory_settle();
  else
    host_knows(clock);
}

void order_host_waits_for_all(void) {
  for (uint32_t i = 0; i < ntimelines; i++)
    clock_join(&host, &timelines[i].known);
  order_host_waits_for(&host);
}

OrderPlace order_latest(cudaStream_t stream) {
  const uint32_t i = runtime_timeline(stream);
  return (OrderPlace){.timeline = i, .number = timelines[i].last};
}

/* Records an event. The record counts as a piece of work in the stream. */
uint64_t order_record(cudaStream_t stream, Clock *clock) {
  if (order_tracked()) {
    Timeline *t = catch_up(stream);
    clock_set(&t->known, runtime_timeline(stream), ++t->last);
    clock_copy(clock, &t->known);
  }
  return ++recorded;
}

static bool host_has_seen(const Clock *clock) {
  bool seen = true;
  for (uint32_t i = 0; i < clock->size; i++)
    seen = seen && clock_at(clock, i) <= clock_at(&host, i);
  return seen;
}

bool order_host_knows(const Clock *clock, uint64_t number) {
  return number <= waited && host_has_seen(clock);
}

bool order_busy(cudaStream_t stream) {
  Timeline *t = order_tracked() ? &timelines[runtime_timeline(stream)] : NULL;
  uint64_t *answered = t ? &t->told : &answered_at;
  const bool done = !t                         ? waited_work == queued
                    : runtime_timeline(stream) ? host_has_seen(&t->known)
                                               : host_has_seen(&catch_up(stream)->known);
  if (done || *answered == queued)
    return false;
  *answered = queued;
  return true;
}

void order_wait(cudaStream_t stream, const Clock *clock) {
  if (order_tracked())
    clock_join(&catch_up(stream)->known, clock);
}
