# Functions for tests of commands, which source this file in the workbook's folder. A test writes
# the output of a command to $said/text, in a folder that is removed at the end.
#
#   fail WORDS       prints WORDS and the output, and sets failed=1
#   shows WORDS...   fails unless the output contains each of WORDS; line breaks count as blanks

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
