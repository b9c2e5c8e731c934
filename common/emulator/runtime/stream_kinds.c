/* Streams that may be created not to wait for the default stream. A program with one of these calls in it has, by that
 * alone, its default stream's work compared with others' from the start on: what it queues there before it creates
 * the first stream may race with that one's. The linker takes this file for such programs only; so it lies by itself in
 * the archive for programs of others as well, and sees no more of the device than that archive shows.
 */
#include "runtime.h"

__attribute__((constructor)) static void track_from_the_start(void) { emulator_track_streams(); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return emulator_create_stream(__func__, stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  return emulator_create_stream(__func__, stream, flags, priority);
}
