// Tests printf in kernels: every format, and the return value. The program redirects the output to
// a file and reads the file.
#include "check.h"
#include <cstring>
#include <unistd.h>

__global__ void speak(long long big) {
  if (threadIdx.x == 1)
    printf("[%d %u %x %5.2f %e %c %s %lld %p %%]\n", -7, 7u, 255, 3.14159, 0.5f, 'z', "word", big,
           (void *)0x10);
  if (threadIdx.x == 2 && printf("plain\n") < 0)
    printf("negative\n");
}

int main() {
  char text[400] = "";
  FILE *file = tmpfile();
  EXPECT(file);
  fflush(stdout);
  int saved = dup(1);
  dup2(fileno(file), 1);
  speak<<<1, 4>>>(123456789012345ll);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaDeviceSynchronize();
  fflush(stdout);
  dup2(saved, 1);
  CHECK(error);
  rewind(file);
  size_t length = fread(text, 1, sizeof text - 1, file);
  EXPECT(length > 0);
  EXPECT(strstr(text, "[-7 7 ff  3.14 5.000000e-01 z word 123456789012345 0x10 %]\n"));
  EXPECT(strstr(text, "plain\n"));
  EXPECT(!strstr(text, "negative"));
  return done();
}
