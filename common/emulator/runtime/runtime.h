/* The CUDA runtime API on the emulated device: what its files share.
 *
 * Every entry point is one line: RUNTIME_CALL(work), where the work is a static function that
 * returns an error code and runs under the one lock of the runtime. Kernels run to their end inside
 * cudaLaunchKernel, so "asynchronous" here means: what a kernel did wrong is told by the next call
 * that would wait for it, as on a GPU.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../include/cuda_runtime_api.h"
#include "../hooks.h"
#include "../machine/machine.h"

/* ---- errors.c ----------------------------------------------------------------------------------
 */
void runtime_enter(void);
/* Remembers a failure for cudaGetLastError and gives back what the call returns. */
cudaError_t runtime_leave(const char *call, cudaError_t);
/* The program calls the runtime, which its registrations are no part of. */
void runtime_used(void);
/* A kernel failed: told by the next call that waits. */
void runtime_set_pending(cudaError_t);
cudaError_t runtime_pending(void);
/* Waits, that is: a pending error becomes the context's own and stays. Who waits for what is for order.c. */
void runtime_settle(void);
cudaError_t runtime_sticky(void);
/* An error's name and text. Unlike cudaGetErrorName they do not count as a check of the error. */
const char *runtime_error_name(int error);
const char *runtime_error_text(int error);
/* cudaDeviceReset: a new context, but a process whose kernel failed has lost the device, as on a
 * real one. */
void runtime_clear_errors(void);
/* The first failure that the program took no notice of, and where, for the end of the program; NULL: none. */
const char *runtime_unseen_call(cudaError_t *error, CallSite *);
bool runtime_any_failure(void);

/* ---- failures.c --------------------------------------------------------------------------------
 */
/* Does this call do no work? Then runtime_refusal says what it returns. */
bool runtime_refuses(const char *call);
cudaError_t runtime_refusal(void);
/* A function that a stream calls begins or ends: this thread may not call the runtime there. */
void runtime_in_host_function(bool);
/* The log has how many there were that may fail. */
void runtime_note_calls(void);

/* How many that was so far, and which one failed, the how-manieth of its kind; NULL: none has. */
uint64_t runtime_calls(void);
const char *runtime_failed(uint64_t *number);
/* From the first to the second of these no call fails but those that are named by the third: in a replay, which makes
 * others. So many calls it has been, then. */
void runtime_failures_are_told(void);
void runtime_failures_were_told(uint64_t calls);
void runtime_fail(const char *call, uint64_t number);

/* A context that is broken does no more work, and a call that LOCKSTEP_FAIL names does none either. */
#define RUNTIME_CALL(work)                                                                         \
  return (runtime_enter(),                                                                         \
          runtime_leave(__func__, runtime_refuses(__func__) ? runtime_refusal() : (work)))
/* For questions that need no context. */
#define RUNTIME_ALWAYS(work) return (runtime_enter(), runtime_leave(__func__, (work)))
/* For calls that wait for kernels. */
#define RUNTIME_SYNC(work)                                                                         \
  return (runtime_enter(), runtime_settle(),                                                       \
          runtime_leave(__func__, runtime_refuses(__func__) ? runtime_refusal() : (work)))
/* For questions whether work is done. If it is not, a GPU answers cudaErrorNotReady, and nothing has
 * waited. */
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
/* For work that is queued behind kernels: after a failed one it is never done. */
#define RUNTIME_QUEUED(work) return RUNTIME_QUEUED_RESULT(work)
#define RUNTIME_QUEUED_RESULT(work)                                                                \
  (runtime_enter(), runtime_leave(__func__, runtime_refuses(__func__) ? runtime_refusal()          \
                                            : runtime_pending()       ? cudaSuccess                \
                                                                      : (work)))
/* For work that is done in a stream, or becomes a node where the stream captures; for work that no graph can hold; and
 * for what is done in the default stream while the host waits; `waits`: it does, as it does not for copies between two
 * places of the device. */
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

/* ---- registration.c ----------------------------------------------------------------------------
 */
typedef struct RuntimeModule {
  const char *text; /* PTX in the program's own image */
  size_t length;
  const char *refusal;     /* why there is no PTX, and the remedy */
  PtxModule *program;      /* decoded when first needed */
  bool relocatable;        /* to be linked with the program's others of this kind */
  uint32_t part;           /* which of the texts that `program` is linked from, from 0 on */
  uint32_t most_registers; /* -maxrregcount of nvcc: the most for a thread, 0 none */
} RuntimeModule;

typedef struct RuntimeKernel {
  const void *host; /* the address that stands for the kernel in host code */
  const char *name;
  RuntimeModule *module;
  const PtxFunction *function;
  BankChoice banks; /* what cudaFuncSetSharedMemConfig said */
} RuntimeKernel;

typedef struct RuntimeVariable {
  const void *host;
  const char *name;
  RuntimeModule *module;
  size_t bytes;
  void **managed; /* nvcc's pointer through which host code reaches a __managed__ variable */
} RuntimeVariable;

/* NULL when no kernel of that address was compiled into the program. */
RuntimeKernel *runtime_kernel(const void *host);
/* A module that the program has as text, or in a fat binary; NULL: `error` says why not. And what is in it; NULL: nothing
 * of that name. */
RuntimeModule *runtime_load(const void *image, char *error, size_t size);
/* Is this PTX that ptx_load() takes? */
bool runtime_reads(const char *text, char *error, size_t size);
RuntimeKernel *runtime_module_kernel(RuntimeModule *, const char *name);
Allocation *runtime_module_variable(RuntimeModule *, const char *name);
/* Device code of an object file, a fat binary or PTX. And a variable of it, as host code would name it; NULL: none. */
void **runtime_register_code(const void *data, size_t bytes);
const void *runtime_variable_called(void **module, const char *name);
/* All that has kernels, now: later nothing else takes a place in memory for its variables. */
void runtime_load_all(void);
/* The variable whose copy on the host has that address; NULL: none. A pointer into it is no
 * pointer to the device. */
const RuntimeVariable *runtime_variable_at(const void *host);
/* The memory behind a symbol, NULL for an unknown one. */
Allocation *runtime_symbol(const void *host, const char **name, size_t *bytes);

/* ---- memory.c ----------------------------------------------------------------------------------
 */
cudaError_t runtime_allocate(void **out, size_t bytes);
/* memory_free, told to the observers. */
bool runtime_free(uint64_t address, bool *freed_before);
/* What cudaMallocFromPoolAsync and cudaFreeAsync do. */
cudaError_t runtime_allocate_queued(void **out, size_t bytes, cudaMemPool_t, cudaStream_t);
cudaError_t runtime_release_queued(void *pointer, cudaStream_t);

/* ---- pointers.c --------------------------------------------------------------------------------
 */
/* "A", or "allocation 3 (400 bytes)" for one without a name. */
const char *runtime_buffer_name(const Allocation *, char *out, size_t size);
/* What a pointer is, for messages: "byte 16 of A", "host memory", "the null pointer" ... */
const char *runtime_describe(const void *pointer, char *out, size_t size);
static inline uint64_t runtime_address(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

/* ---- copies.c ----------------------------------------------------------------------------------
 */
/* Rows of `width` bytes. */
cudaError_t runtime_copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t rows, enum cudaMemcpyKind);
cudaError_t runtime_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind);
/* The same as parameters of the most general copy, and what does that; and what sets memory, in elements of 1, 2 or 4
 * bytes. */
struct cudaMemcpy3DParms runtime_rows(void *to, size_t to_pitch, const void *from,
                                      size_t from_pitch, size_t width, size_t rows,
                                      enum cudaMemcpyKind);
cudaError_t runtime_copy_3d(const struct cudaMemcpy3DParms *);
/* What it comes to: a copy of rows for each plane. */
typedef cudaError_t PlaneWork(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t rows, enum cudaMemcpyKind, void *data);
cudaError_t runtime_planes(const struct cudaMemcpy3DParms *, PlaneWork *, void *data);
cudaError_t runtime_set(const struct cudaMemsetParams *);

/* ---- symbols.c ---------------------------------------------------------------------------------- */
/* The device address of `bytes` bytes at `offset` in a symbol. */
cudaError_t runtime_symbol_place(const void *symbol, size_t bytes, size_t offset, void **out);

/* ---- events.c ----------------------------------------------------------------------------------- */
/* Warns of events whose time the program asked for too early, and never got. */
void runtime_report_early_events(void);
/* A kernel took so long here: an event of a stream that does not wait for it leaves that out. */
void runtime_events_launched(cudaStream_t, const char *kernel, double seconds);
cudaError_t runtime_event_record(cudaEvent_t, cudaStream_t);
cudaError_t runtime_event_wait(cudaStream_t, cudaEvent_t);

/* ---- launch.c ----------------------------------------------------------------------------------
 */
/* A kernel with all that a launch gives it. */
typedef struct KernelCall {
  const RuntimeKernel *kernel;
  dim3 grid, block;
  size_t shared;
  bool cooperative;
  uint8_t *arguments; /* as the kernel's parameters lie; on the heap */
} KernelCall;
/* May the card run it? Then all is copied. */
cudaError_t runtime_prepare_kernel(const void *handle, dim3 grid, dim3 block, void **arguments,
                                   size_t shared, bool cooperative, KernelCall *out);
cudaError_t runtime_run_kernel(const KernelCall *, cudaStream_t);
/* On the heap: its arguments once more, and where each of them lies; NULL: no memory. */
uint8_t *runtime_copy_arguments(const KernelCall *);
void **runtime_argument_places(const KernelCall *);
uint32_t runtime_registers(const PtxFunction *);

/* ---- more/: what the runtime asks it -----------------------------------------------------------
 * Arrays, pools and graphs are in more/, which defines all of this. without_more.c answers the
 * questions where that folder is not there or a program does not link with it. Nothing calls the
 * weak functions then.
 */
#define IN_MORE __attribute__((weak))

/* A CUDA array, which is no pointer to memory. */
struct cudaArray {
  Allocation *memory;
  struct cudaChannelFormatDesc format;
  struct cudaExtent extent; /* in elements; height or depth 0: it has fewer dimensions */
  unsigned flags;
  struct cudaArray *earlier; /* made before this one; freed arrays stay in the list */
};
bool runtime_is_array(const void *);
IN_MORE size_t runtime_array_pitch(const struct cudaArray *);
/* The device address of byte x in row y of plane z. */
IN_MORE void *runtime_array_place(const struct cudaArray *, size_t x, size_t y, size_t z);

/* Where cudaMallocAsync takes memory from; NULL: from no pool. */
cudaMemPool_t pool_current(void);
IN_MORE bool pool_has_room(cudaMemPool_t, size_t bytes);
IN_MORE void pool_took(cudaMemPool_t, size_t bytes);
IN_MORE void pool_got_back(cudaMemPool_t, size_t bytes);

/* Does a graph allocate that memory? Such memory is freed with the last graph that allocates it. */
bool graph_allocates(const void *memory);
/* Frees it for the graph's next launch. False: no graph allocates it. */
bool graph_takes_back(void *memory, bool *freed_before);

/* The latest nodes of a stream that captures, or of an event that was recorded in one. */
typedef struct NodeList {
  cudaGraphNode_t *at;
  size_t count;
} NodeList;
typedef struct CapturePoint {
  struct Capture *capture; /* NULL: none */
  unsigned long long id;
  NodeList latest;
} CapturePoint;
/* Does the stream record what is queued in it, as nodes of a graph? */
bool capture_takes(cudaStream_t);
/* May no call wait for the device now? That spoils the capture, too. */
bool capture_forbids_waiting(void);
bool capture_holds(const CapturePoint *event);
/* Work of a stream that captures. A call that no graph can hold is refused and spoils the capture. */
IN_MORE cudaError_t capture_refuses(cudaStream_t);
IN_MORE cudaError_t capture_copy(cudaStream_t, void *to, size_t to_pitch, const void *from,
                                 size_t from_pitch, size_t width, size_t rows, enum cudaMemcpyKind);
IN_MORE cudaError_t capture_copy_3d(cudaStream_t, const struct cudaMemcpy3DParms *);
IN_MORE cudaError_t capture_set(cudaStream_t, const struct cudaMemsetParams *);
/* Takes over the call's arguments. */
IN_MORE cudaError_t capture_kernel(cudaStream_t, const KernelCall *);
IN_MORE cudaError_t capture_host(cudaStream_t, cudaHostFn_t, void *data);
/* Memory that is allocated or freed in a stream that captures. */
IN_MORE cudaError_t capture_memory(cudaStream_t, void *memory, size_t bytes, bool frees);
/* An event is recorded in a stream that captures; a stream waits for an event of a capture. */
IN_MORE cudaError_t capture_record(cudaStream_t, CapturePoint *event);
IN_MORE cudaError_t capture_wait(cudaStream_t, const CapturePoint *event);

/* ---- device.c ----------------------------------------------------------------------------------- */
size_t runtime_limit(enum cudaLimit);
size_t runtime_pending_launches(void); /* of kernels, by kernels: how many may wait */
static inline BankChoice runtime_bank_choice(enum cudaSharedMemConfig config) {
  return config == cudaSharedMemBankSizeEightByte  ? BANK_CHOICE_8
         : config == cudaSharedMemBankSizeFourByte ? BANK_CHOICE_4
                                                   : BANK_CHOICE_DEFAULT;
}

/* ---- functions.c ------------------------------------------------------------------------------- */
/* How many blocks of this size one multiprocessor holds. */
uint32_t runtime_resident_blocks(const RuntimeKernel *, uint32_t threads, size_t dynamic_shared);

/* ---- shared_memory.c: managed and pinned memory, closed to host code that has not waited ------- */
/* The runtime or a kernel works on it, and is done. */
void runtime_shared_memory_open(void);
void runtime_shared_memory_close(void);
/* A kernel runs, and no host code may touch managed memory, where the card has it so; and the
 * program attaches memory to streams, so some it may. */
void runtime_shared_memory_bar(void);
void runtime_shared_memory_attached(void);
/* A call has waited: nothing is unsettled. */
void runtime_shared_memory_settle(void);
/* For the fault handler: was it one of our closed pages? Then the access may be tried again. */
bool runtime_shared_memory_touched(const void *address);
/* The operating system is about to read these bytes, or to fill them: a closed page is no fault to it, but an error. */
void runtime_shared_memory_handed(void *address, size_t bytes, bool to_fill);
/* Outside of the handler: what it found. */
void runtime_report_touched(void);

/* ---- streams.c ---------------------------------------------------------------------------------- */
cudaError_t runtime_stream_create(cudaStream_t *, unsigned flags, int priority);
/* For stream_kinds.c, which lies apart from all this in programs of others: `call` creates a stream. */
cudaError_t emulator_create_stream(const char *call, cudaStream_t *, unsigned flags, int priority);
void emulator_track_streams(void);
/* Which of the timelines in clocks is the stream's? */
uint32_t runtime_timeline(cudaStream_t);
/* Where the stream has come to in a capture; NULL: it is one that cannot capture. And those of all streams. */
CapturePoint *runtime_capture_point(cudaStream_t);
void runtime_each_capture_point(void (*work)(CapturePoint *, void *), void *data);
/* Does a stream capture that the legacy default stream waits for? And is this that one? */
bool runtime_blocking_captures(void);
bool runtime_is_default(cudaStream_t);
/* A stream for the i-th branch of a graph that is launched. */
cudaStream_t runtime_branch(uint32_t i);
bool runtime_is_branch(cudaStream_t);
/* "stream 2", by order of creation, or "the default stream". */
void runtime_stream_name(cudaStream_t, char *out, size_t size);

/* ---- asynchrony.c: what the host sees of a kernel that it has not waited for ----------------------- */
void asynchrony_launches(void);
void asynchrony_launched(const char *kernel);
void asynchrony_event_recorded(void);
/* The program reads a clock of the host. */
void asynchrony_clock_read(void);
/* The program calls a function whose only purpose is to wait; some call has waited; the program
 * ends. */
void asynchrony_asked_to_wait(void);
void asynchrony_host_waited(void);
void asynchrony_ends(void);

/* ---- order.c: what is done before what ----------------------------------------------------------- */
/* Streams may run side by side from now on; may they? */
void order_track(void);
bool order_tracked(void);
/* A new stream's timeline; it is destroyed. */
uint32_t order_stream(bool blocking);
void order_stream_gone(uint32_t timeline);
/* The call does work in a stream: of which a name is given, and the kernel or what else there is to say. And it has
 * done it, if there is no error, which it gives back. */
void order_begin(cudaStream_t, StreamWork);
cudaError_t order_end(cudaStream_t, cudaError_t);
void order_begin_waiting(StreamWork);
cudaError_t order_end_waiting(cudaError_t, bool waits);
/* Does the host go on while it is done? And no, this copy returns only then. */
bool order_queueing(void);
void order_returns_late(void);
/* The host has waited: for a stream, for what an event stands for, for everything. */
void order_host_waits(cudaStream_t);
void order_host_learns(cudaStream_t);
void order_host_waits_for(const Clock *);
void order_host_waits_for_all(void);
/* Is there work in the stream that the host has not waited for? Only the first question after new
 * work is answered with yes, so that a program that asks again and again goes on. */
bool order_busy(cudaStream_t);
/* An event is recorded in a stream, under a number; has the host waited for it? The stream waits
 * for what it stands for. */
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
/* Before all is forgotten: what was never freed, and the error that was not checked, are said at the end. */
void runtime_note_left(void);
/* The program frees after all what a reset has taken away. */
void runtime_leak_was_freed(uint32_t allocation);
/* Events or streams that exist. A few that are left at the end do no harm; a loop leaves many. */
typedef struct LeftBehind {
  const char *what, *remedy; /* "events", "cudaEventDestroy" */
  uint32_t count;
  bool listed;
  CallSite made; /* where they became many */
  struct LeftBehind *next;
} LeftBehind;
void left_behind_made(LeftBehind *); /* one more */

#endif
