/* What does a kernel compute instead? A sum of products is linear in either operand, so chosen inputs take it apart:
 * where the second operand is 1 in row i and 0 elsewhere, each sum shows the elements of the first that meet that
 * row; where the first is 1 in column i, those of the second. The numbers of the other operand tell
 * where they are from (FILL_LIT). What both show fits together to the terms that were really added up. Nothing is
 * guessed here: all that is said was seen.
 */
#include "explain/probe.h"

bool probe_explains(Check *check, const JudgedRun *run, Verdict *verdict) {
  return run->subject->pulls   ? probe_pulls(check, run, verdict)
         : run->subject->moves ? probe_moves(check, run, verdict)
                               : probe_sums(check, run, verdict);
}
