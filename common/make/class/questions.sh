#!/bin/sh
# Chooses the numbers in the questions of graded predictions at random, so that answers of an
# earlier class are wrong. The same seed gives the same numbers. The script writes them into labs/,
# which must be committed before the labs are handed out.
#
#   questions.sh SEED LABS      LABS: the folder of the labs

seed=$1 labs=$2
expr "$seed" : '[0-9][0-9]*$' >/dev/null || {
  echo "make questions SEED=$seed: SEED is a number that you choose, such as the year" >&2
  exit 1
}
# Columns: the lab, the macro in its file, and the numbers to choose from.
while read -r lab name numbers; do
  file=$labs/$lab/$(echo "${lab#*-}" | tr - _).cu
  [ -e "$file" ] || continue
  grep -q "^#define $name " "$file" || {
    echo "make questions: $file: no line #define $name" >&2
    exit 1
  }
  set -- $numbers
  shift $(($(echo "$seed $name" | cksum | cut -d ' ' -f 1) % $#))
  sed -i "s/^#define $name [0-9]*/#define $name $1/" "$file" || exit 1
  echo "$file: $name $1"
done <<'END'
04-ilp ASKED_OUTPUTS 5 6 7 8 9 10 12 16
06-nbody ASKED_BODIES 1536 1792 2048 2304 2816 3072 3328 3584 3840 4096
END
echo 'Commit these files, then type make handout.'
