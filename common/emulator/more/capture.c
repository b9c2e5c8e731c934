/* Stream capture: work that is queued in a capturing stream is not executed, but becomes nodes of a
 * graph.
 *
 * A capturing stream has a list of nodes on which its next node depends (CapturePoint.latest).
 * cudaEventRecord copies this list to the event. A stream that waits for such an event becomes part
 * of the capture, and its next node depends on the nodes in the list. cudaStreamEndCapture returns
 * the graph. Before that, the first stream must have waited for all other streams of the capture.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "graphs.h"

struct Capture {
  cudaGraph_t graph;
  cudaStream_t origin;
  enum cudaStreamCaptureMode mode;
  pthread_t thread;
  unsigned long long id;
  /* given: the nodes are added to a graph that the program passed. */
  bool invalid, given;
  /* Captures that have ended stay in the list, because events refer to them. */
  Capture *earlier;
};
static Capture *all_captures;

static size_t captures; /* the number of active captures */

/* ---- is a stream capturing ------------------------------------------------------------------- */
/* Returns true for the legacy default stream during a capture. Work in this stream would wait for
 * the capturing stream. */
static bool meets_default(cudaStream_t stream) { return runtime_is_default(stream) && captures; }

bool capture_takes(cudaStream_t stream) {
  if (!captures)
    return false;
  CapturePoint *point = runtime_capture_point(stream);
  return point ? point->capture != NULL : meets_default(stream) && runtime_blocking_captures();
}

cudaError_t capture_refuses(cudaStream_t stream) {
  CapturePoint *point = runtime_capture_point(stream);
  if (point && point->capture)
    point->capture->invalid = true;
  for (Capture *each = point ? NULL : all_captures; each; each = each->earlier)
    each->invalid |= each->id != 0;
  return point ? cudaErrorStreamCaptureUnsupported : cudaErrorStreamCaptureImplicit;
}

bool capture_forbids_waiting(void) {
  bool forbidden = false;
  for (Capture *each = captures ? all_captures : NULL; each; each = each->earlier)
    if (each->id && (each->mode == cudaStreamCaptureModeGlobal ||
                     (each->mode == cudaStreamCaptureModeThreadLocal &&
                      pthread_equal(each->thread, pthread_self()))))
      each->invalid = forbidden = true;
  return forbidden;
}

/* ---- nodes ----------------------------------------------------------------------------------- */
static bool list_copy(NodeList *to, const NodeList *from) {
  to->count = 0;
  for (size_t i = 0; i < from->count; i++)
    if (!graph_list_add(to, from->at[i]))
      return false;
  return true;
}

cudaError_t capture_add(cudaStream_t stream, enum cudaGraphNodeType type, NodeWork work) {
  cudaGraphNode_t node;
  CapturePoint *point = runtime_capture_point(stream);
  cudaError_t error = !point                    ? capture_refuses(stream)
                      : point->capture->invalid ? cudaErrorStreamCaptureInvalidated
                                                : cudaSuccess;
  if (error) {
    if (type == cudaGraphNodeTypeKernel)
      free(work.kernel.arguments);
    return error;
  }
  error =
      graph_add(&node, point->capture->graph, point->latest.at, point->latest.count, type, work);
  if (error) {
    point->capture->invalid = true;
    return error;
  }
  point->latest.count = 0;
  return graph_list_add(&point->latest, node) ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t capture_copy(cudaStream_t stream, void *to, size_t to_pitch, const void *from,
                         size_t from_pitch, size_t width, size_t rows, enum cudaMemcpyKind kind) {
  return capture_add(
      stream, cudaGraphNodeTypeMemcpy,
      (NodeWork){.copy = runtime_rows(to, to_pitch, from, from_pitch, width, rows, kind)});
}

cudaError_t capture_copy_3d(cudaStream_t stream, const struct cudaMemcpy3DParms *copy) {
  return copy ? capture_add(stream, cudaGraphNodeTypeMemcpy, (NodeWork){.copy = *copy})
              : cudaErrorInvalidValue;
}

cudaError_t capture_set(cudaStream_t stream, const struct cudaMemsetParams *set) {
  return capture_add(stream, cudaGraphNodeTypeMemset, (NodeWork){.set = *set});
}

cudaError_t capture_kernel(cudaStream_t stream, const KernelCall *call) {
  return capture_add(stream, cudaGraphNodeTypeKernel, (NodeWork){.kernel = *call});
}

cudaError_t capture_host(cudaStream_t stream, cudaHostFn_t function, void *data) {
  return capture_add(stream, cudaGraphNodeTypeHost, (NodeWork){.host = {function, data}});
}

cudaError_t capture_memory(cudaStream_t stream, void *memory, size_t bytes, bool frees) {
  if (frees)
    graph_lets_go(memory);
  return frees ? capture_add(stream, cudaGraphNodeTypeMemFree, (NodeWork){.freed = {memory}})
               : capture_add(stream, cudaGraphNodeTypeMemAlloc,
                             (NodeWork){.allocated = {memory, bytes, false, false}});
}

/* ---- events carry it from stream to stream --------------------------------------------------- */
cudaError_t capture_record(cudaStream_t stream, CapturePoint *event) {
  CapturePoint *point = runtime_capture_point(stream);
  if (!point)
    return capture_refuses(stream);
  event->capture = point->capture;
  event->id = point->capture->id;
  return list_copy(&event->latest, &point->latest) ? cudaSuccess : cudaErrorMemoryAllocation;
}

static bool goes_on(const CapturePoint *event) {
  return captures && event->capture && event->id == event->capture->id;
}

bool capture_holds(const CapturePoint *event) { return goes_on(event); }

cudaError_t capture_wait(cudaStream_t stream, const CapturePoint *event) {
  CapturePoint *point = runtime_capture_point(stream);
  if (!point)
    return capture_refuses(stream);
  if (!goes_on(event))
    return point->capture->invalid = true, cudaErrorStreamCaptureIsolation;
  if (point->capture && point->capture != event->capture)
    return point->capture->invalid = true, cudaErrorStreamCaptureMerge;
  if (!point->capture)
    *point = (CapturePoint){.capture = event->capture, .id = event->id};
  for (size_t i = 0; i < event->latest.count; i++)
    if (!graph_list_has(&point->latest, event->latest.at[i]) &&
        !graph_list_add(&point->latest, event->latest.at[i]))
      return cudaErrorMemoryAllocation;
  return cudaSuccess;
}

/* ---- begin and end --------------------------------------------------------------------------- */
static cudaError_t begin(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after,
                         size_t count, enum cudaStreamCaptureMode mode) {
  static unsigned long long last_id;
  CapturePoint *point = runtime_stream_valid(stream) ? runtime_capture_point(stream) : NULL;
  if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  if (!point)
    return runtime_stream_valid(stream) ? cudaErrorStreamCaptureUnsupported
                                        : cudaErrorInvalidResourceHandle;
  if (point->capture)
    return cudaErrorIllegalState;
  Capture *capture = calloc(1, sizeof *capture);
  cudaGraph_t into = graph ? graph : graph_new();
  if (!capture || !into) {
    free(capture);
    return cudaErrorMemoryAllocation;
  }
  *capture =
      (Capture){into, stream, mode, pthread_self(), ++last_id, false, graph != NULL, all_captures};
  all_captures = capture;
  *point = (CapturePoint){.capture = capture, .id = last_id};
  for (size_t i = 0; i < count; i++)
    graph_list_add(&point->latest, after[i]);
  captures++;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  RUNTIME_CALL(begin(stream, NULL, NULL, 0, mode));
}
RUNTIME_ALIAS(cudaStreamBeginCapture, _ptsz);

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *data, size_t count,
                                          enum cudaStreamCaptureMode mode) {
  (void)data;
  RUNTIME_CALL(graph_valid(graph) ? begin(stream, graph, after, count, mode)
                                  : cudaErrorInvalidValue);
}
RUNTIME_ALIAS(cudaStreamBeginCaptureToGraph, _ptsz);

/* Returns true if the last nodes of the first stream depend, directly or indirectly, on all nodes
 * of the graph. */
static bool joined(const Capture *capture, const CapturePoint *end) {
  NodeList before = {NULL, 0};
  list_copy(&before, &end->latest);
  for (size_t i = 0; i < before.count; i++)
    for (size_t k = 0; k < before.at[i]->after.count; k++)
      if (!graph_list_has(&before, before.at[i]->after.at[k]))
        graph_list_add(&before, before.at[i]->after.at[k]);
  bool all = capture->given || before.count == capture->graph->nodes.count;
  free(before.at);
  return all;
}

static void leave(CapturePoint *point, void *capture) {
  if (point->capture != capture)
    return;
  free(point->latest.at);
  *point = (CapturePoint){.capture = NULL};
}

static cudaError_t end(cudaStream_t stream, cudaGraph_t *out) {
  CapturePoint *point = runtime_stream_valid(stream) ? runtime_capture_point(stream) : NULL;
  if (!out || !point || !point->capture)
    return !out ? cudaErrorInvalidValue : cudaErrorIllegalState;
  Capture *capture = point->capture;
  if (capture->origin != stream)
    return capture->invalid = true, cudaErrorStreamCaptureUnmatched;
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      !pthread_equal(capture->thread, pthread_self()))
    return cudaErrorStreamCaptureWrongThread;
  cudaError_t error = capture->invalid          ? cudaErrorStreamCaptureInvalidated
                      : !joined(capture, point) ? cudaErrorStreamCaptureUnjoined
                                                : cudaSuccess;
  *out = error ? NULL : capture->graph;
  if (error && !capture->given)
    graph_free(capture->graph);
  runtime_each_capture_point(leave, capture);
  captures--;
  capture->id = 0; /* 0 marks a capture that has ended, for events that refer to it */
  return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  RUNTIME_CALL(end(stream, graph));
}
RUNTIME_ALIAS(cudaStreamEndCapture, _ptsz);

/* ---- questions ------------------------------------------------------------------------------- */
static cudaError_t info(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                        unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **after,
                        const cudaGraphEdgeData **data, size_t *count) {
  CapturePoint *point = runtime_stream_valid(stream) ? runtime_capture_point(stream) : NULL;
  if (!status || !runtime_stream_valid(stream))
    return status ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
  const Capture *capture = point ? point->capture : NULL;
  *status = !capture           ? cudaStreamCaptureStatusNone
            : capture->invalid ? cudaStreamCaptureStatusInvalidated
                               : cudaStreamCaptureStatusActive;
  if (!capture)
    return meets_default(stream) ? cudaErrorStreamCaptureImplicit : cudaSuccess;
  if (id)
    *id = capture->id;
  if (graph)
    *graph = capture->graph;
  if (after)
    *after = point->latest.at;
  if (data)
    *data = NULL;
  if (count)
    *count = point->latest.count;
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  RUNTIME_CALL(info(stream, status, NULL, NULL, NULL, NULL, NULL));
}
RUNTIME_ALIAS(cudaStreamIsCapturing, _ptsz);

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **after, const cudaGraphEdgeData **data,
                                     size_t *count) {
  RUNTIME_CALL(info(stream, status, id, graph, after, data, count));
}
RUNTIME_ALIAS(cudaStreamGetCaptureInfo, _ptsz);

static cudaError_t update(cudaStream_t stream, const cudaGraphNode_t *after, size_t count,
                          unsigned flags) {
  CapturePoint *point = runtime_stream_valid(stream) ? runtime_capture_point(stream) : NULL;
  if (!point || !point->capture)
    return cudaErrorIllegalState;
  if (flags > cudaStreamSetCaptureDependencies)
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; i++)
    if (!graph_list_has(&point->capture->graph->nodes, after[i]))
      return cudaErrorInvalidValue;
  if (flags == cudaStreamSetCaptureDependencies)
    point->latest.count = 0;
  for (size_t i = 0; i < count; i++)
    if (!graph_list_has(&point->latest, after[i]) && !graph_list_add(&point->latest, after[i]))
      return cudaErrorMemoryAllocation;
  return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *after,
                                                const cudaGraphEdgeData *data, size_t count,
                                                unsigned flags) {
  (void)data;
  RUNTIME_CALL(update(stream, after, count, flags));
}
RUNTIME_ALIAS(cudaStreamUpdateCaptureDependencies, _ptsz);

/* Exchanges the capture mode of the calling thread. On a GPU, the mode determines which calls the
 * thread may make while other threads capture. The mode has no effect on the emulated device. */
static cudaError_t exchange(enum cudaStreamCaptureMode *mode) {
  static _Thread_local enum cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  enum cudaStreamCaptureMode before = current;
  current = *mode;
  *mode = before;
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
  RUNTIME_CALL(exchange(mode));
}
