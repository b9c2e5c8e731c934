/* Helpers for JSON that other programs have written or that contains their output. */
#ifndef FACTS_JSON_H
#define FACTS_JSON_H

#include <jansson.h>

/* Return the value of a key; "" or 0 if there is no such key or its value has another type. */
const char *text_at(const json_t *, const char *key);
int number_at(const json_t *, const char *key);
/* Returns a JSON string of a text that may be invalid UTF-8. */
json_t *text_json(const char *text);

#endif
