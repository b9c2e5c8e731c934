/* Measures the peak rates of a GPU in the same run as the results: reading memory, multiply-adds,
 * and multiply-adds in double on tensor cores, if the GPU has them. device_gpu.c measures the copy,
 * which needs no kernel.
 *
 * Each kernel compares its sum with a number that the sum never equals. Otherwise the compiler
 * would remove the computation. */
#include <cuda_runtime.h>

#define THREADS 256
#define CHAINS 8 // independent sums per thread, which hide the latency of multiply-adds
#define STEPS 4096

/* ---- memory ---------------------------------------------------------------------------------- */

/* A block reads READS * THREADS consecutive elements and exits, and the SM then starts the loads of
 * its next block. This was the fastest of all arrangements that were measured. */
#define READS 4
__global__ void read_all(const float4 *data, size_t count, float *sink) {
  size_t first = (size_t)blockIdx.x * READS * THREADS + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < READS; i++) {
    size_t at = first + i * THREADS;
    float4 x = at < count ? data[at] : make_float4(0, 0, 0, 0);
    sum += x.x + x.y + x.z + x.w;
  }
  if (sum == -1)
    *sink = sum;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

template <typename T> __global__ void multiply_add(T factor, T *sink) {
  T x[CHAINS], sum = 0;
#pragma unroll
  for (int c = 0; c < CHAINS; c++)
    x[c] = threadIdx.x + c;
#pragma unroll 16
  for (int step = 0; step < STEPS; step++)
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
      x[c] = x[c] * factor + factor;
#pragma unroll
  for (int c = 0; c < CHAINS; c++)
    sum += x[c];
  if (sum == -1)
    *sink = sum;
}

/* Adds a product of two matrices to c with one mma instruction in double, of the largest shape:
 * 16×16 by 16×8, or 8×4 by 4×8 on compute capability 8.x. */
inline __device__ void multiply(double (&c)[4], const double (&a)[8], const double (&b)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, "
      "{%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
        "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
      : "+d"(c[0]), "+d"(c[1])
      : "d"(a[0]), "d"(b[0]));
#endif
}

static double flop_of_product(int major) {
  return major >= 9 ? 2.0 * 16 * 8 * 16 : major == 8 ? 2.0 * 8 * 8 * 4 : 0;
}

__global__ void multiply_tensor(double factor, double *sink) {
  double sum[CHAINS][4] = {}, a[8], b[4], all = 0;
#pragma unroll
  for (int i = 0; i < 8; i++)
    a[i] = factor * threadIdx.x + i;
#pragma unroll
  for (int i = 0; i < 4; i++)
    b[i] = factor + i;
#pragma unroll 4
  for (int step = 0; step < STEPS / 16; step++)
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
      multiply(sum[c], a, b);
#pragma unroll
  for (int c = 0; c < CHAINS; c++)
    all += sum[c][0] + sum[c][1] + sum[c][2] + sum[c][3];
  if (all == -1)
    *sink = all;
}

/* ---- called by device_gpu.c ------------------------------------------------------------------ */

static int blocks(int per_multiprocessor) {
  int count = 0;
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
  return count * per_multiprocessor;
}

extern "C" cudaError_t ceiling_read(const void *data, size_t bytes, void *sink) {
  const size_t count = bytes / sizeof(float4), of_block = READS * THREADS;
  read_all<<<(unsigned)((count + of_block - 1) / of_block), THREADS>>>((const float4 *)data, count,
                                                                       (float *)sink);
  return cudaGetLastError();
}

/* Starts a kernel and stores in *flop the number of floating-point operations that it executes. */
extern "C" cudaError_t ceiling_multiply_add(size_t element_bytes, void *sink, double *flop) {
  int count = blocks(8);
  *flop = 2.0 * CHAINS * STEPS * THREADS * count;
  if (element_bytes == sizeof(float))
    multiply_add<float><<<count, THREADS>>>(0.5f, (float *)sink);
  else
    multiply_add<double><<<count, THREADS>>>(0.5, (double *)sink);
  return cudaGetLastError();
}

/* Does the same on tensor cores. Stores 0 in *flop if the tensor cores do not support double. */
extern "C" cudaError_t ceiling_tensor(void *sink, double *flop) {
  int major = 0, count = blocks(8);
  cudaError_t error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  *flop = flop_of_product(major) * CHAINS * (STEPS / 16) * (THREADS / 32) * count;
  if (error != cudaSuccess || *flop == 0)
    return error;
  multiply_tensor<<<count, THREADS>>>(0.5, (double *)sink);
  return cudaGetLastError();
}
