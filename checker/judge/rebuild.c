/* Host code cannot be exchanged in a program as kernels can: each change makes another program. */
#include "rebuild.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "edits.h"
#include "repair_parts.h"

enum { TRIED_MOST = 30, BUILD_SECONDS = 40, WAITED = 25 };

typedef struct Rebuild {
  Check *check;
  const Task *task;
  const char *source; /* its text */
  char changed[400], program[400];
  time_t began;
} Rebuild;

/* Does the function in which this stands run on the device? Functions begin in the first column. */
static bool is_of_device(const char *text, size_t at) {
  const char *head = text + at;
  while (head > text && !(head[-1] == '\n' && is_letter(*head)))
    head--;
  const char *end = head + strcspn(head, "{");
  return memmem(head, (size_t)(end - head), "__global__", 10) ||
         memmem(head, (size_t)(end - head), "__device__", 10);
}

static bool write_changed(const Rebuild *r, const Edit *edit) {
  FILE *out = fopen(r->changed, "we");
  if (!out)
    return false;
  fwrite(r->source, 1, edit->from, out);
  fputs(edit->text, out);
  fputs(r->source + edit->to, out);
  return fclose(out) == 0;
}

/* A file of ours, at home, where the compiler needs no walls. */
static bool build(const Rebuild *r, const char *precision) {
  const char *arguments[] = {"/bin/sh", "-c",       r->check->settings->rebuilt,
                             "rebuilt", r->changed, r->program,
                             precision, NULL};
  FILE *said = tmpfile();
  unlink(r->program);
  ChildEnd end =
      child_run(&(ChildRequest){.arguments = arguments, .seconds = BUILD_SECONDS, .heard = said});
  if (said)
    fclose(said);
  return end.how == CHILD_EXITED && end.code == 0 && access(r->program, X_OK) == 0;
}

static bool is_done(Rebuild *r, const Settings *settings) {
  Settings own = *settings;
  Check check = {.settings = &own, .runs = r->check->runs};
  own.program = r->program;
  own.source = r->changed;
  own.in_double = NULL;
  snprintf(check.folder, sizeof check.folder, "%s", r->check->folder);
  if (!build(r, own.precision))
    return false;
  known_forget(); /* these runs are of another program */
  r->task->check(&check);
  r->check->runs = check.runs;
  return !check.verdict.headline[0];
}

static bool makes_right(Rebuild *r, const Edit *edit) {
  const Settings *settings = r->check->settings;
  const Settings in_double = settings_in_double(settings);
  return write_changed(r, edit) && is_done(r, settings) &&
         (!settings->in_double || is_done(r, &in_double));
}

typedef enum Kind { WHOLE_LINE, PART_OF_LINE, SEVERAL_LINES, KINDS } Kind;

/* All that differs on a line is likelier than a part of it. */
static Kind kind_of(const Edit *edits, size_t count, const Edit *edit) {
  if (repair_goes_another_way(edit))
    return SEVERAL_LINES;
  for (size_t i = 0; i < count; i++)
    if (edits[i].towards && edits[i].line == edit->line && !repair_goes_another_way(&edits[i]) &&
        repair_parts(&edits[i]) > repair_parts(edit))
      return PART_OF_LINE;
  return WHOLE_LINE;
}

static bool is_wanted(const Rebuild *r, const Edit *edit, int task) {
  return edit->towards && (edit->task == task || edit->task == EDIT_ANYWHERE) &&
         !is_of_device(r->source, edit->from);
}

static const Edit *first_right(Rebuild *r, const Edit *edits, size_t count, int task) {
  const Edit *chosen[TRIED_MOST];
  size_t tried = 0;
  for (Kind kind = 0; kind < KINDS; kind++)
    for (size_t i = 0; i < count && tried < TRIED_MOST; i++)
      if (is_wanted(r, &edits[i], task) && kind_of(edits, count, &edits[i]) == kind)
        chosen[tried++] = &edits[i];
  for (size_t i = 0; i < tried && time(NULL) - r->began < WAITED; i++) {
    if (r->check->tells) {
      printf("\r  looking for the line of the mistake in host code: change %zu of %zu ...      ",
             i + 1, tried);
      fflush(stdout);
    }
    if (makes_right(r, chosen[i]))
      return chosen[i];
  }
  return NULL;
}

bool rebuild_explains(Check *check, const Task *task, int number, Verdict *verdict) {
  const Settings *settings = check->settings;
  Rebuild r = {.check = check, .task = task, .began = time(NULL)};
  /* What a kernel costs may have to be predicted first. */
  if (!settings->rebuilt || !settings->solution || settings->sandbox || task->predictions ||
      verdict->kind == VERDICT_GATE)
    return false;
  char *source = text_of_file(settings->source), *solution = text_of_file(settings->solution);
  const Edit *edits, *found = NULL;
  snprintf(r.changed, sizeof r.changed, "%s/rebuilt.cu", check->folder);
  snprintf(r.program, sizeof r.program, "%s/rebuilt", check->folder);
  if (source && solution) {
    r.source = source;
    edits_towards(solution);
    size_t count = edits_of(source, source, &edits);
    edits_towards(NULL);
    found = first_right(&r, edits, count, number);
  }
  if (found)
    repair_say(source, settings->source, found, &(Wanted){.count = 0}, false, verdict);
  static const char *const left[] = {"", ".cu", ".o", ".d", ".ptx", ".new"};
  for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
    char path[sizeof r.program + 8];
    snprintf(path, sizeof path, "%s%s", r.program, left[i]);
    unlink(path);
  }
  free(source);
  free(solution);
  return found;
}
