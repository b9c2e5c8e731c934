// Tests dynamic programming along anti-diagonals, whose cells are independent of each other: the
// edit distance of many pairs of words, one block per pair, and the longest common subsequence of
// two long texts, one launch per diagonal.
#include "inputs.h"
#include <algorithm>
#include <string>

enum { LONGEST = 100, THREADS = 128 };

// Stores the current diagonal and the two diagonals before it. Cell i of diagonal d belongs to the
// first i letters of a and the first d - i letters of b.
__global__ void edit_distance(const char *words, const int *starts, int *distances) {
  __shared__ int diagonals[3][LONGEST + 1];
  const char *a = words + starts[2 * blockIdx.x], *b = words + starts[2 * blockIdx.x + 1];
  int a_length = (int)(b - a), b_length = starts[2 * blockIdx.x + 2] - starts[2 * blockIdx.x + 1];
  int i = threadIdx.x;
  for (int d = 0; d <= a_length + b_length; d++) {
    int *now = diagonals[d % 3], *last = diagonals[(d + 2) % 3], *before = diagonals[(d + 1) % 3];
    int j = d - i;
    if (i <= a_length && j >= 0 && j <= b_length) {
      if (i == 0 || j == 0)
        now[i] = i + j;
      else
        now[i] = min(before[i - 1] + (a[i - 1] != b[j - 1]), 1 + min(last[i - 1], last[i]));
    }
    __syncthreads();
  }
  if (i == a_length)
    distances[blockIdx.x] = diagonals[(a_length + b_length) % 3][i];
}

// Computes diagonal d of the table: the cells in row i, column d - i. Row 0 and column 0 are zero.
__global__ void common_diagonal(const char *a, int a_length, const char *b, int b_length, int d,
                                short *table) {
  int i = max(1, d - b_length) + blockIdx.x * THREADS + threadIdx.x, j = d - i;
  if (i > a_length || j < 1)
    return;
  int width = b_length + 1, at = i * width + j;
  table[at] =
      a[i - 1] == b[j - 1] ? table[at - width - 1] + 1 : max(table[at - width], table[at - 1]);
}

static std::string random_word(int length) {
  std::string word;
  for (int i = 0; i < length; i++)
    word += (char)('a' + random_below(4));
  return word;
}

static int distance_on_host(const std::string &a, const std::string &b) {
  std::vector<int> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++)
    row[j] = (int)j;
  for (size_t i = 1; i <= a.size(); i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= b.size(); j++) {
      int up = row[j];
      row[j] = std::min(diagonal + (a[i - 1] != b[j - 1]), 1 + std::min(up, row[j - 1]));
      diagonal = up;
    }
  }
  return row[b.size()];
}

static void check_distances() {
  std::vector<std::string> words = {"kitten", "sitting", "", "abc", "same", "same"};
  for (int k = 0; k < 12; k++)
    words.push_back(random_word(k ? random_below(LONGEST + 1) : (int)LONGEST));
  const int pairs = (int)words.size() / 2;
  std::vector<char> letters;
  std::vector<int> starts(1, 0);
  for (const std::string &word : words) {
    letters.insert(letters.end(), word.begin(), word.end());
    starts.push_back((int)letters.size());
  }
  char *d_letters = to_device(letters);
  int *d_starts = to_device(starts), *d_distances = device_zeros<int>(pairs);
  edit_distance<<<pairs, THREADS>>>(d_letters, d_starts, d_distances);
  LAUNCHED();
  std::vector<int> distances = to_host(d_distances, pairs);
  EXPECT(distances[0] == 3 && distances[1] == 3 && distances[2] == 0);
  for (int p = 0; p < pairs; p++)
    EXPECT(distances[p] == distance_on_host(words[2 * p], words[2 * p + 1]));
  CHECK(cudaFree(d_letters));
  CHECK(cudaFree(d_starts));
  CHECK(cudaFree(d_distances));
}

static void check_subsequence(int a_length, int b_length) {
  std::string a = random_word(a_length), b = random_word(b_length);
  const int width = b_length + 1, cells = (a_length + 1) * width;
  std::vector<short> expected(cells);
  for (int i = 1; i <= a_length; i++)
    for (int j = 1; j <= b_length; j++)
      expected[i * width + j] = a[i - 1] == b[j - 1] ? expected[(i - 1) * width + j - 1] + 1
                                                     : std::max(expected[(i - 1) * width + j],
                                                                expected[i * width + j - 1]);
  char *d_a = to_device(std::vector<char>(a.begin(), a.end()));
  char *d_b = to_device(std::vector<char>(b.begin(), b.end()));
  short *table = device_zeros<short>(cells);
  for (int d = 2; d <= a_length + b_length; d++)
    common_diagonal<<<ceil_div(std::min(a_length, b_length), THREADS), THREADS>>>(
        d_a, a_length, d_b, b_length, d, table);
  LAUNCHED();
  EXPECT(to_host(table, cells) == expected);
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(table));
}

int main() {
  check_distances();
  check_subsequence(1, 1);
  check_subsequence(300, 170);
  check_subsequence(40, 260);
  return done();
}
