/* Benchmark kernels for prefix sums, ballots, votes and matches. */
#include "bench.h"

enum { THREADS = 256, LAUNCHES = 4 };
static const unsigned ALL = 0xffffffffu;

/* ---- inclusive sums of each block ------------------------------------------------------------ */
__global__ void hillis_steele(const int *in, int *out) {
  __shared__ int sums[2][THREADS];
  int t = threadIdx.x, now = 0;
  sums[0][t] = in[blockIdx.x * THREADS + t];
  __syncthreads();
  for (int step = 1; step < THREADS; step *= 2, now = !now) {
    sums[!now][t] = sums[now][t] + (t >= step ? sums[now][t - step] : 0);
    __syncthreads();
  }
  out[blockIdx.x * THREADS + t] = sums[now][t];
}

/* The up-sweep and down-sweep of a tree, two elements per thread. */
__global__ void blelloch(const int *in, int *out) {
  __shared__ int sums[THREADS];
  int t = threadIdx.x, base = blockIdx.x * THREADS;
  int first = in[base + t], second = in[base + t + THREADS / 2], step = 1;
  sums[t] = first;
  sums[t + THREADS / 2] = second;
  for (int active = THREADS / 2; active > 0; active /= 2, step *= 2) {
    __syncthreads();
    if (t < active)
      sums[step * (2 * t + 2) - 1] += sums[step * (2 * t + 1) - 1];
  }
  if (t == 0)
    sums[THREADS - 1] = 0;
  for (int active = 1; active < THREADS; active *= 2) {
    step /= 2;
    __syncthreads();
    if (t < active) {
      int left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1, was = sums[left];
      sums[left] = sums[right];
      sums[right] += was;
    }
  }
  __syncthreads();
  out[base + t] = sums[t] + first;
  out[base + t + THREADS / 2] = sums[t + THREADS / 2] + second;
}

__device__ int warp_scan(int value) {
  for (int step = 1; step < 32; step *= 2) {
    int below = __shfl_up_sync(ALL, value, step);
    if ((int)(threadIdx.x % 32) >= step)
      value += below;
  }
  return value;
}

__global__ void shuffle_scan(const int *in, int *out) {
  __shared__ int warps[THREADS / 32];
  int t = threadIdx.x, sum = warp_scan(in[blockIdx.x * THREADS + t]);
  if (t % 32 == 31)
    warps[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    int total = warp_scan(t < THREADS / 32 ? warps[t] : 0);
    if (t < THREADS / 32)
      warps[t] = total;
  }
  __syncthreads();
  out[blockIdx.x * THREADS + t] = sum + (t >= 32 ? warps[t / 32 - 1] : 0);
}

typedef void Scan(const int *, int *);
template <Scan *KERNEL, int EACH> static void block_scans(Run &run, int n) {
  Buffer<int> in(n, [](int i) { return (int)(bits(i) % 1000) - 300; }), out(n);
  run.time_several(LAUNCHES, [&] { KERNEL<<<n / THREADS, THREADS / EACH>>>(in, out); });
  out.down();
  for (int i = 0, sum = 0; i < n; i++) {
    sum = (i % THREADS ? sum : 0) + in.host[i];
    run.expect(i, out.host[i], sum);
  }
}

/* ---- bits of a warp -------------------------------------------------------------------------- */
/* Keeps odd elements. They are written in order to the block's part of the output. */
__global__ void compact(const int *in, int *out, int *counts, int per_block) {
  __shared__ int warps[THREADS / 32], taken;
  int t = threadIdx.x, lane = t % 32, base = blockIdx.x * per_block;
  if (t == 0)
    taken = 0;
  for (int i = t; i < per_block; i += THREADS) {
    int value = in[base + i];
    unsigned odd = __ballot_sync(ALL, value & 1);
    if (lane == 0)
      warps[t / 32] = __popc(odd);
    __syncthreads();
    int before = taken;
    for (int warp = 0; warp < t / 32; warp++)
      before += warps[warp];
    if (value & 1)
      out[base + before + __popc(odd & ((1u << lane) - 1))] = value;
    __syncthreads();
    if (t == THREADS - 1)
      taken = before + __popc(odd);
    __syncthreads();
  }
  if (t == 0)
    counts[blockIdx.x] = taken;
}

static void compaction(Run &run, int n) {
  const int per_block = 4 * THREADS, blocks = n / per_block;
  Buffer<int> in(n, bits), out(n), counts(blocks);
  out.zero(); // the rest of a block's part is not written
  run.time_several(LAUNCHES, [&] { compact<<<blocks, THREADS>>>(in, out, counts, per_block); });
  counts.down();
  out.down();
  for (int block = 0; block < blocks; block++) {
    int at = block * per_block;
    for (int i = 0; i < per_block; i++)
      if (in.host[block * per_block + i] & 1) {
        run.expect(at, out.host[at], in.host[block * per_block + i]);
        at++;
      }
    run.expect(block, counts.host[block], at - block * per_block);
  }
}

/* Counts the set bits of a ballot in lower lanes, many times. */
__global__ void prefix_bits(const unsigned *in, int *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, sum = 0;
  unsigned word = in[i];
  for (int round = 0; round < rounds; round++) {
    unsigned ballot = __ballot_sync(ALL, word >> round & 1);
    sum += __popc(ballot & ((2u << lane) - 1)) + __clz(ballot) + __ffs(ballot);
  }
  out[i] = sum;
}

static int host_prefix_bits(const std::vector<unsigned> &in, int i, int rounds) {
  int sum = 0;
  for (int round = 0; round < rounds; round++) {
    int before = 0, first = 0, last = -1;
    for (int lane = 0; lane < 32; lane++)
      if (in[i / 32 * 32 + lane] >> round & 1) {
        before += lane <= i % 32;
        first = first ? first : lane + 1;
        last = lane;
      }
    sum += before + 31 - last + first;
  }
  return sum;
}

static void ballot_prefix(Run &run, int n) {
  const int rounds = 24;
  Buffer<unsigned> in(n, bits);
  Buffer<int> out(n);
  run.time_several(LAUNCHES, [&] { prefix_bits<<<n / THREADS, THREADS>>>(in, out, rounds); });
  out.down();
  for (int i = 0; i < n; i += 61)
    run.expect(i, out.host[i], host_prefix_bits(in.host, i, rounds));
}

/* Finds groups of lanes with the same key, and votes among them. */
__global__ void votes(const int *in, int *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, key = in[i], found = 0;
  for (int round = 0; round < rounds; round++) {
    unsigned peers = __match_any_sync(ALL, key & 7);
    found += __popc(peers);
    found += __any_sync(ALL, key % 31 == round) ? 1 : 0;
    found += __all_sync(ALL, key > round) ? 2 : 0;
    key += round;
  }
  out[i] = found;
}

static void match_and_vote(Run &run, int n) {
  const int rounds = 16;
  Buffer<int> in(n, [](int i) { return (int)(bits(i) % 1000); }), out(n);
  run.time([&] { votes<<<n / THREADS, THREADS>>>(in, out, rounds); });
  out.down();
  for (int i = 0; i < n; i += 37) {
    const int *warp = &in.host[i / 32 * 32];
    int found = 0, added = 0;
    for (int round = 0; round < rounds; added += round++) {
      int any = 0, all = 2;
      for (int lane = 0; lane < 32; lane++) {
        int key = warp[lane] + added;
        found += (key & 7) == ((in.host[i] + added) & 7);
        any |= key % 31 == round;
        all = key > round ? all : 0;
      }
      found += any + all;
    }
    run.expect(i, out.host[i], found);
  }
}

static const Rows rows("scans and votes",
                       {{"scan, Hillis-Steele", block_scans<hillis_steele, 1>, 1 << 18, 1024},
                        {"scan, Blelloch", block_scans<blelloch, 2>, 1 << 18, 1024},
                        {"scan, shuffles", block_scans<shuffle_scan, 1>, 1 << 18, 1024},
                        {"stream compaction", compaction, 1 << 18, 2048},
                        {"ballot and popc", ballot_prefix, 1 << 16, 1024},
                        {"match and vote", match_and_vote, 1 << 18, 1024}});
