/* A program whose strings try to inject HTML into the page: </script></style><b>&amp;<img src=x>
 * slides/tests/view.mjs opens its page and checks that nothing was loaded or executed.
 */
#include "emulator/emulator.h"

struct Pair {
  float x, y;
};

template <typename T> __global__ void mirror(const T *from, T *to) {
  __shared__ T pairs[32 * 32];
  pairs[threadIdx.x * 32] = from[threadIdx.x]; // "</code></summary><script>alert(1)</script>
  __syncthreads();
  to[threadIdx.x] = pairs[(31 - threadIdx.x) * 32]; // <b onclick='x'>
}

int main() {
  Pair *from, *to;
  cudaMalloc(&from, 32 * sizeof(Pair));
  cudaMalloc(&to, 32 * sizeof(Pair));
  cudaMemset(from, 0, 32 * sizeof(Pair));
  emulator_name(from, "<script>alert(2)</script>", 1, 32, sizeof(Pair));
  emulator_name(to, "\"><img src=x onerror=alert(3)>", 1, 32, sizeof(Pair));
  mirror<<<1, 32>>>(from, to);
  return cudaDeviceSynchronize() != cudaSuccess;
}
