// The left neighbour of the first element: its unsigned index is 0 - 1 = 4294967295. The pointer of
// the second read is in device memory, so the buffer to which it belongs is not known.
//
// kind: out-of-bounds
// says: error: read out of bounds: allocation 1 (256 bytes), element 4294967295; its elements are 0
// says+ to 63   in kernel left
// says:       thread (0,0) of block (0,0) read it   @read
// says:       the pointer comes from argument 1 of the kernel
// says:       An unsigned index below 0 continues at 4294967295. Compare before the subtraction, or
// says+ use an int.
// says: error: read out of bounds: allocation 1 (256 bytes), element 4294967295   in kernel left
// says:       thread (0,0) of block (0,0) read it   @read_row
// says:       An unsigned index below 0 continues at 4294967295. Compare before the subtraction, or
// says+ use an int.
// answers: cudaErrorIllegalAddress
#include "mistake.h"

struct Row {
  float *data;
};

template <bool RIGHT> __device__ unsigned neighbour(unsigned x) {
  return RIGHT ? max((int)x - 1, 0) : max(x - 1, 0);
}

template <bool RIGHT> __global__ void left(const float *in, const Row *row, float *out) {
  const float a = in[neighbour<RIGHT>(threadIdx.x)];        // <- read
  const float b = row->data[neighbour<RIGHT>(threadIdx.x)]; // <- read_row
  out[threadIdx.x] = a + b;
}

template <bool RIGHT> void run() {
  float *in = device_array<float>(64), *out = device_array<float>(64);
  Row *row = device_array<Row>(1);
  MUST(cudaMemcpy(&row->data, &in, sizeof in, cudaMemcpyHostToDevice));
  left<RIGHT><<<1, 64>>>(in, row, out);
  finish(in, out, row);
}
BOTH(run)
