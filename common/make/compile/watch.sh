#!/bin/sh
# Runs a command now and again whenever a file has changed, until ctrl-C. It looks at the file itself, twice a
# second: notices of changes do not reach every file system, WSL's and the network's among them.
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
  now=$(cksum <"$file" 2>/dev/null) # an editor may replace the file: gone for a moment
  if [ -n "$now" ] && [ "$now" != "$before" ]; then
    before=$now
    [ -t 1 ] && printf '\033[H\033[2J'
    "$@"
    printf '\n%s  watching %s; ctrl-C ends\n' "$(date +%H:%M:%S)" "$file"
  fi
  sleep 0.5
done
