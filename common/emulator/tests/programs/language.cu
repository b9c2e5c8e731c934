// Tests features of C++ in device code: functions that are not inlined, recursion, function
// pointers, structs by value, local arrays, templates, and lambdas. Also tests three-dimensional
// grids and packed structs.
#include "check.h"
#include <vector>

struct Vec {
  float x, y, z;
  __host__ __device__ Vec operator+(Vec o) const { return Vec{x + o.x, y + o.y, z + o.z}; }
};

struct Box { // a kernel parameter with padding
  char tag;
  double scale;
  short shift[3];
};

__host__ __device__ __noinline__ Vec twice(Vec v) { return v + v; }

struct __attribute__((packed)) Packed { // members are not aligned
  unsigned char a;
  unsigned b;
  short c;
  unsigned long long d;
};

__device__ __noinline__ unsigned long long folded(Packed p) { return p.a + p.b * 3u + p.c + p.d; }

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ int plus_one(int x) { return x + 1; }
__device__ __noinline__ int times_two(int x) { return x * 2; }
typedef int (*Operation)(int);
__device__ Operation operations[2] = {plus_one, times_two};

template <int N> __device__ int sorted_median(int seed) {
  int a[N];
  for (int i = 0; i < N; i++)
    a[i] = (seed * 7 + i * 13) % 31;
  for (int i = 1; i < N; i++)
    for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
      int t = a[j];
      a[j] = a[j - 1];
      a[j - 1] = t;
    }
  return a[N / 2];
}

__host__ __device__ int switched(int x) {
  switch (x % 7) {
  case 0:
    return 10;
  case 1:
    return x;
  case 2:
    return -x;
  case 3:
    x += 5;
  // falls through
  case 4:
    return x * x;
  default:
    break;
  }
  int steps = 0;
  while (x != 1 && steps < 50) {
    if (x % 2) {
      if (x > 1000)
        break;
      x = 3 * x + 1;
    } else {
      x /= 2;
    }
    steps++;
  }
  return steps;
}

__global__ void test(int *bad, Box box, Vec v, int n) {
  int t = threadIdx.x;
  DEVICE_EXPECT(bad, box.tag == 'b' && box.scale == 0.5 && box.shift[2] == -3);
  Vec w = twice(v);
  DEVICE_EXPECT(bad, w.x == 2 && w.y == 4 && w.z == 6);
  unsigned long long wide = 0x0102030405060708ull * t;
  Packed p = {(unsigned char)t, t * 0x10001u, (short)-t, wide};
  DEVICE_EXPECT(bad, folded(p) == t * 0x30003u + wide);
  if (t % 3) // also with only some lanes active
    DEVICE_EXPECT(bad, folded(p) == t * 0x30003u + wide);
  DEVICE_EXPECT(bad, fibonacci(t % 8) == (int)(0xd8532110 >> (t % 8 * 4) & 15));
  DEVICE_EXPECT(bad, operations[t % 2](t) == (t % 2 ? 2 * t : t + 1));
  DEVICE_EXPECT(bad, sorted_median<9>(n + t) >= 0);
}

__global__ void switches(int *out) { out[threadIdx.x] = switched(threadIdx.x); }

__global__ void coordinates(uint3 *out) {
  dim3 grid = gridDim;
  uint3 block = blockIdx;
  unsigned b = (block.z * grid.y + block.y) * grid.x + block.x;
  unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[b * blockDim.x * blockDim.y * blockDim.z + t] =
      make_uint3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                 blockIdx.z * blockDim.z + threadIdx.z);
}

__global__ void vectors(const float4 *in, double2 *out, uchar4 *bytes) {
  float4 v = in[threadIdx.x];
  out[threadIdx.x] = make_double2(v.x + v.y, v.z * v.w);
  bytes[threadIdx.x] = make_uchar4(threadIdx.x, 2, 3, 255);
}

template <class T> static T *device(size_t n, const T *from = nullptr) {
  T *pointer;
  CHECK(cudaMalloc(&pointer, n * sizeof(T)));
  if (from)
    CHECK(cudaMemcpy(pointer, from, n * sizeof(T), cudaMemcpyHostToDevice));
  return pointer;
}

template <class T> static std::vector<T> host(T *pointer, size_t n) {
  std::vector<T> result(n);
  CHECK(cudaMemcpy(result.data(), pointer, n * sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(pointer));
  return result;
}

int main() {
  int zero = 0, *bad = device(1, &zero);
  test<<<2, 64>>>(bad, Box{'b', 0.5, {1, 2, -3}}, Vec{1, 2, 3}, 5);
  LAUNCHED();
  expect_no_line(bad);
  CHECK(cudaFree(bad));

  int *d = device<int>(128);
  switches<<<1, 128>>>(d);
  LAUNCHED();
  std::vector<int> results = host(d, 128);
  for (int i = 0; i < 128; i++)
    EXPECT(results[i] == switched(i));

  dim3 grid(2, 3, 4), block(5, 2, 3);
  uint3 *c = device<uint3>(24 * 30);
  coordinates<<<grid, block>>>(c);
  LAUNCHED();
  std::vector<uint3> at = host(c, 24 * 30);
  EXPECT(at[0].x == 0 && at[24 * 30 - 1].x == 9 && at[24 * 30 - 1].y == 5 &&
         at[24 * 30 - 1].z == 11);
  EXPECT(at[30 * 9 + 17].x == 1 * 5 + 2 && at[30 * 9 + 17].y == 1 * 2 + 1 &&
         at[30 * 9 + 17].z == 1 * 3 + 1);

  std::vector<float4> in(32);
  for (int i = 0; i < 32; i++)
    in[i] = make_float4(i, 1, 2, i);
  float4 *din = device(32, in.data());
  double2 *dout = device<double2>(32);
  uchar4 *dbytes = device<uchar4>(32);
  vectors<<<1, 32>>>(din, dout, dbytes);
  LAUNCHED();
  std::vector<double2> sums = host(dout, 32);
  std::vector<uchar4> bytes = host(dbytes, 32);
  for (int i = 0; i < 32; i++)
    EXPECT(sums[i].x == i + 1 && sums[i].y == 2 * i && bytes[i].x == i && bytes[i].w == 255);
  CHECK(cudaFree(din));
  return done();
}
