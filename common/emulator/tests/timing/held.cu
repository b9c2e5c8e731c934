/* Kernels that were written and measured after the model of time. It is not fitted to them. */
#include "../bench/bench.h"

/* ---- streams ----------------------------------------------------------------------------------- */
__global__ void interleave(const float *left, const float *right, float2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = make_float2(left[i], right[i]);
}
static void interleaved(Run &run, int n) {
  Buffer<float> left(n, unit), right(n, [](int i) { return unit(i + 9); });
  Buffer<float2> out(n);
  run.time([&] { interleave<<<(n + 191) / 192, 192>>>(left, right, out, n); });
  out.down();
  for (int i = 0; i < n; i++)
    run.expect(i, out.host[i].x - 2.0 * out.host[i].y, left.host[i] - 2.0 * right.host[i]);
}

__global__ void polynomial(const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = x[i], sum = 1;
#pragma unroll
    for (int k = 0; k < 24; k++)
      sum = sum * v + 0.5f;
    y[i] = sum;
  }
}
static void polynomials(Run &run, int n) {
  Buffer<float> x(n, unit), y(n);
  run.time([&] { polynomial<<<264, 512>>>(x, y, n); });
  run.expect_all(
      y,
      [&](int i) {
        float sum = 1;
        for (int k = 0; k < 24; k++)
          sum = fmaf(sum, x.host[i], 0.5f);
        return sum;
      },
      1e-3);
}

__global__ void mirror(const int4 *in, int4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int4 v = in[n - 1 - i];
  out[i] = make_int4(v.w, v.z, v.y, v.x);
}
static void mirrored(Run &run, int n) {
  Buffer<int> in(n, bits), out(n);
  run.time([&] { mirror<<<n / 4 / 128, 128>>>((int4 *)in.device, (int4 *)out.device, n / 4); });
  run.expect_all(out, [&](int i) { return in.host[n - 1 - i]; });
}

/* ---- tiles ------------------------------------------------------------------------------------- */
__global__ void wide_transpose(const double *in, double *out, int n) {
  __shared__ double tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[(blockIdx.x * 16 + threadIdx.y) * n + blockIdx.y * 16 + threadIdx.x] =
      tile[threadIdx.x][threadIdx.y];
}
static void wide_transposed(Run &run, int n) {
  Buffer<double> in(n * n, unit), out(n * n);
  run.time([&] { wide_transpose<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(in, out, n); });
  run.expect_all(out, [&](int i) { return in.host[i % n * n + i / n]; });
}

template <int ROWS> __global__ void product_rows(const float *a, const float *b, float *c, int n) {
  __shared__ float as[ROWS * 8][32], bs[32][32];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32 + x, top = blockIdx.y * ROWS * 8;
  float sum[ROWS] = {};
  for (int start = 0; start < n; start += 32) {
    for (int r = 0; r < ROWS; r++)
      as[r * 8 + y][x] = a[(top + r * 8 + y) * n + start + x];
    for (int r = 0; r < 4; r++)
      bs[r * 8 + y][x] = b[(start + r * 8 + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 32; k++)
      for (int r = 0; r < ROWS; r++)
        sum[r] += as[r * 8 + y][k] * bs[k][x];
    __syncthreads();
  }
  for (int r = 0; r < ROWS; r++)
    c[(top + r * 8 + y) * n + column] = sum[r];
}
template <int ROWS> static void products(Run &run, int n) {
  Buffer<float> a(n * n, [](int i) { return bits(i) % 4; }),
      b(n * n, [](int i) { return bits(i + 7) % 4; });
  Buffer<float> c(n * n);
  run.time([&] { product_rows<ROWS><<<dim3(n / 32, n / 8 / ROWS), dim3(32, 8)>>>(a, b, c, n); });
  c.down();
  for (int i = 0; i < n * n; i += 997) {
    double want = 0;
    for (int k = 0; k < n; k++)
      want += a.host[i / n * n + k] * b.host[k * n + i % n];
    run.expect(i, c.host[i], want);
  }
}

__global__ void nearest(const float2 *points, const float2 *centres, int *found, int ncentres) {
  __shared__ float2 near[128];
  float2 p = points[blockIdx.x * 128 + threadIdx.x];
  float least = 1e30f;
  int best = 0;
  for (int from = 0; from < ncentres; from += 128) {
    near[threadIdx.x] = centres[from + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; k++) {
      float dx = p.x - near[k].x, dy = p.y - near[k].y, d = dx * dx + dy * dy;
      if (d < least) {
        least = d;
        best = from + k;
      }
    }
    __syncthreads();
  }
  found[blockIdx.x * 128 + threadIdx.x] = best;
}
static void nearest_centres(Run &run, int n) {
  const int centres = 512;
  Buffer<float> p(2 * n, [](int i) { return bits(i) % 1024; });
  Buffer<float> c(2 * centres, [](int i) { return bits(i + 3) % 1024; });
  Buffer<int> found(n);
  run.time(
      [&] { nearest<<<n / 128, 128>>>((float2 *)p.device, (float2 *)c.device, found, centres); });
  found.down();
  for (int i = 0; i < n; i += 61) {
    double least = 1e30;
    int best = 0;
    for (int k = 0; k < centres; k++) {
      double dx = p.host[2 * i] - c.host[2 * k], dy = p.host[2 * i + 1] - c.host[2 * k + 1];
      if (dx * dx + dy * dy < least)
        least = dx * dx + dy * dy, best = k;
    }
    run.expect(i, found.host[i], best);
  }
}

/* ---- units ------------------------------------------------------------------------------------- */
__global__ void crc(const uint32_t *in, uint32_t *out, int rounds) {
  uint32_t v = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int k = 0; k < rounds; k++)
    v = v >> 1 ^ (v & 1 ? 0xedb88320u : 0);
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
static void crcs(Run &run, int n) {
  Buffer<uint32_t> in(n, bits), out(n);
  run.time([&] { crc<<<n / 256, 256>>>(in, out, 256); });
  run.expect_all(out, [&](int i) {
    uint32_t v = in.host[i];
    for (int k = 0; k < 256; k++)
      v = v >> 1 ^ (v & 1 ? 0xedb88320u : 0);
    return v;
  });
}

__global__ void root_of(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i] + 1, x = v;
  for (int k = 0; k < 12; k++)
    x = 0.5f * (x + v / x);
  out[i] = x + sqrtf(v);
}
static void roots(Run &run, int n) {
  Buffer<float> in(n, unit), out(n);
  run.time([&] { root_of<<<n / 64, 64>>>(in, out, n); });
  run.expect_all(
      out, [&](int i) { return 2 * sqrt(in.host[i] + 1.0); }, 1e-5);
}

__global__ void logistic(double *x, double r, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i];
  for (int k = 0; k < rounds; k++)
    v = r * v * (1 - v);
  x[i] = v;
}
static void logistics(Run &run, int n) {
  Buffer<double> x(n, unit);
  std::vector<double> before = x.host;
  run.time([&] { logistic<<<n / 256, 256>>>(x, 2.5, 200); });
  run.expect_all(
      x, [&](int) { return 0.6; }, 1e-9);
}

/* ---- blocks, warps ----------------------------------------------------------------------------- */
__global__ void largest_of(const float *in, float *out, int each) {
  float most = -1e30f;
  for (int k = 0; k < each; k++)
    most = fmaxf(most, in[((size_t)blockIdx.x * each + k) * 512 + threadIdx.x]);
  for (int apart = 16; apart; apart /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, apart));
  __shared__ float of_warp[16];
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = most;
  __syncthreads();
  if (threadIdx.x < 16) {
    most = of_warp[threadIdx.x];
    for (int apart = 8; apart; apart /= 2)
      most = fmaxf(most, __shfl_xor_sync(0xffffu, most, apart));
    if (threadIdx.x == 0)
      out[blockIdx.x] = most;
  }
}
static void largest(Run &run, int n) {
  const int each = 8, blocks = n / 512 / each;
  Buffer<float> in(n, unit), out(blocks);
  run.time([&] { largest_of<<<blocks, 512>>>(in, out, each); });
  run.expect_all(out, [&](int b) {
    float most = 0;
    for (int i = 0; i < 512 * each; i++)
      most = fmaxf(most, in.host[(size_t)b * 512 * each + i]);
    return most;
  });
}

__global__ void prefix_rows(const int *in, int *out, int columns) {
  int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32, before = 0;
  for (int x = lane; x < columns; x += 32) {
    int v = in[row * columns + x];
    for (int apart = 1; apart < 32; apart *= 2) {
      int other = __shfl_up_sync(~0u, v, apart);
      v += lane >= apart ? other : 0;
    }
    out[row * columns + x] = before + v;
    before += __shfl_sync(~0u, v, 31);
  }
}
static void prefixes(Run &run, int n) {
  const int columns = 512;
  Buffer<int> in(n, [](int i) { return bits(i) % 9; }), out(n);
  run.time([&] { prefix_rows<<<n / columns / 8, 256>>>(in, out, columns); });
  int sum = 0;
  out.down();
  for (int i = 0; i < n; i++) {
    sum = i % columns ? sum + in.host[i] : in.host[i];
    run.expect(i, out.host[i], sum);
  }
}

__global__ void rank_sort(const int *in, int *out) {
  __shared__ int all[256];
  int mine = in[blockIdx.x * 256 + threadIdx.x], rank = 0;
  all[threadIdx.x] = mine;
  __syncthreads();
  for (int k = 0; k < 256; k++)
    rank += all[k] < mine || (all[k] == mine && k < threadIdx.x);
  out[blockIdx.x * 256 + rank] = mine;
}
static void rank_sorted(Run &run, int n) {
  Buffer<int> in(n, [](int i) { return bits(i) % 4096; }), out(n);
  run.time([&] { rank_sort<<<n / 256, 256>>>(in, out); });
  out.down();
  for (int i = 1; i < n; i++)
    run.expect(i, i % 256 ? out.host[i - 1] <= out.host[i] : 1, 1);
}

/* ---- paths, gathers ------------------------------------------------------------------------------ */
__global__ void steps_of(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], steps = 0;
  while (v > 1) {
    v = v % 3 ? v - 1 : v / 3;
    steps++;
  }
  out[i] = steps;
}
static void steps(Run &run, int n) {
  Buffer<int> in(n, [](int i) { return bits(i) % 100000; }), out(n);
  run.time([&] { steps_of<<<n / 128, 128>>>(in, out); });
  run.expect_all(out, [&](int i) {
    int v = in.host[i], steps = 0;
    for (; v > 1; steps++)
      v = v % 3 ? v - 1 : v / 3;
    return steps;
  });
}

__global__ void bilinear(const float *in, float *out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float u = 0.7f * x, v = 0.7f * y;
  int i = (int)u, k = (int)v;
  float a = u - i, b = v - k;
  const float *p = in + k * n + i;
  out[y * n + x] = (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[n] + a * p[n + 1]);
}
static void bilinears(Run &run, int n) {
  Buffer<float> in(n * n, [n](int i) { return (float)(i % n); }), out(n * n);
  run.time([&] { bilinear<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in, out, n); });
  run.expect_all(
      out, [&](int i) { return 0.7 * (i % n); }, 1e-2);
}

__global__ void look_up(const uint8_t *in, const int *table, int *out, int n) {
  __shared__ int near[256];
  near[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    out[i] = near[in[i]];
}
static void looked_up(Run &run, int n) {
  Buffer<uint8_t> in(n, bits);
  Buffer<int> table(256, bits), out(n);
  run.time([&] { look_up<<<1056, 256>>>(in, table, out, n); });
  run.expect_all(out, [&](int i) { return table.host[in.host[i]]; });
}

static const Rows rows("held", {{"two streams into one", interleaved, 1 << 22, 1 << 10},
                                {"polynomials, 264 blocks", polynomials, 1 << 22, 1 << 12},
                                {"mirror, 16 bytes", mirrored, 1 << 23, 1 << 12},
                                {"transpose, double, 16x16", wide_transposed, 1024, 64},
                                {"product, 2 rows a thread", products<2>, 512, 64},
                                {"product, 8 rows a thread", products<8>, 512, 64},
                                {"nearest centres", nearest_centres, 1 << 17, 1 << 10},
                                {"checksums", crcs, 1 << 18, 1 << 10},
                                {"roots by Newton", roots, 1 << 20, 1 << 10},
                                {"logistic map, double", logistics, 1 << 18, 1 << 10},
                                {"largest of 4096", largest, 1 << 23, 1 << 13},
                                {"prefix sums of rows", prefixes, 1 << 22, 1 << 12},
                                {"sort by rank", rank_sorted, 1 << 19, 1 << 10},
                                {"steps to one", steps, 1 << 18, 1 << 10},
                                {"image made larger", bilinears, 2048, 128},
                                {"table of 256 in shared", looked_up, 1 << 23, 1 << 12}});
