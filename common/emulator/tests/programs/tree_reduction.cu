// Computes the sum or maximum of a block as a tree in shared memory, in the three forms of
// textbooks. The kernel is launched again on the results of the blocks until one result is left.
#include "inputs.h"
#include <climits>

enum { THREADS = 128 };

struct Sum {
  static __host__ __device__ int none() { return 0; }
  static __host__ __device__ int join(int a, int b) { return a + b; }
};

struct Max {
  static __host__ __device__ int none() { return INT_MIN; }
  static __host__ __device__ int join(int a, int b) { return a > b ? a : b; }
};

// Adds neighbours first, so the distance between working threads grows.
template <class Op> __global__ void parted(const int *in, int n, int *out) {
  __shared__ int tree[THREADS];
  int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  tree[t] = i < n ? in[i] : Op::none();
  __syncthreads();
  for (int stride = 1; stride < THREADS; stride *= 2) {
    if (t % (2 * stride) == 0)
      tree[t] = Op::join(tree[t], tree[t + stride]);
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = tree[0];
}

// Adds the upper half to the lower half, so whole warps become idle.
template <class Op> __global__ void together(const int *in, int n, int *out) {
  __shared__ int tree[THREADS];
  int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  tree[t] = i < n ? in[i] : Op::none();
  __syncthreads();
  for (int stride = THREADS / 2; stride > 0; stride /= 2) {
    if (t < stride)
      tree[t] = Op::join(tree[t], tree[t + stride]);
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = tree[0];
}

// Does the first step while loading, and the last steps in one warp, without __syncthreads.
template <class Op> __global__ void last_warp_alone(const int *in, int n, int *out) {
  __shared__ int tree[THREADS];
  int t = threadIdx.x, i = blockIdx.x * 2 * THREADS + t;
  int low = i < n ? in[i] : Op::none(), high = i + THREADS < n ? in[i + THREADS] : Op::none();
  tree[t] = Op::join(low, high);
  __syncthreads();
  for (int stride = THREADS / 2; stride > 32; stride /= 2) {
    if (t < stride)
      tree[t] = Op::join(tree[t], tree[t + stride]);
    __syncthreads();
  }
  if (t < 32)
    for (int stride = 32; stride > 0; stride /= 2) {
      int other = tree[t + stride];
      __syncwarp();
      tree[t] = Op::join(tree[t], other);
      __syncwarp();
    }
  if (t == 0)
    out[blockIdx.x] = tree[0];
}

template <class Op> static void run(void (*kernel)(const int *, int, int *), int per_block, int n) {
  std::vector<int> in(n);
  int expected = Op::none();
  for (int &value : in)
    expected = Op::join(expected, value = random_below(2001) - 1500);
  int *from = to_device(in), *to = device_array<int>(ceil_div(n, per_block));
  do {
    int blocks = ceil_div(n, per_block);
    kernel<<<blocks, THREADS>>>(from, n, to);
    LAUNCHED();
    int *swap = from;
    from = to;
    to = swap;
    n = blocks;
  } while (n > 1);
  EXPECT(to_host(from, 1)[0] == expected);
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
}

int main() {
  for (int n : {1, 2, 127, 128, 129, 4096, 40001}) {
    run<Sum>(parted<Sum>, THREADS, n);
    run<Max>(parted<Max>, THREADS, n);
    run<Sum>(together<Sum>, THREADS, n);
    run<Max>(together<Max>, THREADS, n);
    run<Sum>(last_warp_alone<Sum>, 2 * THREADS, n);
    run<Max>(last_warp_alone<Max>, 2 * THREADS, n);
  }
  return done();
}
