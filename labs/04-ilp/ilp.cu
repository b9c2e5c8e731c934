/* Lab 04, several outputs per thread: what a thread has read from shared memory serves 2 of its
 * outputs, then 4, in the end 8. A is m×k, B is k×n, C = A·B is m×n, all row-major.
 *
 * This is the only file to edit. Write only between a TODO(n) and its END(n), in the order of n,
 * and type `make lab04` after each task. `make hint04` helps.
 */
#include "lab.h"

#define TILE 32 // a block computes TILE×TILE elements of C, and is TILE threads wide

/* Element (row, column) of a matrix, 0 outside it. */
inline __device__ real element(const real *M, int rows, int columns, int row, int column) {
  return row < rows && column < columns ? M[row * columns + column] : 0;
}

/* Given: SMEM-1 of lab 03 with its conflicts, one output per thread, TILE rows of threads. */
extern "C" __global__ void matmul_1(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  real sum = 0;
  for (int start = 0; start < k; start += TILE) {
    As[tx][ty] = element(A, m, k, row, start + tx);
    Bs[tx][ty] = element(B, k, n, start + ty, column);
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += As[i][ty] * Bs[tx][i];
    __syncthreads();
  }
  if (row < m && column < n)
    C[row * n + column] = sum;
}
EXPORT_KERNEL(matmul_1)

// TODO(1): How many loads from shared memory does one multiply-add cost, when a thread computes 1
// output, 2, or 4 in the same column of C? Count what one step of the loop over i has to read, and
// divide by its multiply-adds. 0 stands for no answer.
// Example: 3 outputs in a column: 3 elements of A and 1 of B, 4 loads for 3 multiply-adds: 1.333.
#define PREDICT_LOADS_1_OUTPUT 0
#define PREDICT_LOADS_2_OUTPUTS 0
#define PREDICT_LOADS_4_OUTPUTS 0
// END(1)

/* ---- 2 outputs per thread -------------------------------------------------------------------- */

// TODO(2): A block still computes TILE×TILE elements. How many rows of threads has it, when each
// thread computes two?
// Example: 8 outputs per thread would make it TILE / 8 = 4 rows.
#define ROWS_2 TILE // rows of threads in a block
// END(2)

extern "C" __global__ void matmul_2(const real *A, const real *B, real *C, int m, int k, int n) {
  // TODO(2): The product once more, two outputs per thread: (row, column) and the one ROWS_2 rows
  // below. Start from your SMEM-3, or from matmul_1 without its conflicts. What has to be done
  // twice: loading (the tiles are as large as before), adding up, guarding, storing. What not:
  // reading the element of Bs.
  // Example: thread (3, 5) of block (0, 0) stores C(5,3) and C(21,3), and loads rows 5 and 21 of
  // both tiles. In a C with 20 rows only the first of the two exists.
  // END(2)
}
EXPORT_KERNEL(matmul_2)

/* ---- 4 outputs per thread -------------------------------------------------------------------- */

// TODO(3): And with 4 outputs per thread? Example: 16 of them would make it TILE / 16 = 2 rows.
#define ROWS_4 TILE // rows of threads in a block
// END(3)

extern "C" __global__ void matmul_4(const real *A, const real *B, real *C, int m, int k, int n) {
  // TODO(3): Four outputs per thread, ROWS_4 rows apart: with an array of four sums, loops over it,
  // and #pragma unroll in front of those.
  // Example: thread (3, 5) of block (0, 0) stores C(5,3), C(13,3), C(21,3) and C(29,3).
  // END(3)
}
EXPORT_KERNEL(matmul_4)

/* ---- beyond: a register tile of 8×8 outputs per thread --------------------------------------- */

#define SIDE 128                         // a block computes SIDE×SIDE elements of C
#define DEPTH 8                          // in steps of DEPTH terms of the sums,
#define WIDE 16                          // with WIDE×WIDE threads,
#define EACH 8                           // each with EACH×EACH outputs
#define VECTOR (16 / (int)sizeof(real))  // elements in the 16 bytes that one load can carry
#define VECTORS (SIDE * DEPTH / VECTOR)  // of them make a tile of A or B: SIDE×DEPTH elements
#define PIECES (VECTORS / (WIDE * WIDE)) // of those are each thread's to load

/* 16 bytes that travel together. Their address has to be a multiple of 16. */
struct __align__(16) Vector {
  real at[VECTOR];
};
inline __device__ const Vector &vector_at(const real *first) { return *(const Vector *)first; }
inline __device__ Vector &vector_at(real *first) { return *(Vector *)first; }

/* Elements (row, column) to (row, column + VECTOR - 1) of a matrix, 0 outside it. */
inline __device__ Vector fetch(const real *M, int rows, int columns, int row, int column) {
  Vector v = {};
  // TODO(4): Load v. If all VECTOR elements are inside and the index of the first is a multiple of
  // VECTOR, one vector_at does it; else take the elements one by one.
  // Example: float, 9 columns. (0, 4) has index 4 and is one load of 4 elements. (0, 8) has only
  // one element inside. (1, 0) has index 9, no multiple of 4.
  // END(4)
  return v;
}

/* Where vector number v of a thread begins among the SIDE rows (or columns) of a block. The vectors
 * of neighbours lie side by side, so that a warp reads them without conflicts; 8 elements in a row
 * for each thread would be in the way of each other. */
inline __device__ int place(int thread, int v) { return (v * WIDE + thread) * VECTOR; }

extern "C" __global__ void __launch_bounds__(WIDE *WIDE)
    matmul_8x8(const real *A, const real *B, real *C, int m, int k, int n) {
  // TODO(4): SIDE×SIDE outputs per block, EACH×EACH per thread. Keep two buffers of each tile, that
  // of A transposed: As[2][DEPTH][SIDE + VECTOR], Bs[2][DEPTH][SIDE], both __align__(16). In step s
  //   1. fetch this thread's PIECES of tile s of A and of B into registers,
  //   2. if s > 0, multiply tile s - 1, which lies in buffer (s - 1) % 2: for each of the DEPTH
  //      terms, read this thread's rows and columns as vectors, and use them EACH×EACH times,
  //   3. store the pieces in buffer s % 2, and wait for each other: one barrier.
  // After the last tile is multiplied, store the outputs, each with its guard.
  // Example: in float a tile of A is 128 rows of 2 vectors. Thread 5 (of 256) fetches row 2, elements
  // 4 to 7, and stores them in As[s % 2][4][2] to As[s % 2][7][2]. Thread (3, 5) of block (0, 0)
  // has rows 20-23 and 84-87, columns 12-15 and 76-79.
  // END(4)
}
EXPORT_KERNEL(matmul_8x8)

/* How the program launches these kernels. Not const: constants would exist on the device, too. */
extern "C" {
int tile = TILE, rows_2 = ROWS_2, rows_4 = ROWS_4, side = SIDE, wide = WIDE;
}
