#!/bin/sh
# Tests make view and make view01 to view06. Each solution and each wrong solution must give a page;
# wrong options must give one line. The pages stay in BUILD/view, where a later test opens them in a
# browser.
#
#   BUILD=build doors.sh

failed=0
unset MAKEFLAGS MAKELEVEL MFLAGS
said=$(mktemp) && trap 'rm -f "$said"' EXIT

fail() {
  failed=1
  echo "$*, got:"
  sed 's/^/    /' "$said"
}

page() { # WORDS PATH GOAL...: expects a page at PATH with WORDS in it, and one line with the path
  words=$1 path=$2
  shift 2
  rm -f "$path"
  make -s BUILD="$BUILD" "$@" >"$said" 2>/dev/null || fail "$*: status $?"
  [ "$(wc -l <"$said")" = 1 ] && grep -qF "the page is $path" "$said" || fail "$*: expected one line with $path"
  grep -qF "$words" "$path" || fail "$*: expected on its page: $words"
}

line() { # WORDS GOAL...: expects one line on standard error that contains WORDS
  words=$1
  shift
  make -s BUILD="$BUILD" "$@" 2>&1 >/dev/null | grep -v '^make: \*\*\*' >"$said"
  [ "$(wc -l <"$said")" = 1 ] && grep -qF -e "$words" "$said" || fail "$*: expected one line: $words"
}

wrong() { # NAME: creates a folder of labs with this wrong solution and prints its path
  folder=$BUILD/tests/view/${1##*/} lab=${1%/*}
  mkdir -p "$folder/$lab"
  sh common/make/tests/mutant.sh build "checker/mutants/$1.patch" >"$folder/$lab/$(basename solutions/"$lab"/*.cu)"
  echo "$folder"
}

of_wrong() { # NAME WORDS ARGUMENT...: expects a page for this wrong solution that contains WORDS
  folder=$(wrong "$1") lab=${1%/*} words=$2
  shift 2
  page "$words" "$BUILD/view/$(echo "$folder" | tr / _)-$lab.html" "view${lab%%-*}" LABS="$folder" "$@"
}

for lab in labs/[0-9][0-9]-*; do
  lab=${lab#labs/}
  page 'Verdict: 100 of 100' "$BUILD/view/solutions-$lab.html" "view${lab%%-*}" LABS=solutions ARGS='--size 64'
done
of_wrong 02-shared/first-barrier-missing 'race on Bs' ARGS='--size 64'
of_wrong 03-bank-conflicts/pad-nothing '31.0 per request' ARGS='--size 64'
of_wrong 03-bank-conflicts/pad-nothing '<p class="what">smem2 on' ARGS='--size 64' # kernel of the task
of_wrong 02-shared/warm-up-not-turned '<p class="what">reverse_pieces on' ARGS='--size 64'
of_wrong 01-naive/no-guard 'read out of bounds' ARGS='--size 33'
of_wrong 01-naive/endless 'kernel does not end' LOCKSTEP_LIMIT=100000
of_wrong 01-naive/host-loop-endless 'to no end by itself' VIEW_SECONDS=0.5 GRADED_ON='--seconds 1'
of_wrong 01-naive/host-follows-device-pointer 'crashed (signal 11)'
of_wrong 01-naive/does-not-compile 'It does not compile'
page '&lt;/script&gt;' "$BUILD/view/common_view_tests_hostile.cu.html" view FILE=common/view/tests/hostile.cu
line 'no such option' view01 LABS=solutions ARGS=--wrong
line 'FILE=nowhere.cu: no such file' view FILE=nowhere.cu
exit $failed
