// Counts lines, words and digits of a text, with a table of character classes in constant memory,
// and the occurrences of each letter, with atomics. Also capitalises each word.
#include "inputs.h"
#include <cctype>
#include <string>

enum { THREADS = 128, SPACE = 1, LETTER = 2, DIGIT = 4 };

__constant__ unsigned char classes[256];

struct Counts {
  int lines, words, digits, longest;
  int letters[26];
};

__device__ bool is(unsigned char c, int what) { return classes[c] & what; }

// A word is a sequence of bytes without white space. It is counted at its first byte.
__global__ void count(const char *text, int n, Counts *counts) {
  __shared__ Counts local;
  for (int k = threadIdx.x; k < (int)(sizeof local / sizeof(int)); k += THREADS)
    ((int *)&local)[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
    unsigned char c = text[i];
    if (c == '\n')
      atomicAdd(&local.lines, 1);
    if (is(c, DIGIT))
      atomicAdd(&local.digits, 1);
    if (is(c, LETTER))
      atomicAdd(&local.letters[(c | 32) - 'a'], 1);
    if (is(c, SPACE) || (i > 0 && !is(text[i - 1], SPACE)))
      continue;
    int end = i;
    while (end < n && !is(text[end], SPACE))
      end++;
    atomicAdd(&local.words, 1);
    atomicMax(&local.longest, end - i);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 26; k += THREADS)
    atomicAdd(&counts->letters[k], local.letters[k]);
  if (threadIdx.x == 0) {
    atomicAdd(&counts->lines, local.lines);
    atomicAdd(&counts->words, local.words);
    atomicAdd(&counts->digits, local.digits);
    atomicMax(&counts->longest, local.longest);
  }
}

__global__ void capitalise(const char *text, char *out, int n) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n)
    return;
  char c = text[i];
  bool first = i == 0 || is((unsigned char)text[i - 1], SPACE);
  if (is((unsigned char)c, LETTER))
    c = first ? c & ~32 : c | 32;
  out[i] = c;
}

static std::string random_text(int n) {
  const char *letters = "etaoinsrhldcumfpgwybvkxjqzETAOIN0123456789.,;\xe4";
  std::string text;
  while ((int)text.size() < n) {
    for (int k = random_below(12); k >= 0; k--)
      text += letters[random_below(random_below(2) ? 12 : 46)];
    text += " \n\t  "[random_below(5)];
  }
  return text.substr(0, n);
}

static void run(const std::string &text) {
  const int n = (int)text.size();
  Counts expected = {}, found;
  std::string capitals = text;
  int length = 0;
  for (int i = 0; i < n; i++) {
    unsigned char c = (unsigned char)text[i];
    expected.lines += c == '\n';
    expected.digits += c >= '0' && c <= '9';
    if (c < 128 && isalpha(c)) {
      expected.letters[tolower(c) - 'a']++;
      capitals[i] = (char)(length == 0 ? toupper(c) : tolower(c));
    }
    length = c < 128 && isspace(c) ? 0 : length + 1;
    expected.words += length == 1;
    expected.longest = length > expected.longest ? length : expected.longest;
  }
  std::vector<char> bytes(text.begin(), text.end());
  char *d_text = to_device(bytes), *d_out = device_zeros<char>(n);
  Counts *d_counts = device_zeros<Counts>(1);
  count<<<3, THREADS>>>(d_text, n, d_counts);
  capitalise<<<ceil_div(n, THREADS), THREADS>>>(d_text, d_out, n);
  LAUNCHED();
  found = to_host(d_counts, 1)[0];
  EXPECT(found.lines == expected.lines && found.words == expected.words);
  EXPECT(found.digits == expected.digits && found.longest == expected.longest);
  for (int k = 0; k < 26; k++)
    EXPECT(found.letters[k] == expected.letters[k]);
  bytes = to_host(d_out, n);
  EXPECT(std::string(bytes.begin(), bytes.end()) == capitals);
  CHECK(cudaFree(d_text));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_counts));
}

int main() {
  unsigned char table[256] = {};
  for (int c = 0; c < 128; c++)
    table[c] = (unsigned char)((isspace(c) ? SPACE : 0) | (isalpha(c) ? LETTER : 0) |
                               (isdigit(c) ? DIGIT : 0));
  CHECK(cudaMemcpyToSymbol(classes, table, sizeof table));
  run("a");
  run("\n\n  one\ttwo 3hree\n");
  run(random_text(129));
  run(random_text(10007));
  return done();
}
