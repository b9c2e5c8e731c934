// The x coordinate of a surface function is in bytes, but the kernel passes it in elements.
//
// kind: misaligned
// says: error: write of 4 bytes at an address that is not a multiple of 4: byte 1 of allocation 1
// says+ (512 bytes)   in kernel draw
// says:       thread (1,0) of block (0,0) wrote it   @drawn
// says:       The x of a surface function counts bytes. Multiply it by the size of an element.
// answers: cudaErrorMisalignedAddress
#include "../../../tests/mistakes/mistake.h"

template <bool RIGHT> __global__ void draw(cudaSurfaceObject_t surface) {
  int x = threadIdx.x, y = blockIdx.x;
  surf2Dwrite(1.0f * x, surface, RIGHT ? x * (int)sizeof(float) : x, y); // <- drawn
}

template <bool RIGHT> void run() {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaResourceDesc what = {};
  cudaSurfaceObject_t surface;
  MUST(cudaMallocArray(&array, &format, 32, 4, cudaArraySurfaceLoadStore));
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  MUST(cudaCreateSurfaceObject(&surface, &what));
  draw<RIGHT><<<4, 32>>>(surface);
  cudaError_t done = cudaDeviceSynchronize();
  answer(done);
  if (!done) {
    MUST(cudaDestroySurfaceObject(surface));
    MUST(cudaFreeArray(array));
  }
}
BOTH(run)
