#!/bin/sh
# Packs archives of the workbook. The same files give the same bytes: entries are sorted, and have
# the same owner and date. The date is old, so that files that a student has edited are newer.
#
#   handout.sh handout OUT.tar.gz NN-name...   these labs for students, without solutions, wrong
#                                              solutions, lectures, tests and the grading of classes
#   handout.sh gradescope OUT.zip NN-name      one lab as an autograder for Gradescope: the same files
#                                              and those for grading

kind=$1 out=$2
shift 2
labs=$*
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C TZ=UTC
DATE=2000-01-01

fail() {
  echo "make $kind: $*" >&2
  exit 2
}
has_lab() { case " $labs " in *" $1 "*) ;; *) false ;; esac }

in_git() { [ -n "$(git ls-files Makefile 2>/dev/null)" ]; }
tracked() { if in_git; then git ls-files "$@"; else find "$@" -type f; fi; }

# Fails if labs/ differs from the commit, because the archive contains the current files.
untouched() {
  in_git || {
    echo "$kind: no git here, so labs/ is packed as it is" >&2
    return
  }
  unknown=$(git ls-files --others --exclude-standard -- labs | tr '\n' ' ')
  [ -z "$unknown" ] || echo "$kind: not in git, so not packed: ${unknown% }" >&2
  edited=$(git status --porcelain --untracked-files=no -- labs | sed 's/^...//' | tr '\n' ' ')
  [ -z "$edited" ] || fail "${edited% }: differs from the commit: commit it, or restore it with git checkout"
}

# Lists all files that a workbook without solutions needs, one path per line.
files() {
  echo LICENSE
  echo Makefile
  [ "$kind" != handout ] || tracked .vscode .devcontainer slides/data/add.cu # add.cu is the first program in the README
  tracked labs common checker | while read -r file; do
    case $file in
    labs/*/* | checker/tasks/*.c)
      lab=$(echo "$file" | sed -e 's|^checker/tasks/\(.*\)\.c$|\1|' -e 's|^labs/\([^/]*\)/.*|\1|')
      has_lab "$lab" && echo "$file"
      ;;
    */tests/* | *_test.sh | checker/mutants/* | checker/handout/* | checker/cluster/* | common/weave/*) ;;
    checker/README.md | checker/TEACHING.md | common/README.md | common/make/class/handout.sh | common/make/class/questions.sh) ;;
    common/make/tests.mk | common/make/pictures/charts.sh | common/make/pictures/decks.sh) ;;
    common/make/measure/implemented.sh | common/make/measure/architecture.sh | common/make/measure/record.sh | common/make/measure/bench.* | common/make/measure/counters.*) ;;
    checker/intake/* | common/make/appeal.mk | common/make/class/appeal.sh | common/make/class/class.sh | common/make/class/class_*) [ "$kind" = handout ] || echo "$file" ;;
    *) echo "$file" ;;
    esac
  done
}

# Builds the README for students from its own text and sections of the workbook's README.
section() { # HEADING: writes this section, without lines about solutions
  cat README.md common/README.md | sed -n "/^## $1\$/,/^## /p" | sed -e '/^## /d' -e '/`LABS=/d' -e '/`CUBLAS_HOME=/d' |
    awk 'BEGIN { RS = ""; ORS = "\n\n" } !/`make (bench|counters)|reference solution/' >"$scratch/section"
  [ -s "$scratch/section" ] || fail "README.md and common/README.md have no section '$1'"
}
frame() {
  while IFS= read -r line; do
    case $line in
    '## '*) heading=${line#\#\# } && echo "$line" ;;
    @section) section "$heading" && echo && cat "$scratch/section" ;;
    @labs)
      section Labs && echo && while IFS= read -r row; do
        lab=$(echo "$row" | sed -n 's|.*(labs/\([^/]*\)/README.md).*|\1|p')
        { [ -n "$lab" ] && ! has_lab "$lab"; } || echo "$row"
      done <"$scratch/section"
      ;;
    *) echo "$line" ;;
    esac
  done <checker/handout/README.md
}
readme() { # FIRST LAB: replaces lab 01 in examples if the handout does not contain it
  frame >"$scratch/frame"
  cu=labs/$1/$(echo "${1#*-}" | tr - _).cu
  for lab in labs/[0-9][0-9]-*; do
    number=${lab#labs/} number=${number%%-*}
    has_lab "${lab#labs/}" ||
      printf '/make animate%s/d; /make run%s .*--steps/d; s/\\(make [a-z]*\\)%s/\\1%s/g\n' $number $number $number ${1%%-*}
  done >"$scratch/others"
  sed -i -f "$scratch/others" "$scratch/frame" # removes commands of labs that are not included
  sed "1,/^## Labs/{s|labs/01-naive/naive.cu|$cu|; s/\(lab\|lab \|hint\|watch\)01/\1${1%%-*}/g}" "$scratch/frame"
}

copy() { # INTO
  files >"$scratch/files"
  while read -r file; do
    mkdir -p "$1/$(dirname "$file")" && cp "$file" "$1/$file" || exit 2
  done <"$scratch/files"
  sed -i '/^The lecture to this lab: /,+1d' "$1"/labs/*/README.md
  readme "${labs%% *}" >"$1/README.md" || exit 2
}

# Writes HANDOUT with a checksum of all files. make compares this file, so that everything is built
# again if a new handout was unpacked over an old handout. The dates of the files do not matter.
stamp() { # FOLDER WHAT
  (cd "$1" && find . -type f | sort | xargs cksum | cksum) >"$scratch/sum"
  echo "$2 of Lockstep, labs $labs, $(cut -d ' ' -f 1 <"$scratch/sum")" >"$1/HANDOUT"
}

age() { # FOLDER
  chmod -R u=rwX,go=rX "$1"
  find "$1" -exec touch -d "$DATE" {} +
}

untouched
case $kind in
handout)
  folder=$scratch/lockstep
  copy "$folder"
  mkdir -p "$folder/.github/workflows"
  cp checker/handout/grade.yml "$folder/.github/workflows/"
  echo /build/ >"$folder/.gitignore"
  stamp "$folder" Handout
  age "$folder"
  tar -C "$scratch" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner -cf "$scratch/tar" lockstep &&
    gzip -9n <"$scratch/tar" >"$out.new" && mv "$out.new" "$out" || exit 2
  ;;
gradescope)
  command -v zip >/dev/null || fail 'no zip here (Debian: apt-get install zip)'
  folder=$scratch/zip
  copy "$folder/lockstep"
  cp checker/handout/gradescope/* "$folder/"
  stamp "$folder/lockstep" Autograder # the labs of an autograder are not edited (committed.sh)
  age "$folder"
  chmod +x "$folder/setup.sh" "$folder/run_autograder"
  (cd "$folder" && find . -type f | sort | sed 's|^./||' | zip -q -X -D -@ "$scratch/out.zip") &&
    mv "$scratch/out.zip" "$out" || exit 2
  ;;
*) fail 'no such kind' ;;
esac
echo "$out"
