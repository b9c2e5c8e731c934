// Tests adjacent accesses to shared memory. A GPU's assembler merges some of them into 8 or 16
// bytes, depending on alignment, on the code between them, and on branches and loops. counted_test
// compares the counters with those of a GPU.
#include "check.h"
#include <initializer_list>

#define THREADS 256
#define TILE 16

// The assembler merges reads along rows of As, 4 elements at a time, but not along columns of Bs.
template <typename T> static __device__ void product(const T *A, const T *B, T *C, int n) {
  __shared__ T As[TILE][TILE], Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty,
      column = blockIdx.x * TILE + tx;
  T sum = 0;
  for (int start = 0; start < n; start += TILE) {
    As[ty][tx] = A[row * n + start + tx];
    Bs[ty][tx] = B[(start + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  C[row * n + column] = sum;
}
extern "C" __global__ void product_float(const float *A, const float *B, float *C, int n) {
  product(A, B, C, n);
}
extern "C" __global__ void product_double(const double *A, const double *B, double *C, int n) {
  product(A, B, C, n);
}

// With one column of padding, rows are only aligned to 4 bytes.
extern "C" __global__ void product_padded(const float *A, const float *B, float *C, int n) {
  __shared__ float As[TILE][TILE + 1], Bs[TILE][TILE + 1];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty,
      column = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int start = 0; start < n; start += TILE) {
    As[ty][tx] = A[row * n + start + tx];
    Bs[ty][tx] = B[(start + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < TILE; i++)
      sum += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  C[row * n + column] = sum;
}

// The members of a struct are stored and loaded one by one.
struct Body {
  float x, y, z, m;
};
extern "C" __global__ void members(const float *in, float *out, int n) {
  __shared__ Body bodies[THREADS];
  int t = threadIdx.x;
  float pull = 0, x = in[t];
  bodies[t].x = x;
  bodies[t].y = x + 1;
  bodies[t].z = x + 2;
  bodies[t].m = x + 3;
  __syncthreads();
  for (int i = 0; i < n; i++) {
    float dx = bodies[i].x - x, dy = bodies[i].y - x;
    pull += bodies[i].m * (dx * dx + dy * dy);
    if (pull > 1000)
      pull -= bodies[i].z;
  }
  out[t] = pull;
}

// Reads three of four elements; two pairs; and halves with a barrier, a store, or a division (which
// is a call) between them.
extern "C" __global__ void pieces(const float *in, float *out) {
  __shared__ float s[4 * THREADS + 8], own[THREADS];
  int t = threadIdx.x;
  for (int i = t; i < 4 * THREADS + 8; i += THREADS)
    s[i] = in[i % THREADS];
  __syncthreads();
  float sum = s[4 * t] + s[4 * t + 1] * s[4 * t + 3];
  __syncthreads();
  sum += s[2 * t] * s[2 * t + 1] + s[2 * t + 2] * s[2 * t + 3];
  __syncthreads();
  sum += s[t] * s[t + 1];
  float first = s[4 * t] - s[4 * t + 1];
  own[t] = sum;
  sum += first * s[4 * t + 2] * s[4 * t + 3];
  __syncthreads();
  first = s[4 * t] + s[4 * t + 1];
  sum += 1 / (first + 3) + s[4 * t + 2] * s[4 * t + 3];
  out[t] = sum + own[t];
}

// Only some lanes execute a load.
extern "C" __global__ void some_lanes(const float *in, float *out) {
  __shared__ float s[4 * THREADS];
  int t = threadIdx.x;
  for (int i = t; i < 4 * THREADS; i += THREADS)
    s[i] = in[i % THREADS];
  __syncthreads();
  float a = s[4 * t], b = s[4 * t + 1];
  if (a > b)
    a += s[4 * t + 2] * s[4 * t + 3];
  else
    b -= s[4 * t + 2];
  out[t] = a * b;
}

// Reads a sliding window, whose alignment is not known.
extern "C" __global__ void window(const float *in, float *out) {
  __shared__ float s[THREADS + 8];
  int t = threadIdx.x;
  s[t] = in[t];
  if (t < 8)
    s[THREADS + t] = in[t];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 8; i++)
    sum += s[t + i];
  out[t] = sum;
}

// Reads addresses that are the same for all lanes, and 16-bit numbers.
extern "C" __global__ void same_for_all(const float *in, float *out, short *small) {
  __shared__ float s[64];
  __shared__ short h[4 * THREADS];
  int t = threadIdx.x;
  if (t < 64)
    s[t] = in[t];
  for (int i = t; i < 4 * THREADS; i += THREADS)
    h[i] = (short)i;
  __syncthreads();
  float product = in[t];
  for (int i = 0; i < 64; i++)
    product = product * s[i] + 1;
  out[t] = product;
  for (int i = 0; i < 4; i++)
    small[i * THREADS + t] = h[4 * t + i];
}

int main() {
  const int n = 64;
  float *a, *b, *c;
  double *d, *e, *f;
  short *h;
  float host[n * n], back[n * n];
  for (int i = 0; i < n * n; i++)
    host[i] = (float)(i * 7 % 13);
  CHECK(cudaMalloc(&a, sizeof host));
  CHECK(cudaMalloc(&b, sizeof host));
  CHECK(cudaMalloc(&c, sizeof host));
  CHECK(cudaMalloc(&d, 2 * sizeof host));
  CHECK(cudaMalloc(&e, 2 * sizeof host));
  CHECK(cudaMalloc(&f, 2 * sizeof host));
  CHECK(cudaMalloc(&h, sizeof host));
  CHECK(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d, 0, 2 * sizeof host));
  CHECK(cudaMemset(e, 0, 2 * sizeof host));
  dim3 grid(n / TILE, n / TILE), block(TILE, TILE);
  product_float<<<grid, block>>>(a, b, c, n);
  LAUNCHED();
  CHECK(cudaMemcpy(back, c, sizeof back, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n * n; i++) {
    float sum = 0;
    for (int k = 0; k < n; k++)
      sum += host[i / n * n + k] * host[k * n + i % n];
    EXPECT(back[i] == sum);
  }
  product_padded<<<grid, block>>>(a, b, c, n);
  LAUNCHED();
  product_double<<<grid, block>>>(d, e, f, n);
  LAUNCHED();
  members<<<1, THREADS>>>(a, c, THREADS);
  LAUNCHED();
  pieces<<<1, THREADS>>>(a, c);
  LAUNCHED();
  some_lanes<<<1, THREADS>>>(a, c);
  LAUNCHED();
  window<<<1, THREADS>>>(a, c);
  LAUNCHED();
  same_for_all<<<1, THREADS>>>(a, c, h);
  LAUNCHED();
  CHECK(cudaDeviceSynchronize());
  for (void *at : {(void *)a, (void *)b, (void *)c, (void *)d, (void *)e, (void *)f, (void *)h})
    CHECK(cudaFree(at));
  return 0;
}
