// Tests textures of arrays, pitched memory and linear memory. Kernels fetch at integer, fractional
// and outside coordinates, with every filter, address mode and element type. The results are
// compared with those of a host implementation of the rules in the CUDA C++ Programming Guide.
#include "../../../tests/programs/inputs.h"
#include <cmath>
#include <cstring>

enum { WIDTH = 13, HEIGHT = 7, POINTS = 600 };

// ---- the rules ----------------------------------------------------------------------------------
static int around(int i, int n, cudaTextureAddressMode mode) { // returns -1 for the border
  if (i >= 0 && i < n)
    return i;
  if (mode == cudaAddressModeClamp)
    return i < 0 ? 0 : n - 1;
  if (mode == cudaAddressModeBorder)
    return -1;
  int turn = (int)std::floor((double)i / n), rest = i - turn * n;
  return mode == cudaAddressModeMirror && turn % 2 ? n - 1 - rest : rest;
}

template <class T> struct Image {
  std::vector<T> texels;
  cudaTextureDesc how;
  // The factor by which an element is multiplied in the result.
  float scale;

  float at(int x, int y) const {
    x = around(x, WIDTH, how.addressMode[0]);
    y = around(y, HEIGHT, how.addressMode[1]);
    return x < 0 || y < 0 ? 0 : (float)texels[y * WIDTH + x] * scale;
  }
  float fetch(double x, double y) const {
    if (how.normalizedCoords)
      x *= WIDTH, y *= HEIGHT;
    if (how.filterMode == cudaFilterModePoint)
      return at((int)std::floor(x), (int)std::floor(y));
    x -= 0.5, y -= 0.5;
    int i = (int)std::floor(x), j = (int)std::floor(y);
    double a = x - i, b = y - j;
    return (float)((1 - a) * (1 - b) * at(i, j) + a * (1 - b) * at(i + 1, j) +
                   (1 - a) * b * at(i, j + 1) + a * b * at(i + 1, j + 1));
  }
};

// ---- images -------------------------------------------------------------------------------------
template <class T>
__global__ void fetch_2d(cudaTextureObject_t image, const float2 *where, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex2D<T>(image, where[i].x, where[i].y);
}

static std::vector<float2> places(bool normalised, bool fine) {
  std::vector<float2> where(POINTS);
  for (float2 &p : where) { // up to two image widths outside of the image
    p = make_float2(WIDTH * (2.5f * random_float() + 0.5f),
                    HEIGHT * (2.5f * random_float() + 0.5f));
    float x = floorf(p.x), y = floorf(p.y); // moved away from the edges of the texel
    p.x = x + (fine ? floorf((p.x - x) * 256) / 256 : 0.25f + (p.x - x) / 2);
    p.y = y + (fine ? floorf((p.y - y) * 256) / 256 : 0.25f + (p.y - y) / 2);
    if (normalised)
      p.x /= WIDTH, p.y /= HEIGHT;
  }
  return where;
}

template <class T, class Result>
static void check_image(cudaTextureFilterMode filter, cudaTextureAddressMode mode, bool normalised,
                        cudaTextureReadMode read, float scale, int pitched) {
  Image<T> image = {std::vector<T>(WIDTH * HEIGHT), {}, scale};
  for (T &texel : image.texels)
    texel = (T)(sizeof(T) == 4 ? 100 * random_float() : random_bits());
  image.how.filterMode = filter;
  image.how.addressMode[0] = image.how.addressMode[1] = mode;
  image.how.normalizedCoords = normalised;
  image.how.readMode = read;

  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  cudaArray_t array = nullptr;
  void *rows = nullptr;
  const size_t row = WIDTH * sizeof(T);
  if (pitched) {
    resource.resType = cudaResourceTypePitch2D;
    CHECK(cudaMallocPitch(&rows, &resource.res.pitch2D.pitchInBytes, row, HEIGHT));
    CHECK(cudaMemcpy2D(rows, resource.res.pitch2D.pitchInBytes, image.texels.data(), row, row,
                       HEIGHT, cudaMemcpyHostToDevice));
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.desc = format;
    resource.res.pitch2D.width = WIDTH;
    resource.res.pitch2D.height = HEIGHT;
  } else {
    CHECK(cudaMallocArray(&array, &format, WIDTH, HEIGHT));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, image.texels.data(), row, row, HEIGHT,
                              cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
  }
  cudaTextureObject_t object;
  CHECK(cudaCreateTextureObject(&object, &resource, &image.how, nullptr));
  std::vector<float2> where = places(normalised, filter == cudaFilterModeLinear);
  std::vector<Result> out(POINTS);
  float2 *d_where = to_device(where);
  Result *d_out = device_array<Result>(POINTS);
  fetch_2d<<<ceil_div(POINTS, 128), 128>>>(object, d_where, d_out, POINTS);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), d_out, POINTS * sizeof(Result), cudaMemcpyDeviceToHost));
  float most = scale * (sizeof(T) == 4 ? 100 : sizeof(T) == 2 ? 65535 : 255);
  // The weights of a filter are multiples of 1/256, and a GPU also rounds the product of two
  // weights.
  float tolerance = (filter == cudaFilterModeLinear ? 0.01f : 2e-6f) * most;
  for (int i = 0; i < POINTS; i++) {
    float expected = image.fetch(where[i].x, where[i].y);
    if (!(fabsf((float)out[i] - expected) <= tolerance))
      fprintf(stderr, "at %g %g: %g, not %g\n", where[i].x, where[i].y, (float)out[i], expected);
    EXPECT(fabsf((float)out[i] - expected) <= tolerance);
  }
  CHECK(cudaDestroyTextureObject(object));
  CHECK(array ? cudaFreeArray(array) : cudaFree(rows));
  CHECK(cudaFree(d_where));
  CHECK(cudaFree(d_out));
}

static void check_images() {
  const cudaTextureFilterMode filters[] = {cudaFilterModePoint, cudaFilterModeLinear};
  const cudaTextureAddressMode modes[] = {cudaAddressModeClamp, cudaAddressModeBorder,
                                          cudaAddressModeWrap, cudaAddressModeMirror};
  for (cudaTextureFilterMode filter : filters)
    for (int mode = 0; mode < 4; mode++)
      for (int normalised = mode > 1; normalised < 2; normalised++)
        for (int pitched = 0; pitched < 2; pitched++) {
          check_image<float, float>(filter, modes[mode], normalised, cudaReadModeElementType, 1,
                                    pitched);
          check_image<unsigned char, float>(filter, modes[mode], normalised,
                                            cudaReadModeNormalizedFloat, 1 / 255.0f, pitched);
          check_image<short, float>(filter, modes[mode], normalised, cudaReadModeNormalizedFloat,
                                    1 / 32767.0f, pitched);
        }
  check_image<unsigned char, unsigned char>(cudaFilterModePoint, cudaAddressModeClamp, false,
                                            cudaReadModeElementType, 1, 0);
  check_image<short, short>(cudaFilterModePoint, cudaAddressModeBorder, true,
                            cudaReadModeElementType, 1, 0);
}

// ---- plain memory, by number --------------------------------------------------------------------
template <class T> __global__ void fetch_numbers(cudaTextureObject_t numbers, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = tex1Dfetch<T>(numbers, n - 1 - i);
}

template <class T> static void check_numbers(int n) {
  std::vector<T> in(n), out(n);
  for (char *at = (char *)in.data(), *end = at + n * sizeof(T); at < end; at++)
    *at = (char)(random_bits() & 63);
  T *d_in = to_device(in), *d_out = device_array<T>(n);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = d_in;
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = n * sizeof(T);
  cudaTextureDesc how = {};
  cudaTextureObject_t numbers;
  CHECK(cudaCreateTextureObject(&numbers, &resource, &how, nullptr));
  fetch_numbers<<<ceil_div(n, 96), 96>>>(numbers, d_out, n);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(T), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    EXPECT(memcmp(&out[i], &in[n - 1 - i], sizeof(T)) == 0);
  CHECK(cudaDestroyTextureObject(numbers));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}

// ---- a volume, and copies of arrays -------------------------------------------------------------
__global__ void fetch_3d(cudaTextureObject_t volume, float2 *out) {
  int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  float2 texel = tex3D<float2>(volume, x + 0.5f, y + 0.5f, z + 0.5f);
  float2 between = tex3D<float2>(volume, x + 0.5f, y + 0.5f, z + 1.0f);
  out[(z * blockDim.y + y) * blockDim.x + x] = make_float2(texel.x, between.y);
}

static void check_volume() {
  enum { X = 6, Y = 5, Z = 4, ALL = X * Y * Z };
  std::vector<float2> in(ALL), out(ALL);
  for (float2 &v : in)
    v = make_float2(random_float(), random_float());
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>(), again;
  cudaArray_t array;
  cudaExtent extent = make_cudaExtent(X, Y, Z), got;
  CHECK(cudaMalloc3DArray(&array, &format, extent));
  CHECK(cudaArrayGetInfo(&again, &got, nullptr, array));
  EXPECT(again.x == 32 && again.y == 32 && again.z == 0 && again.f == cudaChannelFormatKindFloat);
  EXPECT(got.width == X && got.height == Y && got.depth == Z);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(in.data(), X * sizeof(float2), X, Y);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.filterMode = cudaFilterModeLinear;
  for (cudaTextureAddressMode &mode : how.addressMode)
    mode = cudaAddressModeClamp;
  cudaTextureObject_t volume;
  CHECK(cudaCreateTextureObject(&volume, &resource, &how, nullptr));
  float2 *d_out = device_array<float2>(ALL);
  fetch_3d<<<Z, dim3(X, Y)>>>(volume, d_out);
  LAUNCHED();
  CHECK(cudaMemcpy(out.data(), d_out, ALL * sizeof(float2), cudaMemcpyDeviceToHost));
  for (int i = 0; i < ALL; i++) {
    int above = i + X * Y < ALL ? i + X * Y : i;
    EXPECT(out[i].x == in[i].x);
    EXPECT(fabsf(out[i].y - (in[i].y + in[above].y) / 2) <= 1e-6f);
  }
  std::vector<float2> plane(X * Y);
  cudaMemcpy3DParms back = {};
  back.srcArray = array;
  back.srcPos = make_cudaPos(0, 0, 2);
  back.dstPtr = make_cudaPitchedPtr(plane.data(), X * sizeof(float2), X, Y);
  back.extent = make_cudaExtent(X, Y, 1);
  back.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&back));
  EXPECT(memcmp(plane.data(), &in[2 * X * Y], X * Y * sizeof(float2)) == 0);
  CHECK(cudaDestroyTextureObject(volume));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(d_out));
}

// Checks the errors of calls with invalid arguments.
static void check_refusals() {
  float *memory = device_array<float>(256);
  cudaResourceDesc resource = {}, described;
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 256 * sizeof *memory;
  cudaTextureDesc how = {};
  cudaTextureObject_t object;
  resource.res.linear.desc.x = 7;
  EXPECT(cudaCreateTextureObject(&object, &resource, &how, nullptr) ==
         cudaErrorInvalidChannelDescriptor);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
  CHECK(cudaGetTextureObjectResourceDesc(&described, object));
  EXPECT(described.res.linear.devPtr == memory && described.res.linear.desc.x == 32);
  CHECK(cudaDestroyTextureObject(object));
  CHECK(cudaFree(memory));
  EXPECT(cudaGetLastError() == cudaErrorInvalidChannelDescriptor);
}

int main() {
  check_images();
  check_numbers<float>(1000);
  check_numbers<float4>(333);
  check_numbers<int>(100);
  check_numbers<uint2>(100);
  check_numbers<uchar4>(1000);
  check_numbers<signed char>(77);
  check_numbers<ushort1>(77);
  check_volume();
  check_refusals();
  return done();
}
