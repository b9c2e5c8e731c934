// A kernel calls a function pointer of the host.
//
// kind: bad-call
// says: error: call through a pointer to no function   in kernel apply
// says:       thread (0,0) of block (0,0) made the call   @here
// says:       The function pointer was never set, or the host set it. Only device code can take the
// says+ address of a device function.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

typedef int (*Function)(int);

static int host_square(int x) { return x * x; }
__device__ int square(int x) { return x * x; }
__device__ Function device_square = square;

__global__ void apply(int *out, Function function) {
  out[threadIdx.x] = function(threadIdx.x); // <- here
}

template <bool RIGHT> void run() {
  int *out = device_array<int>(32);
  Function function = host_square;
  if (RIGHT)
    MUST(cudaMemcpyFromSymbol(&function, device_square, sizeof function));
  apply<<<1, 32>>>(out, function);
  finish(out);
}
BOTH(run)
