/* Kernels limited by memory accesses, as courses, libraries and applications have them. They
 * were written without knowledge of the model of time, and the model is not fitted to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <numeric>
#include <utility>

static int blocks_of(size_t n, int threads) { return (int)((n + threads - 1) / threads); }
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

__host__ __device__ static inline float hot_at(const float *now, const float *power, int n, int i) {
  int up = i < n ? i : i - n, down = i >= n * n - n ? i : i + n;
  int left = i % n ? i - 1 : i, right = (i + 1) % n ? i + 1 : i;
  float flow = now[up] + now[down] + now[left] + now[right] - 4 * now[i];
  return now[i] + 0.1f * (power[i] + flow + 0.05f * (0.5f - now[i]));
}
__global__ void hotspot_step(const float *now, const float *power, float *next, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    next[y * n + x] = hot_at(now, power, n, y * n + x);
}
static void hotspots(Run &run, int n) {
  Buffer<float> a(n * n, unit), b(n * n, unit), power(n * n, [](int i) { return unit(~i); });
  std::vector<float> now = a.host, next = now;
  dim3 block(16, 16), grid(blocks_of(n, 16), blocks_of(n, 16));
  run.time(
      [&] {
        for (int i = 0; i < 8; i++)
          hotspot_step<<<grid, block>>>(i % 2 ? b : a, power, i % 2 ? a : b, n);
      },
      [&] { a.up(); });
  for (int step = 0; step < 8; step++, now.swap(next))
    for (int i = 0; i < n * n; i++)
      next[i] = hot_at(now.data(), power.host.data(), n, i);
  near(run, 1e-4, a, of(now));
}

__host__ __device__ static inline double nineteen_at(const double *u, int n, int i) {
  int plane = n * n;
  double edges = 0, faces = u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + u[i - plane] + u[i + plane];
  for (int a = -1; a <= 1; a += 2)
    for (int b = -1; b <= 1; b += 2)
      edges += u[i + a + b * n] + u[i + a + b * plane] + u[i + a * n + b * plane];
  return (2 * faces + edges - 24 * u[i]) / 6;
}
__global__ void nineteen_points(const double *u, double *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, i = (blockIdx.z * n + blockIdx.y) * n + x;
  if (x < n)
    out[i] = nineteen_at(u, n, i);
}
static void nineteen(Run &run, int n) {
  int frame = n * n + n + 1;
  Buffer<double> u(n * n * n + 2 * frame, unit), out(n * n * n);
  run.time([&] { nineteen_points<<<dim3(blocks_of(n, 64), n, n), 64>>>(u + frame, out, n); });
  near(run, 1e-9, out, [&](int i) { return nineteen_at(&u.host[frame], n, i); });
}

/* A block smooths 32 x 32 bytes along the columns. */
static __constant__ int binomials[9] = {1, 8, 28, 56, 70, 56, 28, 8, 1};
__global__ void gauss_columns(const uint8_t *in, uint8_t *out, int n) {
  __shared__ uint8_t tile[40][32];
  int tx = threadIdx.x, x = blockIdx.x * 32 + tx, y0 = blockIdx.y * 32;
  for (int r = threadIdx.y; r < 40; r += 8)
    tile[r][tx] = in[min(max(y0 + r - 4, 0), n - 1) * n + x];
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8) {
    int sum = 128;
    for (int k = 0; k < 9; k++)
      sum += binomials[k] * tile[r + k][tx];
    out[(y0 + r) * n + x] = (uint8_t)(sum >> 8);
  }
}
static void columns_smoothed(Run &run, int blocks) {
  int n = blocks * 32;
  Buffer<uint8_t> in(n * n, bits), out(n * n);
  run.time([&] { gauss_columns<<<dim3(blocks, blocks), dim3(32, 8)>>>(in, out, n); });
  run.expect_all(out, [&](int i) {
    const int weights[9] = {1, 8, 28, 56, 70, 56, 28, 8, 1};
    int sum = 128;
    for (int k = 0; k < 9; k++)
      sum += weights[k] * in.host[clamped(i / n + k - 4, n) * n + i % n];
    return sum >> 8;
  });
}

/* The lengths of the rows of a sparse matrix are tallied, first in each block. */
__global__ void tally_lengths(const int *begin, int *tally, int n) {
  __shared__ int own[64];
  if (threadIdx.x < 64)
    own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[min(begin[i + 1] - begin[i], 63)], 1);
  __syncthreads();
  if (threadIdx.x < 64 && own[threadIdx.x] > 0)
    atomicAdd(&tally[threadIdx.x], own[threadIdx.x]);
}
static void lengths_tallied(Run &run, int n) {
  Graph graph(n, 8 * n);
  Buffer<int> tally(64);
  std::vector<int> want(64);
  run.time([&] { tally_lengths<<<264, 512>>>(graph.begin, tally, n); }, [&] { tally.zero(); });
  for (int i = 0; i < n; i++)
    want[std::min(graph.begin.host[i + 1] - graph.begin.host[i], 63)]++;
  run.expect_all(tally, of(want));
}

__host__ __device__ static inline unsigned graded(const unsigned *cube, uchar4 p) {
  return cube[((p.z + 4) / 8 * 33 + (p.y + 4) / 8) * 33 + (p.x + 4) / 8];
}
__global__ void grade_colours(const unsigned *cube, const uchar4 *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = graded(cube, in[i]);
}
static void colours_graded(Run &run, int n) {
  Buffer<unsigned> cube(33 * 33 * 33, bits), out(n);
  Buffer<uchar4> in(n, [](int i) {
    return make_uchar4(bits(i) & 255, bits(i) >> 8 & 255, bits(i) >> 16 & 255, 0);
  });
  run.time([&] { grade_colours<<<blocks_of(n, 128), 128>>>(cube, in, out, n); });
  run.expect_all(out, [&](int i) { return graded(cube.host.data(), in.host[i]); });
}

/* Points of three floats are counted in a grid of 96 x 96 x 96 cells. */
__host__ __device__ static inline int voxel_of(const float *p) {
  return ((int)(p[2] * 96) * 96 + (int)(p[1] * 96)) * 96 + (int)(p[0] * 96);
}
__global__ void fill_voxels(const float *points, unsigned *counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&counts[voxel_of(points + 3 * i)], 1u);
}
static void voxels_filled(Run &run, int blocks) {
  Buffer<float> points(blocks * 768, unit);
  Buffer<unsigned> counts(96 * 96 * 96);
  std::vector<unsigned> want(96 * 96 * 96);
  run.time([&] { fill_voxels<<<blocks, 256>>>(points, counts); }, [&] { counts.zero(); });
  for (int i = 0; i < blocks * 256; i++)
    want[voxel_of(&points.host[3 * i])]++;
  run.expect_all(counts, of(want));
}

/* The zero frequency moves to the centre of a spectrum, in place. */
__global__ void swap_quadrants(float2 *a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int from = y * n + x, to = (y + n / 2) * n + (x < n / 2 ? x + n / 2 : x - n / 2);
  float2 t = a[from];
  a[from] = a[to];
  a[to] = t;
}
static void quadrants_swapped(Run &run, int n) {
  Buffer<double> a((size_t)n * n, unit);
  std::vector<double> was = a.host;
  dim3 block(32, 4), grid(n / 32, n / 8);
  run.time([&] { swap_quadrants<<<grid, block>>>((float2 *)a.device, n); }, [&] { a.up(); });
  run.expect_all(a, [&](int i) { return was[(i / n + n / 2) % n * n + (i % n + n / 2) % n]; });
}

/* Pictures of 256 x 150 floats grow by a reflected border. Their rows are pitched. */
__global__ void reflect_border(const float *in, float *out, size_t pitch, size_t wide_pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, fx = abs(x - 8), fy = abs(y - 8);
  fx = fx < 256 ? fx : 510 - fx;
  fy = fy < 150 ? fy : 298 - fy;
  const char *from = (const char *)in + (blockIdx.z * 150 + fy) * pitch;
  char *to = (char *)out + (blockIdx.z * 166 + y) * wide_pitch;
  if (x < 256 + 16)
    ((float *)to)[x] = ((const float *)from)[fx];
}
static void borders_reflected(Run &run, int pictures) {
  const size_t pitch = 256, wide = 384;
  Buffer<float> in(pitch * 150 * pictures, unit), out(wide * 166 * pictures, none);
  dim3 grid(blocks_of(272, 96), 166, pictures);
  run.time([&] { reflect_border<<<grid, 96>>>(in, out, pitch * 4, wide * 4); });
  run.expect_all(out, [&](int i) {
    int x = i % wide, fx = std::abs(x - 8), fy = std::abs((int)(i / wide) % 166 - 8);
    size_t row = i / wide / 166 * 150 + std::min(fy, 298 - fy);
    return x < 272 ? in.host[row * pitch + std::min(fx, 510 - fx)] : 0;
  });
}

/* Queries, keys and values of a token are adjacent. Then each head has its own matrix. */
__global__ void split_heads(const float4 *in, float4 *out, int tokens, int heads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, depth = 16;
  int d = i % depth, head = i / depth % heads, kind = i / depth / heads % 3;
  int token = i / (depth * heads * 3);
  out[((kind * heads + head) * tokens + token) * depth + d] = in[i];
}
static void heads_split(Run &run, int tokens) {
  Buffer<float4> in(tokens * 36 * 16, [](int i) { return make_float4(i, 0, 0, -i); });
  Buffer<float4> out(in.host.size());
  run.time([&] { split_heads<<<tokens * 9 / 4, 256>>>(in, out, tokens, 12); });
  out.down();
  for (int i = 0; i < tokens * 36 * 16; i++) {
    int d = i % 16, token = i / 16 % tokens, both = i / 16 / tokens;
    run.expect(i, out.host[i].x, (token * 36 + both) * 16 + d);
    run.expect(i, out.host[i].w, (token * 36 + both) * -16 - d);
  }
}

/* A block adds the totals of the blocks before it, back to one whose sum is complete. A state is
 * 1 << 32 plus a block's total, or 2 << 32 plus the sum up to the block. */
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
__global__ void lookback_scan(const unsigned *in, unsigned *out, unsigned long long *state) {
  __shared__ unsigned totals[8], before;
  __shared__ int tile;
  if (threadIdx.x == 0)
    tile = atomicAdd(&state[gridDim.x], 1ull);
  __syncthreads();
  int i = tile * 256 + threadIdx.x, lane = threadIdx.x % 32;
  unsigned sum = in[i];
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
  out[i] = before + sum;
}
static void scan_by_looking_back(Run &run, int blocks) {
  Buffer<unsigned> in(blocks * 256, bits), out(blocks * 256);
  Buffer<unsigned long long> state(blocks + 1);
  std::vector<unsigned> want(blocks * 256);
  run.time([&] { lookback_scan<<<blocks, 256>>>(in, out, state); }, [&] { state.zero(); });
  std::partial_sum(in.host.begin(), in.host.end(), want.begin());
  run.expect_all(out, of(want));
}

__global__ void cumulate_rows(const float *in, float *out) {
  int lane = threadIdx.x % 32, from = (blockIdx.x * 4 + threadIdx.x / 32) * 704;
  float carry = 0;
  for (int i = from + lane; i < from + 704; i += 32) {
    float sum = in[i];
    for (int d = 1; d < 32; d *= 2) {
      float other = __shfl_up_sync(~0u, sum, d);
      sum += lane >= d ? other : 0;
    }
    out[i] = carry + sum;
    carry += __shfl_sync(~0u, sum, 31);
  }
}
static void rows_cumulated(Run &run, int blocks) {
  Buffer<float> in(blocks * 4 * 704, unit), out(in.host.size());
  std::vector<float> want = in.host;
  run.time([&] { cumulate_rows<<<blocks, 128>>>(in, out); });
  for (size_t i = 0; i < want.size(); i++)
    want[i] += i % 704 ? want[i - 1] : 0;
  near(run, 5e-3, out, of(want));
}

/* The mass of a picture and its two moments, by one atomic addition a warp. */
__host__ __device__ static inline int moment(const uint8_t *in, int side, int i, int k) {
  return in[i] * (k == 0 ? 1 : k == 1 ? i % side : i / side);
}
__global__ void moments(const uint8_t *in, unsigned long long *out, int side) {
  unsigned long long sums[3] = {0, 0, 0};
  int all = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < side * side; i += all)
    for (int k = 0; k < 3; k++)
      sums[k] += moment(in, side, i, k);
  for (int k = 0; k < 3; k++) {
    for (int d = 16; d > 0; d /= 2)
      sums[k] += __shfl_down_sync(~0u, sums[k], d);
    if (threadIdx.x % 32 == 0)
      atomicAdd(&out[k], sums[k]);
  }
}
static void moments_of_a_picture(Run &run, int side) {
  Buffer<uint8_t> in((size_t)side * side, bits);
  Buffer<unsigned long long> out(3);
  std::vector<double> want(3);
  run.time([&] { moments<<<264, 256>>>(in, out, side); }, [&] { out.zero(); });
  for (int i = 0; i < 3 * side * side; i++)
    want[i % 3] += moment(in.host.data(), side, i / 3, i % 3);
  run.expect_all(out, of(want));
}

/* A warp takes the next row from a counter. */
__global__ void take_rows(const int *begin, const int *column, const float *value, const float *x,
                          float *y, int *next, int n) {
  int lane = threadIdx.x % 32;
  for (;;) {
    int row = __shfl_sync(~0u, lane == 0 ? atomicAdd(next, 1) : 0, 0);
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
  Graph g(n, 8 * n);
  Buffer<float> value(16 * n, unit), x(n, unit), y(n);
  Buffer<int> next(1);
  run.time([&] { take_rows<<<528, 256>>>(g.begin, g.column, value, x, y, next, n); },
           [&] { next.zero(); });
  near(run, 1e-3, y, [&](int i) {
    double sum = 0;
    for (int k = g.begin.host[i]; k < g.begin.host[i + 1]; k++)
      sum += value.host[k] * x.host[g.column.host[k]];
    return sum;
  });
}

/* Each slice of 32 rows has the width of its longest row. */
__host__ __device__ static inline double sliced_at(const int *slice, const int *column,
                                                   const double *value, const double *x, int row) {
  double sum = 0;
  for (int k = slice[row / 32] + row % 32; k < slice[row / 32 + 1]; k += 32)
    if (column[k] >= 0)
      sum += value[k] * x[column[k]];
  return sum;
}
__global__ void sliced_ell(const int *slice, const int *column, const double *value,
                           const double *x, double *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  y[row] = sliced_at(slice, column, value, x, row);
}
static void sliced(Run &run, int blocks) {
  int n = blocks * 128, terms = 0;
  Buffer<int> slice(n / 32 + 1, [&](int i) { return (terms += 32 * (4 + bits(i) % 16)); });
  Buffer<int> column(terms, [&](int i) { return bits(i) % 5 == 0 ? -1 : (int)(bits(~i) % n); });
  Buffer<double> value(terms, unit), x(n, unit), y(n);
  run.time([&] { sliced_ell<<<blocks, 128>>>(slice, column, value, x, y); });
  const int *first = slice.host.data(), *columns = column.host.data();
  near(run, 1e-9, y,
       [&](int i) { return sliced_at(first, columns, value.host.data(), x.host.data(), i); });
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
                             int round) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  next[v] = coloured(begin, column, colour, v, round);
}
static void colours_of_vertices(Run &run, int n) {
  Graph g(n, 5 * n);
  Buffer<int> a(n), b(n);
  std::vector<int> want(n, -1), was;
  run.time(
      [&] {
        for (int r = 0; r < 10; r++)
          colour_round<<<n / 256, 256>>>(g.begin, g.column, r % 2 ? b : a, r % 2 ? a : b, r);
      },
      [&] { CHECK(cudaMemset(a, 255, a.bytes())); });
  for (int r = 0; r < 10; r++)
    for (int v = (was = want, 0); v < n; v++)
      want[v] = coloured(g.begin.host.data(), g.column.host.data(), was.data(), v, r);
  run.expect_all(a, of(want));
}

/* A vertex that was not visited searches a parent in the frontier, which is a set of bits. */
__host__ __device__ static inline int parent_of(const int *begin, const int *column,
                                                const unsigned *frontier, int v) {
  for (int k = begin[v]; k < begin[v + 1]; k++)
    if (frontier[column[k] / 32] >> column[k] % 32 & 1)
      return column[k];
  return -1;
}
__global__ void bottom_up(const int *begin, const int *column, const uint8_t *seen,
                          const unsigned *frontier, int *parent, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n && !seen[v])
    parent[v] = parent_of(begin, column, frontier, v);
}
static void parents_from_below(Run &run, int n) {
  Graph g(n, 8 * n);
  Buffer<uint8_t> seen(n, [](int i) { return bits(i) % 4 == 0; });
  Buffer<unsigned> frontier(n / 32 + 1, [](int i) { return bits(i) & bits(~i) & bits(3 * i); });
  Buffer<int> parent(n, none);
  run.time(
      [&] { bottom_up<<<blocks_of(n, 256), 256>>>(g.begin, g.column, seen, frontier, parent, n); });
  const int *begin = g.begin.host.data(), *column = g.column.host.data();
  run.expect_all(parent, [&](int v) {
    return seen.host[v] ? 0 : parent_of(begin, column, frontier.host.data(), v);
  });
}

__global__ void parse_numbers(const char *text, const int *start, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const char *p = text + start[i];
  bool negative = *p == '-';
  int value = 0;
  for (p += negative; *p >= '0' && *p <= '9'; p++)
    value = value * 10 + (*p - '0');
  out[i] = negative ? -value : value;
}
static void numbers_parsed(Run &run, int blocks) {
  int n = blocks * 192;
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
  run.time([&] { parse_numbers<<<blocks, 192>>>(text, start, out); });
  run.expect_all(out, of(want));
}

/* Sixteen letters of a genome become one word. */
__device__ static unsigned four_bases(unsigned w) {
  return (w >> 1 & 3) | (w >> 9 & 3) << 2 | (w >> 17 & 3) << 4 | (w >> 25 & 3) << 6;
}
__global__ void pack_bases(const uint4 *letters, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 w = letters[i];
  out[i] = four_bases(w.x) | four_bases(w.y) << 8 | four_bases(w.z) << 16 | four_bases(w.w) << 24;
}
static void bases_packed(Run &run, int blocks) {
  Buffer<char> letters(blocks * 4096, [](int i) { return "ACTG"[bits(i) & 3]; });
  Buffer<unsigned> out(blocks * 256);
  run.time([&] { pack_bases<<<blocks, 256>>>((uint4 *)letters.device, out); });
  run.expect_all(out, [&](int i) {
    unsigned want = 0;
    for (int k = 0; k < 16; k++)
      want |= (bits(16 * i + k) & 3) << 2 * k;
    return want;
  });
}

/* Keys are counted in a hash table with open addresses. The host looks every key up. */
__global__ void count_keys(const unsigned *in, unsigned *keys, unsigned *counts) {
  unsigned key = in[blockIdx.x * blockDim.x + threadIdx.x], slot = mix(key) % (1 << 19), was;
  while ((was = atomicCAS(&keys[slot], ~0u, key)) != ~0u && was != key)
    slot = (slot + 1) % (1 << 19);
  atomicAdd(&counts[slot], 1u);
}
static void keys_counted(Run &run, int blocks) {
  Buffer<unsigned> in(blocks * 128, [](int i) { return bits(i) % 300000; });
  Buffer<unsigned> keys(1 << 19), counts(1 << 19);
  std::vector<unsigned> want(300000);
  run.time([&] { count_keys<<<blocks, 128>>>(in, keys, counts); },
           [&] {
             CHECK(cudaMemset(keys, 255, keys.bytes()));
             counts.zero();
           });
  for (unsigned key : in.host)
    want[key]++;
  keys.down();
  run.expect_all(counts, [&](int i) {
    unsigned key = keys.host[i];
    return key == ~0u ? 0 : std::exchange(want[key], 0);
  });
  run.expect(0, std::accumulate(want.begin(), want.end(), 0u), 0);
}

__global__ void sort_bytes(const uint8_t *in, uint8_t *out, int n) {
  __shared__ int count[256], place[256];
  int t = threadIdx.x;
  if (t < 256)
    count[t] = place[t] = 0;
  __syncthreads();
  for (int i = t; i < n; i += blockDim.x)
    atomicAdd(&count[in[i]], 1);
  __syncthreads();
  for (int k = 0; t < 256 && k < t; k++)
    place[t] += count[k];
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

/* A block normalises one channel of all pictures of 14 x 14 values by its mean square. */
__global__ void batch_norm(const float *in, float *out, int pictures) {
  __shared__ float sums[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = t; i < pictures * 196; i += 256) {
    float v = in[(i / 196 * gridDim.x + blockIdx.x) * 196 + i % 196];
    sum += v * v;
  }
  sums[t] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      sums[t] += sums[t + half];
  }
  __syncthreads();
  float scale = rsqrtf(sums[0] / (pictures * 196) + 1e-5f);
  for (int i = t; i < pictures * 196; i += 256) {
    int at = (i / 196 * gridDim.x + blockIdx.x) * 196 + i % 196;
    out[at] = in[at] * scale;
  }
}
static void batches_normalised(Run &run, int pictures) {
  Buffer<float> in((size_t)pictures * 96 * 196, unit), out(in.host.size());
  std::vector<double> square(96, 1e-5);
  run.time([&] { batch_norm<<<96, 256>>>(in, out, pictures); });
  for (size_t i = 0; i < in.host.size(); i++)
    square[i / 196 % 96] += in.host[i] * in.host[i] / (pictures * 196);
  near(run, 1e-4, out, [&](int i) { return in.host[i] / std::sqrt(square[i / 196 % 96]); });
}

__global__ void pool_planes(const float *in, float *out) {
  int plane = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = in[plane * 49 + lane] + (lane < 17 ? in[plane * 49 + lane + 32] : 0);
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0)
    out[plane] = sum / 49;
}
static void planes_pooled(Run &run, int blocks) {
  Buffer<float> in(blocks * 8 * 49, unit), out(blocks * 8);
  run.time([&] { pool_planes<<<blocks, 256>>>(in, out); });
  near(run, 1e-5, out,
       [&](int i) { return std::accumulate(&in.host[i * 49], &in.host[i * 49] + 49, 0.0) / 49; });
}

__host__ __device__ static inline float mean_of_four(const float *p, int n) {
  return (p[0] + p[1] + (p[2 * n] + p[2 * n + 1])) / 4;
}
__global__ void mip_level(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    out[y * n + x] = mean_of_four(in + 4 * y * n + 2 * x, n);
}
static void mip_levels(Run &run, int n) {
  Buffer<float> all(n * n * 4 / 3, unit);
  run.time([&] {
    float *in = all;
    for (int side = n / 2; side > 0; in += 4 * side * side, side /= 2)
      mip_level<<<dim3(blocks_of(side, 32), side), 32>>>(in, in + 4 * side * side, side);
  });
  std::vector<float> want = all.host;
  for (int side = n / 2, from = 0; side > 0; from += 4 * side * side, side /= 2)
    for (int i = 0; i < side * side; i++)
      want[from + 4 * side * side + i] =
          mean_of_four(&want[from + i / side * 4 * side + i % side * 2], side);
  near(run, 1e-6, all, of(want));
}

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
__global__ void drop_repeats(const uint16_t *in, uint16_t *out, int *counts) {
  __shared__ int kept[16];
  int t = threadIdx.x, i = blockIdx.x * 512 + t;
  bool keep = t == 0 || in[i] != in[i - 1];
  unsigned votes = __ballot_sync(~0u, keep);
  if (t % 32 == 0)
    kept[t / 32] = __popc(votes);
  __syncthreads();
  int place = __popc(votes & ((1u << t % 32) - 1));
  for (int w = 0; w < t / 32; w++)
    place += kept[w];
  if (keep)
    out[blockIdx.x * 512 + place] = in[i];
  if (t == 511)
    counts[blockIdx.x] = place + keep;
}
static void repeats_dropped(Run &run, int blocks) {
  int n = blocks * 512;
  Buffer<uint16_t> in(n, [](int i) { return bits(i / 2) % 3 + i / 64; }), out(n, none);
  Buffer<int> counts(blocks);
  std::vector<int> want(n), kept(blocks);
  run.time([&] { drop_repeats<<<blocks, 512>>>(in, out, counts); });
  for (int i = 0; i < n; i++)
    if (i % 512 == 0 || in.host[i] != in.host[i - 1])
      want[i / 512 * 512 + kept[i / 512]++] = in.host[i];
  run.expect_all(out, of(want));
  run.expect_all(counts, of(kept));
}

/* A function is given at sorted points. Each thread finds its interval and interpolates. */
__global__ void interpolate_sorted(const float *x, const float *y, int points, const float *at,
                                   float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, low = 0, high = points - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    (x[middle] <= at[i] ? low : high) = middle;
  }
  out[i] = y[low] + (at[i] - x[low]) / (x[high] - x[low]) * (y[high] - y[low]);
}
static void interpolated(Run &run, int blocks) {
  const int points = 50000, n = blocks * 256;
  Buffer<float> x(points, [&](int i) { return (i + 0.8f * unit(i)) / points; });
  Buffer<float> y(points, [](int i) { return unit(~i); }), at(n, unit), out(n);
  run.time([&] { interpolate_sorted<<<blocks, 256>>>(x, y, points, at, out); });
  const float *p = x.host.data();
  near(run, 1e-3, out, [&](int i) {
    int high = clamped(std::upper_bound(p, p + points, at.host[i]) - p - 1, points - 1) + 1;
    double slope = (y.host[high] - y.host[high - 1]) / (p[high] - p[high - 1]);
    return y.host[high - 1] + (at.host[i] - p[high - 1]) * slope;
  });
}

static const Rows rows("visitors",
                       {{"hot spots of a chip, 8 launches", hotspots, 900, 40},
                        {"stencil of 19 points, double", nineteen, 220, 20},
                        {"columns smoothed, bytes", columns_smoothed, 90, 2},
                        {"lengths of rows tallied", lengths_tallied, 1500000, 1 << 9},
                        {"colours from a cube of 33", colours_graded, 4000000, 1 << 9},
                        {"points into voxels", voxels_filled, 30000, 2},
                        {"quadrants of a spectrum", quadrants_swapped, 1792, 64},
                        {"borders reflected, pitched", borders_reflected, 30, 1},
                        {"heads split", heads_split, 1800, 8},
                        {"scan by looking back", scan_by_looking_back, 30000, 12},
                        {"rows cumulated by warps", rows_cumulated, 3000, 2},
                        {"moments of a picture", moments_of_a_picture, 6000, 50},
                        {"SpMV, warps take rows", rows_taken, 1000000, 100},
                        {"SpMV in slices of 32, double", sliced, 25000, 2},
                        {"colours of vertices, 10 launches", colours_of_vertices, 1 << 21, 1 << 8},
                        {"parents from below", parents_from_below, 2500000, 1 << 9},
                        {"numbers parsed", numbers_parsed, 5000, 2},
                        {"bases packed, 16 letters", bases_packed, 8000, 2},
                        {"keys counted by a hash table", keys_counted, 150000, 4},
                        {"bytes sorted by one block", bytes_sorted, 2000000, 1 << 11},
                        {"batches normalised", batches_normalised, 160, 1},
                        {"planes of 7x7 pooled", planes_pooled, 15000, 2},
                        {"picture halved to a pixel", mip_levels, 1024, 32},
                        {"distances of all pairs, tiled", distances_of_pairs, 200, 2},
                        {"repeats dropped", repeats_dropped, 20000, 5},
                        {"interpolated at sorted points", interpolated, 12000, 2}});
