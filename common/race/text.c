/* Prints a report on a terminal with 80 columns. */
#include <stdlib.h>
#include <string.h>

#include "emulator/words.h"
#include "harness/screen.h"
#include "race.h"

const char *line_of_source(const char *file, unsigned line) {
  static char text[400];
  FILE *source = file ? fopen(file, "r") : NULL;
  text[0] = 0;
  for (unsigned i = 0; source && i < line; i++)
    if (!fgets(text, sizeof text, source))
      text[0] = 0;
  if (source)
    fclose(source);
  text[strcspn(text, "\n")] = 0;
  return text + strspn(text, " \t");
}

/* Prints the thread, the line and the source text of both accesses. */
static void name_places(FILE *out, const Race *r, int width) {
  for (int i = 0; i < 2; i++) {
    const Place *p = i ? &r->other : &r->at;
    char name[WHO_BYTES] = "a thread", text[400];
    if (p->has_thread)
      who_text(name, p->thread, p->block);
    snprintf(text, sizeof text, "%s %s, line %u: %s", name, p->did ? p->did : "was here", p->line,
             line_of_source(p->file, p->line));
    screen_wrapped(out, 6, "", text, width);
  }
}

enum { NAMES_BYTES = 240 };

char *__cxa_demangle(const char *mangled, char *out, size_t *length, int *status);

/* Returns true if a kernel of the same name was launched before launch i. */
static bool is_repeated(const Tape *tape, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (!strcmp(tape->launches[k].kernel, tape->launches[i].kernel))
      return true;
  return false;
}

/* Lists the names of the kernels of a run, each once, for example "scale, scale_matrix, matmul". */
static const char *kernels_text(const Tape *tape, char out[NAMES_BYTES]) {
  size_t length = 0;
  *out = '\0';
  for (size_t i = 0; i < tape->nlaunches && length < NAMES_BYTES; i++) {
    if (is_repeated(tape, i))
      continue;
    int status;
    char *plain = __cxa_demangle(tape->launches[i].kernel, NULL, NULL, &status);
    const char *name = plain ? plain : tape->launches[i].kernel;
    name += strncmp(name, "void ", 5) ? 0 : 5; /* demangled templates begin with the return type */
    length += (size_t)snprintf(out + length, NAMES_BYTES - length, "%s%.*s", length ? ", " : "",
                               (int)strcspn(name, "("), name);
    free(plain);
  }
  return out;
}

static const char *atomics_text(const Proof *p) {
  return p->atomics
             ? " Atomic operations may be executed in any order: the values that they return, "
               "and the rounding of floating-point sums, can differ."
             : "";
}

const char *verdict_text(const Report *r, char *out, size_t size) {
  const Found *f = r->found;
  char kernels[NAMES_BYTES];
  if (f->plain.late)
    snprintf(
        out, size,
        "The run did not end within the time limit of this command. Choose a smaller size, in a "
        "lab for instance ARGS=\"--size 32\", or allow more seconds: RACE_SECONDS=60.");
  else if (!f->plain.tape.nlaunches)
    snprintf(out, size, "The program launched no kernel.");
  else if (!f->plain.nraces && f->plain.mistake)
    snprintf(out, size,
             "The device reports no race, but another mistake: %s. Correct it first. Then other "
             "orders can be tried.",
             f->plain.mistake);
  else if (r->proof)
    snprintf(
        out, size,
        "No race in %s. No two accesses of this run conflict without an order between them. So "
        "every order of warps and blocks gives the same numbers for this input.%s",
        kernels_text(&f->plain.tape, kernels), atomics_text(r->proof));
  else if (f->found)
    snprintf(out, size, "%s", r->story->end);
  else if (!f->plain.nraces)
    snprintf(out, size, "The program reports no race.");
  else if (!f->candidates)
    snprintf(out, size,
             "The accesses that race were not recorded. Here the order of streams, or of host and "
             "device, decides. An order of warps cannot change it.");
  else if (f->within)
    snprintf(
        out, size,
        "There is a race, and numbers change with the order: in their last digits, within what "
        "the lab allows. With other inputs the differences may be larger.");
  else if (!race_is_error(&f->plain.races[0]))
    snprintf(out, size,
             "Several threads store the same value in the same place, and no order that "
             "was tried changes a number.");
  else if (f->turned && !f->read_otherwise)
    snprintf(out, size,
             "There is a race, and no order that was tried changes a number for this input. The "
             "order of the accesses was reversed, and the same values were stored and read.");
  else if (f->turned)
    snprintf(out, size,
             "There is a race, and no order that was tried changes a number for this input. A read "
             "gets another value, but no number in device memory changes.");
  else
    snprintf(out, size,
             "There is a race, and no order that was tried reversed its accesses for this input. "
             "If a fence is missing, a GPU may make stores visible in another order than they were "
             "executed in. Orders of warps do not show that.");
  const size_t length = strlen(out);
  if (f->candidates && !f->found && !f->exhausted)
    snprintf(out + length, size - length, " There was time for %u runs; %zu orders hold one warp.",
             r->program->runs, f->candidates);
  return out;
}

static void write_panel(FILE *out, const Report *r, size_t i, int width) {
  const Panel *p = &r->story->panels[i];
  char label[24];
  snprintf(label, sizeof label, "%zu  ", i + 1);
  screen_wrapped(out, 2, label, p->says, width);
  if (p->line && p->file && *line_of_source(p->file, p->line)) {
    fprintf(out, "     %5u | %.*s\n", p->line, width - 13, line_of_source(p->file, p->line));
  }
  if (p->waits[0][0] && p->waits[1][0])
    for (int k = 0; k < 2; k++)
      fprintf(out, "     %c %s: %s\n", k == p->actor ? '>' : ' ', r->story->actor[k], p->waits[k]);
}

static void write_barrier(FILE *out, const Barrier *b, int width) {
  char text[500];
  snprintf(text, sizeof text, "line %u: %s", b->line, line_of_source(b->file, b->line));
  screen_wrapped(out, 2, "", text, width);
  if (!b->tried) {
    screen_wrapped(out, 6, "",
                   "There was no time to try the run without it: RACE_SECONDS=60 allows more.",
                   width);
  } else if (!b->without.nraces) {
    screen_wrapped(
        out, 6, "",
        "Without it nothing races for this input. An input with more rounds may need it.", width);
  } else {
    const Race *race = &b->without.races[0];
    snprintf(text, sizeof text, "Without it: %s.", race->sentence);
    screen_wrapped(out, 6, "", text, width);
    name_places(out, race, width);
    screen_wrapped(out, 6, "", b->happens, width);
  }
}

void text_write(FILE *out, const Report *r) {
  const int width = SCREEN_USUAL;
  char text[700];
  fprintf(out, "%s\n", r->title);
  screen_wrapped(out, 2, "", verdict_text(r, text, sizeof text), width);
  fputc('\n', out);
  if (r->story) {
    for (size_t i = 0; i < r->story->npanels; i++)
      write_panel(out, r, i, width);
    if (r->story->contrast[0])
      screen_wrapped(out, 5, "the other order: ", r->story->contrast, width);
    fputc('\n', out);
    if (r->story->race) {
      screen_wrapped(out, 2, "the report: ", r->story->race->sentence, width);
      name_places(out, r->story->race, width);
      screen_wrapped(out, 6, "", r->story->race->cause, width);
    }
  } else if (r->found->plain.nraces) {
    screen_wrapped(out, 2, "the report: ", r->found->plain.races[0].sentence, width);
    name_places(out, &r->found->plain.races[0], width);
  }
  for (size_t i = 0; r->proof && i < r->proof->count; i++) {
    if (i == 0)
      fprintf(out, "  The barriers that order the accesses:\n");
    write_barrier(out, &r->proof->barriers[i], width);
  }
  snprintf(text, sizeof text, "%u run%s in %.1f s", r->program->runs,
           r->program->runs == 1 ? "" : "s", r->seconds);
  screen_wrapped(out, 2, "", text, width);
  if (r->command)
    fprintf(out, "  again: %s\n", r->command);
}
