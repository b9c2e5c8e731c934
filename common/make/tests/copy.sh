#!/bin/sh
# Copies the workbook for a test, with its compiled files: copy.sh BOOK. BUILD is taken from the
# environment.
: "${BUILD:=build}"

book=$1
in_git() { [ -n "$(git ls-files Makefile 2>/dev/null)" ]; }
files() { if in_git; then git ls-files -co --exclude-standard; else find . -type f ! -path "./$BUILD/*"; fi; }

mkdir -p "$book/build/emulated-clang" || exit 2
files | while read -r file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done | tar -cf - --null -T - | tar -xf - -C "$book" || exit 2
(cd "$BUILD" && tar -cf - $(ls -d emulator objects checker draw profile viewer emulated-clang/lib* \
  emulated-clang/given emulated-clang/replay emulated-clang/parsed 2>/dev/null)) | tar -xf - -C "$book/build" || exit 2
# The absolute path in build/tools differs in the copy, which would make all objects out of date.
# Therefore the file is written again and gets an old date.
(cd "$book" && make build/tools) >/dev/null && touch -d 2000-01-01 "$book/build/tools"
