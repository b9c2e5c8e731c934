/* Handles the end of the program: reports memory that was never freed and an unchecked error, and
 * writes the last lines of the log.
 *
 * The handler is registered before any code of the program runs. Therefore it runs after the
 * destructors of the program's global objects. If a program had an error and ends with a non-zero
 * exit status, memory that it has not freed is not reported. */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../state/settings.h"

enum { LEAKS_SHOWN = 4, LEFT_MOST = 16 };

/* A report that is shown at the end of the program, unless the program fails. Before a
 * cudaDeviceReset, such reports are stored, because the reset frees the memory. */
typedef struct Left {
  Report report;
  CallSite at;
  bool has_place;
  /* Number of the allocation that was not freed; 0: the report is not about a single allocation. */
  uint32_t allocation;
  /* The allocation was freed after the report was made. */
  bool freed;
} Left;

static Left leaks[LEFT_MOST], unseen[LEFT_MOST];
static size_t leak_count, unseen_count;

static Left *write_down(Left *all, size_t *count, const Report *report, const CallSite *at) {
  static Left none;
  if (*count == LEFT_MOST)
    return &none;
  Left *left = &all[(*count)++];
  *left = (Left){.report = *report, .has_place = at != NULL};
  if (at)
    left->at = *at;
  return left;
}

void runtime_leak_was_freed(uint32_t allocation) {
  for (size_t i = 0; i < leak_count; i++)
    if (leaks[i].allocation == allocation)
      leaks[i].freed = true;
}

static void file_all(const Left *all, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!all[i].freed)
      report_file_from(&all[i].report, all[i].has_place ? &all[i].at : NULL, NULL);
}

enum { MANY_LEFT = 64 };
static LeftBehind *left_behind;

void left_behind_made(LeftBehind *left) {
  if (++left->count != MANY_LEFT || left->listed)
    return;
  call_site(&left->made);
  left->listed = true;
  left->next = left_behind;
  left_behind = left;
}

static void note_left_behind(void) {
  for (const LeftBehind *left = left_behind; left; left = left->next) {
    if (left->count < MANY_LEFT)
      continue;
    Report report = report_make(REPORT_LEAK);
    snprintf(report.sentence, sizeof report.sentence, "%u %s were never given to %s", left->count,
             left->what, left->remedy);
    strcpy(report.at.did, "created here");
    report.cause = "What a loop creates in each round, it has to destroy in each round. Or it is "
                   "created once, before the loop.";
    write_down(leaks, &leak_count, &report, &left->made);
  }
}

static void note_leaks(void) {
  char name[80];
  size_t count = 0, bytes = 0;
  for (Allocation *each = memory_next(NULL); each; each = memory_next(each)) {
    if (each->kind == MEMORY_VARIABLE || each->kind == MEMORY_CONSTANT ||
        each->kind == MEMORY_HEAP || graph_allocates((void *)(uintptr_t)each->address))
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
    write_down(leaks, &leak_count, &report, each->made)->allocation = each->number;
  }
  if (count <= LEAKS_SHOWN)
    return;
  Report report = report_make(REPORT_LEAK);
  snprintf(report.sentence, sizeof report.sentence,
           "%zu buffers, %zu bytes in all, were never freed", count, bytes);
  write_down(leaks, &leak_count, &report, NULL);
}

/* Returns a text about the cause of an error that needs more explanation than its name; NULL for
 * other errors. */
static const char *cause_of(cudaError_t error) {
  switch (error) {
  case cudaErrorStreamCaptureUnsupported:
  case cudaErrorStreamCaptureInvalidated:
  case cudaErrorStreamCaptureImplicit:
    return "While a stream is captured, its work is recorded and not done. Until "
           "cudaStreamEndCapture "
           "the host cannot wait, allocate or use the default stream.";
  case cudaErrorNotPermitted:
    return "A function that a stream calls cannot call CUDA itself. Call it after the host has "
           "waited "
           "for the stream.";
  case cudaErrorInvalidDeviceFunction:
    return "The program has no such kernel. The declaration of a template may differ from its "
           "definition, or the file that defines the kernel is missing.";
  default:
    return NULL;
  }
}

static void note_unseen(void) {
  cudaError_t error;
  CallSite site;
  const char *call = runtime_unseen_call(&error, &site);
  if (!call)
    return;
  Report report = report_make(REPORT_ERROR_IGNORED);
  /* Code from nvcc 13 launches kernels by __cudaLaunchKernel. Show the name of the API function. */
  const char *name = strncmp(call, "__", 2) == 0 ? call + 2 : call;
  snprintf(report.sentence, sizeof report.sentence, "%s returned %s (%s), which was not checked",
           name, cudaGetErrorName(error), cudaGetErrorString(error));
  strcpy(report.at.did, "called here");
  report.cause = cause_of(error);
  write_down(unseen, &unseen_count, &report, &site);
}

/* After a sticky error, memory that is not freed is not reported, because cudaFree fails. */
void runtime_note_left(void) {
  note_unseen();
  if (runtime_sticky() || runtime_pending())
    return;
  note_leaks();
  note_left_behind();
}

static void at_exit(int status, void *unused) {
  (void)unused;
  runtime_report_touched();
  runtime_report_early_events();
  asynchrony_ends();
  bool said_so = status != 0 && runtime_any_failure();
  runtime_note_left();
  if (status == 0)
    file_all(unseen, unseen_count);
  if (!said_so)
    file_all(leaks, leak_count);
  runtime_note_calls();
  sum_order_tell();
  observe_finish();
  if (status == 0 && machine_settings()->error_status && report_any_error()) {
    /* _exit() does not flush open files. */
    fflush(NULL);
    _exit(machine_settings()->error_status);
  }
}

/* The program has called the runtime, so reports may be needed at its end. */
static bool watched;
void runtime_watch_exit(void) { watched = true; }

static void last(int status, void *unused) {
  if (watched)
    at_exit(status, unused);
}

__attribute__((constructor(101))) static void come_last(void) { on_exit(last, NULL); }
