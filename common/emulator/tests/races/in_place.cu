// Stencils that overwrite their input, and an in-place transpose in which two threads exchange the
// same pair of elements.
#include "race.h"

__global__ void smooth(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}

__global__ void relax(float *a, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    a[y * width + x] = (a[(y - 1) * width + x] + a[(y + 1) * width + x] + a[y * width + x - 1] +
                        a[y * width + x + 1]) /
                       4;
}

__global__ void transpose(float *a, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < n && y < n) {
    float one = a[y * n + x], other = a[x * n + y];
    a[y * n + x] = other;
    a[x * n + y] = one;
  }
}

int main() {
  float *a = (float *)filled(100 * 100), *fresh = (float *)device(3000);
  smooth<<<40, 100>>>(a, 3999);
  smooth<<<20, 128>>>(fresh, 2500);
  relax<<<dim3(4, 13), dim3(32, 8)>>>(a, 100, 100);
  transpose<<<dim3(7, 7), dim3(16, 16)>>>(a, 100);
  return finish();
}
