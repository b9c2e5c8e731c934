#!/bin/sh
# Tests two makes that run at the same time in one workbook. No make may write a file that the other
# make reads or writes. The compilers in this test are wrappers that wait for the same call of the
# other make, so that both makes compile every file at the same time.
#
#   twice_test.sh      (BUILD from the environment)
: "${BUILD:=build}"

unset MAKEFLAGS MFLAGS MAKELEVEL
here=$BUILD
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT || exit 2
BUILD=$scratch/build
mkdir -p "$BUILD/emulated-clang" "$scratch/bin" "$scratch/met" && (cd "$here" && tar -cf - $(ls -d tools config.mk emulator objects checker)) |
  tar -xf - -C "$BUILD" || exit 2
rm -rf "$BUILD/objects/emulated-clang"
failed=0

# Writes a wrapper for a compiler. It records the output file, and waits at most 20 seconds until
# the other make has started the same call.
compiler() { # NAME REAL
  cat >"$scratch/bin/$1" <<END
#!/bin/sh
arguments=\$*
while [ \$# -gt 0 ]; do
  case \$1 in -o | -MF) echo "\$2" >>'$scratch/written' ;; esac
  case \$1 in *.c) source=\$1 ;; esac
  [ "\$1" != -o ] || written=\$2
  shift
done
if [ "\$source" ]; then
  met='$scratch/met'/\$(echo "\$source" | tr / _)
  echo >>"\$met"
  for try in \$(seq 200); do
    [ "\$(wc -l <"\$met")" -lt 2 ] || break
    sleep 0.1
  done
elif [ "\$written" ]; then
  mkdir "\$written.busy" || echo "\$written: written by two" >>'$scratch/collided'
  sleep 0.2
fi
$2 \$arguments
status=\$?
[ "\$source" ] || [ -z "\$written" ] || rmdir "\$written.busy"
exit \$status
END
  chmod +x "$scratch/bin/$1"
}
compiler cc "${CC:-cc}"
compiler clang "$(sed -n 's/^CLANG_FOUND := //p' "$here/config.mk")"

both() { # ARGUMENT...: runs two makes
  for each in 1 2; do
    make BUILD="$BUILD" "$@" >"$scratch/said.$each" 2>&1 </dev/null &
    eval "make$each=$!"
  done
  wait "$make1" && first=0 || first=1
  wait "$make2" && second=0 || second=1
  [ $first$second = 00 ] || {
    failed=1
    echo "make $*: one of two failed"
    cat "$scratch/said.1" "$scratch/said.2"
  }
}

# Both makes compile C files and write an archive.
both CC="$scratch/bin/cc" "$BUILD/emulated-clang/libharness.a"
sort "$scratch/written" | uniq -d >"$scratch/twice"
[ ! -s "$scratch/twice" ] || { failed=1 && echo 'written by both:' && cat "$scratch/twice"; }
[ "$(wc -l <"$scratch/written")" -ge 20 ] || { failed=1 && echo 'too little was compiled to see anything'; }
ar t "$BUILD/emulated-clang/libharness.a" >"$scratch/members" && [ "$(wc -l <"$scratch/members")" = "$(ls common/harness/*.c | wc -l)" ] ||
  { failed=1 && echo 'not all of the harness is in its archive'; }

# Both makes build a CUDA program, whose recipe runs several commands that read each other's files.
both CLANG="$scratch/bin/clang" "$BUILD/emulated-clang/labs/01-naive.float"
[ ! -e "$scratch/collided" ] || { failed=1 && cat "$scratch/collided"; }
"$BUILD/emulated-clang/labs/01-naive.float" --help >/dev/null || { failed=1 && echo 'the program of lab 01 does not start'; }
find "$BUILD" -name '*.[0-9]*' ! -name '*.[0-9]*.d' | grep '\.[0-9][0-9]*$' >"$scratch/left" && { failed=1 && echo 'left behind:' && cat "$scratch/left"; }

# Both makes write the file with the points of a lab's tasks.
mkdir "$scratch/path" && cat >"$scratch/path/awk" <<END
#!/bin/sh
echo >>'$scratch/met/awk'
for try in \$(seq 200); do
  [ "\$(wc -l <'$scratch/met/awk')" -lt 2 ] || break
  sleep 0.1
done
exec $(command -v awk) "\$@"
END
chmod +x "$scratch/path/awk"
PATH="$scratch/path:$PATH"
both "$BUILD/emulated-clang/grading/01-naive.points"
grep -q '^lab 01-naive' "$BUILD/emulated-clang/grading/01-naive.points" || { failed=1 && echo 'lab 01 is worth nothing'; }
exit $failed
