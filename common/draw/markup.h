/* Writes untrusted text into XML and HTML. Invalid UTF-8 and control characters other than tab and
 * newline are not allowed in either; each becomes "?". Characters that change the text direction
 * could show another program than the compiler read ("Trojan Source", CVE-2021-42574); each is
 * written as its number, <U+202E>.
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stdio.h>

void markup_text(FILE *, const char *text);
/* Writes ` name="value"`. Parsers turn a tab or newline in the value into a space. */
void markup_attribute(FILE *, const char *name, const char *value);

/* The same for plain text: on a terminal, in a report. */
void plain_text(FILE *, const char *text);

#endif
