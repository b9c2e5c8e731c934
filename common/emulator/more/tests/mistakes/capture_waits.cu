// The host waits or uses the default stream while another stream is capturing. The captured work
// has not been executed, so the call fails and invalidates the capture.
//
// kind: error-ignored
// says: warning: cudaMemcpy returned cudaErrorStreamCaptureImplicit (operation would make the
// says+ legacy stream depend on a capturing blocking stream), which was not checked
// says:       called here   @copied
// says:       While a stream is captured, its work is recorded and not done. Until
// says+ cudaStreamEndCapture the host cannot wait, allocate or use the default stream.
// answers: lost
#include "../../../tests/mistakes/mistake.h"

__global__ void step(int *x) { x[threadIdx.x]++; }

template <bool RIGHT> void run() {
  int *x = device_array<int>(32), host[32];
  cudaStream_t stream;
  cudaGraph_t graph = NULL;
  MUST(cudaStreamCreate(&stream));
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  step<<<1, 32, 0, stream>>>(x);
  if (!RIGHT)
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost); // <- copied
  cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  step<<<1, 32>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  if (graph)
    cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(x);
  puts(ended ? "lost" : "cudaSuccess");
}
BOTH(run)
