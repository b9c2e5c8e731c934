#!/bin/sh
# Patches of a solution, graded as a class is, in float and in double. What is right but unusual keeps full marks; a wrong
# solution (checker/mutants) fails in the task and with the words that its first lines say, as at every other door.
#
#   patches.sh GRADING FILE.patch...      GRADING: as grade_one.sh takes it, of the lab that the patches are for

grading=$1
shift
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
# On one line: a report has its own lines.
said() { tr -s ' \n' ' ' <"$scratch/report" | grep -qF -e "$1"; }
directive() { sed -n "s|^// $1: ||p" "$scratch/source.cu" | head -n 1 | grep .; }
as_expected() {
  task=$(directive expect)
  [ "$task" ] || { grep -q '^  score 100/100 ' "$scratch/report" && return; }
  first=$(sed -n 's|^  \([0-9]\) .* 0/[0-9][0-9]* *.*|\1|p' "$scratch/report" | head -n 1)
  [ "$task" ] && [ "$first" = "$(echo "$task" | tr -dc 0-9)" ] && said "$(directive cause)"
}
for file; do
  rm -f "$scratch/report"
  sh common/make/tests/mutant.sh build "$file" >"$scratch/source.cu" &&
    sh common/make/class/grade_one.sh "$grading" "$scratch/source.cu" "$scratch/marks" "$scratch/report" none &&
    as_expected && continue
  echo "$file: not $(directive expect | grep . || echo 'full marks')"
  cat "$scratch/report"
  failed=1
done
exit $failed
