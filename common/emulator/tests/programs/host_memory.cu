// Tests host memory that the program registers; files that are read into and written from pinned
// memory; pitched memory in three dimensions; and launches with a cudaLaunchConfig_t whose members
// are set one by one.
#include "inputs.h"

#include <unistd.h>

__global__ void add_one(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i]++;
}

static void check_registered() {
  const int n = 1000;
  std::vector<int> memory(n + 2, 5);
  int *mine = memory.data() + 1, *mapped, *device = device_zeros<int>(n);
  CHECK(cudaHostRegister(mine, n * sizeof *mine, cudaHostRegisterMapped));
  EXPECT(cudaHostRegister(mine + n / 2, 4, 0) == cudaErrorHostMemoryAlreadyRegistered);
  EXPECT(cudaGetLastError() == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostGetDevicePointer(&mapped, mine, 0));
  add_one<<<4, 256>>>(mapped, n);
  LAUNCHED();
  CHECK(cudaDeviceSynchronize());
  EXPECT(memory[0] == 5 && memory[n + 1] == 5);
  for (int i = 0; i < n; i++)
    EXPECT(mine[i] == 6);
  cudaPointerAttributes what;
  CHECK(cudaPointerGetAttributes(&what, mine + 3));
  EXPECT(what.type == cudaMemoryTypeHost);
  CHECK(cudaMemcpyAsync(device, mine, n * sizeof *mine, cudaMemcpyHostToDevice, 0));
  CHECK(cudaMemcpyAsync(mine, device, n * sizeof *mine, cudaMemcpyDeviceToHost, 0));
  EXPECT(cudaHostUnregister(mine + 1) == cudaErrorInvalidValue); // not the registered address
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(mine));
  EXPECT(cudaHostUnregister(mine) == cudaErrorHostMemoryNotRegistered);
  EXPECT(cudaGetLastError() == cudaErrorHostMemoryNotRegistered);
  // Registers the memory again, with one more element at each end.
  CHECK(cudaHostRegister(mine - 1, (n + 2) * sizeof *mine, cudaHostRegisterDefault));
  add_one<<<4, 256>>>(mine - 1, n + 2);
  LAUNCHED();
  CHECK(cudaDeviceSynchronize());
  EXPECT(memory[0] == 6 && mine[0] == 7 && memory[n + 1] == 6);
  CHECK(cudaHostUnregister(mine - 1));
  CHECK(cudaFree(device));
}

static void check_boxes() {
  enum { X = 10, Y = 6, Z = 4 };
  cudaPitchedPtr box;
  unsigned char host[Z][Y][X];
  CHECK(cudaMalloc3D(&box, make_cudaExtent(X, Y, Z)));
  CHECK(cudaMemset3D(box, 7, make_cudaExtent(X, Y, Z)));
  CHECK(cudaMemset3DAsync(box, 9, make_cudaExtent(X - 3, Y - 2, Z - 1), 0));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(host, X, X, Y);
  copy.extent = make_cudaExtent(X, Y, Z);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  for (int z = 0; z < Z; z++)
    for (int y = 0; y < Y; y++)
      for (int x = 0; x < X; x++)
        EXPECT(host[z][y][x] == (x < X - 3 && y < Y - 2 && z < Z - 1 ? 9 : 7));
  CHECK(cudaFree(box.ptr));
}

static void check_launches() {
  const short n = 300; // converted to int, the type of the kernel's parameter
  int *data = device_zeros<int>(n), device = -1, grid, block, fit, fit_too;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2);
  config.blockDim = dim3(160);
  CHECK(cudaLaunchKernelEx(&config, add_one, data, n));
  std::vector<int> out = to_host(data, n);
  for (int i = 0; i < n; i++)
    EXPECT(out[i] == 1);
  CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, add_one, 0, 0, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, add_one, block, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&fit_too, add_one, block, 0,
                                                               cudaOccupancyDefault));
  EXPECT(fit == fit_too && grid % fit == 0 && fit * block == 2048);
  char name[32];
  CHECK(cudaDeviceGetPCIBusId(name, sizeof name, 0));
  CHECK(cudaDeviceGetByPCIBusId(&device, name));
  EXPECT(device == 0);
  CHECK(cudaFree(data));
}

// Tests cudaMemAdvise and cudaMemPrefetchAsync with the parameters of CUDA 13 and of earlier
// versions.
static void check_hints() {
  float *data;
  CHECK(cudaMallocManaged(&data, 1000 * sizeof *data));
#if defined(__clang__) || CUDART_VERSION < 13000
  CHECK(cudaMemAdvise(data, 1000 * sizeof *data, cudaMemAdviseSetReadMostly, 0));
  CHECK(cudaMemPrefetchAsync(data, 1000 * sizeof *data, 0));
  CHECK(cudaMemPrefetchAsync(data, 1000 * sizeof *data, cudaCpuDeviceId, NULL));
#endif
#if CUDART_VERSION >= 13000
  cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemAdvise(data, 1000 * sizeof *data, cudaMemAdviseSetPreferredLocation, device));
  CHECK(cudaMemPrefetchAsync(data, 1000 * sizeof *data, device, 0, 0));
#endif
  CHECK(cudaFree(data));
}

// Writes one half of pinned memory to a file while a copy into the other half is pending. Then
// reads the file back while a copy from the other half is pending. A page has bytes of both halves.
static void check_files() {
  const size_t half = 10000;
  char *pinned, *device;
  FILE *file = tmpfile();
  EXPECT(file != NULL);
  CHECK(cudaMallocHost(&pinned, 2 * half));
  CHECK(cudaMalloc(&device, half));
  CHECK(cudaMemset(device, 3, half));
  memset(pinned, 5, 2 * half);
  CHECK(cudaMemcpyAsync(pinned + half, device, half, cudaMemcpyDeviceToHost, 0));
  EXPECT(fwrite(pinned, 1, half, file) == half && !fflush(file));
  EXPECT(pwrite(fileno(file), "7", 1, 0) == 1 && lseek(fileno(file), 0, SEEK_SET) == 0);
  CHECK(cudaStreamSynchronize(0));
  EXPECT(pinned[half] == 3 && pinned[2 * half - 1] == 3);
  CHECK(cudaMemcpyAsync(device, pinned + half, half, cudaMemcpyHostToDevice, 0));
  EXPECT(read(fileno(file), pinned, half) == (ssize_t)half);
  EXPECT(pinned[0] == '7' && pinned[half - 1] == 5);
  CHECK(cudaStreamSynchronize(0));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(device));
  fclose(file);
}

int main() {
  check_registered();
  check_files();
  check_boxes();
  check_launches();
  check_hints();
  return done();
}
