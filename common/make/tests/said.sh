# Functions for tests of commands: a command's output is written to $said/text, in a folder that is
# removed at the end. Tests source this file in the workbook's folder.
#
#   fail WORDS       prints WORDS and that output, and sets failed=1
#   shows WORDS...   fails unless the output has each of WORDS, wherever its lines break

failed=0
unset MAKEFLAGS MAKELEVEL MFLAGS
said=$(mktemp -d) && trap 'rm -rf "$said"' EXIT
export DEVICE=emulated CUDA_COMPILER=clang

fail() {
  failed=1
  echo "$*, got:"
  sed 's/^/    /' "$said/text"
}
shows() { # WORDS...
  for words; do tr -s '\n ' ' ' <"$said/text" | grep -qF -e "$words" || fail "expected: $words"; done
}
