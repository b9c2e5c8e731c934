// Host code dereferences a device pointer. The program crashes as it would with a GPU, and the
// report gives the reason.
//
// kind: device-pointer
// says: error: host code touched byte 12 of allocation 1 (40 bytes)
// says:       touched here   @here
// says:       Host code cannot use a device pointer. The data has to be copied to the host first.
// exit: 139
#include "mistake.h"
#include <sys/resource.h>

template <bool RIGHT> void run() {
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  float *device = device_array<float>(10), host = 7;
  answer(cudaSuccess);
  fflush(stdout);
  if (RIGHT)
    MUST(cudaMemcpy(device + 3, &host, sizeof host, cudaMemcpyHostToDevice));
  else
    device[3] = host; // <- here
  MUST(cudaFree(device));
}
BOTH(run)
