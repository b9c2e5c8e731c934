/* Implements printf in kernels.
 *
 * As on a GPU, kernels write to a buffer, and the text is shown when the host synchronises. Text
 * that is still in the buffer when the program ends is lost. If the buffer is full, a GPU
 * overwrites the oldest text. The emulator shows all text; the runtime compares the size from
 * machine_printed() with that of a GPU's buffer, and reports if text would be lost. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "machine.h"
#include "print.h"

/* RECORD_HEAD and RECORD_VALUE: bytes that a call and each of its values need in a GPU's buffer.
 * VALUES_MOST: maximum number of values per call. */
enum { RECORD_HEAD = 32, RECORD_VALUE = 8, VALUES_MOST = 32 };
/* The maximum size of buffered text in bytes. */
#define KEPT_MOST ((size_t)64 << 20)

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

bool device_string(Warp *w, unsigned lane, uint64_t address, char *out, size_t size) {
  for (size_t i = 0; i + 1 < size; i++) {
    if (!generic_read(w, lane, address + i, &out[i], 1))
      return false;
    if (!out[i])
      return true;
  }
  out[size - 1] = 0;
  return true;
}

/* The position in the argument buffer of vprintf. In the buffer, each value is aligned to its
 * size. */
typedef struct Arguments {
  Warp *w;
  unsigned lane;
  uint64_t next;
  unsigned count;
} Arguments;

static uint64_t take(Arguments *a, unsigned bytes) {
  a->count++;
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

/* Formats one conversion, which starts at '%'. Returns the position after the conversion. */
static const char *convert(Text *out, Arguments *a, const char *at) {
  char spec[64] = "%", piece[1200];
  size_t n = 1;
  bool is_long = false;
  unsigned short_of = 0; /* number of h's: 1 is short, 2 is char */
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Text that has not been shown, because the host has not synchronised. */
static Text kept;
static MachinePrinted printed;

static void show(void) {
  if (kept.length)
    fwrite(kept.bytes, 1, kept.length, stdout);
  kept.length = 0;
}

static void keep(const Text *text, size_t records, const char *kernel) {
  pthread_mutex_lock(&lock);
  if (kept.length + text->length > KEPT_MOST)
    show();
  if (text->length)
    /* The text of one call is appended as one piece, so that the output of several workers is not
     * mixed. */
    append(&kept, text->bytes, text->length);
  printed.bytes += records;
  if (!printed.kernel)
    printed.kernel = strdup(kernel);
  pthread_mutex_unlock(&lock);
}

MachinePrinted machine_printed(void) {
  pthread_mutex_lock(&lock);
  const MachinePrinted now = printed;
  pthread_mutex_unlock(&lock);
  return now;
}

void machine_show_printed(void) {
  pthread_mutex_lock(&lock);
  show();
  free((char *)printed.kernel);
  printed = (MachinePrinted){0};
  pthread_mutex_unlock(&lock);
}

static void warn_of_arguments(Warp *w, unsigned lane, unsigned count) {
  char sentence[80];
  snprintf(sentence, sizeof sentence, "printf in a kernel gets %u values", count);
  hook_mistake((Mistake){.kind = MISTAKE_KINDER,
                         .at = {w, lane, call_line(w)},
                         .on_a_gpu = NOT_ON_A_GPU_PRINTF_ARGUMENTS,
                         .did = "called it",
                         .sentence = sentence});
}

void call_vprintf(Warp *w, const PtxCall *call, uint32_t lanes) {
  Text out = {0};
  size_t records = 0;
  EACH_SET(lane, lanes) {
    uint64_t format_address, buffer;
    char format[4096];
    get_argument(w, call, lane, 0, &format_address, 8);
    get_argument(w, call, lane, 1, &buffer, 8);
    if (!device_string(w, lane, format_address, format, sizeof format))
      continue;
    Arguments a = {w, lane, buffer, 0};
    for (const char *at = format; *at;)
      if (*at == '%')
        at = convert(&out, &a, at);
      else
        append(&out, at, 1), at++;
    if (a.count > VALUES_MOST)
      warn_of_arguments(w, lane, a.count);
    records += RECORD_HEAD + RECORD_VALUE * (size_t)a.count;
    int32_t done = 1;
    if (call->has_result && call->result.bytes >= sizeof done)
      put_result(w, call, lane, &done, sizeof done);
  }
  if (records)
    keep(&out, records, w->block->run->function->name);
  free(out.bytes);
}
