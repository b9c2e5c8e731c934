#!/bin/sh
# Prints one line for an unknown command, with the command that was probably meant.
#
#   unknown.sh WORD MAKE LABS...      LABS are the names of the labs, such as 01-naive
#
# The exit status is 1, with which LEAVE ends make without another message.

word=$1
make=$2
shift 2

# The word may be the number, the name or the file of a lab: 1, 01, naive, 01-naive, naive.cu,
# labs/01-naive/naive.cu.
plain=$(basename "$word" .cu | tr '_' '-')
for lab; do
  number=${lab%%-*}
  case $plain in
  "$number" | "${number#0}" | "$lab" | "${lab#*-}")
    echo "make $word: there is no such command. To check lab $number, type: make lab$number" >&2
    exit 1
    ;;
  esac
done

# Finds the command with the smallest edit distance to the word: at most 2, or 1 for words of up to 4
# letters. An exchange of two neighbouring letters counts as one change.
near=$({ echo help && env -u MAKEFLAGS -u MFLAGS "$make" -s help-all; } |
  sed -n 's/^\(  make \|\)\([a-z][a-z0-9-]*\).*/\2/p' | sort -u | awk -v word="$word" '
  function least(a, b) { return a < b ? a : b }
  function distance(a, b,   i, j, same) {
    for (i = 0; i <= length(a); i++) row[i, 0] = i
    for (j = 0; j <= length(b); j++) row[0, j] = j
    for (i = 1; i <= length(a); i++)
      for (j = 1; j <= length(b); j++) {
        same = substr(a, i, 1) == substr(b, j, 1)
        row[i, j] = least(row[i - 1, j - 1] + !same, least(row[i - 1, j], row[i, j - 1]) + 1)
        if (i > 1 && j > 1 && substr(a, i, 1) == substr(b, j - 1, 1) && substr(a, i - 1, 1) == substr(b, j, 1))
          row[i, j] = least(row[i, j], row[i - 2, j - 2] + 1)
      }
    return row[length(a), length(b)]
  }
  BEGIN { fewest = length(word) > 4 ? 3 : 2 }
  { changes = distance(word, $1) }
  changes < fewest { fewest = changes; near = $1 }
  END { print near }')
if [ -n "$near" ]; then
  echo "make $word: there is no such command. Did you mean: make $near" >&2
else
  echo "make $word: there is no such command; make help lists the commands" >&2
fi
exit 1
