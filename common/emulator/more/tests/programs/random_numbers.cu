// Tests random numbers in kernels, with cuRAND's default generator (XORWOW) and Philox. The host
// computes the numbers of each thread from the definition of the generator and compares them. For
// XORWOW, it computes n steps with powers of the step as matrices of bits. Uniform and normal
// distributions are tested too, and pi is estimated.
#include "../../../tests/programs/check.h"
#include <cmath>
#include <curand_kernel.h>
#include <vector>

enum { THREADS = 64, EACH = 5, BITS = 160 };
#define SEED 0x123456789abcull

// ---- the generator on the host ------------------------------------------------------------------
struct Xorwow {
  unsigned v[5], d;

  void step() {
    unsigned t = v[0] ^ (v[0] >> 2);
    for (int i = 0; i < 4; i++)
      v[i] = v[i + 1];
    v[4] = (v[3] ^ (v[3] << 4)) ^ (t ^ (t << 1));
  }
  unsigned next() {
    step();
    return v[4] + (d += 362437);
  }
};

struct Matrix { // column i: the state that follows the state with only bit i set
  std::vector<Xorwow> column;

  void apply(Xorwow &x) const {
    Xorwow sum = {{0, 0, 0, 0, 0}, x.d};
    for (int i = 0; i < BITS; i++)
      for (int k = 0; k < 5 && x.v[i / 32] >> (i % 32) & 1; k++)
        sum.v[k] ^= column[i].v[k];
    x = sum;
  }
  Matrix squared() const {
    Matrix m = *this;
    for (Xorwow &c : m.column)
      apply(c);
    return m;
  }
};

static Matrix one_step() {
  Matrix m;
  for (int i = 0; i < BITS; i++) {
    Xorwow x = {{0, 0, 0, 0, 0}, 0};
    x.v[i / 32] = 1u << (i % 32);
    x.step();
    m.column.push_back(x);
  }
  return m;
}

static std::vector<Matrix> powers; // powers[k]: 2^k steps

static Xorwow start(unsigned long long sequence, unsigned long long offset) {
  unsigned low = 1099087573u * ((unsigned)SEED ^ 0xaad26b49u);
  unsigned high = 2591861531u * ((unsigned)(SEED >> 32) ^ 0xf7dcefddu);
  Xorwow x = {{123456789 + low, 362436069 ^ low, 521288629 + high, 88675123 ^ high, 5783321 + low},
              6615241 + high + low};
  for (int k = 0; k < 64; k++) {
    if (sequence >> k & 1)
      powers[67 + k].apply(x);
    if (offset >> k & 1)
      powers[k].apply(x);
  }
  x.d += 362437u * (unsigned)offset;
  return x;
}

// Return small and large subsequences and offsets for thread t.
__host__ __device__ unsigned long long sequence_of(int t) {
  return t < 48 ? t : ~0ull >> (t % 16 * 4);
}
__host__ __device__ unsigned long long offset_of(int t) {
  return t % 3 ? t : 0x9e3779b97f4a7c15ull >> t % 60;
}

// ---- the same in a kernel -----------------------------------------------------------------------
struct Numbers {
  unsigned bits[EACH];
  float uniform, normal[3];
  double fine, fine_normal[3];
  unsigned after;
};

__global__ void draw(Numbers *out) {
  int t = threadIdx.x;
  curandState state;
  curand_init(SEED, sequence_of(t), offset_of(t), &state);
  for (int i = 0; i < EACH; i++)
    out[t].bits[i] = curand(&state);
  out[t].uniform = curand_uniform(&state);
  out[t].fine = curand_uniform_double(&state);
  for (int i = 0; i < 3; i++)
    out[t].normal[i] = curand_normal(&state);
  for (int i = 0; i < 3; i++)
    out[t].fine_normal[i] = curand_normal_double(&state);
  skipahead(1000003, &state);
  out[t].after = curand(&state);
}

template <typename Generator> static double fine_bits(Generator &x) {
  unsigned long long low = x.next(), high = x.next();
  return (double)(low ^ high << 21) + 0.5;
}

static void check_thread(const Numbers &n, int t) {
  const double pi = 3.14159265358979323846;
  Xorwow x = start(sequence_of(t), offset_of(t));
  for (int i = 0; i < EACH; i++)
    EXPECT(n.bits[i] == x.next());
  EXPECT(n.uniform == fmaf((float)x.next(), 0x1p-32f, 0x1p-33f));
  EXPECT(n.fine == fine_bits(x) * 0x1p-53);
  for (int pair = 0; pair < 2; pair++) {
    double radius = sqrt(-2 * log((x.next() + 0.5) * 0x1p-32));
    double angle = (x.next() + 0.5) * 0x1p-31 * pi;
    EXPECT(fabs(n.normal[2 * pair] - radius * sin(angle)) <= 3e-6);
    EXPECT(pair || fabs(n.normal[1] - radius * cos(angle)) <= 3e-6);
  }
  for (int pair = 0; pair < 2; pair++) {
    double radius = sqrt(-2 * log(fine_bits(x) * 0x1p-53));
    double angle = fine_bits(x) * 0x1p-52 * pi;
    EXPECT(fabs(n.fine_normal[2 * pair] - radius * sin(angle)) <= 1e-14);
    EXPECT(pair || fabs(n.fine_normal[1] - radius * cos(angle)) <= 1e-14);
  }
  for (int i = 0; i < 1000003; i++)
    x.next();
  EXPECT(n.after == x.next());
}

// ---- Philox: ten rounds over a counter, whose upper half is the sequence ------------------------
struct Philox {
  // `place`: the number of 32-bit numbers used in the sequence, four per counter.
  unsigned long long sequence, place;

  unsigned next() {
    unsigned long long counter = place / 4;
    unsigned c[4] = {(unsigned)counter, (unsigned)(counter >> 32), (unsigned)sequence,
                     (unsigned)(sequence >> 32)};
    unsigned k[2] = {(unsigned)SEED, (unsigned)(SEED >> 32)};
    for (int round = 0; round < 10; round++) {
      unsigned long long first = 0xd2511f53ull * c[0], second = 0xcd9e8d57ull * c[2];
      c[0] = (unsigned)(second >> 32) ^ c[1] ^ k[0], c[1] = (unsigned)second;
      c[2] = (unsigned)(first >> 32) ^ c[3] ^ k[1], c[3] = (unsigned)first;
      k[0] += 0x9e3779b9, k[1] += 0xbb67ae85;
    }
    return c[place++ % 4];
  }
};

struct PhiloxNumbers {
  unsigned bits[EACH];
  uint4 four;
  float uniform, normal;
  float4 four_uniform, four_normal;
  double coarse, fine_normal[3];
  double2 fine;
  unsigned after[2];
};

__global__ void draw_philox(PhiloxNumbers *out) {
  int t = threadIdx.x;
  PhiloxNumbers n;
  curandStatePhilox4_32_10_t state;
  curand_init(SEED, sequence_of(t), offset_of(t) / 8,
              &state); // the last counter is followed by the next subsequence
  for (int i = 0; i < EACH; i++)
    n.bits[i] = curand(&state);
  n.four = curand4(&state);
  n.uniform = curand_uniform(&state);
  n.coarse = curand_uniform_double(&state);
  n.four_uniform = curand_uniform4(&state);
  n.fine = curand_uniform2_double(&state);
  n.normal = curand_normal(&state);
  n.four_normal = curand_normal4(&state);
  for (int i = 0; i < 3; i++)
    n.fine_normal[i] = curand_normal_double(&state);
  skipahead(1000003, &state);
  n.after[0] = curand(&state);
  skipahead_sequence(5, &state);
  n.after[1] = curand(&state);
  out[t] = n;
}

static bool near_normal(double value, double radius_from, double angle_from, double (*wave)(double),
                        double tolerance) {
  const double pi = 3.14159265358979323846;
  return fabs(value - sqrt(-2 * log(radius_from)) * wave(2 * pi * angle_from)) <= tolerance;
}

static void check_philox(const PhiloxNumbers &n, int t) {
  Philox x = {sequence_of(t), offset_of(t) / 8};
  for (int i = 0; i < EACH; i++)
    EXPECT(n.bits[i] == x.next());
  for (unsigned each : {n.four.x, n.four.y, n.four.z, n.four.w})
    EXPECT(each == x.next());
  EXPECT(n.uniform == fmaf((float)x.next(), 0x1p-32f, 0x1p-33f));
  EXPECT(n.coarse == (x.next() + 1.0) * 0x1p-32);
  for (float each : {n.four_uniform.x, n.four_uniform.y, n.four_uniform.z, n.four_uniform.w})
    EXPECT(each == fmaf((float)x.next(), 0x1p-32f, 0x1p-33f));
  EXPECT(n.fine.x == fine_bits(x) * 0x1p-53);
  EXPECT(n.fine.y == fine_bits(x) * 0x1p-53);
  const float pairs[][2] = {
      {n.normal, 0}, {n.four_normal.x, n.four_normal.y}, {n.four_normal.z, n.four_normal.w}};
  for (int pair = 0; pair < 3; pair++) {
    double radius = (x.next() + 0.5) * 0x1p-32, angle = (x.next() + 0.5) * 0x1p-32;
    EXPECT(near_normal(pairs[pair][0], radius, angle, sin, 3e-6));
    EXPECT(!pair || near_normal(pairs[pair][1], radius, angle, cos, 3e-6));
  }
  for (int pair = 0; pair < 2; pair++) {
    double radius = fine_bits(x) * 0x1p-53, angle = fine_bits(x) * 0x1p-53;
    EXPECT(near_normal(n.fine_normal[2 * pair], radius, angle, sin, 1e-14));
    EXPECT(pair || near_normal(n.fine_normal[1], radius, angle, cos, 1e-14));
  }
  x.place += 1000003;
  EXPECT(n.after[0] == x.next());
  x.sequence += 5;
  EXPECT(n.after[1] == x.next());
}

// ---- the usual use ------------------------------------------------------------------------------
__global__ void prepare(curandState *states) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(42, i, 0, &states[i]);
}

__global__ void throw_darts(curandState *states, int each, int *hits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState mine = states[i];
  int inside = 0;
  for (int k = 0; k < each; k++) {
    float x = curand_uniform(&mine), y = curand_uniform(&mine);
    inside += x * x + y * y <= 1;
  }
  states[i] = mine;
  atomicAdd(hits, inside);
}

static void check_pi() {
  const int threads = 256, blocks = 4, each = 250;
  curandState *states;
  int *hits, counted;
  CHECK(cudaMalloc(&states, blocks * threads * sizeof *states));
  CHECK(cudaMalloc(&hits, sizeof *hits));
  CHECK(cudaMemset(hits, 0, sizeof *hits));
  prepare<<<blocks, threads>>>(states);
  for (int i = 0; i < 2; i++)
    throw_darts<<<blocks, threads>>>(states, each, hits);
  LAUNCHED();
  CHECK(cudaMemcpy(&counted, hits, sizeof counted, cudaMemcpyDeviceToHost));
  double darts = 2.0 * blocks * threads * each; // the standard deviation of the count is 294
  EXPECT(fabs(4 * counted / darts - 3.14159265) <= 4 * 4 * 294 / darts);
  CHECK(cudaFree(states));
  CHECK(cudaFree(hits));
}

template <typename T> static std::vector<T> drawn(void (*kernel)(T *)) {
  std::vector<T> out(THREADS);
  T *device;
  CHECK(cudaMalloc(&device, THREADS * sizeof *device));
  kernel<<<1, THREADS>>>(device);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), device, THREADS * sizeof *device, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  return out;
}

int main() {
  powers.push_back(one_step());
  while (powers.size() < 67 + 64)
    powers.push_back(powers.back().squared());
  const auto numbers = drawn<Numbers>(draw);
  const auto philox_numbers = drawn<PhiloxNumbers>(draw_philox);
  for (int t = 0; t < THREADS; t++) {
    check_thread(numbers[t], t);
    check_philox(philox_numbers[t], t);
  }
  check_pi();
  return done();
}
