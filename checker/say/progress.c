/* Stores the last verdict of each lab and the hints that were given, one JSON file for each lab in
 * build/progress/. Another folder of labs (LABS=folder) has its own folder in build/progress/. If
 * the file of a lab is deleted, its hints begin again. Prints `make progress` and `make hint` from
 * these files.
 *
 * The texts of the hints are in labs/NN-name/hints.md. The heading "## 2 guard" begins a task, "###
 * 1" to "### 3" begin its hints. The first hint is a question, and the third hint is almost the
 * line of code. */
#include "say/report.h"
#include "harness/screen.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HINTS_MOST = 3, BAR = 10 };

/* ---- the file ------------------------------------------------------------------------------- */

static void make_folders(char *path) {
  for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
    *at = '\0';
    mkdir(path, 0777); /* An error is reported later. */
    *at = '/';
  }
}

/* Writes the path of a lab's file: STATE/NN-name.json for the folder "labs",
 * STATE/FOLDER/NN-name.json for any other folder. */
static void state_path(const Settings *settings, const char *labs, const char *lab, char *out,
                       size_t size) {
  char folder[256];
  snprintf(folder, sizeof folder, "%s", labs);
  for (char *at = folder; (at = strchr(at, '/'));)
    *at = '_';
  if (strcmp(folder, "labs") == 0)
    snprintf(out, size, "%s/%s.json", settings->paths.state, lab);
  else
    snprintf(out, size, "%s/%s/%s.json", settings->paths.state, folder, lab);
}

/* Reads the stored state of a lab. For a submission in build/class/NAME/in/ID without a state,
 * reads its marks in the class instead. */
static json_t *state_read(const Settings *settings, const char *labs, const char *lab) {
  char path[768];
  const char *slash = strrchr(labs, '/');
  state_path(settings, labs, lab, path, sizeof path);
  json_t *state = json_load_file(path, 0, NULL);
  if (!state && slash) {
    snprintf(path, sizeof path, "%s/../../marks%s/%s.json", labs, slash, lab);
    state = json_load_file(path, 0, NULL);
  }
  if (json_is_object(state))
    return state;
  json_decref(state);
  return json_object();
}

static void state_write(const Settings *settings, const char *labs, const char *lab,
                        json_t *state) {
  char path[768];
  state_path(settings, labs, lab, path, sizeof path);
  make_folders(path);
  if (json_dump_file(state, path, JSON_INDENT(2)) != 0)
    fprintf(stderr, "%s: cannot be written (%s): progress is not stored\n", path, strerror(errno));
}

/* ---- predictions ---------------------------------------------------------------------------- */

static void for_each_prediction(Marks *marks, json_t *answers,
                                void (*visit)(Predicted *, json_t *answers)) {
  for (size_t i = 0; i < marks->lab->task_count; i++)
    for (size_t k = 0; k < marks->predicted_count[i]; k++)
      visit(&marks->predicted[i][k], answers);
}

static void read_first(Predicted *predicted, json_t *answers) {
  const json_t *first = json_object_get(answers, predicted->name);
  if (json_is_number(first))
    predicted->first = json_number_value(first);
}

static void keep_first(Predicted *predicted, json_t *answers) {
  json_object_set_new(answers, predicted->name, json_real(predicted->first));
}

void progress_first_answers(Marks *marks) {
  json_t *state = state_read(marks->settings, marks->settings->paths.labs, marks->lab->name);
  for_each_prediction(marks, json_object_get(state, "first_answers"), read_first);
  json_decref(state);
}

/* Returns the stored first answers, and for all other predictions the answers in these marks. */
static json_t *first_answers(const Marks *marks, const json_t *old) {
  const json_t *before = json_object_get(old, "first_answers");
  json_t *answers = json_is_object(before) ? json_copy((json_t *)before) : json_object();
  Marks copy = *marks;
  for_each_prediction(&copy, answers, keep_first);
  return answers;
}

/* Returns a hash of the source as a string, because JSON numbers have too few digits. The caller
 * frees it. Returns NULL if there is no source. */
static char *print_of_source(const char *path) {
  char *text = path ? text_of_file(path) : NULL, *print = NULL;
  if (text && asprintf(&print, "%016" PRIx64, text_fingerprint(text)) < 0)
    bad_input("out of memory");
  free(text);
  return print;
}

void progress_remember(const Marks *marks) {
  const char *labs = marks->settings->paths.labs;
  json_t *old = state_read(marks->settings, labs, marks->lab->name);
  json_t *state = marks->compiled ? marks_json(marks) : json_copy(old);
  json_t *hints = json_object_get(old, "hints");
  json_object_set_new(state, "compiles", json_boolean(marks->compiled));
  char *print = print_of_source(marks->settings->paths.source);
  if (hints)
    json_object_set(state, "hints", hints);
  if (print)
    json_object_set_new(state, "text", json_string(print));
  free(print);
  json_object_set_new(state, "first_answers", first_answers(marks, old));
  state_write(marks->settings, labs, marks->lab->name, state);
  json_decref(state);
  json_decref(old);
}

static bool task_is(const json_t *state, size_t task, const char *status) {
  const json_t *entry = json_array_get(json_object_get(state, "tasks"), task - 1);
  const char *text = json_string_value(json_object_get(entry, "status"));
  return text && strcmp(text, status) == 0;
}

/* Returns the first task that failed. If no task failed, returns the first task that was not run; 0
 * if all tasks have passed. */
static size_t open_task(const Sheet *lab, const json_t *state) {
  if (!json_object_get(state, "tasks"))
    return 1;
  for (size_t task = 1; task <= lab->task_count; task++)
    if (task_is(state, task, "failed"))
      return task;
  for (size_t task = 1; task <= lab->task_count; task++)
    if (task_is(state, task, "not-run"))
      return task;
  return 0;
}

/* ---- make progress -------------------------------------------------------------------------- */

static void print_bar(int score, int points) {
  int full = points > 0 ? score * BAR / points : 0;
  putchar('[');
  for (int i = 0; i < BAR; i++)
    putchar(i < full ? '#' : '.');
  putchar(']');
}

/* Prints how many first answers to predictions were right. Counts the predictions of passed tasks
 * only, because the truth of other tasks is not stored. */
static void print_first_answers(const json_t *state) {
  size_t i, k, right = 0, all = 0;
  json_t *task, *one;
  json_array_foreach(json_object_get(state, "tasks"), i, task)
      json_array_foreach(json_object_get(task, "predictions"), k, one) {
    const json_t *truth = json_object_get(one, "truth");
    all += truth != NULL;
    right += truth && json_number_value(truth) == json_number_value(json_object_get(one, "first"));
  }
  if (all == 0)
    return;
  char words[SAID_WORDS];
  const Said said = SAID(FIRST_ANSWERS_RIGHT, right, all);
  said_text(&said, words, sizeof words);
  printf("          %s\n", words);
}

/* Returns true if the file differs from the text that was checked last. */
static bool is_changed(const Settings *settings, const Sheet *lab, const json_t *state) {
  const char *before = json_string_value(json_object_get(state, "text"));
  char path[400], name[80], *now;
  lab_source_name(lab->name, name);
  snprintf(path, sizeof path, "%s/%s/%s", settings->paths.labs, lab->name, name);
  now = print_of_source(path);
  bool changed = before && now && strcmp(before, now) != 0;
  free(now);
  return changed;
}

/* Writes the text that follows a lab's score, or "". */
static void state_text(const Sheet *lab, const json_t *state, bool changed, char *out,
                       size_t size) {
  size_t task = open_task(lab, state);
  *out = '\0';
  if (changed)
    snprintf(out, size, "edited since");
  else if (json_is_false(json_object_get(state, "compiles")))
    snprintf(out, size, "does not compile now");
  else if (!json_object_get(state, "tasks"))
    snprintf(out, size, "not checked yet");
  else if (task)
    snprintf(out, size, "open: %zu %s", task, lab->tasks[task - 1].title);
}

/* Prints the line of a lab. On a narrow screen there is no bar, and a text that does not fit is
 * printed on the next line. Returns true if the lab is done. */
static bool print_progress(const Settings *settings, const Sheet *lab) {
  char number[3], text[120];
  const int width = screen_width(STDOUT_FILENO);
  const bool bar = width >= SCREEN_USUAL;
  json_t *state = state_read(settings, settings->paths.labs, lab->name);
  int score = (int)json_integer_value(json_object_get(state, "score"));
  bool changed = is_changed(settings, lab, state);
  lab_number(lab->name, number);
  int column = printf("  lab %s  %-26s ", number, lab->title);
  if (bar)
    print_bar(score, 100);
  column += (bar ? BAR + 2 : 0) + printf("  %3d/100", score);
  state_text(lab, state, changed, text, sizeof text);
  if (*text && column + 2 + (int)strlen(text) > width)
    printf("\n        ");
  printf("%s%s\n", *text ? "  " : "", text);
  print_first_answers(state);
  bool done =
      open_task(lab, state) == 0 && !changed && !json_is_false(json_object_get(state, "compiles"));
  json_decref(state);
  return done;
}

int progress_print(const Settings *settings) {
  const Sheet *open = NULL;
  char number[3];
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next) {
    if (settings->lab && strcmp(settings->lab, lab->name) != 0)
      continue;
    if (!print_progress(settings, lab) && !open)
      open = lab;
  }
  if (settings->lab)
    return 0;
  lab_number(open ? open->name : "", number);
  if (open)
    printf("\n  next: make lab%s\n", number);
  else
    printf("\n  all done\n");
  return 0;
}

/* ---- make hint ------------------------------------------------------------------------------ */

static bool heading(const char *line, const char *mark, size_t *number) {
  size_t length = strlen(mark);
  if (strncmp(line, mark, length) != 0 || !isdigit((unsigned char)line[length]))
    return false;
  *number = strtoul(line + length, NULL, 10);
  return true;
}

/* Prints the lines that are collected in `paragraph`, and empties it. Lines of code, indented by
 * four blanks, are not collected. */
static void print_paragraph(char *paragraph) {
  if (*paragraph)
    screen_wrapped(stdout, 2, "", paragraph, screen_width(STDOUT_FILENO));
  *paragraph = '\0';
}

static void print_hint_line(const char *line, char *paragraph, size_t size) {
  size_t used = strlen(paragraph);
  if (strncmp(line, "    ", 4) != 0) {
    snprintf(paragraph + used, size - used, "%s%.*s", used ? " " : "", (int)strcspn(line, "\n"),
             line);
    return;
  }
  print_paragraph(paragraph);
  printf("  %s", line);
}

/* Prints hint number `wanted` of a task. Returns the number of hints that the task has. */
static size_t print_hint(FILE *file, size_t task, size_t wanted) {
  char line[1024], paragraph[4096] = "";
  size_t at_task = 0, at_hint = 0, count = 0;
  bool begun = false, blank = false;
  rewind(file);
  while (fgets(line, sizeof line, file)) {
    if (heading(line, "## ", &at_task)) {
      at_hint = 0;
    } else if (heading(line, "### ", &at_hint)) {
      count += at_task == task;
    } else if (at_task == task && at_hint == wanted && line[0] == '\n') {
      print_paragraph(paragraph);
      blank = begun;
    } else if (at_task == task && at_hint == wanted) {
      if (blank)
        putchar('\n');
      blank = false;
      print_hint_line(line, paragraph, sizeof paragraph);
      begun = true;
    }
  }
  print_paragraph(paragraph);
  return count;
}

/* Counts one more hint of a task, but not more than `most`. Returns the number of the hint that is
 * shown. */
static size_t count_hint(json_t *state, size_t task, size_t most) {
  char key[24];
  snprintf(key, sizeof key, "%zu", task);
  json_t *hints = json_object_get(state, "hints");
  if (!json_is_object(hints)) {
    json_object_set_new(state, "hints", json_object());
    hints = json_object_get(state, "hints");
  }
  json_int_t given = json_integer_value(json_object_get(hints, key));
  given = given < 0 ? 0 : given;
  if ((size_t)given < most)
    json_object_set_new(hints, key, json_integer(++given));
  return (size_t)given > most ? most : (size_t)given;
}

typedef enum LastHint { LAST_HINT_NONE, LAST_HINT_NOT_BEGUN, LAST_HINT_READY } LastHint;

/* Returns whether the last hint can be given, which is a change of the student's code. */
static LastHint last_hint(const Settings *settings, const Sheet *lab, size_t task) {
  const char *source = settings->paths.source;
  bool possible = source && !settings->walls.sandbox && !lab->tasks[task - 1].predictions;
  char *text = possible ? text_of_file(source) : NULL;
  LastHint hint = !text                         ? LAST_HINT_NONE
                  : task_begun(lab, task, text) ? LAST_HINT_READY
                                                : LAST_HINT_NOT_BEGUN;
  free(text);
  return hint;
}

static bool all_given(const json_t *state, size_t task, size_t most) {
  char key[24];
  snprintf(key, sizeof key, "%zu", task);
  const json_t *hints = json_object_get(state, "hints");
  return json_integer_value(json_object_get(hints, key)) >= (json_int_t)most;
}

static void print_not_begun(size_t task) {
  char words[SAID_WORDS];
  Said said = SAID(CHANGE_NEEDS_A_BEGINNING, task);
  said_text(&said, words, sizeof words);
  putchar('\n');
  screen_wrapped(stdout, 2, "", words, screen_width(STDOUT_FILENO));
}

static int hint_for(const Settings *settings, const Sheet *lab, FILE *file, json_t *state,
                    size_t task) {
  char number[3], labs[LABS_WORD], again[32] = "";
  size_t most = print_hint(file, task, 0);
  LastHint last = last_hint(settings, lab, task);
  if (settings->task)
    snprintf(again, sizeof again, " TASK=%zu", task);
  lab_number(lab->name, number);
  labs_word(settings, labs);
  if (most == 0)
    bad_input("labs/%s/hints.md: no hints for task %zu", lab->name, task);
  bool given = all_given(state, task, most);
  if (given && last == LAST_HINT_READY)
    return HINT_IS_A_CHANGE;
  size_t hint = count_hint(state, task, most);
  printf("lab %s, task %zu, %s: hint %zu of %zu\n\n", number, task, lab->tasks[task - 1].title,
         hint, most);
  print_hint(file, task, hint);
  state_write(settings, settings->paths.labs, lab->name, state);
  if (given && last == LAST_HINT_NOT_BEGUN)
    print_not_begun(task);
  printf("\n  next: make lab%s%s", number, labs);
  if (hint < most)
    printf(", or make hint%s%s%s for more", number, labs, again);
  else if (last == LAST_HINT_READY)
    printf(", or make hint%s%s%s for a change of your code", number, labs, again);
  putchar('\n');
  return 0;
}

size_t task_meant(const Settings *settings) {
  const Sheet *lab = sheet_find(settings->lab);
  json_t *state = state_read(settings, settings->paths.labs, lab->name);
  size_t task = settings->task ? settings->task : open_task(lab, state);
  if (task > lab->task_count)
    bad_input("TASK=%zu: lab %s has %zu tasks", task, lab->name, lab->task_count);
  json_decref(state);
  return task;
}

int hint_print(const Settings *settings) {
  const Sheet *lab = sheet_find(settings->lab);
  char path[256], next[64];
  json_t *state = state_read(settings, settings->paths.labs, lab->name);
  size_t task = task_meant(settings);
  int status = 0;
  snprintf(path, sizeof path, "labs/%s/hints.md", lab->name);
  FILE *file = fopen(path, "r");
  lab_next_step(lab, next, sizeof next);
  if (task == 0)
    printf("nothing is open in this lab\n  next: %s\n", next);
  else if (!file)
    bad_input("%s: %s", path, strerror(errno));
  else
    status = hint_for(settings, lab, file, state, task);
  if (file)
    fclose(file);
  json_decref(state);
  return status;
}
