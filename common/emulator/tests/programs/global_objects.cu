// The destructor of a global object frees device memory after main. On a GPU, the runtime is
// already shut down and returns an error. No leak may be reported.
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
