/* Implements the API functions for events. cudaEventElapsedTime returns the host's wall-clock time
 * between the records of two events. This is the duration of the emulation, which is unrelated to
 * the time on a GPU. An event is pending until the host has waited for it. For a pending event,
 * cudaEventElapsedTime returns cudaErrorNotReady, as on a GPU. */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct CUevent_st {
  bool live, timed, recorded;
  /* The number of the event's record among the work of its stream, if streams are tracked. */
  OrderPlace place;
  /* Number of kernel launches before the event was recorded. */
  uint64_t launches;
  struct timespec at;
  /* The work that has certainly finished when the event happens. */
  Clock clock;
  /* The sequence number of the event's record among the records of all events. */
  uint64_t number;
  /* The call that requested the event's time before the event had happened; NULL: there was no such
   * call. */
  CallSite *early;
  /* cudaEventQuery has returned cudaErrorNotReady for this event. */
  bool polled;
  /* The capture state, if the event was recorded in a capturing stream. */
  CapturePoint captured;
  /* Destroyed events stay in the list, so that stale handles are recognised. */
  struct CUevent_st *next;
};

static struct CUevent_st *events;
static LeftBehind left = {.what = "events", .remedy = "cudaEventDestroy"};

/* The latest kernel launches, if streams are tracked. */
enum { LAUNCHES_KEPT = 64 };
typedef struct Launched {
  OrderPlace place;
  double seconds;
  CallSite site;
  char kernel[80];
} Launched;
static Launched launches[LAUNCHES_KEPT];
static uint64_t nlaunches;

void runtime_events_launched(cudaStream_t stream, const char *kernel, double seconds) {
  Launched *l = &launches[nlaunches++ % LAUNCHES_KEPT];
  l->place = order_latest(stream);
  l->seconds = seconds;
  snprintf(l->kernel, sizeof l->kernel, "%s", kernel);
  call_site(&l->site);
}

static bool valid(cudaEvent_t event) {
  for (cudaEvent_t each = events; each; each = each->next)
    if (each == event)
      return each->live;
  return false;
}

static cudaError_t create(cudaEvent_t *out, unsigned flags) {
  if (!out || flags > 7)
    return cudaErrorInvalidValue;
  cudaEvent_t event = malloc(sizeof *event);
  if (!event)
    return cudaErrorMemoryAllocation;
  *event =
      (struct CUevent_st){.live = true, .timed = !(flags & cudaEventDisableTiming), .next = events};
  events = *out = event;
  left_behind_made(&left);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { RUNTIME_CALL(create(event, cudaEventDefault)); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  RUNTIME_CALL(create(event, flags));
}

static void report_early(cudaEvent_t event) {
  if (!event->early)
    return;
  Report r = not_on_a_gpu(NOT_ON_A_GPU_EVENT_EARLY);
  snprintf(r.sentence, sizeof r.sentence,
           "cudaEventElapsedTime returned cudaErrorNotReady and no time: the host has not waited "
           "for the event");
  strcpy(r.at.did, "called here");
  report_file_from(&r, event->early, NULL);
  free(event->early);
  event->early = NULL;
}

void runtime_report_early_events(void) {
  for (cudaEvent_t each = events; each; each = each->next)
    report_early(each);
}

cudaError_t runtime_event_record(cudaEvent_t event, cudaStream_t stream) {
  if (!valid(event) || !runtime_stream_valid(stream))
    return cudaErrorInvalidResourceHandle;
  if (capture_takes(stream))
    return capture_record(stream, &event->captured);
  event->captured.capture = NULL;
  report_early(event);
  event->recorded = true;
  event->polled = false;
  event->number = order_record(stream, &event->clock);
  event->launches = nlaunches;
  event->place = order_tracked() ? order_latest(stream) : (OrderPlace){0};
  asynchrony_event_recorded();
  clock_gettime(CLOCK_MONOTONIC, &event->at);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  RUNTIME_CALL(runtime_event_record(event, stream));
}
RUNTIME_ALIAS(cudaEventRecord, _ptsz);

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  RUNTIME_CALL(flags <= cudaEventRecordExternal ? runtime_event_record(event, stream)
                                                : cudaErrorInvalidValue);
}
RUNTIME_ALIAS(cudaEventRecordWithFlags, _ptsz);

static cudaError_t waited_for(cudaEvent_t event) {
  if (!valid(event))
    return cudaErrorInvalidResourceHandle;
  if (capture_holds(&event->captured))
    return cudaErrorCapturedEvent;
  order_host_waits_for(&event->clock);
  return cudaSuccess;
}

static bool happened(cudaEvent_t event) { return order_host_knows(&event->clock, event->number); }

/* Returns true if the event has not happened. After one such query, further queries wait for the
 * event, so that a program that polls can continue. */
static bool busy(cudaEvent_t event) {
  if (!valid(event) || capture_holds(&event->captured) || event->polled || happened(event))
    return false;
  return event->polled = true;
}

cudaError_t cudaEventQuery(cudaEvent_t event) { RUNTIME_QUERY(busy(event), waited_for(event)); }
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  RUNTIME_SYNC((asynchrony_asked_to_wait(), waited_for(event)));
}

cudaError_t runtime_event_wait(cudaStream_t stream, cudaEvent_t event) {
  if (!event)
    return cudaErrorInvalidValue;
  if (!runtime_stream_valid(stream))
    return cudaErrorInvalidResourceHandle;
  if (valid(event) && (capture_takes(stream) || capture_holds(&event->captured)))
    return capture_wait(stream, &event->captured);
  if (valid(event))
    order_wait(stream, &event->clock);
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  RUNTIME_CALL(flags > 1 ? cudaErrorInvalidValue : runtime_event_wait(stream, event));
}
RUNTIME_ALIAS(cudaStreamWaitEvent, _ptsz);

static cudaError_t destroy(cudaEvent_t event) {
  if (!valid(event))
    return cudaErrorInvalidResourceHandle;
  event->live = false;
  left.count--;
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) { RUNTIME_CALL(destroy(event)); }

/* Called if the program requests the time of an event that has not happened. The second request for
 * the same event counts as polling, and polling counts as waiting. */
static cudaError_t not_ready(cudaEvent_t event) {
  if (event->early) {
    waited_for(event);
    return cudaSuccess;
  }
  event->early = malloc(sizeof *event->early);
  if (event->early)
    call_site(event->early);
  return cudaErrorNotReady;
}

/* Warns that two events do not measure a kernel: the kernel is in another stream for which the
 * events' stream does not wait, and no work was queued in the events' stream between the two
 * events. */
static void warn_of_elsewhere(const Launched *l) {
  Report r = not_on_a_gpu(NOT_ON_A_GPU_EVENT_ELSEWHERE);
  CallSite here;
  call_site(&here);
  r.kernel = l->kernel;
  snprintf(r.sentence, sizeof r.sentence,
           "the time between two events leaves out the kernel, which is in another stream");
  strcpy(r.at.did, "asked for the time here");
  strcpy(r.other.did, "launched here");
  report_file_from(&r, &here, &l->site);
}

/* Returns the total duration in seconds of the kernels that were launched between two events, but
 * for which the events' stream does not wait. On a GPU these kernels run concurrently with this
 * stream. */
static double elsewhere(cudaEvent_t start, cudaEvent_t end) {
  const Launched *last = NULL;
  double seconds = 0;
  bool waits = false;
  if (!order_tracked() || start->launches + LAUNCHES_KEPT < nlaunches)
    return 0;
  for (uint64_t n = start->launches; n < end->launches; n++) {
    const Launched *l = &launches[n % LAUNCHES_KEPT];
    if (clock_at(&end->clock, l->place.timeline) >= l->place.number) {
      waits = true;
      continue;
    }
    seconds += l->seconds;
    last = l;
  }
  if (last && !waits && start->place.timeline == end->place.timeline &&
      start->place.number + 1 == end->place.number)
    warn_of_elsewhere(last);
  return seconds;
}

static cudaError_t elapsed(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (!milliseconds)
    return cudaErrorInvalidValue;
  if (!valid(start) || !valid(end))
    return cudaErrorInvalidResourceHandle;
  if (!start->recorded || !end->recorded || !start->timed || !end->timed)
    return cudaErrorInvalidResourceHandle;
  cudaEvent_t early = !happened(end) ? end : !happened(start) ? start : NULL;
  if (early && not_ready(early))
    return cudaErrorNotReady;
  free(end->early);
  free(start->early);
  end->early = start->early = NULL;
  double seconds = difftime(end->at.tv_sec, start->at.tv_sec);
  seconds += 1e-9 * (double)(end->at.tv_nsec - start->at.tv_nsec);
  const double without = seconds - elsewhere(start, end);
  *milliseconds = (float)(1e3 * (without > 0 || seconds < 0 ? without : 0));
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
  RUNTIME_CALL(elapsed(milliseconds, start, end));
}
