#!/bin/sh
# Records the counters of the reference solutions on the emulated device, as the CSV files of
# slides/data. Counters are the same on every machine, except the number of instructions, which
# depends on the compiler.
#
#   record.sh PROGRAMS slides/data           writes the files
#   record.sh --check PROGRAMS slides/data   compares them with the counters of the current programs
#
# PROGRAMS is the folder with the programs in solutions/ and data/.

check= precisions='float double' orbits=orbits.csv
if [ "$1" = --check ]; then # checks float only, to save time
  check=yes precisions=float orbits=
  shift
fi
programs=$1 data=$2
fresh=$(mktemp -d) || exit 2
trap 'rm -rf "$fresh"' EXIT

# run LAB PRECISION BANKS VARIANT OPTION...: prints rows with these parameters, followed by the
# columns of the lab program's CSV without times. `sectors` is the total number of loaded sectors.
# Numbers per multiply-add are per instruction of a warp, which is 32 multiply-adds.
run() {
  lab=$1 precision=$2 banks=$3 variant=$4
  shift 4
  rm -f "$fresh/one"
  "$programs/solutions/$lab.$precision" --variant "$variant" --banks "$banks" --repeats 1 --no-check --csv "$fresh/one" "$@" \
    >"$fresh/said" 2>&1 </dev/null || {
    cat "$fresh/said" >&2
    echo "record: $lab.$precision --variant $variant --banks $banks $*" >&2
    exit 2
  }
  awk -F, -v OFS=, -v lab="${lab%%-*}" -v precision="$precision" -v banks="$banks" '
    /^#/ { next }
    $1 == "variant" {
      for (i = 1; i <= NF; i++) keep[i] = $i !~ /^(result|L2 error|time ms|predicted ms|limit|reports)$/
      for (i = 1; i <= NF; i++) column[$i] = i
    }
    {
      line = $1 == "variant" ? "lab" OFS "precision" OFS "banks" : lab OFS precision OFS banks
      for (i = 1; i <= NF; i++) if (keep[i]) line = line OFS $i
      if ("k" in column) {
        each = $1 == "variant" ? 0 : $column["m"] * $column["k"] * $column["n"] / 32
        line = line OFS ($1 == "variant" ? "sectors" : sprintf("%.0f", $column["global loads"] * $column["sectors/load"]))
        line = line OFS ($1 == "variant" ? "global/fma" : sprintf("%g", $column["global loads"] / each))
        line = line OFS ($1 == "variant" ? "shared/fma" : sprintf("%g", $column["shared loads"] / each))
      }
      print line
    }' "$fresh/one"
}

# table NAME RECORDER: writes the rows of all runs of the function RECORDER below one heading.
table() {
  "$2" >"$fresh/rows"
  {
    echo "# make record: the solutions on the emulated device, $3"
    awk '!/^lab,/ || !seen++' "$fresh/rows"
  } >"$fresh/$1"
}

matmul() {
  for precision in $precisions; do
    run 01-naive $precision 4 kernel --size 512
    run 02-shared $precision 4 shared --size 512
    for variant in global smem1 smem2 smem3; do
      run 03-bank-conflicts $precision 4 $variant --size 512
    done
    for variant in smem1 smem2 smem3; do
      run 03-bank-conflicts $precision 8 $variant --size 512
    done
    for variant in smem4 smem5 4x4 tile vectors 8x8; do
      run 04-ilp $precision 4 $variant --size 512
    done
  done
}

# Records the transpose, whose rows have no multiply-adds and no n.
transpose() {
  for precision in $precisions; do
    for variant in transpose_global transpose_tile transpose_padded; do
      run 03-bank-conflicts $precision 4 $variant --size 512 >"$fresh/with_n"
      awk -F, -v OFS=, '
        NR == 1 { for (i = 1; i <= NF; i++) drop[i] = $i ~ /^(n|sectors|global\/fma|shared\/fma)$/ }
        { line = $1; for (i = 2; i <= NF; i++) if (!drop[i]) line = line OFS $i; print line }' "$fresh/with_n"
    done
  done
}

matvec() {
  for precision in $precisions; do
    for variant in naive naive-64 tiled warp vector; do
      run 05-matvec $precision 4 $variant --size 1024
    done
  done
}

nbody() {
  for precision in $precisions; do
    for variant in global shared fast; do
      run 06-nbody $precision 4 $variant --n 1024 --steps 1
    done
  done
}

# Records the errors of sums in float, and the fraction within 0.001, the tolerance of the article
# that lab 05 is based on. Only the program's table has these columns; its CSV file does not.
accuracy() {
  echo 'lab,precision,variant,rows,cols,max error,within %'
  for variant in naive tiled warp; do
    "$programs/solutions/05-matvec.float" --variant $variant --size 4096 --repeats 1 >"$fresh/said" 2>&1 </dev/null || exit 2
    awk -v OFS=, -v variant=$variant '$1 == variant && !found++ { print "05", "float", variant, 4096, 4096, $4, $5 }' "$fresh/said"
  done
}

# Records the orbits of few bodies. Row s·n + i of the program's output is body i at step s.
orbits() {
  echo 'start,body,step,x,y'
  for start in whole:800:4 uniform:100:1; do
    fill=${start%%:*} every=${start##*:} steps=${start#*:}
    "$programs/solutions/06-nbody.float" --variant shared --n 16 --steps "${steps%:*}" --fill "$fill" --no-check \
      --output "$fresh/positions.csv" >/dev/null || exit 2
    awk -F, -v fill="$fill" -v every="$every" '{ body = (NR - 1) % 16; step = (NR - 1 - body) / 16 }
      step % every == 0 { printf "%s,%d,%d,%.4g,%.4g\n", fill, body, step, $1, $2 }' "$fresh/positions.csv"
  done
}

# Records single requests with the programs of slides/data. `strides` runs once for each bank width.
strides() {
  for banks in 4 8; do
    LOCKSTEP_BANKS=$banks "$programs/data/strides" >"$fresh/one" || exit 2
    awk -F, -v OFS=, -v banks=$banks 'NR > 1 || banks == 4 { print NR == 1 ? "banks" : banks, $0 }' "$fresh/one"
  done
}

# Prints the matrices in the output of lab 01, without the text around them.
printed() {
  "$programs/solutions/01-naive.float" --variant kernel --size 4 --fill whole --print --no-check >"$fresh/one" || exit 2
  awk '/^[AB], |^kernel: / { on = 1 } on; /^$/ { on = 0 }' "$fresh/one"
}

# Records predicted times for the tables of the lectures, at the sizes of the lectures. Only a few
# blocks of each kernel are run. The lecture's time for N bodies is that of ten steps, so one step
# is multiplied by TIMES.
predicted() { # CARD LAB PRECISION MODE VARIANT TIMES OPTION...
  card=$1 lab=$2 precision=$3 mode=$4 variant=$5 times=$6
  shift 6
  rm -f "$fresh/one"
  LOCKSTEP_SAMPLES_ONLY=1 LOCKSTEP_QUIET=1 LOCKSTEP_CARD=$card "$programs/solutions/$lab.$precision" --variant "$variant" \
    --repeats 1 --no-check ${mode:+--banks $mode} --csv "$fresh/one" "$@" >"$fresh/said" 2>&1 </dev/null || {
    cat "$fresh/said" >&2
    exit 2
  }
  awk -F, -v OFS=, -v row="$card,${lab%%-*},$precision,${mode:-4},$variant" -v times="$times" '
    /^#/ { next }
    $1 == "variant" { for (i = 1; i <= NF; i++) column[$i] = i; next }
    { print row, $column["n" in column ? "n" : "cols"], sprintf("%.3g", times * $column["predicted ms"]) }' "$fresh/one"
}
seeds_predicted() {
  echo 'card,lab,precision,mode,variant,n,ms'
  for precision in $precisions; do
    for variant in global smem1 smem2 smem3; do predicted k40c 03-bank-conflicts $precision '' $variant 1 --size 2048; done
    for variant in smem4 smem5; do predicted k40c 04-ilp $precision '' $variant 1 --size 2048; done
    [ $precision = float ] || predicted k40c 03-bank-conflicts double 8 smem2 1 --size 2048
  done
  for variant in naive shared; do predicted gtx460m 02-shared float '' $variant 1 --size 1024; done
  for variant in naive tiled; do predicted rtx3060 05-matvec float '' $variant 1 --size 4096; done
  for variant in global shared; do
    for n in 10240 20480; do predicted k40c 06-nbody float '' $variant 10 --n $n --steps 1; done
  done
}
# Compares predicted times, which depend on the compiler like numbers of instructions. Checks that
# the same rows exist and that the numbers differ little.
near() {
  awk -F, -v OFS=, -v precisions="$precisions" '/^#/ { next }
    NR == FNR { if ($1 != "card") was[$1, $2, $3, $4, $5, $6] = $7; next }
    index(precisions, $3) || $1 == "card" {
      old = was[$1, $2, $3, $4, $5, $6]
      if ($1 != "card" && old > 0 && $7 / old > 0.9 && $7 / old < 1.1) $7 = old
      print
    }' "$data/predicted.csv" "$1"
}

# Prints the device's report of the race in deck 07, without the lines that count repetitions.
lost_counts() {
  "$programs/data/histogram" plain 2>&1 >/dev/null </dev/null | sed -e '/^      and [0-9]* more/d' -e '/^[0-9]* reports in all/d' | fold -s -w 100 | sed 's, *$,,'
}

# Runs a program, which must end with status 0 and without reports.
quietly() {
  "$@" >"$fresh/said" 2>"$fresh/reports" </dev/null && [ ! -s "$fresh/reports" ] || { cat "$fresh/said" "$fresh/reports" >&2 && exit 2; }
}

# Records the kernels of deck 07 from the logs of their programs.
next_kernels() {
  for program in overlap managed; do quietly "$programs/data/$program"; done
  echo 'program,kernel,blocks,threads,global loads,global atomics,shared loads,shared atomics,shuffles,barriers'
  for program in histogram reduce scan; do
    rm -f "$fresh/log"
    quietly env LOCKSTEP_LOG="$fresh/log" "$programs/data/$program"
    awk -v OFS=, -v program=$program '
      function field(name) { match($0, "\"" name "\":[0-9]*"); return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) }
      /"event":"kernel"/ {
        match($0, /"name":"[a-z_]*"/)
        print program, substr($0, RSTART + 8, RLENGTH - 9), field("blocks"), field("threads"), field("global_load_requests"),
          field("global_atomic_requests"), field("shared_load_requests"), field("shared_atomic_requests"), field("shuffles"), field("barriers")
      }' "$fresh/log"
  done
}

# Prints the measured peak rates of one H200, in GB/s and GFLOP/s. The rates of device memory and of
# multiply-adds in float are from `make bench`. The rates of L2, of L1 (128 bytes per clock) and of
# shared memory (one wavefront of 32 banks per clock) were measured for the emulator's table of
# cards.
roofs() {
  echo 'roof,rate'
  sed -n 's|^# ceilings, float:.* read \([0-9]*\) GB/s, multiply-adds \([0-9.]*\) \(.\)FLOP.*|\1 \2 \3|p' "$data/bench-h200.csv" |
    awk -v OFS=, '{ print "memory", $1; print "multiply-adds", $3 == "G" ? $2 : 1000 * $2 }'
  sed -n '/^DEVICE(h200,/,/^$/p' common/emulator/devices.def | tr ',' '\n' | awk -v OFS=, '
    { key = $1; value = $3 }
    key == ".sms" { sms = value }
    key == ".clock_khz" { clock = value * 1e3 }
    key == ".l2_bytes_clock" { l2 = value }
    function print_rate(roof, bytes_clock) { printf "%s,%.0f\n", roof, sprintf("%.3g", bytes_clock * clock / 1e9) }
    END { print_rate("L2", l2); print_rate("L1", sms * 128); print_rate("shared", sms * 128) }'
}

# keep NAME WHAT COMMAND...: stores the output of a command below a line that says what it is.
keep() {
  name=$1 what=$2
  shift 2
  { echo "# make record: $what" && "$@"; } >"$fresh/$name" || exit 2
}

# Prints the rows of a table in the precisions that are checked, without the columns that depend on
# the compiler.
counted() {
  awk -F, -v OFS=, -v precisions="$precisions" '
    /^#/ { next }
    /^lab,/ { for (i = 1; i <= NF; i++) if ($i == "warp instr") drop = i }
    /^lab,/ || index(precisions, $2) { if (drop) $drop = ""; print }' "$1"
}

table counters-matmul.csv matmul 'C = A·B with N = 512; banks: bytes of a bank; per fma: of one warp'
table counters-transpose.csv transpose 'At = A transposed, 512×512; banks: bytes of a bank'
table counters-matvec.csv matvec 'a matrix of 1024×1024'
table counters-nbody.csv nbody '1024 bodies, one step'
table accuracy-matvec.csv accuracy 'numbers in [0, 1), float, against an exact sum; within: 0.001'
[ -z "$orbits" ] || table orbits.csv orbits \
  '16 bodies on whole numbers and in a dense cluster; variant shared, float'

keep strides.csv 'wavefronts of one load of a warp, lane i reading word i·stride; banks: bytes of a bank' strides
keep orientation.csv 'the naive product with x down a column of C on the emulated device, float' "$programs/data/orientation"
keep whole.txt 'lab 01, whole numbers from 0 to 9' printed
keep add.txt 'the sum of two vectors, slides/data/add.cu' "$programs/data/add"
keep plain.txt 'histogram.cu plain, the report of its race' lost_counts
keep next.csv 'the kernels of slides/data/{histogram,reduce,scan}.cu on the emulated device; requests of warps' next_kernels
table predicted.csv seeds_predicted 'what the model of time says of the seeds, ms; mode: bytes of a bank; N bodies: ten steps'
keep roofs-h200.csv 'what one H200 was measured to reach, float: GB/s of a memory, GFLOP/s' roofs

whole='strides.csv orientation.csv whole.txt add.txt plain.txt next.csv roofs-h200.csv'
for name in predicted.csv counters-matmul.csv counters-transpose.csv counters-matvec.csv counters-nbody.csv accuracy-matvec.csv $orbits $whole; do
  case " $whole " in *" $name "*) compared=cat ;; *) compared=counted ;; esac
  [ "$name" != predicted.csv ] || compared=near
  if [ -z "$check" ]; then
    cp "$fresh/$name" "$data/$name" && echo "record: $data/$name"
  else
    $compared "$fresh/$name" >"$fresh/now" && $compared "$data/$name" >"$fresh/recorded" &&
      diff "$fresh/recorded" "$fresh/now" || {
      echo "$data/$name is not what the programs do now: \`make record\` records them again"
      exit 1
    }
  fi
done
