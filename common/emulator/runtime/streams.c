/* Streams. All work is done when it is queued, in the order in which the program queues it: one of
 * the orders that a GPU may choose. So waiting for a stream is easy; what remains is to know which
 * handles are good.
 */
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>

struct CUstream_st {
  unsigned flags;
  int priority;
  unsigned long long id;
  bool live;
  struct CUstream_st
      *next; /* destroyed ones stay in the list, so that stale handles are recognised */
};

static struct CUstream_st *streams;

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

static cudaError_t create(cudaStream_t *out, unsigned flags, int priority) {
  static unsigned long long last_id = 16;
  if (!out || flags > cudaStreamNonBlocking)
    return cudaErrorInvalidValue;
  cudaStream_t stream = malloc(sizeof *stream);
  if (!stream)
    return cudaErrorMemoryAllocation;
  *stream = (struct CUstream_st){flags, priority, ++last_id, true, streams};
  streams = *out = stream;
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  RUNTIME_CALL(create(stream, cudaStreamDefault, 0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  RUNTIME_CALL(create(stream, flags, 0));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  RUNTIME_CALL(create(stream, flags, priority));
}

static cudaError_t checked(cudaStream_t stream) {
  return runtime_stream_valid(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static cudaError_t destroy(cudaStream_t stream) {
  if (predefined(stream) || !runtime_stream_valid(stream))
    return cudaErrorInvalidResourceHandle;
  stream->live = false;
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) { RUNTIME_CALL(destroy(stream)); }

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { RUNTIME_SYNC(checked(stream)); }
RUNTIME_ALIAS(cudaStreamSynchronize, _ptsz);

cudaError_t cudaStreamQuery(cudaStream_t stream) { RUNTIME_SYNC(checked(stream)); }
RUNTIME_ALIAS(cudaStreamQuery, _ptsz);

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  RUNTIME_CALL(event && flags <= 1 ? checked(stream) : cudaErrorInvalidValue);
}
RUNTIME_ALIAS(cudaStreamWaitEvent, _ptsz);

/* ---- questions ------------------------------------------------------------------------------- */
/* One of the four facts about a stream. */
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

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  RUNTIME_CALL(ask(stream, NULL, NULL, device, NULL));
}
RUNTIME_ALIAS(cudaStreamGetDevice, _ptsz);

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  RUNTIME_CALL(ask(stream, NULL, NULL, NULL, id));
}
RUNTIME_ALIAS(cudaStreamGetId, _ptsz);

/* ---- host functions in a stream: everything before them is done, so they run at once --------- */
/* They run without the lock, because they may wait for threads that call the runtime; and what was
 * queued before them they need not wait for. */
static void host_function_done(void) {
  runtime_enter();
  runtime_shared_memory_close();
  runtime_leave(__func__, cudaSuccess);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags) {
  runtime_enter();
  cudaError_t error = runtime_sticky(), status = runtime_pending();
  if (!error && (!callback || flags))
    error = cudaErrorInvalidValue;
  if (!error)
    error = checked(stream);
  runtime_shared_memory_open();
  runtime_leave(__func__, error);
  if (!error)
    callback(stream, status, data);
  host_function_done();
  return error;
}
RUNTIME_ALIAS(cudaStreamAddCallback, _ptsz);

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  runtime_enter();
  cudaError_t error = runtime_sticky();
  bool skipped = runtime_pending() != cudaSuccess;
  if (!error && !function)
    error = cudaErrorInvalidValue;
  if (!error)
    error = checked(stream);
  runtime_shared_memory_open();
  runtime_leave(__func__, error);
  if (!error && !skipped)
    function(data);
  host_function_done();
  return error;
}
RUNTIME_ALIAS(cudaLaunchHostFunc, _ptsz);
