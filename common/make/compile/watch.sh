#!/bin/sh
# Runs a command at once and after each change of a file, until ctrl-C. It compares the file twice a
# second, because change notifications do not work on all file systems, such as WSL's and network
# ones.
#
#   watch.sh FILE COMMAND [ARGUMENT...]

file=$1
shift
if ! [ -r "$file" ]; then
  echo "$file: cannot be read" >&2
  exit 2
fi
trap 'echo; exit 0' INT TERM
before=
while :; do
  # an editor may replace the file, which is then missing for a moment
  now=$(cksum <"$file" 2>/dev/null)
  if [ -n "$now" ] && [ "$now" != "$before" ]; then
    before=$now
    [ -t 1 ] && printf '\033[H\033[2J'
    "$@"
    printf '\n%s  watching %s; ctrl-C ends\n' "$(date +%H:%M:%S)" "$file"
  fi
  sleep 0.5
done
