// Data of asynchronous copies (cp.async) are used too early: the thread waits for no copy, or for
// the wrong group.
//
// kind: copy-not-waited-for
// says: error: read before its asynchronous copy is complete: tile, word 0   in kernel forgotten
// says:       thread (0,0) of block (0,0) began to copy to it   @forgotten_copy
// says:       thread (1,0) of block (0,0) read it   @forgotten_read
// says:       The thread that starts a copy must wait for it (cp.async.wait_group,
// says+ __pipeline_wait_prior). Other threads need a barrier after that.
// says: error: read before its asynchronous copy is complete: tile, word 64   in kernel wrong_group
// says:       thread (0,0) of block (0,0) began to copy to it   @wrong_copy
// says:       thread (0,0) of block (0,0) read it   @wrong_read
// says:       The thread that starts a copy must wait for it (cp.async.wait_group,
// says+ __pipeline_wait_prior). Other threads need a barrier after that.
// log: "kind":"copy-not-waited-for","severity":"error","sentence":"read before its asynchronous copy is complete: tile, word 0"
#include "mistake.h"

#define N 64

#define COPY(to, from)                                                                             \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"                                          \
               :                                                                                   \
               : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)                            \
               : "memory")
inline __device__ void commit() { asm volatile("cp.async.commit_group;" : : : "memory"); }
template <int LEFT> inline __device__ void wait() {
  asm volatile("cp.async.wait_group %0;" : : "n"(LEFT) : "memory");
}

template <bool RIGHT> __global__ void forgotten(const float *in, float *out) {
  __shared__ float tile[N];
  int t = threadIdx.x;
  COPY(&tile[t], &in[t]); // <- forgotten_copy
  commit();
  if (RIGHT)
    wait<0>();
  __syncthreads();
  out[t] = tile[t ^ 1]; // <- forgotten_read
}

template <bool RIGHT> __global__ void wrong_group(const float *in, float *out) {
  __shared__ float tile[2 * N];
  int t = threadIdx.x;
  COPY(&tile[t], &in[t]);
  commit();
  COPY(&tile[N + t], &in[t]); // <- wrong_copy
  commit();
  wait<RIGHT ? 0 : 1>();
  out[t] = tile[t] + tile[N + t]; // <- wrong_read
}

template <bool RIGHT> void run() {
  float *in = device_array<float>(N), *out = device_array<float>(N);
  forgotten<RIGHT><<<1, N>>>(in, out);
  wrong_group<RIGHT><<<1, N>>>(in, out);
  finish(in, out);
}
BOTH(run)
