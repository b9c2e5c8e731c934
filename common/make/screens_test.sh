#!/bin/sh
# What the doors print fits 80 columns. Left alone are commands to copy ("again: ...") and what the device says on
# standard error.
#
#   BUILD=build screens_test.sh

unset MAKEFLAGS MAKELEVEL MFLAGS COLUMNS
said=$(mktemp) || exit 2
trap 'rm -f "$said"' EXIT
for door in help progress demo lab03 hint03 run03 run05 profile03 'lab05 LABS=solutions' 'grade LABS=solutions'; do
  make -s BUILD="$BUILD" $door >"$said" 2>/dev/null
  [ -s "$said" ] || { echo "make $door says nothing"; bad=1; }
  awk -v door="$door" '
    /^ +again: / { next }
    { text = $0; gsub(/[\200-\277]/, "", text) }
    length(text) > 80 { print "make " door ": " length(text) " columns: " $0; bad = 1 }
    END { exit bad }' "$said" || bad=1
done
exit "${bad:-0}"
