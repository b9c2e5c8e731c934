/* weave: puts into Markdown what stands elsewhere, so that a page cannot drift from it. One section
 * per source file, in the order in which a page goes through them.
 *
 * A block says where it comes from, in a comment that nobody sees on the rendered page; what stands
 * between it and its end is weave's. Paths are those seen from the root of the repository.
 *
 *   <!-- code FILE from="text in the first line" to="text in the last line" bare -->
 *   <!-- end -->                       lines of a source; bare leaves out lines of comment alone,
 *                                      after="text" in front of from= passes over what is before
 *   <!-- table FILE columns=a,b heads="A,B" format=%s,%.2f rows=a:x,y -->
 *   <!-- end -->                       rows of a CSV file
 *   ... <!-- = FILE a:x b %.2f -->1.85<!-- end --> ...
 *                                      one number: column b of the row in which column a is x; after
 *                                      / * - or + another one may follow, [FILE] [a:x ...] b, or a plain number
 */
#ifndef WEAVE_H
#define WEAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- page.c ---------------------------------------------------------------------------------- */
typedef struct Page {
  const char *path; /* as complaints name it */
  FILE *errors;
  unsigned line; /* of the block at hand, for complaints */
  bool check;    /* say what differs */
  size_t blocks, stale, wrong;
} Page;

/* "path:line: ...", counted as wrong. */
void complain(Page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The page with its blocks filled, for the caller to free; NULL when anything is wrong. */
char *page_weave(Page *, const char *text);
/* The page as Marp gets it, which takes comments for a speaker's notes: without those of blocks;
 * links to files begin with `base`, links to decks lead to their .html. NULL when anything is wrong. */
char *page_bare(Page *, const char *text, const char *base);

/* ---- words.c --------------------------------------------------------------------------------- */
enum { WORDS_MOST = 32 };
/* What a block's comment says: words between blanks, "quoted ones" may have blanks in them. */
typedef struct Words {
  char *word[WORDS_MOST];
  size_t count;
} Words;
/* false: a quotation mark is not closed, or there are too many words. */
bool words_split(Words *, const char *text, size_t length);
void words_free(Words *);
/* The value of NAME=value; NULL: none. */
const char *words_value(const Words *, const char *name);
bool words_have(const Words *, const char *word);
/* The first word after the second that is neither NAME=value with one of these names nor one of the
 * plain words; both lists end with NULL. NULL: all are known. */
const char *words_unknown(const Words *, const char *const names[], const char *const plain[]);

/* ---- code.c ---------------------------------------------------------------------------------- */
/* Each writes what belongs into a block, or complains. */
void fill_code(Page *, const Words *, FILE *out);

/* ---- data.c ---------------------------------------------------------------------------------- */
void fill_table(Page *, const Words *, FILE *out);
void fill_number(Page *, const Words *, FILE *out);

/* ---- embed.c --------------------------------------------------------------------------------- */
/* HTML with its pictures inside, as data; NULL when one of them is missing. */
char *embed(Page *, const char *html);

/* ---- file.c ---------------------------------------------------------------------------------- */
/* A file as text, for the caller to free; NULL: cannot be read, errno says why. */
char *file_read(const char *path, size_t *length);
/* Appears whole or not at all; false: cannot be written. */
bool file_write(const char *path, const char *text);

#endif
