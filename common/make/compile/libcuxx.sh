#!/bin/sh
# Copies NVIDIA's libcu++ (<cuda/barrier>, <cuda/atomic> and others) and changes code that clang
# cannot compile.
#
#   libcuxx.sh FROM TO      FROM has the folders cuda and nv; TO/made is written last

set -e
from=$1 to=$2
exec 9>"$to.lock"
flock 9
rm -rf "$to"
mkdir -p "$to"
cp -R "$from/cuda" "$from/nv" "$to"

# In the inline assembly of libcu++, special registers have one percent sign; clang needs two.
grep -rlE '[^%]%(laneid|globaltimer);' "$to" | xargs sed -i -E 's/([^%])%(laneid|globaltimer);/\1%%\2;/'

# In a kernel template, clang treats the defaulted constructor of a shared pipeline_shared_state as
# an initialiser, which CUDA forbids for shared variables. An empty constructor is allowed.
api=_LIBCUDACXX_INLINE_VISIBILITY
sed -i "s/\bpipeline_shared_state() = default;/$api pipeline_shared_state() {}\n$api ~pipeline_shared_state() {}/" "$to/cuda/pipeline"

# Only one lane sets the token of a barrier; the other lanes have an uninitialised token. clang 19
# concludes from this undefined behaviour that every lane sets the token.
sed -i 's/\barrival_token __token;/arrival_token __token = {};/' "$to/cuda/std/barrier"
touch "$to/made"
