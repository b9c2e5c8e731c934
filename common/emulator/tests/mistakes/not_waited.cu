// A launch and an asynchronous copy to pinned memory return at once, so host code must wait before
// it reads their results. No wait is needed to read other bytes, to poll a volatile flag, or in
// host functions that a stream executes.
//
// kind: not-waited
// says: error: host code touched byte 12 of allocation 1 (20000 bytes) before it waited for what
// says+ writes there
// says:       touched here   @managed
// says:       kernel square writes it, in the default stream   @managed_kernel
// says:       A launch and an asynchronous copy return at once. The host has to wait for them, for
// says+ instance with cudaDeviceSynchronize().
// says: error: host code touched byte 16 of allocation 3 (400 bytes) before it waited for what
// says+ writes there
// says:       touched here   @pinned
// says:       cudaMemcpyAsync writes it, in stream 1   @pinned_copy
// says:       A launch and an asynchronous copy return at once. The host has to wait for them, for
// says+ instance with cudaDeviceSynchronize().
// says: error: host code touched byte 0 of allocation 4 (4 bytes) before it waited for what writes
// says+ there
// says:       touched here   @sum
// says:       kernel square writes it, in stream 1   @sum_kernel
// says:       A launch and an asynchronous copy return at once. The host has to wait for them, for
// says+ instance with cudaDeviceSynchronize().
#include "mistake.h"

__global__ void square(int *numbers, int n, int *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    numbers[i] = i * i;
  if (sum && i < n)
    atomicAdd(sum, 1);
}

__global__ void raise(volatile int *flag) { *flag = 1; }
static void first(void *numbers) { *(int *)numbers = -1; }

template <bool RIGHT> void run() {
  enum { N = 100, ALL = 5000 };
  int *managed, *device, *pinned, *sum, *flag;
  cudaStream_t stream;
  MUST(cudaMallocManaged(&managed, ALL * sizeof *managed));
  MUST(cudaMalloc(&device, N * sizeof *device));
  MUST(cudaMallocHost(&pinned, N * sizeof *pinned));
  MUST(cudaMallocManaged(&sum, sizeof *sum));
  MUST(cudaMallocHost(&flag, sizeof *flag));
  MUST(cudaStreamCreate(&stream));
  *sum = *flag = 0;
  square<<<1, 128>>>(managed, N, NULL); // <- managed_kernel
  managed[ALL - 1] = 3;                 // the kernel does not use this element
  int result[4] = {managed[ALL - 1]};
  if (RIGHT)
    MUST(cudaDeviceSynchronize());
  result[1] = managed[3]; // <- managed

  square<<<1, 128, 0, stream>>>(device, N, sum); // <- sum_kernel
  const size_t bytes = N * sizeof *device;
  MUST(cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, stream)); // <- pinned_copy
  MUST(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, stream));
  if (RIGHT)
    MUST(cudaStreamSynchronize(stream));
  result[2] = pinned[4] / 4; // <- pinned
  result[3] = *sum;          // <- sum

  MUST(cudaDeviceSynchronize());
  raise<<<1, 1, 0, stream>>>(flag);
  while (*(volatile int *)flag == 0) {
  }
  square<<<1, 128, 0, stream>>>(managed, N, NULL);
  MUST(cudaLaunchHostFunc(stream, first, managed));
  MUST(cudaStreamSynchronize(stream));
  if (result[0] != 3 || result[1] != 9 || result[2] != 4 || result[3] != N || managed[0] != -1)
    printf("%d %d %d %d %d\n", result[0], result[1], result[2], result[3], managed[0]);
  MUST(cudaStreamDestroy(stream));
  MUST(cudaFreeHost(pinned));
  MUST(cudaFreeHost(flag));
  finish(managed, device, sum);
}
BOTH(run)
