#!/bin/sh
# Compilers as a cluster's modules give them: outside of /usr, with their libraries named by LD_LIBRARY_PATH. They
# work behind the sandbox's walls, and nothing else of the environment is seen there.
#
#   modules.sh CHECKER      (MAKE, BUILD, CC from the environment)

checker=$1
work=$PWD/$BUILD/tests/modules module=$PWD/$BUILD/tests/modules/opt
case $BUILD in /*) work=$BUILD/tests/modules module=$work/opt ;; esac
unset MAKEFLAGS MFLAGS MAKELEVEL LIBRARY_PATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH

fail() {
  echo "modules.sh: $1, got: $2"
  exit 1
}
refusal=$("$checker" --try-sandbox --sandbox=bwrap 2>&1) || {
  echo "$refusal"
  exit 77
}
rm -rf "$work"
mkdir -p "$work/labs" "$work/out" "$module/bin" "$module/lib" || exit 2
echo 'int version(void) { return 17; }' | ${CC:-cc} -shared -fPIC -x c - -o "$module/lib/libversion.so" &&
  ${CC:-cc} -x c - -o "$module/bin/compiler" -L"$module/lib" -lversion <<'END' || exit 2
#include <stdio.h>
int version(void);
int main(void) { return printf("version %d\n", version()) < 0; }
END

export LD_LIBRARY_PATH="$module/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" CPATH="$module/include" MODULES_SECRET=hidden
"$checker" --sandbox=bwrap --work "$work" --readable "$module/bin:$module/lib" --compile-log "$work/said" --seconds 20 \
  --compile "$module/bin/compiler && echo CPATH=\$CPATH SECRET=\$MODULES_SECRET" || fail 'it does not start' "$(cat "$work/said")"
said=$(cat "$work/said")
[ "$said" = "version 17
CPATH=$module/include SECRET=" ] || fail 'another answer' "$said"

# What make tells the checker to show: whole paths alone.
readable=$(CPATH="$module/include:here:" ${MAKE:-make} -s BUILD="$BUILD" --eval='readable: ; @echo "$(MODULES)"' readable)
[ "${readable%% *} ${readable##* }" = "$module/lib $module/include" ] && [ "${readable#* here}" = "$readable" ] ||
  fail 'make shows something else' "$readable"
