#!/bin/sh
# Builds the source of a wrong solution (mutant), which is a patch of a base.
# checker/mutants/NN-name/NAME.patch begins with the expected verdict. Its line "--- FILE" names the
# base, which is the lab's solution or a base-*.cu beside the patch.
#
#   mutant.sh build FILE.patch   prints the source: the comments of the patch, then the changed base
#   mutant.sh patch FILE.cu      makes the patch of an edited copy, from the base with the fewest
#                                differences, and removes the copy

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
fail() {
  echo "$1" >&2
  exit 2
}

# Fails unless the lines of each hunk occur exactly once in the base, so that a change of line
# numbers cannot apply a hunk at another place.
one_place() { # BASE PATCH
  awk '
    function hunk(at) {
      if (old != "" && (at = index(text, old)) && index(substr(text, at + 1), old)) twice = 1
      old = "\n"
    }
    FNR == NR { text = text "\n" $0; next }
    /^@@/ { hunk(); next }
    /^[- ]/ && old != "" { old = old substr($0, 2) "\n" }
    END { hunk(); exit twice }' "$1" "$2"
}

case $1 in
build)
  base=$(sed -n '/^--- /{ s/^--- //p; q; }' "$2")
  sed '/^--- /,$d' "$2"
  patch --silent --fuzz=0 --reject-file=- --output=- "$base" "$2" 2>"$scratch/said" ||
    fail "$2: does not fit $base: $(tail -n 1 "$scratch/said")"
  [ ! -s "$scratch/said" ] || fail "$2: $(cat "$scratch/said")"
  ;;
patch)
  lab=$(basename "$(dirname "$2")") name=${2%.cu}
  case $2 in
  checker/mutants/*/base-*) fail "$2: is a base" ;;
  checker/mutants/*/*.cu) [ -e "$2" ] || fail "$2: not there" ;;
  *) fail "make mutant FILE=$2: say FILE=checker/mutants/NN-name/NAME.cu" ;;
  esac
  for word in expect cause; do
    grep -q "^// $word: " "$2" || fail "$2: begins with no line // $word: (checker/README.md, Adding a lab)"
  done
  awk '!/^\/\//{ exit } { print }' "$2" >"$scratch/head"
  awk 'body || !/^\/\//{ body = 1; print }' "$2" >"$scratch/body"
  for base in solutions/"$lab"/*.cu checker/mutants/"$lab"/base-*.cu; do
    [ -e "$base" ] || continue
    for lines in 1 2 3 4 5 6 7 8; do
      diff -U$lines --label "$base" --label "$name" "$base" "$scratch/body" >"$scratch/patch"
      one_place "$base" "$scratch/patch" && break
    done
    [ -e "$scratch/best" ] && [ "$(wc -l <"$scratch/best")" -le "$(wc -l <"$scratch/patch")" ] ||
      mv "$scratch/patch" "$scratch/best"
  done
  [ -s "$scratch/best" ] || fail "$2: changes nothing"
  cat "$scratch/head" "$scratch/best" >"$name.patch" && sh "$0" build "$name.patch" | cmp - "$2" && rm "$2"
  ;;
esac
