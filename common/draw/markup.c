#include "markup.h"

#include <stdbool.h>
#include <string.h>

/* Bytes of the UTF-8 character that begins here; 0: none does. */
static size_t character(const char *text) {
  unsigned char first = (unsigned char)*text;
  size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (size_t i = 1; i < length; i++)
    if (((unsigned char)text[i] & 0xc0) != 0x80)
      return 0;
  unsigned char second = (unsigned char)text[length > 2];
  bool outside = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                 (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return first > 0xf4 || outside ? 0 : length;
}

/* U+FFFE and U+FFFF are UTF-8, and no characters. */
static bool in_no_markup(const char *text) {
  unsigned char first = (unsigned char)*text;
  return (first < ' ' && first != '\n' && first != '\t') || first == 0x7f ||
         strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0;
}

static const char *entity(char c) {
  switch (c) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  default:
    return NULL;
  }
}

void markup_text(FILE *out, const char *text) {
  for (size_t length; *text; text += length ? length : 1) {
    length = character(text);
    if (entity(*text))
      fputs(entity(*text), out);
    else if (!length || in_no_markup(text))
      fputc('?', out);
    else
      fwrite(text, 1, length, out);
  }
}

void markup_attribute(FILE *out, const char *name, const char *value) {
  fprintf(out, " %s=\"", name);
  markup_text(out, value);
  fputc('"', out);
}
