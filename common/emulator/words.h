/* Functions that format threads and numbers in the same way for reports, verdicts, tables and
 * pages. */
#ifndef WORDS_H
#define WORDS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WHO_BYTES = 120, COUNT_BYTES = 64 };

/* Formats "thread (7,3) of block (0,0)". Both have a z coordinate if one z coordinate is not 0. */
static inline const char *who_text(char out[WHO_BYTES], const uint32_t thread[3],
                                   const uint32_t block[3]) {
  if (thread[2] || block[2])
    snprintf(out, WHO_BYTES, "thread (%u,%u,%u) of block (%u,%u,%u)", thread[0], thread[1],
             thread[2], block[0], block[1], block[2]);
  else
    snprintf(out, WHO_BYTES, "thread (%u,%u) of block (%u,%u)", thread[0], thread[1], block[0],
             block[1]);
  return out;
}

/* Groups the digits of a number: formats -4286464.5 as -4 286 464.5, with `blank` between the
 * groups. */
static inline void group_digits(const char *number, const char *blank, char *out, size_t size) {
  size_t sign = *number == '-', whole = strspn(number + sign, "0123456789"), at = 0;
  for (size_t i = 0; number[i] && at + strlen(blank) + 1 < size; i++) {
    if (i > sign && i < sign + whole && (sign + whole - i) % 3 == 0)
      at += (size_t)snprintf(out + at, size - at, "%s", blank);
    out[at++] = number[i];
  }
  out[at] = '\0';
}

/* Formats a count for a sentence. From five digits on, the digits are grouped with non-breaking
 * blanks. */
static inline const char *sentence_count(char out[COUNT_BYTES], double count) {
  char digits[COUNT_BYTES / 2];
  snprintf(digits, sizeof digits, "%.0f", count);
  group_digits(digits, count < 10000 ? "" : "\u00a0", out, COUNT_BYTES);
  return out;
}

/* Formats a number for a sentence, as in "2.5", "0.007813" and "20 971 520". */
static inline const char *sentence_number(char out[COUNT_BYTES], double number) {
  if (number >= 10000)
    return sentence_count(out, number);
  snprintf(out, COUNT_BYTES, number == (double)(long)number ? "%.0f" : "%.4g", number);
  return out;
}

#endif
