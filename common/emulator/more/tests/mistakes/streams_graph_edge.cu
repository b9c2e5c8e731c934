// Two nodes of a graph use one buffer, and no edge orders them.
//
// kind: race-between-streams
// says: error: race between streams on allocation 2 (512 bytes), element 0
// says:       kernel fill wrote it, in a branch of a graph   @fill
// says:       kernel add_up read it, in a branch of a graph   @read
// says:       No edge of the graph orders the two nodes. Let one node wait for the other; in
// says+ captured streams, let one stream wait for an event of the other.
#include "../../../tests/mistakes/mistake.h"

__global__ void fill(int *data) { data[threadIdx.x] = 1; }
__global__ void add_up(int *sum, const int *data) { atomicAdd(sum, data[threadIdx.x]); }

static cudaKernelNodeParams node(void *kernel, void **arguments) {
  cudaKernelNodeParams p = {};
  p.func = kernel;
  p.gridDim = dim3(1);
  p.blockDim = dim3(128);
  p.kernelParams = arguments;
  return p;
}

template <bool RIGHT> void run() {
  int *sum = device_array<int>(1), *data = device_array<int>(128);
  void *filled[] = {&data}, *added[] = {&sum, &data};
  cudaGraph_t graph;
  cudaGraphNode_t first, second;
  cudaGraphExec_t exec;
  cudaStream_t stream;
  MUST(cudaStreamCreate(&stream));
  MUST(cudaGraphCreate(&graph, 0));
  cudaKernelNodeParams fills = node((void *)fill, filled), adds = node((void *)add_up, added);
  MUST(cudaGraphAddKernelNode(&first, graph, NULL, 0, &fills));               // <- fill
  MUST(cudaGraphAddKernelNode(&second, graph, &first, RIGHT ? 1 : 0, &adds)); // <- read
  MUST(cudaGraphInstantiate(&exec, graph, 0));
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  MUST(cudaGraphExecDestroy(exec));
  MUST(cudaGraphDestroy(graph));
  MUST(cudaFree(data));
  finish(sum);
}
BOTH(run)
