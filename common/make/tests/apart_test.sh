#!/bin/sh
# Tests programs whose files are compiled separately and use device code of other files (-dc,
# -rdc=true), with lockstep-cc and with make play.
#   BUILD=build apart_test.sh COMPILER...    clang, nvcc

unset MAKEFLAGS MAKELEVEL MFLAGS
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
make -s lockstep-cc BUILD="$BUILD" >/dev/null || exit 2
cc=$(realpath "$BUILD/bin/lockstep-cc")
failed=0
complain() {
  echo "$compiler: $1"
  echo "$said" | sed 's/^/    /'
  failed=1
}

# A header with names that are local to each of the two files: variables, constants, functions and
# kernels, with `static` and in an unnamed namespace.
cat >"$folder/own.h" <<'END_OF_FILE'
template <class T> __device__ T of_both(T x) { return 3 * x; }
struct Shape {
  __device__ virtual int corners() const;
};
static __device__ int own = FIRST;
namespace {
__device__ int hidden = FIRST + 1;
__constant__ int fixed[2] = {FIRST + 2, FIRST + 3};
__device__ __noinline__ int sum(int x) { return own + hidden + fixed[x % 2] + of_both(x); }
__global__ void quiet(int *to) { *to = sum(1); }
}
static __global__ void write(int *to) {
  __shared__ int lane[32];
  lane[threadIdx.x] = sum(threadIdx.x);
  __syncthreads();
  to[threadIdx.x] = lane[31 - threadIdx.x];
}
static int ask(void (*kernel)(int *)) {
  int *on_device, back[32];
  cudaMalloc(&on_device, sizeof back);
  cudaMemset(on_device, 0, sizeof back);
  kernel<<<1, kernel == quiet ? 1 : 32>>>(on_device);
  cudaMemcpy(back, on_device, sizeof back, cudaMemcpyDeviceToHost);
  cudaFree(on_device);
  return back[0];
}
static int ask_both() {
  int value = 0, changed = FIRST + 5;
  cudaMemcpyFromSymbol(&value, own, sizeof value);
  cudaMemcpyToSymbol(own, &changed, sizeof changed);
  int sum = value + ask(write) + ask(quiet);
  cudaMemcpyToSymbol(own, &value, sizeof value);
  return sum;
}
END_OF_FILE
cat >"$folder/main.cu" <<'END_OF_FILE'
#include <stdio.h>
#define FIRST 100
#include "own.h"
extern __device__ int count;
extern __constant__ float weights[4];
typedef float (*Function)(float);
extern __device__ Function chosen;
extern __device__ int table[];
__device__ float halve(float);
__global__ void use(float *to) {
  to[threadIdx.x] = halve(weights[threadIdx.x]) + chosen(table[threadIdx.x]);
  atomicAdd(&count, 1);
  Shape shape;
  if (threadIdx.x == 0 && shape.corners() != 4)
    to[0] = -1;
}
int other_file();
int main() {
  float *on_device, back[4];
  int counted;
  cudaMalloc(&on_device, sizeof back);
  use<<<1, 4>>>(on_device);
  cudaMemcpy(back, on_device, sizeof back, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&counted, count, sizeof counted);
  printf("%g %g %g %g, %d, %d, %d\n", back[0], back[1], back[2], back[3], counted, ask_both(), other_file());
  return cudaFree(on_device);
}
END_OF_FILE
cat >"$folder/other.cu" <<'END_OF_FILE'
#define FIRST 1
#include "own.h"
__device__ int count = 10, table[] = {1, 2, 3, 4};
__constant__ float weights[4] = {2, 4, 6, 8};
typedef float (*Function)(float);
__device__ float square(float x) { return x * x; }
__device__ Function chosen = square;
__device__ float halve(float x) { return x / 2; }
__device__ int Shape::corners() const { return 4; }
int other_file() { return ask_both(); }
END_OF_FILE
# The numbers that the program must print. 814 and 121 are the results of ask_both: the value of
# `own` and two sums own + hidden + fixed[x % 2] + 3 x, 100 + 402 + 312 and 1 + 105 + 15.
right='2 6 12 20, 14, 814, 121'
cat >"$folder/alone.cu" <<'END_OF_FILE'
__device__ float halve(float);
__global__ void use(float *to) { *to = halve(*to); }
int main() {
  float *to;
  cudaMalloc(&to, sizeof *to);
  use<<<1, 1>>>(to);
  return cudaDeviceSynchronize();
}
END_OF_FILE
cat >"$folder/launches.cu" <<'END_OF_FILE'
#include <stdio.h>
__global__ void child(int *to) { *to = 1; }
__global__ void use(int *to) { child<<<1, 1>>>(to); }
int main() {
  int *to, value = 0;
  cudaMalloc(&to, sizeof *to);
  use<<<1, 1>>>(to);
  cudaMemcpy(&value, to, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(to);
  printf("%d\n", value);
}
END_OF_FILE
cat >"$folder/shares.cu" <<'END_OF_FILE'
__managed__ int shared[N];
__global__ void use() { shared[0] = 1; }
int main() {
  use<<<1, 1>>>();
  return cudaDeviceSynchronize();
}
END_OF_FILE
sed 's/child<<<.*;/&\n  cudaDeviceSynchronize();/' "$folder/launches.cu" >"$folder/syncs.cu"

expect() { # WORDS COMMAND...: fails unless the output of COMMAND begins with WORDS
  words=$1
  shift
  said=$("$@" 2>&1)
  case $said in "$words"*) ;; *) complain "$*: expected '$words'" ;; esac
}

mkdir "$folder/made"
cp "$folder"/*.h "$folder/main.cu" "$folder/other.cu" "$folder/made"
cat >"$folder/made/Makefile" <<'END_OF_FILE'
COMPILER := /usr/local/cuda/bin/nvcc -rdc=true
program: main.cu other.cu
	$(COMPILER) -O2 -I/usr/local/cuda/include -lineinfo -Xcompiler -fno-strict-aliasing -o $@ $^
END_OF_FILE
for compiler; do
  rm -f "$folder/made/program"
  expect "$right" make -s play BUILD="$BUILD" DEVICE=emulated CUDA_COMPILER="$compiler" DIR="$folder/made"
  expect "$right" make -s play BUILD="$BUILD" DEVICE=emulated CUDA_COMPILER="$compiler" FLAGS=-rdc=true \
    FILE="$folder/main.cu $folder/other.cu"
done
cd "$folder" || exit 2
for compiler; do
  export LOCKSTEP_COMPILER="$compiler"
  rm -f ./*.o ./*.a program
  said=
  "$cc" -rdc=true -o program main.cu other.cu && expect "$right" ./program
  "$cc" -dc main.cu other.cu && "$cc" -dlink -o linked.o main.o other.o &&
    "$cc" -lib -o libother.a other.o linked.o && "$cc" -o program main.o -L. -lother && expect "$right" ./program
  "$cc" -rdc=true -o program alone.cu && ./program 2>&1 | grep -q 'alone.cu:2) is declared, and no file' ||
    complain 'no word on what is missing'
  "$cc" -DN=4 -o program shares.cu && "$cc" -DN=400 -ptx -o larger.ptx shares.cu
  said=$(LOCKSTEP_KERNELS=larger.ptx ./program 2>&1)
  case $said in *'has a larger variable than its host code: shared'*) ;; *) complain 'no word on the larger variable' ;; esac
  said=$("$cc" -rdc=true -o program launches.cu 2>&1 && ./program 2>&1)
  case $compiler:$said in nvcc:1 | clang:*'lockstep: kernels that launch kernels (dynamic parallelism) need nvcc here:'*) ;; *)
    complain 'launches from kernels' ;;
  esac
done
case " $* " in *' nvcc '*) ;; *) exit $failed ;; esac

# ---- kernels that launch kernels: nvcc alone compiles them (emulator/more/tests/children.sh) -----
said=$("$cc" -o program launches.cu 2>&1)
case $said in *'lockstep: kernels that launch kernels are compiled with -rdc=true'*) ;; *) complain 'no word on -rdc=true' ;; esac
said=$("$cc" -rdc=true -o program syncs.cu 2>&1)
case $said in *'lockstep: CUDA 12 took cudaDeviceSynchronize out of kernels'*) ;; *) complain 'no word on waiting in kernels' ;; esac
exit $failed
