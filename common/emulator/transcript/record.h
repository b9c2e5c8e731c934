/* What writes a transcript (record.c), for the calls of more/ as well (more/record.c). */
#ifndef RECORD_H
#define RECORD_H

#include "transcript.h"

/* Around each call. `begin` returns true if the call is to be noted: the calls that the runtime
 * makes on the way come again by themselves. */
bool record_begin(void);
void record_end(bool noted);
/* Did the call that was just made fail on purpose? Then there is nothing else to note. */
bool record_failed_on_purpose(void);

/* Notes a call that the stranger's code made just now. Where a stream captures, nothing was done,
 * and nothing but an allocation is noted. */
void record_note(unsigned call, cudaError_t result, const uint64_t *arguments, size_t count,
                 const void *data, size_t bytes);
/* The replay ends there. */
void record_unknown(const char *name);
uint64_t record_stream(cudaStream_t);

/* A copy of rows, as many times as it has planes; how the stream waits decides which call it is. */
typedef struct Planes {
  cudaError_t error;
  cudaStream_t stream;
  bool waits;
} Planes;
PlaneWork record_rows; /* its data: Planes */
void record_planes(const struct cudaMemcpy3DParms *, Planes);
void record_set(cudaError_t, const struct cudaMemsetParams *, cudaStream_t);
void record_launch(TranscriptCall, cudaError_t, const RuntimeKernel *, dim3 grid, dim3 block,
                   void *const *values, size_t shared, cudaStream_t);

/* A call that is noted as what it comes to. */
#define WRAP_AS(name, parameters, values, noting)                                                  \
  cudaError_t __real_##name parameters;                                                            \
  cudaError_t __wrap_##name parameters;                                                            \
  cudaError_t __wrap_##name parameters {                                                           \
    bool noted = record_begin();                                                                   \
    cudaError_t error = __real_##name values;                                                      \
    if (noted && !record_failed_on_purpose()) {                                                    \
      noting;                                                                                      \
    }                                                                                              \
    record_end(noted);                                                                             \
    return error;                                                                                  \
  }
/* A call whose record has its name and its arguments. `name` is the kernel's, if it has one. */
#define WRAP(name_, parameters, values, noted_arguments, count)                                    \
  cudaError_t __real_##name_ parameters;                                                           \
  cudaError_t __wrap_##name_ parameters;                                                           \
  cudaError_t __wrap_##name_ parameters {                                                          \
    const char *name = "";                                                                         \
    bool noted = record_begin();                                                                   \
    cudaError_t error = __real_##name_ values;                                                     \
    uint64_t arguments[] = {noted_arguments};                                                      \
    if (noted && !record_failed_on_purpose())                                                      \
      record_note(TRANSCRIPT_##name_, error, arguments, count, name, strlen(name));                \
    record_end(noted);                                                                             \
    return error;                                                                                  \
  }
#define ADDRESS(value) (uint64_t)(uintptr_t)(value)

#endif
