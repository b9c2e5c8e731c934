/* What a kernel computes instead, taken apart by chosen inputs: what probe.c, probe_sums.c, probe_pulls.c and
 * probe_moves.c share. Others ask probe_explains (explain.h).
 */
#ifndef JUDGE_PROBE_H
#define JUDGE_PROBE_H

#include "explain/explain.h"

#include <math.h>

#include "harness/harness.h"

enum { ITEMS = 2, EXPECTED = -1, NONE = -2 };

/* An element of an operand that a sum holds, so many times. */
typedef struct Item {
  size_t row, column;
  double weight; /* 0: there is none */
} Item;

/* The numbers of an operand, in order, to find them again. */
typedef struct Code {
  double value;
  size_t at;
} Code;

typedef struct Side {
  const char *name;
  size_t rows, columns;
  const char
      *stride; /* how the size is called that its rows are long; NULL: another one is as large */
  Code *codes;
  double *values;
} Side;

typedef struct Probe {
  const char *output_name;
  size_t m, k, n;
  Side side[2];
  const ResultFile *output; /* of 2 * k + 2 runs */
  size_t strange;           /* sums of which the terms are not known */
  bool
      by_second; /* a term that stands for another one has its second factor rather than its first */
} Probe;

/* One place where something else is added than belongs there: in the sum of (row, column), for term i. */
typedef enum Kind { KIND_OTHER, KIND_MISSING, KIND_TIMES, KIND_SURPLUS, KINDS, KIND_GONE } Kind;
typedef struct Astray {
  Kind kind;
  size_t row, column, i;
  size_t at[4]; /* row and column in the one operand, in the other, of what was added */
  double weight;
} Astray;

typedef struct Findings {
  Astray *all;
  size_t count, room, of[KINDS];
} Findings;

/* Where a coordinate of what was added comes from. */
enum { BY_ROW, BY_COLUMN, BY_I, BY_NOTHING };

/* ---- probe_findings.c: operands, and what is said of many places at once --------------------------- */

/* With its numbers as FILL_LIT has them; to free: codes, values. */
Side side_make(const JudgedRun *, int operand);
void sides_free(Probe *);
/* The element that has this number, once or a few times; false: none. */
bool side_find(const Side *, double value, Item *);
/* "A(3,4)" */
void side_put_number(const Side *, size_t row, size_t column, char *out, size_t size);
/* "A(row, i)"; of a vector "v(i)". */
void side_put_element(const Side *, const char *row, const char *column, char *out, size_t size);
/* As near as floats are. */
static inline bool same_number(double a, double b) { return fabs(a - b) <= 1.2e-7 * fabs(b); }
void findings_note(Findings *, Astray);
/* The first of a kind. */
const Astray *findings_example(const Findings *, Kind);
/* How the coordinates are called: "row", "column", "i". */
extern const char *findings_coordinates[];
/* "Where row % 32 >= 16, i = 7:", of the findings of a kind. False: that takes too many words, and one sum is described. */
bool findings_where(const Probe *, const Findings *, Kind, char *out, size_t size);
/* The formula of `at[which]`, in whose place coordinate `home` belongs; false: there is none that fits all. */
bool findings_from(const Findings *, Kind, size_t which, int home, char *out, size_t size);
/* Does `at[which]` have a formula of at most two terms that fits all? */
bool findings_plain(const Findings *, Kind, size_t which, int home);
/* The element of operand s that stands there, by a formula of row and column, "A(row, i + 1)", or of its place in memory,
 * "A[row + k + i]"; false: "another element of A". */
bool findings_element(const Findings *, Kind, size_t s, const Side *, char *out, size_t size);
/* The same of one that is only moved, by a formula of the row and column where it stands. */
bool findings_move(const Findings *, Kind, const Side *, char *out, size_t size);
/* Is it always the coordinate that belongs there? */
bool findings_at_home(const Findings *, Kind, size_t which, int home);

/* ---- probe_runs.c ---------------------------------------------------------------------------------- */

/* The run's variant on so many probes. */
Trial probe_start(Check *, const JudgedRun *, size_t probes);
void probe_place_of_store(const JudgedRun *, const Log *, char *place, size_t size);

/* Runs the variant on chosen inputs, and fills in which elements of its operands it multiplies in place of which. False:
 * nothing is known. */
bool probe_explains(Check *, const JudgedRun *, Verdict *);

/* ---- who says what: false, nothing --------------------------------------------------------------------- */

bool probe_sums(Check *, const JudgedRun *, Verdict *);  /* of products: labs 01 to 05 */
bool probe_pulls(Check *, const JudgedRun *, Verdict *); /* of bodies: lab 06 */
bool probe_moves(Check *, const JudgedRun *, Verdict *); /* elements that are only moved */

#endif
