/* Sums some counters of the device over the runs of a task, for each kernel. Unlike times, counters
 * are exact and reproducible. A class report compares these sums between students.
 *
 * A doubtful log, which has lines that the device did not write, is not counted. */
#include "facts/facts.h"

enum { KERNELS_MOST = 64 };
/* The maximum value of a counter. This limit ensures that sums fit into an integer. */
static const json_int_t value_most = 1000000000000000;

const char *const work_counters[] = {
    "launches",
    "thread_instructions",
    "global_load_requests",
    "global_load_sectors",
    "global_store_requests",
    "global_store_sectors",
    "shared_load_wavefronts",
    "shared_load_conflicts",
    "shared_store_wavefronts",
    "shared_store_conflicts",
    NULL,
};

static json_int_t counted(const json_t *counters, const char *name) {
  json_int_t value = json_integer_value(json_object_get(counters, name));
  return value < 0 ? 0 : value > value_most ? value_most : value;
}

static void add_kernel(json_t *kernels, const char *name, const json_t *counters) {
  json_t *sum = json_object_get(kernels, name);
  if (!sum && json_object_size(kernels) == KERNELS_MOST)
    return;
  if (!sum) {
    sum = json_object();
    json_object_set_new(kernels, name, sum);
  }
  for (const char *const *counter = work_counters; *counter; counter++) {
    json_int_t all = counted(sum, *counter) + counted(counters, *counter);
    json_object_set_new(sum, *counter, json_integer(all));
  }
}

void work_add(json_t *kernels, const Log *log) {
  const char *name;
  json_t *kernel;
  if (!kernels || log->doubtful)
    return;
  json_object_foreach(log->kernels, name, kernel)
      add_kernel(kernels, name, json_object_get(kernel, "counters"));
}

void work_sum(json_t *kernels, const json_t *others) {
  const char *name;
  json_t *counters;
  if (!kernels)
    return;
  json_object_foreach((json_t *)others, name, counters) add_kernel(kernels, name, counters);
}

json_int_t work_total(const json_t *kernels) {
  json_int_t total = 0;
  const char *name;
  json_t *kernel;
  json_object_foreach((json_t *)kernels, name, kernel) total +=
      counted(kernel, "thread_instructions");
  return total;
}
