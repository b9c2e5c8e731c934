/* Writes strings and bytes as JSON. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "step.h"

void json_text(FILE *out, const char *text) {
  json_t *string = json_string(text);
  char *plain = NULL;
  if (!string && (plain = strdup(text))) {
    for (char *c = plain; *c; c++)
      *c = (unsigned char)*c < 0x80 ? *c : '?';
    string = json_string(plain);
  }
  if (!string || json_dumpf(string, out, JSON_ENCODE_ANY | JSON_ENSURE_ASCII))
    fputs("\"\"", out);
  json_decref(string);
  free(plain);
}

void json_hex(FILE *out, const uint8_t *bytes, size_t count) {
  static const char digits[] = "0123456789abcdef";
  fputc('"', out);
  for (size_t i = 0; i < count; i++) {
    fputc(digits[bytes[i] >> 4], out);
    fputc(digits[bytes[i] & 15], out);
  }
  fputc('"', out);
}
