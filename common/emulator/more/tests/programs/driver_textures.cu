// Tests the driver API: arrays, 2-D copies, textures, and queries about memory.
#include "driver.h"

enum { WIDTH = 40, HEIGHT = 20, BORDER = 3 };

__global__ void look(CUtexObject image, float *out) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * WIDTH + x] = tex2D<float>(image, x + 0.5f, y + 0.5f);
}
template <typename T> __global__ void fetch(CUtexObject numbers, T *out) {
  out[threadIdx.x] = tex1Dfetch<T>(numbers, threadIdx.x);
}

// Copies a part of a larger image from the host to an array, from the array to device memory, and
// back to the host. Each copy has its own pitch.
static void check_copies(CUarray array, const float (*image)[WIDTH + BORDER]) {
  CUdeviceptr memory;
  static float back[HEIGHT][WIDTH + 1];
  DRIVER(cuMemAlloc(&memory, HEIGHT * WIDTH * sizeof(float)));
  CUDA_MEMCPY2D in = {}, over = {}, out = {};
  in.srcMemoryType = CU_MEMORYTYPE_HOST, in.srcHost = image, in.srcPitch = sizeof *image;
  in.srcXInBytes = BORDER * sizeof(float);
  in.dstMemoryType = CU_MEMORYTYPE_ARRAY, in.dstArray = array;
  in.WidthInBytes = WIDTH * sizeof(float), in.Height = HEIGHT;
  DRIVER(cuMemcpy2D(&in));
  over.srcMemoryType = CU_MEMORYTYPE_ARRAY, over.srcArray = array, over.srcY = 1;
  over.dstMemoryType = CU_MEMORYTYPE_DEVICE, over.dstDevice = memory;
  over.WidthInBytes = in.WidthInBytes, over.Height = HEIGHT - 1;
  DRIVER(cuMemcpy2D(&over));
  out.srcMemoryType = CU_MEMORYTYPE_UNIFIED, out.srcDevice = memory;
  out.dstMemoryType = CU_MEMORYTYPE_HOST, out.dstHost = back, out.dstPitch = sizeof *back;
  out.dstY = 1, out.WidthInBytes = in.WidthInBytes, out.Height = HEIGHT - 1;
  DRIVER(cuMemcpy2D(&out));
  for (int y = 1; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      EXPECT(back[y][x] == image[y][x + BORDER]);
  EXPECT(back[0][0] == 0);
  DRIVER(cuMemFree(memory));
}

static void check_image() {
  static float image[HEIGHT][WIDTH + BORDER], back[HEIGHT * WIDTH];
  for (int i = 0; i < HEIGHT * (WIDTH + BORDER); i++)
    image[i / (WIDTH + BORDER)][i % (WIDTH + BORDER)] = i * i % 1009;
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR what = {WIDTH, HEIGHT, CU_AD_FORMAT_FLOAT, 1};
  DRIVER(cuArrayCreate(&array, &what));
  what.NumChannels = 3;
  EXPECT(cuArrayCreate(&array, &what) == CUDA_ERROR_INVALID_VALUE);
  check_copies(array, image);
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY, resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how = {};
  how.filterMode = CU_TR_FILTER_MODE_LINEAR;
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  CUtexObject texture;
  CUdeviceptr out;
  DRIVER(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  DRIVER(cuMemAlloc(&out, sizeof back));
  look<<<HEIGHT, WIDTH>>>(texture, (float *)out);
  DRIVER(cuMemcpyDtoH(back, out, sizeof back));
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      EXPECT(back[y * WIDTH + x] == image[y][x + BORDER]);
  DRIVER(cuTexObjectDestroy(texture));
  DRIVER(cuArrayDestroy(array));
  DRIVER(cuMemFree(out));
}

// Tests a texture of bytes in linear memory, which is read as fractions or as integers.
static void check_bytes() {
  unsigned char numbers[64], whole[64];
  float fractions[64];
  CUdeviceptr memory, out;
  for (int i = 0; i < 64; i++)
    numbers[i] = 4 * i + 1;
  DRIVER(cuMemAlloc(&memory, sizeof numbers));
  DRIVER(cuMemAlloc(&out, sizeof fractions));
  DRIVER(cuMemcpyHtoD(memory, numbers, sizeof numbers));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR, resource.res.linear.devPtr = memory;
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8, resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = sizeof numbers;
  CUDA_TEXTURE_DESC how = {};
  CUtexObject texture;
  DRIVER(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  fetch<float><<<1, 64>>>(texture, (float *)out);
  DRIVER(cuMemcpyDtoH(fractions, out, sizeof fractions));
  DRIVER(cuTexObjectDestroy(texture));
  how.flags = CU_TRSF_READ_AS_INTEGER;
  DRIVER(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  fetch<unsigned char><<<1, 64>>>(texture, (unsigned char *)out);
  DRIVER(cuMemcpyDtoH(whole, out, sizeof whole));
  for (int i = 0; i < 64; i++)
    EXPECT(fractions[i] == numbers[i] / 255.0f && whole[i] == numbers[i]);
  DRIVER(cuTexObjectDestroy(texture));
  DRIVER(cuMemFree(out));
  DRIVER(cuMemFree(memory));
}

static void check_memory() {
  CUdeviceptr memory, start;
  size_t bytes;
  static char host[4096];
  DRIVER(cuMemAlloc(&memory, 1000));
  DRIVER(cuMemGetAddressRange(&start, &bytes, memory + 999));
  EXPECT(start == memory && bytes == 1000);
  DRIVER(cuMemHostRegister(host, sizeof host, 0));
  host[5] = 7;
  DRIVER(cuMemcpyAsync(memory, (CUdeviceptr)host, 10, 0));
  DRIVER(cuMemcpyAsync((CUdeviceptr)host + 20, memory, 10, 0));
  DRIVER(cuStreamSynchronize(0));
  EXPECT(host[25] == 7);
  DRIVER(cuMemHostUnregister(host));
  DRIVER(cuMemFree(memory));
  EXPECT(cuMemGetAddressRange(&start, nullptr, memory) == CUDA_ERROR_NOT_FOUND);
}

int main() {
  DRIVER(cuInit(0));
  check_image();
  check_bytes();
  check_memory();
  return done();
}
