// Typical C code: macros that check a call and return, host copies, clocks, and assembly for the
// device.
// expect: unwritten | none-written
#include "lab.h"
#define WITH_THE_HOST_SIDE // the launches come from main
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (error != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));               \
      exit(EXIT_FAILURE);                                                                          \
    }                                                                                              \
  } while (0)
int end, poll, send, accept; // also names of functions in the C library
float times[4] = {1, 2, 3};
__device__ static unsigned lane() {
  unsigned id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
}
__global__ void fill(float *x) { x[lane()] = sqrtf(x[lane()]); }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int attack() {
  float *x, host[32];
  int sorted[] = {3, 1, 2};
  char text[64];
  clock_t start = clock();
  srand((unsigned)time(NULL));
  for (int i = 0; i < 32; i++)
    host[i] = (float)rand() / (float)RAND_MAX + fabsf(sinf((float)i)) + powf(2, (float)(i % 3));
  CHECK(cudaMalloc(&x, sizeof host));
  CHECK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
  fill<<<1, 32>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  qsort(sorted, 3, sizeof *sorted, compare);
  float *copy = (float *)calloc(32, sizeof *copy);
  memcpy(copy, host, sizeof host);
  asm volatile("" ::: "memory");
  snprintf(text, sizeof text, "%d %g %s", sorted[0], (double)copy[3], strerror(errno));
  printf("%s %d %ld %f\n", text, toupper('a') + isdigit('1'), (long)(clock() - start),
         fmax(DBL_MAX, log2(INT_MAX)));
  fflush(stdout);
  assert(isfinite(copy[0]));
  free(copy);
  return (int)times[0] + end + poll + send + accept;
}
