#!/bin/sh
# Tests that a right program gives right results without reports in many orders of warps and blocks.
#
#   schedules.sh run N PROGRAM RESULT            runs the program in orders 0 to N - 1, with other sizes and
#                                                inputs in each; together, the sizes are 1 to 70
#   schedules.sh grade N RESULT CHECKER WORD...  grades with this command in orders 1 to N
#   schedules.sh sum RESULT...                   adds the results; status 1 unless all are right and
#                                                without reports
#
# RESULT is written at the end, so that the same make command continues after an interruption. RESULT has a
# line "N what" for each number, followed by the errors. A sweep runs every variant; variants of exercises
# have a separate sweep. Results are compared with those of the CPU in double. In half of the sweeps all
# sizes are equal, in the other half one size is fixed.

schedules=$2
work=$(mktemp -d) && : >"$work/seen" || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export TMPDIR="$work" LOCKSTEP_WORKERS=1 LOCKSTEP_PREDICT=0 LOCKSTEP_QUIET=1

counted() { # WHAT...: prints for each word the number of its lines in the file
  for what; do echo "$(grep -c "^$what" "$work/seen") $what"; done
  grep -v '^run \|^grading ' "$work/seen" | sort | uniq -c | head -n 20
}

sweep() { # WORD...
  rm -f "$work/log" "$work/csv"
  LOCKSTEP_LOG=$work/log timeout 300 "$program" --no-time --csv "$work/csv" "$@" >"$work/said" 2>&1
  grep -q '"event":"end"' "$work/log" || echo "broken: $*: $(tail -n 1 "$work/said")" >>"$work/seen"
  grep '"event":"report"' "$work/log" | sed "s|^|report: LOCKSTEP_SEED=$LOCKSTEP_SEED $*: |" | cut -c 1-300 >>"$work/seen"
  awk -F, -v said="LOCKSTEP_SEED=$LOCKSTEP_SEED $*" '
    /^#/ { next }
    /^variant,/ { for (i = 1; i <= NF; i++) if ($i == "result") result = i; next }
    { print "run " $1; if ($result != "right") print "wrong: " said ": " $0 }' "$work/csv" >>"$work/seen"
}

run() { # PROGRAM RESULT
  program=$1
  if ! [ -x "$program" ]; then
    echo "broken: does not compile: $(grep -i -m 1 error "$program.log")" >"$work/seen"
    counted run report wrong broken >"$2"
    return
  fi
  sizes=$("$program" --help | sed -n 's/^ *--\([a-z]*\)=NUMBER *set one size.*/\1/p')
  case $sizes in *steps*) sizes= ;; esac # steps is not a size
  exercises=$("$program" --list | sed 's/ .*//' | grep -x 'warmup\|tiles\|transpose_.*')
  for LOCKSTEP_SEED in $(seq 0 $((schedules - 1))); do
    export LOCKSTEP_SEED
    inputs="--seed $((LOCKSTEP_SEED + 1)) --sweep $((LOCKSTEP_SEED % 70 + 1)):70:$schedules"
    stays=$(echo $sizes | awk -v n="$LOCKSTEP_SEED" 'NF { print "--" $(n % NF + 1), (n * 37 + 11) % 70 + 1 }')
    sweep --no-cpu $inputs
    [ -z "$stays" ] || sweep --no-cpu $inputs $stays
    for exercise in $exercises; do sweep --variant "$exercise" $inputs $stays; done
  done
  counted run report wrong broken >"$work/result" && mv "$work/result" "$2"
}

grade() { # RESULT CHECKER WORD...
  result=$1
  shift
  for schedule in $(seq "$schedules"); do
    echo "grading $schedule" >>"$work/seen"
    "$@" --schedule "$schedule" --plain --forget >"$work/said" 2>&1 ||
      { echo "marked down: --schedule $schedule"; grep '^  score\|0/[0-9]' "$work/said" | head -n 9; } >>"$work/seen"
  done
  counted grading 'marked down' >"$work/result" && mv "$work/result" "$result"
}

sum() { # RESULT...
  awk '
    FNR == 1 { files++ }
    /^[0-9]+ (run|report|wrong|broken|grading|marked down)$/ { n = $1; sub(/^[0-9]+ /, ""); counts[$0] += n; next }
    { print FILENAME ": " $0 }
    END {
      printf "%d programs", files
      split("run,report,wrong,broken,grading,marked down", order, ",")
      for (i = 1; i <= 6; i++) if (order[i] in counts) printf ", %s %d", order[i], counts[order[i]]
      print ""
      exit counts["report"] + counts["wrong"] + counts["broken"] + counts["marked down"] > 0
    }' "$@"
}

what=$1
case $what in sum) shift ;; *) shift 2 ;; esac
"$what" "$@"
