#!/bin/sh
# Draws the picture of the architecture in .github/CONTRIBUTING.md with Mermaid. An arrow from A to
# B means that files in folder A include headers in folder B. Arrows that follow from two others are
# left out.
#
#   architecture.sh update FILE     writes the picture between the two lines that mark it in FILE
#   architecture.sh check FILE      fails if it differs from what update would write
#
# The script runs in the workbook's folder.

begin='<!-- architecture: make architecture writes what follows -->'
end='<!-- end -->'

picture() {
  git ls-files 'labs/*.[ch]' 'labs/*.cu' 'solutions/*.cu' 'common/*.[ch]' 'checker/*.[ch]' | grep -v -e /tests/ -e /include/ | awk '
    # Returns the folder of a file in the picture, or "" for headers that all folders use.
    function room(path,   part) {
      split(path, part, "/")
      if (path ~ /^labs\//) return "labs"
      if (path ~ /^solutions\//) return "solutions"
      if (path ~ /^common\/emulator\/[a-z]+\//) return "emulator/" part[3]
      if (path ~ /^common\/emulator\/hooks[.]h/) return "emulator/hooks.h"
      if (path ~ /^common\/lab.h/) return "lab.h"
      if (path ~ /^common\/[a-z]+\//) return part[2] == "emulator" ? "" : part[2]
      # the ids of messages, which every folder uses
      if (path ~ /^checker\/say\/(said[.]h|verdict[.]h|.*[.]def)/) return "checker/said"
      if (path ~ /^checker\/[a-z]+\//) return "checker/" part[2]
      return ""
    }
    { exists[$0] = 1; file[++n] = $0 }
    END {
      for (i = 1; i <= n; i++) {
        from = room(file[i])
        here = file[i]
        sub("[^/]*$", "", here)
        while ((getline line <file[i]) > 0) {
          if (line !~ /^#[ ]*include "/) continue
          name = line
          gsub(/^[^"]*"|".*$/, "", name)
          found = ""
          m = split(here " common/ common/emulator/ checker/", folders, " ")
          for (k = 1; k <= m && !found; k++) {
            path = folders[k] name
            while (sub("[^/]*/[.][.]/", "", path)) ;
            if (path in exists) found = path
          }
          to = found ? room(found) : ""
          if (from && to && from != to) { arrow[from, to] = 1; node[from] = node[to] = 1 }
        }
        close(file[i])
      }
      # reaches[a, b] is set if a path of one or more arrows leads from a to b.
      for (pair in arrow) reaches[pair] = 1
      for (middle in node) for (a in node) if ((a, middle) in reaches) for (b in node) if ((middle, b) in reaches) reaches[a, b] = 1
      for (pair in arrow) {
        split(pair, two, SUBSEP)
        for (middle in node)
          if (middle != two[1] && middle != two[2] && ((two[1], middle) in reaches) && ((middle, two[2]) in reaches)) implied[pair] = 1
        if (!(pair in implied)) print "  " id(two[1]) " --> " id(two[2])
      }
    }
    function id(name, plain) { plain = name; gsub(/[^a-z]/, "_", plain); return plain "[" name "]" }' | LC_ALL=C sort
}

whole() { # FILE with the current picture
  drawn=$(printf '%s\n\n```mermaid\nflowchart TD\n%s\n```\n\n%s' "$begin" "$(picture)" "$end")
  drawn=$drawn awk -v begin="$begin" -v end="$end" '
    $0 == begin { print ENVIRON["drawn"]; inside = 1 }
    !inside
    $0 == end { inside = 0 }' "$1"
}

case $1 in
update) whole "$2" >"$2.new" && mv "$2.new" "$2" ;;
check) whole "$2" | cmp -s - "$2" || { echo "$2: folders include other folders than its picture shows: make architecture" && exit 1; } ;;
esac
