// As long as a launch only performs atomic additions, each worker of the emulator keeps its own
// sums. If the launch later accesses the memory in another way, this access must see the total.
//
// env: LOCKSTEP_WORKERS=3
#include "check.h"

enum { BLOCKS = 60, THREADS = 64, PLACES = 5 };

__global__ void add_words(int *sums) {
  atomicAdd(&sums[threadIdx.x % PLACES], (int)blockIdx.x - 7);
}

__global__ void add_longs(unsigned long long *sums) {
  atomicAdd(&sums[threadIdx.x % PLACES], 1ull << 33 | blockIdx.x);
}

__global__ void add_then_raise(int *each) {
  const int t = blockIdx.x * THREADS + threadIdx.x;
  atomicAdd(&each[t], 5);
  atomicMax(&each[t], 4);
}

__global__ void add_then_read(int *each, int *seen) {
  const int t = blockIdx.x * THREADS + threadIdx.x;
  atomicAdd(&each[t], t);
  seen[t] = each[t];
}

// Reads the sums through a pointer that begins before the buffer, and a pointer to a pointer.
__global__ void add_then_read_before(int *each, const int *from_one, int *seen) {
  const int t = blockIdx.x * THREADS + threadIdx.x;
  atomicAdd(&each[t], 3);
  seen[t] = from_one[t + 1];
}

__global__ void add_then_read_beside(int *each, const int *other, long long from_other, int *seen) {
  const int t = blockIdx.x * THREADS + threadIdx.x;
  for (int i = 0; i < 2; i++) {
    atomicAdd(&each[t], 1);
    seen[t] = other[t + from_other];
  }
}

__global__ void add_then_find(int *each, int *seen) {
  const int t = blockIdx.x * THREADS + threadIdx.x;
  atomicAdd(&each[t], t);
  seen[t] = atomicAdd(&each[t], 1);
}

__global__ void add_halves_and_all(unsigned *halves, unsigned long long *all) {
  const int t = blockIdx.x * THREADS + threadIdx.x;
  atomicAdd(&halves[2 * t], 0xffffffffu);
  atomicAdd(&all[t], 1ull);
}

template <typename T> static T *zeroed(int n) {
  T *at;
  CHECK(cudaMalloc(&at, n * sizeof *at));
  CHECK(cudaMemset(at, 0, n * sizeof *at));
  return at;
}

template <typename T> static T value(const T *from, int i) {
  T to;
  CHECK(cudaMemcpy(&to, from + i, sizeof to, cudaMemcpyDeviceToHost));
  return to;
}

int main() {
  enum { ALL = BLOCKS * THREADS, LAST = ALL - 1, OF_FIRST = (THREADS + PLACES - 1) / PLACES };
  const int blocks = BLOCKS * (BLOCKS - 1) / 2;
  int *words = zeroed<int>(PLACES), *each = zeroed<int>(ALL), *seen = zeroed<int>(ALL);
  unsigned long long *longs = zeroed<unsigned long long>(ALL);

  add_words<<<BLOCKS, THREADS>>>(words);
  add_words<<<BLOCKS, THREADS>>>(words);
  EXPECT(value(words, 0) == 2 * OF_FIRST * (blocks - 7 * BLOCKS));
  EXPECT(value(words, PLACES - 1) == 2 * (OF_FIRST - 1) * (blocks - 7 * BLOCKS));

  add_longs<<<BLOCKS, THREADS>>>(longs);
  EXPECT(value(longs, 1) == OF_FIRST * (((unsigned long long)BLOCKS << 33) + blocks));

  add_then_raise<<<BLOCKS, THREADS>>>(each);
  EXPECT(value(each, 0) == 5 && value(each, LAST) == 5);

  add_then_read<<<BLOCKS, THREADS>>>(each, seen);
  EXPECT(value(seen, 0) == 5 && value(seen, LAST) == 5 + LAST);

  add_then_find<<<BLOCKS, THREADS>>>(each, seen);
  EXPECT(value(seen, LAST) == 5 + 2 * LAST && value(each, LAST) == 6 + 2 * LAST);

  CHECK(cudaMemset(each, 0, ALL * sizeof *each));
  add_then_read_before<<<BLOCKS, THREADS>>>(each, each - 1, seen);
  EXPECT(value(seen, 0) == 3 && value(seen, LAST) == 3 && value(each, LAST) == 3);
  add_then_read_beside<<<BLOCKS, THREADS>>>(each, words, each - words, seen);
  EXPECT(value(seen, 0) == 5 && value(seen, LAST) == 5 && value(each, LAST) == 5);

  CHECK(cudaMemset(longs, 0, ALL * sizeof *longs));
  add_halves_and_all<<<BLOCKS, THREADS>>>((unsigned *)longs, longs);
  EXPECT(value(longs, LAST) == 1ull << 32);

  CHECK(cudaFree(words));
  CHECK(cudaFree(each));
  CHECK(cudaFree(seen));
  CHECK(cudaFree(longs));
  return done();
}
