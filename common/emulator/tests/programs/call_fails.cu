// LOCKSTEP_FAIL=4 makes the fourth call fail. Only calls that can fail on a real device count.
// In this program, the fourth call is the launch. The other calls succeed.
// env: LOCKSTEP_FAIL=4
// expect: cudaSuccess cudaSuccess cudaSuccess cudaErrorLaunchOutOfResources cudaSuccess 7 cudaSuccess
#include <cstdio>

__global__ void add_one(int *x) { *x += 1; }

int main() {
  int *x = NULL, seven = 7, got = 0;
  cudaError_t errors[6];
  errors[0] = cudaMalloc(&x, sizeof *x);
  errors[1] = cudaMemcpy(x, &seven, sizeof seven, cudaMemcpyHostToDevice);
  errors[2] = cudaDeviceSynchronize();
  add_one<<<1, 1>>>(x);
  errors[3] = cudaGetLastError();
  errors[4] = cudaMemcpy(&got, x, sizeof got, cudaMemcpyDeviceToHost);
  errors[5] = cudaFree(x);
  for (int i = 0; i < 5; i++)
    printf("%s ", cudaGetErrorName(errors[i]));
  printf("%d %s\n", got, cudaGetErrorName(errors[5]));
  return 0;
}
