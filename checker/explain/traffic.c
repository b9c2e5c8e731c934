/* Checks the counters of a kernel in two ways. The counters must show the whole cost of its
 * variant: no other kernel may compute a part of the result, and each access must be counted for
 * the buffer that it accesses. The kernel must not have costs that the counters of loads omit:
 * atomic operations, local memory, spills, and arithmetic in double in a float program. */
#include "explain/explain.h"
#include "words.h"

#include <string.h>

/* Returns true if the counter of all other kernels together is at most a tenth of this kernel's
 * counter. in_loads: counts load requests; otherwise counts warp instructions. */
static bool is_alone(Check *check, const Log *log, const char *kernel, bool in_loads) {
  double own = 0, others = 0, most = 0;
  const char *name, *worst = "";
  json_t *event;
  json_object_foreach(log->kernels, name, event) {
    double work = in_loads ? log_counter(log, name, "global_load_requests") +
                                 log_counter(log, name, "texture_requests") +
                                 log_counter(log, name, "constant_requests")
                           : log_counter(log, name, "warp_instructions");
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
  verdict_set(&check->verdict, VERDICT_OTHER_KERNEL, SAID(KERNEL_DID_OTHERS_WORK, worst, kernel));
  char its[COUNT_BYTES], all[COUNT_BYTES];
  sentence_count(its, own);
  sentence_count(all, own + others);
  verdict_cause(&check->verdict, in_loads ? SAID(LOADS_OF_KERNEL, its, all, kernel)
                                          : SAID(INSTRUCTIONS_OF_KERNEL, its, all, kernel));
  return false;
}

bool traffic_alone(Check *check, const Log *log, const char *kernel) {
  return is_alone(check, log, kernel, false);
}

bool traffic_loads_alone(Check *check, const Log *log, const char *kernel) {
  return is_alone(check, log, kernel, true);
}

/* Returns true if the log counts more reads than writes of the output. In this case the reads are
 * of another buffer. */
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
  verdict_set(&check->verdict, VERDICT_NO_COUNTERS, SAID(TRAFFIC_NOT_TOLD_APART, names));
  place_format(place, sizeof place, access.file, access.line);
  verdict_fact(&check->verdict, place, SAID(POINTER_FROM_WHERE));
  verdict_cause(&check->verdict, SAID(INDEX_OPERANDS_DIRECTLY, names));
  return false;
}

/* ---- costs that no kernel of a lab needs ----------------------------------------------------- */

static double registers(const Log *log, const char *kernel, const char *which) {
  const json_t *event = json_object_get(log->kernels, kernel);
  return number_at(json_object_get(event, "registers"), which);
}

enum { STORES_OF_CONSTANTS = 8 }; /* The maximum number for each warp. */

bool traffic_clean(Check *check, const Log *log, const char *kernel, bool in_double, double reads) {
  double atomics = log_counter(log, kernel, "global_atomic_requests") +
                   log_counter(log, kernel, "shared_atomic_requests");
  /* Conversions and stores for printf are subtracted, because students may print numbers. */
  double doubles =
      log_counter(log, kernel, "double_instructions") - log_counter(log, kernel, "printed_doubles");
  double requests =
      log_counter(log, kernel, "local_requests") - log_counter(log, kernel, "printed_requests");
  /* A zero whose address is taken, `const Vector zero = {}; tile[i] = inside ? *p : zero`, is
   * stored to local memory once and read for each element of a tile. A sum or an array in local
   * memory is stored many times. */
  double stores = log_local_stores(log, kernel);
  double constants = STORES_OF_CONSTANTS * log_counter(log, kernel, "threads") / 32;
  if (in_double || check_element_bytes(check) == sizeof(double))
    doubles = 0;
  double alive = registers(log, kernel, "alive"), left = registers(log, kernel, "left");
  double textures = log_counter(log, kernel, "texture_requests");
  double constant = log_counter(log, kernel, "constant_requests");
  return CHECK_GATES(check, {SAY_Q_ATOMICS, atomics, 0, 0, SAY_NO_ATOMICS_NEEDED, NULL},
                     {SAY_Q_TEXTURES, textures, 0, 0, SAY_NO_OTHER_MEMORY, NULL},
                     {SAY_Q_CONSTANTS, constant, 0, constants + reads, SAY_NO_OTHER_MEMORY, NULL},
                     {SAY_Q_LOCAL_STORES, stores, 0, constants, SAY_ARRAY_NOT_IN_REGISTERS, NULL},
                     {SAY_Q_LOCAL_REQUESTS, requests, 0, reads > 0 ? constants + reads : 0,
                      SAY_ARRAY_NOT_IN_REGISTERS, NULL},
                     {SAY_Q_DOUBLE_INSTRUCTIONS, doubles, 0, 0, SAY_DOUBLE_IN_FLOAT, NULL},
                     {SAY_Q_REGISTERS_ALIVE, alive, alive, left, SAY_LAUNCH_BOUNDS_SPILL, NULL});
}

bool traffic_stored_once(Check *check, const Log *log, const char *kernel, double bytes,
                         double sectors) {
  double stored = log_counter(log, kernel, "global_store_bytes");
  double touched = log_counter(log, kernel, "global_store_sectors");
  return CHECK_GATES(check, {SAY_Q_BYTES_STORED, stored, bytes, bytes, SAY_SUM_IN_REGISTER, NULL},
                     {SAY_Q_SECTORS_STORED, touched, bytes / 32, sectors, SAY_STORES_APART, NULL});
}
