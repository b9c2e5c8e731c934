// A launch fails, and the program never checks for errors.
//
// kind: error-ignored launch-refused
// says: error: a block of 2000 threads along x, where the hardware allows 1024   in kernel fill
// says:       launched here   @here
// says:       The hardware cannot run this launch, so nothing was computed. cudaGetLastError()
// says+ returns the error.
// says: warning: cudaLaunchKernel returned cudaErrorInvalidValue (invalid argument), which was not
// says+ checked
// says:       called here   @here
// says:       The program did not check this error. CUDA calls return their errors.
// says+ cudaGetLastError() returns the error of a launch.
#include "mistake.h"

__global__ void fill(float *data) { data[threadIdx.x] = 1; }

template <bool RIGHT> void run() {
  float *data = device_array<float>(2000);
  fill<<<1, RIGHT ? 1000 : 2000>>>(data); // <- here
  if (RIGHT)
    MUST(cudaGetLastError());
  answer(cudaFree(data));
}
BOTH(run)
