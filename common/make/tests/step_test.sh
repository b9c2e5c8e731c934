#!/bin/sh
# Tests make step02. The device must give the same results if the warps of a block run in single
# steps, and must refuse an incomplete order. The command must print an address and serve the page
# until it is killed.
#
#   BUILD=build step_test.sh PROGRAM...      programs that check their own results

. common/make/tests/said.sh

# ---- the device itself ---------------------------------------------------------------------------
for program; do
  "$program" >"$said/usual" 2>&1
  usual=$?
  for turns in '' '1*3 0*2' '0*1 1*1 0*1 1*1 2*5'; do
    LOCKSTEP_ORDER="turns launch 1 block 0 $turns" "$program" >"$said/text" 2>&1
    [ $? = $usual ] && cmp -s "$said/usual" "$said/text" || fail "$program: another result in turns $turns"
  done
done
for order in 'turns launch' 'turns launch 1 block 0 0' 'turns launch 1 block 0 0*' 'turns launch 1 block 0 0*0' \
  'turns launch 1 block 0 x*1' 'turns launch 1 block 0 0*1; turns launch 2 block 0 0*1'; do
  LOCKSTEP_ORDER=$order "$1" >"$said/text" 2>&1
  [ $? = 2 ] || fail "$order: taken"
  shows "LOCKSTEP_ORDER=$order: want"
done

# ---- the command ---------------------------------------------------------------------------------
ends() { # ARGUMENT OF MAKE...: the command must print an address, and end when it is killed
  : >"$said/text"
  setsid make -s BUILD="$BUILD" "$@" >"$said/text" 2>&1 &
  group=$!
  for second in $(seq 300); do
    grep -q 'ctrl-C ends it' "$said/text" && break
    kill -0 $group 2>/dev/null || break
    sleep 1
  done
  shows "${1%%=*}" 'the page is http://127.0.0.1:' 'ctrl-C ends it'
  kill -s TERM -- -$group 2>/dev/null
  wait $group 2>/dev/null
}
cat >"$said/sum.cu" <<'OUT'
__global__ void sum(int *all) { atomicAdd(all, threadIdx.x); }
int main() {
  int *all;
  cudaMalloc(&all, sizeof *all);
  cudaMemset(all, 0, sizeof *all);
  sum<<<2, 64>>>(all);
  cudaDeviceSynchronize();
  cudaFree(all);
}
OUT
echo 'int main() {}' >"$said/nothing.cu"
ends step02 LABS=solutions ARGS='--variant shared --size 32'
ends step FILE="$said/sum.cu"
make -s BUILD="$BUILD" step FILE="$said/nothing.cu" >"$said/text" 2>&1 && fail 'a program without a kernel: status 0'
shows 'step: the program launched no kernel'
make -s BUILD="$BUILD" step FILE=nowhere.cu >"$said/text" 2>&1 && fail 'a program that is not there: status 0'
shows 'FILE=nowhere.cu: no such file'
make -s BUILD="$BUILD" step02 DEVICE=gpu >"$said/text" 2>&1 && fail 'DEVICE=gpu: status 0'
exit $failed
