/* Finds code in a text that gives away the solution of an open gap. A text gives a gap away if it
 * contains RUN consecutive tokens of the solution of this gap that the student has not seen. A
 * student has seen the lab's README.md, the lab's file as handed out, and their own file.
 *
 * The tokens are the tokens of C: names, numbers and operators. Sentences are split in the same
 * way, so code in a sentence is found. A run must contain a name: runs such as 0, 0, 0 or )); } do
 * not count. */
#ifndef SPOILERS_H
#define SPOILERS_H

#include <ctype.h>
#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "facts/source.h"
#include "grade/grade.h"
#include "harness/gaps.h"

enum { RUN = 6, LEAK_TEXT = 400, PAIRS = 4096 };
/* Each of these separators is a token, so no sequence of equal tokens crosses the end of a text or
 * of a gap. */
#define TEXTS_APART " \x01 "
#define GAPS_APART " \x02 "

typedef struct Token {
  const char *start;
  unsigned length;
  uint32_t hash;
  bool name;
} Token;

typedef struct Tokens {
  /* `start` of each token points into this text */
  char *text;
  Token *all;
  size_t count;
} Tokens;

/* ---- tokens ---------------------------------------------------------------------------------- */

/* A quotation mark is a separate token, so code in quotes is found too. */
static inline Token token_at(const char *start) {
  bool quote = *start == '"' || *start == '\'';
  Token token = {.start = start, .length = 1, .hash = 2166136261u};
  if (!quote)
    token.length = (unsigned)(source_token_end(start) - start);
  token.name = isalpha((unsigned char)*start) || *start == '_' || (*start & 0x80);
  for (unsigned i = 0; i < token.length; i++)
    token.hash = (token.hash ^ (unsigned char)start[i]) * 16777619u;
  return token;
}

/* Splits a text into tokens. Takes ownership of the text, which must be on the heap. */
static inline Tokens tokens_of(char *text) {
  Tokens tokens = {.text = text};
  size_t room = 0;
  for (const char *at = text; *at;) {
    if (isspace((unsigned char)*at)) {
      at++;
      continue;
    }
    if (tokens.count == room) {
      room = room ? 2 * room : 256;
      tokens.all = realloc(tokens.all, room * sizeof *tokens.all);
    }
    Token token = token_at(at);
    tokens.all[tokens.count++] = token;
    at += token.length;
  }
  return tokens;
}

static inline void tokens_free(Tokens *tokens) {
  free(tokens->text);
  free(tokens->all);
  *tokens = (Tokens){0};
}

/* Overwrites comments with blanks. With `keep_words`, overwrites only the comment delimiters, so
 * that a sentence that continues on the next line is one run of tokens. */
static inline void blank_comments(char *text, bool keep_words) {
  for (char *at = text; (at = strchr(at, '/'));) {
    bool line = at[1] == '/', block = at[1] == '*';
    char *end = line ? at + strcspn(at, "\n") : block ? strstr(at, "*/") : NULL;
    if (!line && !block) {
      at++;
      continue;
    }
    size_t length = keep_words || (block && !end) ? 2 : (size_t)(end - at) + (block ? 2 : 0);
    memset(at, ' ', length);
    at += length;
  }
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Returns the contents of a file on the heap, or NULL if it cannot be opened. */
static inline char *whole_file(const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *in = fopen(path, "r");
  if (!in)
    return NULL;
  FILE *out = open_memstream(&text, &size);
  for (int c; (c = getc(in)) != EOF;)
    fputc(c, out);
  fclose(in);
  fclose(out);
  return text;
}

/* Stores the path of a lab's file, such as labs/03-bank-conflicts/bank_conflicts.cu. */
static inline void cu_path(const char *labs, const char *lab, char *out, size_t size) {
  int folder = snprintf(out, size, "%s/%s/", labs, lab);
  snprintf(out + folder, size - (size_t)folder, "%s.cu", lab + 3);
  for (char *at = out + folder; (at = strchr(at, '-'));)
    *at = '_';
}

static inline void put_code(FILE *out, const char *path) {
  char *text = whole_file(path);
  if (!text)
    return;
  for (int comments = 1; comments >= 0; comments--) {
    char *copy = strdup(text);
    blank_comments(copy, comments);
    fprintf(out, "%s%s", copy, TEXTS_APART);
    free(copy);
  }
  free(text);
}

/* The student who reads a text. */
typedef struct Reader {
  const char *lab;
  /* path of the student's file, or NULL if it is unchanged */
  const char *own;
  /* true if the text may also show the lab's given kernels */
  bool kernels;
  /* the tasks that the student has not solved */
  bool open[TASKS_MAX + 1];
} Reader;

static inline void put_given_kernels(FILE *out, const char *lab) {
  char pattern[512];
  glob_t found = {0};
  snprintf(pattern, sizeof pattern, "labs/%s/{,beyond/}*.[ch]*", lab);
  glob(pattern, GLOB_BRACE, NULL, &found);
  for (size_t i = 0; i < found.gl_pathc; i++)
    put_code(out, found.gl_pathv[i]);
  globfree(&found);
}

/* Returns the tokens that the student has seen: the tokens of the handout and of the student's
 * file. */
static inline Tokens tokens_seen(const Reader *reader) {
  char path[512], *text = NULL, *readme;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  snprintf(path, sizeof path, "labs/%s/README.md", reader->lab);
  readme = whole_file(path);
  fprintf(out, "%s%s", readme ? readme : "", TEXTS_APART);
  free(readme);
  cu_path("labs", reader->lab, path, sizeof path);
  put_code(out, path);
  if (reader->own)
    put_code(out, reader->own);
  if (reader->kernels)
    put_given_kernels(out, reader->lab);
  fclose(out);
  return tokens_of(text);
}

/* Returns the tokens of the solution in the gaps of this task, without comments. */
static inline Tokens tokens_of_gap(const char *lab, int task) {
  char path[512], *text = NULL, *line = NULL;
  size_t size = 0, room = 0;
  bool inside = false;
  cu_path("solutions", lab, path, sizeof path);
  FILE *in = fopen(path, "r"), *out = open_memstream(&text, &size);
  while (in && getline(&line, &room, in) > 0) {
    inside &= gap_mark(line, "END") != task;
    if (inside && gap_mark(line, "DONE") == 0)
      fputs(line, out);
    if (gap_mark(line, "DONE") == task) {
      inside = true;
      fputs(GAPS_APART, out);
    } else if (gap_mark(line, "END") == task) {
      fputs(GAPS_APART, out);
    }
  }
  if (in)
    fclose(in);
  fclose(out);
  free(line);
  blank_comments(text, false);
  return tokens_of(text);
}

/* ---- leaks ----------------------------------------------------------------------------------- */

static inline bool same_token(const Token *a, const Token *b) {
  return a->hash == b->hash && a->length == b->length &&
         strncmp(a->start, b->start, a->length) == 0;
}

/* Compares the tokens from `at` on with the tokens from in->all[where] on. Returns the number of
 * tokens before the first difference, at most RUN. */
static inline size_t run_at(const Token *at, const Tokens *in, size_t where) {
  size_t length = 0;
  while (length < RUN && where + length < in->count &&
         same_token(at + length, &in->all[where + length]))
    length++;
  return length;
}

static inline bool holds_run(const Tokens *tokens, const Token *run) {
  for (size_t i = 0; i + RUN <= tokens->count; i++)
    if (run_at(run, tokens, i) == RUN)
      return true;
  return false;
}

static inline bool has_name(const Token *run) {
  for (size_t i = 0; i < RUN; i++)
    if (run[i].name)
      return true;
  return false;
}

static inline bool gives_away(const Token *run, const Tokens *gap, const Tokens *seen) {
  return has_name(run) && holds_run(gap, run) && !holds_run(seen, run);
}

/* Returns a number below PAIRS for two consecutive tokens. */
static inline unsigned pair_at(const Token *at) { return (at[0].hash ^ at[1].hash >> 7) % PAIRS; }

/* Returns the number of runs in the text that give away this gap. Stores the text of the first runs
 * in `leaked`. Compares only the runs that begin with the same two tokens as a run of the gap. */
static inline size_t leaks_of(const Tokens *text, const Tokens *gap, const Tokens *seen,
                              char leaked[LEAK_TEXT]) {
  size_t runs = 0, end = 0, used = 0;
  bool in_gap[PAIRS] = {false};
  *leaked = '\0';
  for (size_t i = 0; i + RUN <= gap->count; i++)
    in_gap[pair_at(&gap->all[i])] = true;
  for (size_t i = 0; i + RUN <= text->count; i++) {
    if (!in_gap[pair_at(&text->all[i])] || !gives_away(&text->all[i], gap, seen))
      continue;
    if (runs++ == 0)
      end = i;
    for (; end < i + RUN && i <= end && used + 1 < LEAK_TEXT; end++)
      used += (size_t)snprintf(leaked + used, LEAK_TEXT - used, "%s%.*s", used ? " " : "",
                               (int)text->all[end].length, text->all[end].start);
  }
  return runs;
}

/* Prints the open gaps that a text gives away and returns their number. */
static inline size_t report_leaks(const Reader *reader, const char *what, const char *text) {
  char leaked[LEAK_TEXT];
  size_t count = 0;
  Tokens tokens = tokens_of(strdup(text)), seen = tokens_seen(reader);
  for (int task = 1; task <= TASKS_MAX; task++) {
    Tokens gap = tokens_of_gap(reader->lab, task);
    if (reader->open[task] && leaks_of(&tokens, &gap, &seen, leaked) > 0) {
      fprintf(stderr, "%s, %s gives away task %d: %s\n", reader->own ? reader->own : reader->lab,
              what, task, leaked);
      count++;
    }
    tokens_free(&gap);
  }
  tokens_free(&tokens);
  tokens_free(&seen);
  return count;
}

/* A task is open if it has not passed. Without marks, all tasks are open. */
static inline Reader reader_of(const char *lab, const char *own, const json_t *marks) {
  Reader reader = {.lab = lab, .own = own};
  const json_t *tasks = json_object_get(marks, "tasks");
  for (int task = 1; task <= TASKS_MAX; task++) {
    const json_t *status = json_object_get(json_array_get(tasks, (size_t)task - 1), "status");
    reader.open[task] = !status || strcmp(json_string_value(status), "passed") != 0;
  }
  return reader;
}

/* Prints all strings of a JSON value, with separators. */
static inline void json_strings(FILE *out, const json_t *json) {
  const char *key;
  json_t *value;
  size_t i;
  if (json_is_string(json))
    fprintf(out, "%s%s", json_string_value(json), TEXTS_APART);
  json_array_foreach(json, i, value) { json_strings(out, value); }
  json_object_foreach((json_t *)json, key, value) { json_strings(out, value); }
}

/* Like report_leaks(), for a verdict: the printed text and the strings of its JSON. */
static inline size_t report_verdict_leaks(const char *lab, const char *own, const json_t *marks,
                                          const char *printed) {
  Reader reader = reader_of(lab, own, marks);
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  fprintf(out, "%s%s", printed, TEXTS_APART);
  json_strings(out, marks);
  fclose(out);
  size_t count = report_leaks(&reader, "the verdict", text);
  free(text);
  return count;
}

#endif
