#include "lab.h"

#define BLOCK 256
#define MG ((real)10)
#define TAU ((real)0.001)
#define NEAREST ((real)0.01)

typedef struct alignas(2 * sizeof(real)) Vector {
  real x, y;
} Vector;

__device__ Vector pull(Vector to, Vector from) {
  Vector p = {0, 0};
  real dx = from.x - to.x, dy = from.y - to.y, d2 = dx * dx + dy * dy;
  if (d2 >= NEAREST * NEAREST) {
    real weight = 1 / (d2 * sqrt(d2));
    p.x = dx * weight;
    p.y = dy * weight;
  }
  return p;
}

extern "C" __global__ void accelerate(const Vector *R, Vector *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Vector r = R[i], sum = {0, 0};
    for (int k = 0; k < n; k++) {
      Vector p = pull(r, R[k]);
      sum.x += p.x;
      sum.y += p.y;
    }
    A[i] = {MG * sum.x, MG * sum.y};
  }
}
EXPORT_KERNEL(accelerate)

extern "C" __global__ void move(Vector *R, Vector *V, const Vector *A, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Vector r = R[step * n + i], v = V[i], a = A[i];
    R[(step + 1) * n + i] = {r.x + v.x * TAU + a.x * TAU * TAU / 2,
                             r.y + v.y * TAU + a.y * TAU * TAU / 2};
    V[i] = {v.x + a.x * TAU, v.y + a.y * TAU};
  }
}
EXPORT_KERNEL(move)

extern "C" __global__ void accelerate_shared(const Vector *R, Vector *A, int n) {
  __shared__ Vector tile[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Vector r = R[i < n ? i : 0], sum = {0, 0};
  for (int first = 0; first < n; first += BLOCK) {
    int count = min(BLOCK, n - first), mine = threadIdx.x;
    if (mine < count)
      tile[mine] = R[first + mine];
    __syncthreads();
    for (int k = 0; k < count; k++) {
      Vector p = pull(r, tile[k]);
      sum.x += p.x;
      sum.y += p.y;
    }
    __syncthreads();
  }
  if (i < n)
    A[i] = {MG * sum.x, MG * sum.y};
}
EXPORT_KERNEL(accelerate_shared)

#define BODIES 4
#define BODIES_PER_BLOCK (BLOCK * BODIES)

extern "C" __global__ void accelerate_fast(const Vector *R, Vector *A, int n) {
  __shared__ Vector tile[BLOCK];
  int mine = threadIdx.x, start = blockIdx.x * BODIES_PER_BLOCK + mine;
  Vector r[BODIES], sum[BODIES];
  for (int b = 0; b < BODIES; b++) {
    r[b] = R[min(start + b * BLOCK, n - 1)];
    sum[b] = {0, 0};
  }
  for (int first = 0; first < n; first += BLOCK) {
    int count = min(BLOCK, n - first);
    if (mine < count)
      tile[mine] = R[first + mine];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < count; k++) {
      Vector from = tile[k];
      for (int b = 0; b < BODIES; b++) {
        real dx = from.x - r[b].x, dy = from.y - r[b].y, d2 = dx * dx + dy * dy, w = rsqrt(d2);
        real weight = d2 >= NEAREST * NEAREST ? w * w * w : 0;
        sum[b].x += dx * weight;
        sum[b].y += dy * weight;
      }
    }
    __syncthreads();
  }
  for (int b = 0; b < BODIES; b++)
    if (start + b * BLOCK < n)
      A[start + b * BLOCK] = {MG * sum[b].x, MG * sum[b].y};
}

extern "C" cudaError_t launch_fast(const Vector *R, Vector *A, int n) {
  accelerate_fast<<<CEIL_DIV(n, BODIES_PER_BLOCK), BLOCK>>>(R, A, n);
  return cudaGetLastError();
}

#define PREDICT_GLOBAL_LOADS 11
