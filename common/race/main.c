/* race: searches for an order of warps in which a data race changes a number.
 *
 *   race --source FILE [--page FILE.html] [--gold] [--marks FILE] PROGRAM ARGUMENT...
 *
 * Exit status: 0 if the search was done, whether or not it found such an order; 2 after an error.
 */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "race.h"

typedef struct Options {
  const char *page, *figure;
  double seconds;
  int replays;
  Which which;
  Report report;
  Program program;
} Options;

enum { SECONDS = 256, REPLAYS };

static const struct argp_option option_list[] = {
    {"source", 's', "FILE", 0, "the source whose barriers are looked at", 0},
    {"page", 'p', "FILE", 0, "write a page there, too", 0},
    {"figure", 'f', "FILE", 0, "write the panels there as a picture for a slide", 0},
    {"title", 't', "TEXT", 0, "heading", 0},
    {"command", 'c', "COMMAND", 0, "what shows this again", 0},
    {"seconds", SECONDS, "N", 0, "how long to look (default: 5)", 0},
    {"replays", REPLAYS, "N", 0, "run the order that was found N times more and compare", 0},
    {0},
};

static const struct argp_child children[] = {{&which_argp, 0, NULL, 0}, {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  Options *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->which;
    return 0;
  case 's':
    o->report.source = text;
    return 0;
  case 'p':
    o->page = text;
    return 0;
  case 'f':
    o->figure = text;
    return 0;
  case 't':
    o->report.title = text;
    return 0;
  case 'c':
    o->report.command = text;
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

/* ---- the report ------------------------------------------------------------------------------ */
static int fail(const char *path) {
  fprintf(stderr, "race: %s: %s\n", path, strerror(errno));
  return 2;
}

/* Writes a temporary file and renames it, so that a failed write leaves the old page unchanged. */
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

/* Writes the figure. Its SVG id is the file name without the extension. */
static int write_figure_to(const Report *r, const char *path) {
  const char *name = strrchr(path, '/');
  char id[100];
  FILE *out = fopen(path, "w");
  if (!out)
    return fail(path);
  snprintf(id, sizeof id, "%s", name ? name + 1 : path);
  id[strcspn(id, ".")] = 0;
  const bool drawn = figure_write(out, r, id);
  if (fclose(out))
    return fail(path);
  if (!drawn)
    fprintf(stderr, "race: %s: no order changes a number\n", path);
  return drawn ? 0 : 2;
}

/* Runs the program o->replays times in the order that was found. Returns how many of these runs
 * give the same numbers. */
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
                            children,
                            0,
                            0};
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &o);
  if (!program_begin(&o.program, &o.which))
    return fail(o.program.work);
  o.report.program = &o.program;
  o.report.title = o.report.title ? o.report.title : o.report.source;
  report_find(&o.report, &o.program, o.seconds);
  text_write(stdout, &o.report);
  int status = o.page ? write_page_to(&o.report, o.page) : 0;
  if (!status && o.figure)
    status = write_figure_to(&o.report, o.figure);
  if (o.replays)
    printf("  replayed: %d of %d the same; order: %s\n", replay(&o, o.report.found), o.replays,
           o.report.found->found ? o.report.found->held.order : "none");
  program_end(&o.program);
  return status;
}
