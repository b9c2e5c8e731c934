// The last of three streams waits for the first one instead of the second.
//
// kind: race-between-streams
// says: error: race between streams on allocation 2 (400 bytes), element 0
// says:       kernel add wrote it, in stream 2   @second
// says:       kernel add read it, in stream 3   @third
// says:       Nothing orders these two operations. Let one stream wait for an event of the other
// says+ (cudaStreamWaitEvent), or use one stream for both.
#include "mistake.h"

__global__ void add(int *out, const int *in) { out[threadIdx.x] = in[threadIdx.x] + 1; }

template <bool RIGHT> void run() {
  int *stage[4];
  cudaStream_t stream[3];
  cudaEvent_t done[3];
  for (int i = 0; i < 4; i++)
    stage[i] = device_array<int>(100);
  for (int i = 0; i < 3; i++) {
    MUST(cudaStreamCreate(&stream[i]));
    MUST(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
  }
  add<<<1, 100, 0, stream[0]>>>(stage[0], stage[3]);
  MUST(cudaEventRecord(done[0], stream[0]));
  MUST(cudaStreamWaitEvent(stream[1], done[0]));
  add<<<1, 100, 0, stream[1]>>>(stage[1], stage[0]); // <- second
  MUST(cudaEventRecord(done[1], stream[1]));
  MUST(cudaStreamWaitEvent(stream[2], done[RIGHT ? 1 : 0]));
  add<<<1, 100, 0, stream[2]>>>(stage[2], stage[1]); // <- third
  finish(stage[0], stage[1], stage[2], stage[3]);
}
BOTH(run)
