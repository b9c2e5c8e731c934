// Each round creates an event and does not destroy it. A few events that still exist at the end
// would not be reported.
//
// kind: leak
// says: warning: 100 events were never given to cudaEventDestroy
// says:       created here   @created
// says:       What a loop creates in each round, it has to destroy in each round. Or it is created
// says+ once, before the loop.
#include "mistake.h"

template <bool RIGHT> void run() {
  for (int i = 0; i < 100; i++) {
    cudaEvent_t done;
    MUST(cudaEventCreate(&done)); // <- created
    MUST(cudaEventRecord(done));
    if (RIGHT)
      MUST(cudaEventDestroy(done));
  }
  cudaEvent_t one;
  cudaStream_t stream;
  if (RIGHT) {
    MUST(cudaEventCreate(&one));
    MUST(cudaStreamCreate(&stream));
  }
  answer(cudaSuccess);
}
BOTH(run)
