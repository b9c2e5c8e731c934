#!/bin/sh
# Tests that the folders of the checker depend on each other in one direction: words <- facts <-
# explain <- grade <- tasks, change. The folders say, class and intake and the file main.c use these
# folders. The room "words" consists of say/said and say/verdict, which store messages as data. Only
# files in say/ contain the sentences of messages, and no other folder compares them.
#
#   rooms.sh OBJECTS      the folder with the objects of checker/; run in the workbook's folder
#
# The script checks the headers that a file includes and the undefined symbols of its object, and
# fails if includes or calls form a cycle.

may_use() { # ROOM
  case $1 in
  json) ;;
  words) echo json settings.h ;;
  facts) echo json words settings.h ;;
  explain) echo json words facts ;;
  grade) echo json words facts explain settings.h ;;
  tasks) echo json words facts explain grade ;;
  change) echo json words facts explain grade settings.h ;;
  say) echo json words facts explain grade change settings.h ;;
  class) echo json words facts explain grade say settings.h ;;
  intake) ;;
  main) echo json words facts explain grade change say class settings.h ;;
  esac
}
rooms='json words facts explain grade tasks change say class intake main'

# The room of a file is its folder, with these exceptions.
AWK_ROOM='
  function room(file) {
    if (file ~ "^facts/json[.]") return "json"
    if (file ~ "^say/(said|verdict)[.][ch]$" || file ~ "^say/.*[.]def$") return "words"
    if (file ~ "^main[.]") return "main"
    sub("/.*", "", file)
    return file
  }'

allowed() { # prints a line "ROOM USED" for each row
  for room in $rooms; do
    for name in "$room" $(may_use "$room"); do echo "$room $name"; done
  done
}

# ---- dependencies: lines "FILE USED WHAT" --------------------------------------------------------
includes() { # CHECKER
  (
    cd "$1" || exit
    find . -name '*.[ch]' -o -name '*.def' | sed 's|^\./||' | grep -v '^tests/' >"$work/files"
    # shellcheck disable=SC2046
    awk '
      FILENAME ~ /\/files$/ { exists[$0] = 1; next }
      match($0, /^#[ ]*include "[^"]*"/) {
        name = at = $0
        gsub(/^[^"]*"|"[^"]*$/, "", name)
        at = FILENAME
        sub("[^/]*$", "", at)
        at = at name in exists ? at name : name # in the same folder, or found by -I
        if (at in exists) print FILENAME, at, "includes"
      }' "$work/files" $(cat "$work/files")
  )
}
# An old build can contain objects of deleted files, so only objects with a source in CHECKER are
# read.
calls() { # OBJECTS CHECKER
  (
    sources=$(cd "$2" && pwd) || exit
    cd "$1" || exit
    find . -name '*.o' | sed 's|^\./||' | while read -r object; do
      [ ! -e "$sources/${object%.o}.c" ] || echo "$object"
    done | xargs nm -A -P
  ) | awk '
    { file = $1; sub(/[.]o:$/, ".c", file) }
    $3 ~ /^[TDBRC]$/ { home[$2] = file }
    $3 == "U" { n++; from[n] = file; wanted[n] = $2 }
    END {
      for (i = 1; i <= n; i++)
        if (wanted[i] in home && home[wanted[i]] != from[i]) print from[i], home[wanted[i]], "uses " wanted[i] " of"
    }'
}

wrong_arrows() { # reads lines "FILE USED WHAT"
  allowed >"$work/rules"
  awk "$AWK_ROOM"'
    FILENAME ~ /rules$/ { may[$1, $2] = 1; next }
    { from = $1; to = $2; $1 = $2 = "" ; sub("^ *", "") }
    !((room(from), room(to)) in may) { print from " " $0 " " to }' "$work/rules" -
}
circles() { # reads lines "FILE USED WHAT"
  awk '{ print $1, $2 }' | sort -u | tsort 2>&1 >"$work/sorted" | sed -n 's/^tsort: -: input contains a loop:$/a circle:/p; s/^tsort: \([^ ]*[.].*\)$/  \1/p'
}

# ---- sentences -----------------------------------------------------------------------------------
# Prints FILE:LINE: STRING for each string of at least five words. Leaves out arguments of
# bad_input, refuse and sscanf, and formulas of the harness. Adjacent string literals are one
# string.
sentences() { # FILE...
  awk '
    function scan(   at, c, rest, string, pieces, line, first, before, call, words, i, word) {
      line = 1
      for (at = 1; at <= length(text); at++) {
        rest = substr(text, at, 2)
        c = substr(rest, 1, 1)
        if (c == "\n") line++
        else if (rest == "/*") {
          while (substr(text, at, 2) != "*/") { if (substr(text, at, 1) == "\n") line++; at++ }
          at++
        } else if (rest == "//") { while (substr(text, at + 1, 1) != "\n") at++ }
        else if (substr(text, at, 3) == "\x27\"\x27") at += 2
        else if (c == "\"") {
          if (!pieces++) { first = line; string = "" }
          for (at++; (c = substr(text, at, 1)) != "\""; at++) {
            if (c == "\\") { at++; c = " " }
            string = string c
          }
        } else if (c !~ /[ \t\r]/ ) {
          if (pieces) tell(first, string, statement)
          pieces = 0
          statement = c ~ /[;{}]/ ? "" : statement c
        }
      }
    }
    function tell(line, string, statement,   i, n, word, words) {
      if (statement ~ /(bad_input|refuse|sscanf)[(]/ || statement ~ /[.]formula=$/) return
      words = 0
      n = split(string, word, /[ \t]+/)
      for (i = 1; i <= n; i++) words += word[i] ~ /^[(]?[A-Za-z]+[\x27a-z]*[.,:;?!)]*$/
      if (words >= 5) print name ":" line ": \"" string "\""
    }
    FNR == 1 { if (name) scan(); name = FILENAME; text = statement = "" }
    { text = text $0 "\n" }
    END { scan() }' "$@"
}
# Prints each line that compares the text of a message with a string. The text is in JSON, or in a
# buffer that said_text has filled.
comparisons() { # FILE...
  awk '
    FNR == 1 { delete buffer }
    match($0, /said_text[(][^,]*, *[a-z_]+/) {
      name = substr($0, RSTART, RLENGTH)
      sub(/.*[ ,]/, "", name)
      buffer[name] = 1
    }
    /(strstr|strn?cmp|strn?casecmp|strcasestr|strchr|fnmatch|regexec) *[(]/ {
      for (name in buffer) if ($0 ~ "[(, ]" name "[,) ]") print FILENAME ":" FNR ": " $0
      if ($0 ~ /"(headline|cause|text)"/) print FILENAME ":" FNR ": " $0
    }' "$@"
}

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# ---- the controls --------------------------------------------------------------------------------
expect() { # WHAT SAID
  [ "$1" = "$2" ] && return
  echo "expected: ${1:-nothing}, said: ${2:-nothing}"
  exit 1
}
arrow_is() { # FILE USED SAID
  mkdir -p "$work/tree/${1%/*}" "$work/tree/${2%/*}" && : >"$work/tree/$2" && echo "#include \"$2\"" >"$work/tree/$1"
  expect "$3" "$(includes "$work/tree" | wrong_arrows)"
  rm -r "$work/tree"
}
arrow_is facts/a.c explain/explain.h 'facts/a.c includes explain/explain.h'
arrow_is facts/a.c say/report.h 'facts/a.c includes say/report.h'
arrow_is explain/a.h grade/grade.h 'explain/a.h includes grade/grade.h'
arrow_is explain/a.c tasks/a.h 'explain/a.c includes tasks/a.h'
arrow_is explain/a.c class/class.h 'explain/a.c includes class/class.h'
arrow_is say/said.c facts/facts.h 'say/said.c includes facts/facts.h'
arrow_is say/verdict.h say/report.h 'say/verdict.h includes say/report.h'
arrow_is grade/a.c tasks/a.h 'grade/a.c includes tasks/a.h'
arrow_is facts/a.c say/verdict.h ''
arrow_is say/said.h say/sentences/a.def ''
arrow_is tasks/a.c grade/sheet.h ''
expect '' "$(printf 'a.c b.c x\nb.c c.c x\na.c c.c x\n' | circles)"
expect 'a circle:' "$(printf 'a.c b.c x\nb.c c.c x\nc.c a.c x\n' | circles | head -n 1)"
cat >"$work/a.c" <<'END'
/* "a comment is not a sentence of the checker" */
int a(void) { return f("one two three four", "this is a sentence" // and
                       " in two pieces"); }
void b(void) { bad_input("%s: no such file in this folder", "a"); }
void c(void) { g('"', "PREDICT_A_B_C_D %s %zu --option /usr/bin x.y \"q\""); }
END
expect "$work/a.c:2: \"this is a sentence in two pieces\"" "$(sentences "$work/a.c")"
cat >"$work/b.c" <<'END'
  said_text(&verdict->headline, words, sizeof words);
  if (strstr(words, "row "))
  if (strcmp(text_at(json, "cause"), "x") == 0 || strcmp(name, "row") == 0)
END
expect "$work/b.c:2: $work/b.c:3:" "$(comparisons "$work/b.c" | sed 's/ .*//' | xargs)"

# ---- the checker itself --------------------------------------------------------------------------
[ -e checker/say/said.h ] && [ -e "$1/say/said.o" ] || {
  echo "rooms.sh: the checker and its objects are not here"
  exit 2
}
{ includes checker && calls "$1" checker; } >"$work/arrows"
# facts/compile.c contains messages of compilers, and facts/sandbox.c the arguments of bwrap, so
# both files may have long strings.
wrong=$(wrong_arrows <"$work/arrows" && circles <"$work/arrows" &&
  sentences $(find checker/facts checker/explain checker/grade checker/tasks -name '*.[ch]' ! -name compile.c ! -name sandbox.c | sort) &&
  comparisons $(find checker -name '*.[ch]' ! -path 'checker/say/*' ! -path 'checker/tests/*' | sort) | grep -v '"\]\]>"')
[ ! "$wrong" ] || {
  echo "$wrong"
  exit 1
}
