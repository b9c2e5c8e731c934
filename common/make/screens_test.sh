#!/bin/sh
# What the doors print fits 80 columns, and on a terminal what the device says on standard error does. Left alone are
# commands to copy ("again: ...").
#
#   BUILD=build screens_test.sh

unset MAKEFLAGS MAKELEVEL MFLAGS COLUMNS
said=$(mktemp) || exit 2
trap 'rm -f "$said"' EXIT
fits() { # DOOR: of what is said
  awk -v door="$1" '
    /^ +again: / { next }
    { text = $0; gsub(/[\200-\277\r]/, "", text) }
    length(text) > 80 { print "make " door ": " length(text) " columns: " $0; bad = 1 }
    END { exit bad }' "$said"
}
for door in help progress demo lab03 hint03 run03 run05 profile03 'lab05 LABS=solutions' 'grade LABS=solutions'; do
  make -s BUILD="$BUILD" $door >"$said" 2>/dev/null
  [ -s "$said" ] || { echo "make $door says nothing"; bad=1; }
  fits "$door" || bad=1
done
if command -v script >/dev/null; then
  door='play FILE=common/emulator/tests/mistakes/out_of_bounds_row_column.cu'
  script -qec "stty cols 80; make -s BUILD='$BUILD' $door" /dev/null >"$said" </dev/null
  grep -q 'error: ' "$said" || { echo "make $door reports nothing"; bad=1; }
  fits "$door" || bad=1
fi
exit "${bad:-0}"
