/* Fills code blocks with lines of a source file. Removes the indentation that all lines have in
 * common. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "weave.h"

/* A line ends at a newline or at the end of the text. */
static const char *line_end(const char *line) { return line + strcspn(line, "\n"); }
static const char *next_line(const char *line) {
  const char *end = line_end(line);
  return *end ? end + 1 : end;
}

/* Returns the first line from `at` on that contains `text`, or NULL. */
static const char *find_line(const char *at, const char *text) {
  for (; *at; at = next_line(at))
    if (memmem(at, (size_t)(line_end(at) - at), text, strlen(text)))
      return at;
  return NULL;
}

/* Returns the name of the language by which forges and Marp choose the syntax colours. */
static const char *language(const char *path) {
  static const char *const by_ending[][2] = {{".cu", "cuda"}, {".cuh", "cuda"}, {".c", "c"},
                                             {".h", "c"},     {".sh", "sh"},    {".mk", "make"}};
  const char *ending = strrchr(path, '.');
  for (size_t i = 0; ending && i < sizeof by_ending / sizeof *by_ending; i++)
    if (!strcmp(ending, by_ending[i][0]))
      return by_ending[i][1];
  return "";
}

/* Returns true if the line contains only a comment. *inside is true if the line begins within a
 * block comment; it is updated for the next line. */
static bool is_comment(const char *line, const char *end, bool *inside) {
  const char *at = line + strspn(line, " \t");
  if (!*inside && !strncmp(at, "//", 2))
    return true;
  if (!*inside && strncmp(at, "/*", 2) != 0)
    return false;
  const char *close = memmem(at, (size_t)(end - at), "*/", 2);
  *inside = !close;
  return !close || close + 2 + strspn(close + 2, " \t") >= end;
}

/* Returns the smallest indentation of the lines, in columns. Ignores empty lines and #pragma lines,
 * which are never indented. */
static size_t indent_of(const char *first, const char *last) {
  size_t least = (size_t)-1;
  for (const char *line = first; line <= last; line = next_line(line)) {
    size_t indent = strspn(line, " ");
    if (line[indent] != '\n' && line[indent] && strncmp(line, "#pragma", 7) != 0 && indent < least)
      least = indent;
    if (!*next_line(line))
      break;
  }
  return least == (size_t)-1 ? 0 : least;
}

static void write_lines(FILE *out, const char *first, const char *last, bool bare) {
  size_t indent = indent_of(first, last);
  bool inside = false;
  for (const char *line = first; line <= last && *line; line = next_line(line)) {
    const char *end = line_end(line);
    size_t blanks = strspn(line, " "), skip = blanks < indent ? blanks : indent;
    if (!(bare && is_comment(line, end, &inside)))
      fprintf(out, "%.*s\n", (int)(end - line - (long)skip), line + skip);
  }
}

static void write_excerpt(Page *page, const Words *words, const char *text, FILE *out) {
  const char *path = words->word[1], *after = words_value(words, "after"),
             *from = words_value(words, "from"), *to = words_value(words, "to");
  const char *before = after ? find_line(text, after) : text;
  const char *first = before && from ? find_line(before, from) : before;
  if (!first) {
    complain(page, "%s has no line with \"%s\" in it", path, before ? from : after);
    return;
  }
  const char *last = to ? find_line(first, to) : from ? first : text + strlen(text);
  if (!last) {
    complain(page, "%s has no line with \"%s\" in it after \"%s\"", path, to, from ? from : "");
    return;
  }
  fprintf(out, "\n```%s\n", language(path));
  write_lines(out, first, last, words_have(words, "bare"));
  fprintf(out, "```\n");
}

void fill_code(Page *page, const Words *words, FILE *out) {
  static const char *const names[] = {"after", "from", "to", NULL}, *const plain[] = {"bare", NULL};
  if (words->count < 2) {
    complain(page, "no file is named: <!-- code FILE from=\"...\" to=\"...\" -->");
    return;
  }
  const char *unknown = words_unknown(words, names, plain);
  if (unknown) {
    complain(page, "%s: a code block has the options after=, from=, to= and bare", unknown);
    return;
  }
  char *text = file_read(words->word[1], NULL);
  if (!text) {
    complain(page, "%s: %s", words->word[1], strerror(errno));
    return;
  }
  write_excerpt(page, words, text, out);
  free(text);
}
