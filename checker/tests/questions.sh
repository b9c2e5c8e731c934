#!/bin/sh
# Tests make questions: the same seed draws the same numbers, two seeds draw different numbers, and
# only these numbers change in a lab.

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
fail() {
  failed=1
  echo "$*"
}
drawn() { # SEED: prints the numbers that are drawn in a copy of the labs
  rm -rf "$scratch/labs" && cp -r labs "$scratch/labs"
  sh common/make/class/questions.sh "$1" "$scratch/labs" >"$scratch/said" || fail "SEED=$1: refused"
  cat "$scratch"/labs/*/*.cu | sed -n 's/^#define ASKED_[A-Z]* \([0-9]*\).*/\1/p' | tr '\n' ' '
}
usual=$(cat labs/*/*.cu | sed -n 's/^#define ASKED_[A-Z]* \([0-9]*\).*/\1/p' | tr '\n' ' ')
first=$(drawn 2027)
[ "$(drawn 2027)" = "$first" ] || fail 'one seed draws different numbers'
diff -r labs "$scratch/labs" | grep '^[<>]' | grep -v '^[<>] #define ASKED_' && fail 'other lines changed'
for seed in 2028 2029 2030 2031; do drawn $seed && echo; done >"$scratch/all"
[ "$(sort -u "$scratch/all" | wc -l)" -gt 1 ] || fail 'all seeds draw the same numbers'
grep -qxF "$usual" "$scratch/all" && fail "a seed draws the usual numbers, $usual"
for seed in '' next -1; do
  sh common/make/class/questions.sh "$seed" "$scratch/labs" >"$scratch/said" 2>&1 && fail "SEED=$seed: taken"
  [ "$(wc -l <"$scratch/said")" = 1 ] || fail "SEED=$seed: not one line"
done
exit $failed
