#!/bin/sh
# The students' archive: the same bytes each time, nothing in it that gives a solution away, and a workbook that works
# by itself: its doors can be opened, those that cannot are not listed, and its verdicts are this workbook's.
#
#   BUILD=build handout.sh

unset MAKEFLAGS MAKELEVEL MFLAGS
export LC_ALL=C
archive=$BUILD/lockstep-handout.tar.gz folder=$BUILD/tests/handout
book=$folder/lockstep
said=$(mktemp) && trap 'rm -f "$said" "$said".*' EXIT
failed=0

fail() {
  failed=1
  echo "$*"
  sed 's/^/    /' "$said"
  : >"$said"
}

[ -z "$(git status --porcelain -- labs 2>/dev/null)" ] || {
  echo 'labs/ is not as committed'
  exit 77
}

# ---- the archive -----------------------------------------------------------------------------------------
rm -rf "$archive" "$folder" && mkdir -p "$folder"
make -s handout BUILD="$BUILD" >"$said" 2>&1 || { fail 'make handout'; exit 1; }
cp "$archive" "$said.first"
(umask 077 && make -s handout BUILD="$BUILD" >/dev/null) && cmp "$archive" "$said.first" >"$said" 2>&1 || fail 'not the same bytes twice'
tar -C "$folder" -xzf "$archive" || exit 1
(cd "$book" && find . -path ./solutions -o -path ./slides -o -name 'mutants' -o -name tests -o -name '*_test*') >"$said"
[ ! -s "$said" ] || fail 'in the handout:'

# Lines of the solutions' gaps. Hints and the given kernels may have some; elsewhere a line or two are chance.
sed -n '/\/\/ DONE(/,/\/\/ END(/p' solutions/*/*.cu | sed 's/^ *//' | awk 'length >= 24 && !/DONE\(|END\(/' | sort -u >"$said.lines"
[ "$(wc -l <"$said.lines")" -gt 100 ] || fail 'too few lines of solutions to look for'
find "$book" -type f ! -path "$book/labs/*/hints.md" | while read -r file; do
  case $file in */ilp.cu | */expert.cu | */tensor.cu | */bank_conflicts.cu | */shared.cu) continue ;; esac
  grep -oFf "$said.lines" "$file" | sort -u >"$said.found"
  [ "$(wc -l <"$said.found")" -lt 3 ] || { echo "$file" && cat "$said.found"; }
done >"$said"
[ ! -s "$said" ] || fail 'lines of solutions:'
for cu in labs/*/*.cu; do
  cmp "$cu" "$book/$cu" >"$said" 2>&1 || fail "$cu"
done

# ---- its doors -------------------------------------------------------------------------------------------
# Built here already, and for the same machine: only what the handout's stamp makes stale has to be told so.
mkdir -p "$book/build"
cp -a "$BUILD/emulator" "$BUILD/objects" "$BUILD/checker" "$BUILD/config.mk" "$book/build/"
(cd "$book" && make build/tools >"$said" 2>&1) || fail 'make build/tools'
touch -d 2000-01-01 "$book/build/tools"

# Without watch, which make starts even when it should only say what it would do.
doors() {
  (cd "$1" && make help) | sed -n 's/^  make \([a-z][a-z0-9-]*\( [a-z][a-z0-9-]*\)*\) .*/\1/p' | tr ' ' '\n' |
    grep -v '^watch' | sort -u
}
doors "$book" >"$said.here"
doors . >"$said.all"
[ "$(wc -l <"$said.here")" -gt 12 ] || fail 'too few doors'
while read -r door; do
  file= && case $door in play | profile | view) file=FILE=labs/01-naive/naive.cu ;; esac
  (cd "$book" && make -n "$door" $file) >"$said" 2>&1 || fail "make $door"
done <"$said.here"
comm -13 "$said.here" "$said.all" >"$said.refused"
[ -s "$said.refused" ] || fail 'no door is refused'
while read -r door; do
  (cd "$book" && make -n "$door") >"$said" 2>&1 && fail "make $door: works there, and is not in make help"
  [ "$(wc -l <"$said")" = 1 ] && grep -q 'a handout leaves out' "$said" || fail "make $door: expected one line, got"
done <"$said.refused"

# ---- its verdicts ----------------------------------------------------------------------------------------
verdict() { # BOOK [LABS, in the workbook itself]: on the first lab
  (cd "$1" && make -s lab01 ${2+LABS=$2 BUILD="$BUILD"} ARGS=--forget) | sed 's|solutions/|labs/|g'
}
verdict "$book" >"$said.there"
verdict . labs >"$said"
cmp "$said" "$said.there" >"$said.cmp" 2>&1 || fail "another verdict on an open lab: $(cat "$said.there")"
cp solutions/01-naive/naive.cu "$book/labs/01-naive/"
verdict "$book" >"$said.there"
verdict . solutions >"$said"
cmp "$said" "$said.there" >"$said.cmp" 2>&1 && grep -q 'score 100/100' "$said.there" ||
  fail "another verdict on the solution: $(cat "$said.there")"
exit $failed
