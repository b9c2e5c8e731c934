#!/bin/sh
# Records Nsight Compute's counters of the reference solutions on this GPU, with one call for each
# lab program:
#
#   counters.sh record PROGRAMS FILE      on a machine with a GPU (`make counters DEVICE=gpu`)
#   counters.sh mark COMPARE FILE KEPT    on a machine with clang and nvcc (`make mark-counters`);
#                                         COMPARE is the program ncu_test
#
# `mark` compares each number with the number on the emulated device, and writes FILE with two more
# columns to KEPT. These columns name expected differences: `clang` if clang generates other code
# than nvcc for a kernel, and `stray` if warps had bank conflicts by chance (ncu_test.c).

here=$(dirname "$0")
fresh=$(mktemp -d) || exit 2
trap 'rm -rf "$fresh"' EXIT

if [ "$1" = mark ]; then
  [ -r "$3" ] || { echo "mark-counters: no $3: make counters DEVICE=gpu records it" >&2; exit 2; }
  "$2" mark "$3" >"$fresh/marked.csv" && status=0 || status=$?
  [ $status -lt 2 ] || exit 2
  cp "$fresh/marked.csv" "$4" && echo "mark-counters: $4"
  exit $status
fi

programs=$2 file=$3
for tool in ncu /usr/local/cuda/bin/ncu /opt/nvidia/nsight-compute/*/ncu; do
  ncu=$(command -v "$tool") && break
done
[ -n "$ncu" ] || { echo 'counters: no ncu (Nsight Compute) on the PATH or beside the toolkit' >&2; exit 2; }
metrics=$(awk -f "$here/counters.awk" </dev/null)
driver=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1 | sed 's/, /, driver /')
version=$("$ncu" --version | sed -n 's/^Version \([0-9.]*\).*/\1/p')

# Measures a program at a size that is not a multiple of the tile size, and that is small enough for
# a test on the emulated device.
measure() { # NN-name PRECISION OPTION...
  lab=$1 precision=$2
  shift 2
  echo "counters: lab ${lab%%-*}, $precision" >&2
  LC_ALL=C "$ncu" --csv --print-units base --clock-control none --metrics "$metrics" \
    "$programs/$lab.$precision" --no-cpu --no-time --no-check "$@" >"$fresh/said" 2>&1 || {
    tail -n 5 "$fresh/said" >&2
    exit 2
  }
  awk -v lab="${lab%%-*}" -v precision="$precision" -v options="$*" -f "$here/counters.awk" "$fresh/said"
}

{
  echo "# make counters DEVICE=gpu; $(date +%F); sums over all launches of a kernel; clang, stray: see common/make/measure/counters.sh"
  echo "# NVIDIA ${driver#NVIDIA }, Nsight Compute $version"
  echo 'lab,precision,options,kernel,launches,global_load_requests,global_load_sectors,global_store_requests,global_store_sectors,shared_load_requests,shared_load_wavefronts,shared_store_requests,shared_store_wavefronts,shared_load_conflicts,shared_store_conflicts,clang,stray'
  for precision in float double; do
    for lab in 01-naive 02-shared 03-bank-conflicts 04-ilp; do measure $lab $precision --size 160; done
    # This size has few tiles and many steps. At --size 160 the variant rounds does the same as
    # async.
    [ $precision = float ] || measure 04-ilp $precision --m 160 --k 2000 --n 160 --variant rounds
    measure 05-matvec $precision --size 515
    measure 06-nbody $precision --n 515 --steps 2
  done
} >"$fresh/ncu.csv" || exit 2
cp "$fresh/ncu.csv" "$file" && echo "counters: $file; next, where clang and nvcc are: make mark-counters"
