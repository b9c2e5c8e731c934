// Tests every atomic operation, type and scope, in global and shared memory. The operations must
// have an order (chain) in which each thread reads the value that the previous thread stored.
#include "check.h"
#include <cstring>
#include <vector>

enum Scope { DEVICE, BLOCK, SYSTEM };
enum Kind { NUMBERS, SIGNED, BITS, HOLES, LIMIT }; // the kinds of operands

// OP(id, type, scope, operation on p and v, value that it stores if it read `old`, kind of the
// operands)
#define SCOPES(OP, id, T, call, after, kind)                                                       \
  OP(id, T, DEVICE, call(p, v), after, kind)                                                       \
  OP(id##_block, T, BLOCK, call##_block(p, v), after, kind)                                        \
  OP(id##_system, T, SYSTEM, call##_system(p, v), after, kind)
#define INTEGERS(OP, id, call, after, kind)                                                        \
  SCOPES(OP, id##_int, int, call, after, kind)                                                     \
  SCOPES(OP, id##_unsigned, unsigned, call, after, kind)                                           \
  SCOPES(OP, id##_ull, unsigned long long, call, after, kind)
#define OPERATIONS(OP)                                                                             \
  INTEGERS(OP, add, atomicAdd, old + v, NUMBERS)                                                   \
  SCOPES(OP, add_float, float, atomicAdd, old + v, NUMBERS)                                        \
  SCOPES(OP, add_double, double, atomicAdd, old + v, NUMBERS)                                      \
  SCOPES(OP, sub_int, int, atomicSub, old - v, NUMBERS)                                            \
  SCOPES(OP, sub_unsigned, unsigned, atomicSub, old - v, NUMBERS)                                  \
  INTEGERS(OP, exch, atomicExch, v, NUMBERS)                                                       \
  SCOPES(OP, exch_float, float, atomicExch, v, NUMBERS)                                            \
  INTEGERS(OP, min, atomicMin, v < old ? v : old, SIGNED)                                          \
  INTEGERS(OP, max, atomicMax, v > old ? v : old, SIGNED)                                          \
  SCOPES(OP, min_ll, long long, atomicMin, v < old ? v : old, SIGNED)                              \
  SCOPES(OP, max_ll, long long, atomicMax, v > old ? v : old, SIGNED)                              \
  INTEGERS(OP, and, atomicAnd, old &v, HOLES)                                                      \
  INTEGERS(OP, or, atomicOr, old | v, BITS)                                                        \
  INTEGERS(OP, xor, atomicXor, old ^ v, BITS)                                                      \
  SCOPES(OP, inc, unsigned, atomicInc, old >= v ? 0 : old + 1, LIMIT)                              \
  SCOPES(OP, dec, unsigned, atomicDec, old == 0 || old > v ? v : old - 1, LIMIT)                   \
  INTEGERS(OP, cas, SWAP, old == (decltype(old))7 ? v : old, NUMBERS)                              \
  OP(cas_ushort, unsigned short, DEVICE, SWAP(p, v), old == 7 ? v : old, NUMBERS)
#define SWAP(p, v) atomicCAS(p, 7, v)
#define SWAP_block(p, v) atomicCAS_block(p, 7, v)
#define SWAP_system(p, v) atomicCAS_system(p, 7, v)

#define NUMBER(id, ...) N_##id,
enum { OPERATIONS(NUMBER) COUNT, THREADS = 64, BLOCKS = 2, ALL = THREADS * BLOCKS };
typedef unsigned long long Word; // holds a value of any type

// Returns the operand of thread t. With NUMBERS no stored value occurs twice.
template <class T> __host__ __device__ T value(Kind kind, int t) {
  const T far = sizeof(T) == 8 ? T(1ull << 33) : T(1);
  const int bits = (int)sizeof(T) * 8;
  switch (kind) {
  case NUMBERS:
    return T(8 + t * 37 % 131) * far;
  case SIGNED:
    return T(t * 37 % 131 - 60) * far;
  case BITS:
    return T(t < bits ? 1ull << t : 0); // each bit once
  case HOLES:
    return T(~(1ull << t % bits));
  default:
    return T(9);
  }
}

__global__ void in_global(Word *cells, Word *seen) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
#define ACT(id, T, scope, call, after, kind)                                                       \
  {                                                                                                \
    T *p = (T *)&cells[(scope == BLOCK ? blockIdx.x : 0) * COUNT + N_##id];                        \
    T v = value<T>(kind, t);                                                                       \
    *(T *)&seen[N_##id * ALL + t] = call;                                                          \
  }
  OPERATIONS(ACT)
#undef ACT
}

__global__ void in_shared(Word *cells, Word *seen) {
  __shared__ Word local[COUNT];
  int t = threadIdx.x;
  for (int i = t; i < COUNT; i += blockDim.x)
    local[i] = cells[i];
  __syncthreads();
#define ACT(id, T, scope, call, after, kind)                                                       \
  {                                                                                                \
    T *p = (T *)&local[N_##id];                                                                    \
    T v = value<T>(kind, t);                                                                       \
    *(T *)&seen[N_##id * ALL + t] = call;                                                          \
  }
  OPERATIONS(ACT)
#undef ACT
  __syncthreads();
  for (int i = t; i < COUNT; i += blockDim.x)
    cells[i] = local[i];
}

template <class T> static T initial(Kind kind) {
  return kind == HOLES ? T(~0ull) : kind == BITS || kind == LIMIT ? T(0) : (T)7;
}
template <class T> static T as(const Word &word) {
  T result;
  memcpy(&result, &word, sizeof result);
  return result;
}

// Returns true if the threads begin..end form a chain from `first` to `last`. If several threads
// read the current value, threads that do not change it come first.
template <class T>
__attribute__((noinline)) static bool chain(T first, T last, const Word *seen, int begin, int end,
                                            Kind kind, T (*after)(T, T)) {
  std::vector<bool> used(end);
  T now = first;
  for (int step = begin; step < end; step++) {
    int next = -1;
    for (int t = begin; t < end; t++)
      if (!used[t] && as<T>(seen[t]) == now && (next < 0 || after(now, value<T>(kind, t)) == now))
        next = t;
    if (next < 0)
      return false;
    used[next] = true;
    now = after(now, value<T>(kind, next));
  }
  return now == last;
}

static void run(void (*kernel)(Word *, Word *), int blocks) {
  std::vector<Word> cells(2 * COUNT), seen(COUNT * ALL);
  Word *d_cells, *d_seen;
#define SET(id, T, scope, call, after, kind)                                                       \
  for (int b = 0; b < 2; b++) {                                                                    \
    T start = initial<T>(kind);                                                                    \
    memcpy(&cells[b * COUNT + N_##id], &start, sizeof start);                                      \
  }
  OPERATIONS(SET)
  CHECK(cudaMalloc(&d_cells, cells.size() * sizeof(Word)));
  CHECK(cudaMalloc(&d_seen, seen.size() * sizeof(Word)));
  CHECK(cudaMemcpy(d_cells, cells.data(), cells.size() * sizeof(Word), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_seen, 0, seen.size() * sizeof(Word))); // a single block writes only half of it
  kernel<<<blocks, THREADS>>>(d_cells, d_seen);
  LAUNCHED();
  CHECK(cudaMemcpy(cells.data(), d_cells, cells.size() * sizeof(Word), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(seen.data(), d_seen, seen.size() * sizeof(Word), cudaMemcpyDeviceToHost));
#define JUDGE(id, T, scope, call, after, kind)                                                     \
  for (int b = 0; b < (scope == BLOCK ? blocks : 1); b++)                                          \
    EXPECT(chain(                                                                                  \
               initial<T>(kind), as<T>(cells[b * COUNT + N_##id]), &seen[N_##id * ALL],            \
               b *THREADS, scope == BLOCK ? (b + 1) * THREADS : blocks * THREADS, kind,            \
               +[](T old, T v) { return (T)(after); }) &&                                          \
           #id);
  OPERATIONS(JUDGE)
  CHECK(cudaFree(d_cells));
  CHECK(cudaFree(d_seen));
}

int main() {
  run(in_global, BLOCKS);
  run(in_shared, 1);
  return done();
}
