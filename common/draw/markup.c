/* Writes untrusted text into XML, HTML and plain text. */
#include "markup.h"

#include <stdbool.h>
#include <string.h>

/* Returns the length of the UTF-8 character at the start of `text`; 0 if it is invalid. */
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

/* Returns true for characters that XML does not allow: control characters, U+FFFE and U+FFFF. */
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

/* Returns the code point at the start of `text` if it changes the text direction, otherwise 0. Such
 * code points are U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069. */
static unsigned direction(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  if (c[0] == 0xd8 && c[1] == 0x9c)
    return 0x061c;
  if (c[0] != 0xe2 || (c[1] != 0x80 && c[1] != 0x81))
    return 0;
  unsigned code = 0x2000 | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
  bool turns = (code >= 0x200e && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) ||
               (code >= 0x2066 && code <= 0x2069);
  return turns ? code : 0;
}

void plain_text(FILE *out, const char *text) {
  for (size_t length; *text; text += length ? length : 1) {
    length = character(text);
    if (!length || in_no_markup(text))
      fputc('?', out);
    else if (direction(text))
      fprintf(out, "<U+%04X>", direction(text));
    else
      fwrite(text, 1, length, out);
  }
}

void markup_text(FILE *out, const char *text) {
  for (size_t length; *text; text += length ? length : 1) {
    length = character(text);
    if (length && direction(text))
      fprintf(out, "&lt;U+%04X&gt;", direction(text));
    else if (entity(*text))
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
