#!/bin/sh
# Tests others.sh with a repository that the test creates.

folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
failed=0
mkdir -p "$folder/owner/name/made"
cd "$folder/owner/name" || exit 2
echo 'int main() {}' >silent.cu
cat >right.cu <<'END'
#include <stdio.h>
__global__ void pass(int *to) {
#ifdef EXOTIC
  asm volatile("wgmma.fence.sync.aligned;");
#endif
  *to = 42;
}
int main(int count, char **words) {
  int *to, back = 0;
  cudaMalloc(&to, sizeof back);
  pass<<<1, 1>>>(to);
  cudaMemcpy(&back, to, sizeof back, cudaMemcpyDeviceToHost);
  cudaFree(to);
  printf("%s: %s\n", count > 1 ? words[1] : "nobody", back == 42 ? "PASSED" : "FAILED");
  return back != 42;
}
END
echo '// from another folder' >made/made.h
cat >made/main.cu <<'END'
__global__ void past(int *to) { to[100] = 1; }
int main(int count, char **) {
  int *to;
  cudaMalloc(&to, sizeof *to);
  past<<<1, 1>>>(to);
  cudaFree(to);
  for (volatile int more = count; more > 1;)
    ;
}
END
printf 'all: program second\nprogram second: main.cu\n\t$(NVCC) -o $@ $<\n' >made/Makefile
git init -q . && git config uploadpack.allowAnySHA1InWant true && git add . &&
  git -c user.name=nobody -c user.email=nobody@example.org commit -qm programs || exit 2
commit=$(git rev-parse HEAD)
cd - >/dev/null || exit 2

row() { printf 'file://%s/owner/name\t%s\tnone\t%s\n' "$folder" "$commit" "$*" | sed 's/ | /\t/g'; }
run() { $stopped sh common/make/tests/others.sh "$folder/list" clang "$(realpath "$BUILD/bin/lockstep-cc")" "$folder/work" >"$folder/said" 2>&1; }
expect() { # STATUS TEXT...
  code=$? wanted=$1
  shift
  [ "$code" = "$wanted" ] || { echo "status $code, expected $wanted:"; sed 's/^/    /' "$folder/said"; failed=1; }
  for text; do
    grep -q -e "$text" "$folder/said" || { echo "expected: $text"; sed 's/^/    /' "$folder/said"; failed=1; }
  done
}

{
  echo '# three programs'
  row 'right.cu | -I{}/owner/name/made -include made.h | "some one" | ^some one: PASSED | pass'
  row 'made:program | - | - | - | reports write out of bounds'
  row 'silent.cu | - | - | - | pass'
} >"$folder/list"
export JOBS=2 LIMIT=20
run
expect 0 'fetching file://' 'pass .*name/right.cu' '3 programs' '^  pass  *2$' '^  reports  *1$'
! grep -q 'not as expected' "$folder/said" || { echo 'not as expected, without a reason'; failed=1; }

# Finished programs are not run again, even if the expectation in the list has changed.
sed -i 's/reports write.*/pass/' "$folder/list"
run
expect 1 '^not as expected' 'name/made:program: reports, expected: pass'
! grep -q 'fetching\|of 3 ' "$folder/said" || { echo 'done a second time'; failed=1; }

# A repository that exists already, with programs that do not end, that print a failure, and that do
# not compile.
{
  row 'right.cu | -I{}/owner/name/made -include made.h | "some one" | ^some one: PASSED | pass'
  row 'made:program | - | endless | - | longer'
  row 'right.cu | - | - | ^somebody | pass; clang fails nobody: PASSED; nvcc pass'
  row 'right.cu | -include cusparse.h | - | - | refused this library is not emulated'
  row 'right.cu | -DEXOTIC | - | - | refused wgmma.fence'
  row 'right.cu | -Dprintf=missing | - | - | unbuilt'
} >"$folder/list"
mv "$folder/work/fetched" "$folder/fetched"
export OTHERS="$folder/fetched"
stopped='timeout -s INT 3'
run
expect 124 'stopped; the same command goes on'
for second in 1 2 3 4 5; do # waits until the programs have ended
  ls -l /proc/[0-9]*/cwd 2>/dev/null | grep -q "$folder" || break
  sleep 1
done
! ls -l /proc/[0-9]*/cwd 2>/dev/null | grep -q "$folder" || { echo 'something goes on after ctrl-C'; failed=1; }
stopped=
export LIMIT=1
run
! grep -q ' of 6 .*reports\| 1 of 6' "$folder/said" || { echo 'done a second time, or judged though it was stopped'; failed=1; }
expect 0 '^  longer  *1$' '^  fails  *1$' '^  refused  *2$' '^  unbuilt  *1$'

# A mistake in the list gives a one-line error.
for wrong in 'right.cu | - | - | pass' '../right.cu | - | - | - | pass' 'right.cu | - | - | - | works' 'right.cu | - | - | - | pass; nvcc works' 'right.cu | - || - | pass'; do
  row "$wrong" >"$folder/list"
  run
  expect 2 "^make others: $folder/list:1: "
  [ "$(wc -l <"$folder/said")" = 1 ] || { echo "not one line: $wrong"; failed=1; }
done
rm "$folder/list"
run
expect 2 'no such file'
exit $failed
