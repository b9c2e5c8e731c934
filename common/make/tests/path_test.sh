#!/bin/sh
# Tests the commands of a workbook in a folder whose path has blanks, brackets, quotes and letters
# of other alphabets. Compiled objects are copied from this workbook.
#
#   path_test.sh      (BUILD from the environment)
: "${BUILD:=build}"

unset MAKEFLAGS MFLAGS MAKELEVEL SUBMISSIONS CLASS LAUNCH AGAIN ONLY LABS
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT || exit 2
book="$scratch/Мои файлы/lab (1) & more [it's] \"a\"; #1"
said=$scratch/said
failed=0

fail() {
  failed=1
  echo "$1"
  sed 's/^/    /' "$said"
}

# ---- the folder ----------------------------------------------------------------------------------
sh common/make/tests/copy.sh "$book" || exit 2
unset BUILD
cd "$book" || exit 2
mkdir 'my programs' && cat >any.cu <<'END'
#include <cuda_runtime.h>
#include <stdio.h>
__global__ void add(int *sum, int a, int b) { *sum = a + b; }
int main() {
  int sum = 0, *there;
  cudaMalloc(&there, sizeof sum);
  add<<<1, 1>>>(there, 40, 2);
  cudaMemcpy(&sum, there, sizeof sum, cudaMemcpyDeviceToHost);
  printf("the sum is %d\n", sum);
  return cudaFree(there) != cudaSuccess;
}
END
cp any.cu 'my programs/sum.cu'
printf 'sum: sum.cu\n\t$(NVCC) -o $@ $<\n' >'my programs/Makefile'

# ---- commands in this folder ------------------------------------------------------------------------
door() { # STATUS WORDS ARGUMENT...: runs make, checks its exit status and words of its output
  wanted=$1 words=$2
  shift 2
  make "$@" >"$said" 2>&1 </dev/null
  status=$?
  [ $status = "$wanted" ] && grep -qF -e "$words" "$said" || fail "make $*: exit status $status, expected $wanted and: $words"
}
door 1 'next: TODO(1), labs/01-naive/naive.cu:' lab01
door 1 'lab 01: naive matrix product' run01
door 0 'hint 1 of' hint01
door 0 'score 100/100' lab01 LABS=solutions
door 0 'score 100/100' lab01 "LABS=$PWD/solutions"
door 0 'profile of solutions/01-naive/naive.cu' profile01 LABS=solutions
door 0 'the page is build/view/solutions-01-naive.html' view01 LABS=solutions
door 0 'h200' predict01 LABS=solutions ARGS='--m 64'
door 0 'score 100/100' check-as-class01 LABS=solutions
# After the folder was moved, the file for clangd is written again with the current path.
echo '[{"directory": "/where/it/was"}]' >build/compile_commands.json && touch -d 2001-01-01 build/compile_commands.json
door 0 'the sum is 42' play FILE=any.cu
grep -q 'Мои файлы' build/compile_commands.json || fail 'clangd is told of a folder that was moved'
door 0 'the sum is 42' play FILE=any.cu FLAGS=-O3
door 0 'the sum is 42' play DIR='my programs'
door 0 'the sum is 42' play DIR='my programs' # the second time, the program is already built
door 2 'a path must not contain a blank' play FILE="my programs/sum.cu"
if command -v nvcc >/dev/null; then
  door 0 'the sum is 42' play FILE=any.cu CUDA_COMPILER=nvcc
  # This make reads the dependency file that nvcc has written.
  door 0 'the sum is 42' play FILE=any.cu CUDA_COMPILER=nvcc
  LOCKSTEP_COMPILER=nvcc build/bin/lockstep-cc -o sum any.cu >"$said" 2>&1 && ./sum >>"$said" 2>&1 && grep -q 'sum is 42' "$said" ||
    fail 'lockstep-cc, through nvcc'
fi
door 0 'profile of any.cu' profile FILE=any.cu
door 0 'the page is build/view/any.cu.html' view FILE=any.cu
door 0 'next: make' progress
build/bin/lockstep-cc -o sum any.cu >"$said" 2>&1 && ./sum >>"$said" 2>&1 && grep -q 'sum is 42' "$said" || fail 'lockstep-cc'
build/toolkit/bin/nvcc -c -o sum.o any.cu >"$said" 2>&1 && build/bin/host/g++ -o sum sum.o -lcudart >>"$said" 2>&1 && ./sum >>"$said" 2>&1 ||
  fail 'lockstep-cc -c, linked by the host'"'"'s compiler'

# ---- a class, and what is handed out -------------------------------------------------------------
if [ -d checker/intake ]; then
  { git init -q && git add -A && git -c user.name=test -c user.email=test@localhost commit -qm all; } >"$said" 2>&1 || fail 'git'
  door 0 'build/lockstep-handout.tar.gz' handout
  mkdir -p 'Abgaben (1)/Zoë [x] & y' && cp solutions/01-naive/naive.cu 'Abgaben (1)/Zoë [x] & y'
  build/checker/checker --sandbox=bwrap --try-sandbox 2>/dev/null || export SANDBOX=none
  door 0 '100/100' grade SUBMISSIONS='Abgaben (1)' ONLY=01
  handed_in=$(echo build/class/*/in/*)
  door 0 'score 100/100' lab01 LABS="$handed_in"
  door 0 'lab 01: naive matrix product' run01 LABS="$handed_in" ARGS='--variant kernel --size 33'
  door 2 'is a submission, which runs in a sandbox only' play FILE="$handed_in/01-naive/naive.cu"
  door 2 'is a submission, which runs in a sandbox only' play DIR="$PWD/$handed_in/01-naive"
fi
exit $failed
