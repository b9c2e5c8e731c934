/* Declarations shared by the files for graphs.
 *
 * A node stores the arguments of a runtime call. Nodes are added by the program (graphs.c) or by a
 * capturing stream (capture.c). An executable graph is a copy of a graph whose nodes are sorted by
 * their edges (graph_launch.c).
 */
#ifndef MORE_GRAPHS_H
#define MORE_GRAPHS_H

#include "../state/call_site.h"
#include "../runtime/runtime.h"

typedef union NodeWork {
  /* owns its arguments */
  KernelCall kernel;
  struct cudaMemcpy3DParms copy;
  struct cudaMemsetParams set;
  struct cudaHostNodeParams host;
  /* a copy of the program's child graph */
  cudaGraph_t child;
  cudaEvent_t event;
  struct {
    void *memory;
    size_t bytes;
    /* allocated: the memory is freed somewhere, by a graph or the host */
    bool let_go;
    /* allocated: it has been freed since its last allocation */
    bool is_free;
  } allocated, freed;
} NodeWork;

struct CUgraphNode_st {
  cudaGraph_t graph;
  enum cudaGraphNodeType type;
  NodeWork work;
  /* the nodes that it depends on */
  NodeList after;
  /* the node that it was copied from */
  cudaGraphNode_t original;
  CallSite made;
  /* pointers to the arguments, for cudaGraphKernelNodeGetParams */
  void **arguments;
  /* in an executable graph: the node is skipped */
  bool disabled;
  /* used while nodes are sorted */
  bool placed;
  /* the branch in which it runs */
  uint32_t branch;
  /* state of the branch's clock after the node, in the current launch */
  Clock done;
};

struct CUgraph_st {
  /* in the order in which they were added */
  NodeList nodes;
  bool live;
  struct CUgraph_st
      /* destroyed graphs stay in the list, so that stale handles are recognised */
      *next;
};

/* ---- graphs.c ---- */
bool graph_valid(cudaGraph_t);
bool graph_node_valid(cudaGraphNode_t);
cudaGraph_t graph_new(void);
void graph_free(cudaGraph_t);
/* Copies a graph with its edges and the contents of its nodes. NULL: out of memory. */
cudaGraph_t graph_copy(cudaGraph_t);
/* Adds a node to a list. Returns false if out of memory. */
bool graph_list_add(NodeList *list, cudaGraphNode_t);
bool graph_list_has(const NodeList *, cudaGraphNode_t);
/* Adds a node that depends on the nodes in `after`. The node takes ownership of `work`. */
cudaError_t graph_add(cudaGraphNode_t *out, cudaGraph_t, const cudaGraphNode_t *after, size_t count,
                      enum cudaGraphNodeType, NodeWork work);
/* Replaces the node's work by other work of the same kind. */
cudaError_t graph_replace(cudaGraphNode_t, NodeWork work);
/* Converts the parameters of a kernel node. The result owns its arguments. */
cudaError_t graph_kernel_call(const struct cudaKernelNodeParams *, KernelCall *out);
/* Sorts the nodes so that each follows those that it depends on. Returns false if there is a
 * cycle. */
bool graph_sort(NodeList *);

/* graph_lets_go: a node will free this memory. graph_gives: a node has allocated it. */
void graph_lets_go(const void *memory);
void graph_gives(const void *memory);

/* ---- graph_launch.c ---- */
/* Calls a function for each piece of work of a launch, in order, including that of child graphs. */
void graph_each_work(cudaGraphExec_t, void (*)(cudaGraphNode_t, void *data), void *data);

/* ---- capture.c ---- */
typedef struct Capture Capture;
/* The node takes ownership of `work`, also on failure. */
cudaError_t capture_add(cudaStream_t, enum cudaGraphNodeType, NodeWork work);

#endif
