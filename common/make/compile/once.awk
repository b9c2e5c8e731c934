# Prints each text of a compiler's warnings only once: of 34 loops that cannot be unrolled the
# first, and a line that there are 33 more.
function told() {
  if (more)
    printf "  (%d more of the same)\n", more
  more = 0
}
/: (warning|note|error): / {
  text = $0
  sub(/^[^ ]*: /, "", text)
  if (text == last)
    more++
  else
    told()
  shown = !(text in seen)
  seen[text] = 1
  last = text
}
/^[0-9]+ warnings? generated/ { shown = 0; told(); last = "" }
shown
END { told() }
