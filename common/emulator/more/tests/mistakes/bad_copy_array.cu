// The program copies to a CUDA array with cudaMemcpy, which is for ordinary memory.
//
// kind: bad-copy
// says: error: cudaMemcpyHostToDevice, but the copy's destination is a CUDA array, for
// says+ cudaMemcpy2DToArray and similar functions
// says:       called here   @texels
// says:       The arguments of a copy are its destination, its source, the bytes, and the direction
// says+ that fits these two.
// answers: cudaErrorInvalidValue
#include "../../../tests/mistakes/mistake.h"

template <bool RIGHT> void run() {
  float host[16] = {0};
  cudaArray_t texels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  MUST(cudaMallocArray(&texels, &format, 4, 4));
  if (RIGHT)
    answer(cudaMemcpy2DToArray(texels, 0, 0, host, 16, 16, 4, cudaMemcpyHostToDevice));
  else
    answer(cudaMemcpy(texels, host, 64, cudaMemcpyHostToDevice)); // <- texels
  MUST(cudaFreeArray(texels));
}
BOTH(run)
