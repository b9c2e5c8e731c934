/* Splits a block's comment into words. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "weave.h"

/* Reads one word at *at and moves *at past it. A quotation mark after a backslash belongs to the
 * word. */
static char *one_word(const char **at, const char *end) {
  char *word = malloc((size_t)(end - *at) + 1);
  size_t length = 0;
  bool quoted = false;
  for (; word && *at < end && (quoted || !isspace((unsigned char)**at)); ++*at) {
    if (**at == '"') {
      quoted = !quoted;
      continue;
    }
    if (**at == '\\' && *at + 1 < end && (*at)[1] == '"')
      ++*at;
    word[length++] = **at;
  }
  if (word)
    word[length] = 0;
  if (quoted) {
    free(word);
    return NULL;
  }
  return word;
}

bool words_split(Words *words, const char *text, size_t length) {
  const char *end = text + length;
  *words = (Words){{0}, 0};
  for (;;) {
    while (text < end && isspace((unsigned char)*text))
      text++;
    if (text >= end)
      return true;
    char *word = words->count < WORDS_MOST ? one_word(&text, end) : NULL;
    if (!word) {
      words_free(words);
      return false;
    }
    words->word[words->count++] = word;
  }
}

void words_free(Words *words) {
  for (size_t i = 0; i < words->count; i++)
    free(words->word[i]);
  *words = (Words){{0}, 0};
}

static bool names(const char *word, const char *name) {
  size_t length = strlen(name);
  return !strncmp(word, name, length) && word[length] == '=';
}

const char *words_value(const Words *words, const char *name) {
  for (size_t i = 0; i < words->count; i++)
    if (names(words->word[i], name))
      return words->word[i] + strlen(name) + 1;
  return NULL;
}

bool words_have(const Words *words, const char *word) {
  for (size_t i = 0; i < words->count; i++)
    if (!strcmp(words->word[i], word))
      return true;
  return false;
}

const char *words_unknown(const Words *words, const char *const known[],
                          const char *const plain[]) {
  for (size_t i = 2; i < words->count; i++) {
    bool good = false;
    for (int n = 0; known[n]; n++)
      good |= names(words->word[i], known[n]);
    for (int n = 0; plain[n]; n++)
      good |= !strcmp(words->word[i], plain[n]);
    if (!good)
      return words->word[i];
  }
  return NULL;
}
