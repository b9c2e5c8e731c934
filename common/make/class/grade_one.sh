#!/bin/sh
# Grades one lab of one student. The submission is untrusted:
#
#   grade_one.sh GRADING SOURCE MARKS.json REPORT.txt bwrap|none
#
# GRADING is the file $(call grading,NN-name) of sandbox.mk, which defines the lab, device,
# precision and compiler. SOURCE is the student's file. The script runs in the workbook's root. An
# outer sandbox provides a folder in memory (tmpfs) of limited size, which is freed when the last
# process ends. The source is compiled in an inner sandbox and linked in a second inner sandbox, and
# the checker starts each run in another sandbox; with `none` there are no sandboxes. The checker
# grades a replay: a program that consists of the lab's given code and runs the kernels of the
# student's object file. On a GPU the checker grades the student's program itself, after a check for
# calls that no lab needs (checker/facts/allowed_names.c). The marks are written atomically, after
# the report. If a lab cannot be graded, its marks have the reason in "ungraded".
#
# The exit status is 0 if marks were written. Otherwise the command must be repeated.

set -u
grading=$1 source=$2 marks=$3 report=$4 sandbox=$5
case $grading in /*) ;; *) grading=./$grading ;; esac
. "$grading" || exit
: "${CUDA_VISIBLE_DEVICES:=}"
if [ -z "${GRADED_IN:-}" ]; then
  work=$(mktemp -d "${TMPDIR:-/tmp}/lockstep-XXXXXX") || exit
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' HUP INT TERM
  set -- sh "$0" "$@"
  network=--unshare-net offline=--offline
  [ "$device" != gpu ] || network='' offline='' # because a GPU driver may use sockets
  # If sandboxes cannot be nested, there is no outer sandbox: each run creates its own network
  # namespace, and the folder is on the disk.
  if [ "$sandbox" = bwrap ] && bwrap --dev-bind / / $network "$checker" --try-sandbox --sandbox=bwrap >"$work/said" 2>&1; then
    ! bwrap --help 2>&1 | grep -q -e '--size BYTES' || set -- --size 1073741824 --tmpfs "$work" "$@"
    set -- bwrap --dev-bind / / --die-with-parent $network "$@"
  else
    offline=
  fi
  GRADED_IN=$work GRADED_HOW=$offline "$@"
  exit
fi
work=$GRADED_IN
export TMPDIR="$work" # a checker that is killed leaves its files in this folder, which is removed
plain() { printf %s "$1" | sed 's/[][\.*^$|]/\\&/g'; } # escapes text for sed
# A sed script that removes the paths of this machine from messages of compilers.
places="s|$(plain "$work")/||g;s|$(plain "$(pwd -P)")/||g;s|/lockstep/||g"
quoted() { printf %s "$1" | sed "s/'/'\\\\''/g;s/.*/'&'/"; }
# Prints a command that can use $root, the workbook's folder.
at_root() { printf 'root=%s; %s\n' "$(quoted "$PWD")" "$1"; }
said=$work/said object=$work/out/program.o double=$work/out/double/program

mkdir -p "$work/labs/$lab" "$work/out/double" "$(dirname "$marks")" "$(dirname "$report")" &&
  cat "$source" >"$work/labs/$lab/$file" || exit
if [ "$sandbox" = bwrap ]; then
  [ -z "$parsed" ] || ln -s "$PWD/$parsed" "$work/parsed"
else # uses precompiled headers of the sandbox
  ln -s "$PWD/common" "$work/common" && { [ -z "$parsed" ] || { mkdir "$work/parsed" && cp "$parsed"/*.h "$work/parsed"; }; }
fi || exit

# A grading by appeal.sh stores its results where `make hint` looks for the first open task.
FORGET=--forget
[ -z "${APPEAL:-}" ] || FORGET="--labs $APPEAL" points=${POINTS:-$points}

# The compiler, the linker, all runs and the checker together may use `budget` seconds of CPU time.
# $work/spent passes the used time from one call of the checker to the next. The checker itself also
# has limits, because it reads data that an untrusted program has written. The limit of elapsed time
# is large, because many labs are graded at the same time.
CPU_MOST=$((budget + 15)) WALL_MOST=900 KILOBYTES_MOST=4194304
limited() {
  (
    ulimit -S -t $CPU_MOST && ulimit -S -v $KILOBYTES_MOST
    exec timeout --foreground -k 10 $WALL_MOST "$@"
  )
}
# Calls the checker with the options that are common to all calls.
check() {
  limited "$checker" --points "$points" --sandbox="$sandbox" --work "$work" --lab "$lab" --device "$device" --precision "$precision" \
    --compiler "$compiler" --source "$work/labs/$lab/$file" --secret "$secret" --plain $GRADED_HOW \
    ${gpu_lock:+--gpu-lock "$gpu_lock-$(uname -n)$CUDA_VISIBLE_DEVICES"} \
    $FORGET "$@"
}

# Returns true if a file from the sandbox is a regular ELF file. A linker would interpret a text
# file as a linker script.
is_object() { [ -f "$1" ] && ! [ -h "$1" ] && [ "$(head -c 4 "$1" | od -An -tx1)" = ' 7f 45 4c 46' ]; }

# Prints a shell command that runs two commands at the same time. The messages of the second command
# are in out/double/said, and are only read if it fails.
both() {
  [ -z "$2" ] || echo "{ $2; } >out/double/said 2>&1 &"
  echo "$1; set -- \$?; wait; exit \$1"
}
# Runs a command in a sandbox. The script only uses output that is a regular file or a folder,
# because a link could name a file outside the sandbox, and reading a pipe could block.
inside() { # COMMAND READABLE SECONDS: fails if the command fails; is_object checks its output
  check --readable "$2" --compile "$1" --compile-log "$said" --seconds "$3" \
    --budget "$budget" --spent "$work/spent"
  set -- $?
  find "$work/out" ! -type f ! -type d -delete
  return "$1"
}

build() {
  inside "$(both "$compile" "$in_double")" "$readable" "$compile_seconds" || return
  is_object "$object" || return
  is_object "$double.o" || link_double=
  inside "$(at_root "$(both "$link" "$link_double")")" "$linked_with${readable:+:$readable}" "$compile_seconds" &&
    is_object "$work/out/program" && [ -x "$work/out/program" ]
}

# If the program with PRECISION=double does not compile, the checker reads the messages from the
# file "$double.log".
build_double() {
  is_object "$double" || head -c 1048576 "$work/out/double/said" | sed "$places" >"$double.log"
}

# Returns true if the handout compiles. If it does not, the lab cannot be graded.
handout_compiles() {
  cp "$handout/$lab/$file" "$work/labs/$lab/$file" &&
    check --readable "$readable" --compile "$compile" --compile-log "$work/why" --seconds 60 && is_object "$object"
  set -- $?
  rm -f "$object"
  cat "$source" >"$work/labs/$lab/$file"
  return "$1"
}

why=
build
case $? in
0)
  set -- --program "$work/out/program"
  [ -z "$in_double" ] || build_double
  set -- "$@" ${replay:+--object "$object"}
  [ -z "$replay_in_double" ] || ! is_object "$double.o" || set -- "$@" --object "$double.o"
  ;;
2) exit 2 ;; # without a sandbox, a message was already printed
*)
  is_object "$object" || handout_compiles ||
    why="the compiler fails here, on the lab as handed out, too: $(grep -v '^ *$' "$work/why" | head -n 1 | cut -c 1-200)"
  sed -i "$places" "$said"
  set -- --compile-log "$said"
  ;;
esac
# Adds the options of the checker that describe the student's program.
set -- "$@" --seconds "$seconds" --budget "$budget" --spent "$work/spent" ${reference:+--reference "$reference"} \
  ${in_double:+--double "$double"} ${replay:+--replay "$replay"} ${replay_in_double:+--replay "$replay_in_double"}
# On a GPU there is no replay. The checker checks the objects and grades the program itself.
for each in ${names:+"$object" "$double.o"}; do
  is_object "$each" || continue
  set -- "$@" --object "$each" --assembly "${each%.o}.asm" --names "$names"
done
# If git has the handout, the checker replaces changed given code by the code of the handout
# (checker/grade/restored.c).
if [ -e "$handout/../commit" ]; then
  set -- "$@" --handout "$handout/$lab/$file" --readable "$linked_with${readable:+:$readable}" ${rebuilt:+--rebuilt "$(at_root "$rebuilt")"}
fi
# appeal.sh can ask for a recording of a single run.
if [ -n "${RECORDING:-}" ] && [ -z "$why" ]; then
  check "$@" --seconds 60 --json "$RECORDING" --start -- $START_WITH
  exit
fi
# appeal.sh can ask for a change with which a task passes.
if [ -n "${CHANGE_WITH:-}" ]; then
  [ -z "$why" ] || set -- --compile-log "$work/why"
  check "$@" --readable "$linked_with${readable:+:$readable}" ${edited:+--edited "$edited"} \
    ${rebuilt:+--rebuilt "$(at_root "$rebuilt")"} \
    ${solution:+--solution "$solution"} $CHANGE_WITH
  exit
fi
if [ -z "$why" ]; then
  check "$@" ${CHECK_WITH:-} --json "$work/marks" >"$work/report" 2>"$work/why"
  status=$?
  case $status in
  0 | 1) ;;
  124 | 137) why="grading took longer than $WALL_MOST s: stopped" ;;
  152) why="the checker computed for longer than $CPU_MOST s: stopped" ;;
  *) why=$(head -c 300 "$work/why" | head -n 1) why=${why:-the checker ended with status $status} ;;
  esac
fi
[ -z "$why" ] || check --ungraded "$why" --json "$work/marks" >"$work/report"
# The files are renamed when they are complete, so that no process reads an incomplete file.
cp "$work/report" "$report.new" && mv "$report.new" "$report" &&
  cp "$work/marks" "$marks.new" && mv "$marks.new" "$marks"
