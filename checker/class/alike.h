/* Look-alikes of a class: pairs of submissions that share more than the handout explains. tokens.c
 * makes a source into tokens, alike.c compares, alike_page.c shows pairs side by side.
 */
#ifndef ALIKE_H
#define ALIKE_H

#include "class.h"

/* ---- tokens.c ----------------------------------------------------------------------------------- */
typedef struct Token {
  uint32_t kind, name; /* name: a hash of one that its author chose; else 0 */
  int line;
} Token;

typedef struct Tokens {
  Token *all;
  size_t count, room;
} Tokens;

/* Of a very long text the first ones: what is compared stays small, whatever is handed in. The longest
 * solution has 2,000. */
enum { TOKENS_MOST = 16384 };
Tokens tokens_read(const char *text);
uint64_t hash_bytes(const void *bytes, size_t size);

/* ---- alike.c ------------------------------------------------------------------------------------- */
typedef struct Print { /* of a run of tokens */
  uint64_t hash;
  size_t at;
  bool kept; /* by winnowing */
} Print;

/* What one student wrote for one lab. The workbook's solution has no student's number: the class's count. */
typedef struct Work {
  size_t student;
  char *text;        /* of a very long one its beginning */
  uint64_t all_text; /* its hash, without white space */
  Tokens tokens;
  Print *prints; /* of all runs that the handout has not, by hash */
  size_t print_count;
  bool *given; /* of each token: the handout has it */
  size_t own;  /* tokens that it has not */
} Work;

typedef struct Pair {
  size_t lab, a, b; /* a, b: places in the lab's works */
  size_t student[2];
  double share[2]; /* of what each wrote: the part that the other has, too */
  double alike;    /* the smaller share */
} Pair;

typedef struct Same { /* a work of which there is another, or the workbook's solution */
  uint64_t text;      /* its hash */
  size_t lab, work;
  bool is_solution;
} Same;

typedef struct Alike {
  Work *works[CLASS_LABS];
  size_t counts[CLASS_LABS]; /* of students; the solution stands behind them */
  bool has_solution[CLASS_LABS];
  Pair *pairs; /* the most striking first; none of the same group */
  size_t pair_count;
  Same *same; /* group by group */
  size_t same_count, group_count;
} Alike;

Alike alike_find(const Class *, const char *handouts);
void alike_free(Alike *);
/* Marks the tokens of both that they share, each of one with one of the other. Returns how many runs were
 * paired for that, which is what it costs. */
size_t alike_mark(const Work *, const Work *, bool *in_a, bool *in_b);

/* ---- alike_same.c -------------------------------------------------------------------------------- */
uint64_t alike_hash(const char *text); /* without white space */
/* Of one lab, behind those of the labs before. Texts of the workbook's; NULL: it has none. */
void alike_same_find(Alike *, size_t lab, const char *handout, const char *solution);
/* Where the group that begins at `from` ends. */
size_t alike_same_end(const Alike *, size_t from);
bool alike_same(const Alike *, size_t lab, size_t a, size_t b);

/* ---- alike_page.c -------------------------------------------------------------------------------- */
/* alike.html, or nothing where there is no pair and no group; returns how many there are. */
size_t alike_write(const Class *, const char *handouts);

#endif
