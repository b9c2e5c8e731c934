/* CUDA's keywords, as attributes for a CUDA compiler. For a C compiler they are empty. */
#ifndef HOST_DEFINES_H
#define HOST_DEFINES_H
#define __HOST_DEFINES_H__

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
/* The variable is defined in host code. The device accesses the same memory. */
#define __managed__ __attribute__((device, section("lockstep_managed")))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __maxnreg__(n)
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#define __maxnreg__(n)
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
/* Since clang 15, __noinline__ is a keyword of CUDA, which also works as
 * __attribute__((__noinline__)) in libstdc++. */
#if !defined(__CUDA__) || (defined(__clang__) && __clang_major__ < 15)
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))

/* The attributes of functions in these headers that exist for host and device. */
#define CUDA_BOTH static __inline__ __host__ __device__ __attribute__((unused))

#endif
