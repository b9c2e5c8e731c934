/* Reads values from a JSON object of the log. A default replaces a value that is missing, has
 * another type or is negative. */
#include <limits.h>

#include "profile.h"

const char *log_text(const json_t *object, const char *key, const char *otherwise) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : otherwise;
}

uint64_t log_number(const json_t *object, const char *key) {
  json_int_t value = json_integer_value(json_object_get(object, key));
  return value > 0 ? (uint64_t)value : 0;
}

unsigned log_small(const json_t *object, const char *key) {
  uint64_t value = log_number(object, key);
  return value < INT_MAX ? (unsigned)value : INT_MAX;
}
