/* Finds changes of the given code in a student's file and describes them. Builds the program that
 * is graded instead: with the handout's given part and the student's own code. */
#include "grade/restored.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "facts/given.h"

/* ---- sentences about the differences --------------------------------------------------------- */

static Said said_of_difference(const GivenDifference *d) {
  static const SayId kinds[] = {[GIVEN_FUNCTION] = SAY_A_FUNCTION,
                                [GIVEN_MACRO] = SAY_A_MACRO,
                                [GIVEN_TYPE] = SAY_A_TYPE,
                                [GIVEN_LINE] = SAY_A_LINE};
  switch (d->how) {
  case GIVEN_CHANGED:
    return SAID(GIVEN_CHANGED, phrase(kinds[d->kind]), d->name);
  case GIVEN_MISSING:
    return SAID(GIVEN_MISSING, phrase(kinds[d->kind]), d->name);
  case GIVEN_AGAIN:
    return SAID(GIVEN_AGAIN, d->name);
  default:
    return SAID(GIVEN_REDEFINED, d->name);
  }
}

static Verdict verdict_of(const Given *given, const char *source) {
  Verdict verdict = {.kind = VERDICT_NONE};
  size_t shown = given->count > FACTS_MOST ? FACTS_MOST - 1 : given->count;
  if (given->count == 0)
    return verdict;
  verdict_say(&verdict, VERDICT_GIVEN);
  for (size_t i = 0; i < shown; i++) {
    const GivenDifference *d = &given->all[i];
    char place[200];
    place_format(place, sizeof place, d->line ? source : NULL, d->line);
    verdict_fact(&verdict, place, said_of_difference(d));
  }
  if (shown < given->count)
    verdict_fact(&verdict, "", SAID(GIVEN_AND_MORE, given->count - shown));
  verdict_proven(&verdict, SAID(GIVEN_AS_HANDED_OUT));
  return verdict;
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Returns true if the committed file counts as the handout. On a student's own machine the
 * committed file may contain the student's code, so it counts only if its gaps are unchanged. */
static bool is_handout(const Sheet *lab, const Settings *settings, const char *text) {
  for (size_t i = 0; i < lab->task_count && !settings->walls.sandbox; i++)
    if (lab->tasks[i].untouched && gap_fingerprint(text, (int)i + 1) != lab->tasks[i].untouched)
      return false;
  return true;
}

static bool write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "we");
  bool good = file && fputs(text, file) >= 0;
  return file && fclose(file) == 0 && good;
}

static bool build(const Settings *settings, const char *source, const char *made, const char *log) {
  return compile_source(settings, settings->change.rebuilt, source, made, log) &&
         access(made, X_OK) == 0;
}

/* Builds the programs of the text in both precisions and stores them in the settings. If the text
 * does not compile in float, returns false, and the log has the reason. */
static bool build_all(Restored *restored, const char *text, const char *log) {
  Settings *settings = &restored->settings;
  char source[RESTORED_FILES + 20], log_in_double[RESTORED_FILES + 28];
  bool in_double = settings->build.in_double;
  snprintf(source, sizeof source, "%s/given.cu", restored->folder);
  snprintf(restored->made, sizeof restored->made, "%s/program", restored->folder);
  snprintf(restored->object, sizeof restored->object, "%s.o", restored->made);
  snprintf(restored->in_double, sizeof restored->in_double, "%s/double", restored->folder);
  snprintf(restored->object_in_double, sizeof restored->object_in_double, "%s.o",
           restored->in_double);
  snprintf(log_in_double, sizeof log_in_double, "%s.log", restored->in_double);
  if (mkdir(restored->folder, 0700) != 0 || !write_text(source, text))
    bad_input("%s: cannot be written", source);
  if (!build(settings, source, restored->made, log))
    return false;
  settings->build.program = restored->made;
  settings->build.compile_log = NULL;
  if (settings->build.replay[0])
    settings->build.object[0] = restored->object;
  if (!in_double)
    return true;
  Settings also = settings_in_double(settings);
  settings->build.in_double = restored->in_double;
  if (build(&also, source, restored->in_double, log_in_double) && settings->build.replay[1])
    settings->build.object[1] = restored->object_in_double;
  return true;
}

/* Chooses the path of the compiler's log. The log is not in the folder of the runs, because the
 * report names the log, and that folder is removed. */
static void name_log(char log[COMPILE_LOG], const Settings *settings) {
  if (settings->walls.work)
    snprintf(log, COMPILE_LOG, "%s/given.log", settings->walls.work);
  else
    snprintf(log, COMPILE_LOG, "%s.given.log", settings->build.program);
}

/* Makes the checker grade the restored text, which has the handout's given part. If the student's
 * file does not compile, this happens only if the restored text compiles. */
static void restore(Restored *restored, const Given *given, const char *text, Marks *marks) {
  Settings *settings = &restored->settings;
  const bool compiled = !settings->build.compile_log;
  if (!settings->change.rebuilt) {
    if (given->count == 0)
      return;
    verdict_set(&marks->compiling, VERDICT_FORBIDDEN, SAID(GIVEN_NOT_REBUILT));
    verdict_cause(&marks->given, said_plain(SAY_NOTHING)); /* this ends the grading */
    return;
  }
  name_log(marks->own_log, settings);
  bool good = build_all(restored, text, marks->own_log);
  if (good)
    unlink(marks->own_log);
  else if (compiled)
    settings->build.compile_log = marks->own_log;
  if (!good && !compiled)
    memset(&marks->given, 0, sizeof marks->given);
}

/* Returns true if the file contains a NUL byte, which ends the text for the checker but not for the
 * compiler. */
static bool is_cut(const char *path, const char *text) {
  struct stat file;
  return stat(path, &file) != 0 || (size_t)file.st_size != strlen(text);
}

void restored_begin(Restored *restored, const Sheet *lab, const Settings *settings, Marks *marks,
                    const char *folder) {
  *restored = (Restored){.settings = *settings};
  char *handout = settings->paths.handout ? text_of_file(settings->paths.handout) : NULL;
  char *student = handout ? text_of_file(settings->paths.source) : NULL;
  if (student && !settings->ungraded && is_handout(lab, settings, handout)) {
    Given given = given_of(handout, student);
    given.doubtful |= is_cut(settings->paths.source, student);
    /* If the file does not compile, the differences may all result from one unbalanced bracket. */
    bool compiled = !settings->build.compile_log;
    if (given.doubtful && (compiled || (given.count && !given.odd))) {
      const char *work =
          /* In the sandbox a compiler can only write to out/. */
          settings->walls.work;
      char *text = given_text(handout, student, compile_path(settings, settings->paths.source));
      if (snprintf(restored->folder, sizeof restored->folder, "%s%s/given", work ? work : folder,
                   work ? "/out" : "") >= (int)sizeof restored->folder)
        bad_input("%s: too long a name of a folder: set TMPDIR", folder);
      marks->given = verdict_of(&given, settings->paths.source);
      restore(restored, &given, text, marks);
      free(text);
    }
  }
  free(student);
  free(handout);
}

void restored_end(const Restored *restored) {
  if (restored->folder[0])
    child_folder_gone(restored->folder);
}
