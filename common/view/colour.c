/* Marks comments, strings, keywords of C and C++, and words of CUDA in source text. */
#include <ctype.h>
#include <string.h>

#include "view.h"

static const char reserved[] = " alignas auto bool break case char class const constexpr continue "
                               "default do double else enum extern false float "
                               "for goto if inline int int64_t long namespace operator private "
                               "public real return short signed size_t sizeof "
                               "static static_assert struct switch template this true typedef "
                               "typename uint32_t uint64_t union unsigned using "
                               "void volatile while ";
static const char cuda[] = " threadIdx blockIdx blockDim gridDim warpSize dim3 float2 float4 "
                           "double2 double4 int2 int4 make_float2 "
                           "make_float4 rsqrtf rsqrt fma fmaf cudaError_t ";

static bool among(const char *words, const char *word, size_t length) {
  for (const char *at = words; (at = strchr(at, ' ')) && at[1]; at++)
    if (!strncmp(at + 1, word, length) && at[1 + length] == ' ')
      return true;
  return false;
}

static bool starts(const char *text, const char *with) {
  return !strncmp(text, with, strlen(with));
}

static size_t word_length(const char *text) {
  size_t length = 0;
  while (isalnum((unsigned char)text[length]) || text[length] == '_')
    length++;
  return length;
}

/* Returns the length of the string literal at the start of `text`, including its quotes. A literal
 * that is not closed ends at the end of the line. */
static size_t string_length(const char *text) {
  size_t at = 1;
  while (text[at] && text[at] != text[0])
    at += text[at] == '\\' && text[at + 1] ? 2 : 1;
  return at + (text[at] != '\0');
}

static size_t comment_length(const char *text, size_t opened, bool *open) {
  const char *end = strstr(text + opened, "*/");
  *open = !end;
  return end ? (size_t)(end + 2 - text) : strlen(text);
}

/* Returns the length of the next piece of the line, and sets *class to its CSS class; "" if it gets
 * no colour. `begins` is true for the first piece of a line. *open is true if a block comment is
 * open. */
static size_t next_piece(const char *text, bool begins, bool *open, const char **class) {
  size_t length = word_length(text);
  *class = "";
  if (*open || starts(text, "/*")) {
    *class = "c";
    return comment_length(text, *open ? 0 : 2, open);
  }
  if (starts(text, "//")) {
    *class = "c";
    return strlen(text);
  }
  if (*text == '"' || *text == '\'') {
    *class = "s";
    return string_length(text);
  }
  if (*text == '#' && begins) {
    *class = "w";
    length = 1 + strspn(text + 1, " \t");
    return length + word_length(text + length);
  }
  if (starts(text, "<<<") || starts(text, ">>>")) {
    *class = "g";
    return 3;
  }
  if (!length)
    return strcspn(text + 1,
                   "\"'/<>_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") +
           1;
  if (starts(text, "__") || starts(text, "cuda") || starts(text, "atomic") ||
      among(cuda, text, length))
    *class = "g";
  else if (among(reserved, text, length))
    *class = "w";
  return length;
}

void html_code(FILE *out, const char *line, bool *open) {
  size_t length;
  bool begins = true;
  for (const char *at = line, *class; *at; at += length) {
    length = next_piece(at, begins, open, &class);
    begins = begins && isspace((unsigned char)*at);
    if (*class)
      fprintf(out, "<i class=\"%s\">", class);
    html_text(out, "%.*s", (int)length, at);
    if (*class)
      fputs("</i>", out);
  }
}
