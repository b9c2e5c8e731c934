/* The API functions that build, change and query graphs: cudaGraphCreate, cudaGraphAdd...Node and
 * others. */
#include "graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cudaGraph_t graphs;

bool graph_valid(cudaGraph_t graph) {
  for (cudaGraph_t each = graphs; each; each = each->next)
    if (each == graph)
      return each->live;
  return false;
}

bool graph_list_has(const NodeList *list, cudaGraphNode_t node) {
  for (size_t i = 0; i < list->count; i++)
    if (list->at[i] == node)
      return true;
  return false;
}

bool graph_node_valid(cudaGraphNode_t node) {
  for (cudaGraph_t each = graphs; node && each; each = each->next)
    if (each->live && graph_list_has(&each->nodes, node))
      return true;
  return false;
}

bool graph_list_add(NodeList *list, cudaGraphNode_t node) {
  cudaGraphNode_t *more = realloc(list->at, (list->count + 1) * sizeof *more);
  if (!more)
    return false;
  list->at = more;
  list->at[list->count++] = node;
  return true;
}

static void list_remove(NodeList *list, cudaGraphNode_t node) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++)
    if (list->at[i] != node)
      list->at[kept++] = list->at[i];
  list->count = kept;
}

/* ---- a node ---------------------------------------------------------------------------------- */
static void release_work(enum cudaGraphNodeType type, NodeWork *work) {
  if (type == cudaGraphNodeTypeKernel)
    free(work->kernel.arguments);
  if (type == cudaGraphNodeTypeGraph)
    graph_free(work->child);
}

static void free_node(cudaGraphNode_t node) {
  release_work(node->type, &node->work);
  clock_clear(&node->done);
  free(node->after.at);
  free(node->arguments);
  free(node);
}

/* Copies the work of a node. The copy has its own kernel arguments and its own child graph. */
static bool copy_work(enum cudaGraphNodeType type, const NodeWork *from, NodeWork *to) {
  *to = *from;
  if (type == cudaGraphNodeTypeKernel)
    return (to->kernel.arguments = runtime_copy_arguments(&from->kernel)) != NULL;
  if (type == cudaGraphNodeTypeGraph)
    return (to->child = graph_copy(from->child)) != NULL;
  return true;
}

cudaError_t graph_replace(cudaGraphNode_t node, NodeWork work) {
  release_work(node->type, &node->work);
  free(node->arguments);
  node->arguments = NULL;
  node->work = work;
  return cudaSuccess;
}

static cudaError_t add_edges(cudaGraph_t graph, cudaGraphNode_t node, const cudaGraphNode_t *after,
                             size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!graph_list_has(&graph->nodes, after[i]) || graph_list_has(&node->after, after[i]))
      return cudaErrorInvalidValue;
    if (!graph_list_add(&node->after, after[i]))
      return cudaErrorMemoryAllocation;
  }
  return cudaSuccess;
}

cudaError_t graph_add(cudaGraphNode_t *out, cudaGraph_t graph, const cudaGraphNode_t *after,
                      size_t count, enum cudaGraphNodeType type, NodeWork work) {
  cudaGraphNode_t node = calloc(1, sizeof *node);
  cudaError_t error = node ? cudaSuccess : cudaErrorMemoryAllocation;
  if (!error && (!out || !graph_valid(graph) || (count && !after)))
    error = cudaErrorInvalidValue;
  if (!error)
    error = add_edges(graph, node, after, count);
  if (!error && !graph_list_add(&graph->nodes, node))
    error = cudaErrorMemoryAllocation;
  if (error) {
    release_work(type, &work);
    if (node)
      free(node->after.at);
    free(node);
    return error;
  }
  node->graph = graph;
  node->type = type;
  node->work = work;
  call_site(&node->made);
  *out = node;
  return cudaSuccess;
}

/* ---- a graph --------------------------------------------------------------------------------- */
cudaGraph_t graph_new(void) {
  cudaGraph_t graph = calloc(1, sizeof *graph);
  if (!graph)
    return NULL;
  graph->live = true;
  graph->next = graphs;
  return graphs = graph;
}

static cudaGraphNode_t allocation_in(cudaGraph_t graph, const void *memory) {
  for (size_t i = 0; graph->live && i < graph->nodes.count; i++)
    if (graph->nodes.at[i]->type == cudaGraphNodeTypeMemAlloc &&
        graph->nodes.at[i]->work.allocated.memory == memory)
      return graph->nodes.at[i];
  return NULL;
}

bool graph_allocates(const void *memory) {
  for (cudaGraph_t graph = graphs; graph; graph = graph->next)
    if (allocation_in(graph, memory))
      return true;
  return false;
}

void graph_lets_go(const void *memory) {
  for (cudaGraph_t graph = graphs; graph; graph = graph->next) {
    cudaGraphNode_t node = allocation_in(graph, memory);
    if (node)
      node->work.allocated.let_go = true;
  }
}

/* Marks the memory as free or allocated in all graphs that allocate it. Returns true if it was
 * marked as free before. */
static bool set_free(const void *memory, bool is_free) {
  bool was = false;
  for (cudaGraph_t graph = graphs; graph; graph = graph->next) {
    cudaGraphNode_t node = allocation_in(graph, memory);
    if (!node)
      continue;
    was = was || node->work.allocated.is_free;
    node->work.allocated.is_free = is_free;
  }
  return was;
}

void graph_gives(const void *memory) { set_free(memory, false); }

bool graph_takes_back(void *memory, bool *freed_before) {
  if (!graph_allocates(memory))
    return false;
  graph_lets_go(memory);
  *freed_before = set_free(memory, true);
  if (!*freed_before)
    memory_freed_here(memory_find(runtime_address(memory)));
  return true;
}

/* Frees the memory that the nodes of a graph allocate. Memory that another graph allocates too,
 * such as an executable copy of the graph, is not freed. */
static void free_memory_of(cudaGraph_t graph) {
  bool freed_before;
  for (size_t i = 0; i < graph->nodes.count; i++) {
    cudaGraphNode_t node = graph->nodes.at[i];
    if (node->type == cudaGraphNodeTypeMemAlloc && node->work.allocated.let_go &&
        !graph_allocates(node->work.allocated.memory))
      runtime_free(runtime_address(node->work.allocated.memory), &freed_before);
  }
}

void graph_free(cudaGraph_t graph) {
  if (!graph)
    return;
  graph->live = false;
  free_memory_of(graph);
  for (size_t i = 0; i < graph->nodes.count; i++)
    free_node(graph->nodes.at[i]);
  free(graph->nodes.at);
  graph->nodes = (NodeList){NULL, 0};
}

static cudaGraphNode_t copy_of(cudaGraphNode_t original, cudaGraph_t graph) {
  for (size_t i = 0; i < graph->nodes.count; i++)
    if (graph->nodes.at[i]->original == original)
      return graph->nodes.at[i];
  return NULL;
}

static bool copy_node(cudaGraphNode_t from, cudaGraph_t graph) {
  NodeWork work;
  cudaGraphNode_t node;
  if (!copy_work(from->type, &from->work, &work) ||
      graph_add(&node, graph, NULL, 0, from->type, work))
    return false;
  node->original = from;
  node->made = from->made;
  return true;
}

cudaGraph_t graph_copy(cudaGraph_t from) {
  cudaGraph_t graph = graph_new();
  bool done = graph != NULL;
  for (size_t i = 0; done && i < from->nodes.count; i++)
    done = copy_node(from->nodes.at[i], graph);
  for (size_t i = 0; done && i < from->nodes.count; i++)
    for (size_t k = 0; done && k < from->nodes.at[i]->after.count; k++)
      done = graph_list_add(&graph->nodes.at[i]->after,
                            copy_of(from->nodes.at[i]->after.at[k], graph));
  if (!done)
    graph_free(graph);
  return done ? graph : NULL;
}

static bool ready(const struct CUgraphNode_st *node) {
  for (size_t i = 0; i < node->after.count; i++)
    if (!node->after.at[i]->placed)
      return false;
  return true;
}

bool graph_sort(NodeList *list) {
  for (size_t i = 0; i < list->count; i++)
    list->at[i]->placed = false;
  for (size_t first = 0; first < list->count; first++) {
    size_t i = first;
    while (i < list->count && !ready(list->at[i]))
      i++;
    if (i == list->count)
      return false;
    cudaGraphNode_t next = list->at[i];
    memmove(&list->at[first + 1], &list->at[first], (i - first) * sizeof *list->at);
    list->at[first] = next;
    next->placed = true;
  }
  return true;
}

static cudaError_t create(cudaGraph_t *out, unsigned flags) {
  if (!out || flags)
    return cudaErrorInvalidValue;
  *out = graph_new();
  return *out ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
  RUNTIME_CALL(create(graph, flags));
}

static cudaError_t destroy(cudaGraph_t graph) {
  if (!graph_valid(graph))
    return cudaErrorInvalidValue;
  graph_free(graph);
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) { RUNTIME_CALL(destroy(graph)); }

static cudaError_t make_clone(cudaGraph_t *out, cudaGraph_t graph) {
  if (!out || !graph_valid(graph))
    return cudaErrorInvalidValue;
  *out = graph_copy(graph);
  return *out ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t graph) {
  RUNTIME_CALL(make_clone(copy, graph));
}

static cudaError_t found(cudaGraphNode_t *out, cudaGraphNode_t original, cudaGraph_t graph) {
  if (!out || !graph_valid(graph))
    return cudaErrorInvalidValue;
  *out = copy_of(original, graph);
  return *out ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
                                     cudaGraph_t graph) {
  RUNTIME_CALL(found(node, original, graph));
}

static cudaError_t destroy_node(cudaGraphNode_t node) {
  if (!graph_node_valid(node))
    return cudaErrorInvalidValue;
  NodeList *nodes = &node->graph->nodes;
  list_remove(nodes, node);
  for (size_t i = 0; i < nodes->count; i++)
    list_remove(&nodes->at[i]->after, node);
  free_node(node);
  return cudaSuccess;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) { RUNTIME_CALL(destroy_node(node)); }

/* ---- nodes of each kind ---------------------------------------------------------------------- */
#define ADD(kind, ...)                                                                             \
  graph_add(node, graph, after, count, cudaGraphNodeType##kind, (NodeWork){__VA_ARGS__})

cudaError_t graph_kernel_call(const struct cudaKernelNodeParams *p, KernelCall *out) {
  if (!p || p->extra)
    return p ? cudaErrorNotSupported : cudaErrorInvalidValue;
  return runtime_prepare_kernel(p->func, p->gridDim, p->blockDim, p->kernelParams,
                                p->sharedMemBytes, false, out);
}

static cudaError_t add_kernel(cudaGraphNode_t *node, cudaGraph_t graph,
                              const cudaGraphNode_t *after, size_t count,
                              const struct cudaKernelNodeParams *p) {
  KernelCall call;
  cudaError_t error = graph_kernel_call(p, &call);
  return error ? error : ADD(Kernel, .kernel = call);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaKernelNodeParams *parameters) {
  RUNTIME_CALL(add_kernel(node, graph, after, count, parameters));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemcpy3DParms *copy) {
  RUNTIME_CALL(copy ? ADD(Memcpy, .copy = *copy) : cudaErrorInvalidValue);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  RUNTIME_CALL(ADD(Memcpy, .copy = runtime_rows(to, bytes, from, bytes, bytes, 1, kind)));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *after, size_t count,
                                           const void *symbol, const void *from, size_t bytes,
                                           size_t offset, enum cudaMemcpyKind kind) {
  void *to = NULL;
  RUNTIME_CALL(runtime_symbol_place(symbol, bytes, offset, &to)
                   ? cudaErrorInvalidValue
                   : ADD(Memcpy, .copy = runtime_rows(to, bytes, from, bytes, bytes, 1, kind)));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *after, size_t count, void *to,
                                             const void *symbol, size_t bytes, size_t offset,
                                             enum cudaMemcpyKind kind) {
  void *from = NULL;
  RUNTIME_CALL(runtime_symbol_place(symbol, bytes, offset, &from)
                   ? cudaErrorInvalidValue
                   : ADD(Memcpy, .copy = runtime_rows(to, bytes, from, bytes, bytes, 1, kind)));
}

static bool good_set(const struct cudaMemsetParams *set) {
  return set && set->dst &&
         (set->elementSize == 1 || set->elementSize == 2 || set->elementSize == 4);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemsetParams *set) {
  RUNTIME_CALL(good_set(set) ? ADD(Memset, .set = *set) : cudaErrorInvalidValue);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const struct cudaHostNodeParams *host) {
  RUNTIME_CALL(host && host->fn ? ADD(Host, .host = *host) : cudaErrorInvalidValue);
}

static bool allocates(cudaGraph_t graph) {
  for (size_t i = 0; i < graph->nodes.count; i++)
    if (graph->nodes.at[i]->type == cudaGraphNodeTypeMemAlloc ||
        graph->nodes.at[i]->type == cudaGraphNodeTypeMemFree)
      return true;
  return false;
}

static cudaError_t add_child(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                             size_t count, cudaGraph_t child) {
  if (graph_valid(child) && allocates(child))
    return cudaErrorNotSupported;
  cudaGraph_t copy = graph_valid(child) && child != graph ? graph_copy(child) : NULL;
  return copy ? ADD(Graph, .child = copy) : cudaErrorInvalidValue;
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child) {
  RUNTIME_CALL(add_child(node, graph, after, count, child));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count) {
  RUNTIME_CALL(ADD(Empty, .event = NULL));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *after, size_t count,
                                        cudaEvent_t event) {
  RUNTIME_CALL(event ? ADD(EventRecord, .event = event) : cudaErrorInvalidValue);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *after, size_t count,
                                      cudaEvent_t event) {
  RUNTIME_CALL(event ? ADD(WaitEvent, .event = event) : cudaErrorInvalidValue);
}

/* Allocates the memory immediately, because the program uses its address as an argument of other
 * nodes. */
static cudaError_t add_allocation(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count,
                                  struct cudaMemAllocNodeParams *p) {
  if (!p || !p->bytesize)
    return cudaErrorInvalidValue;
  cudaError_t error = runtime_allocate(&p->dptr, p->bytesize);
  return error ? error : ADD(MemAlloc, .allocated = {p->dptr, p->bytesize, false, false});
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count,
                                     struct cudaMemAllocNodeParams *parameters) {
  RUNTIME_CALL(add_allocation(node, graph, after, count, parameters));
}

static cudaError_t add_free(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                            size_t count, void *memory) {
  if (!memory_find(runtime_address(memory)))
    return cudaErrorInvalidValue;
  graph_lets_go(memory);
  return ADD(MemFree, .freed = {memory});
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count, void *memory) {
  RUNTIME_CALL(add_free(node, graph, after, count, memory));
}

/* ---- queries and changes of nodes ------------------------------------------------------------ */
static bool is(cudaGraphNode_t node, enum cudaGraphNodeType type) {
  return graph_node_valid(node) && node->type == type;
}

static cudaError_t kernel_parameters(cudaGraphNode_t node, struct cudaKernelNodeParams *out) {
  if (!out || !is(node, cudaGraphNodeTypeKernel))
    return cudaErrorInvalidValue;
  const KernelCall *call = &node->work.kernel;
  if (!node->arguments)
    node->arguments = runtime_argument_places(call);
  if (!node->arguments)
    return cudaErrorMemoryAllocation;
  *out = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)call->kernel->host,
                                       .gridDim = call->grid,
                                       .blockDim = call->block,
                                       .sharedMemBytes = (unsigned)call->shared,
                                       .kernelParams = node->arguments};
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         struct cudaKernelNodeParams *parameters) {
  RUNTIME_CALL(kernel_parameters(node, parameters));
}

static cudaError_t set_kernel(cudaGraphNode_t node, const struct cudaKernelNodeParams *p) {
  KernelCall call;
  cudaError_t error =
      is(node, cudaGraphNodeTypeKernel) ? graph_kernel_call(p, &call) : cudaErrorInvalidValue;
  return error ? error : graph_replace(node, (NodeWork){.kernel = call});
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *parameters) {
  RUNTIME_CALL(set_kernel(node, parameters));
}

/* The functions that get and set the parameters of other kinds of nodes, which store these
 * parameters unchanged. */
#define PARAMETERS(Kind, Type, field)                                                              \
  cudaError_t cudaGraph##Kind##NodeGetParams(cudaGraphNode_t node, struct Type *out) {             \
    RUNTIME_CALL(out &&is(node, cudaGraphNodeType##Kind) ? (*out = node->work.field, cudaSuccess)  \
                                                         : cudaErrorInvalidValue);                 \
  }                                                                                                \
  cudaError_t cudaGraph##Kind##NodeSetParams(cudaGraphNode_t node, const struct Type *in) {        \
    RUNTIME_CALL(in &&is(node, cudaGraphNodeType##Kind)                                            \
                     ? graph_replace(node, (NodeWork){.field = *in})                               \
                     : cudaErrorInvalidValue);                                                     \
  }
PARAMETERS(Memcpy, cudaMemcpy3DParms, copy)
PARAMETERS(Memset, cudaMemsetParams, set)
PARAMETERS(Host, cudaHostNodeParams, host)

static cudaError_t child_of(cudaGraphNode_t node, cudaGraph_t *out) {
  if (!out || !is(node, cudaGraphNodeTypeGraph))
    return cudaErrorInvalidValue;
  *out = node->work.child;
  return cudaSuccess;
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph) {
  RUNTIME_CALL(child_of(node, graph));
}

static cudaError_t type_of(cudaGraphNode_t node, enum cudaGraphNodeType *out) {
  if (!out || !graph_node_valid(node))
    return cudaErrorInvalidValue;
  *out = node->type;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
  RUNTIME_CALL(type_of(node, type));
}

/* ---- nodes and edges: asked for and changed -------------------------------------------------- */
/* Implements queries that return a list. If `out` is NULL, sets *count to the length of the list.
 * Otherwise fills the *count entries of `out`, with NULL after the last element, and sets *count to
 * the number of elements. */
static void give(const NodeList *all, cudaGraphNode_t *out, size_t *count) {
  for (size_t i = 0; out && i < *count; i++)
    out[i] = i < all->count ? all->at[i] : NULL;
  if (!out || *count > all->count)
    *count = all->count;
}

static cudaError_t give_nodes(cudaGraph_t graph, bool roots, cudaGraphNode_t *out, size_t *count) {
  if (!count || !graph_valid(graph))
    return cudaErrorInvalidValue;
  NodeList some = {NULL, 0};
  for (size_t i = 0; i < graph->nodes.count; i++)
    if (!roots || graph->nodes.at[i]->after.count == 0)
      graph_list_add(&some, graph->nodes.at[i]);
  give(&some, out, count);
  free(some.at);
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  RUNTIME_CALL(give_nodes(graph, false, nodes, count));
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  RUNTIME_CALL(give_nodes(graph, true, nodes, count));
}

static cudaError_t give_edges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *data, size_t *count) {
  if (!count || !graph_valid(graph) || !from != !to)
    return cudaErrorInvalidValue;
  NodeList starts = {NULL, 0}, ends = {NULL, 0};
  for (size_t i = 0; i < graph->nodes.count; i++)
    for (size_t k = 0; k < graph->nodes.at[i]->after.count; k++) {
      graph_list_add(&starts, graph->nodes.at[i]->after.at[k]);
      graph_list_add(&ends, graph->nodes.at[i]);
    }
  size_t room = *count;
  give(&starts, from, &room);
  give(&ends, to, count);
  if (data)
    memset(data, 0, *count * sizeof *data);
  free(starts.at);
  free(ends.at);
  return cudaSuccess;
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *data, size_t *count) {
  RUNTIME_CALL(give_edges(graph, from, to, data, count));
}

static cudaError_t neighbours(cudaGraphNode_t node, bool behind, cudaGraphNode_t *out,
                              cudaGraphEdgeData *data, size_t *count) {
  if (!count || !graph_node_valid(node))
    return cudaErrorInvalidValue;
  NodeList some = {NULL, 0};
  const NodeList *all = &node->graph->nodes;
  for (size_t i = 0; i < all->count; i++)
    if (behind ? graph_list_has(&all->at[i]->after, node)
               : graph_list_has(&node->after, all->at[i]))
      graph_list_add(&some, all->at[i]);
  give(&some, out, count);
  if (data)
    memset(data, 0, *count * sizeof *data);
  free(some.at);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                         cudaGraphEdgeData *data, size_t *count) {
  RUNTIME_CALL(neighbours(node, false, nodes, data, count));
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                           cudaGraphEdgeData *data, size_t *count) {
  RUNTIME_CALL(neighbours(node, true, nodes, data, count));
}

static bool good_edges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                       size_t count) {
  bool good = graph_valid(graph) && (count == 0 || (from && to));
  for (size_t i = 0; good && i < count; i++)
    good = graph_list_has(&graph->nodes, from[i]) && graph_list_has(&graph->nodes, to[i]) &&
           from[i] != to[i];
  return good;
}

static cudaError_t join(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                        size_t count) {
  cudaError_t error = good_edges(graph, from, to, count) ? cudaSuccess : cudaErrorInvalidValue;
  for (size_t i = 0; !error && i < count; i++)
    error = add_edges(graph, to[i], &from[i], 1);
  return error;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *data,
                                     size_t count) {
  (void)data;
  RUNTIME_CALL(join(graph, from, to, count));
}

static cudaError_t part(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                        size_t count) {
  if (!good_edges(graph, from, to, count))
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; i++)
    list_remove(&to[i]->after, from[i]);
  return cudaSuccess;
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *data,
                                        size_t count) {
  (void)data;
  RUNTIME_CALL(part(graph, from, to, count));
}

/* ---- a picture, for Graphviz ----------------------------------------------------------------- */
static const char *label(cudaGraphNode_t node) {
  static const char *const names[] = {
      [cudaGraphNodeTypeMemcpy] = "copy",        [cudaGraphNodeTypeMemset] = "memset",
      [cudaGraphNodeTypeHost] = "host function", [cudaGraphNodeTypeGraph] = "child graph",
      [cudaGraphNodeTypeEmpty] = "empty",        [cudaGraphNodeTypeWaitEvent] = "wait for event",
      [cudaGraphNodeTypeEventRecord] = "event",  [cudaGraphNodeTypeMemAlloc] = "allocation",
      [cudaGraphNodeTypeMemFree] = "free"};
  return node->type == cudaGraphNodeTypeKernel ? node->work.kernel.kernel->name : names[node->type];
}

static cudaError_t draw(cudaGraph_t graph, const char *path) {
  FILE *out = graph_valid(graph) && path ? fopen(path, "w") : NULL;
  if (!out)
    return cudaErrorInvalidValue;
  fprintf(out, "digraph {\n");
  for (size_t i = 0; i < graph->nodes.count; i++)
    fprintf(out, "  n%zu [label=\"%s\"];\n", i, label(graph->nodes.at[i]));
  for (size_t i = 0; i < graph->nodes.count; i++)
    for (size_t k = 0; k < graph->nodes.count; k++)
      if (graph_list_has(&graph->nodes.at[i]->after, graph->nodes.at[k]))
        fprintf(out, "  n%zu -> n%zu;\n", k, i);
  fprintf(out, "}\n");
  return fclose(out) ? cudaErrorOperatingSystem : cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags) {
  (void)flags;
  RUNTIME_CALL(draw(graph, path));
}

/* ---- memory of the device's graphs ----------------------------------------------------------- */
cudaError_t cudaDeviceGraphMemTrim(int device) {
  RUNTIME_CALL(device ? cudaErrorInvalidDevice : cudaSuccess);
}

static cudaError_t graph_memory(int device, enum cudaGraphMemAttributeType attribute,
                                uint64_t *value) {
  if (device || !value || (unsigned)attribute > cudaGraphMemAttrReservedMemHigh)
    return device ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
  *value = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value) {
  RUNTIME_CALL(graph_memory(device, attribute, value));
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value) {
  RUNTIME_CALL(graph_memory(device, attribute, value));
}
