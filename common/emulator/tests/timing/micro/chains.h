/* Latency and throughput of an operation: one warp with one chain of it, and 32 warps with two
 * chains in each thread.
 *
 * OPS(_) lists operations as _(name, type, body, first x, y). The body computes the next x from x;
 * y is a run-time operand. If a body adds something to keep x large, the
 * result includes the addition. */
#ifndef CHAINS_H
#define CHAINS_H

#include "micro.h"

enum { BODIES = 4, ROUNDS = 64 };
#define OP(name, T, body, x0, y0)                                                                  \
  template <int CHAINS> __global__ void name(T *out, T first, T y, int rounds, long long *ticks) { \
    T chain[CHAINS];                                                                               \
    _Pragma("unroll") for (int c = 0; c < CHAINS; c++) chain[c] = first;                           \
    TICKS_BEGIN();                                                                                 \
    _Pragma("unroll 1") for (int i = 0; i < rounds; i++) {                                         \
      _Pragma("unroll") for (int k = 0; k < BODIES; k++)                                           \
          _Pragma("unroll") for (int c = 0; c < CHAINS; c++) {                                     \
        T &x = chain[c];                                                                           \
        body;                                                                                      \
      }                                                                                            \
    }                                                                                              \
    TICKS_END(ticks);                                                                              \
    T sum = 0;                                                                                     \
    _Pragma("unroll") for (int c = 0; c < CHAINS; c++) sum = sum + chain[c];                       \
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;                                              \
  }

#define MEASURE(name, T, body, x0, y0)                                                             \
  report(#name " latency", 1, one.clocks([&](long long *t) {                                       \
    name<1><<<1, 32>>>((T *)out, (T)(x0), (T)(y0), ROUNDS, t);                                     \
  }) / (ROUNDS * BODIES),                                                                          \
         "clocks");                                                                                \
  report(#name " throughput", 32, all.clocks([&](long long *t) {                                   \
    name<2><<<sms, 1024>>>((T *)out, (T)(x0), (T)(y0), ROUNDS, t);                                 \
  }) / (ROUNDS * BODIES * 2 * 32),                                                                 \
         "clocks a warp and SM");

#define MEASURE_ALL(OPS)                                                                           \
  OPS(OP)                                                                                          \
  int main() {                                                                                     \
    mechanism = "arithmetic";                                                                      \
    const int sms = multiprocessors();                                                             \
    double *out = zeros<double>((size_t)sms * 1024);                                               \
    Ticks one(1), all(sms);                                                                        \
    OPS(MEASURE)                                                                                   \
    return 0;                                                                                      \
  }

#endif
