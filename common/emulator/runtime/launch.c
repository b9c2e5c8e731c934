/* Implements kernel launches: the functions that compiler-generated code calls for <<<>>>, the API
 * functions, and the check against the limits of the card.
 *
 * For kernel<<<...>>>(...), compilers generate a call that pushes the configuration, and then a
 * call of a stub function with the name of the kernel. The stub pops the configuration and calls
 * cudaLaunchKernel. A stub from nvcc 13 first gets a handle of the kernel (__cudaGetKernel) and
 * passes it to __cudaLaunchKernel. */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../state/occupancy.h"

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream);

/* ---- the configuration between <<<>>> and the stub ------------------------------------------- */
/* The configurations are a stack, because the evaluation of a kernel's argument may launch another
 * kernel. */
enum { CONFIGURATIONS = 16 };
static _Thread_local struct {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  /* The return address of __cudaPushCallConfiguration, from which the source line of the <<<>>> is
   * found. */
  const void *from;
} configurations[CONFIGURATIONS];
static _Thread_local unsigned depth;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  if (depth == CONFIGURATIONS)
    return 1;
  configurations[depth].grid = grid;
  configurations[depth].block = block;
  configurations[depth].shared = shared;
  configurations[depth].from = __builtin_return_address(0);
  configurations[depth++].stream = stream;
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (depth == 0)
    return cudaErrorMissingConfiguration;
  depth--;
  *grid = configurations[depth].grid;
  *block = configurations[depth].block;
  *shared = configurations[depth].shared;
  call_site_of_launch(configurations[depth].from);
  memcpy(stream, &configurations[depth].stream, sizeof(cudaStream_t));
  return cudaSuccess;
}

/* ---- limits ---------------------------------------------------------------------------------- */
/* Returns a lower bound on the number of registers per thread that a compiler assigns. If
 * __launch_bounds__ allows fewer registers than are live at once, the lower bound is the number
 * allowed, because the compiler spills the other values to local memory. */
uint32_t runtime_registers(const PtxFunction *function) {
  const uint32_t most = selected_device()->registers_per_thread;
  uint32_t live = function->live_registers < 4 ? 4 : function->live_registers;
  uint32_t left = occupancy_registers_left(selected_device(), function);
  uint32_t least = left < most ? left : most;
  return live < least ? live : least;
}

static cudaError_t refused(const RuntimeKernel *kernel, cudaError_t error, const char *sentence,
                           size_t dynamic_shared) {
  Report report = report_make(REPORT_LAUNCH);
  report.bytes = dynamic_shared;
  report.kernel = kernel->name;
  snprintf(report.sentence, sizeof report.sentence, "%s", sentence);
  report_file(&report);
  return error;
}

/* ---- the launch ------------------------------------------------------------------------------ */
static cudaError_t later_error(LaunchStatus status) {
  switch (status) {
  case LAUNCH_ILLEGAL_ADDRESS:
    return cudaErrorIllegalAddress;
  case LAUNCH_MISALIGNED:
    return cudaErrorMisalignedAddress;
  case LAUNCH_ASSERT:
    return cudaErrorAssert;
  case LAUNCH_TRAP:
    return cudaErrorLaunchFailure;
  case LAUNCH_ENDLESS:
    return cudaErrorLaunchTimeout;
  case LAUNCH_REFUSED:
  case LAUNCH_DONE:
    break;
  }
  return cudaSuccess;
}

static uint8_t *pack_arguments(const PtxFunction *function, void **arguments) {
  uint8_t *bytes = calloc(1, function->param_bytes + 1);
  for (uint32_t i = 0; bytes && i < function->nparams; i++)
    memcpy(bytes + function->params[i].offset, arguments[i], function->params[i].bytes);
  return bytes;
}

void **runtime_argument_places(const KernelCall *call) {
  const PtxFunction *function = call->kernel->function;
  void **places = calloc(function->nparams + 1, sizeof *places);
  for (uint32_t i = 0; places && i < function->nparams; i++)
    places[i] = call->arguments + function->params[i].offset;
  return places;
}

uint8_t *runtime_copy_arguments(const KernelCall *call) {
  uint8_t *bytes = malloc(call->kernel->function->param_bytes + 1);
  if (bytes)
    memcpy(bytes, call->arguments, call->kernel->function->param_bytes + 1);
  return bytes;
}

/* Checks a cooperative launch. The blocks wait for each other, so all blocks must be resident on
 * the device at the same time. */
static cudaError_t check_cooperative(const RuntimeKernel *kernel, dim3 grid, dim3 block,
                                     size_t shared) {
  uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
  uint32_t threads = block.x * block.y * block.z, sms = selected_device()->sms;
  uint32_t fit = runtime_resident_blocks(kernel, threads, shared);
  char text[200];
  if (!selected_device()->cooperative) {
    snprintf(
        text, sizeof text,
        "a cooperative launch, which needs compute capability 6.0 and more: this card has %u.%u",
        selected_device()->capability[0], selected_device()->capability[1]);
    return refused(kernel, cudaErrorNotSupported, text, 0);
  }
  if (blocks <= (uint64_t)fit * sms)
    return cudaSuccess;
  snprintf(text, sizeof text,
           "%llu blocks in a cooperative launch, where %u fit on the device at once: %u on each of "
           "%u multiprocessors",
           (unsigned long long)blocks, fit * sms, fit, sms);
  return refused(kernel, cudaErrorCooperativeLaunchTooLarge, text, 0);
}

/* Returns true for PTX from clang. With the options of this project, clang unrolls loops further
 * than nvcc and moves all loads of a loop to its beginning, so more registers are live. For
 * example, a kernel of lab 03 has 80 live values in clang's PTX, while ptxas needs 31 registers for
 * the PTX from nvcc. */
static bool is_of_clang(const RuntimeModule *module) {
  static const char by[] = "Generated by LLVM NVPTX";
  const size_t head = module->length < 200 ? module->length : 200;
  return module->text && memmem(module->text, head, by, sizeof by - 1);
}

/* Refuses a launch whose threads need more registers than the multiprocessor has. The number of
 * registers per thread is an estimate, which is valid for cards with 255 registers per thread; for
 * other cards, no launch is refused. A launch is refused if the estimate exceeds the limit by more
 * than an eighth. PTX from clang has more live registers, so its launch is refused only if the
 * estimate exceeds two and a half times the limit, or if the number of registers that are live
 * across iterations of a loop exceeds the limit by more than an eighth. A smaller excess causes a
 * warning. */
static cudaError_t check_registers(const RuntimeKernel *kernel, dim3 block) {
  enum { PIECE = 8, KNOWN = 255 };
  const Device *card = selected_device();
  const PtxFunction *function = kernel->function;
  const uint32_t threads = block.x * block.y * block.z;
  const uint32_t fit = occupancy_registers_for(card, threads);
  if (runtime_registers(function) <= fit)
    return cudaSuccess;
  uint32_t need = predict_registers(kernel->module->program, function);
  bool of_clang = is_of_clang(kernel->module);
  if (of_clang && need <= fit * 5 / 2) {
    const uint32_t carried = predict_carried_registers(function);
    of_clang = carried <= fit * 9 / 8;
    need = of_clang ? need : carried;
  }
  if (need <= (of_clang ? fit * 9 / 4 : fit))
    return cudaSuccess;
  char text[200];
  snprintf(text, sizeof text,
           "a block of %u threads that need about %u registers each, where a multiprocessor has %u "
           "for each",
           threads, (need + PIECE - 1) / PIECE * PIECE, fit);
  if (need > (of_clang ? fit * 5 / 2 : fit * 9 / 8) && card->registers_per_thread >= KNOWN)
    return refused(kernel, cudaErrorLaunchOutOfResources, text, 0);
  Report r = not_on_a_gpu(NOT_ON_A_GPU_REGISTERS);
  r.kernel = kernel->name;
  snprintf(r.sentence, sizeof r.sentence,
           "a block of %u threads that may need more than the %u registers that a multiprocessor "
           "has for each",
           threads, fit);
  report_file(&r);
  return cudaSuccess;
}

static Launch launch_asked(const RuntimeKernel *kernel, dim3 grid, dim3 block) {
  return (Launch){.module = kernel->module->program,
                  .function = kernel->function,
                  .grid = {grid.x, grid.y, grid.z},
                  .block = {block.x, block.y, block.z}};
}

cudaError_t runtime_prepare_kernel(const void *handle, dim3 grid, dim3 block, void **arguments,
                                   size_t shared, bool cooperative, KernelCall *out) {
  const RuntimeKernel *kernel = runtime_kernel(handle);
  if (!kernel)
    /* For a template whose definition differs from its declaration, code from nvcc 13 passes
     * NULL. */
    return handle ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
  char text[200];
  const Launch asked = launch_asked(kernel, grid, block);
  const char *limit = launch_limit(&asked, shared, text, sizeof text);
  cudaError_t error = limit ? refused(kernel, cudaErrorInvalidValue, limit, shared) : cudaSuccess;
  if (!error)
    error = check_registers(kernel, block);
  if (!error && cooperative)
    error = check_cooperative(kernel, grid, block, shared);
  if (error)
    return error;
  *out = (KernelCall){kernel, grid, block, shared, cooperative, NULL};
  out->arguments = pack_arguments(kernel->function, arguments);
  return out->arguments ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* Logs a launch instead of running it. Used with LOCKSTEP_PRETEND. */
static cudaError_t pretend(const KernelCall *call) {
  if (log_wanted())
    log_event(json_pack("{s:s, s:s, s:[I,I,I], s:[I,I,I], s:I}", "event", "launch", "kernel",
                        call->kernel->name, "grid", (json_int_t)call->grid.x,
                        (json_int_t)call->grid.y, (json_int_t)call->grid.z, "block",
                        (json_int_t)call->block.x, (json_int_t)call->block.y,
                        (json_int_t)call->block.z, "dynamic_shared", (json_int_t)call->shared));
  return cudaSuccess;
}

/* Returns an array with one element per kernel parameter. If the argument is a pointer to the host
 * copy of a device variable, the element is the name of the variable; otherwise it is NULL. The
 * array is allocated on the heap; NULL: there is no such argument. */
static const char **host_copies(const KernelCall *call) {
  const PtxFunction *function = call->kernel->function;
  const char **names = NULL;
  for (uint32_t i = 0; i < function->nparams; i++) {
    const void *pointer;
    if (function->params[i].bytes != sizeof pointer)
      continue;
    memcpy(&pointer, call->arguments + function->params[i].offset, sizeof pointer);
    const RuntimeVariable *variable = runtime_variable_at(pointer);
    if (variable && (names || (names = calloc(function->nparams, sizeof *names))))
      names[i] = variable->name;
  }
  return names;
}

cudaError_t runtime_run_kernel(const KernelCall *call, cudaStream_t stream) {
  const RuntimeKernel *kernel = call->kernel;
  if (machine_settings()->pretend)
    return pretend(call);
  Launch work = launch_asked(kernel, call->grid, call->block);
  work.dynamic_shared = (uint32_t)call->shared;
  work.cooperative = call->cooperative;
  work.banks = kernel->banks;
  work.tracked = order_tracked();
  work.parameters = call->arguments;
  work.host_copies = host_copies(call);
  runtime_shared_memory_open();
  order_begin(stream, (StreamWork){.what = kernel->name, .is_kernel = true});
  asynchrony_launches();
  struct timespec began, ended;
  clock_gettime(CLOCK_MONOTONIC, &began);
  LaunchStatus status = machine_launch(&work);
  clock_gettime(CLOCK_MONOTONIC, &ended);
  asynchrony_launched(kernel->name);
  if (work.tracked) {
    stream_races_kernel();
    runtime_events_launched(stream, kernel->name,
                            difftime(ended.tv_sec, began.tv_sec) +
                                1e-9 * (double)(ended.tv_nsec - began.tv_nsec));
  }
  free(work.host_copies);
  order_end(stream, status == LAUNCH_DONE ? cudaSuccess : cudaErrorLaunchFailure);
  runtime_shared_memory_bar();
  if (status == LAUNCH_REFUSED)
    return cudaErrorNotSupported;
  runtime_set_pending(later_error(status));
  return cudaSuccess;
}

static cudaError_t launch(const void *handle, dim3 grid, dim3 block, void **arguments,
                          size_t shared, cudaStream_t stream, bool cooperative) {
  KernelCall call;
  if (!runtime_stream_valid(stream))
    return cudaErrorInvalidResourceHandle;
  cudaError_t error =
      runtime_prepare_kernel(handle, grid, block, arguments, shared, cooperative, &call);
  if (error)
    return error;
  if (capture_takes(stream))
    return capture_kernel(stream, &call);
  error = runtime_run_kernel(&call, stream);
  free(call.arguments);
  return error;
}

/* Called at the end of a launch: ends the attribution of calls to the <<<>>>
 * (call_site_of_launch). */
static cudaError_t launched(cudaError_t error) {
  call_site_of_launch(NULL);
  return error;
}

#define LAUNCH_CALL(work) return launched(RUNTIME_QUEUED_RESULT(work))

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream) {
  LAUNCH_CALL(launch(function, grid, block, arguments, shared, stream, false));
}
RUNTIME_ALIAS(cudaLaunchKernel, _ptsz);

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t shared, cudaStream_t stream) {
  LAUNCH_CALL(launch(function, grid, block, arguments, shared, stream, true));
}
RUNTIME_ALIAS(cudaLaunchCooperativeKernel, _ptsz);

/* Reads the attributes of a launch. Returns false if the launch requests clusters, which are not
 * supported. */
static bool known_attributes(const cudaLaunchConfig_t *config, bool *cooperative) {
  *cooperative = false;
  for (unsigned i = 0; i < config->numAttrs; i++) {
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
      return false;
    if (config->attrs[i].id == cudaLaunchAttributeCooperative)
      *cooperative = config->attrs[i].val.cooperative != 0;
  }
  return true;
}

static cudaError_t launch_configured(const cudaLaunchConfig_t *config, const void *function,
                                     void **arguments) {
  if (!config)
    return cudaErrorInvalidValue;
  bool cooperative;
  if (!known_attributes(config, &cooperative))
    return cudaErrorNotSupported;
  return launch(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                config->stream, cooperative);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments) {
  LAUNCH_CALL(launch_configured(config, function, arguments));
}
RUNTIME_ALIAS(cudaLaunchKernelExC, _ptsz);

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  runtime_enter();
  *kernel =
      /* The handle is the address of the function in host code, by which runtime_kernel finds the
       * kernel. */
      (cudaKernel_t)(uintptr_t)function;
  return runtime_leave(__func__, cudaSuccess);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream) {
  LAUNCH_CALL(launch(kernel, grid, block, arguments, shared, stream, false));
}
RUNTIME_ALIAS(__cudaLaunchKernel, _ptsz);
