/* Writes the source, with each line coloured by its cost. A line that was executed can be expanded
 * to show its counters and the maps of its accesses.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/words.h"
#include "view.h"

enum { MOST_CHOICES = 24 }; /* with more kernels, only the sums over all kernels are shown */

/* ---- the cost of a line ---------------------------------------------------------------------- */
/* Returns the fraction (0 to 1) of its kernels' predicted time that is spent in the line. Without a
 * prediction, estimates this fraction from sectors, wavefronts and instructions. */
static double heat_of(const Tally *t) {
  if (t->all_time > 0)
    return t->time / t->all_time;
  double all = (double)(t->all_sectors + t->all_wavefronts) + (double)t->all_executed / 4;
  double heat = all > 0 ? tally_cost(t) / all : 0;
  return heat < 1 ? heat : 1;
}

static int level_of(double heat) {
  return heat >= 0.4 ? 4 : heat >= 0.2 ? 3 : heat >= 0.08 ? 2 : heat >= 0.02 ? 1 : 0;
}

/* ---- one line -------------------------------------------------------------------------------- */
static void write_number(FILE *out, const char *class, const char *text) {
  fprintf(out, "<span class=\"n %s\">", class);
  html_text(out, "%s", text);
  fputs("</span>", out);
}

static void write_numbers(FILE *out, const Tally *t) {
  char cell[NUMBER_ROOM];
  double heat = heat_of(t);
  fprintf(out, "<span class=\"heat\"><span class=\"bar\" style=\"width:%.0f%%\"></span>",
          100 * heat);
  html_text(out, heat < 0.005 ? "" : "%.0f%%", 100 * heat);
  fputs("</span>", out);
  write_number(out, "wide", count_text(tally_each(t, t->executed), cell));
  write_number(out, "wide", rate_text(active_lanes(t), cell));
  write_number(out, "wide", rate_text(per_request(&t->global), cell));
  write_number(out, "wide", rate_text(excess_per_request(&t->shared), cell));
}

/* Writes the line and its counters as a sentence for screen readers, which do not read the headings
 * of the columns. */
static void write_label(FILE *out, unsigned line, const Tally *t, const char *text, bool maps) {
  char cell[NUMBER_ROOM];
  html_text(out, "line %u: %s, %.0f%% of the cost", line, text + strspn(text, " \t"),
            100 * heat_of(t));
  if (t->global.requests)
    html_text(out, ", %s sectors per request", rate_text(per_request(&t->global), cell));
  if (t->shared.requests)
    html_text(out, ", %s bank conflicts per request",
              rate_text(excess_per_request(&t->shared), cell));
  html_text(out, maps ? ", with maps" : "");
}

static void write_traffic(FILE *out, const Tally *line, const Traffic *t, uint64_t all,
                          const char *memory, const char *unit) {
  char cell[4][NUMBER_ROOM];
  if (!t->requests)
    return;
  html_text(out, " %s: %s requests, on average %s %s%s each where %s would do", memory,
            count_text(tally_each(line, t->requests), cell[0]), rate_text(per_request(t), cell[1]),
            unit, strcmp(cell[1], "1") ? "s" : "",
            rate_text(share_of(t->ideal, t->requests), cell[2]));
  if (all)
    html_text(out, "; that is %s of its kernels' traffic", share_text(t->moved, all, cell[3]));
  fputc('.', out);
}

static void write_waiting(FILE *out, const Tally *t) {
  Wait wait = longest_stall(t->waits);
  if (!(t->time > 0))
    return;
  html_text(out, " About %.0f%% of the predicted time of its kernels", 100 * t->time / t->all_time);
  if (wait != WAIT_SELECTED)
    html_text(out, "; for %.0f%% of that time its warps wait %s", 100 * t->waits[wait] / t->time,
              stall_meaning(wait));
  fputc('.', out);
}

static void write_sentence(FILE *out, const Tally *t) {
  char cell[2][NUMBER_ROOM];
  fputs("<p>", out);
  html_text(out, "%s warp instructions, on average with %s of 32 lanes active.",
            count_text(tally_each(t, t->executed), cell[0]), rate_text(active_lanes(t), cell[1]));
  write_traffic(out, t, &t->global, t->all_sectors, "Global memory", "sector");
  write_traffic(out, t, &t->shared, t->all_wavefronts, "Shared memory", "wavefront");
  if (t->local.requests)
    html_text(out, " Local memory: %s requests.",
              count_text(tally_each(t, t->local.requests), cell[0]));
  write_waiting(out, t);
  fputs("</p>\n", out);
}

/* The counters of each line, separately for each kernel. */
typedef struct Lines {
  const Tally *of[MOST_CHOICES];
  /* count[k]: number of lines of kernel k. `kernels`: number of kernels; 0 if the page does not
   * offer a choice of kernels. */
  size_t count[MOST_CHOICES], kernels;
} Lines;

static const Tally *tally_at(const Tally *lines, size_t count, const char *file, unsigned line) {
  for (size_t i = 0; i < count; i++)
    if (lines[i].line == line && !strcmp(lines[i].file, file))
      return &lines[i];
  return NULL;
}

static const Tally *of_kernel(const Lines *l, size_t k, const char *file, unsigned line) {
  return tally_at(l->of[k], l->count[k], file, line);
}

static void write_sentences(const View *v, const Lines *l, const char *file, unsigned line,
                            const Tally *all) {
  if (!l->kernels)
    write_sentence(v->out, all);
  for (size_t k = 0; k < l->kernels; k++) {
    const Tally *t = of_kernel(l, k, file, line);
    fprintf(v->out, "<div class=\"k k%zu\">", k);
    if (t)
      write_sentence(v->out, t);
    else
      html_text(v->out, "%s does not come here.", v->recording->kernels[k].name);
    fputs("</div>", v->out);
  }
}

static void write_body(View *v, const Lines *l, const char *file, unsigned line, const Tally *t) {
  fputs("<div class=\"body\">", v->out);
  write_sentences(v, l, file, line, t);
  for (size_t i = 0; i < v->findings->count; i++) {
    const Finding *f = &v->findings->items[i];
    if (f->line == line && !strcmp(f->file, file)) {
      fputs("<div class=\"advice\">", v->out);
      write_advice(v, f, 4);
      fputs("</div>", v->out);
    }
  }
  write_maps(v, file, line);
  fputs("</div>", v->out);
}

static void write_code(FILE *out, const char *text, bool *comment) {
  fputs("<code>", out);
  html_code(out, text, comment);
  fputs("</code>", out);
}

/* Writes each report that names this line, with the thread that accessed memory here and the line
 * of the other access. */
static void write_flags(const View *v, const char *file, unsigned line) {
  for (size_t i = 0; i < v->recording->mistake_count; i++) {
    const Mistake *m = &v->recording->mistakes[i];
    bool here = m->file && m->line == line && same_file(m->file, file);
    bool there = m->other_file && m->other_line == line && same_file(m->other_file, file);
    if (!here && !there)
      continue;
    fputs("<span class=\"flag\">✗ ", v->out);
    html_text(v->out, "%s", m->sentence);
    const char *did = here ? m->did : m->other_did;
    if (did && (here ? m->threads : m->other_threads)) {
      char who[WHO_BYTES];
      html_text(v->out, ": %s %s",
                who_text(who, here ? m->thread : m->other_thread, here ? m->block : m->other_block),
                did);
    }
    if (m->other_file && !(here && there)) {
      fputs("; the other side is ", v->out);
      html_place(v, here ? m->other_file : m->file, here ? m->other_line : m->line);
    }
    fputs("</span>", v->out);
  }
}

static void write_levels(const View *v, const Lines *l, const char *file, unsigned line,
                         const Tally *all) {
  if (!l->kernels)
    fprintf(v->out, "h%d", level_of(heat_of(all)));
  for (size_t k = 0; k < l->kernels; k++) {
    const Tally *t = of_kernel(l, k, file, line);
    fprintf(v->out, "%sk%zuh%d", k ? " " : "", k, t ? level_of(heat_of(t)) : 0);
  }
}

static void write_cells(const View *v, const Lines *l, const char *file, unsigned line,
                        const Tally *all) {
  if (!l->kernels)
    write_numbers(v->out, all);
  for (size_t k = 0; k < l->kernels; k++) {
    const Tally *t = of_kernel(l, k, file, line);
    if (!t)
      continue;
    fprintf(v->out, "<span class=\"k k%zu\">", k);
    write_numbers(v->out, t);
    fputs("</span>", v->out);
  }
}

/* Writes one line of a listing. `own` is true for the student's file. Only lines of this file get
 * ids, because no link leads to another file. *comment is true if a block comment is open from an
 * earlier line. */
static void write_line(View *v, const Source *s, const Lines *l, const char *file, unsigned line,
                       const Tally *t, bool own, bool *comment) {
  const char *text = s->lines[line - 1], *yours = s->gap[line - 1] ? " yours" : "";
  char id[32] = "";
  if (own)
    snprintf(id, sizeof id, " id=\"L%u\"", line);
  if (!t) {
    fprintf(v->out, "<div class=\"row idle%s\"%s><span class=\"no\">%u</span>", yours, id, line);
    write_code(v->out, text, comment);
    write_flags(v, file, line);
    fputs("</div>\n", v->out);
    return;
  }
  bool maps = has_maps(v, file, line);
  fputs("<details class=\"", v->out);
  write_levels(v, l, file, line, t);
  fprintf(v->out, "%s\"%s><summary class=\"row\" aria-label=\"", yours, id);
  write_label(v->out, line, t, text, maps);
  fprintf(v->out, "\"><span class=\"no\">%u</span>", line);
  write_cells(v, l, file, line, t);
  write_code(v->out, text, comment);
  fprintf(v->out, "<span class=\"mark\">%s</span>", maps ? "map" : "");
  write_flags(v, file, line);
  fputs("</summary>", v->out);
  write_body(v, l, file, line, t);
  fputs("</details>\n", v->out);
}

/* ---- a file ---------------------------------------------------------------------------------- */
static void write_file(View *v, const Source *s, const Lines *l, const char *file,
                       const Tally *lines, size_t count, bool own) {
  fputs("<h3><code>", v->out);
  html_text(v->out, "%s", s->path);
  fprintf(v->out, "</code></h3>\n<div class=\"listing%s\">", count ? "" : " bare");
  if (count)
    fputs("<div class=\"row head\" aria-hidden=\"true\"><span "
          "class=\"no\">line</span><span class=\"heat\">cost</span><span class=\"n "
          "wide\">instr</span>"
          "<span class=\"n wide\">lanes</span><span class=\"n wide\">s/req</span><span class=\"n "
          "wide\">c/req</span><span>source</span></div>\n",
          v->out);
  bool comment = false;
  for (unsigned n = 1; n <= s->count; n++)
    write_line(v, s, l, file, n, tally_at(lines, count, file, n), own, &comment);
  fputs("</div>\n", v->out);
}

static void write_legend(FILE *out) {
  fputs("<p>Open a line to see what its accesses look like: click on it, or Tab and Enter. "
        "<b>cost</b>: its share of its kernel's predicted time. Waiting counts for the line that "
        "waits, often after the one that loads; "
        "<b>instr</b>: warp instructions "
        "executed in a launch; <b>lanes</b>: active threads of 32; <b>s/req</b>: sectors per "
        "request to global "
        "memory; <b>c/req</b>: bank conflicts per request to shared memory. A bar on the left: "
        "yours to write.</p>\n",
        out);
}

/* Returns the name that the log uses for the student's file. If the log does not contain the file,
 * returns the path of the source. */
static const char *logged_name(const View *v, const Tally *lines, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (same_file(lines[i].file, v->source->path))
      return lines[i].file;
  return v->source->path;
}

/* Returns the number of the kernel that the page shows first: the leading kernel, otherwise the
 * kernel of the most expensive line, otherwise the kernel with the longest time. */
static unsigned first_choice(const View *v) {
  const Finding *worst;
  if (v->lead)
    return kernel_number(v, v->lead);
  if (findings_choose(v->findings, &worst, 1))
    return kernel_number(v, worst->kernel);
  const Kernel *k = longest_kernel(v->recording, v->source);
  return k ? kernel_number(v, k) : 0;
}

static void write_choice(const View *v) {
  unsigned first = first_choice(v);
  fputs("<fieldset class=\"pick\"><legend>Numbers of which kernel</legend>", v->out);
  for (unsigned k = 0; k < v->recording->kernel_count; k++) {
    fprintf(v->out, "<label><input type=\"radio\" name=\"pick\" id=\"pick%u\"%s> <code>", k,
            k == first ? " checked" : "");
    html_text(v->out, "%s", v->recording->kernels[k].name);
    fputs("</code></label> ", v->out);
  }
  fputs("</fieldset>\n", v->out);
}

void write_listings(View *v) {
  size_t count;
  Tally *lines = tally_lines(v->recording, NULL, &count), *each[MOST_CHOICES];
  Lines l = {.kernels = 0};
  if (v->withheld)
    count = 0;
  else if (v->recording->kernel_count > 1 && v->recording->kernel_count <= MOST_CHOICES)
    for (; l.kernels < v->recording->kernel_count; l.kernels++)
      l.of[l.kernels] = each[l.kernels] =
          tally_lines(v->recording, &v->recording->kernels[l.kernels], &l.count[l.kernels]);
  fputs("<section id=\"source\" aria-labelledby=\"source-h\"><h2 id=\"source-h\">Line by "
        "line</h2>\n",
        v->out);
  if (count)
    write_legend(v->out);
  if (l.kernels)
    write_choice(v);
  const char *own = v->source ? logged_name(v, lines, count) : "";
  if (v->source && v->source->count)
    write_file(v, v->source, &l, own, lines, count, true);
  for (size_t i = 0; i < count; i++) {
    const char *file = lines[i].file;
    bool first = i == 0 || strcmp(lines[i - 1].file, file) != 0;
    if (!first || source_is_system(file) || !strcmp(file, own) || (v->source && v->source->alone))
      continue;
    Source s = source_read(file);
    if (s.count)
      write_file(v, &s, &l, file, lines, count, false);
    source_free(&s);
  }
  fputs("</section>\n", v->out);
  for (size_t k = 0; k < l.kernels; k++)
    free(each[k]);
  free(lines);
}
