#!/bin/sh
# `make bench DEVICE=gpu`: measures every kernel of every lab on this GPU, in float and double.
#
#   bench.sh PROGRAMS EMULATED FOLDER DATA CARD [LAB...]
#
# The script runs PROGRAMS/NN-name.float and .double at the sizes below, for all labs or for each
# LAB. A run writes its rows to FOLDER when it has ended, so the same command continues after
# ctrl-C. If a program is newer than its rows, it runs again. bench.awk prints a table for each lab,
# with the times and the recorded numbers in DATA, and writes FOLDER/bench.csv. gnuplot draws
# FOLDER/bench.svg. With a CARD, such as h200, the CSV file is copied to DATA/bench-CARD.csv. If
# devices.def has a row for this GPU, the programs for the emulated device, EMULATED/NN-name.float
# and .double, predict the times from a few blocks of each kernel.

programs=$1 emulated=$2 folder=$3 data=$4 card=$5
shift 5
here=$(dirname "$0")
mkdir -p "$folder" || exit 2

# Prints a line LAB PRECISION OPTION... for each run. The sizes are those of the article that lab 02
# is based on, those of the lectures, and sizes that fill a large GPU. At sizes for which the CPU
# would need minutes, results are not compared; the same kernels are compared at a smaller size.
units() {
  for precision in float double; do
    for lab in 01-naive 02-shared 03-bank-conflicts 04-ilp; do
      for size in 2048 4096; do echo "$lab $precision --size $size"; done
    done
    for size in 4096 32768; do echo "05-matvec $precision --size $size"; done
    for size in 10240 20480; do echo "06-nbody $precision --n $size --steps 10"; done
  done
  echo '06-nbody float --n 131072 --steps 10'
  echo '06-nbody double --n 131072 --steps 1' # takes long
  # Sizes for the last variants of lab 04: few tiles, incomplete tiles, and many tiles.
  for precision in float double; do
    echo "04-ilp $precision --size 1024 --from 8x8"
    echo "04-ilp $precision --size 8192 --from expert --no-check"
  done
  for shape in '--m 1000 --k 3000 --n 700' '--m 300 --k 5000 --n 2000' '--m 1501 --k 999 --n 2003'; do
    echo "04-ilp float $shape --from 8x8"
  done
  for precision in float double; do echo "05-matvec $precision --size 4096 --variant read"; done
  # Multiplies the matrix of lab 05 by several vectors at once. The times show for how many vectors
  # tiles in shared memory are faster.
  for vectors in 1 2 4 8 16 32 64; do echo "02-shared float --m 4096 --k 4096 --n $vectors"; done
  echo '02-shared float --size 1024'
  echo '02-shared float --size 10240 --no-check'
}

modelled=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1 | while IFS= read -r title; do
  awk -v title="$title" '/^DEVICE\(/ { split($0, part, "[(,]"); name = part[2] }
    index($0, ".title = \"" title "\"") { print name; exit }' common/emulator/devices.def
done)
predict() { # LAB PRECISION OPTIONS FILE
  [ -n "$modelled" ] && [ -x "$emulated/$1.$2" ] || return
  rm -f "$4"
  LOCKSTEP_SAMPLES_ONLY=1 LOCKSTEP_QUIET=1 LOCKSTEP_CARD=$modelled timeout 60 \
    "$emulated/$1.$2" $3 --no-check --no-cpu --repeats 1 --csv "$4" >"${4%.csv}.txt" 2>/dev/null </dev/null
}

file_of() { # LAB PRECISION OPTIONS: prints the name of a run's files without suffix
  echo "$folder/unit-$1.$2$(echo "$3" | tr -d ' ')"
}

predicted_of() { echo "$folder/predicted-${1##*/unit-}"; }

chosen() { # LAB NUMBERS...
  units | while read -r lab rest; do
    case " $* " in '  ' | *" ${lab%%-*} "*) echo "$lab $rest" ;; esac
  done
}

report() {
  driver=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1 | sed 's/, /, driver /')
  cuda=$("$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/, CUDA \1/p')
  set -- $(units | while read -r lab precision options; do
    file=$(file_of $lab $precision "$options").csv
    [ ! -e "$file" ] || echo "$file"
    [ ! -e "$(predicted_of "$file")" ] || predicted_of "$file"
  done)
  [ $# != 0 ] || { echo 'bench: nothing was measured' >&2; return 1; }
  {
    echo "# make bench DEVICE=gpu; $(date +%F); each median of its repeats; of $LIBRARY: the library's time over this one"
    echo "# NVIDIA ${driver#NVIDIA }$cuda"
    for precision in float double; do
      sed -n "s/^ceilings of this run/# ceilings, $precision/p" "$folder"/unit-*.$precision*.txt | head -n 1
    done
  } >"$folder/bench.csv"
  marks=$(cat "$folder"/predicted-*.txt 2>/dev/null | grep '^?: ' | sort -u)
  MARKS=$marks awk -v csv="$folder/bench.csv" -v error="$(sed -n 's/^STATED_ERROR("", [0-9]*, \([0-9]*\), \([0-9]*\))$/new kernels: half within \1 %, nine of ten within \2 %/p' common/emulator/prediction_error.def)" -f "$here/bench.awk" "$data"/counters-*.csv "$data"/seeds-*.csv "$@" || return 1
  gnuplot -e "data='$folder/bench.csv'; picture='$folder/bench.svg'" "$here/bench.gp" 2>"$folder/gnuplot.log" &&
    echo "picture  $folder/bench.svg" || echo 'no picture: gnuplot did not draw one (`make setup` installs it)'
  echo "numbers  $folder/bench.csv"
  if [ -n "$card" ]; then
    cp "$folder/bench.csv" "$data/bench-$card.csv" && echo "recorded $data/bench-$card.csv"
    [ ! -e "$folder/bench.svg" ] || cp "$folder/bench.svg" "$data/bench-$card.svg"
  fi
}

LIBRARY=cublas
status=0 number=0 all=$(chosen "$@" | grep -c .)
if [ "$all" = 0 ]; then
  echo "bench: $*: no such lab" >&2
  exit 2
fi
trap 'echo; card=; report; echo "bench: stopped; the same command continues"; exit 130' INT
chosen "$@" >"$folder/units"
while read -r lab precision options <&3; do
  number=$((number + 1))
  unit=$(file_of $lab $precision "$options")
  program=$programs/$lab.$precision
  if [ -e "$unit.csv" ] && [ "$unit.csv" -nt "$program" ]; then continue; fi
  echo "bench: lab ${lab%%-*}, $precision, $options ($number of $all)" >&2
  rm -f "$unit.csv" "$unit.new"
  "$program" $options --no-cpu --statistic median --csv "$unit.new" >"$unit.txt" && failed= || failed=yes
  if [ -e "$unit.new" ]; then mv "$unit.new" "$unit.csv"; fi
  predict $lab $precision "$options" "$(predicted_of "$unit.csv")"
  if [ -n "$failed" ]; then # keeps the complete rows; the run is repeated next time
    status=1
    grep '^[a-z0-9-]*: ' "$unit.txt" >&2 # prints the failed variant and its message
    if [ -e "$unit.csv" ]; then touch -d 2000-01-01 "$unit.csv"; fi
  fi
done 3<"$folder/units"
report && exit $status
