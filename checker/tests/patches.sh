#!/bin/sh
# Grades patches of a solution like a class, in float and in double. Right but unusual solutions get
# full marks. A wrong solution (checker/mutants) fails in the task and for the cause that its first
# lines name (workbook_test.c), like with every other command.
#
#   patches.sh GRADING FILE.patch...      GRADING: as grade_one.sh takes it, of the lab that the patches are for

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
