// Sums each segment of an array in two ways: lanes add values of the same segment, and the last
// lane stores the sum; or one warp sums a segment whose start and end are known.
#include "inputs.h"

// owners[i] is the segment of values[i]. The array `owners` is sorted.
__global__ void by_owner(const int *values, const int *owners, int n, int *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int owner = i < n ? owners[i] : -1, sum = i < n ? values[i] : 0;
  for (int offset = 1; offset < 32; offset *= 2) {
    int other_owner = __shfl_up_sync(0xffffffffu, owner, offset);
    int other_sum = __shfl_up_sync(0xffffffffu, sum, offset);
    if (lane >= offset && other_owner == owner)
      sum += other_sum;
  }
  int next = __shfl_down_sync(0xffffffffu, owner, 1);
  if (owner >= 0 && (lane == 31 || next != owner))
    atomicAdd(&sums[owner], sum); // a segment may continue in the next warp
}

__global__ void by_segment(const int *values, const int *starts, int segments, int *sums) {
  int segment = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (segment >= segments)
    return; // the whole warp returns
  int sum = 0;
  for (int i = starts[segment] + lane; i < starts[segment + 1]; i += 32)
    sum += values[i];
  for (int mask = 16; mask > 0; mask /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  if (lane == 0)
    sums[segment] = sum;
}

static void run(int segments, int longest) {
  std::vector<int> values, owners, starts, expected(segments);
  for (int s = 0; s < segments; s++) {
    starts.push_back((int)values.size());
    int length = random_below(4) ? random_below(longest) : 0; // a quarter of the segments is empty
    for (int k = 0; k < length || (s == 0 && k == 0); k++) {
      values.push_back(random_below(1000) - 300);
      owners.push_back(s);
      expected[s] += values.back();
    }
  }
  const int n = (int)values.size();
  starts.push_back(n);
  int *d_values = to_device(values), *d_owners = to_device(owners), *d_starts = to_device(starts);
  int *sums = device_zeros<int>(segments);

  by_owner<<<ceil_div(n, 96), 96>>>(d_values, d_owners, n, sums);
  LAUNCHED();
  EXPECT(to_host(sums, segments) == expected);

  CHECK(cudaMemset(sums, 0xff, segments * sizeof(int)));
  by_segment<<<ceil_div(segments, 4), 128>>>(d_values, d_starts, segments, sums);
  LAUNCHED();
  EXPECT(to_host(sums, segments) == expected);
  for (int *array : {d_values, d_owners, d_starts, sums})
    CHECK(cudaFree(array));
}

int main() {
  run(1, 1);
  run(1000, 5);
  run(301, 100);
  run(5, 5000);
  return done();
}
