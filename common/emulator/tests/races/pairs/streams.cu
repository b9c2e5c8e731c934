// Races between operations of different streams (kernels, copies, memset), and with the host.
//
// pair: two_streams race-between-streams @one @other
// pair: event_missing race-between-streams @producer @consumer
// pair: copy_beside race-between-streams @kernel @copy
// pair: memset_beside race-between-streams @fill @clear
// pair: halves race-between-streams @left @right
// pair: host_too_soon not-waited @read @read
#include "pairs.h"

__global__ void add(int *x, int n) {
  if (threadIdx.x < n)
    x[threadIdx.x] += 1;
}

struct Streams {
  cudaStream_t a, b;
  cudaEvent_t event;
  Streams() {
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&event);
  }
};

PAIR(two_streams) {
  Streams s;
  int *x = ints(32);
  add<<<1, 32, 0, s.a>>>(x, 32);               // <- one
  add<<<1, 32, 0, RIGHT ? s.a : s.b>>>(x, 32); // <- other
}

PAIR(event_missing) {
  Streams s;
  int *x = ints(32);
  add<<<1, 32, 0, s.a>>>(x, 32); // <- producer
  cudaEventRecord(s.event, s.a);
  if (RIGHT)
    cudaStreamWaitEvent(s.b, s.event, 0);
  add<<<1, 32, 0, s.b>>>(x, 32); // <- consumer
}

PAIR(copy_beside) {
  Streams s;
  static int host[32];
  int *x = ints(32);
  add<<<1, 32, 0, s.a>>>(x, 32); // <- kernel
  if (RIGHT)
    cudaStreamSynchronize(s.a);
  cudaMemcpyAsync(host, x, 128, cudaMemcpyDeviceToHost, s.b); // <- copy
}

PAIR(memset_beside) {
  Streams s;
  int *x = ints(32);
  add<<<1, 32, 0, s.a>>>(x, 32);                 // <- fill
  cudaMemsetAsync(x, 0, 128, RIGHT ? s.a : s.b); // <- clear
}

PAIR(halves) {
  Streams s;
  int *x = ints(64);
  add<<<1, 32, 0, s.a>>>(x, 32);                     // <- left
  add<<<1, 32, 0, s.b>>>(x + (RIGHT ? 32 : 31), 32); // <- right
}

PAIR(host_too_soon) {
  int *x;
  cudaMallocManaged(&x, 128);
  allocated[count++] = x;
  memset(x, 0, 128);
  add<<<1, 32>>>(x, 32);
  if (RIGHT)
    cudaDeviceSynchronize();
  printf("%d\n", x[3]); // <- read
}
