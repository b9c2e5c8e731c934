#!/bin/sh
# Tests make play: several files, flags, data and headers in the folder of the program; folders with
# and without a Makefile; and the messages if a program cannot be built.
#
#   BUILD=build play_test.sh

unset MAKEFLAGS MAKELEVEL MFLAGS
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
failed=0
export DEVICE=emulated CUDA_COMPILER=clang

expect() { # STATUS, WORDS or "", ARGUMENT OF MAKE...
  status=$1 words=$2
  shift 2
  said=$(make -s play BUILD="$BUILD" "$@" 2>&1)
  code=$?
  [ $code = "$status" ] && case $said in *"$words"*) return ;; esac
  echo "make play $*: status $code, expected $status and '$words'"
  echo "$said" | sed 's/^/    /'
  failed=1
}

expect 0 '1000 of 1000 sums are right' FILE=slides/data/add.cu # includes lab.h, like the README's first program

mkdir "$folder/include" "$folder/made" "$folder/loose"
echo '#define OFFSET 5' >"$folder/include/offset.h"
echo 20 >"$folder/data.txt"
cat >"$folder/main.cu" <<'END'
#include <offset.h>
#include <stdio.h>
extern "C" int twice(int);
int from_device(int);
int main(int count, char **words) {
  int number = 0;
  FILE *data = fopen("data.txt", "r");
  if (!data || fscanf(data, "%d", &number) != 1)
    return 3;
  printf("made %d of %s\n", from_device(twice(number) + OFFSET + MORE), count > 1 ? words[1] : "nothing");
}
END
cat >"$folder/kernel.cu" <<'END'
__global__ void pass(int *to, int value) { *to = value; }
int from_device(int value) {
  int *to, back = 0;
  cudaMalloc(&to, sizeof back);
  pass<<<1, 1>>>(to, value);
  cudaMemcpy(&back, to, sizeof back, cudaMemcpyDeviceToHost);
  cudaFree(to);
  return back;
}
END
echo 'int twice(int x) { return 2 * x; }' >"$folder/host.c"
cat >"$folder/mistake.cu" <<'END'
__global__ void past(int *to) { to[100] = 1; }
int main(int count, char **) {
  int *to;
  cudaMalloc(&to, sizeof *to);
  past<<<1, 1>>>(to);
  cudaDeviceSynchronize();
  return count > 1 ? 7 : 0;
}
END
# Code with chevrons that old formatters have split (chevrons.sh). The program prints a line number,
# which must not change.
cat >"$folder/spaced.cu" <<'END'
#include <stdio.h>
#include <vector>
__global__ void pass(int *to) { __shared__ alignas(alignof(int4)) unsigned lane[4]; asm volatile("mov.u32 %0, %laneid;" : "=r"(lane[0])); *to = 7 + (lane[0] ^ 5); }
int main() {
  std::vector<std::vector<int> > nothing;
  int *to;
  cudaMalloc(&to, sizeof *to);
  pass << < 1, 1 >> >(to); pass<<<1, 1>> >(to);
  printf("line %d: %s\n", __LINE__, cudaGetErrorString(cudaDeviceSynchronize()));
  register int seen;
  cudaMemcpy(&seen, to, sizeof seen, cudaMemcpyDeviceToHost);
  cudaFree(to);
  return seen ^ 12;
}
END
# Strings and comments that look like such code must not be changed.
cat >"$folder/held.cu" <<'END'
#include <stdio.h>
__global__ void pass(int *to) { asm("mov.u32 %0, %laneid;" : "=r"(*to)); } // %laneid; << <
int main() {
  const char *raw = R"(mov.u32 %r1, %tid.x; k<< <
1>> >)", *text = "%laneid; << < >> >", *more = "one\
%tid.x;<< <";
  int *to, n = 1'000, quote = '"';
  cudaMalloc(&to, sizeof *to);
  pass << <1, 1>> >(to);
  cudaDeviceSynchronize();
  cudaFree(to);
  printf("%s|%s|%s|%d%c\n", raw, text, more, n, quote);
}
END
cp "$folder/kernel.cu" "$folder/loose"
cp "$folder/kernel.cu" "$folder/made"
# A CMakeLists.txt with the parts that most programs use: a list of files and include folders.
mkdir -p "$folder/cmake/src" "$folder/cmake/inc"
cat >"$folder/cmake/CMakeLists.txt" <<'END'
project(one LANGUAGES CXX CUDA) # one program
add_executable(one
  src/main.cpp
  ${CMAKE_CURRENT_SOURCE_DIR}/src/kernel.cu)
target_include_directories(one PRIVATE
  inc)
END
cp "$folder/kernel.cu" "$folder/cmake/src"
echo '#define NUMBER 43' >"$folder/cmake/inc/number.h"
cat >"$folder/cmake/src/main.cpp" <<'END'
#include <cuda_runtime.h>
#include <cuComplex.h>
#include <number.h>
#include <nvToolsExtCuda.h>
#include <nvToolsExtCudaRt.h>
#include <stdio.h>
int from_device(int);
int main() { return printf("by CMake: %d\n", from_device(NUMBER)) < 0; }
END
mkdir "$folder/later"
cat >"$folder/later/CMakeLists.txt" <<'END'
add_executable(later main.cpp)
set(LOADED "${CMAKE_CURRENT_BINARY_DIR}/kernel64.fatbin")
set(KERNEL "${CMAKE_CURRENT_SOURCE_DIR}/loaded.cu")
add_custom_command(
    OUTPUT ${LOADED}
    COMMAND ${CMAKE_CUDA_COMPILER} ${INCLUDES} -Wno-deprecated-gpu-targets -o ${LOADED} -fatbin ${KERNEL}
    DEPENDS ${KERNEL}
)
END
echo 'extern "C" __global__ void later(int *to) { *to = 44; }' >"$folder/later/loaded.cu"
cat >"$folder/later/main.cpp" <<'END'
#include <cuda.h>
#include <stdio.h>
int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction later;
  CUdeviceptr to;
  int back = 0;
  cuInit(0), cuDeviceGet(&device, 0), cuCtxCreate(&context, nullptr, 0, device);
  if (cuModuleLoad(&module, "kernel64.fatbin") || cuModuleGetFunction(&later, module, "later"))
    return 1;
  cuMemAlloc(&to, sizeof back);
  void *arguments[] = {&to};
  cuLaunchKernel(later, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
  cuMemcpyDtoH(&back, to, sizeof back);
  cuMemFree(to);
  printf("loaded later: %d\n", back);
}
END
cat >"$folder/made/main.cpp" <<'END'
#include <cuda_runtime.h>
#include <stdio.h>
int from_device(int);
int main() { return printf("by a Makefile: %d\n", from_device(42)) < 0; }
END
sed 's/by a Makefile/by itself/' "$folder/made/main.cpp" >"$folder/loose/main.cpp"
cat >"$folder/made/Makefile" <<'END'
NVCC = /usr/local/cuda/bin/nvcc
program: main.o kernel.o
	g++ -o $@ $^ -L/usr/local/cuda/lib64 -lcudart -lm
main.o: main.cpp
	g++ -I/usr/local/cuda/include -O2 -c -o $@ $<
kernel.o: kernel.cu
	$(NVCC) -std=c++11 -O3 --use_fast_math -gencode arch=compute_50,code=\"sm_50,compute_50\" -Xcompiler -Wall,-fPIC \
	  --ptxas-options=-v -maxrregcount 32 -dc -o $@ -c $<
END

# A Makefile that runs the Makefiles of subfolders.
mkdir -p "$folder/above"
cp -r "$folder/made" "$folder/above/below"
sed -i -e 's/^NVCC = .*/include ..\/where/' -e 's/$(NVCC)/$(CUDA_DIR)\/bin\/nvcc/' "$folder/above/below/Makefile"
echo 'CUDA_DIR = /usr/local/cuda' >"$folder/above/where"
printf 'all:\n\tcd below; make\n' >"$folder/above/Makefile"

expect 0 'made 48 of things' FILE="$folder/main.cu $folder/kernel.cu $folder/host.c" \
  FLAGS="-I$folder/include -DMORE=3" ARGS=things
expect 0 'made 49 of nothing' FILE="$folder/main.cu $folder/kernel.cu $folder/host.c" FLAGS="-I$folder/include -DMORE=4"
expect 0 'by a Makefile: 42' DIR="$folder/made"
expect 0 'by a Makefile: 42' DIR="$folder/made" PROGRAM=program
expect 0 'by a Makefile: 42' DIR="$folder/above"
expect 0 'by itself: 42' DIR="$folder/loose"
expect 0 'by CMake: 43' DIR="$folder/cmake"
expect 0 'loaded later: 44' DIR="$folder/later"
expect 0 'line 9: no error' FILE="$folder/spaced.cu"
expect 0 'mov.u32 %r1, %tid.x; k<< <
1>> >|%laneid; << < >> >|one%tid.x;<< <|1000"' FILE="$folder/held.cu"
expect 1 'error: write out of bounds' FILE="$folder/mistake.cu"
expect 2 'Error 7' FILE="$folder/mistake.cu" ARGS=more
expect 1 "error: no main() in these files" FILE="$folder/kernel.cu"
expect 2 'a part of lab 01, not a program: type make run01' FILE=labs/01-naive/naive.cu
expect 2 'no such folder' DIR="$folder/elsewhere"
expect 2 'no CUDA file in it' DIR="$folder/include"
expect 2 'not a CUDA, C or C++ file' FILE="$folder/data.txt"

# A missing header or library gives a one-line message, with every compiler.
while IFS='|' read -r said words; do
  echo "$said" >"$folder/said"
  sh common/make/compile/why.sh "$folder/said" | grep -q "^lockstep: .*$words" || { echo "not explained: $said"; failed=1; }
done <<'END'
a.cu(3): error: identifier "cudaThreadSynchronize" is undefined|CUDA 13
a.cu(3): error: class "cudaDeviceProp" has no member "clockRate"|cudaDeviceGetAttribute
a.cu(3): error: identifier "__shfl_down" is undefined|__shfl_sync
a.cu:3:1: error: no template named 'texture'|cudaCreateTextureObject
a.cu(3): error: texture is not a template|cudaCreateTextureObject
a.cu(3): error: identifier "CUFFT_LICENSE_ERROR" is undefined|clang takes them
a.cu:3:1: error: unknown type name 'curandStateSobol32'|Sobol
a.cu:3:10: fatal error: 'cufft.h' file not found|not emulated
a.cu:3:12: error: unknown type name 'cufftCallbackLoadC'|callbacks
a.cu(3): error: identifier "cufftXtSetGPUs" is undefined|one device
a.cu(3): fatal error: cusparse.h: No such file or directory|not emulated
a.cu:3:36: error: no member named 'identity' in namespace 'cuda::std'|newer
a.cu(3): error: no suitable constructor exists to convert from "int" to "cudaMemLocation"|CUDA 13
a.cu(3): error: calling a __host__ function("cudaDeviceSynchronize") from a __global__ function("k") is not allowed|took cudaDeviceSynchronize
a.cu:3:1: error: initialization is not supported for __shared__ variables.|need nvcc
a.cu:3:1: error: redeclaration of 's' with a different type: 'double[]' vs 'float[]'|one name has one type
a.cu(3): error: declaration is incompatible with previous "s" (declared at line 4)|one name has one type
a.cu:3:1: error: __shared__ variable 'work' cannot be 'extern'|arrays only
a.cu:3:1: error: reference to __host__ variable 'factor' in __global__ function|as an argument
a.cu(3): error: identifier "factor" is undefined in device code|as an argument
a.cu(3): error: identifier "physics::factor" is undefined in device code|as an argument
a.cu:3:1: error: reference to __host__ function 'area' in __global__ function|declared __device__
a.cu:3:1: note: candidate function not viable: call to __host__ function from __global__ function|declared __device__
a.cu(3): error: calling a __host__ function("area(float)") from a __global__ function("k") is not allowed|declared __device__
a.cu:3:1: error: no matching function for call to 'cudaMalloc'|cudaMalloc(&d_a, bytes)
a.cu(3): error: argument of type "cudaMemcpyKind" is incompatible: 'cudaMemcpyHostToDevice'|the direction
a.cu:3:1: error: invalid operands to binary expression ('int' and 'const __cuda_builtin_threadIdx_t')|three parts
            operand types are: unsigned int + const uint3|three parts
a.cu:3:1: error: subscripted value is not an array, pointer, or vector|row \* columns
a.cu:3:1: error: unknown type name '__global'|two underscores
a.cu:3:1: error: kernel function type 'int ()' must have void return type|returns nothing
a.cu:3:1: error: __host__ __device__ function 'add' cannot overload __host__ function 'add'|first declaration
a.cu:3:1: error: reference to __host__ function 'cudaConfigureCall' in __global__ function|launch kernels (dynamic parallelism) need nvcc
END
cc=$(realpath "$BUILD/bin/lockstep-cc")
"$cc" -o "$folder/program" "$folder/nothing.cu" 2>&1 | grep -q 'nothing.cu: no such file' || { echo 'no word on a file that is not there'; failed=1; }
# Messages of the linker must also get a line of explanation.
explained() { # WORDS FILE...
  words=$1 && shift
  "$cc" -o "$folder/linked" "$@" 2>&1 | grep -q "^lockstep: .*$words" || { echo "the linker's words are not explained: $words"; failed=1; }
}
echo '#include "defined.h"' >"$folder/first.cu"
echo '__global__ void defined(int *) {}' >"$folder/defined.h"
printf '#include "defined.h"\nint main() { defined<<<1, 1>>>(nullptr); }\n' >"$folder/second.cu"
printf 'template <class T> void scale(T *);\nint main() { scale<int>(nullptr); }\n' >"$folder/template.cu"
printf 'void scale(int *);\nint main() { scale(nullptr); }\n' >"$folder/elsewhere.cu"
explained 'several files define' "$folder/first.cu" "$folder/second.cu"
explained 'into the header' "$folder/template.cu"
explained 'all files of the program' "$folder/elsewhere.cu"
# A library that the device does not have is only reported if the program calls it.
printf 'extern "C" int cusolverDnCreate(void **);\nint main() { return MAIN; }\n' >"$folder/named.cu"
"$cc" -DMAIN=0 -o "$folder/named" "$folder/named.cu" -lcusolver -lcusparse -lcufft && "$folder/named" || { echo 'a library that is only named'; failed=1; }
"$cc" '-DMAIN=cusolverDnCreate(0)' -o "$folder/named" "$folder/named.cu" -lcusolver 2>&1 | grep -q 'error: cuSOLVER is not emulated' ||
  { echo 'no word on a library that is not here'; failed=1; }
"$cc" -ptx -o "$folder/kernel.ptx" "$folder/kernel.cu" && grep -q '\.entry' "$folder/kernel.ptx" || { echo 'no PTX'; failed=1; }
cat >"$folder/table.cu" <<'END'
static __constant__ int table[2];
extern "C" __global__ void look(int *to) { *to = table[to[1]]; }
END
for compiler in clang $(command -v nvcc >/dev/null && echo nvcc); do
  "$cc" --lockstep-compiler $compiler -ptx -o "$folder/table.ptx" "$folder/table.cu" && grep -q '\.const.* table\[' "$folder/table.ptx" ||
    { echo "$compiler: no table in the PTX"; failed=1; }
done
# Functions that older programs call and that CUDA 13 has removed.
cat >"$folder/older.cu" <<'END'
#ifndef __clang__ // thrust comes with nvcc
struct Twice : thrust::unary_function<int, int> {
  result_type operator()(argument_type x) const { return 2 * x; }
};
#endif
__global__ void pass(int *to) { *to = __shfl(threadIdx.x + 4, 2) + __shfl_down(1, 1); }
int main() {
  int *to;
  cudaMallocManaged(&to, sizeof *to);
  cudaMemAdvise(to, sizeof *to, cudaMemAdviseSetPreferredLocation, 0);
  cudaMemPrefetchAsync(to, sizeof *to, 0);
  pass<<<1, 32>>>(to);
  cudaMemPrefetchAsync(to, sizeof *to, cudaCpuDeviceId, 0);
  int failed = cudaThreadSynchronize() != cudaSuccess || *to != 7;
  cudaFree(to);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  failed |= properties.clockRate <= 0 || properties.computeMode != 0 || !properties.deviceOverlap;
  cudaThreadExit();
  return failed;
}
END
for compiler in clang $(command -v nvcc >/dev/null && echo nvcc); do
  "$cc" --lockstep-compiler $compiler -w -o "$folder/older" "$folder/older.cu" && LOCKSTEP_STATUS=1 "$folder/older" ||
    { echo "$compiler: no program of before CUDA 13"; failed=1; }
done
# Host code with OpenMP. nvcc uses GCC and its OpenMP library. The library of clang may not be
# installed.
cat >"$folder/threads.cu" <<'END'
#include <omp.h>
int threads();
__global__ void count(int *to) { atomicAdd(to, 1); }
int main() {
  int *to, n = 0;
  cudaMallocManaged(&to, sizeof *to);
  *to = 0;
#pragma omp parallel num_threads(3) reduction(+ : n)
  n += omp_get_num_threads();
  count<<<1, n + threads()>>>(to);
  cudaDeviceSynchronize();
  n = *to;
  cudaFree(to);
  return n != 11;
}
END
cat >"$folder/more_threads.cpp" <<'END'
int threads() {
  int n = 0;
#pragma omp parallel num_threads(2)
#pragma omp atomic
  n++;
  return n;
}
END
for compiler in $(command -v clang >/dev/null && [ -e "$(clang -print-file-name=libomp.so)" ] && echo clang) $(command -v nvcc >/dev/null && echo nvcc); do
  "$cc" --lockstep-compiler $compiler -Xcompiler -fopenmp -o "$folder/threads" "$folder/threads.cu" "$folder/more_threads.cpp" &&
    LOCKSTEP_STATUS=1 "$folder/threads" || { echo "$compiler: no OpenMP"; failed=1; }
done
# CMake must accept lockstep-cc as nvcc and find a toolkit beside it.
if command -v cmake >/dev/null; then
  mkdir "$folder/asks"
  cat >"$folder/asks/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(asks LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_executable(asks main.cpp kernel.cu)
target_include_directories(asks PRIVATE "${CMAKE_SOURCE_DIR}/../cmake/inc")
target_link_libraries(asks CUDA::cudart)
END
  cp "$folder/kernel.cu" "$folder/cmake/src/main.cpp" "$folder/asks"
  printf 'all:\n\tmkdir -p build && cd build && cmake -DCMAKE_CXX_COMPILER=%s .. && cmake --build .\n' "$(command -v c++)" \
    >"$folder/asks/Makefile"
  expect 0 'by CMake: 43' DIR="$folder/asks"
fi
# Texture and surface references, which CUDA 12 has removed.
cat >"$folder/references.cu" <<'END'
#include <stdio.h>
typedef float real;
texture<real> numbers;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> image;
static texture<float4, cudaTextureType2D,
               cudaReadModeElementType> colours; // its mode in another line
surface<void, 2> canvas;
__global__ void fetch(float *to) {
  int i = threadIdx.x;
  to[i] = tex1Dfetch(numbers, i) + tex2D(image, i + 0.5f, 0.5f) + tex2D(colours, i / 4.0f, 0).w;
  surf2Dwrite(float(i), canvas, i * 4, 1);
}
int main() {
  float number[4] = {10, 20, 30, 40}, *on_device, *to, painted[8];
  unsigned char byte[4] = {0, 51, 255, 102};
  float4 colour[2] = {{0, 0, 0, 100}, {0, 0, 0, 300}};
  cudaArray_t bytes, colour_array, paint;
  cudaChannelFormatDesc of_bytes = cudaCreateChannelDesc<unsigned char>(), of_colours = cudaCreateChannelDesc<float4>(),
                        of_floats = cudaCreateChannelDesc<float>();
  cudaMalloc(&on_device, sizeof number);
  cudaMallocManaged(&to, sizeof number);
  cudaMallocArray(&bytes, &of_bytes, 4, 1);
  cudaMallocArray(&colour_array, &of_colours, 2, 1);
  cudaMallocArray(&paint, &of_floats, 4, 2, cudaArraySurfaceLoadStore);
  cudaMemcpy(on_device, number, sizeof number, cudaMemcpyHostToDevice);
  cudaMemcpy2DToArray(bytes, 0, 0, byte, 4, 4, 1, cudaMemcpyHostToDevice);
  cudaMemcpy2DToArray(colour_array, 0, 0, colour, sizeof colour, sizeof colour, 1, cudaMemcpyHostToDevice);
  cudaBindTexture(0, numbers, on_device, sizeof number);
  cudaBindTextureToArray(image, bytes);
  colours.normalized = true;
  colours.addressMode[0] = cudaAddressModeWrap;
  cudaBindTextureToArray(&colours, colour_array, &of_colours);
  cudaBindSurfaceToArray(canvas, paint);
  fetch<<<1, 4>>>(to);
  cudaMemcpy2DFromArray(painted, 16, paint, 0, 0, 16, 2, cudaMemcpyDeviceToHost);
  cudaUnbindTexture(numbers);
  cudaUnbindTexture(&colours);
  printf("%g %g %g %g, %g %g\n", to[0], to[1], to[2], to[3], painted[4], painted[7]);
  cudaFree(on_device), cudaFree(to), cudaFreeArray(bytes), cudaFreeArray(colour_array), cudaFreeArray(paint);
}
END
for compiler in clang $(command -v nvcc >/dev/null && echo nvcc); do
  "$cc" --lockstep-compiler $compiler -o "$folder/references" "$folder/references.cu" 2>/dev/null
  [ "$(LOCKSTEP_STATUS=1 "$folder/references")" = '110 120.2 331 340.4, 0 3' ] || { echo "$compiler: no texture references"; failed=1; }
done
# Device lambdas, which nvcc accepts only with an option.
cat >"$folder/lambda.cu" <<'END'
constexpr int seven() { return 7; }
template <class Body> __global__ void apply(int *to, Body body) { *to = body(seven()); }
int main() {
  int *to, more = 1;
  cudaMallocManaged(&to, sizeof *to);
  apply<<<1, 1>>>(to, [=] __device__(int x) { return x + more; });
  int failed = cudaDeviceSynchronize() != cudaSuccess || *to != 8;
  cudaFree(to);
  return failed;
}
END
for compiler in clang $(command -v nvcc >/dev/null && echo nvcc); do
  "$cc" --lockstep-compiler $compiler --extended-lambda --expt-relaxed-constexpr -o "$folder/lambda" "$folder/lambda.cu" &&
    LOCKSTEP_STATUS=1 "$folder/lambda" || { echo "$compiler: no lambda on the device"; failed=1; }
done
expect 0 '' FILE="$folder/lambda.cu" FLAGS='--extended-lambda --expt-relaxed-constexpr'
# Macros with which programs test whether the compiler is for CUDA.
printf '#if __CUDACC__ && __NVCC__\nint main() { return 0; }\n#endif\n' >"$folder/asked.cu"
"$cc" -o "$folder/asked" "$folder/asked.cu" || { echo 'clang is not known as CUDA'; failed=1; }
# The device only searches for races between streams in programs that can create a stream. This
# program cannot create a stream. Its host code reads memory that a kernel changes with system-wide
# atomics. This is not a race and must not be reported.
cat >"$folder/counted.cu" <<'END'
__global__ void count(int *most) { atomicAdd_system(most, 1); }
int main() {
  int *most;
#ifdef STREAM
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamDestroy(stream);
#endif
  cudaMallocManaged(&most, sizeof *most);
  *most = 0;
  count<<<4, 32>>>(most);
  for (int i = 0; i < 100; i++)
    __sync_fetch_and_add(most, 1);
  int failed = cudaDeviceSynchronize() != cudaSuccess || *most != 228;
  cudaFree(most);
  return failed;
}
END
"$cc" -o "$folder/counted" "$folder/counted.cu" && LOCKSTEP_STATUS=1 "$folder/counted" || { echo 'atomic operations of host and device'; failed=1; }
"$cc" -DSTREAM -o "$folder/counted" "$folder/counted.cu" && LOCKSTEP_STATUS=1 "$folder/counted" || { echo 'the same beside a stream'; failed=1; }
expect 1 'race' FILE=common/emulator/tests/mistakes/streams_memset_default.cu ARGS=wrong
# Tests a template kernel with a pipeline in shared memory, if libcu++ is installed.
cat >"$folder/pipeline.cu" <<'END'
#include <cooperative_groups.h>
#include <cuda/pipeline>
template <int THREADS> __global__ void through(int *to, const int *from) {
  __shared__ int tile[THREADS];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipeline = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  pipeline.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], &from[threadIdx.x], sizeof(int), pipeline);
  pipeline.producer_commit();
  pipeline.consumer_wait();
  to[threadIdx.x] = tile[THREADS - 1 - threadIdx.x];
  pipeline.consumer_release();
}
int main() {
  int *numbers;
  cudaMallocManaged(&numbers, 128 * sizeof(int));
  for (int i = 0; i < 128; i++)
    numbers[i] = i;
  through<64><<<1, 64>>>(numbers, numbers + 64);
  int failed = cudaDeviceSynchronize() != cudaSuccess || numbers[0] != 127 || numbers[63] != 64;
  cudaFree(numbers);
  return failed;
}
END
cat >"$folder/barrier.cu" <<'END'
#include <cooperative_groups.h>
#include <cuda/barrier>
__global__ void rounds(int *to) {
  __shared__ cuda::barrier<cuda::thread_scope_block> meet;
  __shared__ int number[64];
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0)
    init(&meet, block.size());
  block.sync();
  int sum = 0;
  for (int i = 0; i < 8; i++) {
    number[threadIdx.x] = i * threadIdx.x;
    auto token = meet.arrive();
    meet.wait(std::move(token));
    sum += number[63 - threadIdx.x];
    meet.arrive_and_wait();
  }
  to[threadIdx.x] = sum;
}
int main() {
  int *to;
  cudaMallocManaged(&to, 64 * sizeof(int));
  rounds<<<1, 64>>>(to);
  int failed = cudaDeviceSynchronize() != cudaSuccess;
  for (int i = 0; i < 64; i++)
    failed |= to[i] != 28 * (63 - i);
  cudaFree(to);
  return failed;
}
END
if [ -e "$BUILD/libcu++/cuda/pipeline" ]; then
  for clang in '' $(command -v clang-19); do # because clang 19 treats other code as undefined
    CLANG=$clang "$cc" -o "$folder/pipeline" "$folder/pipeline.cu" && LOCKSTEP_STATUS=1 "$folder/pipeline" ||
      { echo "no pipeline of a block ${clang:+by way of $clang}"; failed=1; }
    CLANG=$clang "$cc" -o "$folder/barrier" "$folder/barrier.cu" && (ulimit -t 60 && LOCKSTEP_STATUS=1 "$folder/barrier") ||
      { echo "no barrier of a block ${clang:+by way of $clang}"; failed=1; }
  done
fi
(cd "$folder" && "$cc" -cubin kernel.cu && grep -q '\.entry' kernel.cubin) || { echo 'nothing for -cubin'; failed=1; }
exit $failed
