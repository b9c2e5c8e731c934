/* Lab 04, given: loads the tiles of a step from global memory in vectors of 16 bytes. fetch_step
 * loads a thread's vectors into registers, so that they can be stored to shared memory later, when
 * the buffer is free.
 *
 * The including file defines the types `element` and TileB and these sizes. Block: THREADS threads,
 * ROWS×COLUMNS outputs. Step: DEPTH terms of the sums.
 */
#define VECTOR (16 / (int)sizeof(element)) // elements in the 16 bytes of one load

/* 16 bytes that one instruction loads or stores. The address must be a multiple of 16. */
struct __align__(16) Vector {
  element at[VECTOR];
};
inline __device__ const Vector &vector_at(const element *first) { return *(const Vector *)first; }
inline __device__ Vector &vector_at(element *first) { return *(Vector *)first; }

/* The vectors of both tiles that a thread loads. The first one is at (a_row, a_column) of A's tile
 * and at (b_row, b_column) of B's tile. The next vectors are A_PIECE or B_PIECE rows below. */
#define A_PIECE (THREADS * VECTOR / DEPTH)
#define B_PIECE (THREADS * VECTOR / COLUMNS)
struct Pieces {
  Vector a[ROWS / A_PIECE], b[DEPTH / B_PIECE];
};
inline __device__ int a_row() { return threadIdx.x / (DEPTH / VECTOR); }
inline __device__ int a_column() { return threadIdx.x % (DEPTH / VECTOR) * VECTOR; }
inline __device__ int b_row() { return threadIdx.x / (COLUMNS / VECTOR); }
inline __device__ int b_column() { return threadIdx.x % (COLUMNS / VECTOR) * VECTOR; }

/* The ways to load a vector. WHOLE: with one load. INSIDE: element by element, because rows do not
 * begin at multiples of 16 bytes. AT_EDGE: element by element, with bounds checks. */
enum How { WHOLE, INSIDE, AT_EDGE };

/* Returns elements (row, column) to (row, column + VECTOR - 1) of a matrix, and 0 for elements
 * outside of the matrix. */
inline __device__ Vector fetch(const element *M, int rows, int columns, int row, int column,
                               How how) {
  Vector v;
  const element *from = M + (row * columns + column);
  if (how == WHOLE)
    return vector_at(from);
#pragma unroll
  for (int i = 0; i < VECTOR; i++)
    v.at[i] = how == INSIDE || (row < rows && column + i < columns) ? from[i] : 0;
  return v;
}

/* Loads a thread's vectors of the step that begins with term `start`. The block's outputs begin at
 * (top, left). */
inline __device__ void fetch_pieces(Pieces &pieces, const element *A, const element *B, int m,
                                    int k, int n, int top, int left, int start, How how) {
#pragma unroll
  for (int p = 0; p < ROWS / A_PIECE; p++)
    pieces.a[p] = fetch(A, m, k, top + a_row() + p * A_PIECE, start + a_column(), how);
#pragma unroll
  for (int p = 0; p < DEPTH / B_PIECE; p++)
    pieces.b[p] = fetch(B, k, n, start + b_row() + p * B_PIECE, left + b_column(), how);
}

/* Tests once for all vectors of the block whether they are inside the matrices and aligned. One
 * branch per step instead of four makes the kernel 2% faster. */
inline __device__ void fetch_step(Pieces &pieces, const element *A, const element *B, int m, int k,
                                  int n, int top, int left, int start) {
  bool inside = top + ROWS <= m && left + COLUMNS <= n && start + DEPTH <= k;
  bool aligned = k % VECTOR == 0 && n % VECTOR == 0;
  if (inside && aligned)
    fetch_pieces(pieces, A, B, m, k, n, top, left, start, WHOLE);
  else if (inside)
    fetch_pieces(pieces, A, B, m, k, n, top, left, start, INSIDE);
  else
    fetch_pieces(pieces, A, B, m, k, n, top, left, start, AT_EDGE);
}

/* Stores a thread's vectors of B with the layout of global memory. The including file stores the
 * vectors of A. */
inline __device__ void store_b(TileB &Bs, const Pieces &pieces) {
#pragma unroll
  for (int p = 0; p < DEPTH / B_PIECE; p++)
    vector_at(&Bs[b_row() + p * B_PIECE][b_column()]) = pieces.b[p];
}
