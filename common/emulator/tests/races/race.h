// Functions of the programs in this folder. Each program has races, and its reports must be the
// same for any load of the machine and any number of workers: `make same-reports`. Therefore no
// race may decide which elements are accessed. For example, `if (*most < value) *most = value` is
// not allowed: other runs can have other writers.
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
