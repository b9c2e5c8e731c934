/* `checker --start`: runs a submission once and prints its output. The sandbox and the check of the
 * names are the same as in grading. Instructors use it to examine a run after an appeal
 * (common/make/class/appeal.sh). The device's log is written to the JSON file of the settings. */
#include "draw/markup.h"
#include "explain/explain.h"
#include "say/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state/settings.h"

enum { ARGUMENTS_MOST = 64 };

/* Prints text without control characters, because a terminal would execute them. */
static void print_clean(char *text, size_t size) {
  for (size_t i = 0; i < size; i++)
    text[i] = text[i] ? text[i] : '?';
  plain_text(stdout, text);
}

static int refused(const Verdict *verdict) {
  verdict_print(stdout, verdict);
  return 1;
}

int start_command(Settings *settings, char **words, size_t count) {
  const char *arguments[ARGUMENTS_MOST + 4] = {settings->build.program};
  size_t first = 1;
  char folder[256], log[320], output[320];
  Verdict verdict = {.passed = false};
  char *said = NULL;
  size_t size = 0;
  if (settings->build.compile_log)
    return verdict_compile(&verdict, settings->build.compile_log), refused(&verdict);
  if (settings->build.names && !gate_open(&verdict, settings))
    return refused(&verdict);
  if (count > ARGUMENTS_MOST || !settings->build.program)
    bad_input(settings->build.program ? "too many arguments for the program"
                                      : "--start needs --program");
  const char *temporary = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/lockstep-XXXXXX", temporary ? temporary : "/tmp");
  if (!mkdtemp(folder))
    bad_input("%s: cannot make a folder (%s)", folder, strerror(errno));
  snprintf(log, sizeof log, "%s/log", folder);
  snprintf(output, sizeof output, "%s/output", folder);
  for (size_t i = 0; i < count; i++) /* The result goes to the folder of this run. */
    if (strcmp(words[i], "--variant") == 0 && first == 1)
      arguments[1] = "--output", arguments[2] = output, first = 3;
  memcpy(arguments + first, words, count * sizeof *words);
  const MachineSettings *outside = machine_settings(); /* set by a report's `again:` line */
  settings->run.fail = (unsigned)outside->fail;
  settings->run.pretend = outside->pretend;
  FILE *heard = open_memstream(&said, &size);
  Leavings leavings = {.log = settings->paths.json ? settings->paths.json : log,
                       .output = output,
                       .seconds = settings->run.seconds,
                       .heard = heard,
                       .predicted = settings->paths.json,
                       .named = first == 3 ? &arguments[2] : NULL};
  Trial trial = {.end = check_run(settings, arguments, &leavings), .output = {.there = true}};
  fclose(heard);
  print_clean(said, size);
  free(said);
  if (!settings->paths.json)
    unlink(log);
  unlink(output);
  rmdir(folder);
  if (trial.end.how != CHILD_EXITED && !verdict_ending(&verdict, &trial, true))
    verdict_print(stdout, &verdict);
  return trial.end.how == CHILD_EXITED ? trial.end.code : 1;
}
