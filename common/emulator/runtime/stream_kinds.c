/* Streams that may be created not to wait for the default stream. A program with one of these calls in it has, by that
 * alone, its default stream's work compared with others' from the start on: what it queues there before it creates
 * the first stream may race with that one's. The linker takes this file for such programs only.
 */
#include "runtime.h"

__attribute__((constructor)) static void track_from_the_start(void) { order_track(); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  RUNTIME_CALL(runtime_stream_create(stream, flags, 0));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  RUNTIME_CALL(runtime_stream_create(stream, flags, priority));
}
