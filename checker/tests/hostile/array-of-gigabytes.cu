// Allocates huge device arrays, which the device fills with poison.
// expect: memory | kind-memory
#include "lab.h"
#define WITH_THE_HOST_SIDE
static void attack() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  cudaArray_t array;
  for (int i = 0; i < 16; i++)
    cudaMallocArray(&array, &format, 16384, 16384);
}
