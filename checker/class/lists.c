/* Writes the lists on the page of a class: the causes of failed tasks, the slowest programs, the
 * students without marks, and all students. */
#include "class.h"
#include "words.h"
#include "draw/markup.h"

#include <stdlib.h>
#include <string.h>

enum { CAUSES = 20, SLOWEST = 12, ROWS = 20 }; /* Maximum numbers of rows shown at first. */

/* Ids contain no characters that need escaping in HTML. */
void write_link(FILE *out, const Student *student) {
  fprintf(out, "<a href=\"reports/%s.txt\">%s</a>", student->id, student->id);
}

static void begin_section(FILE *out, const char *id, const char *title) {
  fprintf(out, "<section id=\"%s\" aria-labelledby=\"%s-h\"><h2 id=\"%s-h\">%s</h2>\n", id, id, id,
          title);
}

/* Writes links to students. A list of more than 3 students is closed (<details>). */
static void write_links(FILE *out, const Class *class, const size_t *students, size_t count) {
  fprintf(out, "<details%s><summary>%zu %s</summary><ul class=\"ids\">", count <= 3 ? " open" : "",
          count, count == 1 ? "student" : "students");
  for (size_t i = 0; i < count; i++) {
    fputs("<li>", out);
    write_link(out, &class->students[students[i]]);
    fputs("</li>", out);
  }
  fputs("</ul></details>", out);
}

/* ---- causes ---------------------------------------------------------------------------------- */

/* Writes text such as "lab 02, tasks 3, 4". */
static void write_where(FILE *out, const Class *class, size_t lab, unsigned tasks) {
  bool one = (tasks & (tasks - 1)) == 0;
  const char *before = one ? ", task " : ", tasks ";
  fprintf(out, "lab %.2s", class->labs[lab]->name);
  for (size_t task = 0; task < TASKS_MAX; task++) {
    if (tasks >> task & 1) {
      fprintf(out, "%s%zu", before, task + 1);
      before = ", ";
    }
  }
}

/* Returns the name of a cause in the table. For compiler errors and open predictions, returns the
 * headline of the kind, because their sentences differ between students. */
static Said name_of(const Cause *cause) {
  return cause->kind == VERDICT_NOT_COMPILED      ? SAID(KIND_NOT_COMPILED)
         : cause->kind == VERDICT_PREDICTION_OPEN ? SAID(KIND_PREDICTION_OPEN)
                                                  : cause->why;
}

static void write_said(FILE *out, const Said *said) {
  char words[SAID_WORDS];
  said_text(said, words, sizeof words);
  markup_text(out, words);
}

static void write_cause(FILE *out, const Class *class, const Cause *cause) {
  const Said name = name_of(cause);
  fprintf(out, "<tr><td class=\"num right\">%zu</td><td>", cause->count);
  write_where(out, class, cause->lab, cause->tasks);
  fputs("</td><td class=\"wide\">", out);
  write_said(out, &name);
  if (cause->why.id != cause->headline.id) {
    fputs("<br><span class=\"kind\">for example: ", out);
    write_said(out, &cause->headline);
    fputs("</span>", out);
  }
  write_links(out, class, cause->students, cause->count);
  fputs("</td></tr>\n", out);
}

static void write_cause_table(FILE *out, const Class *class, const Cause *causes, size_t count) {
  fputs("<table class=\"list\"><thead><tr><th scope=\"col\" class=\"right\">students</th><th "
        "scope=\"col\">where</th><th scope=\"col\">cause</th></tr></thead><tbody>\n",
        out);
  for (size_t i = 0; i < count; i++)
    write_cause(out, class, &causes[i]);
  fputs("</tbody></table>\n", out);
}

void write_causes(FILE *out, const Class *class) {
  Cause *causes;
  size_t count = causes_find(class, &causes), first = count > CAUSES + 5 ? CAUSES : count;
  begin_section(out, "causes", "Most frequent causes");
  fputs(count
            ? "<p>Why tasks failed: the same words are one cause, whatever the numbers in them. A "
              "student counts once for each cause in each lab.</p>\n"
            : "<p>Nothing failed.</p>\n",
        out);
  if (first)
    write_cause_table(out, class, causes, first);
  if (first < count) {
    fprintf(out, "<details class=\"rest\"><summary>%zu causes that are rarer</summary>\n",
            count - first);
    write_cause_table(out, class, causes + first, count - first);
    fputs("</details>\n", out);
  }
  fputs("</section>\n", out);
  causes_free(causes, count);
}

/* ---- slowest --------------------------------------------------------------------------------- */

static void write_number(FILE *out, json_int_t number) {
  char digits[COUNT_BYTES / 2], grouped[COUNT_BYTES];
  snprintf(digits, sizeof digits, "%lld", (long long)number);
  group_digits(digits, "\u00a0", grouped, sizeof grouped);
  fputs(grouped, out);
}

static void write_costly(FILE *out, const Class *class, const Costly *one) {
  const Sheet *sheet = class->labs[one->lab];
  fputs("<tr><td>", out);
  write_link(out, &class->students[one->student]);
  fprintf(out, "</td><td>lab %.2s", sheet->name);
  if (one->task < sheet->task_count)
    fprintf(out, ", task %zu", one->task + 1);
  fputs("</td><td class=\"num right\">", out);
  write_number(out, one->work);
  if (one->ratio > 100)
    fputs("</td><td class=\"num right\">more than 100 × median</td></tr>\n", out);
  else
    fprintf(out, "</td><td class=\"num right\">%.2f × median</td></tr>\n", one->ratio);
}

static void write_ranking(FILE *out, const Class *class, const char *title, const char *about,
                          const Costly *all, size_t count) {
  fprintf(out, "<div><h3>%s</h3><p>%s</p>\n", title, about);
  if (count == 0)
    fputs("<p>Nobody stands out.</p>", out);
  else
    fputs("<table class=\"list\"><thead><tr><th scope=\"col\">student</th><th scope=\"col\">where"
          "</th><th scope=\"col\" class=\"right\">thread instructions</th><th scope=\"col\" "
          "class=\"right\">compared</th></tr></thead><tbody>\n",
          out);
  for (size_t i = 0; i < count; i++)
    write_costly(out, class, &all[i]);
  fputs(count ? "</tbody></table></div>\n" : "</div>\n", out);
}

void write_slowest(FILE *out, const Class *class) {
  Costly all[SLOWEST];
  begin_section(out, "slowest", "Slowest");
  fputs("<p>Counted by the emulated device and the same each time; no seconds.</p>\n<div "
        "class=\"labs\">\n",
        out);
  size_t count = slowest_tasks(class, all, SLOWEST);
  write_ranking(
      out, class, "Right, but slow",
      "Tasks that passed, against the median of all who passed the same task; of each lab a "
      "student's worst.",
      all, count);
  count = slowest_labs(class, all, SLOWEST);
  write_ranking(
      out, class, "Most work to grade",
      "All runs of a lab, right or wrong, but those at sizes that a seed draws, against the median "
      "of those with full marks.",
      all, count);
  fputs("</div></section>\n", out);
}

/* ---- without marks --------------------------------------------------------------------------- */

/* Returns true if two labs of a student have the same state and reason. Such labs share a row. */
static bool same_reason(const Entry *a, const Entry *b) {
  return a->state == b->state && strcmp(a->why ? a->why : "", b->why ? b->why : "") == 0;
}

static bool begins_row(const Student *student, size_t lab, EntryState state) {
  bool first = student->entries[lab].state == state;
  for (size_t before = 0; before < lab; before++)
    first &= !same_reason(&student->entries[before], &student->entries[lab]);
  return first;
}

static void write_reason(FILE *out, const Class *class, const Student *student, size_t lab) {
  const Entry *entry = &student->entries[lab];
  const char *before = "lab ";
  fputs("<tr><td>", out);
  write_link(out, student);
  fputs("</td><td>", out);
  for (size_t other = lab; other < class->lab_count; other++) {
    if (!same_reason(&student->entries[other], entry))
      continue;
    fprintf(out, "%s%.2s", before, class->labs[other]->name);
    before = ", ";
  }
  fputs("</td><td class=\"wide\">", out);
  markup_text(out, entry->why ? entry->why : "no marks yet");
  fputs("</td></tr>\n", out);
}

static size_t count_rows(const Class *class, EntryState state) {
  size_t rows = 0;
  for (size_t i = 0; i < class->count; i++)
    for (size_t lab = 0; lab < class->lab_count; lab++)
      rows += begins_row(&class->students[i], lab, state);
  return rows;
}

/* Writes the labs with this state and their reasons. A long list is closed (<details>), because
 * most labs have no marks while a class is being graded. */
static void write_reasons(FILE *out, const Class *class, EntryState state, const char *title,
                          const char *about) {
  size_t rows = count_rows(class, state);
  if (rows == 0)
    return;
  fprintf(out, "<h3>%s</h3><p>%s</p>\n", title, about);
  fprintf(out, "<details%s><summary>%zu of them</summary>", rows <= ROWS ? " open" : "", rows);
  fputs("<table class=\"list\"><thead><tr><th scope=\"col\">student</th><th scope=\"col\">where"
        "</th><th scope=\"col\">why</th></tr></thead><tbody>\n",
        out);
  for (size_t i = 0; i < class->count; i++)
    for (size_t lab = 0; lab < class->lab_count; lab++)
      if (begins_row(&class->students[i], lab, state))
        write_reason(out, class, &class->students[i], lab);
  fputs("</tbody></table></details>\n", out);
}

static void write_remark(FILE *out, const Student *student, const char *remark) {
  fputs("<tr><td>", out);
  write_link(out, student);
  fputs("</td><td class=\"wide\">", out);
  markup_text(out, remark);
  fputs("</td></tr>\n", out);
}

/* Writes the problems of whole submissions. The labs of such a submission may be graded
 * nevertheless. */
static void write_problems(FILE *out, const Class *class) {
  bool any = false;
  for (size_t i = 0; i < class->count; i++) {
    if (!class->students[i].problem)
      continue;
    if (!any)
      fputs(
          "<h3>Archives and folders</h3><p>What is wrong with them as a whole; labs that could be "
          "read in them are graded.</p>\n<table class=\"list\"><thead><tr><th "
          "scope=\"col\">student</th><th scope=\"col\">what</th></tr></thead><tbody>\n",
          out);
    any = true;
    write_remark(out, &class->students[i], class->students[i].problem);
  }
  if (any)
    fputs("</tbody></table>\n", out);
}

/* Writes the notes of intake about its choices, for each student. */
static void write_notes(FILE *out, const Class *class) {
  bool any = false;
  size_t at;
  json_t *text;
  for (size_t i = 0; i < class->count; i++) {
    json_array_foreach(class->students[i].notes, at, text) {
      if (!any)
        fputs("<h3>Names and duplicates</h3><p>Which file was taken where more than one could be "
              "meant, and what has another name.</p>\n<table class=\"list\"><thead><tr><th "
              "scope=\"col\">student</th><th scope=\"col\">what</th></tr></thead><tbody>\n",
              out);
      any = true;
      write_remark(out, &class->students[i], json_string_value(text));
    }
  }
  if (any)
    fputs("</tbody></table>\n", out);
}

static void write_missing(FILE *out, const Class *class) {
  size_t *students = calloc(class->count + 1, sizeof *students), count;
  if (!students)
    bad_input("not enough memory for %zu students", class->count);
  fputs("<h3>Not handed in</h3>\n<table class=\"list\"><tbody>\n", out);
  for (size_t lab = 0; lab < class->lab_count; lab++) {
    count = 0;
    for (size_t i = 0; i < class->count; i++)
      if (class->students[i].entries[lab].state == ENTRY_MISSING)
        students[count++] = i;
    fprintf(out, "<tr><td>lab %.2s</td><td class=\"wide\">", class->labs[lab]->name);
    if (count)
      write_links(out, class, students, count);
    else
      fputs("everybody handed it in", out);
    fputs("</td></tr>\n", out);
  }
  fputs("</tbody></table>\n", out);
  free(students);
}

void write_ungraded(FILE *out, const Class *class) {
  begin_section(out, "ungraded", "Not graded");
  write_reasons(out, class, ENTRY_UNGRADED, "Not graded yet",
                "They have no points in any table until they are: make grade goes on with them.");
  write_reasons(out, class, ENTRY_PROBLEM, "Cannot be graded",
                "Handed in, with 0 points; the report tells the student what to do.");
  write_problems(out, class);
  write_notes(out, class);
  write_missing(out, class);
  fputs("</section>\n", out);
}

/* ---- all students ---------------------------------------------------------------------------- */

/* A page without scripts cannot sort a table. Therefore the page has a table for each order, and
 * radio buttons that show one of them. Order 0 is by id, orders 1 to lab_count are by the points of
 * a lab, and the last order is by total. */
enum { BY_ID, BY_LAB };

static const Class *sorted_class;
static size_t sorted_by;

static double points_in(const Student *student) {
  size_t lab = sorted_by - BY_LAB;
  if (lab == sorted_class->lab_count)
    return student->total;
  return student->entries[lab].state == ENTRY_GRADED ? student->entries[lab].counts
                                                     : (int)student->entries[lab].state - 10;
}

static int by_order(const void *a, const void *b) {
  const Student *x = *(const Student *const *)a, *y = *(const Student *const *)b;
  int order = 0;
  if (sorted_by != BY_ID)
    order = (points_in(y) > points_in(x)) - (points_in(y) < points_in(x));
  return order ? order : strcmp(x->id, y->id);
}

static size_t orders_of(const Class *class) { return BY_LAB + class->lab_count + 1; }

static void order_name(const Class *class, size_t order, char *out, size_t size) {
  if (order == BY_ID)
    snprintf(out, size, "id");
  else if (order - BY_LAB < class->lab_count)
    snprintf(out, size, "lab %.2s", class->labs[order - BY_LAB]->name);
  else
    snprintf(out, size, "total");
}

static void write_cell(FILE *out, const Entry *entry) {
  static const char *const signs[] = {
      [ENTRY_MISSING] = "–", [ENTRY_PROBLEM] = "!", [ENTRY_UNGRADED] = "…"};
  char points[24];
  if (entry->state == ENTRY_GRADED)
    fprintf(out, "<td>%s%s", points_text(entry->counts, points), entry->late_days ? "*" : "");
  else
    fprintf(out, "<td class=off>%s", signs[entry->state]);
}

/* Writes the row of a student. The page repeats all rows for each order, so optional end tags and
 * quotes are omitted to keep the page small. */
static void write_row(FILE *out, const Class *class, const Student *student) {
  char points[24];
  fputs("<tr><th scope=row>", out);
  write_link(out, student);
  if (strcmp(student->name, student->id) != 0) {
    fputs(" <bdi>", out);
    markup_text(out, student->name);
    fputs("</bdi>", out);
  }
  for (size_t lab = 0; lab < class->lab_count; lab++)
    write_cell(out, &student->entries[lab]);
  fprintf(out, student->complete ? "<td>%s\n" : "<td class=off>%s…\n",
          points_text(student->total, points));
}

static void write_table(FILE *out, const Class *class, const Student **students, size_t order) {
  char name[32];
  fprintf(
      out,
      "<div class=\"scroll in-%zu\" tabindex=\"0\" role=\"region\" aria-label=\"students\"><table>"
      "<thead><tr>",
      order);
  for (size_t i = 0; i < orders_of(class); i++) {
    order_name(class, i, name, sizeof name);
    fprintf(out, "<th scope=\"col\"%s><label for=\"by-%zu\">%s</label></th>",
            i != order   ? ""
            : i < BY_LAB ? " aria-sort=\"ascending\""
                         : " aria-sort=\"descending\"",
            i, name);
  }
  fputs("</tr></thead><tbody>\n", out);
  for (size_t i = 0; i < class->count; i++)
    write_row(out, class, students[i]);
  fputs("</tbody></table></div>\n", out);
}

/* Writes the radio buttons as preceding siblings of the tables, which the selector `~` needs. */
static void write_orders(FILE *out, const Class *class) {
  char name[32];
  fputs("<style>.sheet .scroll{display:none}", out);
  for (size_t i = 0; i < orders_of(class); i++)
    fprintf(out, "%s#by-%zu:checked~.in-%zu", i ? "," : "", i, i);
  fputs("{display:block}</style>\n<span class=\"what\">Order by</span>", out);
  for (size_t i = 0; i < orders_of(class); i++) {
    order_name(class, i, name, sizeof name);
    fprintf(
        out,
        "<input type=\"radio\" name=\"order\" id=\"by-%zu\"%s><label for=\"by-%zu\">%s</label>\n",
        i, i == BY_ID ? " checked" : "", i, name);
  }
}

void write_students(FILE *out, const Class *class) {
  const Student **students = calloc(class->count + 1, sizeof *students);
  if (!students)
    bad_input("not enough memory for %zu students", class->count);
  begin_section(out, "students", "Students");
  fprintf(out, "<p>– not handed in, ! cannot be graded, … not graded yet%s.</p>",
          late_matters(class) ? ", * late" : "");
  fputs("\n<div class=\"sheet\" "
        "role=\"group\" aria-label=\"order of the students\">\n",
        out);
  write_orders(out, class);
  for (size_t i = 0; i < class->count; i++)
    students[i] = &class->students[i];
  sorted_class = class;
  for (sorted_by = 0; sorted_by < orders_of(class); sorted_by++) {
    qsort(students, class->count, sizeof *students, by_order);
    write_table(out, class, students, sorted_by);
  }
  fputs("</div></section>\n", out);
  free(students);
}
