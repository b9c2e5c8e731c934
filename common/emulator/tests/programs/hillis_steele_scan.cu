// Computes the prefix sums of a block (Hillis and Steele): in round k of log2(n) rounds, a thread
// adds the value at the distance 2^k. Two buffers need one barrier per round; one buffer needs two.
#include "inputs.h"

__global__ void two_buffers(const int *in, int *out, int n) {
  extern __shared__ int buffers[];
  int t = threadIdx.x, size = blockDim.x, row = blockIdx.x * n;
  int *from = buffers, *to = buffers + size;
  from[t] = t < n ? in[row + t] : 0;
  __syncthreads();
  for (int distance = 1; distance < n; distance *= 2) {
    to[t] = t >= distance ? from[t] + from[t - distance] : from[t];
    __syncthreads();
    int *swap = from;
    from = to;
    to = swap;
  }
  if (t < n)
    out[row + t] = from[t];
}

__global__ void one_buffer(const int *in, int *out, int n) {
  extern __shared__ int buffer[];
  int t = threadIdx.x, row = blockIdx.x * n;
  buffer[t] = t < n ? in[row + t] : 0;
  for (int distance = 1; distance < n; distance *= 2) {
    __syncthreads();
    int before = t >= distance ? buffer[t - distance] : 0;
    __syncthreads();
    buffer[t] += before;
  }
  if (t < n)
    out[row + t] = buffer[t]; // the thread's own element, so no barrier is needed
}

// A function x -> a*x + b. Composition does not commute, and its scan is a linear recurrence.
struct Affine {
  unsigned a, b;
};

__host__ __device__ Affine then(Affine first, Affine second) {
  return Affine{first.a * second.a, first.b * second.a + second.b};
}

__global__ void recurrence(const Affine *in, Affine *out, int n) {
  extern __shared__ Affine steps[];
  int t = threadIdx.x, row = blockIdx.x * n;
  Affine mine = t < n ? in[row + t] : Affine{1, 0};
  for (int distance = 1; distance < n; distance *= 2) {
    steps[t] = mine;
    __syncthreads();
    if (t >= distance)
      mine = then(steps[t - distance], mine);
    __syncthreads();
  }
  if (t < n)
    out[row + t] = mine;
}

static void run(int rows, int n) {
  const int threads = ceil_div(n, 32) * 32;
  std::vector<int> in(rows * n), expected(rows * n);
  std::vector<Affine> steps(rows * n), composed(rows * n);
  for (int i = 0; i < rows * n; i++) {
    in[i] = random_below(1000) - 400;
    steps[i] = Affine{random_bits(), random_bits()};
    expected[i] = in[i] + (i % n ? expected[i - 1] : 0);
    composed[i] = i % n ? then(composed[i - 1], steps[i]) : steps[i];
  }
  int *d_in = to_device(in), *d_out = device_zeros<int>(rows * n);
  two_buffers<<<rows, threads, 2 * threads * sizeof(int)>>>(d_in, d_out, n);
  LAUNCHED();
  EXPECT(to_host(d_out, rows * n) == expected);
  CHECK(cudaMemset(d_out, 0, rows * n * sizeof(int)));
  one_buffer<<<rows, threads, threads * sizeof(int)>>>(d_in, d_out, n);
  LAUNCHED();
  EXPECT(to_host(d_out, rows * n) == expected);

  Affine *d_steps = to_device(steps), *d_composed = device_array<Affine>(rows * n);
  recurrence<<<rows, threads, threads * sizeof(Affine)>>>(d_steps, d_composed, n);
  LAUNCHED();
  std::vector<Affine> found = to_host(d_composed, rows * n);
  for (int i = 0; i < rows * n; i++)
    EXPECT(found[i].a == composed[i].a && found[i].b == composed[i].b);
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_steps));
  CHECK(cudaFree(d_composed));
}

int main() {
  run(1, 1);
  run(3, 32);
  run(5, 100);
  run(2, 129);
  run(2, 1024);
  return done();
}
