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
  // TODO(1): One thread, one row. Work out this thread's row. If there is such a row, add up
  // M(row,i)·v(i) over all i below cols and store the sum in out[row].
  // Example: in blocks of 1024, thread 3 of block 2 has row 2051; with 2050 rows it has none.
  // END(1)
}
EXPORT_KERNEL(matvec_naive)

extern "C" __global__ void matvec_tiled(const real *M, const real *v, real *out, int rows,
                                        int cols) {
  extern __shared__ real tile[]; // the launch sets its length
  // TODO(2): The same sums, with v taken from `tile`. In each phase the block loads the next
  // blockDim.x elements of v, one by each thread, and every thread that has a row adds up their
  // products. Think about which threads must reach the barriers, and how many barriers there are.
  // Example: 2500 columns are tiles of 1024, 1024 and 452 elements. In the third phase thread 451
  // loads v[2499], thread 452 loads nothing, and M's row goes on for 452 elements.
  // END(2)
}

/* M, v and out are device memory. Returns the error of the launch. */
extern "C" cudaError_t launch_tiled(const real *M, const real *v, real *out, int rows, int cols) {
  // TODO(2): Launch matvec_tiled with BLOCK threads a block, enough blocks for all rows, and shared
  // memory for one tile: kernel<<<blocks, threads, bytes>>>(...).
  // Example: 1025 rows need two blocks of 1024; a tile of 256 doubles has 2048 bytes.
  // END(2)
  return cudaGetLastError();
}

// TODO(3): One load of a warp is one request; memory answers in sectors of 32 bytes. Predict how
// many sectors a request for M touches in float, in each of three kernels. cols is large and a
// multiple of 32. matvec_warp, in task 4, reads 32 consecutive elements of a row. 0: not answered.
// Example: 32 threads that read every fourth float span 512 bytes: 16 sectors.
#define PREDICT_NAIVE_SECTORS_PER_REQUEST 0
#define PREDICT_TILED_SECTORS_PER_REQUEST 0
#define PREDICT_WARP_SECTORS_PER_REQUEST 0
// END(3)

/* Adds up `value` over the 32 lanes of a warp; lane 0 returns the sum. */
__device__ inline real warp_sum(real value) {
  // TODO(4): __shfl_down_sync(0xffffffff, value, d) gives lane i the value of lane i + d. Five
  // such steps and additions are enough.
  // Example: of 4 lanes with 1, 2, 3, 4: d = 2 gives 4, 6, ... in lanes 0 and 1; then d = 1 gives
  // 10 in lane 0.
  // END(4)
  return value;
}

/* Launched with 32 threads, one warp, for each row. */
extern "C" __global__ void matvec_warp(const real *M, const real *v, real *out, int rows,
                                       int cols) {
  // TODO(4): Let a warp share a row: each lane adds up every 32nd product, warp_sum adds up the
  // lanes, and one lane stores.
  // Example: thread 70 is lane 6 of row 2; it takes elements 6, 38, 70 and so on.
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
  // TODO(5): As matvec_warp, but 16 bytes a load: read a row as packs, `*(const Pack *)address`,
  // and single elements where there is no whole pack. Think about where rows begin if cols is
  // not a multiple of PACK.
  // Example: float, 7 columns: row 1 begins 28 bytes into M, so its element 0 is a single one, 1 to
  // 4 are a pack at byte 32, and 5 and 6 are left over.
  // END(5)
}
EXPORT_KERNEL(matvec_vector)
