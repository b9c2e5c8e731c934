#!/bin/sh
# Grades a generated class twice: once without interruption, and once killed with SIGKILL after half
# of the labs and continued. Measures time, memory and disk space. Checks that all marks are as
# expected, that no lab is graded twice, and that both gradings write the same bytes. Prints the
# progress twice a minute, and the result in the last line.
#
#   class_of.sh CLASS_TOOL STUDENTS NAME [NN-name...]
#
# MAKE, BUILD, SANDBOX and PARTS are variables of the environment.
#
# PARTS is a list of these words, in this order:
#
#   submissions   generates the class in build/tests/NAME
#   whole         grades it without interruption, in build/class/NAME-whole
#   killed        grades it in build/class/NAME, kills the grading and continues it
#   together      runs whole and killed at the same time
#   same          compares the files of both gradings
#
# The script fails if a grading takes more than MINUTES, or uses more than MEMORY or DISK (MB) at
# any time. Variables that are not set are not checked.
: "${BUILD:=build}" "${PARTS:=submissions whole killed same}"

tool=$1 students=$2 name=$3
shift 3
work=$BUILD/tests/$name class=$BUILD/class/$name whole=$BUILD/class/$name-whole
unset MAKEFLAGS MFLAGS MAKELEVEL

wrong=
fail() {
  [ ! -e "$work/said.$part" ] || tail -n 20 "$work/said.$part" >&2
  echo "$name: FAILED: $part: $1"
  exit 1
}
grade() { # CLASS OPTION...
  into=$(basename "$1")
  shift
  $MAKE BUILD="$BUILD" SUBMISSIONS="$work/submissions" CLASS="$into" SANDBOX="${SANDBOX:-bwrap}" "$@" grade >"$work/said.$part" 2>&1
}
graded() { find "$1/marks" -name '*.json' 2>/dev/null | wc -l; }
wanted() { awk '$3 != "missing" && $3 != "problem"' "$work/expected" | wc -l; }
now() { date +%s; }

# Measures the maximum memory in MB of the descendants of PID; shared pages count once for each
# process. Also measures, less often, the disk space of the class with its temporary folders.
watch() { # PID CLASS WHAT
  most=0 disk=0 ticks=0 since=$(now)
  while kill -0 "$1" 2>/dev/null; do
    sum=$(cat /proc/[0-9]*/stat 2>/dev/null | sed 's/ (.*) / x /' | awk -v root="$1" '
      { parent[$1] = $4; pages[$1] = $24 }
      END {
        for (p in parent) {
          for (at = p; at in parent && at != root; ) at = parent[at]
          if (at == root) sum += pages[p]
        }
        print int(sum * 4096 / 1048576)
      }')
    [ "$sum" -le $most ] || most=$sum
    if [ $((ticks % 60)) = 0 ]; then
      sum=$(du -sm "$2" 2>/dev/null | cut -f 1)
      [ "${sum:-0}" -le $disk ] || disk=$sum
      [ $ticks = 0 ] || echo "  $3: $(graded "$2") labs after $(($(now) - since)) s, at most $most MB of memory, $disk MB of disk"
    fi
    echo "$most MB of memory, $disk MB of disk" >"$work/most.$part"
    ticks=$((ticks + 1))
    sleep 0.5
  done
}

within() { # SECONDS: fails if a limit was exceeded
  read -r memory _ _ _ disk _ <"$work/most.$part"
  [ "$1" -le $((${MINUTES:-1000000} * 60)) ] || fail "it took $1 s, more than $MINUTES minutes"
  [ "$memory" -le "${MEMORY:-$memory}" ] || fail "it had $memory MB of memory, more than $MEMORY"
  [ "$disk" -le "${DISK:-$disk}" ] || fail "it had $disk MB of disk, more than $DISK"
}

submissions() {
  sh checker/tests/make_class.sh "$tool" "$students" "$work" "$@" || exit
}

whole() {
  rm -rf "$whole"
  begin=$(now)
  grade "$whole" &
  watch $! "$whole" 'without a break'
  wait $! || fail "make ended with $?"
  took=$(($(now) - begin))
  result="$students students, $(graded "$whole") labs graded in $took s, at most $(cat "$work/most.$part")"
  echo "$result"
  within $took
  "$tool" compare "$whole" "$work/expected" || wrong='marks are not as expected'
}

# Kills the grading with all its processes when half of the marks exist. The LAUNCH command starts
# half of the labs. The next lab waits for a source file that is never written, and all later labs
# wait for that lab.
killed() {
  half=$(($(wanted) / 2)) hold=$work/hold
  rm -rf "$class" "$hold.source"
  : >"$work/begun" && mkfifo "$hold.source" && cat >"$hold" <<OUT || exit 2
exec 7>>'$work/begun' && flock 7 && echo >&7
begun=\$(wc -l <'$work/begun')
flock -u 7
[ \$begun -gt $half ] || exec "\$@"
[ \$begun -gt $((half + 1)) ] && exec cat '$hold.source'
sh=\$1 script=\$2 grading=\$3
shift 4
exec "\$sh" "\$script" "\$grading" '$hold.source' "\$@"
OUT
  setsid sh -c 'echo $$ >"$1/session"; shift; exec "$@"' sh "$work" \
    $MAKE BUILD="$BUILD" SUBMISSIONS="$work/submissions" CLASS="$name" SANDBOX="${SANDBOX:-bwrap}" LAUNCH="sh $hold" \
    grade >"$work/said.$part" 2>&1 &
  until [ "$(graded "$class")" -ge $half ] && [ "$(wc -l <"$work/begun")" -gt $half ]; do
    kill -0 $! 2>/dev/null || fail 'it ended before it was killed'
    ticks=$((${ticks:-0} + 1))
    [ $((ticks % 300)) != 0 ] || echo "  to be killed after $half: $(graded "$class") labs"
    sleep 0.1
  done
  kill -KILL "-$(cat "$work/session")"
  wait $! 2>/dev/null
  flock "$class/lock" true # waits until all processes have ended
  # Makes the temporary file that remains if a process is killed in its last step.
  first=$(find "$class/marks" -name '*.json' | sort | head -n 1)
  : >"${first%.json}.said"
  stamps >"$work/before"
  before=$(wc -l <"$work/before") begin=$(now)
  grade "$class" &
  watch $! "$class" 'goes on'
  wait $! || fail "the second make ended with $?"
  took=$(($(now) - begin))
  echo "killed after $before labs; going on took $took s, at most $(cat "$work/most.$part")"
  within $took
  stamps | comm -13 - "$work/before" | grep . && fail 'these were graded twice'
  left=$(($(wanted) - before)) again=$(grep -c '^\[' "$work/said.$part")
  [ "$again" = $left ] || fail "$left were left, but $again were graded"
}

# Both parts print their results, even if one has failed.
together() {
  (part=whole && whole && { [ -z "$wrong" ] || fail "$wrong"; }) &
  one=$!
  (part=killed && killed) &
  other=$!
  wait $one
  one=$?
  wait $other || exit
  [ $one = 0 ] || exit $one
}
stamps() { (cd "$class/marks" && find . -name '*.json' -printf '%p %i %T@\n' | sort); }

# Compares the files of both gradings. class.html contains the name of the class, which differs.
same() {
  for each in marks reports results roster.json grades.csv grades.xml; do
    diff -r "$whole/$each" "$class/$each" >&2 || fail "$each is not the same as without a break"
  done
  sed "s/$name-whole/$name/g" "$whole/class.html" | cmp - "$class/class.html" >&2 || fail 'the page is not the same as without a break'
  [ "$(graded "$class")" = "$(wanted)" ] || fail "$(graded "$class") marks, $(wanted) wanted"
  "$tool" compare "$class" "$work/expected" || fail 'marks are not as expected'
  echo "$name: all is well: ${result:+$result, }every mark as expected; killed half-way and continued, it has the same bytes and nothing was graded twice"
}

for part in $PARTS; do
  case $part in submissions | whole | killed | together | same) $part "$@" ;; *) fail 'no such part' ;; esac
done
[ -z "$wrong" ] || fail "$wrong"
