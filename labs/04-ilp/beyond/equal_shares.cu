/* Lab 04, given: C = A·B if there are few tiles, or if their number leaves a part of the card idle.
 * Read expert.cu first.
 *
 * The blocks of expert.cu are large: a C of 1024×1024 has 64 blocks, but a large GPU has twice as
 * many multiprocessors. This file launches as many blocks as the card runs at the same time, each
 * with the same number of steps (work_shares.h). A thread has only 8×8 outputs, so that three
 * blocks fit on a multiprocessor. One block can wait for memory while the other two multiply.
 *
 * A is m×k, B is k×n, C = A·B is m×n, all row-major.
 */
#include "lab.h"

typedef real element;
#define DOWN 8 // a thread computes DOWN×RIGHT outputs
#define RIGHT 8
#define DEPTH (64 / (int)sizeof(element)) // terms of the sums in one step
#define THREADS (64 * WARPS_RIGHT)        // threads of a block
#define ROWS (8 * DOWN)                   // a block computes 64×64 or 64×128 outputs
#define COLUMNS (8 * RIGHT * WARPS_RIGHT)
#define VECTORS (DOWN * RIGHT / VECTOR) // vectors of 16 bytes that hold a thread's sums
#define TOLL 4                          // cost of passing sums to another block, in steps

#include "work_shares.h"

/* The kernel is compiled for two widths of a block. Wide blocks read fewer elements per output.
 * Narrow blocks compute fewer outputs outside of C: for 700 columns, wide blocks compute 768
 * columns and narrow blocks 704. */
namespace narrow {
enum { WARPS_RIGHT = 1, RESIDENT = sizeof(real) == sizeof(float) ? 6 : 4 };
#include "equal_shares.h"
} // namespace narrow
namespace wide {
enum { WARPS_RIGHT = 2, RESIDENT = sizeof(real) == sizeof(float) ? 3 : 2 };
#include "equal_shares.h"
} // namespace wide

extern "C" size_t share_bytes(void) { return max(narrow::share_bytes(), wide::share_bytes()); }

extern "C" cudaError_t launch_share(const real *A, const real *B, real *C, int m, int k, int n,
                                    void *workspace) {
  const double worth = 0.97;
  bool closer = narrow::padded(n) < worth * wide::padded(n);
  return (closer ? narrow::launch : wide::launch)(A, B, C, m, k, n, workspace);
}
