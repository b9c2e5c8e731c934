/* Graphs of work: what their files share.
 *
 * A node holds what a call of the runtime API would have been given. Nodes come from the functions that add
 * them (graphs.c) or from a stream that captures (capture.c); an executable graph is a copy of a graph in an order that
 * its edges allow (graph_launch.c).
 */
#ifndef MORE_GRAPHS_H
#define MORE_GRAPHS_H

#include "../state/call_site.h"
#include "../runtime/runtime.h"

typedef union NodeWork {
  KernelCall kernel; /* owns its arguments */
  struct cudaMemcpy3DParms copy;
  struct cudaMemsetParams set;
  struct cudaHostNodeParams host;
  cudaGraph_t child; /* a copy of its own */
  cudaEvent_t event;
  struct {
    void *memory;
    size_t bytes;
    bool let_go;  /* allocated: somebody frees it, in a graph or not */
    bool is_free; /* ... and has, since it was last allocated */
  } allocated, freed;
} NodeWork;

struct CUgraphNode_st {
  cudaGraph_t graph;
  enum cudaGraphNodeType type;
  NodeWork work;
  NodeList after;           /* the nodes it waits for */
  cudaGraphNode_t original; /* which it is a copy of */
  CallSite made;
  void **arguments; /* for those who ask: where each one lies */
  bool disabled;    /* in an executable graph: it does nothing */
  bool placed;      /* while nodes are sorted */
  uint32_t branch;  /* in which it runs */
  Clock done;       /* what is done after it, in the launch at hand */
};

struct CUgraph_st {
  NodeList nodes; /* in the order in which they were added */
  bool live;
  struct CUgraph_st
      *next; /* destroyed ones stay in the list, so that stale handles are recognised */
};

/* ---- graphs.c ---- */
bool graph_valid(cudaGraph_t);
bool graph_node_valid(cudaGraphNode_t);
cudaGraph_t graph_new(void);
void graph_free(cudaGraph_t);
/* With all its edges and what its nodes hold; NULL: no memory. */
cudaGraph_t graph_copy(cudaGraph_t);
/* `list` gets one more; false: no memory. */
bool graph_list_add(NodeList *list, cudaGraphNode_t);
bool graph_list_has(const NodeList *, cudaGraphNode_t);
/* A node that takes over `work`, behind others. */
cudaError_t graph_add(cudaGraphNode_t *out, cudaGraph_t, const cudaGraphNode_t *after, size_t count,
                      enum cudaGraphNodeType, NodeWork work);
/* The node's work becomes another of its kind. */
cudaError_t graph_replace(cudaGraphNode_t, NodeWork work);
/* What the kernel's node would be; it owns its arguments. */
cudaError_t graph_kernel_call(const struct cudaKernelNodeParams *, KernelCall *out);
/* Puts them in an order in which each comes after those it waits for; false: there is none. */
bool graph_sort(NodeList *);

/* Some node will free this memory; a node has allocated it. */
void graph_lets_go(const void *memory);
void graph_gives(const void *memory);

/* ---- graph_launch.c ---- */
/* All that a launch does, in its order; child graphs are taken apart. */
void graph_each_work(cudaGraphExec_t, void (*)(cudaGraphNode_t, void *data), void *data);

/* ---- capture.c ---- */
typedef struct Capture Capture;
/* The node takes over `work`, also where it fails. */
cudaError_t capture_add(cudaStream_t, enum cudaGraphNodeType, NodeWork work);

#endif
