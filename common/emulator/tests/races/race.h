// Shared by the programs of this folder. Each has races, and the reports must be the same for any
// load of the machine and any number of workers: `make same-reports`. This requires that no race
// decides which elements are accessed: with `if (*most < value) *most = value`, different threads
// can write in different runs.
#ifndef RACE_H
#define RACE_H

#include <cstdio>
#include <cstdlib>

static inline int *device(int n) {
  int *array;
  if (cudaMalloc(&array, n * sizeof *array) != cudaSuccess)
    exit(1);
  return array;
}

static inline int *filled(int n) {
  int *array = device(n), *host = (int *)malloc(n * sizeof *host);
  for (int i = 0; i < n; i++)
    host[i] = i * 37 % 101;
  cudaMemcpy(array, host, n * sizeof *host, cudaMemcpyHostToDevice);
  free(host);
  return array;
}

static inline int finish() {
  puts(cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

#endif
