#!/bin/sh
# Tests kernels that launch kernels: children/right.cu computes the right results, and the mistakes
# in children/wrong.cu are reported.
#
#   BUILD=build children.sh COMPILER...    clang, nvcc; only nvcc compiles such kernels

unset MAKEFLAGS MAKELEVEL MFLAGS
case " $* " in *' nvcc '*) ;; *) echo 'no nvcc here'; exit 77 ;; esac
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
make -s lockstep-cc BUILD="$BUILD" >/dev/null || exit 2
cc=$(realpath "$BUILD/bin/lockstep-cc") children=$(realpath "$(dirname "$0")/children")
export LOCKSTEP_COMPILER=nvcc
cd "$folder" || exit 2
failed=0
complain() {
  echo "$1"
  echo "$said" | sed 's/^/    /'
  failed=1
}

"$cc" -rdc=true -lineinfo -o right "$children/right.cu" -lcudadevrt && "$cc" -rdc=true -lineinfo -o wrong "$children/wrong.cu" ||
  complain "$children"
for settings in LOCKSTEP_WORKERS=1 LOCKSTEP_WORKERS=2 LOCKSTEP_SEED=7 LOCKSTEP_CHECKS=0; do
  said=$(env $settings ./right 2>&1)
  [ "$said" = ok ] || complain "right.cu, $settings"
done
mistake() { # WHICH ANSWER WORDS...: the program's answer, and words in the device's reports
  said=$(LOCKSTEP_LIMIT=1000000 ./wrong "$1" 2>&1)
  answer=$2
  shift 2
  for words in "$answer" "$@"; do
    case $said in *"$words"*) ;; *) complain "wrong.cu: expected '$words'" ;; esac
  done
}
line=$(grep -n '// <- child' "$children/wrong.cu" | cut -d: -f1) large=$(grep -n '// <- large' "$children/wrong.cu" | cut -d: -f1)
mistake 0 cudaErrorIllegalAddress 'element 40; its elements are 0 to 39   in kernel child' \
  'thread (8,0) of block (1,0) wrote it' "wrong.cu:$line" 'and 23 more like it'
mistake 1 cudaSuccess 'child: a block of 2048 threads along x, where the hardware allows 1024   in kernel too_large' \
  'launched it' "wrong.cu:$large"
mistake 2 cudaSuccess 'more than 2048 threads launch kernels at the same time' cudaLimitDevRuntimePendingLaunchCount
mistake 3 cudaErrorLaunchTimeout 'kernels that launch kernels do not end'
mistake 4 cudaSuccess 'its stream was not created by a kernel'
mistake 5 cudaErrorIllegalAddress 'a copy in a kernel from or to what is in no buffer of the device'
exit $failed
