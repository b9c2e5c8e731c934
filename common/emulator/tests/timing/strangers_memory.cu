/* Kernels limited by memory accesses, as courses, libraries and applications have them. They
 * were written without knowledge of the model of time, and the model is not fitted to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <climits>
#include <cuda_fp16.h>

static int blocks_of(size_t n, int threads) { return (int)((n + threads - 1) / threads); }

/* ---- stencils ---------------------------------------------------------------------------- */
__host__ __device__ static inline float cube_at(const float *u, int n, int i) {
  float sum = 0;
  for (int z = -1; z <= 1; z++)
    for (int y = -1; y <= 1; y++)
      for (int x = -1; x <= 1; x++)
        sum += u[i + (z * n + y) * n + x] * (1.0f / (1 + x * x + y * y + z * z));
  return sum;
}
__global__ void cube_of_27(const float *u, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1)
    out[(z * n + y) * n + x] = cube_at(u, n, (z * n + y) * n + x);
}
static void cubes(Run &run, int n) {
  Buffer<float> u((size_t)n * n * n, unit), out((size_t)n * n * n, none);
  dim3 grid(blocks_of(n, 32), blocks_of(n, 4), blocks_of(n, 2));
  run.time([&] { cube_of_27<<<grid, dim3(32, 4, 2)>>>(u, out, n); });
  run.expect_all(
      out,
      [&](int i) {
        int x = i % n, y = i / n % n, z = i / n / n;
        bool inside = std::min(std::min(x, y), z) >= 1 && std::max(std::max(x, y), z) < n - 1;
        return inside ? cube_at(u.host.data(), n, i) : 0;
      },
      1e-4);
}

/* Lax and Wendroff's scheme moves a wave around a ring, one launch per step. */
__host__ __device__ static inline double moved_by_step(const double *u, int n, int i) {
  double left = u[i == 0 ? n - 1 : i - 1], right = u[i == n - 1 ? 0 : i + 1];
  return u[i] - 0.25 * (right - left) + 0.125 * (right - 2 * u[i] + left);
}
__global__ void lax_wendroff(const double *u, double *next, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    next[i] = moved_by_step(u, n, i);
}
static void ring_of_waves(Run &run, int n) {
  const int steps = 60;
  Buffer<double> a(n, unit), b(n);
  run.time(
      [&] {
        for (int step = 0; step < steps; step += 2) {
          lax_wendroff<<<blocks_of(n, 192), 192>>>(a, b, n);
          lax_wendroff<<<blocks_of(n, 192), 192>>>(b, a, n);
        }
      },
      [&] { a.up(); });
  std::vector<double> now(a.host), next(n);
  for (int step = 0; step < steps; step++, now.swap(next))
    for (int i = 0; i < n; i++)
      next[i] = moved_by_step(now.data(), n, i);
  run.expect_all(
      a, [&](int i) { return now[i]; }, 1e-9);
}

/* One block relaxes a plate in shared memory, red cells first. */
static const int plate_side = 64;
__global__ void relax_plate(const float *start, float *out, int sweeps) {
  __shared__ float plate[plate_side * plate_side];
  for (int i = threadIdx.x; i < plate_side * plate_side; i += blockDim.x)
    plate[i] = start[i];
  __syncthreads();
  for (int half = 0; half < 2 * sweeps; half++) {
    for (int i = threadIdx.x; i < plate_side * plate_side / 2; i += blockDim.x) {
      int y = i / (plate_side / 2), x = i % (plate_side / 2) * 2 + ((y + half) & 1);
      int at = y * plate_side + x;
      if (x > 0 && y > 0 && x < plate_side - 1 && y < plate_side - 1)
        plate[at] = 0.25f * (plate[at - 1] + plate[at + 1] + plate[at - plate_side] +
                             plate[at + plate_side]);
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < plate_side * plate_side; i += blockDim.x)
    out[i] = plate[i];
}
static void plate_relaxed(Run &run, int sweeps) {
  const int n = plate_side;
  Buffer<float> start(n * n, unit), out(n * n);
  run.time([&] { relax_plate<<<1, 512>>>(start, out, sweeps); });
  std::vector<float> p(start.host);
  for (int half = 0; half < 2 * sweeps; half++)
    for (int y = 1; y < n - 1; y++)
      for (int x = 1; x < n - 1; x++)
        if ((x + y + half) % 2 == 0)
          p[y * n + x] = 0.25f * (p[y * n + x - 1] + p[y * n + x + 1] + p[(y - 1) * n + x] +
                                  p[(y + 1) * n + x]);
  run.expect_all(
      out, [&](int i) { return p[i]; }, 1e-5);
}

/* ---- gathers and scatters ---------------------------------------------------------------- */
__global__ void select_rows(const float4 *table, const int *rows, float4 *out, int count) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row < count)
    out[row * 32 + threadIdx.x] = table[rows[row] * 32 + threadIdx.x];
}
static void rows_selected(Run &run, int count) {
  int height = count / 3 + 1;
  Buffer<float> table((size_t)height * 128, unit), out((size_t)count * 128);
  Buffer<int> rows(count, [&](int i) { return bits(i) % height; });
  run.time([&] {
    select_rows<<<blocks_of(count, 8), dim3(32, 8)>>>((const float4 *)(float *)table, rows,
                                                      (float4 *)(float *)out, count);
  });
  run.expect_all(out, [&](int i) { return table.host[rows.host[i / 128] * 128 + i % 128]; });
}

__global__ void add_to_rows(const int *gradients, const int *words, int *sums, int count) {
  for (int row = blockIdx.x; row < count; row += gridDim.x)
    atomicAdd(&sums[words[row] * blockDim.x + threadIdx.x],
              gradients[row * blockDim.x + threadIdx.x]);
}
static void added_to_rows(Run &run, int count) {
  const int width = 64, words_known = 3000;
  Buffer<int> gradients((size_t)count * width, [](int i) { return bits(i) % 1000; });
  Buffer<int> words(count, [&](int i) { return bits(i) % (bits(i + 9) % words_known + 1); });
  Buffer<int> sums(width * words_known);
  run.time([&] { add_to_rows<<<1056, width>>>(gradients, words, sums, count); },
           [&] { sums.zero(); });
  std::vector<int> want(width * words_known);
  for (int i = 0; i < count * width; i++)
    want[words.host[i / width] * width + i % width] += gradients.host[i];
  run.expect_all(sums, [&](int i) { return want[i]; });
}

/* ---- strided and pitched access, layouts ------------------------------------------------- */
/* Each row of the result is a diagonal of the matrix. */
__global__ void diagonals_to_rows(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, d = blockIdx.y;
  if (i < n)
    out[d * n + i] = in[i * n + (i + d) % n];
}
static void diagonals(Run &run, int n) {
  Buffer<float> in((size_t)n * n, unit), out((size_t)n * n);
  run.time([&] { diagonals_to_rows<<<dim3(blocks_of(n, 128), n), 128>>>(in, out, n); });
  run.expect_all(out, [&](int i) { return in.host[i % n * n + (i % n + i / n) % n]; });
}

/* The lower triangle of a symmetric matrix is stored without holes. */
__global__ void pack_triangle(const double *matrix, double *packed, int n) {
  int row = blockIdx.x;
  double *out = packed + row * (row + 1) / 2;
  for (int column = threadIdx.x; column <= row; column += blockDim.x)
    out[column] = matrix[row * n + column];
}
static void triangle_packed(Run &run, int n) {
  Buffer<double> matrix((size_t)n * n, unit), packed((size_t)n * (n + 1) / 2);
  run.time([&] { pack_triangle<<<n, 128>>>(matrix, packed, n); });
  std::vector<double> want;
  for (int row = 0; row < n; row++)
    want.insert(want.end(), &matrix.host[row * n], &matrix.host[row * n] + row + 1);
  run.expect_all(packed, [&](int i) { return want[i]; });
}

/* Bytes of 32 channels are placed side by side. */
__global__ void group_channels(const int8_t *in, int8_t *out, int pixels) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x, group = blockIdx.y;
  if (pixel >= pixels)
    return;
  const int8_t *from = in + (size_t)group * 32 * pixels + pixel;
  uint32_t words[8] = {};
  for (int c = 0; c < 32; c++)
    words[c / 4] |= (uint32_t)(uint8_t)from[c * pixels] << c % 4 * 8;
  uint4 *to = (uint4 *)(out + ((size_t)group * pixels + pixel) * 32);
  to[0] = make_uint4(words[0], words[1], words[2], words[3]);
  to[1] = make_uint4(words[4], words[5], words[6], words[7]);
}
static void channels_grouped(Run &run, int pixels) {
  const int groups = 6;
  Buffer<int8_t> in((size_t)groups * 32 * pixels, bits), out((size_t)groups * 32 * pixels);
  run.time([&] { group_channels<<<dim3(blocks_of(pixels, 256), groups), 256>>>(in, out, pixels); });
  run.expect_all(out, [&](int i) {
    int channel = i / 32 / pixels * 32 + i % 32;
    return in.host[channel * pixels + i / 32 % pixels];
  });
}

/* A frame of a video: brightness of each pixel, then two colours of each 2x2 pixels. */
__host__ __device__ static inline int clamped(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }
__host__ __device__ static inline uchar4 decoded(int y, int u, int v) {
  int c = 298 * (y - 16) + 128, d = u - 128, e = v - 128;
  return make_uchar4(clamped((c + 409 * e) >> 8), clamped((c - 100 * d - 208 * e) >> 8),
                     clamped((c + 516 * d) >> 8), 255);
}
__global__ void decode_frame(const uint8_t *frame, int pitch, uchar4 *out, int width, int height) {
  int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  uchar2 bright = *(const uchar2 *)(frame + y * pitch + x);
  uchar2 colour = *(const uchar2 *)(frame + (height + y / 2) * pitch + x);
  out[y * width + x] = decoded(bright.x, colour.x, colour.y);
  out[y * width + x + 1] = decoded(bright.y, colour.x, colour.y);
}
static void frame_decoded(Run &run, int height) {
  int width = height * 16 / 9 / 2 * 2, pitch = (width + 255) / 256 * 256;
  Buffer<uint8_t> frame((size_t)pitch * (height + height / 2), bits);
  Buffer<uint32_t> out((size_t)width * height);
  dim3 grid(blocks_of(width / 2, 32), blocks_of(height, 8));
  run.time([&] {
    decode_frame<<<grid, dim3(32, 8)>>>(frame, pitch, (uchar4 *)(uint32_t *)out, width, height);
  });
  run.expect_all(out, [&](int i) {
    int x = i % width, y = i / width;
    const uint8_t *colour = &frame.host[(height + y / 2) * pitch + x / 2 * 2];
    uchar4 p = decoded(frame.host[y * pitch + x], colour[0], colour[1]);
    return p.x | p.y << 8 | p.z << 16 | (uint32_t)p.w << 24;
  });
}

/* ---- histograms, scans and reductions ---------------------------------------------------- */
/* Local contrast: each tile of 64x64 pixels has its own histogram, with a limit per bin. */
__global__ void histogram_of_tile(const uint8_t *picture, uint16_t *bins, int width, int limit) {
  __shared__ unsigned counts[256];
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  counts[t] = 0;
  __syncthreads();
  for (int y = threadIdx.y; y < 64; y += blockDim.y) {
    const uint8_t *row = picture + (blockIdx.y * 64 + y) * width + blockIdx.x * 64;
    uchar4 four = ((const uchar4 *)row)[threadIdx.x];
    atomicAdd(&counts[four.x], 1);
    atomicAdd(&counts[four.y], 1);
    atomicAdd(&counts[four.z], 1);
    atomicAdd(&counts[four.w], 1);
  }
  __syncthreads();
  bins[(blockIdx.y * gridDim.x + blockIdx.x) * 256 + t] = min(counts[t], limit);
}
static uint8_t shaded(int i) { return (uint8_t)((bits(i) % 80) + (i >> 9) % 160); }
static void histograms_of_tiles(Run &run, int tiles) {
  const int limit = 40;
  int width = tiles * 64;
  Buffer<uint8_t> picture((size_t)width * width, shaded);
  Buffer<uint16_t> bins((size_t)tiles * tiles * 256);
  run.time([&] {
    histogram_of_tile<<<dim3(tiles, tiles), dim3(16, 16)>>>(picture, bins, width, limit);
  });
  std::vector<int> want(bins.host.size());
  for (int i = 0; i < width * width; i++) {
    int tile = i / width / 64 * tiles + i % width / 64;
    want[tile * 256 + picture.host[i]]++;
  }
  run.expect_all(bins, [&](int i) { return std::min(want[i], limit); });
}

/* One block finds the maximum of all values so far. */
__global__ void maxima_so_far(const int *in, int *out, int n) {
  __shared__ int of_warps[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, before = INT_MIN;
  for (int i = threadIdx.x; i < n; i += 1024) {
    int v = in[i];
    for (int d = 1; d < 32; d *= 2) {
      int other = __shfl_up_sync(~0u, v, d);
      if (lane >= d)
        v = max(v, other);
    }
    if (lane == 31)
      of_warps[warp] = v;
    __syncthreads();
    int all = before;
    for (int w = 0; w < 32; w++) {
      if (w == warp)
        v = max(v, all);
      all = max(all, of_warps[w]);
    }
    out[i] = v;
    before = all;
    __syncthreads();
  }
}
static void maxima(Run &run, int n) {
  n = n / 1024 * 1024;
  Buffer<int> in(n, [](int i) { return (int)(bits(i) % 100000) + i / 50; }), out(n);
  run.time([&] { maxima_so_far<<<1, 1024>>>(in, out, n); });
  int so_far = INT_MIN;
  run.expect_all(out, [&](int i) { return so_far = std::max(so_far, in.host[i]); });
}

/* The largest difference of two arrays of halves. Floats >= 0 have the order of their bits. */
__global__ void worst_difference(const __half2 *a, const __half2 *b, int *worst, int n) {
  float largest = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float2 p = __half22float2(a[i]), q = __half22float2(b[i]);
    largest = fmaxf(largest, fmaxf(fabsf(p.x - q.x), fabsf(p.y - q.y)));
  }
  for (int d = 16; d; d /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, d));
  if (threadIdx.x % 32 == 0)
    atomicMax(worst, __float_as_int(largest));
}
static void difference_of_halves(Run &run, int n) {
  Buffer<__half> a(2 * (size_t)n, [](int i) { return __float2half(unit(i)); });
  Buffer<__half> b(2 * (size_t)n,
                   [](int i) { return __float2half(unit(i) + 0.01f * unit(i + 5)); });
  Buffer<float> worst(1);
  run.time(
      [&] {
        worst_difference<<<std::min(blocks_of(n, 256), 528), 256>>>(
            (const __half2 *)(__half *)a, (const __half2 *)(__half *)b, (int *)(float *)worst, n);
      },
      [&] { worst.zero(); });
  float want = 0;
  for (int i = 0; i < 2 * n; i++)
    want = std::max(want, std::fabs(__half2float(a.host[i]) - __half2float(b.host[i])));
  run.expect_all(worst, [&](int) { return want; });
}

/* ---- sparse matrices and graphs ---------------------------------------------------------- */
/* The matrix is stored by diagonals. */
static const int diagonal_count = 11;
static __constant__ int offsets[diagonal_count];
static const int offsets_host[diagonal_count] = {-9000, -701, -700, -30, -1,  0,
                                                 1,     30,   700,  701, 9000};
__host__ __device__ static inline double banded_at(const double *values, const double *x, int n,
                                                   int row, const int *offsets) {
  double sum = 0;
  for (int d = 0; d < diagonal_count; d++) {
    int column = row + offsets[d];
    if (column >= 0 && column < n)
      sum += values[d * n + row] * x[column];
  }
  return sum;
}
__global__ void multiply_diagonals(const double *values, const double *x, double *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n)
    y[row] = banded_at(values, x, n, row, offsets);
}
static void diagonals_times_vector(Run &run, int n) {
  Buffer<double> values((size_t)n * diagonal_count, unit), x(n, unit), y(n);
  CHECK(cudaMemcpyToSymbol(offsets, offsets_host, sizeof offsets));
  run.time([&] { multiply_diagonals<<<blocks_of(n, 256), 256>>>(values, x, y, n); });
  run.expect_all(
      y, [&](int i) { return banded_at(values.host.data(), x.host.data(), n, i, offsets_host); },
      1e-9);
}

/* A random graph: the neighbours of vertex v are at begins[v] to begins[v + 1] - 1. */
struct Links {
  Buffer<int> begins, ends;
  Links(int n, int most)
      : begins(n + 1,
               [&, sum = 0](int i) mutable { return sum += i == 0 ? 0 : (int)(bits(i) % most); }),
        ends(begins.host[n] + 1, [&](int i) { return bits(i + 77) % n; }) {}
};
/* A step of a search from below: each new vertex looks for a neighbour that was reached. */
__host__ __device__ static inline int parent_of(const int *begins, const int *ends,
                                                const uint32_t *reached, int v) {
  if (reached[v / 32] >> v % 32 & 1)
    return v;
  for (int e = begins[v]; e < begins[v + 1]; e++)
    if (reached[ends[e] / 32] >> ends[e] % 32 & 1)
      return ends[e];
  return -1;
}
__global__ void search_from_below(const int *begins, const int *ends, const uint32_t *reached,
                                  int *parents, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n)
    parents[v] = parent_of(begins, ends, reached, v);
}
static void searched_from_below(Run &run, int n) {
  Links links(n, 40);
  Buffer<uint32_t> reached(n / 32 + 1, [](int i) { return bits(i) & bits(i + 3) & bits(i + 8); });
  Buffer<int> parents(n);
  run.time([&] {
    search_from_below<<<blocks_of(n, 256), 256>>>(links.begins, links.ends, reached, parents, n);
  });
  run.expect_all(parents, [&](int v) {
    return parent_of(links.begins.host.data(), links.ends.host.data(), reached.host.data(), v);
  });
}

/* A step towards a core of a graph: vertices with few neighbours leave, a warp for each. */
__global__ void peel(const int *begins, const int *ends, int *degrees, int n, int least) {
  int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (v >= n || begins[v + 1] - begins[v] >= least)
    return;
  for (int e = begins[v] + lane; e < begins[v + 1]; e += 32)
    atomicSub(&degrees[ends[e]], 1);
}
static void graph_peeled(Run &run, int n) {
  const int least = 50;
  Links links(n, 80);
  Buffer<int> degrees(n);
  std::vector<int> want(n);
  run.time(
      [&] {
        peel<<<blocks_of((size_t)n * 32, 256), 256>>>(links.begins, links.ends, degrees, n, least);
      },
      [&] { degrees.zero(); });
  const std::vector<int> &begins = links.begins.host;
  for (int v = 0; v < n; v++)
    for (int e = begins[v]; e < begins[v + 1] && begins[v + 1] - begins[v] < least; e++)
      want[links.ends.host[e]]--;
  run.expect_all(degrees, [&](int v) { return want[v]; });
}

/* ---- images ------------------------------------------------------------------------------ */
/* Erosion: the darkest of 7x7 pixels, with a tile in shared memory. */
__global__ void erode(const uint8_t *in, uint8_t *out, int n) {
  __shared__ uint8_t tile[22][40], darkest[22][32];
  int left = blockIdx.x * 32 - 3, top = blockIdx.y * 16 - 3;
  for (int y = threadIdx.y; y < 22; y += 16)
    for (int x = threadIdx.x; x < 38; x += 32)
      tile[y][x] = in[min(max(top + y, 0), n - 1) * n + min(max(left + x, 0), n - 1)];
  __syncthreads();
  for (int y = threadIdx.y; y < 22; y += 16) {
    int least = 255;
    for (int k = 0; k < 7; k++)
      least = min(least, tile[y][threadIdx.x + k]);
    darkest[y][threadIdx.x] = least;
  }
  __syncthreads();
  int least = 255, x = left + 3 + threadIdx.x, y = top + 3 + threadIdx.y;
  for (int k = 0; k < 7; k++)
    least = min(least, darkest[threadIdx.y + k][threadIdx.x]);
  if (x < n && y < n)
    out[y * n + x] = least;
}
static void eroded(Run &run, int n) {
  Buffer<uint8_t> in((size_t)n * n, bits), out((size_t)n * n);
  run.time([&] { erode<<<dim3(blocks_of(n, 32), blocks_of(n, 16)), dim3(32, 16)>>>(in, out, n); });
  run.expect_all(out, [&](int i) {
    int least = 255;
    for (int y = std::max(i / n - 3, 0); y <= std::min(i / n + 3, n - 1); y++)
      for (int x = std::max(i % n - 3, 0); x <= std::min(i % n + 3, n - 1); x++)
        least = std::min<int>(least, in.host[y * n + x]);
    return least;
  });
}

/* The differences of a template of 12x12 pixels and the picture at each place. */
static const int stamp_side = 12;
__global__ void match_stamp(const uint8_t *picture, const uint8_t *stamp, int *scores, int n) {
  __shared__ short tile[8 + stamp_side][32 + stamp_side], wanted[stamp_side][stamp_side];
  int left = blockIdx.x * 32, top = blockIdx.y * 8, t = threadIdx.y * 32 + threadIdx.x;
  for (int i = t; i < (8 + stamp_side) * (32 + stamp_side); i += 256) {
    int y = i / (32 + stamp_side), x = i % (32 + stamp_side);
    tile[y][x] = top + y < n && left + x < n ? picture[(top + y) * n + left + x] : 0;
  }
  if (t < stamp_side * stamp_side)
    wanted[t / stamp_side][t % stamp_side] = stamp[t];
  __syncthreads();
  int score = 0;
  for (int y = 0; y < stamp_side; y++)
    for (int x = 0; x < stamp_side; x++)
      score += abs(tile[threadIdx.y + y][threadIdx.x + x] - wanted[y][x]);
  if (left + threadIdx.x < n && top + threadIdx.y < n)
    scores[(top + threadIdx.y) * n + left + threadIdx.x] = score;
}
static void stamp_matched(Run &run, int n) {
  Buffer<uint8_t> picture((size_t)n * n, bits), stamp(stamp_side * stamp_side, shaded);
  Buffer<int> scores((size_t)n * n);
  dim3 grid(blocks_of(n, 32), blocks_of(n, 8));
  run.time([&] { match_stamp<<<grid, dim3(32, 8)>>>(picture, stamp, scores, n); });
  run.expect_all(scores, [&](int i) {
    int score = 0;
    for (int k = 0; k < stamp_side * stamp_side; k++) {
      int y = i / n + k / stamp_side, x = i % n + k % stamp_side;
      score += std::abs((y < n && x < n ? picture.host[y * n + x] : 0) - stamp.host[k]);
    }
    return score;
  });
}

/* ---- bytes, compaction and search -------------------------------------------------------- */
static __constant__ char letters[65] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
__global__ void encode_base64(const uint8_t *bytes, char4 *text, int triples) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= triples)
    return;
  int v = bytes[3 * i] << 16 | bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
  text[i] =
      make_char4(letters[v >> 18], letters[v >> 12 & 63], letters[v >> 6 & 63], letters[v & 63]);
}
static void base64(Run &run, int triples) {
  Buffer<uint8_t> bytes((size_t)3 * triples, bits);
  Buffer<char> text((size_t)4 * triples);
  run.time([&] {
    encode_base64<<<blocks_of(triples, 256), 256>>>(bytes, (char4 *)(char *)text, triples);
  });
  run.expect_all(text, [&](int i) {
    const uint8_t *from = &bytes.host[i / 4 * 3];
    int v = (from[0] << 16 | from[1] << 8 | from[2]) >> (18 - i % 4 * 6) & 63;
    return v < 26 ? 'A' + v : v < 52 ? 'a' + v - 26 : v < 62 ? '0' + v - 52 : v == 62 ? '+' : '/';
  });
}

/* Each block moves its values that are not 0 to the front of its part. */
__global__ void squeeze(const int *in, int *out, int *counts, int n) {
  __shared__ int ends[8];
  int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int v = i < n ? in[i] : 0;
  unsigned kept = __ballot_sync(~0u, v != 0);
  if (lane == 0)
    ends[warp] = __popc(kept);
  __syncthreads();
  int before = 0, all = 0;
  for (int w = 0; w < 8; w++) {
    before += w < warp ? ends[w] : 0;
    all += ends[w];
  }
  if (v != 0)
    out[blockIdx.x * 256 + before + __popc(kept & ((1u << lane) - 1))] = v;
  if (threadIdx.x == 0)
    counts[blockIdx.x] = all;
}
static void squeezed(Run &run, int n) {
  Buffer<int> in(n, [](int i) { return bits(i) % 3 ? 0 : 1 + i % 1000; });
  Buffer<int> out(n), counts(blocks_of(n, 256));
  run.time([&] { squeeze<<<blocks_of(n, 256), 256>>>(in, out, counts, n); }, [&] { out.zero(); });
  std::vector<int> want(n), want_counts(counts.host.size());
  for (int i = 0; i < n; i++)
    if (in.host[i])
      want[i / 256 * 256 + want_counts[i / 256]++] = in.host[i];
  run.expect_all(out, [&](int i) { return want[i]; });
  run.expect_all(counts, [&](int i) { return want_counts[i]; });
}

/* A curve through points that are in order, as numpy.interp() evaluates it. */
__host__ __device__ static inline double on_curve(const double *xs, const double *ys, int points,
                                                  double x) {
  int low = 0, high = points - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (xs[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return ys[low] + (ys[high] - ys[low]) * (x - xs[low]) / (xs[high] - xs[low]);
}
__global__ void evaluate_curve(const double *xs, const double *ys, int points, const float *at,
                               double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = on_curve(xs, ys, points, at[i]);
}
static void curve_evaluated(Run &run, int n) {
  int points = n / 2;
  Buffer<double> xs(points, [&](int i) { return (i + 0.9 * unit(i)) / points; }), ys(points, unit);
  Buffer<float> at(n, [](int i) { return unit(i + 31); });
  Buffer<double> out(n);
  run.time([&] { evaluate_curve<<<blocks_of(n, 128), 128>>>(xs, ys, points, at, out, n); });
  run.expect_all(
      out, [&](int i) { return on_curve(xs.host.data(), ys.host.data(), points, at.host[i]); },
      1e-6);
}

/* Each block normalises a group of channels of a picture. */
__global__ void normalise_group(const float *in, float *out, int size) {
  __shared__ float sums[2][8];
  const float *from = in + blockIdx.x * size;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < size; i += 256)
    sum += from[i], squares += from[i] * from[i];
  for (int d = 16; d; d /= 2) {
    sum += __shfl_down_sync(~0u, sum, d);
    squares += __shfl_down_sync(~0u, squares, d);
  }
  if (threadIdx.x % 32 == 0)
    sums[0][threadIdx.x / 32] = sum, sums[1][threadIdx.x / 32] = squares;
  __syncthreads();
  sum = squares = 0;
  for (int w = 0; w < 8; w++)
    sum += sums[0][w], squares += sums[1][w];
  float mean = sum / size, scale = rsqrtf(squares / size - mean * mean + 1e-5f);
  for (int i = threadIdx.x; i < size; i += 256)
    out[blockIdx.x * size + i] = (from[i] - mean) * scale;
}
static void groups_normalised(Run &run, int groups) {
  const int size = 8 * 28 * 28;
  Buffer<float> in((size_t)groups * size, unit), out((size_t)groups * size);
  run.time([&] { normalise_group<<<groups, 256>>>(in, out, size); });
  std::vector<double> means(groups), scales(groups);
  for (int g = 0; g < groups; g++) {
    double sum = 0, squares = 0;
    for (const float *v = &in.host[g * size], *end = v + size; v < end; v++)
      sum += *v, squares += *v * (double)*v;
    means[g] = sum / size, scales[g] = 1 / std::sqrt(squares / size - means[g] * means[g] + 1e-5);
  }
  run.expect_all(
      out, [&](int i) { return (in.host[i] - means[i / size]) * scales[i / size]; }, 1e-3);
}

/* The largest of 2x2x2 cells of a volume, and where it was. */
__host__ __device__ static inline int where_in_cell(const float *in, int side, int i) {
  int half = side / 2, best = 0;
  const float *cell =
      in + ((i / half / half * 2) * side + i / half % half * 2) * side + i % half * 2;
  for (int k = 1; k < 8; k++)
    if (cell[((k >> 2) * side + (k >> 1 & 1)) * side + (k & 1)] >
        cell[((best >> 2) * side + (best >> 1 & 1)) * side + (best & 1)])
      best = k;
  return best;
}
__global__ void pool_volume(const float *in, uint8_t *where, int side, int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells)
    where[i] = where_in_cell(in, side, i);
}
static void volume_pooled(Run &run, int side) {
  side = side / 2 * 2;
  int cells = side * side / 8 * side;
  Buffer<float> in((size_t)side * side * side, unit);
  Buffer<uint8_t> where(cells);
  run.time([&] { pool_volume<<<blocks_of(cells, 256), 256>>>(in, where, side, cells); });
  run.expect_all(where, [&](int i) { return where_in_cell(in.host.data(), side, i); });
}

static const Rows rows("strangers",
                       {{"cubes of 27 points", cubes, 360, 20},
                        {"ring of waves, 60 launches", ring_of_waves, 60000, 1 << 9},
                        {"plate relaxed in one block", plate_relaxed, 2500, 4},
                        {"rows selected", rows_selected, 150000, 100},
                        {"added to rows", added_to_rows, 1000000, 100},
                        {"diagonals to rows", diagonals, 5000, 70},
                        {"triangle packed", triangle_packed, 1400, 40},
                        {"channels of bytes grouped", channels_grouped, 65536, 300},
                        {"frame of a video decoded", frame_decoded, 2160, 36},
                        {"histograms of tiles", histograms_of_tiles, 60, 2},
                        {"maxima so far, one block", maxima, 1200000, 3000},
                        {"difference of halves", difference_of_halves, 20000000, 1 << 9},
                        {"matrix of diagonals", diagonals_times_vector, 1000000, 1 << 9},
                        {"search from below", searched_from_below, 400000, 1 << 9},
                        {"graph peeled", graph_peeled, 500000, 1 << 8},
                        {"picture eroded", eroded, 3000, 50},
                        {"stamp matched", stamp_matched, 2000, 30},
                        {"text in base 64", base64, 3000000, 1 << 9},
                        {"parts squeezed", squeezed, 8000000, 1 << 10},
                        {"curve evaluated", curve_evaluated, 5000000, 1 << 9},
                        {"groups normalised", groups_normalised, 1500, 3},
                        {"volume pooled", volume_pooled, 440, 12}});
