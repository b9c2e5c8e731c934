#!/bin/sh
# Links a program for the emulated device.
#
#   link.sh COMPILER ARGUMENT...      or: (set -- COMPILER ARGUMENT...; . link.sh)
#
# If the program calls functions that the device does not have, the script prints one line for each
# function, with the position of the call. Other messages of the linker are printed unchanged. If
# the fast linker (-fuse-ld) fails, the program is linked again with the default linker, because the
# script parses the messages of the default linker.

export LC_ALL=C # so that the linker's messages are in English
said=$("$@" 2>&1) && { [ -z "$said" ] || echo "$said"; } && exit
quick=
for argument; do
  shift
  case $argument in -fuse-ld=* | -Wl,--threads=*) quick=yes ;; *) set -- "$@" "$argument" ;; esac
done
[ -z "$quick" ] || { said=$("$@" 2>&1) && { [ -z "$said" ] || echo "$said"; } && exit; }
name='_*cu[a-z]*[A-Z][A-Za-z0-9_]*\|npp[A-Za-z][A-Za-z0-9_]*\|nvjpeg[A-Z][A-Za-z0-9_]*\|nccl[A-Z][A-Za-z0-9_]*\|nvml[A-Z][A-Za-z0-9_]*' # such as cudaGraphLaunch, cuInit, cublasSgemm_v2
# Without OpenBLAS all functions of cuBLAS are missing. Only the first call is reported.
case $* in *libcublas.a*) whole= ;; *) whole='cublas[A-Za-z0-9_]*' ;; esac
case $* in *libcufft.a*) fftw=yes ;; *) fftw= ;; esac
echo "$said" | sed -n -e "s/^[^ ]*ld: //;t line" -e ":line" \
  -e 's/\(:[0-9][0-9]*\):(\.text[^)]*): undefined/\1: undefined/;t placed' -e ':placed' \
  -e "s/^\(.*:[0-9][0-9]*\): undefined reference to .\($name\)'\$/\1: error: the emulated device has no \2/p;t" \
  -e "s/^.*undefined reference to .\($name\)'\$/error: the emulated device has no \1/p;t" \
  -e "s/^.*undefined reference to .main'\$/error: no main() in these files: name all of the program's, as in FILE='a.cu b.cu'/p;t" \
  -e '/: in function /d' -e '/^collect2: /d' -e p |
  awk -v whole="${whole:-none}" -v fftw="$fftw" '
    BEGIN { # prefix and name of each library that the device does not implement
      n = split("cufft cuFFT cusparse cuSPARSE cusolver cuSOLVER cudnn cuDNN cutensor cuTENSOR npp NPP nvjpeg nvJPEG nccl NCCL nvml NVML nvidia-ml NVML", word, " ")
      for (i = 1; i < n; i += 2) library[word[i]] = word[i + 1]
    }
    fftw && / has no cufft/ { print; next }
    / has no [a-z]|cannot find -l/ {
      called = $0
      sub(/.* (has no |find -l)/, "", called)
      for (prefix in library)
        if (index(called, prefix) == 1) {
          place = / has no / && match($0, /: error: /) ? substr($0, 1, RSTART + 1) : ""
          if (!named[library[prefix]]++)
            print place "error: " (prefix == "cufft" && !fftw ? "the emulated device has cuFFT only with FFTW: make setup-libraries" : \
              library[prefix] " is not emulated; cuBLAS, cuFFT and cuRAND are. Run the program on a GPU")
          next
        }
    }
    /undefined reference to .gl(u|ut|ew|fw)?[A-Z]/ {
      if (!drawn++) print "error: the emulated device draws nothing on a screen: OpenGL is not here"
      next
    }
    $0 !~ " has no " whole "$" { print; next }
    !said++ { sub(" has no .*", " has cuBLAS only with OpenBLAS: make setup-libraries"); print }' >&2
# Adds one line of advice to the linker messages that beginners often see.
says() { echo "$said" | grep -q "$1"; }
if says 'multiple definition of'; then
  echo "lockstep: a function that several files define, for instance by one header, needs the word inline (a kernel: static); or define it in one file, and declare it in the header"
elif says 'undefined reference to .*[^<]<[^<]*>('; then
  echo "lockstep: a template is compiled where its definition and its arguments are known: put the definition into the header, or instantiate it in the file that has it: template void f<float>(float *);"
elif says 'undefined reference to' && ! says "undefined reference to .\($name\|main\|gl[A-Z].*\)'\$"; then
  echo "lockstep: no file here defines it: name all files of the program, FILE='a.cu b.cu', and its libraries, LIBS=-lname. A function of a .c file is declared extern \"C\" in a .cu or .cpp file"
fi >&2
exit 1
