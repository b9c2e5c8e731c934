#!/bin/sh
# relocatable.sh OBJECT: renames a function in separately compiled host code (-dc). This code
# registers its device code with a function whose name contains the file's, and which nvcc's device
# linker would define. The emulated device has one function for all files.

for name in $(nm -u "$1" | sed -n 's/^ *U \(__cudaRegisterLinkedBinary_[A-Za-z0-9_]*\)$/\1/p'); do
  objcopy --redefine-sym "$name=__cudaRegisterLinkedBinary" "$1" || exit 1
done
