#!/bin/sh
# Implements make grade SUBMISSIONS=folder. class.mk calls it with the names of the labs; settings
# are variables of the environment. Without labs, the script only checks that the folder exists;
# class.mk does this before it builds anything. The steps are
#
#   intake          SUBMISSIONS -> CLASS/in, roster.json, students.mk
#   class_graph.mk  another make: CLASS/in -> CLASS/marks, for new and changed submissions
#   checker --class CLASS/marks -> reports, results, tables, the page; intake --feedback -> feedback.zip
#
# CLASS is build/class/NAME; NAME is the folder's name or CLASS=name. Only one grading of a class
# runs at a time: all its processes hold the lock CLASS/lock (file descriptor 9). After a SIGKILL,
# the next grading waits for processes that still run. The exit status is 0 if all labs have marks,
# otherwise 2. It does not depend on the points. Marks can also say why a lab could not be graded;
# to grade these labs again, use AGAIN=ungraded.

quit() {
  echo "make grade: $1" >&2
  exit 2
}

wanted='what is wanted is a folder that holds a folder or an archive per student'
[ -e "$SUBMISSIONS" ] || quit "SUBMISSIONS=$SUBMISSIONS: no such folder; $wanted"
[ -d "$SUBMISSIONS" ] || quit "SUBMISSIONS=$SUBMISSIONS: a file, to be unpacked first; $wanted"
from=$(cd -- "$SUBMISSIONS" && pwd -P) || quit "SUBMISSIONS=$SUBMISSIONS: cannot be read"
[ $# -gt 0 ] || exit 0
# Reads the file of points first, so that an error in it leaves the results of an earlier grading.
[ -z "$POINTS" ] || "$CHECKER" --points "$POINTS" --list >/dev/null || exit 2
name=$(basename -- "${CLASS:-$from}" | tr -c 'A-Za-z0-9.\n-' _)
case $name in .* | -* | '') name=class$name ;; esac
class=$BUILD/class/$name
mkdir -p "$class/marks" || quit "$class: cannot be made"

exec 9>"$class/lock"
flock -n 9 || {
  echo "make grade: another grading of $class is running: waits until it ends"
  flock 9
}
[ ! -e "$class/from" ] || [ "$(cat "$class/from")" = "$from" ] ||
  quit "$class has the class of $(cat "$class/from"): give this one a name of its own, CLASS=name"
trap 'echo; quit "interrupted: the same command goes on"' INT

hidden=${ANONYMOUS:+--anonymous}
if [ -e "$class/roster.json" ] && [ "$(cat "$class/anonymous" 2>/dev/null)" != "$hidden" ]; then
  quit "$class was graded ${hidden:+not }anonymously, with other ids: give this one a name of its own, CLASS=name"
fi
printf '%s\n' "$hidden" >"$class/anonymous"
# Temporary files are in the folder of the class, so that the next grading can remove the files of a
# grading that was killed. With LAUNCH, each machine uses its own /tmp.
scratch=$PWD/$class/scratch
case $BUILD in /*) scratch=$class/scratch ;; esac
rm -rf "$scratch"
# Paths below this folder are up to 256 bytes longer, so the path of the folder must be short.
[ -n "$LAUNCH$PREPARE$TMPDIR" ] || [ ${#scratch} -gt 150 ] || { mkdir -p "$scratch" && export TMPDIR="$scratch"; }
"$INTAKE" --handouts "$HANDED_OUT" $hidden "$from" "$class" "$@" || exit 2
printf '%s\n' "$from" >"$class/from"
# AGAIN="ID ID/NN-name ungraded" lists students, labs of students, or all ungraded labs. These labs
# are graded again although their files have not changed.
set -f
for again in $AGAIN; do
  case $again in
  .* | */.* | */*/*) quit "AGAIN=$again: an ID, ID/NN-name or ungraded is wanted" ;;
  ungraded) grep -l -r '^  "ungraded"' "$class/marks" | while read -r marks; do rm -f "$marks"; done && continue ;;
  */*) old=$class/marks/$again.json ;;
  *) old=$class/marks/$again ;;
  esac
  # A submission without marks is not an error: an earlier command with the same AGAIN may have
  # removed them and then been interrupted.
  [ -e "$old" ] || [ -e "$class/in/$again" ] || quit "AGAIN=$again: nothing like that was handed in; ID and ID/NN-name stand in $class/in"
  rm -rf "$old"
done
# Removes the messages (.said) of labs that have marks. Such messages remain if a process was killed
# in its last step.
find "$class/marks" -name '*.said' | while read -r said; do [ ! -e "${said%.said}.json" ] || rm -f "$said"; done
settings="SANDBOX=$SANDBOX GRADING=$GRADING CHECKER=$CHECKER"
printf '%s\n' "$settings" | cmp -s - "$class/settings" || printf '%s\n' "$settings" >"$class/settings"
graph() {
  $DIES_WITH_MAKE $MAKE -f common/make/class/class_graph.mk "CLASS=$class" "SANDBOX=$SANDBOX" "GRADING=$GRADING" "CHECKER=$CHECKER" "$@"
}
# Stores the points, due dates and deductions of this grading. appeal.sh reads them later.
cmp -s "${POINTS:-checker/points.txt}" "$class/points.txt" || cp "${POINTS:-checker/points.txt}" "$class/points.txt" || exit 2

# Counts the labs that make would grade (make -n), for the progress and the remaining time.
all=$(grep -c / "$class/students.mk")
left=$(graph -n -j1 2>/dev/null | grep -c '^sh common/make/class/class_one.sh')
echo "$all $((all - left)) $(date +%s) 0" >"$class/progress"
[ -z "$PREPARE" ] || exit 0 # the jobs of checker/cluster/gpu.sh run the graph
[ "$left" = "$all" ] || [ "$left" = 0 ] || echo "$((all - left)) of $all are graded already, $left to go"
graph || exit
rmdir "$scratch" 2>/dev/null

# Limits the time and memory for writing tables and pages, because these contain text of untrusted
# submissions. 200 similar files of 1 MB took 6 s of CPU time and 220 MB of memory.
SECONDS_MOST=${CLASS_SECONDS:-600} KILOBYTES_MOST=4194304
limited() {
  (
    ulimit -S -t "$SECONDS_MOST" && ulimit -S -v $KILOBYTES_MOST
    exec timeout --foreground -k 10 $((3 * SECONDS_MOST)) "$@"
  )
  status=$?
  case $status in
  124 | 137 | 152)
    quit "$class: tables and pages took more than $SECONDS_MOST s; all marks are in $class/marks"
    ;;
  esac
  return $status
}
missing=$((all - $(find "$class/marks" -name '*.json' | wc -l)))
echo
limited "$CHECKER" ${POINTS:+--points "$POINTS"} --labs "$HANDED_OUT" --class "$class" ||
  [ $? = 1 ] || exit 2
limited "$INTAKE" --feedback "$class" && printf "  reports %s/reports\n          %s/feedback.zip, in the platform's format\n" "$class" "$class" || exit 2
[ "$missing" = 0 ] || quit "$missing of $all could not be graded: the same command tries these again"
