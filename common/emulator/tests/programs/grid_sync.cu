// Tests cooperative launches, whose blocks wait for each other with grid.sync(): a sum over all
// blocks that every block uses; many steps of a heat equation in one launch; and launches that are
// refused.
#include "check.h"
#include "inputs.h"
#include <cooperative_groups.h>
#include <vector>

namespace cg = cooperative_groups;

// Divides each element by the sum of all elements. Blocks exchange their sums in global memory.
__global__ void shares(float *data, int n, float *sums) {
  extern __shared__ float room[];
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  float sum = 0;
  for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
    sum += data[i];
  room[block.thread_rank()] = sum;
  for (int half = block.size() / 2; half > 0; half /= 2) {
    block.sync();
    if ((int)block.thread_rank() < half)
      room[block.thread_rank()] += room[block.thread_rank() + half];
  }
  if (block.thread_rank() == 0)
    sums[blockIdx.x] = room[0];
  grid.sync();
  float total = 0;
  for (int i = 0; i < (int)gridDim.x; i++)
    total += sums[i];
  for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
    data[i] /= total;
}

// After each step, the blocks exchange the elements at their borders.
__global__ void heat(float *a, float *b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; step++) {
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
      b[i] = i == 0 || i == n - 1 ? a[i] : 0.25f * a[i - 1] + 0.5f * a[i] + 0.25f * a[i + 1];
    grid.sync();
    float *old = a;
    a = b;
    b = old;
  }
}

__global__ void is_cooperative(int *answer) { *answer = cg::this_grid().is_valid(); }

static void check_shares() {
  int n = 5000, blocks = 24, threads = 128;
  std::vector<float> in(n), out(n);
  float *data, *sums;
  double total = 0;
  for (float &x : in)
    total += x = 2 + random_float();
  CHECK(cudaMalloc(&data, n * sizeof *data));
  CHECK(cudaMalloc(&sums, blocks * sizeof *sums));
  CHECK(cudaMemcpy(data, in.data(), n * sizeof *data, cudaMemcpyHostToDevice));
  void *arguments[] = {&data, &n, &sums};
  CHECK(cudaLaunchCooperativeKernel(shares, dim3(blocks), dim3(threads), arguments,
                                    threads * sizeof(float)));
  CHECK(cudaMemcpy(out.data(), data, n * sizeof *data, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    EXPECT(fabs(out[i] - in[i] / total) <= 1e-5 * in[i] / total);
  CHECK(cudaFree(data));
  CHECK(cudaFree(sums));
}

static void check_heat(int n, int steps, dim3 grid, dim3 block) {
  std::vector<float> a(n), b(n), out(n);
  for (float &x : a)
    x = random_float();
  float *d_a, *d_b;
  CHECK(cudaMalloc(&d_a, n * sizeof *d_a));
  CHECK(cudaMalloc(&d_b, n * sizeof *d_b));
  CHECK(cudaMemcpy(d_a, a.data(), n * sizeof *d_a, cudaMemcpyHostToDevice));
  void *arguments[] = {&d_a, &d_b, &n, &steps};
  CHECK(cudaLaunchCooperativeKernel((void *)heat, grid, block, arguments, 0, 0));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(out.data(), steps % 2 ? d_b : d_a, n * sizeof *d_a, cudaMemcpyDeviceToHost));
  for (int step = 0; step < steps; step++, a.swap(b))
    for (int i = 0; i < n; i++)
      b[i] = i == 0 || i == n - 1 ? a[i] : 0.25f * a[i - 1] + 0.5f * a[i] + 0.25f * a[i + 1];
  for (int i = 0; i < n; i++)
    EXPECT(fabs(out[i] - a[i]) <= 1e-6);
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
}

// Launches as many blocks as the device can hold at once, and one more.
static void check_limits() {
  int sms, cooperative, per_sm, n = 1 << 16, steps = 2;
  float *data;
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
  EXPECT(cooperative == 1);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, heat, 1024, 0));
  CHECK(cudaMalloc(&data, 2 * n * sizeof *data));
  CHECK(cudaMemset(data, 0, 2 * n * sizeof *data));
  float *other = data + n;
  void *arguments[] = {&data, &other, &n, &steps};
  dim3 grid(per_sm * sms), larger(per_sm * sms + 1), block(1024);
  CHECK(cudaLaunchCooperativeKernel((void *)heat, grid, block, arguments, 0, 0));
  EXPECT(cudaLaunchCooperativeKernel((void *)heat, larger, block, arguments, 0, 0) ==
         cudaErrorCooperativeLaunchTooLarge);
  EXPECT(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(data));
}

static void check_attribute() {
  int *answer, is, valid[3];
  CHECK(cudaMalloc(&answer, sizeof *answer));
  for (is = 0; is < 3; is++) { // ordinary; with a launch attribute; cooperative
    void *arguments[] = {&answer};
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    config.attrs = &attribute;
    config.numAttrs = is;
    if (is < 2)
      CHECK(cudaLaunchKernelExC(&config, (void *)is_cooperative, arguments));
    else
      CHECK(cudaLaunchCooperativeKernel((void *)is_cooperative, 1, 1, arguments, 0, 0));
    CHECK(cudaMemcpy(&valid[is], answer, sizeof *answer, cudaMemcpyDeviceToHost));
  }
  EXPECT(valid[1] == 1 &&
         valid[2] == 1); // in an ordinary launch a GPU returns a value left by an earlier launch
  CHECK(cudaFree(answer));
}

// expect: fit on the device at once
// expect: ok
int main() {
  check_shares();
  check_heat(1000, 50, dim3(8), dim3(64));
  check_heat(700, 3000, dim3(2, 2, 1), dim3(8, 4, 2)); // more barriers than the emulator can number
  check_limits();
  check_attribute();
  return done();
}
