/* Kernels limited by memory accesses, written without knowledge of the
 * model of time. They are predicted first and then measured. The model is not fitted to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <numeric>

static int blocks_of(size_t n, int threads) { return (int)((n + threads - 1) / threads); }

/* ---- stencils ------------------------------------------------------------------------------- */
__host__ __device__ static inline float mean_of_27(const float *in, int nx, int ny, int i) {
  float sum = 0;
  for (int z = -1; z <= 1; z++)
    for (int y = -1; y <= 1; y++)
      for (int x = -1; x <= 1; x++)
        sum += in[i + (z * ny + y) * nx + x];
  return sum / 27.0f;
}
__global__ void mean_in_a_box(const float *in, float *out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int z = blockIdx.z * blockDim.z + threadIdx.z + 1, i = (z * ny + y) * nx + x;
  if (x < nx - 1 && y < ny - 1 && z < nz - 1)
    out[i] = mean_of_27(in, nx, ny, i);
}
static void means_in_boxes(Run &run, int n) {
  const int nx = n, ny = n * 3 / 5, nz = n / 4;
  Buffer<float> in((size_t)nx * ny * nz, unit), out((size_t)nx * ny * nz, none);
  run.time([&] {
    mean_in_a_box<<<dim3(blocks_of(nx, 32), blocks_of(ny, 4), blocks_of(nz, 2)), dim3(32, 4, 2)>>>(
        in, out, nx, ny, nz);
  });
  run.expect_all(
      out,
      [&](int i) {
        int x = i % nx, y = i / nx % ny, z = i / nx / ny;
        bool inside = x && y && z && x < nx - 1 && y < ny - 1 && z < nz - 1;
        return inside ? mean_of_27(in.host.data(), nx, ny, i) : 0;
      },
      1e-5);
}

/* Upwind transport: the sign of the velocity selects the neighbour that is read. */
__host__ __device__ static inline float carried(const float *c, const float *u, const float *v,
                                                int n, int i) {
  float dx = u[i] > 0 ? c[i] - c[i - 1] : c[i + 1] - c[i];
  float dy = v[i] > 0 ? c[i] - c[i - n] : c[i + n] - c[i];
  return c[i] - 0.2f * (u[i] * dx + v[i] * dy);
}
__global__ void upwind(const float *c, const float *u, const float *v, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    out[y * n + x] = carried(c, u, v, n, y * n + x);
}
static void transport(Run &run, int n) {
  Buffer<float> c((size_t)n * n, unit), out((size_t)n * n, none);
  Buffer<float> u((size_t)n * n, [](int i) { return unit(i + 12345) - 0.5f; });
  Buffer<float> v((size_t)n * n, [](int i) { return unit(i + 54321) - 0.5f; });
  run.time(
      [&] { upwind<<<dim3(blocks_of(n, 64), blocks_of(n, 2)), dim3(64, 2)>>>(c, u, v, out, n); });
  run.expect_all(
      out,
      [&](int i) {
        int x = i % n, y = i / n;
        return x && y && x < n - 1 && y < n - 1
                   ? carried(c.host.data(), u.host.data(), v.host.data(), n, i)
                   : 0;
      },
      1e-5);
}

/* Gauss-Seidel in place: one colour of a chessboard in each launch. */
__host__ __device__ static inline float relaxed(const float *u, int n, int i) {
  return 0.25f * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n]);
}
__global__ void relax_colour(float *u, int n, int colour) {
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + ((y + colour) & 1);
  if (x < n - 1 && y < n - 1)
    u[y * n + x] = relaxed(u, n, y * n + x);
}
static void red_and_black(Run &run, int n) {
  Buffer<float> u((size_t)n * n, unit);
  std::vector<float> want = u.host;
  run.time(
      [&] {
        for (int colour = 0; colour < 2; colour++)
          relax_colour<<<dim3(blocks_of(n / 2, 32), blocks_of(n, 8)), dim3(32, 8)>>>(u, n, colour);
      },
      [&] { u.up(); });
  for (int colour = 0; colour < 2; colour++)
    for (int y = 1; y < n - 1; y++)
      for (int x = 1 + ((y + colour) & 1); x < n - 1; x += 2)
        want[y * n + x] = relaxed(want.data(), n, y * n + x);
  run.expect_all(
      u, [&](int i) { return want[i]; }, 1e-5);
}

/* The largest of 33 neighbours on a line. Each block loads its elements into shared memory. */
enum { REACH = 16 };
__global__ void window_maximum(const int *in, int *out, int n) {
  __shared__ int part[256 + 2 * REACH];
  int first = blockIdx.x * blockDim.x - REACH;
  for (int k = threadIdx.x; k < 256 + 2 * REACH; k += blockDim.x)
    part[k] = first + k < 0 || first + k >= n ? INT32_MIN : in[first + k];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, most = INT32_MIN;
  for (int k = 0; k <= 2 * REACH; k++)
    most = max(most, part[threadIdx.x + k]);
  if (i < n)
    out[i] = most;
}
static void window_maxima(Run &run, int n) {
  Buffer<int> in(n, [](int i) { return (int)(bits(i) >> 3); }), out(n);
  run.time([&] { window_maximum<<<blocks_of(n, 256), 256>>>(in, out, n); });
  run.expect_all(out, [&](int i) {
    return *std::max_element(in.host.begin() + std::max(i - REACH, 0),
                             in.host.begin() + std::min(i + REACH + 1, n));
  });
}

/* ---- gathers -------------------------------------------------------------------------------- */
/* A picture is turned by about 33 degrees; coordinates have 16 bits after the point. */
__host__ __device__ static inline int turned_from(int x, int y, int n) {
  int u = (55000 * (x - n / 2) - 35642 * (y - n / 2)) >> 16;
  int v = (35642 * (x - n / 2) + 55000 * (y - n / 2)) >> 16;
  u += n / 2, v += n / 2;
  return u < 0 || v < 0 || u >= n || v >= n ? -1 : v * n + u;
}
__global__ void turn_picture(const uint8_t *in, uint8_t *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  int from = turned_from(x, y, n);
  out[y * n + x] = from < 0 ? 0 : in[from];
}
static void turned_picture(Run &run, int n) {
  Buffer<uint8_t> in((size_t)n * n, [](int i) { return bits(i) & 255; }), out((size_t)n * n);
  run.time([&] {
    turn_picture<<<dim3(blocks_of(n, 16), blocks_of(n, 16)), dim3(16, 16)>>>(in, out, n);
  });
  run.expect_all(out, [&](int i) {
    int from = turned_from(i % n, i / n, n);
    return from < 0 ? 0 : in.host[from];
  });
}

/* Normals of triangles: three indices, each of a vertex of three floats. */
__global__ void triangle_normals(const int *corner, const float3 *vertex, float3 *normal, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float3 a = vertex[corner[3 * i]], b = vertex[corner[3 * i + 1]], c = vertex[corner[3 * i + 2]];
  float3 p = make_float3(b.x - a.x, b.y - a.y, b.z - a.z);
  float3 q = make_float3(c.x - a.x, c.y - a.y, c.z - a.z);
  normal[i] = make_float3(p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x);
}
static void normals(Run &run, int n) {
  const int vertices = n / 2;
  Buffer<int> corner((size_t)3 * n,
                     [=](int i) { return (i / 6 + (int)(bits(i) & 511)) % vertices; });
  Buffer<float3> vertex(vertices), normal(n);
  for (int i = 0; i < vertices; i++)
    vertex.host[i] = make_float3(unit(3 * i), unit(3 * i + 1), unit(3 * i + 2));
  vertex.up();
  run.time([&] { triangle_normals<<<blocks_of(n, 192), 192>>>(corner, vertex, normal, n); });
  normal.down();
  for (int i = 0; i < n; i++) {
    float3 a = vertex.host[corner.host[3 * i]], b = vertex.host[corner.host[3 * i + 1]];
    float3 c = vertex.host[corner.host[3 * i + 2]];
    run.expect(i, normal.host[i].x,
               (b.y - a.y) * (double)(c.z - a.z) - (b.z - a.z) * (double)(c.y - a.y), 1e-5);
    run.expect(i, normal.host[i].z,
               (b.x - a.x) * (double)(c.y - a.y) - (b.y - a.y) * (double)(c.x - a.x), 1e-5);
  }
}

/* Four lanes read a record of 64 bytes; the records are far apart. */
__global__ void read_records(const float4 *table, const int *which, float *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, i = t / 4;
  if (i >= n)
    return;
  float4 v = table[which[i] * 4 + t % 4];
  float sum = v.x + v.y + v.z + v.w;
  sum += __shfl_xor_sync(~0u, sum, 1);
  sum += __shfl_xor_sync(~0u, sum, 2);
  if (t % 4 == 0)
    out[i] = sum;
}
static void records(Run &run, int n) {
  const int entries = 400000;
  Buffer<float4> table((size_t)entries * 4);
  Buffer<int> which(n, [](int i) { return (int)(bits(i) % entries); });
  Buffer<float> out(n);
  for (int i = 0; i < entries * 4; i++)
    table.host[i] = make_float4(i & 15, i & 255, i & 63, i % 100);
  table.up();
  run.time([&] { read_records<<<blocks_of((size_t)n * 4, 256), 256>>>(table, which, out, n); });
  run.expect_all(out, [&](int i) {
    float sum = 0;
    for (int k = 0; k < 4; k++) {
      float4 v = table.host[which.host[i] * 4 + k];
      sum += v.x + v.y + v.z + v.w;
    }
    return sum;
  });
}

/* Pointer jumping: the grandparent's parent becomes the parent. */
__global__ void jump(const int *parent, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = parent[parent[parent[i]]];
}
static void pointers_jump(Run &run, int n) {
  Buffer<int> parent(n, [](int i) { return i ? (int)(bits(i) % (unsigned)i) : 0; }), out(n);
  run.time([&] { jump<<<blocks_of(n, 512), 512>>>(parent, out, n); });
  run.expect_all(out, [&](int i) { return parent.host[parent.host[parent.host[i]]]; });
}

/* Looks addresses up in a trie, two bits at each level, until the first leaf. */
__host__ __device__ static inline int leaf_of(const int *child, uint32_t key) {
  int node = 0;
  for (int bit = 30; node >= 0 && bit >= 0; bit -= 2)
    node = child[node * 4 + (key >> bit & 3)];
  return node;
}
__global__ void find_leaves(const int *child, const uint32_t *keys, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = leaf_of(child, keys[i]);
}
static void trie(Run &run, int n) {
  const int nodes = 1 << 17;
  Buffer<int> child((size_t)nodes * 4, [](int i) {
    int next = i + 1;
    return next >= nodes || bits(i) % 7 == 0 ? -1 - (int)(bits(i) & 1023) : next;
  });
  Buffer<uint32_t> keys(n, [](int i) { return bits(i + 31); });
  Buffer<int> out(n);
  run.time([&] { find_leaves<<<blocks_of(n, 128), 128>>>(child, keys, out, n); });
  run.expect_all(out, [&](int i) { return leaf_of(child.host.data(), keys.host[i]); });
}

/* Line integrals of a picture: a thread for each distance and angle sums pixel by pixel. */
__host__ __device__ static inline int line_sum(const uint8_t *picture, int n, int c, int s, int d) {
  int sum = 0;
  for (int t = -n / 2; t < n / 2; t++) {
    int x = n / 2 + ((d * c - t * s) >> 10), y = n / 2 + ((d * s + t * c) >> 10);
    if (x >= 0 && y >= 0 && x < n && y < n)
      sum += picture[y * n + x];
  }
  return sum;
}
__global__ void project(const uint8_t *picture, const int2 *direction, int *out, int n) {
  int d = blockIdx.x * blockDim.x + threadIdx.x;
  int2 v = direction[blockIdx.y];
  if (d < n)
    out[blockIdx.y * n + d] = line_sum(picture, n, v.x, v.y, d - n / 2);
}
static void projections(Run &run, int n) {
  const int angles = 45;
  Buffer<uint8_t> picture((size_t)n * n, [](int i) { return bits(i) & 127; });
  Buffer<int2> direction(angles);
  Buffer<int> out((size_t)n * angles);
  for (int a = 0; a < angles; a++)
    direction.host[a] = make_int2((int)std::lround(1024 * std::cos(a * 0.0698)),
                                  (int)std::lround(1024 * std::sin(a * 0.0698)));
  direction.up();
  run.time([&] { project<<<dim3(blocks_of(n, 64), angles), 64>>>(picture, direction, out, n); });
  run.expect_all(out, [&](int i) {
    int2 v = direction.host[i / n];
    return line_sum(picture.host.data(), n, v.x, v.y, i % n - n / 2);
  });
}

/* ---- scatters and atomics ------------------------------------------------------------------- */
__global__ void move_records(const float4 *in, const int *to, float4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[to[i]] = in[i];
}
static void records_moved(Run &run, int n) {
  Buffer<float4> in(n), out(n);
  Buffer<int> to(n, [](int i) { return i; });
  for (int i = 0; i < n; i++)
    in.host[i] = make_float4(i & 1023, i & 7, 1, i % 77);
  for (int i = n - 1; i > 0; i--)
    std::swap(to.host[i], to.host[bits(i) % (i + 1)]);
  in.up(), to.up();
  run.time([&] { move_records<<<blocks_of(n, 256), 256>>>(in, to, out, n); });
  out.down();
  for (int i = 0; i < n; i++)
    run.expect(i, out.host[to.host[i]].w + out.host[to.host[i]].x, i % 77 + (i & 1023));
}

/* Forces of springs between random nodes are added to both ends. */
__global__ void pull_springs(const int2 *ends, const float *x, float *force, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int2 e = ends[i];
  float f = 0.5f * (x[e.y] - x[e.x]);
  atomicAdd(&force[e.x], f);
  atomicAdd(&force[e.y], -f);
}
static void springs(Run &run, int n) {
  const int nodes = n / 4;
  Buffer<int2> ends(n);
  Buffer<float> x(nodes, unit), force(nodes);
  std::vector<double> want(nodes);
  for (int i = 0; i < n; i++) {
    int2 e = make_int2(bits(i) % nodes, bits(i + n) % nodes);
    ends.host[i] = e;
    double f = 0.5 * (x.host[e.y] - x.host[e.x]);
    want[e.x] += f, want[e.y] -= f;
  }
  ends.up();
  run.time([&] { pull_springs<<<blocks_of(n, 256), 256>>>(ends, x, force, n); },
           [&] { force.zero(); });
  run.expect_all(
      force, [&](int i) { return want[i]; }, 1e-4);
}

/* Three histograms of a picture at once, one of each colour. */
__global__ void count_colours(const uchar4 *picture, int *counts, int n) {
  __shared__ int mine[3 * 256];
  for (int k = threadIdx.x; k < 3 * 256; k += blockDim.x)
    mine[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uchar4 p = picture[i];
    atomicAdd(&mine[p.x], 1);
    atomicAdd(&mine[256 + p.y], 1);
    atomicAdd(&mine[512 + p.z], 1);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 3 * 256; k += blockDim.x)
    if (mine[k])
      atomicAdd(&counts[k], mine[k]);
}
static void colours_counted(Run &run, int n) {
  Buffer<uchar4> picture(n);
  Buffer<int> counts(3 * 256);
  std::vector<int> want(3 * 256);
  for (int i = 0; i < n; i++) {
    uint32_t b = bits(i);
    uchar4 p = make_uchar4(b & 255, (b >> 8 & 255) * (b >> 24) >> 8, 100 + (b >> 16 & 31), 0);
    picture.host[i] = p;
    want[p.x]++, want[256 + p.y]++, want[512 + p.z]++;
  }
  picture.up();
  run.time([&] { count_colours<<<200, 256>>>(picture, counts, n); }, [&] { counts.zero(); });
  run.expect_all(counts, [&](int i) { return want[i]; });
}

/* Leading zeros are counted: the first of 32 bins gets half of the keys. */
__global__ void count_zeros(const uint32_t *keys, int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&counts[__clz(keys[i] | 1)], 1);
}
static void zeros_counted(Run &run, int n) {
  Buffer<uint32_t> keys(n, [](int i) { return bits(i + 5); });
  Buffer<int> counts(32);
  std::vector<int> want(32);
  for (uint32_t key : keys.host)
    want[__builtin_clz(key | 1)]++;
  run.time([&] { count_zeros<<<blocks_of(n, 128), 128>>>(keys, counts, n); },
           [&] { counts.zero(); });
  run.expect_all(counts, [&](int i) { return want[i]; });
}

/* Keys are inserted into an open hash table; a taken slot leads to the next. */
__global__ void insert_keys(const uint32_t *keys, uint32_t *slots, uint32_t mask, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint32_t key = keys[i], at = mix(key) & mask;
  while (atomicCAS(&slots[at], 0u, key) != 0)
    at = (at + 1) & mask;
}
static void keys_inserted(Run &run, int n) {
  const uint32_t mask = 2 * n - 1;
  Buffer<uint32_t> keys(n, [](int i) { return 2654435761u * (i + 1); }), slots(2 * (size_t)n);
  run.time([&] { insert_keys<<<blocks_of(n, 256), 256>>>(keys, slots, mask, n); },
           [&] { slots.zero(); });
  slots.down();
  for (int i = 0; i < n; i++) {
    uint32_t at = mix(keys.host[i]) & mask;
    while (slots.host[at] != keys.host[i] && slots.host[at])
      at = (at + 1) & mask;
    run.expect(i, slots.host[at], keys.host[i]);
  }
  run.expect(n, std::count(slots.host.begin(), slots.host.end(), 0u), n);
}

/* A sparse matrix as triples: every product is added to its row atomically. */
__global__ void multiply_triples(const int *row, const int *column, const float *value,
                                 const float *x, float *y, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < n)
    atomicAdd(&y[row[k]], value[k] * x[column[k]]);
}
static void triples(Run &run, int n) {
  const int rows = n / 8;
  Buffer<int> row(n, [=](int k) { return k / 8; });
  Buffer<int> column(n, [=](int k) { return bits(k) % rows; });
  Buffer<float> value(n, [](int k) { return unit(k + 1) - 0.5f; }), x(rows, unit), y(rows);
  std::vector<double> want(rows);
  for (int k = 0; k < n; k++)
    want[k / 8] += value.host[k] * (double)x.host[column.host[k]];
  run.time([&] { multiply_triples<<<blocks_of(n, 256), 256>>>(row, column, value, x, y, n); },
           [&] { y.zero(); });
  run.expect_all(
      y, [&](int i) { return want[i]; }, 1e-5);
}

/* ---- rows and columns ----------------------------------------------------------------------- */
/* Sparse rows of very different lengths. Four lanes compute each row. */
__global__ void multiply_rows_by_four(const int *start, const int *column, const double *value,
                                      const double *x, double *y, int rows) {
  auto tile = cooperative_groups::tiled_partition<4>(cooperative_groups::this_thread_block());
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 4;
  if (row >= rows)
    return;
  double sum = 0;
  for (int k = start[row] + tile.thread_rank(); k < start[row + 1]; k += 4)
    sum += value[k] * x[column[k]];
  sum = cooperative_groups::reduce(tile, sum, cooperative_groups::plus<double>());
  if (tile.thread_rank() == 0)
    y[row] = sum;
}
static void uneven_rows(Run &run, int rows) {
  Buffer<int> start(rows + 1);
  for (int r = 0; r < rows; r++)
    start.host[r + 1] = start.host[r] + (bits(r) % 50 == 0 ? 150 + bits(r) % 300 : bits(r) % 13);
  start.up();
  const int terms = start.host[rows];
  Buffer<int> column(terms, [=](int k) { return bits(k) % rows; });
  Buffer<double> value(terms, unit), x(rows, unit), y(rows);
  run.time([&] {
    multiply_rows_by_four<<<blocks_of((size_t)rows * 4, 128), 128>>>(start, column, value, x, y,
                                                                     rows);
  });
  run.expect_all(
      y,
      [&](int r) {
        double sum = 0;
        for (int k = start.host[r]; k < start.host[r + 1]; k++)
          sum += value.host[k] * x.host[column.host[k]];
        return sum;
      },
      1e-9);
}

/* The maximum of each column. Each thread reads 64 rows. */
__global__ void column_maxima(const int *matrix, int *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, most = 0;
  if (x >= width)
    return;
  for (int y = blockIdx.y * 64; y < min((blockIdx.y + 1) * 64, height); y++)
    most = max(most, matrix[y * width + x]);
  atomicMax(&out[x], most);
}
static void maxima(Run &run, int width) {
  const int height = 1500;
  Buffer<int> matrix((size_t)width * height, [](int i) { return (int)(bits(i) >> 4); }), out(width);
  std::vector<int> want(width);
  for (size_t i = 0; i < matrix.host.size(); i++)
    want[i % width] = std::max(want[i % width], matrix.host[i]);
  run.time(
      [&] {
        column_maxima<<<dim3(blocks_of(width, 96), blocks_of(height, 64)), 96>>>(matrix, out, width,
                                                                                 height);
      },
      [&] { out.zero(); });
  run.expect_all(out, [&](int i) { return want[i]; });
}

/* A block sums the bytes of one row of a pitched picture. */
__global__ void byte_row_sums(const uint8_t *picture, size_t pitch, int width, int *out) {
  __shared__ int sums[128];
  int sum = 0;
  for (int x = threadIdx.x; x < width; x += blockDim.x)
    sum += picture[blockIdx.x * pitch + x];
  sums[threadIdx.x] = sum;
  for (int half = 64; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = sums[0];
}
static void sums_of_pitched_rows(Run &run, int height) {
  const int width = 2500;
  std::vector<uint8_t> host((size_t)width * height);
  for (size_t i = 0; i < host.size(); i++)
    host[i] = bits((int)i) & 255;
  Buffer<int> out(height);
  uint8_t *picture;
  size_t pitch;
  CHECK(cudaMallocPitch(&picture, &pitch, width, height));
  CHECK(cudaMemcpy2D(picture, pitch, host.data(), width, width, height, cudaMemcpyHostToDevice));
  run.time([&] { byte_row_sums<<<height, 128>>>(picture, pitch, width, out); });
  CHECK(cudaFree(picture));
  run.expect_all(out, [&](int y) {
    return std::accumulate(&host[(size_t)y * width], &host[(size_t)y * width] + width, 0);
  });
}

/* A rectangle of doubles is cut out of a matrix; its rows begin anywhere. */
__global__ void cut_out(const double *in, double *out, int stride, int left, int top, int width,
                        int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = in[(y + top) * stride + x + left];
}
static void cut(Run &run, int n) {
  const int stride = n + 37, height = n / 2;
  Buffer<double> in((size_t)stride * (height + 9), unit), out((size_t)n * height);
  run.time([&] {
    cut_out<<<dim3(blocks_of(n, 32), blocks_of(height, 4)), dim3(32, 4)>>>(in, out, stride, 11, 5,
                                                                           n, height);
  });
  run.expect_all(out, [&](int i) { return in.host[(i / n + 5) * stride + i % n + 11]; });
}

/* ---- transposes ----------------------------------------------------------------------------- */
__global__ void turn_shorts(const uint16_t *in, uint16_t *out, int width, int height) {
  __shared__ uint16_t tile[32][34];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
  for (int k = threadIdx.y; k < 32; k += blockDim.y)
    if (x < width && y + k < height)
      tile[k][threadIdx.x] = in[(y + k) * width + x];
  __syncthreads();
  x = blockIdx.x * 32, y = blockIdx.y * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += blockDim.y)
    if (x + k < width && y < height)
      out[(x + k) * height + y] = tile[threadIdx.x][k];
}
static void shorts_turned(Run &run, int width) {
  const int height = width * 7 / 10 + 1;
  Buffer<uint16_t> in((size_t)width * height, [](int i) { return bits(i) & 65535; });
  Buffer<uint16_t> out((size_t)width * height);
  run.time([&] {
    turn_shorts<<<dim3(blocks_of(width, 32), blocks_of(height, 32)), dim3(32, 4)>>>(in, out, width,
                                                                                    height);
  });
  run.expect_all(out, [&](int i) { return in.host[(i % height) * width + i / height]; });
}

/* Transposes in place: a block exchanges two tiles, and half of the blocks have no tile. */
__global__ void turn_in_place(float *m, int n) {
  __shared__ float upper[16][17], lower[16][17];
  if (blockIdx.x < blockIdx.y)
    return;
  int i = (blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x;
  int j = (blockIdx.x * 16 + threadIdx.y) * n + blockIdx.y * 16 + threadIdx.x;
  upper[threadIdx.y][threadIdx.x] = m[i];
  lower[threadIdx.y][threadIdx.x] = m[j];
  __syncthreads();
  m[j] = upper[threadIdx.x][threadIdx.y];
  if (i != j)
    m[i] = lower[threadIdx.x][threadIdx.y];
}
static void turned_in_place(Run &run, int n) {
  Buffer<float> m((size_t)n * n, unit);
  std::vector<float> before = m.host;
  run.time([&] { turn_in_place<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(m, n); }, [&] { m.up(); });
  run.expect_all(m, [&](int i) { return before[i % n * n + i / n]; });
}

/* Pixels of three bytes become three planes. */
__global__ void planes_of(const uchar3 *picture, uint8_t *planes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uchar3 p = picture[i];
  planes[i] = p.x;
  planes[n + i] = p.y;
  planes[2 * n + i] = p.z;
}
static void planes(Run &run, int n) {
  Buffer<uchar3> picture(n);
  Buffer<uint8_t> out((size_t)3 * n);
  for (int i = 0; i < n; i++)
    picture.host[i] = make_uchar3(bits(i) & 255, bits(i) >> 8 & 255, bits(i) >> 16 & 255);
  picture.up();
  run.time([&] { planes_of<<<blocks_of(n, 256), 256>>>(picture, out, n); });
  run.expect_all(out, [&](int i) { return bits(i % n) >> 8 * (i / n) & 255; });
}

/* ---- sums ----------------------------------------------------------------------------------- */
/* Sum and sum of squares in double, for a variance in one pass. */
__global__ void two_moments(const float *in, double *out, int n) {
  auto block = cooperative_groups::this_thread_block();
  auto warp = cooperative_groups::tiled_partition<32>(block);
  double sum = 0, squares = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += in[i];
    squares += (double)in[i] * in[i];
  }
  sum = cooperative_groups::reduce(warp, sum, cooperative_groups::plus<double>());
  squares = cooperative_groups::reduce(warp, squares, cooperative_groups::plus<double>());
  if (warp.thread_rank() == 0) {
    atomicAdd(&out[0], sum);
    atomicAdd(&out[1], squares);
  }
}
static void variance(Run &run, int n) {
  Buffer<float> in(n, unit);
  Buffer<double> out(2);
  double want[2] = {0, 0};
  for (float x : in.host)
    want[0] += x, want[1] += (double)x * x;
  run.time([&] { two_moments<<<160, 192>>>(in, out, n); }, [&] { out.zero(); });
  run.expect_all(
      out, [&](int i) { return want[i]; }, 1e-4);
}

/* Sums of segments: each warp scans up to the heads of segments and adds each part atomically. */
__global__ void segment_sums(const int *segment, const int *value, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int s = i < n ? segment[i] : -1, sum = i < n ? value[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(~0u, s, d), more = __shfl_up_sync(~0u, sum, d);
    if (lane >= d && other == s)
      sum += more;
  }
  int next = __shfl_down_sync(~0u, s, 1);
  if (s >= 0 && (lane == 31 || next != s))
    atomicAdd(&out[s], sum);
}
static void segments(Run &run, int n) {
  Buffer<int> segment(n), value(n, [](int i) { return (int)(bits(i) & 255); });
  for (int i = 1; i < n; i++)
    segment.host[i] = segment.host[i - 1] + (bits(i) % 19 == 0);
  segment.up();
  Buffer<int> out(segment.host[n - 1] + 1);
  std::vector<int> want(out.host.size());
  for (int i = 0; i < n; i++)
    want[segment.host[i]] += value.host[i];
  run.time([&] { segment_sums<<<blocks_of(n, 256), 256>>>(segment, value, out, n); },
           [&] { out.zero(); });
  run.expect_all(out, [&](int i) { return want[i]; });
}

/* ---- bytes and bits ------------------------------------------------------------------------- */
/* Counts newlines. Each thread reads 16 characters. */
__global__ void count_newlines(const uint4 *text, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
  if (i < n) {
    uint4 v = text[i];
    uint32_t words[4] = {v.x, v.y, v.z, v.w};
    for (int k = 0; k < 4; k++) {
      uint32_t zero = words[k] ^ 0x0a0a0a0au;
      uint32_t carry = (zero & 0x7f7f7f7fu) + 0x7f7f7f7fu;
      count += __popc(~(carry | zero | 0x7f7f7f7fu));
    }
  }
  for (int d = 16; d; d /= 2)
    count += __shfl_down_sync(~0u, count, d);
  if (threadIdx.x % 32 == 0 && count)
    atomicAdd(out, count);
}
static void newlines(Run &run, int n) {
  Buffer<uint8_t> text((size_t)16 * n,
                       [](int i) { return bits(i) % 40 ? 'a' + bits(i) % 26 : 10; });
  Buffer<int> out(1);
  run.time([&] { count_newlines<<<blocks_of(n, 256), 256>>>((uint4 *)text.device, out, n); },
           [&] { out.zero(); });
  run.expect_all(out, [&](int) { return std::count(text.host.begin(), text.host.end(), 10); });
}

/* Three bytes become four letters of a table in constant memory. */
__constant__ char letters64[64];
__global__ void encode64(const uint8_t *in, char4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint32_t v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
  out[i] = make_char4(letters64[v >> 18], letters64[v >> 12 & 63], letters64[v >> 6 & 63],
                      letters64[v & 63]);
}
static void encoded64(Run &run, int n) {
  const char *letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Buffer<uint8_t> in((size_t)3 * n, [](int i) { return bits(i) & 255; });
  Buffer<char4> out(n);
  CHECK(cudaMemcpyToSymbol(letters64, letters, 64));
  run.time([&] { encode64<<<blocks_of(n, 128), 128>>>(in, out, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    run.expect(i, out.host[i].x, letters[in.host[3 * i] >> 2]);
    run.expect(i, out.host[i].w, letters[in.host[3 * i + 2] & 63]);
  }
}

/* A picture of bits grows by one pixel in four directions. */
__global__ void grow(const uint32_t *in, uint32_t *out, int words, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= words)
    return;
  const uint32_t *row = in + y * words;
  uint32_t v = row[x], left = x ? row[x - 1] : 0, right = x + 1 < words ? row[x + 1] : 0;
  v |= __funnelshift_l(left, v, 1) | __funnelshift_r(v, right, 1);
  if (y)
    v |= row[x - words];
  if (y + 1 < height)
    v |= row[x + words];
  out[y * words + x] = v;
}
static void grown(Run &run, int height) {
  const int words = 150, width = words * 32;
  Buffer<uint32_t> in((size_t)words * height,
                      [](int i) { return bits(i) & bits(i + 7) & bits(i + 99); });
  Buffer<uint32_t> out((size_t)words * height);
  run.time([&] { grow<<<dim3(blocks_of(words, 64), height), 64>>>(in, out, words, height); });
  auto set = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < width && y < height && in.host[y * words + x / 32] >> x % 32 & 1;
  };
  run.expect_all(out, [&](int i) {
    uint32_t v = 0;
    for (int b = 0; b < 32; b++) {
      int x = i % words * 32 + b, y = i / words;
      if (set(x, y) || set(x - 1, y) || set(x + 1, y) || set(x, y - 1) || set(x, y + 1))
        v |= 1u << b;
    }
    return v;
  });
}

/* ---- others --------------------------------------------------------------------------------- */
/* Sines from a table in constant memory. Each lane reads a different address. */
__constant__ float sine_table[1025];
__global__ void interpolate_sine(const float *turn, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = turn[i] * 1024.0f;
  int k = (int)x;
  out[i] = sine_table[k] + (x - k) * (sine_table[k + 1] - sine_table[k]);
}
static void sine_by_table(Run &run, int n) {
  Buffer<float> turn(n, unit), out(n);
  std::vector<float> sines(1025);
  for (int k = 0; k <= 1024; k++)
    sines[k] = (float)std::sin(k * 6.283185307179586 / 1024);
  CHECK(cudaMemcpyToSymbol(sine_table, sines.data(), sizeof sine_table));
  run.time([&] { interpolate_sine<<<blocks_of(n, 256), 256>>>(turn, out, n); });
  run.expect_all(
      out, [&](int i) { return std::sin(turn.host[i] * 6.283185307179586); }, 1e-4);
}

/* Passes of a bitonic sort in device memory at three distances. */
__global__ void exchange(uint32_t *keys, int distance, int run_length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = i ^ distance;
  if (j <= i)
    return;
  uint32_t a = keys[i], b = keys[j];
  if ((a > b) == ((i & run_length) == 0)) {
    keys[i] = b;
    keys[j] = a;
  }
}
static void exchanges(Run &run, int n) {
  Buffer<uint32_t> keys(n, [](int i) { return bits(i); });
  std::vector<uint32_t> want = keys.host;
  run.time(
      [&] {
        for (int distance : {n / 2, n / 64, 4})
          exchange<<<n / 256, 256>>>(keys, distance, n);
      },
      [&] { keys.up(); });
  for (int distance : {n / 2, n / 64, 4})
    for (int i = 0; i < n; i++)
      if ((i ^ distance) > i && want[i] > want[i ^ distance])
        std::swap(want[i], want[i ^ distance]);
  run.expect_all(keys, [&](int i) { return want[i]; });
}

/* Records of seven floats: position, velocity, mass. */
struct Body {
  float x, y, z, vx, vy, vz, mass;
};
__global__ void advance(Body *bodies, float step, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Body b = bodies[i];
  b.x += step * b.vx;
  b.y += step * b.vy;
  b.z += step * b.vz;
  b.vz -= step * 9.81f;
  bodies[i] = b;
}
static void bodies_advance(Run &run, int n) {
  Buffer<Body> bodies(n);
  for (int i = 0; i < n; i++)
    bodies.host[i] = {unit(i), unit(i + 1), unit(i + 2), unit(i + 3), unit(i + 4), unit(i + 5), 1};
  std::vector<Body> before = bodies.host;
  run.time([&] { advance<<<blocks_of(n, 128), 128>>>(bodies, 0.01f, n); }, [&] { bodies.up(); });
  bodies.down();
  for (int i = 0; i < n; i++) {
    run.expect(i, bodies.host[i].y, before[i].y + 0.01 * before[i].vy, 1e-6);
    run.expect(i, bodies.host[i].vz, before[i].vz - 0.0981, 1e-5);
  }
}

/* Forty launches of two small blocks. */
__global__ void add_small(float *sum, const float *step, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sum[i] += step[i];
}
static void small_launches(Run &run, int n) {
  Buffer<float> sum(n, none), step(n, [](int i) { return (float)(i & 15); });
  run.time(
      [&] {
        for (int k = 0; k < 40; k++)
          add_small<<<blocks_of(n, 96), 96>>>(sum, step, n);
      },
      [&] { sum.up(); });
  run.expect_all(sum, [&](int i) { return 40 * (i & 15); });
}

/* A matrix in half precision times a vector. Each block computes one row. */
__global__ void half_matvec(const __half2 *matrix, const __half2 *x, float *y, int pairs) {
  __shared__ float sums[4];
  float sum = 0;
  for (int k = threadIdx.x; k < pairs; k += blockDim.x) {
    float2 p = __half22float2(__hmul2(matrix[(size_t)blockIdx.x * pairs + k], x[k]));
    sum += p.x + p.y;
  }
  for (int d = 16; d; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    y[blockIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}
static void half_rows(Run &run, int rows) {
  const int pairs = 700;
  Buffer<__half2> matrix((size_t)rows * pairs), x(pairs);
  Buffer<float> y(rows);
  auto entry = [](size_t i) { return (int)(bits((int)i) & 15) - 8; };
  for (size_t i = 0; i < matrix.host.size(); i++)
    matrix.host[i] = __floats2half2_rn((float)entry(2 * i), (float)entry(2 * i + 1));
  for (int k = 0; k < pairs; k++)
    x.host[k] = __floats2half2_rn((float)(k % 5), (float)(k % 3));
  matrix.up(), x.up();
  run.time([&] { half_matvec<<<rows, 128>>>(matrix, x, y, pairs); });
  run.expect_all(y, [&](int r) {
    int sum = 0;
    for (int k = 0; k < pairs; k++) {
      size_t i = (size_t)r * pairs + k;
      sum += entry(2 * i) * (k % 5) + entry(2 * i + 1) * (k % 3);
    }
    return sum;
  });
}

static const Rows rows("fresh", {{"mean of 27 in a box", means_in_boxes, 400, 40},
                                 {"transport, upwind", transport, 2200, 70},
                                 {"red and black cells", red_and_black, 1800, 66},
                                 {"maximum of a window of 33", window_maxima, 1000003, 1 << 10},
                                 {"picture turned by 33 degrees", turned_picture, 1300, 60},
                                 {"normals of triangles", normals, 400000, 1 << 9},
                                 {"records of 64 bytes", records, 1 << 18, 1 << 8},
                                 {"pointers jump twice", pointers_jump, 1 << 20, 1 << 9},
                                 {"leaves of a trie", trie, 1 << 19, 1 << 9},
                                 {"projections of a picture", projections, 1024, 32},
                                 {"records of 16 bytes moved", records_moved, 1 << 19, 1 << 9},
                                 {"springs on a graph", springs, 1 << 21, 1 << 9},
                                 {"colours counted", colours_counted, 6000000, 1 << 9},
                                 {"leading zeros counted", zeros_counted, 1 << 20, 1 << 9},
                                 {"keys into a hash table", keys_inserted, 1 << 20, 1 << 9},
                                 {"sparse triples", triples, 1 << 20, 1 << 9},
                                 {"uneven rows, four lanes", uneven_rows, 100000, 1 << 8},
                                 {"maxima of columns", maxima, 6000, 50},
                                 {"sums of pitched rows", sums_of_pitched_rows, 4000, 8},
                                 {"rectangle of doubles", cut, 1500, 64},
                                 {"shorts turned", shorts_turned, 4000, 70},
                                 {"turned in place", turned_in_place, 1280, 64},
                                 {"planes of a picture", planes, 1700000, 1 << 9},
                                 {"variance, one pass", variance, 20000000, 1 << 12},
                                 {"sums of segments", segments, 1 << 20, 1 << 9},
                                 {"newlines of a text", newlines, 500000, 1 << 8},
                                 {"letters of base 64", encoded64, 1 << 20, 1 << 9},
                                 {"bits grow", grown, 4000, 20},
                                 {"sines from a constant table", sine_by_table, 1 << 20, 1 << 9},
                                 {"exchanges of a large sort", exchanges, 1 << 20, 1 << 10},
                                 {"bodies of seven floats", bodies_advance, 400000, 1 << 9},
                                 {"forty small launches", small_launches, 180, 100},
                                 {"half precision rows", half_rows, 10000, 8}});
