// Structs with padding, with bit fields, with members side by side that compilers move in one piece: copied through
// registers, calls, local and shared memory, where nobody looks at the padding. No report, and the right members.
#include "check.h"
#include <cstring>

struct Padded { // 3 bytes behind `flag`, 4 behind `last`
  int key;
  bool flag;
  double weight;
  short last;
};
struct Bits {
  unsigned low : 5, middle : 14, high : 9; // 4 bits are nobody's
  long long wide : 43, rest : 16;
};
struct Pair {
  char first;
  short second;
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
  Bits local[3]; // chosen by an index that is not known: in local memory
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
  // a shuffled value that lanes drop
  unsigned kept;
  if (t % 32 < 16)
    kept = t * 3;
  const unsigned far = __shfl_sync(~0u, t % 32 < 16 ? kept : 0, t % 16);
  DEVICE_EXPECT(bad, far == (t / 32 * 32 + t % 16) * 3);
}

// A cell of a table in global memory, written and read as a whole.
__global__ void cells(Padded *table, int *bad) {
  const int t = threadIdx.x;
  Padded p;
  p.key = t * t, p.flag = t & 1, p.weight = 1.0 / (t + 1), p.last = (short)t;
  table[t] = p;
  Padded back = table[t];
  DEVICE_EXPECT(bad, back.key == t * t && back.flag == (t & 1) && back.last == t);
}

int main() {
  int *bad;
  Padded *table, *host = (Padded *)malloc(64 * sizeof *host);
  CHECK(cudaMalloc(&bad, sizeof *bad));
  CHECK(cudaMemset(bad, 0, sizeof *bad));
  CHECK(cudaMalloc(&table, 64 * sizeof *table));
  structs<<<2, 64>>>(bad, 3);
  LAUNCHED();
  cells<<<1, 64>>>(table, bad);
  LAUNCHED();
  expect_no_line(bad);
  CHECK(cudaMemcpy(host, table, 64 * sizeof *host, cudaMemcpyDeviceToHost));
  EXPECT(host[9].key == 81 && host[9].weight == 0.1 && host[9].flag);
  CHECK(cudaFree(table));
  CHECK(cudaFree(bad));
  free(host);
  return 0;
}
