#!/bin/sh
# chevrons.sh SOURCE COPY: prints which of the two to compile. Layout tools of old made kernel << <grid, block>> >() of
# launches, which nvcc reads and clang does not: the copy has them in one piece, under the source's name and with its lines.
if grep -q '<< <' "$1"; then
  { echo "#line 1 \"$1\"" && sed -e 's/<< </<<</g' -e 's/>> >/>>>/g' "$1"; } >"$2" && echo "$2"
else
  echo "$1"
fi
