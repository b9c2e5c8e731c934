/* Functions that PTX calls and the machine does: what one lane passes, and what it gets. builtin.c finds them by name;
 * children.h has those by which kernels launch kernels. */
#ifndef MACHINE_CALLS_H
#define MACHINE_CALLS_H

#include <string.h>

#include "../state/lanes.h"
#include "warp.h"

typedef struct BuiltinCall {
  const char *name;
  Builtin run;
  uint32_t result;       /* bytes; 0: none, or the call may leave it out */
  uint32_t arguments[8]; /* bytes of each */
} BuiltinCall;

/* Argument number i, or the result, of one lane. */
static inline void get_argument(Warp *w, const PtxCall *call, unsigned lane, uint32_t i, void *out,
                                size_t bytes) {
  const uint8_t *area = w->frame->arguments;
  const uint32_t offset = call->args[i].offset;
  if (offset % 4 || bytes % 4) {
    interleaved_get(area, lane, offset, out, bytes);
    return;
  }
  for (size_t at = 0; at < bytes; at += 4)
    memcpy((uint8_t *)out + at, area + interleaved(offset + (uint32_t)at, lane), 4);
}
static inline void put_result(Warp *w, const PtxCall *call, unsigned lane, const void *in,
                              size_t bytes) {
  uint8_t *area = w->frame->arguments;
  const uint32_t offset = call->result.offset;
  if (offset % 4 || bytes % 4) {
    interleaved_put(area, lane, offset, in, bytes);
    return;
  }
  for (size_t at = 0; at < bytes; at += 4)
    memcpy(area + interleaved(offset + (uint32_t)at, lane), (const uint8_t *)in + at, 4);
}

/* Argument 0 is what malloc of a kernel gave. */
void free_in_kernel(Warp *, const PtxCall *, uint32_t lanes);
/* Where the path that calls stands. */
static inline uint32_t call_line(const Warp *w) { return path_insn(&w->paths[w->running])->line; }

#endif
