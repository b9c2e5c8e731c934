#!/bin/sh
# Measures the times of the solutions on the GPU of this machine and stores them for the slides: the
# kernels of all labs, and the sweep over matrix sizes. Run this script in the root of the
# repository while the machine does nothing else. It takes some minutes; the CPU variants of the
# sweep need most of them. Then run `make figures weave`.
#
#   slides/data/record-gpu.sh h200     writes slides/data/ladder-h200.csv and the other files

card=$1
if [ -z "$card" ]; then
  echo 'record-gpu: under which name? as in: slides/data/record-gpu.sh h200' >&2
  exit 2
fi
device=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1 | sed 's/, /, driver /')
cuda=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
if [ -z "$device" ] || [ -z "$cuda" ]; then
  echo 'record-gpu: no GPU, or no nvcc on the PATH' >&2
  exit 2
fi
rows=$(mktemp) || exit 2
trap 'rm -f "$rows" "$rows".*' EXIT

# measure LAB PRECISION OPTION...: runs the program of a lab and appends its CSV rows to $rows. Each
# row gets PRECISION as its first field.
measure() {
  lab=$1 precision=$2
  shift 2
  rm -f "$rows.one"
  make run$lab DEVICE=gpu LABS=solutions PRECISION=$precision ARGS="--no-check --csv $rows.one $*" >"$rows.said" 2>&1 || {
    cat "$rows.said" >&2
    exit 2
  }
  awk -F, -v precision=$precision '/^#/ { next } $1 == "variant" { print "precision," $0; next } { print precision "," $0 }' \
    "$rows.one" >>"$rows"
}

# keep NAME COMMAND COLUMNS AWK: writes slides/data/NAME-$card.csv. The awk code AWK is executed for
# each row of $rows and prints one line; f("x") is the row's field in column x.
keep() {
  {
    echo "# sh slides/data/record-gpu.sh $card: $2; $(date +%F)"
    echo "# NVIDIA ${device#NVIDIA }, CUDA $cuda"
    echo "$3"
    awk -F, 'function f(name) { return $column[name] }
      function three(x) { return sprintf(x >= 100 ? "%.0f" : x >= 10 ? "%.1f" : x >= 1 ? "%.2f" : "%.3f", x) }
      /^precision,/ { for (i = 1; i <= NF; i++) column[$i] = i; next } '"$4" "$rows"
  } >"slides/data/$1-$card.csv" && echo "record-gpu: slides/data/$1-$card.csv"
  : >"$rows"
}

for precision in float double; do
  for variant in global smem1 smem2 smem3; do
    measure 03 $precision --size 2048 --repeats 15 --variant $variant
  done
  for variant in smem4 smem5 4x4 tile vectors 8x8; do
    measure 04 $precision --size 2048 --repeats 15 --variant $variant
  done
done
keep ladder 'make run03 and run04, LABS=solutions, --size 2048, median of 15' variant,precision,n,ms \
  '{ printf "%s,%s,%s,%s\n", f("variant"), f("precision"), f("n"), three(f("time ms")) }'

for precision in float double; do
  for size in 10240 20480; do
    for variant in cpu global shared fast; do
      measure 06 $precision --n $size --steps 10 --repeats $([ $variant = cpu ] && echo 1 || echo 15) --variant $variant
    done
  done
done
keep nbody 'make run06, LABS=solutions, 10 steps, copies included, median of 15' variant,precision,n,steps,ms \
  '{ printf "%s,%s,%s,%s,%s\n", f("variant"), f("precision"), f("n"), f("steps"), three(f("time ms")) }'

measure 02 float --sweep 8:2096:8
keep sweep 'make run02 LABS=solutions ARGS="--sweep 8:2096:8 --no-check"; times in ms' n,cpu,threads,naive,shared \
  '{ time[f("variant"), f("n")] = f("time ms"); if (!seen[f("n")]++) order[++count] = f("n") }
   END { for (i = 1; i <= count; i++) { n = order[i]
     print n "," time["cpu", n] "," time["threads", n] "," time["naive", n] "," time["shared", n] } }'

# Measures the programs of deck 07 with many elements: ncu measures the times of their kernels, and
# overlap.cu prints its own times.
program() { # NAME OPTION...: compiles slides/data/NAME.cu with these options
  name=$1
  shift
  nvcc -O3 -arch=native -Icommon "$@" -o "$rows.program" "slides/data/$name.cu" || exit 2
}
{
  echo "# sh slides/data/record-gpu.sh $card: ncu, gpu__time_duration of one launch, 16 Mi elements in 1056 blocks, scan 1 Mi; $(date +%F)"
  echo "# NVIDIA ${device#NVIDIA }, CUDA $cuda"
  echo 'program,kernel,n,us'
  for name in histogram reduce scan; do
    n=$([ $name = scan ] && echo 1048576 || echo 16777216)
    program $name -DN=$n -DBLOCKS=1056
    ncu --metrics gpu__time_duration.sum --print-units base --csv "$rows.program" 2>"$rows.said" |
      awk -v OFS=, -v program=$name -v n=$n '/^"[0-9]+",/ {
        split($0, cell, "\",\""); sub(/\(.*/, "", cell[5]); time = cell[15]; gsub(/[",]/, "", time)
        printf "%s,%s,%d,%.3g\n", program, cell[5], n, time / 1000 }'
  done
} >"slides/data/next-$card.csv" && echo "record-gpu: slides/data/next-$card.csv"
{
  echo "# sh slides/data/record-gpu.sh $card: slides/data/overlap.cu with 16 Mi elements, the median of 9; $(date +%F)"
  echo "# NVIDIA ${device#NVIDIA }, CUDA $cuda"
  echo 'part,ms'
  program overlap
  for _ in 1 2 3 4 5 6 7 8 9; do "$rows.program" 16777216; done |
    sed -n 's/^copies \([0-9.]*\) ms, kernel \([0-9.]*\) ms, one stream \([0-9.]*\) ms, four streams \([0-9.]*\) ms$/copies,\1\nkernel,\2\none stream,\3\nfour streams,\4/p' |
    sort -t, -k1,1 -k2,2n | awk -F, '{ if ($1 != part) { part = $1; k = 0 } if (++k == 5) print }'
} >"slides/data/overlap-$card.csv" && echo "record-gpu: slides/data/overlap-$card.csv"
