// Tests shuffles of every type in every direction, for every width and every distance, against the
// rule of the programming guide for the source lane.
#include "check.h"
#include <cuda_fp16.h>
#include <vector>

enum Direction { INDEX, UP, DOWN, XOR, DIRECTIONS };
enum { WIDTHS = 6, LANES = 32, CASES = DIRECTIONS * WIDTHS * LANES };

// Returns a value that is different for each lane and uses all bytes of its type.
template <class T> __host__ __device__ T token(int lane) {
  return T(lane * 0x01010101 - 5) * (sizeof(T) == 8 ? T(1ll << 31) : T(1));
}
template <> __host__ __device__ __half token<__half>(int lane) {
  return __float2half(lane * 0.37f - 5);
}
template <> __host__ __device__ __half2 token<__half2>(int lane) {
  return __floats2half2_rn(lane * 0.37f - 5, 100 - lane * 3.5f);
}

template <class T> __global__ void shuffle(T *out) {
  const unsigned all = 0xffffffff;
  int lane = threadIdx.x;
  T mine = token<T>(lane);
  for (int w = 0; w < WIDTHS; w++)
    for (int n = 0; n < LANES; n++) {
      T *at = out + (w * LANES + n) * LANES + lane;
      const int next = WIDTHS * LANES * LANES;
      at[INDEX * next] = __shfl_sync(all, mine, n, 1 << w);
      at[UP * next] = __shfl_up_sync(all, mine, n, 1 << w);
      at[DOWN * next] = __shfl_down_sync(all, mine, n, 1 << w);
      at[XOR * next] = __shfl_xor_sync(all, mine, n, 1 << w);
    }
}

// Returns the lane that `lane` reads: itself if the source is outside of its segment.
static int source(int direction, int lane, int n, int width) {
  int first = lane / width * width, last = first + width - 1;
  switch (direction) {
  case INDEX:
    return first + n % width;
  case UP:
    return lane - n < first ? lane : lane - n;
  case DOWN:
    return lane + n > last ? lane : lane + n;
  default: // an earlier segment can be read, a later segment cannot
    return (lane ^ n) > last ? lane : lane ^ n;
  }
}

static bool same(const void *a, const void *b, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (((const char *)a)[i] != ((const char *)b)[i])
      return false;
  return true;
}

template <class T> static void check() {
  std::vector<T> out(CASES * LANES);
  T *device;
  CHECK(cudaMalloc(&device, out.size() * sizeof(T)));
  shuffle<T><<<1, LANES>>>(device);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), device, out.size() * sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  for (int i = 0; i < CASES * LANES; i++) {
    int lane = i % LANES, n = i / LANES % LANES, width = 1 << i / LANES / LANES % WIDTHS;
    T expected = token<T>(source(i / LANES / LANES / WIDTHS, lane, n, width));
    EXPECT(same(&out[i], &expected, sizeof(T)));
  }
}

// Some lanes compute prefix sums by doubling distances. The mask names the lanes that take part.
__global__ void prefix_sums(int *out, int taking_part) {
  int lane = threadIdx.x, sum = lane + 1;
  unsigned mask = __ballot_sync(0xffffffff, lane < taking_part);
  if (lane < taking_part)
    for (int distance = 1; distance < 32; distance *= 2) {
      int other = __shfl_up_sync(mask, sum, distance);
      if (lane >= distance)
        sum += other;
    }
  out[lane] = sum;
}

static void check_some() {
  int *device, out[LANES];
  CHECK(cudaMalloc(&device, sizeof out));
  for (int taking_part = 1; taking_part <= LANES; taking_part++) {
    prefix_sums<<<1, LANES>>>(device, taking_part);
    LAUNCHED();
    CHECK(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
    for (int lane = 0; lane < LANES; lane++)
      EXPECT(out[lane] == (lane < taking_part ? (lane + 1) * (lane + 2) / 2 : lane + 1));
  }
  CHECK(cudaFree(device));
}

int main() {
  check<int>();
  check<unsigned>();
  check<long>();
  check<unsigned long>();
  check<long long>();
  check<unsigned long long>();
  check<float>();
  check<double>();
  check<__half>();
  check<__half2>();
  check_some();
  return done();
}
