/* Streams that may be created with cudaStreamNonBlocking. If a program contains one of these calls,
 * the work of its default stream is compared with that of other streams from the start, because
 * work queued there before the first stream is created may race with that stream. The linker
 * includes this file only in such programs. Therefore it is a separate member of libdevice.a too,
 * and uses only names that this archive exports. */
#include "runtime.h"

__attribute__((constructor)) static void track_from_the_start(void) { emulator_track_streams(); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return emulator_create_stream(__func__, stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  return emulator_create_stream(__func__, stream, flags, priority);
}
