// What a replay does not know, from somebody who means well.
// expect: not-repeated | it calls cudaMallocArray
#include "lab.h"
#define WITH_THE_HOST_SIDE
static void attack() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 16, 16);
}
