// Two objects own one buffer, and both free it.
//
// kind: double-free
// says: error: cudaFree was called again for allocation 1 (128 bytes)
// says:       freed again   @second
// says:       freed before   @first
// says:       A buffer can be freed only once. After cudaFree, its pointer can be set to NULL.
// answers: cudaErrorInvalidValue
#include "mistake.h"

template <bool RIGHT> void run() {
  float *data = device_array<float>(32), *alias = data;
  MUST(cudaFree(data));                   // <- first
  answer(cudaFree(RIGHT ? NULL : alias)); // <- second
}
BOTH(run)
