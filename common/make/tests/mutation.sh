#!/bin/sh
# Tests whether the checker finds generated mistakes. Each result is kept in a file beside its
# mutant.
#
#   mutation.sh one GRADING SOLUTIONS N.cu   writes the result of a mutant: killed, equivalent, right,
#                                            survived or invalid
#   mutation.sh sum FOLDER...                prints the number of each result and the surviving mutants;
#                                            status 1 if there are any
#
# N.cu is a mutant that checker/tests/mutate.c made; SOLUTIONS has the right programs, LAB.float and
# LAB.double. The mutant is built and graded in float, and if it is right also in double, under three
# orders of warps and blocks (SCHEDULES="1 2 3"). It is killed if no order gives full marks. All other
# mutants are compared with the solution independently of the tasks: all variants in both precisions, at
# sizes that no check uses, with failing calls. A mutant is equivalent if its values, reports and
# counters equal those of the solution. If only counters differ, the mutant is right: it executes other
# instructions than the solution, within the limits of the tasks.

# facts PROGRAM ARGUMENT...: prints the results of one run. With FAILING=n it prints the reports and
# leaks of n runs, in which one of the calls 1 to n fails.
facts() {
  if [ -n "${FAILING:-}" ]; then
    for number in $(seq "$FAILING"); do (export LOCKSTEP_FAIL="$number" FAILING=; facts "$@" | paste -sd ' '); done | sort
    return
  fi
  program=$1
  shift
  rm -f "$work/log"
  LOCKSTEP_LOG=$work/log LOCKSTEP_QUIET=1 LOCKSTEP_WORKERS=1 timeout 60 "$program" "$@" >/dev/null 2>&1
  echo "status $?"
  # After a failed call the program may make other calls, which also fail, so only reports and leaks
  # are compared.
  if [ -n "${LOCKSTEP_FAIL:-}" ]; then
    grep -o '"call":"[^"]*","number":[0-9]*\|"kind":"\(bad\|double\)-free"\|"live_allocations":[0-9]*' "$work/log"
    return
  fi
  # Removes numbers that depend on the compiler: instructions, branches, and the last digits of the
  # number of floating-point operations.
  sed 's/"[a-z]*_instructions":[0-9]*,//g; s/"[a-z_]*branches":[0-9]*,//g' "$work/log" |
    awk '{ while (match($0, /"flop":[0-9]+/)) { n = substr($0, RSTART + 7, RLENGTH - 7)
           $0 = substr($0, 1, RSTART) sprintf("flops:%.1e", n) substr($0, RSTART + RLENGTH) } print }' | grep -o '"kind":"[^"]*"\|"name":"[^"]*","launches":[0-9]*\|"counters":{[^}]*}\|"live_allocations":[0-9]*\|"event":"launch".*\|"call":"[^"]*"'
}

# right_facts SOLUTION ARGUMENT...: prints the results of the solution, which are computed once for
# all mutants.
right_facts() {
  kept=$cache/$(echo "$(basename "$1") ${FAILING:-}$*" | md5sum | cut -c 1-32)
  [ -s "$kept" ] || { facts "$@" >"$work/new" && mv "$work/new" "$kept"; }
  cat "$kept"
}

differ() { # SOLUTION MUTANT ARGUMENT...
  right=$1 mutant=$2
  shift 2
  right_facts "$right" "$@" >"$work/right"
  facts "$mutant" "$@" >"$work/mutant"
  runs=$((runs + 1))
  cmp -s "$work/right" "$work/mutant" && return 1
  for side in right mutant; do grep -v '^"counters"' "$work/$side" >"$work/$side.seen"; done
  what=survived
  cmp -s "$work/right.seen" "$work/mutant.seen" && what='right, within the gates'
  [ "$what" = survived ] || [ ! -s "$work/gates" ] || return 1
  echo "$what: with${FAILING:+ calls that fail,} $*: $(diff "$work/right" "$work/mutant" | sed -n 's/^[<>] //p' | tr '\n' ' ' | cut -c 1-60)" >"$work/$([ "$what" = survived ] && echo told || echo gates)"
  [ "$what" = survived ]
}

tell_apart() { # SOLUTION MUTANT: prints the first difference of their results, or nothing
  for variant in $("$1" --list | sed 's/ .*//' | grep -v '^cpu$\|^threads$\|^expert$\|^share$\|^tensor$\|^operands$\|^async$\|^rounds$'); do
    for sizes in '--size 1' '--size 2' '--size 47' '--size 65 --seed 3' '--size 128 --fill whole' '--size 129 --seed 9' \
      '--m 5 --k 71 --n 39' '--m 130 --k 9 --n 37' '--rows 37 --cols 1031' '--rows 1100 --cols 66' '--n 258 --fill pairs --steps 1'; do
      case $sizes in --[mrn]*) "$1" --help | grep -q -e "${sizes%% *}=" || continue ;; esac
      case $sizes in --n*) "$1" --help | grep -q -e '--steps=' || continue ;; esac
      differ "$1" "$2" --variant "$variant" $sizes && return
    done
    [ "$variant" = host ] || continue
    FAILING=11
    differ "$1" "$2" --variant host --size 40 && return
    FAILING=''
  done
}

full_marks() { # ARGUMENT OF THE CHECKER...
  "$checker" --points "$points" --lab "$lab" --source "$work/labs/$lab/$file" --program "$work/out/program" \
    --seconds "$seconds" --plain --forget "$@" >"$report" 2>&1
}

passes() { # ARGUMENT OF THE CHECKER...: full marks under any of the schedules
  for schedule in ${SCHEDULES:-1 2 3}; do full_marks --schedule "$schedule" "$@" && return; done
  return 1
}

# Prints the first task without full marks. If the report has no tasks, the mutant was not killed.
first_failed() {
  task=$(awk '/^  [1-9] / { for (i = 2; i <= NF; i++) if (split($i, points, "/") == 2 && points[1] + 0 < points[2] + 0) { print $1; exit } }' "$report")
  [ -n "$task" ] && echo "killed: task $task" || echo "survived: could not be graded: $(tail -n 1 "$report")"
}

judge() { # SOLUTIONS FILE: builds the program in double only if the program in float is right
  mkdir -p "$work/labs/$lab" "$work/out/double" "$cache" && cp "$2" "$work/labs/$lab/$file" && ln -s "$PWD/common" "$work/common" &&
    # The command uses the precompiled headers of the sandbox, so they are copied.
    mkdir "$work/parsed" && cp "$parsed"/*.h "$work/parsed"
  (cd "$work" && eval "$compile" && eval "$link") >"$report" 2>&1 || { echo invalid; return; }
  passes || { first_failed; return; }
  (cd "$work" && eval "$in_double" && eval "$link_double") >"$report" 2>&1 || {
    echo 'killed: does not compile in double'
    return
  }
  passes --double "$work/out/double/program" || { first_failed; return; }
  runs=0
  tell_apart "$1/$lab.float" "$work/out/program"
  [ -s "$work/told" ] || tell_apart "$1/$lab.double" "$work/out/double/program"
  cat "$work/told" 2>/dev/null || cat "$work/gates" 2>/dev/null || echo "equivalent: values, reports and counters are the solution's in $runs runs"
}

one() { # GRADING SOLUTIONS FILE
  base=${3%.cu}
  [ -s "$base.result" ] && return
  . "$1"
  root=$PWD # used in $link
  report=$base.txt cache=$(dirname "$3")/right work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
  export TMPDIR="$work"
  judge "$2" "$3" >"$base.new" && mv "$base.new" "$base.result"
}

sum() { # FOLDER...
  status=0
  for folder; do
    count() { cat "$folder"/*.result 2>/dev/null | grep -c "^$1"; }
    printf '%-20s made %4d   equivalent %4d   within gates %4d   killed %4d   survived %4d\n' "$(basename "$folder")" \
      $(($(count '[ekrs]'))) "$(count equivalent)" "$(count right)" "$(count killed)" "$(count survived)"
    [ "$(count survived)" = 0 ] || status=1
    for result in $(grep -ls '^survived\|^right' "$folder"/*.result); do
      number=$(basename "$result" .result)
      echo "  $(sed -n "s/^$number \([0-9]*\)/line \1,/p" "$folder/list")"
      echo "    $folder/$number.cu $(cat "$result")"
    done
  done
  return $status
}

what=$1
shift
"$what" "$@"
