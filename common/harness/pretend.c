/* Checks sizes that are too large for any computer. With LOCKSTEP_PRETEND the emulated device
 * checks the calls that a variant's host code makes and executes none of them. The operands are
 * address ranges without memory. */
#include <string.h>
#include <sys/mman.h>

#include "harness.h"

static void *address_space(size_t bytes) {
  void *at =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    die("not enough address space: raise `ulimit -v`");
  return at;
}

int pretend(const Options *options) {
  Instance instance = {.problem = options->problem, .element_bytes = options->element_bytes};
  Run run = {.instance = &instance, .threads = 1};
  cudaError_t error = cudaSuccess;
  memcpy(instance.size, options->size, sizeof instance.size);
  memcpy(run.size, options->size, sizeof run.size);
  for (int i = 0; i <= problem_inputs(options->problem); i++) {
    size_t bytes = operand_bytes(&instance, i);
    instance.operand[i] = address_space(bytes);
    run.operand[i] = instance.operand[i];
    if (place_is_device(options->variant->place))
      TRY(error, cudaMalloc(&run.operand[i], bytes));
  }
  device_host_operands(&run, options->variant->place == PLACE_ROUND_TRIP);
  TRY(error, options->variant->run(&run));
  for (int i = 0; place_is_device(options->variant->place) && i <= problem_inputs(options->problem);
       i++)
    cudaFree(run.operand[i]);
  return error == cudaSuccess ? 0 : 1;
}
