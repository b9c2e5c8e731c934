// Creates a texture whose pitch overflows, so that it seems to cover all addresses.
// expect: null-pointer | no texture object
#include "lab.h"
__global__ void peek(cudaTextureObject_t t, float *out) { out[0] = tex2D<float>(t, 5, 60000); }
#define WITH_THE_HOST_SIDE
static void attack() {
  float *all;
  cudaMalloc(&all, 1 << 20);
  cudaResourceDesc r = {};
  cudaTextureDesc how = {};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = all;
  r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  r.res.pitch2D.width = 8;
  r.res.pitch2D.height = 65000;
  r.res.pitch2D.pitchInBytes = ((size_t)1 << 63) / 65000 / 32 * 32 * 2;
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &r, &how, 0);
  peek<<<1, 1>>>(t, all);
  cudaDeviceSynchronize();
}
