/* Lab 04, given: C = A·B when there are few tiles, or their number does not fit the card. Read
 * expert.cu first.
 *
 * The blocks of expert.cu are large: 64 for a C of 1024×1024, and a large GPU has twice as many
 * multiprocessors. Here the work is divided to fit the card: as many blocks as it runs at the same
 * time, each with the same number of steps (work_shares.h). A thread has 8×8 outputs. So three blocks
 * fit on a multiprocessor, and one can wait while two multiply.
 *
 * A is m×k, B is k×n, C = A·B is m×n, all row-major.
 */
#include "lab.h"

typedef real element;
#define DOWN 8 // outputs of a thread
#define RIGHT 8
#define DEPTH (64 / (int)sizeof(element)) // terms of the sums in one step
#define THREADS (64 * WARPS_RIGHT)        // of a block
#define ROWS (8 * DOWN)                   // its outputs: 64×64 or 64×128
#define COLUMNS (8 * RIGHT * WARPS_RIGHT)
#define VECTORS (DOWN * RIGHT / VECTOR) // of a thread's sums
#define TOLL 4                          // the steps that passing sums to another block costs

#include "work_shares.h"

/* Wide blocks read fewer elements per output. Narrow blocks waste less at the edge: for a C with
 * 700 columns the wide ones compute 768 columns, the narrow ones 704. */
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
