// Tests kernels that allocate and free memory with malloc, free, new and delete.
#include "check.h"

enum { BLOCKS = 8, THREADS = 64 };

struct Node {
  int value;
  Node *next;
};

// Each thread builds a linked list by adding nodes at the front, and sums the list.
__global__ void lists(long long *sums) {
  Node *first = nullptr;
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < id % 7 + 1; i++) {
    Node *node = (Node *)malloc(sizeof(Node));
    node->value = id + i;
    node->next = first;
    first = node;
  }
  long long sum = 0;
  while (first) {
    Node *next = first->next;
    sum += first->value;
    free(first);
    first = next;
  }
  sums[id] = sum;
}

// One thread allocates memory that its block shares. The next launch reads and frees it.
__device__ int *of_block[BLOCKS];
__global__ void allocate() {
  __shared__ int *data;
  if (threadIdx.x == 0)
    data = new int[blockDim.x];
  __syncthreads();
  data[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  if (threadIdx.x == 0)
    of_block[blockIdx.x] = data;
}
__global__ void use(int *out) {
  int *data = of_block[blockIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = data[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    delete[] data;
}

__global__ void too_much(int *got) {
  char *all = (char *)malloc((size_t)1 << 30);
  of_block[0] = (int *)all; // otherwise a compiler removes the allocation
  *got = all != nullptr;
  free(all); // free(NULL) is allowed
}

int main() {
  long long *sums, sum[BLOCKS * THREADS];
  int *out, *got, value[BLOCKS * THREADS], some = -1;
  size_t bytes;
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
  EXPECT(bytes >= 1 << 20); // a GPU rounds the limit up
  CHECK(cudaMalloc(&sums, sizeof sum));
  CHECK(cudaMalloc(&out, sizeof value));
  CHECK(cudaMalloc(&got, sizeof some));
  for (int round = 0; round < 20; round++) { // freed memory must be reused
    lists<<<BLOCKS, THREADS>>>(sums);
    LAUNCHED();
  }
  CHECK(cudaMemcpy(sum, sums, sizeof sum, cudaMemcpyDeviceToHost));
  for (int id = 0; id < BLOCKS * THREADS; id++) {
    long long n = id % 7 + 1;
    EXPECT(sum[id] == n * id + n * (n - 1) / 2);
  }
  allocate<<<BLOCKS, THREADS>>>();
  LAUNCHED();
  use<<<BLOCKS, THREADS>>>(out);
  LAUNCHED();
  CHECK(cudaMemcpy(value, out, sizeof value, cudaMemcpyDeviceToHost));
  for (int i = 0; i < BLOCKS * THREADS; i++)
    EXPECT(value[i] == i / THREADS * 100 + THREADS - 1 - i % THREADS);
  too_much<<<1, 1>>>(got);
  LAUNCHED();
  CHECK(cudaMemcpy(&some, got, sizeof some, cudaMemcpyDeviceToHost));
  EXPECT(some == 0);
  CHECK(cudaFree(sums));
  CHECK(cudaFree(out));
  CHECK(cudaFree(got));
  return done();
}
