/* Text that anybody wrote, in XML and HTML. What is no UTF-8, and control characters other than tab
 * and newline, neither markup can hold: each becomes "?".
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stdio.h>

void markup_text(FILE *, const char *text);
/* ` name="value"`; a reader takes a tab or a newline in it for a space. */
void markup_attribute(FILE *, const char *name, const char *value);

#endif
