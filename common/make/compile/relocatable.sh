#!/bin/sh
# relocatable.sh OBJECT: renames an undefined function in host code that was compiled with -dc. To
# register its device code, each object calls a function whose name contains the name of the file.
# nvcc's device linker defines these functions. The emulated device has one for all objects.

for name in $(nm -u "$1" | sed -n 's/^ *U \(__cudaRegisterLinkedBinary_[A-Za-z0-9_]*\)$/\1/p'); do
  objcopy --redefine-sym "$name=__cudaRegisterLinkedBinary" "$1" || exit 1
done
