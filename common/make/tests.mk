# The tests of the workbook itself, the sanitizers' build, the fuzzer and the bench.
# Included by the Makefile; every *_test.c and every program is found by itself.
