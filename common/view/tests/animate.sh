#!/bin/sh
# make animate06: does it draw every step, leave nothing half-done, and say what is wrong?
#
#   animate.sh PROGRAM SKELETON      lab 06: the solution's program, and the one with gaps

command -v gnuplot >/dev/null || { echo 'no gnuplot here; make setup installs it'; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0
fail() {
  failed=1
  echo "$*"
}
animate() { sh common/make/animate.sh "$@" >"$work/said" 2>&1; }
frames() { od -An -v -t x1 "$1" | tr -d ' \n' | grep -o 21f904 | wc -l; }

animate "$1" "$work/a/b.gif" --steps 20 --n 16 || fail "status $?: $(cat "$work/said")"
[ "$(head -c 6 "$work/a/b.gif")" = GIF89a ] || fail 'no GIF'
[ "$(frames "$work/a/b.gif")" = 21 ] || fail "$(frames "$work/a/b.gif") frames for 20 steps"
animate "$1" "$work/a/b.gif" --n 16 --steps=500
[ "$(frames "$work/a/b.gif")" = 201 ] || fail "$(frames "$work/a/b.gif") frames for 500 steps"

cp "$work/a/b.gif" "$work/kept"
for seconds in 0.3 1.5; do # in the middle of the run, of the drawing
  timeout -s INT $seconds sh common/make/animate.sh "$1" "$work/a/b.gif" --n 32 --steps 3000 >/dev/null 2>&1
  cmp "$work/kept" "$work/a/b.gif" || fail "interrupted after $seconds s: the animation from before is gone"
  [ "$(ls "$work/a")" = b.gif ] || fail "interrupted after $seconds s: left $(ls "$work/a")"
done

animate "$2" "$work/none.gif" --steps 20 --n 16 && fail 'no word about kernels that do nothing'
grep -q 'no body a position at step 1' "$work/said" || fail "kernels that do nothing: $(cat "$work/said")"
[ ! -e "$work/none.gif" ] || fail 'an animation of nothing'
animate "$1" "$work/none.gif" --steps zero
[ $? = 2 ] && [ "$(wc -l <"$work/said")" = 1 ] || fail "--steps zero: $(cat "$work/said")"
exit $failed
