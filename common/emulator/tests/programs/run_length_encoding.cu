// Encodes the runs of a text: the first bytes of runs (heads) are counted per block, the counts are
// scanned, and each head writes its byte and position. The lengths are the differences of these
// positions. Decoding finds the run of a byte by binary search.
#include "inputs.h"

enum { THREADS = 128, WARPS = THREADS / 32, LONGEST = 255 };

// A run also ends at each multiple of LONGEST, so that its length fits in a byte.
__device__ bool is_head(const unsigned char *text, int n, int i) {
  return i < n && (i % LONGEST == 0 || text[i] != text[i - 1]);
}

__global__ void count_heads(const unsigned char *text, int n, int *counts) {
  int heads = __syncthreads_count(is_head(text, n, blockIdx.x * THREADS + threadIdx.x));
  if (threadIdx.x == 0)
    counts[blockIdx.x] = heads;
}

__global__ void scan_counts(int *counts, int blocks) { // runs in one thread
  int sum = 0;
  for (int b = 0; b < blocks; b++) {
    int count = counts[b];
    counts[b] = sum;
    sum += count;
  }
  counts[blocks] = sum;
}

__global__ void write_heads(const unsigned char *text, int n, const int *firsts, int *places,
                            unsigned char *letters) {
  __shared__ int of_warp[WARPS];
  int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  bool head = is_head(text, n, i);
  unsigned heads = __ballot_sync(0xffffffffu, head);
  if (lane == 0)
    of_warp[warp] = __popc(heads);
  __syncthreads();
  int run = firsts[blockIdx.x] + __popc(heads & ((1u << lane) - 1));
  for (int w = 0; w < warp; w++)
    run += of_warp[w];
  if (head) {
    places[run] = i;
    letters[run] = text[i];
  }
}

__global__ void measure(const int *places, int runs, int n, unsigned char *lengths) {
  int run = blockIdx.x * THREADS + threadIdx.x;
  if (run < runs)
    lengths[run] = (unsigned char)((run + 1 < runs ? places[run + 1] : n) - places[run]);
}

__global__ void decode(const int *places, const unsigned char *letters, int runs, int n,
                       unsigned char *text) {
  int i = blockIdx.x * THREADS + threadIdx.x, low = 0, high = runs;
  if (i >= n)
    return;
  while (high - low > 1) { // the last run that begins at or before i
    int middle = (low + high) / 2;
    if (places[middle] <= i)
      low = middle;
    else
      high = middle;
  }
  text[i] = letters[low];
}

static void run(int n, int longest) {
  std::vector<unsigned char> text, letters, lengths;
  while ((int)text.size() < n) {
    unsigned char letter = (unsigned char)('a' + random_below(4));
    text.insert(text.end(), 1 + random_below(longest), letter);
  }
  text.resize(n);
  for (int i = 0; i < n; i++)
    if (i % LONGEST == 0 || text[i] != text[i - 1]) {
      letters.push_back(text[i]);
      lengths.push_back(1);
    } else {
      lengths.back()++;
    }
  const int blocks = ceil_div(n, THREADS), runs = (int)letters.size();
  unsigned char *d_text = to_device(text), *d_letters = device_zeros<unsigned char>(n);
  unsigned char *d_lengths = device_zeros<unsigned char>(n);
  int *counts = device_array<int>(blocks + 1), *places = device_array<int>(n);
  count_heads<<<blocks, THREADS>>>(d_text, n, counts);
  scan_counts<<<1, 1>>>(counts, blocks);
  write_heads<<<blocks, THREADS>>>(d_text, n, counts, places, d_letters);
  LAUNCHED();
  EXPECT(to_host(counts, blocks + 1)[blocks] == runs);
  measure<<<ceil_div(runs, THREADS), THREADS>>>(places, runs, n, d_lengths);
  CHECK(cudaMemset(d_text, 0, n));
  decode<<<blocks, THREADS>>>(places, d_letters, runs, n, d_text);
  LAUNCHED();
  EXPECT(to_host(d_letters, runs) == letters && to_host(d_lengths, runs) == lengths);
  EXPECT(to_host(d_text, n) == text);
  for (void *array :
       {(void *)d_text, (void *)d_letters, (void *)d_lengths, (void *)counts, (void *)places})
    CHECK(cudaFree(array));
}

int main() {
  run(1, 1);
  run(300, 400); // runs of more than LONGEST bytes
  run(5000, 3);
  run(20001, 60);
  return done();
}
