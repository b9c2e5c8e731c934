# Prints each different warning of a compiler only once, with its first position, followed by a line
# that says how many more there are.
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
