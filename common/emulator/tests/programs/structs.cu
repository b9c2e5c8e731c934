// Copies structs with padding, bit fields, and adjacent members that compilers move together:
// through registers, calls, local and shared memory. No read of padding may be reported.
#include "check.h"
#include <cstring>

struct Padded { // padding: 3 bytes after `flag`, 4 after `last`
  int key;
  bool flag;
  double weight;
  short last;
};
struct Bits {
  // 4 unused bits
  unsigned low : 5, middle : 14, high : 9;
  long long wide : 43, rest : 16;
};
struct Pair {
  char first;
  short second;
};

struct Nested { // padding: 4 bytes after `count`, 7 after `tag`
  Padded inner;
  int count;
  double rest;
  char tag;
};
struct Large { // more than 128 bytes: clang copies it in a loop, byte by byte
  Nested all[4];
  char tag;
  short last;
};

__device__ __noinline__ Padded pick(Padded a, Padded b, bool first) { return first ? a : b; }
__device__ __noinline__ Pair swapped(Pair p) {
  Pair q;
  q.first = (char)p.second;
  q.second = p.first;
  return q;
}
__device__ __noinline__ float twice(float unused, float x) { return 2 * x; }

__device__ Bits bits_of(int i) {
  Bits b;
  b.high = i * 3;
  b.low = i;
  b.middle = i * 100;
  b.rest = -i;
  b.wide = i * 0x123456789ll;
  return b;
}
__device__ bool right(Bits b, int i) {
  return b.low == (i & 31) && b.middle == (i * 100 & 16383) && b.high == (i * 3 & 511) &&
         b.rest == -i && b.wide == i * 0x123456789ll;
}

__global__ void structs(int *bad, int n) {
  __shared__ Padded padded[64];
  __shared__ Bits bits[64];
  __shared__ Pair pairs[64];
  const int t = threadIdx.x, other = 63 - t;
  Padded p;
  p.key = t, p.flag = t == 3, p.weight = t * 0.5, p.last = (short)-t;
  padded[t] = p;
  bits[t] = bits_of(t);
  Pair small;
  small.first = (char)t, small.second = (short)(t * 5);
  pairs[t] = swapped(small);
  __syncthreads();
  const Padded q = pick(padded[other], padded[t], t % 3 != 0);
  const int from = t % 3 != 0 ? other : t;
  DEVICE_EXPECT(bad, q.key == from && q.flag == (from == 3) && q.weight == from * 0.5 &&
                         q.last == -from);
  DEVICE_EXPECT(bad, right(bits[other], other));
  DEVICE_EXPECT(bad, pairs[other].second == other && pairs[other].first == (char)(other * 5));
  Bits local[3]; // indexed at run time, so in local memory
  for (int i = 0; i < 3; i++)
    local[i] = bits_of(t + i);
  local[n % 3].high = 7;
  DEVICE_EXPECT(bad, local[n % 3].high == 7 && right(local[(n + 1) % 3], t + (n + 1) % 3));
  Padded copy;
  memcpy(&copy, &q, sizeof copy);
  copy.key += 1;
  const Padded *chosen = n % 2 ? &copy : &q;
  DEVICE_EXPECT(bad, chosen->key == from + n % 2 && chosen->weight == q.weight);
  DEVICE_EXPECT(bad, twice((float)n, (float)t) == 2.0f * t);
  // Half of the lanes do not set `kept`. No lane reads the value of such a lane.
  unsigned kept;
  if (t % 32 < 16)
    kept = t * 3;
  const unsigned far = __shfl_sync(~0u, t % 32 < 16 ? kept : 0, t % 16);
  DEVICE_EXPECT(bad, far == (t / 32 * 32 + t % 16) * 3);
}

// Writes and reads the cells of a table in global memory as a whole.
__global__ void cells(Padded *table, int *bad) {
  const int t = threadIdx.x;
  Padded p;
  p.key = t * t, p.flag = t & 1, p.weight = 1.0 / (t + 1), p.last = (short)t;
  table[t] = p;
  Padded back = table[t];
  DEVICE_EXPECT(bad, back.key == t * t && back.flag == (t & 1) && back.last == t);
}

// Copies a larger struct with a function that takes pointers, from local and from shared memory.
__device__ Large large_of(int i) {
  Large l;
  for (int k = 0; k < 4; k++) {
    Nested *n = &l.all[k];
    n->inner.key = i + k, n->inner.flag = i & 1, n->inner.weight = i * 0.5,
    n->inner.last = (short)k;
    n->count = k, n->rest = i - k, n->tag = (char)i;
  }
  l.tag = (char)-i, l.last = (short)(i * 3);
  return l;
}
__device__ __noinline__ void put(Large *to, const Large *from) { *to = *from; }
__device__ bool right(const Large &l, int i) {
  return l.all[3].inner.key == i + 3 && l.all[2].inner.weight == i * 0.5 && l.all[1].count == 1 &&
         l.all[3].rest == i - 3 && l.all[0].tag == (char)i && l.last == i * 3 && l.tag == (char)-i;
}
__global__ void large(Large *table, int *bad) {
  __shared__ Large tile[8];
  const int t = threadIdx.x;
  const Large own = large_of(t);
  put(&table[t], &own);
  DEVICE_EXPECT(bad, right(table[t], t));
  tile[t].tag = (char)(t - 7), tile[t].last = (short)(21 - 3 * t);
  for (int k = 0; k < 4; k++)
    tile[t].all[k] = large_of(7 - t).all[k];
  __syncthreads();
  table[t] = tile[7 - t];
  DEVICE_EXPECT(bad, right(table[t], t));
}

// Copies a struct as clang copies a large struct: through pointers, and the padding byte by byte.
struct __align__(16) Ragged { // 5 bytes of padding after `last`
  int4 first;
  short middle;
  char last;
  long long wide;
};
__global__ void ragged(Ragged *table, int *bad, int n) {
  const int t = threadIdx.x;
  char padding[5];
  Ragged *to = table + t;
  for (int i = 0; i < n; i++) {
    if (i > 99)
      padding[i % 5] = (char)i;
    // clang-format off: on one line, like the compiler's copy
    to->first = make_int4(t, i, n, 0), to->middle = 7, to->last = (char)-t,
    memcpy((char *)to + 19, padding, 5), to->wide = t * 5ll;
    // clang-format on
    asm volatile("" ::: "memory"); // keeps the stores of every iteration
  }
  DEVICE_EXPECT(bad,
                table[t].first.y == n - 1 && table[t].last == (char)-t && table[t].wide == t * 5ll);
}

// Copies 8 bytes in two halves, like nvcc -G. Then copies the upper half again; the pragma marks
// the bytes of this load as unused.
__global__ void halves(int2 *out) {
  __shared__ int2 pair[32];
  const int t = threadIdx.x;
  pair[t].x = t;
  __syncwarp();
  asm volatile(
      "{ .reg .u32 low, high;\n"
      "ld.u32 low, [%1]; ld.u32 high, [%1+4];\n"
      "st.u32 [%0+4], high; st.u32 [%0], low;\n"
      ".pragma \"used_bytes_mask 0\"; ld.u32 high, [%1+4]; st.u32 [%0+4], high; }" ::"l"(out + t),
      "l"(pair + t)
      : "memory");
}

int main() {
  int *bad;
  Padded *table, *host = (Padded *)malloc(64 * sizeof *host);
  Large *larges;
  Ragged *ragged_ones;
  int2 *pairs;
  CHECK(cudaMalloc(&bad, sizeof *bad));
  CHECK(cudaMemset(bad, 0, sizeof *bad));
  CHECK(cudaMalloc(&table, 64 * sizeof *table));
  structs<<<2, 64>>>(bad, 3);
  LAUNCHED();
  cells<<<1, 64>>>(table, bad);
  LAUNCHED();
  CHECK(cudaMalloc(&larges, 8 * sizeof *larges));
  large<<<1, 8>>>(larges, bad);
  LAUNCHED();
  CHECK(cudaMalloc(&ragged_ones, 32 * sizeof *ragged_ones));
  ragged<<<1, 32>>>(ragged_ones, bad, 3);
  LAUNCHED();
  CHECK(cudaMalloc(&pairs, 32 * sizeof *pairs));
  halves<<<1, 32>>>(pairs);
  LAUNCHED();
  expect_no_line(bad);
  CHECK(cudaMemcpy(host, table, 64 * sizeof *host, cudaMemcpyDeviceToHost));
  EXPECT(host[9].key == 81 && host[9].weight == 0.1 && host[9].flag);
  CHECK(cudaFree(table));
  CHECK(cudaFree(larges));
  CHECK(cudaFree(ragged_ones));
  CHECK(cudaFree(pairs));
  CHECK(cudaFree(bad));
  free(host);
  return 0;
}
