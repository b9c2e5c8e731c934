/* Lab 05, the matrix-vector product: out = M·v. M is rows×cols, row-major; v has cols elements, out
 * has rows. Four kernels compute the same sums. They differ in what each thread reads, and how.
 *
 * This is the only file to edit. Write only between a TODO(n) and its END(n), in the order of n,
 * and type `make lab05` after each task. `make hint05` helps.
 */
#include "lab.h"

#define BLOCK 1024 // threads of a block in steps 1 and 2, and elements of a tile

extern "C" __global__ void matvec_naive(const real *M, const real *v, real *out, int rows,
                                        int cols) {
  // DONE(1): The grid is 1-D, so there is one index. The last block may extend past the last row.
  // The sum is kept in a register and stored once.
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    real sum = 0;
    for (int i = 0; i < cols; i++)
      sum += M[row * cols + i] * v[i];
    out[row] = sum;
  }
  // END(1)
}
EXPORT_KERNEL(matvec_naive)

extern "C" __global__ void matvec_tiled(const real *M, const real *v, real *out, int rows,
                                        int cols) {
  extern __shared__ real tile[]; // the launch sets its length
  // DONE(2): No early return: a thread without a row still loads its part of every tile and reaches
  // every barrier. `start` is the same in all threads, so all make the same number of iterations.
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  real sum = 0;
  for (int start = 0; start < cols; start += blockDim.x) {
    // The last tile may be shorter.
    int length = min((int)blockDim.x, cols - start), own = threadIdx.x;
    if (own < length)
      tile[own] = v[start + own];
    __syncthreads(); // all elements are loaded before any is read
    if (row < rows)
      for (int i = 0; i < length; i++)
        sum += M[row * cols + start + i] * tile[i];
    __syncthreads(); // all reads are done before the next tile is stored
  }
  if (row < rows) // the store needs a guard, too
    out[row] = sum;
  // END(2)
}

/* M, v and out are device memory. Returns the error of the launch. */
extern "C" cudaError_t launch_tiled(const real *M, const real *v, real *out, int rows, int cols) {
  // DONE(2): The third number is the size of `tile`, in bytes: one element for each thread.
  matvec_tiled<<<CEIL_DIV(rows, BLOCK), BLOCK, BLOCK * sizeof(real)>>>(M, v, out, rows, cols);
  // END(2)
  return cudaGetLastError();
}

// DONE(3): With a thread per row, the 32 threads of a warp read 32 rows, so they touch 32 sectors.
// The tile changes only how v is read. With a warp per row, a load reads 128 consecutive bytes.
#define PREDICT_NAIVE_SECTORS_PER_REQUEST 32
#define PREDICT_TILED_SECTORS_PER_REQUEST 32
#define PREDICT_WARP_SECTORS_PER_REQUEST 4
// END(3)

/* Adds up `value` over the 32 lanes of a warp; lane 0 returns the sum. */
__device__ inline real warp_sum(real value) {
  // DONE(4): Fold the warp in half five times: 16 sums of two, 8 of four ... 1 of 32. All lanes
  // take part, so the mask is full. The values of lanes beyond the fold are not used.
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  // END(4)
  return value;
}

/* Launched with 32 threads, one warp, for each row. */
extern "C" __global__ void matvec_warp(const real *M, const real *v, real *out, int rows,
                                       int cols) {
  // DONE(4): The lanes read 32 neighbours of the row in each step. The row is the same for a whole
  // warp, so either all its lanes return early or none, and the shuffles have all lanes.
  int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
  if (row >= rows)
    return;
  real sum = 0;
  for (int i = lane; i < cols; i += 32)
    sum += M[row * cols + i] * v[i];
  sum = warp_sum(sum);
  if (lane == 0)
    out[row] = sum;
  // END(4)
}
EXPORT_KERNEL(matvec_warp)

/* The most that one lane loads at once: a pack of 16 bytes, four floats or two doubles. Its address
 * must be a multiple of 16. PACK is the number of elements in it. */
float4 pack_of(float);
double2 pack_of(double);
typedef decltype(pack_of(real())) Pack;
#define PACK ((int)(sizeof(Pack) / sizeof(real)))

/* Returns the dot product of a pack with another pack, or with the PACK elements from `v` on.
 * `v` may be unaligned. */
__device__ inline float dot(float4 m, float4 v) {
  return m.x * v.x + m.y * v.y + m.z * v.z + m.w * v.w;
}
__device__ inline float dot(float4 m, const float *v) {
  return m.x * v[0] + m.y * v[1] + m.z * v[2] + m.w * v[3];
}
__device__ inline double dot(double2 m, double2 v) { return m.x * v.x + m.y * v.y; }
__device__ inline double dot(double2 m, const double *v) { return m.x * v[0] + m.y * v[1]; }

/* Launched like matvec_warp, in blocks of 256. __launch_bounds__ tells the compiler this size, so
 * that it may use more registers than for larger blocks, and keep more loads in flight. */
extern "C" __global__ void __launch_bounds__(256)
    matvec_vector(const real *M, const real *v, real *out, int rows, int cols) {
  // DONE(5): If cols is not a multiple of PACK, most rows begin between two multiples of 16 bytes.
  // So a row is a ragged head up to the first multiple, whole packs, and a ragged tail; head and
  // tail together are at most 2 * (PACK - 1) elements. M itself is aligned by cudaMalloc.
  int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
  if (row >= rows)
    return;
  const real *m = M + row * cols;
  int head = min((PACK - row * cols % PACK) % PACK, cols), packs = (cols - head) / PACK;
  const Pack *pack = (const Pack *)(m + head);
  real sum = 0;
  if (lane < head)
    sum += m[lane] * v[lane];
  // With the loop unrolled, several loads start before the first value is needed. If v is aligned
  // as well, it is read in packs, too.
  if (head == 0) {
#pragma unroll 4
    for (int i = lane; i < packs; i += 32)
      sum += dot(pack[i], ((const Pack *)v)[i]);
  } else {
#pragma unroll 4
    for (int i = lane; i < packs; i += 32)
      sum += dot(pack[i], v + head + i * PACK);
  }
  for (int i = head + packs * PACK + lane; i < cols; i += 32)
    sum += m[i] * v[i];
  sum = warp_sum(sum);
  if (lane == 0)
    out[row] = sum;
  // END(5)
}
EXPORT_KERNEL(matvec_vector)
