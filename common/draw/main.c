/* draw: draws the memory accesses of one warp, from the log of a run on the emulated device.
 *
 *   draw list RECORDING                                   lists the accesses and their numbers
 *   draw banks RECORDING --line N | --access K >x.svg     draws banks of shared memory
 *   draw sectors RECORDING --line N | --access K >x.svg   draws sectors of global memory
 *   draw tiles RECORDING >x.svg                           draws A, B and C, one step per kernel
 *
 * If several accesses fit the options, the most expensive one is drawn. --kernel, --buffer and
 * --verb restrict the choice. --slide draws banks and sectors with large letters.
 *
 * Exit status: 0 if the picture was written, otherwise 2.
 */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

typedef struct Options {
  const char *what, *log, *source, *kernel, *buffer, *verb;
  /* Line and number of the access; 0 if the option was not given. */
  unsigned line, access;
  bool slide;
  Words words;
} Options;

static const struct argp_option option_list[] = {
    {"line", 'l', "NUMBER", 0, "the access in this line", 0},
    {"access", 'a', "NUMBER", 0, "the access with this number in `draw list`", 0},
    {"kernel", 'k', "NAME", 0, "in this kernel only", 0},
    {"buffer", 'b', "NAME", 0, "to this buffer or array only", 0},
    {"verb", 'v', "load|store", 0, "what does this only", 0},
    {"source", 's', "FILE", 0, "where the shapes of shared arrays stand", 0},
    {"slide", 'S', 0, 0, "in large letters", 0},
    {"title", 't', "TEXT", 0, "in place of the picture's own", 0},
    {"id", 'i', "NAME", 0, "of the picture, for pages with several", 0},
    {0},
};

static unsigned positive(const char *text, struct argp_state *state) {
  char *end;
  long value = strtol(text, &end, 10);
  if (*end || value < 1 || value > 1 << 30)
    argp_error(state, "%s: expected a number from 1 on", text);
  return (unsigned)value;
}

static error_t parse(int key, char *text, struct argp_state *state) {
  Options *o = state->input;
  switch (key) {
  case 'l':
    o->line = positive(text, state);
    return 0;
  case 'a':
    o->access = positive(text, state);
    return 0;
  case 'k':
    o->kernel = text;
    return 0;
  case 'b':
    o->buffer = text;
    return 0;
  case 'v':
    o->verb = text;
    return 0;
  case 's':
    o->source = text;
    return 0;
  case 'S':
    o->slide = true;
    return 0;
  case 't':
    o->words.title = text;
    return 0;
  case 'i':
    o->words.id = text;
    return 0;
  case ARGP_KEY_ARG:
    if (o->log)
      argp_error(state, "one recording only");
    *(o->what ? &o->log : &o->what) = text;
    return 0;
  case ARGP_KEY_END:
    if (!o->log)
      argp_error(state, "say what to draw (banks, sectors, tiles, list) and from which recording");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* ---- the chosen access ----------------------------------------------------------------------- */
static bool drawable(const Access *a) {
  return a->sample && (a->space == SPACE_SHARED || a->space == SPACE_GLOBAL);
}

static bool wanted(const Options *o, const Request *r, unsigned number) {
  bool banks = !strcmp(o->what, "banks");
  return r->access->space == (banks ? SPACE_SHARED : SPACE_GLOBAL) &&
         (!o->line || r->access->line == o->line) && (!o->access || number == o->access) &&
         (!o->kernel || !strcmp(r->kernel->name, o->kernel)) &&
         (!o->buffer || !strcmp(r->name, o->buffer)) &&
         (!o->verb || !strcmp(request_verb(r), o->verb));
}

static unsigned cost(const Request *r) {
  return r->access->space == SPACE_SHARED ? request_schedule(r).wavefronts
                                          : request_footprint(r).count;
}

/* Calls `visit` with each access that can be drawn, numbered from 1. */
static void each_access(const Recording *r, const Source *source,
                        void (*visit)(const Request *, unsigned number, void *), void *context) {
  unsigned number = 0;
  for (size_t k = 0; k < r->kernel_count; k++) {
    size_t count;
    Access *list = kernel_accesses(&r->kernels[k], &count);
    for (size_t i = 0; i < count; i++)
      if (drawable(&list[i])) {
        Request request = request_of(r, &r->kernels[k], &list[i], source);
        visit(&request, ++number, context);
      }
    free(list);
  }
}

static void print_one(const Request *r, unsigned number, void *context) {
  bool shared = r->access->space == SPACE_SHARED;
  (void)context;
  printf("%3u  %s:%u  %s  %s of %s, %u %s%s\n", number, r->access->file, r->access->line,
         r->kernel->name, request_verb(r), r->name, cost(r), shared ? "wavefront" : "sector",
         cost(r) == 1 ? "" : "s");
}

typedef struct Choice {
  const Options *options;
  Access access;
  /* The chosen request; request.access is NULL until a request is chosen. */
  Request request;
} Choice;

static void choose(const Request *r, unsigned number, void *context) {
  Choice *c = context;
  if (!wanted(c->options, r, number) || (c->request.access && cost(r) <= cost(&c->request)))
    return;
  c->access = *r->access;
  c->request = *r;
  c->request.access = &c->access;
}

/* ---- drawing --------------------------------------------------------------------------------- */
static int complain(const Options *o, const char *what) {
  fprintf(stderr, "draw %s %s: %s\n", o->what, o->log, what);
  return 2;
}

static int draw_access(const Options *o, const Recording *r, const Source *source) {
  Choice c = {.options = o};
  each_access(r, source, choose, &c);
  if (!c.request.access)
    return complain(o, "no such access to this memory; `draw list` names them");
  (o->slide                    ? draw_slide
   : !strcmp(o->what, "banks") ? draw_banks
                               : draw_sectors)(stdout, &c.request, &o->words);
  return 0;
}

static int draw(const Options *o, const Recording *r, const Source *source) {
  if (!strcmp(o->what, "list")) {
    each_access(r, source, print_one, NULL);
    return 0;
  }
  if (!strcmp(o->what, "tiles"))
    return draw_tiles(stdout, r, &o->words) ? 0 : complain(o, "no matrices A, B and C with shapes");
  if (strcmp(o->what, "banks") && strcmp(o->what, "sectors"))
    return complain(o, "unknown picture: it draws banks, sectors and tiles, and prints a list");
  return draw_access(o, r, source);
}

int main(int argc, char **argv) {
  Options o = {.words = {.id = "map"}};
  const struct argp argp = {option_list,
                            parse,
                            "banks|sectors|tiles|list RECORDING",
                            "Draws what one warp asked of memory, as SVG, from the log of a run.",
                            0,
                            0,
                            0};
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
  Recording r = recording_read(o.log);
  if (r.damage[0])
    fprintf(stderr, "draw: %s\n", r.damage);
  Source source = o.source ? source_read(o.source) : (Source){0};
  int status = r.damage[0] && !r.kernel_count ? 2 : draw(&o, &r, o.source ? &source : NULL);
  if (o.source)
    source_free(&source);
  recording_free(&r);
  return fflush(stdout) ? complain(&o, "the picture cannot be written") : status;
}
