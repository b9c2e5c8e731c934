// Memory from cudaMallocAsync is freed in its stream while another stream still reads it.
//
// kind: race-between-streams
// says: error: race between streams on allocation 2 (512 bytes), element 0
// says:       kernel add_up read it, in stream 2   @read
// says:       cudaFreeAsync freed it, in stream 1   @freed
// says:       Nothing orders these two operations. Let one stream wait for an event of the other
// says+ (cudaStreamWaitEvent), or use one stream for both.
#include "mistake.h"

__global__ void fill(int *data) { data[threadIdx.x] = 1; }
__global__ void add_up(int *sum, const int *data) { atomicAdd(sum, data[threadIdx.x]); }

template <bool RIGHT> void run() {
  int *sum = device_array<int>(1), *data;
  cudaStream_t a, b;
  cudaEvent_t filled, used;
  MUST(cudaStreamCreate(&a));
  MUST(cudaStreamCreate(&b));
  MUST(cudaEventCreate(&filled));
  MUST(cudaEventCreate(&used));
  MUST(cudaMallocAsync((void **)&data, 128 * sizeof *data, a));
  fill<<<1, 128, 0, a>>>(data);
  MUST(cudaEventRecord(filled, a));
  MUST(cudaStreamWaitEvent(b, filled));
  add_up<<<1, 128, 0, b>>>(sum, data); // <- read
  MUST(cudaEventRecord(used, b));
  if (RIGHT)
    MUST(cudaStreamWaitEvent(a, used));
  MUST(cudaFreeAsync(data, a)); // <- freed
  finish(sum);
}
BOTH(run)
