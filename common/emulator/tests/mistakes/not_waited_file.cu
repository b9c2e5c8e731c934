// Data that a system call writes to a file, or reads from one, must be waited for as well. These
// are accesses of the operating system, not of the program.
//
// kind: not-waited
// says: error: host code touched byte 8192 of allocation 2 (16384 bytes) before it waited for what
// says+ writes there
// says:       touched here   @written
// says:       A launch and an asynchronous copy return at once. The host has to wait for them, for
// says+ instance with cudaDeviceSynchronize().
// says: error: host code wrote byte 0 of allocation 2 (16384 bytes) before it waited for what reads
// says+ there
// says:       touched here   @filled
// says:       A launch and an asynchronous copy return at once. The host has to wait for them, for
// says+ instance with cudaDeviceSynchronize().
#include "mistake.h"

#include <stdio.h>

template <bool RIGHT> void run() {
  const size_t bytes = 16384;
  char *device, *pinned;
  FILE *file = tmpfile();
  MUST(cudaMalloc(&device, bytes));
  MUST(cudaMallocHost(&pinned, bytes));
  MUST(cudaMemset(device, 3, bytes));
  MUST(cudaDeviceSynchronize());
  MUST(cudaMemcpyAsync(pinned + bytes / 2, device, bytes / 2, cudaMemcpyDeviceToHost));
  if (RIGHT)
    MUST(cudaDeviceSynchronize());
  size_t written = fwrite(pinned, 1, bytes, file); // <- written
  rewind(file);
  MUST(cudaDeviceSynchronize());
  MUST(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice));
  if (RIGHT)
    MUST(cudaDeviceSynchronize());
  size_t filled = fread(pinned, 1, bytes, file); // <- filled
  MUST(cudaDeviceSynchronize());
  if (written != bytes || filled != bytes)
    printf("%zu %zu\n", written, filled);
  fclose(file);
  MUST(cudaFreeHost(pinned));
  finish(device);
}
BOTH(run)
