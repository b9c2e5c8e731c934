/* The API functions that instantiate, update and launch executable graphs.
 *
 * The nodes are executed one after the other, in an order that agrees with the edges. For the
 * detection of races, each branch of the graph has its own timeline (runtime/order.c), and only the
 * edges order the work of different branches. */
#include <stdlib.h>
#include <string.h>

#include "graphs.h"

struct CUgraphExec_st {
  /* A copy of the program's graph, whose nodes are sorted. */
  cudaGraph_t graph;
  unsigned long long flags;
  bool live;
  /* Destroyed graphs stay in the list, so that stale handles are recognised. */
  struct CUgraphExec_st *next;
};

static cudaGraphExec_t execs;

static bool valid(cudaGraphExec_t exec) {
  for (cudaGraphExec_t each = execs; each; each = each->next)
    if (each == exec)
      return each->live;
  return false;
}

/* ---- from a graph to an executable one ------------------------------------------------------- */
/* Assigns each node to a branch. A node continues the branch of a node on which it depends, if that
 * node is the last one of its branch. Otherwise it begins a new branch. */
static void assign_branches(cudaGraph_t graph, uint32_t *branches) {
  NodeList *nodes = &graph->nodes;
  cudaGraphNode_t *last = calloc(nodes->count + 1, sizeof *last);
  uint32_t count = 0;
  for (size_t i = 0; last && i < nodes->count; i++) {
    cudaGraphNode_t node = nodes->at[i];
    node->branch = count;
    for (size_t k = 0; k < node->after.count; k++)
      if (last[node->after.at[k]->branch] == node->after.at[k])
        node->branch = node->after.at[k]->branch;
    count += node->branch == count;
    last[node->branch] = node;
  }
  free(last);
  *branches = count;
}

static bool prepare(cudaGraph_t graph, uint32_t *first) {
  uint32_t branches;
  if (!graph_sort(&graph->nodes))
    return false;
  assign_branches(graph, &branches);
  for (size_t i = 0; i < graph->nodes.count; i++)
    graph->nodes.at[i]->branch += *first;
  *first += branches;
  for (size_t i = 0; i < graph->nodes.count; i++)
    if (graph->nodes.at[i]->type == cudaGraphNodeTypeGraph &&
        !prepare(graph->nodes.at[i]->work.child, first))
      return false;
  return true;
}

static cudaError_t instantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags) {
  uint32_t branches = 0;
  if (!out || !graph_valid(graph))
    return cudaErrorInvalidValue;
  cudaGraphExec_t exec = calloc(1, sizeof *exec);
  cudaGraph_t copy = graph_copy(graph);
  if (!exec || !copy || !prepare(copy, &branches)) {
    cudaError_t error = exec && copy ? cudaErrorInvalidValue : cudaErrorMemoryAllocation;
    free(exec);
    graph_free(copy);
    return error;
  }
  *exec = (struct CUgraphExec_st){copy, flags, true, execs};
  execs = *out = exec;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  RUNTIME_CALL(instantiate(exec, graph, flags));
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  RUNTIME_CALL(instantiate(exec, graph, flags));
}

static cudaError_t destroy(cudaGraphExec_t exec) {
  if (!valid(exec))
    return cudaErrorInvalidValue;
  exec->live = false;
  graph_free(exec->graph);
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) { RUNTIME_CALL(destroy(exec)); }

static cudaError_t flags_of(cudaGraphExec_t exec, unsigned long long *flags) {
  if (!flags || !valid(exec))
    return cudaErrorInvalidValue;
  *flags = exec->flags;
  return cudaSuccess;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags) {
  RUNTIME_CALL(flags_of(exec, flags));
}

/* ---- a launch -------------------------------------------------------------------------------- */
static cudaError_t run_graph(cudaGraph_t, cudaStream_t, const Clock *start, Clock *done);

#define QUEUED(name, call)                                                                         \
  (order_begin(stream, (StreamWork){.what = (name)}), order_end(stream, (call)))

static cudaError_t run_work(cudaGraphNode_t node, cudaStream_t stream) {
  bool freed_before;
  switch (node->type) {
  case cudaGraphNodeTypeKernel:
    return runtime_run_kernel(&node->work.kernel, stream);
  case cudaGraphNodeTypeMemcpy:
    return QUEUED("cudaMemcpyAsync", runtime_copy_3d(&node->work.copy));
  case cudaGraphNodeTypeMemset:
    return QUEUED("cudaMemsetAsync", runtime_set(&node->work.set));
  case cudaGraphNodeTypeHost:
    order_host_learns(stream);
    runtime_in_host_function(true);
    node->work.host.fn(node->work.host.userData);
    runtime_in_host_function(false);
    return cudaSuccess;
  case cudaGraphNodeTypeEventRecord:
    return runtime_event_record(node->work.event, stream);
  case cudaGraphNodeTypeWaitEvent:
    return runtime_event_wait(stream, node->work.event);
  case cudaGraphNodeTypeMemAlloc:
    graph_gives(node->work.allocated.memory);
    return cudaSuccess;
  case cudaGraphNodeTypeMemFree:
    return graph_takes_back(node->work.freed.memory, &freed_before) && !freed_before
               ? cudaSuccess
               : runtime_release_queued(node->work.freed.memory, stream);
  default:
    return cudaSuccess;
  }
}

/* Returns the stream in which a node runs. If races between streams are not detected, this is the
 * stream of the launch for all branches. */
static cudaStream_t stream_of(cudaGraphNode_t node, cudaStream_t launched_in) {
  return order_tracked() ? runtime_branch(node->branch) : launched_in;
}

static cudaError_t run_node(cudaGraphNode_t node, cudaStream_t launched_in, const Clock *start) {
  cudaStream_t stream = stream_of(node, launched_in);
  if (!runtime_stream_valid(stream))
    return cudaErrorMemoryAllocation;
  order_wait(stream, start);
  for (size_t i = 0; i < node->after.count; i++)
    order_wait(stream, &node->after.at[i]->done);
  call_site_is(&node->made);
  cudaError_t error = cudaSuccess;
  order_record(stream, &node->done);
  if (node->type == cudaGraphNodeTypeGraph) {
    Clock before = {0};
    clock_copy(&before, &node->done);
    error = run_graph(node->work.child, launched_in, &before, &node->done);
    clock_clear(&before);
  } else if (!node->disabled) {
    error = run_work(node, stream);
    order_record(stream, &node->done);
  }
  call_site_is(NULL);
  return error;
}

static cudaError_t run_graph(cudaGraph_t graph, cudaStream_t stream, const Clock *start,
                             Clock *done) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; !error && !runtime_pending() && i < graph->nodes.count; i++) {
    error = run_node(graph->nodes.at[i], stream, start);
    clock_join(done, &graph->nodes.at[i]->done);
  }
  return error;
}

static void each_work(cudaGraph_t graph, void (*visit)(cudaGraphNode_t, void *), void *data) {
  for (size_t i = 0; i < graph->nodes.count; i++) {
    cudaGraphNode_t node = graph->nodes.at[i];
    if (node->type == cudaGraphNodeTypeGraph)
      each_work(node->work.child, visit, data);
    else if (!node->disabled)
      visit(node, data);
  }
}

void graph_each_work(cudaGraphExec_t exec, void (*visit)(cudaGraphNode_t, void *), void *data) {
  if (valid(exec))
    each_work(exec->graph, visit, data);
}

static cudaError_t launch(cudaGraphExec_t exec, cudaStream_t stream) {
  Clock start = {0}, done = {0};
  if (!valid(exec))
    return cudaErrorInvalidValue;
  if (!runtime_stream_valid(stream))
    return cudaErrorInvalidResourceHandle;
  if (capture_takes(stream)) {
    cudaGraph_t copy = graph_copy(exec->graph);
    return copy ? capture_add(stream, cudaGraphNodeTypeGraph, (NodeWork){.child = copy})
                : cudaErrorMemoryAllocation;
  }
  order_record(stream, &start);
  cudaError_t error = run_graph(exec->graph, stream, &start, &done);
  order_wait(stream, &done);
  clock_clear(&start);
  clock_clear(&done);
  return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  RUNTIME_QUEUED(launch(exec, stream));
}
RUNTIME_ALIAS(cudaGraphLaunch, _ptsz);

/* Checks the arguments. The emulated device needs no upload. */
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  RUNTIME_CALL(!valid(exec)                    ? cudaErrorInvalidValue
               : !runtime_stream_valid(stream) ? cudaErrorInvalidResourceHandle
                                               : cudaSuccess);
}
RUNTIME_ALIAS(cudaGraphUpload, _ptsz);

/* ---- changes --------------------------------------------------------------------------------- */
/* Returns the executable graph's copy of a node; NULL if it has none. */
static cudaGraphNode_t own(cudaGraphExec_t exec, cudaGraphNode_t node) {
  for (size_t i = 0; valid(exec) && i < exec->graph->nodes.count; i++)
    if (exec->graph->nodes.at[i]->original == node)
      return exec->graph->nodes.at[i];
  return NULL;
}

static cudaError_t set(cudaGraphExec_t exec, cudaGraphNode_t node, enum cudaGraphNodeType type,
                       NodeWork work) {
  cudaGraphNode_t mine = own(exec, node);
  return mine && mine->type == type ? graph_replace(mine, work) : cudaErrorInvalidValue;
}

static cudaError_t set_kernel(cudaGraphExec_t exec, cudaGraphNode_t node,
                              const struct cudaKernelNodeParams *p) {
  KernelCall call;
  cudaError_t error = graph_kernel_call(p, &call);
  if (!error && (error = set(exec, node, cudaGraphNodeTypeKernel, (NodeWork){.kernel = call})))
    free(call.arguments);
  return error;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *parameters) {
  RUNTIME_CALL(set_kernel(exec, node, parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *copy) {
  RUNTIME_CALL(copy ? set(exec, node, cudaGraphNodeTypeMemcpy, (NodeWork){.copy = *copy})
                    : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                               const void *from, size_t bytes,
                                               enum cudaMemcpyKind kind) {
  RUNTIME_CALL(set(exec, node, cudaGraphNodeTypeMemcpy,
                   (NodeWork){.copy = runtime_rows(to, bytes, from, bytes, bytes, 1, kind)}));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *p) {
  RUNTIME_CALL(p ? set(exec, node, cudaGraphNodeTypeMemset, (NodeWork){.set = *p})
                 : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *host) {
  RUNTIME_CALL(host ? set(exec, node, cudaGraphNodeTypeHost, (NodeWork){.host = *host})
                    : cudaErrorInvalidValue);
}

static cudaError_t enable(cudaGraphExec_t exec, cudaGraphNode_t node, const unsigned *on,
                          unsigned *is_on) {
  cudaGraphNode_t mine = own(exec, node);
  if (!mine || (mine->type != cudaGraphNodeTypeKernel && mine->type != cudaGraphNodeTypeMemcpy &&
                mine->type != cudaGraphNodeTypeMemset))
    return cudaErrorInvalidValue;
  if (on)
    mine->disabled = !*on;
  if (is_on)
    *is_on = !mine->disabled;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned on) {
  RUNTIME_CALL(enable(exec, node, &on, NULL));
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *on) {
  RUNTIME_CALL(on ? enable(exec, node, NULL, on) : cudaErrorInvalidValue);
}

/* Compares two graphs before an update. Returns cudaGraphExecUpdateSuccess if they have the same
 * kinds of nodes and the same edges. Otherwise stores the first different node in *differs. */
static enum cudaGraphExecUpdateResult compare(const NodeList *mine, const NodeList *theirs,
                                              cudaGraphNode_t *differs) {
  if (mine->count != theirs->count)
    return cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; i < mine->count; i++) {
    *differs = theirs->at[i]->original;
    if (mine->at[i]->type != theirs->at[i]->type)
      return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (mine->at[i]->after.count != theirs->at[i]->after.count)
      return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t k = 0; k < mine->count; k++)
      if (graph_list_has(&mine->at[i]->after, mine->at[k]) !=
          graph_list_has(&theirs->at[i]->after, theirs->at[k]))
        return cudaGraphExecUpdateErrorTopologyChanged;
  }
  *differs = NULL;
  return cudaGraphExecUpdateSuccess;
}

static cudaError_t update(cudaGraphExec_t exec, cudaGraph_t graph,
                          cudaGraphExecUpdateResultInfo *info) {
  cudaGraphExec_t next;
  cudaGraphNode_t differs = NULL;
  cudaError_t error = valid(exec) ? instantiate(&next, graph, exec->flags) : cudaErrorInvalidValue;
  if (error)
    return error;
  enum cudaGraphExecUpdateResult result =
      compare(&exec->graph->nodes, &next->graph->nodes, &differs);
  if (result == cudaGraphExecUpdateSuccess) {
    cudaGraph_t before = exec->graph;
    /* The program still uses the node handles of the graph that was instantiated first. */
    for (size_t i = 0; i < before->nodes.count; i++)
      next->graph->nodes.at[i]->original = before->nodes.at[i]->original;
    exec->graph = next->graph;
    next->graph = before;
  }
  destroy(next);
  if (info)
    *info = (cudaGraphExecUpdateResultInfo){result, differs, NULL};
  return result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info) {
  RUNTIME_CALL(update(exec, graph, info));
}
