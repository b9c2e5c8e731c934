#!/bin/sh
# Runs tests one after the other, one line each: "name: OK (1.2s)". What a failed test said stands indented
# below its line, the total is the last line, and the exit status is 0 only when all went well.
#
#   test.sh [NAME=COMMAND | NAME:SOURCE.cu=PROGRAM]...
#
# A test passes with exit status 0; with 77 it was skipped and its last line says why. The second form
# is a CUDA program that carries what is expected of it in comments of its source, each at most:
#   // args: 3 4           its arguments                // exit: 1   its exit status, default 0
#   // env: NAME=value     its environment              // expect: text   once or more: in its output
# Where nothing is expected of the output, the device must have nothing to report either.

said=$(mktemp) || exit 2
trap 'rm -f "$said"' EXIT
passed=0 failed=0 skipped=0

milliseconds() { date +%s%3N; }
directive() { sed -n "s|^[ /*]*$1: ||p" "$2"; }

run_program() { # SOURCE PROGRAM
  if ! [ -x "$2" ]; then
    echo 'does not compile:'
    cat "$2.log"
    return 1
  fi
  env $(directive env "$1") "$2" $(directive args "$1")
  code=$?
  expected=$(directive exit "$1")
  if [ "$code" != "${expected:-0}" ]; then
    echo "exit status $code, expected ${expected:-0}"
    return 1
  fi
  if [ -z "$(directive expect "$1")" ] && grep -q '^error: \|^warning: ' "$said"; then
    echo 'reports, where none is expected'
    return 1
  fi
  directive expect "$1" | while read -r text; do
    grep -qF -e "$text" "$said" || { echo "expected in its output: $text"; exit 1; }
  done
}

report() { # NAME STATUS MILLISECONDS
  time=$(($3 / 1000)).$(($3 % 1000 / 100))
  case $2 in
  0) passed=$((passed + 1)) && echo "$1: OK (${time}s)" ;;
  77) skipped=$((skipped + 1)) && echo "$1: skipped: $(tail -n 1 "$said")" ;;
  *)
    failed=$((failed + 1))
    echo "$1: FAIL (${time}s)"
    tail -n 40 "$said" | sed 's/^/    /'
    ;;
  esac
}

begin=$(milliseconds)
for test; do
  name=${test%%=*} command=${test#*=} start=$(milliseconds)
  case $name in
  *:*) run_program "${name#*:}" "$command" >"$said" 2>&1 </dev/null ;;
  *) $command >"$said" 2>&1 </dev/null ;;
  esac
  report "${name%%:*}" $? $(($(milliseconds) - start))
done
total=$(($(milliseconds) - begin))
echo "$passed passed, $failed failed, $skipped skipped ($((total / 1000)).$((total % 1000 / 100))s)"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
