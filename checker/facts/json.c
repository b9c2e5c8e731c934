/* Helpers for JSON that other programs have written or that contains their output. */
#include "facts/json.h"

/* Replaces all characters outside of ASCII if the text is not valid UTF-8, which JSON requires. */
json_t *text_json(const char *text) {
  json_t *string = json_string(text);
  char clean[512];
  size_t i = 0;
  if (string)
    return string;
  for (; text[i] && i + 1 < sizeof clean; i++)
    clean[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
  clean[i] = '\0';
  return json_string(clean);
}

const char *text_at(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

int number_at(const json_t *object, const char *key) {
  return (int)json_integer_value(json_object_get(object, key));
}
