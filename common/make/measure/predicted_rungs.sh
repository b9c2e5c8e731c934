#!/bin/sh
# The last part of `make predicted-error`: prints the predicted times of the labs' kernels and the
# times on an H200. Then it prints the pairs of kernels in the wrong order: one kernel was measured
# more than 10 % slower than the other, but is predicted to be faster.
#
#   predicted_rungs.sh PROGRAMS RECORDED...
#
# RECORDED is a CSV file with the columns lab, precision, variant and n, and the time in the column
# us (with by) or ms.
#
# Kernels are compared at n = 2048 and 4096. If two files have the same row, the first file counts.
# Times that are marked as unreliable (?) are printed but not compared. The exit status is 1 if
# there is a pair in the wrong order.

programs=$1
shift
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

awk -F, -v OFS=, '
  /^#/ { next }
  /^lab,/ { delete at; for (i = 1; i <= NF; i++) at[$i] = i; next }
  $at["n"] ~ /^(2048|4096)$/ && $3 !~ /^(cublas|host)$/ && !seen[$1, $2, $3, $at["n"]]++ {
    print $1, $2, $at["n"], $3, "us" in at ? $at["us"] : 1000 * $at["ms"], "by" in at ? $at["by"] : "events" }' "$@" >"$work/recorded"

while IFS=, read -r lab precision n variant us by; do
  rm -f "$work/one"
  LOCKSTEP_SAMPLES_ONLY=1 LOCKSTEP_QUIET=1 LOCKSTEP_CARD=h200 "$programs"/"$lab"-*."$precision" --variant "$variant" --size "$n" \
    --no-check --no-cpu --repeats 1 --csv "$work/one" >"$work/said" 2>&1 </dev/null || { cat "$work/said" >&2; exit 2; }
  awk -F, -v OFS=, -v row="$lab,$precision,$n,$variant,$us,$by" '
    $1 == "variant" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    /^[^#]/ { print row, 1000 * $at["predicted ms"], $at["limit"] ~ /[?]$/ ? "?" : "" }' "$work/one"
done <"$work/recorded" >"$work/predicted" || exit 2

awk -F, '
  function summary(by,  i, k, n, v, list) {
    for (i = 1; i <= all; i++) if (!by || source[i] == by) {
      v = us[i] / took[i] - 1
      if (v < 0) v = -v
      for (k = ++n; k > 1 && list[k - 1] > v; k--) list[k] = list[k - 1]
      list[k] = v
    }
    if (n) printf "rungs%s: %d, median error %.1f %%, nine tenths within %.0f %%\n", by ? " by " by : "", n,
      50 * (list[int((n + 1) / 2)] + list[int(n / 2) + 1]), 100 * list[int(0.9 * n + 0.999)]
  }
  {
    printf "lab %s %-6s %4d %-9s %-6s %9.1f %9.1f us %+5.0f %% %s\n", $1, $2, $3, $4, $6, $7, $5, 100 * ($7 / $5 - 1), $8
    if ($8 == "") { all++; ladder[all] = "lab " $1 ", " $2 ", " $3; name[all] = $4; took[all] = $5; source[all] = $6; us[all] = $7 }
  }
  END {
    summary("ncu"); summary("events"); summary("")
    for (i = 1; i <= all; i++) for (k = 1; k <= all; k++)
      if (ladder[i] == ladder[k] && took[i] > 1.1 * took[k] && us[i] < us[k]) {
        bad = 1
        printf "%s: %s took %.0f %% longer than %s, and is predicted to be faster\n", ladder[i], name[i], 100 * (took[i] / took[k] - 1), name[k]
      }
    exit bad || !all
  }' "$work/predicted"
