#!/bin/sh
# Tests how any CUDA program is built: options of nvcc and of the host's compiler, several files,
# file names, headers of the toolkit and of NVIDIA's samples. Each case is built with every
# COMPILER. For each case that must be refused there is a similar case that must be accepted.
#
#   BUILD=build build_test.sh COMPILER...

unset MAKEFLAGS MAKELEVEL MFLAGS LOCKSTEP_COMPILER
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cc=$(realpath "$BUILD/bin/lockstep-cc")
failed=0

complain() {
  echo "$compiler: $1"
  [ -z "$2" ] || echo "$2" | sed 's/^/    /'
  failed=1
}
# Fails unless LINE is the last line that make play prints.
plays() { # LINE ARGUMENT OF MAKE...
  line=$1
  shift
  said=$(make -s play BUILD="$BUILD" DEVICE=emulated CUDA_COMPILER="$compiler" "$@" 2>&1)
  [ "$(echo "$said" | tail -n 1)" = "$line" ] || complain "make play $*: expected '$line'" "$said"
}
# Fails unless make play prints these words and its exit status is not 0.
refused() { # WORDS ARGUMENT OF MAKE...
  words=$1
  shift
  said=$(make -s play BUILD="$BUILD" DEVICE=emulated CUDA_COMPILER="$compiler" "$@" 2>&1) && complain "make play $*: not refused" "$said"
  case $said in *"$words"*) ;; *) complain "make play $*: expected '$words'" "$said" ;; esac
}

# ---- options -------------------------------------------------------------------------------------
cat >"$folder/standard.cu" <<'END'
#include <stdio.h>
__global__ void fill(long *to, long value) { *to = value; }
int main() {
  long *there, here = 0;
  cudaMalloc(&there, sizeof here);
  fill<<<1, 1>>>(there, __cplusplus);
  cudaMemcpy(&here, there, sizeof here, cudaMemcpyDeviceToHost);
  cudaFree(there);
#ifdef __FAST_MATH__
  printf("fast ");
#endif
#ifdef __AVX2__
  printf("avx2 ");
#endif
  puts(here == 201103 || here == 201402 ? "14" : here == 201703 ? "17" : here == 202002 ? "20" : "?");
}
END
options() {
  while IFS='|' read -r line flags; do
    plays "$line" FILE="$folder/standard.cu" FLAGS="$flags"
  done <<'END'
17|
14|-std=c++14 -O0 -DN=3 -D_N=4
14|--std c++11 -fno-strict-aliasing -pthread
20|-std=c++20 -forward-unknown-to-host-compiler -fmad=false -ftz=true
20|-Xcompiler -std=c++20
fast 17|-ffast-math
fast 17|-Xcompiler -Wall,-O3,-ffast-math
17|-Xcompiler -fno-strict-aliasing,-fPIC,-pthread,-fno-exceptions
17|-Xcompiler -fopenmp-simd -lineinfo --use_fast_math -arch=sm_80
END
  case $(uname -m) in x86_64) plays 'avx2 17' FILE="$folder/standard.cu" FLAGS='-Xcompiler -mavx2' ;; esac
}

# Tests -maxrregcount, the maximum number of registers per thread.
cat >"$folder/registers.cu" <<'END'
#include <stdio.h>
__global__ void turn(float *p) {
  float value[64];
#pragma unroll
  for (int i = 0; i < 64; i++)
    value[i] = p[i * 1024 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 64; i++)
    p[(63 - i) * 1024 + threadIdx.x] = value[i] * value[(i + 7) % 64];
}
int main() {
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, turn);
  printf("%s\n", attributes.numRegs > 32 ? "more" : attributes.numRegs == 32 ? "32" : "fewer");
}
END
registers() {
  plays more FILE="$folder/registers.cu"
  plays 32 FILE="$folder/registers.cu" FLAGS=-maxrregcount=32
  plays 32 FILE="$folder/registers.cu" FLAGS='--maxrregcount 32 -lineinfo'
  refused 'want a number of registers' FILE="$folder/registers.cu" FLAGS=-maxrregcount=few
}

# ---- libraries, files and names ------------------------------------------------------------------
cat >"$folder/declared.h" <<'END'
#include <cuda_runtime.h>
__device__ int both(int);
__global__ void __launch_bounds__(32) kernel(int *to);
int run(int *to);
END
cat >"$folder/kernels.cu" <<'END'
#include "declared.h"
__device__ int both(int x) { return x + 1; }
__global__ void __launch_bounds__(32) kernel(int *to) { *to = both(20); }
int run(int *to) {
  kernel<<<1, 1>>>(to);
  return cudaDeviceSynchronize();
}
END
cat >"$folder/main.cpp" <<'END'
#include <stdio.h>
#include "declared.h"
int main() {
  int *there, here = 0;
  cudaMalloc(&there, sizeof here);
  run(there);
  cudaMemcpy(&here, there, sizeof here, cudaMemcpyDeviceToHost);
  cudaFree(there);
  return printf("%d\n", here) < 0;
}
END
# Writes a CUDA program to a file with the suffix .cpp.
sed -e 1d -e '/^#include "declared/r /dev/stdin' "$folder/main.cpp" >"$folder/alone.cpp" <<'END'
#include <stdio.h>
__global__ void last(int *to) { *to = threadIdx.x; }
static void run(int *to) { last<<<1, 7>>>(to + threads); }
END
sed -i -e '/declared/d' -e 's/static void/enum { threads = 0 };\nstatic void/' -e 's/= threadIdx.x/= blockDim.x/' "$folder/alone.cpp"
files() {
  plays 21 FILE="$folder/kernels.cu $folder/main.cpp" LIBS='-lcublas -lcurand -lcudart'
  plays 21 FILE="$folder/kernels.cu $folder/main.cpp" FLAGS='-Xcompiler -O0,-g'
  said=$("$cc" --lockstep-compiler "$compiler" -x cu -o "$folder/alone" "$folder/alone.cpp" 2>&1 && "$folder/alone" 2>/dev/null)
  [ "$said" = 7 ] || complain 'lockstep-cc -x cu alone.cpp' "$said"
  deep=$folder/$(printf 'long%.0s' $(seq 50))
  mkdir -p "$deep" && cp "$folder"/*.h "$folder/kernels.cu" "$folder/main.cpp" "$deep"
  plays 21 FILE="$deep/kernels.cu $deep/main.cpp"
  touch "$folder/kernels.cu~"
  refused 'backup; the program is' FILE="$folder/kernels.cu~"
}
# A folder must be built again if the last build had another compiler or other flags.
mkdir "$folder/made"
printf 'said: said.cu\n\tnvcc -o $@ $<\n' >"$folder/made/Makefile"
cat >"$folder/made/said.cu" <<'END'
#include <stdio.h>
#ifndef WORD
#define WORD ""
#endif
int main() {
#ifdef __clang__
  puts("clang" WORD);
#else
  puts("nvcc" WORD);
#endif
}
END
folders() {
  plays "$compiler" DIR="$folder/made"
  sed -i 's/nvcc -o/$(NVCC) -o/' "$folder/made/Makefile"
  plays "$compiler again" DIR="$folder/made" FLAGS='-DWORD="\" again\""'
  sed -i 's/$(NVCC) -o/nvcc -o/' "$folder/made/Makefile"
  touch "$folder/made/said"
  plays "$compiler" DIR="$folder/made"
}

# ---- variables of several files ------------------------------------------------------------------
echo '__managed__ unsigned shared; __device__ int base = 5; __global__ void twice() { shared *= 2; }' >"$folder/defines.cu"
cat >"$folder/uses.cu" <<'END'
#include <stdio.h>
extern __managed__ unsigned shared;
extern __device__ int base;
__global__ void twice();
__global__ void add() { shared += base; }
int main() {
  shared = 4;
  twice<<<1, 1>>>();
  add<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("%u\n", shared);
}
END
cat >"$folder/alone.cu" <<'END'
extern __device__ int base;
__global__ void use(int *to) { *to = base; }
int main() {
  int *to;
  cudaMalloc(&to, 4);
  use<<<1, 1>>>(to);
  return cudaDeviceSynchronize() || cudaFree(to);
}
END
variables() {
  plays 13 FILE="$folder/uses.cu $folder/defines.cu" FLAGS=-rdc=true
  # nvcc treats this declaration as a definition.
  [ "$compiler" = nvcc ] || refused 'compiled with -rdc=true' FILE="$folder/alone.cu"
}

# ---- headers -------------------------------------------------------------------------------------
cat >"$folder/types.cu" <<'END'
#include <cublas_v2.h>
#include <cuda.h>
#include <library_types.h>
static void CUDA_CB done(void *) {}
int main() {
  CUhostFn function = done;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
  CUipcMemHandle handle;
  CUmemAllocationHandleType kind = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUmemLocation place = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  cudaDataType types[] = {CUDA_C_16F, CUDA_C_8I, CUDA_C_16BF, CUDA_R_4I, CUDA_R_8F_E5M2};
  printf("%d %d %d %d %d %d %d\n", function == done, mode, (int)sizeof handle, kind, place.type, types[0] + types[2], types[4]);
}
END
sed -i '1i #include <stdio.h>' "$folder/types.cu"
# Compares the results of the toolkit's occupancy calculator and of the runtime, on a few cards.
cat >"$folder/occupancy.cu" <<'END'
#include <cuda_occupancy.h>
#include <stdio.h>
__global__ void light(int *to) { *to = 1; }
__global__ void heavy(float *to) {
  __shared__ float tile[40 * 256];
  float sum[24];
  tile[threadIdx.x] = to[threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 24; i++)
    sum[i] = tile[(threadIdx.x * (i + 1)) % 256];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 24; i++)
    to[i * 256 + threadIdx.x] = sum[i] * sum[(i * 7 + 3) % 24];
}
template <class Kernel> int differs(Kernel *kernel, int block, size_t shared) {
  cudaDeviceProp card;
  cudaFuncAttributes attributes;
  cudaGetDeviceProperties(&card, 0);
  cudaFuncGetAttributes(&attributes, kernel);
  cudaOccDeviceProp device(card);
  cudaOccFuncAttributes function(attributes);
  cudaOccDeviceState state;
  cudaOccResult result;
  int blocks = 0;
  cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, block, shared);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, shared);
  if (error || result.activeBlocksPerMultiprocessor != blocks)
    printf("block %d, %zu bytes: %d, the runtime says %d\n", block, shared, result.activeBlocksPerMultiprocessor, blocks);
  return error || result.activeBlocksPerMultiprocessor != blocks;
}
int main() {
  int wrong = 0, grid = 0, block = 0;
  for (int size : {1, 32, 96, 256, 500, 1024})
    for (size_t shared : {0, 1000, 8000})
      wrong += differs(light, size, shared) + differs(heavy, size, shared);
  cudaDeviceProp card;
  cudaGetDeviceProperties(&card, 0);
  cudaOccDeviceProp device(card);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, light);
  cudaOccFuncAttributes function(attributes);
  cudaOccDeviceState state;
  wrong += cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &device, &function, &state) != CUDA_OCC_SUCCESS;
  wrong += grid * block != card.maxThreadsPerMultiProcessor * card.multiProcessorCount;
  function.sharedSizeBytes = 1024;
  function.maxDynamicSharedSizeBytes = card.sharedMemPerMultiprocessor;
  size_t bytes = 0;
  wrong += cudaOccAvailableDynamicSMemPerBlock(&bytes, &device, &function, &state, 3, 128) != CUDA_OCC_SUCCESS;
  wrong += bytes > card.sharedMemPerMultiprocessor / 3 || bytes + 2048 < card.sharedMemPerMultiprocessor / 3;
  puts(wrong ? "differs" : "agrees");
}
END
headers() {
  plays '1 1 64 1 1 21 29' FILE="$folder/types.cu"
  # With nvcc one card is enough, because the front end does not depend on the card.
  cards='h200 a100 rtx3060 rtx4060-laptop t4'
  [ "$compiler" = clang ] || cards=h200
  for card in $cards; do
    plays agrees FILE="$folder/occupancy.cu" CARD=$card
  done
}

# ---- headers of NVIDIA's samples -----------------------------------------------------------
cat >"$folder/samples.cu" <<'END'
#include <cublas_v2.h>
#include <cuda.h>
#include <helper_cuda_drvapi.h>
#include <helper_functions.h>
#include <helper_math.h>
__global__ void turn(float3 *v, float4 *w, int2 *n) {
  float3 a = make_float3(1, 2, 2), b = make_float3(2.0f);
  *v = normalize(a) * 3.0f + reflect(a, make_float3(0, 0, 1)) + cross(a, b);
  *v += lerp(a, b, 0.5f);
  *w = clamp(make_float4(a, 9) / 2.0f, 1.0f, 2.0f) - make_float4(make_int4(1));
  *n = max(make_int2(3, 5), make_int2(4)) * 2 - make_int2(-fabs(make_float2(-1.5f, 2)));
}
int main(int argc, char **argv) {
  const char **words = (const char **)argv;
  int device = findCudaDevice(argc, words);
  float3 *v;
  float4 *w;
  int2 *n;
  checkCudaErrors(cudaMallocManaged(&v, sizeof *v));
  checkCudaErrors(cudaMallocManaged(&w, sizeof *w));
  checkCudaErrors(cudaMallocManaged(&n, sizeof *n));
  StopWatchInterface *timer = NULL;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  turn<<<1, 1>>>(v, w, n);
  getLastCudaError("turn");
  checkCudaErrors(cudaDeviceSynchronize());
  sdkStopTimer(&timer);
  float expected[3] = {3.5f, 8, 0}, bad[3] = {3.5f, NAN, 0}, *back = NULL;
  unsigned char picture[12] = {0, 51, 255};
  unsigned width = 0, height = 0;
  char *name = NULL;
  int right = device == 0 && sdkCompareL2fe(expected, &v->x, 3, 1e-6f) && !sdkCompareL2fe(bad, &v->x, 3, 1e-6f);
  right += w->x == 0 && w->w == 1 && n->x == 9 && n->y == 12 && length(make_float2(3, 4)) == 5;
  right += sdkGetTimerValue(&timer) > 0 && getCmdLineArgumentInt(argc, words, "n") == 5 && !checkCmdLineFlag(argc, words, "nn");
  right += getCmdLineArgumentString(argc, words, "file", &name) && sdkSavePGM(name, picture, 4u, 3u);
  right += sdkLoadPGM(name, &back, &width, &height) && width == 4 && height == 3 && back[1] == 0.2f && back[2] == 1;
  free(back);
  sdkDeleteTimer(&timer);
  checkCudaErrors(cudaFree(v));
  checkCudaErrors(cudaFree(w));
  checkCudaErrors(cudaFree(n));
  printf("%d right\n", right);
  checkCudaErrors(cudaSetDevice(right == 5 && checkCmdLineFlag(argc, words, "fail") ? 99 : 0));
}
END
samples() {
  plays '5 right' FILE="$folder/samples.cu" ARGS="-n=5 --file=$folder/picture.pgm"
  refused 'code=101(cudaErrorInvalidDevice) "cudaSetDevice' FILE="$folder/samples.cu" ARGS="-n=5 -file=$folder/picture.pgm -fail"
}

# ---- hints, and errors for which no hint is right --------------------------------------------
hinted() { # WORDS or "", TEXT OF A PROGRAM
  printf '%s\n' "$2" >"$folder/hinted.cu"
  said=$("$cc" --lockstep-compiler "$compiler" -o "$folder/hinted" "$folder/hinted.cu" 2>&1)
  case $1:$said in
  :*lockstep:*) complain "no hint expected for: $2" "$said" ;;
  *) case $said in *"$1"*) ;; *) complain "expected '$1' for: $2" "$said" ;; esac ;;
  esac
}
hints() {
  own='__device__ double atomicAdd(double *a, double v) { return *a + v; }
int main() {}'
  hinted 'CUDA has this atomic function itself' "#if __CUDA_ARCH__ < 600
${own%int*}
#endif
int main() {}"
  hinted '' "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
${own%int*}
#endif
int main() {}"
  hinted '' '__device__ float atomicMaximum(float *a) { return *a; }
__device__ float atomicMaximum(float *b) { return *b; }
int main() {}'
  hinted "is of NVIDIA's samples" '#include <helper_gl.h>
int main() {}'
  [ "$compiler" = nvcc ] || hinted 'of the driver API' '#include <cuda.h>
int main() { CUmulticastObjectProp p; }'
  hinted '' 'int main() { return undeclared; }'
}
# A stub of an installed thrust: host_vector is in one of its headers, universal_vector in none.
mkdir -p "$folder/installed/thrust"
echo 'namespace thrust { struct plus {}; }' | tee "$folder/installed/thrust/version.h" >"$folder/installed/thrust/functional.h"
echo 'namespace thrust { struct host_vector {}; }' >"$folder/installed/thrust/host_vector.h"
names() {
  [ "$compiler" = clang ] || return # because nvcc has its own thrust
  export CPATH="$folder/installed"
  hinted 'thrust::host_vector is in <thrust/host_vector.h>' '#include <thrust/functional.h>
int main() { thrust::host_vector v; }'
  hinted 'thrust::universal_vector is newer' '#include <thrust/functional.h>
int main() { thrust::universal_vector v; }'
  unset CPATH
}

# ---- constants: 64 KB is the maximum --------------------------------------------------------
cat >"$folder/constants.cu" <<'END'
#include <stdio.h>
__constant__ float first[8192];
__constant__ float second[N];
__global__ void read(float *to, int i) { *to = first[i] + second[i]; }
int main() {
  float one = 1, two = 2, sum = 0, *to;
  cudaMemcpyToSymbol(first, &one, sizeof one, 4 * 8191);
  cudaMemcpyToSymbol(second, &two, sizeof two, 4 * 8191);
  cudaMalloc(&to, sizeof sum);
  read<<<1, 1>>>(to, 8191);
  cudaMemcpy(&sum, to, sizeof sum, cudaMemcpyDeviceToHost);
  cudaFree(to);
  printf("%g\n", sum);
}
END
constants() {
  plays 3 FILE="$folder/constants.cu" FLAGS=-DN=8192
  refused 'too much global constant data (0x10004 bytes, 0x10000 max)' FILE="$folder/constants.cu" FLAGS=-DN=8193
}

for compiler; do
  options
  files
  folders
  variables
  headers
  samples
  registers
  hints
  names
  constants
done
exit $failed
