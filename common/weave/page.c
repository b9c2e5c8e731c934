/* Finds the blocks of a Markdown page and fills them. Other text is not changed. A block within a
 * code fence (```) is an example and is ignored. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "weave.h"

void complain(Page *page, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(page->errors, "%s:%u: ", page->path, page->line);
  vfprintf(page->errors, format, arguments);
  fputc('\n', page->errors);
  va_end(arguments);
  page->wrong++;
}

/* ---- finding blocks -------------------------------------------------------------------------- */
typedef enum Kind { NO_BLOCK, CODE, TABLE, NUMBER, BLOCK_END } Kind;

typedef struct Block {
  Kind kind;
  /* Start of the first comment, start and end of the contents, end of the last comment. */
  const char *begin, *content, *content_end, *end;
  Words words;
  /* True if the block is complete. */
  bool good;
} Block;

static const struct {
  const char *word;
  Kind kind;
} kinds[] = {{"code", CODE}, {"table", TABLE}, {"=", NUMBER}, {"end", BLOCK_END}};

/* Returns the kind of block that begins with this comment; NO_BLOCK for other comments. */
static Kind comment_kind(const char *comment) {
  const char *word = comment + 4 + strspn(comment + 4, " \t\n");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t length = strlen(kinds[i].word);
    if (!strncmp(word, kinds[i].word, length) &&
        (isspace((unsigned char)word[length]) || !strncmp(word + length, "-->", 3)))
      return kinds[i].kind;
  }
  return NO_BLOCK;
}

static void count_lines(Page *page, const char *from, const char *to) {
  for (; from < to; from++)
    page->line += *from == '\n';
}

static bool is_fence(const char *line) {
  line += strspn(line, " ");
  return !strncmp(line, "```", 3) || !strncmp(line, "~~~", 3);
}

static bool at_line_start(const char *text, const char *at) { return at == text || at[-1] == '\n'; }

/* Returns the next comment outside of code fences that begins or ends a block; NULL if there is
 * none. Prints an error if a code fence is not closed. */
static const char *next_comment(Page *page, const char *text, const char *at) {
  const unsigned begin = page->line;
  unsigned opened = 0;
  for (const char *here = at; *here; here++) {
    if (at_line_start(text, here) && is_fence(here)) {
      opened = opened ? 0 : page->line;
      here += strcspn(here, "\n");
    }
    if (!opened && !strncmp(here, "<!--", 4) && comment_kind(here) != NO_BLOCK) {
      page->line = begin;
      count_lines(page, at, here);
      return here;
    }
    page->line += *here == '\n';
    if (!*here)
      break;
  }
  if (opened) {
    page->line = opened;
    complain(page, "this fence of ``` is not closed");
  }
  return NULL;
}

/* Returns true if only white space and list markers precede `at` in its line. A forge treats a line
 * that begins with a comment as HTML and does not render the Markdown in it. */
static bool begins_line(const char *text, const char *at) {
  while (at > text && at[-1] != '\n')
    if (!strchr(" \t>-*+.)0123456789", *--at))
      return false;
  return true;
}

static bool close_block(Page *page, Block *block) {
  for (const char *at = block->content; (at = strstr(at, "<!--")); at += 4) {
    Kind kind = comment_kind(at);
    if (kind == NO_BLOCK)
      continue;
    const char *close = strstr(at, "-->");
    if (kind != BLOCK_END || !close)
      break;
    block->content_end = at;
    block->end = close + 3;
    return true;
  }
  complain(page, "this block has no <!-- end -->");
  return false;
}

static bool whole_block(Page *page, const char *text, Block *block, const char *close) {
  const size_t length = (size_t)(close - block->begin - 4);
  if (block->kind == NUMBER && begins_line(text, block->begin))
    complain(page,
             "a number cannot begin a line: GitHub does not render the text after it; put a word "
             "before it");
  else if (!words_split(&block->words, block->begin + 4, length))
    complain(page, "a quotation mark is not closed, or there are more than %d words", WORDS_MOST);
  else
    return true;
  return false;
}

/* Finds the next block from *at on and moves *at past it. Returns false if there is none. Prints
 * an error if the block is invalid. */
static bool next_block(Page *page, const char *text, const char **at, Block *block) {
  const char *begin = next_comment(page, text, *at);
  if (!begin)
    return false;
  const char *close = strstr(begin, "-->");
  *block = (Block){.kind = comment_kind(begin), .begin = begin};
  block->end = block->content = block->content_end = close ? close + 3 : begin + 4;
  if (!close) {
    complain(page, "this comment is not closed: -->");
  } else if (block->kind == BLOCK_END) {
    complain(page, "this end has no block before it");
  } else if (close_block(page, block)) {
    block->good = whole_block(page, text, block, close);
    page->blocks += block->good;
  }
  *at = block->end;
  return true;
}

/* ---- filling blocks -------------------------------------------------------------------------- */

static void fill(Page *page, const Block *block, FILE *out) {
  char *fresh = NULL;
  size_t size = 0, old = (size_t)(block->content_end - block->content), before = page->wrong;
  FILE *part = open_memstream(&fresh, &size);
  if (block->kind == CODE)
    fill_code(page, &block->words, part);
  else if (block->kind == TABLE)
    fill_table(page, &block->words, part);
  else
    fill_number(page, &block->words, part);
  fclose(part);
  if (page->wrong == before && (size != old || memcmp(fresh, block->content, size))) {
    page->stale++;
    if (page->check)
      fprintf(page->errors, "%s:%u: is not what %s says: `make weave` brings it up to date\n",
              page->path, page->line, block->words.count > 1 ? block->words.word[1] : "?");
  }
  fwrite(block->begin, 1, (size_t)(block->content - block->begin), out);
  fwrite(fresh, 1, size, out);
  fwrite(block->content_end, 1, (size_t)(block->end - block->content_end), out);
  free(fresh);
}

char *page_weave(Page *page, const char *text) {
  char *result = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&result, &size);
  const char *at = text, *done = text;
  Block block;
  page->line = 1;
  for (; next_block(page, text, &at, &block); done = at) {
    fwrite(done, 1, (size_t)(block.begin - done), out);
    if (block.good)
      fill(page, &block, out);
    count_lines(page, block.begin, block.end);
    words_free(&block.words);
  }
  fputs(done, out);
  fclose(out);
  if (page->wrong) {
    free(result);
    return NULL;
  }
  return result;
}

/* ---- pages for Marp -------------------------------------------------------------------------- */

static bool is_relative(const char *target, size_t length) {
  return length && *target != '#' && *target != '/' && !memchr(target, ':', length);
}

/* Writes the target of a link. `target` points past "](". */
static void write_target(FILE *out, const char *target, size_t length, const char *base) {
  const char *anchor = memchr(target, '#', length);
  size_t file = anchor ? (size_t)(anchor - target) : length;
  bool deck = file > 3 && !memcmp(target + file - 3, ".md", 3) && !memchr(target, '/', file);
  if (!is_relative(target, length))
    fprintf(out, "%.*s", (int)length, target);
  else if (deck)
    fprintf(out, "%.*s.html%.*s", (int)file - 3, target, (int)(length - file), target + file);
  else
    fprintf(out, "%s%.*s", base, (int)length, target);
}

/* Writes text of a page for Marp: changes the targets of links, and the language "cuda" to "cpp".
 */
static void write_bare(FILE *out, const char *text, const char *end, const char *base,
                       bool *fenced) {
  for (const char *at = text; at < end;) {
    if ((at == text || at[-1] == '\n') && is_fence(at)) {
      const bool cuda = !*fenced && !strncmp(at, "```cuda\n", 8);
      *fenced = !*fenced;
      fputs(cuda ? "```cpp" : "", out);
      at += cuda ? 7 : 0;
      const char *stop = at + strcspn(at, "\n");
      fwrite(at, 1, (size_t)(stop - at), out);
      at = stop;
    } else if (!*fenced && !strncmp(at, "](", 2)) {
      size_t length = strcspn(at + 2, ") \n");
      fputs("](", out);
      write_target(out, at + 2, length, base);
      at += 2 + length;
    } else {
      fputc(*at++, out);
    }
  }
}

char *page_bare(Page *page, const char *text, const char *base) {
  char *result = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&result, &size);
  const char *at = text, *done = text;
  Block block;
  bool fenced = false;
  page->line = 1;
  for (; next_block(page, text, &at, &block); done = at) {
    write_bare(out, done, block.begin, base, &fenced);
    const char *content = block.content + (block.kind != NUMBER && *block.content == '\n');
    if (block.good)
      write_bare(out, content, block.content_end, base, &fenced);
    count_lines(page, block.begin, block.end);
    words_free(&block.words);
  }
  write_bare(out, done, done + strlen(done), base, &fenced);
  fclose(out);
  if (page->wrong) {
    free(result);
    return NULL;
  }
  return result;
}
