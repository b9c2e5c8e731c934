#!/bin/sh
# Grades one lab of one student, whom nobody trusts:
#
#   grade_one.sh GRADING SOURCE MARKS.json REPORT.txt bwrap|none
#
# GRADING is $(call grading,NN-name) of sandbox.mk and says which lab, device, precision and compiler;
# SOURCE is the student's file. Runs from the workbook's root. The source is compiled behind walls (bwrap;
# none: without), linked outside, where nothing of the student's runs, and started by the checker behind
# walls again. The marks appear whole, after the report, or not at all; a lab that could not be graded has
# marks, too, whose "ungraded" says why.
#
# Exit status 0: graded, whatever the marks. Anything else: no marks; do it again.

set -u
grading=$1 source=$2 marks=$3 report=$4 sandbox=$5
. "./$grading" || exit
work=$(mktemp -d "${TMPDIR:-/tmp}/lockstep-XXXXXX") || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
said=$work/said

mkdir -p "$work/labs/$lab" "$work/out" "$(dirname "$marks")" "$(dirname "$report")" &&
  cat "$source" >"$work/labs/$lab/$file" || exit
[ "$sandbox" = bwrap ] || ln -s "$PWD/common" "$work/common" || exit

# The checker with what every call has in common.
check() {
  "$checker" --sandbox="$sandbox" --work "$work" --lab "$lab" --device "$device" --precision "$precision" \
    --compiler "$compiler" --source "$work/labs/$lab/$file" --plain --forget "$@"
}

build() {
  check --compile "$compile" --compile-log "$said" --readable "$readable" --seconds 60 || return
  [ -f "$work/out/program.o" ] && ! [ -h "$work/out/program.o" ] || return
  link >>"$said" 2>&1 && mv "$work/out/program.new" "$work/out/program"
}

build
status=$?
if [ $status = 2 ]; then
  exit 2
fi
if [ $status = 0 ]; then
  check --program "$work/out/program" --json "$work/marks" >"$work/report" 2>"$said"
else
  sed -i -e "s|$work/||g" -e 's|/lockstep/||g' "$said"
  check --compile-log "$said" --json "$work/marks" >"$work/report"
fi
status=$?
if [ $status -gt 1 ]; then
  why=$(head -c 300 "$said" | head -n 1)
  check --ungraded "${why:-the checker ended with status $status}" --json "$work/marks" >"$work/report"
fi
# Beside its name first: who looks sees all or nothing.
cp "$work/report" "$report.new" && mv "$report.new" "$report" &&
  cp "$work/marks" "$marks.new" && mv "$marks.new" "$marks"
