// Sorts by merging. A thread finds by binary search where its part of the result begins in both
// runs (the merge path), and merges only this part. Equal keys keep their order.
#include "inputs.h"
#include <algorithm>

enum { THREADS = 64, ITEMS = 7 }; // ITEMS: results per thread

struct Item {
  unsigned short key, place;
};

__global__ void sort_stretches(Item *items, int n) {
  int first = (blockIdx.x * THREADS + threadIdx.x) * ITEMS, count = min(ITEMS, n - first);
  for (int i = 1; i < count; i++) {
    Item item = items[first + i];
    int k = i;
    for (; k > 0 && items[first + k - 1].key > item.key; k--)
      items[first + k] = items[first + k - 1];
    items[first + k] = item;
  }
}

// Returns the number of elements of a among the first `diagonal` results. If keys are equal, the
// elements of a are first.
__device__ int merge_path(const Item *a, int a_count, const Item *b, int b_count, int diagonal) {
  int low = max(0, diagonal - b_count), high = min(diagonal, a_count);
  while (low < high) {
    int middle = (low + high) / 2;
    if (a[middle].key <= b[diagonal - 1 - middle].key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__global__ void merge_runs(const Item *in, Item *out, int n, int width) {
  int first = (blockIdx.x * THREADS + threadIdx.x) * ITEMS;
  if (first >= n)
    return;
  int start = first / (2 * width) * 2 * width; // start of the pair of runs
  int a_count = min(width, n - start), b_count = max(0, min(width, n - start - width));
  const Item *a = in + start, *b = a + a_count;
  int i = merge_path(a, a_count, b, b_count, first - start), k = first - start - i;
  for (int at = first; at < min(n, first + ITEMS); at++) {
    bool from_a = k == b_count || (i < a_count && a[i].key <= b[k].key);
    out[at] = from_a ? a[i++] : b[k++];
  }
}

static void run(int n, int keys) {
  std::vector<Item> items(n);
  for (int i = 0; i < n; i++)
    items[i] = Item{(unsigned short)random_below(keys), (unsigned short)i};
  Item *from = to_device(items), *to = device_array<Item>(n);
  const int blocks = ceil_div(n, THREADS * ITEMS);
  sort_stretches<<<blocks, THREADS>>>(from, n);
  for (int width = ITEMS; width < n; width *= 2) { // a thread's part is within one pair of runs
    merge_runs<<<blocks, THREADS>>>(from, to, n, width);
    std::swap(from, to);
  }
  LAUNCHED();
  std::vector<Item> sorted = to_host(from, n);
  std::stable_sort(items.begin(), items.end(), [](Item a, Item b) { return a.key < b.key; });
  for (int i = 0; i < n; i++)
    EXPECT(sorted[i].key == items[i].key && sorted[i].place == items[i].place);
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
}

int main() {
  run(1, 10);
  run(8, 3);
  run(448, 65536);
  run(1000, 20);
  run(20003, 65536);
  return done();
}
