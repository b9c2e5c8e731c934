#!/bin/sh
# Links a program for the emulated device: link.sh COMPILER ARGUMENT...
# Where the program calls what the device does not have, that is said in one line per call, with the
# place where the compiler left it; everything else the linker says stays as it is.

export LC_ALL=C # for the linker's words
said=$("$@" 2>&1) && { [ -z "$said" ] || echo "$said"; } && exit
name='_*cu[a-z]*[A-Z][A-Za-z0-9_]*' # cudaGraphLaunch, cuInit, cublasSgemm_v2
case $* in *libcublas.a*) needs= ;; *) needs=', which needs OpenBLAS: make setup-libraries' ;; esac
echo "$said" | sed -n -e "s/^[^ ]*ld: //;t line" -e ":line" \
  -e 's/\(:[0-9][0-9]*\):(\.text[^)]*): undefined/\1: undefined/;t placed' -e ':placed' \
  -e "s/^\(.*:[0-9][0-9]*\): undefined reference to .\($name\)'\$/\1: error: the emulated device has no \2/p;t" \
  -e "s/^.*undefined reference to .\($name\)'\$/error: the emulated device has no \1/p;t" \
  -e "s/^.*undefined reference to .main'\$/error: no main() in these files: name all of the program's, as in FILE='a.cu b.cu'/p;t" \
  -e '/: in function /d' -e '/^collect2: /d' -e p | sed "s/ has no cublas[A-Za-z0-9_]*\$/&$needs/" >&2
exit 1
