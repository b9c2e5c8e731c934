/* Writes alike.html, which shows each pair of similar files side by side, the most similar pair
 * first. Lines that both files share are marked, lines of the handout are grey. The page does not
 * say that a student has copied: the instructor decides. */
#include "alike.h"
#include "draw/markup.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  SHOWN = 60,             /* Maximum number of pairs shown side by side. */
  SHOWN_BYTES = 64 << 10, /* Maximum number of bytes shown of a source. */
  LINE_BYTES = 1000       /* Maximum number of bytes shown of a line. */
};

static const char page_css[] =
    "body{max-width:110rem}.two>div{min-width:0}.two{display:grid;grid-template-columns:1fr "
    "1fr;gap:0 1.5rem}"
    ".two pre{margin:0;overflow-x:auto;font-size:.8125rem;line-height:1.35;white-space:pre}"
    ".two h4{position:sticky;top:0;background:var(--paper);padding:.25rem 0}"
    ".two i{font-style:normal;display:inline-block;width:3.2em;color:var(--dim);user-select:none}"
    ".two b{font-weight:400;background:var(--h3)}.two s{text-decoration:none;color:var(--dim)}"
    "@media (max-width:60rem){.two{grid-template-columns:1fr}}\n";

/* ---- one source ------------------------------------------------------------------------------ */

typedef enum LineLook { LINE_OWN, LINE_GIVEN, LINE_SHARED } LineLook;

/* Returns the LineLook of each line. A line is shared if all of its tokens are shared, except those
 * in the handout. */
static LineLook *look_at(const Work *work, const bool *shared, size_t *lines) {
  *lines = 1;
  for (const char *at = work->text; *at; at++)
    *lines += *at == '\n';
  LineLook *looks = calloc(*lines + 2, sizeof *looks);
  unsigned(*votes)[3] = calloc(*lines + 2, sizeof *votes);
  if (!looks || !votes)
    bad_input("not enough memory for %zu lines", *lines);
  for (size_t i = 0; i < work->tokens.count; i++) {
    LineLook look = shared[i] ? LINE_SHARED : work->given[i] ? LINE_GIVEN : LINE_OWN;
    votes[work->tokens.all[i].line][look]++;
  }
  for (size_t line = 1; line <= *lines; line++) {
    const unsigned *all = votes[line];
    looks[line] = all[LINE_OWN] ? LINE_OWN : all[LINE_SHARED] ? LINE_SHARED : LINE_GIVEN;
  }
  free(votes);
  return looks;
}

static void put_line(FILE *out, size_t number, char *text, LineLook look) {
  static const char *const before[] = {"", "<s>", "<b>"}, *const after[] = {"", "</s>", "</b>"};
  fprintf(out, "<i>%zu</i>%s", number, before[look]);
  markup_text(out, text);
  fprintf(out, "%s\n", after[look]);
}

static void put_beginning(FILE *out, size_t number, char *line, LineLook look) {
  char kept = line[LINE_BYTES];
  line[LINE_BYTES] = '\0';
  put_line(out, number, line, look);
  line[LINE_BYTES] = kept;
}

static void put_author(FILE *out, const Class *class, size_t student) {
  if (student == class->count)
    fputs("<b>the workbook&#39;s solution</b>", out);
  else
    write_link(out, &class->students[student]);
}

/* Converts a fraction to percent. Rounds down, so 100 means that all tokens are shared. */
static double percent(double share) { return share < 1 ? floor(100 * share) : 100; }

static void put_source(FILE *out, const Class *class, const Work *work, const bool *shared) {
  size_t lines, number = 1;
  LineLook *looks = look_at(work, shared, &lines);
  fputs("<div><h4>", out);
  put_author(out, class, work->student);
  fputs("</h4><pre>", out);
  for (char *line = work->text, *end; *line; line = end, number++) {
    if (line - work->text > SHOWN_BYTES) {
      fputs("... the rest is not shown\n", out);
      break;
    }
    size_t length = strcspn(line, "\n");
    char kept = line[length];
    line[length] = '\0';
    if (length > LINE_BYTES)
      put_beginning(out, number, line, looks[number]);
    else
      put_line(out, number, line, looks[number]);
    line[length] = kept;
    end = line + length + (kept == '\n');
  }
  fputs("</pre></div>\n", out);
  free(looks);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static void put_pair(FILE *out, const Class *class, const Alike *alike, size_t number) {
  const Pair *pair = &alike->pairs[number];
  const Work *one = &alike->works[pair->lab][pair->a], *other = &alike->works[pair->lab][pair->b];
  bool *in_one = calloc(one->tokens.count + 1, sizeof *in_one);
  bool *in_other = calloc(other->tokens.count + 1, sizeof *in_other);
  if (!in_one || !in_other)
    bad_input("not enough memory for a pair");
  alike_mark(one, other, in_one, in_other);
  fprintf(
      out,
      "<section id=\"pair-%zu\"><h2>%zu: lab %.2s, %.0f and %.0f percent</h2><div class=\"two\">",
      number + 1, number + 1, class->labs[pair->lab]->name, percent(pair->share[0]),
      percent(pair->share[1]));
  put_source(out, class, one, in_one);
  put_source(out, class, other, in_other);
  fputs("</div></section>\n", out);
  free(in_one);
  free(in_other);
}

static void put_row(FILE *out, const Class *class, const Pair *pair, size_t number) {
  fputs("<tr><td class=\"num\">", out);
  if (number < SHOWN)
    fprintf(out, "<a href=\"#pair-%zu\">%zu</a></td>", number + 1, number + 1);
  else
    fprintf(out, "%zu</td>", number + 1);
  fprintf(out, "<td>lab %.2s</td>", class->labs[pair->lab]->name);
  for (size_t i = 0; i < 2; i++) {
    fputs("<td>", out);
    put_author(out, class, pair->student[i]);
    fprintf(out, "</td><td class=\"num right\">%.0f %%</td>", percent(pair->share[i]));
  }
  fputs("</tr>\n", out);
}

static void put_group(FILE *out, const Class *class, const Alike *alike, size_t from, size_t end) {
  const Same *first = &alike->same[from];
  fprintf(out, "<li>lab %.2s: ", class->labs[first->lab]->name);
  for (size_t i = from; i < end; i++) {
    fputs(i > from ? ", " : "", out);
    write_link(out, &class->students[alike->works[first->lab][alike->same[i].work].student]);
  }
  fprintf(out, "%s</li>\n", first->is_solution ? ": <b>the workbook&#39;s own solution</b>" : "");
}

/* Writes each group of equal files once, instead of all pairs of its members. */
static void put_groups(FILE *out, const Class *class, const Alike *alike) {
  if (!alike->group_count)
    return;
  fputs("<section><h2>The same file, comments and all</h2><ul>\n", out);
  for (size_t from = 0, end; from < alike->same_count; from = end) {
    end = alike_same_end(alike, from);
    put_group(out, class, alike, from, end);
  }
  fputs("</ul></section>\n", out);
}

static void put_pairs(FILE *out, const Class *class, const Alike *alike) {
  if (!alike->pair_count)
    return;
  fputs("<div class=\"scroll\"><table class=\"list\"><thead><tr><th "
        "scope=\"col\">pair</th><th scope=\"col\">where</th><th scope=\"col\">one</th><th "
        "scope=\"col\" "
        "class=\"right\">shared</th><th scope=\"col\">other</th><th scope=\"col\" "
        "class=\"right\">shared"
        "</th></tr></thead><tbody>\n",
        out);
  for (size_t i = 0; i < alike->pair_count; i++)
    put_row(out, class, &alike->pairs[i], i);
  fputs("</tbody></table></div>\n", out);
  for (size_t i = 0; i < alike->pair_count && i < SHOWN; i++)
    put_pair(out, class, alike, i);
}

static void put_page(FILE *out, const Class *class, const Alike *alike) {
  page_head(out, class->title, page_css);
  fputs("<body><header><h1>Look-alikes of ", out);
  markup_text(out, class->title);
  fputs("</h1><p>Pairs of submissions that share more than the handout explains: names, comments, "
        "layout and the order of functions do not count. The percentages say how much of what each "
        "wrote "
        "the other has, too; the workbook&#39;s solution counts as one more. <b>This does not "
        "tell who wrote it: talk to both.</b> Only the beginning of a very long work is compared, "
        "and works of a few lines are not compared at all. Where many are like each other, only "
        "those that are the same are listed.</p></header>\n<main>",
        out);
  put_groups(out, class, alike);
  put_pairs(out, class, alike);
  fputs("</main></body></html>\n", out);
}

size_t alike_write(const Class *class, const char *handouts) {
  Alike alike = alike_find(class, handouts);
  size_t count = alike.pair_count + alike.group_count;
  char path[1024];
  snprintf(path, sizeof path, "%s/alike.html", class->folder);
  if (count) {
    ClassFile file = class_open(class, "alike.html");
    put_page(file.out, class, &alike);
    class_close(&file);
  } else if (unlink(path) != 0 && errno != ENOENT) {
    bad_input("%s: cannot be removed (%s)", path, strerror(errno));
  }
  alike_free(&alike);
  return count;
}
