/* Reports: everything that the emulated device tells the user about the program.
 *
 * A report has a kind, one sentence on what happened, places (source lines, threads, buffer and
 * element) and one sentence on the usual cause. The same report (kind and lines) is shown once per
 * kernel and only counted after that. */
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
  /* NULL: none */
  const char *file;
  uint32_t line, column;
  uint32_t thread[3], block[3];
  /* If false, thread and block are meaningless. */
  bool has_thread;
  /* The access was a plain store. */
  bool wrote;
  /* The action of the thread: "wrote it", "waits here". */
  char did[100];
} ReportPlace;

typedef struct Report {
  ReportKind kind;
  /* Mangled name; NULL: host code. */
  const char *kernel;
  /* Example: "race on As, word 231". */
  char sentence[320];
  /* An additional line, or "". */
  char detail[200];
  /* NULL: the kind's own sentence. */
  const char *cause;
  ReportPlace at, other;
  /* Where host code did the other action; NULL: `other` says it, or unknown. */
  const CallSite *other_call;
  /* Where host code allocated the buffer; NULL: not shown. */
  const CallSite *made_call;
  /* Start order of the block; 0: the first, or none. */
  uint64_t start_order;
  /* "global", "shared", "local", "constant" or NULL. */
  const char *space;
  /* Name, or "". */
  char buffer[64];
  /* -1: none */
  int64_t element;
  /* -1: none */
  int64_t row, column;
  /* Numeric copies of numbers in the sentence; 0: none. `bytes`: requested by a copy, or as dynamic
   * shared memory by a launch; `bytes_there`: available; `elements_before`: elements before the
   * first one; `argument`: the kernel's argument, from 1. */
  uint64_t bytes, bytes_there, elements_before;
  int argument;
} Report;

/* An empty report of a kind: fill it in and pass it to report_file. */
static inline Report report_make(ReportKind kind) {
  return (Report){.kind = kind, .element = -1, .row = -1, .column = -1};
}
/* Counts the report. Shows it on standard error and in the log, unless the same one was shown
 * before. It is shown immediately, or after the launch if it has a thread. A report without a
 * thread belongs to the current call of the host code and gets its line. May be called by any
 * thread. */
void report_file(const Report *);
void report_file_times(const Report *, uint64_t times);
/* Called before the sentences of a report are made. If a report with the same kind and places that
 * are no later is known, counts it and returns true. The two places of a race may be exchanged. */
bool report_again(Report *);
/* Likewise for what one instruction does in one thread of a block. In a kernel without a bounds
 * check, most threads repeat the same mistake. report_repeats is called before the report is made:
 * it returns true if the report was known when this thread, or an earlier one of the block,
 * executed the instruction in this launch. */
typedef struct ReportSource {
  const void *insn;
  ReportKind kind;
  uint32_t thread;
  uint64_t start_order;
} ReportSource;
bool report_repeats(const ReportSource *);
bool report_again_from(Report *, const ReportSource *);
/* Reports a mistake of the current call of the host code. */
void report_host(ReportKind, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reports a mistake that the host code made earlier, or in two calls. `at` and `other` are where it
 * called; NULL: unknown. */
void report_file_from(const Report *, const CallSite *at, const CallSite *other);
uint64_t report_count(void);
/* File and line of the current call of this thread, if known. */
void report_call_place(ReportPlace *);
/* Returns true if an error, and not only warnings, was reported. */
bool report_any_error(void);
/* Called while a kernel runs: shows what was found so far if the kernel runs for long. */
void report_launch_runs(void);
/* Called when a kernel is done: shows its reports. Blocks that start at `stop` or later may or may
 * not have run, so reports that only they made are dropped. */
void report_launch_done(uint64_t stop);
/* Called at the end of the program: writes counters of every kernel to the log. */
void observe_finish(void);

#endif
