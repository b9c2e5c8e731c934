/* Support for external functions that PTX code calls and the machine implements: reads their
 * arguments and writes their results, lane by lane. builtin.c finds the functions by name.
 * children.h lists the functions that launch kernels. */
#ifndef MACHINE_CALLS_H
#define MACHINE_CALLS_H

#include <string.h>

#include "../state/lanes.h"
#include "warp.h"

typedef struct BuiltinCall {
  const char *name;
  Builtin run;
  /* Size of the result in bytes; 0: there is no result, or the caller may ignore it. */
  uint32_t result;
  /* Size of each argument in bytes; 0 after the last argument. */
  uint32_t arguments[8];
} BuiltinCall;

/* get_argument reads argument i of one lane. put_result writes the result of one lane. */
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

/* Frees argument 0, a pointer that malloc returned in a kernel. */
void free_in_kernel(Warp *, const PtxCall *, uint32_t lanes);
/* Returns the source line of the path that is running. */
static inline uint32_t call_line(const Warp *w) { return path_insn(&w->paths[w->running])->line; }

#endif
