// Creates a million streams, whose handles a replay has to look up.
// expect: time-out | still-running
// seconds: 3
// budget: 16
#include "lab.h"
#define WITH_THE_HOST_SIDE
static void attack() {
  cudaStream_t stream;
  for (int i = 0; i < 1000000; i++)
    cudaStreamCreate(&stream);
}
