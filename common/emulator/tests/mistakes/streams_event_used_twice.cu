// One event is used for two streams. A wait after the second record waits only for the later work.
//
// kind: race-between-streams
// says: error: race between streams on allocation 1 (1024 bytes), element 0
// says:       kernel half wrote it, in stream 1   @half
// says:       kernel add_up read it, in stream 3   @sum
// says:       Nothing orders these two operations. Let one stream wait for an event of the other
// says+ (cudaStreamWaitEvent), or use one stream for both.
#include "mistake.h"

__global__ void half(float *data) { data[threadIdx.x] = threadIdx.x; }
__global__ void add_up(float *sum, const float *data) { atomicAdd(sum, data[threadIdx.x]); }

template <bool RIGHT> void run() {
  enum { N = 256 };
  float *data = device_array<float>(N), *sum = device_array<float>(1);
  cudaStream_t left, right, last;
  cudaEvent_t done, done_right;
  MUST(cudaStreamCreate(&left));
  MUST(cudaStreamCreate(&right));
  MUST(cudaStreamCreate(&last));
  MUST(cudaEventCreate(&done));
  MUST(cudaEventCreate(&done_right));
  half<<<1, N / 2, 0, left>>>(data); // <- half
  MUST(cudaEventRecord(done, left));
  half<<<1, N / 2, 0, right>>>(data + N / 2);
  MUST(cudaEventRecord(RIGHT ? done_right : done, right));
  MUST(cudaStreamWaitEvent(last, done));
  MUST(cudaStreamWaitEvent(last, done_right));
  add_up<<<1, N, 0, last>>>(sum, data); // <- sum
  MUST(cudaEventDestroy(done));         // a stream that waits for it continues to wait
  finish(data, sum);
}
BOTH(run)
