/* Reads the result file of a lab program with the harness's own reader, which does not trust the
 * file. Each element is classified. An unwritten element still has the poison value. No arithmetic
 * gives this value, so it differs from a computed NaN. */
#include "facts/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emulator.h"
#include "harness/harness.h"

static ElementState state_of(const void *data, size_t element_bytes, size_t index) {
  if (element_is_poison(data, element_bytes, index))
    return ELEMENT_POISON;
  return isnan(element_get(data, element_bytes, index)) ? ELEMENT_NAN : ELEMENT_VALUE;
}

static ResultFile sorted(const Output *output) {
  size_t count = output->shape.rows * output->shape.columns;
  ResultFile result = {.there = true,
                       .rows = output->shape.rows,
                       .columns = output->shape.columns,
                       .element_bytes = output->element_bytes,
                       .values = calloc(count + 1, sizeof *result.values),
                       .states = calloc(count + 1, 1)};
  if (!result.values || !result.states)
    bad_input("not enough memory for a result of %zu elements", count);
  for (size_t i = 0; i < count; i++) {
    result.values[i] = element_get(output->data, output->element_bytes, i);
    result.states[i] = (unsigned char)state_of(output->data, output->element_bytes, i);
  }
  result.hash = emulator_hash(output->data, count * output->element_bytes);
  free(output->data);
  return result;
}

size_t result_file_read_all(const char *path, ResultFile *results, size_t most) {
  Output *outputs = calloc(most, sizeof *outputs);
  if (!outputs)
    bad_input("out of memory");
  size_t count = output_read_all(path, outputs, most);
  for (size_t i = 0; i < count; i++)
    results[i] = sorted(&outputs[i]);
  free(outputs);
  return count;
}

ResultFile result_file_read(const char *path) {
  ResultFile result = {.there = false};
  Output output;
  const char *problem = output_read(path, &output);
  if (problem) {
    /* The name of the file is removed from the reader's message, because the file is deleted. */
    const char *what =
        strncmp(problem, path, strlen(path)) == 0 ? problem + strlen(path) + 2 : problem;
    snprintf(result.problem, sizeof result.problem, "%s%s",
             access(path, F_OK) == 0 ? "the result file: " : "no result file: ", what);
    return result;
  }
  return sorted(&output);
}

void result_file_free(ResultFile *result) {
  free(result->values);
  free(result->states);
  result->values = NULL;
  result->states = NULL;
}
