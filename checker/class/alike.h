/* Look-alikes of a class: pairs of submissions that share more than the handout explains. tokens.c
 * splits a source into tokens, alike.c compares, alike_page.c shows pairs side by side. */
#ifndef ALIKE_H
#define ALIKE_H

#include "class.h"

/* ---- tokens.c -------------------------------------------------------------------------------- */
typedef struct Token {
  /* name: the hash of a name that its author chose, otherwise 0. */
  uint32_t kind, name;
  int line;
} Token;

typedef struct Tokens {
  Token *all;
  size_t count, room;
} Tokens;

/* Only the first tokens of a very long text are used: comparing stays fast, whatever is handed in.
 * The longest solution has 2,000. */
enum { TOKENS_MOST = 16384 };
Tokens tokens_read(const char *text);
uint64_t hash_bytes(const void *bytes, size_t size);

/* ---- alike.c --------------------------------------------------------------------------------- */
/* The fingerprint of a run of tokens. */
typedef struct Print {
  uint64_t hash;
  size_t at;
  /* Winnowing keeps it. */
  bool kept;
} Print;

/* The work of one student for one lab. The workbook's solution has the class's count as its
 * student. */
typedef struct Work {
  size_t student;
  /* The text of the file; of a very long one only the beginning. */
  char *text;
  /* The hash of the text without white space. */
  uint64_t all_text;
  Tokens tokens;
  /* The fingerprints of all runs that are not in the handout, sorted by hash. */
  Print *prints;
  size_t print_count;
  /* For each token: it is in the handout. */
  bool *given;
  /* The number of tokens that are not. */
  size_t own;
} Work;

typedef struct Pair {
  /* a, b: indices of the lab's works. */
  size_t lab, a, b;
  size_t student[2];
  /* The share of each student's own work that is in the other's, too. */
  double share[2];
  /* The smaller share. */
  double alike;
} Pair;

/* A work that is the same as another, or as the workbook's solution. */
typedef struct Same {
  /* The hash of its text. */
  uint64_t text;
  size_t lab, work;
  bool is_solution;
} Same;

typedef struct Alike {
  Work *works[CLASS_LABS];
  /* The number of students. The solution follows them. */
  size_t counts[CLASS_LABS];
  bool has_solution[CLASS_LABS];
  /* The most striking first. None is within a group. */
  Pair *pairs;
  size_t pair_count;
  /* Group by group. */
  Same *same;
  size_t same_count, group_count;
} Alike;

Alike alike_find(const Class *, const char *handouts);
void alike_free(Alike *);
/* Marks the tokens of both that they share, each of one with one of the other. Returns how many
 * runs were paired, as a measure of the time. */
size_t alike_mark(const Work *, const Work *, bool *in_a, bool *in_b);

/* ---- alike_same.c ---------------------------------------------------------------------------- */
uint64_t alike_hash(const char *text); /* Ignores white space. */
/* Adds the groups of one lab behind those of the labs before. The texts are the workbook's. NULL:
 * it has none. */
void alike_same_find(Alike *, size_t lab, const char *handout, const char *solution);
/* Returns where the group ends that begins at `from`. */
size_t alike_same_end(const Alike *, size_t from);
bool alike_same(const Alike *, size_t lab, size_t a, size_t b);

/* ---- alike_page.c ---------------------------------------------------------------------------- */
/* Writes alike.html, unless there is no pair and no group. Returns their number. */
size_t alike_write(const Class *, const char *handouts);

#endif
