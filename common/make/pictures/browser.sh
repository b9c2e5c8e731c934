#!/bin/sh
# Prints the path of a browser that can render the slides: Chromium or a derived browser.
# CHROME_PATH names another one. Without a browser it prints nothing and ends with status 1.

for name in "$CHROME_PATH" chromium chromium-browser google-chrome google-chrome-stable microsoft-edge; do
  if [ -n "$name" ] && command -v "$name"; then
    exit 0
  fi
done
exit 1
