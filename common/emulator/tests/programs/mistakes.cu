// One kernel for each mistake that the device only reports: the wrong one is caught at its lines,
// and the same kernel repaired is silent.
// expect: race on tile, word 128   in kernel read_too_early
// expect: race on tile, word 1   in kernel read_in_warp
// expect: race on tile, word 127   in kernel overwritten_too_early
// expect: read of shared memory that nothing wrote: tile, element 200   in kernel edge_unset
// expect: read of global memory that nothing wrote: allocation 2 (1024 bytes), element 0
// expect: barrier that 56 of 256 threads never reach   in kernel early_return
// expect: threads of one block wait at different barriers   in kernel barrier_in_condition
// expect: race between blocks on allocation 1 (1024 bytes), element 0   in kernel add_block
// expect: same value written twice between blocks on allocation 1 (1024 bytes), element 0
// expect: lanes of a warp wait for others that do not come   in kernel mask_too_wide
// expect: ok
#include "../../emulator.h"
#include "check.h"

#define N 256

template <bool RIGHT> __global__ void read_too_early(float *out) {
  __shared__ float tile[N];
  int t = threadIdx.x;
  tile[t] = t;
  if (RIGHT)
    __syncthreads();
  out[t] = tile[N - 1 - t];
}

template <bool RIGHT> __global__ void read_in_warp(float *out) {
  __shared__ float tile[N];
  int t = threadIdx.x;
  tile[t] = t;
  if (RIGHT)
    __syncwarp();
  out[t] = tile[t ^ 1];
}

template <bool RIGHT> __global__ void overwritten_too_early(float *out) {
  __shared__ float tile[N];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < 3; i++) {
    tile[t] = t + i;
    __syncthreads();
    sum += tile[N - 1 - t];
    if (RIGHT)
      __syncthreads();
  }
  out[t] = sum;
}

template <bool RIGHT> __global__ void edge_unset(float *out) {
  __shared__ float tile[N];
  int t = threadIdx.x;
  if (t < 200)
    tile[t] = t;
  else if (RIGHT)
    tile[t] = 0;
  __syncthreads();
  out[t] = tile[t];
}

__global__ void copy(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }

template <bool RIGHT> __global__ void early_return(float *out) {
  int t = threadIdx.x;
  if (!RIGHT && t >= 200)
    return;
  __syncthreads();
  if (t < 200)
    out[t] = 1;
}

template <bool RIGHT> __global__ void barrier_in_condition(float *out) {
  int t = threadIdx.x;
  if (RIGHT || t < 64) {
    out[t] = 1;
    __syncthreads();
    out[t] *= 3;
  } else {
    atomicAdd(&out[t], 1);
    __syncthreads();
    atomicExch(&out[t], 5);
  }
}

template <bool RIGHT> __global__ void add_block(float *out) {
  if (RIGHT)
    atomicAdd(&out[threadIdx.x], 1);
  else
    out[threadIdx.x] += 1;
}

template <bool RIGHT> __global__ void flag(float *out) {
  if (!RIGHT || blockIdx.x == 0)
    if (threadIdx.x == 0)
      *out = 7;
}

template <bool RIGHT> __global__ void mask_too_wide(float *out) {
  int t = threadIdx.x;
  if (t < 16)
    out[t] = __shfl_down_sync(RIGHT ? 0xffffu : 0xffffffffu, t, 1, 16);
  else
    out[t] = __shfl_down_sync(RIGHT ? 0xffff0000u : 0xffffffffu, 2 * t, 2, 16);
}

// Launches and says by how much the number of reports has grown.
#define REPORTS(...)                                                                               \
  [&] {                                                                                            \
    uint64_t before = emulator_report_count();                                                     \
    (__VA_ARGS__);                                                                                 \
    cudaDeviceSynchronize();                                                                       \
    return emulator_report_count() - before;                                                       \
  }()
#define BOTH(kernel, blocks)                                                                       \
  EXPECT(REPORTS(kernel<true><<<blocks, N>>>(out)) == 0);                                          \
  EXPECT(REPORTS(kernel<false><<<blocks, N>>>(out)) > 0);

int main() {
  float *out, *unset;
  CHECK(cudaMalloc(&out, N * sizeof *out));
  CHECK(cudaMalloc(&unset, N * sizeof *unset));
  CHECK(cudaMemset(out, 0, N * sizeof *out));
  BOTH(read_too_early, 1)
  BOTH(read_in_warp, 1)
  BOTH(overwritten_too_early, 1)
  BOTH(edge_unset, 1)
  EXPECT(REPORTS(copy<<<1, N>>>(unset, out)) > 0);
  CHECK(cudaMemset(unset, 0, N * sizeof *unset));
  EXPECT(REPORTS(copy<<<1, N>>>(unset, out)) == 0);
  BOTH(early_return, 1)
  BOTH(barrier_in_condition, 1)
  BOTH(add_block, 4)
  BOTH(flag, 4)
  EXPECT(REPORTS(mask_too_wide<true><<<1, 32>>>(out)) == 0);
  EXPECT(REPORTS(mask_too_wide<false><<<1, 32>>>(out)) > 0);
  cudaFree(out); // fails: the last mistake has ended the device's patience
  cudaGetLastError();
  return done();
}
