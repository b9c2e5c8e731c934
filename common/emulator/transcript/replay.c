/* Replays a transcript: makes the recorded calls where the harness would call a function of the
 * submission. The transcript is untrusted, so every length is checked, and the replayed calls use
 * only host memory of the operands or memory that this file allocates. A call that cannot be
 * replayed ends the replay with a one-line message. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../emulator.h"
#include "../observe/host_lines.h"
#include "replay.h"

_Noreturn void replay_refuse(const char *format, ...) {
  char why[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  fprintf(stderr, "lockstep: the calls to the device cannot be repeated: %s\n", why);
  log_event(json_pack("{s:s, s:s}", "event", "refused", "why", why));
  fflush(NULL);
  _exit(2);
}

static void *room(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    replay_refuse("out of memory");
  return memory;
}

/* ---- reading --------------------------------------------------------------------------------- */
static const uint8_t *transcript;
static size_t transcript_bytes, transcript_at;

/* Reads the transcript that LOCKSTEP_REPLAY names. Returns false if the variable is not set. */
static bool open_transcript(void) {
  enum { MOST = 256 << 20 };
  const char *path = getenv("LOCKSTEP_REPLAY");
  if (transcript)
    return true;
  if (!path || !*path)
    return false;
  FILE *from = fopen(path, "rb");
  if (!from)
    replay_refuse("%s: %s", path, strerror(errno));
  transcript = whole_file(from, MOST, &transcript_bytes);
  fclose(from);
  if (!transcript)
    replay_refuse("out of memory");
  host_lines_of(getenv("LOCKSTEP_RECORDED"));
  runtime_load_all();
  return true;
}

static const uint8_t *take(size_t bytes) {
  const uint8_t *at = transcript + transcript_at;
  if (bytes > transcript_bytes - transcript_at)
    return NULL;
  transcript_at += bytes;
  return at;
}

/* Reads the next record. Returns false at the end of the transcript, which means that the recorded
 * program ended there. */
static bool next(Record *r) {
  uint64_t head[3], address;
  const uint8_t *at = take(sizeof head);
  *r = (Record){.data = NULL};
  if (!at)
    return false;
  memcpy(head, at, sizeof head);
  size_t sites = head[0] >> 32;
  r->call = (TranscriptCall)(head[0] & 0xffff);
  r->count = head[0] >> 16 & 0xffff;
  r->result = (cudaError_t)head[1];
  r->bytes = head[2];
  if (r->count > TRANSCRIPT_ARGUMENTS || sites > CALL_DEPTH)
    replay_refuse("the transcript has no such call");
  for (size_t i = 0; i < sites && (at = take(sizeof address)); i++) {
    memcpy(&address, at, sizeof address);
    r->site.at[i] = (uintptr_t)__executable_start + address;
  }
  if (!at || !(at = take(r->count * sizeof *r->argument)))
    return false;
  memcpy(r->argument, at, r->count * sizeof *r->argument);
  return r->bytes <= transcript_bytes && (r->data = take((r->bytes + 7) / 8 * 8));
}

void replay_need(const Record *r, size_t count) {
  if (r->count != count)
    replay_refuse("the transcript has a call with %zu arguments instead of %zu", r->count, count);
}

/* Returns the name at the beginning of the data. `bytes`: the length of the name, including its
 * NUL. */
static const char *name_in(const Record *r, size_t bytes) {
  if (bytes == 0 || bytes > r->bytes || r->data[bytes - 1] != '\0')
    replay_refuse("the transcript has a name without an end");
  return (const char *)r->data;
}

static const char *call_in(const Record *r) {
  const char *name = name_in(r, r->bytes);
  if (name[strspn(name, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")])
    replay_refuse("the transcript has a name that no call has");
  return name;
}

/* ---- handles that differ between the two programs -------------------------------------------- */
typedef struct Handle {
  uint64_t recorded;
  void *here;
} Handle;
static Handles streams, events, pinned;

void *replay_handle(const Handles *handles, uint64_t recorded) {
  for (size_t i = handles->count; i-- > 0;)
    if (handles->all[i].recorded == recorded)
      return handles->all[i].here;
  return NULL;
}

void replay_add_handle(Handles *handles, uint64_t recorded, void *here) {
  if (handles->count % 64 == 0)
    handles->all = realloc(handles->all, (handles->count + 64) * sizeof *handles->all);
  if (!handles->all)
    replay_refuse("out of memory");
  handles->all[handles->count++] = (Handle){recorded, here};
}

static char nobodys; /* the address of this variable is an invalid handle */

static cudaStream_t stream_here(uint64_t recorded) {
  if (recorded <= (uintptr_t)cudaStreamPerThread)
    return (cudaStream_t)recorded; /* the predefined streams */
  void *here = replay_handle(&streams, recorded);
  return (cudaStream_t)(here ? here : &nobodys);
}

static cudaEvent_t event_here(uint64_t recorded) {
  void *here = replay_handle(&events, recorded);
  return (cudaEvent_t)(here ? here : &nobodys);
}

static const void *kernel_here(const Record *r) {
  char name[512];
  if (r->bytes >= sizeof name)
    replay_refuse("the transcript has a name without an end");
  memcpy(name, r->data, r->bytes);
  name[r->bytes] = '\0';
  RuntimeKernel *kernel = runtime_module_kernel((RuntimeModule *)object_module(), name);
  return kernel ? kernel : (const void *)&nobodys;
}

void replay_same_address(cudaError_t error, uint64_t recorded, const void *here) {
  if (!error && recorded && recorded != (uintptr_t)here)
    replay_refuse("an allocation lies elsewhere: something else was allocated before");
}

/* ---- the simple calls ------------------------------------------------------------------------ */
static uint64_t answer[64]; /* receives results that are not used */
static void *fresh;         /* receives the address of new memory, or a new stream or event */

#define HERE_V(i, type) (type)(uintptr_t) r->argument[i]
#define HERE_O(i, type) (type)(uintptr_t)(r->argument[i] ? answer : NULL)
#define HERE_M(i, type) (type)(void *) & fresh
#define HERE_NS(i, type) (type)(void *) & fresh
#define HERE_NE(i, type) (type)(void *) & fresh
#define HERE_S(i, type) stream_here(r->argument[i])
#define HERE_E(i, type) event_here(r->argument[i])
#define HERE_K(i, type) kernel_here(r)
#define HERE_H(i, type) (fresh = pinned_room(r->argument[i + 1]))
#define HERE_G(i, type) replay_handle(&pinned, r->argument[i])

#define AFTER_V(i)
#define AFTER_O(i)
#define AFTER_S(i)
#define AFTER_E(i)
#define AFTER_K(i)
#define AFTER_G(i)
#define AFTER_M(i) replay_same_address(error, r->argument[i], fresh);
#define AFTER_H(i) replay_add_handle(&pinned, r->argument[i], fresh);
#define AFTER_NS(i) replay_add_handle(&streams, r->argument[i], error ? &nobodys : fresh);
#define AFTER_NE(i) replay_add_handle(&events, r->argument[i], error ? &nobodys : fresh);

static void *pinned_room(uint64_t bytes) {
  if (bytes > transcript_bytes + (64 << 20))
    replay_refuse("more host memory is pinned than there is");
  return room(bytes);
}

#define AGAIN(name, values, after, count)                                                          \
  static void again_##name(const Record *r) {                                                      \
    replay_need(r, count);                                                                         \
    cudaError_t error = name values;                                                               \
    (void)error;                                                                                   \
    after                                                                                          \
  }
#define AGAIN0(name) AGAIN(name, (), , 0)
#define AGAIN1(name, k1, t1) AGAIN(name, (HERE_##k1(0, t1)), AFTER_##k1(0), 1)
#define AGAIN2(name, k1, t1, k2, t2)                                                               \
  AGAIN(name, (HERE_##k1(0, t1), HERE_##k2(1, t2)), AFTER_##k1(0) AFTER_##k2(1), 2)
#define AGAIN3(name, k1, t1, k2, t2, k3, t3)                                                       \
  AGAIN(name, (HERE_##k1(0, t1), HERE_##k2(1, t2), HERE_##k3(2, t3)),                              \
        AFTER_##k1(0) AFTER_##k2(1) AFTER_##k3(2), 3)
#define AGAIN4(name, k1, t1, k2, t2, k3, t3, k4, t4)                                               \
  AGAIN(name, (HERE_##k1(0, t1), HERE_##k2(1, t2), HERE_##k3(2, t3), HERE_##k4(3, t4)),            \
        AFTER_##k1(0) AFTER_##k2(1) AFTER_##k3(2) AFTER_##k4(3), 4)
#define AGAIN5(name, k1, t1, k2, t2, k3, t3, k4, t4, k5, t5)                                       \
  AGAIN(                                                                                           \
      name,                                                                                        \
      (HERE_##k1(0, t1), HERE_##k2(1, t2), HERE_##k3(2, t3), HERE_##k4(3, t4), HERE_##k5(4, t5)),  \
      AFTER_##k1(0) AFTER_##k2(1) AFTER_##k3(2) AFTER_##k4(3) AFTER_##k5(4), 5)
#define AGAIN6(name, k1, t1, k2, t2, k3, t3, k4, t4, k5, t5, k6, t6)                               \
  AGAIN(name,                                                                                      \
        (HERE_##k1(0, t1), HERE_##k2(1, t2), HERE_##k3(2, t3), HERE_##k4(3, t4), HERE_##k5(4, t5), \
         HERE_##k6(5, t6)),                                                                        \
        AFTER_##k1(0) AFTER_##k2(1) AFTER_##k3(2) AFTER_##k4(3) AFTER_##k5(4) AFTER_##k6(5), 6)
TRANSCRIPT_CALLS0(AGAIN0)
TRANSCRIPT_CALLS1(AGAIN1)
TRANSCRIPT_CALLS2(AGAIN2)
TRANSCRIPT_CALLS3(AGAIN3)
TRANSCRIPT_CALLS4(AGAIN4)
TRANSCRIPT_CALLS5(AGAIN5)
TRANSCRIPT_CALLS6(AGAIN6)

/* ---- the operands ---------------------------------------------------------------------------- */
typedef struct Operand {
  uint8_t *here;
  size_t bytes, element;
  bool is_output;
  /* The address of the operand in the recorded program; 0: the record of the operand has not been
   * read. */
  uint64_t recorded;
  /* The bytes of an input in the recorded program. */
  const uint8_t *seen;
} Operand;
static Operand operands[TRANSCRIPT_OPERANDS];
static size_t operand_count, operands_met;
/* `arrived`: the bytes that copies from the device wrote to the output in the recorded program.
 * `has_arrived`: a flag for each byte of the output, which is 1 if a copy wrote the byte. */
static uint8_t *arrived, *has_arrived;

void emulator_operands_forget(void) {
  operand_count = operands_met = 0;
  free(arrived);
  free(has_arrived);
  arrived = has_arrived = NULL;
}

void emulator_operand(void *address, size_t bytes, size_t element, int is_output) {
  if (operand_count == TRANSCRIPT_OPERANDS)
    return;
  operands[operand_count++] =
      (Operand){.here = address, .bytes = bytes, .element = element, .is_output = is_output};
  if (!is_output || machine_settings()->pretend)
    return;
  arrived = room(bytes);
  has_arrived = room(bytes);
  memset(has_arrived, 0, bytes);
}

static size_t element_bytes(void) { return operand_count ? operands[0].element : 4; }

static void meet_operand(const Record *r) {
  replay_need(r, 2);
  if (operands_met == operand_count)
    replay_refuse("the transcript has too many operands");
  Operand *o = &operands[operands_met++];
  if (o->is_output != (r->argument[1] != 0) || (r->bytes && (r->bytes != o->bytes || o->is_output)))
    replay_refuse("the transcript has another operand");
  o->recorded = r->argument[0];
  if (r->bytes) {
    o->seen = r->data;
    translate_learn(o->seen, o->here, o->bytes, o->element);
  }
}

/* Returns the operand that contained bytes [address, address + bytes) in the recorded program;
 * NULL: there is no such operand. */
static Operand *operand_with(uint64_t address, uint64_t bytes) {
  for (size_t i = 0; i < operands_met; i++) {
    Operand *o = &operands[i];
    if (address - o->recorded <= o->bytes && bytes <= o->bytes - (address - o->recorded))
      return o;
  }
  return NULL;
}

/* ---- managed and pinned memory --------------------------------------------------------------- */
static Allocation *shared_with(const Record *r) {
  replay_need(r, 1);
  Allocation *a = memory_find(r->argument[0]);
  bool good = a && !a->registered && (a->kind == MEMORY_MANAGED || a->kind == MEMORY_PINNED) &&
              r->bytes <= a->bytes - (r->argument[0] - a->address);
  if (!good && a)
    replay_refuse("the transcript has bytes that host code cannot have touched");
  return a; /* NULL: the allocation failed in the replay */
}

static void host_writes(const Record *r) {
  static const CallSite nowhere;
  Allocation *a = shared_with(r);
  if (!a)
    return;
  uint8_t *data = room(r->bytes);
  memcpy(data, r->data, r->bytes);
  translate(data, r->bytes, element_bytes(), NULL);
  call_site_is(&nowhere);
  /* If this memory is closed (runtime/shared_memory.c), the access faults and is reported. */
  memcpy(a->view + (r->argument[0] - a->address), data, r->bytes);
  free(data);
}

static void host_sees(const Record *r) {
  Allocation *a = shared_with(r);
  if (!a)
    return;
  runtime_shared_memory_open();
  translate_learn(r->data, a->view + (r->argument[0] - a->address), r->bytes, element_bytes());
  runtime_shared_memory_close();
}

/* ---- copies ---------------------------------------------------------------------------------- */
/* Returns host memory for a copy whose data are not in the transcript. The data are missing if the
 * recorded copy failed, or if LOCKSTEP_PRETEND is set, because then no copy accesses memory. */
static void *blank(size_t bytes) {
  if (machine_settings()->pretend)
    return &nobodys;
  if (bytes > transcript_bytes + (64 << 20))
    replay_refuse("a copy that failed is larger than all that was copied");
  void *memory = room(bytes);
  memset(memory, 0, bytes);
  return memory;
}

typedef struct Copy {
  TranscriptCopy asked;
  const char *variable;
  /* The rows in host memory, without gaps; NULL if the transcript does not contain them. */
  const uint8_t *rows;
  /* Total size of the rows in bytes. */
  size_t bytes;
  /* The addresses of the copy in this program. */
  void *to, *from;
  size_t to_pitch, from_pitch;
} Copy;

static bool is_host(uint64_t address) {
  const Allocation *memory = memory_find(address);
  return address && !memory_is_device(address) && (!memory || memory->registered);
}

static size_t span_of(const Copy *c, size_t pitch) {
  return c->asked.rows ? (c->asked.rows - 1) * pitch + c->asked.width : 0;
}

static bool has_rows(TranscriptCall call) {
  return call == TRANSCRIPT_cudaMemcpy2D || call == TRANSCRIPT_cudaMemcpy2DAsync;
}

static Copy read_copy(const Record *r) {
  Copy c = {.variable = NULL};
  replay_need(r, sizeof c.asked / sizeof(uint64_t));
  memcpy(&c.asked, r->argument, sizeof c.asked);
  if (c.asked.rows != 1 && !has_rows(r->call))
    replay_refuse("the transcript has rows in a copy that knows none");
  if (c.asked.named)
    c.variable = name_in(r, c.asked.named);
  size_t bytes, span,
      pitch = c.asked.to_pitch > c.asked.from_pitch ? c.asked.to_pitch : c.asked.from_pitch;
  if (__builtin_mul_overflow(c.asked.width, c.asked.rows, &bytes) ||
      __builtin_mul_overflow(pitch, c.asked.rows, &span) ||
      __builtin_add_overflow(span, c.asked.width, &span))
    replay_refuse("a copy of more bytes than there are addresses");
  if (c.asked.held && bytes != r->bytes - c.asked.named)
    replay_refuse("the transcript has a copy of another size");
  c.rows = c.asked.held ? r->data + c.asked.named : NULL;
  c.bytes = bytes;
  c.to = (void *)c.asked.to, c.to_pitch = c.asked.to_pitch;
  c.from = (void *)c.asked.from, c.from_pitch = c.asked.from_pitch;
  return c;
}

/* Returns true if the copied rows are part of input `o`, and the submission did not change them
 * before the copy. */
static bool is_input(const Copy *c, const Operand *o) {
  size_t offset = c->asked.from - (o ? o->recorded : 0);
  bool same = o && !o->is_output && o->seen;
  for (size_t row = 0; same && row < c->asked.rows; row++)
    same = memcmp(o->seen + offset + row * c->from_pitch, c->rows + row * c->asked.width,
                  c->asked.width) == 0;
  return same;
}

static size_t sent; /* number of elements that host code computed and sent to the device */

static void *source_of(Copy *c) {
  Operand *o = operand_with(c->asked.from, span_of(c, c->from_pitch));
  if (!c->rows) {
    c->from_pitch = machine_settings()->pretend ? c->from_pitch : c->asked.width;
    return c->from = blank(c->bytes);
  }
  if (is_input(c, o)) {
    c->from = o->here + (c->asked.from - o->recorded);
    return NULL;
  }
  void *data = room(c->bytes);
  memcpy(data, c->rows, c->bytes);
  sent += translate(data, c->bytes, element_bytes(), NULL);
  c->from = data, c->from_pitch = c->asked.width;
  return data;
}

static void *destination_of(Copy *c, Operand **output) {
  Operand *o = operand_with(c->asked.to, span_of(c, c->to_pitch));
  if (!c->rows) {
    c->to_pitch = machine_settings()->pretend ? c->to_pitch : c->asked.width;
    return c->to = blank(c->bytes);
  }
  if (o && o->is_output && arrived) {
    *output = o;
    c->to = o->here + (c->asked.to - o->recorded);
    return NULL;
  }
  c->to = room(c->bytes), c->to_pitch = c->asked.width;
  return c->to;
}

static void learn_rows(const Copy *c, const Operand *output) {
  for (size_t row = 0; row < c->asked.rows; row++) {
    const uint8_t *seen = c->rows + row * c->asked.width;
    translate_learn(seen, (uint8_t *)c->to + row * c->to_pitch, c->asked.width, element_bytes());
    if (!output)
      continue;
    size_t offset = c->asked.to - output->recorded + row * c->to_pitch;
    memcpy(arrived + offset, seen, c->asked.width);
    memset(has_arrived + offset, 1, c->asked.width);
  }
}

static cudaError_t make_copy(const Copy *c, TranscriptCall call) {
  enum cudaMemcpyKind kind = (enum cudaMemcpyKind)c->asked.kind;
  cudaStream_t stream = stream_here(c->asked.stream);
  const void *variable = c->variable ? runtime_variable_called(object_module(), c->variable) : NULL;
  switch (call) {
  case TRANSCRIPT_cudaMemcpy:
    return cudaMemcpy(c->to, c->from, c->bytes, kind);
  case TRANSCRIPT_cudaMemcpyAsync:
    return cudaMemcpyAsync(c->to, c->from, c->bytes, kind, stream);
  case TRANSCRIPT_cudaMemcpy2D:
    return cudaMemcpy2D(c->to, c->to_pitch, c->from, c->from_pitch, c->asked.width, c->asked.rows,
                        kind);
  case TRANSCRIPT_cudaMemcpy2DAsync:
    return cudaMemcpy2DAsync(c->to, c->to_pitch, c->from, c->from_pitch, c->asked.width,
                             c->asked.rows, kind, stream);
  case TRANSCRIPT_cudaMemcpyToSymbol:
    return cudaMemcpyToSymbol(variable, c->from, c->bytes, c->asked.to, kind);
  case TRANSCRIPT_cudaMemcpyToSymbolAsync:
    return cudaMemcpyToSymbolAsync(variable, c->from, c->bytes, c->asked.to, kind, stream);
  case TRANSCRIPT_cudaMemcpyFromSymbol:
    return cudaMemcpyFromSymbol(c->to, variable, c->bytes, c->asked.from, kind);
  default:
    return cudaMemcpyFromSymbolAsync(c->to, variable, c->bytes, c->asked.from, kind, stream);
  }
}

static bool to_variable(TranscriptCall call) {
  return call == TRANSCRIPT_cudaMemcpyToSymbol || call == TRANSCRIPT_cudaMemcpyToSymbolAsync;
}
static bool from_variable(TranscriptCall call) {
  return call == TRANSCRIPT_cudaMemcpyFromSymbol || call == TRANSCRIPT_cudaMemcpyFromSymbolAsync;
}

static void copy_again(const Record *r) {
  Copy c = read_copy(r);
  Operand *output = NULL;
  void *to = NULL, *from = NULL;
  bool from_host = !from_variable(r->call) && is_host(c.asked.from);
  bool to_host = !to_variable(r->call) && is_host(c.asked.to);
  if (from_host)
    from = source_of(&c);
  if (to_host &&
      from_host) /* For a copy from host to host, only the error of the call must be repeated. */
    to = c.to = blank(c.bytes), c.to_pitch = c.asked.width;
  else if (to_host)
    to = destination_of(&c, &output);
  cudaError_t error = make_copy(&c, r->call);
  if (!error && to_host && !from_host && c.rows)
    learn_rows(&c, output);
  if (to != &nobodys)
    free(to);
  if (from != &nobodys)
    free(from);
}

/* ---- launches -------------------------------------------------------------------------------- */
static dim3 dimensions(const uint64_t of[3]) {
  for (int i = 0; i < 3; i++)
    if (of[i] > UINT32_MAX)
      replay_refuse("the transcript has a grid of too many blocks");
  return (dim3){(unsigned)of[0], (unsigned)of[1], (unsigned)of[2]};
}

static void launch_again(const Record *r) {
  TranscriptLaunch launch;
  replay_need(r, sizeof launch / sizeof(uint64_t));
  memcpy(&launch, r->argument, sizeof launch);
  const char *name = name_in(r, launch.named);
  RuntimeKernel *kernel =
      *name ? runtime_module_kernel((RuntimeModule *)object_module(), name) : NULL;
  const PtxFunction *function = kernel ? kernel->function : NULL;
  if (*name && (!function || r->bytes - launch.named != function->param_bytes))
    replay_refuse("there is no kernel %.100s with such arguments", name);
  void **values = room((function ? function->nparams + 1 : 1) * sizeof *values);
  for (uint32_t i = 0; function && i < function->nparams; i++)
    values[i] = (void *)(r->data + launch.named + function->params[i].offset);
  (r->call == TRANSCRIPT_cudaLaunchKernel ? cudaLaunchKernel : cudaLaunchCooperativeKernel)(
      kernel, dimensions(launch.grid), dimensions(launch.block), values, launch.shared,
      stream_here(launch.stream));
  free(values);
}

/* Used in builds without more/, in which no further calls are recorded. */
__attribute__((weak)) bool replay_more(const Record *r) {
  (void)r;
  return false;
}

/* ---- one call of a function of the submission ------------------------------------------------ */
/* Computes the output of the function. Elements that a copy from the device wrote keep their
 * values. All other elements were written by host code, so they are translated and stored in the
 * output. Logs the number of elements that could not be translated. */
static void settle_output(const Record *r) {
  Operand *o = operand_count && arrived ? &operands[operand_count - 1] : NULL;
  if (!o || r->bytes != o->bytes)
    return;
  size_t count = o->bytes / o->element, written = 0;
  uint8_t *now = room(o->bytes), *literal = room(count);
  memcpy(now, r->data, o->bytes);
  translate(now, o->bytes, o->element, literal);
  for (size_t i = 0; i < count; i++) {
    size_t at = i * o->element;
    bool stays = has_arrived[at] && memcmp(arrived + at, r->data + at, o->element) == 0;
    if (stays || memcmp(o->here + at, r->data + at, o->element) == 0)
      continue;
    written += literal[i];
    memcpy(o->here + at, now + at, o->element);
  }
  if (written || sent)
    log_event(json_pack("{s:s, s:I, s:I}", "event", "host-made", "written", (json_int_t)written,
                        "sent", (json_int_t)sent));
  sent = 0;
  free(now);
  free(literal);
}

/* Ends the program, because the recorded program ended at this point too, without returning from
 * the function. */
static _Noreturn void end_here(void) {
  fflush(NULL);
  _exit(0);
}

static void again(const Record *r) {
  switch (r->call) {
#define CASE(name, ...)                                                                            \
  case TRANSCRIPT_##name:                                                                          \
    again_##name(r);                                                                               \
    return;
    TRANSCRIPT_CALLS0(CASE)
    TRANSCRIPT_CALLS1(CASE)
    TRANSCRIPT_CALLS2(CASE)
    TRANSCRIPT_CALLS3(CASE)
    TRANSCRIPT_CALLS4(CASE)
    TRANSCRIPT_CALLS5(CASE)
    TRANSCRIPT_CALLS6(CASE)
#define CASE_COPY(name) case TRANSCRIPT_##name:
    TRANSCRIPT_COPIES(CASE_COPY)
    copy_again(r);
    return;
    TRANSCRIPT_LAUNCHES(CASE_COPY)
    launch_again(r);
    return;
  case TRANSCRIPT_WRITTEN:
    host_writes(r);
    return;
  case TRANSCRIPT_SEEN:
    host_sees(r);
    return;
  case TRANSCRIPT_FAILED:
    replay_need(r, 1);
    runtime_fail(call_in(r), r->argument[0]);
    return;
  case TRANSCRIPT_FAULT:
    replay_need(r, 1);
    runtime_report_fault((void *)r->argument[0]);
    return;
  case TRANSCRIPT_UNKNOWN:
    replay_refuse(
        "%.*s: right on a device, but a class's grading cannot do it again; no lab needs it: do "
        "without",
        (int)(r->bytes < 60 ? r->bytes : 60), (const char *)r->data);
  default:
    if (!replay_more(r))
      replay_refuse("the transcript has a call in the wrong place");
  }
}

int emulator_host_replay(void) {
  Record r;
  if (!open_transcript()) {
    log_event(json_pack("{s:s}", "event", "host"));
    end_here();
  }
  bool more = next(&r);
  for (; more && r.call == TRANSCRIPT_OPERAND; more = next(&r))
    meet_operand(&r);
  if (more && r.call != TRANSCRIPT_ENTER)
    replay_refuse("the transcript has a call in the wrong place");
  runtime_failures_are_told();
  while (more && (more = next(&r)) && r.call != TRANSCRIPT_LEAVE) {
    call_site_is(&r.site);
    again(&r);
  }
  call_site_is(NULL);
  if (!more)
    end_here();
  replay_need(&r, 2);
  runtime_failures_were_told(r.argument[1]);
  settle_output(&r);
  return (int)r.argument[0];
}
