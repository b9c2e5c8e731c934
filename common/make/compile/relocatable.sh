#!/bin/sh
# relocatable.sh OBJECT: where host code of what was compiled apart (-dc) hands its device code over, it calls a function whose name
# has the file's in it, and which nvcc's linker of device code would have made. The emulated device has one for all.

for name in $(nm -u "$1" | sed -n 's/^ *U \(__cudaRegisterLinkedBinary_[A-Za-z0-9_]*\)$/\1/p'); do
  objcopy --redefine-sym "$name=__cudaRegisterLinkedBinary" "$1" || exit 1
done
