/* Implements the API functions for streams. All work is executed when it is queued, in the order of
 * the program's calls, which is one of the orders that a GPU may choose. Therefore waiting for a
 * stream only changes the data of order.c. This file stores the existing streams and their
 * properties. */
#include "runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAST_GIVEN_ID = 16 }; /* ids up to this one are for the predefined streams */

struct CUstream_st {
  unsigned flags;
  int priority;
  unsigned long long id;
  uint32_t timeline;
  bool live;
  /* The stream runs a branch of a launched graph, so the program has no handle of the stream. */
  bool branch;
  CapturePoint capture;
  /* Destroyed streams stay in the list, so that stale handles are recognised. */
  struct CUstream_st *next;
};

static struct CUstream_st *streams;
static LeftBehind left = {.what = "streams", .remedy = "cudaStreamDestroy"};

static bool predefined(cudaStream_t stream) {
  return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool runtime_stream_valid(cudaStream_t stream) {
  if (predefined(stream))
    return true;
  for (cudaStream_t each = streams; each; each = each->next)
    if (each == stream)
      return each->live;
  return false;
}

cudaError_t runtime_stream_create(cudaStream_t *out, unsigned flags, int priority) {
  static unsigned long long last_id = LAST_GIVEN_ID;
  if (!out || flags > cudaStreamNonBlocking)
    return cudaErrorInvalidValue;
  cudaStream_t stream = malloc(sizeof *stream);
  if (!stream)
    return cudaErrorMemoryAllocation;
  uint32_t timeline = order_stream(flags != cudaStreamNonBlocking);
  *stream = (struct CUstream_st){.flags = flags,
                                 .priority = priority,
                                 .id = ++last_id,
                                 .timeline = timeline,
                                 .live = true,
                                 .next = streams};
  streams = *out = stream;
  left_behind_made(&left);
  return cudaSuccess;
}

cudaError_t emulator_create_stream(const char *call, cudaStream_t *stream, unsigned flags,
                                   int priority) {
  runtime_enter();
  return runtime_leave(call, runtime_refuses(call)
                                 ? runtime_refusal()
                                 : runtime_stream_create(stream, flags, priority));
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  RUNTIME_CALL(runtime_stream_create(stream, cudaStreamDefault, 0));
}

static cudaError_t checked(cudaStream_t stream) {
  return runtime_stream_valid(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static cudaError_t destroy(cudaStream_t stream) {
  if (predefined(stream) || !runtime_stream_valid(stream))
    return cudaErrorInvalidResourceHandle;
  stream->live = false;
  left.count--;
  order_stream_gone(stream->timeline);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) { RUNTIME_CALL(destroy(stream)); }

static cudaError_t waited_for(cudaStream_t stream) {
  if (runtime_stream_valid(stream) && capture_takes(stream))
    return capture_refuses(stream);
  order_host_waits(stream);
  return checked(stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  RUNTIME_SYNC((asynchrony_asked_to_wait(), waited_for(stream)));
}
RUNTIME_ALIAS(cudaStreamSynchronize, _ptsz);

static bool busy(cudaStream_t stream) {
  return runtime_stream_valid(stream) && !capture_takes(stream) && order_busy(stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  RUNTIME_QUERY(busy(stream), waited_for(stream));
}
RUNTIME_ALIAS(cudaStreamQuery, _ptsz);

/* Returns the timeline of the per-thread default stream of the calling host thread. */
static uint32_t timeline_of_thread(void) {
  static _Thread_local uint32_t timeline;
  if (!timeline)
    timeline = order_stream(true);
  return timeline;
}

uint32_t runtime_timeline(cudaStream_t stream) {
  return stream == cudaStreamPerThread ? timeline_of_thread()
         : predefined(stream)          ? 0
                                       : stream->timeline;
}

void runtime_stream_name(cudaStream_t stream, char *out, size_t size) {
  if (runtime_is_branch(stream))
    snprintf(out, size, "a branch of a graph");
  else if (stream == cudaStreamPerThread)
    snprintf(out, size, "the thread's default stream");
  else if (predefined(stream))
    snprintf(out, size, "the default stream");
  else
    snprintf(out, size, "stream %llu", stream->id - LAST_GIVEN_ID);
}

/* ---- captures and graphs --------------------------------------------------------------------- */
CapturePoint *runtime_capture_point(cudaStream_t stream) {
  return predefined(stream) ? NULL : &stream->capture;
}

void runtime_each_capture_point(void (*work)(CapturePoint *, void *), void *data) {
  for (cudaStream_t each = streams; each; each = each->next)
    work(&each->capture, data);
}

bool runtime_is_default(cudaStream_t stream) { return !stream || stream == cudaStreamLegacy; }

bool runtime_blocking_captures(void) {
  for (cudaStream_t each = streams; each; each = each->next)
    if (each->live && each->capture.capture && each->flags != cudaStreamNonBlocking)
      return true;
  return false;
}

cudaStream_t runtime_branch(uint32_t i) {
  static cudaStream_t *branches;
  static uint32_t count;
  cudaStream_t *more = i < count ? branches : realloc(branches, (i + 1) * sizeof *more);
  for (branches = more ? more : branches; more && count <= i; count++) {
    if (runtime_stream_create(&branches[count], cudaStreamNonBlocking, 0))
      return NULL;
    branches[count]->branch = true;
  }
  return more ? branches[i] : NULL;
}

bool runtime_is_branch(cudaStream_t stream) { return !predefined(stream) && stream->branch; }

/* ---- queries --------------------------------------------------------------------------------- */
/* Stores properties of a stream through the pointers that are not NULL. */
static cudaError_t ask(cudaStream_t stream, unsigned *flags, int *priority, int *device,
                       unsigned long long *id) {
  if (!flags && !priority && !device && !id)
    return cudaErrorInvalidValue;
  if (checked(stream))
    return cudaErrorInvalidResourceHandle;
  bool given = predefined(stream);
  if (flags)
    *flags = given ? cudaStreamDefault : stream->flags;
  if (priority)
    *priority = given ? 0 : stream->priority;
  if (device)
    *device = 0;
  if (id)
    *id = given ? (unsigned long long)(uintptr_t)stream : stream->id;
  return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  RUNTIME_CALL(ask(stream, flags, NULL, NULL, NULL));
}
RUNTIME_ALIAS(cudaStreamGetFlags, _ptsz);

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  RUNTIME_CALL(ask(stream, NULL, priority, NULL, NULL));
}
RUNTIME_ALIAS(cudaStreamGetPriority, _ptsz);

/* A stream attribute that the program has set. It has no effect, but the program can query it. */
typedef struct Hint {
  cudaStream_t stream;
  cudaStreamAttrID attribute;
  cudaStreamAttrValue value;
  struct Hint *next;
} Hint;
static Hint *hints;

static bool is_hint(cudaStreamAttrID attribute) {
  return attribute == cudaStreamAttributeAccessPolicyWindow ||
         attribute == cudaStreamAttributeSynchronizationPolicy;
}

static Hint *hint_of(cudaStream_t stream, cudaStreamAttrID attribute) {
  for (Hint *each = hints; each; each = each->next)
    if (each->stream == stream && each->attribute == attribute)
      return each;
  return NULL;
}

static cudaError_t set_hint(cudaStream_t stream, cudaStreamAttrID attribute,
                            const cudaStreamAttrValue *value) {
  if (!runtime_stream_valid(stream))
    return cudaErrorInvalidResourceHandle;
  if (!value || !is_hint(attribute))
    return cudaErrorInvalidValue;
  Hint *hint = hint_of(stream, attribute);
  if (!hint) {
    hint = calloc(1, sizeof *hint);
    if (!hint)
      return cudaErrorMemoryAllocation;
    *hint = (Hint){.stream = stream, .attribute = attribute, .next = hints};
    hints = hint;
  }
  hint->value = *value;
  return cudaSuccess;
}

static cudaError_t get_hint(cudaStream_t stream, cudaStreamAttrID attribute,
                            cudaStreamAttrValue *value) {
  if (!value)
    return cudaErrorInvalidValue;
  *value = (cudaStreamAttrValue){0};
  if (attribute == cudaStreamAttributePriority)
    return ask(stream, NULL, &value->priority, NULL, NULL);
  if (!runtime_stream_valid(stream))
    return cudaErrorInvalidResourceHandle;
  const Hint *hint = hint_of(stream, attribute);
  if (hint)
    *value = hint->value;
  else if (attribute == cudaStreamAttributeSynchronizationPolicy)
    value->syncPolicy = cudaSyncPolicyAuto;
  return is_hint(attribute) ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t copy_hints(cudaStream_t to, cudaStream_t from) {
  const cudaStreamAttrID all[] = {cudaStreamAttributeAccessPolicyWindow,
                                  cudaStreamAttributeSynchronizationPolicy};
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < sizeof all / sizeof *all && !error; i++) {
    cudaStreamAttrValue value;
    error = get_hint(from, all[i], &value);
    if (!error)
      error = set_hint(to, all[i], &value);
  }
  return error;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue *value) {
  RUNTIME_CALL(set_hint(stream, attribute, value));
}
RUNTIME_ALIAS(cudaStreamSetAttribute, _ptsz);

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue *value) {
  RUNTIME_CALL(get_hint(stream, attribute, value));
}
RUNTIME_ALIAS(cudaStreamGetAttribute, _ptsz);

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  RUNTIME_CALL(copy_hints(to, from));
}
RUNTIME_ALIAS(cudaStreamCopyAttributes, _ptsz);

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  RUNTIME_CALL(ask(stream, NULL, NULL, device, NULL));
}
RUNTIME_ALIAS(cudaStreamGetDevice, _ptsz);

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  RUNTIME_CALL(ask(stream, NULL, NULL, NULL, id));
}
RUNTIME_ALIAS(cudaStreamGetId, _ptsz);

/* ---- host functions in a stream: all work before them is done, so they run immediately ------- */
/* A host function runs without the lock, because it may wait for a thread that calls the runtime.
 * When the function runs, the host counts as having waited for the work before it: the function may
 * notify other host code through a flag or a lock, and the emulator cannot detect this. */

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags) {
  runtime_enter();
  cudaError_t error = runtime_sticky(), status = runtime_pending();
  if (!error && (!callback || flags))
    error = cudaErrorInvalidValue;
  if (!error)
    error = checked(stream);
  if (!error)
    order_host_learns(stream);
  runtime_leave(__func__, error);
  if (!error) {
    runtime_in_host_function(true);
    callback(stream, status, data);
    runtime_in_host_function(false);
  }
  return error;
}
RUNTIME_ALIAS(cudaStreamAddCallback, _ptsz);

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  runtime_enter();
  cudaError_t error = runtime_sticky();
  bool skipped = runtime_pending() != cudaSuccess;
  if (!error && function && runtime_stream_valid(stream) && capture_takes(stream))
    return runtime_leave(__func__, capture_host(stream, function, data));
  if (!error && !function)
    error = cudaErrorInvalidValue;
  if (!error)
    error = checked(stream);
  if (!error)
    order_host_learns(stream);
  runtime_leave(__func__, error);
  if (!error && !skipped) {
    runtime_in_host_function(true);
    function(data);
    runtime_in_host_function(false);
  }
  return error;
}
RUNTIME_ALIAS(cudaLaunchHostFunc, _ptsz);
