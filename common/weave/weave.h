/* weave: copies code, tables and numbers from files into Markdown pages, so that a page always
 * matches its sources. This header has one section per source file, in the order in which they
 * process a page.
 *
 * A block names its source in a comment, which is invisible on the rendered page. weave writes the
 * text between this comment and the end comment. Paths are relative to the root of the repository.
 *
 *   <!-- code FILE from="text in the first line" to="text in the last line" bare -->
 *   <!-- end -->                       lines of a source; bare leaves out lines of comment alone;
 *                                      after="text" starts the search for from= behind this text
 *   <!-- table FILE columns=a,b heads="A,B" format=%s,%.2f rows=a:x,y -->
 *   <!-- end -->                       rows of a CSV file
 *   ... <!-- = FILE a:x b %.2f -->1.85<!-- end --> ...
 *                                      one number: column b of the row in which column a is x. It
 *                                      may be followed by / * - + and another operand:
 *                                      [FILE] [a:x ...] b, or a number
 */
#ifndef WEAVE_H
#define WEAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- page.c ---------------------------------------------------------------------------------- */
typedef struct Page {
  /* for error messages */
  const char *path;
  FILE *errors;
  /* of the current block, for error messages */
  unsigned line;
  /* only report what differs */
  bool check;
  size_t blocks, stale, wrong;
} Page;

/* Prints "path:line: ..." and counts an error. */
void complain(Page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Returns the page with its blocks filled, for the caller to free; NULL after an error. */
char *page_weave(Page *, const char *text);
/* Returns the page for Marp, which takes comments for speaker notes: without the comments of
 * blocks. Links to files get the prefix `base`, links to decks lead to their .html. NULL after an
 * error. */
char *page_bare(Page *, const char *text, const char *base);

/* ---- words.c --------------------------------------------------------------------------------- */
enum { WORDS_MOST = 32 };
/* The words of a block's comment, separated by blanks; "quoted words" can contain blanks. */
typedef struct Words {
  char *word[WORDS_MOST];
  size_t count;
} Words;
/* Returns false if a quotation mark is missing or there are too many words. */
bool words_split(Words *, const char *text, size_t length);
void words_free(Words *);
/* Returns the value of NAME=value, or NULL. */
const char *words_value(const Words *, const char *name);
bool words_have(const Words *, const char *word);
/* Returns the first word after the second that is unknown: neither NAME=value with a name from
 * `names` nor a word from `plain`. Both lists end with NULL. Returns NULL if all are known. */
const char *words_unknown(const Words *, const char *const names[], const char *const plain[]);

/* ---- code.c ---------------------------------------------------------------------------------- */
/* Each writes the contents of a block or reports an error. */
void fill_code(Page *, const Words *, FILE *out);

/* ---- data.c ---------------------------------------------------------------------------------- */
void fill_table(Page *, const Words *, FILE *out);
void fill_number(Page *, const Words *, FILE *out);

/* ---- embed.c --------------------------------------------------------------------------------- */
/* Returns HTML with its pictures embedded as data; NULL if one is missing. */
char *embed(Page *, const char *html);

/* ---- file.c ---------------------------------------------------------------------------------- */
/* Returns a file as text for the caller to free; NULL and errno if it cannot be read. */
char *file_read(const char *path, size_t *length);
/* Replaces the file atomically; returns false if it cannot be written. */
bool file_write(const char *path, const char *text);

#endif
