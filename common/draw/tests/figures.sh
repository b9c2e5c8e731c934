#!/bin/sh
# Compares newly drawn figures with the figures in slides/figures.
#
#   figures.sh DRAWN KEPT NAME...      DRAWN: folder of the new figures, KEPT: slides/figures,
#                                      NAME: a figure without .svg
drawn=$1 kept=$2 failed=0
shift 2
[ $# != 0 ] || { echo 'no figure to compare'; exit 1; }
for name; do
  cmp "$drawn/$name.svg" "$kept/$name.svg" || failed=1
done
[ $failed = 0 ] || echo 'make figures draws them anew'
exit $failed
