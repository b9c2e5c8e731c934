#!/bin/sh
# Prints a table of predicted times of a lab's kernels: on every card, or with several block sizes
# on one card.
#
#   predict.sh 'LABEL CARD PROGRAM
#   ...' ARGUMENT...
#
# Each line of the first argument gives a row of the table. The columns are the variants of the
# program. A dash means that the card cannot run the variant, for example because of the block size.
# Only the blocks that the prediction needs are run.

rows=$1
shift
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

# Runs the rows whose number is NUMBER modulo the number of processors, one after the other. The
# shares run at the same time, so a run gets several worker threads only if there are fewer rows
# than processors.
processors=$(nproc)
count=$(echo "$rows" | wc -l)
workers=$(((processors + count - 1) / count))
run_share() { # NUMBER ARGUMENT...
  share=$1
  shift
  echo "$rows" | awk -v n="$processors" -v k="$share" 'NR % n == k { print NR, $0 }' |
  while read -r row label card program; do
    [ -t 2 ] && printf '\r%-40s\r' "$label ..." >&2
    LOCKSTEP_SAMPLES_ONLY=1 LOCKSTEP_QUIET=1 LOCKSTEP_CARD=$card LOCKSTEP_WORKERS=$workers \
      "$program" --no-check --no-cpu --repeats 1 --csv "$folder/csv$row" "$@" >"$folder/said$row" 2>&1 </dev/null
    [ $? != 2 ] || { cat "$folder/said$row" >&2; exit 2; }
  done
}
shares=
for share in $(seq 0 $((processors - 1))); do
  run_share "$share" "$@" &
  shares="$shares $!"
done
trap 'kill $shares; exit 130' INT TERM
for share in $shares; do
  wait "$share" || exit
done

row=0
echo "$rows" | while read -r label card program; do
  row=$((row + 1))
  grep '^?: \|^predicted: ' "$folder/said$row" >>"$folder/marks"
  [ ! -e "$folder/csv$row" ] || awk -F, -v label="$label" -v size="$folder/size" '
    /^#/ { next }
    $1 == "variant" { for (i = 1; i <= NF; i++) { name[i] = $i; if ($i == "predicted ms") at = i; if ($i == "limit") limit = i; if ($i == "result") end = i }; next }
    !sized++ { for (i = 2; i < end; i++) printf "%s%s=%s", (i > 2 ? ", " : "size: "), name[i], $i >size }
    at && ($at != "" || $0 ~ /failed/) { print label, $1, $at == "" ? "-" : $at, $limit ~ /\?$/ ? "?" : "" }' "$folder/csv$row" >>"$folder/all"
done
[ -t 2 ] && printf '\r%-40s\r' '' >&2
[ -s "$folder/all" ] || { echo 'nothing is predicted: no kernel ran' >&2; exit 1; }

# Prints times in microseconds, milliseconds or seconds, with three digits.
awk '
  function shown(ms) {
    if (ms == "" || ms == "-") return "-"
    if (ms < 0.9995) return digits(ms * 1000) " µs"
    if (ms < 999.5) return digits(ms) " ms"
    return digits(ms / 1000) " s"
  }
  function digits(x) { return sprintf(x < 9.995 ? "%.2f" : x < 99.95 ? "%.1f" : "%.0f", x) }
  function padded(text, width, n) { # some versions of awk count µ as two characters
    n = text
    sub(/µ/, "u", n)
    return sprintf("%" (width - length(n)) "s", "") text
  }
  {
    if (!($1 in row)) { row[$1] = ++rows; label[rows] = $1; if (length($1) > first) first = length($1) }
    if (!($2 in column)) { column[$2] = ++columns; name[columns] = $2; width[columns] = length($2) > 7 ? length($2) : 7 }
    time[row[$1], column[$2]] = $3
    mark[row[$1], column[$2]] = $4
    if ($4 && width[column[$2]] == 7) width[column[$2]]++
  }
  END {
    printf "%-*s", first, ""
    for (c = 1; c <= columns; c++) printf "  %s", padded(name[c], width[c])
    for (r = 1; r <= rows; r++) {
      printf "\n%-*s", first, label[r]
      for (c = 1; c <= columns; c++) printf "  %s", padded(shown(time[r, c]) mark[r, c], width[c])
    }
    print ""
  }' "$folder/all"
[ ! -s "$folder/marks" ] || { echo && sort -u "$folder/marks"; }
printf '\n%s; another: ARGS="--size 1024"\n' "$(cat "$folder/size")"
