// Launches with clusters, which is valid but not supported by a replay. Not meant as an attack.
// expect: not-repeated | with clusters: right on a device
#include "lab.h"
#define WITH_THE_HOST_SIDE
__global__ void nothing() {}
static void attack() {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2), config.blockDim = dim3(32);
  config.attrs = &attribute, config.numAttrs = 1;
  cudaLaunchKernelExC(&config, (const void *)nothing, nullptr);
}
