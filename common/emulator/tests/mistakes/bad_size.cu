// The sizes of an allocation and of a copy are products of ints that overflow.
//
// kind: bad-copy bad-size
// says: error: 18446744072635809792 bytes were asked for, which is -1073741824 as a signed number
// says:       called here   @size
// says:       A product of ints that grows past 2147483647 continues at -2147483648. Compute sizes
// says+ in size_t.
// says: error: the copy's source is allocation 1 (128 bytes): 128 bytes are there,
// says+ 18446744072635809792 were asked for
// says:       copied here   @copy
// says:       allocated here   @buffer
// says:       A product of ints that grows past 2147483647 continues at -2147483648. Compute sizes
// says+ in size_t.
// answers: cudaErrorMemoryAllocation cudaErrorInvalidValue
#include "mistake.h"

__global__ void set(int *x) { x[threadIdx.x] = 1; }

template <bool RIGHT> void run() {
  const int rows = atoi(RIGHT ? "8" : "32768"), bytes = rows * rows * 3;
  char *all = NULL;
  int *x = device_array<int>(32), host[32]; // <- buffer
  set<<<1, 32>>>(x);
  cudaError_t allocated = cudaMalloc(&all, bytes);                                       // <- size
  cudaError_t copied = cudaMemcpy(host, x, RIGHT ? 128 : bytes, cudaMemcpyDeviceToHost); // <- copy
  if (!allocated)
    MUST(cudaFree(all));
  if (!RIGHT)
    printf("%s %s\n", cudaGetErrorName(allocated), cudaGetErrorName(copied));
  MUST(cudaFree(x));
  if (RIGHT)
    answer(cudaGetLastError());
}
BOTH(run)
