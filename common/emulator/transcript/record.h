/* Declares the functions and macros of record.c, which more/record.c also uses to record further
 * calls. */
#ifndef RECORD_H
#define RECORD_H

#include "transcript.h"

/* Called before and after each runtime call. record_begin returns true if the call must be
 * recorded. A call that the runtime makes within another call is not recorded, because the replay
 * of the outer call makes it again. */
bool record_begin(void);
void record_end(bool noted);
/* If LOCKSTEP_FAIL made the last call fail, records this failure and returns true. Then the caller
 * must not record the call itself. */
bool record_failed_on_purpose(void);

/* Records a call that the submission has just made. A call in a capturing stream has executed no
 * work and is not recorded, unless it is an allocation. */
void record_note(unsigned call, cudaError_t result, const uint64_t *arguments, size_t count,
                 const void *data, size_t bytes);
/* Records a call that cannot be replayed. The replay ends at this call. */
void record_unknown(const char *name);
uint64_t record_stream(cudaStream_t);

/* State for recording a 3-D copy as one copy of rows per plane. `waits`: the copy is
 * synchronous. */
typedef struct Planes {
  cudaError_t error;
  cudaStream_t stream;
  bool waits;
} Planes;
PlaneWork record_rows; /* the argument `data` points to a Planes */
void record_planes(const struct cudaMemcpy3DParms *, Planes);
void record_set(cudaError_t, const struct cudaMemsetParams *, cudaStream_t);
void record_launch(TranscriptCall, cudaError_t, const RuntimeKernel *, dim3 grid, dim3 block,
                   void *const *values, size_t shared, cudaStream_t);

/* Defines the wrapper of an API function that is recorded as one or more calls of other functions.
 */
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
/* Defines the wrapper of an API function that is recorded with its own name and arguments. If an
 * argument is a kernel, the local variable `name` is the name of the kernel. */
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
