/* Text that anybody wrote, for XML and HTML. It comes from JSON, so it is UTF-8; neither markup has
 * a way to write most control characters at all.
 */
#include "checker.h"

#include <string.h>

/* U+FFFE and U+FFFF, which are no characters. */
static bool is_no_character(const char *at) {
  return memcmp(at, "\xef\xbf\xbe", 3) == 0 || memcmp(at, "\xef\xbf\xbf", 3) == 0;
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
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (entity(*text))
      fputs(entity(*text), out);
    else if (c == 0xef && text[1] && is_no_character(text)) {
      fputc('?', out);
      text += 2;
    } else
      fputc(c < ' ' || c == 0x7f ? ' ' : c, out);
  }
}

void markup_attribute(FILE *out, const char *name, const char *value) {
  fprintf(out, " %s=\"", name);
  markup_text(out, value);
  fputc('"', out);
}
