/* Runs copies and kernels at the same time. The data are divided into pieces, and each piece has
 * its own stream, so that one piece is copied while another one is computed.
 *
 *   make play FILE=slides/data/overlap.cu                 uses one stream, then four streams
 *   make play FILE=slides/data/overlap.cu ARGS=unwaited   reads the result without waiting for it
 *
 * On a GPU the program also prints the times in milliseconds: of the copies, of the kernel, and of
 * everything in one stream and in four streams.
 */
#include "lab.h"
#include <string.h>

#define THREADS 256
#define STREAMS 4
#define STEPS 64 // number of multiply-adds per element, so that the kernel takes long enough

extern "C" __global__ void work(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float value = x[i];
  for (int step = 0; step < STEPS; step++)
    value = value * 0.5f + 1.0f;
  x[i] = value;
}

static cudaError_t error = cudaSuccess;

#ifndef LOCKSTEP_EMULATED
/* Waits for the event `end`. Returns the milliseconds between the two events. */
static float between(cudaEvent_t begin, cudaEvent_t end) {
  float ms = 0;
  TRY(error, cudaEventSynchronize(end));
  TRY(error, cudaEventElapsedTime(&ms, begin, end));
  return ms;
}
#endif

int main(int argc, char **argv) {
  bool unwaited = argc > 1 && !strcmp(argv[1], "unwaited");
  int n = argc > 1 && !unwaited ? atoi(argv[1]) : 1 << 14, right = 0;
  size_t bytes = sizeof(float) * n;
  float *host = NULL, *device = NULL;
  cudaStream_t streams[STREAMS] = {};
  cudaEvent_t at[6] = {};
  TRY(error, cudaMallocHost(&host, bytes)); // pinned: copies of other memory may block the host
  TRY(error, cudaMalloc(&device, bytes));
  for (int s = 0; s < STREAMS; s++)
    TRY(error, cudaStreamCreate(&streams[s]));
  for (int e = 0; e < 6; e++)
    TRY(error, cudaEventCreate(&at[e]));
  if (error == cudaSuccess)
    for (int i = 0; i < n; i++)
      host[i] = i % 5;

  // In one stream: copies all data to the device, computes, and copies all data back.
  TRY(error, cudaEventRecord(at[0]));
  TRY(error, cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice));
  TRY(error, cudaEventRecord(at[1]));
  if (error == cudaSuccess)
    work<<<CEIL_DIV(n, THREADS), THREADS>>>(device, n);
  TRY(error, cudaEventRecord(at[2]));
  TRY(error, cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost));
  TRY(error, cudaEventRecord(at[3]));
  TRY(error, cudaEventSynchronize(at[3]));

  // In pieces: stream s copies, computes and copies back its own quarter.
  TRY(error, cudaEventRecord(at[4]));
  for (int s = 0; s < STREAMS; s++) {
    int first = n / STREAMS * s, count = s < STREAMS - 1 ? n / STREAMS : n - first;
    TRY(error, cudaMemcpyAsync(device + first, host + first, sizeof(float) * count,
                               cudaMemcpyHostToDevice, streams[s]));
    if (error == cudaSuccess)
      work<<<CEIL_DIV(count, THREADS), THREADS, 0, streams[s]>>>(device + first, count);
    TRY(error, cudaMemcpyAsync(host + first, device + first, sizeof(float) * count,
                               cudaMemcpyDeviceToHost, streams[s]));
  }
  TRY(error, cudaEventRecord(at[5])); // in the default stream, which waits for all other streams
  if (!unwaited)
    TRY(error, cudaEventSynchronize(at[5]));
  for (int i = 0; error == cudaSuccess && i < n; i++)
    right += host[i] == 2;
  printf("%s: %d of %d elements are right\n", cudaGetErrorString(error), right, n);
#ifndef LOCKSTEP_EMULATED
  if (!unwaited)
    printf("copies %.3f ms, kernel %.3f ms, one stream %.3f ms, four streams %.3f ms\n",
           between(at[0], at[1]) + between(at[2], at[3]), between(at[1], at[2]),
           between(at[0], at[3]), between(at[4], at[5]));
#endif
  TRY(error, cudaDeviceSynchronize());
  for (int s = 0; s < STREAMS; s++)
    cudaStreamDestroy(streams[s]);
  for (int e = 0; e < 6; e++)
    cudaEventDestroy(at[e]);
  cudaFreeHost(host);
  cudaFree(device);
  return error != cudaSuccess || right != n;
}
