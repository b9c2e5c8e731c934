/* Declarations that probe.c, probe_sums.c, probe_pulls.c and probe_moves.c share: chosen inputs
 * show what a kernel computes instead. Other files use probe_explains (explain.h). */
#ifndef JUDGE_PROBE_H
#define JUDGE_PROBE_H

#include "explain/explain.h"

#include <math.h>

#include "harness/harness.h"

enum { ITEMS = 2, EXPECTED = -1, NONE = -2 };

/* An element of an operand that is contained in a sum, `weight` times. */
typedef struct Item {
  size_t row, column;
  /* 0: there is no such element. */
  double weight;
} Item;

/* The numbers of an operand, in order, so that they can be found again. */
typedef struct Code {
  double value;
  size_t at;
} Code;

typedef struct Side {
  const char *name;
  size_t rows, columns;
  /* The name of the size that is the length of the rows. NULL: another size is equal. */
  const char *stride;
  Code *codes;
  double *values;
} Side;

typedef struct Probe {
  const char *output_name;
  size_t m, k, n;
  Side side[2];
  /* The results of 2 * k + 2 runs. */
  const ResultFile *output;
  /* The number of sums with unknown terms. */
  size_t strange;
  /* A term in another's place has the right second factor rather than the first. */
  bool by_second;
} Probe;

/* One place where the sum of (row, column) is wrong at term i. */
typedef enum Kind { KIND_OTHER, KIND_MISSING, KIND_TIMES, KIND_SURPLUS, KINDS, KIND_GONE } Kind;
typedef struct Astray {
  Kind kind;
  size_t row, column, i;
  /* The term that was added: its row and column in the one operand, then in the other. */
  size_t at[4];
  double weight;
} Astray;

typedef struct Findings {
  Astray *all;
  size_t count, room, of[KINDS];
} Findings;

/* Where a coordinate of the term comes from. */
enum { BY_ROW, BY_COLUMN, BY_I, BY_NOTHING };

/* ---- probe_findings.c: operands, and descriptions of many places at once --------------------- */

/* Returns an operand with its numbers as FILL_LIT has them. The caller frees codes and values. */
Side side_make(const JudgedRun *, int operand);
void sides_free(Probe *);
/* Finds the element that has this number, once or a few times. Returns false if there is none. */
bool side_find(const Side *, double value, Item *);
/* Writes "A(3,4)". */
void side_put_number(const Side *, size_t row, size_t column, char *out, size_t size);
/* Writes "A(row, i)"; of a vector "v(i)". */
void side_put_element(const Side *, const char *row, const char *column, char *out, size_t size);
/* Returns true if both are as near as floats are. */
static inline bool same_number(double a, double b) { return fabs(a - b) <= 1.2e-7 * fabs(b); }
void findings_note(Findings *, Astray);
/* Returns the first finding of a kind. */
const Astray *findings_example(const Findings *, Kind);
/* The names of the coordinates: "row", "column", "i". */
extern const char *findings_coordinates[];
/* Writes "Where row % 32 >= 16, i = 7:" for the findings of a kind. If that takes too many words,
 * it describes one sum and returns false. */
bool findings_where(const Probe *, const Findings *, Kind, char *out, size_t size);
/* Writes the formula of `at[which]`, where coordinate `home` would be right. Returns false if no
 * formula fits all. */
bool findings_from(const Findings *, Kind, size_t which, int home, char *out, size_t size);
/* Returns true if a formula of at most two terms gives `at[which]` in all findings. */
bool findings_plain(const Findings *, Kind, size_t which, int home);
/* Writes the element of operand s that was added, by a formula of row and column, "A(row, i + 1)",
 * or of its place in memory, "A[row + k + i]". If there is none, writes "another element of A" and
 * returns false. */
bool findings_element(const Findings *, Kind, size_t s, const Side *, char *out, size_t size);
/* The same for an element that is only moved, by a formula of the row and column where it is found.
 */
bool findings_move(const Findings *, Kind, const Side *, char *out, size_t size);
/* Returns true if it is always the right coordinate. */
bool findings_at_home(const Findings *, Kind, size_t which, int home);

/* ---- probe_runs.c ---------------------------------------------------------------------------- */

/* Runs the variant on this number of probes. */
Trial probe_start(Check *, const JudgedRun *, size_t probes);
void probe_place_of_store(const JudgedRun *, const Log *, char *place, size_t size);

/* Runs the variant on chosen inputs, and fills in which elements of its operands it multiplies in
 * place of which. Returns false if it finds nothing. */
bool probe_explains(Check *, const JudgedRun *, Verdict *);

/* ---- one kind of probe each. false: it finds nothing ----------------------------------------- */

/* Sums of products: labs 01 to 05. */
bool probe_sums(Check *, const JudgedRun *, Verdict *);
/* Bodies: lab 06. */
bool probe_pulls(Check *, const JudgedRun *, Verdict *);
/* Elements that are only moved. */
bool probe_moves(Check *, const JudgedRun *, Verdict *);

#endif
