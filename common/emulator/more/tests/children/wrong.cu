// Mistakes with kernels that launch kernels. The argument of the program selects a mistake. The
// expected reports are in children.sh.
#include <cstdio>
#include <cstdlib>

__global__ void child(int *a, int n) { a[blockIdx.x * blockDim.x + threadIdx.x] = n; } // <- child
__global__ void too_far(int *a) { child<<<2, 32>>>(a, 1); }
__global__ void too_large(int *a) { child<<<1, 2048>>>(a, 1); } // <- large
__global__ void too_many(int *a) {
  if (threadIdx.x % 32 < 33)
    child<<<1, 1>>>(a, 1);
}
__global__ void no_end(int *a) { no_end<<<1, 1>>>(a); }
__global__ void wrong_stream(int *a, cudaStream_t stream) { child<<<1, 1, 0, stream>>>(a, 1); }
__global__ void copies(int *a) { cudaMemcpyAsync(a, a + 32, 128, cudaMemcpyDeviceToDevice, 0); }

int main(int argc, char **argv) {
  int *a, which = argc > 1 ? atoi(argv[1]) : 0;
  cudaStream_t stream;
  cudaMalloc(&a, 40 * sizeof *a);
  cudaStreamCreate(&stream);
  if (which == 0)
    too_far<<<1, 1>>>(a);
  if (which == 1)
    too_large<<<1, 1>>>(a);
  if (which == 2)
    too_many<<<4, 1024>>>(a);
  if (which == 3)
    no_end<<<1, 1>>>(a);
  if (which == 4)
    wrong_stream<<<1, 1>>>(a, stream);
  if (which == 5)
    copies<<<1, 1>>>(a);
  puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
