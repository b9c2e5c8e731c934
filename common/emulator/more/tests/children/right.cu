// Kernels that launch kernels (dynamic parallelism): tests their results, their order, and the
// results of runtime calls in kernels. Compiled with nvcc -rdc=true. On a GPU the results are the
// same.
#include "../../../tests/programs/check.h"
#include <algorithm>
#include <vector>

// ---- a sort that launches itself for both parts -------------------------------------------------
__global__ void sort_slowly(int *a, int n) {
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && a[k] < a[k - 1]; k--) {
      int old = a[k];
      a[k] = a[k - 1];
      a[k - 1] = old;
    }
}
__global__ void quicksort(int *a, int n) {
  if (n <= 16) {
    sort_slowly<<<1, 1>>>(a, n);
    return;
  }
  int pivot = a[n / 2], i = 0, k = n - 1;
  while (i <= k) {
    while (a[i] < pivot)
      i++;
    while (a[k] > pivot)
      k--;
    if (i <= k) {
      int old = a[i];
      a[i++] = a[k];
      a[k--] = old;
    }
  }
  cudaStream_t left, right;
  cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
  if (k > 0)
    quicksort<<<1, 1, 0, left>>>(a, k + 1);
  if (i < n - 1)
    quicksort<<<1, 1, 0, right>>>(a + i, n - i);
  cudaStreamDestroy(left);
  cudaStreamDestroy(right);
}

// ---- every thread launches a grid of its own size, with arguments of many kinds -----------------
struct Part {
  double scale;
  char letter;
};
__global__ void fill(int *row, int n, Part part, float add, const char *text) {
  extern __shared__ int buffer[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  buffer[threadIdx.x] = i < n ? (int)(i * part.scale + add) + part.letter + text[0] : 0;
  __syncthreads();
  if (i < n)
    row[i] = buffer[threadIdx.x];
}
__global__ void triangle(int *out, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && row % 3 != 1) {
    Part part;
    part.scale = row;
    part.letter = (char)(row % 7);
    fill<<<row / 32 + 1, 32, 32 * sizeof(int)>>>(out + row * rows, row + 1, part, row + 0.5f, "a");
  }
}

// ---- a reduction in which each kernel launches the next: the tail of the last one ---------------
__global__ void halve(int *a, int n) {
  int half = (n + 1) / 2;
  for (int i = threadIdx.x; i < n / 2; i += blockDim.x)
    a[i] += a[i + half];
  if (threadIdx.x == 0 && half > 1)
    halve<<<1, 64, 0, cudaStreamTailLaunch>>>(a, half);
}

// ---- the order: children with all of theirs, in turn, then the tails ----------------------------
__device__ int said[16], nsaid;
__global__ void say(int what) { said[nsaid++] = what; }
__global__ void nest(int what) {
  say<<<1, 1>>>(10 * what);
  say<<<1, 1, 0, cudaStreamTailLaunch>>>(10 * what + 1);
}
__global__ void in_order() {
  say<<<1, 1, 0, cudaStreamTailLaunch>>>(8);
  nest<<<1, 1>>>(1);
  nest<<<1, 1>>>(2);
  nest<<<1, 1, 0, cudaStreamTailLaunch>>>(3);
  say<<<1, 1, 0, cudaStreamTailLaunch>>>(9);
}

// ---- copies, sets, memory, events ---------------------------------------------------------------
__device__ int *kept;
__global__ void add_one(int *a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    a[i]++;
}
__global__ void let_go() { cudaFree(kept); }
__global__ void moves(int *to, const int *from, int n, int *bad) {
  __shared__ cudaStream_t stream;
  cudaEvent_t event;
  int device = -1, devices = -1;
  if (threadIdx.x == 0)
    DEVICE_EXPECT(bad, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  __syncthreads();
  if (threadIdx.x != 1)
    return;
  DEVICE_EXPECT(bad, cudaGetDevice(&device) == cudaSuccess && device == 0);
  DEVICE_EXPECT(bad, cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0);
  DEVICE_EXPECT(bad, cudaMalloc(&kept, n * sizeof(int)) == cudaSuccess);
  DEVICE_EXPECT(bad, cudaMemcpyAsync(kept, from, n * sizeof(int), cudaMemcpyDeviceToDevice,
                                     stream) == cudaSuccess);
  add_one<<<1, 32, 0, stream>>>(kept, n);
  DEVICE_EXPECT(bad, cudaMemcpyAsync(to, kept, n * sizeof(int), cudaMemcpyDeviceToDevice, stream) ==
                         cudaSuccess);
  DEVICE_EXPECT(bad, cudaMemsetAsync(to + n, 0x11, 2 * sizeof(int), stream) == cudaSuccess);
  DEVICE_EXPECT(bad, cudaMemset2DAsync(to + n + 2, 8, 0x22, 4, 3, stream) == cudaSuccess);
  DEVICE_EXPECT(bad, cudaMemcpy2DAsync(to + n + 3, 8, from, 8, 4, 3, cudaMemcpyDeviceToDevice,
                                       stream) == cudaSuccess);
  DEVICE_EXPECT(bad, cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess);
  DEVICE_EXPECT(bad, cudaEventRecord(event, stream) == cudaSuccess);
  DEVICE_EXPECT(bad, cudaStreamWaitEvent(0, event, 0) == cudaSuccess);
  add_one<<<1, 32>>>(to, n);
  DEVICE_EXPECT(bad, cudaEventDestroy(event) == cudaSuccess);
  DEVICE_EXPECT(bad, cudaStreamDestroy(stream) == cudaSuccess);
  let_go<<<1, 1, 0, cudaStreamTailLaunch>>>();
}

// ---- what calls return: an H200's answers -------------------------------------------------------
__global__ void answers(int *at, int *bad) {
  int mine;
  cudaEvent_t event;
  DEVICE_EXPECT(bad, cudaEventCreateWithFlags(&event, 0) == cudaErrorInvalidValue);
  DEVICE_EXPECT(bad, cudaPeekAtLastError() == cudaErrorInvalidValue);
  DEVICE_EXPECT(bad, cudaGetLastError() == cudaErrorInvalidValue);
  DEVICE_EXPECT(bad, cudaGetLastError() == cudaSuccess);
  DEVICE_EXPECT(bad, cudaMemcpyAsync(at, at + 4, 16, cudaMemcpyHostToDevice, 0) ==
                         cudaErrorInvalidMemcpyDirection);
  DEVICE_EXPECT(bad, cudaMemcpyAsync(at, &mine, 4, cudaMemcpyDeviceToDevice, 0) ==
                         cudaErrorInvalidValue);
  DEVICE_EXPECT(bad, cudaMalloc(&at, (size_t)1 << 40) == cudaErrorMemoryAllocation);
  DEVICE_EXPECT(bad, cudaFree(nullptr) == cudaSuccess);
  const char *name = cudaGetErrorName(cudaErrorInvalidValue),
             *text = cudaGetErrorString(cudaErrorInvalidValue);
  DEVICE_EXPECT(bad, name[4] == 'E' && text[8] == 'a'); // cudaErrorInvalidValue: invalid argument
}

__global__ void with_much_shared(int *out) {
  extern __shared__ int buffer[];
  buffer[15000 + threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = buffer[15000 + threadIdx.x];
}
__global__ void launch_that(int *out) {
  with_much_shared<<<1, 32, 80000, cudaStreamFireAndForget>>>(out);
}

int main() {
  enum { N = 3000, ROWS = 100, MANY = 1001, MOVED = 50 };
  int *d, *d_bad;
  std::vector<int> a(N), sorted;
  CHECK(cudaMalloc(&d, ROWS * ROWS * sizeof *d));
  CHECK(cudaMalloc(&d_bad, sizeof *d_bad));
  CHECK(cudaMemset(d_bad, 0, sizeof *d_bad));

  for (int i = 0; i < N; i++)
    a[i] = (int)((i * 7919u) % 2003);
  sorted = a;
  std::sort(sorted.begin(), sorted.end());
  CHECK(cudaMemcpy(d, a.data(), N * sizeof *d, cudaMemcpyHostToDevice));
  quicksort<<<1, 1>>>(d, N);
  LAUNCHED();
  CHECK(cudaMemcpy(a.data(), d, N * sizeof *d, cudaMemcpyDeviceToHost));
  EXPECT(a == sorted);

  a.resize(ROWS * ROWS);
  CHECK(cudaMemset(d, 0, ROWS * ROWS * sizeof *d));
  triangle<<<4, 32>>>(d, ROWS);
  LAUNCHED();
  CHECK(cudaMemcpy(a.data(), d, ROWS * ROWS * sizeof *d, cudaMemcpyDeviceToHost));
  for (int row = 0; row < ROWS; row++)
    for (int i = 0; i < ROWS; i++)
      EXPECT(a[row * ROWS + i] ==
             (row % 3 == 1 || i > row ? 0 : (int)(i * (double)row + row + 0.5f) + row % 7 + 'a'));

  for (int i = 0; i < MANY; i++)
    a[i] = i;
  CHECK(cudaMemcpy(d, a.data(), MANY * sizeof *d, cudaMemcpyHostToDevice));
  halve<<<1, 64>>>(d, MANY);
  LAUNCHED();
  CHECK(cudaMemcpy(a.data(), d, sizeof *d, cudaMemcpyDeviceToHost));
  EXPECT(a[0] == MANY * (MANY - 1) / 2);

  const int order[] = {10, 11, 20, 21, 8, 30, 31, 9};
  in_order<<<1, 1>>>();
  LAUNCHED();
  CHECK(cudaMemcpyFromSymbol(a.data(), said, sizeof order));
  EXPECT(std::equal(order, order + 8, a.begin()));

  for (int i = 0; i < MOVED; i++)
    a[i] = 100 + i;
  CHECK(cudaMemcpy(d, a.data(), MOVED * sizeof *d, cudaMemcpyHostToDevice));
  moves<<<1, 2>>>(d + 1000, d, MOVED, d_bad);
  LAUNCHED();
  expect_no_line(d_bad);
  CHECK(cudaMemcpy(a.data(), d + 1000, (MOVED + 8) * sizeof *d, cudaMemcpyDeviceToHost));
  for (int i = 0; i < MOVED; i++)
    EXPECT(a[i] == 102 + i);
  const int rest[] = {0x11111111, 0x11111111, 0x22222222, 100, 0x22222222, 102, 0x22222222, 104};
  EXPECT(std::equal(rest, rest + 8, a.begin() + MOVED));

  answers<<<1, 1>>>(d, d_bad);
  LAUNCHED();
  expect_no_line(d_bad);

  CHECK(cudaFuncSetAttribute(with_much_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 90000));
  launch_that<<<1, 1>>>(d);
  LAUNCHED();
  CHECK(cudaMemcpy(a.data(), d, 32 * sizeof *d, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++)
    EXPECT(a[i] == i);
  CHECK(cudaFree(d));
  CHECK(cudaFree(d_bad));
  return done();
}
