/* Reads the points of tasks and labs from points.txt, whose first comment describes its format. The
 * file must list every task of every lab, so that no task gets points by default. An error is
 * reported with its line. Labs that this checker does not contain are skipped, because a handout
 * may omit labs. */
#include "grade/grade.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static Lateness lateness;

const Lateness *points_late(void) { return &lateness; }

typedef struct Reader {
  const char *path;
  /* begun: the line at which the current lab begins; 0: there is no current lab. */
  size_t line, begun;
  /* The current lab; NULL: this checker does not have it. */
  Sheet *lab;
  char name[64];
  size_t task;
  int sum, points;
} Reader;

static void refuse(const Reader *reader, const char *why) {
  bad_input("%s:%zu: %s", reader->path, reader->line, why);
}

/* Checks the points of the lab that ends before the current line. */
static void end_lab(Reader *reader) {
  if (!reader->begun)
    return;
  if (reader->sum != reader->points)
    bad_input("%s:%zu: the tasks of %s have %d points together, and the lab %d", reader->path,
              reader->begun, reader->name, reader->sum, reader->points);
  if (reader->lab && reader->task != reader->lab->task_count)
    bad_input("%s:%zu: %s has %zu tasks, here are %zu", reader->path, reader->begun, reader->name,
              reader->lab->task_count, reader->task);
  reader->begun = 0;
}

static void read_lab(Reader *reader, const char *text) {
  double weight = 0;
  char due[20] = "";
  int used = 0, year, more = 0;
  end_lab(reader);
  if (sscanf(text, "lab %63s %d points weight %lf %n", reader->name, &reader->points, &weight,
             &used) < 3 ||
      !used || reader->points <= 0 || !(weight >= 0))
    refuse(reader, "expected: lab NN-name  N points  weight W  [due 2026-10-12 23:59]");
  if (text[used] && (sscanf(text + used, "due %4d-%*2d-%*2d %*2d:%*2d%n", &year, &more) < 1 ||
                     more != 20 || text[used + more]))
    refuse(reader, "expected at the end: due 2026-10-12 23:59");
  if (more)
    snprintf(due, sizeof due, "%s", text + used + strlen("due "));
  reader->begun = reader->line;
  reader->task = 0;
  reader->sum = 0;
  reader->lab = (Sheet *)sheet_find(reader->name);
  if (!reader->lab)
    return;
  if (reader->lab->points)
    refuse(reader, "this lab is listed twice");
  reader->lab->points = reader->points;
  reader->lab->weight = weight;
  memcpy(reader->lab->due, due, sizeof due);
}

/* Reads the points of a task: "15+10+5", or "20" for a task without parts. Returns the number of
 * characters that were read; 0: the text is not valid. */
static size_t read_points(const char *text, int *points, size_t *count) {
  const char *at = text;
  for (*count = 0; *count < PARTS_MOST; at++) {
    char *end;
    long value = strtol(at, &end, 10);
    if (end == at || value < 0 || value > 10000)
      return 0;
    points[(*count)++] = (int)value;
    at = end;
    if (*at != '+')
      break;
  }
  return *at == ' ' ? (size_t)(at - text) + strspn(at, " ") : 0;
}

static size_t parts_of(const Task *task) {
  size_t count = 0;
  while (task->parts[count] != SAY_NOTHING)
    count++;
  return count;
}

static void read_task(Reader *reader, const char *text) {
  int points[PARTS_MOST], sum = 0;
  size_t count, used = read_points(text, points, &count);
  if (!reader->begun || !used)
    refuse(reader, "expected: lab ..., late ..., or below a lab: N  title of a task");
  for (size_t i = 0; i < count; i++)
    sum += points[i];
  reader->sum += sum;
  reader->task++;
  if (!reader->lab || reader->task > reader->lab->task_count)
    return;
  Task *task = &reader->lab->tasks[reader->task - 1];
  if (strcmp(task->title, text + used) != 0)
    bad_input("%s:%zu: task %zu of %s is \"%s\"", reader->path, reader->line, reader->task,
              reader->name, task->title);
  if (count > 1 && count != parts_of(task))
    bad_input("%s:%zu: task %zu of %s has %zu parts, here are %zu", reader->path, reader->line,
              reader->task, reader->name, parts_of(task), count);
  task->points = sum;
  for (size_t i = 0; i < count && count > 1; i++)
    task->part_points[i] = points[i];
}

static void read_line(Reader *reader, char *text) {
  text += strspn(text, " \t");
  size_t length = strlen(text);
  while (length && strchr(" \t\r\n", text[length - 1]))
    text[--length] = '\0';
  if (!*text || *text == '#')
    return;
  if (strncmp(text, "lab ", 4) == 0)
    read_lab(reader, text);
  else if (strncmp(text, "late ", 5) != 0)
    read_task(reader, text);
  else if (sscanf(text, "late %d days free %lf percent a day %d days at most", &lateness.free_days,
                  &lateness.percent, &lateness.most_days) < 3 ||
           lateness.free_days < 0 || !(lateness.percent >= 0 && lateness.percent <= 100) ||
           lateness.most_days < 0)
    refuse(reader, "expected: late  N days free  N percent a day  N days at most");
}

void points_read(const char *path) {
  Reader reader = {.path = path ? path : "checker/points.txt"};
  char text[400];
  double weights = 0;
  FILE *file = fopen(reader.path, "r");
  if (!file)
    bad_input("%s: cannot be read (%s)", reader.path, strerror(errno));
  while (fgets(text, sizeof text, file)) {
    reader.line++;
    read_line(&reader, text);
  }
  end_lab(&reader);
  fclose(file);
  for (const Sheet *lab = sheet_first(); lab; lab = lab->next) {
    weights += lab->weight;
    if (!lab->points)
      bad_input("%s: lab %s is missing", reader.path, lab->name);
  }
  if (!(weights > 0))
    bad_input("%s: no lab weighs anything", reader.path);
}
