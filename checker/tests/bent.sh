#!/bin/sh
# Grades solutions with a changed given part, like a class. Each patch begins with the expected
# result:
#
#   // score: N            the points of the student's own part with the given part as handed out
#   // given: HOW NAME; …  the differences that the marks must name: changed, missing, again, redefined; or none
#   // expect: not-compiled    optional: the file does not compile with the given part as handed out
#
#   bent.sh GRADING FILE.patch...      GRADING: as for grade_one.sh, of the lab that the patches are for

grading=$1
shift
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
handout=$(sed -n 's/.* handout=\([^ ]*\).*/\1/p' "$grading")
[ -e "$handout/../commit" ] || {
  echo "no git here, so nothing is known to be given"
  exit 77
}
directive() { sed -n "s|^// $1: ||p" "$scratch/source.cu" | head -n 1; }
# The ids and arguments of "given" in the marks, in the format of the patch's line.
named() {
  sed -n '/^  "given": {/,/^  }/p' "$scratch/marks" | awk '
    /"id": "given-/ { how = $2; gsub(/"given-|",?/, "", how) }
    /^ *"[^"]*"$|^ *"[^"]*",$/ && how { name = $0; gsub(/^ *"|",?$/, "", name) }
    /"place"/ && how { printf "%s%s %s", n++ ? "; " : "", how, name; how = "" }
    END { if (!n) printf "none"; print "" }'
}
for file; do
  rm -f "$scratch/report" "$scratch/marks"
  sh common/make/tests/mutant.sh build "$file" >"$scratch/source.cu" &&
    sh common/make/class/grade_one.sh "$grading" "$scratch/source.cu" "$scratch/marks" "$scratch/report" none || {
    failed=1
    continue
  }
  score=$(sed -n 's/^  "score": \([0-9]*\).*/\1/p' "$scratch/marks")
  compiled=$(grep -q '^  "compiled": true' "$scratch/marks" || echo not-compiled)
  [ "$score" = "$(directive score)" ] && [ "$(named)" = "$(directive given)" ] &&
    [ "$compiled" = "$(directive expect)" ] && continue
  echo "$file: $score points${compiled:+, $compiled}, given: $(named)"
  cat "$scratch/report"
  failed=1
done
exit $failed
