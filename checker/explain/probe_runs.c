/* Starts a run with probes, and finds the line at which a kernel stores the result. */
#include "explain/probe.h"

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
