/* The end of the program: what was never freed, which error nobody looked at, and the log's last
 * lines.
 *
 * Registered at the first call into the runtime, before main, so that it runs after the program's
 * own destructors. A program that failed and says so (a non-zero exit status) is not lectured about
 * what it left behind.
 */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../state/settings.h"

enum { LEAKS_SHOWN = 4 };

static void report_leaks(void) {
  char name[80];
  size_t count = 0, bytes = 0;
  for (Allocation *each = memory_next(NULL); each; each = memory_next(each)) {
    if (each->kind == MEMORY_VARIABLE || each->kind == MEMORY_CONSTANT)
      continue;
    count++;
    bytes += each->bytes;
    if (count > LEAKS_SHOWN)
      continue;
    const char *remedy = each->registered              ? "cudaHostUnregister"
                         : each->kind == MEMORY_PINNED ? "cudaFreeHost"
                         : each->kind == MEMORY_ARRAY  ? "cudaFreeArray"
                                                       : "cudaFree";
    Report report = report_make(REPORT_LEAK);
    snprintf(report.sentence, sizeof report.sentence, "%s was never given to %s",
             runtime_buffer_name(each, name, sizeof name), remedy);
    strcpy(report.at.did, each->registered ? "registered here" : "allocated here");
    report_file_from(&report, each->made, NULL);
  }
  if (count <= LEAKS_SHOWN)
    return;
  Report report = report_make(REPORT_LEAK);
  snprintf(report.sentence, sizeof report.sentence,
           "%zu buffers, %zu bytes in all, were never freed", count, bytes);
  report_file_from(&report, NULL, NULL);
}

static void report_unseen(void) {
  cudaError_t error;
  CallSite site;
  const char *call = runtime_unseen_call(&error, &site);
  if (!call)
    return;
  Report report = report_make(REPORT_ERROR_IGNORED);
  /* nvcc 13 launches through __cudaLaunchKernel */
  const char *name = strncmp(call, "__", 2) == 0 ? call + 2 : call;
  snprintf(report.sentence, sizeof report.sentence, "%s returned %s (%s), and nobody looked", name,
           cudaGetErrorName(error), cudaGetErrorString(error));
  strcpy(report.at.did, "called here");
  report_file_from(&report, &site, NULL);
}

static void at_exit(int status, void *unused) {
  (void)unused;
  runtime_report_touched();
  bool said_so = status != 0 && runtime_any_failure();
  if (status == 0)
    report_unseen();
  if (!said_so && !runtime_sticky() && !runtime_pending())
    report_leaks();
  observe_finish();
  if (status == 0 && machine_settings()->error_status && report_any_error()) {
    fflush(NULL); /* what exit() would still do */
    _exit(machine_settings()->error_status);
  }
}

void runtime_watch_exit(void) { on_exit(at_exit, NULL); }
