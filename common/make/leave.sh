#!/bin/sh
# Ends make without its own line about an error, after a command that has said everything.
#
#   leave.sh STATUS MAKE      STATUS of that command; MAKE: the process number of make
#
# A verdict below full marks has status 1. Make would add "make: *** ... Error 1" to the report; SIGQUIT ends it without a
# word. A make in the background of a script ignores SIGQUIT; it gets the status instead.

[ "$1" = 1 ] || exit "$1"
! grep -qs '^SigIgn:.*[4-7c-f]$' "/proc/$2/status" || exit 1
kill -QUIT "$2"
sleep 0.05
