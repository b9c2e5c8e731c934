/* Computes the statistics of a class: the students for each cause of lost points, the tasks
 * that execute the most instructions, and the mean scores. */
#include "class.h"

#include <stdlib.h>
#include <string.h>

/* ---- counting -------------------------------------------------------------------------------- */

size_t count_entries(const Class *class, size_t lab, EntryState state) {
  size_t count = 0;
  for (size_t i = 0; i < class->count; i++)
    count += class->students[i].entries[lab].state == state;
  return count;
}

size_t count_tasks(const Class *class, size_t lab, size_t task, const char *status) {
  size_t count = 0;
  for (size_t i = 0; i < class->count; i++)
    count += task_is(&class->students[i].entries[lab], task, status);
  return count;
}

/* Stores the score of a student for means. For one lab, graded entries count. For all labs together
 * (lab == lab_count), only students whose labs are all graded count. Returns false if this student
 * does not count. */
static bool score_of(const Class *class, const Student *student, size_t lab, double *score) {
  bool all = lab == class->lab_count;
  *score = all ? student->total : student->entries[lab].counts;
  return all ? student->complete : student->entries[lab].state == ENTRY_GRADED;
}

size_t count_full(const Class *class, size_t lab, Points which) {
  size_t count = 0;
  for (size_t i = 0; i < class->count; i++) {
    const Entry *entry = &class->students[i].entries[lab];
    double points = which == POINTS_OF_WORK ? entry->score : entry->counts;
    count += entry->state == ENTRY_GRADED && points == class->points[lab];
  }
  return count;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, size_t count) {
  qsort(values, count, sizeof *values, by_value);
  return count == 0 ? 0 : (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static size_t scores(const Class *class, size_t lab, double *values) {
  size_t count = 0;
  for (size_t i = 0; i < class->count; i++)
    count += score_of(class, &class->students[i], lab, &values[count]);
  return count;
}

double median_score(const Class *class, size_t lab) {
  double *values = numbers(class->count + 1);
  double middle = median(values, scores(class, lab, values));
  free(values);
  return middle;
}

double mean_score(const Class *class, size_t lab) {
  double *values = numbers(class->count + 1), sum = 0;
  size_t count = scores(class, lab, values);
  for (size_t i = 0; i < count; i++)
    sum += values[i];
  free(values);
  return count ? sum / (double)count : 0;
}

/* ---- causes ---------------------------------------------------------------------------------- */

/* Returns the sentence that identifies a cause: the cause in the verdict, or the headline if the
 * verdict has no cause. All messages of compilers count as one cause. */
static Said why_of(const json_t *verdict) {
  const Verdict v = verdict_read(verdict);
  return v.kind == VERDICT_NOT_COMPILED ? said_plain(SAY_NOTHING)
         : v.cause.id                   ? v.cause
                                        : v.headline;
}

static bool same_cause(const Cause *cause, size_t lab, const json_t *verdict) {
  return cause->lab == lab && cause->kind == verdict_kind(verdict) &&
         cause->why.id == why_of(verdict).id;
}

typedef struct Causes {
  Cause *all;
  size_t count;
} Causes;

static Cause *cause_for(Causes *causes, const Class *class, size_t lab, const json_t *verdict) {
  for (size_t i = 0; i < causes->count; i++)
    if (same_cause(&causes->all[i], lab, verdict))
      return &causes->all[i];
  causes->all = realloc(causes->all, (causes->count + 1) * sizeof *causes->all);
  if (!causes->all)
    bad_input("not enough memory for %zu causes", causes->count);
  Cause *cause = &causes->all[causes->count++];
  *cause = (Cause){.lab = lab,
                   .kind = verdict_kind(verdict),
                   .headline = verdict_read(verdict).headline,
                   .why = why_of(verdict),
                   .students = calloc(class->count, sizeof *cause->students)};
  if (!cause->students)
    bad_input("not enough memory for %zu students", class->count);
  return cause;
}

static void add_cause(Causes *causes, const Class *class, size_t lab, size_t student,
                      const json_t *verdict, unsigned tasks) {
  Cause *cause = cause_for(causes, class, lab, verdict);
  cause->tasks |= tasks;
  if (cause->count == 0 || cause->students[cause->count - 1] != student)
    cause->students[cause->count++] = student;
}

static int by_count(const void *a, const void *b) {
  const Cause *x = a, *y = b;
  if (x->count != y->count)
    return x->count < y->count ? 1 : -1;
  if (x->lab != y->lab)
    return x->lab < y->lab ? -1 : 1;
  /* The lowest set bit belongs to the first task. 0 means that the file does not compile. */
  unsigned first_x = x->tasks & -x->tasks, first_y = y->tasks & -y->tasks;
  if (first_x != first_y)
    return first_x < first_y ? -1 : 1;
  int order = strcmp(verdict_name(x->kind), verdict_name(y->kind));
  return order ? order : (int)x->why.id - (int)y->why.id;
}

size_t causes_find(const Class *class, Cause **found) {
  Causes causes = {NULL, 0};
  for (size_t lab = 0; lab < class->lab_count; lab++) {
    for (size_t i = 0; i < class->count; i++) {
      const Entry *entry = &class->students[i].entries[lab];
      if (entry->state == ENTRY_GRADED && !json_is_true(json_object_get(entry->marks, "compiled")))
        add_cause(&causes, class, lab, i, entry->marks, 0);
      for (size_t task = 0; task < class->labs[lab]->task_count; task++)
        if (task_is(entry, task, "failed"))
          add_cause(&causes, class, lab, i, task_of(entry, task), 1u << task);
    }
  }
  if (causes.count)
    qsort(causes.all, causes.count, sizeof *causes.all, by_count);
  *found = causes.all;
  return causes.count;
}

void causes_free(Cause *causes, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(causes[i].students);
  free(causes);
}

/* ---- work ------------------------------------------------------------------------------------ */

static bool is_whole(const Class *class, const Costly *which) {
  return which->task == class->labs[which->lab]->task_count;
}

/* Returns the work, a number of thread instructions, of a task, or of the whole lab if task ==
 * task_count. Returns -1 if the work is unknown or the task did not pass. The work of passed tasks
 * can be compared, because the checker made the same runs for all students. The work of a lab shows
 * which programs use most of the machine's time. */
static json_int_t work_of(const Class *class, const Costly *which) {
  const Entry *entry = &class->students[which->student].entries[which->lab];
  bool whole = is_whole(class, which);
  if (entry->state != ENTRY_GRADED || (!whole && !task_is(entry, which->task, "passed")))
    return -1;
  const json_t *from = whole ? entry->marks : task_of(entry, which->task);
  const json_t *work = json_object_get(from, "work");
  return json_is_integer(work) ? json_integer_value(work) : -1;
}

typedef struct Ranking {
  Costly *kept;
  size_t count, most;
  /* true: sorted by work; false: sorted by the ratio of the work to its median. */
  bool by_work;
} Ranking;

static bool costs_more(const Ranking *ranking, const Costly *a, const Costly *b) {
  return ranking->by_work ? a->work > b->work : a->ratio > b->ratio;
}

/* Inserts `one` into the sorted list, which keeps the largest `most`. Equal elements stay in the
 * order in which they were inserted. */
static void keep(Ranking *ranking, const Costly *one) {
  size_t at = ranking->count;
  while (at > 0 && costs_more(ranking, one, &ranking->kept[at - 1]))
    at--;
  if (at == ranking->most)
    return;
  if (ranking->count < ranking->most)
    ranking->count++;
  memmove(&ranking->kept[at + 1], &ranking->kept[at],
          (ranking->count - at - 1) * sizeof *ranking->kept);
  ranking->kept[at] = *one;
}

/* Returns true if this work counts for the median. The work of a whole lab is compared only with
 * the work of students who have full marks in this lab, because fewer checks run for an incomplete
 * lab. */
static bool is_measure(const Class *class, const Costly *which, bool only_full) {
  const Entry *entry = &class->students[which->student].entries[which->lab];
  return work_of(class, which) >= 0 && (!only_full || entry->score == class->points[which->lab]);
}

static double median_work(const Class *class, size_t lab, size_t task) {
  double *values = numbers(class->count + 1);
  size_t count = 0;
  Costly one = {.lab = lab, .task = task};
  bool only_full = is_whole(class, &one) && count_full(class, lab, POINTS_OF_WORK) > 0;
  for (one.student = 0; one.student < class->count; one.student++)
    if (is_measure(class, &one, only_full))
      values[count++] = (double)work_of(class, &one);
  double middle = median(values, count);
  free(values);
  return middle;
}

/* Returns the task in [from, to) with the highest ratio of work to the median. */
static Costly worst_of(const Class *class, size_t student, size_t lab, size_t from, size_t to,
                       const double *medians) {
  Costly worst = {.student = student, .lab = lab, .task = from};
  for (size_t task = from; task < to; task++) {
    Costly one = {.student = student, .lab = lab, .task = task};
    one.work = work_of(class, &one);
    one.ratio = medians[task] > 0 ? (double)one.work / medians[task] : 0;
    if (one.ratio > worst.ratio)
      worst = one;
  }
  return worst;
}

/* Inserts the task with the highest ratio of each student. Ratios below 1.05 are left out. */
static void rank(const Class *class, size_t lab, size_t from, size_t to, Ranking *ranking) {
  double medians[TASKS_MAX + 1];
  for (size_t task = from; task < to; task++)
    medians[task] = median_work(class, lab, task);
  for (size_t student = 0; student < class->count; student++) {
    Costly worst = worst_of(class, student, lab, from, to, medians);
    if (worst.ratio > 1.05)
      keep(ranking, &worst);
  }
}

size_t slowest_tasks(const Class *class, Costly *kept, size_t most) {
  Ranking ranking = {.kept = kept, .most = most};
  for (size_t lab = 0; lab < class->lab_count; lab++)
    rank(class, lab, 0, class->labs[lab]->task_count, &ranking);
  return ranking.count;
}

size_t slowest_labs(const Class *class, Costly *kept, size_t most) {
  Ranking ranking = {.kept = kept, .most = most, .by_work = true};
  for (size_t lab = 0; lab < class->lab_count; lab++)
    rank(class, lab, class->labs[lab]->task_count, class->labs[lab]->task_count + 1, &ranking);
  return ranking.count;
}
