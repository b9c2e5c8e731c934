/* Decides which calls return an error without executing their work. After a kernel has failed, all
 * calls do so. With LOCKSTEP_FAIL=n, the n-th of the calls that may fail on a real device in a
 * correct program also fails: it returns the error of a GPU that has no free memory, or whose
 * driver has failed. The log records the failed call. */
#include "runtime.h"

#include <string.h>

static const struct {
  const char *prefix;
  cudaError_t error;
} may_fail[] = {
    {"cudaMalloc", cudaErrorMemoryAllocation},
    {"cudaHostAlloc", cudaErrorMemoryAllocation},
    {"cudaHostRegister", cudaErrorMemoryAllocation},
    {"cudaMemcpy", cudaErrorUnknown},
    {"cudaMemset", cudaErrorUnknown},
    {"cudaLaunch", cudaErrorLaunchOutOfResources},
    {"__cudaLaunch", cudaErrorLaunchOutOfResources},
    {"cudaDeviceSynchronize", cudaErrorUnknown},
    {"cudaStream", cudaErrorUnknown},
    {"cudaEvent", cudaErrorUnknown},
    {"cudaGraphLaunch", cudaErrorUnknown},
    {"cudaFree", cudaErrorUnknown},
};
enum { KINDS = sizeof may_fail / sizeof *may_fail };

static cudaError_t refusal;
static _Thread_local bool in_host_function;

static void note(const char *call, uint64_t number, cudaError_t error) {
  if (!log_wanted())
    return;
  ReportPlace at = {.line = 0};
  report_call_place(&at);
  log_event(json_pack("{s:s, s:s, s:I, s:i, s:s?, s:i}", "event", "failed", "call",
                      strncmp(call, "__", 2) == 0 ? call + 2 : call, "number", (json_int_t)number,
                      "error", (int)error, "file", at.file, "line", (int)at.line));
}

/* Number of calls so far that may fail on a real device. */
static uint64_t all;
static struct {
  const char *call;
  uint64_t number;
} failed;
/* True while a transcript is replayed. During this time, LOCKSTEP_FAIL has no effect, and only a
 * call that runtime_fail() names fails. */
static bool told;

void runtime_note_calls(void) {
  if (log_wanted())
    log_event(json_pack("{s:s, s:I}", "event", "calls", "may_fail", (json_int_t)all));
}

/* Returns the error that this call must return because of LOCKSTEP_FAIL or a transcript;
 * cudaSuccess if it must not fail. */
static cudaError_t injected(const char *call) {
  static uint64_t each[KINDS];
  size_t kind = 0;
  while (kind < KINDS && strncmp(call, may_fail[kind].prefix, strlen(may_fail[kind].prefix)) != 0)
    kind++;
  if (kind == KINDS || (told && !failed.call))
    return cudaSuccess;
  each[kind]++;
  if (!told && ++all != machine_settings()->fail)
    return cudaSuccess;
  if (!told)
    failed.call = call, failed.number = each[kind];
  note(call, failed.number, may_fail[kind].error);
  return may_fail[kind].error;
}

void runtime_in_host_function(bool inside) { in_host_function = inside; }

bool runtime_refuses(const char *call) {
  cudaError_t wanted = injected(call);
  runtime_used();
  refusal = runtime_sticky() ? runtime_sticky() : in_host_function ? cudaErrorNotPermitted : wanted;
  return refusal != cudaSuccess;
}

cudaError_t runtime_refusal(void) { return refusal; }

uint64_t runtime_calls(void) { return all; }

const char *runtime_failed(uint64_t *number) {
  *number = failed.number;
  return failed.call;
}

void runtime_failures_are_told(void) { told = true; }

void runtime_failures_were_told(uint64_t calls) {
  told = false;
  all = calls;
}

void runtime_fail(const char *call, uint64_t number) {
  failed.call = call, failed.number = number;
  runtime_enter();
  runtime_leave(call, runtime_refuses(call) ? refusal : cudaSuccess);
  failed.call = NULL;
}
