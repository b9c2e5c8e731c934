// Tests threads that wait in loops for each other: tickets, two locks at once, lanes of a warp that
// pass a flag, warps that take a lock in turn, and a scan whose blocks look back at earlier blocks.
#include "check.h"

// A ticket lock. All threads take it if `each` is nonzero, otherwise one thread per block.
__global__ void tickets(unsigned *next, volatile unsigned *served, int *sum, int *order, int each) {
  if (!each && threadIdx.x != 0)
    return;
  unsigned mine = atomicAdd(next, 1);
  bool done = false;
  while (!done)
    if (*served == mine) {
      __threadfence();
      order[mine] = *sum;
      *sum += 1;
      __threadfence();
      *served = mine + 1;
      done = true;
    }
}

__device__ void take(int *mutex) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ void give(int *mutex) {
  __threadfence();
  atomicExch(mutex, 0);
}

// Transfers between two accounts. The lock with the lower number is taken first.
__global__ void transfer(int *mutexes, int *accounts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, from = i % n, to = (i * 7 + 3) % n;
  if (from == to)
    return;
  take(mutexes + min(from, to));
  take(mutexes + max(from, to));
  accounts[from] -= 1;
  accounts[to] += 1;
  give(mutexes + max(from, to));
  give(mutexes + min(from, to));
}

// Lane i waits for lane i + 1, and lane 31 does not wait. Then the lanes wait in the opposite
// direction.
__global__ void down_the_lanes(volatile int *flag, int *out) {
  int t = threadIdx.x, base = blockIdx.x * 32;
  if (t < 31)
    while (flag[base + t + 1] == 0) {
    }
  flag[base + t] = t < 31 ? flag[base + t + 1] + 1 : 1;
  out[base + t] = flag[base + t];
}
__global__ void up_the_lanes(volatile int *flag, int *out) {
  int t = threadIdx.x, base = blockIdx.x * 32;
  while (t > 0 && flag[base + t - 1] == 0) {
  }
  flag[base + t] = t > 0 ? flag[base + t - 1] + 1 : 1;
  out[base + t] = flag[base + t];
}

// A producer and a consumer in one warp, with a buffer of one element.
__global__ void ping_pong(volatile int *place, int *out, int n) {
  if (threadIdx.x == 0) {
    for (int i = 1; i <= n; i++) {
      while (*place != 0) {
      }
      *place = i;
    }
  } else if (threadIdx.x == 17) {
    int sum = 0;
    for (int i = 1; i <= n; i++) {
      int got;
      while ((got = *place) == 0) {
      }
      sum = sum * 3 + got;
      *place = 0;
    }
    *out = sum;
  }
}

// The first lane of each warp takes the lock of its block.
__global__ void warps(int *mutex, int *sum, int rounds) {
  for (int i = 0; i < rounds; i++)
    if (threadIdx.x % 32 == 0) {
      take(mutex + blockIdx.x);
      sum[blockIdx.x] += i;
      give(mutex + blockIdx.x);
    }
}

// A scan in one pass (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled
// Look-back"). A block publishes its own sum. Then it adds the sums of earlier blocks, from the
// nearest on, until an earlier block has published a total: the sum of all blocks up to itself.
// Then it publishes its own total. The lower half of `state` is a sum; the upper half is 1 for a
// block's own sum, 2 for a total. Blocks are numbered in the order in which they start.
__global__ void look_back(const unsigned *in, unsigned *out, unsigned long long *state,
                          unsigned *number, int n) {
  __shared__ unsigned tile[128], block, before;
  const int t = threadIdx.x;
  if (t == 0)
    block = atomicAdd(number, 1);
  __syncthreads();
  const int i = block * 128 + t;
  tile[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    unsigned left = t >= step ? tile[t - step] : 0;
    __syncthreads();
    tile[t] += left;
    __syncthreads();
  }
  if (t == 0) {
    unsigned sum = 0;
    atomicExch(&state[block], (block ? 1ull : 2ull) << 32 | tile[127]);
    for (int at = (int)block - 1; at >= 0; at--) {
      unsigned long long found;
      while (((found = *(volatile unsigned long long *)&state[at]) >> 32) == 0) {
      }
      sum += (unsigned)found;
      if (found >> 32 == 2)
        break;
    }
    if (block)
      atomicExch(&state[block], 2ull << 32 | (sum + tile[127]));
    before = sum;
  }
  __syncthreads();
  if (i < n)
    out[i] = before + tile[t];
}

// A whole warp reads the states of 32 earlier blocks at once.
__global__ void look_back_by_warp(const unsigned *in, unsigned *out, unsigned long long *state,
                                  unsigned *number) {
  __shared__ unsigned block, before;
  if (threadIdx.x == 0)
    block = atomicAdd(number, 1);
  __syncthreads();
  const unsigned lane = threadIdx.x, own = in[block * 32 + lane];
  unsigned up_to = own;
  for (int step = 1; step < 32; step *= 2) {
    unsigned left = __shfl_up_sync(0xffffffff, up_to, step);
    up_to += lane >= step ? left : 0;
  }
  unsigned all = __shfl_sync(0xffffffff, up_to, 31), sum = 0;
  if (lane == 0)
    atomicExch(&state[block], (block ? 1ull : 2ull) << 32 | all);
  for (int at = (int)block - 1; at >= 0; at -= 32) {
    unsigned long long found = 2ull << 32;
    int mine = at - (int)lane;
    do
      if (mine >= 0)
        found = *(volatile unsigned long long *)&state[mine];
    while (__any_sync(0xffffffff, found >> 32 == 0));
    unsigned whole = __ballot_sync(0xffffffff, found >> 32 == 2);
    unsigned last = whole ? __ffs(whole) - 1 : 31;
    unsigned part = lane <= last && mine >= 0 ? (unsigned)found : 0;
    for (int step = 16; step; step /= 2)
      part += __shfl_xor_sync(0xffffffff, part, step);
    sum += part;
    if (whole)
      break;
  }
  if (lane == 0 && block)
    atomicExch(&state[block], 2ull << 32 | (sum + all));
  if (lane == 0)
    before = sum;
  __syncwarp();
  out[block * 32 + lane] = before + up_to;
}

template <class T> static T *zeros(int n) {
  T *array;
  CHECK(cudaMalloc(&array, n * sizeof(T)));
  CHECK(cudaMemset(array, 0, n * sizeof(T)));
  return array;
}
template <class T> static void get(T *host, T *device, int n) {
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
}

static void test_tickets() {
  static int order[256];
  for (int each = 0; each < 2; each++) {
    unsigned *next = zeros<unsigned>(2);
    int *sum = zeros<int>(1), *orders = zeros<int>(256);
    tickets<<<4, 64>>>(next, next + 1, sum, orders, each);
    int total;
    get(&total, sum, 1);
    get(order, orders, 256);
    EXPECT(total == (each ? 256 : 4));
    for (int i = 0; i < total; i++)
      EXPECT(order[i] == i);
    CHECK(cudaFree(next));
  }
}

static void test_transfers() {
  const int n = 13;
  int *mutexes = zeros<int>(n), *accounts = zeros<int>(n), got[n], expected[n] = {0};
  transfer<<<3, 64>>>(mutexes, accounts, n);
  for (int i = 0; i < 3 * 64; i++)
    expected[i % n]--, expected[(i * 7 + 3) % n]++;
  get(got, accounts, n);
  for (int i = 0; i < n; i++)
    EXPECT(got[i] == expected[i]);
  CHECK(cudaFree(mutexes));
}

static void test_lanes() {
  for (int up = 0; up < 2; up++) {
    int *flags = zeros<int>(4 * 32), *out = zeros<int>(4 * 32), got[4 * 32];
    if (up)
      up_the_lanes<<<4, 32>>>(flags, out);
    else
      down_the_lanes<<<4, 32>>>(flags, out);
    get(got, out, 4 * 32);
    for (int i = 0; i < 4 * 32; i++)
      EXPECT(got[i] == (up ? i % 32 + 1 : 32 - i % 32));
    CHECK(cudaFree(flags));
  }
  int *place = zeros<int>(1), *out = zeros<int>(1), got;
  unsigned expected = 0;
  ping_pong<<<1, 32>>>(place, out, 100);
  for (int i = 1; i <= 100; i++)
    expected = expected * 3 + i;
  get(&got, out, 1);
  EXPECT(got == (int)expected);
  CHECK(cudaFree(place));
}

static void test_warps() {
  int *mutexes = zeros<int>(5), *sums = zeros<int>(5), got[5];
  warps<<<5, 256>>>(mutexes, sums, 20);
  get(got, sums, 5);
  for (int i = 0; i < 5; i++)
    EXPECT(got[i] == 8 * 20 * 19 / 2);
  CHECK(cudaFree(mutexes));
}

static void test_look_back() {
  const int n = 128 * 150 - 31;
  static unsigned host[128 * 150], got[128 * 150];
  for (int i = 0; i < 128 * 150; i++)
    host[i] = i * 2654435761u >> 20;
  for (int by_warp = 0; by_warp < 2; by_warp++) {
    const int elements = by_warp ? 32 * 150 : n;
    unsigned *in = zeros<unsigned>(elements), *out = zeros<unsigned>(elements),
             *number = zeros<unsigned>(1), sum = 0;
    unsigned long long *state = zeros<unsigned long long>(150);
    CHECK(cudaMemcpy(in, host, elements * sizeof *in, cudaMemcpyHostToDevice));
    if (by_warp)
      look_back_by_warp<<<150, 32>>>(in, out, state, number);
    else
      look_back<<<150, 128>>>(in, out, state, number, n);
    get(got, out, elements);
    for (int i = 0; i < elements; i++)
      EXPECT(got[i] == (sum += host[i]));
    CHECK(cudaFree(in));
    CHECK(cudaFree(number));
    CHECK(cudaFree(state));
  }
}

int main() {
  test_tickets();
  test_transfers();
  test_lanes();
  test_warps();
  test_look_back();
  return done();
}
