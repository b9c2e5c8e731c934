/* Converts a source to UTF-8 without a byte order mark, because compilers need this encoding.
 * Editors of Windows may save UTF-16, or UTF-8 with a mark. */
#include "intake.h"

#include <ctype.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

/* Returns the encoding if it is UTF-16; otherwise NULL. Text in which every second byte is 0 is
 * UTF-16, even without a mark. */
static const char *charset_of(const char *bytes, size_t size) {
  size_t zeros[2] = {0, 0};
  if (size >= 2 && memcmp(bytes, "\xff\xfe", 2) == 0)
    return "UTF-16LE";
  if (size >= 2 && memcmp(bytes, "\xfe\xff", 2) == 0)
    return "UTF-16BE";
  for (size_t i = 0; i < size; i++)
    zeros[i % 2] += bytes[i] == '\0';
  if (zeros[1] > size * 2 / 5 && zeros[0] == 0)
    return "UTF-16LE";
  return zeros[0] > size * 2 / 5 && zeros[1] == 0 ? "UTF-16BE" : NULL;
}

/* Converts a text to UTF-8. Two bytes of UTF-16 become at most three bytes. */
static char *convert(const char *charset, char *bytes, size_t *size) {
  size_t left = *size, room = *size * 2 + 4, all = room;
  char *from = bytes, *made = malloc(room), *to = made;
  iconv_t converter = iconv_open("UTF-8", charset);
  bool right = made && converter != (iconv_t)-1 &&
               iconv(converter, &from, &left, &to, &room) != (size_t)-1 && left == 0;
  if (converter != (iconv_t)-1)
    iconv_close(converter);
  *size = all - room;
  if (!right) {
    free(made);
    made = NULL;
  }
  return made;
}

const char *source_tidy(char **bytes, size_t *size, const char **was) {
  static const char mark[] = "\xef\xbb\xbf";
  const char *charset = *size ? charset_of(*bytes, *size) : NULL;
  *was = charset ? "UTF-16" : NULL;
  if (charset) {
    char *made = convert(charset, *bytes, size);
    if (!made)
      return "it is UTF-16, and damaged: save it as UTF-8";
    free(*bytes);
    *bytes = made;
  }
  if (*size >= 3 && memcmp(*bytes, mark, 3) == 0)
    memmove(*bytes, *bytes + 3, *size -= 3);
  return NULL;
}

static int next_letter(const char **at, const char *end) {
  while (*at < end && isspace((unsigned char)**at))
    ++*at;
  return *at < end ? (unsigned char)*(*at)++ : -1;
}

bool source_empty(const char *bytes, size_t size) { return next_letter(&bytes, bytes + size) < 0; }

bool source_same(const char *a, size_t a_size, const char *b, size_t b_size) {
  const char *a_end = a + a_size, *b_end = b + b_size;
  int letter;
  while ((letter = next_letter(&a, a_end)) == next_letter(&b, b_end))
    if (letter < 0)
      return true;
  return false;
}
