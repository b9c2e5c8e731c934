#!/bin/sh
# Tests make race02. With a race, the command must find an order of warps in which a number changes, and
# replay this order. Without a race, it must name the barriers that are needed. If there is nothing to search,
# it must print one line.
#
#   BUILD=build race_test.sh PROGRAM...      programs that check their own results, also in a prescribed order

. common/make/tests/said.sh
page_is_whole() { # PATH
  [ -s "$1" ] || fail "no page $1"
  grep -qiE '<script|https?://|<iframe|<link rel="stylesheet' "$1" && fail "$1: it runs or fetches something"
  grep -q "default-src 'none'" "$1" || fail "$1: no policy"
}

# ---- the device itself: the same results with LOCKSTEP_ORDER=plain -----------------------------
for program; do
  "$program" >"$said/usual" 2>&1
  usual=$?
  LOCKSTEP_ORDER=plain "$program" >"$said/text" 2>&1
  [ $? = $usual ] && cmp -s "$said/usual" "$said/text" || fail "$program: another result with LOCKSTEP_ORDER=plain"
done

# ---- a wrong solution: the order, the lines of the report, the page ------------------------------
wrong=$BUILD/tests/race/second-barrier-missing
mkdir -p "$wrong/02-shared"
make -s BUILD="$BUILD" "$BUILD/mutants/02-shared/second-barrier-missing.cu" &&
  cp "$BUILD/mutants/02-shared/second-barrier-missing.cu" "$wrong/02-shared/shared.cu"
make -s BUILD="$BUILD" race02 LABS="$wrong" >"$said/text" 2>&1 || fail "make race02: status $?"
store=$(grep -n 'Bs\[y\]\[x\] =' "$wrong/02-shared/shared.cu" | cut -d: -f1)
read=$(grep -n 'sum += As\[y\]' "$wrong/02-shared/shared.cu" | cut -d: -f1)
shows 'comes out as' 'race on Bs' "line $store" "line $read" 'has already stored another value'
[ "$(grep -cE '^  [0-9]  ' "$said/text")" -le 8 ] || fail 'more than eight panels'
awk 'length($0) > 80' "$said/text" | grep . && fail 'wider than 80 columns'
page_is_whole "$BUILD/race/$(echo "$wrong" | tr / _)-02-shared.html"

# ---- the order that was found is text, and gives the same numbers twice --------------------------
program=$BUILD/emulated-clang/$(echo "$wrong" | tr / _)/02-shared.float
"$BUILD/racer/race" --source "$wrong/02-shared/shared.cu" --gold --replays 2 "$program" --repeats 1 \
  --variant shared --m 32 --k 96 --n 64 >"$said/text" 2>&1
shows 'replayed: 2 of 2 the same'
LOCKSTEP_ORDER='hold launch 1' "$program" --variant shared --size 32 >"$said/text" 2>&1
[ $? = 2 ] || fail 'half an order was taken'
shows 'LOCKSTEP_ORDER=hold launch 1: want'

# ---- no race: what each barrier does -------------------------------------------------------------
make -s BUILD="$BUILD" race02 LABS=solutions ARGS='--variant shared --size 64' >"$said/text" 2>&1 || fail "solutions: status $?"
shows 'No race in matmul.' 'every order of warps and blocks gives the same numbers'
for line in $(grep -n '^    __syncthreads' solutions/02-shared/shared.cu | cut -d: -f1); do
  shows "line $line: __syncthreads(); Without it: race on"
done
page_is_whole "$BUILD/race/solutions-02-shared.html"

# ---- without ARGS the exercises of a lab are included; ARGS can choose a run -----------------
make -s BUILD="$BUILD" race01 LABS=solutions >"$said/text" 2>&1 || fail "race01: status $?"
shows 'No race in scale, scale_matrix, turned, matmul.'
make -s BUILD="$BUILD" race01 ARGS=--help >"$said/text" 2>&1 && fail 'race01 ARGS=--help: status 0'
[ "$(wc -l <"$said/text")" = 1 ] || fail 'race01 ARGS=--help: not one line'
shows 'ARGS="--variant NAME --size N" chooses the run'

# ---- any program ---------------------------------------------------------------------------------
cat >"$said/lost.cu" <<'OUT'
__global__ void add(int *sum) { *sum = *sum + 1; }
int main() {
  int *sum;
  cudaMalloc(&sum, sizeof *sum);
  cudaMemset(sum, 0, sizeof *sum);
  add<<<2, 1>>>(sum);
  cudaDeviceSynchronize();
  cudaFree(sum);
}
OUT
cat >"$said/same.cu" <<'OUT'
__global__ void flag(int *found) { *found = 1; }
int main() {
  int *found;
  cudaMalloc(&found, sizeof *found);
  flag<<<2, 1>>>(found);
  cudaDeviceSynchronize();
  cudaFree(found);
}
OUT
make -s BUILD="$BUILD" race FILE="$said/lost.cu" >"$said/text" 2>&1 || fail "lost.cu: status $?"
shows 'comes out as 1' 'In another order it is 2' 'held back before its write at line 1'
make -s BUILD="$BUILD" race FILE="$said/same.cu" >"$said/text" 2>&1 || fail "same.cu: status $?"
shows 'no order that was tried changes a number'
make -s BUILD="$BUILD" race FILE=nowhere.cu >"$said/text" 2>&1 && fail 'a program that is not there: status 0'
shows 'FILE=nowhere.cu: no such file'
exit $failed
