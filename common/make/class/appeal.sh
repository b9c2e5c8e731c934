#!/bin/sh
# Runs a command on one lab of a submission in a class. grade_one.sh compiles, checks and runs the
# file in the sandbox.
#
#   appeal.sh lab|change|run|profile|view NN GRADING LABS SOURCE bwrap|none
#
# lab prints the verdict, change a change with which a task passes (TASK, or the first open task),
# and run the output of the program with ARGS. profile and view show a recorded run. ARGS, JSON and
# TASK are read from the environment (appeal.mk). The exit status is 0, 1 below full marks, or 2
# after an error.

door=$1 number=$2 grading=$3 labs=$4 source=$5 sandbox=$6
[ -e "$source" ] || {
  echo "make $door$number: $source: was not handed in" >&2
  exit 2
}
walls='in a sandbox, as the class was'
[ "$sandbox" = bwrap ] || walls='without a sandbox (SANDBOX=none)'
echo "handed in by $(basename "$labs"): compiled and run $walls"
echo
scratch=$(mktemp -d "${TMPDIR:-/tmp}/lockstep-XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' HUP INT TERM
export APPEAL="$labs"

# Writes the marks and the report. The argument is passed to the checker.
verdict() {
  CHECK_WITH=$1 sh common/make/class/grade_one.sh "$grading" "$source" "$scratch/marks" "$scratch/report" "$sandbox" || exit 2
}

# Runs the program once with these arguments, and records the run. The recording contains the path
# of the source outside the sandbox.
record() {
  RECORDING=$scratch/recording START_WITH=$1 sh common/make/class/grade_one.sh "$grading" "$source" "$scratch/marks" \
    "$scratch/report" "$sandbox"
  status=$?
  lab=$(basename "$(dirname "$source")")
  [ ! -e "$scratch/recording" ] || sed -i "s|/lockstep/labs/$lab/|$labs/$lab/|g" "$scratch/recording"
  return $status
}
number_of() { sed -n "s/^  \"$1\": \\([0-9]*\\).*/\\1/p" "$scratch/marks" | head -n 1; }

# Prints the line about this lab in the report of a class, with the deduction for late days.
line_of() { [ ! -e "$1/reports/$id.txt" ] || grep -m 1 "^  lab $number  " "$1/reports/$id.txt" | cut -c 46- | sed 's/^ *//'; }
# Prints the marks of the class and the new marks. The checker computes the deduction for late days:
# it writes the reports of a class that has only this student and the new marks.
beside_the_class() {
  id=$(basename "$labs") class=$(cd "$labs/../.." && pwd -P) once_more=$scratch/class
  before=$(line_of "$class")
  [ -n "$before" ] && mkdir -p "$once_more/marks" && cp "$class/roster.json" "$once_more" || return
  cp -r "$class/marks/$id" "$once_more/marks" && cp "$scratch/marks" "$once_more/marks/$id/$(basename "$(dirname "$source")").json" || return
  "$CHECKER" ${POINTS:+--points "$POINTS"} --class "$once_more" >/dev/null
  echo
  echo "  in the class  $before"
  echo "  this time     $(line_of "$once_more")"
  [ -z "$POINTS" ] || echo "  by the points of $POINTS"
}

case $door in
lab)
  verdict "$ARGS"
  cat "$scratch/report"
  beside_the_class
  [ "$(number_of score)" = "$(number_of points)" ]
  ;;
change)
  CHANGE_WITH="--change ${TASK:+--task=$TASK}" sh common/make/class/grade_one.sh "$grading" "$source" "$scratch/marks" \
    "$scratch/report" "$sandbox"
  ;;
run)
  record "$ARGS" >"$scratch/said"
  status=$?
  sed "s|\(/lockstep/\)*labs/$lab/|$labs/$lab/|g" "$scratch/said"
  exit $status
  ;;
profile)
  record "--no-check --repeats 1 $ARGS" >"$scratch/said"
  status=$?
  [ -e "$scratch/recording" ] && grep -q '"event":"kernel"' "$scratch/recording" || {
    cat "$scratch/said"
    exit $status
  }
  "$PROFILE" --alone --source "$source" --next "make lab$number LABS=$labs" ${JSON:+--json "$JSON"} \
    --title "profile of $source, $TITLE" "$scratch/recording"
  ;;
view)
  verdict ''
  record "--no-check --repeats 1 $ARGS" >"$scratch/said"
  status=$?
  mkdir -p "$(dirname "$PAGE")"
  set -- --alone --source "$source" --output "$PAGE" --title "lab $number" --status "$status" --subtitle "$TITLE" --marks "$scratch/marks" \
    --command "make view$number LABS=$labs" --next "make lab$number LABS=$labs"
  [ ! -e "$scratch/recording" ] || set -- "$@" "$scratch/recording"
  "$VIEW" "$@" && echo "lab $number: the page is $PAGE"
  ;;
esac
