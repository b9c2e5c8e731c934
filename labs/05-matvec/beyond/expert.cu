/* Lab 05, given: a matrix-vector product that is limited by the memory bandwidth only. Read this
 * file after task 5; no task needs it.
 *
 * A matrix of 4096×4096 floats is read in about 20 µs. The start and the end of the kernel are a
 * large part of this time, so all loads should start as early as possible. A whole block computes
 * one row (two rows in double), instead of a warp as in task 5. Each thread starts the loads of
 * PACKS packs of each row before it needs the first value.
 *
 * M is rows×cols, row-major; v has cols elements, out has rows.
 */
#include "lab.h"

#define TOGETHER ((int)sizeof(real) / 4) // rows of a block; in float, two rows were slower
#define PACKS 4                          // packs of a row that a thread loads before it adds them
#define BLOCK (64 * (int)sizeof(real))   // threads; more in double, whose packs have fewer elements

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

/* Returns the PACK elements from `v` on. `aligned` must be true only if the address `v` is a
 * multiple of 16. */
inline __device__ float4 pack_at(const float *v, bool aligned) {
  return aligned ? *(const float4 *)v : float4{v[0], v[1], v[2], v[3]};
}
inline __device__ double2 pack_at(const double *v, bool aligned) {
  return aligned ? *(const double2 *)v : double2{v[0], v[1]};
}

/* Loads a pack. If `passing_by` is true, the elements are read only once and should not stay in a
 * cache. In the cache they would replace values that are still needed or not yet written back,
 * which costs memory traffic. On an H200 whose cache is full of written data, a matrix of 4096×4096
 * takes 22 instead of 25 µs (38 instead of 45 in double). If the cache has nothing to write back,
 * it takes 20 instead of 19 µs (34 instead of 38 in double). */
inline __device__ Pack load(const Pack *from, bool passing_by) {
  return passing_by ? __ldcs(from) : *from;
}

/* Adds up value[r] over all threads of the block, for each row r. Thread r returns the sum of row
 * r. */
template <int ROWS> inline __device__ real block_sum(real (&value)[ROWS]) {
  __shared__ real part[BLOCK / 32][ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    for (int distance = 16; distance > 0; distance /= 2)
      value[r] += __shfl_down_sync(0xffffffff, value[r], distance);
    if (threadIdx.x % 32 == 0)
      part[threadIdx.x / 32][r] = value[r];
  }
  __syncthreads();
  real sum = 0;
  if (threadIdx.x < ROWS)
#pragma unroll
    for (int warp = 0; warp < BLOCK / 32; warp++)
      sum += part[warp][threadIdx.x];
  return sum;
}

/* Adds up COUNT packs of each row: pack `at` and every BLOCK-th pack after it. All loads start
 * before the first addition. */
template <int ROWS, int COUNT, bool passing_by, bool has_vector>
inline __device__ void add_packs(real (&sum)[ROWS], const real *m, const real *v, int cols, int at,
                                 bool aligned) {
  Pack p[ROWS][COUNT];
#pragma unroll
  for (int r = 0; r < ROWS; r++)
#pragma unroll
    for (int i = 0; i < COUNT; i++)
      p[r][i] = load((const Pack *)(m + r * cols) + at + i * BLOCK, passing_by);
#pragma unroll
  for (int i = 0; i < COUNT; i++) {
    Pack own = has_vector ? pack_at(v + (at + i * BLOCK) * PACK, aligned) : Pack{};
#pragma unroll
    for (int r = 0; r < ROWS; r++)
      sum[r] += has_vector ? dot(p[r][i], own) : add_up(p[r][i]);
  }
}

/* Computes `out` for ROWS rows from `row` on. If ROWS > 1, each row must begin at a multiple of 16
 * bytes. If has_vector is false, only adds up the elements of M. This shows the time of the loads
 * without the multiplication. */
template <int ROWS, bool passing_by, bool has_vector>
inline __device__ void multiply_rows(const real *M, const real *v, real *out, int row, int cols) {
  int own = threadIdx.x;
  const real *m = M + (size_t)row * cols;
  // As in task 5: single elements up to the first multiple of 16 bytes, packs, single elements.
  int head = min((PACK - row * cols % PACK) % PACK, cols), packs = (cols - head) / PACK;
  real sum[ROWS] = {};
  int at = own;
  for (; at + (PACKS - 1) * BLOCK < packs; at += PACKS * BLOCK)
    add_packs<ROWS, PACKS, passing_by, has_vector>(sum, m + head, v + head, cols, at, head == 0);
  for (; at < packs; at += BLOCK)
    add_packs<ROWS, 1, passing_by, has_vector>(sum, m + head, v + head, cols, at, head == 0);
  int tail = head + packs * PACK + own;
  if (own < head)
    sum[0] += m[own] * (has_vector ? v[own] : 1);
  if (tail < cols)
    sum[0] += m[tail] * (has_vector ? v[tail] : 1);
  real total = block_sum(sum);
  if (own < ROWS)
    out[row + own] = total;
}

/* Computes the rows of a block. If all of them can be read in packs, they are computed together, so
 * that each element of v is read only once. */
template <bool passing_by, bool has_vector>
inline __device__ void multiply(const real *M, const real *v, real *out, int rows, int cols) {
  int row = blockIdx.x * TOGETHER;
  if (TOGETHER == 1 || (cols % PACK == 0 && row + TOGETHER <= rows))
    multiply_rows<TOGETHER, passing_by, has_vector>(M, v, out, row, cols);
  else
    for (int end = min(rows, row + TOGETHER); row < end; row++, __syncthreads())
      multiply_rows<1, passing_by, has_vector>(M, v, out, row, cols);
}

#define KERNEL extern "C" __global__ void __launch_bounds__(BLOCK)
KERNEL matvec_expert(const real *M, const real *v, real *out, int rows, int cols) {
  multiply<false, true>(M, v, out, rows, cols);
}
KERNEL matvec_expert_passing_by(const real *M, const real *v, real *out, int rows, int cols) {
  multiply<true, true>(M, v, out, rows, cols);
}
KERNEL row_sums(const real *M, real *out, int rows, int cols) {
  multiply<false, false>(M, NULL, out, rows, cols);
}
KERNEL row_sums_passing_by(const real *M, real *out, int rows, int cols) {
  multiply<true, false>(M, NULL, out, rows, cols);
}

/* Returns true if the matrix has less than four times the size of the cache. A larger matrix
 * replaces everything in the cache in any case; then plain loads are faster. */
static bool is_passing_by(int rows, int cols) {
  int cache = 0;
  cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0);
  return (double)rows * cols * sizeof(real) < 4.0 * cache;
}

extern "C" cudaError_t launch_expert(const real *M, const real *v, real *out, int rows, int cols) {
  bool passing_by = is_passing_by(rows, cols);
  (passing_by ? matvec_expert_passing_by
              : matvec_expert)<<<CEIL_DIV(rows, TOGETHER), BLOCK>>>(M, v, out, rows, cols);
  return cudaGetLastError();
}

extern "C" cudaError_t launch_row_sums(const real *M, real *out, int rows, int cols) {
  (is_passing_by(rows, cols) ? row_sums_passing_by
                             : row_sums)<<<CEIL_DIV(rows, TOGETHER), BLOCK>>>(M, out, rows, cols);
  return cudaGetLastError();
}
