#!/bin/sh
# Grades one lab of one student with a command, and prints the progress of the class.
#
#   CHECKER=checker class_one.sh CLASS ID/NN-name COMMAND...
#
# The command writes marks/ID/NN-name.json. If the command is killed or its machine fails, the file
# is missing, and the next make runs the command again. The exit status is always 0, so that make
# continues with the other students.

class=$1 what=$2 marks=$1/marks/$2
shift 2
trap : TERM # if make is interrupted, the command for this lab continues
mkdir -p "${marks%/*}"
rm -f "$marks.json"
"$@" >"$marks.said" 2>&1 </dev/null 9>&-
status=$?

if [ -e "$marks.json" ]; then
  rm -f "$marks.said"
  touch "$marks.json" # uses this machine's clock, because the marks may come from another machine
  result=$("$CHECKER" --result "$marks.json" 2>&1)
else
  said=$(tail -n 1 "$marks.said" | cut -c 1-100 | tr -d '[:cntrl:]')
  result="has no marks yet, its grading ended with $status${said:+: $said}"
fi

# ---- progress and remaining time -----------------------------------------------------------------
# CLASS/progress has four numbers: all labs, labs with marks before this grading, the start of this
# grading in seconds, and labs that this grading has finished.
time_left() { # SECONDS
  if [ "$1" -ge 5400 ]; then
    echo "$((($1 + 1800) / 3600)) h left"
  elif [ "$1" -ge 90 ]; then
    echo "$((($1 + 30) / 60)) min left"
  else
    echo "$1 s left"
  fi
}
exec 8>"$class/progress.lock"
flock 8
read -r all before begin finished <"$class/progress"
finished=$((finished + 1)) left=$((all - before - finished))
echo "$all $before $begin $finished" >"$class/progress"
printf "[%${#all}d/%d] %11s  %s %s %s\n" $((before + finished)) "$all" \
  "$(time_left $((($(date +%s) - begin) * left / finished)))" "${what%/*}" "${what#*/}" "$result"
