// The host asks for the time of an event before it has waited for the event. Polling until the
// event is done would also be right.
//
// kind: not-on-a-gpu
// says: warning: cudaEventElapsedTime returned cudaErrorNotReady and no time: the host has not
// says+ waited for the event
// says:       called here   @asked
// says:       An event is recorded only when the work before it in the stream is done. Call
// says+ cudaEventSynchronize() for the second event before cudaEventElapsedTime().
// answers: cudaErrorNotReady
#include "mistake.h"

__global__ void square(int *x) { x[threadIdx.x] *= x[threadIdx.x]; }

template <bool RIGHT> void run() {
  int *x = device_array<int>(32);
  float time = -1;
  cudaEvent_t start, stop;
  MUST(cudaEventCreate(&start));
  MUST(cudaEventCreate(&stop));
  MUST(cudaEventRecord(start));
  square<<<1, 32>>>(x);
  MUST(cudaEventRecord(stop));
  if (RIGHT) {
    MUST(cudaEventSynchronize(stop));
    MUST(cudaEventElapsedTime(&time, start, stop));
    MUST(cudaEventRecord(stop));
    while (cudaEventElapsedTime(&time, start, stop) == cudaErrorNotReady) {
    }
  }
  const cudaError_t error = cudaEventElapsedTime(&time, start, stop); // <- asked
  answer(error);
  if ((error == cudaSuccess) != (time >= 0))
    printf("%g\n", time);
  MUST(cudaEventDestroy(start));
  MUST(cudaEventDestroy(stop));
  MUST(cudaFree(x));
}
BOTH(run)
