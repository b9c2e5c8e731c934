/* Kernels limited by memory accesses, as courses, libraries and applications have them. They were
 * written without knowledge of the model of time, and the model is not fitted to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <cstring>
#include <cuda_fp16.h>
#include <numeric>

static int blocks_of(size_t n, int threads) { return (int)((n + threads - 1) / threads); }

/* ---- stencils and finite differences ---------------------------------------------------- */
__host__ __device__ static inline float fourth_order_at(const float *u, int n, int i) {
  float across = 16 * (u[i - 1] + u[i + 1]) - (u[i - 2] + u[i + 2]);
  float along = 16 * (u[i - n] + u[i + n]) - (u[i - 2 * n] + u[i + 2 * n]);
  return (across + along - 60 * u[i]) / 12;
}
__global__ void fourth_order(const float *u, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 2 && y >= 2 && x < n - 2 && y < n - 2)
    out[y * n + x] = fourth_order_at(u, n, y * n + x);
}
static void laplacian(Run &run, int n) {
  Buffer<float> u((size_t)n * n, unit), out((size_t)n * n, none);
  run.time(
      [&] { fourth_order<<<dim3(blocks_of(n, 32), blocks_of(n, 6)), dim3(32, 6)>>>(u, out, n); });
  run.expect_all(
      out,
      [&](int i) {
        int x = i % n, y = i / n;
        bool inside = x >= 2 && y >= 2 && x < n - 2 && y < n - 2;
        return inside ? fourth_order_at(u.host.data(), n, i) : 0;
      },
      1e-4);
}

/* The acoustic wave equation, of eighth order in space. */
static __constant__ float wave_weights[5];
static const float wave_weights_host[5] = {-2.847f, 1.6f, -0.2f, 0.0254f, -0.00179f};
__host__ __device__ static inline float waved(const float *now, const float *before, int n, int i,
                                              const float *weights) {
  float sum = 3 * weights[0] * now[i];
  for (int k = 1; k <= 4; k++)
    sum += weights[k] * (now[i - k] + now[i + k] + now[i - k * n] + now[i + k * n] +
                         now[i - k * n * n] + now[i + k * n * n]);
  return 2 * now[i] - before[i] + 0.1f * sum;
}
__global__ void seismic(const float *now, const float *before, float *after, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 4, y = blockIdx.y * blockDim.y + threadIdx.y + 4;
  int i = ((blockIdx.z + 4) * n + y) * n + x;
  if (x < n - 4 && y < n - 4)
    after[i] = waved(now, before, n, i, wave_weights);
}
static void seismic_wave(Run &run, int n) {
  Buffer<float> now((size_t)n * n * n, unit), before((size_t)n * n * n, unit);
  Buffer<float> after((size_t)n * n * n, none);
  CHECK(cudaMemcpyToSymbol(wave_weights, wave_weights_host, sizeof wave_weights));
  dim3 grid(blocks_of(n - 8, 32), blocks_of(n - 8, 8), n - 8);
  run.time([&] { seismic<<<grid, dim3(32, 8)>>>(now, before, after, n); });
  run.expect_all(
      after,
      [&](int i) {
        int x = i % n, y = i / n % n, z = i / n / n;
        bool inside = std::min(std::min(x, y), z) >= 4 && std::max(std::max(x, y), z) < n - 4;
        return inside ? waved(now.host.data(), before.host.data(), n, i, wave_weights_host) : 0;
      },
      1e-4);
}

/* Gray and Scott's reaction and diffusion on a torus. */
__host__ __device__ static inline double spread_of(const double *u, int n, int x, int y) {
  int left = (x + n - 1) % n, right = (x + 1) % n, up = (y + n - 1) % n, down = (y + 1) % n;
  return u[y * n + left] + u[y * n + right] + u[up * n + x] + u[down * n + x] - 4 * u[y * n + x];
}
__global__ void react(const double *u, const double *v, double *u_next, double *v_next, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  int i = y * n + x;
  double rate = u[i] * v[i] * v[i];
  u_next[i] = u[i] + 0.16 * spread_of(u, n, x, y) - rate + 0.035 * (1 - u[i]);
  v_next[i] = v[i] + 0.08 * spread_of(v, n, x, y) + rate - 0.1 * v[i];
}
static void reaction(Run &run, int n) {
  Buffer<double> u((size_t)n * n, unit), v((size_t)n * n, [](int i) { return unit(i + 777); });
  Buffer<double> u_next((size_t)n * n, none), v_next((size_t)n * n, none);
  run.time([&] {
    react<<<dim3(blocks_of(n, 16), blocks_of(n, 16)), dim3(16, 16)>>>(u, v, u_next, v_next, n);
  });
  const double *a = u.host.data(), *b = v.host.data();
  run.expect_all(
      u_next,
      [&](int i) {
        return a[i] + 0.16 * spread_of(a, n, i % n, i / n) - a[i] * b[i] * b[i] +
               0.035 * (1 - a[i]);
      },
      1e-12);
  run.expect_all(
      v_next,
      [&](int i) {
        return b[i] + 0.08 * spread_of(b, n, i % n, i / n) + a[i] * b[i] * b[i] - 0.1 * b[i];
      },
      1e-12);
}

/* Yee's scheme in two dimensions: one launch for the magnetic and one for the electric field. */
__global__ void magnetic(const float *ez, float *hx, float *hy, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, i = y * n + x;
  if (x < n - 1 && y < n - 1) {
    hx[i] -= 0.5f * (ez[i + n] - ez[i]);
    hy[i] += 0.5f * (ez[i + 1] - ez[i]);
  }
}
__global__ void electric(float *ez, const float *hx, const float *hy, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, i = y * n + x;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    ez[i] += 0.5f * (hy[i] - hy[i - 1] - hx[i] + hx[i - n]);
}
static void light(Run &run, int n) {
  Buffer<float> ez((size_t)n * n, unit), hx((size_t)n * n, unit), hy((size_t)n * n, unit);
  std::vector<float> e = ez.host, a = hx.host, b = hy.host;
  run.time(
      [&] {
        magnetic<<<dim3(blocks_of(n, 192), n), 192>>>(ez, hx, hy, n);
        electric<<<dim3(blocks_of(n, 192), n), 192>>>(ez, hx, hy, n);
      },
      [&] { ez.up(), hx.up(), hy.up(); });
  for (int y = 0; y < n - 1; y++)
    for (int x = 0, i = y * n; x < n - 1; x++, i++) {
      a[i] -= 0.5f * (e[i + n] - e[i]);
      b[i] += 0.5f * (e[i + 1] - e[i]);
    }
  for (int y = 1; y < n - 1; y++)
    for (int x = 1, i = y * n + 1; x < n - 1; x++, i++)
      e[i] += 0.5f * (b[i] - b[i - 1] - a[i] + a[i - n]);
  run.expect_all(
      ez, [&](int i) { return e[i]; }, 1e-5);
}

/* A sandpile: a cell of four or more grains gives one to each neighbour. */
__host__ __device__ static inline int grains_after(const int *in, int w, int i) {
  int gained = (in[i - 1] >= 4) + (in[i + 1] >= 4) + (in[i - w] >= 4) + (in[i + w] >= 4);
  return in[i] - (in[i] >= 4 ? 4 : 0) + gained;
}
__global__ void topple(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x < w - 1 && y < h - 1)
    out[y * w + x] = grains_after(in, w, y * w + x);
}
static void sandpile(Run &run, int n) {
  const int h = n * 3 / 4, steps = 30;
  Buffer<int> a((size_t)n * h, [](int i) { return (int)(bits(i) % 9); }), b((size_t)n * h);
  std::vector<int> is = a.host, next = is;
  b.host = is;
  run.time(
      [&] {
        for (int step = 0; step < steps; step++)
          topple<<<dim3(blocks_of(n - 2, 32), blocks_of(h - 2, 8)), dim3(32, 8)>>>(
              step % 2 ? b : a, step % 2 ? a : b, n, h);
      },
      [&] { a.up(), b.up(); });
  for (int step = 0; step < steps; step++, is.swap(next))
    for (int y = 1; y < h - 1; y++)
      for (int x = 1; x < n - 1; x++)
        next[y * n + x] = grains_after(is.data(), n, y * n + x);
  run.expect_all(a, [&](int i) { return is[i]; });
}

/* ---- graphs ------------------------------------------------------------------------------ */
/* Rows in CSR form: few rows are long. */
static std::vector<int> uneven_offsets(int rows) {
  std::vector<int> offsets(rows + 1);
  for (int r = 0; r < rows; r++)
    offsets[r + 1] = offsets[r] + (bits(r + 99) % 50 == 0 ? 150 : 1 + bits(r) % 12);
  return offsets;
}

__global__ void rank_pages(const int *offsets, const int *from, const float *share, float *rank,
                           int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n)
    return;
  float sum = 0;
  for (int e = offsets[v]; e < offsets[v + 1]; e++)
    sum += share[from[e]];
  rank[v] = 0.15f / n + 0.85f * sum;
}
static void page_rank(Run &run, int n) {
  std::vector<int> starts = uneven_offsets(n);
  Buffer<int> offsets(n + 1, [&](int i) { return starts[i]; });
  Buffer<int> from(starts[n], [&](int e) { return (int)(bits(e) % n); });
  Buffer<float> share(n, unit), rank(n);
  run.time([&] { rank_pages<<<blocks_of(n, 128), 128>>>(offsets, from, share, rank, n); });
  run.expect_all(
      rank,
      [&](int v) {
        float sum = 0;
        for (int e = starts[v]; e < starts[v + 1]; e++)
          sum += share.host[from.host[e]];
        return 0.15f / n + 0.85f * sum;
      },
      1e-3);
}

/* One level of a breadth-first search from a queue of vertices into the next queue. */
__global__ void expand(const int *queue, int queued, const int *to, int degree, int *level, int now,
                       int *next, int *next_count) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= queued)
    return;
  for (int k = 0; k < degree; k++) {
    int v = to[queue[q] * degree + k];
    if (atomicCAS(&level[v], -1, now + 1) < 0)
      next[atomicAdd(next_count, 1)] = v;
  }
}
static void frontier(Run &run, int n) {
  const int degree = 5;
  Buffer<int> to((size_t)n * degree, [&](int e) { return (int)(bits(e) % n); });
  Buffer<int> level(n, [](int i) { return i ? -1 : 0; }), next(n), count(1, none), queue(n, none);
  std::vector<int> is = level.host, reached = {0}, found;
  auto advance = [&](std::vector<int> &levels, int now) {
    found.clear();
    for (int v : reached)
      for (int k = 0; k < degree; k++)
        if (int u = to.host[v * degree + k]; levels[u] < 0)
          levels[u] = now + 1, found.push_back(u);
  };
  int now = 0;
  for (; reached.size() < (size_t)n / 6; now++, reached.swap(found))
    advance(is, now);
  std::copy(reached.begin(), reached.end(), queue.host.begin());
  queue.up();
  level.host = is;
  run.time(
      [&] {
        expand<<<blocks_of(reached.size(), 256), 256>>>(queue, (int)reached.size(), to, degree,
                                                        level, now, next, count);
      },
      [&] { level.up(), count.zero(); });
  advance(is, now);
  run.expect_all(level, [&](int i) { return is[i]; });
  run.expect_all(count, [&](int) { return (double)found.size(); });
}

/* Bellman and Ford: each edge relaxes the distance of its head. */
__global__ void relax_edges(const int *tail, const int *head, const int *length, const int *is,
                            int *next, int edges) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < edges)
    atomicMin(&next[head[e]], is[tail[e]] + length[e]);
}
static void distances_relaxed(Run &run, int n) {
  const int edges = n * 7;
  Buffer<int> tail(edges, [&](int e) { return (int)(bits(e) % n); });
  Buffer<int> head(edges, [&](int e) { return (int)(bits(e + 31337) % n); });
  Buffer<int> length(edges, [](int e) { return (int)(bits(e) >> 24); });
  Buffer<int> is(n, [](int i) { return (int)(bits(i) >> 16); }), next(n);
  std::vector<int> want = next.host = is.host;
  run.time(
      [&] { relax_edges<<<blocks_of(edges, 512), 512>>>(tail, head, length, is, next, edges); },
      [&] { next.up(); });
  for (int e = 0; e < edges; e++)
    want[head.host[e]] = std::min(want[head.host[e]], is.host[tail.host[e]] + length.host[e]);
  run.expect_all(next, [&](int i) { return want[i]; });
}

/* Triangles at each edge: the common elements of two sorted lists of neighbours. */
__host__ __device__ static inline int common(const int *a, const int *a_end, const int *b,
                                             const int *b_end) {
  int count = 0;
  while (a < a_end && b < b_end) {
    int difference = *a - *b;
    count += difference == 0;
    a += difference <= 0;
    b += difference >= 0;
  }
  return count;
}
__global__ void count_triangles(const int *offsets, const int *to, const int2 *edges, int *counts,
                                int edge_count) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edge_count)
    return;
  int u = edges[e].x, v = edges[e].y;
  counts[e] = common(to + offsets[u], to + offsets[u + 1], to + offsets[v], to + offsets[v + 1]);
}
static void triangles(Run &run, int n) {
  std::vector<int> starts = uneven_offsets(n);
  Buffer<int> offsets(n + 1, [&](int i) { return starts[i]; }), to(starts[n]);
  for (int v = 0; v < n; v++)
    for (int e = starts[v], at = v; e < starts[v + 1]; e++)
      to.host[e] = at += 1 + bits(e) % 5;
  to.up();
  Buffer<int2> edges((size_t)n * 2);
  for (int e = 0; e < 2 * n; e++) {
    int u = bits(e) % n;
    edges.host[e] = make_int2(u, std::min<int>(n - 1, u + bits(e + 5) % 8));
  }
  edges.up();
  Buffer<int> counts((size_t)n * 2);
  run.time(
      [&] { count_triangles<<<blocks_of(2 * n, 256), 256>>>(offsets, to, edges, counts, 2 * n); });
  const int *all = to.host.data();
  run.expect_all(counts, [&](int e) {
    int u = edges.host[e].x, v = edges.host[e].y;
    return common(all + starts[u], all + starts[u + 1], all + starts[v], all + starts[v + 1]);
  });
}

/* Connected parts of a picture: each step takes the smallest label of equal neighbours. */
__host__ __device__ static inline int smallest_label(const uint8_t *colour, const int *label, int n,
                                                     int x, int y) {
  int i = y * n + x, least = label[i];
  if (x > 0 && colour[i - 1] == colour[i] && label[i - 1] < least)
    least = label[i - 1];
  if (x < n - 1 && colour[i + 1] == colour[i] && label[i + 1] < least)
    least = label[i + 1];
  if (y > 0 && colour[i - n] == colour[i] && label[i - n] < least)
    least = label[i - n];
  if (y < n - 1 && colour[i + n] == colour[i] && label[i + n] < least)
    least = label[i + n];
  return label[least] < least ? label[least] : least;
}
__global__ void spread_labels(const uint8_t *colour, const int *in, int *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    out[y * n + x] = smallest_label(colour, in, n, x, y);
}
static void labels(Run &run, int n) {
  const int steps = 12;
  Buffer<uint8_t> colour((size_t)n * n, [](int i) { return bits(i) % 10 < 7; });
  Buffer<int> a((size_t)n * n, [](int i) { return i; }), b((size_t)n * n);
  std::vector<int> is = a.host, next = is;
  run.time(
      [&] {
        for (int step = 0; step < steps; step++)
          spread_labels<<<dim3(blocks_of(n, 64), blocks_of(n, 4)), dim3(64, 4)>>>(
              colour, step % 2 ? b : a, step % 2 ? a : b, n);
      },
      [&] { a.up(); });
  for (int step = 0; step < steps; step++, is.swap(next))
    for (int i = 0; i < n * n; i++)
      next[i] = smallest_label(colour.host.data(), is.data(), n, i % n, i / n);
  run.expect_all(a, [&](int i) { return is[i]; });
}

/* ---- gathers and scatters ---------------------------------------------------------------- */
/* Each warp sums 24 rows of a table of embeddings. */
__global__ void sum_bags(const float2 *table, const int *index, float2 *out, int bags) {
  int bag = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (bag >= bags)
    return;
  float2 sum = make_float2(0, 0);
  for (int k = 0; k < 24; k++) {
    float2 entry = table[(size_t)index[bag * 24 + k] * 32 + lane];
    sum.x += entry.x;
    sum.y += entry.y;
  }
  out[bag * 32 + lane] = sum;
}
static void bags_of_embeddings(Run &run, int n) {
  const int entries = 200000;
  Buffer<float> table((size_t)entries * 64, unit), out((size_t)n * 64);
  Buffer<int> index((size_t)n * 24, [](int i) { return (int)(bits(i) % entries); });
  run.time([&] {
    sum_bags<<<blocks_of(n, 8), 256>>>((float2 *)table.device, index, (float2 *)out.device, n);
  });
  run.expect_all(
      out,
      [&](int i) {
        float sum = 0;
        for (int k = 0; k < 24; k++)
          sum += table.host[(size_t)index.host[i / 64 * 24 + k] * 64 + i % 64];
        return sum;
      },
      1e-4);
}

/* A field at the places of particles. */
__host__ __device__ static inline float trilinear(const float *field, int n, float4 at) {
  int x = (int)at.x, y = (int)at.y, z = (int)at.z;
  float fx = at.x - x, fy = at.y - y, fz = at.z - z, sum = 0;
  for (int k = 0; k < 8; k++) {
    int dx = k & 1, dy = k >> 1 & 1, dz = k >> 2;
    float weight = (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy) * (dz ? fz : 1 - fz);
    sum += weight * field[((z + dz) * n + y + dy) * n + x + dx];
  }
  return sum;
}
__global__ void sample_field(const float *field, int n, const float4 *places, float *out,
                             int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = trilinear(field, n, places[i]);
}
static void field_at_particles(Run &run, int n) {
  const int side = 150;
  Buffer<float> field((size_t)side * side * side, unit), out(n);
  Buffer<float4> places(n);
  for (int i = 0; i < n; i++)
    places.host[i] = make_float4(unit(3 * i) * (side - 1.01f), unit(3 * i + 1) * (side - 1.01f),
                                 unit(3 * i + 2) * (side - 1.01f), 0);
  places.up();
  run.time([&] { sample_field<<<blocks_of(n, 256), 256>>>(field, side, places, out, n); });
  run.expect_all(
      out, [&](int i) { return trilinear(field.host.data(), side, places.host[i]); }, 1e-5);
}

/* Particles in cells: each charge is distributed to the four corners of its cell. */
__global__ void deposit(const float2 *places, const float *charge, float *grid, int side, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int x = (int)places[i].x, y = (int)places[i].y;
  float fx = places[i].x - x, fy = places[i].y - y, q = charge[i];
  float *corner = grid + y * side + x;
  atomicAdd(corner, q * (1 - fx) * (1 - fy));
  atomicAdd(corner + 1, q * fx * (1 - fy));
  atomicAdd(corner + side, q * (1 - fx) * fy);
  atomicAdd(corner + side + 1, q * fx * fy);
}
static void charges_deposited(Run &run, int n) {
  const int side = 300;
  Buffer<float> charge(n, unit), grid((size_t)side * side, none);
  Buffer<float2> places(n);
  std::vector<double> want((size_t)side * side);
  for (int i = 0; i < n; i++) {
    float x = unit(2 * i) * (side - 1.01f), y = unit(2 * i + 1) * (side - 1.01f);
    double fx = x - (int)x, fy = y - (int)y, q = charge.host[i];
    double *corner = &want[(int)y * side + (int)x];
    places.host[i] = make_float2(x, y);
    corner[0] += q * (1 - fx) * (1 - fy), corner[1] += q * fx * (1 - fy);
    corner[side] += q * (1 - fx) * fy, corner[side + 1] += q * fx * fy;
  }
  places.up();
  run.time([&] { deposit<<<blocks_of(n, 128), 128>>>(places, charge, grid, side, n); },
           [&] { grid.zero(); });
  run.expect_all(
      grid, [&](int i) { return want[i]; }, 1e-3);
}

/* Keys into 256 buckets: each block reserves its part of every bucket. */
__global__ void fill_buckets(const uint32_t *keys, uint32_t *out, unsigned *cursors, int n) {
  __shared__ unsigned counts[256], firsts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  uint32_t key[4];
  unsigned place[4];
  for (int k = 0; k < 4; k++) {
    int i = (blockIdx.x * 4 + k) * 256 + threadIdx.x;
    if (i < n) {
      key[k] = keys[i];
      place[k] = atomicAdd(&counts[key[k] >> 24], 1u);
    }
  }
  __syncthreads();
  firsts[threadIdx.x] = atomicAdd(&cursors[threadIdx.x], counts[threadIdx.x]);
  __syncthreads();
  for (int k = 0; k < 4; k++)
    if ((blockIdx.x * 4 + k) * 256 + threadIdx.x < n)
      out[firsts[key[k] >> 24] + place[k]] = key[k];
}
static void buckets(Run &run, int n) {
  Buffer<uint32_t> keys(n, bits), out(n);
  Buffer<unsigned> cursors(256, none);
  for (uint32_t key : keys.host)
    if (key >> 24 < 255)
      cursors.host[(key >> 24) + 1]++;
  std::partial_sum(cursors.host.begin(), cursors.host.end(), cursors.host.begin());
  std::vector<unsigned> starts = cursors.host;
  run.time([&] { fill_buckets<<<blocks_of(n, 1024), 256>>>(keys, out, cursors, n); },
           [&] { cursors.up(); });
  out.down();
  std::vector<uint32_t> sorted = keys.host;
  std::sort(sorted.begin(), sorted.end());
  for (int k = 0; k < 256; k++)
    std::sort(out.host.begin() + starts[k], out.host.begin() + (k < 255 ? starts[k + 1] : n));
  for (int i = 0; i < n; i++)
    run.expect(i, out.host[i], sorted[i]);
}

/* The order in which a Fourier transform reads its input. */
__global__ void reverse_bits(const float2 *in, float2 *out, int log) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[__brev(i) >> (32 - log)];
}
static void bits_reversed(Run &run, int log) {
  const int n = 1 << log;
  Buffer<float2> in(n), out(n);
  for (int i = 0; i < n; i++)
    in.host[i] = make_float2(unit(i), (float)i);
  in.up();
  run.time([&] { reverse_bits<<<n / 256, 256>>>(in, out, log); });
  out.down();
  for (int i = 0; i < n; i++) {
    int from = 0;
    for (int k = 0; k < log; k++)
      from |= (i >> k & 1) << (log - 1 - k);
    run.expect(i, out.host[i].y, from);
    run.expect(i, out.host[i].x, unit(from));
  }
}

/* A hash join: the kernel searches each key in the chain of its bucket. */
__global__ void probe(const int *first, const int *after, const uint32_t *keys,
                      const uint32_t *wanted, int *found, int n, unsigned mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int at = first[mix(wanted[i]) & mask];
  while (at >= 0 && keys[at] != wanted[i])
    at = after[at];
  found[i] = at;
}
static void join(Run &run, int n) {
  unsigned mask = 1;
  while (mask < (unsigned)n / 2)
    mask = mask * 2 + 1;
  Buffer<uint32_t> keys(n, [](int i) { return (uint32_t)i * 2 + 1; });
  Buffer<uint32_t> wanted(n, [&](int i) { return bits(i) % (3 * n); });
  Buffer<int> first(mask + 1, [](int) { return -1; }), after(n), found(n);
  for (int i = 0; i < n; i++) {
    int &head = first.host[mix(keys.host[i]) & mask];
    after.host[i] = head;
    head = i;
  }
  first.up(), after.up();
  run.time([&] { probe<<<blocks_of(n, 256), 256>>>(first, after, keys, wanted, found, n, mask); });
  run.expect_all(found, [&](int i) {
    uint32_t key = wanted.host[i];
    return key % 2 && key / 2 < (uint32_t)n ? (int)(key / 2) : -1;
  });
}

/* ---- strided and pitched access ----------------------------------------------------------- */
__host__ __device__ static inline uchar4 blended(uchar4 top, uchar4 below) {
  int a = top.w, b = 255 - top.w;
  return make_uchar4((top.x * a + below.x * b) / 255, (top.y * a + below.y * b) / 255,
                     (top.z * a + below.z * b) / 255, 255);
}
__global__ void blend(const char *top, const char *below, char *out, size_t pitch, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    ((uchar4 *)(out + y * pitch))[x] =
        blended(((const uchar4 *)(top + y * pitch))[x], ((const uchar4 *)(below + y * pitch))[x]);
}
static void pictures_blended(Run &run, int w) {
  const int h = w * 2 / 3;
  const size_t row = w * sizeof(uchar4);
  char *device[3];
  size_t pitch;
  std::vector<uchar4> top((size_t)w * h), below(top), out(top);
  for (int i = 0; i < w * h; i++) {
    uint32_t a = bits(i), b = bits(i + 4242);
    memcpy(&top[i], &a, 4), memcpy(&below[i], &b, 4);
  }
  for (char *&picture : device)
    CHECK(cudaMallocPitch(&picture, &pitch, row, h));
  CHECK(cudaMemcpy2D(device[0], pitch, top.data(), row, row, h, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2D(device[1], pitch, below.data(), row, row, h, cudaMemcpyHostToDevice));
  run.time([&] {
    blend<<<dim3(blocks_of(w, 32), blocks_of(h, 8)), dim3(32, 8)>>>(device[0], device[1], device[2],
                                                                    pitch, w, h);
  });
  CHECK(cudaMemcpy2D(out.data(), row, device[2], pitch, row, h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < w * h; i++) {
    uchar4 want = blended(top[i], below[i]);
    run.expect(i, out[i].x + 256 * out[i].y + 65536 * out[i].z,
               want.x + 256 * want.y + 65536 * want.z);
  }
  for (char *picture : device)
    CHECK(cudaFree(picture));
}

/* Patches of 3x3 become columns, so that a convolution becomes a product. */
__global__ void image_to_columns(const float *in, float *out, int channels, int side, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int x = i % side, y = i / side % side, tap = i / side / side % 9, channel = i / side / side / 9;
  int from_x = x + tap % 3 - 1, from_y = y + tap / 3 - 1;
  bool inside = from_x >= 0 && from_y >= 0 && from_x < side && from_y < side;
  out[i] = inside ? in[(channel * side + from_y) * side + from_x] : 0;
}
static void columns_of_patches(Run &run, int channels) {
  const int side = 56, n = channels * 9 * side * side;
  Buffer<float> in((size_t)channels * side * side, unit), out(n);
  run.time([&] { image_to_columns<<<blocks_of(n, 512), 512>>>(in, out, channels, side, n); });
  run.expect_all(out, [&](int i) {
    int plane = side * side, channel = i / (9 * plane), tap = i % (9 * plane) / plane;
    int x = i % side + tap % 3 - 1, y = i % plane / side + tap / 3 - 1;
    return x < 0 || y < 0 || x >= side || y >= side ? 0 : in.host[channel * plane + y * side + x];
  });
}

/* The trace of each matrix of 64x64, by one warp. */
__global__ void trace(const float *matrices, float *traces, int n) {
  int m = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (m >= n)
    return;
  const float *matrix = matrices + (size_t)m * 4096;
  float sum = matrix[lane * 65] + matrix[(lane + 32) * 65];
  for (int step = 16; step; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0)
    traces[m] = sum;
}
static void traces_of_matrices(Run &run, int n) {
  Buffer<float> matrices((size_t)n * 4096, unit), traces(n);
  run.time([&] { trace<<<blocks_of(n, 4), 128>>>(matrices, traces, n); });
  run.expect_all(
      traces,
      [&](int m) {
        double sum = 0;
        for (int k = 0; k < 64; k++)
          sum += matrices.host[(size_t)m * 4096 + k * 65];
        return sum;
      },
      1e-4);
}

/* From planes of channels to channels side by side. */
__global__ void channels_last(const float *in, float *out, int channels, int pixels, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int pixel = i % pixels, channel = i / pixels % channels, image = i / pixels / channels;
  out[(image * pixels + pixel) * channels + channel] = in[i];
}
static void channels_moved(Run &run, int images) {
  const int channels = 48, pixels = 57 * 57, n = images * channels * pixels;
  Buffer<float> in(n, unit), out(n);
  run.time([&] { channels_last<<<blocks_of(n, 256), 256>>>(in, out, channels, pixels, n); });
  run.expect_all(out, [&](int i) {
    int channel = i % channels, pixel = i / channels % pixels, image = i / channels / pixels;
    return in.host[(image * channels + channel) * pixels + pixel];
  });
}

/* A thread turns a matrix of 4x4 in its registers. */
__global__ void turn_small(const float4 *in, float4 *out, int n) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= n)
    return;
  float4 a = in[4 * m], b = in[4 * m + 1], c = in[4 * m + 2], d = in[4 * m + 3];
  out[4 * m] = make_float4(a.x, b.x, c.x, d.x);
  out[4 * m + 1] = make_float4(a.y, b.y, c.y, d.y);
  out[4 * m + 2] = make_float4(a.z, b.z, c.z, d.z);
  out[4 * m + 3] = make_float4(a.w, b.w, c.w, d.w);
}
static void small_turned(Run &run, int n) {
  Buffer<float> in((size_t)n * 16, unit), out((size_t)n * 16);
  run.time([&] {
    turn_small<<<blocks_of(n, 192), 192>>>((float4 *)in.device, (float4 *)out.device, n);
  });
  run.expect_all(out, [&](int i) { return in.host[i / 16 * 16 + i % 4 * 4 + i / 4 % 4]; });
}

/* ---- histograms, scans, reductions -------------------------------------------------------- */
/* How often each pair of grey levels occurs in two pictures. */
__global__ void count_pairs(const uchar4 *a, const uchar4 *b, unsigned *counts, int n) {
  __shared__ unsigned own[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    own[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uchar4 p = a[i], q = b[i];
    atomicAdd(&own[p.x / 8 * 32 + q.x / 8], 1u);
    atomicAdd(&own[p.y / 8 * 32 + q.y / 8], 1u);
    atomicAdd(&own[p.z / 8 * 32 + q.z / 8], 1u);
    atomicAdd(&own[p.w / 8 * 32 + q.w / 8], 1u);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    if (own[k])
      atomicAdd(&counts[k], own[k]);
}
static void joint_histogram(Run &run, int n) {
  auto grey = [](int i) { return (uint8_t)((bits(i) & 255) * (bits(i) >> 8 & 255) / 255); };
  Buffer<uint8_t> a((size_t)n * 4, grey), b((size_t)n * 4, [&](int i) { return grey(i + 17); });
  Buffer<unsigned> counts(1024);
  std::vector<unsigned> want(1024);
  run.time([&] { count_pairs<<<264, 512>>>((uchar4 *)a.device, (uchar4 *)b.device, counts, n); },
           [&] { counts.zero(); });
  for (int i = 0; i < 4 * n; i++)
    want[a.host[i] / 8 * 32 + b.host[i] / 8]++;
  run.expect_all(counts, [&](int i) { return want[i]; });
}

/* Bins of different widths: a binary search finds the bin. */
__global__ void count_uneven(const float *values, const float *edges, unsigned *counts, int n) {
  __shared__ float own_edges[300];
  __shared__ unsigned own[300];
  for (int k = threadIdx.x; k < 300; k += blockDim.x) {
    own_edges[k] = edges[k];
    own[k] = 0;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, low = 0, high = 300;
  while (i < n && high - low > 1) {
    int middle = (low + high) / 2;
    if (own_edges[middle] <= values[i])
      low = middle;
    else
      high = middle;
  }
  if (i < n)
    atomicAdd(&own[low], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < 300; k += blockDim.x)
    atomicAdd(&counts[k], own[k]);
}
static void uneven_bins(Run &run, int n) {
  Buffer<float> values(n, unit), edges(300, [](int k) { return k * k / 90000.0f; });
  Buffer<unsigned> counts(300);
  std::vector<unsigned> want(300);
  run.time([&] { count_uneven<<<blocks_of(n, 1024), 1024>>>(values, edges, counts, n); },
           [&] { counts.zero(); });
  for (float value : values.host)
    want[std::upper_bound(edges.host.begin(), edges.host.end(), value) - edges.host.begin() - 1]++;
  run.expect_all(counts, [&](int i) { return want[i]; });
}

/* A scan in three launches: pieces of 1024, then their totals, then the sum of both. */
__global__ void scan_pieces(const int4 *in, int4 *out, int *totals) {
  __shared__ int warps[8];
  int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int4 v = in[i];
  v.y += v.x, v.z += v.y, v.w += v.z;
  int before = v.w;
  for (int step = 1; step < 32; step *= 2) {
    int other = __shfl_up_sync(~0u, before, step);
    before += lane >= step ? other : 0;
  }
  if (lane == 31)
    warps[warp] = before;
  __syncthreads();
  before -= v.w;
  for (int k = 0; k < warp; k++)
    before += warps[k];
  out[i] = make_int4(before + v.x, before + v.y, before + v.z, before + v.w);
  if (threadIdx.x == 255)
    totals[blockIdx.x] = before + v.w;
}
__global__ void scan_totals(int *totals, int n) {
  __shared__ int part[1024];
  int each = (n + 1023) / 1024, first = threadIdx.x * each, sum = 0;
  for (int k = first; k < min(n, first + each); k++)
    sum += totals[k];
  part[threadIdx.x] = sum;
  for (int step = 1; step < 1024; step *= 2) {
    __syncthreads();
    int other = threadIdx.x >= step ? part[threadIdx.x - step] : 0;
    __syncthreads();
    part[threadIdx.x] += other;
  }
  sum = part[threadIdx.x] - sum;
  for (int k = first; k < min(n, first + each); k++) {
    int own = totals[k];
    totals[k] = sum;
    sum += own;
  }
}
__global__ void add_totals(int4 *out, const int *totals) {
  int i = blockIdx.x * 256 + threadIdx.x, before = totals[blockIdx.x];
  int4 v = out[i];
  out[i] = make_int4(v.x + before, v.y + before, v.z + before, v.w + before);
}
static void scan_in_three(Run &run, int pieces) {
  const int n = pieces * 1024;
  Buffer<int> in(n, [](int i) { return (int)(bits(i) & 15); }), out(n), totals(pieces);
  std::vector<int> want(n);
  run.time([&] {
    scan_pieces<<<pieces, 256>>>((int4 *)in.device, (int4 *)out.device, totals);
    scan_totals<<<1, 1024>>>(totals, pieces);
    add_totals<<<pieces, 256>>>((int4 *)out.device, totals);
  });
  std::partial_sum(in.host.begin(), in.host.end(), want.begin());
  run.expect_all(out, [&](int i) { return want[i]; });
}

/* Running totals of rows that start again at each flag; a warp a row. */
__global__ void running_totals(const int *in, const uint8_t *flags, int *out, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, carry = 0;
  for (int c = lane; c < columns; c += 32) {
    int i = row * columns + c, sum = in[i];
    unsigned starts = __ballot_sync(~0u, flags[i]) & (~0u >> (31 - lane));
    int start = starts ? 31 - __clz(starts) : 0;
    for (int step = 1; step < 32; step *= 2) {
      int other = __shfl_up_sync(~0u, sum, step);
      sum += lane - step >= start ? other : 0;
    }
    sum += starts ? 0 : carry;
    out[i] = sum;
    carry = __shfl_sync(~0u, sum, 31);
  }
}
static void totals_restarted(Run &run, int rows) {
  const int columns = 32 * 45;
  Buffer<int> in((size_t)rows * columns, [](int i) { return (int)(bits(i) & 255); });
  Buffer<int> out((size_t)rows * columns);
  Buffer<uint8_t> flags((size_t)rows * columns, [](int i) { return bits(i + 9) % 20 == 0; });
  std::vector<int> want = in.host;
  run.time([&] { running_totals<<<rows / 2, 64>>>(in, flags, out, columns); });
  for (int i = 0; i < rows * columns; i++)
    want[i] += i % columns && !flags.host[i] ? want[i - 1] : 0;
  run.expect_all(out, [&](int i) { return want[i]; });
}

/* The box around points. Floats that are not negative have the order of their bits. */
__global__ void bounds(const float *points, int *low, int *high, int n) {
  int least[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, most[3] = {0, 0, 0};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    for (int k = 0; k < 3; k++) {
      int value = __float_as_int(points[3 * i + k]);
      least[k] = min(least[k], value);
      most[k] = max(most[k], value);
    }
  for (int k = 0; k < 3; k++) {
    for (int step = 16; step; step /= 2) {
      least[k] = min(least[k], __shfl_xor_sync(~0u, least[k], step));
      most[k] = max(most[k], __shfl_xor_sync(~0u, most[k], step));
    }
    if (threadIdx.x % 32 == 0) {
      atomicMin(&low[k], least[k]);
      atomicMax(&high[k], most[k]);
    }
  }
}
static void box_of_points(Run &run, int n) {
  Buffer<float> points((size_t)n * 3, [](int i) { return unit(i) * (1 + i % 3); });
  Buffer<int> low(3, [](int) { return INT32_MAX; }), high(3, none);
  run.time([&] { bounds<<<200, 256>>>(points, low, high, n); }, [&] { low.up(), high.up(); });
  low.down(), high.down();
  for (int k = 0; k < 3; k++) {
    float least = 10, most = 0, got[2];
    for (int i = 0; i < n; i++) {
      least = std::min(least, points.host[3 * i + k]);
      most = std::max(most, points.host[3 * i + k]);
    }
    memcpy(&got[0], &low.host[k], 4), memcpy(&got[1], &high.host[k], 4);
    run.expect(k, got[0], least);
    run.expect(k, got[1], most);
  }
}

/* The block that finishes last adds the sums of all blocks. */
__device__ static unsigned block_sum(unsigned sum) {
  __shared__ unsigned part[8];
  for (int step = 16; step; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; k++)
    sum += part[k];
  __syncthreads();
  return sum;
}
__global__ void sum_once(const unsigned *in, volatile unsigned *partial, unsigned *done,
                         unsigned *out, int n) {
  __shared__ bool last;
  unsigned sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  sum = 0;
  for (int k = threadIdx.x; k < gridDim.x; k += 256)
    sum += partial[k];
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    *out = sum;
}
static void last_block_finishes(Run &run, int n) {
  const int blocks = 600;
  Buffer<unsigned> in(n, bits), partial(blocks), done(1), out(1);
  run.time([&] { sum_once<<<blocks, 256>>>(in, partial, done, out, n); }, [&] { done.zero(); });
  unsigned want = std::accumulate(in.host.begin(), in.host.end(), 0u);
  run.expect_all(out, [&](int) { return want; });
}

/* Row sums, then column sums: each cell becomes the sum of all cells above and left of it. */
__global__ void row_totals(const int *in, int *out, int w) {
  __shared__ int part[256];
  int carry = 0;
  for (int first = 0; first < w; first += 256) {
    int x = first + threadIdx.x;
    part[threadIdx.x] = x < w ? in[blockIdx.x * w + x] : 0;
    for (int step = 1; step < 256; step *= 2) {
      __syncthreads();
      int other = threadIdx.x >= step ? part[threadIdx.x - step] : 0;
      __syncthreads();
      part[threadIdx.x] += other;
    }
    __syncthreads();
    if (x < w)
      out[blockIdx.x * w + x] = carry + part[threadIdx.x];
    carry += part[255];
    __syncthreads();
  }
}
__global__ void column_totals(const int *__restrict__ in, int *__restrict__ out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  if (x >= w)
    return;
  for (int y = 0; y < h; y++)
    out[y * w + x] = sum += in[y * w + x];
}
static void integral_image(Run &run, int w) {
  const int h = w * 11 / 15;
  Buffer<int> in((size_t)w * h, [](int i) { return (int)(bits(i) & 255); });
  Buffer<int> rows((size_t)w * h), out((size_t)w * h);
  std::vector<int> want = in.host;
  run.time([&] {
    row_totals<<<h, 256>>>(in, rows, w);
    column_totals<<<blocks_of(w, 64), 64>>>(rows, out, w, h);
  });
  for (int i = 0; i < w * h; i++)
    want[i] += (i % w ? want[i - 1] : 0) + (i >= w ? want[i - w] : 0) -
               (i % w && i >= w ? want[i - w - 1] : 0);
  run.expect_all(out, [&](int i) { return want[i]; });
}

/* ---- sparse matrices and solvers ---------------------------------------------------------- */
/* Blocks of 4x4: a thread has one row of a row of blocks. */
__global__ void block_sparse(const int *offsets, const int *column, const float4 *blocks,
                             const float4 *x, float *y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = offsets[row / 4]; k < offsets[row / 4 + 1]; k++) {
    float4 a = blocks[4 * k + row % 4], b = x[column[k]];
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  y[row] = sum;
}
static void blocks_of_four(Run &run, int n) {
  Buffer<int> offsets(n + 1, none);
  for (int r = 0; r < n; r++)
    offsets.host[r + 1] = offsets.host[r] + 4 + bits(r) % 7;
  offsets.up();
  const int count = offsets.host[n];
  Buffer<int> column(count, [&](int k) { return (int)(bits(k) % n); });
  Buffer<float> values((size_t)count * 16, unit), x((size_t)n * 4, unit), y((size_t)n * 4);
  run.time([&] {
    block_sparse<<<blocks_of(4 * n, 128), 128>>>(offsets, column, (float4 *)values.device,
                                                 (float4 *)x.device, y, 4 * n);
  });
  run.expect_all(
      y,
      [&](int row) {
        float sum = 0;
        for (int k = offsets.host[row / 4]; k < offsets.host[row / 4 + 1]; k++)
          for (int j = 0; j < 4; j++)
            sum += values.host[16 * k + row % 4 * 4 + j] * x.host[4 * column.host[k] + j];
        return sum;
      },
      1e-3);
}

/* A sparse matrix times 16 columns: 16 lanes have one row. */
__global__ void times_columns(const int *offsets, const int *column, const float *value,
                              const float *x, float *y, int rows) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = offsets[row]; k < offsets[row + 1]; k++)
    sum += value[k] * x[column[k] * 16 + threadIdx.x];
  y[row * 16 + threadIdx.x] = sum;
}
static void sparse_times_columns(Run &run, int n) {
  std::vector<int> starts = uneven_offsets(n);
  Buffer<int> offsets(n + 1, [&](int i) { return starts[i]; });
  Buffer<int> column(starts[n], [&](int k) { return (int)(bits(k) % n); });
  Buffer<float> value(starts[n], unit), x((size_t)n * 16, unit), y((size_t)n * 16);
  run.time(
      [&] { times_columns<<<blocks_of(n, 16), dim3(16, 16)>>>(offsets, column, value, x, y, n); });
  run.expect_all(
      y,
      [&](int i) {
        float sum = 0;
        for (int k = starts[i / 16]; k < starts[i / 16 + 1]; k++)
          sum += value.host[k] * x.host[column.host[k] * 16 + i % 16];
        return sum;
      },
      1e-3);
}

/* Thomas' algorithm: a thread for each tridiagonal system, systems side by side. */
__global__ void thomas(const float *diagonal, const float *right, float *ratio, float *x,
                       int systems, int n) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems)
    return;
  float c = 0, d = 0;
  for (int k = 0; k < n; k++) {
    int i = k * systems + s;
    float scale = 1 / (diagonal[i] + c);
    d = (right[i] + d) * scale;
    c = -scale;
    ratio[i] = c;
    x[i] = d;
  }
  for (int k = n - 2; k >= 0; k--) {
    int i = k * systems + s;
    d = x[i] - ratio[i] * d;
    x[i] = d;
  }
}
static void tridiagonal(Run &run, int systems) {
  const int n = 256;
  Buffer<float> diagonal((size_t)systems * n, [](int i) { return 2.5f + unit(i); });
  Buffer<float> right((size_t)systems * n, unit), ratio((size_t)systems * n);
  Buffer<float> x((size_t)systems * n);
  run.time([&] { thomas<<<blocks_of(systems, 96), 96>>>(diagonal, right, ratio, x, systems, n); });
  x.down();
  for (int i = 0; i < systems * n; i++) {
    double sum = diagonal.host[i] * x.host[i];
    sum -= i >= systems ? x.host[i - systems] : 0;
    sum -= i < systems * (n - 1) ? x.host[i + systems] : 0;
    run.expect(i, sum, right.host[i], 1e-4);
  }
}

/* Conjugate gradients for a rod: three small launches in each step. */
__device__ static void add_to(double *total, double term) {
  for (int step = 16; step; step /= 2)
    term += __shfl_down_sync(~0u, term, step);
  if (threadIdx.x % 32 == 0)
    atomicAdd(total, term);
}
__global__ void rod_times(const double *p, double *q, double *pq, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  q[i] = 2.1 * p[i] - (i ? p[i - 1] : 0) - (i < n - 1 ? p[i + 1] : 0);
  add_to(pq, p[i] * q[i]);
}
__global__ void rod_step(double *x, double *r, const double *p, const double *q, const double *rr,
                         const double *pq, double *rr_next) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double alpha = *rr / *pq;
  x[i] += alpha * p[i];
  r[i] -= alpha * q[i];
  add_to(rr_next, r[i] * r[i]);
}
__global__ void rod_direction(double *p, const double *r, const double *rr, const double *rr_next) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = r[i] + *rr_next / *rr * p[i];
}
static void small_gradients(Run &run, int n) {
  const int steps = 12;
  Buffer<double> x(n), r(n, unit), p(n, unit), q(n), rr(steps + 1), pq(steps);
  std::vector<double> a(n), b = r.host, c = p.host, d(n);
  for (double v : b)
    rr.host[0] += v * v;
  run.time(
      [&] {
        for (int s = 0; s < steps; s++) {
          rod_times<<<n / 128, 128>>>(p, q, pq + s, n);
          rod_step<<<n / 128, 128>>>(x, r, p, q, rr + s, pq + s, rr + s + 1);
          rod_direction<<<n / 128, 128>>>(p, r, rr + s, rr + s + 1);
        }
      },
      [&] { x.zero(), r.up(), p.up(), rr.up(), pq.zero(); });
  for (int s = 0; s < steps; s++) {
    double before = 0, product = 0, after = 0;
    for (int i = 0; i < n; i++) {
      d[i] = 2.1 * c[i] - (i ? c[i - 1] : 0) - (i < n - 1 ? c[i + 1] : 0);
      before += b[i] * b[i], product += c[i] * d[i];
    }
    for (int i = 0; i < n; i++) {
      a[i] += before / product * c[i];
      b[i] -= before / product * d[i];
      after += b[i] * b[i];
    }
    for (int i = 0; i < n; i++)
      c[i] = b[i] + after / before * c[i];
  }
  run.expect_all(
      x, [&](int i) { return a[i]; }, 1e-9);
}

/* A recursive filter of second order; a thread for each channel, channels side by side. */
__global__ void recursive(const float *__restrict__ in, float *__restrict__ out, int channels,
                          int samples) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= channels)
    return;
  float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
  for (int t = 0; t < samples; t++) {
    float x = in[t * channels + c];
    float y = 0.2f * x + 0.3f * x1 + 0.2f * x2 + 0.5f * y1 - 0.3f * y2;
    x2 = x1, x1 = x, y2 = y1, y1 = y;
    out[t * channels + c] = y;
  }
}
static void recursive_filters(Run &run, int channels) {
  const int samples = 9000;
  Buffer<float> in((size_t)channels * samples, unit), out((size_t)channels * samples);
  run.time([&] { recursive<<<blocks_of(channels, 32), 32>>>(in, out, channels, samples); });
  out.down();
  for (int c = 0; c < channels; c++) {
    double y1 = 0, y2 = 0;
    for (int t = 0; t < samples; t++) {
      size_t i = (size_t)t * channels + c;
      double x1 = t > 0 ? in.host[i - channels] : 0, x2 = t > 1 ? in.host[i - 2 * channels] : 0;
      double y = 0.2 * in.host[i] + 0.3 * x1 + 0.2 * x2 + 0.5 * y1 - 0.3 * y2;
      y2 = y1, y1 = y;
      run.expect(i, out.host[i], y, 1e-5);
    }
  }
}

/* ---- bytes and text ----------------------------------------------------------------------- */
/* Words of a text: letters after something else. A thread has 16 bytes. */
__global__ void count_words(const char *text, unsigned *words, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  unsigned count = 0;
  if (first < n) {
    bool inside = first && text[first - 1] > ' ';
    int4 piece = *(const int4 *)(text + first);
    int part[4] = {piece.x, piece.y, piece.z, piece.w};
    for (int k = 0; k < 16; k++) {
      bool letter = (char)(part[k / 4] >> k % 4 * 8) > ' ';
      count += letter && !inside;
      inside = letter;
    }
  }
  for (int step = 16; step; step /= 2)
    count += __shfl_down_sync(~0u, count, step);
  if (threadIdx.x % 32 == 0)
    atomicAdd(words, count);
}
static void words_of_a_text(Run &run, int n) {
  Buffer<char> text((size_t)n * 16, [](int i) { return bits(i) % 6 ? 'a' + bits(i) % 26 : ' '; });
  Buffer<unsigned> words(1);
  run.time([&] { count_words<<<blocks_of(n, 256), 256>>>(text, words, n * 16); },
           [&] { words.zero(); });
  unsigned want = 0;
  for (int i = 0; i < n * 16; i++)
    want += text.host[i] != ' ' && (!i || text.host[i - 1] == ' ');
  run.expect_all(words, [&](int) { return want; });
}

__global__ void to_hexadecimal(const uint8_t *in, uchar2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int high = in[i] >> 4, low = in[i] & 15;
  out[i] = make_uchar2(high + (high < 10 ? '0' : 'a' - 10), low + (low < 10 ? '0' : 'a' - 10));
}
static void hexadecimal(Run &run, int n) {
  Buffer<uint8_t> in(n, [](int i) { return bits(i) & 255; }), out((size_t)n * 2);
  run.time([&] { to_hexadecimal<<<blocks_of(n, 256), 256>>>(in, (uchar2 *)out.device, n); });
  run.expect_all(out, [&](int i) {
    return "0123456789abcdef"[i % 2 ? in.host[i / 2] & 15 : in.host[i / 2] >> 4];
  });
}

/* Integers of 11 bits, without gaps in an array of words. */
__global__ void unpack(const uint32_t *packed, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int bit = i * 11, word = bit / 32;
  out[i] = __funnelshift_r(packed[word], packed[word + 1], bit % 32) & 2047;
}
static void unpacked(Run &run, int n) {
  Buffer<uint32_t> packed((size_t)n * 11 / 32 + 2, bits);
  Buffer<int> out(n);
  run.time([&] { unpack<<<blocks_of(n, 256), 256>>>(packed, out, n); });
  run.expect_all(out, [&](int i) {
    int word = i * 11 / 32;
    uint64_t both = packed.host[word] | (uint64_t)packed.host[word + 1] << 32;
    return (int)(both >> i * 11 % 32 & 2047);
  });
}

/* ---- layers of neural networks ------------------------------------------------------------ */
/* The largest of 3x3 with a stride of 2. */
__host__ __device__ static inline float pooled(const float *in, int side, int i) {
  int half = side / 2, x = i % half * 2, y = i / half % half * 2;
  const float *plane = in + (size_t)(i / half / half) * side * side;
  float most = -1;
  for (int dy = 0; dy < 3; dy++)
    for (int dx = 0; dx < 3; dx++)
      if (x + dx < side && y + dy < side)
        most = fmaxf(most, plane[(y + dy) * side + x + dx]);
  return most;
}
__global__ void pool(const float *in, float *out, int side, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = pooled(in, side, i);
}
static void pooling(Run &run, int planes) {
  const int side = 112, n = planes * side * side / 4;
  Buffer<float> in((size_t)n * 4, unit), out(n);
  run.time([&] { pool<<<blocks_of(n, 256), 256>>>(in, out, side, n); });
  run.expect_all(out, [&](int i) { return pooled(in.host.data(), side, i); });
}

/* The cross-entropy loss: a block for each row of logits. */
__global__ void cross_entropy(const float *logits, const int *label, float *loss, int classes) {
  __shared__ float part[8];
  const float *row = logits + (size_t)blockIdx.x * classes;
  float most = -1e30f, sum = 0;
  for (int c = threadIdx.x; c < classes; c += 256)
    most = fmaxf(most, row[c]);
  for (int step = 16; step; step /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = most;
  __syncthreads();
  for (int k = 0; k < 8; k++)
    most = fmaxf(most, part[k]);
  for (int c = threadIdx.x; c < classes; c += 256)
    sum += __expf(row[c] - most);
  for (int step = 16; step; step /= 2)
    sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&loss[blockIdx.x], sum);
  __syncthreads();
  if (threadIdx.x == 0)
    loss[blockIdx.x] = logf(atomicAdd(&loss[blockIdx.x], 0.0f)) + most - row[label[blockIdx.x]];
}
static void losses(Run &run, int rows) {
  const int classes = 5003;
  Buffer<float> logits((size_t)rows * classes, [](int i) { return 4 * unit(i); });
  Buffer<float> loss(rows);
  Buffer<int> label(rows, [](int r) { return (int)(bits(r) % classes); });
  run.time([&] { cross_entropy<<<rows, 256>>>(logits, label, loss, classes); },
           [&] { loss.zero(); });
  run.expect_all(
      loss,
      [&](int r) {
        const float *row = &logits.host[(size_t)r * classes];
        double sum = 0;
        for (int c = 0; c < classes; c++)
          sum += exp((double)row[c]);
        return log(sum) - row[label.host[r]];
      },
      1e-3);
}

/* The class of each row: the column of its largest logit, found by a warp. */
__global__ void classify(const float *logits, int *out, int rows, int classes) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, best = 0;
  if (row >= rows)
    return;
  float most = -1;
  for (int c = threadIdx.x % 32; c < classes; c += 32) {
    float value = logits[(size_t)row * classes + c];
    if (value > most)
      most = value, best = c;
  }
  for (int step = 16; step; step /= 2) {
    float other = __shfl_xor_sync(~0u, most, step);
    int where = __shfl_xor_sync(~0u, best, step);
    if (other > most || (other == most && where < best))
      most = other, best = where;
  }
  if (threadIdx.x % 32 == 0)
    out[row] = best;
}
static void classes_found(Run &run, int rows) {
  const int classes = 1003;
  Buffer<float> logits((size_t)rows * classes, unit);
  Buffer<int> out(rows);
  run.time([&] { classify<<<blocks_of(rows, 4), 128>>>(logits, out, rows, classes); });
  run.expect_all(out, [&](int r) {
    const float *row = &logits.host[(size_t)r * classes];
    return (int)(std::max_element(row, row + classes) - row);
  });
}

/* Rows of halves divided by their root mean square. */
__global__ void root_mean_square(const __half2 *in, __half2 *out, int pairs) {
  __shared__ float part[4];
  const __half2 *row = in + (size_t)blockIdx.x * pairs;
  float sum = 0;
  for (int k = threadIdx.x; k < pairs; k += 128) {
    float2 v = __half22float2(row[k]);
    sum += v.x * v.x + v.y * v.y;
  }
  for (int step = 16; step; step /= 2)
    sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  float scale = rsqrtf((part[0] + part[1] + part[2] + part[3]) / (2 * pairs) + 1e-5f);
  for (int k = threadIdx.x; k < pairs; k += 128)
    out[(size_t)blockIdx.x * pairs + k] = __hmul2(row[k], __float2half2_rn(scale));
}
static void halves_normalised(Run &run, int rows) {
  const int pairs = 1100;
  Buffer<__half2> in((size_t)rows * pairs), out((size_t)rows * pairs);
  auto value = [](int i) { return (float)(bits(i) % 64) / 16; };
  for (int i = 0; i < rows * pairs; i++)
    in.host[i] = __floats2half2_rn(value(2 * i), value(2 * i + 1));
  in.up();
  run.time([&] { root_mean_square<<<rows, 128>>>(in, out, pairs); });
  out.down();
  for (int r = 0; r < rows; r++) {
    double sum = 0;
    for (int k = 0; k < 2 * pairs; k++)
      sum += value(2 * r * pairs + k) * value(2 * r * pairs + k);
    double scale = 1 / sqrt(sum / (2 * pairs) + 1e-5);
    for (int k = 0; k < pairs; k++) {
      float2 got = __half22float2(out.host[r * pairs + k]);
      run.expect(r * pairs + k, got.x, scale * value(2 * (r * pairs + k)), 5e-3);
      run.expect(r * pairs + k, got.y, scale * value(2 * (r * pairs + k) + 1), 5e-3);
    }
  }
}

/* A convolution of each channel by itself, channels side by side. */
__host__ __device__ static inline float depthwise_at(const float *in, const float *weights, int c,
                                                     int x, int y, int channels, int side) {
  float sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (x + dx >= 0 && y + dy >= 0 && x + dx < side && y + dy < side)
        sum += weights[((dy + 1) * 3 + dx + 1) * channels + c] *
               in[((y + dy) * side + x + dx) * channels + c];
  return sum;
}
__global__ void depthwise(const float *in, const float *weights, float *out, int side) {
  int c = threadIdx.x, channels = blockDim.x, x = blockIdx.x, y = blockIdx.y;
  out[(y * side + x) * channels + c] = depthwise_at(in, weights, c, x, y, channels, side);
}
static void channels_convolved(Run &run, int side) {
  const int channels = 96;
  Buffer<float> in((size_t)side * side * channels, unit), weights(9 * channels, unit);
  Buffer<float> out((size_t)side * side * channels);
  run.time([&] { depthwise<<<dim3(side, side), channels>>>(in, weights, out, side); });
  run.expect_all(
      out,
      [&](int i) {
        return depthwise_at(in.host.data(), weights.host.data(), i % channels, i / channels % side,
                            i / channels / side, channels, side);
      },
      1e-5);
}

static const Rows rows("unseen",
                       {{"Laplacian of fourth order", laplacian, 2700, 70},
                        {"seismic wave, 25 points", seismic_wave, 200, 24},
                        {"reaction and diffusion, double", reaction, 1100, 50},
                        {"light in two dimensions", light, 1700, 60},
                        {"sandpile, 30 launches", sandpile, 400, 40},
                        {"page rank", page_rank, 300000, 1 << 9},
                        {"frontier of a graph", frontier, 400000, 1 << 10},
                        {"distances relaxed", distances_relaxed, 200000, 1 << 9},
                        {"triangles of a graph", triangles, 400000, 1 << 9},
                        {"labels of a picture", labels, 700, 40},
                        {"bags of 24 embeddings", bags_of_embeddings, 40000, 50},
                        {"field at particles", field_at_particles, 1500000, 1 << 9},
                        {"charges deposited", charges_deposited, 3000000, 1 << 9},
                        {"keys into buckets", buckets, 3000000, 3000},
                        {"bits of the index reversed", bits_reversed, 23, 10},
                        {"join with chains", join, 2000000, 1 << 9},
                        {"pictures blended, pitched", pictures_blended, 900, 60},
                        {"columns of patches", columns_of_patches, 128, 1},
                        {"traces of matrices", traces_of_matrices, 12000, 9},
                        {"channels moved last", channels_moved, 24, 1},
                        {"matrices of 4x4 turned", small_turned, 1500000, 1 << 9},
                        {"joint histogram", joint_histogram, 2000000, 1 << 9},
                        {"uneven bins", uneven_bins, 1500000, 1 << 9},
                        {"scan in three launches", scan_in_three, 6000, 3},
                        {"totals start again", totals_restarted, 5000, 4},
                        {"box of points", box_of_points, 4000000, 1 << 9},
                        {"sum, the last block finishes", last_block_finishes, 30000000, 1 << 10},
                        {"integral image", integral_image, 2400, 60},
                        {"blocks of 4x4, sparse", blocks_of_four, 90000, 100},
                        {"sparse times 16 columns", sparse_times_columns, 60000, 100},
                        {"tridiagonal systems", tridiagonal, 6000, 40},
                        {"gradients, 36 launches", small_gradients, 4096, 256},
                        {"recursive filters", recursive_filters, 1000, 5},
                        {"words of a text", words_of_a_text, 3000000, 1 << 8},
                        {"hexadecimal digits", hexadecimal, 6000000, 1 << 9},
                        {"integers of 11 bits", unpacked, 10000000, 1 << 9},
                        {"pooling, 3x3", pooling, 700, 2},
                        {"cross entropy", losses, 3000, 4},
                        {"classes of rows", classes_found, 25000, 9},
                        {"rows of halves normalised", halves_normalised, 5000, 4},
                        {"channels convolved apart", channels_convolved, 300, 12}});
