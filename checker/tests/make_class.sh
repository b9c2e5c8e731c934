#!/bin/sh
# Generates the submissions of a class with the expected marks. The submissions are the same in
# every run.
#
#   make_class.sh CLASS_TOOL STUDENTS OUT [NN-name...]     (default: all labs)
#
# OUT/submissions contains a folder or an archive for each student. OUT/expected has a line for each
# student and lab, in the format that class_tool.c describes. Students hand in solutions, all
# mutants of a lab one after the other, skeletons, files with some TODOs done, files that do not
# compile, empty folders and damaged archives. Some labs are missing. A third of the submissions are
# zip or tar files, with four folder layouts and unusual names.

tool=$1 students=$2 out=$3 intake=${BUILD:-build}/checker/intake
shift 3
[ $# != 0 ] || set -- $(cd labs && ls -d [0-9][0-9]-*)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
rm -rf "$out" && mkdir -p "$out/submissions" || exit 2
: >"$out/expected"

file_of() { echo "${1#*-}" | tr - _; }
tasks_of() { grep -c '^ *{\.title = ' "checker/tasks/$1.c"; }

# Prints the numbers N for which a file with only TODO(1) to TODO(N) done can pass these tasks. In
# lab 02 the solution of TODO(4) contains the solution of TODO(2), so 2 and 3 are left out.
stages_of() {
  case $1 in 02-*) echo 1 4 ;; *) seq $(($(tasks_of "$1") - 1)) ;; esac
}

# Prints the skeleton with the gaps of TODO(1) to TODO(N) filled from the solution.
half_done() { # LAB N
  awk -v most="$2" '
    function number(line) { sub(/^[ ]*\/\/ [A-Z]*\(/, "", line); return line + 0 }
    FNR == NR && /^ *\/\/ DONE\([0-9]/ { gap++ ; inside = 1 }
    FNR == NR { if (inside) done[gap] = done[gap] $0 "\n"; if (/^ *\/\/ END\([0-9]/) inside = 0; next }
    /^ *\/\/ TODO\([0-9]/ { at++; if (number($0) <= most) { printf "%s", done[at]; skip = 1 } }
    !skip { print }
    /^ *\/\/ END\([0-9]/ { skip = 0 }
  ' "solutions/$1/$(file_of "$1").cu" "labs/$1/$(file_of "$1").cu"
}

# Prints the expected cause of a mutant in a class. In a class a replay repeats the calls of the
# host, so some mutants of host code have another cause there, which their line `class:` states.
cause_in_class() { directive class "$1" | grep . || directive cause "$1"; }
directive() { sed -n "s|^// $1: ||p" "$2" | head -n 1; }

next_mutant() { # LAB: sets `mutant` to the next mutant of the lab
  eval "n_${1%%-*}=\$((\${n_${1%%-*}:-0} + 1)); n=\$n_${1%%-*}"
  mutant=$(ls checker/mutants/"$1"/*.patch | sed "s|^checker/\(.*\)patch$|${BUILD:-build}/\1cu|" | awk -v n="$n" '{ a[NR - 1] = $0 } END { print a[(n - 1) % NR] }')
}

# Writes the file of a lab to $work/file, and appends the expected marks to $expected.
hand_in() { # KIND LAB NUMBER
  source=$(file_of "$2").cu
  case $1 in
  solution) cp "solutions/$2/$source" "$work/file" && expected="first $(tasks_of "$2")" ;;
  skeleton) cp "labs/$2/$source" "$work/file" && expected=missing ;; # the skeleton
  half)
    done=$(stages_of "$2" | tr ' ' '\n' | awk -v n="$3" '{ a[NR - 1] = $0 } END { print a[n % NR] }')
    half_done "$2" "$done" >"$work/file" && expected="half $done"
    ;;
  broken) { cat "solutions/$2/$source" && echo 'int broken = ;'; } >"$work/file" && expected='compile not-compiled' ;;
  mutant)
    next_mutant "$2" && cp "$mutant" "$work/file"
    case $(directive expect "$mutant") in
    compile) expected="compile $(cause_in_class "$mutant")" ;;
    task*) expected="fails $(directive expect "$mutant" | tr -dc 0-9) $(cause_in_class "$mutant")" ;;
    esac
    ;;
  missing) expected=missing && return ;;
  esac
  case $layout in
  0) path=labs/$2/$source ;;
  1) path=$2/$source ;;
  2) path="my work/workbook/labs/$2/$source" ;;
  3) path=$source ;;
  esac
  mkdir -p "$work/student/$(dirname "$path")" && cp "$work/file" "$work/student/$path"
}

# Prints the kind of file that a student of kind KIND hands in for lab number J.
habit() { # KIND STUDENT J
  case $1 in
  0 | 1) echo solution ;;
  3) echo skeleton ;;
  4 | 5) echo half ;;
  6) echo broken ;;
  7) [ $((($2 + $3) % 2)) = 0 ] && echo solution || echo missing ;;
  *) [ $((($2 + $3) % 6)) = 0 ] && echo solution || { [ $((($2 + $3) % 6)) = 1 ] && echo missing; } || echo mutant ;;
  esac
}

put_student() { # NAME: stores the submission as a folder or an archive
  case $packed in
  0) ending=.zip ;;
  1) ending=.tar.gz ;;
  2) ending=.tar ;;
  *) ending= && cp -r "$work/student" "$out/submissions/$1" ;;
  esac
  [ -z "$ending" ] || "$tool" pack "$work/student" "$out/submissions/$1$ending"
}

i=0
while [ $i -lt "$students" ]; do
  kind=$((i * 7 % 20)) layout=$((i % 4)) packed=9 j=0
  [ $((i % 3)) != 1 ] || packed=$((i / 3 % 3))
  case $((i % 10)) in
  2) name="O'Brien \"Al\"" ;;
  4) name="J$(printf '\303\266')rg \$(touch harm)" ;;
  6) name="two
lines" ;;
  8) name='-rf ; *' ;;
  *) name=student ;;
  esac
  name=$(printf 's%03d %s' $i "$name")
  id=$("$intake" --id "$name")
  rm -rf "$work/student" && mkdir "$work/student"
  for lab; do
    hand_in "$(habit $kind $i $j)" "$lab" $((i + j))
    [ $kind != 2 ] || expected=problem
    echo "$id $lab $expected" >>"$out/expected"
    j=$((j + 1))
  done
  if [ $kind != 2 ]; then
    put_student "$name"
  elif [ $((i / 20 % 2)) = 0 ]; then
    mkdir "$out/submissions/$name"
  else # a truncated archive
    "$tool" pack "$work/student" "$work/whole.zip" && head -c 300 "$work/whole.zip" >"$out/submissions/$name.zip"
  fi
  i=$((i + 1))
done
