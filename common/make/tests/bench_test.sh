#!/bin/sh
# Tests the tables that bench.sh makes from the output of lab programs, with scripts as programs
# that print the same kind of rows as the lab programs on a GPU. Also tests the bench of kernels.
#
#   bench_test.sh PROGRAM      PROGRAM: the bench of kernels

fresh=$(mktemp -d) || exit 2
trap 'rm -rf "$fresh"' EXIT
here=$(dirname "$0")
mkdir -p "$fresh/programs" "$fresh/emulated" "$fresh/data"
cp slides/data/counters-*.csv slides/data/seeds-*.csv "$fresh/data" || exit 2

# A stub program: it prints a variant that takes 2 ms and a library that takes 1 ms.
cat >"$fresh/programs/04-ilp.float" <<'END'
#!/bin/sh
echo "$*" >>"$(dirname "$0")/started"
for word; do
  case $last in --csv) csv=$word ;; --size) m=$word k=$word n=$word ;; --m) m=$word ;; --k) k=$word ;; --n) n=$word ;; esac
  last=$word
done
{
  echo '# lab 04: several outputs per thread, float, uniform inputs, seed 1; NVIDIA H200'
  echo 'variant,m,k,n,result,L2 error,time ms,first quartile,third quartile,repeats,% of roof'
  echo "smem4,$m,$k,$n,right,1e-07,2,1.9,2.1,15,25"
  echo "cublas,$m,$k,$n,right,1e-07,1,1,1,15,50"
} >"$csv"
echo 'ceilings of this run: copy 4260 GB/s'
END
sed 's/smem4/warp/; s/m,k,n,/rows,cols,/; s/$m,$k,$n/$m,$n/; /cublas/d' "$fresh/programs/04-ilp.float" >"$fresh/programs/05-matvec.float"
# This stub prints no row for its last variant, and a line that says that the time is impossible.
sed 's/smem4,$m,$k,$n/fast,$n,10/; s/m,k,n,/n,steps,/; /cublas/d; $a echo "global: 1 ms is faster than this device can be"; exit 1' \
  "$fresh/programs/04-ilp.float" >"$fresh/programs/06-nbody.float"
for lab in 04-ilp 05-matvec 06-nbody; do
  sed 's/float,/double,/' "$fresh/programs/$lab.float" >"$fresh/programs/$lab.double"
done
chmod +x "$fresh/programs/"*
touch -d '1 minute ago' "$fresh/programs/"*

# A stub of nvidia-smi, and a stub of lab 04 for the emulated device, which predicts the time on an
# H200 from a sample of blocks.
cat >"$fresh/nvidia-smi" <<'END'
#!/bin/sh
case $* in *driver*) echo 'NVIDIA H200, 580.1' ;; *) echo 'NVIDIA H200' ;; esac
END
cat >"$fresh/emulated/04-ilp.float" <<'END'
#!/bin/sh
[ "$LOCKSTEP_CARD$LOCKSTEP_SAMPLES_ONLY" = h2001 ] || exit 1
for word; do
  case $last in --csv) csv=$word ;; --size) n=$word ;; esac
  last=$word
done
printf 'variant,m,k,n,result,predicted ms,limit\n%s,,1.75,%s\n%s,failed,99,\n' "smem4,$n,$n,$n" "$([ "$n" = 4096 ] && echo 'l1 ?' || echo l1)" \
  "cublas,$n,$n,$n" >"$csv"
[ "$n" != 4096 ] || echo '?: not known: how long'
END
chmod +x "$fresh/nvidia-smi" "$fresh/emulated/04-ilp.float"
PATH=$fresh:$PATH

bench() { sh "$here/../measure/bench.sh" "$fresh/programs" "$fresh/emulated" "$fresh/out" "$fresh/data" "$@" >"$fresh/said" 2>"$fresh/complained"; }
expect() { grep -q -e "$1" "$2" || { echo "expected $1 in:"; cat "$2"; exit 1; }; }

bench card 04 05
[ $? = 0 ] || { echo 'bench failed:'; cat "$fresh/complained"; exit 1; }
# The row for 2·2048³ FLOP in 2 ms, which is twice the time of the library, with the recorded
# counters and the 33 ms of the lecture.
expect '^smem4 *float *2048 *right *2 *1.75 *10.0 *8590 *0.50 *25.0 *4 *1 *0 *1.5 *33$' "$fresh/said"
expect '^smem4 *float *4096 *right *2 *1.75 ? *10.0 *68719 *0.50 *25.0 *4 *1 *0 *1.5$' "$fresh/said"
expect '^cublas *float *2048 *right *1 *0.0 *17180 *1.00 *50.0$' "$fresh/said"
# The row for 2·1000·3000·700 FLOP in 2 ms, with the time of the library at this size.
expect '^smem4 *float *1000x3000x700 *right *2 *10.0 *2100 *0.50 *25.0' "$fresh/said"
# The row for 4·(4096² + 2·4096) bytes in 2 ms.
expect '^warp *float *4096 *right *2 *10.0 *34 *25.0' "$fresh/said"
expect '^04,float,smem4,2048,right,2,1.9,2.1,15,8589.9,,,0.500,25.0,1.75,$' "$fresh/data/bench-card.csv"
expect '^04,float,smem4,4096,.*,1.75,?$' "$fresh/data/bench-card.csv"
expect '^?: not known: how long$' "$fresh/said"
expect '^predicted ms: by the model of time, .*half within [0-9]* %' "$fresh/said"
expect '^# ceilings, double: copy 4260 GB/s$' "$fresh/data/bench-card.csv"
expect '^# make bench DEVICE=gpu; 20' "$fresh/data/bench-card.csv"
started=$(wc -l <"$fresh/programs/started")
[ "$started" = 17 ] || { echo "$started runs, expected 17"; exit 1; }

# A finished run is only repeated if the program is newer.
bench '' 04 && [ "$(wc -l <"$fresh/programs/started")" = 17 ] || { echo 'measured again'; exit 1; }
touch -d '1 minute' "$fresh/programs/04-ilp.double"
bench '' 04 && [ "$(wc -l <"$fresh/programs/started")" = 21 ] || { echo 'not measured again'; exit 1; }

bench '' 06 && { echo 'no failure, where one variant failed'; exit 1; }
expect 'global: 1 ms is faster' "$fresh/complained"
# The row for 10240² interactions in each of 10 steps.
expect '^fast *float *10240 *right *2 *10.0 *524 *25.0' "$fresh/said"
started=$(wc -l <"$fresh/programs/started")
bench '' 06 && { echo 'a failed run counts as done'; exit 1; }
[ "$(wc -l <"$fresh/programs/started")" = $((started + 6)) ] || { echo 'a failed run is not run again'; exit 1; }
bench '' 07 && { echo 'lab 07 is no lab'; exit 1; }
expect 'no such lab' "$fresh/complained"

# ---- the bench of kernels: right results and no reports at small sizes; names select kernels ------------
kernels() { "$program" "$@" >"$fresh/said" 2>"$fresh/complained"; }
program=$1
kernels --tiny || { echo 'kernels --tiny failed:'; cat "$fresh/said" "$fresh/complained"; exit 1; }
[ ! -s "$fresh/complained" ] || { echo 'the device has something to report:'; cat "$fresh/complained"; exit 1; }
! grep -q 'WRONG\|NOT CHECKED' "$fresh/said" || { echo 'wrong results:'; cat "$fresh/said"; exit 1; }
[ "$(sed -n 's/ kernels$//p' "$fresh/said")" -ge 48 ] || { echo 'fewer than 48 kernels:'; cat "$fresh/said"; exit 1; }
expect '^pointer chase ' "$fresh/said"
expect '^  block 128x1 .*x ' "$fresh/said"
kernels --tiny --csv 'saxpy' && expect '^"saxpy",".*",1000,.*,right$' "$fresh/said"
[ "$(wc -l <"$fresh/said")" = 2 ] || { echo 'more than saxpy:'; cat "$fresh/said"; exit 1; }
kernels --list && expect '^saxpy ' "$fresh/said"
kernels nothing && { echo 'nothing is no kernel'; exit 1; }
expect 'no kernel.s name contains nothing' "$fresh/complained"
