/* Lab 06, the given part: the loop over the time steps, and the functions that compute the
 * accelerations in it. */
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"

IMPORT_KERNEL(accelerate);
IMPORT_KERNEL(accelerate_shared);
IMPORT_KERNEL(move);
cudaError_t launch_fast(const void *R, void *A, int n);
/* These functions are defined in beyond/expert.cu. */
cudaError_t launch_expert(const void *R, void *next, void *V, int n, void *workspace);
size_t expert_bytes(int n);

enum { BLOCK = 256 };

/* A function that computes the accelerations A from the positions R, both in device memory. */
typedef cudaError_t (*Accelerate)(const void *R, void *A, int n);

static cudaError_t launch(const void *kernel, const void *R, void *A, int n) {
  dim3 grid = {(unsigned)CEIL_DIV(n, BLOCK), 1, 1}, block = {BLOCK, 1, 1};
  return launch_kernel(kernel, grid, block, 0, (void *[]){&R, &A, &n}, 2, 1);
}

static cudaError_t launch_global(const void *R, void *A, int n) {
  return launch(kernel_accelerate, R, A, n);
}

static cudaError_t launch_own(const void *R, void *A, int n) {
  return ON_HOST(launch_fast(R, A, n));
}

static cudaError_t launch_shared(const void *R, void *A, int n) {
  return launch(kernel_accelerate_shared, R, A, n);
}

static cudaError_t launch_move(void *R, void *V, const void *A, int n, int step) {
  dim3 grid = {(unsigned)CEIL_DIV(n, BLOCK), 1, 1}, block = {BLOCK, 1, 1};
  void *arguments[] = {&R, &V, &A, &n, &step};
  return cudaLaunchKernel(kernel_move, grid, block, arguments, 0, NULL);
}

/* Allocates device memory for `rows` rows, each with one vector of two coordinates per body. */
static cudaError_t allocate(void **buffer, const char *name, size_t rows, size_t bodies) {
  size_t bytes = 2 * sizeof(real);
  cudaError_t error = cudaMalloc(buffer, rows * bodies * bytes);
  if (error != cudaSuccess)
    return error;
  device_name_buffer(*buffer, name, (Shape){rows, bodies}, bytes);
  return device_poison(*buffer, rows * bodies * bytes);
}

/* Computes all steps on the device. The initial state is copied to the device once, each step
 * launches two kernels, and all positions are copied back at the end. */
static cudaError_t simulate(const Run *run, Accelerate accelerate) {
  int n = run->size[NBODY_N], steps = run->size[NBODY_STEPS];
  size_t rows = (size_t)steps + 1, bytes = operand_bytes(run->instance, NBODY_R0);
  void *R = NULL, *V = NULL, *A = NULL;
  cudaError_t error = allocate(&R, "R", rows, (size_t)n);
  TRY(error, allocate(&V, "V", 1, (size_t)n));
  TRY(error, allocate(&A, "A", 1, (size_t)n));
  TRY(error, cudaMemcpy(R, run->operand[NBODY_R0], bytes, cudaMemcpyHostToDevice));
  TRY(error, cudaMemcpy(V, run->operand[NBODY_V0], bytes, cudaMemcpyHostToDevice));
  for (int step = 0; step < steps; step++) {
    TRY(error, accelerate((char *)R + (size_t)step * bytes, A, n));
    TRY(error, launch_move(R, V, A, n, step));
  }
  TRY(error, cudaMemcpy(run->operand[NBODY_R], R, rows * bytes, cudaMemcpyDeviceToHost));
  cudaFree(R);
  cudaFree(V);
  cudaFree(A);
  return error;
}

static cudaError_t run_global(const Run *run) { return simulate(run, launch_global); }
static cudaError_t run_shared(const Run *run) { return simulate(run, launch_shared); }
static cudaError_t run_fast(const Run *run) { return simulate(run, launch_own); }

/* The stream, the events and the buffers for the kernel of expert.cu, which also moves the bodies.
 * The positions of a step are copied to the host in the stream `homeward` while the next step is
 * computed. These objects are created once and kept until the program ends. */
static struct Kept {
  char *R;
  void *V, *workspace;
  cudaStream_t homeward;
  /* moved[step] is recorded after the kernel of each step. */
  cudaEvent_t *moved;
  int n, steps;
} kept;

static void free_kept(void) {
  if (kept.homeward)
    cudaStreamDestroy(kept.homeward);
  for (int step = 0; kept.moved && step < kept.steps; step++)
    if (kept.moved[step])
      cudaEventDestroy(kept.moved[step]);
  free(kept.moved);
  cudaFree(kept.R);
  cudaFree(kept.V);
  cudaFree(kept.workspace);
  kept = (struct Kept){0};
}

static cudaError_t need_kept(int n, int steps) {
  static bool registered;
  cudaError_t error = cudaSuccess;
  if (kept.R && kept.n == n && kept.steps == steps)
    return error;
  if (!registered)
    atexit(free_kept);
  registered = true;
  free_kept();
  kept = (struct Kept){.n = n, .steps = steps, .moved = calloc((size_t)steps, sizeof *kept.moved)};
  error = kept.moved ? cudaSuccess : cudaErrorMemoryAllocation;
  TRY(error, allocate((void **)&kept.R, "R", (size_t)steps + 1, (size_t)n));
  TRY(error, allocate(&kept.V, "V", 1, (size_t)n));
  TRY(error, cudaMalloc(&kept.workspace, expert_bytes(n)));
  TRY(error, cudaMemset(kept.workspace, 0, expert_bytes(n)));
  TRY(error, cudaStreamCreateWithFlags(&kept.homeward, cudaStreamNonBlocking));
  for (int step = 0; step < steps; step++)
    TRY(error, cudaEventCreateWithFlags(&kept.moved[step], cudaEventDisableTiming));
  if (error != cudaSuccess)
    free_kept();
  return error;
}

static cudaError_t run_expert(const Run *run) {
  int n = run->size[NBODY_N], steps = run->size[NBODY_STEPS];
  size_t row = operand_bytes(run->instance, NBODY_R0);
  char *home = run->operand[NBODY_R];
  cudaError_t error = need_kept(n, steps);
  TRY(error, cudaMemcpy(kept.R, run->operand[NBODY_R0], row, cudaMemcpyHostToDevice));
  TRY(error, cudaMemcpy(kept.V, run->operand[NBODY_V0], row, cudaMemcpyHostToDevice));
  for (int step = 0; error == cudaSuccess && step < steps; step++) {
    char *R = kept.R + (size_t)step * row;
    TRY(error, launch_expert(R, R + row, kept.V, n, kept.workspace));
    TRY(error, cudaEventRecord(kept.moved[step], NULL));
  }
  memcpy(home, run->operand[NBODY_R0], row);
  for (int step = 0; error == cudaSuccess && step < steps; step++) {
    size_t at = (size_t)(step + 1) * row;
    TRY(error, cudaStreamWaitEvent(kept.homeward, kept.moved[step], 0));
    TRY(error, cudaMemcpyAsync(home + at, kept.R + at, row, cudaMemcpyDeviceToHost, kept.homeward));
  }
  TRY(error, cudaStreamSynchronize(kept.homeward));
  return error;
}

/* If a body's acceleration was never written, marks its next position as unwritten too. */
static void leave_out_unwritten(const void *a, void *next, size_t n) {
  for (size_t i = 0; i < 2 * n; i++)
    if (element_is_poison(a, sizeof(real), i))
      matrix_poison((real *)next + i, sizeof(real));
}

/* Computes only the accelerations on the device, and the positions on the host. So the result of
 * task 1 does not depend on task 2. */
static cudaError_t run_acceleration(const Run *run) {
  int n = run->size[NBODY_N];
  size_t bytes = operand_bytes(run->instance, NBODY_R0);
  char *now = run->operand[NBODY_R];
  void *R = NULL, *A = NULL, *v = malloc(bytes), *a = malloc(bytes);
  cudaError_t error = v && a ? cudaSuccess : cudaErrorMemoryAllocation;
  TRY(error, allocate(&R, "R", 1, (size_t)n));
  TRY(error, allocate(&A, "A", 1, (size_t)n));
  if (error == cudaSuccess) {
    memcpy(now, run->operand[NBODY_R0], bytes);
    memcpy(v, run->operand[NBODY_V0], bytes);
  }
  for (int step = 0; error == cudaSuccess && step < run->size[NBODY_STEPS]; step++, now += bytes) {
    TRY(error, cudaMemcpy(R, now, bytes, cudaMemcpyHostToDevice));
    TRY(error, launch_global(R, A, n));
    TRY(error, cudaMemcpy(a, A, bytes, cudaMemcpyDeviceToHost));
    if (error == cudaSuccess) {
      nbody_move(sizeof(real), now, a, v, now + bytes, n);
      leave_out_unwritten(a, now + bytes, (size_t)n);
    }
  }
  cudaFree(R);
  cudaFree(A);
  free(v);
  free(a);
  return error;
}

static const Variant variants[] = {
    {"cpu", "one CPU core", PLACE_CPU, nbody_cpu},
    {"threads", "CPU threads that take the next body", PLACE_CPU, nbody_threads},
    {"acceleration", "your accelerate, while the CPU moves the bodies", PLACE_ROUND_TRIP,
     run_acceleration},
    {"global", "your accelerate and move, copies included", PLACE_ROUND_TRIP, run_global},
    {"shared", "your accelerate_shared and move, copies included", PLACE_ROUND_TRIP, run_shared},
    {"fast", "your accelerate_fast and move, copies included", PLACE_ROUND_TRIP, run_fast},
    {"expert", "given: as fast as it goes, beyond/expert.cu", PLACE_ROUND_TRIP, run_expert},
    {0},
};

const Lab lab = {
    .title = "lab 06: N bodies",
    .problem = &nbody_problem,
    .element_bytes = sizeof(real),
    .size = {1024, 10},
    .variants = variants,
    .story = "Every body pulls every other one. global reads all positions from global memory; "
             "shared loads "
             "them in tiles, once for a whole block; fast computes several bodies per thread and "
             "needs less "
             "arithmetic for each pair.",
};
