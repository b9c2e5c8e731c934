/* Declarations that the files probe*.c share. These files run a kernel on chosen inputs that show
 * what the kernel computes. */
#ifndef LOCKSTEP_PROBE_H
#define LOCKSTEP_PROBE_H

#include "explain/explain.h"

#include <math.h>

#include "harness/harness.h"

enum { ITEMS = 2, EXPECTED = -1, NONE = -2 };

/* An element of an operand that a sum contains `weight` times. */
typedef struct Item {
  size_t row, column;
  /* The factor of the element in the sum; 0: this entry of the array is unused. */
  double weight;
} Item;

/* An element of an operand, its value and its index. An array of these, sorted by value, is
 * searched for the element with a given value. */
typedef struct Code {
  double value;
  size_t at;
} Code;

typedef struct Side {
  const char *name;
  size_t rows, columns;
  /* The name of the size that is the length of a row. NULL: another size has the same value, which
   * makes the name ambiguous. */
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
  /* How a wrong term is paired with the missing term that it replaces. false: both terms have the
   * same first factor; true: both terms have the same second factor. */
  bool by_second;
} Probe;

/* One wrong term of a sum: term i of element (row, column). */
typedef enum Kind { KIND_OTHER, KIND_MISSING, KIND_TIMES, KIND_SURPLUS, KINDS, KIND_GONE } Kind;
typedef struct Astray {
  Kind kind;
  size_t row, column, i;
  /* The term that was added instead: the row and column of its element of the first operand, then
   * of its element of the second operand. */
  size_t at[4];
  double weight;
} Astray;

typedef struct Findings {
  Astray *all;
  size_t count, room, of[KINDS];
} Findings;

/* The variable to which a coordinate of the term should be equal. */
enum { BY_ROW, BY_COLUMN, BY_I, BY_NOTHING };

/* ---- probe_findings.c: operands, and descriptions of many findings at once ------------------- */

/* Returns an operand filled as with FILL_LIT. sides_free frees the arrays. */
Side side_make(const JudgedRun *, int operand);
void sides_free(Probe *);
/* Finds the element that has this value. Returns false if no element has it. */
bool side_find(const Side *, double value, Item *);
/* Writes "A(3,4)". */
void side_put_number(const Side *, size_t row, size_t column, char *out, size_t size);
/* Writes "A(row, i)", or "v(i)" for a vector. */
void side_put_element(const Side *, const char *row, const char *column, char *out, size_t size);
/* Returns true if the numbers differ by at most the rounding of a float. */
static inline bool same_number(double a, double b) { return fabs(a - b) <= 1.2e-7 * fabs(b); }
void findings_note(Findings *, Astray);
/* Returns the finding of a kind with the smallest coordinates. */
const Astray *findings_example(const Findings *, Kind);
/* The names of the coordinates: "row", "column", "i". */
extern const char *findings_coordinates[];
/* Writes a condition for all findings of a kind: "Where row % 32 >= 16, i = 7:". If the condition
 * would be too long, describes one sum and returns false. */
bool findings_where(const Probe *, const Findings *, Kind, char *out, size_t size);
/* Writes a formula for the coordinate at[which], whose correct value is the coordinate `home`.
 * Returns false if no formula fits all findings. */
bool findings_from(const Findings *, Kind, size_t which, int home, char *out, size_t size);
/* Returns true if a formula of at most two terms gives at[which] in all findings. */
bool findings_plain(const Findings *, Kind, size_t which, int home);
/* Writes a formula for the element of operand s that was added. The formula gives the row and the
 * column, "A(row, i + 1)", or the index in memory, "A[row + k + i]". If no formula fits, writes
 * "another element of A" and returns false. */
bool findings_element(const Findings *, Kind, size_t s, const Side *, char *out, size_t size);
/* Like findings_element, but for a kernel that only moves elements. The formula uses the row and
 * the column at which the element should be. */
bool findings_move(const Findings *, Kind, const Side *, char *out, size_t size);
/* Returns true if at[which] is the right coordinate, `home`, in all findings. */
bool findings_at_home(const Findings *, Kind, size_t which, int home);

/* ---- probe_runs.c ---------------------------------------------------------------------------- */

/* Runs the variant once with this number of probes. */
Trial probe_start(Check *, const JudgedRun *, size_t probes);
void probe_place_of_store(const JudgedRun *, const Log *, char *place, size_t size);

/* Runs the variant on chosen inputs, and adds a cause that names the elements that the kernel
 * multiplies instead of the right elements. Returns false if no cause was found. */
bool probe_explains(Check *, const JudgedRun *, Verdict *);

/* ---- one function for each kind of probe; false: no cause was found
 * --------------------------- */

/* Sums of products: labs 01 to 05. */
bool probe_sums(Check *, const JudgedRun *, Verdict *);
/* Bodies: lab 06. */
bool probe_pulls(Check *, const JudgedRun *, Verdict *);
/* Elements that are only moved. */
bool probe_moves(Check *, const JudgedRun *, Verdict *);

#endif
