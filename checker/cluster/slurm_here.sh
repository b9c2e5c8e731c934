#!/bin/sh
# Runs a command under a real Slurm cluster whose only node is this machine. It starts munged,
# slurmctld and slurmd of Debian's packages slurm-wlm and munge as the current user, with a separate
# folder and separate ports, and stops them after the command.
#
#   slurm_here.sh COMMAND [ARGUMENT...]     srun, sbatch, squeue find the node through SLURM_CONF
#
# The file $SLURM_JOBS lists the jobs that have ended. The exit status is the status of the command,
# 77 if Slurm is not installed, or 2 if Slurm does not start.

PATH=$PATH:/usr/sbin:/sbin
for tool in munged slurmctld slurmd srun; do
  command -v $tool >/dev/null || {
    echo "no $tool here (Debian: apt-get install slurm-wlm munge)"
    exit 77
  }
done

folder=$(mktemp -d /tmp/slurm-XXXXXX) || exit 2
chmod 755 "$folder"
controller= node=
end() {
  [ -z "$node" ] || scancel --quiet --user="$(id -un)" 2>/dev/null
  [ -z "$node" ] || kill "$node" 2>/dev/null
  [ -z "$controller" ] || kill "$controller" 2>/dev/null
  wait
  munged --stop --socket="$folder/munge.socket" >/dev/null 2>&1
  rm -rf "$folder"
}
trap end EXIT
trap 'exit 130' INT TERM HUP

quit() {
  echo "slurm: $1" >&2
  tail -n 5 "$folder"/*.log >&2
  exit 2
}

# Finds two free ports. They are below the ports that the kernel assigns to clients.
taken() { grep -qi ":$(printf %04x "$1") " /proc/net/tcp /proc/net/tcp6 2>/dev/null; }
host=$(hostname -s) port=$((20000 + $$ % 6000 * 2))
while taken $port || taken $((port + 1)); do port=$((20000 + (port - 19998) % 12000)); done
cat >"$folder/slurm.conf" <<END
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobCompType=jobcomp/filetxt
JobCompLoc=$folder/jobs
ReturnToService=2
KillWait=2
GresTypes=gpu
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(getconf _NPROCESSORS_ONLN) Gres=gpu:1 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
# Declares /dev/null as a GPU, so that jobs with --gres=gpu:1 start.
echo "NodeName=$host Name=gpu File=/dev/null" >"$folder/gres.conf"
mkdir "$folder/state" "$folder/spool"
export SLURM_CONF="$folder/slurm.conf" SLURM_JOBS="$folder/jobs"

(umask 077 && head -c 1024 /dev/urandom >"$folder/munge.key")
munged --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
  --log-file="$folder/munged.log" --seed-file="$folder/munge.seed" --force >/dev/null 2>&1 || quit 'munged does not start'
slurmctld -D -f "$SLURM_CONF" >"$folder/slurmctld.out.log" 2>&1 &
controller=$!
begin=$(date +%s)
late() { [ $(($(date +%s) - begin)) -ge 120 ]; }
# Waits for the controller. A node that starts before the controller waits for a long time before it
# connects again.
until scontrol ping 2>/dev/null | grep -q ' is UP'; do
  late && quit 'the controller does not come up'
  sleep 0.2
done
slurmd -D -f "$SLURM_CONF" -N "$host" >"$folder/slurmd.out.log" 2>&1 &
node=$!

until [ "$(sinfo -h -o %T 2>/dev/null)" = idle ]; do
  late && quit "the node does not come up: $(sinfo -h -o '%T %E' 2>&1)"
  sleep 0.2
done
"$@"
