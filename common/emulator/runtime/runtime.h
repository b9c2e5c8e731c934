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
/* A kernel failed: told by the next call that waits. */
void runtime_set_pending(cudaError_t);
cudaError_t runtime_pending(void);
/* Waits, that is: a pending error becomes the context's own and stays. Who waits for what is for order.c. */
void runtime_settle(void);
cudaError_t runtime_sticky(void);
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
/* For work that is queued behind kernels: after a failed one it is never done. */
#define RUNTIME_QUEUED(work) return RUNTIME_QUEUED_RESULT(work)
#define RUNTIME_QUEUED_RESULT(work)                                                                \
  (runtime_enter(), runtime_leave(__func__, runtime_refuses(__func__) ? runtime_refusal()          \
                                            : runtime_pending()       ? cudaSuccess                \
                                                                      : (work)))
/* For work that is done in a stream, and for what is done in the default stream while the host waits; `waits`: it does,
 * as it does not for copies between two places of the device. */
#define RUNTIME_STREAM(stream, work)                                                               \
  RUNTIME_QUEUED(                                                                                  \
      runtime_stream_valid(stream)                                                                 \
          ? (order_begin(stream, (StreamWork){.what = __func__}), order_end(stream, (work)))       \
          : cudaErrorInvalidResourceHandle)
#define RUNTIME_WAITING(work, waits)                                                               \
  RUNTIME_SYNC(                                                                                    \
      (order_begin_waiting((StreamWork){.what = __func__}), order_end_waiting((work), waits)))
/* The same function under the name that nvcc --default-stream per-thread calls. */
#define RUNTIME_ALIAS(name, suffix)                                                                \
  extern __typeof__(name) name##suffix __attribute__((alias(#name)))

/* ---- registration.c ----------------------------------------------------------------------------
 */
typedef struct RuntimeModule {
  const char *text; /* PTX in the program's own image */
  size_t length;
  const char *refusal; /* why there is no PTX, and the remedy */
  PtxModule *program;  /* decoded when first needed */
} RuntimeModule;

typedef struct RuntimeKernel {
  const void *host; /* the address that stands for the kernel in host code */
  const char *name;
  RuntimeModule *module;
  const PtxFunction *function;
  uint32_t dynamic_limit; /* what cudaFuncSetAttribute allowed */
  bool limit_set;
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
/* The memory behind a symbol, NULL for an unknown one. */
Allocation *runtime_symbol(const void *host, const char **name, size_t *bytes);

/* ---- memory.c ----------------------------------------------------------------------------------
 */
/* memory_free, told to the observers. */
bool runtime_free(uint64_t address, bool *freed_before);

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

/* ---- arrays.c ----------------------------------------------------------------------------------
 */
struct cudaArray {
  Allocation *memory;
  struct cudaChannelFormatDesc format;
  struct cudaExtent extent; /* in elements; height or depth 0: it has fewer dimensions */
  unsigned flags;
  struct cudaArray *earlier; /* made before this one, for freed ones are remembered */
};
size_t runtime_array_pitch(const struct cudaArray *);
/* The device address of byte x in row y of plane z. */
void *runtime_array_place(const struct cudaArray *, size_t x, size_t y, size_t z);
/* 1, 2 or 4 channels of 1, 2 or 4 bytes; false: something else. */
bool runtime_channels(const struct cudaChannelFormatDesc *, uint8_t *channels, uint8_t *bytes);

/* ---- launch.c ----------------------------------------------------------------------------------
 */
uint32_t runtime_dynamic_limit(const RuntimeKernel *);
uint32_t runtime_registers(const PtxFunction *);

/* ---- device.c ----------------------------------------------------------------------------------- */
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
/* A call has waited: nothing is unsettled. */
void runtime_shared_memory_settle(void);
/* For the fault handler: was it one of our closed pages? Then the access may be tried again. */
bool runtime_shared_memory_touched(const void *address);
/* Outside of the handler: what it found. */
void runtime_report_touched(void);

/* ---- streams.c ---------------------------------------------------------------------------------- */
cudaError_t runtime_stream_create(cudaStream_t *, unsigned flags, int priority);
/* Which of the timelines in clocks is the stream's? */
uint32_t runtime_timeline(cudaStream_t);
/* "stream 2", by order of creation, or "the default stream". */
void runtime_stream_name(cudaStream_t, char *out, size_t size);

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
/* An event is recorded in a stream; the stream waits for what it stands for. */
void order_record(cudaStream_t, Clock *);
void order_wait(cudaStream_t, const Clock *);

/* ---- streams.c, fault.c, exit.c ------------------------------------------------- */
bool runtime_stream_valid(cudaStream_t);
void runtime_watch_faults(void);
void runtime_watch_exit(void);
/* Before all is forgotten: what was never freed, and the error that nobody looked at, are said at the end. */
void runtime_note_left(void);

#endif
