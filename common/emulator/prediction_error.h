/* The error that is shown with each predicted time. The error comes from kernels with the same
 * limit that were predicted before they were measured. */
#ifndef PREDICTION_ERROR_H
#define PREDICTION_ERROR_H

#include <stdio.h>
#include <string.h>

typedef struct StatedError {
  /* The name of a resource, or "latency"; "" for all kernels. */
  const char *limit;
  unsigned kernels, half, most;
} StatedError;

/* The number of rows. */
enum {
  STATED_ERRORS = 0
#define STATED_ERROR(...) +1
#include "prediction_error.def"
};

/* Returns the errors for kernels with this limit, or the errors for all kernels if too few kernels
 * had this limit. */
static inline StatedError stated_error(const char *limit) {
  static const StatedError errors[] = {
#define STATED_ERROR(limit, kernels, half, most) {limit, kernels, half, most},
#include "prediction_error.def"
  };
  for (size_t i = 1; i < sizeof errors / sizeof *errors; i++)
    if (!strcmp(errors[i].limit, limit))
      return errors[i];
  return errors[0];
}

enum { STATED_ERROR_BYTES = 160 };

/* Writes a text such as "kernels limited by dram that were new to the model: half within 11 %, nine
 * of ten within 30 %". */
static inline const char *stated_error_text(char out[STATED_ERROR_BYTES], const char *limit) {
  const StatedError e = stated_error(limit);
  snprintf(out, STATED_ERROR_BYTES,
           "kernels%s%s that were new to the model: half within %u %%, nine of ten within %u %%",
           *e.limit ? " limited by " : "", e.limit, e.half, e.most);
  return out;
}

/* Writes a shorter text for a line of a table: "new kernels, limit dram: half within 11 %, ..." */
static inline const char *stated_error_line(char out[STATED_ERROR_BYTES], const char *limit) {
  const StatedError e = stated_error(limit);
  snprintf(out, STATED_ERROR_BYTES,
           "new kernels, %s%s: half within %u %%, nine of ten within %u %%",
           *e.limit ? "limit " : "all limits", e.limit, e.half, e.most);
  return out;
}

#endif
