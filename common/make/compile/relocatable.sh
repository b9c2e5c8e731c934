#!/bin/sh
# relocatable.sh OBJECT: renames an undefined function in host code that was compiled with -dc. Each
# object calls a function to register its device code. The name of the function contains the name of
# the file, and nvcc's device linker would define it. The emulated device has one such function.

for name in $(nm -u "$1" | sed -n 's/^ *U \(__cudaRegisterLinkedBinary_[A-Za-z0-9_]*\)$/\1/p'); do
  objcopy --redefine-sym "$name=__cudaRegisterLinkedBinary" "$1" || exit 1
done
