/* Kernels of other kinds than the earlier sets, written on 2026-11-23. Their times were predicted
 * before they were measured, and the model of time was not fitted to them. */
#include "../bench/bench.h"
#include <algorithm>

/* ---- matrices ------------------------------------------------------------------------------------------------ */
/* A sparse matrix with the same number of terms in each row. Term k of all rows is contiguous. */
enum { TERMS = 12 };
__global__ void ellpack(const int *columns, const float *values, const float *x, float *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  if (row >= n)
    return;
  for (int k = 0; k < TERMS; k++)
    sum += values[k * n + row] * x[columns[k * n + row]];
  y[row] = sum;
}
static void sparse_columns(Run &run, int n) {
  Buffer<int> columns((size_t)TERMS * n, [&](int i) { return (i % n + bits(i) % 512) % n; });
  Buffer<float> values((size_t)TERMS * n, unit), x(n, unit), y(n);
  run.time([&] { ellpack<<<(n + 255) / 256, 256>>>(columns, values, x, y, n); });
  run.expect_all(
      y,
      [&](int i) {
        double sum = 0;
        for (int k = 0; k < TERMS; k++)
          sum += values.host[k * n + i] * x.host[columns.host[k * n + i]];
        return sum;
      },
      1e-4);
}

/* Each thread decomposes a small symmetric matrix (Cholesky) and solves a system. */
enum { ORDER = 6 };
__global__ void cholesky(const float *matrices, const float *right, float *solution, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float a[ORDER][ORDER], x[ORDER];
  if (t >= n)
    return;
#pragma unroll
  for (int i = 0; i < ORDER; i++)
#pragma unroll
    for (int k = 0; k <= i; k++)
      a[i][k] = matrices[(i * ORDER + k) * n + t];
#pragma unroll
  for (int i = 0; i < ORDER; i++) {
#pragma unroll
    for (int k = 0; k <= i; k++) {
      float sum = a[i][k];
#pragma unroll
      for (int j = 0; j < k; j++)
        sum -= a[i][j] * a[k][j];
      a[i][k] = i == k ? sqrtf(sum) : sum / a[k][k];
    }
  }
#pragma unroll
  for (int i = 0; i < ORDER; i++) {
    x[i] = right[i * n + t];
#pragma unroll
    for (int k = 0; k < i; k++)
      x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
#pragma unroll
  for (int i = ORDER - 1; i >= 0; i--) {
#pragma unroll
    for (int k = i + 1; k < ORDER; k++)
      x[i] -= a[k][i] * x[k];
    x[i] /= a[i][i];
    solution[i * n + t] = x[i];
  }
}
static float element(int t, int i, int k) { return i == k ? 8 + unit(t) : unit(t + i * k); }
static void solved(Run &run, int n) {
  Buffer<float> m((size_t)ORDER * ORDER * n,
                  [&](int i) { return element(i % n, i / n / ORDER, i / n % ORDER); });
  Buffer<float> right((size_t)ORDER * n, unit), x((size_t)ORDER * n);
  run.time([&] { cholesky<<<(n + 127) / 128, 128>>>(m, right, x, n); });
  x.down();
  for (int t = 0; t < n; t++)
    for (int i = 0; i < ORDER; i++) {
      double sum = 0;
      for (int k = 0; k < ORDER; k++)
        sum += element(t, i > k ? i : k, i > k ? k : i) * x.host[k * n + t];
      run.expect((size_t)t * ORDER + i, sum, right.host[i * n + t], 1e-4);
    }
}

/* Floyd-Warshall by tiles: updates the tiles outside the row and the column of the pivot tile. */
__global__ void floyd(float *distance, int n, int pivot) {
  __shared__ float row[16][16], column[16][16];
  int x = threadIdx.x, y = threadIdx.y, at = (blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x;
  if (blockIdx.x == pivot || blockIdx.y == pivot)
    return;
  row[y][x] = distance[(pivot * 16 + y) * n + blockIdx.x * 16 + x];
  column[y][x] = distance[(blockIdx.y * 16 + y) * n + pivot * 16 + x];
  float d = distance[at];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 16; k++)
    d = fminf(d, column[y][k] + row[k][x]);
  distance[at] = d;
}
static void shortest(Run &run, int n) {
  Buffer<float> d((size_t)n * n, unit);
  std::vector<float> before = d.host;
  run.time([&] { floyd<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(d, n, 1); },
           [&] {
             d.host = before;
             d.up();
           });
  run.expect_all(d, [&](int i) {
    int x = i % n, y = i / n;
    float least = before[i];
    for (int k = 16; k < 32 && x / 16 != 1 && y / 16 != 1; k++)
      least = fminf(least, before[(size_t)y * n + k] + before[(size_t)k * n + x]);
    return least;
  });
}

/* ---- images and grids ------------------------------------------------------------------------------------- */
__device__ __host__ static inline void order(float &a, float &b) {
  float low = fminf(a, b);
  b = fmaxf(a, b);
  a = low;
}
__host__ __device__ static inline float middle_of(float *v) {
  order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]), order(v[0], v[1]), order(v[3], v[4]);
  order(v[6], v[7]), order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]), order(v[0], v[3]);
  order(v[5], v[8]), order(v[4], v[7]), order(v[3], v[6]), order(v[1], v[4]), order(v[2], v[5]);
  order(v[4], v[7]), order(v[4], v[2]), order(v[6], v[4]), order(v[4], v[2]);
  return v[4];
}
__global__ void median(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
    return;
  float v[9];
#pragma unroll
  for (int k = 0; k < 9; k++)
    v[k] = in[(y + k / 3 - 1) * n + x + k % 3 - 1];
  out[y * n + x] = middle_of(v);
}
static void medians(Run &run, int n) {
  Buffer<float> in((size_t)n * n, unit), out((size_t)n * n, none);
  run.time([&] { median<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in, out, n); });
  run.expect_all(out, [&](int i) {
    int x = i % n, y = i / n;
    float v[9];
    for (int k = 0; k < 9; k++)
      v[k] =
          x < 1 || y < 1 || x >= n - 1 || y >= n - 1 ? 0 : in.host[i + (k / 3 - 1) * n + k % 3 - 1];
    return middle_of(v);
  });
}

/* A lattice Boltzmann step with nine directions: each array is read at a neighbour. */
struct Gas {
  const float *in[9];
  float *out[9];
};
__global__ void stream_and_collide(Gas g, int n) {
  const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const float weight[9] = {4 / 9.f,  1 / 9.f,  1 / 9.f,  1 / 9.f, 1 / 9.f,
                           1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float f[9], density = 0, u = 0, v = 0;
#pragma unroll
  for (int k = 0; k < 9; k++) {
    f[k] = g.in[k][(y - dy[k] + n) % n * n + (x - dx[k] + n) % n];
    density += f[k];
    u += (float)dx[k] * f[k];
    v += (float)dy[k] * f[k];
  }
  u /= density;
  v /= density;
#pragma unroll
  for (int k = 0; k < 9; k++) {
    float along = (float)dx[k] * u + (float)dy[k] * v;
    float rest =
        weight[k] * density * (1 + 3 * along + 4.5f * along * along - 1.5f * (u * u + v * v));
    g.out[k][y * n + x] = f[k] + 0.6f * (rest - f[k]);
  }
}
static void flowed(Run &run, int n) {
  Gas g;
  std::vector<float> host((size_t)n * n);
  for (int k = 0; k < 9; k++) {
    CHECK(cudaMalloc((void **)&g.in[k], host.size() * 4));
    CHECK(cudaMalloc((void **)&g.out[k], host.size() * 4));
    for (size_t i = 0; i < host.size(); i++)
      host[i] = 0.1f + 0.02f * unit((int)i + k);
    CHECK(cudaMemcpy((void *)g.in[k], host.data(), host.size() * 4, cudaMemcpyHostToDevice));
  }
  run.time([&] { stream_and_collide<<<dim3(n / 128, n), 128>>>(g, n); });
  double before = 0, after = 0; /* mass is conserved */
  for (int k = 0; k < 9; k++) {
    for (size_t i = 0; i < host.size(); i++)
      before += 0.1f + 0.02f * unit((int)i + k);
    CHECK(cudaMemcpy(host.data(), g.out[k], host.size() * 4, cudaMemcpyDeviceToHost));
    for (float f : host)
      after += f;
    CHECK(cudaFree((void *)g.in[k]));
    CHECK(cudaFree(g.out[k]));
  }
  run.expect(0, after / before, 1, 1e-5);
}

/* Edges of a picture of bytes. Each thread computes four pixels. */
__global__ void edges(const unsigned char *in, uchar4 *out, int n) {
  int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y;
  if (y < 1 || y >= n - 1 || x < 4 || x >= n - 4)
    return;
  unsigned char found[4];
#pragma unroll
  for (int k = 0; k < 4; k++) {
    const unsigned char *p = in + y * n + x + k;
    int right = p[1 - n] + 2 * p[1] + p[1 + n] - p[-1 - n] - 2 * p[-1] - p[-1 + n];
    int down = p[n - 1] + 2 * p[n] + p[n + 1] - p[-n - 1] - 2 * p[-n] - p[-n + 1];
    found[k] = (unsigned char)min(255, abs(right) + abs(down));
  }
  out[(y * n + x) / 4] = make_uchar4(found[0], found[1], found[2], found[3]);
}
static void edged(Run &run, int n) {
  Buffer<unsigned char> in((size_t)n * n, [](int i) { return bits(i) % 256; });
  Buffer<unsigned char> out((size_t)n * n, none);
  run.time([&] { edges<<<dim3(n / 512, n), 128>>>(in, (uchar4 *)(unsigned char *)out, n); });
  run.expect_all(out, [&](int i) {
    int x = i % n, y = i / n;
    const unsigned char *p = &in.host[i];
    if (y < 1 || y >= n - 1 || x < 4 || x >= n - 4)
      return 0;
    int right = p[1 - n] + 2 * p[1] + p[1 + n] - p[-1 - n] - 2 * p[-1] - p[-1 + n];
    int down = p[n - 1] + 2 * p[n] + p[n + 1] - p[-n - 1] - 2 * p[-n] - p[-n + 1];
    return std::min(255, abs(right) + abs(down));
  });
}

/* ---- blocks that work together ------------------------------------------------------------------------ */
/* Keeps odd numbers: ballots give positions in a block, one atomic operation its first position. */
__global__ void keep_odd(const int *in, int *out, int *kept) {
  __shared__ int count[8], base;
  int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int v = in[i];
  unsigned mine = __ballot_sync(0xffffffffu, v & 1);
  if (lane == 0)
    count[warp] = __popc(mine);
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int w = 0; w < 8; w++) {
      int n = count[w];
      count[w] = sum;
      sum += n;
    }
    base = atomicAdd(kept, sum);
  }
  __syncthreads();
  if (v & 1)
    out[base + count[warp] + __popc(mine & ((1u << lane) - 1))] = v;
}
static void kept_odd(Run &run, int n) {
  Buffer<int> in(n, [](int i) { return bits(i) % 1000; }), out(n, none), kept(1, none);
  run.time([&] { keep_odd<<<n / 256, 256>>>(in, out, kept); }, [&] { kept.zero(); });
  long long got = 0, want = 0;
  out.down();
  for (int v : out.host)
    got += v;
  for (int v : in.host)
    want += v & 1 ? v : 0;
  run.expect(0, (double)got, (double)want);
}

/* A Fourier transform of 1024 complex numbers. Each thread computes four points in each step. */
__global__ void fourier(const float2 *in, float2 *out) {
  __shared__ float2 v[1024];
  int t = threadIdx.x;
  const float2 *mine = in + blockIdx.x * 1024;
  float2 a[4];
#pragma unroll
  for (int k = 0; k < 4; k++)
    a[k] = mine[t + 256 * k];
#pragma unroll
  for (int step = 1; step <= 256; step *= 4) {
    int p = t & (step - 1);
    float angle = -1.57079632679f * (float)p / (float)step, s, c;
    __sincosf(angle, &s, &c);
    float2 w = make_float2(c, s);
#pragma unroll
    for (int k = 1; k < 4; k++) {
      float re = a[k].x * w.x - a[k].y * w.y;
      a[k].y = a[k].x * w.y + a[k].y * w.x;
      a[k].x = re;
      float next = w.x * c - w.y * s;
      w.y = w.x * s + w.y * c;
      w.x = next;
    }
    float2 b0 = make_float2(a[0].x + a[2].x, a[0].y + a[2].y);
    float2 b1 = make_float2(a[0].x - a[2].x, a[0].y - a[2].y);
    float2 b2 = make_float2(a[1].x + a[3].x, a[1].y + a[3].y);
    float2 b3 = make_float2(a[1].y - a[3].y, a[3].x - a[1].x);
    a[0] = make_float2(b0.x + b2.x, b0.y + b2.y);
    a[1] = make_float2(b1.x + b3.x, b1.y + b3.y);
    a[2] = make_float2(b0.x - b2.x, b0.y - b2.y);
    a[3] = make_float2(b1.x - b3.x, b1.y - b3.y);
    int to = ((t - p) << 2) + p;
    if (step == 256)
      break;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++)
      v[to + k * step] = a[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++)
      a[k] = v[t + 256 * k];
  }
#pragma unroll
  for (int k = 0; k < 4; k++)
    out[blockIdx.x * 1024 + t + 256 * k] = a[k];
}
static void transformed(Run &run, int n) {
  Buffer<float2> in(n, [](int i) { return make_float2(unit(i) - 0.5f, unit(i + 7) - 0.5f); });
  Buffer<float2> out(n);
  run.time([&] { fourier<<<n / 1024, 256>>>(in, out); });
  out.down();
  for (int b = 0; b < n / 1024; b += n / 2048 + 1)
    for (int k = 0; k < 1024; k += 37) {
      double re = 0, im = 0;
      for (int i = 0; i < 1024; i++) {
        double a = -2 * M_PI * i * k / 1024;
        float2 x = in.host[b * 1024 + i];
        re += x.x * cos(a) - x.y * sin(a);
        im += x.x * sin(a) + x.y * cos(a);
      }
      run.expect((size_t)b * 1024 + k, out.host[b * 1024 + k].x, re, 2e-3);
      run.expect((size_t)b * 1024 + k, out.host[b * 1024 + k].y, im, 2e-3);
    }
}

/* The index of the largest of 8192 values: shuffles exchange pairs of value and index. */
__global__ void where_largest(const float *in, int *where) {
  __shared__ float values[16];
  __shared__ int places[16];
  int t = threadIdx.x, place = 0;
  float most = -1;
  const float *mine = in + blockIdx.x * 8192;
  for (int i = t; i < 8192; i += 512)
    if (mine[i] > most) {
      most = mine[i];
      place = i;
    }
  for (int d = 16; d; d /= 2) {
    float other = __shfl_down_sync(0xffffffffu, most, d);
    int its = __shfl_down_sync(0xffffffffu, place, d);
    if (other > most || (other == most && its < place)) {
      most = other;
      place = its;
    }
  }
  if (t % 32 == 0) {
    values[t / 32] = most;
    places[t / 32] = place;
  }
  __syncthreads();
  if (t)
    return;
  for (int w = 1; w < 16; w++)
    if (values[w] > most || (values[w] == most && places[w] < place)) {
      most = values[w];
      place = places[w];
    }
  where[blockIdx.x] = place;
}
static void located(Run &run, int n) {
  Buffer<float> in(n, unit);
  Buffer<int> where(n / 8192);
  run.time([&] { where_largest<<<n / 8192, 512>>>(in, where); });
  run.expect_all(where, [&](int b) {
    auto from = in.host.begin() + (size_t)b * 8192;
    return std::max_element(from, from + 8192) - from;
  });
}

/* ---- threads by themselves ------------------------------------------------------------------------------- */
/* Edit distance of two words of 16 letters. A row of the table is in registers. */
__global__ void letters_changed(const unsigned char *first, const unsigned char *second, int *out,
                                int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int row[17];
  if (t >= n)
    return;
#pragma unroll
  for (int k = 0; k <= 16; k++)
    row[k] = k;
  for (int i = 0; i < 16; i++) {
    unsigned char c = first[i * n + t];
    int corner = row[0];
    row[0] = i + 1;
#pragma unroll
    for (int k = 0; k < 16; k++) {
      int best = min(min(row[k], row[k + 1]) + 1, corner + (c != second[k]));
      corner = row[k + 1];
      row[k + 1] = best;
    }
  }
  out[t] = row[16];
}
static void compared(Run &run, int n) {
  Buffer<unsigned char> first((size_t)16 * n, [](int i) { return 'a' + bits(i) % 4; });
  Buffer<unsigned char> second(16, [](int i) { return 'a' + bits(i + 9) % 4; });
  Buffer<int> out(n);
  run.time([&] { letters_changed<<<(n + 255) / 256, 256>>>(first, second, out, n); });
  run.expect_all(out, [&](int t) {
    int row[17];
    for (int k = 0; k <= 16; k++)
      row[k] = k;
    for (int i = 0; i < 16; i++) {
      int corner = row[0];
      row[0] = i + 1;
      for (int k = 0; k < 16; k++) {
        int best = std::min(std::min(row[k], row[k + 1]) + 1,
                            corner + (first.host[(size_t)i * n + t] != second.host[k]));
        corner = row[k + 1];
        row[k + 1] = best;
      }
    }
    return row[16];
  });
}

/* The first of 64 balls that a ray hits. */
__constant__ float4 balls[64];
__global__ void hit_first(const float2 *rays, float *depth, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  float2 r = rays[t];
  float nearest = 1e9f;
  for (int k = 0; k < 64; k++) {
    float4 b = balls[k];
    float dx = r.x - b.x, dy = r.y - b.y, left = b.w * b.w - dx * dx - dy * dy;
    if (left > 0)
      nearest = fminf(nearest, b.z - sqrtf(left));
  }
  depth[t] = nearest;
}
static void seen(Run &run, int n) {
  Buffer<float2> rays(n, [](int i) { return make_float2(unit(i), unit(i + 5)); });
  Buffer<float> depth(n);
  std::vector<float4> all(64);
  for (int k = 0; k < 64; k++)
    all[k] = make_float4(unit(k), unit(k + 64), 1 + unit(k + 128), 0.1f + 0.1f * unit(k + 192));
  CHECK(cudaMemcpyToSymbol(balls, all.data(), 64 * sizeof(float4)));
  run.time([&] { hit_first<<<(n + 127) / 128, 128>>>(rays, depth, n); });
  size_t others = 0; /* rounding changes rays near an edge */
  depth.down();
  for (int t = 0; t < n; t++) {
    float nearest = 1e9f;
    for (const float4 &b : all) {
      float dx = rays.host[t].x - b.x, dy = rays.host[t].y - b.y,
            left = b.w * b.w - dx * dx - dy * dy;
      if (left > 0)
        nearest = fminf(nearest, b.z - sqrtf(left));
    }
    others += !(fabsf(depth.host[t] - nearest) < 1e-3f * nearest);
  }
  run.expect(0, (double)others / n, 0, 1e-3);
}

/* Merges two sorted rows of 512. Each thread finds the position of its element by binary search. */
__global__ void merge_pairs(const int *in, int *out) {
  __shared__ int v[1024];
  int t = threadIdx.x;
  const int *mine = in + blockIdx.x * 1024;
  for (int i = t; i < 1024; i += 256)
    v[i] = mine[i];
  __syncthreads();
  for (int i = t; i < 1024; i += 256) {
    int key = v[i], from = i < 512 ? 512 : 0, low = 0, high = 512;
    while (low < high) {
      int at = (low + high) / 2;
      if (i < 512 ? v[from + at] < key : v[from + at] <= key)
        low = at + 1;
      else
        high = at;
    }
    out[blockIdx.x * 1024 + i % 512 + low] = key;
  }
}
static void merged(Run &run, int n) {
  Buffer<int> in(n, [](int i) { return bits(i) % 100000; }), out(n);
  for (int i = 0; i < n; i += 512)
    std::sort(in.host.begin() + i, in.host.begin() + i + 512);
  in.up();
  run.time([&] { merge_pairs<<<n / 1024, 256>>>(in, out); });
  std::vector<int> want = in.host;
  for (int i = 0; i < n; i += 1024)
    std::sort(want.begin() + i, want.begin() + i + 1024);
  run.expect_all(out, [&](int i) { return want[i]; });
}

/* Assigns points to the nearest of 16 means. Counts the points of each mean in shared memory. */
__global__ void assign_means(const float *points, const float *means, int *nearest, int *counts,
                             int n) {
  __shared__ float m[48];
  __shared__ int count[16];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, best = 0;
  if (t < 48)
    m[t] = means[t];
  if (t < 16)
    count[t] = 0;
  __syncthreads();
  float x = points[i], y = points[n + i], z = points[2 * n + i], least = 1e30f;
  for (int k = 0; k < 16; k++) {
    float dx = x - m[3 * k], dy = y - m[3 * k + 1], dz = z - m[3 * k + 2];
    float d = dx * dx + dy * dy + dz * dz;
    if (d < least) {
      least = d;
      best = k;
    }
  }
  nearest[i] = best;
  atomicAdd(&count[best], 1);
  __syncthreads();
  if (t < 16)
    atomicAdd(&counts[blockIdx.x % 64 * 16 + t], count[t]);
}
static void assigned(Run &run, int n) {
  Buffer<float> points((size_t)3 * n, unit), means(48, [](int i) { return unit(3 * i + 1); });
  Buffer<int> nearest(n), counts(64 * 16, none);
  run.time([&] { assign_means<<<n / 256, 256>>>(points, means, nearest, counts, n); },
           [&] { counts.zero(); });
  counts.down();
  nearest.down();
  long long all = 0;
  for (int c : counts.host)
    all += c;
  run.expect(0, (double)all, n);
  for (int i = 0; i < n; i += 13) {
    auto far = [&](int k) {
      double d = 0;
      for (int c = 0; c < 3; c++)
        d += pow(points.host[(size_t)c * n + i] - means.host[3 * k + c], 2);
      return d;
    };
    double least = 1e9;
    for (int k = 0; k < 16; k++)
      least = std::min(least, far(k));
    run.expect((size_t)i, far(nearest.host[i]), least, 1e-6);
  }
}

static const Rows rows("unlike", {{"SpMV, terms side by side", sparse_columns, 1 << 18, 1 << 10},
                                  {"systems of six, a thread each", solved, 1 << 16, 1 << 8},
                                  {"shortest ways, 16x16", shortest, 1024, 64},
                                  {"median of nine", medians, 2048, 64},
                                  {"gas on a lattice", flowed, 1024, 128},
                                  {"edges of a picture, bytes", edged, 4096, 512},
                                  {"odd numbers kept", kept_odd, 1 << 21, 1 << 12},
                                  {"Fourier, 1024 points a block", transformed, 1 << 20, 1 << 12},
                                  {"where the largest stands", located, 1 << 22, 1 << 14},
                                  {"letters that change", compared, 1 << 19, 1 << 10},
                                  {"rays and 64 balls", seen, 1 << 19, 1 << 10},
                                  {"merge of two rows", merged, 1 << 21, 1 << 12},
                                  {"nearest of 16 means", assigned, 1 << 20, 1 << 10}});
