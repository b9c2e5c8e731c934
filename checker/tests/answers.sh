#!/bin/sh
# Tests that no README of a lab and no deck states the answer of a graded prediction before its
# task. The answers are the numbers of the PREDICT_ macros in the solutions, and the gap around a
# macro determines the task. The script reads a README without the text in <details>, and a deck up
# to the slide of this task or of the lab. It finds sentences that state a number in the words of
# the table below. It does not find answers that a reader can derive.
#
#   answers.sh            tests all labs, after a self-test with one sentence for each macro
#   answers.sh LAB TEXT   prints the answers of LAB (such as 01-naive) that the file TEXT states

# Columns: a pattern of macro names; a regular expression for sentences that state the number V of
# the macro, with W = V - 1; a sentence for the self-test. The first matching row is used.
table() {
  cat <<'ROWS'
*_SECTORS_PER_REQUEST|V sectors? (per|a|each|for each|in each) (request|load|access)|Each warp moves V sectors per request.
*_SECTORS_SAVED|V times (fewer|less)|That makes V times fewer sectors.
*_PASSES_WHEN_CURED|V (passes|wavefronts) (a|per|each|for each|for a) store|There are V passes for each store.
PREDICT_LOADS_*|V (shared )?loads?( from shared memory)? (per|a|each|for each) multiply-add|It has V loads per multiply-add.
PREDICT_GLOBAL_LOADS|(loads|reads) V (positions|elements)|A thread loads V positions.
PREDICT_*|V[- ]ways?|order (of )?V([^0-9.]|$)|W (bank )?conflicts|The access collides V ways.
ROWS
}

# Prints the task, name and number of each macro of a lab.
macros() { # LAB
  awk '/^ *\/\/ DONE\([0-9]+\)/ { split($0, part, /[()]/); task = part[2] }
    /^ *\/\/ END\([0-9]+\)/ { task = 0 }
    task && /^#define PREDICT_/ { print task, $2, $3 }' solutions/"$1"/*.cu
}

# Prints the part of a README or deck before a task, as one line.
before() { # TASK FILE
  awk -v task="$1" '
    /^## / && ($0 ~ "[Tt]ask " task "([^0-9]|$)" || /Now do it/) && FILENAME ~ /slides\// { exit }
    /<details>/ { hidden = 1 }
    !hidden { gsub(/<!-- = [^>]*-->|<!-- end -->/, ""); gsub(/\*\*|`/, ""); printf "%s ", $0 }
    /<\/details>/ { hidden = 0 }' "$2" | tr -s ' '
}

row_of() { # MACRO
  table | while IFS= read -r row; do
    case $1 in ${row%%|*}) echo "${row#*|}" && break ;; esac
  done
}

# Prints the sentences that state the answer. "1 way" means no bank conflict, which many texts
# state, so this answer is ignored.
found() { # TASK MACRO NUMBER FILE
  pattern=$(row_of "$2") less=$(awk "BEGIN { print $3 - 1 }")
  case $3:$pattern in 1:*ways*) return ;; esac
  pattern=$(echo "${pattern%|*}" | sed "s/V/$(echo "$3" | sed 's/\./[.]/')/g; s/W/$less/g")
  before "$1" "$4" | grep -oE ".{0,40}(^|[^0-9.])($pattern).{0,20}" | sed "s|^|$4: answers $2 before task $1: |"
}

look() { # LAB FILE...
  lab=$1
  shift
  macros "$lab" | while read -r task macro number; do
    for file; do found "$task" "$macro" "$number" "$file"; done
  done
}

if [ $# = 2 ]; then
  look "$@"
  exit
fi
scratch=$(mktemp) || exit 2
trap 'rm -f "$scratch"' EXIT
bad=0
for lab in labs/[0-9][0-9]-*; do
  lab=${lab#labs/}
  for planted in $(macros "$lab" | awk '{ print $1 ":" $2 ":" $3 }'); do
    macro=${planted#*:} number=${planted##*:} task=${planted%%:*}
    macro=${macro%:*}
    row=$(row_of "$macro")
    case $number:$row in 1:*ways*) continue ;; esac
    echo "${row##*|}" | sed "s/V/$number/" >"$scratch"
    [ -n "$(found "$task" "$macro" "$number" "$scratch")" ] || {
      bad=1
      echo "$lab: not found: $(cat "$scratch")"
    }
  done
  look "$lab" "labs/$lab/README.md" "slides/$lab.md" >"$scratch"
  [ ! -s "$scratch" ] || bad=1
  cat "$scratch"
done
exit $bad
