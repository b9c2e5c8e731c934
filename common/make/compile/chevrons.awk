# Makes the changes that chevrons.sh describes. It changes launches and alignas outside of comments,
# and the percent signs of special registers in the strings of inline assembly. With ptx=1 it also
# changes static variables, with references=1 texture references. Other strings are unchanged.
BEGIN {
  register = "%(laneid|n?warpid|n?smid|gridid|clock|clock64|globaltimer|n?tid\\.[xyz]|n?ctaid\\.[xyz]|lanemask_[gle][qte])[;,]"
  aligned = "__shared__  *alignas\\([^()]*(\\([^()]*\\))?\\)"
  state = "code"
}
function doubled(text, out) {
  while (match(text, register)) {
    out = out substr(text, 1, RSTART - 1) (RSTART > 1 && substr(text, RSTART - 1, 1) == "%" ? "" : "%") substr(text, RSTART, RLENGTH)
    text = substr(text, RSTART + RLENGTH)
  }
  return out text
}
# Sets `within` between the parentheses of inline assembly.
function follow(text, c, k) {
  if (!within && match(text, /(^|[^A-Za-z0-9_])(asm|__asm|__asm__)([^A-Za-z0-9_]|$)/)) {
    within = 1
    depth = 0
    text = substr(text, RSTART + RLENGTH - 1)
  }
  for (k = 1; within && k <= length(text); k++) {
    c = substr(text, k, 1)
    depth += (c == "(") - (c == ")")
    within = !(c == ")" && depth == 0)
    if (!within)
      follow(substr(text, k + 1))
  }
}
function code(text, first, found) {
  follow(text)
  gsub(/<< </, "<<<", text)
  gsub(/>> >/, ">>>", text)
  if (match(text, aligned)) {
    found = substr(text, RSTART, RLENGTH)
    sub(/__shared__ */, "", found)
    text = substr(text, 1, RSTART - 1) found " __shared__" substr(text, RSTART + RLENGTH)
  }
  if (references && first && match(text, /^ *(static  *|extern  *)?(texture|surface) *</)) {
    found = substr(text, 1, RLENGTH)
    text = substr(text, RLENGTH + 1)
    sub(/(texture|surface) *<$/, "__device__ cuda_&", found)
    sub(/ *<$/, "_reference<", found)
    text = found text
  } else if (references && match(text, /(^|[^A-Za-z0-9_.>:])(texture|surface) *</)) {
    found = substr(text, 1, RSTART + RLENGTH - 1)
    text = substr(text, RSTART + RLENGTH)
    sub(/(texture|surface) *<$/, "cuda_&", found)
    sub(/ *<$/, "_reference<", found)
    text = found text
  }
  if (ptx && first && match(text, /^ *static  *__(constant|device)__ [^(]*([;={]|$)/))
    sub(/static  */, "", text)
  return text
}
{
  rest = $0
  out = ""
  while (rest != "") {
    if (state == "code") {
      if (!match(rest, /["']|\/\/|\/\*/)) {
        out = out code(rest, out == "")
        break
      }
      piece = substr(rest, 1, RSTART - 1)
      opened = substr(rest, RSTART, RLENGTH)
      rest = substr(rest, RSTART + RLENGTH)
      out = out code(piece, out == "") opened
      if (opened == "//") {
        out = out rest
        break
      } else if (opened == "/*") {
        state = "comment"
      } else if (opened == "'") { # a character literal or a digit separator
        if (piece !~ /[0-9A-Fa-f]$/ && match(rest, /^([^'\\]|\\.)[^']*'/)) {
          out = out substr(rest, 1, RLENGTH)
          rest = substr(rest, RLENGTH + 1)
        }
      } else if (piece ~ /(^|[^A-Za-z0-9_])(u8|[uUL])?R$/ && (at = index(rest, "("))) {
        ended = ")" substr(rest, 1, at - 1) "\""
        state = "raw"
      } else {
        state = "string"
      }
    } else if (state == "string") {
      match(rest, /^([^"\\]|\\.)*/)
      piece = substr(rest, 1, RLENGTH)
      rest = substr(rest, RLENGTH + 1)
      out = out (within ? doubled(piece) : piece) substr(rest, 1, 1)
      if (substr(rest, 1, 1) != "\\" || length(rest) > 1) # otherwise the string continues in the next line
        state = "code"
      rest = substr(rest, 2)
    } else {
      stop = state == "raw" ? ended : "*/"
      at = index(rest, stop)
      piece = at ? substr(rest, 1, at + length(stop) - 1) : rest
      rest = substr(rest, length(piece) + 1)
      out = out (within && state == "raw" ? doubled(piece) : piece)
      if (at)
        state = "code"
    }
  }
  print out
}
