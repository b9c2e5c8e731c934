/* The CUDA runtime API on the emulated device: declarations shared by its files.
 *
 * Every entry point is one line: RUNTIME_CALL(work), where `work` is a static function that returns
 * an error code and runs under the runtime's single lock. Kernels run to their end inside
 * cudaLaunchKernel. Their errors are returned by the next call that would wait for them, as on a
 * GPU. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../include/cuda_runtime_api.h"
#include "../hooks.h"
#include "../machine/machine.h"

/* ---- errors.c -------------------------------------------------------------------------------- */
void runtime_enter(void);
/* Records a failure for cudaGetLastError. Returns what the call returns. */
cudaError_t runtime_leave(const char *call, cudaError_t);
/* The program has called the runtime. Registration of its kernels does not count. */
void runtime_used(void);
/* A kernel failed. The next call that waits returns the error. */
void runtime_set_pending(cudaError_t);
cudaError_t runtime_pending(void);
/* Called by synchronising functions. Makes a pending kernel error sticky. Ordering is in order.c.
 */
void runtime_settle(void);
cudaError_t runtime_sticky(void);
/* An error's name and text. Unlike cudaGetErrorName, these do not count as a check of the error. */
const char *runtime_error_name(int error);
const char *runtime_error_text(int error);
/* For cudaDeviceReset: starts a new context. As on a real device, a process whose kernel failed has
 * lost the device. */
void runtime_clear_errors(void);
/* The first failure that the program did not check, and where it happened, for the report at the
 * end; NULL: none. */
const char *runtime_unseen_call(cudaError_t *error, CallSite *);
bool runtime_any_failure(void);

/* ---- failures.c ------------------------------------------------------------------------------ */
/* Returns true if this call must do no work. Then runtime_refusal is the error to return. */
bool runtime_refuses(const char *call);
cudaError_t runtime_refusal(void);
/* A host function called by a stream begins or ends. In it, this thread must not call the runtime.
 */
void runtime_in_host_function(bool);
/* Logs the number of calls that may fail. */
void runtime_note_calls(void);

/* The number of such calls so far, and the name and number (per kind) of the call that failed;
 * NULL: none has. */
uint64_t runtime_calls(void);
const char *runtime_failed(uint64_t *number);
/* For a replay, which makes other calls: between runtime_failures_are_told and
 * runtime_failures_were_told, only the calls named by runtime_fail fail. The latter sets the number
 * of calls made so far. */
void runtime_failures_are_told(void);
void runtime_failures_were_told(uint64_t calls);
void runtime_fail(const char *call, uint64_t number);

/* Without work if the context is broken or LOCKSTEP_FAIL names this call. */
#define RUNTIME_CALL(work)                                                                         \
  return (runtime_enter(),                                                                         \
          runtime_leave(__func__, runtime_refuses(__func__) ? runtime_refusal() : (work)))
/* For queries that need no context. */
#define RUNTIME_ALWAYS(work) return (runtime_enter(), runtime_leave(__func__, (work)))
/* For calls that wait for kernels. */
#define RUNTIME_SYNC(work)                                                                         \
  return (runtime_enter(), runtime_settle(),                                                       \
          runtime_leave(__func__, runtime_refuses(__func__) ? runtime_refusal() : (work)))
/* For queries whether work is done. If it is not, a GPU returns cudaErrorNotReady, and the call has
 * waited for nothing. */
#define RUNTIME_QUERY(busy, work)                                                                  \
  do {                                                                                             \
    runtime_enter();                                                                               \
    const bool is_busy = (busy);                                                                   \
    if (!is_busy)                                                                                  \
      runtime_settle();                                                                            \
    return runtime_leave(__func__, runtime_refuses(__func__) ? runtime_refusal()                   \
                                   : is_busy                 ? cudaErrorNotReady                   \
                                                             : (work));                                            \
  } while (0)
/* For work that is queued after kernels: it is never done if one of them failed. */
#define RUNTIME_QUEUED(work) return RUNTIME_QUEUED_RESULT(work)
#define RUNTIME_QUEUED_RESULT(work)                                                                \
  (runtime_enter(), runtime_leave(__func__, runtime_refuses(__func__) ? runtime_refusal()          \
                                            : runtime_pending()       ? cudaSuccess                \
                                                                      : (work)))
/* RUNTIME_CAPTURED: work in a stream, which becomes a graph node while the stream captures.
 * RUNTIME_STREAM: the same for work that no graph can contain. RUNTIME_WAITING: work in the default
 * stream; `waits`: the host waits for it, unlike for copies between two places of the device. */
#define RUNTIME_CAPTURED(stream, capture, work)                                                    \
  RUNTIME_QUEUED(!runtime_stream_valid(stream) ? cudaErrorInvalidResourceHandle                    \
                 : capture_takes(stream)       ? (capture)                                         \
                                         : (order_begin(stream, (StreamWork){.what = __func__}),   \
                                            order_end(stream, (work))))
#define RUNTIME_STREAM(stream, work) RUNTIME_CAPTURED(stream, capture_refuses(stream), work)
#define RUNTIME_WAITING(work, waits)                                                               \
  RUNTIME_SYNC(capture_takes(0) ? capture_refuses(0)                                               \
                                : (order_begin_waiting((StreamWork){.what = __func__}),            \
                                   order_end_waiting((work), waits)))
/* The same function under the name that nvcc --default-stream per-thread calls. */
#define RUNTIME_ALIAS(name, suffix)                                                                \
  extern __typeof__(name) name##suffix __attribute__((alias(#name)))

/* ---- registration.c -------------------------------------------------------------------------- */
typedef struct RuntimeModule {
  /* PTX in the program's own image. */
  const char *text;
  size_t length;
  /* Why there is no PTX, and the remedy. */
  const char *refusal;
  /* Decoded at the first use. */
  PtxModule *program;
  /* Must be linked with the program's other modules of this kind. */
  bool relocatable;
  /* Number of the text among those that `program` is linked from, from 0. */
  uint32_t part;
  /* -maxrregcount of nvcc: maximum per thread; 0: none. */
  uint32_t most_registers;
} RuntimeModule;

typedef struct RuntimeKernel {
  /* The address that identifies the kernel in host code. */
  const void *host;
  const char *name;
  RuntimeModule *module;
  const PtxFunction *function;
  /* Set by cudaFuncSetSharedMemConfig. */
  BankChoice banks;
} RuntimeKernel;

typedef struct RuntimeVariable {
  const void *host;
  const char *name;
  RuntimeModule *module;
  size_t bytes;
  /* nvcc's pointer through which host code accesses a __managed__ variable. */
  void **managed;
} RuntimeVariable;

/* NULL if the program has no kernel with that address. */
RuntimeKernel *runtime_kernel(const void *host);
/* Loads a module from text or a fat binary; NULL: `error` has the reason. runtime_module_kernel and
 * runtime_module_variable look up its content; NULL: not found. */
RuntimeModule *runtime_load(const void *image, char *error, size_t size);
/* Returns true if ptx_load() accepts this PTX. */
bool runtime_reads(const char *text, char *error, size_t size);
RuntimeKernel *runtime_module_kernel(RuntimeModule *, const char *name);
Allocation *runtime_module_variable(RuntimeModule *, const char *name);
/* runtime_register_code registers the device code of an object file, a fat binary or PTX.
 * runtime_variable_called looks up one of its variables by the name in host code; NULL: none. */
void **runtime_register_code(const void *data, size_t bytes);
const void *runtime_variable_called(void **module, const char *name);
/* Loads all modules with kernels, so that no variables are allocated later. */
void runtime_load_all(void);
/* The variable whose host copy has that address; NULL: none. A pointer into it is no device
 * pointer. */
const RuntimeVariable *runtime_variable_at(const void *host);
/* The memory of a symbol; NULL: unknown symbol. */
Allocation *runtime_symbol(const void *host, const char **name, size_t *bytes);

/* ---- memory.c -------------------------------------------------------------------------------- */
cudaError_t runtime_allocate(void **out, size_t bytes);
/* memory_free, with notification of the observers. */
bool runtime_free(uint64_t address, bool *freed_before);
/* Implement cudaMallocFromPoolAsync and cudaFreeAsync. */
cudaError_t runtime_allocate_queued(void **out, size_t bytes, cudaMemPool_t, cudaStream_t);
cudaError_t runtime_release_queued(void *pointer, cudaStream_t);

/* ---- pointers.c ------------------------------------------------------------------------------ */
/* "A", or "allocation 3 (400 bytes)" if it has no name. */
const char *runtime_buffer_name(const Allocation *, char *out, size_t size);
/* Describes a pointer for messages: "byte 16 of A", "host memory", "the null pointer" ... */
const char *runtime_describe(const void *pointer, char *out, size_t size);
static inline uint64_t runtime_address(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

/* ---- copies.c -------------------------------------------------------------------------------- */
/* Copies rows of `width` bytes. */
cudaError_t runtime_copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t rows, enum cudaMemcpyKind);
cudaError_t runtime_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind);
/* runtime_rows describes such a copy as parameters of the most general one, which runtime_copy_3d
 * executes. runtime_set sets memory in elements of 1, 2 or 4 bytes. */
struct cudaMemcpy3DParms runtime_rows(void *to, size_t to_pitch, const void *from,
                                      size_t from_pitch, size_t width, size_t rows,
                                      enum cudaMemcpyKind);
cudaError_t runtime_copy_3d(const struct cudaMemcpy3DParms *);
/* Calls `work` for each plane, as a copy of rows. */
typedef cudaError_t PlaneWork(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t rows, enum cudaMemcpyKind, void *data);
cudaError_t runtime_planes(const struct cudaMemcpy3DParms *, PlaneWork *, void *data);
cudaError_t runtime_set(const struct cudaMemsetParams *);

/* ---- symbols.c ------------------------------------------------------------------------------- */
/* The device address of `bytes` bytes at `offset` in a symbol. */
cudaError_t runtime_symbol_place(const void *symbol, size_t bytes, size_t offset, void **out);

/* ---- events.c -------------------------------------------------------------------------------- */
/* Warns about events whose time the program asked for too early and never got. */
void runtime_report_early_events(void);
/* A kernel took so long here: an event of a stream that does not wait for it leaves that out. */
void runtime_events_launched(cudaStream_t, const char *kernel, double seconds);
cudaError_t runtime_event_record(cudaEvent_t, cudaStream_t);
cudaError_t runtime_event_wait(cudaStream_t, cudaEvent_t);

/* ---- launch.c -------------------------------------------------------------------------------- */
/* A kernel with all parameters of a launch. */
typedef struct KernelCall {
  const RuntimeKernel *kernel;
  dim3 grid, block;
  size_t shared;
  bool cooperative;
  /* In the layout of the kernel's parameters; allocated on the heap. */
  uint8_t *arguments;
} KernelCall;
/* Checks that the card can run the launch, and copies its parameters. */
cudaError_t runtime_prepare_kernel(const void *handle, dim3 grid, dim3 block, void **arguments,
                                   size_t shared, bool cooperative, KernelCall *out);
cudaError_t runtime_run_kernel(const KernelCall *, cudaStream_t);
/* Allocate on the heap: a copy of the arguments, and the address of each of them. NULL: out of
 * memory. */
uint8_t *runtime_copy_arguments(const KernelCall *);
void **runtime_argument_places(const KernelCall *);
uint32_t runtime_registers(const PtxFunction *);

/* ---- more/: functions that the runtime calls
 *
 * Arrays, pools and graphs are in more/, which defines all of these. Without that folder, or if a
 * program does not link with it, without_more.c answers the queries, and the weak functions are not
 * called. */
#define IN_MORE __attribute__((weak))

/* A CUDA array, which is not a pointer to memory. */
struct cudaArray {
  Allocation *memory;
  struct cudaChannelFormatDesc format;
  /* In elements. Height or depth 0: fewer dimensions. */
  struct cudaExtent extent;
  unsigned flags;
  /* The previously created array. Freed arrays stay in the list. */
  struct cudaArray *earlier;
};
bool runtime_is_array(const void *);
IN_MORE size_t runtime_array_pitch(const struct cudaArray *);
/* The device address of byte x in row y of plane z. */
IN_MORE void *runtime_array_place(const struct cudaArray *, size_t x, size_t y, size_t z);

/* The pool that cudaMallocAsync uses; NULL: none. */
cudaMemPool_t pool_current(void);
IN_MORE bool pool_has_room(cudaMemPool_t, size_t bytes);
IN_MORE void pool_took(cudaMemPool_t, size_t bytes);
IN_MORE void pool_got_back(cudaMemPool_t, size_t bytes);

/* Returns true if a graph allocates that memory. It is freed with the last graph that allocates it.
 */
bool graph_allocates(const void *memory);
/* Frees it for the graph's next launch. Returns false if no graph allocates it. */
bool graph_takes_back(void *memory, bool *freed_before);

/* The latest nodes of a capturing stream, or of an event recorded in one. */
typedef struct NodeList {
  cudaGraphNode_t *at;
  size_t count;
} NodeList;
typedef struct CapturePoint {
  /* NULL: none. */
  struct Capture *capture;
  unsigned long long id;
  NodeList latest;
} CapturePoint;
/* Returns true if work queued in the stream is captured as graph nodes. */
bool capture_takes(cudaStream_t);
/* Returns true if calls must not wait for the device now. Such a call invalidates the capture too.
 */
bool capture_forbids_waiting(void);
bool capture_holds(const CapturePoint *event);
/* Capture a stream's work. A call that no graph can contain is refused and invalidates the capture.
 */
IN_MORE cudaError_t capture_refuses(cudaStream_t);
IN_MORE cudaError_t capture_copy(cudaStream_t, void *to, size_t to_pitch, const void *from,
                                 size_t from_pitch, size_t width, size_t rows, enum cudaMemcpyKind);
IN_MORE cudaError_t capture_copy_3d(cudaStream_t, const struct cudaMemcpy3DParms *);
IN_MORE cudaError_t capture_set(cudaStream_t, const struct cudaMemsetParams *);
/* Takes ownership of the call's arguments. */
IN_MORE cudaError_t capture_kernel(cudaStream_t, const KernelCall *);
IN_MORE cudaError_t capture_host(cudaStream_t, cudaHostFn_t, void *data);
/* Memory that is allocated or freed in a capturing stream. */
IN_MORE cudaError_t capture_memory(cudaStream_t, void *memory, size_t bytes, bool frees);
/* An event is recorded in a capturing stream; a stream waits for a captured event. */
IN_MORE cudaError_t capture_record(cudaStream_t, CapturePoint *event);
IN_MORE cudaError_t capture_wait(cudaStream_t, const CapturePoint *event);

/* ---- device.c -------------------------------------------------------------------------------- */
size_t runtime_limit(enum cudaLimit);
/* Maximum number of pending kernel launches by kernels. */
size_t runtime_pending_launches(void);
static inline BankChoice runtime_bank_choice(enum cudaSharedMemConfig config) {
  return config == cudaSharedMemBankSizeEightByte  ? BANK_CHOICE_8
         : config == cudaSharedMemBankSizeFourByte ? BANK_CHOICE_4
                                                   : BANK_CHOICE_DEFAULT;
}

/* ---- functions.c ----------------------------------------------------------------------------- */
/* The number of blocks of this size that one multiprocessor holds. */
uint32_t runtime_resident_blocks(const RuntimeKernel *, uint32_t threads, size_t dynamic_shared);

/* ---- shared_memory.c: managed and pinned memory, closed to host code that has not waited ----- */
/* Called before and after the runtime or a kernel accesses such memory. */
void runtime_shared_memory_open(void);
void runtime_shared_memory_close(void);
/* runtime_shared_memory_bar: a kernel runs, and on this card host code must not touch managed
 * memory meanwhile. runtime_shared_memory_attached: the program attaches memory to streams, so some
 * memory is exempt. */
void runtime_shared_memory_bar(void);
void runtime_shared_memory_attached(void);
/* A call has waited: no bytes are pending any more. */
void runtime_shared_memory_settle(void);
/* For the fault handler: returns true if the address is in a closed page, so that the access can be
 * retried. */
bool runtime_shared_memory_touched(const void *address);
/* The operating system is about to read these bytes, or to fill them. It reports a closed page as
 * an error instead of a fault. */
void runtime_shared_memory_handed(void *address, size_t bytes, bool to_fill);
/* Reports what the handler found. Called outside of the handler. */
void runtime_report_touched(void);

/* ---- streams.c ------------------------------------------------------------------------------- */
cudaError_t runtime_stream_create(cudaStream_t *, unsigned flags, int priority);
/* For stream_kinds.c, which is a separate archive member: `call` creates a stream. */
cudaError_t emulator_create_stream(const char *call, cudaStream_t *, unsigned flags, int priority);
void emulator_track_streams(void);
/* The number of the stream's timeline in clocks. */
uint32_t runtime_timeline(cudaStream_t);
/* The capture state of the stream, NULL if the stream cannot capture; and the same for all streams.
 */
CapturePoint *runtime_capture_point(cudaStream_t);
void runtime_each_capture_point(void (*work)(CapturePoint *, void *), void *data);
/* runtime_blocking_captures: a stream that synchronises with the legacy default stream is
 * capturing. runtime_is_default: the stream is the legacy default stream. */
bool runtime_blocking_captures(void);
bool runtime_is_default(cudaStream_t);
/* A stream for the i-th branch of a launched graph. */
cudaStream_t runtime_branch(uint32_t i);
bool runtime_is_branch(cudaStream_t);
/* "stream 2", by order of creation, or "the default stream". */
void runtime_stream_name(cudaStream_t, char *out, size_t size);

/* ---- asynchrony.c: what the host can observe of a kernel that it has not waited for ---------- */
void asynchrony_launches(void);
void asynchrony_launched(const char *kernel);
void asynchrony_event_recorded(void);
/* The program reads a host clock. */
void asynchrony_clock_read(void);
/* The program calls a function whose only purpose is to wait; a call has waited; the program ends.
 */
void asynchrony_asked_to_wait(void);
void asynchrony_host_waited(void);
void asynchrony_ends(void);

/* ---- order.c: ordering of work --------------------------------------------------------------- */
/* Streams may run concurrently from now on. order_tracked tells whether they may. */
void order_track(void);
bool order_tracked(void);
/* Creates and destroys a stream's timeline. */
uint32_t order_stream(bool blocking);
void order_stream_gone(uint32_t timeline);
/* order_begin: the call does work in a stream; `work` has its name and, for instance, its kernel.
 * order_end: the work is done unless `error` is set; returns `error`. The other two are for work
 * that the host may wait for. */
void order_begin(cudaStream_t, StreamWork);
cudaError_t order_end(cudaStream_t, cudaError_t);
void order_begin_waiting(StreamWork);
cudaError_t order_end_waiting(cudaError_t, bool waits);
/* order_queueing: the host continues while the current work is done. order_returns_late: this call
 * returns only when it is done. */
bool order_queueing(void);
void order_returns_late(void);
/* The host has waited: for a stream, for the work in a clock, for everything. */
void order_host_waits(cudaStream_t);
void order_host_learns(cudaStream_t);
void order_host_waits_for(const Clock *);
void order_host_waits_for_all(void);
/* Returns true if the stream has work that the host has not waited for. Only the first query after
 * new work returns true, so that a polling program can continue. */
bool order_busy(cudaStream_t);
/* order_record: an event is recorded in a stream; returns its number. order_host_knows: the host
 * has waited for it. order_wait: the stream waits for the work before the event. */
uint64_t order_record(cudaStream_t, Clock *);
/* A stream's latest work, as clocks have it, where streams are tracked. */
typedef struct OrderPlace {
  uint32_t timeline, number;
} OrderPlace;
OrderPlace order_latest(cudaStream_t);
bool order_host_knows(const Clock *, uint64_t number);
void order_wait(cudaStream_t, const Clock *);

/* ---- streams.c, fault.c, exit.c ------------------------------------------------- */
bool runtime_stream_valid(cudaStream_t);
void runtime_watch_faults(void);
void runtime_report_fault(const void *address);
void runtime_watch_exit(void);
/* Records, before a reset, what was never freed and the unchecked error. They are reported at the
 * end. */
void runtime_note_left(void);
/* The program frees an allocation that a reset had freed. */
void runtime_leak_was_freed(uint32_t allocation);
/* Events or streams that exist. A few that are left at the end do no harm; a loop leaves many. */
typedef struct LeftBehind {
  /* For example "events" and "cudaEventDestroy". */
  const char *what, *remedy;
  uint32_t count;
  bool listed;
  /* The call that made one too many. */
  CallSite made;
  struct LeftBehind *next;
} LeftBehind;
void left_behind_made(LeftBehind *); /* one more */

#endif
