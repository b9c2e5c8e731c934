#!/bin/sh
# chevrons.sh SOURCE COPY [ptx]: prints which of the two to compile. nvcc reads what clang does not: kernel << <grid, block>> >()
# of launches, one end of it or both, which layout tools of old made; in inline assembly special registers with one
# percent sign, "mov.u32 %0, %laneid;"; alignas behind __shared__. The copy has them as clang wants them, under the
# source's name and with its lines; other text in strings stays. Where PTX alone is wanted, which a host program loads,
# nothing of the host shows who else knows a static variable: there it has its plain name, as with nvcc.
wanted='<< <|<<<.*>> >|[^%]%(laneid|n?warpid|n?smid|gridid|clock|globaltimer|n?tid\.|n?ctaid\.|lanemask_)|__shared__  *alignas\('
[ "$3" != ptx ] || wanted="$wanted|^ *static  *__(constant|device)__ "
if grep -q -E -e "$wanted" "$1"; then
  { echo "#line 1 \"$1\"" && awk -v ptx="${3:+1}" -f "$(dirname "$0")/chevrons.awk" "$1"; } >"$2" && echo "$2"
else
  echo "$1"
fi
