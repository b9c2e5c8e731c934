#!/bin/sh
# What is behind a compiler's words about a program of others, in one line: why.sh LOG. Nothing, where the words say it.

header=$(sed -n "s/^.*fatal error: '\{0,1\}\([^':]*\)'\{0,1\}\( file not found\|: No such file or directory\).*/\1/p" "$1" | head -n 1)
case $header in
'') ;;
cuda/* | thrust/* | cub/* | nv/target)
  echo "lockstep: <$header> is of NVIDIA's CUDA C++ libraries: \`make setup-libraries\` installs them" ;;
cuda_fp8.h | cuda_fp6.h | cuda_fp4.h)
  echo "lockstep: <$header>: floats of 8 bits and fewer need nvcc here: CUDA_COMPILER=nvcc, or LOCKSTEP_COMPILER=nvcc for lockstep-cc" ;;
omp.h) echo "lockstep: <omp.h> belongs to the host's compiler: install it (Debian: apt-get install libomp-dev)" ;;
mpi.h) echo "lockstep: <mpi.h> is MPI's, which needs several processes: the emulated device belongs to one" ;;
cufft* | cusparse* | cusolver* | cudnn* | cutensor* | nccl* | npp* | nvjpeg* | cufile* | nvml* | cudss*)
  echo "lockstep: <$header>: this library is not emulated; cuBLAS and cuRAND are. Run the program on a GPU" ;;
GL/* | GLFW/* | freeglut* | glut* | vulkan/* | EGL/* | cuda_gl_interop.h | cuda_d3d* | cuda_vk* | cudaEGL*)
  echo "lockstep: <$header>: the emulated device draws nothing on a screen" ;;
esac
while read -r word meant; do
  ! grep -q "\(identifier\|type name\) [\"']$word" "$1" || echo "lockstep: $meant"
done <<'END'
cudaGraphConditionalHandle conditional nodes of graphs are not emulated: the host has to decide between two graphs
cublasLtMatmul cublasLt has its handle alone here: cublasGemmEx multiplies
CUtexObject textures of the driver API are not emulated: those of the runtime API are
CUmemGenericAllocationHandle memory that is mapped by hand (cuMemCreate, cuMemMap) is not emulated: cudaMalloc is
END
# What a lab's verdict says too (checker/run/compile.c), for who starts with a program of their own.
while IFS=';' read -r words meant; do
  ! grep -q "error: .*\($words\)" "$1" || echo "lockstep: $meant"
done <<'END'
with an rvalue of type 'void \*'\|incompatible type 'void \*'\|"void \*" cannot be;a .cu file is C++: cast what malloc gives, float *a = (float *)malloc(bytes)
not configured\|call must be configured;name<<<grid, block>>>(...) launches a kernel: with its blocks, and the threads in each
expected unqualified-id\|function definition is not allowed here\|expected a declaration;perhaps a } is missing above that line, or there is one too many
END
if grep -q "reference to __global__ function .* in __\(global\|device\)__ function\|kernel launch from __device__ or __global__" "$1"; then
  echo "lockstep: a kernel that launches kernels (dynamic parallelism) is not emulated: launch them from the host"
fi
