/* Defines the functions that can create a stream with cudaStreamNonBlocking. The linker includes
 * this file only in programs that call one of these functions. In such a program, work in the
 * default stream is tracked from the start, because work that is queued before the first stream is
 * created may race with the work in this stream. This file is a separate member of libdevice.a, and
 * uses only names that this archive exports. */
#include "runtime.h"

__attribute__((constructor)) static void track_from_the_start(void) { emulator_track_streams(); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return emulator_create_stream(__func__, stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  return emulator_create_stream(__func__, stream, flags, priority);
}
