/* A verdict on one task, as data: what was observed, where, and why. explain/ fills it in; say/
 * prints it and writes it as JSON. */
#ifndef VERDICT_H
#define VERDICT_H

#include "say/said.h"

/* Passing a string literal as a VerdictKind is a compile error. */
#pragma GCC diagnostic error "-Wint-conversion"
typedef enum VerdictKind {
  VERDICT_NONE,
#define VERDICT(id, ...) VERDICT_##id,
#include "say/kinds.def"
#define REPORT(id, ...) VERDICT_##id,
#include "observe/report_kinds.def"
} VerdictKind;

const char *verdict_name(VerdictKind);    /* The name in results, such as "wrong". */
const char *verdict_element(VerdictKind); /* "error", "failure" or "skipped" */
/* Returns the kind that is named in the JSON of a verdict, a report or a fact; VERDICT_NONE if the
 * name is unknown. */
VerdictKind verdict_kind(const json_t *);

/* The certainty of a cause. */
typedef enum Certainty {
  /* There is no cause. */
  CERTAINTY_NONE,
  /* The usual cause of this kind of verdict. */
  CERTAINTY_USUAL,
  /* The cause reproduces the observations of every run. */
  CERTAINTY_PROVEN
} Certainty;

typedef struct Fact {
  Said says;
  /* The place in a source, "labs/01-naive/naive.cu:27", or "". */
  char place[200];
} Fact;

enum { FACTS_MOST = 6 };

typedef struct Verdict {
  /* VERDICT_NONE: no mistake was found. */
  VerdictKind kind;
  bool passed;
  /* true: the task is right in float and wrong in double. */
  bool in_double;
  Said headline;
  Fact facts[FACTS_MOST];
  size_t fact_count;
  Said cause;
  Certainty certainty;
  /* The buffer that an observer's report names, or "". */
  char buffer[64];
  /* The command that repeats the run, or "". */
  char again[440];
} Verdict;

bool verdict_failed(const Verdict *);
bool verdict_is_race(const Verdict *);
/* Sets the kind and the headline, and clears the rest of the verdict. */
void verdict_set(Verdict *, VerdictKind, Said headline);
/* Calls verdict_set with the fixed headline of the kind. */
void verdict_say(Verdict *, VerdictKind);
/* Adds a fact if there are fewer than FACTS_MOST. place may be NULL. */
void verdict_fact(Verdict *, const char *place, Said);
/* Sets the cause, with the certainty CERTAINTY_USUAL (verdict_cause) or CERTAINTY_PROVEN
 * (verdict_proven). */
void verdict_cause(Verdict *, Said);
void verdict_proven(Verdict *, Said);

/* Sets the folder of a submission and its source; called once, before grading. After this call,
 * places in the folder and in the sandbox are shown relative to the folder. A place in a file that
 * only a #line of the source names is shown as a place in the source. */
void place_root(const char *, const char *source);
/* Writes a place, "labs/01-naive/naive.cu:27", relative to the working directory if the file is in
 * this directory. Writes "" if `file` is NULL or empty. */
void place_format(char *out, size_t size, const char *file, int line);

json_t *verdict_json(const Verdict *);
Verdict verdict_read(const json_t *);

#endif
