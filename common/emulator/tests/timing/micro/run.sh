#!/bin/sh
# Builds the microbenchmarks with nvcc, runs each on this GPU and prints their lines; those of small launches with the
# durations of Nsight Compute. `sh run.sh >micro-CARD.csv`
here=$(dirname "$0")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
PATH=$PATH:/usr/local/cuda/bin
ncu=$(command -v ncu || ls /opt/nvidia/nsight-compute/*/ncu 2>/dev/null | tail -n 1)

for file in "$here"/*.cu; do
  name=$(basename "$file" .cu)
  timeout 100 nvcc -O3 -arch=native -o "$work/$name" "$file" &
done
wait
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader | sed 's/^/# /'
echo 'mechanism,case,parameter,value,unit'
for file in "$here"/*.cu; do
  name=$(basename "$file" .cu)
  case $name in cold | launches | code) continue ;; esac
  timeout 60 "$work/$name" || echo "# $name failed"
done
[ -n "$ncu" ] || { echo '# no Nsight Compute: no small launches, no cold code'; exit 1; }

durations() { # NAME CACHES SUFFIX: of three launches of a case the median; CACHES: all are flushed before, or none
  "$work/$1" >"$work/cases"
  "$ncu" --csv --print-units base --clock-control none --cache-control "$2" \
    --metrics gpu__time_duration.sum "$work/$1" 2>/dev/null | grep '^"[0-9]' >"$work/durations"
  awk -F '"' -v suffix="$3" 'FILENAME ~ /cases$/ { named[++n] = $1 "\"" $2 suffix "\"" $3; next }
    { gsub(",", "", $(NF - 1)); us[++k] = $(NF - 1) / 1000 }
    k && k % 3 == 0 && !done[k]++ {
      a = us[k - 2]; b = us[k - 1]; c = us[k]
      median = a > b ? (b > c ? b : a > c ? c : a) : (a > c ? a : b > c ? c : b)
      print named[k] "," median ",us"
    }' "$work/cases" "$work/durations"
}
durations launches all ''
durations cold all ''
durations code all ', cold'
durations code none ', warm'
