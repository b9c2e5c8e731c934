#!/bin/sh
# Tests compilers that a cluster installs as modules, outside of /usr and with libraries in
# LD_LIBRARY_PATH. The compilers must work in the sandbox, which hides all other variables and
# folders.
#
#   modules.sh CHECKER      (MAKE, BUILD, CC from the environment)
: "${BUILD:=build}"

checker=$1
work=$PWD/$BUILD/tests/modules
case $BUILD in /*) work=$BUILD/tests/modules ;; esac
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
mkdir -p "$work/labs" "$work/out" || exit 2
elsewhere=$(mktemp -d /tmp/lockstep-modules-XXXXXX) || exit 2 # because the sandbox has its own /tmp
trap 'rm -rf "$elsewhere"' EXIT

behind_walls() { # READABLE COMMAND
  "$checker" --sandbox=bwrap --work "$work" --readable "$1" --compile-log "$work/said" --seconds 20 --compile "$2"
}
own_libraries=$LD_LIBRARY_PATH
export MODULES_SECRET=hidden
for module in "$work/opt" "$elsewhere/opt"; do
  mkdir -p "$module/bin" "$module/lib" || exit 2
  echo 'int version(void) { return 17; }' | ${CC:-cc} -shared -fPIC -x c - -o "$module/lib/libversion.so" &&
    ${CC:-cc} -x c - -o "$module/bin/compiler" -L"$module/lib" -lversion <<'END' || exit 2
#include <stdio.h>
int version(void);
int main(void) { return printf("version %d\n", version()) < 0; }
END
  export LD_LIBRARY_PATH="$module/lib${own_libraries:+:$own_libraries}" CPATH="$module/include"
  # The sandbox must hide the workbook, even if its folder, its parent, /tmp or / is declared
  # readable.
  for more in '' ":$PWD" ":$(dirname "$PWD")" ':/tmp:/'; do
    behind_walls "$module/bin:$module/lib$more" "'$module/bin/compiler' && echo CPATH=\$CPATH SECRET=\$MODULES_SECRET
      ! cat '$PWD/Makefile' '$PWD/solutions/01-naive/naive.cu' /etc/shadow 2>/dev/null" ||
      fail "it does not start, or reads too much ($module$more)" "$(cat "$work/said")"
    said=$(cat "$work/said")
    [ "$said" = "version 17
CPATH=$module/include SECRET=" ] || fail "another answer ($module$more)" "$said"
  done
done

# Relative search paths are not passed to the checker.
readable=$(CPATH="$module/include:here:" ${MAKE:-make} -s BUILD="$BUILD" --eval='readable: ; @echo "$(MODULES)"' readable)
[ "${readable%% *} ${readable##* }" = "$module/lib $module/include" ] && [ "${readable#* here}" = "$readable" ] ||
  fail 'make shows something else' "$readable"
