/* race: looks for an order of warps in which a race changes a number.
 *
 *   race --source FILE [--page FILE.html] [--gold] [--marks FILE] PROGRAM ARGUMENT...
 *
 * Status: 0 whatever was found; 2 it could not look.
 */
#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "race.h"

typedef struct Options {
  const char *page, *marks, *usual;
  double seconds;
  int replays;
  bool gold;
  Report report;
  Program program;
} Options;

enum { SECONDS = 256, USUAL, GOLD, REPLAYS };

static const struct argp_option option_list[] = {
    {"source", 's', "FILE", 0, "the source whose barriers are looked at", 0},
    {"page", 'p', "FILE", 0, "write a page there, too", 0},
    {"title", 't', "TEXT", 0, "heading", 0},
    {"command", 'c', "COMMAND", 0, "what shows this again", 0},
    {"marks", 'm', "FILE", 0, "the checker's marks: the run that failed with a race is taken", 0},
    {"usual", USUAL, "WORDS", 0, "what the program gets where no marks name a run", 0},
    {"gold", GOLD, NULL, 0, "the program is a lab's, and knows the right answer", 0},
    {"seconds", SECONDS, "N", 0, "how long to look (default: 5)", 0},
    {"replays", REPLAYS, "N", 0, "run the order that was found N times more and compare", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
  Options *o = state->input;
  switch (key) {
  case 's':
    o->report.source = text;
    return 0;
  case 'p':
    o->page = text;
    return 0;
  case 't':
    o->report.title = text;
    return 0;
  case 'c':
    o->report.command = text;
    return 0;
  case 'm':
    o->marks = text;
    return 0;
  case USUAL:
    o->usual = text;
    return 0;
  case GOLD:
    o->gold = true;
    return 0;
  case SECONDS:
    o->seconds = atof(text);
    return 0;
  case REPLAYS:
    o->replays = atoi(text);
    return 0;
  case ARGP_KEY_ARGS:
    o->program.command = state->argv + state->next;
    return 0;
  case ARGP_KEY_END:
    if (!o->program.command || !o->report.source)
      argp_error(state, "a program and --source are needed");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* ---- which run --------------------------------------------------------------------------------- */
/* One more word for the program. */
static void add_word(Options *o, const char *word) {
  size_t count = 0;
  while (o->program.command[count])
    count++;
  char **more = calloc(count + 2, sizeof *more);
  if (!more)
    abort();
  memcpy(more, o->program.command, count * sizeof *more);
  more[count] = strdup(word);
  o->program.command = more;
}

static void add_words(Options *o, const char *text, size_t length) {
  char *words = strndup(text, length), *rest = words;
  for (char *word; words && (word = strsep(&rest, " "));)
    if (*word)
      add_word(o, word);
  free(words);
}

static bool is_race_kind(const char *kind) {
  return !strncmp(kind, "race", 4) || !strcmp(kind, "lanes-write-differently") ||
         !strcmp(kind, "copy-not-waited-for");
}

/* The words of ARGS="..." in a command of a verdict. */
static void add_arguments(Options *o, const char *again) {
  const char *from = strstr(again, "ARGS=\"");
  if (from)
    add_words(o, from + 6, strcspn(from + 6, "\""));
}

/* The run of the first task that failed with a race; else of the first that failed. */
static void choose_run(Options *o) {
  json_t *marks = o->marks ? json_load_file(o->marks, 0, NULL) : NULL, *task;
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
    add_arguments(o, race ? race : first);
  else if (o->usual)
    add_words(o, o->usual, strlen(o->usual));
  json_decref(marks);
}

/* ---- the report -------------------------------------------------------------------------------- */
static int fail(const char *path) {
  fprintf(stderr, "race: %s: %s\n", path, strerror(errno));
  return 2;
}

/* Whole or not at all. */
static int write_page_to(const Report *r, const char *path) {
  char part[4096];
  snprintf(part, sizeof part, "%s.new", path);
  FILE *out = fopen(part, "w");
  if (!out)
    return fail(part);
  page_write(out, r);
  bool bad = ferror(out);
  bad = fclose(out) || bad || rename(part, path);
  return bad ? fail(path) : 0;
}

/* Does the order that was found give the same numbers again? */
static int replay(Options *o, const Found *f) {
  int same = 0;
  for (int i = 0; i < o->replays && f->found; i++) {
    Outcome again;
    o->program.deadline = seconds_now() + 60;
    outcome_run(&o->program, f->held.order, &again);
    const Difference d = outcome_difference(&f->held, &again, NULL);
    same += !d.any;
    outcome_free(&again);
  }
  return same;
}

int main(int argc, char **argv) {
  Options o = {.seconds = 5};
  const struct argp argp = {option_list,
                            parse,
                            "PROGRAM ARGUMENT...",
                            "Looks for an order of warps in which a race changes a number.",
                            0,
                            0,
                            0};
  static Found found;
  static Story story;
  static Proof proof;
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &o);
  choose_run(&o);
  char work[] = "/tmp/lockstep-race-XXXXXX";
  if (!mkdtemp(work))
    return fail(work);
  char gold[sizeof work + 8];
  o.program.work = work;
  if (o.gold) {
    snprintf(gold, sizeof gold, "%s/gold", work);
    o.program.gold = gold;
    add_word(&o, "--gold");
    add_word(&o, gold);
  }
  const double start = seconds_now();
  o.program.deadline = start + 0.85 * o.seconds; /* the rest is for the panels */
  search(&o.program, &found);
  o.report.found = &found;
  o.report.program = &o.program;
  if (found.found) {
    story_tell(&found, &story);
    o.report.story = &story;
  } else if (!found.plain.nraces && !found.plain.mistake && !found.plain.late &&
             found.plain.tape.nlaunches) {
    o.program.deadline = seconds_now() + o.seconds;
    proof_find(&o.program, &found.plain, o.report.source, &proof);
    o.report.proof = &proof;
  }
  o.report.title = o.report.title ? o.report.title : o.report.source;
  o.report.seconds = seconds_now() - start;
  text_write(stdout, &o.report);
  int status = o.page ? write_page_to(&o.report, o.page) : 0;
  if (o.replays)
    printf("  replayed: %d of %d the same; order: %s\n", replay(&o, &found), o.replays,
           found.found ? found.held.order : "none");
  char path[200];
  for (const char *const *name = (const char *const[]){"tape", "log", "said", "gold", NULL}; *name;
       name++) {
    snprintf(path, sizeof path, "%s/%s", work, *name);
    unlink(path);
  }
  rmdir(work);
  return status;
}
