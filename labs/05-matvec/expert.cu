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

inline __device__ float add_up(float4 m) { return m.x + m.y + m.z + m.w; }
inline __device__ double add_up(double2 m) { return m.x + m.y; }

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
  if (threadIdx.x == 0)
#pragma unroll
    for (int warp = 0; warp < BLOCK / 32; warp++)
      value += part[warp];
  return value;
}

/* Without a vector the row is added up as it is: the same loads, and nothing else to do. */
template <bool passing_by, bool has_vector>
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
      sum += has_vector ? dot(p[i], pack_at(v + head + (at + i * BLOCK) * PACK, head == 0))
                        : add_up(p[i]);
  }
  for (; at < packs; at += BLOCK) {
    Pack p = load(pack + at, passing_by);
    sum += has_vector ? dot(p, pack_at(v + head + at * PACK, head == 0)) : add_up(p);
  }
  int tail = head + packs * PACK + own;
  if (own < head)
    sum += m[own] * (has_vector ? v[own] : 1);
  if (tail < cols)
    sum += m[tail] * (has_vector ? v[tail] : 1);
  sum = block_sum(sum);
  if (own == 0)
    out[row] = sum;
}

#define KERNEL extern "C" __global__ void __launch_bounds__(BLOCK)
KERNEL matvec_expert(const real *M, const real *v, real *out, int cols) {
  multiply_row<false, true>(M, v, out, cols);
}
KERNEL matvec_expert_passing_by(const real *M, const real *v, real *out, int cols) {
  multiply_row<true, true>(M, v, out, cols);
}
KERNEL row_sums(const real *M, real *out, int cols) {
  multiply_row<false, false>(M, NULL, out, cols);
}
KERNEL row_sums_passing_by(const real *M, real *out, int cols) {
  multiply_row<true, false>(M, NULL, out, cols);
}

/* A matrix many times the size of the cache drives all else out whatever it is told, and then the
 * plain loads are faster. */
static bool is_passing_by(int rows, int cols) {
  int cache = 0;
  cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0);
  return (double)rows * cols * sizeof(real) < 4.0 * cache;
}

extern "C" cudaError_t launch_expert(const real *M, const real *v, real *out, int rows, int cols) {
  bool passing_by = is_passing_by(rows, cols);
  (passing_by ? matvec_expert_passing_by : matvec_expert)<<<rows, BLOCK>>>(M, v, out, cols);
  return cudaGetLastError();
}

extern "C" cudaError_t launch_row_sums(const real *M, real *out, int rows, int cols) {
  (is_passing_by(rows, cols) ? row_sums_passing_by : row_sums)<<<rows, BLOCK>>>(M, out, cols);
  return cudaGetLastError();
}
