#!/bin/sh
# Writes the table of implemented features in the emulator's README: the calls of the runtime API,
# grouped by topic, from the symbols of the library and the templates of the header; and the PTX
# instructions from the decoder's tables.
#
#   implemented.sh update|check LIBRARY PTX_LIST README
#
# `update` writes the table between the two marker lines in README. `check` fails if the table there
# differs.

mode=$1 library=$2 ptx_list=$3 readme=$4
templates=common/emulator/include/cuda_runtime_templates.h
export LC_ALL=C

# Prints a line FILE NAME for each call of the runtime, FILE without its suffix. The variant of a
# call for per-thread default streams counts as the same call.
runtime_calls() {
  nm -g --defined-only "$library" | awk '
    sub(/\.o:$/, "") { file = $1 }
    $2 == "T" && $3 ~ /^cuda/ && $3 !~ /_pt[ds][sz]$/ { print file, $3 }'
  grep -o 'cudaOccupancy[A-Za-z]*' "$templates" | sed 's/^/functions /'
  sed -n 's/^CHILD_CALL(\([A-Za-z0-9]*\),.*/in_kernels cuda\1/p' common/emulator/more/children.def | grep -v 'LaunchDevice\|GetParameter'
}

# Reads lines KEY VALUE and prints a table row for each key, with a cell for functions and one for
# types.
rows() {
  sort -u | awk -v quote='`' '
    function end() { if (key != "") print "| " key " | " names " | " types " |" }
    $1 != key { end(); key = $1; names = types = "" }
    $2 ~ /^\.([bfsu][0-9]+|pred)$/ { types = types (types == "" ? "" : " ") quote $2 quote; next }
    NF > 1 { names = names (names == "" ? "" : " ") quote $2 quote }
    END { end() }'
}

operations() { # prints each operation with its modifiers: .lo and .u32 of "mul.lo.u32"
  "$ptx_list" | sed -n 's/^operation //p' | awk -F. '{ for (i = 2; i <= NF; i++) print "`" $1 "` ." $i }'
}

others() { # prints the instructions that are in no other row
  "$ptx_list" | awk '
    $1 == "operation" { sub(/\..*/, "", $2); known[$2] }
    $1 == "statement" && !($2 in known) { print "memory,_warps,_control", $2 }'
}

table() {
  echo
  echo '| runtime API | |'
  echo '|---|---|'
  runtime_calls | rows | sed 's/ |  |$/ |/'
  echo
  echo '| PTX | modifiers | types |'
  echo '|---|---|---|'
  operations | rows
  others | rows | tr _ ' '
  "$ptx_list" | sed -n 's/^special /registers /p' | rows
  echo
  refused
  echo
}

# PTX that compilers generate or inline assembly contains, and that the device does not execute.
refused() {
  cat <<'END'
| PTX that is refused | why |
|---|---|
| `wgmma` `tcgen05`, sparse `mma.sp`, `mma.m8n8k4` of halves, `kind::` and block scales | written by nobody but inline assembly for one card or another; PTX gives the `m8n8k4` of halves lanes of its own |
| `.reqnctapercluster`, launches in clusters of several blocks, `multimem` | each block is its own cluster here, and there is one device |
| `cp.async.bulk.tensor`, `tensormap`, `fence.proxy.tensormap` | written by nobody but inline assembly, for maps that the driver API makes |
| `ld` `st` `mov` `atom` of `.b128`, `min` and `max` of 16-bit floats in memory | for one kind of variable of 16 bytes; compilers write two of `.b64` |
| `tex.acube` `tex.2dms` `tex.a2dms`, fetches of halves or that tell what is resident, `txq` `suq` `istypep`, `sust.p` `sured`, texture references | cubes with layers, samples and sparse arrays are not there; the rest is written by nobody but inline assembly |
| `%pm0` and its like, `%envreg0`, `%aggr_smem_size`, `%reserved_smem_...`, `%current_graph_exec` | of profilers and of the toolkit's own libraries |
| `shfl` `vote` without `.sync` | not in PTX for compute capability 7.0 and later: the `_sync` functions |
| `add.f32x2` and its like, `min` and `max` of three numbers, floats of 4 and 6 bits | of compute capability 10; the device has 9.0 |
| `cvt` from and to `.e4m3x2` `.e5m2x2`, `.satfinite`, `cvt.pack` to 4 and 2 bits, `fma.oob` | written by nobody but inline assembly and headers for other cards |
| `vmad` with a shift, a sign or `.po`; `vadd` and its like that clamp into a part of `d`, write its upper half, clamp a left shift, or take the smaller or larger of `c` and what may need 33 bits | PTX's manual says one thing and an H200 does another |
| `add` `sub` `mul` `fma` of 16-bit floats, rounded otherwise than `.rn` | not PTX, though its assembler takes some |
| `cvta.param` | arguments have no address here; `isspacep.param` is false |
END
}

with_table() {
  table >"$scratch/table"
  awk -v table="$scratch/table" '
    /^<!-- end of what make implemented wrote -->$/ { inside = 0 }
    !inside
    /^<!-- written by make implemented -->$/ {
      inside = 1
      while ((getline row < table) > 0) print row
    }' "$readme"
}

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
with_table >"$scratch/readme"
grep -q 'cudaMalloc`' "$scratch/readme" && grep -q 'add' "$scratch/readme" || {
  echo "$readme: no place for the table, or nothing to write there" >&2
  exit 2
}
case $mode in
update) cmp -s "$scratch/readme" "$readme" || cp "$scratch/readme" "$readme" ;;
check)
  diff "$readme" "$scratch/readme" || {
    echo "$readme is out of date: make implemented"
    exit 1
  } ;;
esac
