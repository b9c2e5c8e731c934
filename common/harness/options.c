/* Parses the command line, which is the same for every lab except for the names of its sizes. */
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum {
  KEY_VARIANT = 256,
  KEY_LIST,
  KEY_SIZE,
  KEY_FILL,
  KEY_SEED,
  KEY_PRECISION,
  KEY_REPEATS,
  KEY_THREADS,
  KEY_BANKS,
  KEY_PRINT,
  KEY_OUTPUT,
  KEY_SWEEP,
  KEY_CSV,
  KEY_PLOT,
  KEY_FIT,
  KEY_NO_CHECK,
  KEY_NO_CPU,
  KEY_FROM,
  KEY_NO_TIME,
  KEY_STATISTIC,
  KEY_TIMES,
  KEY_GOLD,
  KEY_ROUNDS,
  KEY_ROOF,
  KEY_WITHHOLD,
  KEY_DEMO,
  KEY_PRETEND,
  KEY_REHEARSE,
  KEY_PROBES,
  KEY_THEN,
  KEY_RETURNED,
  KEY_EXERCISES,
  KEY_HELP,
  KEY_EACH_SIZE /* the first size of the lab */
};

static const struct argp_option common_options[] = {
    {"variant", KEY_VARIANT, "NAME", 0,
     "run only this variant (default: all variants, in teaching order)", 0},
    {"from", KEY_FROM, "NAME", 0, "start with this variant, and leave out all variants before it",
     0},
    {"list", KEY_LIST, 0, 0, "list the variants, one per line", 0},
    {"size", KEY_SIZE, "N", 0, "set all sizes to N", 0},
    {"fill", KEY_FILL, "KIND", 0,
     "inputs: uniform in [-1, 1), unit in [0, 1), whole numbers 0 to 9, or linear "
     "in row and column",
     0},
    {"seed", KEY_SEED, "S", 0, "seed of the random inputs (default 1)", 0},
    {"precision", KEY_PRECISION, "P", 0, "float or double", 0},
    {"repeats", KEY_REPEATS, "R", 0, "time R runs and show their median (lab 05: their mean)", 0},
    {"threads", KEY_THREADS, "T", 0,
     "number of CPU threads of the variant `threads` (default: all cores)", 0},
    {"banks", KEY_BANKS, "BYTES", 0,
     "width of the shared memory banks of the emulated device: 4, or 8 as on compute capability "
     "3.x",
     0},
    {"print", KEY_PRINT, 0, 0, "print the matrices, up to 40 columns", 0},
    {"output", KEY_OUTPUT, "FILE", 0,
     "write the result of the variant that --variant chooses: as text if FILE ends in .csv, "
     "otherwise in binary",
     0},
    {"sweep", KEY_SWEEP, "FIRST:LAST:STEP", 0,
     "run these sizes one after the other; sizes set by their own options do not change", 0},
    {"csv", KEY_CSV, "FILE", 0, "write the table to FILE; an interrupted sweep continues from FILE",
     0},
    {"plot", KEY_PLOT, "FILE", 0, "draw a sweep as .svg, .png or .pdf", 0},
    {"fit", KEY_FIT, 0, 0, "print how much memory these sizes need, and the largest size that fits",
     0},
    {"no-check", KEY_NO_CHECK, 0, 0, "do not compare with the CPU's result in double", 0},
    {"no-cpu", KEY_NO_CPU, 0, 0, "leave out the variants that compute on the CPU", 0},
    {"no-time", KEY_NO_TIME, 0, 0, "run each variant once and measure no time", 0},
    {"statistic", KEY_STATISTIC, "NAME", 0,
     "combine the times of a GPU by their median or mean (default: median; in lab 05 the mean of "
     "50 times)",
     0},
    {"times", KEY_TIMES, "FILE", OPTION_HIDDEN,
     "write the times of the variant that --variant chooses", 0},
    {"gold", KEY_GOLD, "FILE", OPTION_HIDDEN, "write the right answer, in double", 0},
    {"rounds", KEY_ROUNDS, "N", OPTION_HIDDEN,
     "time the variant in N rounds, without measuring the roof", 0},
    {"roof", KEY_ROOF, 0, OPTION_HIDDEN, "measure the roof before these rounds", 0},
    {"withhold", KEY_WITHHOLD, "NAME", OPTION_HIDDEN,
     "do not run variants whose names begin with NAME; if NAME is all, run all variants, but show "
     "no counters",
     0},
    {"demo", KEY_DEMO, 0, OPTION_HIDDEN, "show on one screen how the kernels differ", 0},
    {"pretend", KEY_PRETEND, 0, OPTION_HIDDEN,
     "use operands that take no memory (LOCKSTEP_PRETEND)", 0},
    {"rehearse", KEY_REHEARSE, "NAME=N,..", OPTION_HIDDEN,
     "run once with these sizes first, then twice with the given sizes", 0},
    {"probes", KEY_PROBES, "N", OPTION_HIDDEN,
     "run N times with consecutive seeds, and write all results", 0},
    {OPTION_THEN, KEY_THEN, 0, OPTION_HIDDEN,
     "begin another run; options before the first run apply to all runs", 0},
    {"exercises", KEY_EXERCISES, 0, OPTION_HIDDEN, "run the exercises before the variants", 0},
    {"returned", KEY_RETURNED, 0, OPTION_HIDDEN, "return the variant's error as the exit status",
     0},
    {"help", KEY_HELP, 0, 0, "print this help", 0},
};
enum { COMMON = sizeof common_options / sizeof *common_options };

void die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "%s: ", program_invocation_short_name);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}

static int parse_int(const char *option, const char *text, int most) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (end == text || *end || errno || value < 1 || value > most)
    die("--%s %s: give a whole number from 1 to %d", option, text, most);
  return (int)value;
}

static uint64_t parse_seed(const char *text) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (end == text || *end || errno || strchr(text, '-'))
    die("--seed %s: give a whole number from 0 to %llu", text, ULLONG_MAX);
  return value;
}

static Range parse_range(const char *text) {
  Range r = {0};
  int end = 0;
  if (sscanf(text, "%9d:%9d:%9d%n", &r.first, &r.last, &r.step, &end) != 3 || text[end] ||
      r.first < 1 || r.last < r.first || r.step < 1)
    die("--sweep %s: give FIRST:LAST:STEP, as in 8:2096:8", text);
  return r;
}

static const char *parse_plot(const char *text) {
  const char *ending = strrchr(text, '.');
  if (!ending || (strcmp(ending, ".svg") && strcmp(ending, ".png") && strcmp(ending, ".pdf")))
    die("--plot %s: the name has to end in .svg, .png or .pdf", text);
  return text;
}

static Fill parse_fill(const char *text) {
  for (int i = 0; fill_names[i]; i++)
    if (!strcmp(text, fill_names[i]))
      return (Fill)i;
  die("--fill %s: choose uniform, whole, linear, unit, pairs or infinite", text);
}

static size_t parse_precision(const char *text) {
  if (!strcmp(text, "float"))
    return sizeof(float);
  if (!strcmp(text, "double"))
    return sizeof(double);
  die("--precision %s: choose float or double", text);
}

static int parse_banks(const char *text) {
  if (strcmp(text, "4") && strcmp(text, "8"))
    die("--banks %s: choose 4 or 8 bytes", text);
  return *text - '0';
}

static Statistic parse_statistic(const char *text) {
  if (strcmp(text, "median") && strcmp(text, "mean"))
    die("--statistic %s: choose median or mean", text);
  return strcmp(text, "mean") ? STATISTIC_MEDIAN : STATISTIC_MEAN;
}

static void parse_variant(const Lab *l, Options *o, const char *text) {
  for (const Variant *v = l->variants; v->name; v++)
    if (!strcmp(text, v->name)) {
      o->variant = v;
      o->problem = l->problem;
      return;
    }
  for (const Exercise *e = l->exercises; e && e->variant.name; e++)
    if (!strcmp(text, e->variant.name)) {
      o->variant = &e->variant;
      o->problem = e->problem;
      return;
    }
  die("--variant %s: no such variant; --list shows the variants", text);
}

static const Variant *parse_from(const Lab *l, const char *text) {
  const Variant *v = l->variants;
  while (v->name && strcmp(text, v->name) != 0)
    v++;
  if (!v->name)
    die("--from %s: no such variant; --list shows the variants", text);
  return v;
}

bool options_withhold(const Options *o, const Variant *variant) {
  return o->withheld && !strncmp(variant->name, o->withheld, strlen(o->withheld));
}

bool options_want(const Options *o, const Variant *variant) {
  return !(o->no_cpu && variant->place == PLACE_CPU) && !(o->from && variant < o->from) &&
         !options_withhold(o, variant);
}

/* Sets to n the sizes that --size sets, except those marked in `fixed` (which may be NULL). */
static void scale(const Options *o, int n, const bool *fixed, int size[MAX_SIZES]) {
  const Problem *problem = o->lab->problem;
  int scaled = problem->scaled ? problem->scaled : problem_sizes(problem);
  memmove(size, o->size, sizeof o->size);
  for (int i = 0; i < scaled; i++)
    if (!fixed || !fixed[i])
      size[i] = n;
}

void options_scale(const Options *o, int n, int size[MAX_SIZES]) { scale(o, n, o->fixed, size); }

/* Parses a text such as "m=1,k=2". Sizes that the text does not name are unchanged. */
static void parse_rehearsed(Options *o, const char *text) {
  char *all = strdup(text), *rest = all, *one;
  memcpy(o->rehearsed, o->size, sizeof o->rehearsed);
  while (all && (one = strsep(&rest, ","))) {
    char *value = strchr(one, '=');
    if (!value)
      die("--rehearse %s: give sizes, as in m=1,k=2", text);
    *value++ = '\0';
    for (int i = 0; i < problem_sizes(o->problem); i++)
      if (!strcmp(one, o->problem->size_names[i]))
        o->rehearsed[i] = parse_int(one, value, INT_MAX);
  }
  free(all);
}

static void parse_size(Options *o, int key, const char *text) {
  const Problem *problem = o->lab->problem;
  if (key == KEY_SIZE)
    scale(o, parse_int("size", text, INT_MAX), NULL, o->size);
  for (int i = 0; i < problem_sizes(problem); i++)
    if (key == KEY_EACH_SIZE + i) {
      o->size[i] = parse_int(problem->size_names[i], text, INT_MAX);
      o->fixed[i] = true;
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
  Options *o = state->input;
  switch (key) {
  case KEY_VARIANT:
    parse_variant(o->lab, o, text);
    break;
  case KEY_FROM:
    o->from = parse_from(o->lab, text);
    break;
  case KEY_LIST:
    o->list = true;
    break;
  case KEY_FILL:
    o->recipe.fill = parse_fill(text);
    break;
  case KEY_SEED:
    o->recipe.seed = parse_seed(text);
    break;
  case KEY_PRECISION:
    o->element_bytes = parse_precision(text);
    break;
  case KEY_REPEATS:
    o->run.repeats = parse_int("repeats", text, MOST_REPEATS);
    break;
  case KEY_THREADS:
    o->run.threads = parse_int("threads", text, 256);
    break;
  case KEY_BANKS:
    o->bank_bytes = parse_banks(text);
    break;
  case KEY_PRINT:
    o->print = true;
    break;
  case KEY_OUTPUT:
    o->output = text;
    break;
  case KEY_SWEEP:
    o->sweep = parse_range(text);
    break;
  case KEY_CSV:
    o->csv = text;
    break;
  case KEY_PLOT:
    o->plot = parse_plot(text);
    break;
  case KEY_FIT:
    o->fit = true;
    break;
  case KEY_NO_CHECK:
    o->check = false;
    break;
  case KEY_NO_CPU:
    o->no_cpu = true;
    break;
  case KEY_NO_TIME:
    o->run.no_time = true;
    break;
  case KEY_STATISTIC:
    o->run.statistic = parse_statistic(text);
    break;
  case KEY_TIMES:
    o->times = text;
    break;
  case KEY_GOLD:
    o->gold = text;
    break;
  case KEY_ROUNDS:
    o->run.rounds = parse_int("rounds", text, MOST_REPEATS);
    break;
  case KEY_ROOF:
    o->run.roof = true;
    break;
  case KEY_WITHHOLD:
    o->run.no_counters = !strcmp(text, "all");
    o->withheld = o->run.no_counters ? NULL : text;
    break;
  case KEY_DEMO:
    o->demo = true;
    break;
  case KEY_PRETEND:
    o->pretend = true;
    break;
  case KEY_RETURNED:
    o->returned = true;
    break;
  case KEY_EXERCISES:
    o->exercises = true;
    break;
  case KEY_THEN:
    die("--" OPTION_THEN ": there is no run before this option");
  case KEY_PROBES:
    o->probes = parse_int("probes", text, INT_MAX);
    break;
  case KEY_REHEARSE:
    parse_rehearsed(o, text);
    break;
  case KEY_HELP:
    argp_help(state->root_argp, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG,
              state->name);
    exit(0);
  case ARGP_KEY_ARG:
    die("%s: this is not an option; --help lists the options", text);
  case ARGP_KEY_ERROR:
    die("%s: no such option, or its value is missing; --help lists the options",
        state->argv[state->next - 1]);
  default:
    if (key != KEY_SIZE && key < KEY_EACH_SIZE)
      return ARGP_ERR_UNKNOWN;
    parse_size(o, key, text);
  }
  return 0;
}

const char *lab_digits(const Lab *l) { return l->title + strcspn(l->title, "0123456789"); }

/* The lab's open exercise reveals no answer to a prediction, so its counters are always shown. A
 * variant in double reveals answers, so its counters are not shown. */
static void settle_counters(Options *o) {
  if (o->withheld && o->element_bytes == sizeof(double))
    o->run.no_counters = true;
  if (o->variant && o->lab->open && !strcmp(o->variant->name, o->lab->open))
    o->run.no_counters = false;
}

/* Checks options that depend on each other. */
static void check_options(const Options *o) {
  const enum { WIDEST_PRINT = 40 } widest = WIDEST_PRINT;
  int largest[MAX_SIZES];
  memcpy(largest, o->size, sizeof largest);
  if (o->sweep.step)
    options_scale(o, o->sweep.last, largest);
  const char *misfit =
      o->fit || o->pretend ? NULL : problem_misfit(o->problem, largest, o->element_bytes);
  if (misfit)
    die("%s", misfit);
  if (o->plot && !o->sweep.step)
    die("--plot: choose the sizes with --sweep");
  if (o->sweep.step && (o->print || o->output))
    die("--sweep: --print and --output work with one size only");
  if (o->times && (!o->variant || o->sweep.step || o->run.no_time))
    die("--times: choose the variant with --variant");
  if (o->pretend && !o->variant)
    die("--pretend: choose the variant with --variant");
  if (o->variant && options_withhold(o, o->variant))
    die("--variant %s: fill in its predictions first; `make lab%.2s` lists the open predictions",
        o->variant->name, lab_digits(o->lab));
  if (o->output && !o->variant)
    die("--output: choose the variant with --variant");
  for (int i = 0; o->print && i <= problem_inputs(o->problem); i++)
    if (operand_shape(o->problem, o->size, i).columns > widest)
      die("--print: %s has more than %d columns; choose smaller sizes",
          o->problem->operands[i].name, widest);
}

void options_parse(const Lab *l, int argc, char **argv, Options *options) {
  struct argp_option list[COMMON + MAX_SIZES + 1] = {{0}};
  memcpy(list, common_options, sizeof common_options);
  for (int i = 0; i < problem_sizes(l->problem); i++)
    list[COMMON + i] = (struct argp_option){
        l->problem->size_names[i], KEY_EACH_SIZE + i, "NUMBER", 0, "set one size", 0};
  const char *about = l->problem->about ? l->problem->about : "";
  char doc[1000];
  snprintf(doc, sizeof doc, "%s: %s%s%s", l->title, l->problem->formula, *about ? "\n\n" : "",
           about);
  struct argp argp = {.options = list, .parser = parse_option, .doc = doc};
  *options = (Options){.lab = l,
                       .problem = l->problem,
                       .recipe = {l->fill, 1},
                       .element_bytes = l->element_bytes,
                       .run = {.threads = threads_usable()},
                       .check = true};
  memcpy(options->size, l->size, sizeof options->size);
  argp_parse(&argp, argc, argv, ARGP_NO_HELP | ARGP_NO_ERRS | ARGP_NO_EXIT, NULL, options);
  settle_counters(options);
  if (!options->list)
    check_options(options);
}
