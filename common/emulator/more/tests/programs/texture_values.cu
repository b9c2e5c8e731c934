// Compares results that the CUDA Programming Guide does not define with those of an H200: the
// weights of the linear filter, coordinates that are NaN or not multiples of 1/256, the edges of a
// cube, border colours of small integers, and atomic additions of floats.
#include "../../../tests/programs/check.h"
#include <cmath>
#include <cstring>

enum { SIDE = 2 };

static cudaTextureObject_t texture(cudaArray_t array, cudaTextureAddressMode mode,
                                   cudaTextureFilterMode filter, bool normalised, bool to_float) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  for (int i = 0; i < 3; i++)
    how.addressMode[i] = mode;
  how.filterMode = filter;
  how.normalizedCoords = normalised;
  how.readMode = to_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  how.borderColor[0] = 0.75f;
  cudaTextureObject_t object;
  CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr));
  return object;
}

template <class T>
static cudaArray_t image(const T *texels, int width, int height, int depth, unsigned flags) {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr((void *)texels, width * sizeof(T), width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height, depth ? depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

enum Way { PLAIN, GATHER, CUBE };
__global__ void fetch(cudaTextureObject_t from, Way way, float x, float y, float z, float4 *out) {
  if (way == GATHER)
    *out = tex2Dgather<float4>(from, x, y, 0);
  else
    out->x = way == CUBE ? texCubemap<float>(from, x, y, z) : tex2D<float>(from, x, y);
}
static float4 fetched(cudaTextureObject_t from, Way way, float x, float y, float z = 0) {
  float4 *out, result;
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemset(out, 0, sizeof *out));
  fetch<<<1, 1>>>(from, way, x, y, z, out);
  LAUNCHED();
  CHECK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(out));
  return result;
}

// Checks the weights of four texels. x and y: the position between the centres of the texels. All
// numbers are in units of 1/256.
static void check_weights(int x, int y, int left_up, int right_up, int left_down, int right_down) {
  const int expected[4] = {left_up, right_up, left_down, right_down};
  for (int i = 0; i < 4; i++) {
    float texels[4] = {};
    texels[i] = 256;
    cudaArray_t array = image(texels, SIDE, SIDE, 0, 0);
    cudaTextureObject_t t =
        texture(array, cudaAddressModeClamp, cudaFilterModeLinear, false, false);
    EXPECT(fetched(t, PLAIN, 0.5f + x / 256.0f, 0.5f + y / 256.0f).x == expected[i]);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(array));
  }
}

static void check_coordinates() {
  const float texels[4] = {1, 2, 3, 4};
  const unsigned char bytes[4] = {1, 2, 3, 4};
  cudaArray_t array = image(texels, SIDE, SIDE, 0, cudaArrayTextureGather);
  cudaArray_t small = image(bytes, SIDE, SIDE, 0, 0);
  cudaTextureObject_t border =
      texture(array, cudaAddressModeBorder, cudaFilterModePoint, false, false);
  cudaTextureObject_t wrap = texture(array, cudaAddressModeWrap, cudaFilterModePoint, true, false);
  cudaTextureObject_t byte =
      texture(small, cudaAddressModeBorder, cudaFilterModePoint, false, true);
  EXPECT(fetched(border, PLAIN, NAN, 1.5f).x == 3);
  EXPECT(fetched(wrap, PLAIN, -INFINITY, 0.75f).x == 3);
  float4 four = fetched(border, GATHER, 0.499f, 1); // the same result as at 0.5
  EXPECT(four.x == 3 && four.y == 4 && four.z == 2 && four.w == 1);
  four = fetched(border, GATHER, 0.497f, 1);
  EXPECT(four.x == 0.75f && four.y == 3 && four.z == 1 && four.w == 0.75f);
  EXPECT(fetched(byte, PLAIN, -1, 0).x == 191 / 255.0f);
  CHECK(cudaDestroyTextureObject(border));
  CHECK(cudaDestroyTextureObject(wrap));
  CHECK(cudaDestroyTextureObject(byte));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFreeArray(small));
}

static void check_edges_of_cube() { // each face contains its number
  const float faces[6] = {0, 1, 2, 3, 4, 5};
  cudaArray_t array = image(faces, 1, 1, 6, cudaArrayCubemap);
  cudaTextureObject_t t = texture(array, cudaAddressModeClamp, cudaFilterModePoint, true, false);
  EXPECT(fetched(t, CUBE, 1, 0.5f, 0.5f).x == 0 && fetched(t, CUBE, -1, 0.5f, 0.5f).x == 1);
  EXPECT(fetched(t, CUBE, 1, 1, 0.5f).x == 2 && fetched(t, CUBE, 1, -1, 0.5f).x == 3);
  EXPECT(fetched(t, CUBE, 1, 0, 1).x == 4 && fetched(t, CUBE, 1, -1, -1).x == 5);
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(array));
}

__global__ void add(float *in_global, float *out) {
  __shared__ float in_shared[2];
  in_shared[0] = __int_as_float(1), in_shared[1] = __int_as_float(0x7fc00001);
  out[2] = atomicAdd(&in_global[0], 1e-39f), out[3] = atomicAdd(&in_global[1], 1.0f);
  atomicAdd(&in_shared[0], __int_as_float(2)), atomicAdd(&in_shared[1], 1.0f);
  out[0] = in_shared[0], out[1] = in_shared[1];
}

// Atomic additions in global memory flush subnormal numbers to zero. In shared memory they do not,
// as the PTX manual says.
static void check_sums() {
  const unsigned start[2] = {0x80000001, 0x7fc00001};
  unsigned seen[6];
  float *d;
  CHECK(cudaMalloc(&d, sizeof seen));
  CHECK(cudaMemcpy(d, start, sizeof start, cudaMemcpyHostToDevice));
  add<<<1, 1>>>(d, d + 2);
  LAUNCHED();
  CHECK(cudaMemcpy(seen, d, sizeof seen, cudaMemcpyDeviceToHost));
  EXPECT(seen[0] == 0 && seen[1] == 0x7fffffff); // the sum -0 + 0, and a NaN
  EXPECT(seen[2] == 3 && seen[3] == 0x7fffffff);
  EXPECT(seen[4] == 0x80000001 && seen[5] == 0x7fc00001);
  CHECK(cudaFree(d));
}

int main() {
  check_weights(183, 154, 29, 73, 44, 110);
  check_weights(128, 245, 6, 5, 122, 123);
  check_coordinates();
  check_edges_of_cube();
  check_sums();
  return done();
}
