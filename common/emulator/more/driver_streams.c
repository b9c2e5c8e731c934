/* The driver API's function that creates a stream. It has its own file so that the linker adds
 * runtime/stream_kinds.c only to programs that call it. */
#include "include/cuda.h"

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return (CUresult)cudaStreamCreateWithFlags(stream, flags);
}
