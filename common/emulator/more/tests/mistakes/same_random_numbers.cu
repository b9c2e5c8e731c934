// Every thread starts cuRAND with the same seed, subsequence and offset.
//
// kind: same-random-numbers
// says: warning: threads draw the same random numbers: curand_init was given the same seed,
// says+ subsequence and offset   in kernel start
// says:       thread (1,0) of block (0,0) starts a sequence   @started
// says:       thread (0,0) of block (0,0) starts the same one   @started
// says:       The random numbers of a thread depend only on the seed, the subsequence and the
// says+ offset. Give each thread its own subsequence, for example its index in the grid.
#include "../../../tests/mistakes/mistake.h"
#include <curand_kernel.h>

__global__ void start(curandState *states, bool right) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(42, right ? i : 0, 0, &states[i]); // <- started
}

__global__ void draw(curandState *states, unsigned *numbers) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  numbers[i] = curand(&states[i]);
}

template <bool RIGHT> void run() {
  curandState *states;
  unsigned *numbers;
  MUST(cudaMalloc(&states, 128 * sizeof *states));
  MUST(cudaMalloc(&numbers, 128 * sizeof *numbers));
  for (int again = 0; again < 2; again++) { // another grid may start the same sequences
    start<<<1, 128>>>(states, RIGHT);
    draw<<<1, 128>>>(states, numbers);
  }
  finish(states, numbers);
}
BOTH(run)
