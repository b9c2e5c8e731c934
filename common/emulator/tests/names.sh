#!/bin/sh
# Tests which names are exported by the archives that other people's programs are linked with: only
# names of the API, and weak replacements for functions of the C library. Other names could clash
# with functions of those programs.
#
#   names.sh ARCHIVE...

export LC_ALL=C
status=0
for archive; do
  shown=$(nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }')
  plain=$(echo "$shown" | grep -v -E '^(cu(da)?[A-Z]|__cuda|emulator_|cublas(Lt)?[A-Z_]|cufft[A-Z]|curand|nvrtc|(write|writev|read|fwrite|fread|clock|clock_gettime|gettimeofday|timespec_get)$)')
  [ "$(echo "$shown" | wc -l)" -ge 10 ] || { echo "$archive: shows hardly anything"; status=1; }
  [ -z "$plain" ] || { echo "$archive: shows" $plain; status=1; }
done
exit $status
