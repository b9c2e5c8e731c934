# Removes absolute paths from the dependency file of a compiler. The workbook's folder may have
# blanks and brackets in its name, which make cannot read. Compilers list the workbook's files with
# relative paths, except the two below, which make does not need.

# clang lists a precompiled header with its absolute path. The rule of a program in cuda.mk depends
# on it already.
s@ /\(\\.\|[^\\ ]\)*/parsed/\(device\|host\)\.h\( \|$\)@ \3@

# nvcc lists the workbook's folder itself, on a separate line.
\@^ */[^ ]*[][()'"&;#$%*?\\]@d
