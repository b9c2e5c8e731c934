/* Calls that do no work: all of them once a kernel has failed, and with LOCKSTEP_FAIL=n the n-th of those
 * that may fail on a real device, however right the program is. It returns what a GPU would that has no
 * room, or lost its driver, and the log says which call that was.
 */
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

static void note(const char *call, uint64_t number, cudaError_t error) {
  if (!log_wanted())
    return;
  ReportPlace at = {.line = 0};
  report_call_place(&at);
  log_event(json_pack("{s:s, s:s, s:I, s:i, s:s?, s:i}", "event", "failed", "call",
                      strncmp(call, "__", 2) == 0 ? call + 2 : call, "number", (json_int_t)number,
                      "error", (int)error, "file", at.file, "line", (int)at.line));
}

static uint64_t all; /* that may have failed */

void runtime_note_calls(void) {
  if (log_wanted())
    log_event(json_pack("{s:s, s:I}", "event", "calls", "may_fail", (json_int_t)all));
}

/* What the call returns if it is the one that is to fail. */
static cudaError_t injected(const char *call) {
  static uint64_t each[KINDS];
  size_t kind = 0;
  while (kind < KINDS && strncmp(call, may_fail[kind].prefix, strlen(may_fail[kind].prefix)) != 0)
    kind++;
  if (kind == KINDS)
    return cudaSuccess;
  each[kind]++;
  if (++all != machine_settings()->fail)
    return cudaSuccess;
  note(call, each[kind], may_fail[kind].error);
  return may_fail[kind].error;
}

bool runtime_refuses(const char *call) {
  cudaError_t wanted = injected(call);
  refusal = runtime_sticky() ? runtime_sticky() : wanted;
  return refusal != cudaSuccess;
}

cudaError_t runtime_refusal(void) { return refusal; }
