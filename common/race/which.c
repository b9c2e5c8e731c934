/* Chooses the arguments of the program, and creates the folder for the files of its runs. */
#include <argp.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "race.h"

/* Appends one argument to p->command. */
static void add_word(Program *p, const char *word) {
  size_t count = 0;
  while (p->command[count])
    count++;
  char **more = calloc(count + 2, sizeof *more);
  if (!more)
    abort();
  memcpy(more, p->command, count * sizeof *more);
  more[count] = strdup(word);
  p->command = more;
}

static void add_words(Program *p, const char *text, size_t length) {
  char *words = strndup(text, length), *rest = words;
  for (char *word; words && (word = strsep(&rest, " "));)
    if (*word)
      add_word(p, word);
  free(words);
}

static bool is_race_kind(const char *kind) {
  return !strncmp(kind, "race", 4) || !strcmp(kind, "lanes-write-differently") ||
         !strcmp(kind, "copy-not-waited-for");
}

/* Appends the words of ARGS="..." in `again`, the command with which a verdict can be repeated. */
static void add_arguments(Program *p, const char *again) {
  const char *from = strstr(again, "ARGS=\"");
  if (from)
    add_words(p, from + 6, strcspn(from + 6, "\""));
}

/* Appends the arguments of the first task that failed with a race. If there is none, uses the first
 * task that failed; without such a task uses which->usual. */
static void choose_run(Program *p, const Which *which) {
  json_t *marks = which->marks ? json_load_file(which->marks, 0, NULL) : NULL, *task;
  const char *first = NULL, *race = NULL;
  size_t i;
  json_array_foreach(json_object_get(marks, "tasks"), i, task) {
    const char *kind = json_string_value(json_object_get(task, "kind")),
               *again = json_string_value(json_object_get(task, "again"));
    if (!kind || !again || !*again)
      continue;
    first = first ? first : again;
    race = race || !is_race_kind(kind) ? race : again;
  }
  if (race || first)
    add_arguments(p, race ? race : first);
  else if (which->usual)
    add_words(p, which->usual, strlen(which->usual));
  json_decref(marks);
}

/* ---- the options of both commands ------------------------------------------------------------ */
enum { USUAL = 256, GOLD };

static const struct argp_option option_list[] = {
    {"marks", 'm', "FILE", 0, "the checker's marks: the run that failed with a race is taken", 0},
    {"usual", USUAL, "WORDS", 0, "what the program gets where no marks name a run", 0},
    {"gold", GOLD, NULL, 0, "the program is a lab's, and knows the right answer", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
  Which *which = state->input;
  switch (key) {
  case 'm':
    which->marks = text;
    return 0;
  case USUAL:
    which->usual = text;
    return 0;
  case GOLD:
    which->gold = true;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp which_argp = {option_list, parse, NULL, NULL, NULL, NULL, NULL};

/* ---- begin and end --------------------------------------------------------------------------- */
bool program_begin(Program *p, const Which *which) {
  static char gold[sizeof p->work + 8];
  snprintf(p->work, sizeof p->work, "/tmp/lockstep-race-XXXXXX");
  choose_run(p, which);
  if (!mkdtemp(p->work))
    return false;
  if (which->gold) {
    snprintf(gold, sizeof gold, "%s/gold", p->work);
    p->gold = gold;
    add_word(p, "--gold");
    add_word(p, gold);
  }
  return true;
}

void program_end(const Program *p) {
  static const char *const names[] = {"tape", "log", "said", "gold", "recording"};
  char path[sizeof p->work + 8];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", p->work, names[i]);
    unlink(path);
  }
  rmdir(p->work);
}
