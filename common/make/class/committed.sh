#!/bin/sh
# Writes the files of the labs as committed to OUT/labs/NN-name/*.cu. The grading compares
# submissions with these files, so an instructor can try a submission in labs/. Without git, as in an
# unpacked handout, the files are copied from labs/. OUT/commit contains the hash of the commit. A
# student's handout has no such file, because students edit labs/. An autograder has it, because its
# labs/ is unchanged.
#
#   committed.sh OUT [quiet]      quiet: does not list the files in labs/ that differ from the commit
#
# A file in OUT/labs is only written if its contents differ.

out=$1 quiet=${2:-}
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT || exit 2

quit() {
  echo "make: $1" >&2
  exit 2
}
if [ -n "$(git ls-files Makefile 2>"$scratch/said")" ]; then
  git archive HEAD labs >"$scratch/tar" 2>"$scratch/said" || quit "labs/ as it was committed cannot be read: $(head -n 1 "$scratch/said")"
  tar -C "$scratch" -xf "$scratch/tar" || exit 2
  commit=$(git rev-parse HEAD)
  edited=$([ "$quiet" ] || git diff --name-only HEAD -- labs/*/*.cu | tr '\n' ' ')
  [ -z "$edited" ] || echo "used as committed, without the later edits: ${edited% }" >&2
else
  ! grep -q 'dubious ownership' "$scratch/said" || quit "what was handed out is asked of git, and $(sed -n '1s/^fatal: //p' "$scratch/said")"
  mkdir "$scratch/labs" && cp -R labs/. "$scratch/labs" || exit 2
  commit=$(grep '^Autograder' HANDOUT 2>/dev/null)
fi

for file in "$scratch"/labs/[0-9][0-9]-*/*.cu; do
  name=${file#"$scratch/"}
  cmp -s "$file" "$out/$name" || { mkdir -p "$out/${name%/*}" && cp "$file" "$out/$name.$$" && mv -f "$out/$name.$$" "$out/$name"; } || exit 2
done
for file in "$out"/labs/*/*.cu; do # removes files of labs that no longer exist
  [ -e "$scratch/${file#"$out/"}" ] || rm -f "$file"
done
if [ "$commit" ]; then echo "$commit" >"$out/commit.$$" && mv -f "$out/commit.$$" "$out/commit"; else rm -f "$out/commit"; fi
