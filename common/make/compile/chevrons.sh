#!/bin/sh
# Rewrites code that nvcc accepts and clang does not.
#
#   chevrons.sh SOURCE COPY [ptx]      prints the path of the file to compile, SOURCE or COPY
#
# COPY is only written if SOURCE has such code: launches kernel << <grid, block>> >() with split
# chevrons, as old formatters wrote them; special registers with one percent sign in inline
# assembly, such as "mov.u32 %0, %laneid;"; alignas after __shared__. The messages of the compiler
# keep the name and the line numbers of SOURCE. With `ptx`, a host program loads the PTX and finds
# static variables by name, so they get the plain names that nvcc gives them. Texture references
# were removed in CUDA 12 and are rewritten.
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
