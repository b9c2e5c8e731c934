/* Kernels limited by memory accesses, as courses, libraries and applications have them. Their
 * author did not know the model of time, and the model is not fitted to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <numeric>

static int blocks_of(size_t n, int threads) { return (int)((n + threads - 1) / threads); }
static dim3 tiles(int w, int h, dim3 block) {
  return dim3(blocks_of(w, block.x), blocks_of(h, block.y));
}
static int clamped(int i, int n) { return std::min(std::max(i, 0), n - 1); }
template <class T> static auto of(const std::vector<T> &v) {
  return [&v](int i) { return v[i]; };
}
template <class T, class Want> static void near(Run &run, double most, Buffer<T> &got, Want want) {
  run.expect_all(got, want, most);
}
/* Each of `pairs` random pairs joins two vertices. */
struct Graph {
  Buffer<int> begin, column;
  Graph(int n, int pairs) : begin(n + 1, none), column(2 * (size_t)pairs) {
    for (int k = 0; k < 2 * pairs; k++)
      begin.host[bits(k) % n + 1]++;
    for (int i = 0; i < n; i++)
      begin.host[i + 1] += begin.host[i];
    std::vector<int> at = begin.host;
    for (int k = 0; k < 2 * pairs; k++)
      column.host[at[bits(k) % n]++] = bits(k ^ 1) % n;
    begin.up();
    column.up();
  }
};

__host__ __device__ static inline float hotter(float c, float up, float down, float left,
                                               float right, float power) {
  return c + 0.1f * (power + 0.3f * (up + down - 2 * c) + 0.4f * (left + right - 2 * c) +
                     0.05f * (0.5f - c));
}
__global__ void hotspot_step(const float *now, const float *power, float *next, int n) {
  __shared__ float tile[18][18];
  int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256) {
    int x = min(max(x0 + i % 18 - 1, 0), n - 1), y = min(max(y0 + i / 18 - 1, 0), n - 1);
    tile[i / 18][i % 18] = now[y * n + x];
  }
  __syncthreads();
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  if (x < n && y < n)
    next[y * n + x] = hotter(tile[ty][tx], tile[ty - 1][tx], tile[ty + 1][tx], tile[ty][tx - 1],
                             tile[ty][tx + 1], power[y * n + x]);
}
static void hotspots(Run &run, int n) {
  Buffer<float> a((size_t)n * n, unit), power((size_t)n * n, [](int i) { return unit(i + 99); });
  Buffer<float> b((size_t)n * n);
  std::vector<float> now = a.host, next = now;
  dim3 block(16, 16), grid = tiles(n, n, block);
  run.time(
      [&] {
        for (int i = 0; i < 4; i++) {
          hotspot_step<<<grid, block>>>(a, power, b, n);
          hotspot_step<<<grid, block>>>(b, power, a, n);
        }
      },
      [&] { a.up(); });
  for (int step = 0; step < 8; step++, now.swap(next))
    for (int i = 0; i < n * n; i++) {
      int up = i < n ? i : i - n, down = i >= n * n - n ? i : i + n;
      int left = i % n ? i - 1 : i, right = (i + 1) % n ? i + 1 : i;
      next[i] = hotter(now[i], now[up], now[down], now[left], now[right], power.host[i]);
    }
  near(run, 1e-4, a, of(now));
}

__host__ __device__ static inline double nineteen_at(const double *u, int n, int i) {
  double faces = u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + u[i - n * n] + u[i + n * n];
  double edges = 0;
  for (int a = -1; a <= 1; a += 2)
    for (int b = -1; b <= 1; b += 2)
      edges += u[i + a + b * n] + u[i + a + b * n * n] + u[i + a * n + b * n * n];
  return (2 * faces + edges - 24 * u[i]) / 6;
}
__global__ void nineteen_points(const double *u, double *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z + 1;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    out[(z * n + y) * n + x] = nineteen_at(u, n, (z * n + y) * n + x);
}
static void nineteen(Run &run, int n) {
  Buffer<double> u((size_t)n * n * n, unit), out((size_t)n * n * n, none);
  dim3 grid(blocks_of(n, 64), blocks_of(n, 2), n - 2);
  run.time([&] { nineteen_points<<<grid, dim3(64, 2)>>>(u, out, n); });
  near(run, 1e-9, out, [&](int i) {
    int x = i % n, y = i / n % n, z = i / n / n;
    bool inside = std::min({x, y, z}) > 0 && std::max({x, y, z}) < n - 1;
    return inside ? nineteen_at(u.host.data(), n, i) : 0;
  });
}

static __constant__ int binomials[9] = {1, 8, 28, 56, 70, 56, 28, 8, 1};
/* A block smooths 32 x 32 bytes. */
__global__ void gauss_columns(const uint8_t *in, uint8_t *out, int width, int height) {
  __shared__ uint8_t tile[40][32];
  int x = blockIdx.x * 32 + threadIdx.x, y0 = blockIdx.y * 32;
  for (int r = threadIdx.y; r < 40; r += 8)
    tile[r][threadIdx.x] = in[min(max(y0 + r - 4, 0), height - 1) * width + min(x, width - 1)];
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8) {
    int sum = 128;
    for (int k = 0; k < 9; k++)
      sum += binomials[k] * tile[r + k][threadIdx.x];
    if (x < width && y0 + r < height)
      out[(y0 + r) * width + x] = (uint8_t)(sum >> 8);
  }
}
static void columns_smoothed(Run &run, int height) {
  int width = height * 3 / 2;
  Buffer<uint8_t> in((size_t)width * height, bits), out((size_t)width * height);
  dim3 grid(blocks_of(width, 32), blocks_of(height, 32));
  run.time([&] { gauss_columns<<<grid, dim3(32, 8)>>>(in, out, width, height); });
  run.expect_all(out, [&](int i) {
    const int weights[9] = {1, 8, 28, 56, 70, 56, 28, 8, 1};
    int sum = 128;
    for (int k = 0; k < 9; k++)
      sum += weights[k] * in.host[clamped(i / width + k - 4, height) * width + i % width];
    return sum >> 8;
  });
}

/* Each cell of 8 x 8 pixels has eight directions. */
__host__ __device__ static inline int octant(int dx, int dy) {
  return (dx < 0) + 2 * (dy < 0) + 4 * (abs(dx) < abs(dy));
}
__global__ void orient_cells(const uint8_t *in, int *out, int n) {
  __shared__ int bins[8];
  int t = threadIdx.y * 8 + threadIdx.x;
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (t < 8)
    bins[t] = 0;
  __syncthreads();
  int dx = in[y * n + min(x + 1, n - 1)] - in[y * n + max(x - 1, 0)];
  int dy = in[min(y + 1, n - 1) * n + x] - in[max(y - 1, 0) * n + x];
  atomicAdd(&bins[octant(dx, dy)], abs(dx) + abs(dy));
  __syncthreads();
  if (t < 8)
    out[(blockIdx.y * gridDim.x + blockIdx.x) * 8 + t] = bins[t];
}
static void cells_oriented(Run &run, int cells) {
  int n = cells * 8;
  Buffer<uint8_t> in((size_t)n * n, bits);
  Buffer<int> out((size_t)cells * cells * 8);
  std::vector<int> want(out.host.size());
  run.time([&] { orient_cells<<<dim3(cells, cells), dim3(8, 8)>>>(in, out, n); });
  for (int i = 0; i < n * n; i++) {
    int x = i % n, y = i / n;
    int dx = in.host[y * n + clamped(x + 1, n)] - in.host[y * n + clamped(x - 1, n)];
    int dy = in.host[clamped(y + 1, n) * n + x] - in.host[clamped(y - 1, n) * n + x];
    want[(y / 8 * cells + x / 8) * 8 + octant(dx, dy)] += abs(dx) + abs(dy);
  }
  run.expect_all(out, of(want));
}

/* A table of 33 x 33 x 33 colours is interpolated between its eight nearest entries. */
__host__ __device__ static inline float4 graded(const float4 *table, uchar4 p) {
  float r = p.x * (32 / 255.0f), g = p.y * (32 / 255.0f), b = p.z * (32 / 255.0f);
  int x = p.x == 255 ? 31 : (int)r, y = p.y == 255 ? 31 : (int)g, z = p.z == 255 ? 31 : (int)b;
  float4 sum = make_float4(0, 0, 0, 1);
  for (int k = 0; k < 8; k++) {
    float4 entry = table[((z + (k >> 2)) * 33 + y + (k >> 1 & 1)) * 33 + x + (k & 1)];
    float weight = (k & 1 ? r - x : 1 - r + x) * (k & 2 ? g - y : 1 - g + y);
    weight *= k & 4 ? b - z : 1 - b + z;
    sum.x += weight * entry.x;
    sum.y += weight * entry.y;
    sum.z += weight * entry.z;
  }
  return sum;
}
__global__ void grade_colours(const float4 *table, const uchar4 *in, float4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = graded(table, in[i]);
}
static void colours_graded(Run &run, int n) {
  Buffer<float4> table(33 * 33 * 33, [](int i) {
    return make_float4(unit(3 * i), unit(3 * i + 1), unit(3 * i + 2), 1);
  });
  Buffer<uchar4> in(n, [](int i) {
    return make_uchar4(bits(i) & 255, bits(i) >> 8 & 255, bits(i) >> 16 & 255, 0);
  });
  Buffer<float4> out(n);
  run.time([&] { grade_colours<<<blocks_of(n, 128), 128>>>(table, in, out, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    float4 want = graded(table.host.data(), in.host[i]);
    run.expect(i, out.host[i].x, want.x, 1e-4);
    run.expect(i, out.host[i].y, want.y, 1e-4);
    run.expect(i, out.host[i].z, want.z, 1e-4);
  }
}

/* Points of three floats are counted in a grid of 96 x 96 x 96 cells. */
__host__ __device__ static inline int voxel_of(const float *p) {
  return ((int)(p[2] * 96) * 96 + (int)(p[1] * 96)) * 96 + (int)(p[0] * 96);
}
__global__ void fill_voxels(const float *points, unsigned *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&counts[voxel_of(points + 3 * i)], 1u);
}
static void voxels_filled(Run &run, int n) {
  Buffer<float> points(3 * (size_t)n, unit);
  Buffer<unsigned> counts(96 * 96 * 96);
  std::vector<unsigned> want(96 * 96 * 96);
  run.time([&] { fill_voxels<<<blocks_of(n, 256), 256>>>(points, counts, n); },
           [&] { counts.zero(); });
  for (int i = 0; i < n; i++)
    want[voxel_of(&points.host[3 * i])]++;
  run.expect_all(counts, of(want));
}

/* The zero frequency moves to the centre of a spectrum, in place. */
__global__ void swap_quadrants(float2 *a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n / 2)
    return;
  int from = y * n + x, to = (y + n / 2) * n + (x < n / 2 ? x + n / 2 : x - n / 2);
  float2 t = a[from];
  a[from] = a[to];
  a[to] = t;
}
static void quadrants_swapped(Run &run, int n) {
  Buffer<float2> a((size_t)n * n, [](int i) { return make_float2(unit(i), -unit(i)); });
  std::vector<float2> was = a.host;
  dim3 block(32, 4), grid = tiles(n, n / 2, block);
  run.time([&] { swap_quadrants<<<grid, block>>>(a, n); }, [&] { a.up(); });
  a.down();
  for (int i = 0; i < n * n; i++) {
    int from = (i / n + n / 2) % n * n + (i % n + n / 2) % n;
    run.expect(i, a.host[i].x, was[from].x);
    run.expect(i, a.host[i].y, was[from].y);
  }
}

/* Pictures grow by a reflected border. Both have pitched rows. */
__global__ void reflect_border(const float *in, float *out, size_t pitch, int w, int h,
                               int border) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w + 2 * border || y >= h + 2 * border)
    return;
  int fx = abs(x - border), fy = abs(y - border);
  fx = fx < w ? fx : 2 * w - 2 - fx;
  fy = fy < h ? fy : 2 * h - 2 - fy;
  const char *from = (const char *)in + (blockIdx.z * h + fy) * pitch;
  char *to = (char *)out + (blockIdx.z * (h + 2 * border) + y) * pitch;
  ((float *)to)[x] = ((const float *)from)[fx];
}
static void borders_reflected(Run &run, int pictures) {
  const int w = 200, h = 150, border = 12, wide = w + 2 * border, high = h + 2 * border;
  const size_t pitch = 256;
  Buffer<float> in(pitch * h * pictures, unit), out(pitch * high * pictures, none);
  dim3 grid(blocks_of(wide, 64), blocks_of(high, 4), pictures);
  run.time([&] { reflect_border<<<grid, dim3(64, 4)>>>(in, out, pitch * 4, w, h, border); });
  run.expect_all(out, [&](int i) {
    int x = i % pitch, y = i / pitch % high, z = i / pitch / high;
    int fx = std::abs(x - border), fy = std::abs(y - border);
    fx = std::min(fx, 2 * w - 2 - fx);
    fy = std::min(fy, 2 * h - 2 - fy);
    return x < wide ? in.host[(z * h + fy) * pitch + fx] : 0;
  });
}

/* Queries, keys and values of a token stand together. Then each head has its own matrix. */
__global__ void split_heads(const float4 *in, float4 *out, int tokens, int heads) {
  const int depth = 16;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tokens * 3 * heads * depth)
    return;
  int d = i % depth, head = i / depth % heads, kind = i / depth / heads % 3;
  int token = i / (depth * heads * 3);
  out[((kind * heads + head) * tokens + token) * depth + d] = in[i];
}
static void heads_split(Run &run, int tokens) {
  const int heads = 12, depth = 64;
  size_t n = (size_t)tokens * 3 * heads * depth;
  Buffer<float> in(n, unit), out(n);
  run.time([&] {
    split_heads<<<blocks_of(n / 4, 256), 256>>>((float4 *)in.device, (float4 *)out.device, tokens,
                                                heads);
  });
  run.expect_all(out, [&](int i) {
    int d = i % depth, token = i / depth % tokens, both = i / depth / tokens;
    return in.host[(size_t)(token * 3 * heads + both) * depth + d];
  });
}

/* A block adds the totals of the blocks before it, back to one whose sum is complete. The upper half
 * of a state is 1 if the lower half is a block's total, and 2 if it is the sum up to the block. */
__device__ static unsigned look_back(unsigned long long *state, int tile, unsigned total) {
  unsigned before = 0;
  atomicExch(&state[tile], 1ull << 32 | total);
  for (int t = tile - 1; t >= 0;) {
    unsigned long long s = atomicAdd(&state[t], 0ull);
    before += (unsigned)s;
    t = s >> 32 == 2 ? -1 : s >> 32 == 1 ? t - 1 : t;
  }
  atomicExch(&state[tile], 2ull << 32 | (before + total));
  return before;
}
__global__ void lookback_scan(const unsigned *in, unsigned *out, unsigned long long *state,
                              unsigned *ticket, int n) {
  __shared__ unsigned totals[8], before;
  __shared__ int tile;
  if (threadIdx.x == 0)
    tile = atomicAdd(ticket, 1u);
  __syncthreads();
  int i = tile * 256 + threadIdx.x, lane = threadIdx.x % 32;
  unsigned sum = i < n ? in[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    unsigned other = __shfl_up_sync(~0u, sum, d);
    sum += lane >= d ? other : 0;
  }
  if (lane == 31)
    totals[threadIdx.x / 32] = sum;
  __syncthreads();
  for (int w = 0; w < threadIdx.x / 32; w++)
    sum += totals[w];
  if (threadIdx.x == 255)
    before = look_back(state, tile, sum);
  __syncthreads();
  if (i < n)
    out[i] = before + sum;
}
static void scan_by_looking_back(Run &run, int n) {
  Buffer<unsigned> in(n, bits), out(n), ticket(1);
  Buffer<unsigned long long> state(blocks_of(n, 256));
  std::vector<unsigned> want(n);
  run.time([&] { lookback_scan<<<blocks_of(n, 256), 256>>>(in, out, state, ticket, n); },
           [&] {
             state.zero();
             ticket.zero();
           });
  std::partial_sum(in.host.begin(), in.host.end(), want.begin());
  run.expect_all(out, of(want));
}

__global__ void cumulate_rows(const float *in, float *out, int rows, int length) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float carry = 0;
  for (int i = lane; i < (length + 31) / 32 * 32; i += 32) {
    float sum = i < length ? in[(size_t)row * length + i] : 0;
    for (int d = 1; d < 32; d *= 2) {
      float other = __shfl_up_sync(~0u, sum, d);
      sum += lane >= d ? other : 0;
    }
    if (i < length)
      out[(size_t)row * length + i] = carry + sum;
    carry += __shfl_sync(~0u, sum, 31);
  }
}
static void rows_cumulated(Run &run, int rows) {
  const int length = 700;
  Buffer<float> in((size_t)rows * length, unit), out((size_t)rows * length);
  std::vector<float> want(in.host.size());
  run.time([&] { cumulate_rows<<<blocks_of(rows, 4), 128>>>(in, out, rows, length); });
  for (size_t i = 0; i < want.size(); i++)
    want[i] = (i % length ? want[i - 1] : 0) + in.host[i];
  near(run, 5e-3, out, of(want));
}

/* The mass of a picture and its two moments, by one atomic addition a warp. */
__global__ void moments(const uint8_t *in, unsigned long long *out, int w, int h) {
  unsigned long long mass = 0, across = 0, along = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h; i += gridDim.x * blockDim.x) {
    mass += in[i];
    across += in[i] * (i % w);
    along += in[i] * (i / w);
  }
  for (int d = 16; d > 0; d /= 2) {
    mass += __shfl_down_sync(~0u, mass, d);
    across += __shfl_down_sync(~0u, across, d);
    along += __shfl_down_sync(~0u, along, d);
  }
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&out[0], mass);
    atomicAdd(&out[1], across);
    atomicAdd(&out[2], along);
  }
}
static void moments_of_a_picture(Run &run, int h) {
  int w = h + 100;
  Buffer<uint8_t> in((size_t)w * h, bits);
  Buffer<unsigned long long> out(3);
  run.time([&] { moments<<<264, 256>>>(in, out, w, h); }, [&] { out.zero(); });
  std::vector<unsigned long long> want(3);
  for (int i = 0; i < w * h; i++) {
    want[0] += in.host[i];
    want[1] += in.host[i] * (i % w);
    want[2] += in.host[i] * (i / w);
  }
  run.expect_all(out, of(want));
}

/* A warp takes the next row from a counter. */
__global__ void take_rows(const int *begin, const int *column, const float *value, const float *x,
                          float *y, int *next, int n) {
  int lane = threadIdx.x % 32;
  for (;;) {
    int row = lane == 0 ? atomicAdd(next, 1) : 0;
    row = __shfl_sync(~0u, row, 0);
    if (row >= n)
      return;
    float sum = 0;
    for (int k = begin[row] + lane; k < begin[row + 1]; k += 32)
      sum += value[k] * x[column[k]];
    for (int d = 16; d > 0; d /= 2)
      sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0)
      y[row] = sum;
  }
}
static void rows_taken(Run &run, int n) {
  std::vector<int> lengths(n + 1, 0);
  for (int i = 0; i < n; i++)
    lengths[i + 1] = lengths[i] + (bits(i) % 50 == 0 ? 400 : bits(i) % 40);
  int terms = lengths[n];
  Buffer<int> begin(n + 1, of(lengths)), next(1);
  Buffer<int> column(terms, [&](int i) { return bits(i) % n; });
  Buffer<float> value(terms, unit), x(n, unit), y(n);
  run.time([&] { take_rows<<<132 * 4, 256>>>(begin, column, value, x, y, next, n); },
           [&] { next.zero(); });
  near(run, 1e-3, y, [&](int i) {
    double sum = 0;
    for (int k = lengths[i]; k < lengths[i + 1]; k++)
      sum += value.host[k] * x.host[column.host[k]];
    return sum;
  });
}

/* Each slice of 32 rows has the width of its longest row. */
__global__ void sliced_ell(const int *slice, const int *column, const double *value,
                           const double *x, double *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  double sum = 0;
  for (int k = slice[row / 32] + row % 32; k < slice[row / 32 + 1]; k += 32)
    if (column[k] >= 0)
      sum += value[k] * x[column[k]];
  y[row] = sum;
}
static void sliced(Run &run, int n) {
  n = n / 32 * 32;
  std::vector<int> slices(n / 32 + 1, 0);
  for (int i = 0; i < n / 32; i++)
    slices[i + 1] = slices[i] + 32 * (4 + bits(i) % 16);
  int terms = slices[n / 32];
  Buffer<int> slice(n / 32 + 1, of(slices));
  Buffer<int> column(terms, [&](int i) { return bits(i) % 5 == 0 ? -1 : (int)(bits(~i) % n); });
  Buffer<double> value(terms, unit), x(n, unit), y(n);
  run.time([&] { sliced_ell<<<blocks_of(n, 128), 128>>>(slice, column, value, x, y, n); });
  near(run, 1e-9, y, [&](int i) {
    double sum = 0;
    for (int k = slices[i / 32] + i % 32; k < slices[i / 32 + 1]; k += 32)
      sum += column.host[k] < 0 ? 0 : value.host[k] * x.host[column.host[k]];
    return sum;
  });
}

/* Jones and Plassmann's colours: a vertex takes the colour of this round if no neighbour without
 * a colour has a larger number. */
__host__ __device__ static inline int coloured(const int *begin, const int *column,
                                               const int *colour, int v, int round) {
  if (colour[v] >= 0)
    return colour[v];
  for (int k = begin[v]; k < begin[v + 1]; k++)
    if (colour[column[k]] < 0 && mix(column[k]) > mix(v))
      return -1;
  return round;
}
__global__ void colour_round(const int *begin, const int *column, const int *colour, int *next,
                             int n, int round) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n)
    next[v] = coloured(begin, column, colour, v, round);
}
static void colours_of_vertices(Run &run, int n) {
  Graph graph(n, 5 * n);
  Buffer<int> a(n), b(n), *now = &a, *next = &b;
  std::vector<int> want(n, -1), was;
  run.time(
      [&] {
        for (int round = 0; round < 10; round++, std::swap(now, next))
          colour_round<<<blocks_of(n, 256), 256>>>(graph.begin, graph.column, *now, *next, n,
                                                   round);
      },
      [&] { CHECK(cudaMemset(a, 255, a.bytes())); });
  for (int round = 0; round < 10; round++) {
    was = want;
    for (int v = 0; v < n; v++)
      want[v] = coloured(graph.begin.host.data(), graph.column.host.data(), was.data(), v, round);
  }
  run.expect_all(a, of(want));
}

/* A vertex that nobody has seen searches a parent in the frontier, which is a set of bits. */
__global__ void bottom_up(const int *begin, const int *column, const uint8_t *seen,
                          const unsigned *frontier, unsigned *next, int *parent, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x, found = -1;
  if (v < n && !seen[v])
    for (int k = begin[v]; k < begin[v + 1] && found < 0; k++) {
      int u = column[k];
      if (frontier[u / 32] >> u % 32 & 1)
        found = u;
    }
  unsigned set = __ballot_sync(~0u, found >= 0);
  if (v < n) {
    parent[v] = found;
    if (v % 32 == 0)
      next[v / 32] = set;
  }
}
static void parents_from_below(Run &run, int n) {
  Graph graph(n, 8 * n);
  Buffer<uint8_t> seen(n, [](int i) { return bits(i) % 4 == 0; });
  Buffer<unsigned> frontier(blocks_of(n, 32), none), next(blocks_of(n, 32));
  Buffer<int> parent(n);
  for (int i = 0; i < n; i++)
    frontier.host[i / 32] |= (bits(i) % 16 == 0 ? 1u : 0u) << i % 32;
  frontier.up();
  run.time([&] {
    bottom_up<<<blocks_of(n, 256), 256>>>(graph.begin, graph.column, seen, frontier, next, parent,
                                          n);
  });
  std::vector<unsigned> want(next.host.size());
  run.expect_all(parent, [&](int v) {
    for (int k = graph.begin.host[v]; !seen.host[v] && k < graph.begin.host[v + 1]; k++)
      if (bits(graph.column.host[k]) % 16 == 0) {
        want[v / 32] |= 1u << v % 32;
        return graph.column.host[k];
      }
    return -1;
  });
  run.expect_all(next, of(want));
}

__global__ void parse_numbers(const char *text, const int *start, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const char *p = text + start[i];
  bool negative = *p == '-';
  int value = 0;
  for (p += negative; *p >= '0' && *p <= '9'; p++)
    value = value * 10 + (*p - '0');
  out[i] = negative ? -value : value;
}
static void numbers_parsed(Run &run, int n) {
  std::vector<int> starts(n), want(n);
  std::vector<char> words;
  for (int i = 0; i < n; i++) {
    char word[16];
    want[i] = (int)bits(i) >> (i % 5 * 5 + 2);
    starts[i] = (int)words.size();
    words.insert(words.end(), word, word + snprintf(word, sizeof word, "%d\n", want[i]));
  }
  Buffer<char> text(words.size(), of(words));
  Buffer<int> start(n, of(starts)), out(n);
  run.time([&] { parse_numbers<<<blocks_of(n, 192), 192>>>(text, start, out, n); });
  run.expect_all(out, of(want));
}

/* Sixteen letters of a genome become one word. */
__device__ static unsigned four_bases(unsigned w) {
  return (w >> 1 & 3) | (w >> 9 & 3) << 2 | (w >> 17 & 3) << 4 | (w >> 25 & 3) << 6;
}
__global__ void pack_bases(const uint4 *letters, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint4 w = letters[i];
  out[i] = four_bases(w.x) | four_bases(w.y) << 8 | four_bases(w.z) << 16 | four_bases(w.w) << 24;
}
static void bases_packed(Run &run, int n) {
  Buffer<char> letters(16 * (size_t)n, [](int i) { return "ACTG"[bits(i) & 3]; });
  Buffer<unsigned> out(n);
  run.time([&] { pack_bases<<<blocks_of(n, 256), 256>>>((uint4 *)letters.device, out, n); });
  run.expect_all(out, [&](int i) {
    unsigned want = 0;
    for (int k = 0; k < 16; k++)
      want |= (bits(16 * i + k) & 3) << 2 * k;
    return want;
  });
}

/* Words of nine letters are counted in a hash table with open addresses. */
__host__ __device__ static inline unsigned nine_letters(const char *text) {
  unsigned key = 0;
  for (int k = 0; k < 9; k++)
    key = key << 2 | (text[k] >> 1 & 3);
  return key;
}
__global__ void count_nines(const char *text, unsigned *keys, unsigned *counts, int n,
                            unsigned mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned key = nine_letters(text + i), slot = mix(key) & mask;
  for (;; slot = (slot + 1) & mask) {
    unsigned was = atomicCAS(&keys[slot], ~0u, key);
    if (was == ~0u || was == key)
      break;
  }
  atomicAdd(&counts[slot], 1u);
}
static void nines_counted(Run &run, int n) {
  const unsigned slots = 1 << 19, words = 1 << 18;
  Buffer<char> text(n + 8, [](int i) { return "ACTG"[bits(i) & 3]; });
  Buffer<unsigned> keys(slots, [](int) { return ~0u; }), counts(slots, none);
  std::vector<unsigned> want(words), got(words);
  run.time([&] { count_nines<<<blocks_of(n, 128), 128>>>(text, keys, counts, n, slots - 1); },
           [&] {
             CHECK(cudaMemset(keys, 255, keys.bytes()));
             counts.zero();
           });
  keys.down();
  counts.down();
  for (int i = 0; i < n; i++)
    want[nine_letters(&text.host[i])]++;
  for (unsigned i = 0; i < slots; i++)
    if (keys.host[i] < words)
      got[keys.host[i]] += counts.host[i];
  for (unsigned i = 0; i < words; i++)
    run.expect(i, got[i], want[i]);
}

/* One block sorts bytes by counting. */
__global__ void sort_bytes(const uint8_t *in, uint8_t *out, int n) {
  __shared__ int place[256];
  int t = threadIdx.x;
  if (t < 256)
    place[t] = 0;
  __syncthreads();
  for (int i = t; i < n; i += blockDim.x)
    atomicAdd(&place[in[i]], 1);
  __syncthreads();
  int mine = t < 256 ? place[t] : 0, sum = mine;
  for (int d = 1; d < 256; d *= 2) {
    int other = t < 256 && t >= d ? place[t - d] : 0;
    __syncthreads();
    if (t < 256)
      place[t] = sum += other;
    __syncthreads();
  }
  if (t < 256)
    place[t] = sum - mine;
  __syncthreads();
  for (int i = t; i < n; i += blockDim.x)
    out[atomicAdd(&place[in[i]], 1)] = in[i];
}
static void bytes_sorted(Run &run, int n) {
  Buffer<uint8_t> in(n, [](int i) { return (bits(i) & 255) * (bits(~i) & 255) >> 8; }), out(n);
  std::vector<uint8_t> want = in.host;
  run.time([&] { sort_bytes<<<1, 1024>>>(in, out, n); });
  std::sort(want.begin(), want.end());
  run.expect_all(out, of(want));
}

/* A block normalises one channel of all pictures. */
__global__ void batch_norm(const float *in, float *out, int pictures, int channels, int area) {
  __shared__ float sums[256], squares[256];
  int t = threadIdx.x, count = pictures * area;
  float sum = 0, square = 0;
  for (int i = t; i < count; i += 256) {
    float v = in[(i / area * channels + blockIdx.x) * area + i % area];
    sum += v;
    square += v * v;
  }
  sums[t] = sum;
  squares[t] = square;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) {
      sums[t] += sums[t + half];
      squares[t] += squares[t + half];
    }
  }
  __syncthreads();
  float mean = sums[0] / count, scale = rsqrtf(squares[0] / count - mean * mean + 1e-5f);
  for (int i = t; i < count; i += 256) {
    int at = (i / area * channels + blockIdx.x) * area + i % area;
    out[at] = (in[at] - mean) * scale;
  }
}
static void batches_normalised(Run &run, int pictures) {
  const int channels = 96, area = 14 * 14;
  size_t n = (size_t)pictures * channels * area;
  Buffer<float> in(n, unit), out(n);
  std::vector<double> mean(channels), square(channels);
  run.time([&] { batch_norm<<<channels, 256>>>(in, out, pictures, channels, area); });
  for (size_t i = 0; i < n; i++) {
    mean[i / area % channels] += in.host[i] / (pictures * area);
    square[i / area % channels] += (double)in.host[i] * in.host[i] / (pictures * area);
  }
  near(run, 1e-3, out, [&](int i) {
    int c = i / area % channels;
    return (in.host[i] - mean[c]) / std::sqrt(square[c] - mean[c] * mean[c] + 1e-5);
  });
}

/* The largest of 2 x 2 values, and where it stands. */
__host__ __device__ static inline int larger(float a, float b, float c, float d, float *largest) {
  float upper = a >= b ? a : b, lower = c >= d ? c : d;
  *largest = upper >= lower ? upper : lower;
  return upper >= lower ? b > a : 2 + (d > c);
}
__global__ void pool_with_place(const float *in, float *out, uint8_t *place, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w / 2 || y >= h / 2)
    return;
  const float2 *pairs = (const float2 *)in + (blockIdx.z * h + 2 * y) * (w / 2) + x;
  float2 upper = pairs[0], lower = pairs[w / 2];
  int to = (blockIdx.z * (h / 2) + y) * (w / 2) + x;
  place[to] = larger(upper.x, upper.y, lower.x, lower.y, &out[to]);
}
static void pooled_with_places(Run &run, int planes) {
  const int w = 112, h = 112;
  size_t n = (size_t)planes * w * h;
  Buffer<float> in(n, unit), out(n / 4);
  Buffer<uint8_t> place(n / 4);
  std::vector<float> want(n / 4);
  dim3 grid(blocks_of(w / 2, 32), blocks_of(h / 2, 8), planes);
  run.time([&] { pool_with_place<<<grid, dim3(32, 8)>>>(in, out, place, w, h); });
  run.expect_all(place, [&](int i) {
    const float *p = &in.host[i / (w / 2) * 2 * w + i % (w / 2) * 2];
    return larger(p[0], p[1], p[w], p[w + 1], &want[i]);
  });
  run.expect_all(out, of(want));
}

/* Each launch halves a picture of four bytes a pixel, down to one pixel. */
__host__ __device__ static inline unsigned mean_of_four(unsigned a, unsigned b, unsigned c,
                                                        unsigned d) {
  const unsigned even = 0x00ff00ff;
  unsigned low = (a & even) + (b & even) + (c & even) + (d & even) + 0x00020002;
  a = a >> 8 & even, b = b >> 8 & even, c = c >> 8 & even, d = d >> 8 & even;
  return (low >> 2 & even) | ((a + b + c + d + 0x00020002) >> 2 & even) << 8;
}
__global__ void mip_level(const unsigned *in, unsigned *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    const unsigned *p = in + 4 * y * n + 2 * x;
    out[y * n + x] = mean_of_four(p[0], p[1], p[2 * n], p[2 * n + 1]);
  }
}
static void mip_levels(Run &run, int n) {
  size_t first = (size_t)n * n;
  Buffer<unsigned> all(first * 4 / 3, [&](int i) { return (size_t)i < first ? bits(i) : 0; });
  std::vector<unsigned> want = all.host;
  dim3 block(16, 16);
  run.time([&] {
    unsigned *in = all;
    for (int side = n / 2; side > 0; in += 4 * side * side, side /= 2)
      mip_level<<<tiles(side, side, block), block>>>(in, in + 4 * side * side, side);
  });
  unsigned *p = want.data();
  for (int side = n / 2; side > 0; p += 4 * side * side, side /= 2)
    for (int i = 0; i < side * side; i++) {
      unsigned *q = p + 4 * (i / side) * side + i % side * 2;
      p[4 * side * side + i] = mean_of_four(q[0], q[1], q[2 * side], q[2 * side + 1]);
    }
  run.expect_all(all, of(want));
}

/* The distances of all pairs of rows, by tiles of 16 x 16. */
__global__ void manhattan(const float *a, const float *b, float *out, int n, int depth) {
  __shared__ float of_a[16][17], of_b[16][17];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int d = 0; d < depth; d += 16) {
    of_a[ty][tx] = a[row * depth + d + tx];
    of_b[ty][tx] = b[(blockIdx.x * 16 + ty) * depth + d + tx];
    __syncthreads();
    for (int k = 0; k < 16; k++)
      sum += fabsf(of_a[ty][k] - of_b[tx][k]);
    __syncthreads();
  }
  out[row * n + blockIdx.x * 16 + tx] = sum;
}
static void distances_of_pairs(Run &run, int blocks) {
  const int n = blocks * 16, depth = 64;
  Buffer<float> a(n * depth, unit), b(n * depth, [](int i) { return unit(~i); });
  Buffer<float> out((size_t)n * n);
  run.time([&] { manhattan<<<dim3(blocks, blocks), dim3(16, 16)>>>(a, b, out, n, depth); });
  near(run, 1e-4, out, [&](int i) {
    double sum = 0;
    for (int k = 0; k < depth; k++)
      sum += std::fabs(a.host[i / n * depth + k] - b.host[i % n * depth + k]);
    return sum;
  });
}

/* A block packs the values of its segment that differ from the one before. */
__global__ void drop_repeats(const uint16_t *in, uint16_t *out, int *counts, int n) {
  __shared__ int before[17];
  int t = threadIdx.x, i = blockIdx.x * 512 + t;
  bool keep = i < n && (t == 0 || in[i] != in[i - 1]);
  unsigned votes = __ballot_sync(~0u, keep);
  if (t % 32 == 0)
    before[t / 32 + 1] = __popc(votes);
  __syncthreads();
  if (t == 0) {
    before[0] = 0;
    for (int w = 1; w <= 16; w++)
      before[w] += before[w - 1];
    counts[blockIdx.x] = before[16];
  }
  __syncthreads();
  if (keep)
    out[blockIdx.x * 512 + before[t / 32] + __popc(votes & ((1u << t % 32) - 1))] = in[i];
}
static void repeats_dropped(Run &run, int n) {
  Buffer<uint16_t> in(n, [](int i) { return bits(i / 2) % 3 + i / 64; }), out(n, none);
  Buffer<int> counts(blocks_of(n, 512));
  std::vector<int> want(n), kept(counts.host.size());
  run.time([&] { drop_repeats<<<blocks_of(n, 512), 512>>>(in, out, counts, n); });
  for (int i = 0; i < n; i++)
    if (i % 512 == 0 || in.host[i] != in.host[i - 1])
      want[i / 512 * 512 + kept[i / 512]++] = in.host[i];
  run.expect_all(out, of(want));
  run.expect_all(counts, of(kept));
}

/* A function is given at sorted points. Each thread finds its interval and interpolates. */
__global__ void interpolate_sorted(const float *x, const float *y, int points, const float *at,
                                   float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int low = 0, high = points - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (x[middle] <= at[i])
      low = middle;
    else
      high = middle;
  }
  out[i] = y[low] + (at[i] - x[low]) / (x[high] - x[low]) * (y[high] - y[low]);
}
static void interpolated(Run &run, int n) {
  const int points = 50000;
  Buffer<float> x(points, [&](int i) { return (i + 0.8f * unit(i)) / points; });
  Buffer<float> y(points, [](int i) { return unit(~i); }), at(n, unit), out(n);
  run.time([&] { interpolate_sorted<<<blocks_of(n, 256), 256>>>(x, y, points, at, out, n); });
  const float *p = x.host.data();
  near(run, 1e-3, out, [&](int i) {
    int high = clamped(std::upper_bound(p, p + points, at.host[i]) - p - 1, points - 1) + 1;
    double slope = (y.host[high] - y.host[high - 1]) / (p[high] - p[high - 1]);
    return y.host[high - 1] + (at.host[i] - p[high - 1]) * slope;
  });
}

static const Rows rows("visitors",
                       {{"hot spots of a chip, 8 launches", hotspots, 900, 40},
                        {"stencil of 19 points, double", nineteen, 150, 20},
                        {"columns smoothed, bytes", columns_smoothed, 1400, 50},
                        {"directions in cells of 8x8", cells_oriented, 150, 4},
                        {"colours from a cube of 33", colours_graded, 700000, 1 << 9},
                        {"points into voxels", voxels_filled, 3000000, 1 << 9},
                        {"quadrants of a spectrum", quadrants_swapped, 1800, 40},
                        {"borders reflected, pitched", borders_reflected, 24, 1},
                        {"heads split", heads_split, 1024, 8},
                        {"scan by looking back", scan_by_looking_back, 4000000, 3000},
                        {"rows cumulated by warps", rows_cumulated, 6000, 6},
                        {"moments of a picture", moments_of_a_picture, 2200, 50},
                        {"SpMV, warps take rows", rows_taken, 100000, 100},
                        {"SpMV in slices of 32, double", sliced, 300000, 256},
                        {"colours of vertices, 10 launches", colours_of_vertices, 100000, 1 << 8},
                        {"parents from below", parents_from_below, 400000, 1 << 9},
                        {"numbers parsed", numbers_parsed, 900000, 1 << 8},
                        {"bases packed, 16 letters", bases_packed, 500000, 1 << 9},
                        {"words of nine letters", nines_counted, 1500000, 1 << 9},
                        {"bytes sorted by one block", bytes_sorted, 250000, 1 << 11},
                        {"batches normalised", batches_normalised, 40, 1},
                        {"pooled with places", pooled_with_places, 256, 1},
                        {"picture halved to a pixel", mip_levels, 1024, 32},
                        {"distances of all pairs, tiled", distances_of_pairs, 80, 2},
                        {"repeats dropped", repeats_dropped, 6000000, 3000},
                        {"interpolated at sorted points", interpolated, 2000000, 1 << 9}});
