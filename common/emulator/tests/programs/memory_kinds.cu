// Tests managed, pinned and pitched memory, memset, streams and events.
#include "check.h"

__global__ void scale(float *data, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= factor;
}

__global__ void number_rows(char *base, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    ((float *)(base + y * pitch))[x] = y * 100.0f + x;
}

static void managed() {
  float *data;
  CHECK(cudaMallocManaged(&data, 100 * sizeof(float)));
  for (int i = 0; i < 100; i++)
    data[i] = i;
  scale<<<1, 128>>>(data, 100, 2);
  LAUNCHED();
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 100; i++)
    EXPECT(data[i] == 2 * i);
  CHECK(cudaFree(data));
}

static void pitched() {
  const int width = 37, height = 11;
  float host[height][width];
  char *d;
  size_t pitch;
  CHECK(cudaMallocPitch(&d, &pitch, width * sizeof(float), height));
  EXPECT(pitch >= width * sizeof(float) && pitch % 32 == 0);
  number_rows<<<dim3(2, 2), dim3(32, 8)>>>(d, pitch, width, height);
  LAUNCHED();
  CHECK(
      cudaMemcpy2D(host, sizeof host[0], d, pitch, sizeof host[0], height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      EXPECT(host[y][x] == y * 100.0f + x);
  CHECK(cudaMemset2D(d, pitch, 0, sizeof host[0], height - 1));
  CHECK(
      cudaMemcpy2D(host, sizeof host[0], d, pitch, sizeof host[0], height, cudaMemcpyDeviceToHost));
  EXPECT(host[height - 2][width - 1] == 0 && host[height - 1][0] == (height - 1) * 100.0f);
  CHECK(cudaFree(d));
}

// Loads the same bytes twice: as two words, and as one word of 8 bytes.
static __global__ void records(unsigned long long *sums) {
  __shared__ __align__(16) unsigned words[64][16];
  for (int i = 0; i < 32; i++)
    words[2 * i + threadIdx.x % 2][threadIdx.x / 2] = i * 1000 + threadIdx.x;
  __syncthreads();
  unsigned long long a, b, c, d, e;
  unsigned low, high, at = (unsigned)__cvta_generic_to_shared(words[sums[0]]);
  asm volatile(
      "ld.shared.v2.u32 {%0, %1}, [%7]; ld.shared.u64 %2, [%7+8]; ld.shared.u64 %3, [%7+16]; "
      "ld.shared.u64 %4, [%7+24]; ld.shared.u64 %5, [%7+32]; ld.shared.u64 %6, [%7+40];"
      : "=r"(low), "=r"(high), "=l"(a), "=l"(b), "=l"(c), "=l"(d), "=l"(e)
      : "r"(at));
  sums[1 + threadIdx.x] = (low ^ high) + a + 3 * b + 5 * c + 7 * d + 9 * e;
}

static void wide_and_narrow() {
  unsigned long long *d, sums[33] = {6};
  unsigned row[12];
  CHECK(cudaMalloc(&d, sizeof sums));
  CHECK(cudaMemcpy(d, sums, sizeof sums, cudaMemcpyHostToDevice));
  records<<<1, 32>>>(d);
  LAUNCHED();
  CHECK(cudaMemcpy(sums, d, sizeof sums, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 12; i++)
    row[i] = 3 * 1000 + 2 * i;
  unsigned long long expected = row[0] ^ row[1];
  for (int i = 1; i < 6; i++)
    expected += (2 * i - 1) * (row[2 * i + 1] * (1ull << 32) + row[2 * i]);
  for (int lane = 0; lane < 32; lane++)
    EXPECT(sums[1 + lane] == expected);
  CHECK(cudaFree(d));
}

static void called_back(void *data) { ++*(int *)data; }

static void streams() {
  const int n = 1000;
  float *pinned, *device, ms = -1;
  int calls = 0;
  cudaStream_t stream;
  cudaEvent_t start, stop;
  CHECK(cudaMallocHost(&pinned, n * sizeof(float)));
  CHECK(cudaMalloc(&device, n * sizeof(float)));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  for (int i = 0; i < n; i++)
    pinned[i] = i;
  CHECK(cudaEventRecord(start, stream));
  CHECK(cudaMemcpyAsync(device, pinned, n * sizeof(float), cudaMemcpyHostToDevice, stream));
  scale<<<4, 256, 0, stream>>>(device, n, 3);
  LAUNCHED();
  CHECK(cudaMemcpyAsync(pinned, device, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaLaunchHostFunc(stream, called_back, &calls));
  CHECK(cudaEventRecord(stop, stream));
  CHECK(cudaStreamWaitEvent(0, stop, 0));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  EXPECT(ms >= 0 && calls == 1);
  for (int i = 0; i < n; i++)
    EXPECT(pinned[i] == 3 * i);
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(device));
  CHECK(cudaFreeHost(pinned));
}

int main() {
  managed();
  pitched();
  wide_and_narrow();
  streams();
  return done();
}
