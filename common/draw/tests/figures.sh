#!/bin/sh
# figures.sh DRAWN KEPT NAME...: compares the maps in slides/figures with newly drawn ones.
drawn=$1 kept=$2 failed=0
shift 2
[ $# != 0 ] || { echo 'no figure to compare'; exit 1; }
for name; do
  cmp "$drawn/$name.svg" "$kept/$name.svg" || failed=1
done
[ $failed = 0 ] || echo 'make figures draws them anew'
exit $failed
