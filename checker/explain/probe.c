/* Probes show what a wrong kernel computes. A sum of products is linear in either operand, so
 * chosen inputs take it apart. If the second operand is 1 in row i and 0 elsewhere, each sum shows
 * the elements of the first that meet that row. If the first is 1 in column i, each sum shows
 * elements of the second. The numbers of the other operand tell where they are from (FILL_LIT).
 * Together both show the terms that were really added up. No cause is guessed here: all that is
 * said was seen. */
#include "explain/probe.h"

bool probe_explains(Check *check, const JudgedRun *run, Verdict *verdict) {
  return run->subject->pulls   ? probe_pulls(check, run, verdict)
         : run->subject->moves ? probe_moves(check, run, verdict)
                               : probe_sums(check, run, verdict);
}
