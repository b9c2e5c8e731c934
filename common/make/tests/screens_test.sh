#!/bin/sh
# Tests that the output of commands and the messages of the device fit into 80 and 120 columns, on a
# terminal and with COLUMNS set. Lines with a command to copy ("again: ...") may be longer. Also
# tests that no output shows a number that a lab asks to predict.
#
#   BUILD=build screens_test.sh

unset MAKEFLAGS MAKELEVEL MFLAGS COLUMNS
said=$(mktemp) && copy=$(mktemp) || exit 2
trap 'rm -f "$said" "$copy"' EXIT
wrong() {
  bad=1
  echo "$*"
}
fits() { # COLUMNS COMMAND: fails if a line of $said has more columns
  LC_ALL=C awk -v columns="$1" -v door="$2" '
    /^ +again: / { next }
    { text = $0; gsub(/[\200-\277\r]/, "", text); gsub(/\033\[[0-9;]*m/, "", text) }
    length(text) > columns { print "make " door ": " length(text) " columns of " columns ": " $0; bad = 1 }
    END { exit bad }' "$said"
}
shown() { # COLUMNS DOOR...
  columns=$1
  shift
  COLUMNS=$columns make -s -j1 BUILD="$BUILD" "$@" >"$said" 2>/dev/null
  [ -s "$said" ] || wrong "make $* says nothing"
  fits "$columns" "$*" || bad=1
}
own='help help-all progress hint01 hint02 hint03 hint04 hint05 hint06'
solved='lab05 run03 run05 profile03 profile06 predict01 predict03 grade LABS=solutions'
shown 80 $own
shown 80 $solved
shown 120 $own
shown 120 run03 profile03 LABS=solutions # these tables use all columns
shown 80 lab03

# `make` prints fewer than 24 lines, so that the prompt fits on the same screen.
[ "$(make -s BUILD="$BUILD" | wc -l)" -lt 24 ] || wrong 'make says more than a screen'

# In the output of make demo, each lab has at most 24 lines, including the empty line before it.
shown 80 demo 'ARGS=--repeats 1'
awk '/^lab 0/ { if (NR - at > 24) print "make demo: " NR - at " lines before " $0; at = NR }
  END { if (NR - at > 23) print "make demo: " NR - at " lines for the last lab" }' "$said" | grep . && bad=1
[ "$(grep -c '^read: slides/0[1-6]-.*README.md$' "$said")" = 6 ] || wrong 'make demo does not say what to read'

door='play FILE=common/emulator/tests/mistakes/out_of_bounds_row_column.cu'
COLUMNS=80 make -s BUILD="$BUILD" $door >"$said" 2>&1
grep -q 'error: ' "$said" || wrong "make $door reports nothing into a pipe"
grep -q "$(printf '\033')" "$said" && wrong "make $door: colours in a pipe"
fits 80 "$door" || bad=1
if command -v script >/dev/null; then
  script -qec "stty cols 80; make -s BUILD='$BUILD' $door" /dev/null >"$said" </dev/null
  grep -q 'error: ' "$said" || wrong "make $door reports nothing"
  fits 80 "$door" || bad=1
fi

# ---- numbers that a lab asks to predict ---------------------------------------------------------------------
withheld() { # LAB SED EXPECTED [PRECISION]: tests what is withheld after this change of the file
  sed "$2" "$(grep -l '^#define PREDICT_' labs/"$1"/*.cu)" >"$copy"
  got=$("$BUILD/checker/checker" --withheld --precision "${4:-float}" --lab "$1" --source "$copy")
  [ "$got" = "$3" ] || wrong "lab $1 after '$2' withholds '$got', expected '$3'"
}
for lab in labs/[0-9][0-9]-*; do
  withheld "${lab#labs/}" '' all
  withheld "${lab#labs/}" '/^#define PREDICT_/s/ 0$/ 7/' ''
done
withheld 03-bank-conflicts '/^#define PREDICT_[SLT]/s/ 0$/ 7/' double
withheld 03-bank-conflicts '/^#define PREDICT_[SLT]/s/ 0$/ 7/' all double

counters='sectors|waves|conflicts|instr|[0-9] [µm]s'
nothing_counted() { # DOOR
  grep -E "$counters" "$said" | grep -v -e '^lab' -e '^  labs/' && wrong "make $1 shows counters"
}
shown 80 profile01 profile02 profile03 profile04 profile05 profile06
nothing_counted profile
[ "$(grep -c 'first write your predictions' "$said")" = 6 ] || wrong 'make profile does not ask for predictions'
shown 80 predict01 predict03
nothing_counted predict
shown 80 run01
grep -qF 'counters are shown after your predictions; `make lab01` lists open predictions' "$said" ||
  wrong 'make run01 does not say where its counters are'
nothing_counted run01
shown 80 sweep01 'ARGS=--sweep 16:48:16 --no-cpu'
grep -qF '  counters and predicted times are shown after' "$said" || wrong 'make sweep01 does not say where its counters are'
awk -F, '/^#/ { next } $1 == "variant" { for (i = 1; i <= NF; i++) if ($i == "time ms") at = i; next }
  { for (i = at + 1; i <= NF; i++) if ($i != "") { print "make sweep01 shows counters: " $0; exit 1 } }' \
  "$BUILD"/sweep/labs-01-naive.float.csv || bad=1
for program in "$BUILD"/emulated-clang/labs/0*.float; do
  "$program" --withhold all --no-cpu >"$said" 2>/dev/null
  fits 80 "$program" || bad=1
  nothing_counted "$program"
done
"$BUILD"/emulated-clang/solutions/03-bank-conflicts.float --withhold double --size 32 --no-cpu >"$said"
grep -q '^double[1-3]' "$said" && wrong '--withhold double runs them'
grep -q '^smem1 .*16.50' "$said" || wrong '--withhold double hides the counters of the others'
"$BUILD"/emulated-clang/solutions/03-bank-conflicts.double --withhold double --size 32 --no-cpu >"$said"
nothing_counted '03-bank-conflicts in double'

# An unreliable predicted time is marked with ?, and one line explains the mark.
for door in '' --demo '--sweep 32:32:32'; do
  "$BUILD"/emulated-clang/solutions/04-ilp.double --m 48 --k 640 --n 32 --repeats 1 --no-cpu --from tensor $door >"$said"
  case $door in --sweep*) ;; *) grep -q '^async .* ?' "$said" && ! grep -q '^tensor .* ?' "$said" || wrong "04-ilp $door: no mark at async, or one at tensor" ;; esac
  [ "$(grep -c '^ *?: not known: how often registers are spilled' "$said")" = 1 ] || wrong "04-ilp $door does not say what is not known"
  fits 80 "04-ilp $door"
done
exit "${bad:-0}"
