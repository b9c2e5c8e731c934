/* Writes the first screen of the page: the points, the first mistake, and the most expensive line
 * with its cause, a remedy and a small map. If an earlier version was recorded, also writes a
 * comparison of both versions.
 */
#include <string.h>

#include "view.h"

static void write_first_open(const View *v) {
  size_t i;
  json_t *task;
  json_array_foreach(json_object_get(v->marks, "tasks"), i, task) {
    const char *status = json_string_value(json_object_get(task, "status")),
               *headline = json_string_value(json_object_get(task, "headline")),
               *title = json_string_value(json_object_get(task, "title"));
    if (!status || !strcmp(status, "passed"))
      continue;
    fputs("<p><strong>", v->out);
    html_text(v->out, "Task %d, %s:", (int)json_integer_value(json_object_get(task, "number")),
              title ? title : "");
    fputs("</strong> ", v->out);
    html_text(v->out, "%s", headline && *headline ? headline : status);
    fputs("</p>", v->out);
    return;
  }
}

static void write_score(const View *v) {
  int score = (int)json_integer_value(json_object_get(v->marks, "score")),
      points = (int)json_integer_value(json_object_get(v->marks, "points"));
  fprintf(v->out, "<p class=\"score\"><span class=\"%s\">%d of %d points</span></p>",
          score < points ? "bad" : "good", score, points);
  write_first_open(v);
}

/* Writes the sentence of a mistake, the source lines of its accesses, and its cause. */
static void write_mistake(const View *v, const Mistake *m) {
  fputs("<p class=\"where\"><span class=\"bad\">✗</span> ", v->out);
  html_text(v->out, "%s", m->sentence);
  fputs("</p><p>", v->out);
  if (m->file)
    html_place(v, m->file, m->line);
  if (m->file && m->other_file) {
    fputs(" and ", v->out);
    html_place(v, m->other_file, m->other_line);
  }
  if (m->cause)
    html_text(v->out, "%s%s", m->file ? ": " : "", m->cause);
  fputs("</p>", v->out);
}

/* Returns the first error. Without errors and without marks, returns the first warning. With marks,
 * warnings are shown in the section of the reports only. */
static const Mistake *first_mistake(const View *v) {
  const Recording *r = v->recording;
  for (size_t i = 0; i < r->mistake_count; i++)
    if (!strcmp(r->mistakes[i].severity, "error"))
      return &r->mistakes[i];
  return r->mistake_count && !has_marks(v) ? &r->mistakes[0] : NULL;
}

static bool all_points(const View *v) {
  return has_marks(v) && json_integer_value(json_object_get(v->marks, "score")) >=
                             json_integer_value(json_object_get(v->marks, "points"));
}

void write_glance(View *v) {
  const Finding *worst = NULL;
  const Recording *r = v->recording;
  bool timed = !v->compile_log && !v->withheld && has_time(v);
  if (v->compile_log || !r->kernel_count || v->withheld || !findings_choose(v->findings, &worst, 1))
    worst = NULL;
  if (worst && v->lead && !worst->leads) /* the worst line is not in the leading kernel */
    worst = NULL;
  if (!has_marks(v) && !r->mistake_count && !worst && !timed)
    return;
  fputs("<section id=\"glance\" aria-labelledby=\"glance-h\"><h2 id=\"glance-h\">At a "
        "glance</h2><div "
        "class=\"glance\"><div>",
        v->out);
  if (has_marks(v))
    write_score(v);
  if (first_mistake(v))
    write_mistake(v, first_mistake(v));
  if (timed)
    write_how_long(v);
  if (worst)
    write_quoted(v, worst, all_points(v) ? "What is left to save" : "The line with most to save");
  fputs("</div>", v->out);
  if (worst)
    write_small_map(v, worst);
  fputs("</div></section>\n", v->out);
}

/* ---- before and after ------------------------------------------------------------------------ */
static const Kernel *same_kernel(const Recording *r, const Kernel *k) {
  for (size_t i = 0; i < r->kernel_count; i++)
    if (!strcmp(r->kernels[i].name, k->name))
      return &r->kernels[i];
  return NULL;
}

static void write_pair(const View *v, const char *before, const char *after) {
  fputs("<td class=\"num\">", v->out);
  html_text(v->out, "%s", *before ? before : "–");
  fputs(strcmp(before, after) ? " → <strong>" : " → ", v->out);
  html_text(v->out, "%s", *after ? after : "–");
  fputs(strcmp(before, after) ? "</strong></td>" : "</td>", v->out);
}

/* Returns true if the kernel's counters changed. */
static bool changed(const Kernel *was, const Kernel *is) {
  return memcmp(&was->counters, &is->counters, sizeof was->counters) != 0;
}

static void write_compared(const View *v, const Kernel *was, const Kernel *is) {
  Tally a = tally_kernel(was), b = tally_kernel(is);
  char x[NUMBER_ROOM], y[NUMBER_ROOM];
  fputs("<tr><th scope=\"row\"><code>", v->out);
  html_text(v->out, "%s", is->name);
  fputs("</code></th>", v->out);
  write_pair(v, count_text(tally_each(&a, a.executed), x),
             count_text(tally_each(&b, b.executed), y));
  write_pair(v, count_text(tally_each(&a, a.global.moved), x),
             count_text(tally_each(&b, b.global.moved), y));
  write_pair(v, rate_text(per_request(&a.global), x), rate_text(per_request(&b.global), y));
  write_pair(v, count_text(tally_each(&a, a.shared.moved), x),
             count_text(tally_each(&b, b.shared.moved), y));
  write_pair(v, rate_text(excess_per_request(&a.shared), x),
             rate_text(excess_per_request(&b.shared), y));
  write_pair(v, was->predicted ? time_text(was->predicted->us, x) : "",
             is->predicted ? time_text(is->predicted->us, y) : "");
  fputs("</tr>\n", v->out);
}

/* Writes the comparison if neither version has a mistake and the counters of at least one kernel
 * changed. */
void write_before(const View *v) {
  bool any = false;
  if (!v->before || recording_is_wrong(v->before) || recording_is_wrong(v->recording))
    return;
  for (size_t i = 0; i < v->recording->kernel_count; i++) {
    const Kernel *is = &v->recording->kernels[i], *was = same_kernel(v->before, is);
    any = any || (was && changed(was, is));
  }
  if (!any)
    return;
  fputs("<section id=\"before\" aria-labelledby=\"before-h\"><h2 id=\"before-h\">Before and "
        "after</h2>\n<p>The version "
        "that this page showed before, and this one, each for one launch.</p>\n<div "
        "class=\"scroll\" tabindex=\"0\" "
        "role=\"group\" "
        "aria-label=\"table of two runs\"><table><thead><tr><th scope=\"col\">kernel</th><th "
        "scope=\"col\">warp "
        "instructions</th><th scope=\"col\">sectors</th><th scope=\"col\">sectors per "
        "request</th><th "
        "scope=\"col\">wavefronts</th><th scope=\"col\">conflicts per request</th><th "
        "scope=\"col\">predicted "
        "time</th></tr></thead><tbody>\n",
        v->out);
  for (size_t i = 0; i < v->recording->kernel_count; i++) {
    const Kernel *is = &v->recording->kernels[i], *was = same_kernel(v->before, is);
    if (was && changed(was, is))
      write_compared(v, was, is);
  }
  fputs("</tbody></table></div></section>\n", v->out);
}
