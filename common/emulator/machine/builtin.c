/* Implements external functions that PTX calls: the math library (builtins.def), assert, malloc and
 * free. Finds these functions, and those of print.c and children.h, by name. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arith.h"
#include "calls.h"
#include "children.h"
#include "heap.h"
#include "print.h"
#include "special.h"

/* ---- math ------------------------------------------------------------------------------------ */
#define BUILTIN1(name, R, A, expression)                                                           \
  static void math_##name(Warp *w, const PtxCall *call, uint32_t lanes) {                          \
    EACH_SET(lane, lanes) {                                                                        \
      A a;                                                                                         \
      get_argument(w, call, lane, 0, &a, sizeof a);                                                \
      R r = expression;                                                                            \
      put_result(w, call, lane, &r, sizeof r);                                                     \
    }                                                                                              \
  }
#define BUILTIN2(name, R, A, B, expression)                                                        \
  static void math_##name(Warp *w, const PtxCall *call, uint32_t lanes) {                          \
    EACH_SET(lane, lanes) {                                                                        \
      A a;                                                                                         \
      B b;                                                                                         \
      get_argument(w, call, lane, 0, &a, sizeof a);                                                \
      get_argument(w, call, lane, 1, &b, sizeof b);                                                \
      R r = expression;                                                                            \
      put_result(w, call, lane, &r, sizeof r);                                                     \
    }                                                                                              \
  }
#define BUILTIN4(name, R, expression)                                                              \
  static void math_##name(Warp *w, const PtxCall *call, uint32_t lanes) {                          \
    EACH_SET(lane, lanes) {                                                                        \
      R v[4];                                                                                      \
      for (uint32_t i = 0; i < 4; i++)                                                             \
        get_argument(w, call, lane, i, &v[i], sizeof v[i]);                                        \
      const R a = v[0], b = v[1], c = v[2], d = v[3], r = expression;                              \
      put_result(w, call, lane, &r, sizeof r);                                                     \
    }                                                                                              \
  }
#include "builtins.def"

/* ---- assert ---------------------------------------------------------------------------------- */
/* Implements __assertfail(message, file, line, function, character size). The first four parameters
 * are those of glibc's __assert_fail. File and line are taken from the line table instead of the
 * parameters. */
static void call_assert(Warp *w, const PtxCall *call, uint32_t lanes) {
  unsigned lane = lowest(lanes);
  uint64_t message_address;
  char message[100] = "?", sentence[160];
  get_argument(w, call, lane, 0, &message_address, 8);
  device_string(w, lane, message_address, message, sizeof message);
  snprintf(sentence, sizeof sentence, "assertion `%s' failed", message);
  hook_mistake((Mistake){.kind = MISTAKE_STOPPED,
                         .at = {w, lane, call_line(w)},
                         .report = REPORT_ASSERT,
                         .did = "came here",
                         .sentence = sentence});
  run_stop(w, LAUNCH_ASSERT);
}

/* ---- memory ---------------------------------------------------------------------------------- */
static void call_malloc(Warp *w, const PtxCall *call, uint32_t lanes) {
  EACH_SET(lane, lanes) {
    uint64_t bytes, address;
    get_argument(w, call, lane, 0, &bytes, sizeof bytes);
    address = heap_allocate(bytes);
    put_result(w, call, lane, &address, sizeof address);
  }
}

void free_in_kernel(Warp *w, const PtxCall *call, uint32_t lanes) {
  EACH_SET(lane, lanes) {
    uint64_t address;
    get_argument(w, call, lane, 0, &address, sizeof address);
    if (heap_free(address))
      continue;
    hook_mistake((Mistake){
        .kind = MISTAKE_STOPPED,
        .at = {w, lane, call_line(w)},
        .report = REPORT_KERNEL_FREE,
        .did = "freed here",
        .sentence = "free was given what no malloc of a kernel gave, or what was freed before"});
    run_stop(w, LAUNCH_TRAP);
    return;
  }
}

/* ---- by name --------------------------------------------------------------------------------- */
static const BuiltinCall builtins[] = {
#define BUILTIN1(name, R, A, expression) {"__nv_" #name, math_##name, sizeof(R), {sizeof(A)}},
#define BUILTIN2(name, R, A, B, expression)                                                        \
  {"__nv_" #name, math_##name, sizeof(R), {sizeof(A), sizeof(B)}},
#define BUILTIN4(name, R, expression)                                                              \
  {"__nv_" #name, math_##name, sizeof(R), {sizeof(R), sizeof(R), sizeof(R), sizeof(R)}},
#include "builtins.def"
    {"vprintf", call_vprintf, 0, {8, 8}},
    {"__assertfail", call_assert, 0, {8, 8, 4}},
    {"__assert_fail", call_assert, 0, {8, 8, 4}},
    {"malloc", call_malloc, 8, {8}},
    {"free", free_in_kernel, 0, {8}},
};

/* Returns the usual name of a runtime function, without the prefix and suffix that the CUDA headers
 * add. In kernels, the headers rename cudaX to __cudaCDP2X. The suffix _ptsz selects one default
 * stream per thread. */
static const char *usual_name(const char *called, char *out, size_t size) {
  const char *begin = strncmp(called, "__cudaCDP2", 10) == 0 ? "cuda" : "";
  snprintf(out, size, "%s%s", begin, called + (*begin ? 10 : 0));
  char *end = strstr(out, "_ptsz");
  if (end && strncmp(out, "cuda", 4) == 0)
    *end = '\0';
  return out;
}

static const BuiltinCall *named(const BuiltinCall *calls, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(calls[i].name, name) == 0)
      return &calls[i];
  return NULL;
}

/* Returns true if the call passes at least as many bytes as the function reads, and has space for
 * the result. They may not match, because the call was compiled without the function's
 * definition. */
static bool fits(const BuiltinCall *known, const PtxCall *call) {
  if ((known->result && !call->has_result) || call->result.bytes < known->result)
    return false;
  for (uint32_t k = 0; k < sizeof known->arguments / sizeof *known->arguments; k++)
    if (known->arguments[k] && (k >= call->nargs || call->args[k].bytes < known->arguments[k]))
      return false;
  return true;
}

Builtin builtin_find(const PtxCall *call) {
  char text[80];
  const char *name = usual_name(call->name, text, sizeof text);
  size_t count;
  const BuiltinCall *of_children = children_calls(&count);
  const BuiltinCall *known = named(builtins, sizeof builtins / sizeof *builtins, name);
  if (!known)
    known = named(of_children, count, name);
  if (!known || !fits(known, call))
    return NULL;
  if (known->run == call_malloc || strncmp(name, "cuda", 4) == 0)
    heap_want();
  return known->run;
}
