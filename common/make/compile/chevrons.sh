#!/bin/sh
# chevrons.sh SOURCE COPY [ptx]: prints which of the two files to compile. nvcc accepts code that
# clang does not: launches kernel << <grid, block>> >(), as old formatters wrote them, split at one
# end or both; special registers with one percent sign in inline assembly, "mov.u32 %0, %laneid;";
# alignas after __shared__. The copy has these in clang's form, with the source's name and line
# numbers; other text in strings is unchanged. With ptx, a host program loads the PTX, and no host
# code shows which static variables it uses: these get their plain names, like with nvcc. Texture
# references no longer exist since CUDA 12.
wanted='<< <|<<<.*>> >|[^%]%(laneid|n?warpid|n?smid|gridid|clock|globaltimer|n?tid\.|n?ctaid\.|lanemask_)|__shared__  *alignas\('
ptx=
[ "$3" != ptx ] || { wanted="$wanted|^ *static  *__(constant|device)__ " && ptx=1; }
reference='^ *(static  *|extern  *)?(texture|surface) *< *[A-Za-z_][A-Za-z0-9_: ]*[,>]'
references=
if grep -q -E -e "$reference" "$1" && grep -q -E 'tex[123]D|cudaBind(Texture|Surface)' "$1" &&
  ! grep -q -E '(class|struct) *(texture|surface)([^A-Za-z0-9_]|$)' "$1"; then
  references=1
fi
if [ -n "$references" ] || grep -q -E -e "$wanted" "$1"; then
  { [ -z "$references" ] || echo '#include <older_textures.h>'; } >"$2"
  { printf '#line 1 "%s"\n' "$(printf %s "$1" | sed 's/[\\"]/\\&/g')" && awk -v ptx="$ptx" -v references="$references" -f "$(dirname "$0")/chevrons.awk" "$1"; } >>"$2" && printf '%s\n' "$2"
else
  printf '%s\n' "$1"
fi
