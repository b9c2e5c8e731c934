/* Functions that PTX calls but does not contain: the math library (builtins.def), printf, assert, malloc and free, and
 * those of children.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arith.h"
#include "calls.h"
#include "children.h"
#include "heap.h"
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

/* ---- printf ---------------------------------------------------------------------------------- */
typedef struct Text {
  char *bytes;
  size_t length, capacity;
} Text;

static void append(Text *t, const char *bytes, size_t n) {
  if (t->length + n + 1 > t->capacity) {
    t->capacity = 2 * (t->length + n + 1);
    t->bytes = realloc(t->bytes, t->capacity);
    if (!t->bytes)
      abort();
  }
  memcpy(t->bytes + t->length, bytes, n);
  t->length += n;
}

/* A NUL-terminated string in the kernel's memory; false when it runs out of its buffer. */
static bool device_string(Warp *w, unsigned lane, uint64_t address, char *out, size_t size) {
  for (size_t i = 0; i + 1 < size; i++) {
    if (!generic_read(w, lane, address + i, &out[i], 1))
      return false;
    if (!out[i])
      return true;
  }
  out[size - 1] = 0;
  return true;
}

typedef struct Arguments { /* the packed buffer that vprintf gets: each value aligned to its size */
  Warp *w;
  unsigned lane;
  uint64_t next;
} Arguments;

static uint64_t take(Arguments *a, unsigned bytes) {
  a->next = (a->next + bytes - 1) / bytes * bytes;
  uint64_t value = 0;
  if (!generic_read(a->w, a->lane, a->next, &value, bytes))
    value = 0;
  a->next += bytes;
  return value;
}

static unsigned star(Arguments *a, char *spec, size_t length, size_t size) {
  int n = snprintf(spec + length, size - length, "%d", (int)take(a, 4));
  return n < 0 ? 0 : (unsigned)n;
}

/* One conversion, from '%' on; returns the character after it. */
static const char *convert(Text *out, Arguments *a, const char *at) {
  char spec[64] = "%", piece[1200];
  size_t n = 1;
  bool is_long = false;
  unsigned short_of = 0; /* how many h: 1 short, 2 char */
  for (at++; *at && strchr("-+ #0123456789.*hljzt", *at) && n < 40; at++)
    if (*at == '*')
      n += star(a, spec, n, 40);
    else if (strchr("hljzt", *at))
      is_long = is_long || *at != 'h', short_of += *at == 'h';
    else
      spec[n++] = *at;
  int length = 0;
  switch (*at) {
  case '%':
    append(out, "%", 1);
    return at + 1;
  case 'd':
  case 'i':
    memcpy(spec + n, PRId64, sizeof PRId64);
    length = snprintf(piece, sizeof piece, spec,
                      is_long         ? (int64_t)take(a, 8)
                      : short_of == 2 ? (int64_t)(int8_t)take(a, 4)
                      : short_of == 1 ? (int64_t)(int16_t)take(a, 4)
                                      : (int64_t)(int32_t)take(a, 4));
    break;
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    snprintf(spec + n, sizeof spec - n, "l%c", *at);
    length = snprintf(piece, sizeof piece, spec,
                      (unsigned long)take(a, is_long ? 8 : 4) & (short_of == 2   ? UINT8_MAX
                                                                 : short_of == 1 ? UINT16_MAX
                                                                                 : UINT64_MAX));
    break;
  case 'c':
    spec[n] = 'c';
    length = snprintf(piece, sizeof piece, spec, (int)take(a, 4));
    break;
  case 'p':
    length = snprintf(piece, sizeof piece, "0x%" PRIx64, take(a, 8));
    break;
  case 's': {
    char text[1024] = "(unreadable)";
    spec[n] = 's';
    if (!device_string(a->w, a->lane, take(a, 8), text, sizeof text))
      snprintf(text, sizeof text, "(unreadable)");
    length = snprintf(piece, sizeof piece, spec, text);
    break;
  }
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A': {
    uint64_t bits = take(a, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    spec[n] = *at;
    length = snprintf(piece, sizeof piece, spec, value);
    break;
  }
  default:
    append(out, "%", 1);
    return at;
  }
  if (length > 0)
    append(out, piece, (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1);
  return at + 1;
}

static void call_vprintf(Warp *w, const PtxCall *call, uint32_t lanes) {
  Text out = {0};
  EACH_SET(lane, lanes) {
    uint64_t format_address, buffer;
    char format[4096];
    get_argument(w, call, lane, 0, &format_address, 8);
    get_argument(w, call, lane, 1, &buffer, 8);
    if (!device_string(w, lane, format_address, format, sizeof format))
      continue;
    Arguments a = {w, lane, buffer};
    for (const char *at = format; *at;)
      if (*at == '%')
        at = convert(&out, &a, at);
      else
        append(&out, at, 1), at++;
    int32_t done = 1;
    if (call->has_result && call->result.bytes >= sizeof done)
      put_result(w, call, lane, &done, sizeof done);
  }
  fwrite(out.bytes, 1, out.length, stdout); /* in one piece: workers' lines do not mix */
  free(out.bytes);
}

/* ---- assert ---------------------------------------------------------------------------------- */
/* __assertfail(message, file, line, function, character size); glibc's __assert_fail has the first
 * four. The line table knows the place as well. */
static void call_assert(Warp *w, const PtxCall *call, uint32_t lanes) {
  unsigned lane = lowest(lanes);
  uint64_t message_address;
  char message[100] = "?", sentence[160];
  get_argument(w, call, lane, 0, &message_address, 8);
  device_string(w, lane, message_address, message, sizeof message);
  snprintf(sentence, sizeof sentence, "assertion `%s' failed", message);
  hook_stopped(w, REPORT_ASSERT, call_line(w), lane, "came here", sentence);
  run_stop(w, LAUNCH_ASSERT);
}

/* ---- memory ------------------------------------------------------------------------------------ */
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
    hook_stopped(w, REPORT_KERNEL_FREE, call_line(w), lane, "freed here",
                 "free was given what no malloc of a kernel gave, or what was freed before");
    run_stop(w, LAUNCH_TRAP);
    return;
  }
}

/* ---- by name --------------------------------------------------------------------------------- */
static const struct {
  const char *name;
  Builtin run;
  uint32_t result; /* bytes; 0: none, or the call may leave it out */
  uint32_t arguments[8];
} builtins[] = {
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
#define CHILD_CALL(name, result, ...) {"cuda" #name, call_##name, result, {__VA_ARGS__}},
#include "children.def"
};

/* What kernels call as cudaX the header turns into __cudaCDP2X; _ptsz: with a default stream for each thread. */
static const char *usual_name(const char *called, char *out, size_t size) {
  const char *begin = strncmp(called, "__cudaCDP2", 10) == 0 ? "cuda" : "";
  snprintf(out, size, "%s%s", begin, called + (*begin ? 10 : 0));
  char *end = strstr(out, "_ptsz");
  if (end && strncmp(out, "cuda", 4) == 0)
    *end = '\0';
  return out;
}

/* Both sides of the call were compiled apart: what is passed must be at least as long as what is
 * read and written here. */
Builtin builtin_find(const PtxCall *call) {
  char text[80];
  const char *name = usual_name(call->name, text, sizeof text);
  size_t i = 0, count = sizeof builtins / sizeof *builtins;
  while (i < count && strcmp(builtins[i].name, name) != 0)
    i++;
  if (i == count || (builtins[i].result && !call->has_result) ||
      call->result.bytes < builtins[i].result)
    return NULL;
  for (uint32_t k = 0; k < sizeof builtins[i].arguments / 4; k++)
    if (builtins[i].arguments[k] &&
        (k >= call->nargs || call->args[k].bytes < builtins[i].arguments[k]))
      return NULL;
  if (builtins[i].run == call_malloc || strncmp(name, "cuda", 4) == 0)
    heap_want();
  return builtins[i].run;
}
