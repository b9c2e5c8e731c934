/* Kernels limited by arithmetic, branches and latencies, as courses, libraries and applications
 * have them. They were written without knowledge of the model of time, and the model is not
 * fitted to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cuda_fp16.h>

#define BOTH __host__ __device__ static inline
__device__ static inline int own() { return blockIdx.x * blockDim.x + threadIdx.x; }
/* Each thread of the kernel has one result. */
template <class T, class Want>
static void each(Run &run, int n, void (*kernel)(T *), int threads, Want want, double near = 0) {
  Buffer<T> out(n);
  run.time([&] { kernel<<<n / threads, threads>>>(out); });
  run.expect_all(out, want, near);
}
static float4 four(int i) {
  return make_float4(unit(4 * i), unit(4 * i + 1), unit(4 * i + 2), unit(4 * i + 3));
}
static float2 two(int i) { return make_float2(unit(2 * i), unit(2 * i + 1)); }
BOTH uint32_t rotated(uint32_t x, int by) { return x << by | x >> (32 - by); }
BOTH uint32_t xorshift(uint32_t &x) { return x ^= x << 13, x ^= x >> 17, x ^= x << 5; }

BOTH uint32_t murmur_at(const uint8_t *text, const int *begins, int i) {
  const uint8_t *s = text + begins[i];
  int length = begins[i + 1] - begins[i];
  uint32_t hash = 42;
  for (int k = 0; k < length; k += 4) {
    uint32_t word = 0;
    for (int b = 0; b < 4 && k + b < length; b++)
      word |= (uint32_t)s[k + b] << 8 * b;
    hash = rotated(hash ^ rotated(word * 0xcc9e2d51u, 15) * 0x1b873593u, 13) * 5 + 0xe6546b64u;
  }
  return mix(hash ^ length);
}
__global__ void murmur(const uint8_t *text, const int *begins, uint32_t *out) {
  out[own()] = murmur_at(text, begins, own());
}
static void strings_hashed(Run &run, int n) {
  int length = 0;
  Buffer<int> begins(n + 1, [&](int i) { return (length += bits(i) % 60) - bits(i) % 60; });
  Buffer<uint8_t> text(length + 1, bits);
  Buffer<uint32_t> out(n);
  run.time([&] { murmur<<<n / 128, 128>>>(text, begins, out); });
  run.expect_all(out, [&](int i) { return murmur_at(text.host.data(), begins.host.data(), i); });
}

static __constant__ uint64_t keccak_rounds[24];
BOTH uint64_t keccak_at(uint64_t seed, const uint64_t *rounds) {
  uint64_t a[25], b[25], c[5];
  for (int i = 0; i < 25; i++)
    a[i] = (seed + i) * 0x9e3779b97f4a7c15ull;
  for (int round = 0; round < 24; round++) {
    for (int x = 0; x < 5; x++)
      c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    for (int i = 0; i < 25; i++)
      a[i] ^= c[(i + 4) % 5] ^ (c[(i + 1) % 5] << 1 | c[(i + 1) % 5] >> 63);
    b[0] = a[0];
    for (int t = 0, x = 1, y = 0; t < 24; t++) {
      int by = (t + 1) * (t + 2) / 2 % 64, from = x + 5 * y, next = (2 * x + 3 * y) % 5;
      x = y, y = next;
      b[x + 5 * y] = a[from] << by | a[from] >> (64 - by);
    }
    for (int i = 0; i < 25; i++)
      a[i] = b[i] ^ (~b[i / 5 * 5 + (i + 1) % 5] & b[i / 5 * 5 + (i + 2) % 5]);
    a[0] ^= rounds[round];
  }
  return a[0] ^ a[24];
}
__global__ void keccak(uint64_t *out) { out[own()] = keccak_at(own(), keccak_rounds); }
static void sponges(Run &run, int n) {
  uint64_t rounds[24] = {};
  for (int round = 0, state = 1; round < 24; round++)
    for (int j = 0; j < 7; j++, state = state << 1 ^ (state >> 7) * 0x171)
      rounds[round] |= (uint64_t)(state & 1) << ((1 << j) - 1);
  CHECK(cudaMemcpyToSymbol(keccak_rounds, rounds, sizeof rounds));
  each(run, n, keccak, 96, [&](int i) { return keccak_at(i, rounds); });
}
BOTH int aliquot_at(int i) {
  int steps = 0, n = i + 1;
  for (; n > 1 && n < 300000 && steps < 12; steps++) {
    int sum = 1;
    for (int d = 2; d * d <= n; d++)
      if (n % d == 0)
        sum += d * d == n ? d : d + n / d;
    n = sum;
  }
  return n * 16 + steps;
}
__global__ void aliquot(int *out) { out[own()] = aliquot_at(own()); }
static void aliquot_sequences(Run &run, int n) { each(run, n, aliquot, 64, aliquot_at); }
BOTH int ruin_at(int i) {
  uint32_t state = mix(i + 1);
  int purse = 1 + i % 199, bets = 0;
  for (; purse > 0 && purse < 200; bets++)
    purse += xorshift(state) & 1024 ? 1 : -1;
  return bets;
}
__global__ void gamble(int *bets) { bets[own()] = ruin_at(own()); }
static void gamblers(Run &run, int n) { each(run, n, gamble, 32, ruin_at); }
BOTH int multibrot_at(int i) {
  double cx = fma((double)(i % 740), 0.0035, -1.3), x = cx;
  double cy = fma((double)(i / 740), 0.0035, -1.1), y = cy;
  int k = 0;
  for (; k < 250 && fma(x, x, y * y) < 4; k++) {
    double xx = x * x, yy = y * y, next = fma(x, fma(-3.0, yy, xx), cx);
    y = fma(y, fma(3.0, xx, -yy), cy);
    x = next;
  }
  return k;
}
__global__ void multibrot(short *out) { out[own()] = multibrot_at(own()); }
static void multibrot_set(Run &run, int n) { each(run, n, multibrot, 128, multibrot_at); }
/* Cubic equations have one or three real roots. */
__global__ void cubic_roots(const float4 *in, float *out, int n) {
  int i = own();
  float a = 6 * in[i].x - 3, b = 6 * in[i].y - 3, c = 6 * in[i].z - 3, shift = a / 3;
  float q = shift * shift - b / 3, r = shift * shift * shift - shift * b / 2 + c / 2;
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
  Buffer<float4> in(n, four);
  Buffer<float> out(3 * (size_t)n);
  run.time([&] { cubic_roots<<<n / 256, 256>>>(in, out, n); });
  out.down();
  for (int i = 0; i < 3 * n; i++) {
    double x = out.host[i], a = 6 * in.host[i % n].x - 3, b = 6 * in.host[i % n].y - 3;
    run.expect(i, ((x + a) * x + b) * x + 6 * in.host[i % n].z - 3, 0, 1e-3);
  }
}
BOTH float jerk_at(const float4 *all, const float4 *speeds, int i, int n) {
  float4 p = all[i], v = speeds[i];
  float sum_x = 0, sum_y = 0, sum_z = 0;
  for (int k = 0; k < n; k++) {
    float4 q = all[k], w = speeds[k];
    float x = q.x - p.x, y = q.y - p.y, z = q.z - p.z, a = w.x - v.x, b = w.y - v.y, c = w.z - v.z;
    float square = x * x + y * y + z * z + 0.01f, inverse = 1 / sqrtf(square);
    float mass = q.w * inverse * inverse * inverse, rate = -3 * (x * a + y * b + z * c) / square;
    sum_x += mass * (a + rate * x), sum_y += mass * (b + rate * y), sum_z += mass * (c + rate * z);
  }
  return sqrtf(sum_x * sum_x + sum_y * sum_y + sum_z * sum_z);
}
__global__ void hermite_jerks(const float4 *p, const float4 *v, float *out, int n) {
  out[own()] = jerk_at(p, v, own(), n);
}
static void jerks(Run &run, int n) {
  Buffer<float4> p(n, four), v(n, [](int i) { return four(i + 55555); });
  Buffer<float> out(n);
  run.time([&] { hermite_jerks<<<n / 64, 64>>>(p, v, out, n); });
  out.down();
  for (int i = 0; i < n; i += 37)
    run.expect(i, out.host[i], jerk_at(p.host.data(), v.host.data(), i, n), 0.01 * n / 64);
}
BOTH float4 greeks_at(float4 in) {
  float spot = 20 + 60 * in.x, strike = 20 + 60 * in.y, years = 0.1f + 2 * in.z, rate = 0.03f;
  float sigma = 0.15f + in.w / 4, root = sigma * sqrtf(years);
  float d = (logf(spot / strike) + (rate + sigma * sigma / 2) * years) / root;
  float density = 0.39894228f * expf(-d * d / 2), above = 0.5f * erfcf(0.70710678f * (root - d));
  return make_float4(0.5f * erfcf(-0.70710678f * d), density / (spot * root),
                     spot * density * root / sigma, strike * years * expf(-rate * years) * above);
}
__global__ void greeks(const float4 *in, float4 *out) { out[own()] = greeks_at(in[own()]); }
static void greeks_of_options(Run &run, int n) {
  Buffer<float4> in(n, four), out(n);
  run.time([&] { greeks<<<n / 192, 192>>>(in, out); });
  out.down();
  for (int i = 0; i < n; i++) {
    float4 want = greeks_at(in.host[i]), got = out.host[i];
    run.expect(i, got.x + got.y + got.z + got.w, want.x + want.y + want.z + want.w, 1e-3);
  }
}
BOTH float heston_at(int i) {
  uint32_t seed = mix(i + 1);
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
__global__ void heston_paths(float *out) { out[own()] = heston_at(own()); }
static void heston(Run &run, int n) { each(run, n, heston_paths, 64, heston_at, 2e-3); }
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
  out[own()] = real_space_at(charges, own(), n);
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
__global__ void phased_array(const float2 *antennas, float *out, int n) {
  out[own()] = beam_at(antennas, 112, 6.2831853f * own() / n);
}
static void beams(Run &run, int n) {
  Buffer<float2> antennas(112, two);
  Buffer<float> out(n);
  run.time([&] { phased_array<<<n / 224, 224>>>(antennas, out, n); });
  auto want = [&](int i) { return beam_at(antennas.host.data(), 112, 6.2831853f * i / n); };
  run.expect_all(out, want, 0.01);
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
  Buffer<float2> in((size_t)n * 729, two), out((size_t)n * 729);
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

/* The knight's moves from a cell are at the remainder of the cell's bit modulo 37. */
static __constant__ uint32_t knight_moves[37];
BOTH int tours_at(int i, const uint32_t *moves) {
  uint32_t to = 1u << i % 25, seen = to, open[25], last[25];
  int depth = 0, tours = 0;
  i /= 25;
  for (int k = 0; k < 4; k++, i /= 8) {
    uint32_t left = moves[to % 37] & ~seen;
    for (int skip = i % 8; skip > 0; skip--)
      left &= left - 1;
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
__global__ void knights_tour(int *out) { out[own()] = tours_at(own(), knight_moves); }
static void tours_of_knights(Run &run, int n) {
  uint32_t moves[37] = {};
  for (int i = 0; i < 625; i++) {
    int x = abs(i % 5 - i / 25 % 5), y = abs(i / 5 % 5 - i / 125);
    moves[(1u << i % 25) % 37] |= (uint32_t)(x * y == 2) << i / 25;
  }
  CHECK(cudaMemcpyToSymbol(knight_moves, moves, sizeof moves));
  each(run, n, knights_tour, 64, [&](int i) { return tours_at(i, moves); });
}

static __constant__ uint8_t enigma_wheels[7 * 26];
BOTH uint32_t enigma_at(uint32_t start, int length, const uint8_t *wheels) {
  uint32_t sum = 0;
  for (int k = 0; k < length; k++) {
    uint32_t at = start + k, turns[4] = {at % 26, at / 26 % 26, at / 676 % 26, 0}, letter = k % 26;
    for (int wheel = 0; wheel < 7; wheel++) {
      uint32_t turn = turns[wheel < 3 ? wheel : 6 - wheel];
      letter = (wheels[wheel * 26 + (letter + turn) % 26] + 26 - turn) % 26;
    }
    sum = sum * 31 + letter;
  }
  return sum;
}
__global__ void enigma(const uint32_t *starts, uint32_t *out, int length) {
  out[own()] = enigma_at(starts[own()], length, enigma_wheels);
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
BOTH int damerau_at(const uint8_t *words, int i) {
  const uint8_t *a = words + 20 * i, *b = a + 20;
  uint8_t rows[3][21] = {};
  for (int r = 0; r <= 20; r++)
    for (int j = 0; j <= 20; j++) {
      uint8_t *now = rows[r % 3], *last = rows[(r + 2) % 3];
      int best = r + j;
      if (r && j) {
        best = (last[j] < now[j - 1] ? last[j] : now[j - 1]) + 1;
        int change = last[j - 1] + (a[r - 1] != b[j - 1]);
        best = change < best ? change : best;
        if (r > 1 && j > 1 && a[r - 1] == b[j - 2] && a[r - 2] == b[j - 1])
          best = rows[(r + 1) % 3][j - 2] < best ? rows[(r + 1) % 3][j - 2] + 1 : best;
      }
      now[j] = best;
    }
  return rows[20 % 3][20];
}
__global__ void damerau(const uint8_t *words, int *out) { out[own()] = damerau_at(words, own()); }
static void distances_of_damerau(Run &run, int n) {
  Buffer<uint8_t> words(20 * (size_t)n + 20, [](int i) { return 'a' + bits(i) % 3; });
  Buffer<int> out(n);
  run.time([&] { damerau<<<n / 64, 64>>>(words, out); });
  run.expect_all(out, [&](int i) { return damerau_at(words.host.data(), i); });
}

/* The table has 40 knots after its 40x40 values. */
BOTH float steam_at(const float *table, float2 p) {
  const float *knots = table + 1600;
  int x = 0, y = 0;
  for (int step = 32; step > 0; step /= 2) {
    x += x + step < 39 && knots[x + step] <= p.x ? step : 0;
    y += y + step < 39 && knots[y + step] <= p.y ? step : 0;
  }
  float u = (p.x - knots[x]) / (knots[x + 1] - knots[x]);
  float v = (p.y - knots[y]) / (knots[y + 1] - knots[y]);
  const float *t = table + 40 * y + x;
  return (1 - v) * (t[0] + u * (t[1] - t[0])) + v * (t[40] + u * (t[41] - t[40]));
}
__global__ void steam_table(const float *table, const float2 *where, float *out, int n) {
  __shared__ float near_table[1640];
  for (int k = threadIdx.x; k < 1640; k += blockDim.x)
    near_table[k] = table[k];
  __syncthreads();
  for (int i = own(); i < n; i += gridDim.x * blockDim.x)
    out[i] = steam_at(near_table, where[i]);
}
static void table_of_steam(Run &run, int n) {
  auto value = [](int i) { return i < 1600 ? unit(i) : (i - 1600) * (i - 1600) / 1521.0f; };
  Buffer<float> table(1640, value), out(n);
  Buffer<float2> where(n, two);
  run.time([&] { steam_table<<<132, 512>>>(table, where, out, n); });
  auto want = [&](int i) { return steam_at(table.host.data(), where.host[i]); };
  run.expect_all(out, want, 1e-3);
}
BOTH uint64_t mrg_at(int i) {
  int64_t a[3] = {i + 1, 2, 3}, b[3] = {i + 4, 5, 6};
  uint64_t sum = 0;
  for (int k = 0; k < 2000; k++) {
    int64_t x = (1403580 * a[1] - 810728 * a[0]) % 4294967087;
    int64_t y = (527612 * b[2] - 1370589 * b[0]) % 4294944443;
    a[0] = a[1], a[1] = a[2], a[2] = x < 0 ? x + 4294967087 : x;
    b[0] = b[1], b[1] = b[2], b[2] = y < 0 ? y + 4294944443 : y;
    sum += a[2] > b[2] ? a[2] - b[2] : a[2] - b[2] + 4294967087;
  }
  return sum;
}
__global__ void mrg32k3a(uint64_t *out) { out[own()] = mrg_at(own()); }
static void combined_recurrences(Run &run, int n) { each(run, n, mrg32k3a, 160, mrg_at); }
/* The incomplete gamma function is a series or a continued fraction. */
BOTH double gamma_at(int i) {
  double a = 0.5 + i % 50, x = 0.1 + i / 50 * 0.01;
  double factor = exp(a * log(x) - x - lgamma(a)), sum = 1 / a, term = sum;
  if (x < a + 1) {
    for (double k = a + 1; term > sum * 1e-14; k++)
      sum += term *= x / k;
    return factor * sum;
  }
  double b = x + 1 - a, c = 1e300, d = 1 / b, ratio = d;
  for (int k = 1; k < 500 && fabs(c * d - 1) > 1e-14; k++, ratio *= c * d)
    b += 2, d = 1 / (k * (a - k) * d + b), c = b + k * (a - k) / c;
  return 1 - factor * ratio;
}
__global__ void incomplete_gamma(double *out) { out[own()] = gamma_at(own()); }
static void gammas(Run &run, int n) { each(run, n, incomplete_gamma, 128, gamma_at, 1e-10); }
/* Van der Pol's oscillator takes steps of Bogacki and Shampine. */
BOTH double2 moved(double2 s, double h, double2 k, double mu) {
  double x = s.x + h * k.x, y = s.y + h * k.y;
  return make_double2(y, mu * (1 - x * x) * y - x);
}
BOTH double oscillator_at(int i) {
  double mu = 1 + i % 97 * 0.1;
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
__global__ void bogacki(double *out) { out[own()] = oscillator_at(own()); }
static void oscillators(Run &run, int n) { each(run, n, bogacki, 64, oscillator_at, 1e-2); }
BOTH float levinson_at(const float *r, int i, int n) {
  float a[13] = {1}, error = 1;
  for (int m = 1; m <= 12; m++) {
    float sum = 0;
    for (int k = 0; k < m; k++)
      sum += a[k] * r[(m - k - 1) * n + i];
    float reflection = -sum / error;
    for (int k = 0; k <= m / 2; k++) {
      float low = a[k], high = a[m - k];
      a[k] = low + reflection * high, a[m - k] = high + reflection * low;
    }
    error *= 1 - reflection * reflection;
  }
  return error + a[1] - a[12];
}
__global__ void levinson(const float *r, float *out, int n) {
  out[own()] = levinson_at(r, own(), n);
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
    row[k] = in[8 * own() + k];
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
    out[own() / 8] = product;
}
static void determinants_by_tiles(Run &run, int n) {
  Buffer<float> in(64 * (size_t)n, unit), out(n);
  run.time([&] { tile_determinants<<<n / 24, 192>>>(in, out); });
  auto want = [&](int i) {
    double a[64], product = 1;
    std::copy_n(&in.host[64 * (size_t)i], 64, a);
    for (int k = 0; k < 8; product *= a[9 * k], k++)
      for (int at = 63; at > 8 * k + 7; at--)
        if (at % 8 >= k)
          a[at] -= a[at / 8 * 8 + k] / a[9 * k] * a[8 * k + at % 8];
    return product;
  };
  run.expect_all(out, want, 1e-3);
}

/* A warp has two numbers of 1024 bits, and the carries are in a vote. */
__global__ void wide_fibonacci(uint32_t *out, int steps) {
  uint32_t a = mix(own() + 1), b = ~a;
  for (int k = 0; k < steps; k++) {
    uint32_t sum = a + b, carries = __ballot_sync(~0u, sum < a);
    uint32_t full = __ballot_sync(~0u, sum == ~0u);
    a = b, b = sum + ((((carries << 1) + full) ^ full) >> threadIdx.x & 1);
  }
  out[own()] = b;
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
  Buffer<float2> a((size_t)n * n, two), b((size_t)n * n, two), c((size_t)n * n);
  run.time([&] { complex_product<<<dim3(n / 18, n / 18), dim3(18, 18)>>>(a, b, c, n); });
  c.down();
  for (int i = 0; i < n * n; i += 53) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
      float2 u = a.host[i / n * n + k], v = b.host[k * n + i % n];
      sum += u.x * (v.x + v.y) + u.y * (v.x - v.y);
    }
    run.expect(i, c.host[i].x + c.host[i].y, sum, 0.01);
  }
}

/* A network has 16 inputs, 24 neurons and one output. */
__global__ void perceptron(const __half2 *in, const __half2 *weights, __half *out, int n) {
  __shared__ __half2 near_weights[24 * 8];
  int i = own();
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
  auto want = [&](int i) {
    float sum = 0, total = 0;
    for (int k = 0; k < 192; k++, sum += k % 8 ? 0 : std::max(total, 0.0f)) {
      float2 x = __half22float2(in.host[k % 8 * n + i]), w = __half22float2(weights.host[k]);
      total = (k % 8 ? total : 0) + x.x * w.x + x.y * w.y;
    }
    return sum;
  };
  out.down();
  for (int i = 0; i < n; i++)
    run.expect(i, __half2float(out.host[i]), want(i), 0.05);
}

static const Rows rows("guests",
                       {{"strings hashed by Murmur", strings_hashed, 199680, 128},
                        {"sponges of Keccak", sponges, 96 * 900, 192},
                        {"aliquot sequences", aliquot_sequences, 64 * 300, 128},
                        {"gamblers until ruin", gamblers, 32 * 160, 64},
                        {"multibrot, double", multibrot_set, 128 * 3500, 128},
                        {"cubic equations", cubics_solved, 256 * 2000, 256},
                        {"accelerations and jerks", jerks, 4096, 256},
                        {"Greeks of options", greeks_of_options, 192 * 5000, 192},
                        {"paths of Heston", heston, 64 * 6000, 128},
                        {"Ewald sums, real space", ewald, 3072, 128},
                        {"beams of 112 antennas", beams, 224 * 900, 224},
                        {"Fourier of 729 points by threes", transforms_by_threes, 2000, 2},
                        {"tours of knights", tours_of_knights, 102400, 64},
                        {"messages of Enigma", messages_of_enigma, 500, 5},
                        {"distances of Damerau", distances_of_damerau, 64 * 600, 64},
                        {"table of steam", table_of_steam, 1000000, 300},
                        {"combined recurrences", combined_recurrences, 160 * 400, 160},
                        {"incomplete gamma, double", gammas, 128 * 800, 128},
                        {"oscillators of van der Pol", oscillators, 64 * 40, 64},
                        {"predictors by Levinson", predictors, 128 * 1000, 128},
                        {"determinants by tiles of 8", determinants_by_tiles, 24 * 4000, 48},
                        {"sums of 1024 bits", wide_sums, 110000, 50},
                        {"complex product, tiles of 18", complex_tiles, 540, 36},
                        {"networks in halves", networks_in_halves, 192 * 1200, 192}});
