#!/bin/sh
# Finds the compilers and libraries of this machine and prints them as make variables.
#
#   probe.sh MACHINE      MACHINE is printed as PROBED_FOR; machine.mk compares it to detect a change
#
# machine.mk stores the output in build/config.mk, which `make setup` and `make clean` remove.

first_of() {
  for name; do
    if command -v "$name" >/dev/null 2>&1; then
      command -v "$name"
      return
    fi
  done
}

clang=$(first_of clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14)
nvcc=$(first_of nvcc /usr/local/cuda/bin/nvcc)
nvcc_flags=
if [ -n "$nvcc" ] && "$nvcc" --help 2>/dev/null | grep -q -e --compress-mode; then
  nvcc_flags=--compress-mode=none # because the emulator reads PTX as text
fi
# Finds cuBLAS, in CUBLAS_HOME or in the toolkit: its folder of headers and its library file.
cublas= cublas_headers=
if [ -n "$nvcc" ]; then
  toolkit=$(dirname "$(dirname "$(realpath "$nvcc")")")
  for home in ${CUBLAS_HOME:+"$CUBLAS_HOME"} "$toolkit" /usr/local/cuda /usr; do
    for file in "$home"/lib64/libcublas.so* "$home"/lib/x86_64-linux-gnu/libcublas.so* "$home"/lib/libcublas.so*; do
      if [ -z "$cublas" ] && [ -e "$file" ] && [ -e "$home/include/cublas_v2.h" ]; then
        cublas=$file cublas_headers=$home/include
      fi
    done
  done
fi
# Tests for GCC's libbacktrace, which finds the source lines of host code. Without it, reports about
# host code have no line numbers.
backtrace=
if echo '#include <backtrace.h>
  int main(void) { return !backtrace_create_state(0, 0, 0, 0); }' |
  ${CC:-cc} -x c - -o /dev/null -lbacktrace 2>/dev/null; then
  backtrace=-lbacktrace
fi
# Finds a linker that takes half of the time of the default linker.
linker=
for quick in '-fuse-ld=lld -Wl,--threads=1' -fuse-ld=gold; do
  if [ -z "$linker" ] && echo 'int main(void) { return 0; }' | ${CC:-cc} -x c - -o /dev/null $quick 2>/dev/null; then
    linker=$quick
  fi
done
# Finds the folder of NVIDIA's libcu++ (<cuda/barrier>, <cuda/atomic> and others).
libcuxx=$(echo '#include <cuda/std/version>' | c++ -x c++ -E - 2>/dev/null |
  sed -n 's|^# 1 "\(.*\)/cuda/std/version".*|\1|p' | head -n 1)

# Finds a BLAS library for the CPU, with which the emulated device implements cuBLAS.
blas=
for library in -lopenblas '-lblis -lpthread' '-lcblas -lblas'; do
  if [ -z "$blas" ] && echo '#include <cblas.h>
    int main(void) { return cblas_sdot(0, 0, 1, 0, 1) != 0; }' | ${CC:-cc} -x c -o /dev/null - $library 2>/dev/null; then
    blas=$library
  fi
done
gpu=
if [ -e /dev/nvidia0 ] || nvidia-smi -L >/dev/null 2>&1; then
  gpu=yes
fi

echo "PROBED_FOR := $(printf %s "$1" | sed -e 's/[$]/$$/g' -e 's/#/\\#/g')"
echo "CLANG_FOUND := $clang"
echo "NVCC_FOUND := $nvcc"
echo "NVCC_UNCOMPRESSED := $nvcc_flags"
echo "CUBLAS_FOUND := $cublas"
echo "CUBLAS_HEADERS := $cublas_headers"
echo "BLAS_FOUND := $blas"
echo "LIBCUXX_FOUND := $libcuxx"
echo "GPU_FOUND := $gpu"
echo "BACKTRACE := $backtrace"
echo "LINKER := $linker"
# The names of the compilers in verdicts, such as "clang 14" and "nvcc 13.0".
if [ -n "$clang" ]; then
  echo "CLANG_TITLE := clang $("$clang" -dumpversion | cut -d. -f1)"
fi
if [ -n "$nvcc" ]; then
  echo "NVCC_TITLE := nvcc $("$nvcc" --version | sed -n "s/.*release \([0-9.]*\).*/\1/p")"
fi
echo "PROCESSOR := $(uname -m)"
echo "CORES := $(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)"
# A checksum of what all objects depend on: the CPU (-march=native), the compilers, the libraries
# and the version of the handout. If it changes, everything is compiled again.
echo "TOOLS := $({
  ${CC:-cc} --version
  ${clang:-true} --version
  ${nvcc:-true} --version
  echo "$cublas$backtrace$blas$linker"
  grep -m1 -e '^flags' -e '^Features' /proc/cpuinfo
  cat HANDOUT
} 2>/dev/null | cksum)"
