/* The transcript: a record of the runtime calls of a submission. The calls are repeated in a second
 * program, which the submission cannot influence.
 *
 * In the first program, record.c is linked between the submission and the runtime (the linker's
 * --wrap). Everything in this program is untrusted, including its copy of the harness. The first
 * program writes a transcript of the calls that the submission's functions make between
 * emulator_host_enter and emulator_host_leave. The inputs of the first program are generated from a
 * different seed than the graded inputs.
 *
 * The second program contains only the given part of the lab. It loads the kernels, but no host
 * machine code, from the submission's object file (object.c). Its harness is trusted. Where the
 * harness would call a function of the submission, the program replays the calls of the transcript
 * (replay.c), with the graded inputs. So a transcript determines which device work is executed, but
 * it cannot forge results of the device.
 *
 * A transcript is a sequence of records of 64-bit words, little endian:
 *
 *   call | arguments << 16 | sites << 32, result, bytes of data,
 *   sites: return addresses on the stack, relative to the start of the program;
 *   arguments; data, padded to a multiple of 8 bytes */
#ifndef TRANSCRIPT_H
#define TRANSCRIPT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../runtime/runtime.h"

/* ---- the calls ----------------------------------------------------------------------------------
 * CALL(name, kind and type of each argument). The kinds:
 *   V a number or a device address, the same in both programs
 *   O where the runtime writes a result that the replay ignores
 *   M where the runtime writes the address of new memory, which must be the same in both programs
 *   H host memory to pin; the next argument is its size. G host memory that was pinned before
 *   S, E a stream, an event; NS, NE where the runtime writes the handle of a new one
 *   K a kernel; the data have its name */
/* clang-format off */
#define TRANSCRIPT_CALLS0(CALL) \
  CALL(cudaDeviceSynchronize) CALL(cudaDeviceReset) CALL(cudaGetLastError) CALL(cudaPeekAtLastError)
/* clang-format on */
#define TRANSCRIPT_CALLS1(CALL)                                                                    \
  CALL(cudaSetDevice, V, int)                                                                      \
  CALL(cudaDeviceSetSharedMemConfig, V, enum cudaSharedMemConfig)                                  \
  CALL(cudaFree, V, void *)                                                                        \
  CALL(cudaFreeHost, V, void *)                                                                    \
  CALL(cudaHostUnregister, G, void *)                                                              \
  CALL(cudaStreamCreate, NS, cudaStream_t *)                                                       \
  CALL(cudaStreamDestroy, S, cudaStream_t)                                                         \
  CALL(cudaStreamSynchronize, S, cudaStream_t)                                                     \
  CALL(cudaStreamQuery, S, cudaStream_t)                                                           \
  CALL(cudaEventCreate, NE, cudaEvent_t *)                                                         \
  CALL(cudaEventQuery, E, cudaEvent_t)                                                             \
  CALL(cudaEventSynchronize, E, cudaEvent_t)                                                       \
  CALL(cudaEventDestroy, E, cudaEvent_t)
#define TRANSCRIPT_CALLS2(CALL)                                                                    \
  CALL(cudaMalloc, M, void **, V, size_t)                                                          \
  CALL(cudaDeviceSetLimit, V, enum cudaLimit, V, size_t)                                           \
  CALL(cudaMallocHost, M, void **, V, size_t)                                                      \
  CALL(cudaFreeAsync, V, void *, S, cudaStream_t)                                                  \
  CALL(cudaStreamCreateWithFlags, NS, cudaStream_t *, V, unsigned)                                 \
  CALL(cudaStreamGetFlags, S, cudaStream_t, O, unsigned *)                                         \
  CALL(cudaStreamGetPriority, S, cudaStream_t, O, int *)                                           \
  CALL(cudaStreamGetDevice, S, cudaStream_t, O, int *)                                             \
  CALL(cudaStreamGetId, S, cudaStream_t, O, unsigned long long *)                                  \
  CALL(cudaEventCreateWithFlags, NE, cudaEvent_t *, V, unsigned)                                   \
  CALL(cudaEventRecord, E, cudaEvent_t, S, cudaStream_t)                                           \
  CALL(cudaFuncSetCacheConfig, K, const void *, V, enum cudaFuncCache)                             \
  CALL(cudaFuncSetSharedMemConfig, K, const void *, V, enum cudaSharedMemConfig)
#define TRANSCRIPT_CALLS3(CALL)                                                                    \
  CALL(cudaMallocAsync, M, void **, V, size_t, S, cudaStream_t)                                    \
  CALL(cudaMallocManaged, M, void **, V, size_t, V, unsigned)                                      \
  CALL(cudaHostAlloc, M, void **, V, size_t, V, unsigned)                                          \
  CALL(cudaHostRegister, H, void *, V, size_t, V, unsigned)                                        \
  CALL(cudaMemset, V, void *, V, int, V, size_t)                                                   \
  CALL(cudaStreamCreateWithPriority, NS, cudaStream_t *, V, unsigned, V, int)                      \
  CALL(cudaStreamWaitEvent, S, cudaStream_t, E, cudaEvent_t, V, unsigned)                          \
  CALL(cudaEventRecordWithFlags, E, cudaEvent_t, S, cudaStream_t, V, unsigned)                     \
  CALL(cudaEventElapsedTime, O, float *, E, cudaEvent_t, E, cudaEvent_t)                           \
  CALL(cudaFuncSetAttribute, K, const void *, V, enum cudaFuncAttribute, V, int)
#define TRANSCRIPT_CALLS4(CALL)                                                                    \
  CALL(cudaMallocPitch, M, void **, O, size_t *, V, size_t, V, size_t)                             \
  CALL(cudaMemsetAsync, V, void *, V, int, V, size_t, S, cudaStream_t)
#define TRANSCRIPT_CALLS5(CALL)                                                                    \
  CALL(cudaMemset2D, V, void *, V, size_t, V, int, V, size_t, V, size_t)                           \
  CALL(cudaMemcpyPeer, V, void *, V, int, V, const void *, V, int, V, size_t)
/* Calls whose arguments are a TranscriptCopy or a TranscriptLaunch. */
/* clang-format off */
#define TRANSCRIPT_COPIES(CALL) \
  CALL(cudaMemcpy) CALL(cudaMemcpyAsync) CALL(cudaMemcpy2D) CALL(cudaMemcpy2DAsync) \
  CALL(cudaMemcpyToSymbol) CALL(cudaMemcpyToSymbolAsync) \
  CALL(cudaMemcpyFromSymbol) CALL(cudaMemcpyFromSymbolAsync)
#define TRANSCRIPT_LAUNCHES(CALL) CALL(cudaLaunchKernel) CALL(cudaLaunchCooperativeKernel)
/* clang-format on */
#define TRANSCRIPT_CALLS6(CALL)                                                                    \
  CALL(cudaMemset2DAsync, V, void *, V, size_t, V, int, V, size_t, V, size_t, S, cudaStream_t)     \
  CALL(cudaMemcpyPeerAsync, V, void *, V, int, V, const void *, V, int, V, size_t, S, cudaStream_t)
/* clang-format off */
/* Calls that are recorded as other calls from the lists above. For example, a 3-D copy is recorded
 * as one copy of rows per plane. Callbacks of streams run on the host and are not recorded. */
#define TRANSCRIPT_COMPOUNDS(CALL) \
  CALL(cudaMalloc3D) CALL(cudaMemset3D) CALL(cudaMemset3DAsync) CALL(cudaMemcpy3D) \
  CALL(cudaMemcpy3DAsync) CALL(cudaLaunchKernelExC) CALL(cudaStreamAttachMemAsync) \
  CALL(cudaStreamAddCallback) CALL(cudaLaunchHostFunc)
/* clang-format on */
typedef enum TranscriptCall {
  TRANSCRIPT_ENTER, /* the harness calls a function of the submission */
  /* The function returns. Arguments: its result, and the number of calls so far that may fail.
   * Data: the output. */
  TRANSCRIPT_LEAVE,
  TRANSCRIPT_OPERAND, /* arguments: address; 1 if it is the output. data: its contents */
  /* Argument: an address in managed or pinned memory. Data: the bytes that the host wrote there. */
  TRANSCRIPT_WRITTEN,
  TRANSCRIPT_SEEN, /* like WRITTEN; data: the bytes after the call */
  /* LOCKSTEP_FAIL made a call fail. Argument: its number. Data: the name of the call. */
  TRANSCRIPT_FAILED,
  TRANSCRIPT_FAULT,   /* arguments: the address that host code accessed */
  TRANSCRIPT_UNKNOWN, /* data: the name of a call that cannot be replayed */
#define TRANSCRIPT_NAME(name, ...) TRANSCRIPT_##name,
  TRANSCRIPT_CALLS0(TRANSCRIPT_NAME) TRANSCRIPT_CALLS1(TRANSCRIPT_NAME)
      TRANSCRIPT_CALLS2(TRANSCRIPT_NAME) TRANSCRIPT_CALLS3(TRANSCRIPT_NAME)
          TRANSCRIPT_CALLS4(TRANSCRIPT_NAME) TRANSCRIPT_CALLS5(TRANSCRIPT_NAME)
              TRANSCRIPT_CALLS6(TRANSCRIPT_NAME) TRANSCRIPT_COPIES(TRANSCRIPT_NAME)
                  TRANSCRIPT_LAUNCHES(TRANSCRIPT_NAME)
#undef TRANSCRIPT_NAME
                      TRANSCRIPT_CALL_COUNT /* calls of more/ follow (more/transcript.h) */
} TranscriptCall;

enum { TRANSCRIPT_ARGUMENTS = 10, TRANSCRIPT_OPERANDS = 8 };

/* The arguments of a recorded copy, for all functions that copy. If one side is a device variable,
 * the data begin with its name (`named` bytes with the NUL), and `to` or `from` is the offset in
 * the variable. */
typedef struct TranscriptCopy {
  uint64_t to, to_pitch, from, from_pitch, width, rows, kind, stream, named;
  /* 1 if the data of the record contain the rows in host memory, as they were after the copy. */
  uint64_t held;
} TranscriptCopy;

typedef struct TranscriptLaunch {
  uint64_t grid[3], block[3], shared, stream, named;
} TranscriptLaunch;

/* The first byte of this program; the linker defines this symbol. */
extern const char __executable_start[];

/* ---- object.c: device code and numbers of an object file ------------------------------------- */
/* Returns the module of the object file that LOCKSTEP_OBJECT names. */
void **object_module(void);
/* Reads a file until its end, or until about `most` bytes have been read. Returns NULL if memory is
 * exhausted. The buffer starts small and grows, because sanitizers write to all memory that is
 * allocated. */
uint8_t *whole_file(FILE *, size_t most, size_t *bytes);

/* ---- translate.c: data of the recorded program to data of the replay ------------------------- */
/* Adds pairs of elements of `element` bytes (4 or 8) for `translate`: an element of `seen`, the
 * data of the recorded program, is translated to the element of `now` at the same position. */
void translate_learn(const void *seen, const void *now, size_t bytes, size_t element);
/* Translates elements in place. Elements that are not found stay unchanged. Returns the number of
 * these elements, without zeros and the contents of new memory. `literal`: NULL, or receives a flag
 * for each element, which is 1 if the element was not found. */
size_t translate(void *data, size_t bytes, size_t element, uint8_t *literal);

#endif
