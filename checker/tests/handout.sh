#!/bin/sh
# Tests `make handout`, the archive for students. Two archives have the same bytes and contain no
# solution. The unpacked workbook works without the original workbook: all commands in its help run,
# and its verdicts are the same.
#
#   BUILD=build handout.sh
: "${BUILD:=build}"

unset MAKEFLAGS MAKELEVEL MFLAGS
export LC_ALL=C
folder=$BUILD/tests/handout
archive=$folder/lockstep-handout.tar.gz book=$folder/lockstep
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

# ---- the archive ---------------------------------------------------------------------------------
rm -rf "$folder" && mkdir -p "$folder"
make -s handout BUILD="$folder" >"$said" 2>&1 || { fail 'make handout'; exit 1; }
cp "$archive" "$said.first"
(umask 077 && make -s handout BUILD="$folder" >/dev/null) && cmp "$archive" "$said.first" >"$said" 2>&1 || fail 'not the same bytes twice'
tar -C "$folder" -xzf "$archive" || exit 1
(cd "$book" && find . -path ./solutions -o -path './slides/*' -type f ! -path ./slides/data/add.cu -o -name 'mutants' -o -name tests -o -name '*_test*') >"$said"
[ ! -s "$said" ] || fail 'in the handout:'

# No file may contain more than two lines of the solutions' gaps, because so few lines may be equal
# by chance. Hints and given kernels may contain more lines. The lecture's example add.cu may
# contain three, because it computes its index like task 1 of lab 01.
sed -n '/\/\/ DONE(/,/\/\/ END(/p' solutions/*/*.cu | sed 's/^ *//' | awk 'length >= 24 && !/DONE\(|END\(/' | sort -u >"$said.lines"
[ "$(wc -l <"$said.lines")" -gt 100 ] || fail 'too few lines of solutions to look for'
find "$book" -type f ! -path "$book/labs/*/hints.md" | while read -r file; do
  case $file in "$book/slides/data/add.cu") most=3 ;; *) most=2 ;; esac
  case $file in */ilp.cu | */beyond/* | */bank_conflicts.cu | */shared.cu) continue ;; esac
  grep -oFf "$said.lines" "$file" | sort -u >"$said.found"
  [ "$(wc -l <"$said.found")" -le $most ] || { echo "$file" && cat "$said.found"; }
done >"$said"
[ ! -s "$said" ] || fail 'lines of solutions:'
for cu in labs/*/*.cu labs/*/beyond/*; do
  cmp "$cu" "$book/$cu" >"$said" 2>&1 || fail "$cu"
done

# ---- the commands of its help --------------------------------------------------------------------
# Copies the compiled files of this workbook to save time. build/tools gets an old date, because
# otherwise make would compile all files again after it finds the file HANDOUT.
seed() { # FROM
  mkdir -p "$book/build"
  (cd "$1" && tar -cf - emulator objects checker config.mk $(ls -d emulated-clang/lib* emulated-clang/given 2>/dev/null)) |
    tar -C "$book/build" -xf - || exit 1
  (cd "$book" && make build/tools >"$said" 2>&1) || fail 'make build/tools'
  touch -d 2000-01-01 "$book/build/tools"
}
seed "$BUILD"

# Prints the commands of the help. watch is left out, because make runs its line with $(MAKE) even
# under -n.
doors() {
  (cd "$1" && make help-all) | sed -n 's/^  make \([a-z][a-z0-9-]*\( [a-z][a-z0-9-]*\)*\) .*/\1/p' | tr ' ' '\n' |
    grep -v '^watch' | sort -u
}
doors "$book" >"$said.here"
doors . >"$said.all"
[ "$(wc -l <"$said.here")" -gt 12 ] || fail 'too few doors'
echo 'int main() {}' >"$book/any.cu"
mkfifo "$said.terminal" # a pipe without a writer, so that a program that reads it blocks
while read -r door; do
  file= && case $door in play | profile | view | race | step) file=FILE=any.cu ;; esac
  (cd "$book" && timeout 60 make -n "$door" $file) <>"$said.terminal" >"$said" 2>&1 || fail "make $door"
done <"$said.here"
comm -13 "$said.here" "$said.all" >"$said.refused"
[ -s "$said.refused" ] || fail 'no door is refused'
while read -r door; do
  (cd "$book" && make -n "$door") >"$said" 2>&1 && fail "make $door: works there, and is not in make help-all"
  [ "$(wc -l <"$said")" = 1 ] && grep -q 'which a handout does not contain' "$said" || fail "make $door: expected one line, got"
done <"$said.refused"
for door in $(cat "$said.refused"); do
  grep -n "make $door\b" "$book/README.md" "$book"/labs/*/*.md >"$said" && fail "make $door is spoken of:"
done
grep -o '](\(\.\./\)*[a-z][^):]*)' "$book/README.md" | tr -d '](' | tr -d ')' | while read -r link; do
  [ -e "$book/$link" ] || echo "$link"
done >"$said"
[ ! -s "$said" ] || fail 'links of its README that lead nowhere:'

# ---- its verdicts --------------------------------------------------------------------------------
verdict() { # BOOK [LABS]: prints the verdict on the first lab
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

# ---- one lab alone, graded as GitHub would -------------------------------------------------------
make -s handout BUILD="$folder" ONLY=01 >"$said" 2>&1 || fail 'make handout ONLY=01'
full=$book book=$folder/one/lockstep
mkdir "$folder/one" && tar -C "$folder/one" -xzf "$archive" && rm "$archive"
[ "$(ls "$book/labs")" = 01-naive ] || fail "not one lab: $(ls "$book/labs")"
# The README of an archive with one lab has the number of this lab in its examples.
for each in profile01 view01 predict01; do
  grep -q "make $each" "$book/README.md" || fail "README of one lab: no make $each"
done
! grep -n "make [a-z]*0[2-6]" "$book/README.md" >"$said" || fail 'README of one lab: commands of others'
seed "$full/build"
cp solutions/01-naive/naive.cu "$book/labs/01-naive/"
# Prints the commands of the GitHub workflow with the number of their step. Each step runs in its
# own shell, as on GitHub.
steps() {
  awk '/^      - / { step++ }
    /^        run: *[^|]*$/ { sub(/^        run: */, ""); print step ": " $0; next }
    /^        run: \|/ { inside = 1; next }
    inside && /^          / { print step ": " substr($0, 11); next }
    { inside = 0 }' "$book/.github/workflows/grade.yml"
}
export GITHUB_STEP_SUMMARY="$said.summary"
for step in $(steps | cut -d : -f 1 | sort -u); do
  steps | sed -n "s/^$step: //p" >"$said.step"
  (cd "$book" && unset BUILD && bash -eo pipefail "$said.step") >"$said" 2>&1 || fail "GitHub's step $step"
done
for expected in '  lab 01  naive matrix product       100/100' '  score 100/100'; do
  grep -qF "$expected" "$said.summary" || { cp "$said.summary" "$said" && fail "GitHub's summary lacks: $expected"; }
done
for file in $(sed -n 's/^          path: //p' "$book/.github/workflows/grade.yml"); do
  [ -e "$book/$file/labs.float.json" ] && [ -e "$book/$file/labs.float.xml" ] || fail "no marks in $file"
done
exit $failed
