/* What does a kernel compute instead? A sum of products is linear in either operand, so chosen inputs take it apart:
 * where the second operand is 1 in row i and 0 elsewhere, each sum shows the elements of the first that meet that
 * row; where the first is 1 in column i, those of the second. The numbers of the other operand tell
 * where they are from (FILL_LIT). What both show fits together to the terms that were really added up. Nothing is
 * guessed here: all that is said was seen.
 */
#include "explain/probe.h"

#include <string.h>

void probe_place_of_store(const JudgedRun *run, const Log *log, char *place, size_t size) {
  const char *kernel;
  json_t *event;
  LogAccess access;
  place[0] = '\0';
  json_object_foreach(
      log->kernels, kernel,
      event) if (log_access(log, kernel, problem_inputs(run->subject->problem), true, &access))
      place_format(place, size, access.file, access.line);
}

Trial probe_start(Check *check, const JudgedRun *run, size_t probes) {
  char extra[40];
  JudgedRun lit = *run;
  snprintf(extra, sizeof extra, "--probes=%zu", probes);
  lit.fill = FILL_LIT;
  check->many_in_one = true;
  Trial trial = judged_start(check, &lit, extra);
  check->many_in_one = false;
  return trial;
}

bool probe_explains(Check *check, const JudgedRun *run, Verdict *verdict) {
  return run->subject->pulls   ? probe_pulls(check, run, verdict)
         : run->subject->moves ? probe_moves(check, run, verdict)
                               : probe_sums(check, run, verdict);
}
