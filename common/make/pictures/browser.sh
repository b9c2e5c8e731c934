#!/bin/sh
# Prints the path of a browser that can draw and open the slides: Chromium, or what is built from it.
# CHROME_PATH names another one. Without any: nothing, and status 1.

for name in "$CHROME_PATH" chromium chromium-browser google-chrome google-chrome-stable microsoft-edge; do
  if [ -n "$name" ] && command -v "$name"; then
    exit 0
  fi
done
exit 1
