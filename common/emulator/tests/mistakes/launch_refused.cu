// Launches that the hardware refuses: nothing runs, and the call returns an error.
//
// kind: launch-refused
// says: error: an empty grid: 0×1×1 blocks   in kernel fill
// says:       launched here   @grid
// says:       The hardware cannot run this launch, so nothing was computed. cudaGetLastError()
// says+ returns the error.
// says: error: an empty block: 0×1×1 threads   in kernel fill
// says:       launched here   @block
// says:       The hardware cannot run this launch, so nothing was computed. cudaGetLastError()
// says+ returns the error.
// says: error: a block of 1056 threads along x, where the hardware allows 1024   in kernel fill
// says:       launched here   @x
// says:       The hardware cannot run this launch, so nothing was computed. cudaGetLastError()
// says+ returns the error.
// says: error: a block of 65 threads along z, where the hardware allows 64   in kernel fill
// says:       launched here   @z
// says:       The hardware cannot run this launch, so nothing was computed. cudaGetLastError()
// says+ returns the error.
// says: error: a grid of 65536 blocks along y, where the hardware allows 65535   in kernel fill
// says:       launched here   @y
// says:       The hardware cannot run this launch, so nothing was computed. cudaGetLastError()
// says+ returns the error.
// says: error: a block of 96 threads, where the kernel's __launch_bounds__ allow 64   in kernel
// says+ bounded
// says:       launched here   @bounds
// says:       The hardware cannot run this launch, so nothing was computed. cudaGetLastError()
// says+ returns the error.
// says: error: 50000 bytes of dynamic shared memory, where this kernel may have 49152 (up to 232448
// says+ after cudaFuncSetAttribute)   in kernel dynamic
// says:       launched here   @shared
// says:       The hardware cannot run this launch, so nothing was computed. cudaGetLastError()
// says+ returns the error.
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
#include "mistake.h"

__global__ void fill(float *data) { data[threadIdx.x] = 1; }
__global__ void __launch_bounds__(64) bounded(float *data) { data[threadIdx.x] = 1; }
__global__ void dynamic(float *data) {
  extern __shared__ float piece[];
  piece[threadIdx.x] = data[threadIdx.x];
}

template <bool RIGHT> void run() {
  float *data = device_array<float>(1024);
  fill<<<RIGHT, 32>>>(data); // <- grid
  answer(cudaGetLastError());
  if (RIGHT) {
    MUST(cudaFree(data));
    return;
  }
  fill<<<1, 0>>>(data); // <- block
  answer(cudaGetLastError());
  fill<<<1, 1056>>>(data); // <- x
  answer(cudaGetLastError());
  fill<<<1, dim3(1, 1, 65)>>>(data); // <- z
  answer(cudaGetLastError());
  fill<<<dim3(1, 65536), 32>>>(data); // <- y
  answer(cudaGetLastError());
  bounded<<<1, 96>>>(data); // <- bounds
  answer(cudaGetLastError());
  dynamic<<<1, 32, 50000>>>(data); // <- shared
  answer(cudaGetLastError());
  MUST(cudaFree(data));
}
BOTH(run)
