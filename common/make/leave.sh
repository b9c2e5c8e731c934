#!/bin/sh
# Ends make without its own line about an error, after a command that has said everything.
#
#   set -- STATUS MAKE; . leave.sh      STATUS of that command; MAKE: the process number of make
#
# A recipe sources this file, so that no other process starts. A verdict below full marks has status 1. make would add
# "make: *** ... Error 1" to the report; SIGQUIT ends make without a message. A make in the background of a script ignores
# SIGQUIT, so it gets the status.

[ "$1" = 1 ] || exit "$1"
while read -r name value; do
  case $name:$value in SigIgn:*[4-7c-f]) exit 1 ;; esac
done <"/proc/$2/status"
kill -s QUIT "$2"
