/* Text that anybody wrote, in XML and HTML. What is no UTF-8, and control characters other than tab
 * and newline, neither markup can hold: each becomes "?". Marks that turn the direction of a text would show another
 * program than the compiler read ("Trojan Source", CVE-2021-42574): each is shown as its number, <U+202E>.
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stdio.h>

void markup_text(FILE *, const char *text);
/* ` name="value"`; a reader takes a tab or a newline in it for a space. */
void markup_attribute(FILE *, const char *name, const char *value);

/* The same where there is no markup: on a terminal, in a report. */
void plain_text(FILE *, const char *text);

#endif
