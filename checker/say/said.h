/* The checker's sentences as data: the id of a sentence and its arguments.
 *
 * The sentences are in say/sentences.def and in the files that it includes, one row each: SAY(ID,
 * "text"). A text has placeholders {0}, {1}, … for the arguments. Code outside of say/ creates and
 * compares ids and arguments; only say/said.c converts them to text. In results and tests an id is
 * written in small letters with hyphens: A_STRIDE_N is "a-stride-n". */
#ifndef SAID_H
#define SAID_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum SayId {
  SAY_NOTHING,
#define SAY(id, text) SAY_##id,
#include "say/sentences.def"
#undef SAY
  SAY_IDS
} SayId;

/* SAID_ARGUMENTS: the maximum number of arguments of a sentence. ARGUMENT_TEXT: the size of an
 * argument's text. SAID_WORDS: the size of a buffer for any sentence with its arguments. */
enum { SAID_ARGUMENTS = 7, ARGUMENT_TEXT = 200, SAID_WORDS = 800 };

typedef enum ArgumentKind { ARGUMENT_NUMBER, ARGUMENT_WORDS, ARGUMENT_SENTENCE } ArgumentKind;

typedef struct Argument {
  ArgumentKind kind;
  double number;
  /* The id of a sentence or phrase without arguments. */
  SayId sentence;
  char text[ARGUMENT_TEXT];
} Argument;

typedef struct Said {
  SayId id;
  size_t count;
  Argument arguments[SAID_ARGUMENTS];
} Said;

/* Makes a sentence: SAID(A_STRIDE_N), SAID(CUT_SHORT, count, name). An argument is a number of any
 * type, a string, or phrase(SAY_ID). The number of arguments must match the placeholders of the
 * text, which an assertion checks. */
#define SAID(...)                                                                                  \
  SAID_NTH(__VA_ARGS__, SAID_7, SAID_6, SAID_5, SAID_4, SAID_3, SAID_2, SAID_1, SAID_0)            \
  (__VA_ARGS__)
Said said_make(SayId, const Argument *, size_t count);
/* Makes a sentence without arguments from an id in a variable: said_plain(hypothesis->says). */
Said said_plain(SayId);
Said said_of(SayId, Argument);
/* Makes an argument that is a sentence or phrase of sentences.def. */
Argument phrase(SayId);
bool said_same(const Said *, const Said *);

/* Convert an id to its name, "a-stride-n", and back. say_named returns SAY_NOTHING if there is no
 * such id. */
void say_name(SayId, char *out, size_t size);
SayId say_named(const char *name);
/* Writes the text of a sentence. An integer is printed with all digits, any other number with up to
 * six. {0:3} prints three significant digits, {0:count} groups of three digits, {0:s} a plural s if
 * the number is not 1. {0:are} prints "is" or "are", {0:were} prints "was" or "were". */
void said_text(const Said *, char *out, size_t size);
/* Fills the placeholders of any text with the arguments. */
void said_fill(const char *text, const Said *, char *out, size_t size);
/* Convert a sentence to JSON and back: {"id": "a-stride-n", "arguments": [..]}; an argument that is
 * a phrase is {"id": ..}. said_read returns SAY_NOTHING for any other JSON. */
json_t *said_json(const Said *);
Said said_read(const json_t *);

/* ---- macros that SAID uses to find the kind of each argument --------------------------------- */
Argument argument_words(const char *);
Argument argument_number(double);
Argument argument_itself(Argument);
#define ARGUMENT(x)                                                                                \
  _Generic((x),                                                                                    \
      char *: argument_words,                                                                      \
      const char *: argument_words,                                                                \
      Argument: argument_itself,                                                                   \
      default: argument_number)(x)
#define SAID_NTH(_0, _1, _2, _3, _4, _5, _6, _7, NAME, ...) NAME
#define SAID_0(id) said_make(SAY_##id, NULL, 0)
#define SAID_1(id, a) said_make(SAY_##id, (const Argument[]){ARGUMENT(a)}, 1)
#define SAID_2(id, a, b) said_make(SAY_##id, (const Argument[]){ARGUMENT(a), ARGUMENT(b)}, 2)
#define SAID_3(id, a, b, c)                                                                        \
  said_make(SAY_##id, (const Argument[]){ARGUMENT(a), ARGUMENT(b), ARGUMENT(c)}, 3)
#define SAID_4(id, a, b, c, d)                                                                     \
  said_make(SAY_##id, (const Argument[]){ARGUMENT(a), ARGUMENT(b), ARGUMENT(c), ARGUMENT(d)}, 4)
#define SAID_5(id, a, b, c, d, e)                                                                  \
  said_make(SAY_##id,                                                                              \
            (const Argument[]){ARGUMENT(a), ARGUMENT(b), ARGUMENT(c), ARGUMENT(d), ARGUMENT(e)},   \
            5)
#define SAID_6(id, a, b, c, d, e, f)                                                               \
  said_make(SAY_##id,                                                                              \
            (const Argument[]){ARGUMENT(a), ARGUMENT(b), ARGUMENT(c), ARGUMENT(d), ARGUMENT(e),    \
                               ARGUMENT(f)},                                                       \
            6)
#define SAID_7(id, a, b, c, d, e, f, g)                                                            \
  said_make(SAY_##id,                                                                              \
            (const Argument[]){ARGUMENT(a), ARGUMENT(b), ARGUMENT(c), ARGUMENT(d), ARGUMENT(e),    \
                               ARGUMENT(f), ARGUMENT(g)},                                          \
            7)

#endif
