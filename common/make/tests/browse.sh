#!/bin/sh
# Runs a test of pages in a browser. Without a browser it prints what is missing, and its exit
# status 77 means that the test was skipped (test.sh).
#
#   browse.sh BUILD/slides TEST.mjs [ARGUMENT...]

slides=$1
shift
skip() {
  echo "$1"
  exit 77
}
command -v node >/dev/null || skip 'no Node.js here; make slides installs it'
sh common/make/pictures/browser.sh >/dev/null || skip 'no Chromium here; make slides installs it'
for module in puppeteer-core axe-core; do
  [ -e "$slides/node_modules/$module" ] || skip 'make slides has not been run here'
done
exec node "$@"
