/* Reports: everything the emulated device has to say to the person whose program it runs.
 *
 * A report has a kind, one sentence on what happened, where (source lines, threads, buffer and
 * element) and one sentence on the usual cause. The same report (kind and lines) is shown once per
 * kernel and counted after that.
 */
#ifndef OBSERVE_REPORT_H
#define OBSERVE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "../state/call_site.h"

typedef enum ReportKind {
#define REPORT(id, name, severity, cause) REPORT_##id,
#include "reports.def"
  REPORT_KINDS
} ReportKind;

typedef struct ReportPlace {
  const char *file; /* NULL: none */
  uint32_t line, column;
  uint32_t thread[3], block[3];
  bool has_thread; /* false: thread and block mean nothing */
  bool wrote;      /* the access was a plain store */
  char did[100];   /* what happened here: "wrote it", "waits here" */
} ReportPlace;

typedef struct Report {
  ReportKind kind;
  const char *kernel; /* as the linker knows it; NULL: host code */
  char sentence[320]; /* "race on As, word 231" */
  char detail[200];   /* one more line, or "" */
  const char *cause;  /* NULL: the kind's own sentence */
  ReportPlace at, other;
  const CallSite *other_call; /* where host code did the other thing; NULL: in other, or nowhere */
  const CallSite *made_call;  /* where host code allocated the buffer; NULL: not told */
  uint64_t start_order; /* of the block, in the order in which blocks start; 0: first, or none */
  const char *space;    /* "global", "shared", "local", "constant" or NULL */
  char buffer[64];      /* name, or "" */
  int64_t element;      /* -1: none */
  int64_t row, column;  /* -1: none */
  /* Typed copies of numbers in the sentence; 0: none. Bytes that were asked for (by a copy, or of dynamic shared memory
   * by a launch) and that are there, elements before the first one, and the kernel's argument, from 1 on. */
  uint64_t bytes, bytes_there, elements_before;
  int argument;
} Report;

/* A report with nothing in it but its kind: fill in and hand to report_file. */
static inline Report report_make(ReportKind kind) {
  return (Report){.kind = kind, .element = -1, .row = -1, .column = -1};
}
/* Counts it; shows it on standard error and in the log unless the same was shown before: at once,
 * or, when it has a thread, after the launch. One without a thread is of the call that the host code has just made,
 * and gets its line. Any thread. */
void report_file(const Report *);
void report_file_times(const Report *, uint64_t times);
/* Before there are words for it: is it known, with kind and places that come no earlier than those
 * to be shown? Then it is counted, and that is all. The places of a race may change sides. */
bool report_again(Report *);
/* The same for what one instruction does in one thread of a block, with the thread's number in it: most threads of a kernel
 * without a guard do it again and again. Before there is a report: was it known when this thread, or one before it in the
 * block, came to it in this launch? */
typedef struct ReportSource {
  const void *insn;
  ReportKind kind;
  uint32_t thread;
  uint64_t start_order;
} ReportSource;
bool report_repeats(const ReportSource *);
bool report_again_from(Report *, const ReportSource *);
/* For what the host code does in the call it has just made. */
void report_host(ReportKind, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* For what it did earlier, or twice: where it called; NULL: nobody knows. What it did there stands in the report. */
void report_file_from(const Report *, const CallSite *at, const CallSite *other);
uint64_t report_count(void);
/* File and line of the call that this thread is in, where they are known. */
void report_call_place(ReportPlace *);
/* Was one of those shown an error, and not only a warning? */
bool report_any_error(void);
/* Called while a kernel runs: one that has computed for long shows what was found so far. */
void report_launch_runs(void);
/* Called when a kernel is done: what it did wrong is shown. Blocks that start from `stop` on, if any, may or
 * may not have run: what only they did is dropped. */
void report_launch_done(uint64_t stop);
/* At the end of the program: counters of every kernel go to the log. */
void observe_finish(void);

#endif
