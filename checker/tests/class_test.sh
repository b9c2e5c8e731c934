#!/bin/sh
# Tests make grade SUBMISSIONS=folder with a small class, which class_of.sh grades and kills. Then
# tests that only changed labs are graded again, that one crash does not stop the grading of other
# labs, that -j and LAUNCH work, and that bad input gives a one-line message.
#
#   class_test.sh CLASS_TOOL      (BUILD from the environment)
: "${BUILD:=build}"

name=class-test class=$BUILD/class/$name work=$BUILD/tests/$name
export MAKE="${MAKE:-make}"
unset MAKEFLAGS MFLAGS MAKELEVEL SUBMISSIONS CLASS LAUNCH AGAIN ONLY
trap 'rm -rf "$scratch"' EXIT
scratch=$(mktemp -d) said=$scratch/said

fail() {
  echo "$1"
  cat "$said"
  exit 1
}
"$BUILD/checker/checker" --sandbox=bwrap --try-sandbox 2>"$said" || SANDBOX=none
export SANDBOX="${SANDBOX:-bwrap}"
sh checker/tests/class_of.sh "$1" 6 $name 01-naive || exit 1

grade() { # STATUS ARGUMENT...: writes the output to $said
  wanted=$1
  shift
  $MAKE BUILD="$BUILD" SUBMISSIONS="$work/submissions" CLASS=$name SANDBOX="$SANDBOX" "$@" grade >"$said" 2>&1
  status=$?
  [ $status = "$wanted" ] || fail "make grade $*: exit status $status, expected $wanted"
}
graded() { sed -n 's/^\[.*left  \([^ ]*\) .*/\1/p' "$said" | sort | tr '\n' ' '; }
expect_graded() { [ "$(graded)" = "$1" ] || fail "graded: $(graded), expected: $1"; }
change() { echo '// once more' >>"$work/submissions/$1/labs/01-naive/naive.cu"; }
id() { "$BUILD/checker/intake" --id "$1"; }
says() { grep -qF -e "$1" "$said" || fail "it does not say: $1"; }

s000=$(id 's000 student') s003=$(id 's003 student') s004=$(id 's004 new')
grade 0
expect_graded ''
change 's000 student'
touch "$work/submissions/s003 student/01-naive/naive.cu" 2>/dev/null
grade 0
expect_graded "$s000 "

grade 0 AGAIN="$s003/01-naive"
expect_graded "$s003 "

# If a grading was interrupted before it wrote new marks, the same command continues it.
rm "$class/marks/$s003/01-naive.json"
grade 0 AGAIN="$s003/01-naive"
expect_graded "$s003 "

# If a node fails, only the lab that it was grading has no marks, and the next make grades only this
# lab.
cat >"$scratch/launch" <<'OUT'
for last; do case $last in */s004*/*.json) kill -9 $$ ;; esac; done
exec "$@"
OUT
echo '// once more' >>"$work/submissions/s005 student/$(cd "$work/submissions/s005 student" && find . -name naive.cu)"
cp -r "$work/submissions/s000 student" "$work/submissions/s004 new"
grade 2 LAUNCH="sh $scratch/launch"
says "$s004 01-naive has no marks yet, its grading ended with 137"
says 'could not be graded: the same command tries these again'
grade 0
expect_graded "$s004 "

# Writing tables and pages has a time limit. Here the checker blocks, because it reads a pipe that
# has no writer.
mv "$class/marks/$s000/01-naive.json" "$scratch/marks"
mkfifo "$class/marks/$s000/01-naive.json"
grade 2 CLASS_SECONDS=1
says 'tables and pages took more than 1 s'
mv "$scratch/marks" "$class/marks/$s000/01-naive.json"

echo 'int broken = ;' >>"$work/submissions/s000 student/labs/01-naive/naive.cu"
grade 0
says "$s000 01-naive 0/100"

refused() { # WORDS ARGUMENT...
  words=$1
  shift
  $MAKE BUILD="$BUILD" "$@" >"$said" 2>&1 && fail "make $*: it was not refused"
  says "$words"
}
# The advice for a submission in a class names its file with the whole path, even if the path is
# long.
appeal=$class/in/appealed-long-after-everybody-else-had-been-graded
cp -r "$class/in/$s000" "$appeal"
$MAKE BUILD="$BUILD" LABS="$appeal" ARGS=--forget lab01 >"$said" 2>&1
says "repair that line, then make lab01 LABS=$appeal"
says "handed in by $(basename "$appeal"): compiled and run"
cp labs/01-naive/naive.cu "$appeal/01-naive/"
$MAKE BUILD="$BUILD" LABS="$appeal" ARGS=--forget lab01 >"$said" 2>&1
says "next: TODO(1)"
$MAKE BUILD="$BUILD" LABS="$appeal" hint01 >"$said" 2>&1
says "next: make lab01 LABS=$appeal"
$MAKE BUILD="$BUILD" LABS="$appeal" ARGS='--variant kernel --size 33' run01 >"$said" 2>&1
says "handed in by $(basename "$appeal"): compiled and run"
says 'lab 01: naive matrix product'
# Commands for a submission in a class print the same as in the student's folder: lines of the
# source, injected failures of calls, and the hint for the open task.
again="$MAKE BUILD=$BUILD LABS=$appeal"
sed 's/column < n;/column <= n;/; s/TRY(error, \(cudaMemcpy(C, c, c_bytes, cudaMemcpyDeviceToHost)\))/\1/' solutions/01-naive/naive.cu >"$appeal/01-naive/naive.cu"
$again ARGS='--variant kernel --m 40 --n 250' run01 >"$said" 2>&1 && fail 'reads out of bounds are right'
says 'error: read out of bounds: B, row 255, column 250'
says "read it   $appeal/01-naive/naive.cu:58"
says 'cudaErrorIllegalAddress'
grep -q LOCKSTEP_FAIL "$said" && fail 'nobody has made a call fail'
LOCKSTEP_FAIL=7 $again ARGS='--variant host --m 64' run01 >"$said" 2>&1 && fail 'a copy that failed is right'
says 'host: nothing was written'
[ "$(grep -c '^lab 01: ' "$said")" = 1 ] || fail 'one run has one heading'
$again lab01 >"$said" 2>&1
says "again: make run01 LABS=$appeal ARGS="
$again hint01 >"$said" 2>&1
says 'task 5, edges: hint 1 of 3'
rm -r "build/progress/$(echo "$appeal" | tr / _)"
# An untrusted source can name any file in #line. No tool may read that file.
sed 's/^extern "C" __global__/#line 1 "LICENSE"\n&/' solutions/01-naive/naive.cu >"$appeal/01-naive/naive.cu"
$MAKE BUILD="$BUILD" LABS="$appeal" profile01 >"$said" 2>&1
says 'profile of'
grep -q 'MIT License' "$said" && fail 'make profile01 shows a file that the source names'
refused "is a submission, which runs in a sandbox only" LABS="$appeal" sweep01
refused "is a submission, which runs in a sandbox only" FILE="$appeal/01-naive/naive.cu" play
rm -r "$appeal"

# -j3 starts three gradings at the same time on any number of cores. Each grading waits until three
# gradings have started, and fails after a timeout.
cat >"$scratch/launch" <<OUT
echo >>'$scratch/started'
for try in \$(seq 600); do
  [ "\$(wc -l <'$scratch/started')" -lt 3 ] || exec "\$@"
  sleep 0.2
done
exit 1
OUT
for student in 's000 student' 's004 new'; do change "$student"; done
cp -r "$work/submissions/s000 student" "$work/submissions/s007"
grade 0 -j3 LAUNCH="sh $scratch/launch"
expect_graded "$s000 $s004 s007 "

# If a submission is removed, all files of this student are removed.
rm -r "$work/submissions/s007"
grade 0
expect_graded ''
find "$class" -name 's007*' | grep . && fail 'of s007 something is still there'

# With ONLY, submissions for other labs are not graded and not in the tables.
mkdir -p "$work/submissions/s007"
cp -r labs/02-shared "$work/submissions/s007"
grade 0 ONLY=01
expect_graded ''
grep -q '02-shared' "$class/grades.csv" && fail 'ONLY=01: lab 02 is in the table'
rm -r "$work/submissions/s007"

# A submission that cannot be read is reported by the same command.
echo 'not a zip' >"$work/submissions/s007.zip"
grade 0
says 's007: it cannot be read as zip or tar'
rm "$work/submissions/s007.zip"

# Checking a submission of a class uses the points of the class, and prints the marks before and
# after the deduction for late days.
late=$work/submissions/s008 points=$scratch/points.txt
mkdir -p "$late/01-naive"
sed 's/TRY(error, \(cudaMemcpy(C, c, c_bytes, cudaMemcpyDeviceToHost)\))/\1/' solutions/01-naive/naive.cu >"$late/01-naive/naive.cu"
touch -d '2025-01-07 12:00' "$late/01-naive/naive.cu"
sed '/^lab 01/,/^$/{s/^lab 01.*/& due 2025-01-05 23:59/;s/15  product/5  product/;s/10+10+5  host/15+15+5  host/}' checker/points.txt >"$points"
grade 0 POINTS="$points"
$MAKE BUILD="$BUILD" LABS="$class/in/s008" hint01 >"$said" 2>&1
says 'task 6, host side: hint 1 of 3'
$MAKE BUILD="$BUILD" LABS="$class/in/s008" lab01 >"$said" 2>&1
says '6 host side                 20/35'
says 'result 15/15, errors 0/15, sizes in bytes 5/5'
says 'in the class  68/100'
says "by the points of $class/points.txt"
cp solutions/01-naive/naive.cu "$class/in/s008/01-naive/naive.cu"
$MAKE BUILD="$BUILD" LABS="$class/in/s008" lab01 >"$said" 2>&1
says "this time     80/100  2 days late by the file's date: 20 points off"
rm -r "$late" "build/progress/$(echo "$class/in/s008" | tr / _)"

refused 'SUBMISSIONS=/nowhere: no such folder' grade SUBMISSIONS=/nowhere
refused 'SUBMISSIONS=Makefile: a file, to be unpacked first;' grade SUBMISSIONS=Makefile
refused 'SUBMISSIONS= is empty' grade SUBMISSIONS=
refused 'ONLY=99: no lab 99' grade SUBMISSIONS="$work/submissions" CLASS=$name ONLY=99
refused '01-naive is a lab and no student' grade SUBMISSIONS=labs CLASS=$name-empty SANDBOX="$SANDBOX"
refused 'nothing was handed in there' grade CLASS=$name-empty SANDBOX="$SANDBOX" SUBMISSIONS="$scratch/empty dir$(mkdir "$scratch/empty dir")"
refused "has the class of" grade SANDBOX="$SANDBOX" SUBMISSIONS="$scratch" CLASS=$name
refused 'AGAIN=nobody: nothing like that was handed in' grade SANDBOX="$SANDBOX" SUBMISSIONS="$work/submissions" CLASS=$name AGAIN=nobody
refused 'SANDBOX=maybe: choose bwrap or none' grade SANDBOX=maybe SUBMISSIONS="$scratch"
refused 'works with `make grade` and `make class-list` only' lab01 SUBMISSIONS="$scratch"
rm -rf "$BUILD/class/$name-empty"
