# Corrects errors in the PTX that clang generates. The patterns match only lines of clang's code
# generator, which have a tab after the opcode. Inline assembly is unchanged.

# Up to version 18, clang implements a 64-bit rotation with two shifts, but does not reduce the
# amount modulo 64:
#   shl.b64 %lhs, x, n;  sub.u32 %amt2, 64, n;  shr.b64 %rhs, x, %amt2;
# PTX shifts by 64 or more give 0, so such a rotation gave 0. The corrected code is that of newer
# versions of clang.
s/^\t\(sh[lr]\.b64\) \t%lhs, \(%rd[0-9]*\), \(%r[0-9]*\);$/\tand.b32 \t%amt2, \3, 63;\n\t\1 \t%lhs, \2, %amt2;/
s/^\tsub\.u32 \t%amt2, 64, %r[0-9]*;$/\tsub.u32 \t%amt2, 64, %amt2;/

# clang 14 compiles (long long)x << 31 to a signed product with 2^31, which it prints as
# -2147483648, so the result has the wrong sign. The corrected code multiplies by 2^30 and shifts
# the result by 1. Correct code is unchanged: for a multiplication by -2^31 clang generates the same
# wrong product and a negation.
s/^\tmul\.wide\.s32 \t\(%rd[0-9]*\), \(%r[0-9]*\), -2147483648;$/\tmul.wide.s32 \t\1, \2, 1073741824;\n\tshl.b64 \t\1, \1, 1;/
s/^\tmul\.wide\.s16 \t\(%r[0-9]*\), \(%rs[0-9]*\), -32768;$/\tmul.wide.s16 \t\1, \2, 16384;\n\tshl.b32 \t\1, \1, 1;/

# clang compiles x >> S & M of a signed 64-bit x with S > 32 to an unsigned bit field that begins at
# bit S. If the mask is wider than the remaining bits, the field has zeros where copies of the sign
# are needed. The corrected code shifts the signed number first. Fields of single bytes (bits 40 to
# 47 and 48 to 55) end below the sign, so they are right and are not changed.
/, 4[08], 8;$/!s/^\tbfe\.u64 \t\(%rd[0-9]*\), \(%rd[0-9]*\), \(3[3-9]\|[456][0-9]\), \([0-9]*\);$/\tshr.s64 \t\1, \2, \3;\n\tbfe.u64 \t\1, \1, 0, \4;/
