#!/bin/sh
# Writes the table of differences from a GPU in the emulator's README from not_on_a_gpu.def. Checks
# that for each difference with a warning, a program in tests/mistakes expects the warning.
#
#   not_on_a_gpu.sh update|check       in the workbook's folder
#
# `update` replaces the table in the README; `check` fails if the table is not up to date.

mode=$1 list=common/emulator/observe/not_on_a_gpu.def readme=common/emulator/README.md
begin='<!-- not_on_a_gpu.def as a table -->' end='<!-- end of that table -->'
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

table() {
  echo '| name | what a GPU does | here |'
  echo '|---|---|---|'
  sed -n -e 's/^NOT_ON_A_GPU([A-Z_]*, "\([^"]*\)", "\([^"]*\)", "\(.*\)")$/| \1 | \3 | \2, with a warning |/p' \
    -e 's/^DIFFERENCE("\([^"]*\)", "\([^"]*\)", "\(.*\)")$/| \1 | \3 | \2 |/p' "$list"
}

table >"$work/table"
sed -n "/^$begin\$/,/^$end\$/p" "$readme" | sed -e 1d -e '$d' >"$work/there"
status=0
case $mode in
update)
  sed -i -e "/^$begin\$/,/^$end\$/{" -e "/^$begin\$/r $work/table" -e "/^$begin\$/!{/^$end\$/!d" -e '}' -e '}' "$readme"
  ;;
check)
  diff "$work/table" "$work/there" || {
    echo "$readme: the table is older than $list (not_on_a_gpu.sh update)"
    status=1
  }
  ;;
*)
  sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
  exit 2
  ;;
esac
[ "$(wc -l <"$work/table")" -ge 10 ] || { echo "$list: hardly anything is read from it"; status=1; }
sed -n 's/^NOT_ON_A_GPU([A-Z_]*, "\([^"]*\)", "[^"]*", "\(.*\)")$/\1 \2/p' "$list" >"$work/warnings"
# Joins each line that continues a sentence ("// says+ ") to the line before it.
awk 'sub(/^\/\/ says\+ /, "") { printf " %s", $0; next } { printf "\n%s", $0 }' \
  common/emulator/tests/mistakes/*.cu common/emulator/more/tests/mistakes/*.cu >"$work/says"
while read -r name words; do
  grep -qF -e "// says:       $words" "$work/says" || {
    echo "no program in tests/mistakes of the emulator shows $name"
    status=1
  }
done <"$work/warnings"
exit $status
