/* The driver API's call that creates a stream. It is in a file of its own because the linker must
 * take runtime/stream_kinds.c for the programs that call it, and for no others. */
#include "include/cuda.h"

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return (CUresult)cudaStreamCreateWithFlags(stream, flags);
}
