/* A verdict on one task, as data: what was seen, where, and why. explain/ fills it in; say/ prints
 * it and writes it as JSON.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include "say/said.h"

/* A string literal passed as a VerdictKind must be a compile error. */
#pragma GCC diagnostic error "-Wint-conversion"
typedef enum VerdictKind {
  VERDICT_NONE,
#define VERDICT(id, ...) VERDICT_##id,
#include "say/kinds.def"
#define REPORT(id, ...) VERDICT_##id,
#include "observe/report_kinds.def"
} VerdictKind;

const char *verdict_name(VerdictKind);    /* "wrong": in results files */
const char *verdict_element(VerdictKind); /* JUnit's: "error", "failure", "skipped" */
/* The kind that the JSON of a verdict, a report or a fact names; VERDICT_NONE if it is unknown. */
VerdictKind verdict_kind(const json_t *);

/* How certain a cause is. */
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
  /* "labs/01-naive/naive.cu:27", or "" */
  char place[200];
} Fact;

enum { FACTS_MOST = 6 };

typedef struct Verdict {
  /* VERDICT_NONE: nothing is wrong */
  VerdictKind kind;
  bool passed;
  /* the task is right in float and wrong in double */
  bool in_double;
  Said headline;
  Fact facts[FACTS_MOST];
  size_t fact_count;
  Said cause;
  Certainty certainty;
  /* the buffer of an observer's report, or "" */
  char buffer[64];
  /* the command that shows it again, or "" */
  char again[440];
} Verdict;

bool verdict_failed(const Verdict *);
bool verdict_is_race(const Verdict *);
/* Sets kind and headline and clears everything else. */
void verdict_set(Verdict *, VerdictKind, Said headline);
/* The same with the fixed headline of the kind. */
void verdict_say(Verdict *, VerdictKind);
/* Does nothing if there are FACTS_MOST facts already. place may be NULL. */
void verdict_fact(Verdict *, const char *place, Said);
/* Replaces the cause. */
void verdict_cause(Verdict *, Said);
void verdict_proven(Verdict *, Said);

/* Sets the folder of a submission and its source, once, before anything is graded. Places in the
 * folder and in the sandbox are shown relative to it. If a #line in the source names another file,
 * the place is shown as one of the source. */
void place_root(const char *, const char *source);
/* "labs/01-naive/naive.cu:27", relative to the working directory where possible; "" without a
 * file. */
void place_format(char *out, size_t size, const char *file, int line);

json_t *verdict_json(const Verdict *);
Verdict verdict_read(const json_t *);

#endif
