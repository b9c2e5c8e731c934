#!/bin/sh
# One deck from Markdown to HTML and PDF, readable without a network: pictures, mathematics and style are
# in the files. Leaves its intermediate Markdown and a log beside them.
#
#   deck.sh WEAVE SLIDES/NN-name.md BUILD/slides

weave=$1 deck=$2 out=$3
name=$(basename "$deck" .md)
page=$out/$name

fail() {
  echo "slides: $deck: $1" >&2
  [ ! -s "$page.log" ] || tail -n 20 "$page.log" >&2
  rm -f "$page.html" "$page.pdf"
  exit 2
}

: >"$page.log"
browser=$(sh common/make/pictures/browser.sh) ||
  fail 'no Chromium here to make the PDF: `make slides` installs it, or CHROME_PATH names one'

marp() {
  "$out/node_modules/.bin/marp" --no-stdin --no-config --html --browser-path "$browser" \
    --theme-set slides/lockstep.css "$@" "$page.md" >"$page.log" 2>&1 </dev/null
}

begin=$(date +%s%3N)
# Links that lead out of slides/ lead there from the build folder, too.
up=$(realpath --relative-to="$out" "$(dirname "$deck")")/
"$weave" --bare "$up" "$deck" >"$page.md" || fail 'not rendered'
marp -o "$page.html" || fail 'Marp makes no HTML of it'
"$weave" --embed "$page.html" || fail 'not rendered'
marp --pdf --pdf-outlines --allow-local-files -o "$page.pdf" || fail 'Marp makes no PDF of it'
time=$(($(date +%s%3N) - begin))
printf 'slides: %-20s %3d slides, HTML and PDF (%d.%ds)\n' "$name" \
  "$(grep -o 'data-marpit-pagination-total="[0-9]*"' "$page.html" | head -n 1 | tr -dc 0-9)" \
  $((time / 1000)) $((time % 1000 / 100))
