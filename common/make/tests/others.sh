#!/bin/sh
# Tests third-party programs from a list. Each program is fetched at its commit, built as with
# `make play`, and run. Its result is compared with the expectation in the list.
#
#   [OTHERS=folder] [JOBS=n] [LIMIT=seconds] others.sh LIST COMPILER LOCKSTEP-CC FOLDER
#
# A row of LIST has eight columns, separated by tabs; "-" is an empty column, and lines that begin
# with # are comments:
#   repository   https://host/owner/name; its files are in FOLDER/fetched/owner/name, or, if OTHERS is
#                given, in OTHERS/owner/name
#   commit       the full hash
#   licence      for readers of the list
#   program      a .cu file, or a folder with a Makefile or with all files of one program; folder:name
#                selects one of several programs
#   flags        for the compiler; {} is replaced by the folder that contains owner/name
#   arguments    for the program
#   pass         a regular expression for the output of a right run; "-": it ends with status 0
#   expected     the result, one of the words below, followed by text that the output must contain;
#                "-": any result. If the result depends on the compiler, the column has a part
#                for one of them, as in: pass; nvcc refused CUDA 13
# A program runs in its folder. Results are kept in FOLDER/COMPILER, so after ctrl-C the same
# command continues. To repeat all, delete that folder.

verdicts='pass longer unbuilt refused reports fails'
REPORTED=113 # the exit status if the device has reported errors; programs do not use it

say() {
  echo "make others: $*" >&2
  exit 2
}
number() { case $2 in '' | *[!0-9]* | 0) say "$1=$2: want a number" ;; esac }
tab=$(printf '\t')

# Prints the folder with the files of a repository.
place() {
  name=${1%.git} && owner=${name%/*}
  echo "${OTHERS:-$folder/fetched}/${owner##*/}/${name##*/}"
}

# Prints a checksum that identifies a run: of the repository, commit, program, flags and arguments.
key() { echo "$1 $2 $3 $4 $5" | cksum | cut -d' ' -f1; }

# ---- one program ---------------------------------------------------------------------------------
# Starts the program (PLAY_START). The file STARTED marks that the following output is the
# program's.
if [ "$1" = --start ]; then
  : >"$STARTED"
  ulimit -c 0
  ulimit -t "$LIMIT"
  shift
  exec "$@"
fi

quoted() { printf %s "$1" | sed "s/'/'\\\\''/g;s/.*/'&'/"; }
attempt() { # PLACE PROGRAM FLAGS ARGUMENTS
  export PLAY_START="sh $(quoted "$self") --start" STARTED="$stem.started"
  case $2 in
  *.cu)
    cd "$1/$(dirname "$2")" && "$cc" -o "$stem.program" -I. $3 "$(basename "$2")" && eval "$PLAY_START \"\$stem.program\" $4"
    ;;
  *)
    made=${2##*:}
    [ "$made" != "$2" ] || made=
    eval "PLAY_MAKEFLAGS=B sh \"\$root/common/make/compile/play.sh\" \"\$1/\${2%:*}\" \"\$cc\" \"\$3\" '' \"\$made\" $4"
    ;;
  esac
}

# Patterns of messages with which the device or lockstep-cc refuses a program.
refusal='^lockstep\(-cc\)\?: \|error: the emulated device \|error: [A-Za-z]* is not emulated; '
refused_kernel='^      The emulated device cannot run this kernel.'
verdict() { # PASS
  if ! [ -e "$stem.started" ]; then
    if grep -q "$refusal" "$stem.said"; then echo refused; else echo unbuilt; fi
    return
  fi
  case $status in
  124 | 137 | 152) echo longer ;; # the limit of elapsed time or of CPU time
  $REPORTED) if grep -q "$refused_kernel" "$stem.said"; then echo refused; else echo reports; fi ;;
  0) if [ "$1" = - ] || grep -Eq -e "$1" "$stem.said"; then echo pass; else echo fails; fi ;;
  *)
    if grep -q "$refusal\|$refused_kernel" "$stem.said"; then
      echo refused
    elif grep -A1 '^error: ' "$stem.said" | grep -q '^      '; then
      echo reports
    else
      echo fails
    fi
    ;;
  esac
}

one() { # REPOSITORY COMMIT LICENCE PROGRAM FLAGS ARGUMENTS PASS EXPECTED
  flags=$5 arguments=$6
  [ "$flags" != - ] || flags=
  flags=$(echo "$flags" | sed "s|{}|${OTHERS:-$folder/fetched}|g")
  [ "$arguments" != - ] || arguments=
  stem=$results/$(key "$1" "$2" "$4" "$5" "$6")
  rm -f "$stem".*
  began=$(date +%s)
  # Building may take two minutes. The limit of elapsed time for the run is four times the limit of
  # CPU time, because other processes may be running.
  { # The beginning of the output is kept.
    { timeout -k 5 $((120 + 4 * LIMIT)) sh "$self" --attempt "$stem" "$(place "$1")" "$4" "$flags" "$arguments" </dev/null 2>&1 &
      trap "kill $!; exit 130" INT TERM # because timeout does not forward the signal
      wait $!
      echo $? >"$stem.status"
    } | { head -c 2000000 && cat >/dev/null; }
  } >"$stem.said"
  status=$(cat "$stem.status")
  found=$(verdict "$7") seconds=$(($(date +%s) - began))
  rm -f "$stem.started" "$stem.status" "$stem.program"
  printf '%s\t%s\n' "$found" "$seconds" >"$stem.new" && mv "$stem.new" "$stem.result"
  echo >>"$results/done"
  printf '%5s of %s  %-8s %4d s  %s\n' "$(wc -l <"$results/done")" "$COUNT" "$found" "$seconds" "$(basename "$(place "$1")")/$4"
}

# ---- all programs --------------------------------------------------------------------------------
self=$(realpath "$0")
root=$(realpath "$(dirname "$self")/../../..")
case $1 in
--attempt)
  stem=$2
  shift 2
  attempt "$@"
  exit
  ;;
--one)
  IFS=$tab
  set -f
  set -- $2
  unset IFS
  one "$@"
  exit
  ;;
esac

list=$1 LOCKSTEP_COMPILER=$2 cc=$3 folder=$4
[ -n "$list" ] || say 'say which programs: LIST=file; common/make/tests/others.sh says what is in it'
[ -r "$list" ] && [ ! -d "$list" ] || say "LIST=$list: no such file"
[ -z "$OTHERS" ] || OTHERS=$(realpath -e "$OTHERS" 2>/dev/null) || say 'OTHERS: no such folder'
number LIMIT "${LIMIT:=60}"
number JOBS "${JOBS:=1}"
awk -F'\t' -v list="$list" -v known=" - $verdicts " '
  /^#/ || !NF { next }
  function bad(why) { print "make others: " list ":" NR ": " why; exit failed = 1 }
  NF != 8 { bad(NF " columns, want 8 with tabs between them") }
  $1 !~ /^[a-z]+:\/\/.*[^\/]\/[^\/]+$/ { bad($1 ": want https://host/owner/name") }
  $2 !~ /^[0-9a-f]+$/ || length($2) != 40 { bad($2 ": want a commit in full") }
  $4 ~ /^\/|(^|\/)\.\.(\/|$)/ { bad($4 ": want a path within the repository") }
  { for (i = 1; i <= NF; i++) if ($i == "") bad("column " i " is empty, want -") }
  {
    for (i = split($8, part, /; /); i; i--) {
      sub(/^(clang|nvcc) /, "", part[i])
      split(part[i], expected, " ")
      if (!index(known, " " expected[1] " ")) bad(expected[1] ": want one of" known)
    }
  }
  seen[$1, $2, $4, $5, $6]++ { bad($4 ": named twice") }
  { n++ }
  END { if (!failed && !n) bad("no program in it"); exit failed }' "$list" >&2 || exit 2
results=$folder/$LOCKSTEP_COMPILER
mkdir -p "$results" || exit 2
folder=$(realpath "$folder") results=$(realpath "$results")
rows() { grep -v '^#' "$list" | grep .; }
COUNT=$(rows | wc -l)

# Fetches missing repositories at their commits, without history.
[ -n "$OTHERS" ] || rows | cut -f1,2 | sort -u | while IFS=$tab read -r url commit; do
  into=$(place "$url")
  [ "$(git -C "$into" rev-parse HEAD 2>/dev/null)" != "$commit" ] || continue
  echo "fetching $url"
  mkdir -p "$into" && git -C "$into" init -q && git -C "$into" fetch -q --depth 1 "$url" "$commit" &&
    git -C "$into" checkout -qf FETCH_HEAD || say "$url: cannot be fetched at $commit"
done || exit 2

# Divides the cores among the programs that run at the same time.
cores=$(getconf _NPROCESSORS_ONLN)
: "${LOCKSTEP_WORKERS:=$(((cores + JOBS - 1) / JOBS))}"
export OTHERS LIMIT LOCKSTEP_COMPILER LOCKSTEP_WORKERS LOCKSTEP_STATUS=$REPORTED COUNT cc folder results
unset MAKEFLAGS MAKELEVEL
trap 'echo "stopped; the same command goes on" >&2; exit 130' INT TERM
: >"$results/done"
rows | while IFS=$tab read -r url commit licence program flags arguments rest; do
  if [ -e "$results/$(key "$url" "$commit" "$program" "$flags" "$arguments").result" ]; then
    echo >>"$results/done"
  else
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\0' "$url" "$commit" "$licence" "$program" "$flags" "$arguments" "$rest"
  fi
done >"$results/left" && xargs -0 -r -n 1 -P "$JOBS" sh "$self" --one <"$results/left" || exit

# Prints the part of an expectation that names this compiler, or the first part if no part names it.
about_compiler() { echo "$1" | sed 's/; /\n/g' | sed -n -e "s/^$LOCKSTEP_COMPILER //p;t" -e '1p' | tail -n 1; }

echo "$COUNT programs through $LOCKSTEP_COMPILER, $LIMIT s each:"
rows | while IFS=$tab read -r url commit licence program flags arguments pass expected; do
  stem=$results/$(key "$url" "$commit" "$program" "$flags" "$arguments")
  read -r found seconds <"$stem.result"
  expected=$(about_compiler "$expected")
  word=${expected%% *} text=${expected#"${expected%% *}"}
  case $word in
  -) word= ;;
  "$found") if [ -z "$text" ] || grep -qF -e "${text# }" "$stem.said"; then word=; fi ;;
  esac
  printf '%s\t%s\t%s\t%s\n' "$found" "${word:+$expected}" "$(basename "$(place "$url")")/$program" "$stem.said"
done | awk -F'\t' -v verdicts="$verdicts" '
  { count[$1]++ }
  $2 != "" { unexpected = unexpected "  " $3 ": " $1 ", expected: " $2 "\n    " $4 "\n" }
  END {
    n = split(verdicts, word, " ")
    for (i = 1; i <= n; i++) printf "  %-8s %4d\n", word[i], count[word[i]]
    if (unexpected == "") exit
    printf "not as expected:\n%s", unexpected
    exit 1
  }'
