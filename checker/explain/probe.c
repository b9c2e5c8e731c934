/* Probes show which terms a wrong kernel adds up. A sum of products is linear in both operands, so
 * its terms can be found with chosen inputs. If the second operand is 1 in row i and 0 elsewhere,
 * each sum is the sum of the elements of the first operand that are multiplied with that row. If
 * the first is 1 in column i, each sum shows elements of the second. The numbers of the other
 * operand identify their elements (FILL_LIT). Both together show the terms. No cause is guessed:
 * everything that a probe reports was observed. */
#include "explain/probe.h"

bool probe_explains(Check *check, const JudgedRun *run, Verdict *verdict) {
  return run->subject->pulls   ? probe_pulls(check, run, verdict)
         : run->subject->moves ? probe_moves(check, run, verdict)
                               : probe_sums(check, run, verdict);
}
