#!/bin/sh
# Compares the user times of two builds of the bench, which run each kernel alternately.
#
#   bench_pairs.sh BEFORE AFTER [ROUNDS [NAME]]     NAME: only kernels whose names contain it
#
# BEFORE and AFTER are copies of build/emulated-clang/bench_kernels. Each round runs every kernel
# three times in both programs and takes the median. The table has the minimum of all rounds
# (default: 3), because other programs can only increase a time. The table has a line for each
# kernel with the milliseconds of both builds and their ratio, followed by the median and the
# highest ratio.
[ $# -ge 2 ] || { sed -n '4p' "$0" >&2; exit 2; }
before=$1 after=$2 rounds=${3:-3} only=$4
export LOCKSTEP_WORKERS=1
{ "$before" --list | cut -c1-34 | sed 's/ *$//'; echo shapes; } | grep -F -e "$only" | while read -r kernel; do
  for round in $(seq "$rounds"); do
    "$before" --csv --processor "$kernel" | sed 's/^/before,/'
    "$after" --csv --processor "$kernel" | sed 's/^/after,/'
  done
done | awk '
  !/,"/ { next }
  {
    split($0, part, "\"") # the name of a kernel may contain commas
    program = part[1]; sub(/,.*/, "", program)
    split(part[5], number, ",") # ,n,seconds,processor seconds,...
    key = program SUBSEP part[2]
    if (!(key in least) || number[4] < least[key]) least[key] = number[4] + 0
    if (!seen[part[2]]++) name[++n] = part[2]
  }
  END {
    for (i = 1; i <= n; i++) {
      b = least["before", name[i]]; a = least["after", name[i]]
      if (!b || !a) continue
      ratio[++m] = a / b
      if (a / b > worst) { worst = a / b; where = name[i] }
      printf "%-34s %8.1f %8.1f %6.2f\n", name[i], b * 1e3, a * 1e3, a / b
    }
    for (i = 2; i <= m; i++)
      for (k = i; k > 1 && ratio[k] < ratio[k - 1]; k--) { t = ratio[k]; ratio[k] = ratio[k - 1]; ratio[k - 1] = t }
    if (m) printf "%d kernels: median %.3f, worst %.2f (%s)\n", m, (ratio[int((m + 1) / 2)] + ratio[int(m / 2) + 1]) / 2, worst, where
  }'
