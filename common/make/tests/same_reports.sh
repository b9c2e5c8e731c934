#!/bin/sh
# Tests that the reports about a program with mistakes do not depend on the number of workers and on
# the load of the machine.
#
#   [REPEATS=n] [BUSY=n] [WORKERS='1 2 8'] [JOBS=n] same_reports.sh PROGRAM...   (make same-reports)
#
# Each program runs REPEATS times with each number of workers, while BUSY other processes use the
# CPU. A program in a folder "mistakes" runs as PROGRAM wrong. Its output, its standard error and
# the reports in its log must equal those of its first run. The script prints the first differences,
# and the totals in the last line.

repeats=${REPEATS:-200} busy=${BUSY:-12} workers=${WORKERS:-1 2 8}

# Runs a program once and prints all its output, without numbers of repetitions.
said() { # PROGRAM WORKERS
  case $1 in */mistakes/*) version=wrong ;; *) version= ;; esac
  rm -f "$own/log"
  LOCKSTEP_LOG="$own/log" LOCKSTEP_WORKERS=$2 timeout -k 5 60 "$1" $version 2>&1 </dev/null
  echo "exit status $?"
  grep '"event":"report"\|"event":"end"' "$own/log"
}

# Runs one program as often as needed, and prints one line with the result.
run_all() { # PROGRAM SCRATCH
  own=$(mktemp -d "$2/XXXXXX") runs=0 different=0
  if ! [ -x "$1" ]; then
    echo "$(basename "$1") not compiled: $(grep -m 1 -i error "$1.log" | cut -c 1-200)"
    return
  fi
  said "$1" 1 >"$own/first"
  for count in $workers; do
    for repeat in $(seq "$repeats"); do
      said "$1" "$count" >"$own/now"
      runs=$((runs + 1))
      cmp -s "$own/first" "$own/now" && continue
      different=$((different + 1))
      [ $different -gt 3 ] || { echo "  $(basename "$1") with $count workers:" && diff "$own/first" "$own/now" | cut -c 1-200; }
    done
  done
  grep -q '"event":"report"' "$own/first" || echo "  $(basename "$1") has nothing to report"
  echo "$(basename "$1"): $runs runs, $different different"
}

if [ "$1" = --one ]; then
  run_all "$3" "$2" >"$2/$(basename "$3").out" 2>&1
  cat "$2/$(basename "$3").out"
  exit 0
fi

[ -n "$1" ] || { echo 'usage: same_reports.sh PROGRAM...' >&2; exit 2; }
unset $(env | sed -n 's/^\(LOCKSTEP_[A-Za-z_]*\)=.*/\1/p')
export LC_ALL=C.UTF-8 REPEATS="$repeats" WORKERS="$workers"
scratch=$(mktemp -d) || exit 2
burners=
finish() {
  [ -z "$burners" ] || kill $burners 2>/dev/null
  rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP
for _ in $(seq "$busy"); do
  # These processes end if this shell was killed.
  (while kill -0 $$ 2>/dev/null; do i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; done) >/dev/null 2>&1 &
  burners="$burners $!"
done
printf '%s\n' "$@" | xargs -P "${JOBS:-$(nproc)}" -I '{}' sh "$0" --one "$scratch" '{}'
cat "$scratch"/*.out | awk '
  / runs, / { programs++; runs += $2; different += $4; next }
  / not compiled: | has nothing to report$/ { broken++ }
  END {
    printf "%d programs, %d runs, %d different%s\n", programs, runs, different, broken ? ", and " broken " other lines" : ""
    exit different || broken || !runs
  }'
