/* Tests features that programs of books and samples use although the manual does not document them:
 * include guards, headers that are included implicitly, names from before CUDA 9, and CUDA's math
 * functions in host code. */
// env: LOCKSTEP_WORKERS=2

#include <stdio.h>

#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_API_H__)
#error the macros by which a helper header knows the runtime API
#endif

template <class T> __host__ __device__ T strange(T x) {
  return isnan(x) ? 1 : isinf(x) ? 2 : isfinite(x) && signbit(x) ? 3 : 4;
}

__global__ void kinds(const float *x, int *out) {
  out[threadIdx.x] = 10 * (int)strange((double)x[threadIdx.x]) + (int)strange(x[threadIdx.x]);
}

/* Returns a known result, which must be the same on the host and on the device. */
__host__ __device__ double mathematics() {
  return rsqrt(0.25) + sinpi(0.5f) + cospi(1.0) + normcdf(0.0) + normcdfinv(0.5f) + rcbrt(8.0) +
         erfinv(0.0) + erfcinv(1.0f) + erfcx(0.0) + umin(7u, 5u) + umax(2u, 3u) +
         (double)llmin(4ll, -1ll) + (double)ullmax(1ull, 9ull);
}
__global__ void on_the_device(double *out, long long *ticks) {
  clock_t start = clock();
  *out = mathematics() + (isnan(nan("")) && isnan(nanf("7")) ? 0 : 100);
  *ticks = clock64() >= 0 && clock() >= start;
}

#ifdef __clang__ /* nvcc has removed these functions */
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
__global__ void without_masks(int *out) {
  int lane = threadIdx.x, sum = lane;
  for (int distance = 16; distance; distance /= 2)
    sum += __shfl_down(sum, distance);
  float neighbour = 0;
  if (lane < 8) /* only these threads take part */
    neighbour =
        __shfl_xor((float)lane, 1) + __popc(__ballot(1)) + __any(lane == 3) + __all(lane < 8);
  out[lane] = __shfl(sum, 0) + __shfl_up(lane, 1, 16) + (int)neighbour;
}
static bool old_names() {
  int *out, back[32];
  cudaMalloc(&out, sizeof back);
  without_masks<<<1, 32>>>(out);
  bool good = cudaThreadSynchronize() == cudaSuccess;
  cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i++)
    good = good && back[i] == 496 + (i % 16 ? i - 1 : i) + (i < 8 ? (i ^ 1) + 10 : 0);
  return cudaFree(out) == cudaSuccess && good;
}
#else
static bool old_names() { return true; }
#endif

int main() {
  const float x[4] = {NAN, -INFINITY, -2, 0};
  float *in;
  double *value, back;
  int *out, kind[4];
  long long *ticks, forward;
  const time_t now = time(NULL);
  cudaMalloc(&in, sizeof x);
  cudaMalloc(&out, sizeof kind);
  cudaMalloc(&value, sizeof back);
  cudaMalloc(&ticks, sizeof forward);
  cudaMemcpy(in, x, sizeof x, cudaMemcpyHostToDevice);
  kinds<<<1, 4>>>(in, out);
  on_the_device<<<1, 1>>>(value, ticks);
  cudaMemcpy(kind, out, sizeof kind, cudaMemcpyDeviceToHost);
  cudaMemcpy(&back, value, sizeof back, cudaMemcpyDeviceToHost);
  cudaMemcpy(&forward, ticks, sizeof forward, cudaMemcpyDeviceToHost);
  bool good = now != (time_t)-1 && forward == 1;
  for (int i = 0; i < 4; i++)
    good = good && kind[i] == 11 * (i + 1) && kind[i] == 11 * strange(x[i]);
  good = good && fabs(back - 20) < 1e-6 && fabs(mathematics() - 20) < 1e-6;
  good = good && isnan(x[0]) && !isfinite(x[1]) && std::isinf(x[1]) && rsqrtf(4.0f) == 0.5f;
  good = good && old_names();
  cudaFree(in);
  cudaFree(out);
  cudaFree(value);
  cudaFree(ticks);
  printf("%s: %d %d %d %d, %g and %g\n", good ? "good" : "wrong", kind[0], kind[1], kind[2],
         kind[3], back, mathematics());
  return good ? 0 : 1;
}
