/* Kernels limited by arithmetic, branches and latencies, as courses, libraries and applications
 * have them. They were written without knowledge of the model of time, and the model is not fitted
 * to them. */
#include "../bench/bench.h"
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <functional>

namespace cg = cooperative_groups;
static int blocks_of(size_t n, int threads) { return (int)((n + threads - 1) / threads); }

/* ---- particles ----------------------------------------------------------------------------- */
__host__ __device__ static inline float chance(uint32_t &state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return ((state >> 8) + 0.5f) / 16777216.0f;
}
/* The slab reflects a negative weight and transmits a positive weight. */
__host__ __device__ static inline float photon(uint32_t state) {
  float depth = 0, slope = 1, weight = 1;
  while (true) {
    depth -= logf(chance(state)) * slope;
    if (depth < 0 || depth > 5)
      return depth < 0 ? -weight : weight;
    weight *= 0.92f;
    if (weight < 0.1f && chance(state) > 0.2f)
      return 0;
    float part = 0.36f / (0.2f + 1.6f * chance(state)), turn = (1.64f - part * part) / 1.6f;
    float side = sqrtf(fmaxf(0, (1 - slope * slope) * (1 - turn * turn)));
    slope = slope * turn + side * cosf(6.2831853f * chance(state));
  }
}
__global__ void photons(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = photon(mix(i + 1));
}
static void photons_in_a_slab(Run &run, int n) {
  Buffer<float> out(n);
  run.time([&] { photons<<<blocks_of(n, 192), 192>>>(out, n); });
  out.down();
  double got[2] = {}, want[2] = {};
  for (int i = 0; i < n; i++) {
    float weight = photon(mix(i + 1));
    got[out.host[i] > 0] += out.host[i] / n;
    want[weight > 0] += weight / n;
  }
  run.expect(0, got[0], want[0], 2e-3);
  run.expect(1, got[1], want[1], 2e-3);
}

/* The force of Lennard and Jones along the three axes, from a list of neighbours. */
__host__ __device__ static inline float3 pushed(const float4 *at, const int *list, int i, int n) {
  float4 me = at[i];
  float3 force = {0, 0, 0};
  for (int k = 0; k < 80; k++) {
    float4 other = at[list[k * n + i]];
    float x = me.x - other.x, y = me.y - other.y, z = me.z - other.z;
    float square = x * x + y * y + z * z;
    if (square > 0.1f && square < 9) {
      float inverse = 1 / square, sixth = inverse * inverse * inverse;
      float factor = (48 * sixth - 24) * sixth * inverse * other.w;
      force.x += factor * x, force.y += factor * y, force.z += factor * z;
    }
  }
  return force;
}
__global__ void lennard_jones(const float4 *at, const int *list, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float3 force = pushed(at, list, i, n);
  out[i] = force.x, out[n + i] = force.y, out[2 * n + i] = force.z;
}
static void forces_by_list(Run &run, int n) {
  Buffer<float4> at(n, [](int i) {
    return make_float4(i % 16 + 0.2f * unit(3 * i), i / 16 % 16 + 0.2f * unit(3 * i + 1),
                       i / 256 + 0.2f * unit(3 * i + 2), 1 + 0.1f * unit(i));
  });
  Buffer<int> list((size_t)80 * n,
                   [&](int k) { return (k % n + n + (int)(bits(k) % 1201) - 600) % n; });
  Buffer<float> out((size_t)3 * n);
  run.time([&] { lennard_jones<<<blocks_of(n, 128), 128>>>(at, list, out, n); });
  run.expect_all(
      out,
      [&](int i) {
        float3 force = pushed(at.host.data(), list.host.data(), i % n, n);
        return i < n ? force.x : i < 2 * n ? force.y : force.z;
      },
      0.02);
}

/* X rays in a crystal: the strength of each wave is a sum over the atoms. */
__global__ void scatter_rays(const float4 *atoms, int count, float *strength, int side) {
  int h = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y;
  float real = 0, imaginary = 0;
  if (h >= side)
    return;
  for (int a = 0; a < count; a++) {
    float4 atom = atoms[a];
    float s, c;
    sincosf(6.2831853f * (h * atom.x + k * atom.y + (h ^ k) % 7 * atom.z), &s, &c);
    real += atom.w * c;
    imaginary += atom.w * s;
  }
  strength[k * side + h] = real * real + imaginary * imaginary;
}
static void rays_in_a_crystal(Run &run, int side) {
  const int count = 200;
  Buffer<float4> atoms(count, [](int i) {
    return make_float4(unit(i), unit(i + 1000), unit(i + 2000), 0.1f + 0.2f * unit(i + 3000));
  });
  Buffer<float> strength((size_t)side * side);
  run.time(
      [&] { scatter_rays<<<dim3(blocks_of(side, 64), side), 64>>>(atoms, count, strength, side); });
  run.expect_all(
      strength,
      [&](int i) {
        int h = i % side, k = i / side;
        double real = 0, imaginary = 0;
        for (const float4 &atom : atoms.host) {
          double angle = 6.283185307 *
                         (h * (double)atom.x + k * (double)atom.y + (h ^ k) % 7 * (double)atom.z);
          real += atom.w * cos(angle), imaginary += atom.w * sin(angle);
        }
        return real * real + imaginary * imaginary;
      },
      0.05);
}

/* ---- fractals, numbers and bits -------------------------------------------------------------- */
/* Markus's picture of the exponents of Lyapunov, for the sequence AABAB. */
__host__ __device__ static inline float exponent_at(float a, float b) {
  float x = 0.5f, sum = 0;
  for (int i = 0; i < 240; i++) {
    float rate = (0b10100 >> i % 5 & 1) ? b : a;
    x = rate * fmaf(-x, x, x);
    if (i >= 80)
      sum += logf(fabsf(rate * fmaf(-2, x, 1)) + 1e-6f);
    if (sum < -400)
      break;
  }
  return sum / 160;
}
__global__ void lyapunov(float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n)
    out[y * n + x] = exponent_at(2.2f + 1.8f * x / n, 2.2f + 1.8f * y / n);
}
static void exponents_of_lyapunov(Run &run, int n) {
  Buffer<float> out((size_t)n * n);
  run.time([&] { lyapunov<<<dim3(blocks_of(n, 16), blocks_of(n, 12)), dim3(16, 12)>>>(out, n); });
  run.expect_all(
      out, [&](int i) { return exponent_at(2.2f + 1.8f * (i % n) / n, 2.2f + 1.8f * (i / n) / n); },
      1e-3);
}

__host__ __device__ static inline uint32_t totient_of(uint32_t number) {
  uint32_t result = number;
  for (uint32_t d = 2; d * d <= number; d += 1 + (d & 1))
    if (number % d == 0) {
      while (number % d == 0)
        number /= d;
      result -= result / d;
    }
  return number > 1 ? result - result / number : result;
}
__global__ void totients(uint32_t *out, uint32_t first, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = totient_of(first + i);
}
static void totients_of_euler(Run &run, int n) {
  Buffer<uint32_t> out(n);
  run.time([&] { totients<<<blocks_of(n, 256), 256>>>(out, 700000, n); });
  run.expect_all(out, [](int i) { return totient_of(700000 + i); });
}

/* The squares that the rooks of a board of chess attack, by the subtraction of two. */
__device__ static inline uint64_t attacked(uint64_t pieces, uint64_t line, uint64_t rook) {
  uint64_t on_line = pieces & line;
  uint64_t down = __brevll(__brevll(on_line) - 2 * __brevll(rook));
  return ((on_line - 2 * rook) ^ down) & line;
}
__global__ void slide_rooks(const uint64_t *boards, int *moves, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint64_t board = boards[i], left = board;
  int count = 0;
  while (left) {
    int at = __ffsll((long long)left) - 1;
    uint64_t rook = 1ull << at, row = 0xffull << (at & 56),
             column = 0x0101010101010101ull << (at & 7);
    left &= left - 1;
    count += __popcll(attacked(board, row, rook)) + __popcll(attacked(board, column, rook));
  }
  moves[i] = count;
}
static void rooks_slide(Run &run, int n) {
  Buffer<uint64_t> boards(n, [](int i) {
    return (uint64_t)(bits(i) & bits(i + 7777777)) << 32 | (bits(i + 3333333) & bits(i + 4444444));
  });
  Buffer<int> moves(n);
  run.time([&] { slide_rooks<<<blocks_of(n, 128), 128>>>(boards, moves, n); });
  run.expect_all(moves, [&](int i) {
    int count = 0, way[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int at = 0; at < 64; at++)
      for (int w = 0; w < 4 && boards.host[i] >> at & 1; w++)
        for (int x = at % 8 + way[w][0], y = at / 8 + way[w][1]; (x | y) >= 0 && x < 8 && y < 8;
             x += way[w][0], y += way[w][1]) {
          count++;
          if (boards.host[i] >> (y * 8 + x) & 1)
            break;
        }
    return count;
  });
}

/* ---- cryptography and factors ---------------------------------------------------------------- */
/* The permutation of SHA-3, with its 25 words in registers. */
static __constant__ uint64_t keccak_rounds[24];
static const uint64_t keccak_rounds_host[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
__host__ __device__ static inline uint64_t turned(uint64_t x, int by) {
  return x << by | x >> (64 - by);
}
__host__ __device__ static inline void keccak_round(uint64_t *a, uint64_t constant) {
  uint64_t c[5], last = a[1];
#pragma unroll
  for (int x = 0; x < 5; x++)
    c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma unroll
  for (int i = 0; i < 25; i++)
    a[i] ^= c[(i + 4) % 5] ^ turned(c[(i + 1) % 5], 1);
  last = a[1];
#pragma unroll
  for (int t = 0, x = 1, y = 0; t < 24; t++) {
    int z = (2 * x + 3 * y) % 5;
    x = y, y = z;
    uint64_t kept = a[x + 5 * y];
    a[x + 5 * y] = turned(last, (t + 1) * (t + 2) / 2 % 64);
    last = kept;
  }
#pragma unroll
  for (int y = 0; y < 25; y += 5) {
    uint64_t p = a[y], q = a[y + 1];
    a[y] ^= ~q & a[y + 2], a[y + 1] ^= ~a[y + 2] & a[y + 3], a[y + 2] ^= ~a[y + 3] & a[y + 4];
    a[y + 3] ^= ~a[y + 4] & p, a[y + 4] ^= ~p & q;
  }
  a[0] ^= constant;
}
__global__ void keccak(const uint64_t *messages, uint64_t *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint64_t a[25];
  if (i >= n)
    return;
#pragma unroll
  for (int k = 0; k < 25; k++)
    a[k] = k < 17 ? messages[(size_t)k * n + i] : 0;
  for (int round = 0; round < 24; round++)
    keccak_round(a, keccak_rounds[round]);
#pragma unroll
  for (int k = 0; k < 4; k++)
    out[k * n + i] = a[k];
}
static void keccak_digests(Run &run, int n) {
  Buffer<uint64_t> messages((size_t)17 * n, [](int i) { return (uint64_t)bits(i) << 32 | mix(i); });
  Buffer<uint64_t> out((size_t)4 * n);
  CHECK(cudaMemcpyToSymbol(keccak_rounds, keccak_rounds_host, sizeof keccak_rounds));
  run.time([&] { keccak<<<blocks_of(n, 128), 128>>>(messages, out, n); });
  out.down();
  for (int i = 0; i < n; i++) {
    uint64_t a[25] = {};
    for (int k = 0; k < 17; k++)
      a[k] = messages.host[(size_t)k * n + i];
    for (uint64_t constant : keccak_rounds_host)
      keccak_round(a, constant);
    for (int k = 0; k < 4; k++)
      run.expect(k * n + i, a[k] == out.host[k * n + i], 1);
  }
}

__host__ __device__ static inline uint32_t divisor_of(uint32_t number) {
  for (uint32_t add = 1;; add++) {
    uint32_t slow = 2, fast = 2, divisor = 1;
    while (divisor == 1) {
      slow = (uint32_t)(((uint64_t)slow * slow + add) % number);
      for (int k = 0; k < 2; k++)
        fast = (uint32_t)(((uint64_t)fast * fast + add) % number);
      divisor = number;
      for (uint32_t rest = slow < fast ? fast - slow : slow - fast; rest;) {
        uint32_t next = divisor % rest;
        divisor = rest, rest = next;
      }
    }
    if (divisor < number)
      return divisor;
  }
}
__global__ void pollard_rho(const uint32_t *numbers, uint32_t *divisors, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    divisors[i] = divisor_of(numbers[i]);
}
static void divisors_by_rho(Run &run, int n) {
  std::vector<uint32_t> primes;
  for (uint32_t p = 9001; p < 60000; p += 2)
    if (totient_of(p) == p - 1)
      primes.push_back(p);
  Buffer<uint32_t> numbers(n, [&](int i) {
    return primes[bits(2 * i) % primes.size()] * primes[bits(2 * i + 1) % primes.size()];
  });
  Buffer<uint32_t> divisors(n);
  run.time([&] { pollard_rho<<<blocks_of(n, 64), 64>>>(numbers, divisors, n); });
  run.expect_all(divisors, [&](int i) { return divisor_of(numbers.host[i]); });
}

/* ---- shapes ---------------------------------------------------------------------------------- */
struct Solid {
  int kind;
  float x, y, z, wide, thin;
};
__host__ __device__ static inline float distance_to(const Solid &s, float x, float y, float z) {
  x -= s.x, y -= s.y, z -= s.z;
  float flat = sqrtf(x * x + z * z);
  switch (s.kind) {
  case 0:
    return sqrtf(x * x + y * y + z * z) - s.wide;
  case 1: {
    float a = fmaxf(fabsf(x) - s.wide, 0), b = fmaxf(fabsf(y) - s.thin, 0), c = fabsf(z) - s.wide;
    return sqrtf(a * a + b * b + fmaxf(c, 0) * fmaxf(c, 0));
  }
  case 2:
    return sqrtf((flat - s.wide) * (flat - s.wide) + y * y) - s.thin;
  case 3:
    return flat * cosf(s.thin) + y * sinf(s.thin);
  default:
    float along = fminf(fmaxf(y, 0), s.wide);
    return sqrtf(flat * flat + (y - along) * (y - along)) - s.thin;
  }
}
__host__ __device__ static inline float nearest_solid(const Solid *solids, int count, int i) {
  float x = (mix(3 * i) >> 8) / 1e6f, y = (mix(3 * i + 1) >> 8) / 1e6f, z = (i & 1023) / 60.0f;
  float best = 1e9f;
  for (int k = mix(i) % count, left = 8 + mix(i + 9) % 40; left; left--) {
    best = fminf(best, distance_to(solids[k], x, y, z));
    k = k + 1 < count ? k + 1 : 0;
  }
  return best;
}
__global__ void approach_solids(const Solid *solids, int count, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = nearest_solid(solids, count, i);
}
static void solids_near(Run &run, int n) {
  const int count = 300;
  Buffer<Solid> solids(count, [](int i) {
    return Solid{(int)(bits(i) % 5),  16 * unit(i + 400),    16 * unit(i + 800),
                 16 * unit(i + 1200), unit(i + 1600) + 0.5f, unit(i + 2000) / 2};
  });
  Buffer<float> out(n);
  run.time([&] { approach_solids<<<blocks_of(n, 256), 256>>>(solids, count, out, n); });
  run.expect_all(
      out, [&](int i) { return nearest_solid(solids.host.data(), count, i); }, 1e-4);
}

static const Rows rows("visitors", {{"photons in a slab", photons_in_a_slab, 300000, 20000},
                                    {"forces by a list", forces_by_list, 60000, 1500},
                                    {"rays in a crystal", rays_in_a_crystal, 200, 10},
                                    {"exponents of Lyapunov", exponents_of_lyapunov, 500, 30},
                                    {"totients of Euler", totients_of_euler, 100000, 300},
                                    {"rooks slide", rooks_slide, 500000, 300},
                                    {"digests by Keccak", keccak_digests, 100000, 100},
                                    {"divisors by rho", divisors_by_rho, 20000, 50},
                                    {"nearest of the solids", solids_near, 300000, 300}});
