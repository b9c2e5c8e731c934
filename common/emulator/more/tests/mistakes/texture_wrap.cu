// A texture has the address mode wrap, which works only with normalised coordinates.
//
// kind: not-on-a-gpu
// says: warning: a texture is to wrap coordinates that are not normalised
// says:       called here   @create
// says:       cudaAddressModeWrap and cudaAddressModeMirror work with normalised coordinates only;
// says+ other coordinates are clamped. Set normalizedCoords and divide the coordinates by the size.
#include "../../../tests/mistakes/mistake.h"

__global__ void look(cudaTextureObject_t texture, float *out, float step) {
  out[threadIdx.x] = tex2D<float>(texture, (threadIdx.x + 0.5f) * step, 0);
}

template <bool RIGHT> void run() {
  enum { WIDTH = 4 };
  float image[WIDTH] = {1, 2, 3, 4}, seen[2 * WIDTH], *out = device_array<float>(2 * WIDTH);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaTextureObject_t texture;
  MUST(cudaMallocArray(&array, &format, WIDTH, 1));
  MUST(cudaMemcpy2DToArray(array, 0, 0, image, sizeof image, sizeof image, 1,
                           cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = cudaAddressModeWrap;
  sampling.normalizedCoords = RIGHT;
  MUST(cudaCreateTextureObject(&texture, &resource, &sampling, NULL)); // <- create
  look<<<1, 2 * WIDTH>>>(texture, out, RIGHT ? 1.0f / WIDTH : 1);
  MUST(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  if (seen[WIDTH] != (RIGHT ? 1 : 4))
    printf("%g\n", seen[WIDTH]);
  MUST(cudaDestroyTextureObject(texture));
  MUST(cudaFreeArray(array));
  finish(out);
}
BOTH(run)
