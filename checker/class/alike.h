/* Finds pairs of submissions in a class that share code which is not in the handout. tokens.c
 * splits a source into tokens, alike.c compares sources, alike_same.c finds equal files, and
 * alike_page.c writes the pairs side by side. */
#ifndef ALIKE_H
#define ALIKE_H

#include "class.h"

/* ---- tokens.c -------------------------------------------------------------------------------- */
typedef struct Token {
  /* kind: a hash that is equal for all names that students choose. name: the hash of such a name,
   * otherwise 0. */
  uint32_t kind, name;
  int line;
} Token;

typedef struct Tokens {
  Token *all;
  size_t count, room;
} Tokens;

/* The maximum number of tokens that are read from a file. This limits the time of a comparison. The
 * longest solution has 2,000 tokens. */
enum { TOKENS_MOST = 16384 };
Tokens tokens_read(const char *text);
uint64_t hash_bytes(const void *bytes, size_t size);

/* ---- alike.c --------------------------------------------------------------------------------- */
/* The fingerprint of a run of RUN consecutive tokens: the hash of the tokens, and the index of the
 * first token. */
typedef struct Print {
  uint64_t hash;
  size_t at;
  /* true: winnowing has selected this fingerprint. */
  bool kept;
} Print;

/* The file of one student for one lab. For the workbook's solution, `student` is the number of
 * students. */
typedef struct Work {
  size_t student;
  /* The text of the file. Only the beginning of a very long file is stored. */
  char *text;
  /* The hash of the whole text without white space. */
  uint64_t all_text;
  Tokens tokens;
  /* The fingerprints of all runs that are not in the handout, sorted by hash. */
  Print *prints;
  size_t print_count;
  /* given[i] is true if token i is in a run of the handout. */
  bool *given;
  /* The number of tokens that are not in the handout. */
  size_t own;
} Work;

typedef struct Pair {
  /* a, b: indices into Alike.works[lab]. */
  size_t lab, a, b;
  size_t student[2];
  /* The fraction of each student's own tokens that are also in the other file. */
  double share[2];
  /* The smaller of the two shares. */
  double alike;
} Pair;

/* A file that equals another file, or the workbook's solution, except for white space. */
typedef struct Same {
  /* The hash of the text. */
  uint64_t text;
  size_t lab, work;
  bool is_solution;
} Same;

typedef struct Alike {
  Work *works[CLASS_LABS];
  /* The number of students with a file. The solution is stored after their files. */
  size_t counts[CLASS_LABS];
  bool has_solution[CLASS_LABS];
  /* Sorted by Pair.alike, the highest first. Two files of the same group do not form a pair. */
  Pair *pairs;
  size_t pair_count;
  /* The files of all groups. The members of a group are adjacent. */
  Same *same;
  size_t same_count, group_count;
} Alike;

Alike alike_find(const Class *, const char *handouts);
void alike_free(Alike *);
/* Marks in in_a and in_b the tokens that both files share. Each token is paired with at most one
 * token of the other file. Returns the number of pairs of equal runs, which determines how long the
 * function takes. */
size_t alike_mark(const Work *, const Work *, bool *in_a, bool *in_b);

/* ---- alike_same.c ---------------------------------------------------------------------------- */
uint64_t alike_hash(const char *text); /* Ignores white space. */
/* Appends the groups of one lab to alike->same. `handout` and `solution` are texts of the workbook,
 * or NULL. */
void alike_same_find(Alike *, size_t lab, const char *handout, const char *solution);
/* Returns the index after the last member of the group that begins at index `from`. */
size_t alike_same_end(const Alike *, size_t from);
/* Returns true if files a and b of this lab are in the same group. */
bool alike_same(const Alike *, size_t lab, size_t a, size_t b);

/* ---- alike_page.c ---------------------------------------------------------------------------- */
/* Writes alike.html if there are pairs or groups. Returns the number of pairs and groups. */
size_t alike_write(const Class *, const char *handouts);

#endif
