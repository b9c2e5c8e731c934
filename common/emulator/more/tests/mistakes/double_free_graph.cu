// A graph allocates and frees memory, and the program frees the same memory again.
//
// kind: double-free
// says: error: cudaFree was called again for allocation 1 (128 bytes)
// says:       freed again   @second
// says:       freed before   @first
// says:       A buffer can be freed only once. After cudaFree, its pointer can be set to NULL.
// answers: cudaErrorInvalidValue
#include "../../../tests/mistakes/mistake.h"

template <bool RIGHT> void run() {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t made, freed;
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = 128;
  MUST(cudaGraphCreate(&graph, 0));
  MUST(cudaGraphAddMemAllocNode(&made, graph, NULL, 0, &parameters));
  MUST(cudaGraphAddMemFreeNode(&freed, graph, &made, 1, parameters.dptr)); // <- first
  MUST(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; i++)
    MUST(cudaGraphLaunch(exec, 0));
  answer(cudaFree(RIGHT ? NULL : parameters.dptr)); // <- second
  MUST(cudaGraphExecDestroy(exec));
  MUST(cudaGraphDestroy(graph));
}
BOTH(run)
