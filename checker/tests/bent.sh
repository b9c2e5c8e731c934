#!/bin/sh
# Grades solutions in which code outside the gaps was changed, as in a class. Each patch begins with
# the expected result:
#
#   // score: N            the points of the gaps together with the original given code
#   // given: HOW NAME; …  the changes that the marks must list; HOW is changed, missing, again,
#                          redefined; or `none`
#   // expect: not-compiled    optional: the gaps do not compile with the original given code
#
#   bent.sh GRADING FILE.patch...      GRADING: the file of the lab for grade_one.sh

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
# Prints the list "given" of the marks in the format of the line `// given:` of a patch.
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
