/* Used with nvcc, which finds this header before the toolkit's header of the same name. Its
 * curand_init also reports to the emulated device which sequence a thread starts, as
 * include/curand_kernel.h does for clang. */
#ifndef LOCKSTEP_CURAND_KERNEL_H
#define LOCKSTEP_CURAND_KERNEL_H

#include_next <curand_kernel.h>

#ifdef __CUDACC__
extern "C" __device__ void __lockstep_curand_init(unsigned long long seed,
                                                  unsigned long long subsequence,
                                                  unsigned long long offset);

template <class State>
__device__ __forceinline__ void lockstep_curand_init(unsigned long long seed,
                                                     unsigned long long subsequence,
                                                     unsigned long long offset, State *state) {
  curand_init(seed, subsequence, offset, state);
  __lockstep_curand_init(seed, subsequence, offset);
}

/* Initialises a quasi-random generator. Reports nothing, because the sequence depends on the
 * direction vectors. */
template <class Vectors, class Offset, class State>
__device__ __forceinline__ void lockstep_curand_init(Vectors vectors, Offset offset, State *state) {
  curand_init(vectors, offset, state);
}
template <class Vectors, class Constant, class Offset, class State>
__device__ __forceinline__ void lockstep_curand_init(Vectors *vectors, Constant constant,
                                                     Offset offset, State *state) {
  curand_init(vectors, constant, offset, state);
}
#define curand_init lockstep_curand_init
#endif

#endif
