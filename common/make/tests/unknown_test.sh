#!/bin/sh
# Tests that make prints one line for an unknown command, with the command that was probably meant,
# and one line for a TASK that does not exist. Commands must also work in the folder of a lab.
#
#   unknown_test.sh      (run in the workbook's folder)

unset MAKEFLAGS MFLAGS MAKELEVEL
make=${MAKE:-make}
failed=0

says() { # WORDS ENDING FOLDER
  said=$(cd "$3" && "$make" $1 2>&1)
  status=$?
  case $said in
  *"
"*) echo "make $1 in $3: more than one line: $said" ;;
  *"$2") [ $status != 0 ] && return || echo "make $1 in $3: status 0" ;;
  *) echo "make $1 in $3: '$said', without: $2" ;;
  esac
  failed=1
}

while read -r word ending; do
  says "$word" "$ending" .
done <<END
progess Did you mean: make progress
porgress Did you mean: make progress
helpp Did you mean: make help
viwe01 Did you mean: make view01
progress01 Did you mean: make progress
setup01 Did you mean: make setup
rcae02 Did you mean: make race01
01 type: make lab01
1 type: make lab01
naive type: make lab01
01-naive type: make lab01
naive.cu type: make lab01
matvec type: make lab05
bank_conflicts.cu type: make lab03
xyzzy make help lists the commands
it's make help lists the commands
lab1 a number has two digits: 01.  Stop.
END
says 'lab01 TASK=x' 'make hint01 TASK=2.  Stop.' .
says 'lab01 task=2' 'make help-all lists the options.  Stop.' .
says 'view03 TASK=2' 'make hint01 TASK=2.  Stop.' .
says 'hint02 TASK=x' 'such as TASK=2.  Stop.' .
says 'hint02 TASK=13' 'such as TASK=2.  Stop.' .
for folder in labs/*/; do
  says progess 'Did you mean: make progress' "$folder"
  [ "$(cd "$folder" && "$make" -s help)" = "$("$make" -s help)" ] || { echo "make help in $folder: another text" && failed=1; }
done
exit $failed
