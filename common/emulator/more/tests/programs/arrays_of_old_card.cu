// A GeForce GTX 460M refuses arrays beyond its limits. Newer cards accept larger arrays.
// env: LOCKSTEP_CARD=gtx460m LOCKSTEP_QUIET=1
#include "../../../tests/programs/check.h"

int main() {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  EXPECT(cudaMalloc3DArray(&array, &format, make_cudaExtent(2049, 2, 2)) == cudaErrorInvalidValue);
  EXPECT(cudaMallocArray(&array, &format, 65536, 0) == cudaSuccess);
  CHECK(cudaFreeArray(array));
  EXPECT(cudaMallocArray(&array, &format, 65537, 0) == cudaErrorInvalidValue);
  return done();
}
