#!/bin/sh
# Tests make animate06: it draws all steps, leaves no incomplete file if it is interrupted, and
# reports errors.
#
#   animate.sh PROGRAM SKELETON      programs of lab 06: of the solution, and with open gaps

gnuplot=$(command -v gnuplot) || { echo 'no gnuplot here; make setup installs it'; exit 77; }
work=$(mktemp -d) || exit 2
trap '[ ! -e "$work/group" ] || kill -s KILL -- "-$(cat "$work/group")" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 143' INT TERM
mkdir "$work/tmp" "$work/stops" && mkfifo "$work/reached" && exec 3<>"$work/reached" || exit 2
export TMPDIR="$work/tmp"
failed=0
fail() {
  failed=1
  echo "$*"
}
animate() { sh common/make/pictures/animate.sh "$@" >"$work/said" 2>&1; }
frames() { od -An -v -t x1 "$1" | tr -d ' \n' | grep -o 21f904 | wc -l; }

animate "$1" "$work/a/b.gif" --steps 20 --n 16 || fail "status $?: $(cat "$work/said")"
[ "$(head -c 6 "$work/a/b.gif")" = GIF89a ] || fail 'no GIF'
[ "$(frames "$work/a/b.gif")" = 21 ] || fail "$(frames "$work/a/b.gif") frames for 20 steps"
animate "$1" "$work/a/b.gif" --n 16 --steps=500
[ "$(frames "$work/a/b.gif")" = 201 ] || fail "$(frames "$work/a/b.gif") frames for 500 steps"

# ---- ctrl-C during the run, and during the drawing -------------------------------------------------------
# Stubs of the program and of gnuplot. Each writes to file descriptor 3 when it can be interrupted,
# and then runs until it is killed. By then the program has written its output, and gnuplot a part of
# the picture.
cat >"$work/stops/program" <<OUT
#!/bin/sh
"$1" "\$@"
echo the run >&3
exec sleep 1000
OUT
cat >"$work/stops/gnuplot" <<OUT
#!/bin/sh
case \$* in *animate.gp*) ;; *) exec "$gnuplot" "\$@" ;; esac
"$gnuplot" "\$@" | {
  read -r _
  echo the drawing >&3
  exec sleep 1000
}
OUT
chmod +x "$work/stops/program" "$work/stops/gnuplot"

interrupt() { # WHERE PATH PROGRAM: sends SIGINT to the process group, as ctrl-C does, at WHERE
  {
    PATH=$2 setsid env --default-signal=INT sh -c 'echo $$ >"$0" && exec sh common/make/pictures/animate.sh "$@"' "$work/group" \
      "$3" "$work/a/b.gif" --n 32 --steps 3000 >"$work/said" 2>&1
    status=$?
    echo "$status" >"$work/status"
    echo its end >&3
  } &
  read -r reached <&3
  if [ "$reached" != "$1" ]; then
    fail "it came to $reached, not to $1: $(cat "$work/said")"
    return
  fi
  kill -s INT -- "-$(cat "$work/group")"
  wait
  read -r reached <&3
  rm "$work/group"
  [ "$(cat "$work/status")" = 130 ] || fail "interrupted in $1: status $(cat "$work/status")"
  cmp "$work/kept" "$work/a/b.gif" || fail "interrupted in $1: the animation from before is gone"
  [ "$(ls "$work/a")" = b.gif ] || fail "interrupted in $1: left $(ls "$work/a")"
  [ -z "$(ls "$work/tmp")" ] || fail "interrupted in $1: left $(ls "$work/tmp"/*)"
}
cp "$work/a/b.gif" "$work/kept"
interrupt 'the run' "$PATH" "$work/stops/program"
interrupt 'the drawing' "$work/stops:$PATH" "$1"

# ---- errors ----------------------------------------------------------------------------------------------
animate "$2" "$work/none.gif" --steps 20 --n 16 && fail 'no word about kernels that do nothing'
grep -q 'no body a position at step 1' "$work/said" || fail "kernels that do nothing: $(cat "$work/said")"
[ ! -e "$work/none.gif" ] || fail 'an animation of nothing'
animate "$1" "$work/none.gif" --steps zero
[ $? = 2 ] && [ "$(wc -l <"$work/said")" = 1 ] || fail "--steps zero: $(cat "$work/said")"
exit $failed
