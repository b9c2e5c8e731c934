// One load instruction reads shared memory in one call and global memory in the next, with the same
// pattern of addresses. The counters must not depend on the order of the calls.
#include "check.h"
#include "emulator/emulator.h"

__device__ __noinline__ float read(const float *p) { return p[threadIdx.x * 2]; }

__global__ void both(float *out, const float *in, bool shared_first) {
  __shared__ float tile[64];
  tile[threadIdx.x] = tile[threadIdx.x + 32] = threadIdx.x;
  __syncthreads();
  float sum = read(shared_first ? tile : in);
  sum += read(shared_first ? in : tile);
  out[threadIdx.x] = sum;
}

int main() {
  float *out, *in;
  EmulatorCounters counted[2];
  CHECK(cudaMalloc(&out, 32 * sizeof *out));
  CHECK(cudaMalloc(&in, 64 * sizeof *in));
  CHECK(cudaMemset(in, 0, 64 * sizeof *in));
  for (int i = 0; i < 2; i++) {
    both<<<1, 32>>>(out, in, i);
    CHECK(cudaDeviceSynchronize());
    EXPECT(emulator_counters(NULL, &counted[i]));
    emulator_reset_counters();
  }
  EXPECT(counted[0].shared_load_wavefronts == 2 && counted[1].shared_load_wavefronts == 2);
  EXPECT(counted[0].shared_load_conflicts == 1 && counted[1].shared_load_conflicts == 1);
  CHECK(cudaFree(out));
  CHECK(cudaFree(in));
  return done();
}
