/* What the checker found out about one task, as data: what was seen, where, and why. explain/ fills it in; say/ prints it
 * and writes it as JSON.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include "say/said.h"

/* Text where a kind is meant must not compile. */
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
/* The kind that a verdict, a report or a line of JSON names; VERDICT_NONE: none that is known. */
VerdictKind verdict_kind(const json_t *);

/* How sure a cause is. */
typedef enum Certainty {
  /* Nothing is known but what was seen. */
  CERTAINTY_NONE,
  /* The usual cause of this kind of finding. */
  CERTAINTY_USUAL,
  /* It reproduces what was seen in every run that was made. */
  CERTAINTY_PROVEN
} Certainty;

typedef struct Fact {
  Said says;
  char place[200]; /* "labs/01-naive/naive.cu:27", or "" */
} Fact;

enum { FACTS_MOST = 6 };

typedef struct Verdict {
  VerdictKind kind; /* VERDICT_NONE: nothing is wrong */
  bool passed;
  bool in_double; /* the task is right in float and wrong in double */
  Said headline;
  Fact facts[FACTS_MOST];
  size_t fact_count;
  Said cause;
  Certainty certainty;
  char buffer[64]; /* that an observer's report is about, or "" */
  char again[440]; /* the command that shows it again, or "" */
} Verdict;

bool verdict_failed(const Verdict *);
bool verdict_is_race(const Verdict *);
/* Starts a verdict anew: all that it held is gone. */
void verdict_set(Verdict *, VerdictKind, Said headline);
/* With the headline that belongs to the kind. */
void verdict_say(Verdict *, VerdictKind);
/* Ignored when there are FACTS_MOST of them already. place may be NULL. */
void verdict_fact(Verdict *, const char *place, Said);
/* Replaces the cause. */
void verdict_cause(Verdict *, Said);
void verdict_proven(Verdict *, Said);

/* The folder of a submission and its source. Places in it, and in the sandbox, are shown relative to it; a #line in the
 * source that names another file is shown as a place of the source. Set once, before anything is graded. */
void place_root(const char *, const char *source);
/* "labs/01-naive/naive.cu:27", relative to the working directory where possible; "" without a file. */
void place_format(char *out, size_t size, const char *file, int line);

json_t *verdict_json(const Verdict *);
Verdict verdict_read(const json_t *);

#endif
