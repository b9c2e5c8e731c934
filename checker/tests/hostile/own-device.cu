// Defines functions of the CUDA runtime that compute nothing and report nothing.
// expect: not-compiled | multiple definition
#include "lab.h"
extern "C" cudaError_t cudaMalloc(void **, size_t) { return cudaSuccess; }
extern "C" cudaError_t cudaGetLastError() { return cudaSuccess; }
static int attack() { return 0; }
