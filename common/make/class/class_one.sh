#!/bin/sh
# Grades one lab of one student with a command, and prints the progress of the class.
#
#   CHECKER=checker class_one.sh CLASS ID/NN-name COMMAND...
#
# The command leaves marks/ID/NN-name.json. If it was killed or its machine failed, there are no
# marks, and the next make tries again. The exit status is always 0, so that one student does not
# stop the others.

class=$1 what=$2 marks=$1/marks/$2
shift 2
trap : TERM # when make is ended, this lab is still finished
mkdir -p "${marks%/*}"
rm -f "$marks.json"
"$@" >"$marks.said" 2>&1 </dev/null 9>&-
status=$?

if [ -e "$marks.json" ]; then
  rm -f "$marks.said"
  touch "$marks.json" # the date is this machine's, whatever the clock of the one that graded says
  result=$("$CHECKER" --result "$marks.json" 2>&1)
else
  said=$(tail -n 1 "$marks.said" | cut -c 1-100 | tr -d '[:cntrl:]')
  result="has no marks yet, its grading ended with $status${said:+: $said}"
fi

# ---- how far, and how long still -----------------------------------------------------------------
# CLASS/progress: how many there are, graded before this run, its begin in seconds, finished in this run.
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
