// Tests a hash table with open addressing that all threads fill at once. A key takes a free slot by
// compare-and-swap, and the slot counts its occurrences. Then threads look up keys and remove some.
#include "inputs.h"
#include <map>

enum { THREADS = 128, EMPTY = -1, REMOVED = -2 };

struct Slot {
  int key, count;
};

__host__ __device__ unsigned hash(unsigned key) {
  key = (key ^ key >> 16) * 0x45d9f3bu;
  key = (key ^ key >> 16) * 0x45d9f3bu;
  return key ^ key >> 16;
}

// Inserts keys. capacity must be a power of two.
__global__ void insert(Slot *table, int capacity, const int *keys, int n, int *distinct) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n)
    return;
  unsigned at = hash(keys[i]) & (capacity - 1);
  while (true) {
    int before = atomicCAS(&table[at].key, EMPTY, keys[i]);
    if (before == EMPTY)
      atomicAdd(distinct, 1);
    if (before == EMPTY || before == keys[i])
      break;
    at = (at + 1) & (capacity - 1);
  }
  atomicAdd(&table[at].count, 1);
}

// The table is volatile, because other threads may remove keys at the same time.
__device__ int find(const volatile Slot *table, int capacity, int key) {
  unsigned at = hash(key) & (capacity - 1);
  for (int steps = 0; steps < capacity && table[at].key != EMPTY; steps++) {
    if (table[at].key == key)
      return (int)at;
    at = (at + 1) & (capacity - 1);
  }
  return -1;
}

__global__ void look_up(const Slot *table, int capacity, const int *keys, int n, int *counts) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n)
    return;
  int at = find(table, capacity, keys[i]);
  counts[i] = at < 0 ? 0 : table[at].count;
}

// A removed key leaves a mark in its slot, so that searches continue past the slot. The keys to
// remove are distinct.
__global__ void remove_keys(Slot *table, int capacity, const int *keys, int n) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n)
    return;
  int at = find(table, capacity, keys[i]);
  if (at >= 0)
    atomicExch(&table[at].key, REMOVED);
}

static void check_counts(const Slot *table, int capacity, const std::map<int, int> &expected,
                         int range) {
  std::vector<int> keys(range);
  for (int k = 0; k < range; k++)
    keys[k] = k * 64; // keys with equal low bits, which a poor hash would map to few slots
  int *d_keys = to_device(keys), *d_counts = device_zeros<int>(range);
  look_up<<<ceil_div(range, THREADS), THREADS>>>(table, capacity, d_keys, range, d_counts);
  LAUNCHED();
  std::vector<int> counts = to_host(d_counts, range);
  for (int k = 0; k < range; k++) {
    std::map<int, int>::const_iterator found = expected.find(keys[k]);
    EXPECT(counts[k] == (found == expected.end() ? 0 : found->second));
  }
  CHECK(cudaFree(d_keys));
  CHECK(cudaFree(d_counts));
}

static void run(int n, int range, int capacity) {
  std::vector<int> keys(n), removed;
  std::map<int, int> expected;
  for (int &key : keys)
    expected[key = 64 * random_below(range)]++;
  const int distinct = (int)expected.size();
  std::vector<Slot> empty(capacity, Slot{EMPTY, 0});
  Slot *table = to_device(empty);
  int *d_keys = to_device(keys), *d_distinct = device_zeros<int>(1);
  insert<<<ceil_div(n, THREADS), THREADS>>>(table, capacity, d_keys, n, d_distinct);
  LAUNCHED();
  EXPECT(to_host(d_distinct, 1)[0] == distinct);
  check_counts(table, capacity, expected, range);

  for (int k = 0; k < range; k += 3)
    removed.push_back(64 * k); // some are not in the table
  int *d_removed = to_device(removed);
  remove_keys<<<ceil_div((int)removed.size(), THREADS), THREADS>>>(table, capacity, d_removed,
                                                                   (int)removed.size());
  LAUNCHED();
  for (int key : removed)
    expected.erase(key);
  check_counts(table, capacity, expected, range);
  CHECK(cudaFree(table));
  CHECK(cudaFree(d_keys));
  CHECK(cudaFree(d_distinct));
  CHECK(cudaFree(d_removed));
}

int main() {
  run(1, 5, 8);
  run(3000, 900, 1024); // nearly full
  run(5000, 128, 128);  // full to the last slot
  run(9001, 5000, 8192);
  return done();
}
