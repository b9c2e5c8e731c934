#!/bin/sh
# Tests that the emulated device defines every function of the CUDA 13 runtime API, even if the
# function only prints that it is not implemented.
#
#   runtime_api.sh LIBRARY NVCC
#
# runtime_api.txt lists the functions. If a toolkit of that version is installed, the test also
# checks that its header declares no other functions.

library=$1 nvcc=$2
here=$(dirname "$0")
fresh=$(mktemp -d) || exit 2
trap 'rm -rf "$fresh"' EXIT
export LC_ALL=C
status=0
nm -g --defined-only "$library" 2>/dev/null | awk '$2 ~ /[TW]/ { print $3 }' | sort -u >"$fresh/exported"
sort -u "$here/runtime_api.txt" >"$fresh/calls"
[ "$(wc -l <"$fresh/calls")" -gt 200 ] || { echo 'runtime_api.txt is too short to be right'; exit 1; }
comm -23 "$fresh/calls" "$fresh/exported" >"$fresh/missing"
if [ -s "$fresh/missing" ]; then
  echo 'neither done nor refused (more/refused.def):' $(cat "$fresh/missing")
  status=1
fi
header=${nvcc%/bin/nvcc}/include/cuda_runtime_api.h
if [ -n "$nvcc" ] && grep -q '^#define CUDART_VERSION *13000' "$header" 2>/dev/null; then
  sed -n 's/^extern .*CUDARTAPI \(cuda[A-Za-z0-9_]*\)(.*/\1/p' "$header" | sort -u >"$fresh/header"
  comm -13 "$fresh/calls" "$fresh/header" >"$fresh/new"
  if [ -s "$fresh/new" ]; then
    echo 'not in runtime_api.txt:' $(cat "$fresh/new")
    status=1
  fi
fi
exit $status
