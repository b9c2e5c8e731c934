/* Implements cuFFT with FFTW. The data are copied to the host, transformed, and copied back. The
 * copies use the runtime API, which checks pointers and sizes. cuFFT and FFTW describe layouts
 * with the same parameters. */
#include <fftw3.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cufftXt.h"

enum { MOST_PLANS = 1024, MOST_RANK = 3 };

/* The layout of the input or output. `embed`: the dimensions of the array in memory. `stride`:
 * distance between elements. `distance`: distance between transforms. All are in elements. */
typedef struct Layout {
  int embed[MOST_RANK], stride, distance;
} Layout;

typedef struct Plan {
  bool exists, made;
  bool
      /* The layout is the default: rows without gaps, or for a real transform in place, rows padded
       * to the size of the complex result. */
      usual;
  int rank, n[MOST_RANK], batch;
  cufftType type;
  Layout in, out;
  cudaStream_t stream;
} Plan;

static Plan plans[MOST_PLANS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects plans[] and FFTW's planner */

static Plan *plan_of(cufftHandle handle) {
  return handle >= 0 && handle < MOST_PLANS && plans[handle].exists ? &plans[handle] : NULL;
}

/* ---- plans ----------------------------------------------------------------------------------- */
cufftResult cufftCreate(cufftHandle *handle) {
  if (!handle)
    return CUFFT_INVALID_VALUE;
  if (cudaFree(NULL) != cudaSuccess) /* creates the context, as cuFFT does */
    return CUFFT_SETUP_FAILED;
  int i = 0;
  pthread_mutex_lock(&lock);
  while (i < MOST_PLANS && plans[i].exists)
    i++;
  if (i < MOST_PLANS)
    plans[i] = (Plan){.exists = true};
  pthread_mutex_unlock(&lock);
  *handle = i < MOST_PLANS ? i : CUFFT_PLAN_NULL;
  return i < MOST_PLANS ? CUFFT_SUCCESS : CUFFT_ALLOC_FAILED;
}

cufftResult cufftDestroy(cufftHandle handle) {
  Plan *p = plan_of(handle);
  if (!p)
    return CUFFT_INVALID_PLAN;
  p->exists = false;
  return CUFFT_SUCCESS;
}

static bool from_real(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
static bool to_real(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }
static bool is_double(cufftType type) { return type & 0x40; }

/* Returns the default layout: rows without gaps. `half`: only the non-redundant half of the last
 * dimension is stored. `padded`: real rows have space for the complex result. */
static Layout usual_layout(const Plan *p, bool half, bool padded) {
  Layout l = {.stride = 1, .distance = 1};
  for (int i = 0; i < p->rank; i++) {
    const bool last = i == p->rank - 1;
    l.embed[i] = last && half ? p->n[i] / 2 + 1 : last && padded ? 2 * (p->n[i] / 2 + 1) : p->n[i];
    l.distance *= l.embed[i];
  }
  return l;
}

static Layout layout(const int *embed, int rank, int stride, int distance) {
  Layout l = {.stride = stride, .distance = distance};
  memcpy(l.embed, embed, (size_t)rank * sizeof *embed);
  return l;
}

static bool is_type(cufftType type) {
  return type == CUFFT_C2C || type == CUFFT_Z2Z || from_real(type) || to_real(type);
}

cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *room) {
  Plan *p = plan_of(handle);
  if (!p || p->made)
    return CUFFT_INVALID_PLAN;
  if (rank < 1 || rank > MOST_RANK || !n)
    return CUFFT_INVALID_VALUE;
  if (!is_type(type))
    return CUFFT_INVALID_TYPE;
  for (int i = 0; i < rank; i++)
    if (n[i] < 1)
      return CUFFT_INVALID_SIZE;
  if (batch < 1)
    return CUFFT_INVALID_SIZE;
  memcpy(p->n, n, (size_t)rank * sizeof *n);
  p->rank = rank;
  p->batch = batch;
  p->type = type;
  p->usual = !inembed || !onembed;
  if (!p->usual) {
    p->in = layout(inembed, rank, istride, idist);
    p->out = layout(onembed, rank, ostride, odist);
  }
  p->made = true;
  if (room)
    *room = 0;
  return CUFFT_SUCCESS;
}

static bool type_of(cudaDataType in, cudaDataType out, cufftType *type) {
  static const struct {
    cudaDataType in, out;
    cufftType type;
  } known[] = {{CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
               {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
               {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].in == in && known[i].out == out) {
      *type = known[i].type;
      return true;
    }
  return false;
}

/* Converts numbers to int. Returns false if a number does not fit. */
static bool narrow(const long long *from, int count, int *to) {
  bool fits = true;
  for (int i = 0; from && i < count; i++) {
    to[i] = (int)from[i];
    fits = fits && to[i] == from[i];
  }
  return fits;
}

cufftResult cufftXtMakePlanMany(cufftHandle handle, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, cudaDataType input,
                                long long *onembed, long long ostride, long long odist,
                                cudaDataType output, long long batch, size_t *room,
                                cudaDataType computed) {
  int sizes[MOST_RANK], in[MOST_RANK], out[MOST_RANK], rest[5];
  cufftType type;
  (void)computed;
  if (rank < 1 || rank > MOST_RANK || !n)
    return CUFFT_INVALID_VALUE;
  if (!type_of(input, output, &type))
    return CUFFT_NOT_SUPPORTED;
  if (!narrow(n, rank, sizes) || !narrow(inembed, rank, in) || !narrow(onembed, rank, out) ||
      !narrow((long long[]){istride, idist, ostride, odist, batch}, 5, rest))
    return CUFFT_INVALID_SIZE;
  return cufftMakePlanMany(handle, rank, sizes, inembed ? in : NULL, rest[0], rest[1],
                           onembed ? out : NULL, rest[2], rest[3], type, rest[4], room);
}

static cufftResult make(cufftHandle handle, int rank, int *n, cufftType type, int batch,
                        size_t *room) {
  return cufftMakePlanMany(handle, rank, n, NULL, 1, 0, NULL, 1, 0, type, batch, room);
}
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *room) {
  return make(plan, 1, (int[]){nx}, type, batch, room);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *room) {
  return make(plan, 2, (int[]){nx, ny}, type, 1, room);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            size_t *room) {
  return make(plan, 3, (int[]){nx, ny, nz}, type, 1, room);
}

cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist,
                          int *onembed, int ostride, int odist, cufftType type, int batch) {
  cufftResult result = cufftCreate(plan);
  if (result)
    return result;
  result = cufftMakePlanMany(*plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                             batch, NULL);
  if (result)
    cufftDestroy(*plan);
  return result;
}
static cufftResult plan(cufftHandle *handle, int rank, int *n, cufftType type, int batch) {
  return cufftPlanMany(handle, rank, n, NULL, 1, 0, NULL, 1, 0, type, batch);
}
cufftResult cufftPlan1d(cufftHandle *handle, int nx, cufftType type, int batch) {
  return plan(handle, 1, (int[]){nx}, type, batch);
}
cufftResult cufftPlan2d(cufftHandle *handle, int nx, int ny, cufftType type) {
  return plan(handle, 2, (int[]){nx, ny}, type, 1);
}
cufftResult cufftPlan3d(cufftHandle *handle, int nx, int ny, int nz, cufftType type) {
  return plan(handle, 3, (int[]){nx, ny, nz}, type, 1);
}

static cufftResult no_room(cufftType type, size_t *room) {
  if (!room)
    return CUFFT_INVALID_VALUE;
  *room = 0;
  return is_type(type) ? CUFFT_SUCCESS : CUFFT_INVALID_TYPE;
}
cufftResult cufftGetSize(cufftHandle handle, size_t *room) {
  const Plan *p = plan_of(handle);
  return p ? no_room(p->type, room) : CUFFT_INVALID_PLAN;
}
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *room) {
  return nx < 1 || batch < 1 ? CUFFT_INVALID_SIZE : no_room(type, room);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *room) {
  return nx < 1 || ny < 1 ? CUFFT_INVALID_SIZE : no_room(type, room);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *room) {
  return nx < 1 || ny < 1 || nz < 1 ? CUFFT_INVALID_SIZE : no_room(type, room);
}
cufftResult cufftSetWorkArea(cufftHandle handle, void *area) {
  (void)area;
  return plan_of(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int automatic) {
  (void)automatic;
  return plan_of(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  Plan *p = plan_of(handle);
  if (!p)
    return CUFFT_INVALID_PLAN;
  p->stream = stream;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetVersion(int *version) {
  if (!version)
    return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

/* ---- a transform ----------------------------------------------------------------------------- */
/* Returns the number of elements that the transforms span, from the first to the last element.
 * `half`: as in usual_layout. */
static size_t extent(const Plan *p, const Layout *l, bool half) {
  size_t last = 0;
  for (int i = 0; i < p->rank; i++) {
    const int n = half && i == p->rank - 1 ? p->n[i] / 2 + 1 : p->n[i];
    last = (i ? last * (size_t)l->embed[i] : 0) + (size_t)n - 1;
  }
  return last * (size_t)l->stride + (size_t)(p->batch - 1) * (size_t)l->distance + 1;
}

/* Returns true if the stream of the plan is capturing, and prints a message. A captured call would
 * have to run at each launch of the graph, but FFTW computes immediately. */
static bool captured(const Plan *p) {
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(p->stream, &status);
  if (status != cudaStreamCaptureStatusNone)
    fputs(
        "lockstep: cuFFT computes on the CPU here, and its calls cannot be captured into a graph\n",
        stderr);
  return status != cudaStreamCaptureStatusNone;
}

typedef void Transform(const Plan *, const Layout *in, void *from, const Layout *out, void *to,
                       int direction);

/* FFTW has a library for double and one for float. The names of their functions have different
 * prefixes. */
#define TRANSFORM(name, fftw)                                                                      \
  static void name(const Plan *p, const Layout *in, void *from, const Layout *out, void *to,       \
                   int direction) {                                                                \
    pthread_mutex_lock(&lock);                                                                     \
    fftw##_plan plan =                                                                             \
        from_real(p->type) ? fftw##_plan_many_dft_r2c(p->rank, p->n, p->batch, from, in->embed,    \
                                                      in->stride, in->distance, to, out->embed,    \
                                                      out->stride, out->distance, FFTW_ESTIMATE)   \
        : to_real(p->type)                                                                         \
            ? fftw##_plan_many_dft_c2r(p->rank, p->n, p->batch, from, in->embed, in->stride,       \
                                       in->distance, to, out->embed, out->stride, out->distance,   \
                                       FFTW_ESTIMATE)                                              \
            : fftw##_plan_many_dft(p->rank, p->n, p->batch, from, in->embed, in->stride,           \
                                   in->distance, to, out->embed, out->stride, out->distance,       \
                                   direction, FFTW_ESTIMATE);                                      \
    pthread_mutex_unlock(&lock);                                                                   \
    fftw##_execute(plan);                                                                          \
    pthread_mutex_lock(&lock);                                                                     \
    fftw##_destroy_plan(plan);                                                                     \
    pthread_mutex_unlock(&lock);                                                                   \
  }
TRANSFORM(in_float, fftwf)
TRANSFORM(in_double, fftw)

static bool copy(const Plan *p, void *to, const void *from, size_t bytes) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, p->stream) == cudaSuccess;
}

/* Returns true if the layout has elements that do not belong to a transform. These elements must
 * keep their values. */
static bool has_gaps(const Plan *p, const Layout *l, bool half) {
  const Layout tight = usual_layout(p, half, false);
  return l->stride != 1 || l->distance != tight.distance ||
         memcmp(l->embed + 1, tight.embed + 1, sizeof l->embed - sizeof l->embed[0]) != 0;
}

static cufftResult run(cufftHandle handle, cufftType type, void *in, void *out, int direction) {
  const Plan *p = plan_of(handle);
  if (!p || !p->made)
    return CUFFT_INVALID_PLAN;
  if (p->type != type)
    return CUFFT_INVALID_TYPE;
  if (!in || !out || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  if (captured(p))
    return CUFFT_NOT_SUPPORTED;
  const bool padded = in == out;
  const bool real_in = from_real(type), real_out = to_real(type);
  const Layout from = p->usual ? usual_layout(p, real_out, padded && real_in) : p->in;
  const Layout to = p->usual ? usual_layout(p, real_in, padded && real_out) : p->out;
  const size_t number = is_double(type) ? sizeof(double) : sizeof(float);
  const size_t in_bytes = extent(p, &from, real_out) * number * (real_in ? 1 : 2);
  const size_t out_bytes = extent(p, &to, real_in) * number * (real_out ? 1 : 2);
  void *given = malloc(in_bytes), *made = malloc(out_bytes);
  cufftResult result = given && made ? CUFFT_SUCCESS : CUFFT_ALLOC_FAILED;
  if (!result && has_gaps(p, &to, real_in) && !copy(p, made, out, out_bytes))
    result = CUFFT_EXEC_FAILED;
  if (!result && !copy(p, given, in, in_bytes))
    result = CUFFT_EXEC_FAILED;
  if (!result) {
    Transform *transform = is_double(type) ? in_double : in_float;
    transform(p, &from, given, &to, made, direction);
    result = copy(p, out, made, out_bytes) ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
  }
  free(given);
  free(made);
  return result;
}

cufftResult cufftExecC2C(cufftHandle p, cufftComplex *in, cufftComplex *out, int direction) {
  return run(p, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle p, cufftReal *in, cufftComplex *out) {
  return run(p, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle p, cufftComplex *in, cufftReal *out) {
  return run(p, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle p, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction) {
  return run(p, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecD2Z(cufftHandle p, cufftDoubleReal *in, cufftDoubleComplex *out) {
  return run(p, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle p, cufftDoubleComplex *in, cufftDoubleReal *out) {
  return run(p, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
cufftResult cufftXtExec(cufftHandle handle, void *in, void *out, int direction) {
  const Plan *p = plan_of(handle);
  return p ? run(handle, p->type, in, out, direction) : CUFFT_INVALID_PLAN;
}
