// The destructor of a global object frees device memory after main. A GPU's runtime is gone by then and says so; nothing
// counts as left.
//
// expect: after main: cudaErrorCudartUnloading
#include <cstdio>

struct Buffer {
  int *data = nullptr;
  ~Buffer() { printf("after main: %s\n", cudaGetErrorName(cudaFree(data))); }
};
Buffer buffer;

int main() {
  cudaMalloc(&buffer.data, 256);
  return cudaMemset(buffer.data, 0, 256);
}
