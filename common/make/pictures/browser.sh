#!/bin/sh
# Prints the path of a browser that can render the slides: Chromium or a browser that is derived
# from it, or the browser in CHROME_PATH. If there is none, it prints nothing and the exit status is
# 1.

for name in "$CHROME_PATH" chromium chromium-browser google-chrome google-chrome-stable microsoft-edge; do
  if [ -n "$name" ] && command -v "$name"; then
    exit 0
  fi
done
exit 1
