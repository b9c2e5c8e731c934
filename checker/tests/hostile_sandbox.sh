#!/bin/sh
# Grades hostile submissions and prints one line for each. The exit status is 1 if a submission does
# not end as its comments say. Files in checker/tests/honest are not hostile and must get full
# marks.
#
#   hostile_sandbox.sh GRADING [FILE.cu]...      default: all of checker/tests/hostile
#
# A hostile file defines attack(), which runs before main. The script adds right kernels for lab 01,
# so the file gets the points of the kernels. The comments of a file are:
#   // expect: KIND | WHAT    the kind of the verdict, and the id of one of its sentences
#                             (say/sentences.def) or a part of the output of the program, a compiler
#                             or the device
#   // score: N               the points; default: 65 for the kernels, 30 with OWN_KERNEL, 0 if the
#                             file does not compile
#   // seconds: N              the limit for a run, default 30
#   // compile: N              the limit for the compiler in seconds, default 30
#   // budget: N               the limit for all runs in seconds, default 120
# KIND and N of the score may be several values, separated by /. In a file, @ROOT@, @BUILD@ and
# @HOME@ are replaced by the paths of the workbook, its build folder and the user's home, and
# @TOKEN@ by a random word. A successful attack prints BREACH. No report may contain BREACH or the
# path of the workbook. After the grading, no file hostile-@TOKEN@, no process left-@TOKEN@ and no
# temporary folder may exist.

grading=$1
shift
[ $# -gt 0 ] || set -- checker/tests/hostile/*.cu
scratch=$(mktemp -d) && token=$(od -An -N4 -tx4 /dev/urandom | tr -d ' ') && [ "$token" ] || exit 2
case ${BUILD:=build} in /*) build=$BUILD ;; *) build=$PWD/$BUILD ;; esac
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/tmp"
export HOSTILE_SECRET=1 # the sandbox must hide this variable
failed=0

refusal=$("$(sed -n 's/^checker=\([^ ]*\).*/\1/p' "$grading")" --try-sandbox --sandbox=bwrap 2>&1) || {
  echo "$refusal"
  exit 77
}

directive() { sed -n "s|^// $1: ||p" "$2"; }

plain() { printf %s "$1" | sed 's/[&|\\]/\\&/g'; } # escapes text for sed
whole() { # FILE
  sed -e "s|@ROOT@|$(plain "$PWD")|g" -e "s|@BUILD@|$(plain "$build")|g" -e "s|@HOME@|$(plain "$HOME")|g" \
    -e "s|@TOKEN@|$token|g" "$1"
  cat <<'END'

#include "lab.h"
extern "C" __global__ void scale(const real *in, real *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];
}
EXPORT_KERNEL(scale)
extern "C" __global__ void scale_matrix(const real *in, real *out, int rows, int columns) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < columns)
    out[row * columns + column] = 2 * in[row * columns + column];
}
EXPORT_KERNEL(scale_matrix)
extern "C" __global__ void turned(const real *in, real *out, int rows, int columns) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x)
    for (int column = threadIdx.x; column < columns; column += blockDim.x)
      out[row * columns + column] = 2 * in[row * columns + column];
}
EXPORT_KERNEL(turned)
#ifndef OWN_KERNEL
extern "C" __global__ void matmul(const real *A, const real *B, real *C, int m, int k, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  real sum = 0;
  if (row >= m || column >= n)
    return;
  for (int i = 0; i < k; i++)
    sum += A[row * k + i] * B[i * n + column];
  C[row * n + column] = sum;
}
#endif
EXPORT_KERNEL(matmul)
extern "C" cudaError_t matmul_on_device(const real *A, const real *B, real *C, int m, int k, int n) {
#ifdef WITH_THE_HOST_SIDE
  attack();
#endif
  return cudaSuccess;
}
#ifndef WITH_THE_HOST_SIDE
static volatile int attacked = attack();
#endif
END
}

traces() {
  for folder in "$PWD" "$build" "$HOME" /tmp "${TMPDIR:-/tmp}" /usr/lib /etc; do
    ls -d "$folder/hostile-$token" 2>/dev/null
  done
  ls -d "$scratch"/tmp/* 2>/dev/null
  grep -lsx "left-$token" /proc/[0-9]*/comm
}

said() { grep -qF -e "\"id\": \"$1\"" "$scratch/marks" || grep -qF -e "$1" "$scratch/report"; }
must_be() { # NAME "KIND | WHAT" SCORE
  kind=$(sed -n 's/^ *"kind": "\(..*\)",$/\1/p' "$scratch/marks" | head -n 1)
  score=$(sed -n 's/^  "score": \([0-9]*\).*/\1/p' "$scratch/marks")
  case /${2%% | *}/ in */"$kind"/*) right=yes ;; *) right= ;; esac
  case /$3/ in */"$score"/*) ;; *) right= ;; esac
  if [ "$right" ] && said "${2#* | }" && ! grep -qF -e BREACH -e "$PWD/" "$scratch/report" &&
    [ -z "$(traces)" ]; then
    echo "$1: $kind, $score points"
  else
    echo "$1: FAILED: $kind, $score points, expected $2, $3 points"
    sed 's/^/    /' "$scratch/report"
    traces
    failed=1
  fi
}

for file; do
  name=$(basename "$file" .cu)
  expect=$(directive expect "$file") score=$(directive score "$file")
  case $expect in not-compiled*) score=${score:-0} ;; *) score=${score:-$(grep -q OWN_KERNEL "$file" && echo 30 || echo 65)} ;; esac
  seconds=$(directive seconds "$file") compile=$(directive compile "$file") budget=$(directive budget "$file")
  sed -e "s/compile_seconds=[0-9]*/compile_seconds=${compile:-30}/" -e "s/ seconds=[0-9]*/ seconds=${seconds:-30}/" \
    -e "s/ budget=[0-9]*/ budget=${budget:-120}/" \
    "$grading" >"$scratch/grading"
  # An attack that names double is graded in double too, and so are the files in honest.
  case $file in
  checker/tests/hostile/*) grep -qw double "$file" || echo 'in_double= replay_in_double=' >>"$scratch/grading" ;;
  esac
  whole "$file" >"$scratch/source.cu"
  rm -f "$scratch/marks" "$scratch/report"
  TMPDIR=$scratch/tmp sh common/make/class/grade_one.sh "$scratch/grading" "$scratch/source.cu" "$scratch/marks" "$scratch/report" bwrap ||
    echo "$name: grade_one.sh ended with status $?"
  must_be "$name" "$expect" "$score"
done
exit $failed
