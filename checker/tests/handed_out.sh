#!/bin/sh
# Tests that submissions are compared with the committed labs, even if an instructor has edited
# files in labs/. Without git, the folder labs/ is the handout.
#
#   handed_out.sh      (BUILD from the environment)
: "${BUILD:=build}"

unset MAKEFLAGS MFLAGS MAKELEVEL SUBMISSIONS CLASS LAUNCH AGAIN ONLY LABS
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT || exit 2
book=$scratch/book said=$scratch/said
sh common/make/tests/copy.sh "$book" || exit 2
unset BUILD
cd "$book" || exit 2

fail() {
  echo "$1"
  cat "$said"
  exit 1
}
grade() { # CLASS
  make grade SUBMISSIONS=in ONLY=01 CLASS="$1" >"$said" 2>&1 || fail "make grade: status $?"
}
says() { grep -qF -e "$1" "$said" || fail "it does not say: $1"; }

build/checker/checker --sandbox=bwrap --try-sandbox 2>/dev/null || export SANDBOX=none
{ git init -q && git add -A && git -c user.name=test -c user.email=test@localhost commit -qm all; } >"$said" 2>&1 || fail 'git'
mkdir -p in/good in/lazy in/bent && cp solutions/01-naive/naive.cu in/good && cp labs/01-naive/naive.cu in/lazy
sed 's/^#define TILE 32/#define TILE 16/' solutions/01-naive/naive.cu >in/bent/naive.cu
cp solutions/01-naive/naive.cu labs/01-naive/naive.cu
grade committed
says 'used as committed, without the later edits: labs/01-naive/naive.cu'
says 'good 01-naive 100/100'
grep -q 'the file is as it was handed out' build/class/committed/reports/lazy.txt || fail 'lazy has done something'
grep -qF 'You changed the given macro `TILE`.' build/class/committed/reports/bent.txt || fail 'bent has changed nothing'

rm -rf .git && git -C . ls-files Makefile 2>/dev/null | grep -q . && fail 'there is still a git around it'
grade unpacked
grep -q 'the file is as it was handed out' build/class/unpacked/reports/good.txt || fail 'good is not as in the folder'
says 'lazy 01-naive'
! grep -qF 'given macro' build/class/unpacked/reports/bent.txt || fail 'without git it is known what is given'
