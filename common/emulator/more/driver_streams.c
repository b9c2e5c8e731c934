/* The function of the driver API that creates a stream. It has its own file so that the linker adds
 * runtime/stream_kinds.c only to programs that call this function. */
#include "include/cuda.h"

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return (CUresult)cudaStreamCreateWithFlags(stream, flags);
}
