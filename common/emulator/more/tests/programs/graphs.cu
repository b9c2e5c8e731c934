// Tests graphs that are built node by node or captured from streams, and that are changed and
// launched again.
#include "../../../tests/programs/check.h"
#include <cstring>

enum { N = 1 << 10, BYTES = N * sizeof(int) };
__device__ int total;

__global__ void add(int *data, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] += by;
}
__global__ void join(int *out, const int *a, const int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[i] * 1000 + b[i];
}
__global__ void sum_up(const int *data) {
  atomicAdd(&total, data[blockIdx.x * blockDim.x + threadIdx.x]);
}

static int *device_ints() {
  int *data;
  CHECK(cudaMalloc(&data, BYTES));
  CHECK(cudaMemset(data, 0, BYTES));
  CHECK(cudaDeviceSynchronize());
  return data;
}

static void count_call(void *calls) { ++*(int *)calls; }

static cudaKernelNodeParams adding(int **data, int *by, void **arguments) {
  arguments[0] = data;
  arguments[1] = by;
  cudaKernelNodeParams p = {};
  p.func = (void *)add;
  p.gridDim = dim3(N / 256);
  p.blockDim = dim3(256);
  p.kernelParams = arguments;
  return p;
}

// Tests a graph of four nodes: memset -> add -> copy to the host -> host function.
static void built() {
  int *data = device_ints(), *back, calls = 0, by = 5;
  void *arguments[2];
  CHECK(cudaMallocHost(&back, BYTES));
  cudaGraph_t graph;
  cudaGraphNode_t set, kernel, copy, host, nodes[8];
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams zero = {};
  zero.dst = data;
  zero.value = 7;
  zero.elementSize = 4;
  zero.width = N;
  zero.height = 1;
  CHECK(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &zero));
  cudaKernelNodeParams p = adding(&data, &by, arguments);
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &set, 1, &p));
  by = 999; // the node has its own copy of the argument
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, back, data, BYTES,
                                 cudaMemcpyDeviceToHost));
  cudaHostNodeParams after = {count_call, &calls};
  CHECK(cudaGraphAddHostNode(&host, graph, nullptr, 0, &after));
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddDependencies(graph, &copy, &host, nullptr, 1));
#else
  CHECK(cudaGraphAddDependencies(graph, &copy, &host, 1));
#endif
  size_t count = 8;
  CHECK(cudaGraphGetNodes(graph, nodes, &count));
  EXPECT(count == 4 && nodes[0] == set && nodes[3] == host);
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &count));
  EXPECT(count == 1);
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(copy, &type));
  EXPECT(type == cudaGraphNodeTypeMemcpy);

  cudaGraphExec_t exec;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 1; round <= 3; round++) {
    memset(back, 0, BYTES);
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(calls == round && back[0] == 12 && back[N - 1] == 12);
  }

  by = 20; // changes the argument in the executable graph only
  CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &p));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(back[1] == 27);
  cudaKernelNodeParams held;
  CHECK(cudaGraphKernelNodeGetParams(kernel, &held));
  EXPECT(held.func == (void *)add && *(int *)held.kernelParams[1] == 5 && held.blockDim.x == 256);

  by = 30; // changes the argument in the graph, and updates the executable graph
  CHECK(cudaGraphKernelNodeSetParams(kernel, &p));
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(exec, graph, &info));
  EXPECT(info.result == cudaGraphExecUpdateSuccess);
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(back[2] == 37);

  CHECK(cudaGraphNodeSetEnabled(exec, kernel, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(back[3] == 7);

  cudaGraph_t copied; // a graph with one node less cannot be used for an update
  cudaGraphNode_t same;
  CHECK(cudaGraphClone(&copied, graph));
  CHECK(cudaGraphNodeFindInClone(&same, host, copied));
  CHECK(cudaGraphDestroyNode(same));
  EXPECT(cudaGraphExecUpdate(exec, copied, &info) == cudaErrorGraphExecUpdateFailure);
  EXPECT(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK(cudaGraphDestroy(copied));

#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddDependencies(graph, &host, &set, nullptr, 1)); // makes a cycle
#endif
  cudaGraphExec_t none;
  EXPECT(cudaGraphInstantiate(&none, graph, 0) == cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaGraphExecDestroy(exec));
  EXPECT(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(back));
}

// Tests a capture in which a second stream forks from the first stream and joins it. The work is
// not executed during the capture.
static void captured() {
  int *a = device_ints(), *b = device_ints(), *out = device_ints(), *back, calls = 0, result = 0;
  CHECK(cudaMallocHost(&back, BYTES));
  cudaStream_t first, second;
  cudaEvent_t parted, joined;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&parted));
  CHECK(cudaEventCreate(&joined));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaStreamIsCapturing(first, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  CHECK(cudaEventRecord(parted, first));
  CHECK(cudaStreamWaitEvent(second, parted, 0));
  add<<<N / 256, 256, 0, first>>>(a, 1);
  LAUNCHED();
  add<<<N / 256, 256, 0, second>>>(b, 2);
  LAUNCHED();
  CHECK(cudaEventRecord(joined, second));
  CHECK(cudaStreamWaitEvent(first, joined, 0));
  join<<<N / 256, 256, 0, first>>>(out, a, b);
  LAUNCHED();
  int *scratch;
  CHECK(cudaMallocAsync(&scratch, BYTES, first));
  CHECK(cudaMemcpyAsync(scratch, out, BYTES, cudaMemcpyDeviceToDevice, first));
  sum_up<<<N / 256, 256, 0, first>>>(scratch);
  LAUNCHED();
  CHECK(cudaFreeAsync(scratch, first));
  CHECK(cudaMemcpyAsync(back, out, BYTES, cudaMemcpyDeviceToHost, first));
  CHECK(cudaLaunchHostFunc(first, count_call, &calls));
  CHECK(cudaStreamEndCapture(first, &graph));
  CHECK(cudaStreamIsCapturing(second, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT(count == 9 && calls == 0);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 1; round <= 4; round++) {
    CHECK(cudaGraphLaunch(exec, first));
    CHECK(cudaStreamSynchronize(first));
    EXPECT(calls == round && back[0] == round * 1002 && back[N - 1] == round * 1002);
  }
  CHECK(cudaMemcpyFromSymbol(&result, total, sizeof result));
  EXPECT(result == N * 1002 * 10);

  // Adds the graph to another graph as two child nodes, one after the other. A child graph must not
  // allocate.
  cudaGraph_t whole, child;
  cudaGraphNode_t once, again;
  cudaGraphExec_t twice;
  CHECK(cudaGraphCreate(&whole, 0));
  EXPECT(cudaGraphAddChildGraphNode(&once, whole, nullptr, 0, graph) == cudaErrorNotSupported);
  cudaGetLastError();
  CHECK(cudaStreamBeginCapture(second, cudaStreamCaptureModeThreadLocal));
  add<<<N / 256, 256, 0, second>>>(out, 10);
  LAUNCHED();
  CHECK(cudaMemcpyAsync(back, out, BYTES, cudaMemcpyDeviceToHost, second));
  CHECK(cudaLaunchHostFunc(second, count_call, &calls));
  CHECK(cudaStreamEndCapture(second, &child));
  CHECK(cudaGraphAddChildGraphNode(&once, whole, nullptr, 0, child));
  CHECK(cudaGraphAddChildGraphNode(&again, whole, &once, 1, child));
  CHECK(cudaGraphDestroy(child)); // the nodes have their own copies of the child graph
  CHECK(cudaGraphInstantiate(&twice, whole, 0));
  CHECK(cudaGraphLaunch(twice, second));
  CHECK(cudaStreamSynchronize(second));
  EXPECT(calls == 6 && back[5] == 4 * 1002 + 20);

  CHECK(cudaGraphExecDestroy(twice));
  CHECK(cudaGraphDestroy(whole));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(parted));
  CHECK(cudaEventDestroy(joined));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(out));
  CHECK(cudaFreeHost(back));
}

// Tests calls that fail during a capture.
static void refused() {
  int *data = device_ints(), *more;
  cudaStream_t first, second;
  cudaEvent_t event;
  cudaGraph_t graph;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  CHECK(cudaEventCreate(&event));
  EXPECT(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal) ==
         cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamEndCapture(first, &graph) == cudaErrorIllegalState);

  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  EXPECT(cudaStreamSynchronize(first) == cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamEndCapture(first, &graph) == cudaErrorStreamCaptureInvalidated && !graph);

  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  EXPECT(cudaMalloc(&more, 4) == cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamEndCapture(first, &graph) == cudaErrorStreamCaptureInvalidated);

  cudaGetLastError();
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
  CHECK(cudaMalloc(&more, 4));
  CHECK(cudaEventRecord(event, first));
  CHECK(cudaStreamWaitEvent(second, event, 0));
  add<<<1, 32, 0, second>>>(data, 1);
  LAUNCHED();
  EXPECT(cudaStreamEndCapture(first, &graph) == cudaErrorStreamCaptureUnjoined);
  cudaGetLastError();

  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
  add<<<1, 32>>>(data, 1); // the default stream would wait for the capturing stream
  EXPECT(cudaGetLastError() == cudaErrorStreamCaptureImplicit);
  cudaStreamEndCapture(first, &graph);
  cudaGetLastError();
  add<<<1, 32, 0, first>>>(data, 1); // the stream can be used as before the capture
  LAUNCHED();
  CHECK(cudaStreamSynchronize(first));
  CHECK(cudaEventDestroy(event));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaFree(data));
  CHECK(cudaFree(more));
}

// Returns an executable graph that only frees `memory`, which another graph allocates.
static cudaGraphExec_t freeing(int *memory) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, memory));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  return exec;
}

// Tests that the memory of a graph has the same address in each launch, even if it is freed between
// the launches.
static void remembered_memory() {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int *scratch, *result, sum;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&scratch, BYTES, stream));
  CHECK(cudaMallocAsync(&result, BYTES, stream));
  CHECK(cudaMemsetAsync(scratch, 0, BYTES, stream));
  add<<<N / 256, 256, 0, stream>>>(scratch, 3);
  LAUNCHED();
  join<<<N / 256, 256, 0, stream>>>(result, scratch, scratch);
  LAUNCHED();
  CHECK(cudaFreeAsync(scratch, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  cudaGraphExec_t freed_there = freeing(result);
  for (int launch = 0; launch < 3; launch++) {
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaMemcpyAsync(&sum, result + launch, sizeof sum, cudaMemcpyDeviceToHost, stream));
    if (launch == 1)
      CHECK(cudaFreeAsync(result, stream));
    if (launch == 2)
      CHECK(cudaGraphLaunch(freed_there, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(sum == 3003);
    if (launch == 0)
      CHECK(cudaFree(result));
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphExecDestroy(freed_there));
  CHECK(cudaStreamDestroy(stream));
}

// A graph that frees memory from cudaMallocAsync can be launched only once, because each launch
// frees the memory.
static void memory_of_others() {
  cudaStream_t stream;
  int *memory;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocAsync(&memory, BYTES, stream));
  CHECK(cudaStreamSynchronize(stream));
  cudaGraphExec_t exec = freeing(memory);
  CHECK(cudaMemset(memory, 0, BYTES));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaStreamDestroy(stream));
}

int main() {
  built();
  captured();
  remembered_memory();
  memory_of_others();
  refused();
  return done();
}
