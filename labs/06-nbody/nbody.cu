/* Lab 06, N bodies in the plane that attract one another. In each time step, one kernel computes
 * the accelerations of all bodies, and a second kernel moves the bodies.
 *
 * This is the only file to edit. Write only between a TODO(n) and its END(n), in the order of n,
 * and type `make lab06` after each task. `make hint06` helps.
 */
#include "lab.h"

#define BLOCK 256            // threads per block
#define MG ((real)10)        // G times the mass of a body
#define TAU ((real)0.001)    // length of a time step, in seconds
#define NEAREST ((real)0.01) // in metres; pairs that are closer do not attract

// A vector in the plane, aligned so that one load or store moves both coordinates.
typedef struct alignas(2 * sizeof(real)) Vector {
  real x, y;
} Vector;

/* Returns the acceleration of a body at `to` by a body at `from`, not yet multiplied by MG. */
__device__ Vector pull(Vector to, Vector from) {
  Vector p = {0, 0};
  // TODO(1): Compute the pull p at distance d: the difference `from` - `to`, divided by d³ in each
  // coordinate. A pair closer than NEAREST contributes nothing, and so does a body to itself.
  // Example: to = (0, 0), from = (3, 4): d = 5 and the pull is (3/125, 4/125) = (0.024, 0.032).
  // END(1)
  return p;
}

/* R: the positions at this step. A: the accelerations to compute. A thread computes one body. */
extern "C" __global__ void accelerate(const Vector *R, Vector *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO(1): Add up the pulls of all n bodies on body i and store MG times the sum in A[i]. Threads
  // with no body do nothing.
  // Example: with n = 300 the grid has 512 threads; 212 of them have no body.
  // END(1)
}
EXPORT_KERNEL(accelerate)

/* R: the positions at all steps; body i at step s is R[s * n + i]. V: the velocities. */
extern "C" __global__ void move(Vector *R, Vector *V, const Vector *A, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO(2): Store in R where body i is at step + 1: r + v·TAU + a·TAU²/2. Then store its new
  // velocity in V: v + a·TAU. Mind the order: the position needs the old velocity.
  // Example: r = 1, v = 2, a = 10000 give r = 1.007 and v = 12.
  // END(2)
}
EXPORT_KERNEL(move)

// TODO(3): The next kernel goes through R in phases. In each phase the 256 threads of a block load
// one position each into shared memory, and then use all 256. Predict for n = ASKED_BODIES how many
// Vectors one thread loads from global memory in one launch. 0 means: not answered.
// Example: the kernel of task 1 loads n + 1 of them: its own position, and R[k] for every k.
#define ASKED_BODIES 2560 // given
#define PREDICT_GLOBAL_LOADS 0
// END(3)

/* The same as accelerate, with the positions staged in shared memory. */
extern "C" __global__ void accelerate_shared(const Vector *R, Vector *A, int n) {
  __shared__ Vector tile[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO(4): Go through R in phases of BLOCK positions. In each phase every thread loads a position
  // into `tile`, and then adds up the pulls of all positions in `tile`. Keep the thread's own
  // position and its sum in registers. n can be any number: the last tile may be short. Threads
  // of the last block without a body must still help to load and reach every barrier.
  // Example: n = 600 takes 3 phases, of 256, 256 and 88 bodies.
  // END(4)
}
EXPORT_KERNEL(accelerate_shared)

// TODO(5): Let one thread of accelerate_fast have several bodies, and set here how many bodies a
// block then has: launch_fast computes its grid from this number.
// Example: 4 bodies a thread make 1024 a block of 256, and n = 1025 takes 2 blocks.
#define BODIES 1
#define BODIES_PER_BLOCK (BLOCK * BODIES)
// END(5)

/* The same, as fast as you can make it. __launch_bounds__ says that two blocks on a multiprocessor
 * are enough, so the compiler may give each thread up to 128 registers. */
extern "C" __global__ void __launch_bounds__(BLOCK, 2)
    accelerate_fast(const Vector *R, Vector *A, int n) {
  // TODO(5): Begin with the kernel of task 4. Then let each position that is read from the tile
  // serve BODIES bodies, held in arrays of that length, and replace root and division by rsqrt.
  // Example: rsqrt((real)25) is 0.2; its cube, 0.008, is 1/125.
  // END(5)
}

/* R and A are device memory. The grid has just enough blocks for n bodies. */
extern "C" cudaError_t launch_fast(const Vector *R, Vector *A, int n) {
  accelerate_fast<<<CEIL_DIV(n, BODIES_PER_BLOCK), BLOCK>>>(R, A, n);
  return cudaGetLastError();
}
