/* Reports faults of host code that dereferences a device pointer. With a real GPU, such code faults
 * too.
 *
 * The signal handler runs on its own stack, reports the access, restores the previous handler and
 * returns. Then the access is repeated and faults again. So the program still ends with SIGSEGV,
 * and faults that are unrelated to the device reach the previous handler. */
#include "runtime.h"

#include "../emulator.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sigaction previous[NSIG];

void runtime_report_fault(const void *address) {
  char what[120];
  Report report = report_make(REPORT_DEVICE_POINTER);
  snprintf(report.sentence, sizeof report.sentence, "host code touched %s",
           runtime_describe(address, what, sizeof what));
  strcpy(report.at.did, "touched here");
  CallSite here;
  call_site(&here);
  report_file_from(&report, &here, NULL);
}

static void explain(int signal, siginfo_t *info, void *context) {
  (void)context;
  static volatile sig_atomic_t busy;
  const void *address = info->si_addr;
  if (runtime_shared_memory_touched(address))
    return;
  if (!busy && address && memory_is_device(runtime_address(address))) {
    busy = 1;
    runtime_report_fault(address);
    emulator_host_fault(address);
  }
  /* When this handler returns, the access is repeated, and the fault calls the previous handler. */
  sigaction(signal, &previous[signal], NULL);
}

void runtime_watch_faults(void) {
  enum { STACK = 65536 };
  stack_t old, ours = {.ss_sp = malloc(STACK), .ss_size = STACK};
  struct sigaction action = {.sa_sigaction = explain, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  if (sigaltstack(NULL, &old) == 0 && !(old.ss_flags & SS_DISABLE))
    /* The program already has an alternate signal stack, for example that of a sanitizer. */
    free(ours.ss_sp);
  else if (ours.ss_sp)
    sigaltstack(&ours, NULL);
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous[SIGSEGV]);
  sigaction(SIGBUS, &action, &previous[SIGBUS]);
}
