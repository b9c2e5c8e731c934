#!/bin/sh
# Grades a class on the GPUs of a Slurm cluster. Each job of an array uses one GPU. Start the script
# in the workbook's root, on a file system that all nodes share:
#
#   sh checker/cluster/gpu.sh TASKS SUBMISSIONS=folder [CLASS=name] [more words for make grade]
#
# The script submits three jobs, which run one after the other. All jobs run on GPU nodes, because
# programs are compiled for the GPU and the CPU of the node:
#   prepare   builds the checker and its libraries, and reads the submissions
#   share     an array of TASKS tasks; each grades a part of the labs, one lab at a time, so that no
#             other program disturbs the measured times
#   collect   runs make grade again, which grades the labs that failed nodes left. Writes reports,
#             tables and the page
#
# sbatch reads the partition, account and time limit from its own variables, such as
# SBATCH_PARTITION=gpu SBATCH_TIMELIMIT=2:00:00. All nodes must have the same GPU and CPU. If a
# partition has several kinds of nodes, set SBATCH_CONSTRAINT.

# ---- a task of the array ---------------------------------------------------------------------
share() { # CLASS-FOLDER
  exec 9<"$1/lock" && flock -s -n 9 || {
    echo "$1: another grading is running" >&2
    exit 2
  }
  read -r settings <"$1/settings"
  labs=$(tr ' ' '\n' <"$1/students.mk" | grep / | awk -v of="$SLURM_ARRAY_TASK_COUNT" -v me="$SLURM_ARRAY_TASK_ID" 'NR % of == me')
  marks=
  for lab in $labs; do
    marks="$marks $1/marks/$lab.json"
  done
  [ -z "$marks" ] || make -j1 -f common/make/class/class_graph.mk "CLASS=$1" $settings $marks
}

case $1 in
prepare | collect)
  step=$1
  shift
  [ $step = collect ] || set -- "$@" PREPARE=yes
  exec make grade "$@"
  ;;
share)
  share "$2"
  exit
  ;;
esac

# ---- submitting ------------------------------------------------------------------------------
tasks=$1
shift
from= class=
for word; do
  case $word in
  SUBMISSIONS=*) from=${word#*=} ;;
  CLASS=*) class=${word#*=} ;;
  esac
done
class=${class:-$(basename "$from")}
case $tasks,$from,$class in
*[!0-9]*,*,* | ,*,* | 0,*,* | *,,*) echo 'gpu.sh TASKS SUBMISSIONS=folder [CLASS=name] [...]' >&2 && exit 2 ;;
*,*,*[!A-Za-z0-9._-]* | *,*,[.-]*) echo "gpu.sh: CLASS=name is needed, of letters, digits, '.', '_' and '-'" >&2 && exit 2 ;;
esac
submit() { sbatch --parsable --gres=gpu:1 --ntasks=1 --output="build/slurm-$class-%x.%a.out" "$@"; }
mkdir -p build
prepared=$(submit --job-name=prepare "$0" prepare "$@" "CLASS=$class") &&
  shared=$(submit --job-name=share --array="0-$((tasks - 1))" --dependency="afterok:$prepared" --kill-on-invalid-dep=yes \
    "$0" share "${BUILD:-build}/class/$class") &&
  collected=$(submit --job-name=collect --dependency="afterany:$shared" --kill-on-invalid-dep=yes "$0" collect "$@" "CLASS=$class") &&
  echo "jobs $prepared, $shared, $collected; their output: build/slurm-$class-*.out"
