// Tests asynchronous copies to shared memory (cp.async): 4, 8 and 16 bytes; shorter copies padded
// with zeros; groups of copies, one of which is pending while another is used.
#include "check.h"

#define THREADS 64
#define STEPS 9

__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
template <int BYTES> __device__ void copy(void *to, const void *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
               :
               : "r"(shared_address(to)), "l"(from), "n"(BYTES)
               : "memory");
}
template <int BYTES> __device__ void copy_some(void *to, const void *from, int bytes) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
               :
               : "r"(shared_address(to)), "l"(from), "n"(BYTES), "r"(bytes)
               : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" : : : "memory"); }
template <int N> __device__ void wait() {
  asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");
}

__global__ void sizes(const unsigned char *in, unsigned char *out) {
  __shared__ __align__(16) unsigned char words[THREADS * 4], pairs[THREADS * 8],
      quads[THREADS * 16];
  const int t = threadIdx.x;
  copy<4>(words + 4 * t, in + 4 * (THREADS - 1 - t));
  copy<8>(pairs + 8 * t, in + 8 * (t ^ 5));
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;"
               :
               : "r"(shared_address(quads + 16 * t)), "l"(in + 16 * (t ^ 9))
               : "memory");
  asm volatile("cp.async.wait_all;" : : : "memory");
  __syncthreads();
  for (int i = t; i < THREADS * 16; i += THREADS) {
    out[i] = quads[i];
    out[THREADS * 16 + i] = i < THREADS * 8 ? pairs[i] : words[i & (THREADS * 4 - 1)];
  }
}

// Copies the last rows of a matrix. Memory after the matrix must not be read.
__global__ void parts(const unsigned char *in, int n, unsigned char *out) {
  __shared__ __align__(16) unsigned char here[THREADS * 16], halves[THREADS * 4];
  const int t = threadIdx.x, left = n - 16 * t, some = n - 4 * t;
  copy_some<16>(here + 16 * t, left > 0 ? in + 16 * t : in, left < 0 ? 0 : left < 16 ? left : 16);
  copy_some<4>(halves + 4 * t, some > 0 ? in + 4 * t : in, some < 0 ? 0 : some < 4 ? some : 4);
  asm volatile("cp.async.wait_all;" : : : "memory");
  __syncthreads();
  for (int i = t; i < THREADS * 16; i += THREADS)
    out[i] = here[i];
  for (int i = t; i < THREADS * 4; i += THREADS)
    out[THREADS * 16 + i] = halves[i];
}

__global__ void skipped(const int *in, int *out) { // a predicate skips copies
  __shared__ int here[THREADS];
  const int t = threadIdx.x;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 4, p; }"
               :
               : "r"(shared_address(here + t)), "l"(in + t), "r"(t & 1)
               : "memory");
  wait<0>(); // does not wait for this copy, which is in no group
  asm volatile("cp.async.wait_all;" : : : "memory");
  out[t] = here[t]; // the thread's own element
}

// Uses two buffers: one is filled while the other is summed.
__global__ void pipeline(const float *in, float *out) {
  __shared__ float tile[2][THREADS];
  const int t = threadIdx.x;
  float sum = 0;
  copy<4>(&tile[0][t], in + t);
  commit();
  for (int step = 0; step < STEPS; step++) {
    if (step + 1 < STEPS)
      copy<4>(&tile[(step + 1) % 2][t], in + (step + 1) * THREADS + t);
    commit(); // the last group is empty
    wait<1>();
    __syncthreads();
    for (int i = 0; i < 4; i++)
      sum = sum * 0.5f + tile[step % 2][(t + i) % THREADS];
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  enum { BYTES = THREADS * 16 };
  static unsigned char in[BYTES], out[2 * BYTES];
  unsigned char *d_in, *d_out;
  for (int i = 0; i < BYTES; i++)
    in[i] = i * 37 + i / 251;
  CHECK(cudaMalloc(&d_in, BYTES));
  CHECK(cudaMalloc(&d_out, 2 * BYTES));
  CHECK(cudaMemcpy(d_in, in, BYTES, cudaMemcpyHostToDevice));
  sizes<<<1, THREADS>>>(d_in, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out, d_out, 2 * BYTES, cudaMemcpyDeviceToHost));
  for (int t = 0; t < THREADS; t++) {
    for (int i = 0; i < 16; i++)
      EXPECT(out[16 * t + i] == in[16 * (t ^ 9) + i]);
    for (int i = 0; i < 8; i++)
      EXPECT(out[BYTES + 8 * t + i] == in[8 * (t ^ 5) + i]);
    for (int i = 0; i < 4; i++)
      EXPECT(out[BYTES + THREADS * 8 + 4 * t + i] == in[4 * (THREADS - 1 - t) + i]);
  }
  CHECK(cudaFree(d_in));
  for (int n : {(int)BYTES, BYTES - 4, 100, 101, 16, 3, 0}) {
    CHECK(cudaMalloc(&d_in, n ? n : 1));
    CHECK(cudaMemcpy(d_in, in, n, cudaMemcpyHostToDevice));
    parts<<<1, THREADS>>>(d_in, n, d_out);
    LAUNCHED();
    CHECK(cudaMemcpy(out, d_out, BYTES + THREADS * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BYTES + THREADS * 4; i++) {
      const int k = i < BYTES ? i : i - BYTES;
      EXPECT(out[i] == (k < n ? in[k] : 0));
    }
    CHECK(cudaFree(d_in));
  }
  static float values[STEPS * THREADS], sums[THREADS];
  float *d_values, *d_sums;
  for (int i = 0; i < STEPS * THREADS; i++)
    values[i] = i % 97 - 40;
  CHECK(cudaMalloc(&d_values, sizeof values));
  CHECK(cudaMalloc(&d_sums, sizeof sums));
  CHECK(cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice));
  pipeline<<<1, THREADS>>>(d_values, d_sums);
  LAUNCHED();
  CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
  for (int t = 0; t < THREADS; t++) {
    float sum = 0;
    for (int step = 0; step < STEPS; step++)
      for (int i = 0; i < 4; i++)
        sum = sum * 0.5f + values[step * THREADS + (t + i) % THREADS];
    EXPECT(sums[t] == sum);
  }
  skipped<<<1, THREADS>>>((const int *)d_values, (int *)d_sums);
  LAUNCHED();
  CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
  for (int t = 0; t < THREADS; t++)
    EXPECT(sums[t] == (t & 1 ? 0 : values[t]));
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(d_sums));
  CHECK(cudaFree(d_out));
  return done();
}
