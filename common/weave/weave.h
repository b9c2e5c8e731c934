/* weave: copies code, tables and numbers from files into Markdown pages, so that a page always
 * agrees with its sources. This header has one section per source file.
 *
 * A block begins with a comment that names the source, and ends with an end comment. Both comments
 * are invisible on the rendered page. weave replaces the text between them. Paths are relative to
 * the root of the repository.
 *
 *   <!-- code FILE from="text in the first line" to="text in the last line" bare -->
 *   <!-- end -->                       lines of a source file. `bare` omits lines that contain only
 *                                      a comment. after="text" searches for from= only after the
 *                                      first line with this text.
 *   <!-- table FILE columns=a,b heads="A,B" format=%s,%.2f rows=a:x,y -->
 *   <!-- end -->                       rows of a CSV file as a table
 *   ... <!-- = FILE a:x b %.2f -->1.85<!-- end --> ...
 *                                      one number: column b of the row in which column a is x. An
 *                                      operator (/ * - +) and an operand may follow b. The operand
 *                                      is [FILE] [a:x ...] b, or a number.
 */
#ifndef WEAVE_H
#define WEAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- page.c ---------------------------------------------------------------------------------- */
typedef struct Page {
  /* The path of the page, and the stream for error messages. */
  const char *path;
  FILE *errors;
  /* Line number of the current block, for error messages. */
  unsigned line;
  /* True if differences are only reported and the page is not written. */
  bool check;
  size_t blocks, stale, wrong;
} Page;

/* Prints "path:line: ..." and increments page->wrong. */
void complain(Page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns the page with its blocks filled; NULL after an error. The caller frees the result. */
char *page_weave(Page *, const char *text);
/* Returns the page for Marp; NULL after an error. The comments of blocks are removed, because Marp
 * treats comments as speaker notes. Relative links to files get the prefix `base`. Links to decks
 * (.md) become links to their .html files. */
char *page_bare(Page *, const char *text, const char *base);

/* ---- words.c --------------------------------------------------------------------------------- */
enum { WORDS_MOST = 32 };
/* The words of a block's comment, which are separated by blanks. A part in quotation marks may
 * contain blanks. */
typedef struct Words {
  char *word[WORDS_MOST];
  size_t count;
} Words;
/* Returns false if a quotation mark is missing or there are too many words. */
bool words_split(Words *, const char *text, size_t length);
void words_free(Words *);
/* Returns the value of the word NAME=value, or NULL if there is no such word. */
const char *words_value(const Words *, const char *name);
bool words_have(const Words *, const char *word);
/* Checks all words after the second word. Each must be NAME=value with a name from `names`, or a
 * word from `plain`; both lists end with NULL. Returns the first word that is neither, or NULL. */
const char *words_unknown(const Words *, const char *const names[], const char *const plain[]);

/* ---- code.c ---------------------------------------------------------------------------------- */
/* fill_code, fill_table and fill_number write the contents of a block, or print an error with
 * complain(). */
void fill_code(Page *, const Words *, FILE *out);

/* ---- data.c ---------------------------------------------------------------------------------- */
void fill_table(Page *, const Words *, FILE *out);
void fill_number(Page *, const Words *, FILE *out);

/* ---- embed.c --------------------------------------------------------------------------------- */
/* Returns the HTML page with its pictures embedded as data URLs; NULL if a picture is missing. */
char *embed(Page *, const char *html);

/* ---- file.c ---------------------------------------------------------------------------------- */
/* Returns the contents of a file, which the caller frees. Returns NULL and sets errno if the file
 * cannot be read. */
char *file_read(const char *path, size_t *length);
/* Replaces the file atomically; returns false if it cannot be written. */
bool file_write(const char *path, const char *text);

#endif
