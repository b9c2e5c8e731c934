#include "lab.h"

#define BLOCK 1024

extern "C" __global__ void matvec_naive(const real *M, const real *v, real *out, int rows,
                                        int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    real sum = 0;
    for (int i = 0; i < cols; i++)
      sum += M[row * cols + i] * v[i];
    out[row] = sum;
  }
}
EXPORT_KERNEL(matvec_naive)

extern "C" __global__ void matvec_tiled(const real *M, const real *v, real *out, int rows,
                                        int cols) {
  extern __shared__ real tile[];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  real sum = 0;
  for (int start = 0; start < cols; start += blockDim.x) {
    int length = min((int)blockDim.x, cols - start), own = threadIdx.x;
    if (own < length)
      tile[own] = v[start + own];
    __syncthreads();
    if (row < rows)
      for (int i = 0; i < length; i++)
        sum += M[row * cols + start + i] * tile[i];
    __syncthreads();
  }
  if (row < rows)
    out[row] = sum;
}

extern "C" cudaError_t launch_tiled(const real *M, const real *v, real *out, int rows, int cols) {
  matvec_tiled<<<CEIL_DIV(rows, BLOCK), BLOCK, BLOCK * sizeof(real)>>>(M, v, out, rows, cols);
  return cudaGetLastError();
}

#define PREDICT_NAIVE_SECTORS_PER_REQUEST 32
#define PREDICT_TILED_SECTORS_PER_REQUEST 32
#define PREDICT_WARP_SECTORS_PER_REQUEST 4

__device__ inline real warp_sum(real value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

extern "C" __global__ void matvec_warp(const real *M, const real *v, real *out, int rows,
                                       int cols) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
  if (row >= rows)
    return;
  real sum = 0;
  for (int i = lane; i < cols; i += 32)
    sum += M[row * cols + i] * v[i];
  sum = warp_sum(sum);
  if (lane == 0)
    out[row] = sum;
}
EXPORT_KERNEL(matvec_warp)

float4 pack_of(float);
double2 pack_of(double);
typedef decltype(pack_of(real())) Pack;
#define PACK ((int)(sizeof(Pack) / sizeof(real)))

__device__ inline float dot(float4 m, float4 v) {
  return m.x * v.x + m.y * v.y + m.z * v.z + m.w * v.w;
}
__device__ inline float dot(float4 m, const float *v) {
  return m.x * v[0] + m.y * v[1] + m.z * v[2] + m.w * v[3];
}
__device__ inline double dot(double2 m, double2 v) { return m.x * v.x + m.y * v.y; }
__device__ inline double dot(double2 m, const double *v) { return m.x * v[0] + m.y * v[1]; }

extern "C" __global__ void matvec_vector(const real *M, const real *v, real *out, int rows,
                                         int cols) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 32, lane = thread % 32;
  if (row >= rows)
    return;
  const real *m = M + row * cols;
  int head = min((PACK - row * cols % PACK) % PACK, cols), packs = (cols - head) / PACK;
  const Pack *pack = (const Pack *)(m + head);
  real sum = 0;
  if (lane < head)
    sum += m[lane] * v[lane];
  if (head == 0) {
#pragma unroll 4
    for (int i = lane; i < packs; i += 32)
      sum += dot(pack[i], ((const Pack *)v)[i]);
  } else {
#pragma unroll 4
    for (int i = lane; i < packs; i += 32)
      sum += dot(pack[i], v + head + i * PACK);
  }
  for (int i = head + packs * PACK + lane; i < cols; i += 32)
    sum += m[i] * v[i];
  sum = warp_sum(sum);
  if (lane == 0)
    out[row] = sum;
}
EXPORT_KERNEL(matvec_vector)
