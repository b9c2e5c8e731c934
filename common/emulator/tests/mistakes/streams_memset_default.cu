// cudaMemset on device memory returns before it is done, and the kernel's stream does not wait for
// the default stream.
//
// kind: race-between-streams
// says: error: race between streams on allocation 1 (4 bytes), element 0
// says:       cudaMemset wrote it, in the default stream   @set
// says:       kernel count changed it, in stream 1   @count
// says:       A stream made with cudaStreamNonBlocking and the default stream do not wait for each
// says+ other. Use an event, or a stream made with cudaStreamCreate.
#include "mistake.h"

__global__ void count(unsigned *sum) { atomicAdd(sum, 1); }

template <bool RIGHT> void run() {
  unsigned *sum;
  cudaStream_t stream;
  MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  MUST(cudaMalloc(&sum, sizeof *sum));
  if (RIGHT)
    MUST(cudaMemsetAsync(sum, 0, sizeof *sum, stream));
  else
    MUST(cudaMemset(sum, 0, sizeof *sum)); // <- set
  count<<<8, 64, 0, stream>>>(sum);        // <- count
  finish(sum);
}
BOTH(run)
