#!/bin/sh
# Grades patches of a solution as in a class, in float and in double. Right but unusual solutions
# must get full marks. The first lines of a wrong solution (checker/mutants) name a task and a
# cause: it must fail in this task and with this cause (workbook_test.c).
#
#   patches.sh GRADING FILE.patch...      GRADING: the file of the lab for grade_one.sh

grading=$1
shift
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
directive() { sed -n "s|^// $1: ||p" "$scratch/source.cu" | head -n 1 | grep .; }
as_expected() {
  if directive expect >/dev/null; then
    "${BUILD:-build}/tests/checker_tests_workbook_test" marks "$scratch/source.cu" "$scratch/marks"
  else
    grep -q '^  score 100/100 ' "$scratch/report"
  fi
}
for file; do
  rm -f "$scratch/report" "$scratch/marks"
  sh common/make/tests/mutant.sh build "$file" >"$scratch/source.cu" &&
    sh common/make/class/grade_one.sh "$grading" "$scratch/source.cu" "$scratch/marks" "$scratch/report" none &&
    as_expected && continue
  echo "$file: not $(directive expect | grep . || echo 'full marks')"
  cat "$scratch/report"
  failed=1
done
exit $failed
