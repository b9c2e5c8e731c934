# For tests of commands that print something: a command's output goes to $said/text, in a folder that is removed at the end.
# Sourced by them, in the workbook's folder.
#
#   fail WORDS       complains, shows that output, and sets failed=1
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
