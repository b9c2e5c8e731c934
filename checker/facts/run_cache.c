/* A cache of runs, because several checks of a lab use the same run. Runs on the emulated device
 * are reproducible, so each run is made only once. Runs that did not end normally and large results
 * are not cached. On a GPU, only the runs that were made ahead in one process are cached. */
#include "facts/facts.h"

#include <stdlib.h>
#include <string.h>

enum {
  KNOWN_MOST = 256,
  ELEMENTS_MOST = 1 << 22,
  LOGS_MOST = 48 << 20 /* the maximum size of all cached logs in bytes */
};

typedef struct Known {
  char *key;
  Trial trial;
} Known;

static Known known[KNOWN_MOST];
static size_t known_count, elements, logs;

static size_t elements_of(const Trial *trial) {
  return trial->output.values ? trial->output.rows * trial->output.columns : 0;
}

static void *copy(const void *from, size_t bytes) {
  void *to = malloc(bytes ? bytes : 1);
  if (!to)
    bad_input("not enough memory for a result of %zu bytes", bytes);
  return memcpy(to, from, bytes);
}

void trial_free(Trial *trial) {
  log_free(&trial->log);
  result_file_free(&trial->output);
}

/* Returns a copy of a run. The copy has its own result and shares the log. */
static Trial again(const Trial *trial) {
  Trial same = *trial;
  size_t count = elements_of(trial);
  json_incref(same.log.reports);
  json_incref(same.log.kernels);
  json_incref(same.log.launched);
  json_incref(same.log.copies);
  json_incref(same.log.failed);
  if (trial->output.values) {
    same.output.values = copy(trial->output.values, count * sizeof *same.output.values);
    same.output.states = copy(trial->output.states, count);
  }
  return same;
}

bool known_run(const char *key, Trial *trial) {
  for (size_t i = 0; i < known_count; i++)
    if (strcmp(known[i].key, key) == 0) {
      *trial = again(&known[i].trial);
      return true;
    }
  return false;
}

void known_keep(const char *key, const Trial *trial) {
  if (trial->end.how != CHILD_EXITED || known_count == KNOWN_MOST ||
      elements + elements_of(trial) > ELEMENTS_MOST || logs + trial->log.bytes > LOGS_MOST)
    return;
  elements += elements_of(trial);
  logs += trial->log.bytes;
  for (size_t i = 0; i < known_count; i++)
    if (strcmp(known[i].key, key) == 0) {
      elements -= elements_of(&known[i].trial);
      logs -= known[i].trial.log.bytes;
      trial_free(&known[i].trial);
      known[i].trial = again(trial);
      return;
    }
  known[known_count++] = (Known){copy(key, strlen(key) + 1), again(trial)};
}

void known_forget(void) {
  for (size_t i = 0; i < known_count; i++) {
    free(known[i].key);
    trial_free(&known[i].trial);
  }
  known_count = elements = logs = 0;
}
