// Sets each byte of 24 GB of device memory.
// expect: memory | kind-memory
#include "lab.h"
#define WITH_THE_HOST_SIDE
static void attack() {
  for (int i = 0; i < 24; i++) {
    char *all;
    cudaMalloc(&all, (size_t)1 << 30);
    cudaMemset(all, i, (size_t)1 << 30);
  }
}
