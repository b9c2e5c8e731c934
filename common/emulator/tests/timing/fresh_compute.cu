/* Kernels with arithmetic, divergence and small grids, written without knowledge of the
 * model of time. They are predicted first and then measured. The model is not fitted to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <complex>
#include <cooperative_groups.h>
#include <cuda_fp16.h>

static int blocks_of(size_t n, int threads) { return (int)((n + threads - 1) / threads); }

/* ---- loops that data end -------------------------------------------------------------------- */
/* Newton's method for z^3 = 1. The explicit fmaf makes host and device round alike. */
__host__ __device__ static inline int steps_to_root(float x, float y) {
  for (int k = 0; k < 60; k++) {
    float a = fmaf(x, x, -(y * y)), b = 2 * x * y;
    float fx = fmaf(a, x, -(b * y)) - 1, fy = fmaf(a, y, b * x);
    if (fmaf(fx, fx, fy * fy) < 1e-8f)
      return k;
    float dx = 3 * a, dy = 3 * b, size = fmaf(dx, dx, fmaf(dy, dy, 1e-20f));
    x -= fmaf(fx, dx, fy * dy) / size;
    y -= fmaf(fy, dx, -(fx * dy)) / size;
  }
  return 60;
}
__global__ void newton_steps(int *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    out[y * n + x] = steps_to_root(x * 0.0078125f - 1.5f, y * 0.0078125f - 1.75f);
}
static void newton_picture(Run &run, int n) {
  Buffer<int> out((size_t)n * n);
  run.time([&] { newton_steps<<<dim3(blocks_of(n, 16), blocks_of(n, 8)), dim3(16, 8)>>>(out, n); });
  run.expect_all(out, [&](int i) {
    return steps_to_root(i % n * 0.0078125f - 1.5f, i / n * 0.0078125f - 1.75f);
  });
}

/* A random walk on a lattice ends when it leaves a circle. */
__host__ __device__ static inline int steps_to_leave(uint32_t seed, int radius) {
  int x = 0, y = 0, steps = 0;
  uint32_t state = mix(seed) | 1;
  while (x * x + y * y < radius * radius && steps < 3000) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    if (state & 1)
      x += state & 2 ? 1 : -1;
    else
      y += state & 2 ? 1 : -1;
    steps++;
  }
  return steps;
}
__global__ void walk_out(int *out, int radius, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = steps_to_leave(i, radius);
}
static void walks(Run &run, int n) {
  Buffer<int> out(n);
  run.time([&] { walk_out<<<blocks_of(n, 64), 64>>>(out, 13, n); });
  run.expect_all(out, [&](int i) { return steps_to_leave(i, 13); });
}

/* Trial division; most numbers have a small factor. */
__host__ __device__ static inline unsigned smallest_factor(unsigned x) {
  for (unsigned d = 3; d * d <= x; d += 2)
    if (x % d == 0)
      return d;
  return x;
}
__global__ void factors(unsigned *out, unsigned first, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = smallest_factor(first + 2 * i);
}
static void smallest_factors(Run &run, int n) {
  Buffer<unsigned> out(n);
  run.time([&] { factors<<<blocks_of(n, 256), 256>>>(out, 1000001, n); });
  run.expect_all(out, [&](int i) { return smallest_factor(1000001 + 2 * i); });
}

/* Queens on a board: each thread places the queens below the first three rows. `start` has the
 * columns and the diagonals that the first three queens attack in the fourth row. */
__host__ __device__ static inline int boards(int size, int3 start) {
  unsigned full = (1u << size) - 1, free[16], columns[16], left[16], right[16];
  int row = 3, count = 0;
  columns[3] = start.x, left[3] = start.y, right[3] = start.z;
  free[3] = full & ~(start.x | start.y | start.z);
  while (row >= 3) {
    unsigned place = free[row] & -free[row];
    free[row] ^= place;
    if (!place)
      row--;
    else if (row == size - 1)
      count++;
    else {
      columns[row + 1] = columns[row] | place;
      left[row + 1] = (left[row] | place) << 1;
      right[row + 1] = (right[row] | place) >> 1;
      row++;
      free[row] = full & ~(columns[row] | left[row] | right[row]);
    }
  }
  return count;
}
__global__ void queens(int size, const int3 *start, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = boards(size, start[i]);
}
static void queens_placed(Run &run, int size) {
  std::vector<int3> starts;
  for (int k = 0; k < size * size * size; k++) {
    int a = 1 << k % size, b = 1 << k / size % size, c = 1 << k / size / size;
    if (!(b & (a | a << 1 | a >> 1)) && !(c & (a | a << 2 | a >> 2 | b | b << 1 | b >> 1)))
      starts.push_back(make_int3(a | b | c, a << 3 | b << 2 | c << 1, a >> 3 | b >> 2 | c >> 1));
  }
  const int n = (int)starts.size();
  Buffer<int3> start(n);
  Buffer<int> out(n);
  start.host = starts;
  start.up();
  run.time([&] { queens<<<blocks_of(n, 64), 64>>>(size, start, out, n); });
  run.expect_all(out, [&](int i) { return boards(size, starts[i]); });
}

/* Numbers of one to five bytes; a thread reads twelve of them, one after another. */
__global__ void read_varints(const uint8_t *bytes, const int *start, uint32_t *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint8_t *p = bytes + start[i];
  uint32_t sum = 0;
  for (int k = 0; k < 12; k++) {
    uint32_t value = 0;
    int shift = 0;
    while (*p & 128) {
      value |= (uint32_t)(*p++ & 127) << shift;
      shift += 7;
    }
    sum = sum * 31 + (value | (uint32_t)*p++ << shift);
  }
  out[i] = sum;
}
static void varints(Run &run, int n) {
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> want(n);
  Buffer<int> start(n);
  for (int i = 0; i < n; i++) {
    start.host[i] = (int)bytes.size();
    for (int k = 0; k < 12; k++) {
      uint32_t value = bits(12 * i + k) >> (bits(i + 7 * k) & 31);
      want[i] = want[i] * 31 + value;
      for (; value > 127; value >>= 7)
        bytes.push_back(value | 128);
      bytes.push_back(value);
    }
  }
  start.up();
  Buffer<uint8_t> in(bytes.size(), [&](int i) { return bytes[i]; });
  Buffer<uint32_t> out(n);
  run.time([&] { read_varints<<<blocks_of(n, 128), 128>>>(in, start, out, n); });
  run.expect_all(out, [&](int i) { return want[i]; });
}

/* ---- many bodies ---------------------------------------------------------------------------- */
/* Lennard-Jones energies within a cutoff, with a tile of positions in shared memory. */
__host__ __device__ static inline float pair_energy(float4 a, float4 b) {
  float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, r2 = dx * dx + dy * dy + dz * dz;
  if (r2 > 0.04f || r2 == 0)
    return 0;
  float s = 0.0001f / (r2 + 0.0001f), s3 = s * s * s;
  return 4 * (s3 * s3 - s3);
}
__global__ void energies(const float4 *body, float *out, int n) {
  __shared__ float4 tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 own = body[i];
  float sum = 0;
  for (int first = 0; first < n; first += 128) {
    __syncthreads();
    tile[threadIdx.x] = body[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; k++)
      sum += pair_energy(own, tile[k]);
  }
  out[i] = sum;
}
static void near_pairs(Run &run, int n) {
  Buffer<float4> body(n);
  Buffer<float> out(n);
  for (int i = 0; i < n; i++)
    body.host[i] = make_float4(unit(i), unit(i + 70000), unit(i + 990000), 0);
  body.up();
  run.time([&] { energies<<<n / 128, 128>>>(body, out, n); });
  out.down();
  for (int i = 0; i < n; i += 31) {
    double sum = 0;
    for (int k = 0; k < n; k++)
      sum += pair_energy(body.host[i], body.host[k]);
    run.expect(i, out.host[i], sum, 1e-2);
  }
}

/* Potentials in double at points of a grid, charges in constant memory. */
enum { CHARGES = 96 };
struct Charge {
  double x, y, softening, size;
};
__constant__ Charge charges[CHARGES];
__global__ void potential(double *out, int n, double step) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  double sum = 0;
  if (x >= n)
    return;
  for (int k = 0; k < CHARGES; k++) {
    double dx = x * step - charges[k].x, dy = y * step - charges[k].y;
    sum += charges[k].size / sqrt(dx * dx + dy * dy + charges[k].softening);
  }
  out[y * n + x] = sum;
}
static void potentials(Run &run, int n) {
  std::vector<Charge> host(CHARGES);
  for (int k = 0; k < CHARGES; k++)
    host[k] = {unit(k), unit(k + 500), 0.01 + unit(k + 900), unit(k + 1300) - 0.5};
  CHECK(cudaMemcpyToSymbol(charges, host.data(), sizeof charges));
  Buffer<double> out((size_t)n * n);
  run.time([&] { potential<<<dim3(blocks_of(n, 128), n), 128>>>(out, n, 1.0 / n); });
  out.down();
  for (int i = 0; i < n * n; i += 7) {
    double sum = 0;
    for (const Charge &c : host) {
      double dx = i % n * (1.0 / n) - c.x, dy = i / n * (1.0 / n) - c.y;
      sum += c.size / std::sqrt(dx * dx + dy * dy + c.softening);
    }
    run.expect(i, out.host[i], sum, 1e-9);
  }
}

/* ---- matrices ------------------------------------------------------------------------------- */
/* A product with tiles of 24 columns and 8 rows. A step of the loop covers 12 columns of a. */
__global__ void product_24_by_8(const float *a, const float *b, float *c, int n) {
  __shared__ float as[8][12], bs[12][24];
  int x = blockIdx.x * 24 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  int t = threadIdx.y * 24 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 12) {
    if (t < 96)
      as[t / 12][t % 12] = a[(blockIdx.y * 8 + t / 12) * n + k + t % 12];
    for (int r = threadIdx.y; r < 12; r += 8)
      bs[r][threadIdx.x] = b[(k + r) * n + x];
    __syncthreads();
    for (int j = 0; j < 12; j++)
      sum += as[threadIdx.y][j] * bs[j][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}
static void odd_tiles(Run &run, int n) {
  Buffer<float> a((size_t)n * n, unit), b((size_t)n * n, unit), c((size_t)n * n);
  run.time([&] { product_24_by_8<<<dim3(n / 24, n / 8), dim3(24, 8)>>>(a, b, c, n); });
  c.down();
  for (int i = 0; i < n * n; i += 41) {
    double sum = 0;
    for (int k = 0; k < n; k++)
      sum += (double)a.host[i / n * n + k] * b.host[k * n + i % n];
    run.expect(i, c.host[i], sum, 1e-3 * n);
  }
}

/* A 6 x 6 Gram matrix of six long columns: 21 sums in registers of each thread. */
__global__ void gram(const float *columns, float *out, int n) {
  float sum[21] = {0};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v[6];
#pragma unroll
    for (int c = 0; c < 6; c++)
      v[c] = columns[c * n + i];
#pragma unroll
    for (int c = 0, k = 0; c < 6; c++)
#pragma unroll
      for (int d = 0; d <= c; d++, k++)
        sum[k] += v[c] * v[d];
  }
#pragma unroll
  for (int k = 0; k < 21; k++) {
    for (int d = 16; d; d /= 2)
      sum[k] += __shfl_down_sync(~0u, sum[k], d);
    if (threadIdx.x % 32 == 0)
      atomicAdd(&out[k], sum[k]);
  }
}
static void gram_matrix(Run &run, int n) {
  Buffer<float> columns((size_t)6 * n, [](int i) { return unit(i) - 0.5f; }), out(21);
  run.time([&] { gram<<<66, 256>>>(columns, out, n); }, [&] { out.zero(); });
  out.down();
  for (int c = 0, k = 0; c < 6; c++)
    for (int d = 0; d <= c; d++, k++) {
      double sum = 0;
      for (int i = 0; i < n; i++)
        sum += (double)columns.host[c * n + i] * columns.host[d * n + i];
      run.expect(k, out.host[k], sum, 5);
    }
}

/* Each thread solves five equations by Gauss-Jordan elimination, in registers. */
__global__ void solve_five(const float *a, const float *b, float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float m[5][6];
  if (i >= n)
    return;
#pragma unroll
  for (int k = 0; k < 30; k++)
    m[k / 6][k % 6] = k % 6 < 5 ? a[(k / 6 * 5 + k % 6) * n + i] : b[k / 6 * n + i];
#pragma unroll
  for (int p = 0; p < 5; p++)
#pragma unroll
    for (int r = 0; r < 5; r++) {
      float f = r == p ? 0 : m[r][p] / m[p][p];
#pragma unroll
      for (int c = p; c < 6; c++)
        m[r][c] -= f * m[p][c];
    }
#pragma unroll
  for (int k = 0; k < 5; k++)
    x[k * n + i] = m[k][5] / m[k][k];
}
static void systems_of_five(Run &run, int n) {
  Buffer<float> a((size_t)25 * n, [=](int i) { return unit(i) + (i / n % 6 ? 0 : 4); });
  Buffer<float> b((size_t)5 * n, unit), x((size_t)5 * n);
  run.time([&] { solve_five<<<blocks_of(n, 128), 128>>>(a, b, x, n); });
  x.down();
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 5; r++) {
      double sum = 0;
      for (int c = 0; c < 5; c++)
        sum += (double)a.host[(r * 5 + c) * n + i] * x.host[c * n + i];
      run.expect(i, sum, b.host[r * n + i], 1e-4);
    }
}

/* LU decomposition without pivots: a block of 16 x 16 threads for each matrix of 48 x 48. */
__global__ void decompose(float *matrices) {
  __shared__ float m[48][49];
  float *mine = matrices + blockIdx.x * 48 * 48;
  for (int r = threadIdx.y; r < 48; r += 16)
    for (int c = threadIdx.x; c < 48; c += 16)
      m[r][c] = mine[r * 48 + c];
  __syncthreads();
  for (int p = 0; p < 47; p++) {
    int t = threadIdx.y * 16 + threadIdx.x;
    if (p + 1 + t < 48)
      m[p + 1 + t][p] /= m[p][p];
    __syncthreads();
    for (int r = p + 1 + threadIdx.y; r < 48; r += 16)
      for (int c = p + 1 + threadIdx.x; c < 48; c += 16)
        m[r][c] -= m[r][p] * m[p][c];
    __syncthreads();
  }
  for (int r = threadIdx.y; r < 48; r += 16)
    for (int c = threadIdx.x; c < 48; c += 16)
      mine[r * 48 + c] = m[r][c];
}
static void decompositions(Run &run, int n) {
  Buffer<float> m((size_t)n * 48 * 48,
                  [](int i) { return unit(i) + (i % 2304 / 48 == i % 48 ? 30 : 0); });
  std::vector<double> want(m.host.begin(), m.host.end());
  run.time([&] { decompose<<<n, dim3(16, 16)>>>(m); }, [&] { m.up(); });
  for (int k = 0; k < n; k++)
    for (int p = 0; p < 47; p++)
      for (int r = p + 1; r < 48; r++) {
        double *w = &want[(size_t)k * 2304], f = w[r * 48 + p] /= w[p * 48 + p];
        for (int c = p + 1; c < 48; c++)
          w[r * 48 + c] -= f * w[p * 48 + c];
      }
  run.expect_all(
      m, [&](int i) { return want[i]; }, 1e-3);
}

/* Points are multiplied by a 4 x 4 matrix and divided by their last coordinate. */
__constant__ float4 camera[4];
__global__ void to_screen(const float4 *in, float2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 p = in[i];
  float r[4];
  for (int k = 0; k < 4; k++)
    r[k] = camera[k].x * p.x + camera[k].y * p.y + camera[k].z * p.z + camera[k].w * p.w;
  out[i] = make_float2(r[0] / r[3], r[1] / r[3]);
}
static void points_on_screen(Run &run, int n) {
  float4 rows[4] = {make_float4(1, 0.5f, 0, 1), make_float4(0, 2, 0.25f, 0),
                    make_float4(0, 0, 1, 0), make_float4(0.5f, 0, 1, 2)};
  CHECK(cudaMemcpyToSymbol(camera, rows, sizeof rows));
  Buffer<float4> in(n);
  Buffer<float2> out(n);
  for (int i = 0; i < n; i++)
    in.host[i] = make_float4(unit(i), unit(i + 1), unit(i + 2), 1);
  in.up();
  run.time([&] { to_screen<<<blocks_of(n, 256), 256>>>(in, out, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    float4 p = in.host[i];
    run.expect(i, out.host[i].x, (p.x + 0.5 * p.y + 1) / (0.5 * p.x + p.z + 2), 1e-5);
    run.expect(i, out.host[i].y, (2 * p.y + 0.25 * p.z) / (0.5 * p.x + p.z + 2), 1e-5);
  }
}

/* ---- bits and integers ---------------------------------------------------------------------- */
/* The nearest of 512 codes of 64 bits. */
__global__ void nearest_code(const uint64_t *code, const uint64_t *query, int *out, int n) {
  __shared__ uint64_t all[512];
  for (int k = threadIdx.x; k < 512; k += blockDim.x)
    all[k] = code[k];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, best = 65 << 16;
  if (i >= n)
    return;
  uint64_t q = query[i];
  for (int k = 0; k < 512; k++)
    best = min(best, __popcll(q ^ all[k]) << 16 | k);
  out[i] = best;
}
static void nearest_codes(Run &run, int n) {
  auto wide = [](int i) { return (uint64_t)bits(2 * i) << 32 | bits(2 * i + 1); };
  Buffer<uint64_t> code(512, wide), query(n, [=](int i) { return wide(i + 7000); });
  Buffer<int> out(n);
  run.time([&] { nearest_code<<<blocks_of(n, 256), 256>>>(code, query, out, n); });
  run.expect_all(out, [&](int i) {
    int best = 65 << 16;
    for (int k = 0; k < 512; k++)
      best = std::min(best, __builtin_popcountll(query.host[i] ^ code.host[k]) << 16 | k);
    return best;
  });
}

/* Bits of three coordinates are interleaved, and the code is moved one cell along x. */
__host__ __device__ static inline uint32_t spread_bits(uint32_t x) {
  x = (x | x << 16) & 0x030000ff;
  x = (x | x << 8) & 0x0300f00f;
  x = (x | x << 4) & 0x030c30c3;
  return (x | x << 2) & 0x09249249;
}
__host__ __device__ static inline uint32_t cell_of(uint32_t v) {
  uint32_t code =
      spread_bits(v & 1023) | spread_bits(v >> 10 & 1023) << 1 | spread_bits(v >> 20 & 1023) << 2;
  return ((code | ~0x09249249u) + 1 & 0x09249249u) | (code & ~0x09249249u);
}
__global__ void cells(const uint32_t *in, uint32_t *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = cell_of(in[i]);
}
static void cells_along_a_curve(Run &run, int n) {
  Buffer<uint32_t> in(n, [](int i) { return bits(i); }), out(n);
  run.time([&] { cells<<<blocks_of(n, 1024), 1024>>>(in, out, n); });
  run.expect_all(out, [&](int i) { return cell_of(in.host[i]); });
}

/* Year, month and day of a number of days: divisions by constants. */
__host__ __device__ static inline int date_of(int days) {
  int z = days + 719468, era = z / 146097, doe = z % 146097;
  int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  int doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
  int day = doy - (153 * mp + 2) / 5 + 1, month = mp < 10 ? mp + 3 : mp - 9;
  return (yoe + era * 400 + (month <= 2)) * 10000 + month * 100 + day;
}
__global__ void dates(const int *days, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = date_of(days[i]);
}
static void calendar(Run &run, int n) {
  Buffer<int> days(n, [](int i) { return (int)(bits(i) % 40000); }), out(n);
  run.time([&] { dates<<<blocks_of(n, 256), 256>>>(days, out, n); });
  run.expect_all(out, [&](int i) { return date_of(days.host[i]); });
}

/* Numbers become text, eleven bytes each; the length depends on the number. */
__global__ void to_text(const int *in, char *text, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  char *p = text + 11 * i, digits[10];
  int v = in[i], length = 0;
  unsigned u = v < 0 ? 0u - v : v;
  do
    digits[length++] = '0' + u % 10;
  while (u /= 10);
  if (v < 0)
    *p++ = '-';
  while (length)
    *p++ = digits[--length];
}
static void numbers_as_text(Run &run, int n) {
  Buffer<int> in(n, [](int i) { return (int)bits(i) >> (bits(i + 3) & 31); });
  Buffer<char> text((size_t)11 * n);
  run.time([&] { to_text<<<blocks_of(n, 128), 128>>>(in, text, n); }, [&] { text.zero(); });
  text.down();
  for (int i = 0; i < n; i++) {
    char one[12] = {0};
    std::copy(&text.host[11 * i], &text.host[11 * i] + 11, one);
    run.expect(i, atoll(one), in.host[i]);
  }
}

/* A polynomial modulo 2^61 - 1 by Horner's rule, products of 128 bits. */
__host__ __device__ static inline uint64_t reduced(uint64_t high, uint64_t low) {
  uint64_t r = (low & 0x1fffffffffffffffull) + (high << 3 | low >> 61);
  return r >= 0x1fffffffffffffffull ? r - 0x1fffffffffffffffull : r;
}
__global__ void hash_rows(const uint32_t *in, uint64_t *out, uint64_t key, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint64_t h = 1;
  if (i >= n)
    return;
  for (int k = 0; k < 24; k++)
    h = reduced(__umul64hi(h, key), h * key) + in[k * n + i];
  out[i] = h;
}
static void hashes_of_rows(Run &run, int n) {
  const uint64_t key = 0x123456789abcdefull;
  Buffer<uint32_t> in((size_t)24 * n, [](int i) { return bits(i); });
  Buffer<uint64_t> out(n);
  run.time([&] { hash_rows<<<blocks_of(n, 128), 128>>>(in, out, key, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    uint64_t h = 1;
    for (int k = 0; k < 24; k++) {
      unsigned __int128 p = (unsigned __int128)h * key;
      h = reduced((uint64_t)(p >> 64), (uint64_t)p) + in.host[k * n + i];
    }
    run.expect(i, (double)(h == out.host[i]), 1);
  }
}

/* ChaCha20: sixteen words in registers, twenty rounds. */
#define QUARTER(a, b, c, d)                                                                        \
  a += b, d = turned_left(d ^ a, 16), c += d, b = turned_left(b ^ c, 12);                          \
  a += b, d = turned_left(d ^ a, 8), c += d, b = turned_left(b ^ c, 7)
__host__ __device__ static inline uint32_t turned_left(uint32_t x, int by) {
  return x << by | x >> (32 - by);
}
__host__ __device__ static inline uint32_t key_word(uint32_t counter, uint4 *out) {
  uint32_t x[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 1, 2, 3, 4, 5, 6, 7, 8, 0, 9};
  x[12] = counter;
  for (int k = 0; k < 10; k++) {
    QUARTER(x[0], x[4], x[8], x[12]);
    QUARTER(x[1], x[5], x[9], x[13]);
    QUARTER(x[2], x[6], x[10], x[14]);
    QUARTER(x[3], x[7], x[11], x[15]);
    QUARTER(x[0], x[5], x[10], x[15]);
    QUARTER(x[1], x[6], x[11], x[12]);
    QUARTER(x[2], x[7], x[8], x[13]);
    QUARTER(x[3], x[4], x[9], x[14]);
  }
  for (int k = 0; k < 4; k++)
    out[k] = uint4{x[4 * k], x[4 * k + 1], x[4 * k + 2], x[4 * k + 3]};
  return x[15];
}
__global__ void key_stream(uint4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    key_word(i, out + 4 * i);
}
static void stream_of_keys(Run &run, int n) {
  Buffer<uint4> out((size_t)4 * n);
  run.time([&] { key_stream<<<blocks_of(n, 256), 256>>>(out, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    uint4 want[4];
    run.expect(i, out.host[4 * i + 3].w, key_word(i, want));
    run.expect(i, out.host[4 * i].x, want[0].x);
  }
}

/* ---- warps ---------------------------------------------------------------------------------- */
/* 32 x 32 bits are transposed by 32 votes. */
__global__ void turn_bits(const uint32_t *in, uint32_t *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  uint32_t v = in[i], mine = 0;
  for (int b = 0; b < 32; b++) {
    uint32_t column = __ballot_sync(~0u, v >> b & 1);
    if (lane == b)
      mine = column;
  }
  out[i] = mine;
}
static void bits_turned(Run &run, int n) {
  Buffer<uint32_t> in(n, [](int i) { return bits(i); }), out(n);
  run.time([&] { turn_bits<<<n / 256, 256>>>(in, out, n); });
  run.expect_all(out, [&](int i) {
    uint32_t v = 0;
    for (int k = 0; k < 32; k++)
      v |= (in.host[i / 32 * 32 + k] >> i % 32 & 1) << k;
    return v;
  });
}

/* Each warp sorts 32 numbers by exchanges between lanes. */
__global__ void sort_warps(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  float v = in[i];
  for (int length = 2; length <= 32; length *= 2)
    for (int d = length / 2; d; d /= 2) {
      float other = __shfl_xor_sync(~0u, v, d);
      bool smaller = ((lane & d) == 0) == ((lane & length) == 0);
      v = smaller ? fminf(v, other) : fmaxf(v, other);
    }
  out[i] = v;
}
static void warps_sorted(Run &run, int n) {
  Buffer<float> in(n, unit), out(n);
  std::vector<float> want = in.host;
  for (int i = 0; i < n; i += 32)
    std::sort(want.begin() + i, want.begin() + i + 32);
  run.time([&] { sort_warps<<<n / 192, 192>>>(in, out); });
  run.expect_all(out, [&](int i) { return want[i]; });
}

/* Rule 110 on 1024 cells: one warp, 32 cells in each lane. */
__global__ void rule_110(const uint32_t *in, uint32_t *out, int generations) {
  uint32_t v = in[threadIdx.x];
  for (int k = 0; k < generations; k++) {
    uint32_t before = __shfl_sync(~0u, v, (threadIdx.x + 31) % 32);
    uint32_t after = __shfl_sync(~0u, v, (threadIdx.x + 1) % 32);
    uint32_t left = v << 1 | before >> 31, right = v >> 1 | after << 31;
    v = (v | right) & ~(left & v & right);
  }
  out[threadIdx.x] = v;
}
static void generations(Run &run, int n) {
  Buffer<uint32_t> in(32, [](int i) { return bits(i); }), out(32);
  std::vector<uint8_t> now(1024), next(1024);
  for (int i = 0; i < 1024; i++)
    now[i] = in.host[i / 32] >> i % 32 & 1;
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < 1024; i++) {
      int l = now[(i + 1023) % 1024], c = now[i], r = now[(i + 1) % 1024];
      next[i] = (c || r) && !(l && c && r);
    }
    now.swap(next);
  }
  run.time([&] { rule_110<<<1, 32>>>(in, out, n); });
  run.expect_all(out, [&](int i) {
    uint32_t v = 0;
    for (int b = 0; b < 32; b++)
      v |= (uint32_t)now[i * 32 + b] << b;
    return v;
  });
}

/* ---- small grids ---------------------------------------------------------------------------- */
/* Edit distance of two words by one block, diagonal by diagonal. */
__global__ void edit_distance(const char *a, const char *b, int *out, int n) {
  __shared__ int line[3][513];
  int i = threadIdx.x + 1;
  for (int d = 0; d <= 2 * n; d++) {
    int *now = line[d % 3], *last = line[(d + 2) % 3], *before = line[(d + 1) % 3], j = d - i;
    if (threadIdx.x == 0 && d <= n)
      now[0] = d;
    if (j == 0)
      now[i] = i;
    else if (j > 0 && j <= n) {
      int change = before[i - 1] + (a[i - 1] != b[j - 1]);
      now[i] = min(change, min(last[i - 1], last[i]) + 1);
    }
    __syncthreads();
  }
  if (i == n)
    out[0] = line[2 * n % 3][n];
}
static void edits(Run &run, int n) {
  Buffer<char> a(n, [](int i) { return 'a' + bits(i) % 4; });
  Buffer<char> b(n, [](int i) { return 'a' + bits(i % 5 ? i + 1 : i + 300) % 4; });
  Buffer<int> out(1);
  std::vector<int> row(n + 1);
  for (int j = 0; j <= n; j++)
    row[j] = j;
  for (int i = 1; i <= n; i++) {
    int corner = row[0]++;
    for (int j = 1; j <= n; j++) {
      int next = std::min({corner + (a.host[i - 1] != b.host[j - 1]), row[j] + 1, row[j - 1] + 1});
      corner = row[j];
      row[j] = next;
    }
  }
  run.time([&] { edit_distance<<<1, n>>>(a, b, out, n); });
  run.expect_all(out, [&](int) { return row[n]; });
}

/* A knapsack of 1000: one block, two rows of best values in shared memory. */
__global__ void knapsack(const int2 *items, int count, int *out) {
  __shared__ int best[2][1001];
  for (int w = threadIdx.x; w <= 1000; w += blockDim.x)
    best[0][w] = 0;
  __syncthreads();
  for (int k = 0; k < count; k++) {
    int2 item = items[k];
    for (int w = threadIdx.x; w <= 1000; w += blockDim.x) {
      int without = best[k & 1][w];
      int with = w >= item.x ? best[k & 1][w - item.x] + item.y : 0;
      best[~k & 1][w] = max(without, with);
    }
    __syncthreads();
  }
  for (int w = threadIdx.x; w <= 1000; w += blockDim.x)
    out[w] = best[count & 1][w];
}
static void one_knapsack(Run &run, int count) {
  Buffer<int2> items(count);
  Buffer<int> out(1001);
  std::vector<int> best(1001);
  for (int k = 0; k < count; k++) {
    items.host[k] = make_int2(1 + bits(k) % 90, bits(k + 5000) % 200);
    for (int w = 1000; w >= items.host[k].x; w--)
      best[w] = std::max(best[w], best[w - items.host[k].x] + items.host[k].y);
  }
  items.up();
  run.time([&] { knapsack<<<1, 352>>>(items, count, out); });
  run.expect_all(out, [&](int w) { return best[w]; });
}

/* Heat on a ring. One cooperative launch makes all steps. */
__global__ void ring(float *a, float *b, int n, int steps) {
  auto grid = cooperative_groups::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < steps; k++) {
    const float *from = k % 2 ? b : a;
    (k % 2 ? a : b)[i] = 0.25f * (from[(i + 1) % n] + 2 * from[i] + from[(i + n - 1) % n]);
    grid.sync();
  }
}
static void heat_on_a_ring(Run &run, int n) {
  int steps = 24;
  Buffer<float> a(n, unit), b(n);
  std::vector<float> now = a.host, next(n);
  for (int k = 0; k < steps; k++) {
    for (int i = 0; i < n; i++)
      next[i] = 0.25f * (now[(i + 1) % n] + 2 * now[i] + now[(i + n - 1) % n]);
    now.swap(next);
  }
  void *arguments[] = {&a.device, &b.device, &n, &steps};
  run.time([&] { CHECK(cudaLaunchCooperativeKernel((void *)ring, n / 128, 128, arguments, 0, 0)); },
           [&] { a.up(); });
  run.expect_all(
      a, [&](int i) { return now[i]; }, 1e-5);
}

/* ---- pictures and signals ------------------------------------------------------------------- */
/* Bilateral filter: the weight for the distance is in a table, the one for the value is expf. */
__constant__ float nearness[25];
__global__ void bilateral(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  float own = in[y * n + x], sum = 0, weights = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      float v = in[min(max(y + dy, 0), n - 1) * n + min(max(x + dx, 0), n - 1)];
      float w = nearness[(dy + 2) * 5 + dx + 2] * expf(-8 * (v - own) * (v - own));
      sum += w * v;
      weights += w;
    }
  out[y * n + x] = sum / weights;
}
static void bilateral_filter(Run &run, int n) {
  std::vector<float> near(25);
  for (int k = 0; k < 25; k++)
    near[k] = 1.0f / (1 + (k / 5 - 2) * (k / 5 - 2) + (k % 5 - 2) * (k % 5 - 2));
  CHECK(cudaMemcpyToSymbol(nearness, near.data(), sizeof nearness));
  Buffer<float> in((size_t)n * n, unit), out((size_t)n * n);
  run.time(
      [&] { bilateral<<<dim3(blocks_of(n, 32), blocks_of(n, 4)), dim3(32, 4)>>>(in, out, n); });
  out.down();
  for (int i = 0; i < n * n; i += 3) {
    double sum = 0, weights = 0;
    for (int k = 0; k < 25; k++) {
      int y = std::min(std::max(i / n + k / 5 - 2, 0), n - 1);
      int x = std::min(std::max(i % n + k % 5 - 2, 0), n - 1);
      double v = in.host[y * n + x], w = near[k] * std::exp(-8 * std::pow(v - in.host[i], 2));
      sum += w * v, weights += w;
    }
    run.expect(i, out.host[i], sum / weights, 1e-4);
  }
}

/* The hue of a pixel in steps of 1/43 of a sextant; the largest colour selects the branch. */
__host__ __device__ static inline int hue_of(int r, int g, int b) {
  int most = r > g ? r : g, least = r < g ? r : g;
  most = most > b ? most : b, least = least < b ? least : b;
  int range = most - least;
  if (range == 0)
    return 0;
  if (most == r)
    return 43 * (g - b) / range & 255;
  if (most == g)
    return 85 + 43 * (b - r) / range;
  return 171 + 43 * (r - g) / range;
}
__global__ void hues(const uchar4 *in, uint8_t *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = hue_of(in[i].x, in[i].y, in[i].z);
}
static void hues_of_pixels(Run &run, int n) {
  Buffer<uchar4> in(n);
  Buffer<uint8_t> out(n);
  for (int i = 0; i < n; i++)
    in.host[i] = make_uchar4(bits(i) & 255, bits(i) >> 8 & 255, bits(i) >> 16 & 255, 0);
  in.up();
  run.time([&] { hues<<<blocks_of(n, 512), 512>>>(in, out, n); });
  run.expect_all(out, [&](int i) { return hue_of(in.host[i].x, in.host[i].y, in.host[i].z); });
}

/* Value noise in four octaves: hashed corners, smooth blends. */
__host__ __device__ static inline float corner_value(int x, int y) {
  return (float)(mix((uint32_t)x * 374761393u + (uint32_t)y * 668265263u) >> 8) / 16777216.0f;
}
__host__ __device__ static inline float noise_at(float x, float y) {
  float sum = 0, size = 1;
  for (int k = 0; k < 4; k++) {
    int cx = (int)floorf(x), cy = (int)floorf(y);
    float u = x - cx, v = y - cy;
    u = u * u * (3 - 2 * u), v = v * v * (3 - 2 * v);
    float a = corner_value(cx, cy), b = corner_value(cx + 1, cy);
    float c = corner_value(cx, cy + 1), d = corner_value(cx + 1, cy + 1);
    sum += size * (a + u * (b - a) + v * (c - a + u * (a - b - c + d)));
    x *= 2, y *= 2, size *= 0.5f;
  }
  return sum;
}
__global__ void noise(float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    out[y * n + x] = noise_at(x * 0.03125f, y * 0.03125f);
}
static void clouds(Run &run, int n) {
  Buffer<float> out((size_t)n * n);
  run.time([&] { noise<<<dim3(blocks_of(n, 32), blocks_of(n, 32)), dim3(32, 32)>>>(out, n); });
  run.expect_all(
      out, [&](int i) { return noise_at(i % n * 0.03125f, i / n * 0.03125f); }, 1e-4);
}

/* A step of a wavelet transform with four weights: averages first, details behind. */
__global__ void wavelet(const float *in, float *out, int n) {
  const float w[4] = {0.4829629f, 0.8365163f, 0.2241439f, -0.1294095f};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2)
    return;
  float low = 0, high = 0;
  for (int k = 0; k < 4; k++) {
    float v = in[(2 * i + k) % n];
    low += w[k] * v;
    high += (k % 2 ? -w[3 - k] : w[3 - k]) * v;
  }
  out[i] = low;
  out[n / 2 + i] = high;
}
static void wavelets(Run &run, int n) {
  const double w[4] = {0.4829629, 0.8365163, 0.2241439, -0.1294095};
  Buffer<float> in(n, unit), out(n);
  run.time([&] { wavelet<<<blocks_of(n / 2, 256), 256>>>(in, out, n); });
  run.expect_all(
      out,
      [&](int i) {
        double sum = 0;
        for (int k = 0; k < 4; k++)
          sum += (i < n / 2 ? w[k] : (k % 2 ? -w[3 - k] : w[3 - k])) *
                 in.host[(2 * (i % (n / 2)) + k) % n];
        return sum;
      },
      1e-5);
}

/* Fourier sums of 96 points by the definition, with the factors in shared memory. */
__global__ void fourier_sums(const float *in, float2 *out) {
  __shared__ float2 factor[96];
  __shared__ float value[96];
  int t = threadIdx.x, at = 0;
  float2 sum = make_float2(0, 0);
  factor[t] = make_float2(cospif(t / 48.0f), -sinpif(t / 48.0f));
  value[t] = in[blockIdx.x * 96 + t];
  __syncthreads();
  for (int k = 0; k < 96; k++) {
    sum.x += value[k] * factor[at].x;
    sum.y += value[k] * factor[at].y;
    at = (at + t) % 96;
  }
  out[blockIdx.x * 96 + t] = sum;
}
static void fourier_by_formula(Run &run, int blocks) {
  Buffer<float> in((size_t)blocks * 96, unit);
  Buffer<float2> out((size_t)blocks * 96);
  run.time([&] { fourier_sums<<<blocks, 96>>>(in, out); });
  out.down();
  for (int i = 0; i < blocks * 96; i += 13) {
    std::complex<double> sum = 0;
    for (int k = 0; k < 96; k++)
      sum += std::polar((double)in.host[i / 96 * 96 + k], -6.283185307179586 * (i % 96) * k / 96);
    run.expect(i, out.host[i].x, sum.real(), 1e-3);
    run.expect(i, out.host[i].y, sum.imag(), 1e-3);
  }
}

/* ---- other arithmetic ----------------------------------------------------------------------- */
/* The Lorenz equations by the method of Runge and Kutta. */
__host__ __device__ static inline float3 lorenz(float3 p, float3 d, float h) {
  float x = p.x + h * d.x, y = p.y + h * d.y, z = p.z + h * d.z;
  return float3{10 * (y - x), x * (28 - z) - y, x * y - 2.6666667f * z};
}
__host__ __device__ static inline float3 after_steps(float3 p, int steps) {
  const float h = 0.004f;
  for (int k = 0; k < steps; k++) {
    float3 a = lorenz(p, float3{0, 0, 0}, 0), b = lorenz(p, a, h / 2), c = lorenz(p, b, h / 2);
    float3 d = lorenz(p, c, h);
    p.x += h / 6 * (a.x + 2 * (b.x + c.x) + d.x);
    p.y += h / 6 * (a.y + 2 * (b.y + c.y) + d.y);
    p.z += h / 6 * (a.z + 2 * (b.z + c.z) + d.z);
  }
  return p;
}
__global__ void attract(const float3 *in, float3 *out, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = after_steps(in[i], steps);
}
static void attractor(Run &run, int n) {
  Buffer<float3> in(n), out(n);
  for (int i = 0; i < n; i++)
    in.host[i] = make_float3(unit(i) * 10, unit(i + 1) * 10, 20 + unit(i + 2) * 10);
  in.up();
  run.time([&] { attract<<<blocks_of(n, 128), 128>>>(in, out, 100, n); });
  out.down();
  for (int i = 0; i < n; i++)
    run.expect(i, out.host[i].x, after_steps(in.host[i], 100).x, 0.02);
}

/* Kepler's equation, five steps of Newton. */
__host__ __device__ static inline float anomaly(float mean, float e) {
  float x = mean + e * sinf(mean);
  for (int k = 0; k < 5; k++)
    x -= (x - e * sinf(x) - mean) / (1 - e * cosf(x));
  return x;
}
__global__ void anomalies(const float *mean, const float *e, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = anomaly(mean[i], e[i]);
}
static void orbits(Run &run, int n) {
  Buffer<float> mean(n, [](int i) { return 6.28f * unit(i); }), out(n);
  Buffer<float> e(n, [](int i) { return 0.7f * unit(i + 4444); });
  run.time([&] { anomalies<<<blocks_of(n, 256), 256>>>(mean, e, out, n); });
  run.expect_all(
      out, [&](int i) { return anomaly(mean.host[i], e.host[i]); }, 1e-4);
}

/* Simpson's rule in double, with one division for each point. */
__global__ void simpson(double *out, int points, double width, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0, h = width / points;
  for (int k = 0; k <= points; k++) {
    double x = i * width + k * h, f = 4 / (1 + x * x);
    sum += (k == 0 || k == points ? 1 : k % 2 ? 4 : 2) * f;
  }
  out[i] = sum * h / 3;
}
static void integrals(Run &run, int n) {
  Buffer<double> out(n);
  run.time([&] { simpson<<<blocks_of(n, 128), 128>>>(out, 30, 1.0 / n, n); });
  run.expect_all(
      out, [&](int i) { return 4 * (std::atan((i + 1) * (1.0 / n)) - std::atan(i * (1.0 / n))); },
      1e-11);
}

/* Pairs in half precision: forty multiply-adds whose result approaches 2. */
__global__ void half_chain(const __half2 *in, __half2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 half = __float2half2_rn(0.5f), one = __float2half2_rn(1);
  if (i >= n)
    return;
  __half2 a = in[i], b = __hadd2(a, one), c = __hmul2(a, half);
  for (int k = 0; k < 40; k++) {
    a = __hfma2(a, half, one);
    b = __hfma2(b, half, c);
    c = __hfma2(c, half, __hmul2(a, half));
  }
  out[i] = __hadd2(a, __hadd2(b, c));
}
static void half_pairs(Run &run, int n) {
  Buffer<__half2> in(n), out(n);
  for (int i = 0; i < n; i++)
    in.host[i] = __floats2half2_rn((float)(i % 9), (float)(i % 5));
  in.up();
  run.time([&] { half_chain<<<blocks_of(n, 256), 256>>>(in, out, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    run.expect(i, __low2float(out.host[i]), 8, 0.1);
    run.expect(i, __high2float(out.host[i]), 8, 0.1);
  }
}

/* Twelve numbers of each thread are sorted by insertion in an array of its own. */
__global__ void sort_own(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, own[12];
  if (i >= n)
    return;
  for (int k = 0; k < 12; k++) {
    int v = in[k * n + i], at = k;
    while (at && own[at - 1] > v) {
      own[at] = own[at - 1];
      at--;
    }
    own[at] = v;
  }
  for (int k = 0; k < 12; k++)
    out[k * n + i] = own[k];
}
static void own_sorted(Run &run, int n) {
  Buffer<int> in((size_t)12 * n, [](int i) { return (int)(bits(i) >> 12); }), out((size_t)12 * n);
  run.time([&] { sort_own<<<blocks_of(n, 128), 128>>>(in, out, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    std::vector<int> own(12);
    for (int k = 0; k < 12; k++)
      own[k] = in.host[k * n + i];
    std::sort(own.begin(), own.end());
    for (int k = 0; k < 12; k++)
      run.expect(i, out.host[k * n + i], own[k]);
  }
}

static const Rows rows("fresh", {{"Newton's picture", newton_picture, 896, 48},
                                 {"walks out of a circle", walks, 400000, 1 << 8},
                                 {"smallest factors", smallest_factors, 1 << 17, 1 << 9},
                                 {"queens on a board", queens_placed, 11, 6},
                                 {"numbers of variable length", varints, 1 << 17, 1 << 8},
                                 {"energies of near pairs", near_pairs, 4096, 256},
                                 {"potentials, double", potentials, 1024, 40},
                                 {"product, tiles of 24x8", odd_tiles, 720, 24},
                                 {"Gram matrix of six columns", gram_matrix, 3000000, 1 << 12},
                                 {"systems of five, registers", systems_of_five, 1 << 19, 1 << 8},
                                 {"decompositions of 48x48", decompositions, 1500, 2},
                                 {"points on a screen", points_on_screen, 3000000, 1 << 9},
                                 {"nearest of 512 codes", nearest_codes, 1 << 20, 1 << 8},
                                 {"cells along a curve", cells_along_a_curve, 3000000, 1 << 11},
                                 {"dates of days", calendar, 2000000, 1 << 10},
                                 {"numbers as text", numbers_as_text, 1500000, 1 << 9},
                                 {"hashes modulo 2^61 - 1", hashes_of_rows, 1 << 19, 1 << 8},
                                 {"stream of keys", stream_of_keys, 1 << 20, 1 << 9},
                                 {"bits turned by votes", bits_turned, 1 << 22, 1 << 9},
                                 {"warps sorted", warps_sorted, 192 * 5000, 384},
                                 {"rule 110, one warp", generations, 20000, 30},
                                 {"edit distance, one block", edits, 512, 24},
                                 {"knapsack, one block", one_knapsack, 300, 9},
                                 {"heat on a ring, grid barriers", heat_on_a_ring, 128 * 100, 256},
                                 {"bilateral filter", bilateral_filter, 1400, 40},
                                 {"hues of pixels", hues_of_pixels, 1500000, 1 << 10},
                                 {"clouds", clouds, 2400, 40},
                                 {"wavelet step", wavelets, 1 << 23, 1 << 10},
                                 {"Fourier by the formula", fourier_by_formula, 6000, 4},
                                 {"Lorenz's attractor", attractor, 500000, 1 << 8},
                                 {"Kepler's equation", orbits, 700000, 1 << 9},
                                 {"integrals, double", integrals, 1 << 20, 1 << 9},
                                 {"pairs of halves", half_pairs, 1 << 20, 1 << 9},
                                 {"twelve sorted by insertion", own_sorted, 400000, 1 << 8}});
