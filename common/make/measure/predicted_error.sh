#!/bin/sh
# Implements `make predicted-error`: compares predicted times of kernels with times that Nsight
# Compute measured on an H200. It prints the errors separately for the kernels that the model was
# fitted to, for kernels that were excluded from the fit, and for several groups of kernels that
# were written later.
#
#   predicted_error.sh PROGRAM RECORDED [NAME...]     NAME: rows of the program; all by default
#   predicted_error.sh --check PROGRAM RECORDED
#
# --check tests a few rows, which takes seconds. The predicted time of a kernel that is ten times as
# long, or of a grid that is ten times as large, must be ten times as long within 5 %. The time of
# atomic additions to one address must be that of the GPU within 25 %. The exit status is 1 if one
# of these conditions does not hold, if the median of the errors is above 15 %, or if more than a
# tenth of the errors are above 45 %.

check=0
[ "$1" != --check ] || { check=1; shift; }
program=$1 recorded=$2
shift 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
[ $check = 0 ] || set -- '32 hashes' 'triad, small' 'chain in shared, 16 warps' 'heat, 32x8' 'vector add' 'integer hash' \
  'walk in L1' 'blurred line, 16'
[ $# = 0 ] && sed -n 's/^"\([^"]*\)",.*/\1/p' "$recorded" | sort -u >"$work/rows" || printf '%s\n' "$@" >"$work/rows"

log=$work/log
predict() { # ROW OPTION...: prints each kernel and its time
  rm -f "$log"
  LOCKSTEP_LOG=$log LOCKSTEP_CARD=h200 LOCKSTEP_QUIET=1 "$program" "$@" >"$log.said" 2>&1 ||
    { echo "predicted-error: $1 went wrong" >&2; cat "$log.said" >&2; return 2; }
  sed -n 's/.*"event":"kernel","name":"\([^"]*\)".*"predicted":{"card":"h200","us":\([0-9.e+-]*\),.*/\1 \2/p' "$log"
}
ten_times() { # ROW SIZE: prints the time minus that of an empty kernel
  one=$(predict "$1" "--size=$2") && ten=$(predict "$1" "--size=$((10 * $2))") || exit 2
  echo "$one $ten" | awk -v row="$1" '{ ratio = ($4 - 1.9) / ($2 - 1.9) / 10
    printf "%-34s ten times as much takes %.3f times as long for each\n", row, ratio
    exit !(ratio > 0.95 && ratio < 1.05) }'
}
meeting() { # ROW: tests the predicted time of atomics to one address
  recorded_us=$(sed -n "s/^\"$1\",[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,\\([0-9.]*\\),.*/\\1/p" "$recorded")
  predict "$1" >"$work/met" && ! grep -q '"unknown"' "$log" || return 1
  awk -v row="$1" -v recorded="$recorded_us" '{ printf "%-34s %.1f us for %.1f recorded\n", row, $2, recorded
    exit !($2 > 0.75 * recorded && $2 < 1.25 * recorded) }' "$work/met"
}
[ $check = 0 ] || { meeting 'reduction, an atomic each' && meeting 'histogram, global atomics'; } ||
  { echo 'predicted-error: the time of atomics to one address of global memory differs from the recorded one' >&2; exit 1; }
uneven() { LOCKSTEP_SAMPLES_ONLY=1 predict "$1" --tiny >/dev/null 2>&1; grep -q '"unknown":"how much blocks' "$log"; }
[ $check = 0 ] || { uneven 'Julia set' && ! uneven 'heat, 32x8'; } ||
  { echo 'predicted-error: the model must mark a time as unreliable if few blocks run and these differ, and only then' >&2; exit 1; }
[ $check = 0 ] || { ten_times '8 chains of FMAs, 264 blocks' 2048 && ten_times '32 hashes' 4194304; } || exit 1

# Runs every row whose number is NUMBER modulo the number of processors.
processors=$(nproc)
predict_share() { # NUMBER
  log=$work/log$1
  awk -v n="$processors" -v k="$1" 'NR % n == k' "$work/rows" | while IFS= read -r row; do
    predict "$row" >"$work/one$1" || exit 2
    while read -r kernel us; do printf '%s\t%s\t%s\n' "$row" "$kernel" "$us"; done <"$work/one$1"
  done
}
for share in $(seq 0 $((processors - 1))); do
  { predict_share "$share" >"$work/share$share" || : >"$work/failed"; } &
done
wait
[ ! -e "$work/failed" ] || exit 2
cat "$work"/share* >"$work/predicted"

awk -F '\t' -v check=$check '
  function sorted(set, n,  i, k, v) { # sorts the errors of one set into list[1 ... n]
    n = 0
    for (i = 1; i <= all; i++) if (in_set[i] == set) list[++n] = error[i] < 0 ? -error[i] : error[i]
    for (i = 2; i <= n; i++) { v = list[i]; for (k = i; k > 1 && list[k - 1] > v; k--) list[k] = list[k - 1]; list[k] = v }
    return n
  }
  FILENAME ~ /predicted$/ { names[$1] = names[$1] " " $2; us[$1, $2] = $3; next }
  /^"/ {
    split($0, part, "\""); row = part[2]; split(part[3], field, ",")
    n = split(names[row], mangled, " ")
    for (i = 1; i <= n; i++)
      if (index(mangled[i], length(field[2]) field[2])) {
        all++; in_set[all] = field[3]; error[all] = us[row, mangled[i]] / field[7] - 1
        printf "%-34s %-20s %-6s %9.1f %9.1f us %+5.0f %%\n", row, field[2], field[3], us[row, mangled[i]], field[7], 100 * error[all]
      }
  }
  END {
    bad = !all
    count = split("fit aside held newest unlike fresh unseen strangers visitors guests", sets, " ")
    for (s = 1; s <= count; s++) {
      n = sorted(sets[s])
      if (!n) continue
      middle = (list[int((n + 1) / 2)] + list[int(n / 2) + 1]) / 2; most = list[int(0.9 * n + 0.999)]
      printf "%s: %d kernels, median error %.1f %%, nine tenths within %.0f %%\n", sets[s], n, 100 * middle, 100 * most
      bad = bad || !(middle <= 0.15) || !(most <= 0.45)
    }
    exit check && bad
  }' "$work/predicted" "$recorded"
