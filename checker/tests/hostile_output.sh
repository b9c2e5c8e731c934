#!/bin/sh
# Tests links and pipes in the folder of a submission. A source that exploits the compiler or the
# linker can leave a link to a file outside of the sandbox. The grading must not read or change this
# file, and must not block on a pipe.
#
#   hostile_output.sh GRADING SOURCE.cu
#
# go-judge (criyle/go-judge issue 176) and Compiler Explorer (issue 6026) once opened such links in
# their own file systems.

grading=$1 source=$2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
failed=0
checker=$(sed -n 's/^checker=\([^ ]*\).*/\1/p' "$grading")
"$checker" --try-sandbox --sandbox=bwrap 2>"$scratch/refusal" || {
  cat "$scratch/refusal"
  exit 77
}
secret=secret-$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
echo "error: $secret" >"$scratch/secret"
cp /bin/true "$scratch/program"

# leave NAME compile|link COMMAND: grades the source. COMMAND runs in the sandbox after the compiler
# or the linker; An @ in COMMAND is replaced by the scratch folder.
leave() {
  name=$1 command=$(printf %s "$3" | sed "s|@|$scratch|g")
  cp "$grading" "$scratch/grading"
  printf "%s=\$%s'; %s'\n" "$2" "$2" "$command" >>"$scratch/grading"
  case $1 in *double*) ;; *) echo 'in_double= replay_in_double=' >>"$scratch/grading" ;; esac
  echo untouched >"$scratch/victim"
  rm -f "$scratch/marks" "$scratch/report"
  timeout 120 sh common/make/class/grade_one.sh "$scratch/grading" "$source" "$scratch/marks" \
    "$scratch/report" bwrap 2>"$scratch/said" ||
    wrong "grade_one.sh ended with status $?: $(head -n 1 "$scratch/said")"
  [ -s "$scratch/marks" ] || wrong 'there are no marks'
  ! grep -qs "$secret" "$scratch/marks" "$scratch/report" ||
    wrong 'the report shows a file from outside'
  [ "$(cat "$scratch/victim")" = untouched ] || wrong 'a file outside was changed'
  echo "$name: $(sed -n 's/^  "score": \([0-9]*\).*/\1 points/p' "$scratch/marks")"
}
wrong() {
  echo "$name: FAILED: $1"
  failed=1
}

leave 'the object is a link' compile 'ln -sf @/program out/program.o'
leave 'the object is a pipe' compile 'rm -f out/program.o; mkfifo out/program.o'
leave 'the program is a link' link 'ln -sf @/program out/program'
leave 'the object in double is a link' compile 'wait; ln -sf @/program out/double/program.o'
leave 'the log in double is a link to be read' link \
  'rm -f out/double/*; ln -s @/secret out/double/said'
leave 'the log in double is a pipe' link 'rm -f out/double/*; mkfifo out/double/said'
leave 'the log in double is a link to be written' link \
  'rm -f out/double/program*; ln -s @/victim out/double/program.log'
leave 'the folder for double is a link' link 'rm -rf out/double; ln -s @ out/double'
# The submission must be graded even if its program does not start.
graded() {
  ! grep '"ungraded"' "$scratch/marks" || wrong 'it was not graded'
}
leave 'the program is an object' link 'cp out/program.o out/program; chmod +x out/program'
graded
leave 'the program may not be executed' link 'chmod a-x out/program'
graded
exit $failed
