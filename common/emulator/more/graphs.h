/* Declarations shared by the files that implement graphs.
 *
 * A node stores the arguments of a runtime call. The program adds nodes with API functions
 * (graphs.c) or by capturing a stream (capture.c). An executable graph is a copy of a graph; its
 * nodes are sorted so that each node comes after the nodes on which it depends (graph_launch.c). */
#ifndef MORE_GRAPHS_H
#define MORE_GRAPHS_H

#include "../state/call_site.h"
#include "../runtime/runtime.h"

typedef union NodeWork {
  /* The node owns KernelCall.arguments. */
  KernelCall kernel;
  struct cudaMemcpy3DParms copy;
  struct cudaMemsetParams set;
  struct cudaHostNodeParams host;
  /* A copy of the child graph that the program passed. */
  cudaGraph_t child;
  cudaEvent_t event;
  struct {
    void *memory;
    size_t bytes;
    /* `allocated` only: a node of type MemFree or a call on the host frees this memory. */
    bool let_go;
    /* `allocated` only: the memory has been freed since a launch last allocated it. */
    bool is_free;
  } allocated, freed;
} NodeWork;

struct CUgraphNode_st {
  cudaGraph_t graph;
  enum cudaGraphNodeType type;
  NodeWork work;
  /* The nodes on which this node depends. */
  NodeList after;
  /* The node from which this node was copied. */
  cudaGraphNode_t original;
  CallSite made;
  /* Pointers to the arguments, for cudaGraphKernelNodeGetParams. */
  void **arguments;
  /* In an executable graph: the node is skipped. */
  bool disabled;
  /* Used by graph_sort: the node has its final position. */
  bool placed;
  /* In an executable graph: the number of the branch that runs this node. */
  uint32_t branch;
  /* The clock of `branch` after this node, in the current launch. */
  Clock done;
};

struct CUgraph_st {
  /* The nodes in the order in which they were added; in an executable graph, sorted by dependency.
   */
  NodeList nodes;
  bool live;
  struct CUgraph_st
      /* Destroyed graphs stay in the list, so that stale handles are recognised. */
      *next;
};

/* ---- graphs.c ---- */
bool graph_valid(cudaGraph_t);
bool graph_node_valid(cudaGraphNode_t);
cudaGraph_t graph_new(void);
void graph_free(cudaGraph_t);
/* Returns a copy of a graph, with its edges and the work of its nodes; NULL if memory is exhausted.
 */
cudaGraph_t graph_copy(cudaGraph_t);
/* Adds a node to a list. Returns false if memory is exhausted. */
bool graph_list_add(NodeList *list, cudaGraphNode_t);
bool graph_list_has(const NodeList *, cudaGraphNode_t);
/* Adds a node that depends on the nodes in `after`. The node takes ownership of `work`. */
cudaError_t graph_add(cudaGraphNode_t *out, cudaGraph_t, const cudaGraphNode_t *after, size_t count,
                      enum cudaGraphNodeType, NodeWork work);
/* Replaces the node's work by other work of the same kind. */
cudaError_t graph_replace(cudaGraphNode_t, NodeWork work);
/* Checks the parameters of a kernel node and converts them to a KernelCall, which owns its
 * arguments. */
cudaError_t graph_kernel_call(const struct cudaKernelNodeParams *, KernelCall *out);
/* Sorts the nodes so that each node comes after the nodes on which it depends. Returns false if
 * there is a cycle. */
bool graph_sort(NodeList *);

/* graph_lets_go is called when a graph or the host frees the memory of an allocation node,
 * graph_gives when a launch allocates this memory again. */
void graph_lets_go(const void *memory);
void graph_gives(const void *memory);

/* ---- graph_launch.c ---- */
/* Calls a function for each node that a launch would run, in order, including the nodes of child
 * graphs. */
void graph_each_work(cudaGraphExec_t, void (*)(cudaGraphNode_t, void *data), void *data);

/* ---- capture.c ---- */
typedef struct Capture Capture;
/* Adds a node to the graph that the stream captures. Takes ownership of `work`, even if it fails.
 */
cudaError_t capture_add(cudaStream_t, enum cudaGraphNodeType, NodeWork work);

#endif
