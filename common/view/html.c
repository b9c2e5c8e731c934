/* Writes text as HTML and escapes it. */
#include <stdarg.h>
#include <stdlib.h>

#include "draw/markup.h"
#include "view.h"

void html_text(FILE *out, const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) >= 0)
    markup_text(out, text);
  va_end(arguments);
  free(text);
}

void html_place(const View *v, const char *file, unsigned line) {
  bool here = v->source && line && line <= v->source->count && same_file(file, v->source->path);
  if (here)
    fprintf(v->out, "<a href=\"#L%u\">line %u</a>", line, line);
  else
    html_text(v->out, line ? "%s:%u" : "%s", file, line);
}

void html_command(FILE *out, const char *command) {
  fputs("<code>", out);
  html_text(out, "%s", command);
  fputs("</code>", out);
}
