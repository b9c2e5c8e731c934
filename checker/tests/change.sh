#!/bin/sh
# The last hint: a change that is found for a wrong solution (checker/mutants) is shown as a diff; the file with this diff
# applied passes the task. For a gap that is not begun no change is shown, and none for a prediction.
#
#   change.sh COMMANDS NN-name/NAME...      COMMANDS/NN-name defines edited, rebuilt and solution of the lab;
#                                           NN-name/NAME:operators is tried without its solution, as in a handout

commands=$1
shift
checker=$BUILD/checker/checker
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
fail() {
  printf '%s\n' "$1"
  [ ! -e "$scratch/said" ] || cat "$scratch/said"
  failed=1
}

ask() { # LAB TASK SOURCE PROGRAM [--double PROGRAM]
  asked_lab=$1 asked_task=$2 asked_source=$3 asked_program=$4
  shift 4
  "$checker" --change --task "$asked_task" --lab "$asked_lab" --source "$asked_source" --program "$asked_program" "$@" \
    --edited "$edited" --rebuilt "$rebuilt" ${solution:+--solution "$solution"} >"$scratch/said" 2>&1
}

apply() { # SOURCE: the lines of the diff in $scratch/said
  awk 'FNR == NR { if (match($0, /^ *[0-9]+ [-+] /)) {
                     text = substr($0, RLENGTH + 1); number = $1
                     if ($2 == "-") { removed[number] = 1; was[number] = text } else { added[number] = text; is_added[number] = 1 } }
                   next }
       { old[FNR] = $0; count = FNR }
       END { for (i = n = 1; i <= count || n in is_added;) {
               if (n in is_added) print added[n++]
               else if (i in removed) { if (was[i] != old[i]) exit 1; i++ }
               else { print old[i++]; n++ } } }' "$scratch/said" "$1"
}

passes() { # LAB TASK: the changed file
  sh -c "$rebuilt" rebuilt "$scratch/changed.cu" "$scratch/changed.float" float 2>"$scratch/log" || return
  "$checker" --plain --forget --lab "$1" --source "$scratch/changed.cu" --program "$scratch/changed.float" >"$scratch/report"
  grep -q "^  $2 .* \([1-9][0-9]*\)/\1\( .*\)*\$" "$scratch/report"
}

for name; do
  lab=${name%/*} mutant=${name#*/} mutant=${mutant%:operators}
  . "$commands/$lab"
  [ "$name" = "${name%:operators}" ] || solution=
  source=$BUILD/mutants/$lab/$mutant.cu program=$BUILD/emulated-clang/mutants/$lab/$mutant
  task=$(sed -n 's|^// expect: task \([0-9]*\).*|\1|p' "$source")
  ask "$lab" "$task" "$source" "$program.float" $([ ! -e "$program.double" ] || echo --double "$program.double")
  apply "$source" >"$scratch/changed.cu"
  cmp -s "$source" "$scratch/changed.cu" && fail "$name: no change" && continue
  passes "$lab" "$task" || fail "$name: task $task does not pass after this change: $(cat "$scratch/log" "$scratch/report")"
done

# Untouched gaps, and a prediction: the first labs's skeleton.
for name in 01-naive:1 01-naive:4 02-shared:2 02-shared:4; do
  lab=${name%:*}
  [ -e "$commands/$lab" ] || continue
  . "$commands/$lab"
  ask "$lab" "${name#*:}" labs/"$lab"/*.cu "$BUILD/emulated-clang/labs/$lab.float"
  ! grep -q '^ *[0-9][0-9]* [-+] ' "$scratch/said" || fail "$name: a change of a gap that is not begun"
  [ "$(grep -c . "$scratch/said")" -ge 3 ] || fail "$name: nothing is said"
done
exit $failed
