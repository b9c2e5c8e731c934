// A copy in the wrong direction, copies of too many bytes, a copy whose size is a number of
// elements, a copy to a symbol that is too short, and a memset of host memory.
//
// kind: bad-copy
// says: error: cudaMemcpyDeviceToHost, but the copy's destination is allocation 1 (64 bytes),
// says+ device memory
// says:       called here   @direction
// says:       The arguments of a copy are its destination, its source, the bytes, and the direction
// says+ that fits these two.
// says: error: the copy's source is allocation 1 (64 bytes): 64 bytes are there, 128 were asked for
// says:       copied here   @long
// says:       allocated here   @array
// says:       The size of a copy is in bytes, and its direction must match the two pointers.
// says: error: the copy's source is allocation 1 (64 bytes): 64 bytes are there, 256 were asked for
// says:       copied here   @elements
// says:       allocated here   @array
// says:       The allocation has as many bytes as the copy has elements. It counts bytes, so
// says+ multiply by sizeof.
// says: error: the copy's source is allocation 1 (64 bytes) from byte 32: 32 bytes are left there,
// says+ 64 were asked for
// says:       called here   @rest
// says:       The size of a copy is in bytes, and its direction must match the two pointers.
// says: error: the copy's destination is the null pointer
// says:       called here   @nowhere
// says:       The size of a copy is in bytes, and its direction must match the two pointers.
// says: error: taps has 16 bytes, the copy is of 20 from byte 0 on
// says:       called here   @symbol
// says:       The size of a copy is in bytes, and its direction must match the two pointers.
// says: error: cudaMemset was given host memory
// says:       called here   @set
// says:       cudaMemset sets device memory. Use memset for the host's.
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
// answers: cudaErrorInvalidValue
#include "mistake.h"

__constant__ float taps[4];

template <bool RIGHT> void run() {
  float *data = device_array<float>(16), host[64] = {0}; // <- array
  const cudaMemcpyKind kind = RIGHT ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  answer(cudaMemcpy(data, host, 64, kind)); // <- direction
  if (RIGHT) {
    MUST(cudaFree(data));
    return;
  }
  answer(cudaMemcpy(host, data, 128, cudaMemcpyDeviceToHost));               // <- long
  answer(cudaMemcpy(host, data, 64 * sizeof *host, cudaMemcpyDeviceToHost)); // <- elements
  answer(cudaMemcpy(host, data + 8, 64, cudaMemcpyDeviceToHost));            // <- rest
  answer(cudaMemcpy(NULL, data, 64, cudaMemcpyDeviceToHost));                // <- nowhere
  answer(cudaMemcpyToSymbol(taps, host, sizeof taps + 4));                   // <- symbol
  answer(cudaMemset(host, 0, 64));                                           // <- set
  MUST(cudaFree(data));
}
BOTH(run)
