#!/bin/sh
# Tests `checker --change`, the last hint. For wrong solutions (checker/mutants) the checker must
# print a diff, and the file with this diff applied must pass the task. For a gap that is not begun,
# and for a prediction, it must not print a diff.
#
#   change.sh COMMANDS NN-name/NAME...
#
# COMMANDS/NN-name defines the shell variables edited, rebuilt and solution of a lab.
# NAME:operators: the checker has no solution to compare with, as in a handout. NAME:double: the
# program is also graded in double.

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
  "$checker" --change --lab "$1" --task "$2" --source "$3" --program "$4" $5 $6 --edited "$edited" \
    --rebuilt "$rebuilt" ${solution:+--solution "$solution"} >"$scratch/said" 2>&1
}

apply() { # SOURCE: prints the source with the diff in $scratch/said applied
  awk 'FNR == NR {
         if (!match($0, /^ *[0-9]+ [-+] /)) next
         text = substr($0, RLENGTH + 1)
         if ($2 == "-") removed[$1] = text; else added[$1] = text
         next
       }
       { old[FNR] = $0; count = FNR }
       END {
         for (i = n = 1; i <= count || n in added;)
           if (n in added) print added[n++]
           else if (!(i in removed)) { print old[i++]; n++ }
           else if (removed[i] == old[i]) i++
           else exit 1
       }' "$scratch/said" "$1"
}

build() { # SOURCE PRECISION
  sh -c "$rebuilt" rebuilt "$1" "$scratch/made.$2" "$2" 2>"$scratch/log"
}

passes() { # LAB TASK [--double PROGRAM]: grades the changed file
  build "$scratch/changed.cu" float || return
  [ $# = 2 ] || build "$scratch/changed.cu" double || return
  "$checker" --plain --forget --lab "$1" --source "$scratch/changed.cu" \
    --program "$scratch/made.float" $3 $4 >"$scratch/report"
  grep -q "^  $2 .* \([1-9][0-9]*\)/\1\( .*\)*\$" "$scratch/report"
}

for name; do
  lab=${name%/*} mutant=${name#*/} double=
  mutant=${mutant%:*}
  . "$commands/$lab"
  case $name in
  *:operators) solution= ;;
  *:double) double="--double $scratch/made.double" ;;
  esac
  source=$BUILD/mutants/$lab/$mutant.cu program=$BUILD/emulated-clang/mutants/$lab/$mutant
  task=$(sed -n 's|^// expect: task \([0-9]*\).*|\1|p' "$source")
  [ -z "$double" ] || build "$source" double || fail "$name: does not compile"
  ask "$lab" "$task" "$source" "$program.float" $double
  apply "$source" >"$scratch/changed.cu"
  cmp -s "$source" "$scratch/changed.cu" && fail "$name: no change" && continue
  passes "$lab" "$task" $double ||
    fail "$name: task $task fails after this change: $(cat "$scratch/log" "$scratch/report")"
done

# Gaps that are not begun, and a prediction (task 7).
for name in 01-naive:1 01-naive:7 02-shared:2 02-shared:4; do
  lab=${name%:*}
  [ -e "$commands/$lab" ] || continue
  . "$commands/$lab"
  ask "$lab" "${name#*:}" labs/"$lab"/*.cu "$BUILD/emulated-clang/labs/$lab.float"
  ! grep -q '^ *[0-9][0-9]* [-+] ' "$scratch/said" || fail "$name: changes a gap that is not begun"
  [ "$(grep -c . "$scratch/said")" -ge 3 ] || fail "$name: nothing is said"
done
exit $failed
