// Launches a graph with a host function, which is valid but not supported by a replay. Not meant as
// an attack.
// expect: not-repeated | a graph with functions of the host
#include "lab.h"
#define WITH_THE_HOST_SIDE
static void count(void *counted) { ++*(int *)counted; }
static void attack() {
  int counted = 0;
  cudaHostNodeParams node = {count, &counted};
  cudaGraph_t graph;
  cudaGraphNode_t added;
  cudaGraphExec_t exec;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddHostNode(&added, graph, NULL, 0, &node);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);
}
