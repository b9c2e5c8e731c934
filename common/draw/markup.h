/* Writes untrusted text into XML, HTML and plain text.
 *
 * Each byte of invalid UTF-8 and each control character becomes "?"; tab and newline are kept.
 * Characters that change the text direction could show a program that differs from the compiled one
 * ("Trojan Source", CVE-2021-42574). Each is written as its code point, for example <U+202E>.
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stdio.h>

void markup_text(FILE *, const char *text);
/* Writes ` name="value"`. A parser turns a tab or a newline in the value into a space. */
void markup_attribute(FILE *, const char *name, const char *value);

/* Writes text for a terminal or a report. Replaces the characters named above, but writes no
 * entities. */
void plain_text(FILE *, const char *text);

#endif
