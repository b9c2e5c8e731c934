/* Weak definitions for builds without more/, in which arrays, pools, graphs and capturing streams
 * do not exist. In other builds, the linker uses the functions of more/ instead. */
#include "runtime.h"

bool IN_MORE runtime_is_array(const void *pointer) {
  (void)pointer;
  return false;
}

cudaMemPool_t IN_MORE pool_current(void) { return NULL; }

bool IN_MORE graph_allocates(const void *memory) {
  (void)memory;
  return false;
}

bool IN_MORE graph_takes_back(void *memory, bool *freed_before) {
  (void)memory, (void)freed_before;
  return false;
}

bool IN_MORE capture_takes(cudaStream_t stream) {
  (void)stream;
  return false;
}

bool IN_MORE capture_forbids_waiting(void) { return false; }

bool IN_MORE capture_holds(const CapturePoint *event) {
  (void)event;
  return false;
}
