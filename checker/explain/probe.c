/* Probes find the terms that a wrong kernel adds up. A sum of products is linear in both operands,
 * so chosen inputs show its terms. If the second operand is 1 in row i and 0 elsewhere, each sum is
 * the sum of those elements of the first operand that are multiplied with row i. In the same way, a
 * first operand that is 1 in column i shows elements of the second. All elements of the other
 * operand are different numbers, which identify them (FILL_LIT). A probe reports only what it has
 * observed; it does not guess a cause. */
#include "explain/probe.h"

bool probe_explains(Check *check, const JudgedRun *run, Verdict *verdict) {
  return run->subject->pulls   ? probe_pulls(check, run, verdict)
         : run->subject->moves ? probe_moves(check, run, verdict)
                               : probe_sums(check, run, verdict);
}
