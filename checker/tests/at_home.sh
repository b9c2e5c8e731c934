#!/bin/sh
# The line of a mistake, found by trying changes, as at home, where nobody else waits: what the first lines of a wrong solution
# (checker/mutants) say with "// at home: with ..." stands in its report.
#
#   COMPILE_EDITED=command at_home.sh BUILD LAB NAME...      how the checker compiles a change of LAB (--edited)

build=$1 lab=$2
shift 2
edited=$(printf '%s' "$COMPILE_EDITED" | sed "s|labs/LAB|labs/$lab|")
failed=0
for name; do
  source=$build/mutants/$lab/$name.cu
  said=$("$build/checker/checker" --plain --lab "$lab" --source "$source" --edited "$edited" \
    --program "$build/emulated-clang/mutants/$lab/$name.float" | tr -s ' \n' ' ')
  change=$(sed -n 's|^// at home: ||p' "$source")
  case $said in
  *"${change:-no change is expected}"*) continue ;;
  esac
  printf '%s: not the change that makes it right\n%s\n' "$name" "$said"
  failed=1
done
exit $failed
