#!/bin/sh
# Records Nsight Compute's counters of divergence and reconvergence on this GPU. reconvergence_test.c
# compares these counters with the counters of the emulated device.
#
#   reconvergence.sh FILE [SASS]       on a machine with a GPU, nvcc and ncu: `make reconvergence DEVICE=gpu`
#
# The script writes a row to FILE for each kernel of
# common/emulator/tests/programs/reconvergence*.cu. If cuobjdump is installed, it writes the machine
# code to the file SASS, which shows where the assembler predicated, merged or moved code.

here=$(dirname "$0") file=$1 sass=$2
tests=$here/../../emulator/tests/programs
[ -n "$file" ] || { echo 'usage: reconvergence.sh FILE [SASS]' >&2; exit 2; }
fresh=$(mktemp -d) || exit 2
trap 'rm -rf "$fresh"' EXIT

find_tool() { # NAME PLACE...
  for tool; do command -v "$tool" && return; done
  echo "reconvergence: no $1 on the PATH or in $2" >&2
  return 1
}
nvcc=$(find_tool nvcc /usr/local/cuda/bin/nvcc) && ncu=$(find_tool ncu /usr/local/cuda/bin/ncu /opt/nvidia/nsight-compute/*/ncu) || exit 2
metrics=$(awk -v program=metrics -f "$here/counters.awk" </dev/null)
card=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1 | sed 's/, /, driver /')
versions="nvcc $("$nvcc" --version | sed -n 's/^.* V\([0-9.]*\)$/\1/p'), Nsight Compute $("$ncu" --version | sed -n 's/^Version \([0-9.]*\).*/\1/p')"

measure() { # SOURCE
  program=$(basename "$1" .cu)
  echo "reconvergence: $program" >&2
  "$nvcc" -std=c++17 -O2 -I"$here/../../../common" -arch=native -lineinfo -o "$fresh/$program" "$1" >"$fresh/said" 2>&1 &&
    timeout 60 "$fresh/$program" >>"$fresh/said" 2>&1 &&
    LC_ALL=C timeout 120 "$ncu" --csv --print-units base --clock-control none --metrics "$metrics" "$fresh/$program" >"$fresh/said" 2>&1 || {
    tail -n 5 "$fresh/said" >&2
    exit 2
  }
  [ -z "$sass" ] || cuobjdump -sass "$fresh/$program" >>"$sass"
  awk -v program="$program" -f "$here/counters.awk" "$fresh/said"
}

{
  echo "# make reconvergence DEVICE=gpu; $(date +%F)"
  echo "# NVIDIA ${card#NVIDIA }, $versions"
  echo 'program,kernel,launches,global_load_requests,global_load_sectors,global_store_requests,global_store_sectors,shared_load_requests,shared_store_requests,global_atom_requests,global_red_requests,shared_atomic_requests'
  for source in "$tests"/reconvergence*.cu; do measure "$source"; done
} >"$fresh/table" && cp "$fresh/table" "$file" && echo "reconvergence: $file"
