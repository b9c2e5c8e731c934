/* The program `profile` shows what each line of a CUDA source did, from the log of a run on the
 * emulated device.
 *
 * Exit status: 0 if the page was printed, 2 if the log cannot be read or is empty. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/screen.h"
#include "profile.h"

typedef struct Options {
  const char *log, *source, *json, *title, *again;
  bool quiet, alone;
} Options;

static const struct argp_option option_list[] = {
    {"source", 's', "FILE", 0, "the source that is looked at; its lines come first", 0},
    {"json", 'j', "FILE", 0, "write the same numbers there, as JSON", 0},
    {"title", 't', "TEXT", 0, "first line of the page", 0},
    {"next", 'n', "COMMAND", 0, "what to run when the program is wrong or does nothing yet", 0},
    {"quiet", 'q', 0, 0, "no page", 0},
    {"alone", 'a', 0, 0, "a stranger's source: no other file is read", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
  Options *o = state->input;
  switch (key) {
  case 's':
    o->source = text;
    return 0;
  case 'j':
    o->json = text;
    return 0;
  case 't':
    o->title = text;
    return 0;
  case 'n':
    o->again = text;
    return 0;
  case 'q':
    o->quiet = true;
    return 0;
  case 'a':
    o->alone = true;
    return 0;
  case ARGP_KEY_ARG:
    if (o->log)
      argp_error(state, "one log only");
    o->log = text;
    return 0;
  case ARGP_KEY_END:
    if (!o->log)
      argp_error(state, "no log is named: LOCKSTEP_LOG=file makes a program write one");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static int write_json(const char *path, const Recording *r, const Source *s, const Findings *f) {
  json_t *object = profile_json(r, s, f);
  int failed = json_dump_file(object, path, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
  json_decref(object);
  if (failed)
    fprintf(stderr, "profile: %s: %s\n", path, strerror(errno));
  return failed ? 2 : 0;
}

int main(int argc, char **argv) {
  Options o = {0};
  const struct argp argp = {option_list,
                            parse,
                            "LOG",
                            "Shows what each line of a CUDA source did, from the log of a run.",
                            0,
                            0,
                            0};
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
  Recording r = recording_read(o.log);
  if (r.damage[0])
    fprintf(stderr, "profile: %s\n", r.damage);
  if (r.damage[0] && !r.kernel_count) {
    recording_free(&r);
    return 2;
  }
  Source s = o.source ? source_read(o.source) : (Source){0};
  const Source *source = o.source ? &s : NULL;
  s.alone = o.alone;
  Findings findings = rank(&r, source, 0);
  Page page = {o.title, o.again, screen_width(STDOUT_FILENO),
               isatty(STDOUT_FILENO) && !getenv("NO_COLOR")};
  int status = o.json ? write_json(o.json, &r, source, &findings) : 0;
  if (!o.quiet)
    annotate(stdout, &r, source, &findings, &page);
  free(findings.items);
  if (source)
    source_free(&s);
  recording_free(&r);
  return status;
}
