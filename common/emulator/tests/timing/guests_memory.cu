/* Kernels limited by memory accesses, as courses, libraries and applications have them. They were
 * written without knowledge of the model of time, and the model is not fitted to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <cuda_fp16.h>
#include <numeric>

static int blocks_of(size_t n, int threads) { return (int)((n + threads - 1) / threads); }

__host__ __device__ static inline float bent_at(const float *w, int n, int i) {
  float near = w[i - 1] + w[i + 1] + w[i - n] + w[i + n];
  float corners = w[i - n - 1] + w[i - n + 1] + w[i + n - 1] + w[i + n + 1];
  float far = w[i - 2] + w[i + 2] + w[i - 2 * n] + w[i + 2 * n];
  return 20 * w[i] - 8 * near + 2 * corners + far;
}
__global__ void bend_plate(const float *w, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 2, y = blockIdx.y * blockDim.y + threadIdx.y + 2;
  if (x < n - 2 && y < n - 2)
    out[y * n + x] = bent_at(w, n, y * n + x);
}
static void plate_bent(Run &run, int n) {
  Buffer<float> w((size_t)n * n, unit), out((size_t)n * n, none);
  dim3 grid(blocks_of(n - 4, 64), blocks_of(n - 4, 4));
  run.time([&] { bend_plate<<<grid, dim3(64, 4)>>>(w, out, n); });
  auto want = [&](int i) {
    int x = i % n, y = i / n;
    bool inside = std::min(x, y) >= 2 && std::max(x, y) < n - 2;
    return inside ? bent_at(w.host.data(), n, i) : 0;
  };
  run.expect_all(out, want, 1e-3);
}

/* The halo exchange of a cubic domain: six faces are packed for the neighbours. */
__host__ __device__ static inline int cell_of(int face, int a, int b, int n) {
  int side = face & 1 ? n - 1 : 0, along = face < 2 ? n : 1, over = face < 4 ? n * n : n;
  return a * along + b * over + side * (face < 2 ? 1 : face < 4 ? n : n * n);
}
__global__ void pack_faces(const double *cells, double *faces, int n) {
  int a = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y, face = blockIdx.z;
  if (a < n)
    faces[(face * n + b) * n + a] = cells[cell_of(face, a, b, n)];
}
static void faces_packed(Run &run, int n) {
  Buffer<double> cells((size_t)n * n * n, unit), faces(6 * n * n);
  run.time([&] { pack_faces<<<dim3(blocks_of(n, 128), n, 6), 128>>>(cells, faces, n); });
  run.expect_all(faces, [&](int i) { return cells.host[cell_of(i / n / n, i % n, i / n % n, n)]; });
}

__global__ void assemble_quads(const int4 *quads, const float *stiff, const float *u, float *force,
                               int count) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= count)
    return;
  int4 q = quads[e];
  float k = stiff[e] / 6, a = u[q.x], b = u[q.y], c = u[q.z], d = u[q.w];
  atomicAdd(&force[q.x], k * (4 * a - b - d - 2 * c));
  atomicAdd(&force[q.y], k * (4 * b - a - c - 2 * d));
  atomicAdd(&force[q.z], k * (4 * c - b - d - 2 * a));
  atomicAdd(&force[q.w], k * (4 * d - a - c - 2 * b));
}
static void quads_assembled(Run &run, int n) {
  int side = n - 1, count = side * side;
  auto node = [&](int x, int y) { return (y * n + x) ^ (int)(bits((y * n + x) / 32) & 31); };
  Buffer<int4> quads(count, [&](int e) {
    int x = e % side, y = e / side;
    return make_int4(node(x, y), node(x + 1, y), node(x + 1, y + 1), node(x, y + 1));
  });
  Buffer<float> stiff(count, unit), u(n * n, unit), force(n * n, none);
  run.time([&] { assemble_quads<<<blocks_of(count, 128), 128>>>(quads, stiff, u, force, count); },
           [&] { force.zero(); });
  std::vector<double> want(n * n);
  for (int i = 0; i < 4 * count; i++) {
    const int *q = &quads.host[i / 4].x, a = i % 4;
    double near = u.host[q[(a + 1) & 3]] + u.host[q[(a + 3) & 3]], far = u.host[q[(a + 2) & 3]];
    want[q[a]] += stiff.host[i / 4] / 6 * (4 * u.host[q[a]] - near - 2 * far);
  }
  for (int i = (force.down(), 0); i < n * n; i++)
    run.expect(i, force.host[i], want[i], 1e-4);
}

/* Rows of a sparse matrix or a graph: row i has `least` to `most` entries, near i. */
struct Sparse {
  int entries = 0, row = 0;
  Buffer<int> begin, column;
  Sparse(int n, int least, int most, int reach)
      : begin(n + 1,
              [&](int i) {
                return i ? entries += least + (int)(bits(i) % (uint32_t)(most - least + 1)) : 0;
              }),
        column(entries, [&](int k) {
          while (k >= begin.host[row + 1])
            row++;
          return (row + (int)(bits(k) % (uint32_t)(2 * reach)) + 2 * n - reach) % n;
        }) {}
};
__global__ void jacobi_sweep(const int *begin, const int *column, const double *value,
                             const double *x, const double *b, double *next, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double rest = b[i];
  for (int k = begin[i]; k < begin[i + 1]; k++)
    rest -= value[k] * x[column[k]];
  next[i] = rest / 20;
}
static void jacobi(Run &run, int n) {
  Sparse rows(n, 3, 12, 1000);
  Buffer<double> value(rows.entries, unit), x(n, unit), b(n, unit), next(n);
  int *begin = rows.begin, *column = rows.column, blocks = blocks_of(n, 256);
  run.time([&] { jacobi_sweep<<<blocks, 256>>>(begin, column, value, x, b, next, n); });
  auto want = [&](int i) {
    double rest = b.host[i];
    for (int k = rows.begin.host[i]; k < rows.begin.host[i + 1]; k++)
      rest -= value.host[k] * x.host[rows.column.host[k]];
    return rest / 20;
  };
  run.expect_all(next, want, 1e-12);
}

__host__ __device__ static inline int walked(const int *begin, const int *column, int i, int n) {
  int v = (int)(mix(i) % (uint32_t)n);
  for (int step = 0; step < 40; step++) {
    int first = begin[v], degree = begin[v + 1] - first;
    v = column[first + mix(i * 40 + step) % (uint32_t)degree];
  }
  return v;
}
__global__ void wander(const int *begin, const int *column, int *last, int walkers, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < walkers)
    last[i] = walked(begin, column, i, n);
}
static void walks_on_a_graph(Run &run, int n) {
  Sparse rows(n, 2, 14, n);
  Buffer<int> last(n / 2);
  run.time(
      [&] { wander<<<blocks_of(n / 2, 128), 128>>>(rows.begin, rows.column, last, n / 2, n); });
  run.expect_all(
      last, [&](int i) { return walked(rows.begin.host.data(), rows.column.host.data(), i, n); });
}

__global__ void compress_rows(const float *a, const int *begin, int *column, float *value, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int to = row < n ? begin[row] : 0;
  for (int x = lane; x < 1024 && row < n; x += 32) {
    float v = a[(size_t)row * 1024 + x];
    unsigned kept = __ballot_sync(~0u, v != 0);
    int at = to + __popc(kept & ((1u << lane) - 1));
    if (v != 0)
      column[at] = x, value[at] = v;
    to += __popc(kept);
  }
}
static void dense_compressed(Run &run, int rows) {
  const int width = 1024;
  Buffer<float> dense((size_t)rows * width, [](int i) { return bits(i) % 8 ? 0 : unit(i) + 1; });
  std::vector<int> at;
  Buffer<int> begin(rows, [&](int row) {
    size_t first = at.size();
    for (int i = row * width; i < (row + 1) * width; i++)
      if (dense.host[i] != 0)
        at.push_back(i);
    return first;
  });
  Buffer<int> column(at.size());
  Buffer<float> value(at.size());
  run.time([&] { compress_rows<<<blocks_of(rows, 4), 128>>>(dense, begin, column, value, rows); });
  run.expect_all(column, [&](int i) { return at[i] % width; });
  run.expect_all(value, [&](int i) { return dense.host[at[i]]; });
}

__global__ void rows_of_entries(const int *begin, int *row, int n, int entries) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= entries)
    return;
  int low = 0, high = n;
  while (high - low > 1) {
    int middle = (low + high) / 2, above = begin[middle] <= k;
    low = above ? middle : low, high = above ? high : middle;
  }
  row[k] = low;
}
static void coordinates(Run &run, int n) {
  Sparse rows(n, 1, 15, 100);
  int entries = rows.entries, want = 0;
  Buffer<int> row(entries);
  run.time([&] { rows_of_entries<<<blocks_of(entries, 256), 256>>>(rows.begin, row, n, entries); });
  run.expect_all(row, [&](int k) {
    while (k >= rows.begin.host[want + 1])
      want++;
    return want;
  });
}

/* Each thread counts in bytes of its own, as in the sample histogram64. */
__global__ void histogram_of_own_bytes(const uint32_t *data, int *bins) {
  __shared__ unsigned char counts[64][64];
  int t = threadIdx.x;
  for (int b = 0; b < 64; b++)
    counts[b][t] = 0;
  for (int k = 0; k < 60; k++) {
    uint32_t word = data[(blockIdx.x * 60 + k) * 64 + t];
    for (int shift = 2; shift < 32; shift += 8)
      counts[word >> shift & 63][t]++;
  }
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 64; k++)
    sum += counts[t][(k + t) & 63];
  atomicAdd(&bins[t], sum);
}
static void own_bytes(Run &run, int blocks) {
  Buffer<uint32_t> data((size_t)blocks * 3840, bits);
  Buffer<int> bins(64, none);
  run.time([&] { histogram_of_own_bytes<<<blocks, 64>>>(data, bins); }, [&] { bins.zero(); });
  std::vector<int> want(64);
  for (uint32_t word : data.host)
    for (int shift = 2; shift < 32; shift += 8)
      want[word >> shift & 63]++;
  run.expect_all(bins, [&](int i) { return want[i]; });
}

__global__ void scan_coarse(const int *in, int *out) {
  __shared__ int values[2048], last[128];
  int t = threadIdx.x, from = blockIdx.x * 2048;
  for (int k = t; k < 2048; k += 128)
    values[k] = in[from + k];
  __syncthreads();
  for (int k = 1; k < 16; k++)
    values[t * 16 + k] += values[t * 16 + k - 1];
  last[t] = values[t * 16 + 15];
  for (int step = 1; step < 128; step *= 2) {
    __syncthreads();
    int left = t >= step ? last[t - step] : 0;
    __syncthreads();
    last[t] += left;
  }
  __syncthreads();
  for (int k = t; k < 2048; k += 128)
    out[from + k] = values[k] + (k >= 16 ? last[k / 16 - 1] : 0);
}
static void coarse_scan(Run &run, int blocks) {
  Buffer<int> in(blocks * 2048, [](int i) { return bits(i) % 100; }), out(blocks * 2048);
  run.time([&] { scan_coarse<<<blocks, 128>>>(in, out); });
  int sum = 0;
  run.expect_all(out, [&](int i) { return sum = (i % 2048 ? sum : 0) + in.host[i]; });
}

__global__ void square_error(const float *a, const float *b, double *total, int n) {
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float4 p = ((const float4 *)a)[i], q = ((const float4 *)b)[i];
    float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z, w = p.w - q.w;
    sum += x * x + y * y + z * z + w * w;
  }
  for (int step = 16; step; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0)
    atomicAdd(total, sum);
}
static void squared_errors(Run &run, int n) {
  Buffer<float> a(4 * (size_t)n, unit), b(4 * (size_t)n, [](int i) { return unit(i + 99); });
  Buffer<double> total(1, none);
  int blocks = std::min(1056, blocks_of(n, 256));
  run.time([&] { square_error<<<blocks, 256>>>(a, b, total, n); }, [&] { total.zero(); });
  double sum = 0;
  for (int i = 0; i < 4 * n; i++)
    sum += std::pow((double)a.host[i] - b.host[i], 2);
  total.down();
  run.expect(0, total.host[0], sum, 1e-6 * sum);
}

__global__ void halve_sums(int *values, int half) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half)
    values[i] += values[i + half];
}
static void halvings(Run &run, int n) {
  Buffer<int> values(n, [](int i) { return bits(i) % 1000; });
  run.time(
      [&] {
        for (int half = n / 2; half; half /= 2)
          halve_sums<<<blocks_of(half, 128), 128>>>(values, half);
      },
      [&] { values.up(); });
  int sum = std::accumulate(values.host.begin(), values.host.end(), 0);
  values.down();
  run.expect(0, values.host[0], sum);
}

/* The cheapest path down a picture of 512 columns, for the carving of seams. */
__global__ void carve_seam(const float *energy, float *cost, signed char *from, int rows) {
  __shared__ float line[2][514];
  int x = threadIdx.x + 1;
  line[0][x] = energy[x - 1];
  if (x == 1)
    line[0][0] = line[0][513] = line[1][0] = line[1][513] = 1e30f;
  for (int y = 1; y < rows; y++) {
    __syncthreads();
    const float *above = line[~y & 1];
    int step = above[x - 1] < above[x] ? -1 : 0;
    step = above[x + 1] < above[x + step] ? 1 : step;
    line[y & 1][x] = above[x + step] + energy[y * 512 + x - 1];
    from[y * 512 + x - 1] = (signed char)step;
  }
  cost[x - 1] = line[~rows & 1][x];
}
static void seam(Run &run, int rows) {
  Buffer<float> energy(rows * 512, unit), cost(512);
  Buffer<signed char> from(rows * 512, none);
  run.time([&] { carve_seam<<<1, 512>>>(energy, cost, from, rows); });
  std::vector<float> line(514, 1e30f), next = line;
  std::copy_n(energy.host.begin(), 512, line.begin() + 1);
  from.down();
  for (int y = 1; y < rows; y++, line.swap(next))
    for (int x = 1; x <= 512; x++) {
      int step = line[x - 1] < line[x] ? -1 : 0;
      step = line[x + 1] < line[x + step] ? 1 : step;
      next[x] = line[x + step] + energy.host[y * 512 + x - 1];
      run.expect(y * 512 + x - 1, from.host[y * 512 + x - 1], step);
    }
  run.expect_all(cost, [&](int x) { return line[x + 1]; });
}

/* A small picture of n bytes is equalised: histogram, scan and map. */
__global__ void equalise_small(unsigned char *picture, int n) {
  __shared__ int sums[256];
  int t = threadIdx.x;
  sums[t] = 0;
  __syncthreads();
  for (int i = t; i < n; i += 256)
    atomicAdd(&sums[picture[i]], 1);
  for (int step = 1; step < 256; step *= 2) {
    __syncthreads();
    int left = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += left;
  }
  __syncthreads();
  for (int i = t; i < n; i += 256)
    picture[i] = (unsigned char)(sums[picture[i]] * 255 / n);
}
static void equalised(Run &run, int n) {
  auto dark = [](int i) { return (int)(unit(i) * unit(i + 5) * 256); };
  Buffer<unsigned char> picture(n, dark);
  run.time([&] { equalise_small<<<1, 256>>>(picture, n); }, [&] { picture.up(); });
  std::vector<int> sums(256);
  for (int i = 0; i < n; i++)
    sums[dark(i)]++;
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  run.expect_all(picture, [&](int i) { return sums[dark(i)] * 255 / n; });
}

/* The symmetric part of a matrix. A tile of the transposed matrix passes through shared memory. */
__global__ void symmetrise(const float *a, float *out, int n) {
  __shared__ float turned[32][33];
  int x = threadIdx.x, i = blockIdx.y * 32, j = blockIdx.x * 32;
  for (int y = threadIdx.y; y < 32; y += 8)
    turned[y][x] = a[(j + y) * n + i + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8)
    out[(i + y) * n + j + x] = 0.5f * (a[(i + y) * n + j + x] + turned[x][y]);
}
static void symmetric(Run &run, int n) {
  Buffer<float> a(n * n, unit), out(n * n);
  run.time([&] { symmetrise<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(a, out, n); });
  run.expect_all(out, [&](int i) { return 0.5f * (a.host[i] + a.host[i % n * n + i / n]); });
}

__host__ __device__ static inline int pixel_from(int i, int side) {
  int x = i % (2 * side), y = i / (2 * side) % (2 * side), plane = i / (4 * side * side);
  return ((plane * 4 + y % 2 * 2 + x % 2) * side + y / 2) * side + x / 2;
}
__global__ void shuffle_pixels(const __half *in, __half *out, int side, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[pixel_from(i, side)];
}
static void pixels_shuffled(Run &run, int side) {
  int n = 4 * side * side * 16;
  Buffer<__half> in(n, unit), out(n);
  run.time([&] { shuffle_pixels<<<blocks_of(n, 256), 256>>>(in, out, side, n); });
  run.expect_all(out, [&](int i) { return (float)in.host[pixel_from(i, side)]; });
}

__global__ void slice_across(cudaPitchedPtr volume, float *out, int x, int n) {
  int y = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.y;
  if (y < n)
    out[z * n + y] = ((float *)((char *)volume.ptr + (z * volume.ysize + y) * volume.pitch))[x];
}
static void slice(Run &run, int n) {
  Buffer<float> cells((size_t)n * n * n, unit), out(n * n);
  cudaPitchedPtr volume;
  CHECK(cudaMalloc3D(&volume, make_cudaExtent(n * sizeof(float), n, n)));
  CHECK(cudaMemcpy2D(volume.ptr, volume.pitch, cells, n * sizeof(float), n * sizeof(float), n * n,
                     cudaMemcpyDeviceToDevice));
  run.time([&] { slice_across<<<dim3(blocks_of(n, 64), n), 64>>>(volume, out, n / 3, n); });
  run.expect_all(out, [&](int i) { return cells.host[(size_t)i * n + n / 3]; });
  CHECK(cudaFree(volume.ptr));
}

/* A Bloom filter of 2^27 bits takes keys, each with four hashes. */
__global__ void fill_bloom(uint32_t *filter, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; i < n && k < 4; k++) {
    uint32_t h = mix(i * 5 + k * 0x9e3779b9u) >> 5;
    atomicOr(&filter[h / 32], 1u << h % 32);
  }
}
static void bloom(Run &run, int n) {
  Buffer<uint32_t> filter(1 << 22, none);
  run.time([&] { fill_bloom<<<blocks_of(n, 256), 256>>>(filter, n); }, [&] { filter.zero(); });
  std::vector<uint32_t> want(1 << 22);
  for (int i = 0; i < 4 * n; i++) {
    uint32_t h = mix(i / 4 * 5 + i % 4 * 0x9e3779b9u) >> 5;
    want[h / 32] |= 1u << h % 32;
  }
  run.expect_all(filter, [&](int i) { return want[i]; });
}

/* Look-ups in two tables of cuckoo hashing. A table holds pairs of key and value. */
__host__ __device__ static inline uint32_t nest_of(uint32_t key, int table, int n) {
  return (mix(key + table * 77777) & (n / 2 - 1)) + table * n / 2;
}
__global__ void find_in_nests(const uint2 *nests, const uint32_t *keys, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint2 nest = nests[nest_of(keys[i], 0, n)];
  if (nest.x != keys[i])
    nest = nests[nest_of(keys[i], 1, n)];
  found[i] = nest.x == keys[i] ? (int)nest.y : -1;
}
static void cuckoo(Run &run, int n) {
  Buffer<uint2> nests(n);
  for (int i = 0; i < n / 3; i++) {
    uint2 guest = {(uint32_t)i * 2 + 1, (uint32_t)i};
    for (int table = 0; guest.x; table ^= 1)
      std::swap(guest, nests.host[nest_of(guest.x, table, n)]);
  }
  nests.up();
  Buffer<uint32_t> keys(n, [&](int i) { return bits(i) % (uint32_t)(n / 3 * 2) + 1; });
  Buffer<int> found(n);
  run.time([&] { find_in_nests<<<blocks_of(n, 256), 256>>>(nests, keys, found, n); });
  run.expect_all(found, [&](int i) { return keys.host[i] & 1 ? (int)keys.host[i] / 2 : -1; });
}

/* Triplets of bases become amino acids. The table of 64 is in shared memory. */
__global__ void translate(const char *bases, const char *table, char *acids, int n) {
  __shared__ char own[64];
  if (threadIdx.x < 64)
    own[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, codon = 0;
  for (int k = 0; i < n && k < 3; k++)
    codon = codon * 4 + (bases[3 * i + k] >> 1 & 3);
  if (i < n)
    acids[i] = own[codon];
}
static void codons(Run &run, int n) {
  const char *code = "KNNKTTTTIIIMRSSRQHHQPPPPLLLLRRRR*YY*SSSSLFFL*CCWEDDEAAAAVVVVGGGG";
  Buffer<char> bases(3 * n, [](int i) { return "ACTG"[bits(i) & 3]; }), acids(n);
  Buffer<char> table(64, [&](int i) { return code[i]; });
  run.time([&] { translate<<<blocks_of(n, 192), 192>>>(bases, table, acids, n); });
  run.expect_all(acids, [&](int i) {
    return code[(bits(3 * i) & 3) * 16 + (bits(3 * i + 1) & 3) * 4 + (bits(3 * i + 2) & 3)];
  });
}

/* Bytes are sharpened by the mean of 5x5 pixels. The tile in shared memory has a border of 2. */
__global__ void sharpen(const unsigned char *in, unsigned char *out, int n) {
  __shared__ int tile[20][20];
  int left = blockIdx.x * 16 - 2, top = blockIdx.y * 16 - 2;
  for (int k = threadIdx.y * 16 + threadIdx.x; k < 400; k += 256) {
    int x = min(max(left + k % 20, 0), n - 1), y = min(max(top + k / 20, 0), n - 1);
    tile[k / 20][k % 20] = in[y * n + x];
  }
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 25; k++)
    sum += tile[threadIdx.y + k / 5][threadIdx.x + k % 5];
  int x = left + 2 + threadIdx.x, y = top + 2 + threadIdx.y;
  if (x < n && y < n)
    out[y * n + x] = min(max(2 * tile[threadIdx.y + 2][threadIdx.x + 2] - sum / 25, 0), 255);
}
static void sharpened(Run &run, int n) {
  Buffer<unsigned char> in(n * n, bits), out(n * n);
  run.time(
      [&] { sharpen<<<dim3(blocks_of(n, 16), blocks_of(n, 16)), dim3(16, 16)>>>(in, out, n); });
  auto clamped = [](int v, int last) { return std::min(std::max(v, 0), last); };
  run.expect_all(out, [&](int i) {
    int sum = 0;
    for (int k = 0; k < 25; k++)
      sum += in.host[clamped(i / n + k / 5 - 2, n - 1) * n + clamped(i % n + k % 5 - 2, n - 1)];
    return clamped(2 * in.host[i] - sum / 25, 255);
  });
}

__host__ __device__ static inline float response_at(const float *in, int i, int area) {
  int c = i / area % 96;
  float sum = 0;
  for (int k = -2; k <= 2; k++)
    if (c + k >= 0 && c + k < 96)
      sum += in[i + k * area] * in[i + k * area];
  return in[i] * powf(2 + 1e-2f * sum, -0.75f);
}
__global__ void normalise_responses(const float *in, float *out, int area) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * area + at;
  if (at < area)
    out[i] = response_at(in, i, area);
}
static void responses(Run &run, int images) {
  const int area = 55 * 55, n = images * 96 * area;
  Buffer<float> in(n, unit), out(n);
  run.time([&] { normalise_responses<<<dim3(12, 96 * images), 256>>>(in, out, area); });
  auto want = [&](int i) { return response_at(in.host.data(), i, area); };
  run.expect_all(out, want, 1e-5);
}

__global__ void normalise_instances(float *planes) {
  __shared__ float sums[2];
  float *own = planes + blockIdx.x * 784, sum = 0, squares = 0;
  if (threadIdx.x < 2)
    sums[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < 784; i += 128)
    sum += own[i], squares += own[i] * own[i];
  atomicAdd(&sums[0], sum);
  atomicAdd(&sums[1], squares);
  __syncthreads();
  float mean = sums[0] / 784, scale = rsqrtf(sums[1] / 784 - mean * mean + 1e-5f);
  for (int i = threadIdx.x; i < 784; i += 128)
    own[i] = (own[i] - mean) * scale;
}
static void instances(Run &run, int count) {
  Buffer<float> planes(count * 784, unit);
  run.time([&] { normalise_instances<<<count, 128>>>(planes); }, [&] { planes.up(); });
  planes.down();
  for (int i = 0; i < count * 784; i += 784) {
    double sum = 0, squares = 0;
    for (int k = i; k < i + 784; k++)
      sum += unit(k), squares += unit(k) * unit(k);
    double mean = sum / 784, deviation = std::sqrt(squares / 784 - mean * mean + 1e-5);
    for (int k = i; k < i + 784; k++)
      run.expect(k, planes.host[k], (unit(k) - mean) / deviation, 1e-4);
  }
}

__host__ __device__ static inline float pooled_at(const float *map, const int4 *regions, int i) {
  int4 r = regions[i / 49 / 64];
  int left = r.x + r.z * (i % 7) / 7, right = r.x + (r.z * (i % 7 + 1) + 6) / 7;
  int top = r.y + r.w * (i / 7 % 7) / 7, bottom = r.y + (r.w * (i / 7 % 7 + 1) + 6) / 7;
  float most = 0;
  for (int y = top; y < bottom; y++)
    for (int x = left; x < right; x++)
      most = fmaxf(most, map[(i / 49 % 64 * 128 + y) * 128 + x]);
  return most;
}
__global__ void pool_regions(const float *map, const int4 *regions, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = pooled_at(map, regions, i);
}
static void regions_pooled(Run &run, int count) {
  Buffer<float> map(64 * 128 * 128, unit), out(count * 64 * 49);
  auto side = [](int i) { return 7 + (int)(bits(i) % 57); };
  Buffer<int4> regions(count, [&](int i) {
    return make_int4(bits(i) % 64, bits(i + 9) % 64, side(i + 99), side(i + 999));
  });
  int n = count * 64 * 49;
  run.time([&] { pool_regions<<<blocks_of(n, 256), 256>>>(map, regions, out, n); });
  run.expect_all(out, [&](int i) { return pooled_at(map.host.data(), regions.host.data(), i); });
}

/* The divergence of a flow on a staggered grid with periodic borders. */
__host__ __device__ static inline float divergence_at(const float *u, const float *v,
                                                      const float *w, int i, int n) {
  int x = i % n, y = i / n % n, z = i / n / n, area = n * n;
  int right = x + 1 < n ? i + 1 : i + 1 - n, down = y + 1 < n ? i + n : i + n - area;
  int below = z + 1 < n ? i + area : x + y * n;
  return u[right] - u[i] + v[down] - v[i] + w[below] - w[i];
}
__global__ void diverge(const float *u, const float *v, const float *w, float *out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  for (int z = blockIdx.z * 8; x < n && y < n && z < min(n, (int)blockIdx.z * 8 + 8); z++)
    out[(z * n + y) * n + x] = divergence_at(u, v, w, (z * n + y) * n + x, n);
}
static void divergence(Run &run, int n) {
  size_t cells = (size_t)n * n * n;
  Buffer<float> u(cells, unit), v(cells, unit), w(cells, unit), out(cells);
  dim3 grid(blocks_of(n, 32), blocks_of(n, 4), blocks_of(n, 8));
  run.time([&] { diverge<<<grid, dim3(32, 4)>>>(u, v, w, out, n); });
  const float *a = u.host.data(), *b = v.host.data(), *c = w.host.data();
  auto want = [&](int i) { return divergence_at(a, b, c, i, n); };
  run.expect_all(out, want, 1e-5);
}
static const Rows rows("guests", {{"plate bent, 13 points", plate_bent, 3000, 70},
                                  {"faces of a cube packed", faces_packed, 220, 20},
                                  {"quadrangles assembled", quads_assembled, 3200, 64},
                                  {"Jacobi's sweep, double", jacobi, 700000, 1 << 9},
                                  {"walks on a graph", walks_on_a_graph, 2000000, 1 << 9},
                                  {"zeros of rows dropped", dense_compressed, 60000, 5},
                                  {"rows of entries found", coordinates, 3000000, 1 << 9},
                                  {"64 bins, bytes of each thread", own_bytes, 12000, 2},
                                  {"scan by coarse threads", coarse_scan, 5000, 2},
                                  {"squared errors", squared_errors, 16000000, 1 << 9},
                                  {"sum by halvings, 20 launches", halvings, 1 << 20, 1 << 8},
                                  {"seam of a picture, one block", seam, 3000, 9},
                                  {"small picture equalised", equalised, 6000, 600},
                                  {"symmetric part of a matrix", symmetric, 4096, 64},
                                  {"pixels shuffled, halves", pixels_shuffled, 400, 8},
                                  {"slice of a pitched volume", slice, 300, 20},
                                  {"Bloom filter filled", bloom, 20000000, 1 << 9},
                                  {"cuckoo looked up", cuckoo, 1 << 24, 1 << 9},
                                  {"codons translated", codons, 5000000, 1 << 9},
                                  {"bytes sharpened, tiles of 20x20", sharpened, 1000, 40},
                                  {"responses by five channels", responses, 64, 1},
                                  {"instances normalised, 28x28", instances, 4000, 3},
                                  {"regions of interest pooled", regions_pooled, 600, 2},
                                  {"divergence of a flow", divergence, 300, 20}});
