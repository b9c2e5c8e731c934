// Tests surfaces of all shapes and element sizes, which are read and written in all three boundary
// modes. Also tests layered textures, cube textures, fetches of four neighbours (tex2Dgather), and
// levels of detail, which have no effect.
#include "../../../tests/programs/check.h"
#include <cmath>
#include <cstring>
#include <vector>

enum { WIDTH = 12, HEIGHT = 6, LAYERS = 5 };

__host__ __device__ int code(int x, int y, int z) { return x + 16 * y + 256 * z + 7; }

static cudaArray_t make_array(cudaChannelFormatDesc format, size_t width, size_t height,
                              size_t depth, unsigned flags) {
  cudaArray_t array;
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags));
  return array;
}

static cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc resource;
  cudaSurfaceObject_t surface;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  cudaResourceDesc again;
  CHECK(cudaGetSurfaceObjectResourceDesc(&again, surface));
  EXPECT(again.res.array.array == array);
  return surface;
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter,
                                      bool normalised) {
  cudaResourceDesc resource;
  cudaTextureDesc how;
  cudaTextureObject_t texture;
  memset(&resource, 0, sizeof resource);
  memset(&how, 0, sizeof how);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
  how.filterMode = filter;
  how.normalizedCoords = normalised;
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
  return texture;
}

template <class T> __device__ T element(int n) {
  T value;
  for (unsigned i = 0; i < sizeof(T); i++)
    ((unsigned char *)&value)[i] = n * 5 + i * 29;
  return value;
}
template <class T> __device__ bool same(T a, T b) {
  bool all = true;
  for (unsigned i = 0; i < sizeof(T); i++)
    all &= ((unsigned char *)&a)[i] == ((unsigned char *)&b)[i];
  return all;
}

// ---- elements of every size, and places outside -------------------------------------------------
template <class T> __global__ void fill(cudaSurfaceObject_t s) {
  const int x = threadIdx.x, y = threadIdx.y;
  surf2Dwrite(element<T>(code(x, y, 0)), s, x * (int)sizeof(T), y);
  surf2Dwrite(element<T>(1), s, (x - WIDTH) * (int)sizeof(T), y, cudaBoundaryModeZero); // outside
  surf2Dwrite(element<T>(2), s, x * (int)sizeof(T), y + HEIGHT, cudaBoundaryModeZero);
}
template <class T> __global__ void compare(cudaSurfaceObject_t s, int *bad) {
  const int x = threadIdx.x, y = threadIdx.y, size = sizeof(T);
  T nothing, got;
  memset(&nothing, 0, sizeof nothing);
  DEVICE_EXPECT(bad, same(surf2Dread<T>(s, x * size, y), element<T>(code(x, y, 0))));
  surf2Dread(&got, s, (x - 3) * size, y - 2, cudaBoundaryModeZero);
  DEVICE_EXPECT(bad, same(got, x < 3 || y < 2 ? nothing : element<T>(code(x - 3, y - 2, 0))));
  surf2Dread(&got, s, (x + 5) * size, y + 1, cudaBoundaryModeClamp);
  DEVICE_EXPECT(bad, same(got, element<T>(code(min(x + 5, WIDTH - 1), min(y + 1, HEIGHT - 1), 0))));
  surf2Dread(&got, s, (x - 5) * size, y - 9, cudaBoundaryModeClamp);
  DEVICE_EXPECT(bad, same(got, element<T>(code(max(x - 5, 0), 0, 0))));
}
template <class T> static void elements(int *d_bad) {
  cudaArray_t array =
      make_array(cudaCreateChannelDesc<T>(), WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t surface = surface_of(array);
  fill<T><<<1, dim3(WIDTH, HEIGHT)>>>(surface);
  LAUNCHED();
  compare<T><<<1, dim3(WIDTH, HEIGHT)>>>(surface, d_bad);
  LAUNCHED();
  expect_no_line(d_bad);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
}

// ---- shapes -------------------------------------------------------------------------------------
__global__ void fill_3d(cudaSurfaceObject_t s, bool layered) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  if (layered)
    surf2DLayeredwrite((float)code(x, y, z), s, 4 * x, y, z);
  else
    surf3Dwrite((float)code(x, y, z), s, 4 * x, y, z);
}
__global__ void fill_1d(cudaSurfaceObject_t line, cudaSurfaceObject_t lines) {
  const int x = threadIdx.x;
  surf1Dwrite((float)code(x, 0, 0), line, 4 * x);
  for (int layer = 0; layer < LAYERS; layer++)
    surf1DLayeredwrite((float)code(x, layer, 0), lines, 4 * x, layer);
}
__global__ void read_all(cudaSurfaceObject_t box, cudaSurfaceObject_t pages,
                         cudaSurfaceObject_t line, cudaSurfaceObject_t lines, int *bad) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  DEVICE_EXPECT(bad, surf3Dread<float>(box, 4 * x, y, z) == code(x, y, z));
  DEVICE_EXPECT(bad, surf2DLayeredread<float>(pages, 4 * x, y, z) == code(x, y, z));
  DEVICE_EXPECT(bad, surf1Dread<float>(line, 4 * x) == code(x, 0, 0));
  DEVICE_EXPECT(bad, surf1DLayeredread<float>(lines, 4 * x, z) == code(x, z, 0));
}
__global__ void fetch_all(cudaTextureObject_t box, cudaTextureObject_t pages,
                          cudaTextureObject_t line, cudaTextureObject_t lines,
                          cudaTextureObject_t soft, int *bad) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  const float fx = x + 0.25f, fy = y + 0.75f, fz = z + 0.5f;
  DEVICE_EXPECT(bad, tex3D<float>(box, fx, fy, fz) == code(x, y, z));
  DEVICE_EXPECT(bad, tex3DLod<float>(box, fx, fy, fz, 2.f) == code(x, y, z));
  DEVICE_EXPECT(bad, tex3DGrad<float>(box, fx, fy, fz, make_float4(1, 0, 0, 0),
                                      make_float4(0, 3, 0, 0)) == code(x, y, z));
  DEVICE_EXPECT(bad, tex2DLayered<float>(pages, fx, fy, z) == code(x, y, z));
  DEVICE_EXPECT(bad, tex2DLayered<float>(pages, fx, fy, z + LAYERS) == code(x, y, LAYERS - 1));
  DEVICE_EXPECT(bad, tex2DLayeredLod<float>(pages, fx, fy, z, 1.f) == code(x, y, z));
  DEVICE_EXPECT(bad, tex2DLayeredGrad<float>(pages, fx, fy, z, make_float2(1, 0),
                                             make_float2(0, 1)) == code(x, y, z));
  DEVICE_EXPECT(bad, tex1D<float>(line, fx) == code(x, 0, 0));
  DEVICE_EXPECT(bad, tex1DLod<float>(line, fx, 3.f) == code(x, 0, 0));
  DEVICE_EXPECT(bad, tex1DGrad<float>(line, fx, 1.f, 2.f) == code(x, 0, 0));
  DEVICE_EXPECT(bad, tex1DLayered<float>(lines, fx, z) == code(x, z, 0));
  // The filter interpolates between texels of one layer, never between layers.
  if (x > 0 && x < WIDTH - 1 && y > 0 && y < HEIGHT - 1)
    DEVICE_EXPECT(bad, tex2DLayered<float>(soft, x + 0.75f, y + 0.5f, z) == code(x, y, z) + 0.25f);
}
static void shapes(int *d_bad) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array[4] = {
      make_array(format, WIDTH, HEIGHT, LAYERS, cudaArraySurfaceLoadStore),
      make_array(format, WIDTH, HEIGHT, LAYERS, cudaArraySurfaceLoadStore | cudaArrayLayered),
      make_array(format, WIDTH, 0, 0, cudaArraySurfaceLoadStore),
      make_array(format, WIDTH, 0, LAYERS, cudaArraySurfaceLoadStore | cudaArrayLayered)};
  cudaSurfaceObject_t surface[4];
  cudaTextureObject_t texture[5];
  for (int i = 0; i < 4; i++) {
    surface[i] = surface_of(array[i]);
    texture[i] = texture_of(array[i], cudaFilterModePoint, false);
  }
  texture[4] = texture_of(array[1], cudaFilterModeLinear, false);
  fill_3d<<<LAYERS, dim3(WIDTH, HEIGHT)>>>(surface[0], false);
  fill_3d<<<LAYERS, dim3(WIDTH, HEIGHT)>>>(surface[1], true);
  fill_1d<<<1, WIDTH>>>(surface[2], surface[3]);
  read_all<<<LAYERS, dim3(WIDTH, HEIGHT)>>>(surface[0], surface[1], surface[2], surface[3], d_bad);
  fetch_all<<<LAYERS, dim3(WIDTH, HEIGHT)>>>(texture[0], texture[1], texture[2], texture[3],
                                             texture[4], d_bad);
  LAUNCHED();
  expect_no_line(d_bad);
  // Copies a layered array to the host, and checks what the kernel wrote.
  static float back[LAYERS][HEIGHT][WIDTH];
  cudaMemcpy3DParms copy;
  memset(&copy, 0, sizeof copy);
  copy.srcArray = array[1];
  copy.dstPtr = make_cudaPitchedPtr(back, WIDTH * sizeof(float), WIDTH, HEIGHT);
  copy.extent = make_cudaExtent(WIDTH, HEIGHT, LAYERS);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  for (int z = 0; z < LAYERS; z++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        EXPECT(back[z][y][x] == code(x, y, z));
  for (int i = 0; i < 5; i++)
    CHECK(cudaDestroyTextureObject(texture[i]));
  for (int i = 0; i < 4; i++) {
    CHECK(cudaDestroySurfaceObject(surface[i]));
    CHECK(cudaFreeArray(array[i]));
  }
}

// ---- cubes: each face has its number, each texel its place --------------------------------------
enum { SIDE = 8 };
__global__ void directions(cudaTextureObject_t cube, int *bad) {
  const int x = threadIdx.x, y = threadIdx.y;
  const float s = 2 * (x + 0.5f) / SIDE - 1, t = 2 * (y + 0.5f) / SIDE - 1, far = 3;
  // The direction of texel x, y of each face, computed with the inverse of the table in the CUDA
  // Programming Guide.
  const float3 to[6] = {make_float3(1, -t, -s), make_float3(-1, -t, s), make_float3(s, 1, t),
                        make_float3(s, -1, -t), make_float3(s, -t, 1),  make_float3(-s, -t, -1)};
  for (int face = 0; face < 6; face++)
    DEVICE_EXPECT(bad, texCubemap<float>(cube, far * to[face].x, far * to[face].y,
                                         far * to[face].z) == code(x, y, face));
}
static void cubes(int *d_bad) {
  static float faces[6][SIDE][SIDE];
  cudaArray_t array = make_array(cudaCreateChannelDesc<float>(), SIDE, SIDE, 6, cudaArrayCubemap);
  for (int i = 0; i < 6 * SIDE * SIDE; i++)
    (&faces[0][0][0])[i] = code(i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE);
  cudaMemcpy3DParms copy;
  memset(&copy, 0, sizeof copy);
  copy.srcPtr = make_cudaPitchedPtr(faces, SIDE * sizeof(float), SIDE, SIDE);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(SIDE, SIDE, 6);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  cudaTextureObject_t texture = texture_of(array, cudaFilterModePoint, true);
  directions<<<1, dim3(SIDE, SIDE)>>>(texture, d_bad);
  LAUNCHED();
  expect_no_line(d_bad);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

// ---- four neighbours at once --------------------------------------------------------------------
__global__ void neighbours(cudaTextureObject_t image, int *bad) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int x1 = min(x + 1, WIDTH - 1), y1 = min(y + 1, HEIGHT - 1);
  const float fx = x + 0.75f, fy = y + 0.875f; // the texels x and x + 1, y and y + 1
  for (int c = 0; c < 4; c++) {
    const float4 four = c == 0   ? tex2Dgather<float4>(image, fx, fy)
                        : c == 1 ? tex2Dgather<float4>(image, fx, fy, 1)
                        : c == 2 ? tex2Dgather<float4>(image, fx, fy, 2)
                                 : tex2Dgather<float4>(image, fx, fy, 3);
    DEVICE_EXPECT(bad, four.x == code(x, y1, c) && four.y == code(x1, y1, c));
    DEVICE_EXPECT(bad, four.z == code(x1, y, c) && four.w == code(x, y, c));
  }
}
static void gathers(int *d_bad) {
  static float4 texels[HEIGHT][WIDTH];
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      texels[y][x] = make_float4(code(x, y, 0), code(x, y, 1), code(x, y, 2), code(x, y, 3));
  CHECK(cudaMallocArray(&array, &format, WIDTH, HEIGHT, cudaArrayTextureGather));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels[0], sizeof texels[0], HEIGHT,
                            cudaMemcpyHostToDevice));
  cudaTextureObject_t texture = texture_of(array, cudaFilterModePoint, false);
  neighbours<<<1, dim3(WIDTH, HEIGHT)>>>(texture, d_bad);
  LAUNCHED();
  expect_no_line(d_bad);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

int main() {
  int *d_bad;
  CHECK(cudaMalloc(&d_bad, sizeof *d_bad));
  CHECK(cudaMemset(d_bad, 0, sizeof *d_bad));
  elements<unsigned char>(d_bad);
  elements<short>(d_bad);
  elements<uchar2>(d_bad);
  elements<float>(d_bad);
  elements<uchar4>(d_bad);
  elements<short2>(d_bad);
  elements<int2>(d_bad);
  elements<ushort4>(d_bad);
  elements<float4>(d_bad);
  shapes(d_bad);
  cubes(d_bad);
  gathers(d_bad);
  // A surface needs an array that was created with cudaArraySurfaceLoadStore.
  cudaArray_t array = make_array(cudaCreateChannelDesc<float>(), WIDTH, HEIGHT, 0, 0);
  cudaResourceDesc resource;
  cudaSurfaceObject_t surface;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  EXPECT(cudaCreateSurfaceObject(&surface, &resource) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(d_bad));
  return done();
}
