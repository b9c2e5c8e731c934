#!/bin/sh
# chevrons.sh SOURCE COPY [ptx]: prints which of the two to compile. nvcc reads what clang does not: kernel << <grid, block>> >()
# of launches, one end of it or both, which layout tools of old made; in inline assembly special registers with one
# percent sign, "mov.u32 %0, %laneid;"; alignas behind __shared__. The copy has them as clang wants them, under the
# source's name and with its lines. Where PTX alone is wanted, which a host program loads, nothing of the host shows who
# else knows a static variable: there it has its plain name, as with nvcc.
one='\(laneid\|n\{0,1\}warpid\|n\{0,1\}smid\|gridid\|clock\|clock64\|globaltimer\|n\{0,1\}tid\.[xyz]\|n\{0,1\}ctaid\.[xyz]\|lanemask_[gle][qte]\)\([;,]\)'
aligned='__shared__  *\(alignas([^()]*\(([^()]*)\)\{0,1\})\)'
static='^ *static  *\(__\(constant\|device\)__ [^(]*\([;={]\|$\)\)'
plain=
[ "$3" != ptx ] || plain="s/$static/\1/"
if grep -q -e '<< <' -e '<<<.*>> >' -e "[^%]%$one" -e "$aligned" ${plain:+-e "$static"} "$1"; then
  { echo "#line 1 \"$1\"" && sed -e 's/<< </<<</g' -e 's/>> >/>>>/g' -e "s/\([^%]\)%$one/\1%%\2\3/g" \
    -e "s/$aligned/\1 __shared__/g" ${plain:+-e "$plain"} "$1"; } >"$2" && echo "$2"
else
  echo "$1"
fi
