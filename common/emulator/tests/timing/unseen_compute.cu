/* Kernels limited by instructions, latency, shared memory or launches, as courses, libraries and
 * applications have them. They were written without knowledge of the model of time, and the model
 * is not fitted to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <numeric>
#include <string>

static int blocks_of(size_t n, int threads) { return (int)((n + threads - 1) / threads); }

__host__ __device__ static inline int ones(uint32_t x) {
#ifdef __CUDA_ARCH__
  return __popc(x);
#else
  return __builtin_popcount(x);
#endif
}

/* ---- escape-time loops and data-dependent exits ------------------------------------- */
/* Every rounding is written as an fma, so that the CPU and the GPU count the same steps. */
__host__ __device__ static inline int ship_steps(int px, int py, int w, int h) {
  double cx = px * 3.5 / w - 2.2, cy = py * 2.5 / h - 1.9, x = 0, y = 0;
  int k = 0;
  while (k < 300 && fma(x, x, y * y) < 4) {
    double next = fma(x, x, fma(-y, y, cx));
    y = fma(2 * fabs(x), fabs(y), cy);
    x = next;
    k++;
  }
  return k;
}
__global__ void burning_ship(int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = ship_steps(x, y, w, h);
}
static void ship(Run &run, int w) {
  const int h = w / 2;
  Buffer<int> out((size_t)w * h);
  run.time(
      [&] { burning_ship<<<dim3(blocks_of(w, 32), blocks_of(h, 4)), dim3(32, 4)>>>(out, w, h); });
  run.expect_all(out, [&](int i) { return ship_steps(i % w, i / w, w, h); });
}

/* Sphere tracing: the length of a step is the distance from a ring above a floor. */
__host__ __device__ static inline float ray_length(float dx, float dy) {
  float scale = 1 / sqrtf(dx * dx + dy * dy + 1), t = 0;
  for (int k = 0; k < 100 && t < 20; k++) {
    float x = dx * scale * t, y = dy * scale * t, z = scale * t - 4;
    float ring = sqrtf(x * x + z * z) - 1.2f;
    float d = fminf(sqrtf(ring * ring + y * y) - 0.4f, y + 1.5f);
    if (d < 0.001f)
      break;
    t += d;
  }
  return t;
}
__global__ void trace_rays(float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = ray_length((x - w * 0.5f) / h, (y - h * 0.5f) / h);
}
/* Rounding decides whether a ray hits an edge, so one ray in 200 may differ. */
static void rays_to_a_ring(Run &run, int w) {
  const int h = w * 2 / 3;
  Buffer<float> out((size_t)w * h);
  run.time(
      [&] { trace_rays<<<dim3(blocks_of(w, 16), blocks_of(h, 16)), dim3(16, 16)>>>(out, w, h); });
  out.down();
  int differ = 0;
  for (int i = 0; i < w * h; i++) {
    float want = ray_length((i % w - w * 0.5f) / h, (i / w - h * 0.5f) / h);
    differ += !(fabsf(out.host[i] - want) < 0.02f);
  }
  run.expect(0, differ, 0, w * h / 200);
}

/* The inverse modulo a prime, by Euclid's algorithm. */
__global__ void invert(const int *in, int *out, int n, int prime) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int r0 = prime, r1 = in[i], t0 = 0, t1 = 1;
  while (r1) {
    int q = r0 / r1, r = r0 - q * r1, t = t0 - q * t1;
    r0 = r1, r1 = r, t0 = t1, t1 = t;
  }
  out[i] = t0 < 0 ? t0 + prime : t0;
}
static void inverses_modulo(Run &run, int n) {
  const int prime = 1000000007;
  Buffer<int> in(n, [](int i) { return (int)(1 + bits(i) % (prime - 1)); }), out(n);
  run.time([&] { invert<<<blocks_of(n, 256), 256>>>(in, out, n, prime); });
  out.down();
  for (int i = 0; i < n; i++)
    run.expect(i, (double)((int64_t)in.host[i] * out.host[i] % prime), 1);
}

/* The period of the continued fraction of a square root. */
__host__ __device__ static inline int period_of(int n) {
  int root = (int)sqrt((double)n), m = 0, d = 1, a = root, count = 0;
  if (root * root == n)
    return 0;
  do {
    m = d * a - m;
    d = (n - m * m) / d;
    a = (root + m) / d;
    count++;
  } while (a != 2 * root);
  return count;
}
__global__ void periods(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = period_of(i + 2);
}
static void periods_of_roots(Run &run, int n) {
  Buffer<int> out(n);
  run.time([&] { periods<<<blocks_of(n, 128), 128>>>(out, n); });
  run.expect_all(out, [](int i) { return period_of(i + 2); });
}

/* Eight lanes search a row and stop at the first value above the limit. */
__global__ void first_above(const int *in, int *out, int rows, int columns, int limit) {
  auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, found = columns;
  if (row >= rows)
    return;
  for (int first = 0; first < columns && found == columns; first += 8) {
    int c = first + tile.thread_rank();
    unsigned hits = tile.ballot(c < columns && in[row * columns + c] > limit);
    if (hits)
      found = first + __ffs(hits) - 1;
  }
  if (tile.thread_rank() == 0)
    out[row] = found;
}
static void searched_by_eight(Run &run, int rows) {
  const int columns = 500, limit = 990;
  Buffer<int> in((size_t)rows * columns, [](int i) { return (int)(bits(i) % 1000); }), out(rows);
  run.time([&] { first_above<<<blocks_of(rows, 32), 256>>>(in, out, rows, columns, limit); });
  run.expect_all(out, [&](int r) {
    auto row = in.host.begin() + (size_t)r * columns;
    return std::find_if(row, row + columns, [](int v) { return v > limit; }) - row;
  });
}

/* Paths from corner to corner of a board, 5 wide, that visit no cell twice. Each thread starts with
 * seven moves of its own, two bits each. */
__host__ __device__ static inline int after_move(int at, int move, int high, uint32_t visited) {
  int x = at % 5 + (move == 0) - (move == 1), y = at / 5 + (move == 2) - (move == 3);
  bool inside = x >= 0 && y >= 0 && x < 5 && y < high;
  return inside && !(visited >> (y * 5 + x) & 1) ? y * 5 + x : -1;
}
__host__ __device__ static inline int count_paths(unsigned moves, int high) {
  uint8_t place[31] = {}, next[31] = {};
  uint32_t visited = 1;
  int depth = 0, count = 0;
  for (; depth < 7; depth++) {
    int to = after_move(place[depth], moves >> 2 * depth & 3, high, visited);
    if (to < 0)
      return 0;
    place[depth + 1] = to;
    visited |= 1u << to;
  }
  while (depth >= 7) {
    int to = next[depth] < 4 ? after_move(place[depth], next[depth]++, high, visited) : -2;
    if (to == high * 5 - 1) {
      count++;
    } else if (to >= 0) {
      visited |= 1u << to;
      place[++depth] = to;
      next[depth] = 0;
    } else if (to == -2) {
      visited &= ~(1u << place[depth--]);
    }
  }
  return count;
}
__global__ void paths(int *counts, int high) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  counts[i] = count_paths(i, high);
}
/* The numbers of paths on boards of 5x5 and 5x6 are published. */
static void paths_on_a_board(Run &run, int high) {
  const int n = 1 << 14;
  Buffer<int> counts(n);
  run.time([&] { paths<<<n / 64, 64>>>(counts, high); });
  run.expect_all(counts, [&](int i) { return count_paths(i, high); });
  int total = std::accumulate(counts.host.begin(), counts.host.end(), 0);
  run.expect(n, total, high == 5 ? 8512 : 79384);
}

/* ---- random numbers -------------------------------------------------------------------- */
__host__ __device__ static inline void philox(uint32_t *c, uint32_t key) {
  uint32_t k0 = key, k1 = 0xcafe;
  for (int round = 0; round < 10; round++) {
    uint64_t p = (uint64_t)0xD2511F53u * c[0], q = (uint64_t)0xCD9E8D57u * c[2];
    c[0] = (uint32_t)(q >> 32) ^ c[1] ^ k0;
    c[1] = (uint32_t)q;
    c[2] = (uint32_t)(p >> 32) ^ c[3] ^ k1;
    c[3] = (uint32_t)p;
    k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
  }
}
__host__ __device__ static inline unsigned points_inside(int thread, int draws) {
  unsigned inside = 0;
  for (int k = 0; k < draws; k++) {
    uint32_t c[4] = {(uint32_t)thread, (uint32_t)k, 0, 0};
    philox(c, 42);
    for (int j = 0; j < 4; j += 2) {
      uint64_t x = c[j] >> 16, y = c[j + 1] >> 16;
      inside += x * x + y * y < 1ull << 32;
    }
  }
  return inside;
}
__global__ void estimate_pi(unsigned *inside, int draws) {
  unsigned own = points_inside(blockIdx.x * blockDim.x + threadIdx.x, draws);
  for (int step = 16; step; step /= 2)
    own += __shfl_down_sync(~0u, own, step);
  if (threadIdx.x % 32 == 0)
    atomicAdd(inside, own);
}
static void pi_by_philox(Run &run, int blocks) {
  Buffer<unsigned> inside(1);
  run.time([&] { estimate_pi<<<blocks, 256>>>(inside, 50); }, [&] { inside.zero(); });
  unsigned want = 0;
  for (int t = 0; t < blocks * 256; t++)
    want += points_inside(t, 50);
  run.expect_all(inside, [&](int) { return want; });
  run.expect(1, 4.0 * want / (blocks * 256 * 100.0), 3.14159, 0.05);
}

/* Ising's magnet: the chance of a flip is a constant that depends on the neighbours. */
static __constant__ uint32_t flip_below[10];
__host__ __device__ static inline int8_t spin_after(const int8_t *spins, int n, int x, int y,
                                                    uint32_t random, const uint32_t *below) {
  int left = spins[y * n + (x ? x - 1 : n - 1)], right = spins[y * n + (x < n - 1 ? x + 1 : 0)];
  int up = spins[(y ? y - 1 : n - 1) * n + x], down = spins[(y < n - 1 ? y + 1 : 0) * n + x];
  int own = spins[y * n + x], which = left + right + up + down + 4 + (own > 0);
  return random < below[which] ? -own : own;
}
__global__ void flip_spins(int8_t *spins, int n, int colour, int sweep) {
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + (y + colour) % 2;
  if (x < n && y < n)
    spins[y * n + x] = spin_after(spins, n, x, y, mix(y * n + x + sweep * 977), flip_below);
}
static void magnet(Run &run, int n) {
  const int sweeps = 8;
  Buffer<int8_t> spins((size_t)n * n, [](int i) { return bits(i) % 2 ? 1 : -1; });
  std::vector<int8_t> is = spins.host;
  std::vector<uint32_t> below(10);
  for (int which = 0; which < 10; which++) {
    int sum = which / 2 * 2 - 4, own = which % 2 ? 1 : -1;
    below[which] = (uint32_t)(std::min(0.999, exp(-0.8 * own * sum)) * 4294967295.0);
  }
  CHECK(cudaMemcpyToSymbol(flip_below, below.data(), sizeof flip_below));
  run.time(
      [&] {
        for (int k = 0; k < 2 * sweeps; k++)
          flip_spins<<<dim3(blocks_of(n / 2, 32), blocks_of(n, 8)), dim3(32, 8)>>>(spins, n, k % 2,
                                                                                   k / 2);
      },
      [&] { spins.up(); });
  for (int k = 0; k < 2 * sweeps; k++)
    for (int y = 0; y < n; y++)
      for (int x = (y + k) % 2; x < n; x += 2)
        is[y * n + x] = spin_after(is.data(), n, x, y, mix(y * n + x + k / 2 * 977), below.data());
  run.expect_all(spins, [&](int i) { return is[i]; });
}

/* A queue at a counter: the longest wait of many customers. */
__host__ __device__ static inline int longest_wait(uint32_t seed, int customers) {
  uint32_t state = mix(seed);
  int free_at = 0, now = 0, longest = 0;
  for (int k = 0; k < customers; k++) {
    state = state * 1664525u + 1013904223u;
    now += state >> 26;
    if (free_at < now)
      free_at = now;
    else if (free_at - now > longest)
      longest = free_at - now;
    if (free_at - now < 400)
      free_at += (state >> 12 & 63) * (state >> 8 & 1 ? 1 : 2) * 5 / 8;
  }
  return longest;
}
__global__ void simulate_queues(int *out, int n, int customers) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = longest_wait(i, customers);
}
static void queues(Run &run, int n) {
  Buffer<int> out(n);
  run.time([&] { simulate_queues<<<blocks_of(n, 96), 96>>>(out, n, 1500); });
  run.expect_all(out, [](int i) { return longest_wait(i, 1500); });
}

/* ---- hashing, ciphers, bit tricks, integers ---------------------------------------------- */
static __constant__ uint32_t sha_constants[64];
__host__ __device__ static inline uint32_t turned(uint32_t x, int k) {
  return x >> k | x << (32 - k);
}
__host__ __device__ static inline uint32_t sha256(const uint32_t *message, int stride,
                                                  const uint32_t *constants) {
  uint32_t w[16], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int t = 0; t < 16; t++)
    w[t] = message[t * stride];
#pragma unroll
  for (int t = 0; t < 64; t++) {
    uint32_t x = w[(t + 1) % 16], y = w[(t + 14) % 16];
    if (t >= 16)
      w[t % 16] += (turned(x, 7) ^ turned(x, 18) ^ x >> 3) + w[(t + 9) % 16] +
                   (turned(y, 17) ^ turned(y, 19) ^ y >> 10);
    uint32_t first = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                     ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[t] + w[t % 16];
    uint32_t second = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                      ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
#pragma unroll
    for (int k = 7; k > 0; k--)
      s[k] = s[k - 1];
    s[4] += first;
    s[0] = first + second;
  }
  return s[0] + 0x6a09e667;
}
__global__ void digest(const uint32_t *messages, uint32_t *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = sha256(messages + i, n, sha_constants);
}
/* Message 0 is "abc", whose digest is published. */
static void digests(Run &run, int n) {
  std::vector<uint32_t> constants;
  for (int p = 2; constants.size() < 64; p++) {
    bool prime = true;
    for (int d = 2; d * d <= p; d++)
      prime &= p % d != 0;
    if (prime)
      constants.push_back((uint32_t)(fmodl(cbrtl(p), 1) * 4294967296.0L));
  }
  CHECK(cudaMemcpyToSymbol(sha_constants, constants.data(), sizeof sha_constants));
  Buffer<uint32_t> messages((size_t)n * 16, bits), out(n);
  for (int t = 0; t < 16; t++)
    messages.host[(size_t)t * n] = t == 0 ? 0x61626380 : t == 15 ? 24 : 0;
  messages.up();
  run.time([&] { digest<<<blocks_of(n, 128), 128>>>(messages, out, n); });
  run.expect_all(out, [&](int i) { return sha256(&messages.host[i], n, constants.data()); });
  run.expect(0, out.host[0], 0xba7816bf);
}

/* Ten rounds of a cipher; its table is in constant memory, and lanes read different entries. */
static __constant__ uint32_t cipher_table[256];
__host__ __device__ static inline uint4 enciphered(uint4 s, const uint32_t *table) {
  for (uint32_t round = 1; round <= 10; round++) {
    uint4 t;
    t.x = table[s.x & 255] ^ turned(table[s.y >> 8 & 255], 8) ^ turned(table[s.z >> 16 & 255], 16) ^
          turned(table[s.w >> 24], 24) ^ round;
    t.y = table[s.y & 255] ^ turned(table[s.z >> 8 & 255], 8) ^ turned(table[s.w >> 16 & 255], 16) ^
          turned(table[s.x >> 24], 24);
    t.z = table[s.z & 255] ^ turned(table[s.w >> 8 & 255], 8) ^ turned(table[s.x >> 16 & 255], 16) ^
          turned(table[s.y >> 24], 24);
    t.w = table[s.w & 255] ^ turned(table[s.x >> 8 & 255], 8) ^ turned(table[s.y >> 16 & 255], 16) ^
          turned(table[s.z >> 24], 24);
    s = t;
  }
  return s;
}
__global__ void encipher(const uint4 *in, uint4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = enciphered(in[i], cipher_table);
}
static void cipher(Run &run, int n) {
  std::vector<uint32_t> table(256);
  for (int k = 0; k < 256; k++)
    table[k] = bits(k + 5000);
  CHECK(cudaMemcpyToSymbol(cipher_table, table.data(), sizeof cipher_table));
  Buffer<uint32_t> in((size_t)n * 4, bits), out((size_t)n * 4);
  run.time(
      [&] { encipher<<<blocks_of(n, 256), 256>>>((uint4 *)in.device, (uint4 *)out.device, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    const uint32_t *s = &in.host[4 * i], *got = &out.host[4 * i];
    uint4 want = enciphered(make_uint4(s[0], s[1], s[2], s[3]), table.data());
    run.expect(i, got[0], want.x);
    run.expect(i, got[1], want.y);
    run.expect(i, got[2], want.z);
    run.expect(i, got[3], want.w);
  }
}

/* Josephus' circle: each k-th of `size` persons leaves, and the last one is found. A thread for
 * each k. */
__host__ __device__ static inline int survivor(int size, int k) {
  int at = 0;
  for (int left = 2; left <= size; left++)
    at = (at + k) % left;
  return at;
}
__global__ void survivors(int *out, int size) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  out[k] = survivor(size, k + 1);
}
static void survivors_in_a_circle(Run &run, int size) {
  Buffer<int> out(6 * 64);
  run.time([&] { survivors<<<6, 64>>>(out, size); });
  run.expect_all(out, [&](int k) { return survivor(size, k + 1); });
}

/* Permanents of 10x10 by Ryser's formula, in Gray-code order. */
__global__ void permanents(const int *matrices, long long *out, int n) {
  int m = blockIdx.x * blockDim.x + threadIdx.x, sums[10] = {};
  if (m >= n)
    return;
  long long total = 0;
  for (unsigned g = 1; g < 1024; g++) {
    int column = __ffs(g) - 1;
    unsigned chosen = g ^ g >> 1;
    long long product = __popc(chosen) % 2 ? -1 : 1;
#pragma unroll
    for (int row = 0; row < 10; row++) {
      int entry = matrices[(column * 10 + row) * n + m];
      sums[row] += chosen >> column & 1 ? entry : -entry;
      product *= sums[row];
    }
    total += product;
  }
  out[m] = total;
}
static void permanents_by_ryser(Run &run, int n) {
  Buffer<int> matrices((size_t)n * 100, [](int i) { return (int)(bits(i) % 4); });
  Buffer<long long> out(n);
  run.time([&] { permanents<<<blocks_of(n, 64), 64>>>(matrices, out, n); });
  std::vector<long long> ways(1024);
  run.expect_all(out, [&](int m) {
    ways[0] = 1;
    for (int chosen = 1; chosen < 1024; chosen++) {
      int row = ones(chosen) - 1;
      ways[chosen] = 0;
      for (int column = 0; column < 10; column++)
        if (chosen >> column & 1)
          ways[chosen] +=
              ways[chosen ^ 1 << column] * matrices.host[(size_t)(column * 10 + row) * n + m];
    }
    return ways[1023];
  });
}

/* The reference with the smallest Hamming distance from a query, of 256 bits. */
__global__ void match_descriptors(const uint32_t *queries, const uint32_t *references, int *best,
                                  int n, int count) {
  __shared__ uint32_t tile[64 * 8];
  int i = blockIdx.x * 128 + threadIdx.x, least = 1000, where = 0;
  uint32_t own[8];
  for (int k = 0; k < 8; k++)
    own[k] = queries[k * n + min(i, n - 1)];
  for (int first = 0; first < count; first += 64) {
    for (int k = threadIdx.x; k < 512; k += 128)
      tile[k] = references[first * 8 + k];
    __syncthreads();
    for (int r = 0; r < 64; r++) {
      int differ = 0;
      for (int k = 0; k < 8; k++)
        differ += __popc(own[k] ^ tile[r * 8 + k]);
      if (differ < least)
        least = differ, where = first + r;
    }
    __syncthreads();
  }
  if (i < n)
    best[i] = least * 65536 + where;
}
static void descriptors(Run &run, int n) {
  const int count = 1280;
  Buffer<uint32_t> queries((size_t)n * 8, bits);
  Buffer<uint32_t> references((size_t)count * 8, [](int i) { return bits(i + 123456789); });
  Buffer<int> best(n);
  run.time(
      [&] { match_descriptors<<<blocks_of(n, 128), 128>>>(queries, references, best, n, count); });
  run.expect_all(best, [&](int i) {
    int least = 1000 * 65536;
    for (int r = 0; r < count; r++) {
      int differ = 0;
      for (int k = 0; k < 8; k++)
        differ += ones(queries.host[(size_t)k * n + i] ^ references.host[r * 8 + k]);
      least = std::min(least, differ * 65536 + r);
    }
    return least;
  });
}

/* Squares modulo 2^256, 40 times, in words of 32 bits. */
__host__ __device__ static inline void square_256(uint32_t *a) {
  uint32_t r[8] = {};
#pragma unroll
  for (int i = 0; i < 8; i++) {
    uint64_t carry = 0;
#pragma unroll
    for (int j = 0; j < 8; j++)
      if (i + j < 8) {
        carry += (uint64_t)a[i] * a[j] + r[i + j];
        r[i + j] = (uint32_t)carry;
        carry >>= 32;
      }
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
    a[i] = r[i] + (i == 0 ? 2 : 0);
}
__global__ void long_squares(const uint32_t *in, uint32_t *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t a[8];
  if (t >= n)
    return;
  for (int k = 0; k < 8; k++)
    a[k] = in[k * n + t];
  for (int step = 0; step < 40; step++)
    square_256(a);
  for (int k = 0; k < 8; k++)
    out[k * n + t] = a[k];
}
static void squares_of_256_bits(Run &run, int n) {
  Buffer<uint32_t> in((size_t)n * 8, bits), out((size_t)n * 8);
  run.time([&] { long_squares<<<blocks_of(n, 128), 128>>>(in, out, n); });
  out.down();
  for (int t = 0; t < n; t++) {
    uint32_t a[8];
    for (int k = 0; k < 8; k++)
      a[k] = in.host[(size_t)k * n + t];
    for (int step = 0; step < 40; step++)
      square_256(a);
    for (int k = 0; k < 8; k++)
      run.expect(t, out.host[(size_t)k * n + t], a[k]);
  }
}

/* Butterflies of a transform modulo a prime: a launch for each stage. */
enum { PRIME = 998244353 };
__global__ void prime_butterflies(uint32_t *data, const uint32_t *roots, int half, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = i % half, at = i / half * 2 * half + j;
  uint32_t a = data[at], b = data[at + half];
  data[at] = (a + b) % PRIME;
  data[at + half] = (uint64_t)(a + PRIME - b) * roots[j * (n / 2 / half)] % PRIME;
}
static uint64_t power(uint64_t base, int exponent) {
  uint64_t result = 1;
  for (; exponent; exponent /= 2, base = base * base % PRIME)
    result = exponent % 2 ? result * base % PRIME : result;
  return result;
}
static void prime_transform(Run &run, int log) {
  const int n = 1 << log;
  Buffer<uint32_t> data(n, [](int i) { return bits(i) % PRIME; }), roots(n / 2);
  uint64_t root = power(3, (PRIME - 1) / n), now = 1;
  for (int i = 0; i < n / 2; i++, now = now * root % PRIME)
    roots.host[i] = (uint32_t)now;
  roots.up();
  std::vector<uint32_t> in = data.host;
  run.time(
      [&] {
        for (int half = n / 2; half; half /= 2)
          prime_butterflies<<<n / 512, 256>>>(data, roots, half, n);
      },
      [&] { data.up(); });
  std::vector<uint32_t> is = in;
  for (int half = n / 2; half; half /= 2)
    for (int i = 0; i < n / 2; i++) {
      int j = i % half, at = i / half * 2 * half + j;
      uint64_t a = is[at], b = is[at + half];
      is[at] = (a + b) % PRIME;
      is[at + half] = (a + PRIME - b) * roots.host[j * (n / 2 / half)] % PRIME;
    }
  run.expect_all(data, [&](int i) { return is[i]; });
  uint64_t sum = std::accumulate(in.begin(), in.end(), (uint64_t)0);
  run.expect(0, data.host[0], sum % PRIME);
}

/* ---- strings, compression ----------------------------------------------------------------- */
/* An automaton reads lines until it accepts or fails; its table is in constant memory. */
static __constant__ uint8_t automaton[32][8];
__host__ __device__ static inline int run_automaton(const char *line, int length,
                                                    const uint8_t (*table)[8]) {
  int state = 1, k = 0;
  while (k < length && state != 0 && state != 31)
    state = table[state][line[k++] & 7];
  return k * 32 + state;
}
__global__ void match_lines(const char *lines, int *out, int n, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = run_automaton(lines + (size_t)i * length, length, automaton);
}
static void lines_matched(Run &run, int n) {
  uint8_t table[32][8];
  for (int k = 0; k < 256; k++)
    table[k / 8][k % 8] = bits(k + 300) % 32;
  CHECK(cudaMemcpyToSymbol(automaton, table, sizeof automaton));
  Buffer<char> lines((size_t)n * 72, [](int i) { return 'a' + bits(i) % 26; });
  Buffer<int> out(n);
  run.time([&] { match_lines<<<blocks_of(n, 256), 256>>>(lines, out, n, 72); });
  run.expect_all(out, [&](int i) { return run_automaton(&lines.host[(size_t)i * 72], 72, table); });
}

/* Horspool's search: a constant table has the distance by which the pattern moves. The moves are
 * short enough to find overlapping matches, too. */
static __constant__ uint8_t horspool_shift[256];
__global__ void horspool(const char *text, const char *pattern, int *counts, int n, int piece) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, first = t * piece, count = 0;
  if (first >= n)
    return;
  for (int at = first; at < min(first + piece, n - 5);) {
    int k = 5;
    while (k >= 0 && text[at + k] == pattern[k])
      k--;
    count += k < 0;
    at += horspool_shift[(uint8_t)text[at + 5]];
  }
  counts[t] = count;
}
static void words_searched(Run &run, int n) {
  const int piece = 480;
  const std::string pattern = "abcadb";
  std::vector<uint8_t> shift(256, 6);
  for (int k = 0; k < 5; k++)
    shift[(uint8_t)pattern[k]] = 5 - k;
  CHECK(cudaMemcpyToSymbol(horspool_shift, shift.data(), 256));
  Buffer<char> text(n, [](int i) { return 'a' + bits(i) % 5; });
  Buffer<char> wanted(6, [&](int k) { return pattern[k]; });
  Buffer<int> counts(blocks_of(n, piece));
  run.time(
      [&] { horspool<<<blocks_of(counts.host.size(), 64), 64>>>(text, wanted, counts, n, piece); });
  std::vector<int> want(counts.host.size());
  for (int at = 0; at + 6 <= n; at++)
    want[at / piece] += std::equal(pattern.begin(), pattern.end(), &text.host[at]);
  run.expect_all(counts, [&](int t) { return want[t]; });
}

/* Myers' edit distance: a column of 64 cells is two words. */
__global__ void bit_distances(const uint8_t *patterns, const uint8_t *texts, int *out, int n,
                              int length) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, score = 64;
  if (t >= n)
    return;
  uint64_t equal[4] = {}, plus = ~0ull, minus = 0;
  for (int k = 0; k < 64; k++)
    equal[patterns[k * n + t]] |= 1ull << k;
  for (int k = 0; k < length; k++) {
    uint64_t same = equal[texts[k * n + t]], down = same | minus;
    uint64_t across = (((same & plus) + plus) ^ plus) | same;
    uint64_t more = minus | ~(across | plus), less = plus & across;
    score += (int)(more >> 63) - (int)(less >> 63);
    more = more << 1 | 1;
    less <<= 1;
    plus = less | ~(down | more);
    minus = more & down;
  }
  out[t] = score;
}
static void distances_by_bits(Run &run, int n) {
  const int length = 90;
  Buffer<uint8_t> patterns((size_t)n * 64, [](int i) { return bits(i) % 4; });
  Buffer<uint8_t> texts((size_t)n * length, [](int i) { return bits(i + 11) % 4; });
  Buffer<int> out(n);
  run.time([&] { bit_distances<<<blocks_of(n, 128), 128>>>(patterns, texts, out, n, length); });
  run.expect_all(out, [&](int t) {
    int row[65];
    std::iota(row, row + 65, 0);
    for (int k = 0; k < length; k++)
      for (int j = 1, diagonal = row[0]++; j <= 64; j++) {
        bool same = patterns.host[(size_t)(j - 1) * n + t] == texts.host[(size_t)k * n + t];
        int best = std::min(diagonal + !same, std::min(row[j], row[j - 1]) + 1);
        diagonal = row[j];
        row[j] = best;
      }
    return row[64];
  });
}

/* Local alignment of Smith and Waterman: a thread for each pair, its row in local memory. */
__host__ __device__ static inline int aligned(const uint8_t *a, const uint8_t *b, int stride) {
  int16_t row[41] = {};
  int best = 0;
  for (int i = 0; i < 40; i++) {
    int diagonal = 0, letter = a[i * stride];
    for (int j = 1; j <= 40; j++) {
      int score = diagonal + (letter == b[(j - 1) * stride] ? 3 : -2);
      diagonal = row[j];
      int gap = (row[j] > row[j - 1] ? row[j] : row[j - 1]) - 2;
      score = score > gap ? score : gap;
      row[j] = score > 0 ? score : 0;
      best = score > best ? score : best;
    }
  }
  return best;
}
__global__ void align(const uint8_t *a, const uint8_t *b, int *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n)
    out[t] = aligned(a + t, b + t, n);
}
static void alignments(Run &run, int n) {
  Buffer<uint8_t> a((size_t)n * 40, [](int i) { return bits(i) % 4; });
  Buffer<uint8_t> b((size_t)n * 40, [](int i) { return bits(i + 77) % 4; });
  Buffer<int> out(n);
  run.time([&] { align<<<blocks_of(n, 64), 64>>>(a, b, out, n); });
  run.expect_all(out, [&](int t) { return aligned(&a.host[t], &b.host[t], n); });
}

/* The longest common subsequence of a long word and 32 letters. Each lane has one letter. */
__global__ void common_letters(const char *own, const char *words, int *out, int length) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int left = 0, diagonal = 0;
  char letter = own[warp * 32 + lane];
  for (int step = 0; step < length + 31; step++) {
    int above = __shfl_up_sync(~0u, left, 1), j = step - lane;
    if (lane == 0)
      above = 0;
    if (j >= 0 && j < length) {
      left = letter == words[warp * length + j] ? diagonal + 1 : max(left, above);
      diagonal = above;
    }
  }
  if (lane == 31)
    out[warp] = left;
}
static void subsequences(Run &run, int n) {
  const int length = 300;
  Buffer<char> own((size_t)n * 32, [](int i) { return 'a' + bits(i) % 20; });
  Buffer<char> words((size_t)n * length, [](int i) { return 'a' + bits(i + 3) % 20; });
  Buffer<int> out(n);
  run.time([&] { common_letters<<<n / 8, 256>>>(own, words, out, length); });
  std::vector<int> row(length + 1);
  run.expect_all(out, [&](int w) {
    std::fill(row.begin(), row.end(), 0);
    for (int i = 0; i < 32; i++)
      for (int j = 1, diagonal = 0; j <= length; j++) {
        bool same = own.host[w * 32 + i] == words.host[w * length + j - 1];
        int best = same ? diagonal + 1 : std::max(row[j], row[j - 1]);
        diagonal = row[j];
        row[j] = best;
      }
    return row[length];
  });
}

/* Elias' gamma code: as many zeros as the number has further bits. A thread reads 24 numbers. */
__global__ void decode_gamma(const uint32_t *stream, const int *starts, uint32_t *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int at = starts[t];
  for (int k = 0; k < 24; k++) {
    uint32_t window = __funnelshift_l(stream[at / 32 + 1], stream[at / 32], at % 32);
    int zeros = __clz(window);
    out[k * n + t] = window << zeros >> (31 - zeros);
    at += 2 * zeros + 1;
  }
}
static void gamma_codes(Run &run, int n) {
  auto number = [](int i) { return 1 + (bits(i) & 0xfff) % (1 << bits(i) % 11 >> 1 | 1); };
  std::vector<uint32_t> stream(2);
  Buffer<int> starts(n);
  Buffer<uint32_t> out((size_t)n * 24);
  int at = 0;
  for (int i = 0; i < n * 24; i++) {
    uint32_t value = number(i);
    int zeros = 31 - __builtin_clz(value);
    if (i % 24 == 0)
      starts.host[i / 24] = at;
    for (int k = zeros; k >= 0; k--)
      stream[(at + 2 * zeros - k) / 32] |= (value >> k & 1) << (31 - (at + 2 * zeros - k) % 32);
    at += 2 * zeros + 1;
    stream.resize(at / 32 + 4);
  }
  starts.up();
  Buffer<uint32_t> words(stream.size(), [&](int i) { return stream[i]; });
  run.time([&] { decode_gamma<<<blocks_of(n, 128), 128>>>(words, starts, out, n); });
  run.expect_all(out, [&](int i) { return number(i % n * 24 + i / n); });
}

/* The longest match of each position with one of the 48 positions before it. */
__host__ __device__ static inline int longest_match(const char *text, int i, int n) {
  int best = 0;
  for (int back = 1; back <= 48 && back <= i; back++) {
    int length = 0;
    while (length < 18 && i + length < n && text[i + length] == text[i + length - back])
      length++;
    best = length > best ? length : best;
  }
  return best;
}
__global__ void matches(const char *text, uint8_t *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = longest_match(text, i, n);
}
static void matches_behind(Run &run, int n) {
  Buffer<char> text(n,
                    [](int i) { return bits(i / 40) % 3 ? 'a' + bits(i % 23) % 9 : bits(i) % 5; });
  Buffer<uint8_t> out(n);
  run.time([&] { matches<<<blocks_of(n, 192), 192>>>(text, out, n); });
  run.expect_all(out, [&](int i) { return longest_match(text.host.data(), i, n); });
}

/* ---- dynamic programming, sorting --------------------------------------------------------- */
/* The cheapest order of a chain of products; one block, a barrier for each diagonal. */
__global__ void order_chain(const int *size, int *cost, int n) {
  for (int length = 1; length < n; length++) {
    for (int i = threadIdx.x; i + length < n; i += blockDim.x) {
      int j = i + length, least = INT32_MAX;
      for (int k = i; k < j; k++)
        least = min(least,
                    cost[i * n + k] + cost[(k + 1) * n + j] + size[i] * size[k + 1] * size[j + 1]);
      cost[i * n + j] = least;
    }
    __syncthreads();
  }
}
static void chain_of_products(Run &run, int n) {
  Buffer<int> size(n + 1, [](int i) { return (int)(5 + bits(i) % 40); });
  Buffer<int> cost((size_t)n * n, none);
  std::vector<int> want(n * n);
  run.time([&] { order_chain<<<1, 192>>>(size, cost, n); }, [&] { cost.zero(); });
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      int least = INT32_MAX, ends = size.host[i] * size.host[j + 1];
      for (int k = i; k < j; k++)
        least = std::min(least, want[i * n + k] + want[(k + 1) * n + j] + ends * size.host[k + 1]);
      want[i * n + j] = least;
    }
  run.expect_all(cost, [&](int i) { return want[i]; });
}

/* Viterbi's algorithm over 96 states: a block for each sequence. */
__global__ void viterbi(const int *cost, const int *emit, const uint8_t *seen, int *best,
                        int length) {
  __shared__ int is[96];
  int state = threadIdx.x;
  is[state] = state;
  for (int t = 0; t < length; t++) {
    __syncthreads();
    int least = INT32_MAX;
    for (int from = 0; from < 96; from++)
      least = min(least, is[from] + cost[from * 96 + state]);
    __syncthreads();
    is[state] = least + emit[seen[blockIdx.x * length + t] * 96 + state];
  }
  best[blockIdx.x * 96 + state] = is[state];
}
static void likely_states(Run &run, int sequences) {
  const int length = 160;
  Buffer<int> cost(96 * 96, [](int i) { return (int)(bits(i) % 1000); });
  Buffer<int> emit(16 * 96, [](int i) { return (int)(bits(i + 1) % 1000); });
  Buffer<uint8_t> seen((size_t)sequences * length, [](int i) { return bits(i) % 16; });
  Buffer<int> best((size_t)sequences * 96);
  run.time([&] { viterbi<<<sequences, 96>>>(cost, emit, seen, best, length); });
  best.down();
  std::vector<int> is(96), next(96);
  for (int s = 0; s < sequences; s++) {
    std::iota(is.begin(), is.end(), 0);
    for (int t = 0; t < length; t++, is.swap(next))
      for (int state = 0; state < 96; state++) {
        int least = INT32_MAX;
        for (int from = 0; from < 96; from++)
          least = std::min(least, is[from] + cost.host[from * 96 + state]);
        next[state] = least + emit.host[seen.host[s * length + t] * 96 + state];
      }
    for (int state = 0; state < 96; state++)
      run.expect(s * 96 + state, best.host[s * 96 + state], is[state]);
  }
}

/* The cheapest way down a grid: a launch for each row. */
__global__ void next_row(const int *wall, const int *is, int *next, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int least = is[i];
  if (i > 0)
    least = min(least, is[i - 1]);
  if (i < n - 1)
    least = min(least, is[i + 1]);
  next[i] = wall[i] + least;
}
static void cheapest_ways(Run &run, int n) {
  const int rows = 50;
  Buffer<int> wall((size_t)n * rows, [](int i) { return (int)(bits(i) % 10); });
  Buffer<int> a(n, none), b(n);
  std::vector<int> is(n), next(n);
  run.time(
      [&] {
        for (int r = 0; r < rows; r++)
          next_row<<<blocks_of(n, 256), 256>>>(wall + r * n, r % 2 ? b : a, r % 2 ? a : b, n);
      },
      [&] { a.zero(); });
  for (int r = 0; r < rows; r++, is.swap(next))
    for (int i = 0; i < n; i++)
      next[i] = wall.host[r * n + i] +
                std::min(is[i], std::min(is[std::max(i - 1, 0)], is[std::min(i + 1, n - 1)]));
  run.expect_all(a, [&](int i) { return is[i]; });
}

/* Quicksort of 48 values by each thread, in local memory, with a stack of its own. */
__global__ void sort_locally(const int *in, int *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, keys[48], stack[96], top = 0;
  if (t >= n)
    return;
  for (int k = 0; k < 48; k++)
    keys[k] = in[k * n + t];
  stack[top++] = 0, stack[top++] = 47;
  while (top) {
    int high = stack[--top], low = stack[--top], pivot = keys[high], i = low;
    for (int j = low; j < high; j++)
      if (keys[j] < pivot) {
        int key = keys[i];
        keys[i++] = keys[j], keys[j] = key;
      }
    keys[high] = keys[i], keys[i] = pivot;
    if (low < i - 1)
      stack[top++] = low, stack[top++] = i - 1;
    if (i + 1 < high)
      stack[top++] = i + 1, stack[top++] = high;
  }
  for (int k = 0; k < 48; k++)
    out[k * n + t] = keys[k];
}
static void sorted_locally(Run &run, int n) {
  Buffer<int> in((size_t)n * 48, [](int i) { return (int)(bits(i) >> 8); }), out((size_t)n * 48);
  run.time([&] { sort_locally<<<blocks_of(n, 128), 128>>>(in, out, n); });
  out.down();
  for (int t = 0; t < n; t++) {
    int keys[48];
    for (int k = 0; k < 48; k++)
      keys[k] = in.host[k * n + t];
    std::sort(keys, keys + 48);
    for (int k = 0; k < 48; k++)
      run.expect(k * n + t, out.host[k * n + t], keys[k]);
  }
}

/* Batcher's odd-even merge sort of 4096 values, by one block. */
__global__ void batcher(int *values) {
  __shared__ int own[4096];
  for (int k = threadIdx.x; k < 4096; k += blockDim.x)
    own[k] = values[k];
  for (int p = 1; p < 4096; p *= 2)
    for (int gap = p; gap; gap /= 2) {
      __syncthreads();
      for (int i = threadIdx.x; i < 4096; i += blockDim.x) {
        int offset = i - gap % p;
        bool lower = offset >= 0 && offset % (2 * gap) < gap && i + gap < 4096;
        if (lower && i / (2 * p) == (i + gap) / (2 * p) && own[i] > own[i + gap]) {
          int value = own[i];
          own[i] = own[i + gap], own[i + gap] = value;
        }
      }
    }
  __syncthreads();
  for (int k = threadIdx.x; k < 4096; k += blockDim.x)
    values[k] = own[k];
}
static void merging_network(Run &run, int threads) {
  Buffer<int> values(4096, [](int i) { return (int)(bits(i) >> 4); });
  std::vector<int> want = values.host;
  run.time([&] { batcher<<<1, threads>>>(values); }, [&] { values.up(); });
  std::sort(want.begin(), want.end());
  run.expect_all(values, [&](int i) { return want[i]; });
}

/* A radix sort of 32 keys by each warp: a vote for each of 16 bits. */
__global__ void sort_by_votes(const uint16_t *in, uint16_t *out, int n) {
  __shared__ uint16_t moved[256];
  int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
  uint16_t *own = moved + threadIdx.x / 32 * 32, key = i < n ? in[i] : 0xffff;
  for (int bit = 0; bit < 16; bit++) {
    unsigned set = __ballot_sync(~0u, key >> bit & 1), before = (1u << lane) - 1;
    int place = key >> bit & 1 ? __popc(~set) + __popc(set & before) : __popc(~set & before);
    own[place] = key;
    __syncwarp();
    key = own[lane];
    __syncwarp();
  }
  if (i < n)
    out[i] = key;
}
static void sorted_by_votes(Run &run, int n) {
  Buffer<uint16_t> in(n, [](int i) { return bits(i) & 0xfffe; }), out(n);
  run.time([&] { sort_by_votes<<<blocks_of(n, 256), 256>>>(in, out, n); });
  std::vector<uint16_t> want = in.host;
  for (int first = 0; first < n; first += 32)
    std::sort(want.begin() + first, want.begin() + std::min(n, first + 32));
  run.expect_all(out, [&](int i) { return want[i]; });
}

/* The permutation of ten things with a given number; its array is indexed by data. */
__global__ void unrank(uint32_t *out, int n) {
  int rank = blockIdx.x * blockDim.x + threadIdx.x, place = 362880;
  if (rank >= n)
    return;
  uint8_t left[10];
  uint32_t hash = 0;
  for (int k = 0; k < 10; k++)
    left[k] = k;
  for (int k = 0; k < 10; k++) {
    int which = rank / place;
    rank %= place;
    place /= k < 9 ? 9 - k : 1;
    hash = hash * 31 + left[which];
    for (int j = which; j < 9 - k; j++)
      left[j] = left[j + 1];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = hash;
}
static void permutations(Run &run, int n) {
  Buffer<uint32_t> out(n);
  run.time([&] { unrank<<<blocks_of(n, 256), 256>>>(out, n); });
  int items[10];
  std::iota(items, items + 10, 0);
  run.expect_all(out, [&](int) {
    uint32_t hash = 0;
    for (int item : items)
      hash = hash * 31 + item;
    std::next_permutation(items, items + 10);
    return hash;
  });
}

/* ---- products and linear solvers ---------------------------------------------------------- */
static void expect_product(Run &run, const std::vector<float> &a, const std::vector<float> &b,
                           Buffer<float> &c, int n) {
  std::vector<float> row(n);
  c.down();
  for (int i = 0; i < n; i++) {
    std::fill(row.begin(), row.end(), 0);
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        row[j] += a[i * n + k] * b[k * n + j];
    for (int j = 0; j < n; j++)
      run.expect(i * n + j, c.host[i * n + j], row[j], 1e-2);
  }
}
/* Tiles of 20x20, and a size that they do not divide. */
__global__ void product_20(const float *a, const float *b, float *c, int n) {
  __shared__ float s[20][20], t[20][20];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 20 + y, column = blockIdx.x * 20 + x;
  float sum = 0;
  for (int first = 0; first < n; first += 20) {
    s[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0;
    t[y][x] = column < n && first + y < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < 20; k++)
      sum += s[y][k] * t[k][x];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}
static void tiles_of_20(Run &run, int n) {
  Buffer<float> a((size_t)n * n, unit), b((size_t)n * n, unit), c((size_t)n * n);
  run.time(
      [&] { product_20<<<dim3(blocks_of(n, 20), blocks_of(n, 20)), dim3(20, 20)>>>(a, b, c, n); });
  expect_product(run, a.host, b.host, c, n);
}
/* Each thread has 3x5 results and reads its operands from global memory. */
__global__ void product_3x5(const float *a, const float *b, float *c, int n) {
  int row = (blockIdx.y * blockDim.y + threadIdx.y) * 3, column = blockIdx.x * 80 + threadIdx.x;
  float sum[3][5] = {};
  for (int k = 0; k < n; k++) {
    float left[3], right[5];
    for (int i = 0; i < 3; i++)
      left[i] = a[(row + i) * n + k];
    for (int j = 0; j < 5; j++)
      right[j] = b[k * n + column + 16 * j];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 5; j++)
        sum[i][j] += left[i] * right[j];
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++)
      c[(row + i) * n + column + 16 * j] = sum[i][j];
}
static void fifteen_each(Run &run, int n) {
  Buffer<float> a((size_t)n * n, unit), b((size_t)n * n, unit), c((size_t)n * n);
  run.time([&] { product_3x5<<<dim3(n / 80, n / 24), dim3(16, 8)>>>(a, b, c, n); });
  expect_product(run, a.host, b.host, c, n);
}

/* Inverses of 4x4 by Gauss and Jordan, a thread each, in registers. */
__global__ void invert_small(const double *in, double *out, int n) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  double a[4][4];
  if (m >= n)
    return;
  for (int k = 0; k < 16; k++)
    a[k / 4][k % 4] = in[k * n + m];
  for (int pivot = 0; pivot < 4; pivot++) {
    double scale = 1 / a[pivot][pivot];
    a[pivot][pivot] = 1;
    for (int k = 0; k < 4; k++)
      a[pivot][k] *= scale;
    for (int row = 0; row < 4; row++)
      if (row != pivot) {
        double factor = a[row][pivot];
        a[row][pivot] = 0;
        for (int k = 0; k < 4; k++)
          a[row][k] -= factor * a[pivot][k];
      }
  }
  for (int k = 0; k < 16; k++)
    out[k * n + m] = a[k / 4][k % 4];
}
static void small_inverses(Run &run, int n) {
  Buffer<double> in((size_t)n * 16), out((size_t)n * 16);
  for (int i = 0; i < n * 16; i++)
    in.host[i] = unit(i) + (i / n % 5 == 0 ? 4 : 0);
  in.up();
  run.time([&] { invert_small<<<blocks_of(n, 128), 128>>>(in, out, n); });
  out.down();
  for (int i = 0; i < n * 16; i++) {
    int m = i % n, row = i / n / 4, column = i / n % 4;
    double sum = 0;
    for (int k = 0; k < 4; k++)
      sum += in.host[(size_t)(row * 4 + k) * n + m] * out.host[(size_t)(k * 4 + column) * n + m];
    run.expect(i, sum, row == column, 1e-12);
  }
}

/* The largest eigenvalue of a symmetric 3x3 matrix, by Jacobi's rotations. */
__device__ static inline void rotate(float &app, float &aqq, float &apq, float &apr, float &aqr) {
  if (apq == 0)
    return;
  float theta = (aqq - app) / (2 * apq), root = sqrtf(theta * theta + 1);
  float t = (theta < 0 ? -1.0f : 1.0f) / (fabsf(theta) + root), c = rsqrtf(t * t + 1), s = t * c;
  float turned_p = c * apr - s * aqr;
  app -= t * apq, aqq += t * apq, apq = 0;
  aqr = s * apr + c * aqr, apr = turned_p;
}
__global__ void eigenvalues(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float xx = in[i], yy = in[n + i], zz = in[2 * n + i];
  float xy = in[3 * n + i], xz = in[4 * n + i], yz = in[5 * n + i];
  for (int sweep = 0; sweep < 5; sweep++) {
    rotate(xx, yy, xy, xz, yz);
    rotate(xx, zz, xz, xy, yz);
    rotate(yy, zz, yz, xy, xz);
  }
  out[i] = fmaxf(xx, fmaxf(yy, zz));
}
static void largest_eigenvalues(Run &run, int n) {
  Buffer<float> in((size_t)n * 6, unit), out(n);
  run.time([&] { eigenvalues<<<blocks_of(n, 256), 256>>>(in, out, n); });
  run.expect_all(
      out,
      [&](int i) {
        double v[6];
        for (int k = 0; k < 6; k++)
          v[k] = in.host[(size_t)k * n + i];
        double mean = (v[0] + v[1] + v[2]) / 3, a = v[0] - mean, b = v[1] - mean, c = v[2] - mean;
        double x = v[3], y = v[4], z = v[5];
        double p = sqrt((a * a + b * b + c * c + 2 * (x * x + y * y + z * z)) / 6);
        double det = a * (b * c - z * z) - x * (x * c - z * y) + y * (x * z - b * y);
        double half = det / (2 * p * p * p);
        return mean + 2 * p * cos(acos(std::max(-1.0, std::min(1.0, half))) / 3);
      },
      3e-5);
}

/* Gauss and Jordan in shared memory: a block for each system of 60. */
__global__ void eliminate_in_shared(const double *matrices, const double *right, double *x) {
  __shared__ double a[60][61], factor[60];
  int t = threadIdx.x;
  for (int k = t; k < 3600; k += blockDim.x)
    a[k / 60][k % 60] = matrices[blockIdx.x * 3600 + k];
  if (t < 60)
    a[t][60] = right[blockIdx.x * 60 + t];
  __syncthreads();
  for (int pivot = 0; pivot < 60; pivot++) {
    if (t < 60)
      factor[t] = a[t][pivot] / a[pivot][pivot];
    __syncthreads();
    for (int k = t; k < 60 * 61; k += blockDim.x)
      if (k / 61 != pivot)
        a[k / 61][k % 61] -= factor[k / 61] * a[pivot][k % 61];
    __syncthreads();
  }
  if (t < 60)
    x[blockIdx.x * 60 + t] = a[t][60] / a[t][t];
}
static void systems_of_60(Run &run, int n) {
  Buffer<double> matrices((size_t)n * 3600), right((size_t)n * 60, unit), x((size_t)n * 60);
  for (int i = 0; i < n * 3600; i++)
    matrices.host[i] = unit(i) + (i % 3600 % 61 == 0 ? 40 : 0);
  matrices.up();
  run.time([&] { eliminate_in_shared<<<n, 160>>>(matrices, right, x); });
  x.down();
  for (int r = 0; r < n * 60; r++) {
    double sum = 0;
    for (int k = 0; k < 60; k++)
      sum += matrices.host[(size_t)r * 60 + k] * x.host[r / 60 * 60 + k];
    run.expect(r, sum, right.host[r], 1e-10);
  }
}

/* Conjugate gradients by one block, for a chain of springs. */
__device__ static double total_of(double v, double *part) {
  for (int step = 16; step; step /= 2)
    v += __shfl_xor_sync(~0u, v, step);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  v = part[threadIdx.x % 32];
  for (int step = 16; step; step /= 2)
    v += __shfl_xor_sync(~0u, v, step);
  __syncthreads();
  return v;
}
__global__ void springs_at_rest(const double *force, double *place, int steps) {
  __shared__ double p[1026], part[32];
  int i = threadIdx.x;
  double x = 0, r = force[i], rr = total_of(r * r, part);
  if (i < 2)
    p[i * 1025] = 0;
  p[i + 1] = r;
  for (int step = 0; step < steps; step++) {
    __syncthreads();
    double q = 2.2 * p[i + 1] - p[i] - p[i + 2], alpha = rr / total_of(p[i + 1] * q, part);
    x += alpha * p[i + 1];
    r -= alpha * q;
    double after = total_of(r * r, part);
    p[i + 1] = r + after / rr * p[i + 1];
    rr = after;
  }
  place[i] = x;
}
static void gradients_in_a_block(Run &run, int steps) {
  Buffer<double> force(1024, unit), place(1024);
  run.time([&] { springs_at_rest<<<1, 1024>>>(force, place, steps); });
  place.down();
  for (int i = 0; i < 1024; i++) {
    double left = i ? place.host[i - 1] : 0, right = i < 1023 ? place.host[i + 1] : 0;
    run.expect(i, 2.2 * place.host[i] - left - right, force.host[i], 1e-6);
  }
}

/* Vectors made orthonormal one after the other, by one block. */
__global__ void gram_schmidt(float *vectors, int count) {
  __shared__ float part[8];
  int t = threadIdx.x;
  for (int j = 0; j < count; j++) {
    float own = vectors[j * 256 + t];
    for (int i = 0; i <= j; i++) {
      float other = i < j ? vectors[i * 256 + t] : own, sum = own * other;
      for (int step = 16; step; step /= 2)
        sum += __shfl_xor_sync(~0u, sum, step);
      __syncthreads();
      if (t % 32 == 0)
        part[t / 32] = sum;
      __syncthreads();
      sum = part[0] + part[1] + part[2] + part[3] + part[4] + part[5] + part[6] + part[7];
      own = i < j ? own - sum * other : own * rsqrtf(sum);
    }
    vectors[j * 256 + t] = own;
  }
}
static void orthonormal(Run &run, int count) {
  Buffer<float> vectors((size_t)count * 256, [](int i) { return unit(i) - 0.5f; });
  std::vector<float> in = vectors.host;
  run.time([&] { gram_schmidt<<<1, 256>>>(vectors, count); }, [&] { vectors.up(); });
  vectors.down();
  auto dot = [&](const float *a, const float *b) { return std::inner_product(a, a + 256, b, 0.0); };
  const float *v = vectors.host.data();
  for (int i = 0; i < count; i++)
    for (int j = 0; j <= i; j++) {
      run.expect(i * count + j, dot(v + i * 256, v + j * 256), i == j, 1e-4);
      if (j < i)
        run.expect(i * count + j, dot(v + i * 256, &in[j * 256]), 0, 1e-3);
    }
}

/* A Markov chain, with a grid-wide barrier after each step. */
__global__ void markov(const float *matrix, float *a, float *b, int n, int steps) {
  auto grid = cooperative_groups::this_grid();
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  for (int step = 0; step < steps; step++) {
    const float *is = step % 2 ? b : a;
    float *next = step % 2 ? a : b;
    for (int row = warp; row < n; row += gridDim.x * blockDim.x / 32) {
      float sum = 0;
      for (int k = lane; k < n; k += 32)
        sum += matrix[row * n + k] * is[k];
      for (int half = 16; half; half /= 2)
        sum += __shfl_xor_sync(~0u, sum, half);
      if (lane == 0)
        next[row] = sum;
    }
    grid.sync();
  }
}
static void chain_of_markov(Run &run, int n) {
  int steps = 16;
  Buffer<float> matrix((size_t)n * n, [&](int i) { return unit(i) * 2 / n; }), a(n, unit), b(n);
  std::vector<double> is(a.host.begin(), a.host.end()), next(n);
  void *arguments[] = {&matrix.device, &a.device, &b.device, &n, &steps};
  run.time(
      [&] {
        CHECK(cudaLaunchCooperativeKernel((void *)markov, dim3(100), dim3(256), arguments, 0, 0));
      },
      [&] { a.up(); });
  for (int step = 0; step < steps; step++, is.swap(next))
    for (int row = 0; row < n; row++) {
      next[row] = 0;
      for (int k = 0; k < n; k++)
        next[row] += matrix.host[row * n + k] * is[k];
    }
  run.expect_all(
      a, [&](int i) { return is[i]; }, 1e-4);
}

/* Sums of rows with Kahan's correction, a thread each. */
__host__ __device__ static inline float kahan(const float *in, int stride, int n) {
  float sum = 0, lost = 0;
  for (int k = 0; k < n; k++) {
    float term = in[k * stride] - lost, next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  return sum;
}
__global__ void exact_sums(const float *in, float *out, int n, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = kahan(in + i, n, columns);
}
static void sums_corrected(Run &run, int n) {
  const int columns = 1500;
  Buffer<float> in((size_t)n * columns, unit), out(n);
  run.time([&] { exact_sums<<<blocks_of(n, 64), 64>>>(in, out, n, columns); });
  run.expect_all(out, [&](int i) { return kahan(&in.host[i], n, columns); });
}

/* ---- particles, finite differences, double precision -------------------------------------- */
/* Velocities of point vortices, by the law of Biot and Savart. */
__global__ void vortices(const double *x, const double *y, const double *strength, double2 *speed,
                         int n) {
  __shared__ double tx[128], ty[128], ts[128];
  int i = blockIdx.x * 128 + threadIdx.x, t = threadIdx.x;
  double own_x = i < n ? x[i] : 0, own_y = i < n ? y[i] : 0, u = 0, v = 0;
  for (int first = 0; first < n; first += 128) {
    tx[t] = first + t < n ? x[first + t] : 0;
    ty[t] = first + t < n ? y[first + t] : 0;
    ts[t] = first + t < n ? strength[first + t] : 0;
    __syncthreads();
    for (int k = 0; k < 128; k++) {
      double dx = own_x - tx[k], dy = own_y - ty[k];
      double scale = ts[k] / (dx * dx + dy * dy + 0.01);
      u -= scale * dy;
      v += scale * dx;
    }
    __syncthreads();
  }
  if (i < n)
    speed[i] = make_double2(u, v);
}
static void vortices_move(Run &run, int n) {
  Buffer<double> x(n, unit), y(n, [](int i) { return unit(i + 5555); }), strength(n, unit);
  Buffer<double2> speed(n);
  run.time([&] { vortices<<<blocks_of(n, 128), 128>>>(x, y, strength, speed, n); });
  speed.down();
  for (int i = 0; i < n; i++) {
    double u = 0, v = 0;
    for (int k = 0; k < n; k++) {
      double dx = x.host[i] - x.host[k], dy = y.host[i] - y.host[k];
      double scale = strength.host[k] / (dx * dx + dy * dy + 0.01);
      u -= scale * dy, v += scale * dx;
    }
    run.expect(i, speed.host[i].x, u, 1e-8);
    run.expect(i, speed.host[i].y, v, 1e-8);
  }
}

/* The density at each particle. Particles are sorted by cells as wide as the kernel's radius. */
__host__ __device__ static inline float density_at(const float2 *p, const int *starts, int side,
                                                   int i) {
  int cx = (int)p[i].x, cy = (int)p[i].y;
  float sum = 0;
  for (int y = cy > 0 ? cy - 1 : 0; y <= cy + 1 && y < side; y++)
    for (int x = cx > 0 ? cx - 1 : 0; x <= cx + 1 && x < side; x++)
      for (int k = starts[y * side + x]; k < starts[y * side + x + 1]; k++) {
        float dx = p[i].x - p[k].x, dy = p[i].y - p[k].y, near = 1 - dx * dx - dy * dy;
        if (near > 0)
          sum += near * near * near;
      }
  return sum;
}
__global__ void densities(const float2 *p, const int *starts, float *out, int side, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = density_at(p, starts, side, i);
}
static void densities_by_cells(Run &run, int side) {
  Buffer<int> starts((size_t)side * side + 1, none);
  for (int c = 0; c < side * side; c++)
    starts.host[c + 1] = starts.host[c] + bits(c) % 9;
  starts.up();
  const int n = starts.host.back();
  Buffer<float2> p(n);
  for (int c = 0; c < side * side; c++)
    for (int k = starts.host[c]; k < starts.host[c + 1]; k++)
      p.host[k] = make_float2(c % side + 0.98f * unit(2 * k), c / side + 0.98f * unit(2 * k + 1));
  p.up();
  Buffer<float> out(n);
  run.time([&] { densities<<<blocks_of(n, 128), 128>>>(p, starts, out, side, n); });
  run.expect_all(
      out, [&](int i) { return density_at(p.host.data(), starts.host.data(), side, i); }, 1e-3);
}

/* An option on a grid of prices: explicit steps in time, a block for each option. */
__host__ __device__ static inline float explicit_step(float below, float at, float above, int i,
                                                      float rate) {
  float square = 4e-6f * i * i;
  return at + square * (below - 2 * at + above) + rate * i * (above - below) - 2 * rate * at;
}
__global__ void options_on_a_grid(const float *strikes, float *out, int steps) {
  __shared__ float value[2][258];
  int i = threadIdx.x + 1;
  value[0][i] = fmaxf(i - strikes[blockIdx.x], 0);
  if (i == 1)
    value[0][0] = value[1][0] = 0;
  if (i == 256)
    value[0][257] = value[1][257] = 257 - strikes[blockIdx.x];
  for (int step = 0; step < steps; step++) {
    __syncthreads();
    const float *is = value[step % 2];
    value[(step + 1) % 2][i] = explicit_step(is[i - 1], is[i], is[i + 1], i, 1e-5f);
  }
  out[blockIdx.x * 256 + threadIdx.x] = value[steps % 2][i];
}
static void grid_of_prices(Run &run, int n) {
  const int steps = 1200;
  Buffer<float> strikes(n, [](int i) { return 60 + 100 * unit(i); }), out((size_t)n * 256);
  run.time([&] { options_on_a_grid<<<n, 256>>>(strikes, out, steps); });
  out.down();
  for (int o = 0; o < n; o++) {
    std::vector<float> is(258), next(258);
    for (int i = 1; i < 258; i++)
      is[i] = next[i] = std::max(i - strikes.host[o], 0.0f);
    for (int step = 0; step < steps; step++, is.swap(next))
      for (int i = 1; i < 257; i++)
        next[i] = explicit_step(is[i - 1], is[i], is[i + 1], i, 1e-5f);
    for (int i = 1; i < 257; i++)
      run.expect(o * 256 + i - 1, out.host[o * 256 + i - 1], is[i], 1e-2);
  }
}

/* Pendulums with friction, by Runge and Kutta's method in double precision. */
__host__ __device__ static inline double swing(double angle, double speed, int steps) {
  const double h = 0.01;
  for (int k = 0; k < steps; k++) {
    double a1 = -sin(angle) - 0.1 * speed, v2 = speed + h / 2 * a1;
    double a2 = -sin(angle + h / 2 * speed) - 0.1 * v2, v3 = speed + h / 2 * a2;
    double a3 = -sin(angle + h / 2 * v2) - 0.1 * v3, v4 = speed + h * a3;
    double a4 = -sin(angle + h * v3) - 0.1 * v4;
    angle += h / 6 * (speed + 2 * v2 + 2 * v3 + v4);
    speed += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return angle;
}
__global__ void pendulums(double *out, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = swing(3.0 * i / n, 0, steps);
}
static void pendulums_swing(Run &run, int n) {
  Buffer<double> out(n);
  run.time([&] { pendulums<<<blocks_of(n, 64), 64>>>(out, n, 900); });
  run.expect_all(
      out, [&](int i) { return swing(3.0 * i / n, 0, 900); }, 1e-9);
}

/* The distance on a globe to the nearest of 64 harbours. */
__host__ __device__ static inline double to_nearest(double2 from, const double2 *harbours) {
  double least = 2, cosine = cos(from.x);
  for (int k = 0; k < 64; k++) {
    double a = sin((harbours[k].x - from.x) / 2), b = sin((harbours[k].y - from.y) / 2);
    least = fmin(least, a * a + cosine * cos(harbours[k].x) * b * b);
  }
  return 12742 * asin(sqrt(least));
}
__global__ void nearest_harbour(const double2 *places, const double2 *harbours, double *out,
                                int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = to_nearest(places[i], harbours);
}
static void harbours_near(Run &run, int n) {
  Buffer<double2> places(n), harbours(64);
  auto place = [](int i) { return make_double2(unit(2 * i) * 3 - 1.5, unit(2 * i + 1) * 6.28); };
  for (int i = 0; i < n; i++)
    places.host[i] = place(i);
  for (int k = 0; k < 64; k++)
    harbours.host[k] = place(k + 10000000);
  places.up(), harbours.up();
  Buffer<double> out(n);
  run.time([&] { nearest_harbour<<<blocks_of(n, 128), 128>>>(places, harbours, out, n); });
  run.expect_all(
      out, [&](int i) { return to_nearest(places.host[i], harbours.host.data()); }, 1e-6);
}

/* Points inside a polygon: how many edges a ray crosses. All lanes read the same corner. */
static __constant__ int2 corners[301];
__host__ __device__ static inline int crossings(int x, int y, const int2 *corner, int count) {
  int crossed = 0;
  for (int k = 0; k < count; k++) {
    int2 a = corner[k], b = corner[k + 1];
    if ((a.y > y) != (b.y > y)) {
      int side = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
      crossed += (side > 0) == (b.y > a.y);
    }
  }
  return crossed & 1;
}
__global__ void inside_polygon(const int2 *points, uint8_t *out, int n, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = crossings(points[i].x, points[i].y, corners, count);
}
static void points_in_a_polygon(Run &run, int n) {
  const int count = 300;
  std::vector<int2> corner(count + 1);
  for (int k = 0; k < count; k++) {
    double radius = 2000 + 6000 * unit(k), angle = 2 * M_PI * k / count;
    corner[k] = make_int2((int)(radius * cos(angle)), (int)(radius * sin(angle)));
  }
  corner[count] = corner[0];
  CHECK(cudaMemcpyToSymbol(corners, corner.data(), sizeof corners));
  Buffer<int2> points(n);
  for (int i = 0; i < n; i++)
    points.host[i] =
        make_int2((int)(bits(2 * i) % 16000) - 8000, (int)(bits(2 * i + 1) % 16000) - 8000);
  points.up();
  Buffer<uint8_t> out(n);
  run.time([&] { inside_polygon<<<blocks_of(n, 256), 256>>>(points, out, n, count); });
  run.expect_all(out, [&](int i) {
    return crossings(points.host[i].x, points.host[i].y, corner.data(), count);
  });
}

/* ---- image filters, interpolation ---------------------------------------------------------- */
/* Non-local means: a window of 9x9, patches of 3x3. */
__host__ __device__ static inline float denoised(const float *in, int w, int i) {
  float sum = 0, weights = 0;
  for (int dy = -4; dy <= 4; dy++)
    for (int dx = -4; dx <= 4; dx++) {
      float distance = 0;
      for (int k = 0; k < 9; k++) {
        int to = i + (k / 3 - 1) * w + k % 3 - 1;
        float d = in[to] - in[to + dy * w + dx];
        distance += d * d;
      }
      float weight = expf(-distance);
      sum += weight * in[i + dy * w + dx];
      weights += weight;
    }
  return sum / weights;
}
__global__ void denoise(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 5, y = blockIdx.y * blockDim.y + threadIdx.y + 5;
  if (x < w - 5 && y < h - 5)
    out[y * w + x] = denoised(in, w, y * w + x);
}
static void means_of_patches(Run &run, int w) {
  const int h = w * 2 / 3;
  Buffer<float> in((size_t)w * h, unit), out((size_t)w * h, none);
  run.time([&] {
    denoise<<<dim3(blocks_of(w - 10, 32), blocks_of(h - 10, 8)), dim3(32, 8)>>>(in, out, w, h);
  });
  run.expect_all(
      out,
      [&](int i) {
        int x = i % w, y = i / w;
        bool inside = x >= 5 && y >= 5 && x < w - 5 && y < h - 5;
        return inside ? denoised(in.host.data(), w, i) : 0;
      },
      1e-4);
}

/* Kuwahara's filter: the mean of the quadrant with the smallest variance. */
__host__ __device__ static inline int calmest(const uint8_t *in, int w, int i) {
  int least = INT32_MAX, mean = 0;
  for (int corner = 0; corner < 4; corner++) {
    int first = i - (corner / 2 ? 0 : 3 * w) - (corner % 2 ? 0 : 3), sum = 0, squares = 0;
    for (int k = 0; k < 16; k++) {
      int value = in[first + k / 4 * w + k % 4];
      sum += value, squares += value * value;
    }
    if (16 * squares - sum * sum < least) {
      least = 16 * squares - sum * sum;
      mean = sum / 16;
    }
  }
  return mean;
}
__global__ void kuwahara(const uint8_t *in, uint8_t *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 3 && y >= 3 && x < w - 3 && y < h - 3)
    out[y * w + x] = calmest(in, w, y * w + x);
}
static void calmest_corners(Run &run, int w) {
  const int h = w * 3 / 4;
  Buffer<uint8_t> in((size_t)w * h, [](int i) { return bits(i) & 255; }), out((size_t)w * h, none);
  run.time(
      [&] { kuwahara<<<dim3(blocks_of(w, 32), blocks_of(h, 8)), dim3(32, 8)>>>(in, out, w, h); });
  run.expect_all(out, [&](int i) {
    int x = i % w, y = i / w;
    return x >= 3 && y >= 3 && x < w - 3 && y < h - 3 ? calmest(in.host.data(), w, i) : 0;
  });
}

/* Stereo matching: the shift with the smallest Hamming distance of census codes. */
__host__ __device__ static inline int best_shift(const uint32_t *left, const uint32_t *right, int w,
                                                 int x, int y) {
  int least = INT32_MAX, best = 0;
  for (int shift = 0; shift < 40 && shift + 2 <= x; shift++) {
    int cost = 0;
    for (int k = -2; k <= 2; k++)
      cost += ones(left[y * w + x + k] ^ right[y * w + x + k - shift]);
    if (cost < least)
      least = cost, best = shift;
  }
  return best;
}
__global__ void disparity(const uint32_t *left, const uint32_t *right, uint8_t *out, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= 2 && x < w - 2)
    out[y * w + x] = best_shift(left, right, w, x, y);
}
static void shifts_of_pixels(Run &run, int w) {
  const int h = w * 3 / 4;
  Buffer<uint32_t> right((size_t)w * h, [](int i) { return bits(i) >> 8; });
  Buffer<uint32_t> left((size_t)w * h, [](int i) {
    return (bits(i - (int)(bits(i / 90) % 30)) >> 8) ^ 1 << bits(i) % 24;
  });
  Buffer<uint8_t> out((size_t)w * h, none);
  run.time([&] { disparity<<<dim3(blocks_of(w, 128), h), 128>>>(left, right, out, w); });
  run.expect_all(out, [&](int i) {
    return i % w >= 2 && i % w < w - 2
               ? best_shift(left.host.data(), right.host.data(), w, i % w, i / w)
               : 0;
  });
}

/* A picture made larger by cubic interpolation. */
__host__ __device__ static inline float cubic(float a, float b, float c, float d, float t) {
  return b + 0.5f * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}
__host__ __device__ static inline float bicubic_at(const float *in, int w, float x, float y) {
  int left = (int)x - 1, top = (int)y - 1;
  float rows[4];
  for (int k = 0; k < 4; k++) {
    const float *row = in + (top + k) * w + left;
    rows[k] = cubic(row[0], row[1], row[2], row[3], x - (left + 1));
  }
  return cubic(rows[0], rows[1], rows[2], rows[3], y - (top + 1));
}
__global__ void bicubic(const float *in, float *out, int w, int wide, int high) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < wide && y < high)
    out[y * wide + x] = bicubic_at(in, w, 1 + x * 0.625f, 1 + y * 0.625f);
}
static void cubic_picture(Run &run, int wide) {
  const int high = wide * 2 / 3, w = wide * 5 / 8 + 4, h = high * 5 / 8 + 4;
  Buffer<float> in((size_t)w * h, unit), out((size_t)wide * high);
  run.time([&] {
    bicubic<<<dim3(blocks_of(wide, 32), blocks_of(high, 4)), dim3(32, 4)>>>(in, out, w, wide, high);
  });
  run.expect_all(
      out,
      [&](int i) {
        return bicubic_at(in.host.data(), w, 1 + i % wide * 0.625f, 1 + i / wide * 0.625f);
      },
      1e-5);
}

/* Worley's noise: the distance from the nearest of the points in nine cells. */
__host__ __device__ static inline float worley_at(float x, float y) {
  int cx = (int)x, cy = (int)y;
  float least = 10;
  for (int k = 0; k < 9; k++) {
    int ox = cx + k % 3 - 1, oy = cy + k / 3 - 1;
    uint32_t h = mix(ox * 7919 + oy * 104729);
    float dx = ox + (h & 0xffff) / 65536.0f - x, dy = oy + (h >> 16) / 65536.0f - y;
    least = fminf(least, dx * dx + dy * dy);
  }
  return sqrtf(least);
}
__global__ void worley(float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[y * w + x] = worley_at(x / 32.0f, y / 32.0f);
}
static void stones(Run &run, int w) {
  const int h = w / 2;
  Buffer<float> out((size_t)w * h);
  run.time([&] { worley<<<dim3(blocks_of(w, 32), blocks_of(h, 8)), dim3(32, 8)>>>(out, w, h); });
  run.expect_all(
      out, [&](int i) { return worley_at(i % w / 32.0f, i / w / 32.0f); }, 1e-4);
}

/* Hough's transform: a block for each direction counts the lines through all points. */
static __constant__ int2 directions[180];
__global__ void hough(const short2 *points, unsigned *votes, int n) {
  __shared__ unsigned own[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    own[k] = 0;
  __syncthreads();
  int2 direction = directions[blockIdx.x];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int along = points[i].x * direction.x + points[i].y * direction.y;
    atomicAdd(&own[(along >> 12) + 512], 1u);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    votes[blockIdx.x * 1024 + k] = own[k];
}
static void lines_by_votes(Run &run, int n) {
  std::vector<int2> direction(180);
  for (int k = 0; k < 180; k++)
    direction[k] = make_int2((int)(2048 * cos(k * M_PI / 180)), (int)(2048 * sin(k * M_PI / 180)));
  CHECK(cudaMemcpyToSymbol(directions, direction.data(), sizeof directions));
  Buffer<short2> points(n);
  for (int i = 0; i < n; i++)
    points.host[i] = make_short2(bits(2 * i) % 600, i % 3 ? bits(2 * i + 1) % 600 : 300);
  points.up();
  Buffer<unsigned> votes(180 * 1024);
  run.time([&] { hough<<<180, 320>>>(points, votes, n); });
  std::vector<unsigned> want(180 * 1024);
  for (int k = 0; k < 180; k++)
    for (short2 p : points.host)
      want[k * 1024 + (((p.x * direction[k].x + p.y * direction[k].y) >> 12) + 512)]++;
  run.expect_all(votes, [&](int i) { return want[i]; });
}

/* ---- transforms, layers of neural networks, half precision -------------------------------- */
/* Fourier transforms of 16 points, a thread each, in registers. */
__global__ void fourier_16(const float2 *in, float2 *out, int n) {
  const float p = 0.92387953f, q = 0.70710678f, r = 0.38268343f;
  const float c[8] = {1, p, q, r, 0, -r, -q, -p}, s[8] = {0, r, q, p, 1, p, q, r};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 v[16];
#pragma unroll
  for (int k = 0; k < 16; k++)
    v[k] = in[((k & 1) << 3 | (k & 2) << 1 | (k & 4) >> 1 | k >> 3) * n + i];
#pragma unroll
  for (int half = 1; half < 16; half *= 2)
#pragma unroll
    for (int k = 0; k < 16; k++)
      if (!(k & half)) {
        int j = (k & (half - 1)) * (8 / half);
        float2 a = v[k], b = v[k + half];
        float x = b.x * c[j] + b.y * s[j], y = b.y * c[j] - b.x * s[j];
        v[k] = make_float2(a.x + x, a.y + y), v[k + half] = make_float2(a.x - x, a.y - y);
      }
#pragma unroll
  for (int k = 0; k < 16; k++)
    out[k * n + i] = v[k];
}
static void fourier_in_registers(Run &run, int n) {
  Buffer<float2> in((size_t)n * 16), out((size_t)n * 16);
  for (int i = 0; i < n * 16; i++)
    in.host[i] = make_float2(unit(i), unit(i + 1));
  in.up();
  run.time([&] { fourier_16<<<blocks_of(n, 128), 128>>>(in, out, n); });
  out.down();
  for (int i = 0; i < n * 16; i++) {
    double x = 0, y = 0;
    for (int k = 0; k < 16; k++) {
      double angle = -M_PI / 8 * (i / n * k % 16), c = cos(angle), s = sin(angle);
      float2 v = in.host[(size_t)k * n + i % n];
      x += v.x * c - v.y * s;
      y += v.x * s + v.y * c;
    }
    run.expect(i, out.host[i].x, x, 1e-4);
    run.expect(i, out.host[i].y, y, 1e-4);
  }
}

/* The cosine transform of blocks of 8x8; lanes read different weights of the constant table. */
static __constant__ float cosines[8][8];
__global__ void cosine_blocks(const float *in, float *out, int w) {
  __shared__ float pixels[4][8][8], rows[4][8][8];
  int u = threadIdx.x, v = threadIdx.y, which = threadIdx.z;
  int at = (blockIdx.y * 8 + v) * w + (blockIdx.x * 4 + which) * 8 + u;
  pixels[which][v][u] = in[at];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 8; k++)
    sum += cosines[u][k] * pixels[which][v][k];
  rows[which][v][u] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; k++)
    sum += cosines[v][k] * rows[which][k][u];
  out[at] = sum;
}
static void cosine_transform(Run &run, int w) {
  float weights[8][8];
  for (int k = 0; k < 64; k++)
    weights[k / 8][k % 8] =
        (float)((k < 8 ? sqrt(0.125) : 0.5) * cos((2 * (k % 8) + 1) * (k / 8) * M_PI / 16));
  CHECK(cudaMemcpyToSymbol(cosines, weights, sizeof cosines));
  Buffer<float> in((size_t)w * w, unit), out((size_t)w * w);
  run.time([&] { cosine_blocks<<<dim3(w / 32, w / 8), dim3(8, 8, 4)>>>(in, out, w); });
  run.expect_all(
      out,
      [&](int i) {
        int u = i % w % 8, v = i / w % 8, first = i - u - v * w;
        float sum = 0;
        for (int y = 0; y < 8; y++)
          for (int x = 0; x < 8; x++)
            sum += weights[v][y] * weights[u][x] * in.host[first + y * w + x];
        return sum;
      },
      1e-4);
}

/* A step of attention: a block for each head, one query and many keys of 64 numbers. */
__global__ void attend(const float *query, const float *keys, const float *values, float *out,
                       int count) {
  __shared__ float score[1024], other[64], other_total;
  const size_t first = (size_t)blockIdx.x * count;
  for (int k = threadIdx.x; k < count; k += 128) {
    float sum = 0;
    for (int d = 0; d < 64; d++)
      sum += query[blockIdx.x * 64 + d] * keys[(first + k) * 64 + d];
    score[k] = __expf(sum * 0.125f);
  }
  __syncthreads();
  int half = threadIdx.x / 64, d = threadIdx.x % 64;
  float sum = 0, total = 0;
  for (int k = half; k < count; k += 2) {
    sum += score[k] * values[(first + k) * 64 + d];
    total += score[k];
  }
  if (half)
    other[d] = sum;
  if (threadIdx.x == 64)
    other_total = total;
  __syncthreads();
  if (!half)
    out[blockIdx.x * 64 + d] = (sum + other[d]) / (total + other_total);
}
static void attention(Run &run, int heads) {
  const int count = 900;
  Buffer<float> query((size_t)heads * 64, unit), keys((size_t)heads * count * 64, unit);
  Buffer<float> values((size_t)heads * count * 64, [](int i) { return unit(i + 33); });
  Buffer<float> out((size_t)heads * 64);
  run.time([&] { attend<<<heads, 128>>>(query, keys, values, out, count); });
  out.down();
  for (int h = 0; h < heads; h++) {
    double sums[64] = {}, total = 0;
    for (size_t k = (size_t)h * count; k < (size_t)(h + 1) * count; k++) {
      double sum = 0;
      for (int d = 0; d < 64; d++)
        sum += query.host[h * 64 + d] * keys.host[k * 64 + d];
      total += exp(sum / 8);
      for (int d = 0; d < 64; d++)
        sums[d] += exp(sum / 8) * values.host[k * 64 + d];
    }
    for (int d = 0; d < 64; d++)
      run.expect(h * 64 + d, out.host[h * 64 + d], sums[d] / total, 1e-4);
  }
}

/* The gates of a recurrent cell. */
__host__ __device__ static inline float cell_after(float state, float z, float r, float x,
                                                   float h) {
  float update = 1 / (1 + expf(-z)), reset = 1 / (1 + expf(-r));
  return (1 - update) * tanhf(x + reset * h) + update * state;
}
__global__ void gates(const float *in, const float *state, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = cell_after(state[i], in[i], in[n + i], in[2 * n + i], in[3 * n + i]);
}
static void recurrent_cell(Run &run, int n) {
  Buffer<float> in((size_t)n * 4, [](int i) { return 6 * unit(i) - 3; }), state(n, unit), out(n);
  run.time([&] { gates<<<blocks_of(n, 256), 256>>>(in, state, out, n); });
  const float *all = in.host.data();
  run.expect_all(
      out,
      [&](int i) {
        return cell_after(state.host[i], all[i], all[n + i], all[2 * n + i], all[3 * n + i]);
      },
      1e-5);
}

/* A filter of 24 taps in half precision; small integers keep the sums exact. */
static __constant__ __half2 half_taps[24];
__global__ void filter_halves(const __half2 *in, __half2 *out, int n) {
  __shared__ __half2 part[256 + 23];
  int first = blockIdx.x * 256;
  for (int k = threadIdx.x; k < 256 + 23; k += 256)
    part[k] = first + k < n ? in[first + k] : __float2half2_rn(0);
  __syncthreads();
  __half2 sum = __float2half2_rn(0);
  for (int k = 0; k < 24; k++)
    sum = __hfma2(half_taps[k], part[threadIdx.x + k], sum);
  if (first + threadIdx.x < n)
    out[first + threadIdx.x] = sum;
}
static void halves_filtered(Run &run, int n) {
  std::vector<__half2> taps(24);
  auto tap = [](int k) { return (float)(k % 5 - 2); };
  auto value = [&](int i) { return i < 2 * n ? (float)(bits(i) % 16) : 0; };
  for (int k = 0; k < 24; k++)
    taps[k] = __floats2half2_rn(tap(k), tap(k + 1));
  CHECK(cudaMemcpyToSymbol(half_taps, taps.data(), sizeof half_taps));
  Buffer<__half2> in(n), out(n);
  for (int i = 0; i < n; i++)
    in.host[i] = __floats2half2_rn(value(2 * i), value(2 * i + 1));
  in.up();
  run.time([&] { filter_halves<<<blocks_of(n, 256), 256>>>(in, out, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    float x = 0, y = 0;
    for (int k = 0; k < 24; k++) {
      x += tap(k) * value(2 * (i + k));
      y += tap(k + 1) * value(2 * (i + k) + 1);
    }
    run.expect(i, __half22float2(out.host[i]).x, x);
    run.expect(i, __half22float2(out.host[i]).y, y);
  }
}

static const Rows rows("unseen", {{"burning ship, double", ship, 1600, 60},
                                  {"rays to a ring", rays_to_a_ring, 1200, 60},
                                  {"inverses modulo a prime", inverses_modulo, 1000003, 1 << 9},
                                  {"periods of roots", periods_of_roots, 150000, 1 << 9},
                                  {"rows searched by eight lanes", searched_by_eight, 60000, 90},
                                  {"paths on a board", paths_on_a_board, 6, 5},
                                  {"pi by Philox", pi_by_philox, 2000, 2},
                                  {"magnet, 16 launches", magnet, 1000, 40},
                                  {"queues at a counter", queues, 20000, 100},
                                  {"digests of messages", digests, 300000, 1 << 8},
                                  {"cipher, constant table", cipher, 120000, 1 << 8},
                                  {"survivors in a circle", survivors_in_a_circle, 90000, 100},
                                  {"permanents by Ryser", permanents_by_ryser, 20000, 20},
                                  {"descriptors of 256 bits", descriptors, 30000, 100},
                                  {"squares of 256 bits", squares_of_256_bits, 120000, 100},
                                  {"transform modulo a prime", prime_transform, 19, 9},
                                  {"lines matched by an automaton", lines_matched, 300000, 100},
                                  {"words by Horspool", words_searched, 8000000, 5000},
                                  {"edit distances by bits", distances_by_bits, 60000, 100},
                                  {"alignments in local memory", alignments, 30000, 70},
                                  {"subsequences by shuffles", subsequences, 6000, 8},
                                  {"gamma codes", gamma_codes, 60000, 100},
                                  {"longest matches behind", matches_behind, 700000, 600},
                                  {"chain of products, one block", chain_of_products, 300, 30},
                                  {"likely states, 96 a block", likely_states, 50, 2},
                                  {"cheapest ways, 50 launches", cheapest_ways, 100000, 300},
                                  {"48 values by quicksort", sorted_locally, 30000, 100},
                                  {"merging network, one block", merging_network, 1024, 256},
                                  {"radix sort by votes", sorted_by_votes, 1000001, 1000},
                                  {"permutations by number", permutations, 3000000, 1000},
                                  {"product, tiles of 20x20", tiles_of_20, 810, 50},
                                  {"product, 3x5 each", fifteen_each, 960, 240},
                                  {"inverses of 4x4, double", small_inverses, 200000, 100},
                                  {"eigenvalues of 3x3", largest_eigenvalues, 600000, 300},
                                  {"systems of 60, shared", systems_of_60, 150, 2},
                                  {"gradients by one block", gradients_in_a_block, 300, 60},
                                  {"orthonormal, one block", orthonormal, 120, 5},
                                  {"chain of Markov, grid barriers", chain_of_markov, 1100, 60},
                                  {"sums with correction", sums_corrected, 8000, 50},
                                  {"vortices, double", vortices_move, 6000, 200},
                                  {"densities by cells", densities_by_cells, 220, 10},
                                  {"options on a grid of prices", grid_of_prices, 300, 2},
                                  {"pendulums, double", pendulums_swing, 2000, 50},
                                  {"nearest harbour, double", harbours_near, 50000, 100},
                                  {"points in a polygon", points_in_a_polygon, 400000, 300},
                                  {"means of patches", means_of_patches, 750, 40},
                                  {"calmest corners", calmest_corners, 1300, 50},
                                  {"shifts by census codes", shifts_of_pixels, 800, 50},
                                  {"picture by cubics", cubic_picture, 700, 50},
                                  {"stones by Worley", stones, 1800, 60},
                                  {"lines by votes", lines_by_votes, 12000, 100},
                                  {"Fourier, 16 points a thread", fourier_in_registers, 200000, 90},
                                  {"cosine transform, 8x8", cosine_transform, 800, 32},
                                  {"attention, one query", attention, 64, 2},
                                  {"gates of a cell", recurrent_cell, 500000, 300},
                                  {"halves filtered, 24 taps", halves_filtered, 2000003, 600}});
