// The dot product of two vectors, and their 1-norm, 2-norm and maximum norm, in double precision.
#include "inputs.h"
#include <cmath>

enum { THREADS = 256, BLOCKS = 6 };

struct Products {
  double dot, norm1, norm2;
  // The bits of a double that is not negative. Compared as integers, such bits have the order of
  // the doubles.
  unsigned long long largest;
};

__device__ double block_sum(double value) {
  __shared__ double of_warp[THREADS / 32];
  for (int mask = 16; mask > 0; mask /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, mask);
  __syncthreads(); // all threads have read the previous sum
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0;
  for (int w = 0; w < THREADS / 32; w++)
    value += of_warp[w];
  return value;
}

__global__ void products(const double *x, const double *y, int n, Products *out) {
  double dot = 0, norm1 = 0, norm2 = 0, largest = 0;
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
    dot = fma(x[i], y[i], dot);
    norm1 += fabs(x[i]);
    norm2 = fma(x[i], x[i], norm2);
    largest = fmax(largest, fabs(x[i]));
  }
  dot = block_sum(dot);
  norm1 = block_sum(norm1);
  norm2 = block_sum(norm2);
  if (threadIdx.x == 0) {
    atomicAdd(&out->dot, dot);
    atomicAdd(&out->norm1, norm1);
    atomicAdd(&out->norm2, norm2);
  }
  atomicMax(&out->largest, (unsigned long long)__double_as_longlong(largest));
}

// Computes y += a * x.
__global__ void add_scaled(double a, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}

static bool near(double value, long double expected, long double scale) {
  return fabsl(value - expected) <= 1e-14L * scale;
}

static void check(const double *d_x, const double *d_y, int n) {
  std::vector<double> x = to_host(d_x, n), y = to_host(d_y, n);
  long double dot = 0, norm1 = 0, norm2 = 0, magnitude = 0;
  double largest = 0;
  for (int i = 0; i < n; i++) {
    dot += (long double)x[i] * y[i];
    magnitude += fabsl((long double)x[i] * y[i]);
    norm1 += fabsl(x[i]);
    norm2 += (long double)x[i] * x[i];
    largest = fmax(largest, fabs(x[i]));
  }
  Products *out = device_zeros<Products>(1);
  products<<<BLOCKS, THREADS>>>(d_x, d_y, n, out);
  LAUNCHED();
  Products p = to_host(out, 1)[0];
  EXPECT(near(p.dot, dot, magnitude) && near(p.norm1, norm1, norm1));
  EXPECT(near(sqrt(p.norm2), sqrtl(norm2), sqrtl(norm2)));
  double found;
  static_assert(sizeof found == sizeof p.largest, "bits of a double");
  __builtin_memcpy(&found, &p.largest, sizeof found);
  EXPECT(found == largest);
  CHECK(cudaFree(out));
}

int main() {
  for (int n : {1, 255, 1536, 20001}) {
    std::vector<double> x(n), y(n), before(n);
    for (int i = 0; i < n; i++) {
      x[i] = ldexp(random_float(), random_below(20) - 10);
      before[i] = y[i] = random_float() + 1e-9 * random_float();
    }
    double *d_x = to_device(x), *d_y = to_device(y);
    check(d_x, d_y, n);
    add_scaled<<<ceil_div(n, THREADS), THREADS>>>(-0.75, d_x, d_y, n);
    LAUNCHED();
    y = to_host(d_y, n);
    for (int i = 0; i < n; i++)
      EXPECT(fabs(y[i] - fma(-0.75, x[i], before[i])) <= 1e-12);
    check(d_y, d_x, n);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
  }
  return done();
}
