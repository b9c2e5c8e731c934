# Mends what clang writes wrongly in PTX. Only lines as its code generator prints them, with a tab after the opcode:
# inline assembly stays as it is.

# Up to version 18, clang rotates a 64-bit value by two shifts and leaves out to reduce the amount modulo 64:
#   shl.b64 %lhs, x, n;  sub.u32 %amt2, 64, n;  shr.b64 %rhs, x, %amt2;
# Shifts beyond the width give 0, so amounts from 64 on gave 0, too. This puts in what newer versions write.
s/^\t\(sh[lr]\.b64\) \t%lhs, \(%rd[0-9]*\), \(%r[0-9]*\);$/\tand.b32 \t%amt2, \3, 63;\n\t\1 \t%lhs, \2, %amt2;/
s/^\tsub\.u32 \t%amt2, 64, %r[0-9]*;$/\tsub.u32 \t%amt2, 64, %amt2;/

# clang 14 turns (long long)x << 31 into a signed product with 2^31, which it prints as -2147483648: the result has
# the wrong sign. A program that multiplies by -2^31 is no excuse: clang makes that a shift by 31 and a negation first,
# and so the same wrong product. Here the product is with 2^30, and doubled.
s/^\tmul\.wide\.s32 \t\(%rd[0-9]*\), \(%r[0-9]*\), -2147483648;$/\tmul.wide.s32 \t\1, \2, 1073741824;\n\tshl.b64 \t\1, \1, 1;/
s/^\tmul\.wide\.s16 \t\(%r[0-9]*\), \(%rs[0-9]*\), -32768;$/\tmul.wide.s16 \t\1, \2, 16384;\n\tshl.b32 \t\1, \1, 1;/

# clang makes x >> S & M of a signed 64-bit x, where S is above 32, a bit field from bit S on, also where the mask reaches
# beyond the top: zeros instead of copies of the sign. Here the number is shifted with its sign first. Single bytes lie
# within and stay.
/, 4[08], 8;$/!s/^\tbfe\.u64 \t\(%rd[0-9]*\), \(%rd[0-9]*\), \(3[3-9]\|[456][0-9]\), \([0-9]*\);$/\tshr.s64 \t\1, \2, \3;\n\tbfe.u64 \t\1, \1, 0, \4;/
