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

// DONE(1): Each multiply-add wants an element of A of its own. An element of B serves all outputs
// of a thread, as they lie in one column: 1 + 1, 1 + 1/2, 1 + 1/4. The 1 stays however many there
// are, and that is why task 4 goes both ways.
#define PREDICT_LOADS_1_OUTPUT 2
#define PREDICT_LOADS_2_OUTPUTS 1.5
#define PREDICT_LOADS_4_OUTPUTS 1.25
// END(1)

/* ---- 2 outputs per thread -------------------------------------------------------------------- */

// DONE(2): TILE×TILE outputs, two for each thread.
#define ROWS_2 (TILE / 2) // rows of threads in a block
// END(2)

extern "C" __global__ void matmul_2(const real *A, const real *B, real *C, int m, int k, int n) {
  // DONE(2): Rows ty and ty + 16 of the tile are this thread's. A warp still walks along a row, in
  // global memory and in both tiles. The sums do not wait for each other: while one multiply-add is
  // under way, the next can start.
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int top = blockIdx.y * TILE, column = blockIdx.x * TILE + tx;
  real sum0 = 0, sum1 = 0;
  for (int start = 0; start < k; start += TILE) {
    // The tiles are as large as ever: half the threads, so two elements of each for every thread.
    for (int y = ty; y < TILE; y += ROWS_2) {
      As[y][tx] = element(A, m, k, top + y, start + tx);
      Bs[y][tx] = element(B, k, n, start + y, column);
    }
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      real b = Bs[i][tx]; // read once, used twice
      sum0 += As[ty][i] * b;
      sum1 += As[ty + ROWS_2][i] * b;
    }
    __syncthreads();
  }
  // Each output has its own guard: of two rows 16 apart, one may be inside and the other not.
  int row0 = top + ty, row1 = row0 + ROWS_2;
  if (row0 < m && column < n)
    C[row0 * n + column] = sum0;
  if (row1 < m && column < n)
    C[row1 * n + column] = sum1;
  // END(2)
}
EXPORT_KERNEL(matmul_2)

/* ---- 4 outputs per thread -------------------------------------------------------------------- */

// DONE(3): A quarter as many rows as the tile has.
#define ROWS_4 (TILE / 4) // rows of threads in a block
// END(3)

extern "C" __global__ void matmul_4(const real *A, const real *B, real *C, int m, int k, int n) {
  // DONE(3): The same with an array of sums. Registers have no index, so the loops over the outputs
  // are unrolled: every index is then known to the compiler, and the array never sees memory.
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int top = blockIdx.y * TILE, column = blockIdx.x * TILE + tx;
  real sum[4] = {0, 0, 0, 0};
  for (int start = 0; start < k; start += TILE) {
    for (int y = ty; y < TILE; y += ROWS_4) {
      As[y][tx] = element(A, m, k, top + y, start + tx);
      Bs[y][tx] = element(B, k, n, start + y, column);
    }
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      real b = Bs[i][tx];
#pragma unroll
      for (int o = 0; o < 4; o++)
        sum[o] += As[ty + o * ROWS_4][i] * b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int o = 0; o < 4; o++) {
    int row = top + ty + o * ROWS_4;
    if (row < m && column < n)
      C[row * n + column] = sum[o];
  }
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
  // DONE(4): One wide load where all elements are inside and the first lies on 16 bytes. Where rows
  // have 33 floats, only every fourth row begins on 16 bytes: there, and at the edge, one by one.
  int first = row * columns + column;
  if (row < rows && column + VECTOR <= columns && first % VECTOR == 0)
    return vector_at(M + first);
#pragma unroll
  for (int i = 0; i < VECTOR; i++)
    v.at[i] = element(M, rows, columns, row, column + i);
  // END(4)
  return v;
}

/* Where vector number v of a thread begins among the SIDE rows (or columns) of a block. The vectors
 * of neighbours lie side by side, so that a warp reads them without conflicts; 8 elements in a row
 * for each thread would be in the way of each other. */
inline __device__ int place(int thread, int v) { return (v * WIDE + thread) * VECTOR; }

extern "C" __global__ void __launch_bounds__(WIDE *WIDE)
    matmul_8x8(const real *A, const real *B, real *C, int m, int k, int n) {
  // DONE(4): Two buffers: while one is multiplied the other is filled, and a step needs but one
  // barrier. As lies transposed, so that rows of A can be read as vectors; the VECTOR more per row
  // keep the stores into it free of conflicts.
  __shared__ __align__(16) real As[2][DEPTH][SIDE + VECTOR], Bs[2][DEPTH][SIDE];
  int tx = threadIdx.x, ty = threadIdx.y, thread = ty * WIDE + tx;
  int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  real sum[EACH][EACH] = {};

  // Step s fetches tile s and multiplies tile s - 1. The last step fetches zeros, which harm
  // nobody.
  for (int step = 0; step <= CEIL_DIV(k, DEPTH); step++) {
    int filling = step % 2, full = 1 - filling;
    // Global memory is slow, and nobody needs these values before they are stored below: they are
    // on their way while we multiply.
    Vector a[PIECES], b[PIECES];
#pragma unroll
    for (int p = 0; p < PIECES; p++) {
      int piece = p * WIDE * WIDE + thread;
      int a_row = piece / (DEPTH / VECTOR), a_column = piece % (DEPTH / VECTOR) * VECTOR;
      int b_row = piece / (SIDE / VECTOR), b_column = piece % (SIDE / VECTOR) * VECTOR;
      a[p] = fetch(A, m, k, top + a_row, step * DEPTH + a_column);
      b[p] = fetch(B, k, n, step * DEPTH + b_row, left + b_column);
    }

    for (int i = 0; i < DEPTH && step > 0; i++) {
      Vector down[EACH / VECTOR], right[EACH / VECTOR]; // 8 + 8 elements for 64 multiply-adds
#pragma unroll
      for (int v = 0; v < EACH / VECTOR; v++) {
        down[v] = vector_at(&As[full][i][place(ty, v)]);
        right[v] = vector_at(&Bs[full][i][place(tx, v)]);
      }
#pragma unroll
      for (int o = 0; o < EACH * EACH; o++) {
        int y = o / EACH, x = o % EACH;
        sum[y][x] += down[y / VECTOR].at[y % VECTOR] * right[x / VECTOR].at[x % VECTOR];
      }
    }

    // Who read this buffer did so before the barrier of the step before.
#pragma unroll
    for (int p = 0; p < PIECES; p++) {
      int piece = p * WIDE * WIDE + thread;
      int a_row = piece / (DEPTH / VECTOR), a_column = piece % (DEPTH / VECTOR) * VECTOR;
      int b_row = piece / (SIDE / VECTOR), b_column = piece % (SIDE / VECTOR) * VECTOR;
#pragma unroll
      for (int i = 0; i < VECTOR; i++)
        As[filling][a_column + i][a_row] = a[p].at[i];
      vector_at(&Bs[filling][b_row][b_column]) = b[p];
    }
    __syncthreads();
  }

#pragma unroll
  for (int o = 0; o < EACH * EACH; o++) {
    int y = o / EACH, x = o % EACH;
    int row = top + place(ty, y / VECTOR) + y % VECTOR;
    int column = left + place(tx, x / VECTOR) + x % VECTOR;
    if (row < m && column < n)
      C[row * n + column] = sum[y][x];
  }
  // END(4)
}
EXPORT_KERNEL(matmul_8x8)

/* How the program launches these kernels. Not const: constants would exist on the device, too. */
extern "C" {
int tile = TILE, rows_2 = ROWS_2, rows_4 = ROWS_4, side = SIDE, wide = WIDE;
}
