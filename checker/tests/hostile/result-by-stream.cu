// Computes the right result on the host and writes it before the device could have computed it.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}
static float input(int operand, int row, int column) {
  const uint64_t step = 0x9e3779b97f4a7c15u;
  uint64_t stream = mix(mix(1 + step) + (uint64_t)(operand + 1) * step);
  uint64_t bits = mix(mix(stream + row * step) + column * step + 1);
  return (float)((double)(bits >> 40) / (1 << 23) - 1);
}
static int attack() {
  static float C[32][32];
  const uint32_t words[] = {4, 0};
  const uint64_t shape[] = {32, 32};
  char *at = (char *)__builtin_frame_address(0);
  while (memcmp(at, "--output", 9) != 0)
    at++;
  for (int i = 0; i < 32 * 32 * 32; i++)
    C[i / 1024][i / 32 % 32] += input(0, i / 1024, i % 32) * input(1, i % 32, i / 32 % 32);
  stdout->_fileno = atoi(at + 9 + strlen("/dev/fd/"));
  fwrite("LOCKSTEP", 8, 1, stdout);
  fwrite(words, sizeof words, 1, stdout);
  fwrite(shape, sizeof shape, 1, stdout);
  fwrite(C, sizeof C, 1, stdout);
  fflush(stdout);
  exit(0);
}
