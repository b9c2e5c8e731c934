/* Warns about programs that observe the effects of a kernel before they have waited for the kernel.
 *
 * The emulated device runs a kernel to its end inside the launch call. On a GPU, the kernel may not
 * have begun when the launch call returns. Then the kernel's printf has not printed anything, and a
 * time measured with a host clock does not include the kernel.
 *
 * A program that reads a clock before a launch, after the launch, and again after waiting gets no
 * warning, because it measures the launch and the kernel separately. A program that measures with
 * events gets no warning either. */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

typedef enum Measured { MEASURED_NOTHING, MEASURED_LAUNCH, MEASURED_THEN_WAITED } Measured;

static _Thread_local struct {
  /* A kernel is running. Clock reads during this time are those of the emulator, so they are
   * ignored. */
  bool busy;
  /* The program has read a clock. */
  bool read;
  /* Since the last clock read, a kernel was launched at `launch`, and the host has not waited for
   * it. */
  bool launched;
  CallSite launch;
  char kernel[200];
  /* The state of a possible wrong measurement. MEASURED_LAUNCH: after the launch, the clock was
   * read at `again` before the host waited. MEASURED_THEN_WAITED: then the host called a function
   * to wait. */
  Measured measured;
  CallSite again;
  bool warned;
} host;

static void warn_of_clock(void) {
  host.measured = MEASURED_NOTHING;
  if (host.warned)
    return;
  host.warned = true;
  Report r = not_on_a_gpu(NOT_ON_A_GPU_CLOCK_EARLY);
  snprintf(r.sentence, sizeof r.sentence,
           "a clock is read after a launch that the host has not waited for");
  r.kernel = host.kernel;
  strcpy(r.at.did, "the clock is read here");
  strcpy(r.other.did, "launched here");
  report_file_from(&r, &host.again, &host.launch);
}

void asynchrony_launches(void) { host.busy = true; }

void asynchrony_launched(const char *kernel) {
  host.busy = false;
  if (host.measured != MEASURED_NOTHING)
    warn_of_clock();
  if (!host.read || host.launched)
    return;
  host.launched = true;
  snprintf(host.kernel, sizeof host.kernel, "%s", kernel);
  call_site(&host.launch);
}

void asynchrony_clock_read(void) {
  if (host.busy)
    return;
  if (host.launched && host.measured == MEASURED_NOTHING && !host.warned) {
    call_site(&host.again);
    host.measured = MEASURED_LAUNCH;
  } else if (host.measured == MEASURED_THEN_WAITED) {
    host.measured = MEASURED_NOTHING;
  }
  host.launched = false;
  host.read = true;
}

void asynchrony_event_recorded(void) { host.launched = false; }

static void warn_of_buffer(void) {
  const MachinePrinted printed = machine_printed();
  const size_t room = runtime_limit(cudaLimitPrintfFifoSize);
  if (printed.bytes <= room)
    return;
  Report r = not_on_a_gpu(NOT_ON_A_GPU_PRINTF_OVERFLOW);
  r.kernel = printed.kernel;
  snprintf(r.sentence, sizeof r.sentence,
           "kernels print about %zu KB before the host waits, and a GPU's buffer has %zu KB",
           printed.bytes >> 10, room >> 10);
  strcpy(r.at.did, "the host waits here");
  CallSite here;
  call_site(&here);
  report_file_from(&r, &here, NULL);
}

void asynchrony_asked_to_wait(void) {
  if (host.measured == MEASURED_LAUNCH)
    host.measured = MEASURED_THEN_WAITED;
}

void asynchrony_host_waited(void) {
  warn_of_buffer();
  machine_show_printed();
  if (host.measured == MEASURED_LAUNCH)
    warn_of_clock();
  host.launched = false;
}

void asynchrony_ends(void) {
  const MachinePrinted printed = machine_printed();
  if (host.measured != MEASURED_NOTHING)
    warn_of_clock();
  if (!printed.bytes)
    return;
  Report r = not_on_a_gpu(NOT_ON_A_GPU_PRINTF_LOST);
  r.kernel = printed.kernel;
  snprintf(r.sentence, sizeof r.sentence,
           "the text that a kernel printed is lost: the program ends before it waits");
  strcpy(r.at.did, "at the end of the program");
  report_file(&r);
}
