/* Lab 04, several outputs per thread: a thread uses each element that it reads from shared memory
 * for 2 outputs, then for 4, finally for 8. A is m×k, B is k×n, C = A·B is m×n, all row-major.
 *
 * This is the only file to edit. Write only between a TODO(n) and its END(n), in the order of n,
 * and type `make lab04` after each task. `make hint04` helps.
 */
#include "lab.h"

#define TILE 32 // a block computes TILE×TILE elements of C, and is TILE threads wide

/* Returns element (row, column) of a matrix, or 0 outside of it. */
inline __device__ real element(const real *M, int rows, int columns, int row, int column) {
  return row < rows && column < columns ? M[row * columns + column] : 0;
}

/* Given: SMEM-1 of lab 03 with its bank conflicts. A thread computes one output. */
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

// TODO(1): Predict how many loads from shared memory one multiply-add costs, when a thread computes
// 1 output, 2, or ASKED_OUTPUTS in the same column of C. Count what one step of the loop over i has
// to read, and divide by its multiply-adds. 0 means: not answered.
// Example: 3 outputs in a column: 3 elements of A and 1 of B, 4 loads for 3 multiply-adds: 1.333.
#define ASKED_OUTPUTS 4 // given
#define PREDICT_LOADS_1_OUTPUT 0
#define PREDICT_LOADS_2_OUTPUTS 0
#define PREDICT_LOADS_ASKED_OUTPUTS 0
// END(1)

/* ---- 2 outputs per thread -------------------------------------------------------------------- */

// TODO(2): A block still computes TILE×TILE elements. Set the number of rows of threads that a
// block has if each thread computes two elements.
// Example: 8 outputs per thread would make it TILE / 8 = 4 rows.
#define ROWS_2 TILE // rows of threads in a block
// END(2)

extern "C" __global__ void matmul_2(const real *A, const real *B, real *C, int m, int k, int n) {
  // TODO(2): The product again, two outputs per thread: (row, column) and the output ROWS_2 rows
  // below. Start from your SMEM-3, or from matmul_1 without its conflicts. Each thread loads twice
  // (the tiles are as large as before), adds up twice, guards twice and stores twice. It reads the
  // element of Bs once.
  // Example: thread (3, 5) of block (0, 0) stores C(5,3) and C(21,3), and loads rows 5 and 21 of
  // both tiles. In a C with 20 rows only the first of the two exists.
  // END(2)
}
EXPORT_KERNEL(matmul_2)

/* ---- 4 outputs per thread -------------------------------------------------------------------- */

// TODO(3): Set the number of rows of threads that a block has with 4 outputs per thread.
// Example: 16 outputs per thread would make it TILE / 16 = 2 rows.
#define ROWS_4 TILE // rows of threads in a block
// END(3)

extern "C" __global__ void matmul_4(const real *A, const real *B, real *C, int m, int k, int n) {
  // TODO(3): Four outputs per thread, ROWS_4 rows apart. Use an array of four sums, loops over it,
  // and #pragma unroll in front of each of these loops.
  // Example: thread (3, 5) of block (0, 0) stores C(5,3), C(13,3), C(21,3) and C(29,3).
  // END(3)
}
EXPORT_KERNEL(matmul_4)

/* ---- 4×4 outputs per thread: a row as well as a column --------------------------------------- */

#define SQUARE 4              // a thread computes SQUARE×SQUARE outputs
#define APART (TILE / SQUARE) // distance of its rows and columns; a block has APART×APART threads

/* Given: stores an output if it is inside C. */
inline __device__ void store(real *C, int m, int n, int row, int column, real sum) {
  if (row < m && column < n)
    C[row * n + column] = sum;
}

extern "C" __global__ void matmul_4x4(const real *A, const real *B, real *C, int m, int k, int n) {
  // A warp has 4 rows of threads here, and reads a column of 4 elements from As. So As is padded.
  __shared__ real As[TILE][TILE + 1], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, thread = ty * APART + tx;
  int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
  real sum[SQUARE][SQUARE] = {};
  for (int start = 0; start < k; start += TILE) {
    // Thread 0 loads element 0 of the tiles, thread 1 element 1 and so on, row by row. After the
    // last thread, thread 0 loads the next element.
    for (int e = thread; e < TILE * TILE; e += APART * APART) {
      int y = e / TILE, x = e % TILE;
      As[y][x] = element(A, m, k, top + y, start + x);
      Bs[y][x] = element(B, k, n, start + y, left + x);
    }
    __syncthreads();
    // TODO(4): Add the products of these TILE terms to all SQUARE×SQUARE sums. For each term, first
    // read the SQUARE elements of As that this thread needs into an array, and the SQUARE elements
    // of Bs into another one. Then use each of them SQUARE times. Unroll the loops over the arrays.
    // Example: thread (3, 5) of block (0, 0) needs rows 5, 13, 21 and 29 of As, and columns 3, 11,
    // 19 and 27 of Bs. Its sum[1][2] is C(13,19).
    // END(4)
    __syncthreads();
  }
#pragma unroll
  for (int o = 0; o < SQUARE * SQUARE; o++) {
    int y = o / SQUARE, x = o % SQUARE;
    store(C, m, n, top + ty + y * APART, left + tx + x * APART, sum[y][x]);
  }
}
EXPORT_KERNEL(matmul_4x4)

/* ---- 8×8 outputs per thread: a larger block -------------------------------------------------- */

/* With 8×8 outputs per thread, TILE×TILE elements of C would need only 16 threads, half a warp. So
 * a block computes more elements from here on. Its tiles are thin, to save shared memory. */
#define SIDE 128 // a block computes SIDE×SIDE elements of C
#define DEPTH 8  // a step adds DEPTH terms to the sums
#define WIDE 16  // a block has WIDE×WIDE threads
#define EACH 8   // a thread computes EACH×EACH outputs, in rows and columns WIDE apart
#define LOADS (SIDE * DEPTH / (WIDE * WIDE)) // elements of each tile that a thread loads

/* Given: loads a tile with rows of `wide` elements. Its first element is M(top, left). The threads
 * load the elements in turn, as in matmul_4x4. */
inline __device__ void load(real *tile, int wide, const real *M, int rows, int columns, int top,
                            int left) {
  int thread = threadIdx.y * WIDE + threadIdx.x;
#pragma unroll
  for (int l = 0; l < LOADS; l++) {
    int e = l * WIDE * WIDE + thread;
    tile[e] = element(M, rows, columns, top + e / wide, left + e % wide);
  }
}

extern "C" __global__ void __launch_bounds__(WIDE *WIDE)
    matmul_tile(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ real As[SIDE][DEPTH], Bs[DEPTH][SIDE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  real sum[EACH][EACH] = {};
  // TODO(5): The steps of matmul_4x4 with these tiles: load both with `load`, wait, add DEPTH terms
  // to EACH×EACH sums, wait. The rows of a thread are WIDE apart now, and so are its columns.
  // Example: thread (3, 5) needs rows 5, 21, 37 and so on to 117 of As, and columns 3, 19, 35 and
  // so on to 115 of Bs.
  // END(5)
#pragma unroll
  for (int o = 0; o < EACH * EACH; o++) {
    int y = o / EACH, x = o % EACH;
    store(C, m, n, top + ty + y * WIDE, left + tx + x * WIDE, sum[y][x]);
  }
}
EXPORT_KERNEL(matmul_tile)

/* ---- 8×8 outputs per thread: 16 bytes a load ------------------------------------------------- */

#define VECTOR (16 / (int)sizeof(real))                // elements in 16 bytes
#define PIECES (SIDE * DEPTH / VECTOR / (WIDE * WIDE)) // vectors of each tile that a thread loads

/* 16 bytes that one instruction loads or stores. Their address has to be a multiple of 16. */
struct __align__(16) Vector {
  real at[VECTOR];
};
inline __device__ const Vector &vector_at(const real *first) { return *(const Vector *)first; }
inline __device__ Vector &vector_at(real *first) { return *(Vector *)first; }

/* The position at which a thread's piece number p begins in a tile with rows of `wide` elements. A
 * piece is a vector. The threads load pieces in turn, row by row, like the elements in `load`. */
struct Piece {
  int row, column;
};
inline __device__ Piece piece(int p, int wide) {
  int tx = threadIdx.x, ty = threadIdx.y, thread = ty * WIDE + tx;
  int number = p * WIDE * WIDE + thread, in_a_row = wide / VECTOR;
  return {number / in_a_row, number % in_a_row * VECTOR};
}

/* Returns the row (or column) of the block at which a thread's vector number v begins. The vectors
 * of neighbouring threads are adjacent, so a warp reads them without bank conflicts. */
inline __device__ int place(int thread, int v) { return (v * WIDE + thread) * VECTOR; }

/* Returns elements (row, column) to (row, column + VECTOR - 1) of a matrix, and 0 outside of it. */
inline __device__ Vector fetch(const real *M, int rows, int columns, int row, int column) {
  // TODO(6): If all VECTOR elements are inside and the index of the first one is a multiple of
  // VECTOR, return them with one load, by vector_at. Otherwise the lines below load them one by
  // one.
  // Example: float, 9 columns. (0, 4) has index 4 and is one load of 4 elements. (0, 8) has only
  // one element inside. (1, 0) has index 9, not a multiple of 4.
  // END(6)
  Vector v;
#pragma unroll
  for (int i = 0; i < VECTOR; i++)
    v.at[i] = element(M, rows, columns, row, column + i);
  return v;
}

/* Given: fetches a thread's pieces of both tiles of the step that begins with term `start`. */
inline __device__ void fetch_pieces(Vector a[PIECES], Vector b[PIECES], const real *A,
                                    const real *B, int m, int k, int n, int top, int left,
                                    int start) {
#pragma unroll
  for (int p = 0; p < PIECES; p++) {
    Piece in_a = piece(p, DEPTH), in_b = piece(p, SIDE);
    a[p] = fetch(A, m, k, top + in_a.row, start + in_a.column);
    b[p] = fetch(B, k, n, start + in_b.row, left + in_b.column);
  }
}

// TODO(6): store_pieces stores down the columns of As. Make its rows longer, so that elements which
// are stored at the same time are in different banks. Each row must still begin at a multiple of
// 16 bytes.
// Example: lab 03 padded rows of 32 elements to 33. Here, with rows of 129 floats, row 1 would
// begin at byte 516, not a multiple of 16.
#define ROW_OF_A SIDE // elements in a row of As
// END(6)

/* Given: stores a thread's pieces of both tiles. A is transposed: row i of As has term i of all
 * SIDE rows of A. So the elements that a thread needs of a row of As are adjacent, as in Bs. */
inline __device__ void store_pieces(real As[DEPTH][ROW_OF_A], real Bs[DEPTH][SIDE],
                                    const Vector a[PIECES], const Vector b[PIECES]) {
#pragma unroll
  for (int p = 0; p < PIECES; p++) {
    Piece in_a = piece(p, DEPTH), in_b = piece(p, SIDE);
#pragma unroll
    for (int j = 0; j < VECTOR; j++)
      As[in_a.column + j][in_a.row] = a[p].at[j];
    vector_at(&Bs[in_b.row][in_b.column]) = b[p];
  }
}

extern "C" __global__ void __launch_bounds__(WIDE *WIDE)
    matmul_vectors(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ __align__(16) real As[DEPTH][ROW_OF_A], Bs[DEPTH][SIDE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  real sum[EACH][EACH] = {};
  for (int start = 0; start < k; start += DEPTH) {
    Vector a_pieces[PIECES], b_pieces[PIECES];
    fetch_pieces(a_pieces, b_pieces, A, B, m, k, n, top, left, start);
    store_pieces(As, Bs, a_pieces, b_pieces);
    __syncthreads();
    // TODO(6): Multiply as in matmul_tile, but read this thread's elements of As and Bs as vectors,
    // EACH / VECTOR of each. `place` says where they begin. If an array in registers is declared
    // with __align__(16), vector_at works for its parts, too.
    // Example: float, thread (3, 5) of block (0, 0) reads elements 20-23 and 84-87 of As[i], and
    // 12-15 and 76-79 of Bs[i]. Its sum[4][5] is C(84,77).
    // END(6)
    __syncthreads();
  }
#pragma unroll
  for (int o = 0; o < EACH * EACH; o++) {
    int y = o / EACH, x = o % EACH;
    store(C, m, n, top + place(ty, y / VECTOR) + y % VECTOR,
          left + place(tx, x / VECTOR) + x % VECTOR, sum[y][x]);
  }
}
EXPORT_KERNEL(matmul_vectors)

/* ---- 8×8 outputs per thread: two buffers ----------------------------------------------------- */

extern "C" __global__ void __launch_bounds__(WIDE *WIDE)
    matmul_8x8(const real *A, const real *B, real *C, int m, int k, int n) {
  __shared__ __align__(16) real As[2][DEPTH][ROW_OF_A], Bs[2][DEPTH][SIDE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
  real sum[EACH][EACH] = {};
  // TODO(7): Begin with matmul_vectors, and use both buffers of each tile in turn. In step s
  //   1. fetch this thread's pieces of tile s of A and of B into registers,
  //   2. if s > 0, multiply tile s - 1, which is in buffer (s - 1) % 2,
  //   3. store the pieces in buffer s % 2, and wait: one barrier.
  // Tile s is multiplied in step s + 1, so there is one step more than there are tiles. All
  // elements that the last step fetches are zeros.
  // Example: k = 20 makes 3 tiles, of 8, 8 and 4 terms, and 4 steps. Step 2 fetches tile 2,
  // multiplies buffer 1 and fills buffer 0.
  // END(7)
#pragma unroll
  for (int o = 0; o < EACH * EACH; o++) {
    int y = o / EACH, x = o % EACH;
    store(C, m, n, top + place(ty, y / VECTOR) + y % VECTOR,
          left + place(tx, x / VECTOR) + x % VECTOR, sum[y][x]);
  }
}
EXPORT_KERNEL(matmul_8x8)

/* lab.c launches the kernels with these values. Constants would be compiled for the device, too. */
extern "C" {
int tile = TILE, rows_2 = ROWS_2, rows_4 = ROWS_4, apart = APART, side = SIDE, wide = WIDE;
}
