/* What host code that nobody trusts asked the device for, so that it can be done again where that code cannot write.
 *
 * A lab program of a stranger's runs with record.c between it and the runtime (the linker's --wrap). In it the calls that the
 * harness makes are as untrusted as the stranger's own; what it leaves is a transcript of what the stranger's functions
 * asked for, from emulator_host_enter to emulator_host_leave, in the order of the calls. Inputs are those of another seed.
 *
 * Another program, of the given part of the lab alone, takes kernels out of the stranger's object file (object.c) and no
 * machine code. It makes the harness's calls itself, and where the harness would call a stranger's function it makes the
 * calls of the transcript instead (replay.c), with the inputs that count. So a transcript can say what was asked for and
 * nothing of what the device did.
 *
 * A transcript is a sequence of records of 64-bit words, little endian:
 *   call | arguments << 16 | sites << 32, result, bytes of data,
 *   sites: return addresses on the stack, from the program's first byte on; arguments; data, filled up to a word
 */
#ifndef TRANSCRIPT_H
#define TRANSCRIPT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../runtime/runtime.h"

/* ---- the calls ----------------------------------------------------------------------------------
 * SIMPLE: CALL(name, kinds of the arguments, their types). What an argument is:
 *   V a number or an address of the device, the same for both programs
 *   O where an answer goes that nobody needs again
 *   M where the address of new memory goes: both programs must get the same
 *   H the first byte of host memory, of as many bytes as the next argument says, that is pinned; G that was
 *   S, E a stream, an event; NS, NE where a new one's handle goes
 *   K a kernel, by its name (the data)
 */
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
/* With data, or with arguments of their own. */
/* clang-format off */
#define TRANSCRIPT_COPIES(CALL) \
  CALL(cudaMemcpy) CALL(cudaMemcpyAsync) CALL(cudaMemcpy2D) CALL(cudaMemcpy2DAsync) CALL(cudaMemcpyToSymbol) \
  CALL(cudaMemcpyToSymbolAsync) CALL(cudaMemcpyFromSymbol) CALL(cudaMemcpyFromSymbolAsync)
#define TRANSCRIPT_LAUNCHES(CALL) CALL(cudaLaunchKernel) CALL(cudaLaunchCooperativeKernel)
/* clang-format on */
#define TRANSCRIPT_CALLS6(CALL)                                                                    \
  CALL(cudaMemset2DAsync, V, void *, V, size_t, V, int, V, size_t, V, size_t, S, cudaStream_t)     \
  CALL(cudaMemcpyPeerAsync, V, void *, V, int, V, const void *, V, int, V, size_t, S, cudaStream_t)
/* clang-format off */
/* They come to calls of the lists before, with a copy of rows for each plane. A function that a
 * stream calls runs on the host. */
#define TRANSCRIPT_COMPOUNDS(CALL) \
  CALL(cudaMalloc3D) CALL(cudaMemset3D) CALL(cudaMemset3DAsync) CALL(cudaMemcpy3D) CALL(cudaMemcpy3DAsync) \
  CALL(cudaLaunchKernelExC) CALL(cudaStreamAttachMemAsync) CALL(cudaStreamAddCallback) \
  CALL(cudaLaunchHostFunc)
/* clang-format on */
typedef enum TranscriptCall {
  TRANSCRIPT_ENTER, /* a function is called */
  TRANSCRIPT_LEAVE, /* arguments: what it returned, how many calls may have failed; data: the output then */
  TRANSCRIPT_OPERAND, /* arguments: address, is it the output; data: what is there */
  TRANSCRIPT_WRITTEN, /* arguments: address in shared memory; data: what the host has put there */
  TRANSCRIPT_SEEN,    /* the same: what the host finds there since the call before */
  TRANSCRIPT_FAILED, /* on purpose; arguments: the how-manieth of its kind; data: the name of the call */
  TRANSCRIPT_FAULT,   /* arguments: the address that host code touched */
  TRANSCRIPT_UNKNOWN, /* data: the name of a call */
#define TRANSCRIPT_NAME(name, ...) TRANSCRIPT_##name,
  TRANSCRIPT_CALLS0(TRANSCRIPT_NAME) TRANSCRIPT_CALLS1(TRANSCRIPT_NAME)
      TRANSCRIPT_CALLS2(TRANSCRIPT_NAME) TRANSCRIPT_CALLS3(TRANSCRIPT_NAME)
          TRANSCRIPT_CALLS4(TRANSCRIPT_NAME) TRANSCRIPT_CALLS5(TRANSCRIPT_NAME)
              TRANSCRIPT_CALLS6(TRANSCRIPT_NAME) TRANSCRIPT_COPIES(TRANSCRIPT_NAME)
                  TRANSCRIPT_LAUNCHES(TRANSCRIPT_NAME)
#undef TRANSCRIPT_NAME
                      TRANSCRIPT_CALL_COUNT /* the calls of more/ follow (more/transcript.h) */
} TranscriptCall;

enum { TRANSCRIPT_ARGUMENTS = 10, TRANSCRIPT_OPERANDS = 8 };

/* A copy, whichever call made it: arguments of the record. A place in a variable is its name (the first part of the
 * data, `named` bytes with the NUL) and an offset, which stands for the address. */
typedef struct TranscriptCopy {
  uint64_t to, to_pitch, from, from_pitch, width, rows, kind, stream, named;
  uint64_t held; /* the data has the rows that the host had, before or after */
} TranscriptCopy;

typedef struct TranscriptLaunch {
  uint64_t grid[3], block[3], shared, stream, named;
} TranscriptLaunch;

/* Where this program's own first byte lies. */
extern const char __executable_start[];

/* ---- object.c: device code and numbers of an object file ------------------------------------- */
/* The module of the object that LOCKSTEP_OBJECT names. */
void **object_module(void);
/* All of a file, no more once `most` bytes are there; NULL: out of memory. It takes as much as is there: sanitizers look at all
 * that was asked for. */
uint8_t *whole_file(FILE *, size_t most, size_t *bytes);

/* ---- translate.c: from what the recorded program saw to what is there now -------------------- */
/* Both are elements of `element` bytes (4 or 8): where the one had the first, the other has the second. */
void translate_learn(const void *seen, const void *now, size_t bytes, size_t element);
/* In place. Elements that were never seen stay; returns how many, without zeros and new memory. literal: which; or
 * NULL. */
size_t translate(void *data, size_t bytes, size_t element, uint8_t *literal);

#endif
