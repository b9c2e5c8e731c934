/* Lab 04, given: matrix products of a warp on tensor cores, with operands from shared memory.
 * wide_operands.cu, async_copies.cu and full_rounds.cu use this file.
 *
 * The including file defines these sizes. Block: ROWS×COLUMNS outputs, WARPS_RIGHT warps along x.
 * Warp: DOWN×RIGHT products of 8×16 outputs, one instruction each. Step: DEPTH terms of the sums.
 */
typedef double element;

/* Both tiles have the layout of global memory, with two changes. In every second row of A's tile,
 * each group of eight columns is exchanged with the next group (by_turns). Rows of B's tile are 16
 * bytes longer. So the elements that eight lanes read at once are in different banks. */
typedef element TileA[ROWS][DEPTH];
typedef element TileB[DEPTH][COLUMNS + 2];
inline __device__ int by_turns(int row, int column) { return column ^ row % 2 * 8; }

/* ---- 16×8 by 8×8 ----------------------------------------------------------------------------- */

/* Computes C += A·B by a whole warp, with shuffles. Lane 4·g + t provides A(g,t), A(g+8,t),
 * A(g,t+4), A(g+8,t+4), B(t,g), B(t+4,g). It gets C(g,2t), C(g,2t+1), C(g+8,2t), C(g+8,2t+1).
 */
inline __device__ void multiply_by_hand(double (&c)[4], const double (&a)[4],
                                        const double (&b)[2]) {
  int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      c[j] += __shfl_sync(0xffffffff, a[i / 4 * 2 + j / 2], 4 * g + i % 4) *
              __shfl_sync(0xffffffff, b[i / 4], 4 * (2 * t + j % 2) + i % 4);
}

/* Computes C += A·B on tensor cores, with one instruction from compute capability 9.0 on and four
 * instructions on 8.x. Older GPUs use shuffles. */
inline __device__ void multiply(double (&c)[4], const double (&a)[4], const double (&b)[2]) {
#if defined(LOCKSTEP_EMULATED) || __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#elif __CUDA_ARCH__ >= 800
#pragma unroll
  for (int i = 0; i < 4; i++)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+d"(c[i % 2 * 2]), "+d"(c[i % 2 * 2 + 1])
        : "d"(a[i]), "d"(b[i / 2]));
#else
  multiply_by_hand(c, a, b);
#endif
}

/* ---- from shared memory to registers --------------------------------------------------------- */

/* The instruction needs its operands in consecutive registers, and a load of 16 bytes fills
 * consecutive registers. So that no value has to be moved, rows and terms are renumbered: columns
 * 2g and 2g+1 of B are rows g and g+8 of the instruction's first operand, and terms 2t and 2t+1 are
 * its terms t and t+4. Because B is the first operand, the instruction computes C transposed. */
struct Term {
  double down[DOWN][2], right[RIGHT][4];
};
typedef double Sums[DOWN][RIGHT][4];

inline __device__ int warp_row() { return threadIdx.x / 32 / WARPS_RIGHT * (8 * DOWN); }
inline __device__ int warp_column() { return threadIdx.x / 32 % WARPS_RIGHT * (16 * RIGHT); }

/* Reads two adjacent elements into two registers. */
inline __device__ void read_two(double *to, const element *from) {
  double2 two = *(const double2 *)from;
  to[0] = two.x;
  to[1] = two.y;
}

/* Returns true if item number i of `all` items belongs to part number `part` of `parts` parts. */
inline __device__ bool is_in(int i, int all, int part, int parts) {
  return i * parts / all == part;
}

/* Reads a lane's operands for terms i to i + 7 of all sums. If `parts` is larger than 1, reads only
 * part number `part` of the operands. */
inline __device__ void read(Term &term, const TileA &As, const TileB &Bs, int i, int part = 0,
                            int parts = 1) {
  int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
  for (int x = 0; x < 2 * RIGHT; x++)
    if (is_in(x, 2 * RIGHT + DOWN, part, parts))
      read_two(&term.right[x / 2][x % 2 * 2],
               &Bs[i + 2 * t + x % 2][warp_column() + x / 2 * 16 + 2 * g]);
#pragma unroll
  for (int y = 0; y < DOWN; y++)
    if (is_in(2 * RIGHT + y, 2 * RIGHT + DOWN, part, parts))
      read_two(term.down[y], &As[warp_row() + 8 * y + g][by_turns(g, i + 2 * t)]);
}

inline __device__ void multiply(Sums &sum, const Term &term, int part = 0, int parts = 1) {
#pragma unroll
  for (int y = 0; y < DOWN; y++)
#pragma unroll
    for (int x = 0; x < RIGHT; x++)
      if (is_in(y * RIGHT + x, DOWN * RIGHT, part, parts))
        multiply(sum[y][x], term.right[x], term.down[y]);
}

/* Stores the sums of a warp to C. Each lane stores two adjacent outputs of a row at once. */
inline __device__ void store(double *C, int m, int n, const Sums &sum, int top, int left) {
  int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
  for (int y = 0; y < DOWN; y++)
#pragma unroll
    for (int x = 0; x < RIGHT; x++)
#pragma unroll
      for (int j = 0; j < 2; j++) {
        int row = top + warp_row() + 8 * y + 2 * t + j;
        int column = left + warp_column() + 16 * x + 2 * g;
        double *c = C + (row * n + column);
        if (row < m && column + 1 < n && n % 2 == 0)
          *(double2 *)c = make_double2(sum[y][x][j], sum[y][x][2 + j]);
        else
          for (int i = 0; i < 2; i++)
            if (row < m && column + i < n)
              c[i] = sum[y][x][2 * i + j];
      }
}
