// The destructor of a global object frees device memory after main. A GPU's runtime is already shut
// down then and returns an error; no leak is reported.
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
