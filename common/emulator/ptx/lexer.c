/* Splits PTX text into tokens. loader->token is the current token; next_token() reads the next one.
 *
 * A word includes its parts after dots: `ld.global.v4.f32` and `%tid.x` are one token each. The
 * text of a token is not copied: it points into the module's text. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "ptx.h"

void fail(Loader *loader, uint32_t ptx_line, const char *format, ...) {
  va_list arguments;
  int n = snprintf(loader->error, loader->error_size, "PTX line %u: ", ptx_line);
  va_start(arguments, format);
  if (n >= 0 && (size_t)n < loader->error_size)
    vsnprintf(loader->error + n, loader->error_size - (size_t)n, format, arguments);
  va_end(arguments);
  longjmp(loader->failed, 1);
}

static bool is_word_start(char c) {
  return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool is_word_part(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

static void skip_blanks(Loader *loader) {
  const char *c = loader->cursor;
  for (;;) {
    if (c[0] == '/' && c[1] == '/') {
      while (*c && *c != '\n')
        c++;
    } else if (c[0] == '/' && c[1] == '*') {
      for (c += 2; *c && !(c[0] == '*' && c[1] == '/'); c++)
        loader->line += *c == '\n';
      c += *c ? 2 : 0;
    } else if (isspace((unsigned char)*c)) {
      loader->line += *c++ == '\n';
    } else {
      break;
    }
  }
  loader->cursor = c;
}

/* Scans the rest of a word: name, name.part (if `dotted`) or .part; each name or part may contain
 * `::`. Returns the end of the word. */
static const char *scan_word(const char *c, bool dotted) {
  for (c++;; c++) {
    if (is_word_part(*c))
      continue;
    if (c[0] == ':' && c[1] == ':' && is_word_part(c[2]))
      c += 2;
    else if (!dotted || c[0] != '.' || !is_word_part(c[1]))
      return c;
  }
}

static unsigned digit_value(char c) {
  return isdigit((unsigned char)c) ? (unsigned)(c - '0')
                                   : (unsigned)(tolower((unsigned char)c) - 'a' + 10);
}

/* Scans digits in base `base` from c on and returns the end of the digits. Returns NULL if there
 * are no digits or the value overflows. */
static const char *scan_digits(const char *c, unsigned base, uint64_t *value) {
  const char *start = c;
  *value = 0;
  for (; isxdigit((unsigned char)*c) && digit_value(*c) < base; c++) {
    if (*value > (UINT64_MAX - digit_value(*c)) / base)
      return NULL;
    *value = *value * base + digit_value(*c);
  }
  return c == start ? NULL : c;
}

static const char *scan_decimal_float(const char *c, Token *token) {
  char *end;
  double value = strtod(c, &end);
  token->kind = TOKEN_F64;
  memcpy(&token->value, &value, sizeof value);
  return end;
}

/* Scans 0f3F800000 or 0d3FF0000000000000, which must have exactly `digits` hexadecimal digits. */
static const char *scan_float_bits(const char *c, Token *token, size_t digits) {
  token->kind = digits == 8 ? TOKEN_F32 : TOKEN_F64;
  const char *end = scan_digits(c + 2, 16, &token->value);
  return end == c + 2 + digits ? end : NULL;
}

static bool is_decimal_float(const char *c) {
  while (isdigit((unsigned char)*c))
    c++;
  if (*c == '.')
    return isdigit((unsigned char)c[1]);
  return (*c == 'e' || *c == 'E') && (isdigit((unsigned char)c[1]) || c[1] == '-' || c[1] == '+');
}

static const char *scan_integer(const char *c, Token *token) {
  unsigned base = 10, skip = 0;
  if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X'))
    base = 16, skip = 2;
  else if (c[0] == '0' && (c[1] == 'b' || c[1] == 'B'))
    base = 2, skip = 2;
  else if (c[0] == '0')
    base = 8;
  token->kind = TOKEN_INTEGER;
  c = scan_digits(c + skip, base, &token->value);
  return c && *c == 'U' ? c + 1 : c;
}

static const char *scan_number(const char *c, Token *token) {
  if (c[0] == '0' && (c[1] == 'f' || c[1] == 'F'))
    c = scan_float_bits(c, token, 8);
  else if (c[0] == '0' && (c[1] == 'd' || c[1] == 'D'))
    c = scan_float_bits(c, token, 16);
  else
    c = is_decimal_float(c) ? scan_decimal_float(c, token) : scan_integer(c, token);
  return c && is_word_part(*c) ? NULL : c;
}

static const char *scan_string(Loader *loader, const char *c) {
  for (c++; *c && *c != '"' && *c != '\n'; c++)
    c += c[0] == '\\' && c[1] && c[1] != '\n';
  if (*c != '"')
    fail(loader, loader->line, "a string does not end");
  return c;
}

void next_token(Loader *loader) {
  skip_blanks(loader);
  const char *start = loader->cursor, *end = start + 1;
  Token token = {.kind = TOKEN_MARK, .line = loader->line, .text.start = start};
  if (!*start) {
    token.kind = TOKEN_END;
    end = start;
  } else if (is_word_start(*start)) {
    token.kind = TOKEN_WORD;
    end = scan_word(start, true);
  } else if (*start == '.' && is_word_part(start[1])) {
    token.kind = TOKEN_DIRECTIVE;
    end = scan_word(start, false);
  } else if (isdigit((unsigned char)*start)) {
    end = scan_number(start, &token);
  } else if (*start == '"') {
    token.kind = TOKEN_STRING;
    token.text.start = ++start;
    end = scan_string(loader, start - 1);
  } else if (!isgraph((unsigned char)*start)) {
    fail(loader, loader->line, "byte 0x%02x is not PTX", (unsigned char)*start);
  }
  if (!end)
    fail(loader, loader->line, "'%.*s' is not a number", (int)(scan_word(start, true) - start),
         start);
  token.text.length = (uint32_t)(end - start);
  loader->cursor = end + (token.kind == TOKEN_STRING);
  loader->token = token;
}

/* ---- the parser's interface ------------------------------------------------------------------ */

bool is_mark(const Loader *loader, char mark) {
  return loader->token.kind == TOKEN_MARK && loader->token.text.start[0] == mark;
}

bool is_directive(const Loader *loader, const char *directive) {
  return loader->token.kind == TOKEN_DIRECTIVE && slice_is(loader->token.text, directive);
}

bool accept_mark(Loader *loader, char mark) {
  if (!is_mark(loader, mark))
    return false;
  next_token(loader);
  return true;
}

bool accept_directive(Loader *loader, const char *directive) {
  if (!is_directive(loader, directive))
    return false;
  next_token(loader);
  return true;
}

void fail_expected(Loader *loader, const char *what) {
  if (loader->token.kind == TOKEN_END)
    fail(loader, loader->token.line, "the text ends where %s should be", what);
  uint32_t length = loader->token.text.length < 40 ? loader->token.text.length : 40;
  fail(loader, loader->token.line, "expected %s, found '%.*s'", what, (int)length,
       loader->token.text.start);
}

void expect_mark(Loader *loader, char mark) {
  char what[] = {'\'', mark, '\'', 0};
  if (!accept_mark(loader, mark))
    fail_expected(loader, what);
}

uint64_t expect_integer(Loader *loader, const char *what) {
  if (loader->token.kind != TOKEN_INTEGER)
    fail_expected(loader, what);
  uint64_t value = loader->token.value;
  next_token(loader);
  return value;
}

Slice expect_word(Loader *loader, const char *what) {
  if (loader->token.kind != TOKEN_WORD)
    fail_expected(loader, what);
  Slice word = loader->token.text;
  next_token(loader);
  return word;
}
