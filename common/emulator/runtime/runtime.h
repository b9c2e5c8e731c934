/* Declarations that the files of the CUDA runtime API on the emulated device share.
 *
 * The body of an API function is usually one line: RUNTIME_CALL(work). `work` calls a static
 * function that returns an error code; this function runs while the single lock of the runtime is
 * held. A kernel runs to its end inside cudaLaunchKernel. As on a GPU, its error is returned by the
 * next call that waits for the kernel. */
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
/* Stores an error for cudaGetLastError and releases the lock. Returns the result of the API call.
 */
cudaError_t runtime_leave(const char *call, cudaError_t);
/* Called when the program itself calls the runtime, but not when it registers kernels. */
void runtime_used(void);
/* Stores the error of a kernel. The next call that waits returns this error. */
void runtime_set_pending(cudaError_t);
cudaError_t runtime_pending(void);
/* Called by synchronising functions. Makes a pending kernel error sticky. order.c keeps track of
 * the work that has been waited for. */
void runtime_settle(void);
cudaError_t runtime_sticky(void);
/* Return the name and the text of an error. Unlike a call of cudaGetErrorName, a call of these
 * functions does not count as a check of the error. */
const char *runtime_error_name(int error);
const char *runtime_error_text(int error);
/* Called by cudaDeviceReset, which starts a new context. If a kernel has failed, the new context
 * fails too, because on a real device such a process cannot use the device any more. */
void runtime_clear_errors(void);
/* Returns the name, the error and the call site of the first call whose failure the program did not
 * check, for the report at the end; NULL: there is no such call. */
const char *runtime_unseen_call(cudaError_t *error, CallSite *);
bool runtime_any_failure(void);

/* ---- failures.c ------------------------------------------------------------------------------ */
/* Returns true if this call must fail without executing its work. Then it must return
 * runtime_refusal(). */
bool runtime_refuses(const char *call);
cudaError_t runtime_refusal(void);
/* Called before (true) and after (false) a host function of a stream runs. During the host
 * function, runtime calls from this thread fail. */
void runtime_in_host_function(bool);
/* Logs the number of calls that may fail on a real device. */
void runtime_note_calls(void);

/* runtime_calls returns the number of calls so far that may fail on a real device. runtime_failed
 * returns the name of the call that failed because of LOCKSTEP_FAIL, and its number among the calls
 * of its kind; NULL: no call has failed. */
uint64_t runtime_calls(void);
const char *runtime_failed(uint64_t *number);
/* Used in a replay, which makes other calls than the recorded program. Between
 * runtime_failures_are_told and runtime_failures_were_told, only the call that runtime_fail names
 * fails. runtime_failures_were_told sets the number of calls so far. */
void runtime_failures_are_told(void);
void runtime_failures_were_told(uint64_t calls);
void runtime_fail(const char *call, uint64_t number);

/* The body of an API function. Skips the work if runtime_refuses() returns true. */
#define RUNTIME_CALL(work)                                                                         \
  return (runtime_enter(),                                                                         \
          runtime_leave(__func__, runtime_refuses(__func__) ? runtime_refusal() : (work)))
/* The body of a query that succeeds even after a failure, because it needs no context. */
#define RUNTIME_ALWAYS(work) return (runtime_enter(), runtime_leave(__func__, (work)))
/* The body of a function that waits for kernels. If a kernel has failed, returns the kernel's
 * error. */
#define RUNTIME_SYNC(work)                                                                         \
  return (runtime_enter(), runtime_settle(),                                                       \
          runtime_leave(__func__, runtime_refuses(__func__) ? runtime_refusal() : (work)))
/* The body of a function that queries whether work is done. If the work is not done (`busy`), the
 * function returns cudaErrorNotReady, as on a GPU, and the query does not count as waiting. */
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
/* The body of a function that queues work after kernels. The work is skipped if an earlier kernel
 * has failed. */
#define RUNTIME_QUEUED(work) return RUNTIME_QUEUED_RESULT(work)
#define RUNTIME_QUEUED_RESULT(work)                                                                \
  (runtime_enter(), runtime_leave(__func__, runtime_refuses(__func__) ? runtime_refusal()          \
                                            : runtime_pending()       ? cudaSuccess                \
                                                                      : (work)))
/* The bodies of functions that queue work in a stream. RUNTIME_CAPTURED: if the stream is
 * capturing, `capture` adds the work to a graph instead. RUNTIME_STREAM: for work that a graph
 * cannot contain. RUNTIME_WAITING: for work in the default stream; `waits`: the host waits for the
 * work, which is true except for copies within the device. */
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
/* Defines the function also under the name that nvcc --default-stream per-thread uses. */
#define RUNTIME_ALIAS(name, suffix)                                                                \
  extern __typeof__(name) name##suffix __attribute__((alias(#name)))

/* ---- registration.c -------------------------------------------------------------------------- */
typedef struct RuntimeModule {
  /* The PTX, in the memory image of the program. */
  const char *text;
  size_t length;
  /* `length` is only an upper bound until measure_text(). */
  bool unmeasured;
  /* If `text` is NULL: the reason why there is no PTX, and the remedy. */
  const char *refusal;
  /* The decoded PTX; NULL before the first use. */
  PtxModule *program;
  /* Compiled separately: must be linked with the other relocatable modules of the program. */
  bool relocatable;
  /* Number of this module's text among the texts from which `program` was linked, from 0. */
  uint32_t part;
  /* Maximum number of registers per thread, from nvcc -maxrregcount; 0: not given. */
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
  /* For nvcc: the pointer through which host code accesses a __managed__ variable. */
  void **managed;
} RuntimeVariable;

/* Returns the kernel with this address in host code; NULL: there is no such kernel. */
RuntimeKernel *runtime_kernel(const void *host);
/* runtime_load loads a module from PTX text or a fat binary. It returns NULL if it fails, with the
 * reason in `error`. runtime_module_kernel and runtime_module_variable look up a kernel or variable
 * of a module; NULL: not found. */
RuntimeModule *runtime_load(const void *image, char *error, size_t size);
/* Returns true if ptx_load() accepts this PTX. */
bool runtime_reads(const char *text, char *error, size_t size);
RuntimeKernel *runtime_module_kernel(RuntimeModule *, const char *name);
Allocation *runtime_module_variable(RuntimeModule *, const char *name);
/* runtime_register_code registers the device code of an object file, which is a fat binary or PTX.
 * runtime_variable_called looks up a variable of this code by its name and returns the address that
 * identifies it in host code; NULL: not found. */
void **runtime_register_code(const void *data, size_t bytes);
const void *runtime_variable_called(void **module, const char *name);
/* Loads all modules that have kernels. After this call, no further device variables are
 * allocated. */
void runtime_load_all(void);
/* Returns the variable whose host copy contains this address, which is not a device pointer; NULL:
 * there is no such variable. */
const RuntimeVariable *runtime_variable_at(const void *host);
/* Returns the device memory of a symbol; NULL if the symbol is unknown. */
Allocation *runtime_symbol(const void *host, const char **name, size_t *bytes);

/* ---- memory.c -------------------------------------------------------------------------------- */
cudaError_t runtime_allocate(void **out, size_t bytes);
/* Notifies the observers and the pool of the allocation, and calls memory_free. */
bool runtime_free(uint64_t address, bool *freed_before);
/* Implement cudaMallocFromPoolAsync and cudaFreeAsync. */
cudaError_t runtime_allocate_queued(void **out, size_t bytes, cudaMemPool_t, cudaStream_t);
cudaError_t runtime_release_queued(void *pointer, cudaStream_t);

/* ---- pointers.c ------------------------------------------------------------------------------ */
/* Returns the name of a buffer: "A", or "allocation 3 (400 bytes)" if it has no name. */
const char *runtime_buffer_name(const Allocation *, char *out, size_t size);
/* Describes a pointer for messages: "byte 16 of A", "host memory", "the null pointer" ... */
const char *runtime_describe(const void *pointer, char *out, size_t size);
static inline uint64_t runtime_address(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

/* ---- copies.c -------------------------------------------------------------------------------- */
/* Copies `rows` rows of `width` bytes each. The pitches are the distances between rows in bytes. */
cudaError_t runtime_copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t rows, enum cudaMemcpyKind);
cudaError_t runtime_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind);
/* runtime_rows returns a copy of rows as parameters of a 3-D copy. runtime_copy_3d executes a 3-D
 * copy. */
struct cudaMemcpy3DParms runtime_rows(void *to, size_t to_pitch, const void *from,
                                      size_t from_pitch, size_t width, size_t rows,
                                      enum cudaMemcpyKind);
cudaError_t runtime_copy_3d(const struct cudaMemcpy3DParms *);
/* runtime_planes calls `work` for each plane of a 3-D copy. Each plane is a copy of rows.
 * runtime_set sets memory, in elements of 1, 2 or 4 bytes. */
typedef cudaError_t PlaneWork(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t rows, enum cudaMemcpyKind, void *data);
cudaError_t runtime_planes(const struct cudaMemcpy3DParms *, PlaneWork *, void *data);
cudaError_t runtime_set(const struct cudaMemsetParams *);

/* ---- symbols.c ------------------------------------------------------------------------------- */
/* Stores the device address of byte `offset` of a symbol in *out. Returns an error if the symbol
 * has fewer than `bytes` bytes from there on. */
cudaError_t runtime_symbol_place(const void *symbol, size_t bytes, size_t offset, void **out);

/* ---- events.c -------------------------------------------------------------------------------- */
/* Warns about each event whose time the program requested before the event had happened, and not
 * again later. */
void runtime_report_early_events(void);
/* Records the duration of a kernel in the emulator. If a stream does not wait for this kernel, the
 * time between two events in the stream must not include this duration. */
void runtime_events_launched(cudaStream_t, const char *kernel, double seconds);
cudaError_t runtime_event_record(cudaEvent_t, cudaStream_t);
cudaError_t runtime_event_wait(cudaStream_t, cudaEvent_t);

/* ---- launch.c -------------------------------------------------------------------------------- */
/* A kernel launch: the kernel, its configuration and its arguments. */
typedef struct KernelCall {
  const RuntimeKernel *kernel;
  dim3 grid, block;
  size_t shared;
  bool cooperative;
  /* The arguments, in the layout of the kernel's parameters. Allocated on the heap. */
  uint8_t *arguments;
} KernelCall;
/* Checks that the card can run the launch, and copies its parameters. */
cudaError_t runtime_prepare_kernel(const void *handle, dim3 grid, dim3 block, void **arguments,
                                   size_t shared, bool cooperative, KernelCall *out);
cudaError_t runtime_run_kernel(const KernelCall *, cudaStream_t);
/* runtime_copy_arguments returns a copy of the arguments. runtime_argument_places returns an array
 * with the address of each argument. The results are allocated on the heap; NULL: out of memory. */
uint8_t *runtime_copy_arguments(const KernelCall *);
void **runtime_argument_places(const KernelCall *);
uint32_t runtime_registers(const PtxFunction *);

/* ---- more/: functions that the runtime calls
 *
 * Arrays, pools and graphs are implemented in more/, which defines all functions of this section.
 * If the folder more/ is missing, without_more.c defines the functions that are not marked with
 * IN_MORE, and the marked functions are never called. */
#define IN_MORE __attribute__((weak))

/* A CUDA array. Its handle is not a pointer to memory. */
struct cudaArray {
  Allocation *memory;
  struct cudaChannelFormatDesc format;
  /* In elements. If depth or height is 0, the array has fewer dimensions. */
  struct cudaExtent extent;
  unsigned flags;
  /* The array that was created before this one. Freed arrays stay in the list. */
  struct cudaArray *earlier;
};
bool runtime_is_array(const void *);
IN_MORE size_t runtime_array_pitch(const struct cudaArray *);
/* Returns the device address of byte x in row y of plane z. */
IN_MORE void *runtime_array_place(const struct cudaArray *, size_t x, size_t y, size_t z);

/* Returns the memory pool that cudaMallocAsync uses; NULL: there is no pool. */
cudaMemPool_t pool_current(void);
IN_MORE bool pool_has_room(cudaMemPool_t, size_t bytes);
IN_MORE void pool_took(cudaMemPool_t, size_t bytes);
IN_MORE void pool_got_back(cudaMemPool_t, size_t bytes);

/* Returns true if a node of a graph allocates this memory. Such memory is freed when the last graph
 * with such a node is destroyed. */
bool graph_allocates(const void *memory);
/* Marks memory that a graph allocates as free until the next launch of the graph. Returns false if
 * no graph allocates this memory. */
bool graph_takes_back(void *memory, bool *freed_before);

/* The nodes on which the next work depends: the last nodes of a capturing stream, or of an event
 * that was recorded in one. */
typedef struct NodeList {
  cudaGraphNode_t *at;
  size_t count;
} NodeList;
typedef struct CapturePoint {
  /* NULL: nothing is captured. */
  struct Capture *capture;
  unsigned long long id;
  NodeList latest;
} CapturePoint;
/* Returns true if work queued in the stream is captured as graph nodes. */
bool capture_takes(cudaStream_t);
/* Called by functions that wait. If a capture is active during which the host must not wait for the
 * device, invalidates the capture and returns true. */
bool capture_forbids_waiting(void);
bool capture_holds(const CapturePoint *event);
/* The following capture_ functions add work in a capturing stream to the graph. capture_refuses is
 * called for work that a graph cannot contain: it invalidates the capture and returns an error. */
IN_MORE cudaError_t capture_refuses(cudaStream_t);
IN_MORE cudaError_t capture_copy(cudaStream_t, void *to, size_t to_pitch, const void *from,
                                 size_t from_pitch, size_t width, size_t rows, enum cudaMemcpyKind);
IN_MORE cudaError_t capture_copy_3d(cudaStream_t, const struct cudaMemcpy3DParms *);
IN_MORE cudaError_t capture_set(cudaStream_t, const struct cudaMemsetParams *);
/* Takes ownership of KernelCall.arguments. */
IN_MORE cudaError_t capture_kernel(cudaStream_t, const KernelCall *);
IN_MORE cudaError_t capture_host(cudaStream_t, cudaHostFn_t, void *data);
/* Adds a node that allocates memory or, if `frees`, frees memory. */
IN_MORE cudaError_t capture_memory(cudaStream_t, void *memory, size_t bytes, bool frees);
/* capture_record is called if an event is recorded in a capturing stream, and capture_wait if a
 * stream waits for an event that was recorded in a capturing stream. */
IN_MORE cudaError_t capture_record(cudaStream_t, CapturePoint *event);
IN_MORE cudaError_t capture_wait(cudaStream_t, const CapturePoint *event);

/* ---- device.c -------------------------------------------------------------------------------- */
size_t runtime_limit(enum cudaLimit);
/* Returns the maximum number of pending launches that kernels have made
 * (cudaLimitDevRuntimePendingLaunchCount). */
size_t runtime_pending_launches(void);
static inline BankChoice runtime_bank_choice(enum cudaSharedMemConfig config) {
  return config == cudaSharedMemBankSizeEightByte  ? BANK_CHOICE_8
         : config == cudaSharedMemBankSizeFourByte ? BANK_CHOICE_4
                                                   : BANK_CHOICE_DEFAULT;
}

/* ---- functions.c ----------------------------------------------------------------------------- */
/* Returns the maximum number of blocks of `threads` threads that are resident on a
 * multiprocessor. */
uint32_t runtime_resident_blocks(const RuntimeKernel *, uint32_t threads, size_t dynamic_shared);

/* ---- shared_memory.c: managed and pinned memory, closed to host code that has not waited ----- */
/* Called before and after the runtime or a kernel accesses managed or pinned memory. */
void runtime_shared_memory_open(void);
void runtime_shared_memory_close(void);
/* On some cards, host code must not access managed memory while a kernel runs. On such a card,
 * runtime_shared_memory_bar, which is called after a launch, makes all managed memory inaccessible.
 * runtime_shared_memory_attached is called if the program attaches memory to streams. This exempts
 * some memory from the rule, so the rule is not checked in such a program. */
void runtime_shared_memory_bar(void);
void runtime_shared_memory_attached(void);
/* Called when the host has waited: makes memory that the finished work wrote or read accessible
 * again. */
void runtime_shared_memory_settle(void);
/* Called by the fault handler. If the address is in a closed (inaccessible) page, makes the page
 * accessible and returns true, so that the access can be repeated. */
bool runtime_shared_memory_touched(const void *address);
/* Called before a system call reads these bytes, or writes them if `to_fill`. Makes closed pages
 * accessible, because a system call that accesses a closed page fails. */
void runtime_shared_memory_handed(void *address, size_t bytes, bool to_fill);
/* Reports the accesses that the fault handler has found. Must not be called by the handler. */
void runtime_report_touched(void);

/* ---- streams.c ------------------------------------------------------------------------------- */
cudaError_t runtime_stream_create(cudaStream_t *, unsigned flags, int priority);
/* Called by stream_kinds.c, which is a separate archive member. `call`: the name of the API
 * function. */
cudaError_t emulator_create_stream(const char *call, cudaStream_t *, unsigned flags, int priority);
void emulator_track_streams(void);
/* Returns the index of the stream's timeline in clocks. */
uint32_t runtime_timeline(cudaStream_t);
/* runtime_capture_point returns the capture state of a stream; NULL if the stream cannot capture.
 * runtime_each_capture_point calls `work` for the capture state of each stream. */
CapturePoint *runtime_capture_point(cudaStream_t);
void runtime_each_capture_point(void (*work)(CapturePoint *, void *), void *data);
/* runtime_blocking_captures returns true if a stream that synchronises with the legacy default
 * stream is capturing. runtime_is_default returns true for the legacy default stream. */
bool runtime_blocking_captures(void);
bool runtime_is_default(cudaStream_t);
/* Returns the stream in which branch i of a launched graph runs. */
cudaStream_t runtime_branch(uint32_t i);
bool runtime_is_branch(cudaStream_t);
/* Writes the name of the stream for messages: "stream 2", numbered in the order of creation, or
 * "the default stream". */
void runtime_stream_name(cudaStream_t, char *out, size_t size);

/* ---- asynchrony.c: what the host can observe of a kernel that it has not waited for ---------- */
void asynchrony_launches(void);
void asynchrony_launched(const char *kernel);
void asynchrony_event_recorded(void);
/* Called when the program reads a host clock. */
void asynchrony_clock_read(void);
/* asynchrony_asked_to_wait is called when the program calls a function whose only purpose is to
 * wait, asynchrony_host_waited when a call has waited, and asynchrony_ends when the program
 * ends. */
void asynchrony_asked_to_wait(void);
void asynchrony_host_waited(void);
void asynchrony_ends(void);

/* ---- order.c: ordering of work --------------------------------------------------------------- */
/* order_track is called when streams may run concurrently from now on. Then the order of their work
 * is tracked, and order_tracked returns true. */
void order_track(void);
bool order_tracked(void);
/* Create and destroy the timeline of a stream. */
uint32_t order_stream(bool blocking);
void order_stream_gone(uint32_t timeline);
/* order_begin is called when an API call begins work in a stream; the StreamWork describes the
 * work. order_end is called when the work is done or has failed, and returns the error.
 * order_begin_waiting and order_end_waiting are for work in the default stream, for which the host
 * may wait. */
void order_begin(cudaStream_t, StreamWork);
cudaError_t order_end(cudaStream_t, cudaError_t);
void order_begin_waiting(StreamWork);
cudaError_t order_end_waiting(cudaError_t, bool waits);
/* order_queueing returns true if, on a GPU, the host continues while the current work runs.
 * order_returns_late is called if the current call returns only after its work has finished. */
bool order_queueing(void);
void order_returns_late(void);
/* Called when the host has waited for a stream, for the work that a clock covers, or for all work.
 * order_host_learns is called when a stream has reached a host function. */
void order_host_waits(cudaStream_t);
void order_host_learns(cudaStream_t);
void order_host_waits_for(const Clock *);
void order_host_waits_for_all(void);
/* Returns true if the stream has work that the host has not waited for. After new work, only the
 * first query returns true, so that a program that polls can continue. */
bool order_busy(cudaStream_t);
/* order_record is called when an event is recorded in a stream. It returns the number of the record
 * and fills in the event's clock. order_host_knows returns true if the host has waited for this
 * record. order_wait is called when a stream waits for an event. */
uint64_t order_record(cudaStream_t, Clock *);
/* The latest work of a stream: its timeline and its number in that timeline. Used only if streams
 * are tracked. */
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
/* Called before a reset and at the end of the program. Stores the reports of memory that was not
 * freed and of an unchecked error, which are shown at the end. */
void runtime_note_left(void);
/* Called if the program frees an allocation that cudaDeviceReset has already freed. */
void runtime_leak_was_freed(uint32_t allocation);
/* Counts the existing events or streams. If many of them exist at the end, this is reported,
 * because a loop creates them. A few are not reported. */
typedef struct LeftBehind {
  /* `what` and `remedy` are for example "events" and "cudaEventDestroy". */
  const char *what, *remedy;
  uint32_t count;
  bool listed;
  /* The call with which the count reached the limit. */
  CallSite made;
  struct LeftBehind *next;
} LeftBehind;
void left_behind_made(LeftBehind *); /* increases `count` by 1 */

#endif
