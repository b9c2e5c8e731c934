#!/bin/sh
# Tests that the device reports the data races of a program with both source lines, and has no
# report for the repaired versions.
#
#   race_pairs.sh SOURCE.cu PROGRAM      tests/races/pairs/pairs.h describes the programs
#
# For each comment "// pair: NAME KIND @one @other" there must be a report of this kind with these
# two lines, in any order. All other reports must be about the lines of a pair with the same name.

source=$1 program=$2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
unset $(env | sed -n 's/^\(LOCKSTEP_[A-Za-z_]*\)=.*/\1/p')

# Prints the reports of a log: the kind and two lines, the smaller line first. If a report has only
# one line, this line is printed twice.
reported() { # LOG
  sed -n '/"event":"report"/{
    s/.*"kind":"\([a-z-]*\)".*"line":\([0-9]*\).*"other_line":\([0-9]*\).*/\1 \2 \3/p;t
    s/.*"kind":"\([a-z-]*\)".*"line":\([0-9]*\).*/\1 \2 \2/p;t
    s/.*"kind":"\([a-z-]*\)".*/\1 0 0/p
  }' "$1" | awk '{ print $1, ($2 < $3 ? $2 " " $3 : $3 " " $2) }' | sort -u
}

# Prints the expected reports in the same format, after the name of the pair.
expected() {
  awk '
    match($0, /\/\/ <- [a-z_]+$/) { line["@" substr($0, RSTART + 6)] = NR }
    $1 == "//" && $2 == "pair:" { text[++n] = $0 }
    END {
      for (i = 1; i <= n; i++) {
        split(text[i], word, " ")
        a = line[word[5]] + 0
        b = line[word[6]] + 0
        if (!a || !b) print "no line " word[5] " or " word[6] " for " word[3] >"/dev/stderr"
        print word[3], word[4], (a < b ? a " " b : b " " a)
      }
    }' "$source"
}

expected >"$scratch/expected" 2>"$scratch/missing"
failed=0 pairs=0
complain() { echo "$source: $*"; failed=$((failed + 1)); }
[ -x "$program" ] || { cat "$program.log"; exit 1; }
[ -s "$scratch/missing" ] && cat "$scratch/missing" && exit 1
for name in $(cut -d ' ' -f 1 "$scratch/expected" | sort -u); do
  pairs=$((pairs + 1))
  rm -f "$scratch/log"
  LOCKSTEP_LOG="$scratch/log" timeout 60 "$program" "$name" >"$scratch/out" 2>&1 || complain "$name: exit status $?"
  grep "^$name " "$scratch/expected" | cut -d ' ' -f 2- | sort -u >"$scratch/wanted"
  reported "$scratch/log" >"$scratch/found"
  comm -23 "$scratch/wanted" "$scratch/found" | while read -r what; do complain "$name: not found: $what"; done
  comm -13 "$scratch/wanted" "$scratch/found" | while read -r what; do complain "$name: found, too: $what"; done
  cmp -s "$scratch/wanted" "$scratch/found" || failed=$((failed + 1))
  rm -f "$scratch/log"
  LOCKSTEP_LOG="$scratch/log" timeout 60 "$program" "$name" right >"$scratch/out" 2>&1 || complain "$name right: exit status $?"
  grep -q '"event":"end","reports":0,' "$scratch/log" || { complain "$name right: not silent"; cat "$scratch/out"; }
done
echo "$pairs pairs, $failed not as expected"
[ "$failed" = 0 ] && [ "$pairs" != 0 ]
