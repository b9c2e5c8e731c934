/* Records the runtime calls of a submission: writes the transcript to the file descriptor that
 * LOCKSTEP_TRANSCRIPT names. The linker redirects each runtime call to a wrapper in this file
 * (--wrap). The transcript is untrusted, because the submission runs in the same process and can
 * change all memory of the process. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../emulator.h"
#include "record.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static bool inside; /* true while a function of the submission runs */

/* ---- writing --------------------------------------------------------------------------------- */
static int transcript(void) {
  static int file = -1;
  const char *text = getenv("LOCKSTEP_TRANSCRIPT");
  if (file < 0)
    file = text ? atoi(text) : STDOUT_FILENO;
  return file;
}

static void put(const void *data, size_t bytes) {
  for (ssize_t done; bytes; data = (const char *)data + done, bytes -= (size_t)done)
    if ((done = write(transcript(), data, bytes)) <= 0)
      _exit(2); /* the reader has closed the pipe */
}

static void put_record(unsigned call, cudaError_t result, const CallSite *site,
                       const uint64_t *arguments, size_t count, const void *data, size_t bytes) {
  uint64_t words[3 + CALL_DEPTH + TRANSCRIPT_ARGUMENTS], zeros = 0;
  size_t sites = 0, at = 3;
  for (; site && sites < CALL_DEPTH && site->at[sites]; sites++)
    words[at++] = site->at[sites] - (uintptr_t)__executable_start;
  for (size_t i = 0; i < count; i++)
    words[at + i] = arguments[i];
  words[0] = (uint64_t)call | (uint64_t)count << 16 | (uint64_t)sites << 32;
  words[1] = (uint64_t)result;
  words[2] = bytes;
  put(words, (at + count) * sizeof *words);
  put(data, bytes);
  put(&zeros, -bytes % sizeof zeros);
}

static bool captured; /* the current call is in a stream that captures a graph */

void record_note(unsigned call, cudaError_t result, const uint64_t *arguments, size_t count,
                 const void *data, size_t bytes) {
  bool nothing = captured || (result >= cudaErrorStreamCaptureUnsupported &&
                              result <= cudaErrorStreamCaptureWrongThread);
  captured = false;
  if (nothing && call != TRANSCRIPT_cudaMallocAsync)
    return;
  CallSite site;
  call_site(&site);
  put_record(call, result, &site, arguments, count, data, bytes);
}

/* ---- managed and pinned memory: changes since the last comparison ---------------------------- */
typedef struct Shadow {
  /* The number of the allocation. */
  uint32_t number;
  uint8_t *bytes;
} Shadow;
static Shadow *shadows;
static size_t shadow_count;

static uint8_t *shadow_of(const Allocation *a) {
  for (size_t i = 0; i < shadow_count; i++)
    if (shadows[i].number == a->number)
      return shadows[i].bytes;
  uint8_t *bytes = malloc(a->bytes);
  shadows = realloc(shadows, (shadow_count + 1) * sizeof *shadows);
  if (!bytes || !shadows)
    _exit(2);
  memset(bytes, 0xff, a->bytes); /* new memory has all bits 1 */
  shadows[shadow_count++] = (Shadow){a->number, bytes};
  return bytes;
}

static size_t element_bytes = 4;

static size_t element_at(const Allocation *a, size_t at) {
  return a->bytes - at < element_bytes ? a->bytes - at : element_bytes;
}

static bool changed(const Allocation *a, const uint8_t *before, size_t at) {
  return at < a->bytes && memcmp(before + at, a->view + at, element_at(a, at)) != 0;
}

static void put_changes(TranscriptCall call, const Allocation *a) {
  uint8_t *before = shadow_of(a);
  for (size_t from = 0, to; from < a->bytes; from = to) {
    for (to = from; changed(a, before, to);)
      to += element_at(a, to);
    uint64_t address = a->address + from;
    if (to > from)
      put_record(call, cudaSuccess, NULL, &address, 1, a->view + from, to - from);
    memcpy(before + from, a->view + from, to - from);
    to += to < a->bytes ? element_at(a, to) : 0;
  }
}

static void look_at_shared(TranscriptCall call) {
  bool any = false;
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a)) {
    if ((a->kind != MEMORY_MANAGED && a->kind != MEMORY_PINNED) || a->registered)
      continue;
    if (!any)
      runtime_shared_memory_open();
    any = true;
    put_changes(call, a);
  }
  if (any)
    runtime_shared_memory_close();
}

/* ---- around each call ------------------------------------------------------------------------ */
static unsigned depth;
static uint64_t calls_before;

bool record_begin(void) {
  pthread_mutex_lock(&lock);
  calls_before = depth ? calls_before : runtime_calls();
  bool noted = inside && depth++ == 0;
  if (noted && !machine_settings()->pretend)
    look_at_shared(TRANSCRIPT_WRITTEN);
  return noted;
}

void record_end(bool noted) {
  if (noted && !machine_settings()->pretend)
    look_at_shared(TRANSCRIPT_SEEN);
  depth -= inside;
  pthread_mutex_unlock(&lock);
}

bool record_failed_on_purpose(void) {
  uint64_t number, fail = machine_settings()->fail;
  const char *call = runtime_failed(&number);
  if (!call || calls_before >= fail || runtime_calls() < fail)
    return false;
  CallSite site;
  call_site(&site);
  put_record(TRANSCRIPT_FAILED, cudaSuccess, &site, &number, 1, call, strlen(call) + 1);
  return true;
}

static const char *kernel_name(const void *host) {
  const RuntimeKernel *kernel = runtime_kernel(host);
  return kernel ? kernel->name : "";
}

uint64_t record_stream(cudaStream_t stream) {
  captured |= capture_takes(stream);
  return (uint64_t)(uintptr_t)stream;
}

#define NOTE_V(value) (uint64_t)(value)
#define NOTE_S(value) record_stream(value)
#define NOTE_E(value) (uint64_t)(value)
#define NOTE_H(value) (uint64_t)(value)
#define NOTE_G(value) (uint64_t)(value)
#define NOTE_O(value) (uint64_t)((value) != NULL)
#define NOTE_M(value) (uint64_t)((value) && !error ? *(value) : NULL)
#define NOTE_NS(value) (uint64_t)((value) && !error ? *(value) : NULL)
#define NOTE_NE(value) (uint64_t)((value) && !error ? *(value) : NULL)
#define NOTE_K(value) (name = kernel_name(value), UINT64_C(0))

#define LIST(...) __VA_ARGS__
#define WRAP0(name) WRAP(name, (void), (), 0, 0)
#define WRAP1(name, k1, t1) WRAP(name, (t1 a), (a), LIST(NOTE_##k1(a)), 1)
#define WRAP2(name, k1, t1, k2, t2)                                                                \
  WRAP(name, (t1 a, t2 b), (a, b), LIST(NOTE_##k1(a), NOTE_##k2(b)), 2)
#define WRAP3(name, k1, t1, k2, t2, k3, t3)                                                        \
  WRAP(name, (t1 a, t2 b, t3 c), (a, b, c), LIST(NOTE_##k1(a), NOTE_##k2(b), NOTE_##k3(c)), 3)
#define WRAP4(name, k1, t1, k2, t2, k3, t3, k4, t4)                                                \
  WRAP(name, (t1 a, t2 b, t3 c, t4 d), (a, b, c, d),                                               \
       LIST(NOTE_##k1(a), NOTE_##k2(b), NOTE_##k3(c), NOTE_##k4(d)), 4)
#define WRAP5(name, k1, t1, k2, t2, k3, t3, k4, t4, k5, t5)                                        \
  WRAP(name, (t1 a, t2 b, t3 c, t4 d, t5 e), (a, b, c, d, e),                                      \
       LIST(NOTE_##k1(a), NOTE_##k2(b), NOTE_##k3(c), NOTE_##k4(d), NOTE_##k5(e)), 5)
#define WRAP6(name, k1, t1, k2, t2, k3, t3, k4, t4, k5, t5, k6, t6)                                \
  WRAP(name, (t1 a, t2 b, t3 c, t4 d, t5 e, t6 f), (a, b, c, d, e, f),                             \
       LIST(NOTE_##k1(a), NOTE_##k2(b), NOTE_##k3(c), NOTE_##k4(d), NOTE_##k5(e), NOTE_##k6(f)),   \
       6)
TRANSCRIPT_CALLS0(WRAP0)
TRANSCRIPT_CALLS1(WRAP1)
TRANSCRIPT_CALLS2(WRAP2)
TRANSCRIPT_CALLS3(WRAP3)
TRANSCRIPT_CALLS4(WRAP4)
TRANSCRIPT_CALLS5(WRAP5)
TRANSCRIPT_CALLS6(WRAP6)

/* The calls of these three functions are not recorded, because the replay does not have to repeat
 * them. */
WRAP_AS(cudaStreamAttachMemAsync, (cudaStream_t a, void *b, size_t c, unsigned d), (a, b, c, d), )
WRAP_AS(cudaStreamAddCallback, (cudaStream_t a, cudaStreamCallback_t b, void *c, unsigned d),
        (a, b, c, d), )
WRAP_AS(cudaLaunchHostFunc, (cudaStream_t a, cudaHostFn_t b, void *c), (a, b, c), )

void record_unknown(const char *name) {
  record_note(TRANSCRIPT_UNKNOWN, cudaSuccess, NULL, 0, name, strlen(name));
}

/* ---- copies ---------------------------------------------------------------------------------- */
static bool is_plain_host(uint64_t address) {
  const Allocation *memory = memory_find(address);
  return address && !memory_is_device(address) && (!memory || memory->registered);
}

/* Records a copy. The data of the record are the copied rows, if the source or the destination is
 * ordinary host memory. */
static void note_copy(TranscriptCall call, cudaError_t error, TranscriptCopy copy,
                      const char *variable) {
  captured = capture_takes((cudaStream_t)copy.stream);
  uint64_t host = !is_plain_host(copy.from) ? copy.to : copy.from;
  size_t pitch = host == copy.from ? copy.from_pitch : copy.to_pitch;
  copy.named = variable ? strlen(variable) + 1 : 0;
  copy.held = !error && !machine_settings()->pretend && is_plain_host(host);
  size_t bytes = copy.named + (copy.held ? copy.width * copy.rows : 0);
  uint8_t *data = malloc(bytes + 1);
  uint64_t arguments[sizeof copy / sizeof(uint64_t)];
  if (!data)
    _exit(2);
  if (variable)
    memcpy(data, variable, copy.named);
  for (size_t row = 0; copy.held && row < copy.rows; row++)
    memcpy(data + copy.named + row * copy.width, (const uint8_t *)host + row * pitch, copy.width);
  memcpy(arguments, &copy, sizeof copy);
  record_note(call, error, arguments, sizeof copy / sizeof(uint64_t), data, bytes);
  free(data);
}

#define WRAP_COPY(name_, parameters, values, ...)                                                  \
  cudaError_t __real_##name_ parameters;                                                           \
  cudaError_t __wrap_##name_ parameters;                                                           \
  cudaError_t __wrap_##name_ parameters {                                                          \
    const char *variable = NULL;                                                                   \
    bool noted = record_begin();                                                                   \
    cudaError_t error = __real_##name_ values;                                                     \
    if (noted && !record_failed_on_purpose())                                                      \
      note_copy(TRANSCRIPT_##name_, error, (TranscriptCopy){__VA_ARGS__, 0, 0}, variable);         \
    record_end(noted);                                                                             \
    return error;                                                                                  \
  }
WRAP_COPY(cudaMemcpy, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
          (to, from, bytes, kind), ADDRESS(to), bytes, ADDRESS(from), bytes, bytes, 1, kind, 0)
WRAP_COPY(cudaMemcpyAsync,
          (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
          (to, from, bytes, kind, stream), ADDRESS(to), bytes, ADDRESS(from), bytes, bytes, 1, kind,
          ADDRESS(stream))
WRAP_COPY(cudaMemcpy2D,
          (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
           size_t rows, enum cudaMemcpyKind kind),
          (to, to_pitch, from, from_pitch, width, rows, kind), ADDRESS(to), to_pitch, ADDRESS(from),
          from_pitch, width, rows, kind, 0)
WRAP_COPY(cudaMemcpy2DAsync,
          (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
           size_t rows, enum cudaMemcpyKind kind, cudaStream_t stream),
          (to, to_pitch, from, from_pitch, width, rows, kind, stream), ADDRESS(to), to_pitch,
          ADDRESS(from), from_pitch, width, rows, kind, ADDRESS(stream))

static const char *variable_name(const void *symbol) {
  const char *name = "";
  size_t bytes;
  runtime_symbol(symbol, &name, &bytes);
  return name;
}

WRAP_COPY(cudaMemcpyToSymbol,
          (const void *symbol, const void *from, size_t bytes, size_t offset,
           enum cudaMemcpyKind kind),
          (symbol, from, bytes, offset, kind), (variable = variable_name(symbol), offset), bytes,
          ADDRESS(from), bytes, bytes, 1, kind, 0)
WRAP_COPY(cudaMemcpyToSymbolAsync,
          (const void *symbol, const void *from, size_t bytes, size_t offset,
           enum cudaMemcpyKind kind, cudaStream_t stream),
          (symbol, from, bytes, offset, kind, stream), (variable = variable_name(symbol), offset),
          bytes, ADDRESS(from), bytes, bytes, 1, kind, ADDRESS(stream))
WRAP_COPY(cudaMemcpyFromSymbol,
          (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
          (to, symbol, bytes, offset, kind), ADDRESS(to), bytes,
          (variable = variable_name(symbol), offset), bytes, bytes, 1, kind, 0)
WRAP_COPY(cudaMemcpyFromSymbolAsync,
          (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
           cudaStream_t stream),
          (to, symbol, bytes, offset, kind, stream), ADDRESS(to), bytes,
          (variable = variable_name(symbol), offset), bytes, bytes, 1, kind, ADDRESS(stream))

/* ---- copies of several dimensions ------------------------------------------------------------ */
cudaError_t record_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t rows, enum cudaMemcpyKind kind, void *data) {
  const Planes *planes = data;
  note_copy(planes->waits ? TRANSCRIPT_cudaMemcpy2D : TRANSCRIPT_cudaMemcpy2DAsync, planes->error,
            (TranscriptCopy){ADDRESS(to), to_pitch, ADDRESS(from), from_pitch, width, rows, kind,
                             ADDRESS(planes->stream), 0, 0},
            NULL);
  return cudaSuccess;
}

/* Records a 3-D copy as one copy of rows per plane. If the planes cannot be computed, the call has
 * failed. Then a 2-D copy that also fails is recorded. */
void record_planes(const struct cudaMemcpy3DParms *copy, Planes planes) {
  if (!copy || runtime_planes(copy, record_rows, &planes))
    record_rows(NULL, 1, NULL, 1, 1, 1, cudaMemcpyDefault, &planes);
}
WRAP_AS(cudaMemcpy3D, (const struct cudaMemcpy3DParms *copy), (copy),
        record_planes(copy, (Planes){error, 0, true}))
WRAP_AS(cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *copy, cudaStream_t stream),
        (copy, stream), record_planes(copy, (Planes){error, stream, false}))

void record_set(cudaError_t error, const struct cudaMemsetParams *p, cudaStream_t stream) {
  uint64_t arguments[] = {ADDRESS(p->dst),           p->pitch,  p->value,
                          p->width * p->elementSize, p->height, record_stream(stream)};
  if (p->elementSize != 1 && p->value != 0) {
    record_unknown("cudaGraphAddMemsetNode with elements of several bytes");
    return;
  }
  record_note(TRANSCRIPT_cudaMemset2DAsync, error, arguments, 6, NULL, 0);
}

static void note_set_3d(cudaError_t error, struct cudaPitchedPtr to, int value,
                        struct cudaExtent extent, cudaStream_t stream) {
  for (size_t z = 0; z < (error ? 1 : extent.depth); z++)
    record_set(
        error,
        &(struct cudaMemsetParams){error ? NULL : (uint8_t *)to.ptr + z * to.ysize * to.pitch,
                                   to.pitch, (unsigned)value, 1, extent.width, extent.height},
        stream);
}
WRAP_AS(cudaMemset3D, (struct cudaPitchedPtr to, int value, struct cudaExtent extent),
        (to, value, extent), note_set_3d(error, to, value, extent, 0))
WRAP_AS(cudaMemset3DAsync,
        (struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream),
        (to, value, extent, stream), note_set_3d(error, to, value, extent, stream))

static void note_malloc_3d(cudaError_t error, const struct cudaPitchedPtr *out,
                           struct cudaExtent extent) {
  uint64_t arguments[] = {error ? 0 : ADDRESS(out->ptr), 1, extent.width,
                          extent.height * extent.depth};
  record_note(TRANSCRIPT_cudaMallocPitch, error, arguments, 4, NULL, 0);
}
WRAP_AS(cudaMalloc3D, (struct cudaPitchedPtr * out, struct cudaExtent extent), (out, extent),
        note_malloc_3d(error, out, extent))

/* ---- launches -------------------------------------------------------------------------------- */
void record_launch(TranscriptCall call, cudaError_t error, const RuntimeKernel *kernel, dim3 grid,
                   dim3 block, void *const *values, size_t shared, cudaStream_t stream) {
  const char *name = kernel ? kernel->name : "";
  size_t packed = kernel ? kernel->function->param_bytes : 0, named = strlen(name) + 1;
  uint8_t *data = calloc(1, named + packed);
  TranscriptLaunch launch = {
      {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, ADDRESS(stream), named};
  uint64_t arguments[sizeof launch / sizeof(uint64_t)];
  if (!data)
    _exit(2);
  memcpy(data, name, named);
  for (uint32_t i = 0; kernel && i < kernel->function->nparams; i++)
    memcpy(data + named + kernel->function->params[i].offset, values[i],
           kernel->function->params[i].bytes);
  memcpy(arguments, &launch, sizeof launch);
  captured = capture_takes(stream);
  record_note(call, error, arguments, sizeof launch / sizeof(uint64_t), data, named + packed);
  free(data);
}

#define WRAP_LAUNCH(name, handle, call)                                                            \
  cudaError_t __real_##name(handle function, dim3 grid, dim3 block, void **values, size_t shared,  \
                            cudaStream_t stream);                                                  \
  cudaError_t __wrap_##name(handle function, dim3 grid, dim3 block, void **values, size_t shared,  \
                            cudaStream_t stream);                                                  \
  cudaError_t __wrap_##name(handle function, dim3 grid, dim3 block, void **values, size_t shared,  \
                            cudaStream_t stream) {                                                 \
    bool noted = record_begin();                                                                   \
    CallSite site;                                                                                 \
    call_site(&site); /* the launch resets the line of the <<<>>> */                               \
    call_site_is(&site);                                                                           \
    cudaError_t error = __real_##name(function, grid, block, values, shared, stream);              \
    if (noted && !record_failed_on_purpose())                                                      \
      record_launch(call, error, runtime_kernel(function), grid, block, values, shared, stream);   \
    call_site_is(NULL);                                                                            \
    record_end(noted);                                                                             \
    return error;                                                                                  \
  }
WRAP_LAUNCH(cudaLaunchKernel, const void *, TRANSCRIPT_cudaLaunchKernel)
WRAP_LAUNCH(__cudaLaunchKernel, cudaKernel_t, TRANSCRIPT_cudaLaunchKernel)
WRAP_LAUNCH(cudaLaunchCooperativeKernel, const void *, TRANSCRIPT_cudaLaunchCooperativeKernel)

static void note_configured(cudaError_t error, const cudaLaunchConfig_t *c, const void *function,
                            void **values) {
  bool cooperative = false;
  if (!c || error == cudaErrorNotSupported) {
    record_unknown("cudaLaunchKernelEx with clusters");
    return;
  }
  for (unsigned i = 0; i < c->numAttrs; i++)
    if (c->attrs[i].id == cudaLaunchAttributeCooperative)
      cooperative = c->attrs[i].val.cooperative;
  record_launch(cooperative ? TRANSCRIPT_cudaLaunchCooperativeKernel : TRANSCRIPT_cudaLaunchKernel,
                error, runtime_kernel(function), c->gridDim, c->blockDim, values,
                c->dynamicSmemBytes, c->stream);
}
WRAP_AS(cudaLaunchKernelExC,
        (const cudaLaunchConfig_t *config, const void *function, void **values),
        (config, function, values), note_configured(error, config, function, values))

/* ---- calls of the harness -------------------------------------------------------------------- */
typedef struct Operand {
  void *address;
  size_t bytes;
  bool is_output;
} Operand;
static Operand operands[TRANSCRIPT_OPERANDS];
static size_t operand_count;
static bool operands_noted;

void emulator_operands_forget(void) { operand_count = operands_noted = 0; }

void emulator_operand(void *address, size_t bytes, size_t element, int is_output) {
  element_bytes = element;
  if (operand_count < TRANSCRIPT_OPERANDS)
    operands[operand_count++] = (Operand){address, bytes, is_output};
}

void emulator_host_enter(void) {
  pthread_mutex_lock(&lock);
  bool pretend = machine_settings()->pretend;
  runtime_load_all();
  for (size_t i = 0; i < operand_count && !operands_noted; i++)
    put_record(TRANSCRIPT_OPERAND, cudaSuccess, NULL,
               (uint64_t[]){ADDRESS(operands[i].address), operands[i].is_output}, 2,
               operands[i].address, pretend || operands[i].is_output ? 0 : operands[i].bytes);
  operands_noted = true;
  put_record(TRANSCRIPT_ENTER, cudaSuccess, NULL, NULL, 0, NULL, 0);
  inside = true;
  pthread_mutex_unlock(&lock);
}

int emulator_host_leave(int returned) {
  uint64_t values[] = {(uint64_t)(int64_t)returned, runtime_calls()};
  pthread_mutex_lock(&lock);
  const Operand *output = operand_count ? &operands[operand_count - 1] : NULL;
  bool known = output && output->is_output && !machine_settings()->pretend;
  if (!machine_settings()->pretend)
    look_at_shared(TRANSCRIPT_WRITTEN);
  put_record(TRANSCRIPT_LEAVE, cudaSuccess, NULL, values, 2, known ? output->address : NULL,
             known ? output->bytes : 0);
  inside = false;
  pthread_mutex_unlock(&lock);
  return returned;
}

void emulator_host_fault(const void *address) {
  CallSite site;
  uint64_t value = ADDRESS(address);
  if (!inside)
    return;
  call_site(&site);
  put_record(TRANSCRIPT_FAULT, cudaSuccess, &site, &value, 1, NULL, 0);
}
