# Up to version 18, clang rotates a 64-bit value by two shifts and leaves out to reduce the amount modulo 64:
#   shl.b64 %lhs, x, n;  sub.u32 %amt2, 64, n;  shr.b64 %rhs, x, %amt2;
# Shifts beyond the width give 0, so amounts from 64 on gave 0, too. This puts in what newer versions write.
s/^\t\(sh[lr]\.b64\) \t%lhs, \(%rd[0-9]*\), \(%r[0-9]*\);$/\tand.b32 \t%amt2, \3, 63;\n\t\1 \t%lhs, \2, %amt2;/
s/^\tsub\.u32 \t%amt2, 64, %r[0-9]*;$/\tsub.u32 \t%amt2, 64, %amt2;/
