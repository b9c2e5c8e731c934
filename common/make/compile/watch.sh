#!/bin/sh
# Runs a command now and after each change of a file, until ctrl-C. The script reads the file twice
# a second, because change notifications (inotify) do not work on the file systems of WSL and of
# networks.
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
  # While an editor replaces the file, it may be missing.
  now=$(cksum <"$file" 2>/dev/null)
  if [ -n "$now" ] && [ "$now" != "$before" ]; then
    before=$now
    [ -t 1 ] && printf '\033[H\033[2J'
    "$@"
    printf '\n%s  watching %s; ctrl-C ends\n' "$(date +%H:%M:%S)" "$file"
  fi
  sleep 0.5
done
