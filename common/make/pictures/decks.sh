#!/bin/sh
# Converts decks from Markdown to HTML and PDF. Pictures, mathematics and style are embedded, so the
# pages need no network. The intermediate Markdown and a log remain beside the pages.
#
#   decks.sh WEAVE BUILD/slides SLIDES/NN-name.md...

weave=$1 out=$2 log=$2/marp.log
shift 2
decks=$*

fail() {
  echo "slides: $1" >&2
  [ ! -s "$log" ] || tail -n 20 "$log" >&2
  for deck in $decks; do
    rm -f "$out/$(basename "$deck" .md).html" "$out/$(basename "$deck" .md).pdf"
  done
  exit 2
}

: >"$log"
browser=$(sh common/make/pictures/browser.sh) ||
  fail 'no Chromium here to make the PDF: `make slides` installs it, or CHROME_PATH names one'

pages() { # SUFFIX: prints the files of all decks with this suffix
  for deck in $decks; do
    printf '%s/%s%s ' "$out" "$(basename "$deck" .md)" "$1"
  done
}

marp() { # OPTIONS
  "$out/node_modules/.bin/marp" --theme-set slides/lockstep.css --no-stdin --no-config --html --browser-path "$browser" \
    "$@" $(pages .md) >"$log" 2>&1 </dev/null
}

begin=$(date +%s%3N)
# The pages are in the build folder, so links to files outside of slides/ are changed.
up=$(realpath --relative-to="$out" slides)/
for deck; do
  "$weave" --bare "$up" "$deck" >"$out/$(basename "$deck")" || fail "$deck: not rendered"
done
marp || fail 'Marp makes no HTML'
for page in $(pages .html); do
  "$weave" --embed "$page" || fail "$page: not rendered"
done
marp --pdf --pdf-outlines --allow-local-files || fail 'Marp makes no PDF'
for page in $(pages ''); do
  [ -s "$page.pdf" ] || fail "$page.pdf: not made"
  printf 'slides: %-20s %3d slides, HTML and PDF\n' "$(basename "$page")" \
    "$(grep -o 'data-marpit-pagination-total="[0-9]*"' "$page.html" | head -n 1 | tr -dc 0-9)"
done
time=$(($(date +%s%3N) - begin))
printf 'slides: %d.%ds\n' $((time / 1000)) $((time % 1000 / 100))
