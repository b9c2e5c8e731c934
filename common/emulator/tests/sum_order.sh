#!/bin/sh
# Tests that the device reports sums whose last digits depend on the order of threads, and no other
# sums.
#
#   sum_order.sh PROGRAM...      programs compiled from tests/programs/sum_order.cu

status=0
line=$(grep -n atomicAdd "$(dirname "$0")/programs/sum_order.cu" | cut -d: -f1)
noted() { # yes|no PROGRAM WAY [SETTING]
  said=$(env $4 "$2" "$3" 2>&1 >/dev/null)
  case $said in
  "note: several warps add to one float, and the sum is rounded   in kernel add
      added here   "*sum_order.cu:"$line"'
'*'Compare with a tolerance.'*) answer=yes ;;
  '') answer=no ;;
  *) answer=$said ;;
  esac
  [ "$answer" = "$1" ] || { echo "$2 $3 $4: expected $1, said: $answer" && status=1; }
}
for program; do
  noted yes "$program" float
  noted yes "$program" double
  noted yes "$program" float LOCKSTEP_WORKERS=1
  noted no "$program" float LOCKSTEP_SEED=1 # the user chose the order
  noted no "$program" float LOCKSTEP_QUIET=1
  noted no "$program" exact
  noted no "$program" warp
  noted no "$program" reduced
done
exit $status
