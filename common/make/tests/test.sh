#!/bin/sh
# Runs tests in parallel. Prints the progress with the number of failed tests, and the totals in the
# last line. A failed or skipped test has a line, in the given order, and the output of a failed
# test is indented below it. With VERBOSE=yes each test has a line, "name: OK (1.2s)". The exit
# status is 0 only if no test failed.
#
#   [JOBS=n] [ORDERS='0 1 2'] [VERBOSE=yes] test.sh [NAME=COMMAND | NAME:SOURCE.cu=PROGRAM]...
#
# JOBS is the number of tests that run at the same time, by default one for each core.
#
# "NAME after OTHER" starts when OTHER has ended, because it needs files of OTHER. OTHER must be
# earlier on the command line. A test passes with exit status 0. With 77 it was skipped, and its
# last line says why. The second form is a CUDA program. Comments in its source say how it runs and
# what is expected:
#   // args: 3 4           the arguments
#   // env: NAME=value     the environment
#   // exit: 1             the expected exit status, default 0
#   // expect: text        a text that the output must contain; may occur several times
# Without `expect`, the device must not report an error or a warning.
#
# A program in a folder tests/mistakes contains a mistake and its repair. It runs as PROGRAM wrong
# and as PROGRAM right, each under the schedules in ORDERS. Comments in its source say what is
# expected of PROGRAM wrong:
#   // says: text          a line of standard error; all its lines are listed. "@here" at the end of a
#                          line is replaced by file and line of the source line with "// <- here"
#   // says+ text          continues the line before it after a blank
#   // kind: names         the kinds of all reports in the log, sorted
#   // answers: text       the output, default cudaSuccess
#   // exit: 1             the exit status, default 0
#   // log: text           a text in the log; may occur several times
#   // env: NAME=value     the environment of both programs
# PROGRAM right must print cudaSuccess, end with status 0 and have no report, and its log must show
# that it ran.

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

# Prints the expected standard error of a wrong program.
foretold() { # SOURCE
  awk -v file="$1" '
    match($0, /\/\/ <- [a-z_]+$/) { line[substr($0, RSTART + 6)] = NR }
    sub(/^\/\/ says: /, "") { says[++n] = $0 }
    sub(/^\/\/ says\+ /, "") { says[n] = says[n] " " $0 }
    END {
      for (i = 1; i <= n; i++) {
        for (mark in line) sub("@" mark "$", file ":" line[mark], says[i])
        print says[i]
      }
    }' "$1"
}

wrong_here() { # WHAT: prints the error and the lines of standard input
  echo "$version, seed $seed: $1"
  cat
  return 1
}

# Runs one version under one schedule; sets code, out, err and log. From standard error it removes
# the number of further reports, which depends on the schedule, and the shell's message about a
# signal.
run_version() { # PROGRAM wrong|right SEED
  version=$2 seed=$3 err=
  : >"$scratch/log"
  LOCKSTEP_SEED=$3 LOCKSTEP_LOG="$scratch/log" ${environment:+env $environment} "$1" "$2" >"$scratch/out" 2>"$scratch/err" &&
    code=0 || code=$?
  out=$(cat "$scratch/out") log=$(cat "$scratch/log")
  [ ! -s "$scratch/err" ] ||
    err=$(sed -e '/^Segmentation fault/d' -e '/^      and [0-9]* more like it$/d' -e '/^[0-9]* reports in all, /d' "$scratch/err")
  case $log in *"\"seed\":$3,"*) ;; *) wrong_here 'no log' </dev/null ;; esac
}

# Prints the kinds of all reports in a log, sorted, if they are not WANTED, which is sorted too.
other_kinds() { # WANTED LOG
  awk -v wanted="$1 " '
    { while (match($0, /"kind":"[a-z-]*"/)) {
        kind = substr($0, RSTART + 8, RLENGTH - 9)
        $0 = substr($0, RSTART + RLENGTH)
        for (i = 0; i < n && list[i] < kind; i++);
        if (i == n || list[i] != kind) {
          for (j = n++; j > i; j--) list[j] = list[j - 1]
          list[i] = kind
        }
    } }
    END { for (i = 0; i < n; i++) kinds = kinds list[i] " "; if (kinds != wanted) print n ? kinds : "none" }' "$2"
}

check_wrong() { # PROGRAM SEED
  run_version "$1" wrong "$2" || return
  [ "$err" = "$says" ] || {
    echo "$says" >"$scratch/says"
    echo "$err" | diff "$scratch/says" - | wrong_here '< was expected, > was said'
    return
  }
  [ "$code $out" = "$expected" ] || { echo "$code $out" | wrong_here "not $expected:" || return; }
  others=$(other_kinds "$kinds" "$scratch/log")
  [ -z "$others" ] || { echo "$others" | wrong_here 'other kinds in its log:' || return; }
  [ -z "$texts" ] || echo "$texts" | while read -r text; do
    case $log in *"$text"*) ;; *) echo "$text" | wrong_here 'not in its log:' || exit ;; esac
  done
}

check_right() { # PROGRAM SEED
  run_version "$1" right "$2" || return
  [ "$code $out$err" = '0 cudaSuccess' ] || { echo "$code $out$err" | wrong_here 'not 0 cudaSuccess:' || return; }
  case $log in *'"event":"end","reports":0,'*) ;; *) wrong_here 'reports in the log' </dev/null || return ;; esac
  case $kernels,$log in 0,* | *'"event":"kernel"'*) ;; *) wrong_here 'no kernel ran' </dev/null ;; esac
}

check_mistake() { # SOURCE PROGRAM
  [ -x "$2" ] || { cat "$2.log"; return 1; }
  says=$(foretold "$1") environment=$(directive env "$1") kernels=$(grep -c __global__ "$1")
  code=$(directive exit "$1") out=$(directive answers "$1")
  expected="${code:-0} ${out:-cudaSuccess}" kinds=$(directive kind "$1") texts=$(directive log "$1")
  [ -n "$says" ] || { echo 'nothing is expected of it'; return 1; }
  for order in ${ORDERS:-0 1 2}; do
    check_wrong "$2" $order && check_right "$2" $order || return
  done
}

mark_of() { echo "$1/ended:$(echo "$2" | tr / :)"; } # SCRATCH NAME

# Runs the test with this number. Its output and its time are stored in SCRATCH.
run_test() { # SCRATCH NUMBER
  scratch=$1/$2 said=$1/$2/said test=$(cat "$1/$2/test")
  name=${test%%=*} command=${test#*=} other=
  case $name in *' after '*) other=${name##* after } name=${name%% after *} ;; esac
  while [ "$other" ] && ! [ -e "$(mark_of "$1" "$other")" ]; do sleep 0.1; done
  start=$(milliseconds)
  export TMPDIR="$scratch"
  case $name in
  *:*/mistakes/*) check_mistake "${name#*:}" "$command" >"$said" 2>&1 </dev/null ;;
  *:*) run_program "${name#*:}" "$command" >"$said" 2>&1 </dev/null ;;
  *) $command >"$said" 2>&1 </dev/null ;;
  esac
  echo "$? $(($(milliseconds) - start)) ${name%%:*}" >"$scratch/result.new"
  mv "$scratch/result.new" "$scratch/result" && touch "$(mark_of "$1" "${name%%:*}")" && echo "$2"
}

report() { # SAID STATUS MILLISECONDS NAME
  time=$(($3 / 1000)).$(($3 % 1000 / 100))
  case $2 in
  0) passed=$((passed + 1)) && [ -z "$VERBOSE" ] || echo "$4: OK (${time}s)" ;;
  77) skipped=$((skipped + 1)) && echo "$4: skipped: $(tail -n 1 "$1")" ;;
  *)
    failed=$((failed + 1))
    echo "$4: FAIL (${time}s)"
    tail -n 40 "$1" | sed 's/^/    /'
    ;;
  esac
}

# Reads the numbers of tests that have ended from standard input, and prints their lines in the
# order of the command line.
report_in_order() { # HOW MANY
  passed=0 failed=0 skipped=0 next=1 begin=$(milliseconds)
  while read -r _; do
    while [ -e "$scratch/$next/result" ]; do
      read -r status time name <"$scratch/$next/result"
      report "$scratch/$next/said" "$status" "$time" "$name"
      rm -rf "${scratch:?}/$next"
      [ -n "$VERBOSE" ] || [ $((next % 20)) != 0 ] || echo "  $next of $1 tests, $failed failed"
      next=$((next + 1))
    done
  done
  total=$(($(milliseconds) - begin))
  echo "$passed passed, $failed failed, $skipped skipped ($((total / 1000)).$((total % 1000 / 100))s)"
  [ "$next" -gt "$1" ] || echo "test $next gave no result"
  [ "$failed" = 0 ] && [ "$passed" != 0 ] && [ "$next" -gt "$1" ]
}

if [ "$1" = --number ]; then
  run_test "$2" "$3"
  exit
fi
# Removes variables of the user that change the output: settings of the device, the language, CDPATH
# and the width.
unset $(env | sed -n 's/^\(LOCKSTEP_[A-Za-z_]*\)=.*/\1/p') CDPATH LANGUAGE COLUMNS
export LC_ALL=C.UTF-8
# The tests run in a separate session, so that all tests can be killed together. env restores ctrl-C
# and SIGQUIT, which background processes ignore. The scratch folder can be entered by other users,
# because sandboxes run as other users.
scratch=$(mktemp -d) && chmod 711 "$scratch" && mkfifo "$scratch/ended" || exit 2
trap 'rm -rf "$scratch"' EXIT
number=0 names='|'
for test; do
  number=$((number + 1)) name=${test%%=*}
  names="$names${name%% after *}|"
  case $names in *"|${name##* after }|"*) ;; *) echo "$name: there is no such test before it" >&2 && exit 2 ;; esac
  mkdir "$scratch/$number" && printf '%s\n' "$test" >"$scratch/$number/test" || exit 2
done
seq $number | setsid env --default-signal=INT --default-signal=QUIT xargs -P "${JOBS:-$(nproc)}" -I '{}' \
  sh "$0" --number "$scratch" '{}' >"$scratch/ended" &
session=$!
trap 'kill -s TERM -- -$session; wait; exit 130' INT TERM HUP
report_in_order $number <"$scratch/ended"
