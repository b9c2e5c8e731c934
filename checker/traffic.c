/* May a kernel's counters be taken for what its variant costs? They may not when another kernel did the
 * work, nor when loads are booked to a buffer that they do not read.
 */
#include "checker.h"

#include <string.h>

/* Helpers may do a tenth of what the kernel does. */
bool traffic_alone(Check *check, const Log *log, const char *kernel) {
  double own = 0, others = 0, most = 0;
  const char *name, *worst = "";
  json_t *event;
  json_object_foreach(log->kernels, name, event) {
    double work = log_counter(log, name, "warp_instructions");
    if (strcmp(name, kernel) == 0) {
      own = work;
      continue;
    }
    others += work;
    if (work > most) {
      most = work;
      worst = name;
    }
  }
  if (others <= 0.1 * own)
    return true;
  verdict_set(&check->verdict, "other-kernel", "%s did what %s has to do", worst, kernel);
  verdict_cause(&check->verdict,
                "of all that ran, %.0f of %.0f warp instructions are those of %s, whose counters "
                "decide",
                own, own + others, kernel);
  return false;
}

/* Reads of the output come with its writes, or their addresses belong to another buffer. */
static bool reads_more(const Log *log, const char *kernel, int output, LogAccess *reads) {
  LogAccess writes;
  if (!log_access(log, kernel, output, false, reads))
    return false;
  return !log_access(log, kernel, output, true, &writes) || reads->requests > writes.requests;
}

bool traffic_traced(Check *check, const Log *log, const char *kernel, int output,
                    const char *names) {
  enum { PARAMETER_UNKNOWN = -1 };
  LogAccess access;
  char place[200];
  if (!log_access(log, kernel, PARAMETER_UNKNOWN, false, &access) &&
      !log_access(log, kernel, PARAMETER_UNKNOWN, true, &access) &&
      !log_atomic(log, kernel, PARAMETER_UNKNOWN, &access) &&
      !reads_more(log, kernel, output, &access))
    return true;
  verdict_set(&check->verdict, "no-counters", "the traffic of %s cannot be told apart", names);
  place_format(place, sizeof place, access.file, access.line);
  verdict_line(&check->verdict, place, "which of them does this pointer come from?");
  verdict_cause(&check->verdict,
                "index %s themselves, in the kernel or in a __device__ function that is inlined "
                "(no __noinline__)",
                names);
  return false;
}
