// The host fills its pinned buffer again while the previous copy may still read it.
//
// kind: not-waited
// says: error: host code wrote byte 0 of allocation 2 (4096 bytes) before it waited for what reads
// says+ there
// says:       touched here   @fill
// says:       cudaMemcpyAsync reads it, in stream 1   @copy
// says:       A launch and an asynchronous copy return at once. The host has to wait for them, for
// says+ instance with cudaDeviceSynchronize().
#include "mistake.h"

template <bool RIGHT> void run() {
  enum { PART = 1024, PARTS = 3 };
  int *data, *buffer;
  cudaStream_t stream;
  MUST(cudaMalloc(&data, PARTS * PART * sizeof *data));
  MUST(cudaMallocHost(&buffer, PART * sizeof *buffer));
  MUST(cudaStreamCreate(&stream));
  for (int part = 0; part < PARTS; part++) {
    for (int i = 0; i < PART; i++)
      buffer[i] = part * PART + i; // <- fill
    int *to = data + part * PART;
    MUST(cudaMemcpyAsync(to, buffer, PART * sizeof *to, cudaMemcpyHostToDevice, stream)); // <- copy
    if (buffer[1] != part * PART + 1) // reading it needs no wait
      printf("%d\n", buffer[1]);
    if (RIGHT || part == 1)
      MUST(cudaStreamSynchronize(stream));
  }
  MUST(cudaStreamSynchronize(stream));
  MUST(cudaFreeHost(buffer));
  finish(data);
}
BOTH(run)
