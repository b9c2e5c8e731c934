/* What costs a GPU time and no counter of loads shows: atomic operations, local memory and spills, arithmetic in
 * double where all is float. And: may a kernel's counters be taken for what its variant costs? They may not when another kernel did the
 * work, nor when loads are booked to a buffer that they do not read.
 */
#include "checker.h"
#include "words.h"

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
  verdict_set(&check->verdict, VERDICT_OTHER_KERNEL, "%s did what %s has to do", worst, kernel);
  char its[COUNT_BYTES], all[COUNT_BYTES];
  verdict_cause(&check->verdict,
                "of all that ran, %s of %s warp instructions are those of %s, whose counters "
                "decide",
                sentence_count(its, own), sentence_count(all, own + others), kernel);
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
  verdict_set(&check->verdict, VERDICT_NO_COUNTERS, "the traffic of %s cannot be told apart",
              names);
  place_format(place, sizeof place, access.file, access.line);
  verdict_line(&check->verdict, place, "which of them does this pointer come from?");
  verdict_cause(&check->verdict,
                "index %s themselves, in the kernel or in a __device__ function that is inlined "
                "(no __noinline__)",
                names);
  return false;
}

/* ---- what no kernel of a lab needs ----------------------------------------------------------- */

static double registers(const Log *log, const char *kernel, const char *which) {
  const json_t *event = json_object_get(log->kernels, kernel);
  return number_at(json_object_get(event, "registers"), which);
}

static bool gate(Check *check, const char *what, double now, double ideal, double most,
                 const char *cause) {
  if (check_gate(check, what, now, ideal, most, NULL))
    return true;
  verdict_cause(&check->verdict, "%s", cause);
  return false;
}

bool traffic_clean(Check *check, const Log *log, const char *kernel, bool in_double) {
  double atomics = log_counter(log, kernel, "global_atomic_requests") +
                   log_counter(log, kernel, "shared_atomic_requests");
  /* What a kernel prints to see what it does costs no point. */
  double doubles =
      log_counter(log, kernel, "double_instructions") - log_counter(log, kernel, "printed_doubles");
  double requests =
      log_counter(log, kernel, "local_requests") - log_counter(log, kernel, "printed_requests");
  /* A zero with an address, `const Vector zero = {}; tile[i] = inside ? *p : zero`, lies in local memory: a few
   * requests for each store to a tile are no array that spills. */
  double local = 4 * log_counter(log, kernel, "shared_store_requests");
  if (in_double || check_element_bytes(check) == sizeof(double))
    doubles = 0;
  return gate(
             check, "atomic operations", atomics, 0, 0,
             "every element has one owner, so nothing needs an atomic operation: load and store") &&
         gate(check, "requests to local memory", requests, 0, local,
              "an array with an index unknown to the compiler cannot lie in registers: let #pragma "
              "unroll "
              "make its loops straight") &&
         gate(
             check, "instructions in double", doubles, 0, 0,
             "a number like 0.5 and a function like sqrt(double) are double, and so is all that is "
             "computed with them: real(0.5), or 0.5f where real is float") &&
         gate(check, "registers alive at once", registers(log, kernel, "alive"),
              registers(log, kernel, "alive"), registers(log, kernel, "left"),
              "__launch_bounds__ ask for more blocks on a multiprocessor than have room with so "
              "many "
              "registers: the compiler has to spill them to local memory");
}

bool traffic_stored_once(Check *check, const Log *log, const char *kernel, double bytes,
                         double spread) {
  double stored = log_counter(log, kernel, "global_store_bytes");
  double sectors = log_counter(log, kernel, "global_store_sectors");
  return gate(check, "bytes stored", stored, bytes, bytes,
              "the sum grows in a register, and each element is stored once") &&
         gate(check, "sectors stored", sectors, bytes / 32, spread * bytes / 32,
              "the 32 threads of a warp store elements that lie apart: neighbours belong side by "
              "side");
}
