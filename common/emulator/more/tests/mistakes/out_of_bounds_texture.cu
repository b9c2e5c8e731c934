// The size of a linear texture is computed with the wrong element type. cudaCreateTextureObject
// accepts the size. A fetch past the end of the buffer is out of bounds.
//
// kind: out-of-bounds
// says: error: read out of bounds: allocation 1 (400 bytes), element 100; its elements are 0 to 99
// says+   in kernel twice
// says:       thread (4,0) of block (3,0) read it   @wrong
// says:       An index is outside of its buffer. Look at the guard, at the end of the loop, and at
// says+ the length of a row.
// answers: cudaErrorIllegalAddress
#include "../../../tests/mistakes/mistake.h"

__global__ void twice(cudaTextureObject_t numbers, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * tex1Dfetch<float>(numbers, i); // <- wrong
}

template <bool RIGHT> void run() {
  const int n = 100, threads = 32;
  float *in = device_array<float>(n), *out = device_array<float>(2 * n);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = in;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 2 * n * sizeof(float);
  cudaTextureDesc how = {};
  cudaTextureObject_t numbers;
  MUST(cudaCreateTextureObject(&numbers, &resource, &how, nullptr));
  twice<<<2 * n / threads + 1, threads>>>(numbers, out, RIGHT ? n : 2 * n);
  finish(in, out);
}
BOTH(run)
