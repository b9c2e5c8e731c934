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

// DONE(1): Each multiply-add needs its own element of A. All outputs of a thread use one element of
// B, because they are in one column: 1 + 1, 1 + 1/2, 1 + 1/4 loads. The load of A remains for any
// number of outputs in a column, so the outputs of task 4 are also in several columns.
#define ASKED_OUTPUTS 4
#define PREDICT_LOADS_1_OUTPUT 2
#define PREDICT_LOADS_2_OUTPUTS 1.5
#define PREDICT_LOADS_ASKED_OUTPUTS 1.25
// END(1)

/* ---- 2 outputs per thread -------------------------------------------------------------------- */

// DONE(2): TILE×TILE outputs, two for each thread.
#define ROWS_2 (TILE / 2) // rows of threads in a block
// END(2)

extern "C" __global__ void matmul_2(const real *A, const real *B, real *C, int m, int k, int n) {
  // DONE(2): This thread computes rows ty and ty + 16 of the tile. A warp still accesses neighbours
  // in a row, in global memory and in both tiles. The two sums are independent: the second
  // multiply-add can start before the first is complete.
  __shared__ real As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int top = blockIdx.y * TILE, column = blockIdx.x * TILE + tx;
  real sum0 = 0, sum1 = 0;
  for (int start = 0; start < k; start += TILE) {
    // The tiles are as large as before. With half the threads, each loads two elements of a tile.
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

// DONE(3): The block has a quarter of the rows of the tile.
#define ROWS_4 (TILE / 4) // rows of threads in a block
// END(3)

extern "C" __global__ void matmul_4(const real *A, const real *B, real *C, int m, int k, int n) {
  // DONE(3): The sums are now in an array. Registers cannot be indexed, so the loops over outputs
  // are unrolled: every index becomes a constant, and the compiler keeps the array in registers.
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
    // DONE(4): 16 multiply-adds need 4 + 4 loads: a row of outputs uses one element of As, a column
    // one element of Bs. The arrays are in registers, because all loops over them are unrolled.
    for (int i = 0; i < TILE; i++) {
      real a[SQUARE], b[SQUARE];
#pragma unroll
      for (int o = 0; o < SQUARE; o++) {
        a[o] = As[ty + o * APART][i];
        b[o] = Bs[i][tx + o * APART];
      }
#pragma unroll
      for (int o = 0; o < SQUARE * SQUARE; o++)
        sum[o / SQUARE][o % SQUARE] += a[o / SQUARE] * b[o % SQUARE];
    }
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
  // DONE(5): The steps are those of matmul_4x4. The tile of C is 4 times as high and as wide, so
  // 128 outputs instead of 32 use an element from global memory.
  for (int start = 0; start < k; start += DEPTH) {
    load(As[0], DEPTH, A, m, k, top, start);
    load(Bs[0], SIDE, B, k, n, start, left);
    __syncthreads();
    for (int i = 0; i < DEPTH; i++) {
      real a[EACH], b[EACH]; // 8 + 8 elements for 64 multiply-adds
#pragma unroll
      for (int o = 0; o < EACH; o++) {
        a[o] = As[ty + o * WIDE][i];
        b[o] = Bs[i][tx + o * WIDE];
      }
#pragma unroll
      for (int o = 0; o < EACH * EACH; o++)
        sum[o / EACH][o % EACH] += a[o / EACH] * b[o % EACH];
    }
    __syncthreads();
  }
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
  // DONE(6): One load if all elements are inside and the first is at a multiple of 16 bytes.
  // With rows of 33 floats, only every fourth row begins at such an address. Otherwise the
  // elements are loaded one by one.
  int first = row * columns + column;
  if (row < rows && column + VECTOR <= columns && first % VECTOR == 0)
    return vector_at(M + first);
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

// DONE(6): VECTOR more elements in each row. Rows that are stored at the same time are then VECTOR
// banks apart, and each still begins at a multiple of 16 bytes.
#define ROW_OF_A (SIDE + VECTOR) // elements in a row of As
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
    // DONE(6): Each load reads 16 bytes. The rest is as in matmul_tile. 64 multiply-adds in float
    // need 2 + 2 loads.
    for (int i = 0; i < DEPTH; i++) {
      __align__(16) real a[EACH], b[EACH];
#pragma unroll
      for (int v = 0; v < EACH / VECTOR; v++) {
        vector_at(&a[v * VECTOR]) = vector_at(&As[i][place(ty, v)]);
        vector_at(&b[v * VECTOR]) = vector_at(&Bs[i][place(tx, v)]);
      }
#pragma unroll
      for (int o = 0; o < EACH * EACH; o++)
        sum[o / EACH][o % EACH] += a[o / EACH] * b[o % EACH];
    }
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
  // DONE(7): Step s fetches tile s and multiplies tile s - 1. The last step fetches zeros, which
  // are never read. Loads from global memory take long, so they start before the multiplication,
  // and their values are stored after it.
  for (int step = 0; step <= CEIL_DIV(k, DEPTH); step++) {
    int filling = step % 2, full = 1 - filling;
    Vector a_pieces[PIECES], b_pieces[PIECES];
    fetch_pieces(a_pieces, b_pieces, A, B, m, k, n, top, left, step * DEPTH);
    for (int i = 0; i < DEPTH && step > 0; i++) {
      __align__(16) real a[EACH], b[EACH];
#pragma unroll
      for (int v = 0; v < EACH / VECTOR; v++) {
        vector_at(&a[v * VECTOR]) = vector_at(&As[full][i][place(ty, v)]);
        vector_at(&b[v * VECTOR]) = vector_at(&Bs[full][i][place(tx, v)]);
      }
#pragma unroll
      for (int o = 0; o < EACH * EACH; o++)
        sum[o / EACH][o % EACH] += a[o / EACH] * b[o % EACH];
    }
    // The previous step has read this buffer, and ended with a barrier.
    store_pieces(As[filling], Bs[filling], a_pieces, b_pieces);
    __syncthreads();
  }
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
