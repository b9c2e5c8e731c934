#!/bin/sh
# Tests the progress of a long run. On a terminal the progress is shown in one line, which is
# removed after ctrl-C. Nothing is printed into a file.
#
#   BUILD=build progress_test.sh

unset MAKEFLAGS MAKELEVEL MFLAGS
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cat >"$folder/long.cu" <<'END'
__global__ void count(unsigned *to) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < 20000; i++)
    x = x * 3 + (x >> 7);
  to[threadIdx.x] = x;
}
int main() {
  unsigned *to;
  cudaMalloc(&to, 32 * sizeof *to);
  count<<<100000000, 32>>>(to);
  return cudaDeviceSynchronize();
}
END
LOCKSTEP_COMPILER=clang "$BUILD/bin/lockstep-cc" -o "$folder/long" "$folder/long.cu" || exit 1
cat >"$folder/run" <<'END'
sh -c 'echo $$ >"$1.pid" && exec env --default-signal=INT "$0"' "${0%/*}/long" "${0%/*}/$1"
echo "ended with $?"
END
script -qc "sh $folder/run terminal" /dev/null </dev/null >"$folder/terminal" &
said_twice() { [ "$(tr '\r' '\n' <"$folder/terminal" | grep -c blocks)" -ge 2 ]; }
{ # waits, with a limit for busy machines
  for try in $(seq 600); do said_twice && break || sleep 0.2; done
  kill -INT $(cat "$folder/terminal.pid" "$folder/piped.pid")
} &
sh "$folder/run" piped >"$folder/piped" 2>"$folder/said"
wait
failed=0
tr '\r' '\n' <"$folder/terminal" >"$folder/lines"
erase=$(printf '\033[K')
grep -q -E 'count: [0-9]+ of 100000000 blocks, [0-9.]+ a second, [0-9]+ .* left$' "$folder/lines" || { echo 'no progress on a terminal'; failed=1; }
said_twice || { echo 'said once only'; failed=1; }
grep -q -F "${erase}ended with 130" "$folder/lines" || { echo 'ctrl-C leaves the line'; failed=1; }
[ ! -s "$folder/said" ] || { echo 'said into a file:'; cat "$folder/said"; failed=1; }
[ $failed = 0 ] || cat -v "$folder/lines"
exit $failed
