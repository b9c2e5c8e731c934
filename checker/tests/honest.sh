#!/bin/sh
# Right but unusual: a patch of a solution each, which has to keep full marks, in float and in double.
#
#   honest.sh GRADING FILE.patch...      GRADING: as grade_one.sh takes it, of the lab that the patches are for

grading=$1
shift
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
for file; do
  rm -f "$scratch/report"
  sh common/make/tests/mutant.sh build "$file" >"$scratch/source.cu" &&
    sh common/make/class/grade_one.sh "$grading" "$scratch/source.cu" "$scratch/marks" "$scratch/report" none &&
    grep -q '^  score 100/100 ' "$scratch/report" && continue
  echo "$file: not full marks"
  cat "$scratch/report"
  failed=1
done
exit $failed
