/* Reports: the messages about the program that the emulated device shows to the user.
 *
 * A report has a kind, one sentence that describes the mistake, up to two places (source line and
 * thread), the buffer and element, and one sentence about the usual cause. A report with the same
 * kind and lines is shown once per kernel; repetitions are only counted. */
#ifndef OBSERVE_REPORT_H
#define OBSERVE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "../state/call_site.h"

typedef enum ReportKind {
#define REPORT(id, name, severity, cause) REPORT_##id,
#include "report_kinds.def"
  REPORT_KINDS
} ReportKind;

typedef struct ReportPlace {
  /* NULL: unknown. */
  const char *file;
  uint32_t line, column;
  uint32_t thread[3], block[3];
  /* `thread` and `block` are valid. */
  bool has_thread;
  /* The access was a plain store. */
  bool wrote;
  /* The action of the thread, such as "wrote it" or "waits here". */
  char did[100];
} ReportPlace;

typedef struct Report {
  ReportKind kind;
  /* The mangled name of the kernel; NULL: the report is about host code. */
  const char *kernel;
  /* For example "race on As, word 231". */
  char sentence[320];
  /* An additional line of text; empty: no additional line. */
  char detail[200];
  /* The usual cause; NULL: the sentence of the kind (report_kinds.def). */
  const char *cause;
  ReportPlace at, other;
  /* The call in host code that `other` describes; NULL: unknown, or `other` already has a line. */
  const CallSite *other_call;
  /* The call in host code that allocated the buffer; NULL: not shown. */
  const CallSite *made_call;
  /* The start order of the thread's block; 0 if there is no block. */
  uint64_t start_order;
  /* "global", "shared", "local" or "constant"; NULL: no space. */
  const char *space;
  /* The name of the buffer; empty: no name. */
  char buffer[64];
  /* Index of the element in the buffer; -1: none. */
  int64_t element;
  /* Row and column of the element; -1: none. */
  int64_t row, column;
  /* Numbers from the sentence, for the log; 0: none. `bytes`: the bytes that a copy requests, or
   * that a launch requests as dynamic shared memory. `bytes_there`: bytes that are available.
   * `elements_before`: the number of elements between the access and the start of the buffer, if
   * the access is before it. `argument`: number of the kernel's argument, from 1. */
  uint64_t bytes, bytes_there, elements_before;
  int argument;
} Report;

/* Returns an empty report of a kind. The caller fills it in and passes it to report_file. */
static inline Report report_make(ReportKind kind) {
  return (Report){.kind = kind, .element = -1, .row = -1, .column = -1};
}
/* Counts the report, and shows it on standard error and in the log unless the same report was shown
 * before. A report that names a device thread is shown when the launch is done. A report without a
 * device thread is shown immediately; it gets the line of the current call of the host code. Any
 * thread may call this function. report_file_times counts the report `times` times. */
void report_file(const Report *);
void report_file_times(const Report *, uint64_t times);
/* Called before the sentence of a report is written, which is expensive. If the same report is
 * known and this instance does not have to replace it, counts this instance and returns true; then
 * no sentence is needed. May exchange the two places of a race. */
bool report_again(Report *);
/* Like report_again, for mistakes that one instruction makes in many threads of a block, for
 * example because of a missing bounds check. report_repeats is called before the report is made. If
 * this thread, or an earlier thread of the block, has made the same mistake at this instruction in
 * this launch, it counts the mistake and returns true. report_again_from stores the data for this
 * check. */
typedef struct ReportSource {
  const void *insn;
  ReportKind kind;
  uint32_t thread;
  uint64_t start_order;
} ReportSource;
bool report_repeats(const ReportSource *);
bool report_again_from(Report *, const ReportSource *);
/* Reports a mistake in the current call of the host code. */
void report_host(ReportKind, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reports a mistake that the host code made in an earlier call, or in two calls. `at` and `other`:
 * the calls; NULL: unknown. */
void report_file_from(const Report *, const CallSite *at, const CallSite *other);
uint64_t report_count(void);
/* Fills in file and line of this thread's current call, if they are known. */
void report_call_place(ReportPlace *);
/* Returns true if an error was reported. Warnings do not count. */
bool report_any_error(void);
/* Called repeatedly while a kernel runs: after some time, shows the reports collected so far. */
void report_launch_runs(void);
/* Called when a kernel is done: shows its reports. `stop`: blocks with a higher start order might
 * not have run, so reports that only these blocks made are deleted; UINT64_MAX: all blocks ran. */
void report_launch_done(uint64_t stop);
/* Called at the end of the program: writes the counters of all kernels to the log, and prints the
 * number of reports. */
void observe_finish(void);

#endif
