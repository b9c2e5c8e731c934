// Tests managed variables, which host and device use by name: their initial values, values that the
// host writes before a kernel and reads after it, their addresses, and their use as symbols and in
// copies.
// expect: ok
#include "check.h"
#include <numeric>

struct Pair {
  int a;
  double b;
};

__managed__ int count = 7;
__device__ __managed__ int squares[64];
__managed__ Pair pair = {1, 2.5};
static __managed__ float *somewhere;
__device__ int of_the_device = 5;

__global__ void use(int *the_count) {
  squares[threadIdx.x] *= squares[threadIdx.x];
  if (threadIdx.x == 0) {
    pair.b *= 2;
    *somewhere = (float)count;
  }
  atomicAdd(the_count, of_the_device);
}

static void both_sides() {
  EXPECT(count == 7 && pair.a == 1 && pair.b == 2.5 && squares[63] == 0 && !somewhere);
  count = 10;
  std::iota(squares, squares + 64, 0);
  CHECK(cudaMalloc(&somewhere, sizeof *somewhere));
  use<<<1, 64>>>(&count);
  LAUNCHED();
  CHECK(cudaDeviceSynchronize());
  EXPECT(count == 10 + 64 * 5 && pair.a == 1 && pair.b == 5);
  for (int i = 0; i < 64; i++)
    EXPECT(squares[i] == i * i);
}

static void by_calls() {
  int some[3] = {-1, -2, -3};
  float seen;
  void *address;
  CHECK(cudaMemcpy(&seen, somewhere, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen >= 10);
  CHECK(cudaMemcpyToSymbol(squares, some, sizeof some, 4 * sizeof(int)));
  EXPECT(squares[3] == 9 && squares[4] == -1 && squares[6] == -3);
  CHECK(cudaMemcpy(squares + 10, some, sizeof some, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(some, squares + 4, sizeof some, cudaMemcpyHostToHost));
  EXPECT(squares[12] == -3 && some[0] == -1);
  CHECK(cudaGetSymbolAddress(&address, count));
  CHECK(cudaMemset(address, 0, sizeof count));
  CHECK(cudaDeviceSynchronize());
  EXPECT(count == 0);
  CHECK(cudaFree(somewhere));
}

int main() {
  both_sides();
  by_calls();
  return done();
}
