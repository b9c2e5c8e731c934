#!/bin/sh
# Tests the labs, the checker and the emulator without common/emulator/more. Deletes that folder in
# a copy of the workbook and links everything again there. Every solution must get full marks, every
# skeleton must be graded, and the tests of the emulator must pass. At the end, linking a solution
# that calls a function of more/ must fail.
#
#   BUILD=build without_more.sh PROGRAM.cu...     also runs these programs of tests/programs, tests/mistakes

unset MAKEFLAGS MAKELEVEL MFLAGS
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
book=$folder/book said=$folder/said
failed=0

fail() {
  echo "$1"
  tail -n 20 "$said" | sed 's/^/    /'
  failed=1
}

# ---- the copy, with the object files of this folder ---------------------------------------------
sh common/make/tests/copy.sh "$book" || exit 2
goals='build/checker/checker' named= copied=
for test in common/emulator/tests/*_test.c; do
  # Skips counters_test. Its kernels do not use more/, and it takes as long as all other tests
  # together.
  case $test in */counters_test.c) continue ;; esac
  program=tests/$(echo "${test%.c}" | tr / _)
  copied="$copied $program.o $program.d"
  goals="$goals build/$program" named="$named $program=build/$program"
done
for source; do
  program=emulated-clang/$(basename "$(dirname "$source")" | sed s/programs/tests/)/$(basename "$source" .cu)
  copied="$copied $(cd "$BUILD" && ls "$program".*)"
  goals="$goals build/$program" named="$named $program:$source=build/$program"
done
for lab in labs/[0-9]*; do
  name=${lab#*/}
  for program in "labs/$name.float" "labs/$name.double" "solutions/$name.float" "solutions/$name.double"; do
    copied="$copied $(cd "$BUILD" && ls "emulated-clang/$program".*)"
    goals="$goals build/emulated-clang/$program"
  done
done
(cd "$BUILD" && tar -cf - $copied) | tar -xf - -C "$book/build" || exit 2
cd "$book" || exit 2
rm -rf common/emulator/more build/objects/emulator/common/emulator/more build/emulator build/checker/checker
export BUILD=build DEVICE=emulated LADDERS=build/emulated-clang/tests/ladder
RECONVERGENCE=$(for goal in $goals; do case $goal in */reconvergence*) printf "%s " "$goal" ;; esac; done)
export RECONVERGENCE

# ---- without more/ ------------------------------------------------------------------------------
make -s $goals >"$said" 2>&1 || fail 'not everything is linked'
make -s grade LABS=solutions >"$said" 2>&1 || fail 'a solution has not full marks'
make -s grade >"$said" 2>&1
[ $? = 1 ] || fail 'the skeletons are not graded'
sh common/make/tests/test.sh $named >"$said" 2>&1 || fail 'a test fails'

# ---- a solution that uses more/ -----------------------------------------------------------------
cat >>solutions/01-naive/naive.cu <<'END'
int uses_more() {
  cudaGraph_t graph;
  return cudaGraphCreate(&graph, 0);
}
END
make -s run01 LABS=solutions >"$said" 2>&1 && fail 'a solution that uses a graph is linked'
grep -q 'the emulated device has no cudaGraphCreate' "$said" || fail 'a solution that uses a graph is not refused for that'
exit $failed
