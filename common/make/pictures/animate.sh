#!/bin/sh
# Implements make animate06: draws an animation of the bodies from the positions that the program of
# the lab writes.
#
#   animate.sh PROGRAM OUT.gif [ARGUMENT OF THE PROGRAM...]
#
# The picture is written atomically, so after ctrl-C an earlier picture is unchanged.

program=$1 out=$2
shift 2
steps=800 variant=shared before=
for argument; do
  case $before,$argument in
  --steps,*) steps=$argument ;;
  *,--steps=*) steps=${argument#--steps=} ;;
  --variant,*) variant=$argument ;;
  *,--variant=*) variant=${argument#--variant=} ;;
  esac
  before=$argument
done

quit() {
  echo "animate: $1" >&2
  exit 2
}
case $steps in '' | *[!0-9]* | 0) quit "--steps $steps: expected a number from 1 on" ;; esac
command -v gnuplot >/dev/null || quit 'there is no gnuplot here: make setup installs it'
gnuplot -e 'set terminal gif animate' >/dev/null 2>&1 || quit 'this gnuplot cannot write GIF (Debian: apt-get install gnuplot-nox)'

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work" "$out.new"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$(dirname "$out")"

show() { # WORDS: on a terminal, replaces the text of the last call
  [ -t 2 ] && printf '\r\033[K%s' "$1" >&2
}
number_at() { # OFFSET BYTES
  od -An -t "u$2" -j "$1" -N "$2" "$work/positions" | tr -d ' '
}

show "computes $steps steps"
"$program" --variant shared --steps "$steps" --no-check --repeats 1 --output "$work/positions" "$@" >"$work/said" 2>&1
status=$?
show ''
if [ $status != 0 ]; then # prints a report of the device, or the error about an unknown option
  cat "$work/said" >&2
  exit $status
fi
[ -s "$work/positions" ] || quit 'the program wrote no positions'
element=$(number_at 8 4) rows=$(number_at 16 8)
bodies=$((rows / (steps + 1)))
[ $((bodies * (steps + 1))) = "$rows" ] || quit 'the program wrote another number of steps'
lost() { # STEP: prints the number of bodies that have no position in this step
  frame=$((2 * element * bodies))
  tail -c +$((33 + $1 * frame)) "$work/positions" | head -c $frame | od -An -v -t f$element -w$((2 * element)) | grep -c nan
}
[ "$(lost 1)" != $bodies ] || quit "$variant gave no body a position at step 1: make lab06 says why"
lost=$(lost "$steps")
[ "$lost" = 0 ] || echo "animate: at the end $lost of $bodies bodies have no position: make lab06 says why" >&2
[ "$element" = 8 ] && kind='%double%double' || kind='%float%float'

gnuplot -e "data='$work/positions'; skip=32; kind='$kind'; bytes=$((2 * element)); n=$bodies; steps=$steps;
  out='$work/bodies.gif'; title='$bodies bodies, $variant'" common/make/pictures/animate.gp 2>"$work/errors" | while read -r frame frames; do
  show "draws: $((100 * frame / frames))%"
done
show ''
[ -s "$work/bodies.gif" ] && ! grep -q ', line ' "$work/errors" || { cat "$work/errors" >&2; quit 'gnuplot drew no animation'; }
mv "$work/bodies.gif" "$out.new" && mv "$out.new" "$out" || quit "$out: cannot be written"
echo "lab 06: the animation is $out ($(($(wc -c <"$out") / 1024)) KiB)"
