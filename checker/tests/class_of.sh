#!/bin/sh
# Grades a class that is made up, once without a break and once killed half-way with SIGKILL and continued: how
# long it takes, how much memory and disk, and whether every mark is as expected, nothing is graded twice and every byte
# of what comes out is the same. Says twice a minute how far it is, and in the last line what came of it all.
#
#   class_of.sh CLASS_TOOL STUDENTS NAME [NN-name...]      (MAKE, BUILD, SANDBOX from the environment)
#
# The submissions lie in build/tests/NAME, the class in build/class/NAME, the first one's in build/class/NAME-whole.
: "${BUILD:=build}"

tool=$1 students=$2 name=$3
shift 3
work=$BUILD/tests/$name class=$BUILD/class/$name whole=$BUILD/class/$name-whole
unset MAKEFLAGS MFLAGS MAKELEVEL

wrong=
fail() {
  tail -n 20 "$work/said" >&2
  echo "$name: FAILED: $wrong$1"
  exit 1
}
grade() { $MAKE BUILD="$BUILD" SUBMISSIONS="$work/submissions" CLASS="$name" SANDBOX="${SANDBOX:-bwrap}" grade; }
graded() { find "$class/marks" -name '*.json' 2>/dev/null | wc -l; }
now() { date +%s; }

# The most memory that the processes below PID had at one time, in MB; pages that several share count for each. Now and
# then, the disk that all of the class takes, its scratch folders, too.
watch() { # PID WHAT
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
      sum=$(du -sm "$class" 2>/dev/null | cut -f 1)
      [ "${sum:-0}" -le $disk ] || disk=$sum
      [ $ticks = 0 ] || echo "  $2: $(graded) labs after $(($(now) - since)) s, at most $most MB of memory, $disk MB of disk"
    fi
    echo "$most MB of memory, $disk MB of disk" >"$work/most"
    ticks=$((ticks + 1))
    sleep 0.5
  done
}

sh checker/tests/make_class.sh "$tool" "$students" "$work" "$@" || exit
rm -rf "$class" "$whole"
: >"$work/said"

begin=$(now)
grade >"$work/said" 2>&1 &
watch $! 'without a break' &
wait %1 || fail "make ended with $?"
seconds=$(($(now) - begin))
count=$(graded)
"$tool" compare "$class" "$work/expected" || wrong='marks are not as expected; '
result="$students students, $count labs graded in $seconds s, at most $(cat "$work/most")"
echo "$result"
mv "$class" "$whole"

# Killed with all that it has started, when half of the marks are there: LAUNCH lets so many labs begin and holds the
# next one in the middle of its grading, where it reads a source that never comes; the others behind it wait.
half=$((count / 2)) hold=$work/hold
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
  grade >"$work/said" 2>&1 &
until [ "$(graded)" -ge $half ] && [ "$(wc -l <"$work/begun")" -gt $half ]; do
  kill -0 $! 2>/dev/null || fail 'it ended before it was killed'
  ticks=$((${ticks:-0} + 1))
  [ $((ticks % 300)) != 0 ] || echo "  to be killed after $half: $(graded) labs"
  sleep 0.1
done
kill -KILL "-$(cat "$work/session")"
wait $! 2>/dev/null
flock "$class/lock" true # they are gone
# One of them perhaps in its very last step; here it is.
first=$(find "$class/marks" -name '*.json' | sort | head -n 1)
: >"${first%.json}.said"
stamps() { (cd "$class/marks" && find . -name '*.json' -printf '%p %i %T@\n' | sort); }
stamps >"$work/before"
left=$((count - $(wc -l <"$work/before")))
begin=$(now)
grade >"$work/said" 2>&1 &
going=$!
watch $going 'goes on' &
wait $going || fail "the second make ended with $?"
echo "killed after $((count - left)) labs; going on took $(($(now) - begin)) s"
stamps | comm -13 - "$work/before" | grep . && fail 'these were graded twice'
[ "$(grep -c '^\[' "$work/said")" = $left ] || fail "$left were left, but $(grep -c '^\[' "$work/said") were graded"
for part in marks reports results roster.json grades.csv grades.xml class.html; do
  diff -r "$whole/$part" "$class/$part" >&2 || fail "$part is not the same as without a break"
done
echo 'the same bytes as without a break, nothing graded twice'
[ -z "$wrong" ] || fail ''
echo "$name: all is well: $result, every mark as expected, killed half-way and continued"
