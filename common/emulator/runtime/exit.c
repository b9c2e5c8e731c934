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
    report_host(REPORT_LEAK, "%s was never given to %s",
                runtime_buffer_name(each, name, sizeof name), remedy);
  }
  if (count > LEAKS_SHOWN)
    report_host(REPORT_LEAK, "%zu buffers, %zu bytes in all, were never freed", count, bytes);
}

static void at_exit(int status, void *unused) {
  (void)unused;
  runtime_report_touched();
  cudaError_t error;
  const char *call = runtime_unseen_call(&error);
  bool said_so = status != 0 && runtime_any_failure();
  if (call && status == 0) {
    const char *text =
        cudaGetErrorString(error); /* after runtime_unseen_call: asking counts as looking */
    const char *name = strncmp(call, "__", 2) == 0
                           ? call + 2
                           : call; /* nvcc 13 launches through __cudaLaunchKernel */
    report_host(REPORT_ERROR_IGNORED, "%s returned %s (%s), and nobody looked", name,
                cudaGetErrorName(error), text);
  }
  if (!said_so && !runtime_sticky() && !runtime_pending())
    report_leaks();
  observe_finish();
}

void runtime_watch_exit(void) { on_exit(at_exit, NULL); }
