// What the programs of this folder share. Each has races, and must be told of them in the same words whatever else
// the machine does, and however many workers run its blocks: `make same-reports`. That is so as long as no race
// decides what is accessed: of `if (*most < value) *most = value`, no two runs need see the same threads write.
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
