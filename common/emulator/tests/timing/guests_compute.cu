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
                        {"messages of Enigma", messages_of_enigma, 500, 5}});
