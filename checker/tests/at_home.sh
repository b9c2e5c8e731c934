#!/bin/sh
# The line of a mistake, found by trying changes, as at home, where nobody else waits: what the first lines of a wrong solution
# (checker/mutants) say with "// at home: with ..." stands in its report. With "// without TODOs, too" it
# does so, too, where these comments are deleted: they are the student's. With "// with the solution: with ..." it does so where
# the solution is at hand; "// at home, after a while: with ..." is asked for with AFTER_A_WHILE=yes alone.
#
#   COMPILE_EDITED=command COMPILE_REBUILT=command at_home.sh BUILD LAB NAME...
#       how the checker compiles a change of LAB (--edited), and a whole program (--rebuilt)

build=$1 lab=$2
shift 2
edited=$(printf '%s' "$COMPILE_EDITED" | sed "s|labs/LAB|labs/$lab|")
rebuilt=$(printf "%s" "$COMPILE_REBUILT" | sed "s|given/LAB|given/$lab*|") # some have kernels to read, files of their own
failed=0
unmarked=
for name; do
  if grep -q '^// without TODOs, too' "$build/mutants/$lab/$name.cu"; then
    unmarked="$unmarked $name.unmarked"
    sed -E 's@// (TODO|DONE|END)\(@// (@' "$build/mutants/$lab/$name.cu" >"$build/mutants/$lab/$name.unmarked.cu"
  fi
done
for name in "$@" $unmarked; do
  source=$build/mutants/$lab/$name.cu
  program=$build/emulated-clang/mutants/$lab/${name%.unmarked}
  double=
  grep -q '^// expect: .* in double' "$source" && double="--double $program.double"
  for mark in 'at home' 'with the solution' ${AFTER_A_WHILE:+"at home, after a while"}; do
    change=$(sed -n "s|^// $mark: ||p" "$source")
    [ -n "$change" ] || continue
    set --
    [ "$mark" != 'with the solution' ] || set -- --solution solutions/"$lab"/*.cu --rebuilt "$rebuilt"
    said=$("$build/checker/checker" --plain --lab "$lab" --source "$source" --edited "$edited" "$@" \
      --program "$program.float" $double | tr -s ' \n' ' ')
    case $said in
    *"$change"*) continue ;;
    esac
    printf '%s, %s: not the change that makes it right\n%s\n' "$name" "$mark" "$said"
    failed=1
  done
done
for name in $unmarked; do
  rm -f "$build/mutants/$lab/$name.cu"
done
exit $failed
