# What make can read of the files that a compiler lists: it knows no names with blanks and brackets, and the workbook may lie
# in a folder that has some. Our own files are listed as seen from there; only two are not, and make needs neither.

# A precompiled header is listed by clang with its whole path. A rule of its own says when it is made again (cuda.mk).
s@ /\(\\.\|[^\\ ]\)*/parsed/\(device\|host\)\.h\( \|$\)@ \3@

# nvcc lists the folder itself, a name a line.
\@^ */[^ ]*[][()'"&;#$%*?\\]@d
