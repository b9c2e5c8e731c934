#!/bin/sh
# Tests that generated programs give the same results with all compilers and settings as on a GPU.
#
#   [JOBS=n] fuzz_kernels.sh FOLDER RECORDED BUILD FLAVOUR[+SETTING=VALUE]...   (make fuzz-kernels)
#
# FOLDER/NAME.cu is a program that prints a line "kernel K: HASH" for each of its kernels. Its
# program for a FLAVOUR is BUILD/FLAVOUR/fuzz/NAME, and each SETTING is set in its environment. The
# programs have no mistakes, so a report of the device counts as a difference. The file RECORDED has
# the lines "NAME kernel K: HASH" of a GPU; without such a file the argument is ''. The script
# prints one line for each kernel with different results, and a summary at the end. One flavour is
# compiled without optimisation, so that calls are not inlined and variables are in local memory.
#
# A program that does not compile or does not run counts as a difference, and has a line too.

seconds=${SECONDS_EACH:-120}

# Runs one program and prefixes each line of its output with its name. Standard error is kept in a
# file beside the output.
run_one() { # PROGRAM OUTPUT SETTINGS
  name=$(basename "$1")
  if ! [ -x "$1" ]; then
    echo "$name not compiled: $(grep -m 1 -i error "$1.log" | cut -c 1-200)"
  else
    env $(echo "$3" | tr + ' ') timeout -k 5 "$seconds" "$1" >"$2.said" 2>"$2.errors" && code=0 || code=$?
    sed "s/^/$name /" "$2.said"
    [ $code = 0 ] || echo "$name ended with $code: $(head -n 1 "$2.errors" | cut -c 1-200)"
    ! grep -q '^error: \|^warning: ' "$2.errors" || echo "$name reports: $(head -n 2 "$2.errors" | tr -s '\n ' ' ' | cut -c 1-200)"
  fi >"$2"
}

if [ "$1" = --one ]; then
  run_one "$2" "$3" "$4"
  exit 0
fi

folder=$1 recorded=$2 build=$3
shift 3
names=$(ls "$folder" | sed -n 's/\.cu$//p' | sort -n)
[ -n "$names" ] && [ -n "$1" ] || { echo 'usage: fuzz_kernels.sh FOLDER RECORDED BUILD FLAVOUR...' >&2; exit 2; }
fresh=$(mktemp -d) || exit 2
trap 'rm -rf "$fresh"' EXIT

for flavour; do
  mkdir "$fresh/$flavour" || exit 2
  for name in $names; do
    case $flavour in *+*) settings=${flavour#*+} ;; *) settings=LOCKSTEP_QUIET=0 ;; esac
    echo "$build/${flavour%%+*}/fuzz/$name $fresh/$flavour/$name $settings"
  done
done | xargs -P "${JOBS:-$(nproc)}" -L 1 sh "$0" --one

for flavour; do
  for name in $names; do cat "$fresh/$flavour/$name"; done | sed "s/^/$flavour /"
done >"$fresh/all"
# Adds the recorded results of the programs that have run.
[ -z "$recorded" ] || for name in $names; do grep "^$name kernel" "$recorded"; done | sed 's/^/recorded /' >>"$fresh/all"

# Reads lines FLAVOUR NAME kernel K: HASH. Any other line is an error message of a program.
awk '
  !($1 in known) { known[$1] = ++n; flavour[n] = $1 }
  $3 == "kernel" && $5 ~ /^[0-9a-f]+$/ && NF == 5 {
    kernel = $2 " kernel " $4
    if (!(kernel in seen)) { seen[kernel] = ++kernels; order[kernels] = kernel }
    hash[kernel, $1] = $5
    next
  }
  broken++ < 40 { print "  " $0 }
  END {
    for (k = 1; k <= kernels; k++) {
      line = ""
      delete opinion
      kinds = 0
      for (f = 1; f <= n; f++) {
        if (!((order[k], flavour[f]) in hash)) {
          if (flavour[f] != "recorded") line = line "; none: " flavour[f]
          continue
        }
        h = hash[order[k], flavour[f]]
        if (!(h in opinion)) { opinion[h] = ""; which[++kinds] = h }
        opinion[h] = opinion[h] " " flavour[f]
      }
      for (i = 1; i <= kinds; i++) line = line "; " which[i] ":" opinion[which[i]]
      if (kinds > 1 || line ~ /none: /) { print order[k] substr(line, 2); differ++ }
    }
    printf "%d kernels, %d with differences, %d other lines\n", kernels, differ, broken
    exit kernels == 0 || differ + broken > 0
  }' "$fresh/all"
