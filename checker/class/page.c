/* Writes class.html, a page about the whole class. A Content-Security-Policy in its head forbids
 * scripts and downloads. markup_text escapes all texts of students. */
#include "class.h"
#include "draw/markup.h"

#include <string.h>

/* The style sheet of all pages of the workbook, followed by the style sheet of this page. */
extern const char class_css[], class_css_end[];
__asm__(".section .rodata\n"
        ".globl class_css, class_css_end\n"
        "class_css: .incbin \"common/view/page.css\"\n"
        ".incbin \"checker/class/page.css\"\n"
        "class_css_end: .byte 0\n"
        ".text\n");

/* ---- head ------------------------------------------------------------------------------------ */

void page_head(FILE *out, const char *title, const char *more_css) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
        out);
  markup_text(out, title);
  fputs("</title>\n<style>\n", out);
  fwrite(class_css, 1, (size_t)(class_css_end - class_css), out);
  fprintf(out, "%s</style></head>\n", more_css);
}

static void write_fact(FILE *out, const char *number, const char *what) {
  fprintf(out, "<li><strong>%s</strong>%s</li>", number, what);
}

static void write_facts(FILE *out, const Class *class) {
  char text[64], points[24];
  size_t handed_in = 0, ungraded = 0;
  for (size_t lab = 0; lab < class->lab_count; lab++) {
    handed_in += class->count - count_entries(class, lab, ENTRY_MISSING);
    ungraded += count_entries(class, lab, ENTRY_UNGRADED);
  }
  fputs("<ul class=\"facts\">", out);
  snprintf(text, sizeof text, "%zu", class->count);
  write_fact(out, text, "students");
  snprintf(text, sizeof text, "%zu", class->lab_count);
  write_fact(out, text, "labs");
  snprintf(text, sizeof text, "%zu of %zu", handed_in, class->count * class->lab_count);
  write_fact(out, text, "handed in");
  snprintf(text, sizeof text, "%zu", ungraded);
  write_fact(out, text, "not graded yet");
  snprintf(text, sizeof text, "%.1f", mean_score(class, class->lab_count));
  write_fact(out, text, "mean total");
  snprintf(text, sizeof text, "%.1f of %s", median_score(class, class->lab_count),
           points_text(class->all_points, points));
  write_fact(out, text, "median total");
  fputs("</ul>\n", out);
}

static void write_header(FILE *out, const Class *class) {
  fputs("<body><a class=\"skip\" href=\"#students\">to the students</a>\n<header><h1>", out);
  markup_text(out, class->title);
  fputs("</h1><p class=\"dim\">Marks for a spreadsheet: <a href=\"grades.csv\">grades.csv</a>, as "
        "JUnit: <a href=\"grades.xml\">grades.xml</a>. Each id leads to that student's report."
        "</p><nav aria-label=\"sections\"><ul><li><a href=\"#distribution\">Distribution</a></li>"
        "<li><a href=\"#causes\">Causes</a></li><li><a href=\"#slowest\">Slowest</a></li><li><a "
        "href=\"#ungraded\">Not graded</a></li><li><a href=\"#students\">Students</a></li></ul>"
        "</nav></header>\n<main>\n",
        out);
  if (class->look_alikes)
    fprintf(out,
            "<p class=\"note\"><a href=\"alike.html\">%zu look-alike%s</a>: pairs and groups that "
            "share more than the handout explains.</p>\n",
            class->look_alikes, class->look_alikes == 1 ? "" : "s");
  if (class->no_walls)
    fputs("<p class=\"note\"><strong>Graded without a sandbox (SANDBOX=none).</strong> The "
          "programs could read and write what the account that graded them can.</p>\n",
          out);
  write_facts(out, class);
}

/* ---- distribution ---------------------------------------------------------------------------- */

static void write_key(FILE *out) {
  fputs("<ul class=\"key\"><li><span class=\"swatch passed\"></span>passed</li><li><span "
        "class=\"swatch failed\"></span>failed</li><li><span class=\"swatch waits\"></span>not "
        "reached: an earlier task is open, or it does not compile</li><li><span class=\"swatch "
        "none\"></span>nothing to grade</li></ul>\n",
        out);
}

typedef struct Share {
  const char *name, *words;
  size_t count;
} Share;

static void write_shares(FILE *out, const Share *shares, size_t kinds) {
  const char *before = "";
  fputs("<span class=\"shares\" aria-hidden=\"true\">", out);
  for (size_t i = 0; i < kinds; i++)
    if (shares[i].count)
      fprintf(out, "<span class=\"%s\" style=\"flex:%zu\"></span>", shares[i].name,
              shares[i].count);
  fputs("</span><span class=\"says\">", out);
  for (size_t i = 0; i < kinds; i++) {
    if (!shares[i].count)
      continue;
    fprintf(out, "%s<span class=\"one\">%zu %s</span>", before, shares[i].count, shares[i].words);
    before = ", ";
  }
  fputs("</span>", out);
}

static void write_task(FILE *out, const Class *class, size_t lab, size_t task) {
  const Task *about = &class->labs[lab]->tasks[task];
  Share shares[] = {{"passed", "passed", count_tasks(class, lab, task, "passed")},
                    {"failed", "failed", count_tasks(class, lab, task, "failed")},
                    {"waits", "not reached", count_tasks(class, lab, task, "not-run")},
                    {"none", "nothing", class->count}};
  for (size_t i = 0; i < 3; i++)
    shares[3].count -= shares[i].count;
  fprintf(out, "<tr><th scope=\"row\">%zu&nbsp;", task + 1);
  markup_text(out, about->title);
  fprintf(out, "</th><td class=\"num right\">%d</td><td>", about->points);
  write_shares(out, shares, 4);
  fputs("</td></tr>\n", out);
}

/* Writes text such as "177 graded: mean 66.8, median 100.0 of 100 points; 104 with full marks; 17
 * not handed in". */
static void write_lab_facts(FILE *out, const Class *class, size_t lab) {
  static const EntryState others[] = {ENTRY_MISSING, ENTRY_PROBLEM, ENTRY_UNGRADED};
  size_t graded = count_entries(class, lab, ENTRY_GRADED);
  fprintf(out, "<p class=\"says\">%zu graded", graded);
  if (graded)
    fprintf(out, ": mean %.1f, median %.1f of %d points; %zu with full marks",
            mean_score(class, lab), median_score(class, lab), class->points[lab],
            count_full(class, lab, POINTS_THAT_COUNT));
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (count_entries(class, lab, others[i]))
      fprintf(out, "; %zu %s", count_entries(class, lab, others[i]), entry_words(others[i]));
  fputs("</p>\n", out);
}

static void write_lab(FILE *out, const Class *class, size_t lab) {
  const Sheet *sheet = class->labs[lab];
  fprintf(out, "<div><h3>lab %.2s: ", sheet->name);
  markup_text(out, sheet->title);
  fputs("</h3>", out);
  write_lab_facts(out, class, lab);
  fputs("<table class=\"dist\"><thead><tr><th scope=\"col\">task</th><th scope=\"col\" "
        "class=\"right\">points</th><th scope=\"col\">students</th></tr></thead><tbody>\n",
        out);
  for (size_t task = 0; task < sheet->task_count; task++)
    if (class->counts[lab][task])
      write_task(out, class, lab, task);
  fputs("</tbody></table></div>\n", out);
}

enum { BINS = 11 }; /* 0 to 9 percent of all points, .., 90 to 99, 100. */

/* Returns the bin of a student in the histogram. A score from a file may be any number, even NaN,
 * and must give a valid bin. */
static size_t bin_of(const Class *class, const Student *student) {
  double tenths = class->all_points > 0 ? student->total * 10 / class->all_points : 0;
  return !(tenths >= 0) ? 0 : tenths < BINS ? (size_t)tenths : BINS - 1;
}

static void write_totals(FILE *out, const Class *class) {
  size_t bins[BINS] = {0}, most = 1;
  char points[24];
  for (size_t i = 0; i < class->count; i++)
    if (class->students[i].complete)
      bins[bin_of(class, &class->students[i])]++;
  for (size_t i = 0; i < BINS; i++)
    most = bins[i] > most ? bins[i] : most;
  fprintf(
      out,
      "<h3>All labs together</h3><p class=\"says\">How many students have so much of all %s "
      "points</p>\n<table class=\"hist\"><thead class=\"skip\"><tr><th scope=\"col\">share</th><th "
      "scope=\"col\">bar</th><th scope=\"col\">students</th></tr></thead><tbody>\n",
      points_text(class->all_points, points));
  for (size_t i = BINS; i-- > 0;) {
    fprintf(out,
            i == BINS - 1 ? "<tr><th scope=\"row\">%zu %%</th>"
                          : "<tr><th scope=\"row\">%zu–%zu %%</th>",
            i * 10, i * 10 + 9);
    fprintf(out,
            "<td aria-hidden=\"true\"><span class=\"%s\" style=\"width:%zu%%\"></span></td><td "
            "class=\"num\">%zu</td></tr>\n",
            bins[i] ? "full" : "nought", bins[i] * 100 / most, bins[i]);
  }
  fputs("</tbody></table>\n", out);
}

static void write_distribution(FILE *out, const Class *class) {
  fputs("<section id=\"distribution\" aria-labelledby=\"distribution-h\"><h2 "
        "id=\"distribution-h\">Distribution</h2>\n",
        out);
  write_totals(out, class);
  write_key(out);
  fputs("<div class=\"labs\">\n", out);
  for (size_t lab = 0; lab < class->lab_count; lab++)
    write_lab(out, class, lab);
  fputs("</div></section>\n", out);
}

void page_write(const Class *class) {
  ClassFile file = class_open(class, "class.html");
  page_head(file.out, class->title, "");
  write_header(file.out, class);
  write_distribution(file.out, class);
  write_causes(file.out, class);
  write_slowest(file.out, class);
  write_ungraded(file.out, class);
  write_students(file.out, class);
  fputs("</main>\n</body></html>\n", file.out);
  class_close(&file);
}
