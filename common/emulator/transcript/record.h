/* Functions that write a transcript (record.c); more/record.c uses them too. */
#ifndef RECORD_H
#define RECORD_H

#include "transcript.h"

/* Called before and after each runtime call. record_begin returns true if the call is to be
 * recorded. Calls that the runtime itself makes are not: the replay makes them again anyway. */
bool record_begin(void);
void record_end(bool noted);
/* Returns true if LOCKSTEP_FAIL made the last call fail. Nothing else of the call is
 * then recorded. */
bool record_failed_on_purpose(void);

/* Records a call that the submission just made. A call into a stream that captures a graph had no
 * effect and is not recorded, except an allocation. */
void record_note(unsigned call, cudaError_t result, const uint64_t *arguments, size_t count,
                 const void *data, size_t bytes);
/* Records a call that cannot be replayed. The replay ends there. */
void record_unknown(const char *name);
uint64_t record_stream(cudaStream_t);

/* State for recording a 3D copy as one copy of rows per plane. `waits`: the copy is synchronous. */
typedef struct Planes {
  cudaError_t error;
  cudaStream_t stream;
  bool waits;
} Planes;
PlaneWork record_rows; /* `data` is a Planes */
void record_planes(const struct cudaMemcpy3DParms *, Planes);
void record_set(cudaError_t, const struct cudaMemsetParams *, cudaStream_t);
void record_launch(TranscriptCall, cudaError_t, const RuntimeKernel *, dim3 grid, dim3 block,
                   void *const *values, size_t shared, cudaStream_t);

/* Wraps a call that is recorded as one or more other calls. */
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
/* Wraps a call that is recorded with its own name and arguments. `name` is that of the kernel, if
 * any. */
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
