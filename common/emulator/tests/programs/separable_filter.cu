// Computes a Gaussian blur in two passes, along rows and along columns: 2 n multiplications per
// pixel instead of n * n. The image is mirrored at its borders. Pixels have three colours.
#include "inputs.h"
#include <cmath>

enum { RADIUS = 4, TAPS = 2 * RADIUS + 1, LINE = 64, STRIP = 16, DEPTH = 32 };

__constant__ float taps[TAPS];

__host__ __device__ int mirrored(int i, int n) {
  if (n == 1)
    return 0;
  i = (i % (2 * n - 2) + 2 * n - 2) % (2 * n - 2);
  return i < n ? i : 2 * n - 2 - i;
}

__device__ float3 add_scaled(float3 sum, float factor, float3 v) {
  return make_float3(fmaf(factor, v.x, sum.x), fmaf(factor, v.y, sum.y), fmaf(factor, v.z, sum.z));
}

__global__ void along_rows(const float3 *in, float3 *out, int columns) {
  __shared__ float3 line[LINE + 2 * RADIUS];
  const float3 *row = in + blockIdx.y * columns;
  int first = blockIdx.x * LINE - RADIUS, x = blockIdx.x * LINE + threadIdx.x;
  for (int k = threadIdx.x; k < LINE + 2 * RADIUS; k += LINE)
    line[k] = row[mirrored(first + k, columns)];
  __syncthreads();
  float3 sum = make_float3(0, 0, 0);
  for (int k = 0; k < TAPS; k++)
    sum = add_scaled(sum, taps[k], line[threadIdx.x + k]);
  if (x < columns)
    out[blockIdx.y * columns + x] = sum;
}

// A block filters STRIP columns and DEPTH rows. Each thread computes several rows.
__global__ void down_columns(const float3 *in, float3 *out, int rows, int columns) {
  __shared__ float3 strip[DEPTH + 2 * RADIUS][STRIP];
  int x = blockIdx.x * STRIP + threadIdx.x, first = blockIdx.y * DEPTH;
  if (x < columns)
    for (int k = threadIdx.y; k < DEPTH + 2 * RADIUS; k += blockDim.y)
      strip[k][threadIdx.x] = in[mirrored(first + k - RADIUS, rows) * columns + x];
  __syncthreads();
  for (int y = threadIdx.y; x < columns && y < DEPTH && first + y < rows; y += blockDim.y) {
    float3 sum = make_float3(0, 0, 0);
    for (int k = 0; k < TAPS; k++)
      sum = add_scaled(sum, taps[k], strip[y + k][threadIdx.x]);
    out[(first + y) * columns + x] = sum;
  }
}

static double blurred(const std::vector<float3> &in, const float *weights, int rows, int columns,
                      int y, int x, float float3::*colour) {
  double sum = 0;
  for (int j = 0; j < TAPS; j++)
    for (int i = 0; i < TAPS; i++)
      sum += (double)weights[j] * weights[i] *
             (in[mirrored(y + j - RADIUS, rows) * columns + mirrored(x + i - RADIUS, columns)].*
              colour);
  return sum;
}

static void run(int rows, int columns, const float *weights) {
  std::vector<float3> image(rows * columns);
  for (float3 &p : image)
    p = make_float3(random_float(), 10 * random_float(), 1 + random_float());
  float3 *in = to_device(image), *between = device_array<float3>(rows * columns);
  along_rows<<<dim3(ceil_div(columns, LINE), rows), LINE>>>(in, between, columns);
  CHECK(cudaMemset(in, 0xff, rows * columns * sizeof(float3)));
  down_columns<<<dim3(ceil_div(columns, STRIP), ceil_div(rows, DEPTH)), dim3(STRIP, 8)>>>(
      between, in, rows, columns);
  LAUNCHED();
  std::vector<float3> out = to_host(in, rows * columns);
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++)
      for (float float3::*colour : {&float3::x, &float3::y, &float3::z}) {
        double expected = blurred(image, weights, rows, columns, y, x, colour);
        EXPECT(fabs(out[y * columns + x].*colour - expected) <= 1e-5);
      }
  CHECK(cudaFree(in));
  CHECK(cudaFree(between));
}

int main() {
  float weights[TAPS], sum = 0;
  for (int k = 0; k < TAPS; k++)
    sum += weights[k] = expf(-(k - RADIUS) * (k - RADIUS) / 4.5f) * (1 + 0.1f * k); // not symmetric
  for (float &w : weights)
    w /= sum;
  CHECK(cudaMemcpyToSymbol(taps, weights, sizeof weights));
  run(1, 1, weights);
  run(3, 70, weights);
  run(64, 48, weights);
  run(50, 33, weights);
  return done();
}
