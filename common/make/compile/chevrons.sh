#!/bin/sh
# chevrons.sh SOURCE COPY [ptx]: prints which of the two to compile. nvcc reads what clang does not: kernel << <grid,
# block>> >() of launches, one end of it or both, which layout tools of old made; in inline assembly special registers with
# one percent sign, "mov.u32 %0, %laneid;"; alignas behind __shared__. The copy has them as clang wants them, under the
# source's name and with its lines; other text in strings stays. Where PTX alone is wanted, which a host program loads,
# nothing of the host shows who else knows a static variable: there it has its plain name, as with nvcc. Texture
# references no compiler reads any more: they become what older_textures.h has.
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
