// Transposes with a padded tile in dynamic shared memory. More than 48 KiB need an attribute of the
// kernel, so the first launch is refused.
// expect: ok
#include "check.h"
#include <vector>

__global__ void transpose(const double *in, double *out, int rows, int columns, int pitch) {
  extern __shared__ double tile[];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows)
    tile[threadIdx.y * pitch + threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * blockDim.y + threadIdx.x;
  y = blockIdx.x * blockDim.x + threadIdx.y;
  if (x < rows && y < columns)
    out[y * rows + x] = tile[threadIdx.x * pitch + threadIdx.y];
}

int main() {
  const int rows = 75, columns = 130, side = 32, bytes = rows * columns * (int)sizeof(double);
  const int shared = 100 * 1024;
  std::vector<double> in(rows * columns), out(rows * columns);
  for (int i = 0; i < rows * columns; i++)
    in[i] = i * 0.25;
  double *d_in, *d_out;
  CHECK(cudaMalloc(&d_in, bytes));
  CHECK(cudaMalloc(&d_out, bytes));
  CHECK(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));
  dim3 block(side, side), grid((columns + side - 1) / side, (rows + side - 1) / side);

  transpose<<<grid, block, shared>>>(d_in, d_out, rows, columns, side + 1);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(transpose, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  transpose<<<grid, block, shared>>>(d_in, d_out, rows, columns, side + 1);
  LAUNCHED();

  CHECK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      EXPECT(out[j * rows + i] == in[i * columns + j]);
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  return done();
}
