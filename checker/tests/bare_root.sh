#!/bin/sh
# Tests the installation on a Debian 12 that contains only make and sudo. A normal user unpacks the
# handout and types `make setup lab01`, then unpacks the workbook and types `make setup test`. Then
# the autograder of lab 01 is installed and run as on Gradescope. The test takes 15 minutes and
# needs a network.
#
#   BUILD=build bare_root.sh ROOT     as root. The test changes the folder ROOT, which is made by
#                                     debootstrap --variant=minbase --include=make,sudo bookworm ROOT
: "${BUILD:=build}"

root=$1
[ -x "$root/usr/bin/make" ] && [ ! -e "$root/usr/bin/cc" ] && [ "$(id -u)" = 0 ] || {
  sed -n '2,/^$/s/^# //p' "$0" >&2
  exit 2
}
unset MAKEFLAGS MAKELEVEL MFLAGS
failed=0
out=$BUILD/tests/bare && mkdir -p "$out"
make -s BUILD="$out" handout && make -s BUILD="$out" gradescope01 || exit 1

# Runs a command in ROOT, which has /proc and /dev of this machine. The function uses pivot_root and
# not chroot, because the sandbox needs user namespaces, which the kernel does not allow in a
# chroot.
inside() { # USER COMMAND
  unshare --mount --pid --uts --fork sh -c '
    mount --bind "$1" "$1" && cd "$1" && mount -t proc proc proc && mount --rbind /dev dev &&
      hostname container-$$ && pivot_root . . && umount -l . && cd / && exec su - "$2" -c "$3"' \
    sh "$root" "$1" "$2" >"$out/said" 2>&1
}
fail() {
  failed=1
  echo "$*, got:"
  tail -n 30 "$out/said" | sed 's/^/    /'
}
said() { grep -qF -e "$1" "$out/said" || fail "expected: $1"; }

# ---- the student ---------------------------------------------------------------------------------
inside root 'useradd --create-home student && echo "student ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/student' || fail useradd
tar -C "$root/home/student" -xzf "$out/lockstep-handout.tar.gz" && chroot "$root" chown -R student /home/student
inside student 'cd lockstep && make setup lab01'
[ $? = 1 ] || fail 'an open lab: expected status 1'
said '  sudo apt-get update'
said '  1 index                      0/10   not begun'
said '  score 0/100                 next: TODO(1), labs/01-naive/naive.cu:'
cp solutions/01-naive/naive.cu "$root/home/student/lockstep/labs/01-naive/"
inside student 'cd lockstep && make lab01 profile01' || fail 'the solution'
said '  score 100/100'
inside student 'cd lockstep && make demo' && fail 'make demo works'
[ "$(wc -l <"$out/said")" = 1 ] || fail 'make demo: expected one line'
echo 'the handout works'

# ---- the workbook itself -------------------------------------------------------------------------
git archive --prefix=workbook/ HEAD | tar -x -C "$root/home/student" && chroot "$root" chown -R student /home/student/workbook
inside student 'cd workbook && make setup test' || fail 'make setup test'
said ' passed, 0 failed, '
grep ': skipped: ' "$out/said" | cut -c 1-120
echo "the workbook's own tests pass"

# ---- Gradescope ----------------------------------------------------------------------------------
mkdir -p "$root/autograder/source" "$root/autograder/results"
unzip -q "$out/lockstep-gradescope-01.zip" -d "$root/autograder/source"
cp "$root/autograder/source/run_autograder" "$root/autograder/"
inside root 'bash /autograder/source/setup.sh' || fail setup.sh

submit() { # FILE|- SCORE WORDS
  rm -rf "$root/autograder/submission" "$root/autograder/results" && mkdir "$root/autograder/submission" "$root/autograder/results"
  [ "$1" = - ] || cp "$1" "$root/autograder/submission/naive.cu"
  inside root 'cd /autograder && ./run_autograder' || fail "run_autograder $1"
  cat "$root/autograder/results/results.json" >>"$out/said"
  said "  \"score\": $2,"
  said "$3"
  said '"number": "1.1"'
}
submit solutions/01-naive/naive.cu 100 'lab 01  naive matrix product       100/100'
grep -q 'emulator/machine' "$out/said" && fail 'built again for a submission'
submit labs/01-naive/naive.cu 0 'not begun'
submit - 0 'nothing was handed in: the folder is empty'
echo 'the autograder works'
exit $failed
