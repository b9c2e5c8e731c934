/* Kernels limited by arithmetic, branches and latencies, as courses, libraries and applications
 * have them. Their author did not know the model of time, and the model is not fitted to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cuda_fp16.h>

#define BOTH __host__ __device__ static inline
static int blocks_of(size_t n, int threads) { return (int)((n + threads - 1) / threads); }
__device__ static inline int global_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
BOTH uint32_t rotated(uint32_t x, int by) { return x << by | x >> (32 - by); }
BOTH uint32_t xorshift(uint32_t &x) {
  x ^= x << 13;
  x ^= x >> 17;
  return x ^= x << 5;
}

/* ---- hashing and ciphers ---------------------------------------------------------------- */
BOTH uint32_t murmur_at(const uint8_t *text, const int *begins, int i) {
  const uint8_t *s = text + begins[i];
  int length = begins[i + 1] - begins[i];
  uint32_t hash = 42;
  for (int k = 0; k < length; k += 4) {
    uint32_t word = 0;
    for (int b = 0; b < 4 && k + b < length; b++)
      word |= (uint32_t)s[k + b] << 8 * b;
    hash ^= rotated(word * 0xcc9e2d51u, 15) * 0x1b873593u;
    if (k + 4 <= length)
      hash = rotated(hash, 13) * 5 + 0xe6546b64u;
  }
  hash = ((hash ^ length) ^ (hash ^ length) >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return hash ^ hash >> 16;
}
__global__ void murmur(const uint8_t *text, const int *begins, uint32_t *out, int n) {
  int i = global_index();
  if (i < n)
    out[i] = murmur_at(text, begins, i);
}
static void strings_hashed(Run &run, int n) {
  int length = 0;
  Buffer<int> begins(n + 1, [&](int i) { return (length += bits(i) % 60) - bits(i) % 60; });
  Buffer<uint8_t> text(length + 1, bits);
  Buffer<uint32_t> out(n);
  run.time([&] { murmur<<<blocks_of(n, 128), 128>>>(text, begins, out, n); });
  run.expect_all(out, [&](int i) { return murmur_at(text.host.data(), begins.host.data(), i); });
}

static __constant__ uint64_t keccak_rounds[24];
BOTH uint64_t keccak_at(uint64_t seed, const uint64_t *rounds) {
  uint64_t a[25], b[25], c[5];
  for (int i = 0; i < 25; i++)
    a[i] = (seed + i) * 0x9e3779b97f4a7c15ull;
  for (int round = 0; round < 24; round++) {
#pragma unroll
    for (int x = 0; x < 5; x++)
      c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma unroll
    for (int i = 0; i < 25; i++)
      a[i] ^= c[(i + 4) % 5] ^ (c[(i + 1) % 5] << 1 | c[(i + 1) % 5] >> 63);
    b[0] = a[0];
#pragma unroll
    for (int t = 0, x = 1, y = 0; t < 24; t++) {
      int by = (t + 1) * (t + 2) / 2 % 64, from = x + 5 * y, next = (2 * x + 3 * y) % 5;
      x = y, y = next;
      b[x + 5 * y] = a[from] << by | a[from] >> (64 - by);
    }
#pragma unroll
    for (int i = 0; i < 25; i++)
      a[i] = b[i] ^ (~b[i / 5 * 5 + (i + 1) % 5] & b[i / 5 * 5 + (i + 2) % 5]);
    a[0] ^= rounds[round];
  }
  return a[0] ^ a[24];
}
__global__ void keccak(uint64_t *out) {
  out[global_index()] = keccak_at(global_index(), keccak_rounds);
}
static void sponges(Run &run, int n) {
  uint64_t rounds[24] = {};
  for (int round = 0, state = 1; round < 24; round++)
    for (int j = 0; j < 7; j++, state = state << 1 ^ (state >> 7) * 0x171)
      rounds[round] |= (uint64_t)(state & 1) << ((1 << j) - 1);
  CHECK(cudaMemcpyToSymbol(keccak_rounds, rounds, sizeof rounds));
  Buffer<uint64_t> out(n);
  run.time([&] { keccak<<<n / 96, 96>>>(out); });
  run.expect_all(out, [&](int i) { return keccak_at(i, rounds); });
}

/* ---- integers and exits by data --------------------------------------------------------- */
BOTH int aliquot_at(int n) {
  int steps = 0;
  for (; n > 1 && n < 300000 && steps < 12; steps++) {
    int sum = 1;
    for (int d = 2; d * d <= n; d++)
      if (n % d == 0)
        sum += d * d == n ? d : d + n / d;
    n = sum;
  }
  return n * 16 + steps;
}
__global__ void aliquot(int *out) { out[global_index()] = aliquot_at(global_index() + 1); }
static void aliquot_sequences(Run &run, int n) {
  Buffer<int> out(n);
  run.time([&] { aliquot<<<n / 64, 64>>>(out); });
  run.expect_all(out, [](int i) { return aliquot_at(i + 1); });
}

BOTH int ruin_at(uint32_t state, int purse, int goal) {
  int bets = 0;
  for (; purse > 0 && purse < goal; bets++)
    purse += xorshift(state) & 1024 ? 1 : -1;
  return bets;
}
__global__ void gamble(const uint32_t *seeds, int *bets, int goal) {
  int i = global_index();
  bets[i] = ruin_at(seeds[i], 1 + i % (goal - 1), goal);
}
static void gamblers(Run &run, int n) {
  const int goal = 200;
  Buffer<uint32_t> seeds(n, bits);
  Buffer<int> bets(n);
  run.time([&] { gamble<<<n / 32, 32>>>(seeds, bets, goal); });
  run.expect_all(bets, [&](int i) { return ruin_at(seeds.host[i], 1 + i % (goal - 1), goal); });
}

BOTH int multibrot_at(double cx, double cy) {
  double x = cx, y = cy;
  int k = 0;
  for (; k < 250 && fma(x, x, y * y) < 4; k++) {
    double xx = x * x, yy = y * y;
    double next = fma(x, fma(-3.0, yy, xx), cx);
    y = fma(y, fma(3.0, xx, -yy), cy);
    x = next;
  }
  return k;
}
__global__ void multibrot(short *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = multibrot_at(fma((double)x, 0.0035, -1.3), fma((double)y, 0.0035, -1.1));
}
static void multibrot_set(Run &run, int width) {
  int height = width * 5 / 6;
  Buffer<short> out((size_t)width * height);
  run.time([&] {
    multibrot<<<dim3(blocks_of(width, 8), blocks_of(height, 16)), dim3(8, 16)>>>(out, width,
                                                                                 height);
  });
  run.expect_all(out, [&](int i) {
    return multibrot_at(fma((double)(i % width), 0.0035, -1.3), fma(i / width * 1.0, 0.0035, -1.1));
  });
}

/* Cubic equations have one or three real roots. */
__global__ void cubic_roots(const float *a, const float *b, const float *c, float *out, int n) {
  int i = global_index();
  if (i >= n)
    return;
  float shift = a[i] / 3, q = shift * shift - b[i] / 3;
  float r = shift * shift * shift - shift * b[i] / 2 + c[i] / 2;
  if (r * r < q * q * q) {
    float angle = acosf(r / sqrtf(q * q * q)), scale = -2 * sqrtf(q);
    for (int k = 0; k < 3; k++)
      out[k * n + i] = scale * cosf((angle + 6.2831853f * k) / 3) - shift;
  } else {
    float s = -copysignf(cbrtf(fabsf(r) + sqrtf(r * r - q * q * q)), r);
    out[i] = out[n + i] = out[2 * n + i] = s + (s == 0 ? 0 : q / s) - shift;
  }
}
static void cubics_solved(Run &run, int n) {
  auto signed_unit = [&](int i) { return 6 * unit(i) - 3; };
  Buffer<float> a(n, signed_unit), b(n, [&](int i) { return signed_unit(i + n); });
  Buffer<float> c(n, [&](int i) { return signed_unit(i + 2 * n); }), out(3 * (size_t)n);
  run.time([&] { cubic_roots<<<blocks_of(n, 256), 256>>>(a, b, c, out, n); });
  out.down();
  for (int i = 0; i < 3 * n; i++) {
    double x = out.host[i], p = ((x + a.host[i % n]) * x + b.host[i % n]) * x + c.host[i % n];
    run.expect(i, p, 0, 1e-3);
  }
}

/* ---- many bodies ------------------------------------------------------------------------ */
struct Jerk {
  float ax, ay, az, jx, jy, jz;
};
BOTH void add_jerk(Jerk &sum, float4 p, float4 v, float4 q, float4 w) {
  float x = q.x - p.x, y = q.y - p.y, z = q.z - p.z, u = w.x - v.x, s = w.y - v.y, t = w.z - v.z;
  float square = x * x + y * y + z * z + 0.01f, inverse = 1 / sqrtf(square);
  float mass = q.w * inverse * inverse * inverse, rate = -3 * (x * u + y * s + z * t) / square;
  sum.ax += mass * x, sum.ay += mass * y, sum.az += mass * z;
  sum.jx += mass * (u + rate * x), sum.jy += mass * (s + rate * y), sum.jz += mass * (t + rate * z);
}
__global__ void hermite_jerks(const float4 *p, const float4 *v, Jerk *out, int n) {
  __shared__ float4 near_p[128], near_v[128];
  int i = global_index();
  float4 own_p = p[i], own_v = v[i];
  Jerk sum = {};
  for (int tile = 0; tile < n; tile += 128) {
    near_p[threadIdx.x] = p[tile + threadIdx.x];
    near_v[threadIdx.x] = v[tile + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < 128; k++)
      add_jerk(sum, own_p, own_v, near_p[k], near_v[k]);
    __syncthreads();
  }
  out[i] = sum;
}
static float4 four(int i) {
  return make_float4(unit(4 * i), unit(4 * i + 1), unit(4 * i + 2), unit(4 * i + 3));
}
static void jerks(Run &run, int n) {
  Buffer<float4> p(n, four), v(n, [](int i) { return four(i + 55555); });
  Buffer<Jerk> out(n);
  run.time([&] { hermite_jerks<<<n / 128, 128>>>(p, v, out, n); });
  out.down();
  for (int i = 0; i < n; i += 37) {
    Jerk sum = {};
    for (int k = 0; k < n; k++)
      add_jerk(sum, p.host[i], v.host[i], p.host[k], v.host[k]);
    run.expect(i, out.host[i].az, sum.az, 0.02 * n / 64);
    run.expect(i, out.host[i].jx, sum.jx, 0.02 * n / 64);
  }
}

/* ---- prices ----------------------------------------------------------------------------- */
BOTH float4 greeks_at(float spot, float strike, float years) {
  const float rate = 0.03f, sigma = 0.25f;
  float root = sigma * sqrtf(years), discount = expf(-rate * years);
  float d1 = (logf(spot / strike) + (rate + sigma * sigma / 2) * years) / root;
  float density = 0.39894228f * expf(-d1 * d1 / 2), below = 0.5f * erfcf(-0.70710678f * d1);
  float below2 = 0.5f * erfcf(0.70710678f * (root - d1));
  return make_float4(below, density / (spot * root), spot * density * root / sigma,
                     -spot * density * sigma * sigma / (2 * root) -
                         rate * strike * discount * below2);
}
__global__ void greeks(const float *spot, const float *strike, const float *years, float4 *out,
                       int n) {
  int i = global_index();
  if (i < n)
    out[i] = greeks_at(spot[i], strike[i], years[i]);
}
static void greeks_of_options(Run &run, int n) {
  Buffer<float> spot(n, [](int i) { return 20 + 60 * unit(i); });
  Buffer<float> strike(n, [](int i) { return 20 + 60 * unit(i + 9999); });
  Buffer<float> years(n, [](int i) { return 0.1f + 2 * unit(i + 777); });
  Buffer<float4> out(n);
  run.time([&] { greeks<<<blocks_of(n, 192), 192>>>(spot, strike, years, out, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    float4 want = greeks_at(spot.host[i], strike.host[i], years.host[i]), got = out.host[i];
    run.expect(i, got.x + got.y, want.x + want.y, 1e-4);
    run.expect(i, got.z + got.w, want.z + want.w, 1e-3);
  }
}

/* Heston's paths have a variance that varies. */
BOTH float heston_at(uint32_t seed) {
  float price = 0, variance = 0.04f;
  for (int step = 0; step < 64; step++) {
    float radius = sqrtf(-2 * logf(((xorshift(seed) >> 8) + 1) / 16777217.0f));
    float angle = 6.2831853f * (xorshift(seed) >> 8) / 16777216.0f, z = radius * cosf(angle);
    float positive = fmaxf(variance, 0), root = sqrtf(positive / 64);
    price += root * z - positive / 128;
    variance += (0.04f - positive) / 32 + root * (0.357f * radius * sinf(angle) - 0.35f * z);
  }
  return fmaxf(expf(price) - 0.9f, 0);
}
__global__ void heston_paths(float *out) {
  out[global_index()] = heston_at(mix(global_index() + 1));
}
static void heston(Run &run, int n) {
  Buffer<float> out(n);
  run.time([&] { heston_paths<<<n / 64, 64>>>(out); });
  run.expect_all(
      out, [](int i) { return heston_at(mix(i + 1)); }, 2e-3);
}

/* ---- charges and waves ------------------------------------------------------------------ */
BOTH float real_space_at(const float4 *charges, int i, int n) {
  float sum = 0;
  for (int k = 0; k < n; k++) {
    float4 a = charges[i], b = charges[k];
    float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    x -= rintf(x), y -= rintf(y), z -= rintf(z);
    float square = fmaf(x, x, fmaf(y, y, z * z));
    if (k != i && square < 0.12f)
      sum += (b.w - 0.5f) * erfcf(4 * sqrtf(square)) / sqrtf(square);
  }
  return sum;
}
__global__ void ewald_real_space(const float4 *charges, float *out, int n) {
  out[global_index()] = real_space_at(charges, global_index(), n);
}
static void ewald(Run &run, int n) {
  Buffer<float4> charges(n, four);
  Buffer<float> out(n);
  run.time([&] { ewald_real_space<<<n / 64, 64>>>(charges, out, n); });
  run.expect_all(
      out, [&](int i) { return real_space_at(charges.host.data(), i, n); }, 0.02);
}

BOTH float beam_at(const float2 *antennas, int count, float direction) {
  float real = 0, imaginary = 0;
  for (int k = 0; k < count; k++) {
    float phase = 20 * (antennas[k].x * cosf(direction) + antennas[k].y * sinf(direction));
    real += cosf(phase), imaginary += sinf(phase);
  }
  return sqrtf(real * real + imaginary * imaginary);
}
__global__ void phased_array(const float2 *antennas, float *out, int count, int n) {
  int i = global_index();
  if (i < n)
    out[i] = beam_at(antennas, count, 6.2831853f * i / n);
}
static void beams(Run &run, int n) {
  Buffer<float2> antennas(112, [](int i) { return make_float2(unit(2 * i), unit(2 * i + 1)); });
  Buffer<float> out(n);
  run.time([&] { phased_array<<<blocks_of(n, 224), 224>>>(antennas, out, 112, n); });
  const float2 *all = antennas.host.data();
  run.expect_all(
      out, [&](int i) { return beam_at(all, 112, 6.2831853f * i / n); }, 0.01);
}

__global__ void fft_of_729(const float2 *in, float2 *out) {
  __shared__ float2 both[2][729];
  int t = threadIdx.x, side = 0;
  for (int k = t; k < 729; k += 243)
    both[0][k] = in[blockIdx.x * 729 + k];
  for (int stride = 1; stride < 729; stride *= 3, side ^= 1) {
    __syncthreads();
    float2 a = both[side][t], b = both[side][t + 243], c = both[side][t + 486];
    float2 sum = make_float2(b.x + c.x, b.y + c.y);
    float2 turned = make_float2(0.8660254f * (b.y - c.y), 0.8660254f * (c.x - b.x));
    float2 middle = make_float2(a.x - sum.x / 2, a.y - sum.y / 2);
    float2 *to = &both[side ^ 1][t % stride + t / stride * stride * 3];
    to[0] = make_float2(a.x + sum.x, a.y + sum.y);
    for (int k = 1; k <= 2; k++) {
      float sine, cosine, sign = k == 1 ? 1 : -1;
      sincospif(-2.0f * k * (t / stride * stride) / 729, &sine, &cosine);
      float x = middle.x + sign * turned.x, y = middle.y + sign * turned.y;
      to[k * stride] = make_float2(x * cosine - y * sine, x * sine + y * cosine);
    }
  }
  __syncthreads();
  for (int k = t; k < 729; k += 243)
    out[blockIdx.x * 729 + k] = both[side][k];
}
static void transforms_by_threes(Run &run, int n) {
  Buffer<float2> in((size_t)n * 729, [](int i) { return make_float2(unit(i), unit(i + 99)); });
  Buffer<float2> out((size_t)n * 729);
  run.time([&] { fft_of_729<<<n, 243>>>(in, out); });
  out.down();
  for (int i = 0; i < n * 729; i += i % 729 == 728 ? 1 + 91 * 729 : 1) {
    double sum = 0;
    for (int k = 0; k < 729; k++) {
      double angle = -2 * M_PI * (i % 729 * k % 729) / 729;
      float2 value = in.host[i / 729 * 729 + k];
      sum += value.x * (cos(angle) + sin(angle)) + value.y * (cos(angle) - sin(angle));
    }
    run.expect(i, out.host[i].x + out.host[i].y, sum, 0.01);
  }
}

/* ---- local arrays and look-ups ---------------------------------------------------------- */
/* The knight's moves from a cell are at the remainder of the cell's bit modulo 37. */
static __constant__ uint32_t knight_moves[37];
BOTH int tours_at(int i, const uint32_t *moves) {
  uint32_t to = 1u << i % 25, seen = to, open[25], last[25];
  int depth = 0, tours = 0;
  i /= 25;
  for (int k = 0; k < 3; k++, i /= 8) {
    uint32_t left = moves[to % 37] & ~seen;
    for (int skip = i % 8; skip > 0; skip--)
      left &= left - 1;
    if (!left)
      return 0;
    to = left & -left, seen |= to;
  }
  for (open[0] = moves[to % 37] & ~seen; depth >= 0;)
    if ((to = open[depth] & -open[depth])) {
      open[depth] ^= to, last[depth] = to, seen |= to, tours += seen == 0x1ffffff;
      open[++depth] = moves[to % 37] & ~seen;
    } else if (--depth >= 0)
      seen ^= last[depth];
  return tours;
}
__global__ void knights_tour(int *out) {
  out[global_index()] = tours_at(global_index(), knight_moves);
}
static void tours_of_knights(Run &run, int n) {
  uint32_t moves[37] = {};
  for (int i = 0; i < 625; i++) {
    int x = abs(i % 5 - i / 25 % 5), y = abs(i / 5 % 5 - i / 125);
    moves[(1u << i % 25) % 37] |= (uint32_t)(x * y == 2) << i / 25;
  }
  CHECK(cudaMemcpyToSymbol(knight_moves, moves, sizeof moves));
  Buffer<int> out(n);
  run.time([&] { knights_tour<<<n / 64, 64>>>(out); });
  run.expect_all(out, [&](int i) { return tours_at(i, moves); });
}

static __constant__ uint8_t enigma_wheels[7 * 26];
BOTH uint32_t enigma_at(uint32_t start, int length, const uint8_t *wheels) {
  int turns[3] = {(int)(start % 26), (int)(start / 26 % 26), (int)(start / 676 % 26)};
  uint32_t sum = 0;
  for (int k = 0; k < length; k++) {
    turns[0] = (turns[0] + 1) % 26;
    turns[1] = (turns[1] + (turns[0] == 7)) % 26;
    turns[2] = (turns[2] + (turns[0] == 7 && turns[1] == 19)) % 26;
    int letter = k % 26;
    for (int wheel = 0; wheel < 7; wheel++) {
      int turn = wheel == 3 ? 0 : turns[wheel < 3 ? wheel : 6 - wheel];
      letter = (wheels[wheel * 26 + (letter + turn) % 26] + 26 - turn) % 26;
    }
    sum = sum * 31 + letter;
  }
  return sum;
}
__global__ void enigma(const uint32_t *starts, uint32_t *out, int length) {
  out[global_index()] = enigma_at(starts[global_index()], length, enigma_wheels);
}
static void messages_of_enigma(Run &run, int n) {
  uint8_t wheels[7 * 26];
  for (int i = 0, factors[3] = {3, 7, 11}; i < 26; i++) {
    for (int w = 0; w < 3; w++)
      wheels[w * 26 + i] = (i * factors[w] + w) % 26, wheels[(6 - w) * 26 + wheels[w * 26 + i]] = i;
    wheels[3 * 26 + i] = 25 - i;
  }
  CHECK(cudaMemcpyToSymbol(enigma_wheels, wheels, sizeof wheels));
  Buffer<uint32_t> starts(96 * 40, bits), out(96 * 40);
  run.time([&] { enigma<<<40, 96>>>(starts, out, n); });
  run.expect_all(out, [&](int i) { return enigma_at(starts.host[i], n, wheels); });
}

BOTH int damerau_at(const uint8_t *a, const uint8_t *b) {
  uint8_t rows[3][21] = {};
  for (int i = 0; i <= 20; i++)
    for (int j = 0; j <= 20; j++) {
      uint8_t *now = rows[i % 3], *last = rows[(i + 2) % 3];
      int best = i + j;
      if (i && j) {
        best = (last[j] < now[j - 1] ? last[j] : now[j - 1]) + 1;
        int change = last[j - 1] + (a[i - 1] != b[j - 1]);
        best = change < best ? change : best;
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          best = rows[(i + 1) % 3][j - 2] < best ? rows[(i + 1) % 3][j - 2] + 1 : best;
      }
      now[j] = best;
    }
  return rows[20 % 3][20];
}
__global__ void damerau(const uint8_t *words, int *out) {
  int i = global_index();
  out[i] = damerau_at(words + 20 * i, words + 20 * i + 20);
}
static void distances_of_damerau(Run &run, int n) {
  Buffer<uint8_t> words(20 * (size_t)n + 20, [](int i) { return 'a' + bits(i) % 3; });
  Buffer<int> out(n);
  run.time([&] { damerau<<<n / 64, 64>>>(words, out); });
  run.expect_all(out,
                 [&](int i) { return damerau_at(&words.host[20 * i], &words.host[20 * i + 20]); });
}

BOTH float steam_at(const float *knots, const float *table, float x, float y) {
  int at[2] = {0, 0};
  for (int step = 32; step > 0; step /= 2) {
    at[0] += at[0] + step < 39 && knots[at[0] + step] <= x ? step : 0;
    at[1] += at[1] + step < 39 && knots[at[1] + step] <= y ? step : 0;
  }
  float u = (x - knots[at[0]]) / (knots[at[0] + 1] - knots[at[0]]);
  float v = (y - knots[at[1]]) / (knots[at[1] + 1] - knots[at[1]]);
  const float *t = table + 40 * at[1] + at[0];
  return (1 - v) * (t[0] + u * (t[1] - t[0])) + v * (t[40] + u * (t[41] - t[40]));
}
__global__ void steam_table(const float *knots, const float *table, const float2 *where, float *out,
                            int n) {
  __shared__ float near_knots[40], near_table[1600];
  for (int k = threadIdx.x; k < 1600; k += blockDim.x)
    near_table[k] = table[k], near_knots[k / 40] = knots[k / 40];
  __syncthreads();
  for (int i = global_index(); i < n; i += gridDim.x * blockDim.x)
    out[i] = steam_at(near_knots, near_table, where[i].x, where[i].y);
}
static void table_of_steam(Run &run, int n) {
  Buffer<float> knots(40, [](int i) { return i * i / 1521.0f; }), table(1600, unit), out(n);
  Buffer<float2> where(n, [](int i) { return make_float2(unit(2 * i), unit(2 * i + 1)); });
  run.time([&] { steam_table<<<132, 512>>>(knots, table, where, out, n); });
  const float *x = knots.host.data(), *t = table.host.data();
  run.expect_all(
      out, [&](int i) { return steam_at(x, t, where.host[i].x, where.host[i].y); }, 1e-3);
}

/* ---- numbers and systems ---------------------------------------------------------------- */
BOTH uint64_t mrg_at(uint64_t seed, int draws) {
  int64_t a[3] = {(int64_t)seed + 1, 2, 3}, b[3] = {(int64_t)seed + 4, 5, 6};
  uint64_t sum = 0;
  for (int k = 0; k < draws; k++) {
    int64_t x = (1403580 * a[1] - 810728 * a[0]) % 4294967087;
    int64_t y = (527612 * b[2] - 1370589 * b[0]) % 4294944443;
    a[0] = a[1], a[1] = a[2], a[2] = x < 0 ? x + 4294967087 : x;
    b[0] = b[1], b[1] = b[2], b[2] = y < 0 ? y + 4294944443 : y;
    sum += a[2] > b[2] ? a[2] - b[2] : a[2] - b[2] + 4294967087;
  }
  return sum;
}
__global__ void mrg32k3a(uint64_t *out) { out[global_index()] = mrg_at(global_index(), 300); }
static void combined_recurrences(Run &run, int n) {
  Buffer<uint64_t> out(n);
  run.time([&] { mrg32k3a<<<n / 160, 160>>>(out); });
  run.expect_all(out, [](int i) { return mrg_at(i, 300); });
}

/* The incomplete gamma function is a series or a continued fraction. */
BOTH double gamma_at(double a, double x) {
  double factor = exp(a * log(x) - x - lgamma(a)), sum = 1 / a, term = sum;
  if (x < a + 1) {
    for (double k = a + 1; term > sum * 1e-14; k++)
      sum += term *= x / k;
    return factor * sum;
  }
  double b = x + 1 - a, c = 1e300, d = 1 / b, ratio = d;
  for (int k = 1; k < 500 && fabs(c * d - 1) > 1e-14; k++, ratio *= c * d) {
    b += 2;
    d = 1 / (k * (a - k) * d + b), c = b + k * (a - k) / c;
  }
  return 1 - factor * ratio;
}
__global__ void incomplete_gamma(double *out, int n) {
  int i = global_index();
  if (i < n)
    out[i] = gamma_at(0.5 + i % 50, 0.1 + i / 50 * 0.01);
}
static void gamma_functions(Run &run, int n) {
  Buffer<double> out(n);
  run.time([&] { incomplete_gamma<<<blocks_of(n, 128), 128>>>(out, n); });
  run.expect_all(
      out, [](int i) { return gamma_at(0.5 + i % 50, 0.1 + i / 50 * 0.01); }, 1e-10);
}

/* Van der Pol's oscillator takes steps of Bogacki and Shampine. */
BOTH double2 moved(double2 s, double h, double2 k, double mu) {
  double x = s.x + h * k.x, y = s.y + h * k.y;
  return make_double2(y, mu * (1 - x * x) * y - x);
}
BOTH double oscillator_at(double mu) {
  double2 s = make_double2(2, 0), a = moved(s, 0, s, mu);
  for (double t = 0, h = 0.01; t < 10;) {
    double2 b = moved(s, h / 2, a, mu), c = moved(s, 0.75 * h, b, mu);
    double2 mean =
        make_double2((2 * a.x + 3 * b.x + 4 * c.x) / 9, (2 * a.y + 3 * b.y + 4 * c.y) / 9);
    double2 d = moved(s, h, mean, mu);
    double error = h * fabs(-5 * a.y / 72 + b.y / 12 + c.y / 9 - d.y / 8) + 1e-12;
    if (error < 1e-7)
      t += h, s = make_double2(s.x + h * mean.x, s.y + h * mean.y), a = d;
    h *= fmin(2.0, 0.9 * cbrt(1e-7 / error));
  }
  return s.x;
}
__global__ void bogacki(double *out) {
  out[global_index()] = oscillator_at(1 + global_index() % 97 * 0.1);
}
static void oscillators(Run &run, int n) {
  Buffer<double> out(n);
  run.time([&] { bogacki<<<n / 64, 64>>>(out); });
  run.expect_all(
      out, [](int i) { return oscillator_at(1 + i % 97 * 0.1); }, 1e-2);
}

BOTH float levinson_at(const float *r, int i, int n) {
  float a[13] = {1}, error = 1;
  for (int m = 1; m <= 12; m++) {
    float sum = 0;
    for (int k = 0; k < m; k++)
      sum += a[k] * r[(m - k - 1) * n + i];
    float reflection = -sum / error;
    a[m] = 0;
    for (int k = 0; k <= m / 2; k++) {
      float low = a[k], high = a[m - k];
      a[k] = low + reflection * high, a[m - k] = high + reflection * low;
    }
    error *= 1 - reflection * reflection;
  }
  return error + a[1] - a[12];
}
__global__ void levinson(const float *r, float *out, int n) {
  out[global_index()] = levinson_at(r, global_index(), n);
}
static void predictors(Run &run, int n) {
  Buffer<float> r(12 * (size_t)n, [](int i) { return 0.1f * unit(i) - 0.05f; }), out(n);
  run.time([&] { levinson<<<n / 128, 128>>>(r, out, n); });
  run.expect_all(
      out, [&](int i) { return levinson_at(r.host.data(), i, n); }, 1e-4);
}

/* A tile of eight lanes has a matrix, a row in each lane. */
__global__ void tile_determinants(const float *in, float *out) {
  auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  float row[8], product = 1;
  for (int k = 0; k < 8; k++)
    row[k] = in[8 * global_index() + k];
  unsigned left = 255, lane = tile.thread_rank();
#pragma unroll
  for (int k = 0; k < 8; k++) {
    float best = left >> lane & 1 ? fabsf(row[k]) : -1;
    for (int by = 4; by > 0; by /= 2)
      best = fmaxf(best, tile.shfl_xor(best, by));
    int pivot = __ffs(tile.ballot((left >> lane & 1) && fabsf(row[k]) == best)) - 1;
    left &= ~(1u << pivot);
    float top = tile.shfl(row[k], pivot), scale = row[k] / top;
    product *= __popc(left & ((1u << pivot) - 1)) & 1 ? -top : top;
#pragma unroll
    for (int j = k; j < 8; j++)
      row[j] -= (left >> lane & 1 ? scale : 0) * tile.shfl(row[j], pivot);
  }
  if (lane == 0)
    out[global_index() / 8] = product;
}
static void determinants_by_tiles(Run &run, int n) {
  Buffer<float> in(64 * (size_t)n, unit), out(n);
  run.time([&] { tile_determinants<<<n / 24, 192>>>(in, out); });
  run.expect_all(
      out,
      [&](int i) {
        double a[64], product = 1;
        std::copy_n(&in.host[64 * (size_t)i], 64, a);
        for (int k = 0; k < 8; product *= a[9 * k], k++)
          for (int r = k + 1; r < 8; r++)
            for (int j = 7; j >= k; j--)
              a[8 * r + j] -= a[8 * r + k] / a[9 * k] * a[8 * k + j];
        return product;
      },
      1e-3);
}

/* A warp has two numbers of 1024 bits, and the carries are in a vote. */
__global__ void wide_fibonacci(uint32_t *out, int steps) {
  uint32_t a = mix(global_index() + 1), b = ~a;
  for (int k = 0; k < steps; k++) {
    uint32_t sum = a + b, carries = __ballot_sync(~0u, sum < a);
    uint32_t full = __ballot_sync(~0u, sum == ~0u);
    a = b, b = sum + (((carries << 1) + full ^ full) >> threadIdx.x & 1);
  }
  out[global_index()] = b;
}
static void wide_sums(Run &run, int n) {
  Buffer<uint32_t> out(32 * 36);
  run.time([&] { wide_fibonacci<<<36, 32>>>(out, n); });
  std::vector<uint32_t> want(32 * 36);
  for (int warp = 0; warp < 36; warp++) {
    uint32_t numbers[2][32];
    for (int k = 0; k < 32; k++)
      numbers[1][k] = ~(numbers[0][k] = mix(32 * warp + k + 1));
    for (int step = 0; step < n; step++) {
      uint64_t sum = 0;
      for (int k = 0; k < 32; k++, sum >>= 32)
        numbers[step % 2][k] = sum += (uint64_t)numbers[0][k] + numbers[1][k];
    }
    std::copy_n(numbers[(n + 1) % 2], 32, &want[32 * warp]);
  }
  run.expect_all(out, [&](int i) { return want[i]; });
}

/* ---- products and halves ---------------------------------------------------------------- */
__global__ void complex_product(const float2 *a, const float2 *b, float2 *c, int n) {
  __shared__ float2 left[18][18], right[18][18];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 18 + x, row = blockIdx.y * 18 + y;
  float2 sum = make_float2(0, 0);
  for (int tile = 0; tile < n; tile += 18) {
    left[y][x] = a[row * n + tile + x];
    right[y][x] = b[(tile + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 18; k++) {
      float2 u = left[y][k], v = right[k][x];
      sum.x += u.x * v.x - u.y * v.y, sum.y += u.x * v.y + u.y * v.x;
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}
static void complex_tiles(Run &run, int n) {
  auto pair = [](int i) { return make_float2(unit(2 * i), unit(2 * i + 1)); };
  Buffer<float2> a((size_t)n * n, pair), b((size_t)n * n, pair), c((size_t)n * n);
  run.time([&] { complex_product<<<dim3(n / 18, n / 18), dim3(18, 18)>>>(a, b, c, n); });
  c.down();
  for (int i = 0; i < n * n; i += 53) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
      float2 u = a.host[i / n * n + k], v = b.host[k * n + i % n];
      sum += (u.x - u.y) * v.x + (u.x + u.y) * v.y - 2 * u.y * v.y + 2 * u.y * v.x;
    }
    run.expect(i, c.host[i].x + c.host[i].y, sum, 0.01);
  }
}

/* A network has 16 inputs, 24 neurons and one output. */
__global__ void perceptron(const __half2 *in, const __half2 *weights, __half *out, int n) {
  __shared__ __half2 near_weights[24 * 8];
  int i = global_index();
  near_weights[threadIdx.x] = weights[threadIdx.x];
  __syncthreads();
  __half2 x[8];
  for (int k = 0; k < 8; k++)
    x[k] = in[k * n + i];
  __half sum = __float2half(0), zero = sum;
  for (int neuron = 0; neuron < 24; neuron++) {
    __half2 both = __floats2half2_rn(0, 0);
    for (int k = 0; k < 8; k++)
      both = __hfma2(x[k], near_weights[neuron * 8 + k], both);
    __half total = __hadd(__low2half(both), __high2half(both));
    sum = __hadd(sum, __hgt(total, zero) ? total : zero);
  }
  out[i] = sum;
}
static void networks_in_halves(Run &run, int n) {
  auto pair = [](int i) { return __floats2half2_rn(unit(2 * i) - 0.5f, unit(2 * i + 1) - 0.5f); };
  Buffer<__half2> in(8 * (size_t)n, pair), weights(192, pair);
  Buffer<__half> out(n);
  run.time([&] { perceptron<<<n / 192, 192>>>(in, weights, out, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int neuron = 0; neuron < 24; neuron++) {
      float total = 0;
      for (int k = 0; k < 8; k++) {
        float2 x = __half22float2(in.host[(size_t)k * n + i]);
        float2 w = __half22float2(weights.host[neuron * 8 + k]);
        total += x.x * w.x + x.y * w.y;
      }
      sum += std::max(total, 0.0f);
    }
    run.expect(i, __half2float(out.host[i]), sum, 0.05);
  }
}

static const Rows rows("guests",
                       {{"strings hashed by Murmur", strings_hashed, 200000, 100},
                        {"sponges of Keccak", sponges, 96 * 900, 192},
                        {"aliquot sequences", aliquot_sequences, 64 * 300, 128},
                        {"gamblers until ruin", gamblers, 32 * 160, 64},
                        {"multibrot, double", multibrot_set, 740, 48},
                        {"cubic equations", cubics_solved, 500000, 300},
                        {"accelerations and jerks", jerks, 4096, 256},
                        {"Greeks of options", greeks_of_options, 1000000, 300},
                        {"paths of Heston", heston, 64 * 1500, 128},
                        {"Ewald sums, real space", ewald, 3072, 128},
                        {"beams of 112 antennas", beams, 200000, 300},
                        {"Fourier of 729 points by threes", transforms_by_threes, 2000, 2},
                        {"tours of knights", tours_of_knights, 12800, 64},
                        {"messages of Enigma", messages_of_enigma, 500, 5},
                        {"distances of Damerau", distances_of_damerau, 64 * 600, 64},
                        {"table of steam", table_of_steam, 1000000, 300},
                        {"combined recurrences", combined_recurrences, 160 * 400, 160},
                        {"incomplete gamma, double", gamma_functions, 100000, 300},
                        {"oscillators of van der Pol", oscillators, 64 * 40, 64},
                        {"predictors by Levinson", predictors, 128 * 1000, 128},
                        {"determinants by tiles of 8", determinants_by_tiles, 24 * 4000, 48},
                        {"sums of 1024 bits", wide_sums, 50000, 50},
                        {"complex product, tiles of 18", complex_tiles, 540, 36},
                        {"networks in halves", networks_in_halves, 192 * 1200, 192}});
