// Launches a graph that contains graphs, with 2^40 memory sets in total.
// expect: memory | kind-memory
#include "lab.h"
#define WITH_THE_HOST_SIDE
static void attack() {
  char *all;
  cudaMalloc(&all, 4096);
  cudaMemsetParams set = {all, 0, 0, 1, 4096, 1};
  cudaGraph_t inner, outer;
  cudaGraphNode_t node;
  cudaGraphCreate(&inner, 0);
  cudaGraphAddMemsetNode(&node, inner, 0, 0, &set);
  for (int i = 0; i < 40; i++) {
    cudaGraphCreate(&outer, 0);
    cudaGraphAddChildGraphNode(&node, outer, 0, 0, inner);
    cudaGraphAddChildGraphNode(&node, outer, 0, 0, inner);
    inner = outer;
  }
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, inner, 0);
  cudaGraphLaunch(exec, 0);
}
