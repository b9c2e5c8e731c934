#!/bin/sh
# Grades a very small class on a Slurm cluster with one node. LAUNCH=srun must give the same files
# as grading without Slurm. Each lab must be one job and be graded once, a cancelled job must be
# repeated, and the array of cluster/gpu.sh must give the same marks.
#
#   BUILD=build slurm.sh            skipped where Slurm is not installed

unset MAKEFLAGS MAKELEVEL MFLAGS SUBMISSIONS LAUNCH CLASS SANDBOX
folder=$BUILD/tests/slurm
[ -n "$SLURM_JOBS" ] || exec sh checker/cluster/slurm_here.sh sh "$0"

failed=0
said=$folder/said sandbox=bwrap
bwrap --unshare-all --ro-bind / / true 2>/dev/null || sandbox=none
rm -rf "$folder" "$BUILD"/class/slurm-* && mkdir -p "$folder/in/alice" "$folder/in/bob/labs/01-naive" "$folder/in/carol" || exit 1
cp solutions/01-naive/naive.cu "$folder/in/alice/"
cp labs/02-shared/shared.cu "$folder/in/alice/"
cp "$(ls "$BUILD"/mutants/01-naive/*.cu | head -n 1)" "$folder/in/bob/labs/01-naive/naive.cu"

fail() {
  failed=1
  echo "$*"
  tail -n 20 "$said" | sed 's/^/    /'
}
grade() { # CLASS WORDS...
  class=$1
  shift
  make grade BUILD="$BUILD" SANDBOX=$sandbox SUBMISSIONS="$folder/in" CLASS="$class" "$@" >"$said" 2>&1
}
results() { (cd "$BUILD/class/$1" && find reports results grades.* -type f | sort | xargs cksum); }
same() { # CLASS
  results slurm-local >"$folder/expected"
  results "$1" 2>&1 | diff "$folder/expected" - >"$said" || fail "$1: other results than without Slurm"
}
ended() { grep -c 'JobState=COMPLETED' "$SLURM_JOBS"; }
# Waits until Slurm has recorded the end of EXPECTED jobs. The record appears some time after squeue
# shows that a job has ended.
jobs() { # EXPECTED
  begin=$(date +%s)
  while [ -n "$(squeue -h)" ] || [ "$(ended)" -lt "$1" ]; do
    [ $(($(date +%s) - begin)) -lt 120 ] || break
    sleep 0.2
  done
  { squeue && grep -o '^JobId=[0-9]*\|JobState=[A-Z]*' "$SLURM_JOBS"; } >"$said" 2>&1
  [ "$(ended)" = "$1" ]
}

grade slurm-local || fail 'without Slurm'
grep -q 100 "$BUILD/class/slurm-local/reports/alice.txt" || fail 'alice has no full marks'

# ---- LAUNCH=srun ---------------------------------------------------------------------------------
grade slurm-srun LAUNCH='srun --ntasks=1 --quiet' || fail 'LAUNCH=srun'
same slurm-srun
jobs 3 || fail "expected 3 jobs, got $(ended)"
grade slurm-srun LAUNCH='srun --ntasks=1 --quiet' || fail 'LAUNCH=srun, once more'
jobs 3 || fail "graded twice: $(ended) jobs"

# ---- a job that is cancelled while it waits or runs ----------------------------------------------
rm "$BUILD/class/slurm-srun/marks/bob/01-naive.json"
scontrol update NodeName="$(hostname -s)" State=DRAIN Reason=test
{
  until [ -n "$(squeue -h)" ] || [ -e "$folder/graded" ]; do sleep 0.2; done
  scancel --user="$(id -un)"
} &
grade slurm-srun LAUNCH='srun --ntasks=1 --quiet' && fail 'a cancelled job passes for graded'
touch "$folder/graded"
wait $!
grep -q '1 of 3 could not be graded' "$said" || fail 'expected: 1 of 3 could not be graded'
scontrol update NodeName="$(hostname -s)" State=RESUME
grade slurm-srun LAUNCH='srun --ntasks=1 --quiet' || fail 'LAUNCH=srun, after a cancelled job'
same slurm-srun
jobs 4 || fail "expected one job more, got $(ended) in all"

# ---- the array -----------------------------------------------------------------------------------
BUILD="$BUILD" sh checker/cluster/gpu.sh 2 SUBMISSIONS="$folder/in" CLASS=slurm-array BUILD="$BUILD" SANDBOX=$sandbox \
  DEVICE=emulated >"$said" 2>&1 || fail gpu.sh
jobs 8 || fail "expected prepare, 2 shares and collect, got $(ended) jobs in all"
same slurm-array
cat build/slurm-slurm-array-share.*.out >"$said"
[ "$(grep -c 'alice 0[12]-\|bob 01-' "$said")" = 3 ] || fail 'the shares: expected each lab once'
rm -f build/slurm-slurm-array-*.out
exit $failed
