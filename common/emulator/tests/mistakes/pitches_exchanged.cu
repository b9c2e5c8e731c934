// The two pitches of a 2-D copy are exchanged. The host's rows are far enough apart that the copy
// succeeds.
//
// kind: pitch
// says: error: the two pitches of the copy are exchanged: the rows of allocation 1 (3072 bytes)
// says+ begin every 512 bytes, and the copy takes 256
// says:       copied here   @copy
// says:       allocated here   @allocated
// says:       The arguments of cudaMemcpy2D are the destination and its pitch, then the source and
// says+ its pitch. The pitch of host memory is the length of its rows in bytes.
#include "mistake.h"

__global__ void twice(float *x, size_t pitch) { x[blockIdx.x * pitch / 4 + threadIdx.x] *= 2; }

template <bool RIGHT> void run() {
  enum { COLUMNS = 40, ROWS = 6 };
  static float host[ROWS][128];
  const size_t width = COLUMNS * sizeof(float), length = sizeof host[0] / 2;
  float *x;
  size_t pitch;
  MUST(cudaMallocPitch(&x, &pitch, width, ROWS)); // <- allocated
  MUST(cudaMemset2D(x, pitch, 0, width, ROWS));
  const size_t to = RIGHT ? pitch : length, from = RIGHT ? length : pitch;
  MUST(cudaMemcpy2D(x, to, host, from, width, ROWS, cudaMemcpyHostToDevice)); // <- copy
  twice<<<ROWS, COLUMNS>>>(x, pitch);
  finish(x);
}
BOTH(run)
