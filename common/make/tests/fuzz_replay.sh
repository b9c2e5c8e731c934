#!/bin/sh
# Tests that a few generated programs give the same results as on an H200. `make test` runs it.
#
#   fuzz_replay.sh FOLDER RECORDED BUILD FLAVOUR...
#
# For each program NAME, RECORDED has a line "NAME program SUM" with the checksum of the program and
# of the file that it includes, and the lines "NAME kernel K: HASH" that a GPU printed. If the
# checksum differs, the generator has changed. In this case, record the lines of the new programs
# with fuzz_kernels.sh on a machine with a GPU, and print the checksums with
#
#   fuzz_replay.sh --sums FOLDER NAME...
support=common/emulator/tests/fuzz/support.h
sum() { cat "$1" $support | cksum | cut -d' ' -f1; }

if [ "$1" = --sums ]; then
  folder=$2
  shift 2
  for name; do echo "$name program $(sum "$folder/$name.cu")"; done
  exit 0
fi

folder=$1 recorded=$2
failed=0
names=$(sed -n 's/^\([0-9]*\) program .*/\1/p' "$recorded")
[ -n "$names" ] || { echo "$recorded: no programs"; exit 1; }
for name in $names; do
  grep -q "^$name program $(sum "$folder/$name.cu")$" "$recorded" || {
    echo "seed $name: the generator writes another program than the one that was recorded"
    failed=1
  }
  grep -q "^$name kernel" "$recorded" || { echo "seed $name: no kernels recorded"; failed=1; }
done
[ $failed = 0 ] || exit 1
exec sh "$(dirname "$0")/fuzz_kernels.sh" "$@"
