/* Verdicts as data: the table of their kinds, and functions that fill them in and convert them to
 * JSON and back. */
#include "say/verdict.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "facts/json.h"
#include "settings.h"

/* ---- kinds ----------------------------------------------------------------------------------- */
static const struct {
  const char *name, *element;
  SayId says;
} kinds[] = {
    [VERDICT_NONE] = {"", "failure", SAY_NOTHING},
#define VERDICT(id, name, element, text) [VERDICT_##id] = {name, element, SAY_KIND_##id},
#include "say/kinds.def"
#define REPORT(id, name, ...) [VERDICT_##id] = {name, "failure", SAY_NOTHING},
#include "observe/report_kinds.def"
};

const char *verdict_name(VerdictKind kind) { return kinds[kind].name; }
const char *verdict_element(VerdictKind kind) { return kinds[kind].element; }

VerdictKind verdict_kind(const json_t *json) {
  const char *name = text_at(json, "kind");
  size_t kind = sizeof kinds / sizeof kinds[0] - 1;
  while (kind > VERDICT_NONE && strcmp(kinds[kind].name, name) != 0)
    kind--;
  return (VerdictKind)kind;
}

bool verdict_is_race(const Verdict *verdict) {
  switch (verdict->kind) {
  case VERDICT_RACE_SHARED:
  case VERDICT_RACE_LANES:
  case VERDICT_RACE_WARP:
  case VERDICT_RACE_GLOBAL:
  case VERDICT_RACE_STREAMS:
    return true;
  default:
    return false;
  }
}

bool verdict_failed(const Verdict *verdict) { return verdict->kind != VERDICT_NONE; }

/* ---- setting --------------------------------------------------------------------------------- */

void verdict_set(Verdict *verdict, VerdictKind kind, Said headline) {
  memset(verdict, 0, sizeof *verdict);
  verdict->kind = kind;
  verdict->headline = headline;
}

void verdict_say(Verdict *verdict, VerdictKind kind) {
  verdict_set(verdict, kind, said_plain(kinds[kind].says));
}

void verdict_fact(Verdict *verdict, const char *place, Said said) {
  if (verdict->fact_count == FACTS_MOST)
    return;
  Fact *fact = &verdict->facts[verdict->fact_count++];
  fact->says = said;
  snprintf(fact->place, sizeof fact->place, "%s", place ? place : "");
}

void verdict_cause(Verdict *verdict, Said said) {
  verdict->cause = said;
  verdict->certainty = said.id == SAY_NOTHING ? CERTAINTY_NONE : CERTAINTY_USUAL;
}

void verdict_proven(Verdict *verdict, Said said) {
  verdict_cause(verdict, said);
  if (said.id != SAY_NOTHING)
    verdict->certainty = CERTAINTY_PROVEN;
}

/* ---- places ---------------------------------------------------------------------------------- */

static const char *root, *root_source;

void place_root(const char *path, const char *source) {
  root = path;
  root_source = source;
}

static const char *below(const char *file, const char *folder) {
  size_t length = folder ? strlen(folder) : 0;
  return length && strncmp(file, folder, length) == 0 && file[length] == '/' ? file + length + 1
                                                                             : file;
}

void place_format(char *out, size_t size, const char *file, int line) {
  char here[PATH_MAX];
  out[0] = '\0';
  if (!file || !file[0])
    return;
  file = below(file, root);
  file = below(file, root ? SANDBOX_ROOT : NULL);
  file = below(file, getcwd(here, sizeof here));
  if (strncmp(file, "./", 2) == 0)
    file += 2;
  bool own = strncmp(file, "labs/", 5) == 0 || strncmp(file, "common/", 7) == 0;
  if (root && root_source && (!own || strstr(file, "..") || strpbrk(file, "<>&\"'")))
    file = below(root_source, root);
  if (line > 0)
    snprintf(out, size, "%s:%d", file, line);
  else
    snprintf(out, size, "%s", file);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Adds a sentence to JSON, both as id and as text. Pages, tables and other programs use the text,
 * because they do not have the table of ids. */
static void put_said(json_t *to, const char *key, const char *key_of_words, const Said *said) {
  char words[SAID_WORDS];
  said_text(said, words, sizeof words);
  json_object_set_new(to, key_of_words, text_json(words));
  json_object_set_new(to, key, said_json(said));
}

static const char *const certainties[] = {"none", "usual", "proven"};

json_t *verdict_json(const Verdict *verdict) {
  json_t *json = json_object(), *facts = json_array();
  json_object_set_new(json, "kind", json_string(verdict_name(verdict->kind)));
  json_object_set_new(json, "in_double", json_boolean(verdict->in_double));
  put_said(json, "says", "headline", &verdict->headline);
  for (size_t i = 0; i < verdict->fact_count; i++) {
    json_t *fact = json_object();
    put_said(fact, "says", "text", &verdict->facts[i].says);
    json_object_set_new(fact, "place", text_json(verdict->facts[i].place));
    json_array_append_new(facts, fact);
  }
  json_object_set_new(json, "lines", facts);
  put_said(json, "because", "cause", &verdict->cause);
  json_object_set_new(json, "certainty", json_string(certainties[verdict->certainty]));
  json_object_set_new(json, "buffer", text_json(verdict->buffer));
  json_object_set_new(json, "again", text_json(verdict->again));
  return json;
}

Verdict verdict_read(const json_t *json) {
  Verdict verdict = {.kind = verdict_kind(json)};
  size_t i;
  json_t *fact;
  verdict.passed = strcmp(text_at(json, "status"), "passed") == 0;
  verdict.in_double = json_is_true(json_object_get(json, "in_double"));
  verdict.headline = said_read(json_object_get(json, "says"));
  json_array_foreach(json_object_get(json, "lines"), i, fact)
      verdict_fact(&verdict, text_at(fact, "place"), said_read(json_object_get(fact, "says")));
  verdict.cause = said_read(json_object_get(json, "because"));
  for (size_t c = 0; c < sizeof certainties / sizeof *certainties; c++)
    if (strcmp(text_at(json, "certainty"), certainties[c]) == 0)
      verdict.certainty = (Certainty)c;
  snprintf(verdict.buffer, sizeof verdict.buffer, "%s", text_at(json, "buffer"));
  snprintf(verdict.again, sizeof verdict.again, "%s", text_at(json, "again"));
  return verdict;
}
