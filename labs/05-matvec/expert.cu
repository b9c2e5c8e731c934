/* Lab 05, given: the matrix-vector product at the speed of memory, to be read after step 5. No task
 * asks for it.
 *
 * A matrix of 4096×4096 floats is read in some 20 µs, and a good part of that is beginning and end:
 * the sooner all of it has been asked for, the better. So a whole block takes a row, where step 5
 * had a warp, and each thread asks for PACKS packs before it needs the first.
 *
 * M is rows×cols, row-major; v has cols elements, out has rows.
 */
#include "lab.h"

#define BLOCK 256
#define PACKS 4 // of a thread under way at once

float4 pack_of(float);
double2 pack_of(double);
typedef decltype(pack_of(real())) Pack;
#define PACK ((int)(sizeof(Pack) / sizeof(real)))

inline __device__ float dot(float4 m, float4 v) {
  return m.x * v.x + m.y * v.y + m.z * v.z + m.w * v.w;
}
inline __device__ double dot(double2 m, double2 v) { return m.x * v.x + m.y * v.y; }

/* The PACK elements from `v` on; aligned: `v` is a multiple of 16 bytes. */
inline __device__ float4 pack_at(const float *v, bool aligned) {
  return aligned ? *(const float4 *)v : float4{v[0], v[1], v[2], v[3]};
}
inline __device__ double2 pack_at(const double *v, bool aligned) {
  return aligned ? *(const double2 *)v : double2{v[0], v[1]};
}

/* What is read once and passing_by need not stay in a cache. There it would take the place of what
 * others have written, and that would have to go to memory first. */
inline __device__ Pack load(const Pack *from, bool passing_by) {
  return passing_by ? __ldcs(from) : *from;
}

/* Adds up `value` over the block; thread 0 returns the sum. */
inline __device__ real block_sum(real value) {
  __shared__ real part[BLOCK / 32];
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0;
  for (int warp = 0; warp < BLOCK / 32 && threadIdx.x == 0; warp++)
    value += part[warp];
  return value;
}

template <bool passing_by>
inline __device__ void multiply_row(const real *M, const real *v, real *out, int cols) {
  int row = blockIdx.x, own = threadIdx.x;
  const real *m = M + (size_t)row * cols;
  // As in step 5: a ragged head up to the first multiple of 16 bytes, packs, a ragged tail.
  int head = min((PACK - row * cols % PACK) % PACK, cols), packs = (cols - head) / PACK;
  const Pack *pack = (const Pack *)(m + head);
  real sum = 0;
  int at = own;
  for (; at + (PACKS - 1) * BLOCK < packs; at += PACKS * BLOCK) {
    Pack p[PACKS];
#pragma unroll
    for (int i = 0; i < PACKS; i++)
      p[i] = load(pack + at + i * BLOCK, passing_by);
#pragma unroll
    for (int i = 0; i < PACKS; i++)
      sum += dot(p[i], pack_at(v + head + (at + i * BLOCK) * PACK, head == 0));
  }
  for (; at < packs; at += BLOCK)
    sum += dot(load(pack + at, passing_by), pack_at(v + head + at * PACK, head == 0));
  if (own < head)
    sum += m[own] * v[own];
  int tail = head + packs * PACK + own;
  if (tail < cols)
    sum += m[tail] * v[tail];
  sum = block_sum(sum);
  if (own == 0)
    out[row] = sum;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    matvec_expert(const real *M, const real *v, real *out, int cols) {
  multiply_row<false>(M, v, out, cols);
}
extern "C" __global__ void __launch_bounds__(BLOCK)
    matvec_expert_passing_by(const real *M, const real *v, real *out, int cols) {
  multiply_row<true>(M, v, out, cols);
}

/* A matrix many times the size of the cache drives all else out whatever it is told, and then the
 * plain loads are faster. */
extern "C" cudaError_t launch_expert(const real *M, const real *v, real *out, int rows, int cols) {
  int cache = 0;
  cudaError_t error = cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0);
  bool passing_by = (double)rows * cols * sizeof(real) < 4.0 * cache;
  (passing_by ? matvec_expert_passing_by : matvec_expert)<<<rows, BLOCK>>>(M, v, out, cols);
  TRY(error, cudaGetLastError());
  return error;
}
