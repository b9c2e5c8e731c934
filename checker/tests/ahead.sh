#!/bin/sh
# Tests that on a GPU one process makes all runs of a task, and that each wrong run is repeated in a
# separate process. The test uses a program for the emulated device instead of a GPU.
#
#   ahead.sh CHECKER NN-name SOURCE PROGRAM
set -u
checker=$1 lab=$2 source=$3 program=$(realpath "$4")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
fail() {
  echo "ahead: $1" >&2
  cat "$work/report" >&2
  exit 1
}

# grade WHAT COMMAND: grades a program that, if it is started for several runs (--then), first
# executes the shell command COMMAND. Fails unless the program gets full marks. Sets `starts` to the
# number of processes.
grade() {
  : >"$work/starts"
  cat >"$work/program" <<END
#!/bin/bash
echo >>'$work/starts'
[[ " \$* " != *' --then '* ]] || $2
exec '$program' "\$@"
END
  chmod +x "$work/program"
  "$checker" --device gpu --lab "$lab" --source "$source" --program "$work/program" --plain --forget --json "$work/marks" \
    >"$work/report" 2>&1
  grep -q '^ *score \([1-9][0-9]*\)/\1 ' "$work/report" || fail "$1: not full marks"
  starts=$(wc -l <"$work/starts")
}

grade 'several runs in one start' :
together=$starts
[ "$together" -le 9 ] || fail "$together starts, which should be one for each list of runs"

grade 'a program that stops' 'exit 1'
[ "$starts" -gt $((2 * together)) ] || fail "$starts starts: who made the runs that had none?"

grade 'a program that has done all and ends badly' "{ '$program' \"\$@\"; kill -SEGV \$\$; }"
[ "$starts" -gt $((2 * together)) ] || fail "$starts starts: who looked how it ended?"

# This program changes the seed if it is started for several runs, so the results of these runs are
# wrong. shellcheck disable=SC2016
grade 'wrong among others' 'for ((i = 1; i < $#; i++)); do [ "${!i}" != --seed ] || set -- "${@:1:i}" 1 "${@:i+2}"; done'
[ "$starts" -gt $((2 * together)) ] || fail "$starts starts: who made the runs again that were wrong?"
