// Two events in the default stream enclose the launch of a kernel in a non-blocking stream, so they
// do not measure the kernel. With an H100 the time between them is 0.03 ms.
//
// kind: not-on-a-gpu
// says: warning: the time between two events leaves out the kernel, which is in another stream   in
// says+ kernel busy
// says:       asked for the time here   @asked
// says:       launched here   @launch
// says:       An event waits for the work of its own stream. Record both events in the kernel's
// says+ stream.
#include "mistake.h"

__global__ void busy(float *v, int rounds) {
  for (int i = 0; i < rounds; i++)
    v[threadIdx.x] = v[threadIdx.x] * 0.5f + 1;
}

template <bool RIGHT> void run() {
  float *v = device_array<float>(32), ms = 0;
  cudaStream_t stream;
  cudaEvent_t start, stop;
  MUST(cudaDeviceSynchronize());
  MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  MUST(cudaEventCreate(&start));
  MUST(cudaEventCreate(&stop));
  MUST(cudaEventRecord(start, RIGHT ? stream : 0));
  busy<<<1, 32, 0, stream>>>(v, 10); // <- launch
  MUST(cudaEventRecord(stop, RIGHT ? stream : 0));
  MUST(cudaEventSynchronize(stop));
  MUST(cudaEventElapsedTime(&ms, start, stop)); // <- asked
  MUST(cudaStreamSynchronize(stream));
  MUST(cudaEventDestroy(start));
  MUST(cudaEventDestroy(stop));
  MUST(cudaStreamDestroy(stream));
  finish(v);
}
BOTH(run)
