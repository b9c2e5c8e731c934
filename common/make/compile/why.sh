#!/bin/sh
# why.sh LOG: explains a compiler's message about a program that is not a lab, in one line. Prints
# nothing if there is no explanation for it.

header=$(sed -n "s/^.*fatal error: '\{0,1\}\([^':]*\)'\{0,1\}\( file not found\|: No such file or directory\).*/\1/p" "$1" | head -n 1)
case $header in
'') ;;
cuda/* | thrust/* | cub/* | nv/target)
  echo "lockstep: <$header> is of NVIDIA's CUDA C++ libraries: \`make setup-libraries\` installs them" ;;
cuda_fp8.h | cuda_fp6.h | cuda_fp4.h)
  echo "lockstep: <$header>: floats of 8 bits and fewer need nvcc here: CUDA_COMPILER=nvcc, or LOCKSTEP_COMPILER=nvcc for lockstep-cc" ;;
helper_*.h | nvrtc_helper.h | rendercheck_*.h | cublas_utils.h | cufft_utils.h | curand_utils.h)
  echo "lockstep: <$header> is of NVIDIA's samples: FLAGS=-Ifolder names the folder of your copy (Common, utils) that has it" ;;
omp.h) echo "lockstep: <omp.h> belongs to the host's compiler: install it (Debian: apt-get install libomp-dev)" ;;
mpi.h) echo "lockstep: <mpi.h> is MPI's, which needs several processes: the emulated device belongs to one" ;;
cufft* | cudla.h | cublasXt.h | nvJitLink.h | nvvm.h | nvsci* | cusparse* | cusolver* | cudnn* | cutensor* | nccl* | npp* | nvjpeg* | cufile* | nvml* | cudss*)
  echo "lockstep: <$header>: this library is not emulated; cuBLAS, cuFFT and cuRAND are. Run the program on a GPU" ;;
d3d* | GL/* | GLFW/* | freeglut* | glut* | vulkan/* | EGL/* | cuda_gl_interop.h | cuda_d3d* | cuda_vk* | cudaEGL*)
  echo "lockstep: <$header>: the emulated device draws nothing on a screen" ;;
esac
while read -r word meant; do
  ! grep -q "\(identifier\|type name\|template named\|no member\) [\"']$word['\"]" "$1" || { echo "lockstep: $meant" && break; }
done <<'END'
cudaGraphConditionalHandle conditional nodes of graphs are not emulated: the host has to decide between two graphs
cudaThreadSynchronize cudaThreadSynchronize was taken out of CUDA 13, whose headers nvcc brings: cudaDeviceSynchronize is the same; clang takes both
__shfl[a-z_]* __shfl without a mask was taken out of CUDA 13, whose headers nvcc brings: __shfl_sync(0xffffffff, ...); clang takes both
\(clockRate\|memoryClockRate\|deviceOverlap\|kernelExecTimeoutEnabled\|computeMode\) cudaDeviceProp lost some members in CUDA 13, whose headers nvcc brings: cudaDeviceGetAttribute tells them; clang takes them
texture texture references were taken out of CUDA 12: cudaCreateTextureObject makes a texture
curandStateSobol[0-9a-zA-Z_]* cuRAND's quasi-random numbers (Sobol's) are not here: its pseudo-random ones are
curandSetQuasiRandomGeneratorDimensions cuRAND's quasi-random numbers (Sobol's) are not here: its pseudo-random ones are
cudaMemPoolPtrExportData memory shared between processes is not emulated: the emulated device belongs to one
\(CUBLAS_[A-Z0-9_]*EMULAT[A-Z0-9_]*\|cublasSet[A-Za-z]*Emulation[A-Za-z]*\) cuBLAS's emulation of precise numbers by short ones is not here: products are computed as precisely as their types
cublas[SDCZ]ge\(qrf\|ls\)Batched cuBLAS's QR factors are not here: LU factors (cublasSgetrfBatched) are
CUFFT_\(LICENSE_ERROR\|PARSE_ERROR\|INCOMPLETE_PARAMETER_LIST\) some of cuFFT's codes of errors were taken out of CUDA 13, whose headers nvcc brings; clang takes them
cufftCallback[A-Za-z0-9]* callbacks of cuFFT are not emulated: a kernel before or after the transform does the same
\(cufftXtSetGPUs\|cudaLibXtDesc\) transforms spread over several GPUs are not emulated: there is one device
\(CUmemAllocationProp\|cuMem\(Create\|Map\|AddressReserve\)\) memory that is mapped by hand (cuMemCreate, cuMemMap) is not emulated: cudaMalloc is
\(CU[a-z][A-Za-z0-9_]*\|CU_[A-Z0-9_]*\|CUDA_[A-Z0-9_]*\(PARAMS\|DESC\|DESCRIPTOR\)\|cu[A-Z][A-Za-z0-9_]*\) of the driver API, modules, launches, memory, copies, textures, streams and events are here, and not all of its types: the runtime API has more
END
# Explains an unknown name of thrust, cub or libcu++: the installed library does not have it, or the
# program does not include its header.
sed -n "s/^.*error: no \(member\|template\|type\) named '\([a-zA-Z_0-9]*\)' in namespace '\(cuda\|thrust\|cub\)\(::[^']*\)\{0,1\}'.*/\3 \3\4::\2 \2/p" "$1" | head -n 1 | while read -r library name last; do
  version=$(printf '#include <thrust/version.h>\n#include <cub/version.cuh>\n#include <cuda/std/version>\n' | grep "<$library/" |
    ${CXX:-c++} -x c++ -E - 2>/dev/null | sed -n "s|^# 1 \"\(.*\)/$library/[^/].*\".*|\1/$library|p" | head -n 1)
  holds=$(find -L "${version:-/nonexistent}" -name "$last" -o -name "$last.h" -o -name "$last.cuh" 2>/dev/null | head -n 1)
  if [ -n "$holds" ]; then
    echo "lockstep: $name is in <$library${holds#"$version"}>, which nothing here includes"
  elif ! grep -rqsw -e "$last" "${version:-/nonexistent}"; then
    echo "lockstep: $name is newer than the CUDA C++ libraries here: nvcc brings its own (CUDA_COMPILER=nvcc, or LOCKSTEP_COMPILER=nvcc for lockstep-cc)"
  fi
done
# If a kernel launches kernels or waits for them, only this explanation is printed, because the
# other errors follow from it.
if grep -q "reference to __global__ function .* in __\(global\|device\)__ function\|'cudaConfigureCall' in __" "$1"; then
  echo "lockstep: kernels that launch kernels (dynamic parallelism) need nvcc here: CUDA_COMPILER=nvcc FLAGS=-rdc=true, or LOCKSTEP_COMPILER=nvcc for lockstep-cc -rdc=true"
  exit
elif grep -q "kernel launch from __device__ or __global__" "$1"; then
  echo "lockstep: kernels that launch kernels are compiled with -rdc=true: FLAGS=-rdc=true for make"
  exit
elif grep -q "__host__ function(\"cudaDeviceSynchronize\") from a __\(global\|device\)__" "$1"; then
  echo "lockstep: CUDA 12 took cudaDeviceSynchronize out of kernels: what has to wait for other kernels is launched behind them, into cudaStreamTailLaunch"
  exit
fi
# These explanations are also used in the verdicts of labs (checker/facts/compile.c).
advise() { # WORDS OF A COMPILER
  while IFS=';' read -r words meant; do
    ! printf '%s\n' "$1" | grep -q "\(error\|note\|operand types are\): .*\($words\)" || { echo "lockstep: $meant" && return; }
  done <<'END'
redefinition of 'atomic\(Add\|Sub\|Exch\|Min\|Max\|Inc\|Dec\|CAS\|And\|Or\|Xor\)'\|function "atomic\(Add\|Sub\|Exch\|Min\|Max\|Inc\|Dec\|CAS\|And\|Or\|Xor\)(.* has already been defined;CUDA has this atomic function itself. An own one for older GPUs belongs behind #if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600: the half for the host is compiled, too, and has no __CUDA_ARCH__.
redeclaration of '[A-Za-z_0-9]*' with a different type: '[^']*\[]'\|declaration is incompatible with previous "[A-Za-z_0-9]*" (declared;All extern __shared__ arrays are one piece of memory, and one name has one type. In a template: extern __shared__ unsigned char memory[]; T *s = (T *)memory;
__shared__ variable '[A-Za-z_0-9]*' cannot be 'extern';clang takes extern __shared__ of arrays only: extern __shared__ Name all[]; and all[0] is the variable. nvcc takes both: CUDA_COMPILER=nvcc, or LOCKSTEP_COMPILER=nvcc for lockstep-cc
for call to 'cudaMalloc'\|function "cudaMalloc\|with parameter of type "void \*\*";cudaMalloc takes the address of a pointer variable, and the number of bytes: cudaMalloc(&d_a, bytes)
for call to 'cudaMemcpy\|\(HostToDevice\|DeviceToHost\)['"];The arguments of cudaMemcpy are the destination, the source, the number of bytes, and the direction: cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost
__cuda_builtin_\|const uint3;blockIdx, blockDim, threadIdx and gridDim have three parts each: .x, .y and .z
subscripted value is not\|must have pointer-to-object type;One subscript belongs to one pointer: a matrix in a float * has the element m[row * columns + column]
calling a __host__ function(.*) from a __\|reference to __host__ function '[^']*' in __\|call to __host__ function from __;Device code can call only functions that are declared __device__. Declare this one __device__, or __host__ __device__ if the host calls it, too. The C++ library's functions are the host's.
\(_global\|_shared\|_global_\|_shared_\|_device\|_device_\|_constant\|_constant_\)['"];These words of CUDA have two underscores at both ends: __global__, __shared__, __device__, __constant__
void return type;A kernel returns nothing. It stores its results in memory that a pointer leads to.
reference to __host__ variable '[A-Za-z_0-9]*' in __\(global\|device\)__\|identifier "[A-Za-z_0-9:]*" is undefined in device code;A kernel cannot use a variable of the host. Pass its value as an argument, or declare it __device__ or __constant__ and set it with cudaMemcpyToSymbol.
__host__ __device__ function '[A-Za-z_0-9]*' cannot overload __host__ function;clang wants __host__ and __device__ at the first declaration of a function too. nvcc takes both: CUDA_COMPILER=nvcc, or LOCKSTEP_COMPILER=nvcc for lockstep-cc
texture is not a template;texture references were taken out of CUDA 12: cudaCreateTextureObject makes a texture
convert from "int" to "cudaMemLocation";cudaMemPrefetchAsync and cudaMemAdvise take a cudaMemLocation in CUDA 13, whose headers nvcc brings; clang takes a device's number, too
with an rvalue of type 'void \*'\|incompatible type 'void \*'\|"void \*" cannot be;A .cu file is C++, where the result of malloc needs a cast: float *a = (float *)malloc(bytes).
not configured\|call must be configured;A launch is written name<<<grid, block>>>(...): first how many blocks, then how many threads in each block.
initialization is not supported for __shared__;shared variables with a constructor need nvcc here: CUDA_COMPILER=nvcc, or LOCKSTEP_COMPILER=nvcc for lockstep-cc
expected unqualified-id\|function definition is not allowed here\|expected a declaration;A } may be missing above that line, or there is one too many. Each { needs one }.
END
  return 1
}
# Explains the first error or, if there is no explanation for it, a later error.
advise "$(awk '/error: / { n++ } n < 2' "$1")" || advise "$(cat "$1")"
