/* The command line of the checker: parses the options and calls the function of the selected mode
 * (grade a lab, give a hint, show the progress, collect marks, report on a class). `--help` lists
 * the options. */
#include "class/class.h"
#include "explain/explain.h"
#include "say/report.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emulator/state/device.h"

typedef enum Mode {
  MODE_GRADE,
  MODE_HINT,
  MODE_CHANGE,
  MODE_PROGRESS,
  MODE_LIST,
  MODE_WITHHELD,
  MODE_COLLECT,
  MODE_COMPILE,
  MODE_TRY_SANDBOX,
  MODE_RESULT,
  MODE_CLASS,
  MODE_START
} Mode;

typedef struct Command {
  Mode mode;
  Settings settings;
  /* The shell command of --compile. */
  const char *compile;
  /* The folder of --class: the marks of all students. */
  const char *class;
  /* The file of marks that --result prints. */
  const char *result;
  /* The arguments that are not options: the files of --collect, or the words of --start. */
  char **files;
  size_t file_count;
} Command;

enum {
  KEY_LAB = 1000,
  KEY_PROGRAM,
  KEY_DOUBLE,
  KEY_SOURCE,
  KEY_HANDOUT,
  KEY_REFERENCE,
  KEY_COMPILE_LOG,
  KEY_DEVICE,
  KEY_CARD,
  KEY_PRECISION,
  KEY_COMPILER,
  KEY_SEED,
  KEY_SCHEDULE,
  KEY_SECONDS,
  KEY_BUDGET,
  KEY_SPENT,
  KEY_GPU_LOCK,
  KEY_XML,
  KEY_JSON,
  KEY_PLAIN,
  KEY_LABS,
  KEY_STATE,
  KEY_FORGET,
  KEY_HINT,
  KEY_CHANGE,
  KEY_TASK,
  KEY_PROGRESS,
  KEY_LIST,
  KEY_WITHHELD,
  KEY_COLLECT,
  KEY_RESULT,
  KEY_SANDBOX,
  KEY_TRY_SANDBOX,
  KEY_WORK,
  KEY_READABLE,
  KEY_OFFLINE,
  KEY_COMPILE,
  KEY_SECRET,
  KEY_UNGRADED,
  KEY_CLASS,
  KEY_REPLAY,
  KEY_OBJECT,
  KEY_ASSEMBLY,
  KEY_NAMES,
  KEY_POINTS,
  KEY_EDITED,
  KEY_SOLUTION,
  KEY_REBUILT,
  KEY_START
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What to do (default: grade)", 1},
    {"hint", KEY_HINT, NULL, 0,
     "the next hint for the first open task; status 3: --change is the next one", 1},
    {"change", KEY_CHANGE, NULL, 0,
     "look for one change of --source with which every run of the first open task passes", 1},
    {"task", KEY_TASK, "N", 0, "of --hint and --change: for this task", 1},
    {"progress", KEY_PROGRESS, NULL, 0, "all labs at a glance, from their last verdicts", 1},
    {"list", KEY_LIST, NULL, 0, "the labs there are, one a line", 1},
    {"withheld", KEY_WITHHELD, NULL, 0,
     "what --source's open predictions forbid to show: all, how names of variants begin, or "
     "nothing",
     1},
    {"collect", KEY_COLLECT, NULL, 0, "one table of the marks in FILE..., as --json wrote them", 1},
    {"result", KEY_RESULT, "FILE", 0, "the marks in it, in a word", 1},
    {"class", KEY_CLASS, "DIR", 0, "reports, tables and a page for a class (of one --lab)", 1},
    {NULL, 0, NULL, 0, "What is graded", 2},
    {"lab", KEY_LAB, "NN-NAME", 0, "which lab", 2},
    {"program", KEY_PROGRAM, "FILE", 0, "its program", 2},
    {"double", KEY_DOUBLE, "FILE", 0,
     "the same in double: what is right in float has to be there, too", 2},
    {"source", KEY_SOURCE, "FILE", 0, "the student's file, for predictions", 2},
    {"handout", KEY_HANDOUT, "FILE", 0,
     "the file as it was handed out, whose given part is graded; needs --rebuilt", 2},
    {"reference", KEY_REFERENCE, "FILE", 0,
     "the reference solution's program; on a GPU both are timed in turns", 2},
    {"compile-log", KEY_COMPILE_LOG, "FILE", 0, "it did not compile, and this is why", 2},
    {"device", KEY_DEVICE, "NAME", 0, "emulated (default) or gpu", 2},
    {"card", KEY_CARD, "NAME", 0,
     "what the emulated device is; default h200, by which marks are given: others leave the "
     "progress "
     "as it is",
     2},
    {"precision", KEY_PRECISION, "TYPE", 0, "float or double; default: the program's ending", 2},
    {"compiler", KEY_COMPILER, "TEXT", 0, "shown in the report", 2},
    {NULL, 0, NULL, 0, "How", 3},
    {"seed", KEY_SEED, "N", 0,
     "of the inputs (default: another one for each version of the source)", 3},
    {"schedule", KEY_SCHEDULE, "N", 0, "permutes warps and blocks (default 1; 0: in order)", 3},
    {"seconds", KEY_SECONDS, "T", 0, "time limit for each run of the program (default 5)", 3},
    {"budget", KEY_BUDGET, "T", 0,
     "time limit for all of them, a --compile and the checker together (default: none)", 3},
    {"spent", KEY_SPENT, "FILE", 0,
     "how much of --budget earlier calls have used; a --compile adds its own", 3},
    {"points", KEY_POINTS, "FILE", 0, "what tasks and labs are worth (default checker/points.txt)",
     3},
    {"edited", KEY_EDITED, "COMMAND", 0,
     "of --change: makes PTX, \"$2\", of a source, \"$1\", in precision \"$3\"", 3},
    {"rebuilt", KEY_REBUILT, "COMMAND", 0,
     "makes a program, \"$2\", of a source, \"$1\", in precision \"$3\"", 3},
    {"solution", KEY_SOLUTION, "FILE", 0,
     "of --change: a right source; changes towards it are tried first", 3},
    {NULL, 0, NULL, 0, "Where results go", 4},
    {"xml", KEY_XML, "FILE", 0, "CMocka's XML; of --collect, JUnit", 4},
    {"json", KEY_JSON, "FILE", 0, "all marks and verdicts", 4},
    {"plain", KEY_PLAIN, NULL, 0, "no colours", 4},
    {"labs", KEY_LABS, "DIR", 0, "where the source comes from (default labs)", 4},
    {"state", KEY_STATE, "DIR", 0, "where progress is kept (default build/progress)", 4},
    {"forget", KEY_FORGET, NULL, 0, "leave the progress as it is", 4},
    {NULL, 0, NULL, 0, "Untrusted submissions (common/make/class/grade_one.sh)", 5},
    {"sandbox", KEY_SANDBOX, "HOW", 0, "bwrap: in bubblewrap's sandbox; none: without, and say so",
     5},
    {"try-sandbox", KEY_TRY_SANDBOX, NULL, 0, "can --sandbox do its work on this machine?", 5},
    {"work", KEY_WORK, "DIR", 0, "holds one submission: DIR/labs/NN-name, DIR/out", 5},
    {"start", KEY_START, NULL, 0,
     "run the program with the words FILE..., show what it says; --json keeps its log", 5},
    {"compile", KEY_COMPILE, "COMMAND", 0, "run it over DIR in the sandbox, into --compile-log", 5},
    {"offline", KEY_OFFLINE, NULL, 0, "there is no network here: its sandboxes make none", 5},
    {"readable", KEY_READABLE, "DIR:DIR", 0, "what the compiler needs outside of /usr", 5},
    {"replay", KEY_REPLAY, "FILE", 0,
     "the program of the lab's given part, which does again what the student's asked the device "
     "for",
     5},
    {"object", KEY_OBJECT, "FILE", 0, "what the compiler made, for its kernels", 5},
    {"assembly", KEY_ASSEMBLY, "FILE", 0, "what the object was made from", 5},
    {"names", KEY_NAMES, "FILE", 0,
     "refuse objects that use or define what no lab has to; in FILE are names that are the "
     "workbook's own, as nm -g prints them",
     5},
    {"secret", KEY_SECRET, "FILE", 0, "16 bytes that nobody else knows, for the seeds", 5},
    {"gpu-lock", KEY_GPU_LOCK, "FILE", 0, "others use this GPU, too, and agree on whose turn it is",
     5},
    {"ungraded", KEY_UNGRADED, "WHY", 0, "write marks that say it could not be graded", 5},
    {0},
};

static const char *one_of(const char *option, const char *value, const char *a, const char *b) {
  if (strcmp(value, a) != 0 && strcmp(value, b) != 0)
    bad_input("--%s=%s: choose %s or %s", option, value, a, b);
  return value;
}

static double number(const char *option, const char *text, double low, double high) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end || !(value >= low && value <= high))
    bad_input("--%s=%s: want a number from %g to %g", option, text, low, high);
  return value;
}

/* Stores the value of an option that is given twice: first for the program in float, then for the
 * program in double. */
static void add(const char *both[2], const char *option, const char *value) {
  if (both[0] && both[1])
    bad_input("--%s=%s: two are enough", option, value);
  both[both[0] != NULL] = value;
}

/* Returns the name of a card, or NULL for the default card. Calls bad_input if there is no such
 * card. */
static const char *card(const char *name) {
  if (!device_named(name))
    bad_input("--card=%s: no such card", name);
  return strcmp(name, DEFAULT_CARD) != 0 ? name : NULL;
}

static error_t parse_input(int key, char *value, Settings *settings) {
  switch (key) {
  case KEY_LAB:
    settings->lab = value;
    return 0;
  case KEY_PROGRAM:
    settings->build.program = value;
    return 0;
  case KEY_DOUBLE:
    settings->build.in_double = value;
    return 0;
  case KEY_SOURCE:
    settings->paths.source = value;
    return 0;
  case KEY_HANDOUT:
    settings->paths.handout = value;
    return 0;
  case KEY_REFERENCE:
    settings->build.reference = value;
    return 0;
  case KEY_COMPILE_LOG:
    settings->build.compile_log = value;
    return 0;
  case KEY_DEVICE:
    settings->build.device = one_of("device", value, "emulated", "gpu");
    return 0;
  case KEY_CARD:
    settings->build.card = card(value);
    return 0;
  case KEY_PRECISION:
    settings->build.precision = one_of("precision", value, "float", "double");
    return 0;
  case KEY_COMPILER:
    settings->build.compiler = value;
    return 0;
  case KEY_SEED:
    settings->run.seed = (unsigned)number("seed", value, 1, 1e9);
    return 0;
  case KEY_SCHEDULE:
    settings->run.schedule = (unsigned)number("schedule", value, 0, 1e9);
    return 0;
  case KEY_SECONDS:
    settings->run.seconds = number("seconds", value, 0.1, 3600);
    return 0;
  case KEY_EDITED:
    settings->change.edited = value;
    return 0;
  case KEY_REBUILT:
    settings->change.rebuilt = value;
    return 0;
  case KEY_SOLUTION:
    settings->change.solution = value;
    return 0;
  case KEY_BUDGET:
    settings->walls.budget = number("budget", value, 0.1, 3600);
    return 0;
  case KEY_SPENT:
    settings->walls.spent = value;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse_sandbox(int key, char *value, Command *command) {
  Settings *settings = &command->settings;
  switch (key) {
  case KEY_SANDBOX:
    settings->walls.sandbox = one_of("sandbox", value, "bwrap", "none");
    return 0;
  case KEY_TRY_SANDBOX:
    command->mode = MODE_TRY_SANDBOX;
    return 0;
  case KEY_WORK:
    settings->walls.work = value;
    return 0;
  case KEY_READABLE:
    settings->walls.readable = value;
    return 0;
  case KEY_OFFLINE:
    settings->walls.offline = true;
    return 0;
  case KEY_START:
    command->mode = MODE_START;
    return 0;
  case KEY_COMPILE:
    command->mode = MODE_COMPILE;
    command->compile = value;
    return 0;
  case KEY_SECRET:
    settings->paths.secret = value;
    return 0;
  case KEY_UNGRADED:
    settings->ungraded = value;
    return 0;
  case KEY_REPLAY:
    add(settings->build.replay, "replay", value);
    return 0;
  case KEY_OBJECT:
    add(settings->build.object, "object", value);
    return 0;
  case KEY_ASSEMBLY:
    add(settings->build.assembly, "assembly", value);
    return 0;
  case KEY_NAMES:
    settings->build.names = value;
    return 0;
  case KEY_GPU_LOCK:
    settings->walls.gpu_lock = value;
    return 0;
  default:
    return parse_input(key, value, settings);
  }
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
  Command *command = state->input;
  Settings *settings = &command->settings;
  switch (key) {
  case KEY_HINT:
    command->mode = MODE_HINT;
    return 0;
  case KEY_CHANGE:
    command->mode = MODE_CHANGE;
    return 0;
  case KEY_TASK:
    settings->task = (size_t)number("task", value, 1, 99);
    return 0;
  case KEY_PROGRESS:
    command->mode = MODE_PROGRESS;
    return 0;
  case KEY_WITHHELD:
    command->mode = MODE_WITHHELD;
    return 0;
  case KEY_LIST:
    command->mode = MODE_LIST;
    return 0;
  case KEY_COLLECT:
    command->mode = MODE_COLLECT;
    return 0;
  case KEY_RESULT:
    command->mode = MODE_RESULT;
    command->result = value;
    return 0;
  case KEY_CLASS:
    command->mode = MODE_CLASS;
    command->class = value;
    return 0;
  case KEY_XML:
    settings->paths.xml = value;
    return 0;
  case KEY_JSON:
    settings->paths.json = value;
    return 0;
  case KEY_PLAIN:
    settings->plain = true;
    return 0;
  case KEY_LABS:
    settings->paths.labs = value;
    return 0;
  case KEY_STATE:
    settings->paths.state = value;
    return 0;
  case KEY_POINTS:
    settings->paths.points = value;
    return 0;
  case KEY_FORGET:
    settings->remember = false;
    return 0;
  case ARGP_KEY_ARGS:
    command->files = state->argv + state->next;
    command->file_count = (size_t)(state->argc - state->next);
    return 0;
  default:
    return parse_sandbox(key, value, command);
  }
}

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "[FILE...]",
    .doc = "Grades a lab of the workbook.\v"
           "Exit status: 0 full marks, 1 below, 2 when it could not grade.",
};

/* Programs are named lab.float and lab.double after their precision. */
static const char *precision_of(const char *program) {
  const char *ending = program ? strrchr(program, '.') : NULL;
  return ending && strcmp(ending, ".double") == 0 ? "double" : "float";
}

static const Sheet *need_lab(const Settings *settings) {
  if (!settings->lab)
    bad_input("say which lab: --lab 01-naive");
  const Sheet *lab = sheet_find(settings->lab);
  if (!lab)
    bad_input("--lab %s: no such lab; --list shows them", settings->lab);
  return lab;
}

/* Calls bad_input if the source cannot be read, or if a program is missing. After a failed
 * compilation the compiler's log replaces the program. */
static void need_program(const Settings *settings) {
  if (!settings->paths.source)
    bad_input("--source FILE: say which file is graded");
  if (access(settings->paths.source, R_OK) != 0)
    bad_input("%s: %s%s%s", settings->paths.source, strerror(errno),
              errno == ENOENT ? "; its untouched version comes back with git checkout " : "",
              errno == ENOENT ? settings->paths.source : "");
  if (!settings->build.compile_log && !settings->ungraded &&
      (!settings->build.program || access(settings->build.program, X_OK) != 0))
    bad_input("--program %s: %s", settings->build.program ? settings->build.program : "FILE",
              settings->build.program ? "no such program: build it first"
                                      : "say which program is graded");
  if (settings->build.reference && access(settings->build.reference, X_OK) != 0)
    bad_input("--reference %s: no such program: build it first", settings->build.reference);
}

/* Adds the seconds of the budget that earlier calls of the checker have used. If the file does not
 * exist, this is the first call. */
static void read_spent(const Settings *settings) {
  double seconds = 0;
  FILE *file = settings->walls.spent ? fopen(settings->walls.spent, "re") : NULL;
  if (file && fscanf(file, "%lf", &seconds) != 1)
    bad_input("--spent %s: expected a number of seconds", settings->walls.spent);
  if (file)
    fclose(file);
  child_used(seconds);
}

static void write_spent(const Settings *settings) {
  FILE *file = settings->walls.spent ? fopen(settings->walls.spent, "we") : NULL;
  if (settings->walls.spent &&
      (!file || fprintf(file, "%.3f\n", child_spent()) < 0 || fclose(file)))
    bad_input("--spent %s: %s", settings->walls.spent, strerror(errno));
}

static int grade_command(Settings *settings) {
  const Sheet *lab = need_lab(settings);
  Marks marks;
  need_program(settings);
  read_spent(settings);
  if (settings->run.seed == 0)
    settings->run.seed = seed_of(settings, SEED_COUNTS);
  grade(lab, settings, &marks);
  if (settings->remember)
    progress_first_answers(&marks);
  marks_print(stdout, &marks);
  if (settings->paths.json)
    marks_write(&marks, settings->paths.json);
  if (settings->remember && !settings->build.card)
    progress_remember(&marks);
  marks_free(&marks);
  return marks.compiled && marks.score == marks.points ? 0 : 1;
}

static int try_sandbox(const Settings *settings) {
  if (sandbox_wanted(settings))
    sandbox_check();
  return 0;
}

static int compile_command(const Settings *settings, const char *command) {
  if (!settings->walls.sandbox || !settings->walls.work || !settings->build.compile_log)
    bad_input("--compile needs --sandbox, --work and --compile-log");
  read_spent(settings);
  bool compiled = compile_run(settings, command);
  write_spent(settings);
  return compiled ? 0 : 1;
}

/* Prints the names of the labs. With --points, prints their points, weights and due dates, too. */
static int list_command(const Settings *settings) {
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next)
    if (settings->paths.points)
      printf("%-20s %4d points  weight %g%s%s\n", lab->name, lab->points, lab->weight,
             lab->due[0] ? "  due " : "", lab->due);
    else
      puts(lab->name);
  return 0;
}

int main(int argc, char **argv) {
  Command command = {.settings = {.build = {.device = "emulated"},
                                  .paths = {.labs = "labs", .state = "build/progress"},
                                  .run = {.schedule = 1, .seconds = 5},
                                  .remember = true}};
  Settings *settings = &command.settings;
  argp_err_exit_status = 2;
  argp_parse(&parser, argc, argv, 0, NULL, &command);
  if (command.file_count && command.mode != MODE_COLLECT && command.mode != MODE_START)
    bad_input("%s: unknown word; see --help", command.files[0]);
  place_root(settings->walls.work, settings->paths.source);
  bool weighs = command.mode != MODE_TRY_SANDBOX && command.mode != MODE_COMPILE &&
                command.mode != MODE_LIST && command.mode != MODE_WITHHELD;
  if (weighs || settings->paths.points)
    points_read(settings->paths.points);
  settings->build.on_gpu = strcmp(settings->build.device, "gpu") == 0;
  if (!settings->build.precision)
    settings->build.precision = precision_of(settings->build.program);
  switch (command.mode) {
  case MODE_HINT:
    need_lab(settings);
    return hint_print(settings);
  case MODE_CHANGE:
    need_lab(settings);
    need_program(settings);
    return change_print(settings);
  case MODE_PROGRESS:
    return progress_print(settings);
  case MODE_WITHHELD:
    puts(predict_withheld(need_lab(settings), settings));
    return 0;
  case MODE_LIST:
    return list_command(settings);
  case MODE_COLLECT:
    return collect(settings, command.files, command.file_count);
  case MODE_RESULT:
    return result_print(command.result);
  case MODE_TRY_SANDBOX:
    return try_sandbox(settings);
  case MODE_COMPILE:
    return compile_command(settings, command.compile);
  case MODE_START:
    return start_command(settings, command.files, command.file_count);
  case MODE_CLASS:
    if (settings->lab)
      need_lab(settings);
    return class_report(settings, command.class);
  default:
    return grade_command(settings);
  }
}
