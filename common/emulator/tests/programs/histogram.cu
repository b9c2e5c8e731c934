// Tests a histogram with atomics in shared and global memory, and every other atomic once.
#include "check.h"
#include <vector>

enum { BINS = 64 };

__global__ void histogram(const unsigned char *data, int n, unsigned int *bins) {
  __shared__ unsigned int local[BINS];
  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i] % BINS], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < BINS; i += blockDim.x)
    atomicAdd(&bins[i], local[i]);
}

struct Cells {
  int i_add, i_sub, i_min, i_max, i_and, i_or, i_xor, i_cas;
  unsigned u_inc, u_dec, u_min, u_max;
  unsigned long long ull_add, ull_max, ull_cas, ull_and;
  long long ll_min;
  float f_add, f_exch;
  double d_add;
};

__global__ void every_atomic(Cells *c) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&c->i_add, t);
  atomicSub(&c->i_sub, 2);
  atomicMin(&c->i_min, 5 - t);
  atomicMax(&c->i_max, t);
  atomicAnd(&c->i_and, ~(1 << (t % 32)));
  atomicOr(&c->i_or, 1 << (t % 8));
  atomicXor(&c->i_xor, t);
  for (int old = c->i_cas, seen;; old = seen) { // an addition by compare-and-swap
    seen = atomicCAS(&c->i_cas, old, old + 3);
    if (seen == old)
      break;
  }
  atomicInc(&c->u_inc, 9);
  atomicDec(&c->u_dec, 9);
  atomicMin(&c->u_min, 4000000000u - t);
  atomicMax(&c->u_max, 4000000000u + t);
  atomicAdd(&c->ull_add, 1ull << 33);
  atomicMax(&c->ull_max, (1ull << 40) + t);
  atomicAnd(&c->ull_and, ~(1ull << (t % 64)));
  atomicMin(&c->ll_min, -(1ll << 40) - t);
  atomicCAS(&c->ull_cas, 7ull, 1ull << 50);
  atomicAdd_system(&c->f_add, 0.5f);
  atomicExch(&c->f_exch, 2.5f);
  atomicAdd(&c->d_add, 0.25);
}

static void check_atomics() {
  const int n = 128;
  Cells cells = {};
  cells.i_and = -1;
  cells.i_cas = 1;
  cells.u_min = ~0u;
  cells.ull_cas = 7;
  cells.ull_and = ~0ull;
  Cells *d;
  CHECK(cudaMalloc(&d, sizeof cells));
  CHECK(cudaMemcpy(d, &cells, sizeof cells, cudaMemcpyHostToDevice));
  every_atomic<<<2, n / 2>>>(d);
  LAUNCHED();
  CHECK(cudaMemcpy(&cells, d, sizeof cells, cudaMemcpyDeviceToHost));
  EXPECT(cells.i_add == n * (n - 1) / 2 && cells.i_sub == -2 * n);
  EXPECT(cells.i_min == 5 - (n - 1) && cells.i_max == n - 1);
  EXPECT(cells.i_and == 0 && cells.i_or == 0xff && cells.i_xor == 0 && cells.i_cas == 1 + 3 * n);
  EXPECT(cells.u_inc == n % 10 && cells.u_dec == (10 - n % 10) % 10);
  EXPECT(cells.u_min == 4000000000u - (n - 1) && cells.u_max == 4000000000u + (n - 1));
  EXPECT(cells.ull_add == (1ull << 33) * n && cells.ull_max == (1ull << 40) + n - 1);
  EXPECT(cells.ull_and == 0 && cells.ull_cas == 1ull << 50 &&
         cells.ll_min == -(1ll << 40) - (n - 1));
  EXPECT(cells.f_add == 0.5f * n && cells.f_exch == 2.5f && cells.d_add == 0.25 * n);
  CHECK(cudaFree(d));
}

int main() {
  const int n = 50001;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> expected(BINS), bins(BINS);
  for (int i = 0; i < n; i++)
    expected[(data[i] = (unsigned char)(i * i / 7)) % BINS]++;
  unsigned char *d_data;
  unsigned *d_bins;
  CHECK(cudaMalloc(&d_data, n));
  CHECK(cudaMalloc(&d_bins, BINS * sizeof(unsigned)));
  CHECK(cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_bins, 0, BINS * sizeof(unsigned)));
  histogram<<<5, 96>>>(d_data, n, d_bins);
  LAUNCHED();
  CHECK(cudaMemcpy(bins.data(), d_bins, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost));
  EXPECT(bins == expected);
  CHECK(cudaFree(d_data));
  CHECK(cudaFree(d_bins));
  check_atomics();
  return done();
}
