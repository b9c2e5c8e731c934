/* Converts sentences, which are ids with arguments, to text, and to JSON and back. */
#include "say/said.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/json.h"
#include "words.h"

static const struct {
  const char *id, *text;
} sentences[] = {
    [SAY_NOTHING] = {"NOTHING", ""},
#define SAY(id, text) [SAY_##id] = {#id, text},
#include "say/sentences.def"
#undef SAY
};

/* ---- making ---------------------------------------------------------------------------------- */

Argument argument_words(const char *text) {
  Argument argument = {.kind = ARGUMENT_WORDS};
  snprintf(argument.text, sizeof argument.text, "%s", text);
  return argument;
}

Argument argument_number(double number) {
  return (Argument){.kind = ARGUMENT_NUMBER, .number = number};
}

Argument argument_itself(Argument argument) { return argument; }

Argument phrase(SayId id) { return (Argument){.kind = ARGUMENT_SENTENCE, .sentence = id}; }

/* Returns the number of arguments of a text: its highest placeholder plus one. */
static size_t arguments_of(const char *text) {
  size_t count = 0;
  for (; (text = strchr(text, '{')); text++)
    if (isdigit((unsigned char)text[1]) && (size_t)(text[1] - '0') + 1 > count)
      count = (size_t)(text[1] - '0') + 1;
  return count;
}

Said said_make(SayId id, const Argument *arguments, size_t count) {
  Said said = {.id = id, .count = count};
  assert(count == arguments_of(sentences[id].text));
  for (size_t i = 0; i < count; i++)
    said.arguments[i] = arguments[i];
  return said;
}

Said said_plain(SayId id) { return said_make(id, NULL, 0); }

Said said_of(SayId id, Argument argument) { return said_make(id, &argument, 1); }

static bool same_argument(const Argument *a, const Argument *b) {
  return a->kind == b->kind && a->number == b->number && a->sentence == b->sentence &&
         strcmp(a->text, b->text) == 0;
}

bool said_same(const Said *a, const Said *b) {
  bool same = a->id == b->id && a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++)
    same = same_argument(&a->arguments[i], &b->arguments[i]);
  return same;
}

/* ---- ids ------------------------------------------------------------------------------------- */

void say_name(SayId id, char *out, size_t size) {
  snprintf(out, size, "%s", id == SAY_NOTHING ? "" : sentences[id].id);
  for (; *out; out++)
    *out = *out == '_' ? '-' : (char)tolower((unsigned char)*out);
}

SayId say_named(const char *name) {
  char other[80];
  SayId id = SAY_IDS - 1;
  for (; id > SAY_NOTHING; id--) {
    say_name(id, other, sizeof other);
    if (strcmp(other, name) == 0)
      break;
  }
  return id;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Writes a number for a placeholder {0}, {0:3}, {0:count}, {0:s}, {0:are} or {0:were}. style: the
 * text after the colon, or "". */
static void put_number(FILE *out, double number, const char *style) {
  char text[COUNT_BYTES];
  if (*style == 's')
    fputs(number == 1 ? "" : "s", out);
  else if (*style == 'a')
    fputs(number == 1 ? "is" : "are", out);
  else if (*style == 'w')
    fputs(number == 1 ? "was" : "were", out);
  else if (*style == 'c')
    fputs(sentence_number(text, number), out);
  else if (isdigit((unsigned char)*style))
    fprintf(out, "%.*g", atoi(style), number);
  else
    fprintf(out, number == floor(number) && fabs(number) < 1e15 ? "%.0f" : "%.6g", number);
}

static void put_argument(FILE *out, const Argument *argument, const char *style) {
  if (argument->kind == ARGUMENT_NUMBER)
    put_number(out, argument->number, style);
  else
    fputs(argument->kind == ARGUMENT_WORDS ? argument->text : sentences[argument->sentence].text,
          out);
}

void said_fill(const char *text, const Said *said, char *out, size_t size) {
  FILE *words = fmemopen(out, size, "w");
  *out = '\0';
  for (const char *at = text; words && *at; at++) {
    const char *end = *at == '{' && isdigit((unsigned char)at[1]) ? strchr(at, '}') : NULL;
    size_t which = end ? (size_t)(at[1] - '0') : 0;
    if (!end)
      fputc(*at, words);
    else if (which < said->count)
      put_argument(words, &said->arguments[which], at[2] == ':' ? at + 3 : "");
    at = end ? end : at;
  }
  if (words)
    fclose(words);
  out[size - 1] = '\0';
  /* An empty argument at the beginning leaves a blank, which is removed. */
  memmove(out, out + strspn(out, " "), strlen(out + strspn(out, " ")) + 1);
}

void said_text(const Said *said, char *out, size_t size) {
  said_fill(sentences[said->id].text, said, out, size);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *id_json(SayId id) {
  char name[80];
  say_name(id, name, sizeof name);
  return json_string(name);
}

static json_t *argument_json(const Argument *argument) {
  switch (argument->kind) {
  case ARGUMENT_NUMBER:
    return isfinite(argument->number) ? json_real(argument->number) : json_null();
  case ARGUMENT_WORDS:
    return text_json(argument->text);
  default:
    return json_pack("{s:o}", "id", id_json(argument->sentence));
  }
}

json_t *said_json(const Said *said) {
  json_t *arguments = json_array();
  for (size_t i = 0; i < said->count; i++)
    json_array_append_new(arguments, argument_json(&said->arguments[i]));
  return json_pack("{s:o, s:o}", "id", id_json(said->id), "arguments", arguments);
}

static Argument argument_read(const json_t *json) {
  const char *id = json_string_value(json_object_get(json, "id"));
  return json_is_string(json)   ? argument_words(json_string_value(json))
         : json_is_object(json) ? phrase(say_named(id ? id : ""))
         : json_is_null(json)   ? argument_number(NAN)
                                : argument_number(json_number_value(json));
}

Said said_read(const json_t *json) {
  const char *id = json_string_value(json_object_get(json, "id"));
  const json_t *arguments = json_object_get(json, "arguments");
  Said said = {.id = say_named(id ? id : "")};
  if (json_array_size(arguments) != arguments_of(sentences[said.id].text))
    return (Said){.id = SAY_NOTHING};
  for (said.count = 0; said.count < json_array_size(arguments); said.count++)
    said.arguments[said.count] = argument_read(json_array_get(arguments, said.count));
  return said;
}
