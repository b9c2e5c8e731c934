// Two buffers are filled in one stream and used in another. Events mark when a buffer is full, but
// no event marks when it has been used and may be filled again.
//
// kind: race-between-streams
// says: error: race between streams on allocation 1 (4096 bytes), element 0
// says:       kernel add_up read it, in stream 2   @kernel
// says:       cudaMemcpyAsync wrote it, in stream 1   @copy
// says:       Nothing orders these two operations. Let one stream wait for an event of the other
// says+ (cudaStreamWaitEvent), or use one stream for both.
#include "mistake.h"

__global__ void add_up(float *sum, const float *part) {
  atomicAdd(sum, part[blockIdx.x * blockDim.x + threadIdx.x]);
}

template <bool RIGHT> void run() {
  enum { PART = 1024, PARTS = 6 };
  float *part[2], *sum, *input;
  cudaStream_t copies, kernels;
  cudaEvent_t full[2], used[2];
  const size_t bytes = PART * sizeof *input;
  MUST(cudaMalloc(&part[0], bytes));
  MUST(cudaMalloc(&part[1], bytes));
  MUST(cudaMallocHost(&input, PARTS * bytes));
  memset(input, 0, PARTS * bytes);
  sum = device_array<float>(1);
  MUST(cudaStreamCreate(&copies));
  MUST(cudaStreamCreate(&kernels));
  for (int i = 0; i < 2; i++) {
    MUST(cudaEventCreate(&full[i]));
    MUST(cudaEventCreate(&used[i]));
  }
  for (int i = 0; i < PARTS; i++) {
    float *to = part[i % 2], *from = input + i * PART;
    if (RIGHT)
      MUST(cudaStreamWaitEvent(copies, used[i % 2])); // no wait if not recorded yet
    MUST(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, copies)); // <- copy
    MUST(cudaEventRecord(full[i % 2], copies));
    MUST(cudaStreamWaitEvent(kernels, full[i % 2]));
    add_up<<<PART / 256, 256, 0, kernels>>>(sum, to); // <- kernel
    MUST(cudaEventRecord(used[i % 2], kernels));
  }
  MUST(cudaDeviceSynchronize());
  MUST(cudaFreeHost(input));
  finish(part[0], part[1], sum);
}
BOTH(run)
