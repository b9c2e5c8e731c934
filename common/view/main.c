/* view: writes an HTML page about a CUDA source file and a recorded run of its program.
 *
 *   view --source FILE --output PAGE.html [--marks FILE] [--compile-log FILE] [RECORDING]
 *
 * Exit status: 0 if the page was written, even if it shows mistakes; 2 if it could not be written.
 */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

typedef struct Options {
  const char *log, *before, *source, *output, *marks, *compile_log;
  bool alone;
  View view;
} Options;

enum { COMPILE_LOG = 256, BEFORE, COMMAND, SUBTITLE, STATUS, WITHHELD, ALONE };

static const struct argp_option option_list[] = {
    {"source", 's', "FILE", 0, "the source that the page shows", 0},
    {"output", 'o', "FILE", 0, "where the page goes", 0},
    {"marks", 'm', "FILE", 0, "the checker's marks, as JSON", 0},
    {"before", BEFORE, "RECORDING", 0, "of an earlier version, to compare with", 0},
    {"compile-log", COMPILE_LOG, "FILE", 0, "the source did not compile; this is what was said", 0},
    {"withheld", WITHHELD, NULL, 0, "predictions are open: leave out what they ask for", 0},
    {"alone", ALONE, NULL, 0, "a stranger's source: no other file is read", 0},
    {"title", 't', "TEXT", 0, "heading of the page", 0},
    {"subtitle", SUBTITLE, "TEXT", 0, "the line below it", 0},
    {"next", 'n', "COMMAND", 0, "what to run next, when points are missing", 0},
    {"command", COMMAND, "COMMAND", 0, "what makes this page", 0},
    {"status", STATUS, "NUMBER", 0, "the recorded program's exit status", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
  Options *o = state->input;
  const char **to = key == 's'           ? &o->source
                    : key == 'o'         ? &o->output
                    : key == 'm'         ? &o->marks
                    : key == BEFORE      ? &o->before
                    : key == COMPILE_LOG ? &o->compile_log
                    : key == 't'         ? &o->view.title
                    : key == SUBTITLE    ? &o->view.subtitle
                    : key == 'n'         ? &o->view.again
                    : key == COMMAND     ? &o->view.command
                                         : NULL;
  if (to) {
    *to = text;
    return 0;
  }
  switch (key) {
  case STATUS:
    o->view.status = atoi(text);
    return 0;
  case WITHHELD:
    o->view.withheld = true;
    return 0;
  case ALONE:
    o->alone = true;
    return 0;
  case ARGP_KEY_ARG:
    if (o->log)
      argp_error(state, "one recording only");
    o->log = text;
    return 0;
  case ARGP_KEY_END:
    if (!o->source || !o->output)
      argp_error(state, "--source and --output are needed");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Returns the text of a file; NULL if it cannot be opened. */
static char *read_text(const char *path) {
  FILE *file = path ? fopen(path, "r") : NULL;
  char *text = NULL;
  size_t room = 0;
  if (!file)
    return NULL;
  if (getdelim(&text, &room, 0, file) < 0) {
    free(text);
    text = strdup("");
  }
  fclose(file);
  return text;
}

static int fail(const char *path, const char *why) {
  fprintf(stderr, "view: %s: %s\n", path, why);
  return 2;
}

/* Writes a temporary file and renames it, so that a failed write leaves the old page unchanged. */
static int write_to(View *v, const char *path) {
  char part[4096];
  snprintf(part, sizeof part, "%s.new", path);
  v->out = fopen(part, "w");
  if (!v->out)
    return fail(path, strerror(errno));
  write_page(v);
  bool bad = ferror(v->out);
  bad = fclose(v->out) || bad || rename(part, path);
  if (!bad)
    return 0;
  int error = errno;
  remove(part);
  return fail(path, strerror(error));
}

/* Writes the title of the page, for example "lab 03: bank conflicts". The lab's name is from the
 * marks. */
static const char *title_of(const Options *o, const json_t *marks, char *out, size_t size) {
  const char *title = o->view.title ? o->view.title : o->source,
             *lab = json_string_value(json_object_get(marks, "title"));
  snprintf(out, size, "%s%s%s", title, lab ? ": " : "", lab ? lab : "");
  return out;
}

/* Returns true if the kernel takes less than a sixth of the time of the longest kernel. The kernel
 * of a warm-up task is usually so short. */
static bool is_short(const Kernel *k, const Recording *recording, const Source *source) {
  const Kernel *longest = longest_kernel(recording, source);
  return longest && k->predicted && k->predicted->us < longest->predicted->us / 6;
}

/* Returns the number of the task whose kernels the page shows first; 0 if there is none. This is
 * the first task that is not passed, or if it has no kernel, the nearest earlier task that has a
 * kernel. If all tasks are passed, it is the last task with a kernel that is not short. */
static int task_at(const json_t *marks, const Recording *recording, const Source *source) {
  const json_t *tasks = json_object_get(marks, "tasks");
  size_t count = json_array_size(tasks), at = 0;
  while (at < count && !strcmp(log_text(json_array_get(tasks, at), "status", ""), "passed"))
    at++;
  int task = (int)(at < count ? at + 1 : count);
  for (const Kernel *k; task; task--)
    if ((k = kernel_of_task(recording, source, task)) &&
        (at < count || !is_short(k, recording, source)))
      break;
  return task;
}

/* Returns the kernel that the page shows first: the task's kernel with the most expensive line,
 * otherwise the first kernel of the task. */
static const Kernel *leading(const Recording *recording, const Source *source, const Findings *all,
                             int task) {
  const Finding *worst;
  if (findings_choose(all, &worst, 1) && worst->leads)
    return worst->kernel;
  return task ? kernel_of_task(recording, source, task) : NULL;
}

int main(int argc, char **argv) {
  Options o = {.view = {.status = 0}};
  const struct argp argp = {option_list,
                            parse,
                            "[RECORDING]",
                            "Writes a page about a CUDA source and what it did in a recorded run.",
                            0,
                            0,
                            0};
  argp_err_exit_status = 2;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
  Recording recording = o.log ? recording_read(o.log) : (Recording){.events = NULL};
  Source source = source_read(o.source);
  source.alone = o.alone;
  json_t *marks = o.marks ? json_load_file(o.marks, 0, NULL) : NULL;
  int task = task_at(marks, &recording, &source);
  Findings findings = rank(&recording, &source, task);
  char title[200], *compile_log = read_text(o.compile_log);
  View *v = &o.view;
  Recording before = o.before ? recording_read(o.before) : (Recording){.events = NULL};
  v->recording = &recording;
  v->before = o.before ? &before : NULL;
  v->source = &source;
  v->findings = &findings;
  v->lead = leading(&recording, &source, &findings, task);
  v->marks = marks;
  v->compile_log = compile_log;
  v->title = title_of(&o, marks, title, sizeof title);
  int status =
      source.count ? write_to(v, o.output) : fail(o.source, "no such file, or it is empty");
  free(compile_log);
  json_decref(marks);
  free(findings.items);
  source_free(&source);
  recording_free(&recording);
  if (o.before)
    recording_free(&before);
  return status;
}
