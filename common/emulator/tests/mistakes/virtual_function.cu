// An object that the host created points to the host's table of virtual functions, also after a
// copy to the device.
//
// kind: host-pointer
// says: error: use of the virtual functions or bases of an object that host code created   in
// says+ kernel use
// says:       thread (0,0) of block (0,0) read it   @call
// says:       The object holds the address of a table in host memory, and so does each copy of it.
// says+ Create the object in a kernel, with new or in device memory.
// answers: cudaErrorIllegalAddress
#include "mistake.h"
#include <new>

struct Model {
  __host__ __device__ virtual double stress(double x) const { return x; }
};
struct Elastic : Model {
  double e;
  __host__ __device__ Elastic(double e) : e(e) {}
  __host__ __device__ double stress(double x) const override { return e * x; }
};

__global__ void make(Elastic *model) { new (model) Elastic(2); }
__global__ void use(Model *model, double *out) {
  out[threadIdx.x] = model->stress(threadIdx.x); // <- call
}

template <bool RIGHT> void run() {
  Elastic made(2), *model;
  double *out = device_array<double>(32);
  MUST(cudaMalloc(&model, sizeof *model));
  if (RIGHT)
    make<<<1, 1>>>(model);
  else
    MUST(cudaMemcpy((void *)model, (void *)&made, sizeof made, cudaMemcpyHostToDevice));
  use<<<1, 32>>>(model, out);
  finish(model, out);
}
BOTH(run)
