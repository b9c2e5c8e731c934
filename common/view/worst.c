/* Writes the section with the most expensive lines, each with its map and advice, and the table of
 * the kernels. */
#include <string.h>

#include "view.h"

enum { MOST_FINDINGS = 3 };

/* Writes the text with a capital first letter. */
static void write_sentence(FILE *out, const char *text) {
  html_text(out, "%c%s", *text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text,
            *text ? text + 1 : "");
}

void write_advice(const View *v, const Finding *f, int level) {
  Advice a = advise(f, v->source);
  char share[64];
  finding_share(f, share, sizeof share);
  fprintf(v->out, "<h%d>", level);
  write_sentence(v->out, a.what);
  fprintf(v->out, "</h%d><p>", level);
  html_text(v->out, "In %s", f->kernel->name);
  if (f->more_kernels)
    html_text(v->out, " and %u other%s", f->more_kernels, f->more_kernels > 1 ? "s" : "");
  html_text(v->out, ", %s. ", share);
  write_sentence(v->out, a.why);
  fputs("</p><p><strong>Try:</strong> ", v->out);
  write_sentence(v->out, a.attempt);
  fputs("</p>", v->out);
}

void write_quoted(View *v, const Finding *f, const char *called) {
  const char *text =
      v->source && same_file(f->file, v->source->path) ? source_line(v->source, f->line) : NULL;
  fprintf(v->out, "<p class=\"where\">%s: ", called);
  html_place(v, f->file, f->line);
  fputs("</p>", v->out);
  if (text) {
    fputs("<pre class=\"quote\"><code>", v->out);
    html_text(v->out, "%s", text + strspn(text, " \t"));
    fputs("</code></pre>", v->out);
  }
  write_advice(v, f, 3);
}

static void write_finding(View *v, const Finding *f, bool worst) {
  fputs("<article class=\"finding\">", v->out);
  write_quoted(v, f, worst ? "Worst" : "Then");
  write_finding_map(v, f);
  fputs("</article>\n", v->out);
}

void write_worst(View *v) {
  const Finding *chosen[MOST_FINDINGS];
  size_t count = findings_choose(v->findings, chosen, MOST_FINDINGS);
  fputs("<section id=\"worst\" aria-labelledby=\"worst-h\"><h2 id=\"worst-h\">What costs "
        "most</h2>\n",
        v->out);
  if (!count && recording_is_wrong(v->recording))
    fputs("<p>First repair the mistake; then this page shows what makes it faster.</p>", v->out);
  else if (!count && touches_memory(v->recording, v->source) && v->findings->small)
    fputs("<p>No line wastes 5 % of its kernel's traffic. Open any line of the source below to see "
          "how its accesses lie.</p>",
          v->out);
  else if (!count && touches_memory(v->recording, v->source))
    fputs("<p>No line wastes traffic: accesses are coalesced, banks do not conflict. Open any line "
          "of "
          "the source below to see how its accesses lie.</p>",
          v->out);
  else if (!count)
    fputs("<p>Your kernels touch no memory yet, so there is nothing to compare.</p>", v->out);
  for (size_t i = 0; i < count; i++)
    write_finding(v, chosen[i], i == 0);
  fputs("</section>\n", v->out);
}

/* ---- the kernels ----------------------------------------------------------------------------- */
static void write_cell(const View *v, const char *text) {
  fputs("<td class=\"num\">", v->out);
  html_text(v->out, "%s", *text ? text : "–");
  fputs("</td>", v->out);
}

static void write_kernel(const View *v, const Kernel *k) {
  Tally t = tally_kernel(k);
  char number[NUMBER_ROOM];
  fputs("<tr><th scope=\"row\"><code>", v->out);
  html_text(v->out, "%s", k->name);
  fputs(v->source && source_gives(v->source, k) ? "</code> (given)</th>" : "</code></th>", v->out);
  write_cell(v, count_text(k->launches, number));
  write_cell(v, count_text(tally_each(&t, t.executed), number));
  write_cell(v, rate_text(active_lanes(&t), number));
  write_cell(v, t.global.moved ? count_text(tally_each(&t, t.global.moved), number) : "");
  write_cell(v, rate_text(per_request(&t.global), number));
  write_cell(v, t.shared.moved ? count_text(tally_each(&t, t.shared.moved), number) : "");
  write_cell(v, rate_text(excess_per_request(&t.shared), number));
  fputs("<td class=\"num\">", v->out);
  html_text(v->out, "%u×%u×%u blocks of %u×%u×%u", k->grid[0], k->grid[1], k->grid[2], k->block[0],
            k->block[1], k->block[2]);
  fputs("</td></tr>\n", v->out);
}

void write_kernels(const View *v) {
  fputs(
      "<section id=\"kernels\" aria-labelledby=\"kernels-h\"><h2 id=\"kernels-h\">Kernels</h2>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"table of kernels\"><table>"
      "<thead><tr><th scope=\"col\">kernel</th><th scope=\"col\">launches</th><th "
      "scope=\"col\">warp instructions</th><th scope=\"col\">active lanes</th><th "
      "scope=\"col\">sectors</th><th scope=\"col\">sectors per request</th><th "
      "scope=\"col\">wavefronts</th><th scope=\"col\">conflicts per request</th><th "
      "scope=\"col\">first launch</th></tr></thead><tbody>\n",
      v->out);
  for (size_t i = 0; i < v->recording->kernel_count; i++)
    write_kernel(v, &v->recording->kernels[i]);
  fputs("</tbody></table></div>", v->out);
  fputs("<p class=\"dim\">Warp instructions, sectors and wavefronts are those of one launch, the "
        "mean "
        "where there were several.</p>",
        v->out);
  if (v->source && v->source->has_gaps)
    fputs(
        "<p class=\"dim\">given: with the lab, to compare with; not yours to change. Per request: "
        "the mean of all.</p>",
        v->out);
  fputs("</section>\n", v->out);
}
