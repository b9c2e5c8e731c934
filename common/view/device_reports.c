/* Writes the section with the device's reports, such as races and accesses out of bounds. Each
 * report shows the source lines and the threads of its accesses. */
#include <string.h>

#include "emulator/words.h"
#include "view.h"

static void write_who(const View *v, const char *file, unsigned line, bool threads,
                      const unsigned thread[3], const unsigned block[3], const char *did) {
  if (!file)
    return;
  char who[WHO_BYTES];
  fputs("<li>", v->out);
  html_place(v, file, line);
  if (did && !threads)
    html_text(v->out, ": %s", did);
  else if (did)
    html_text(v->out, ": %s %s", who_text(who, thread, block), did);
  fputs("</li>", v->out);
}

/* Draws the two possible orders of the accesses of a race, side by side if the window is wide
 * enough. */
static void write_orders(const View *v, const Mistake *m, size_t number) {
  if (!has_orders(m))
    return;
  fputs("<figure class=\"orders\">", v->out);
  for (int turned = 0; turned < 2; turned++) {
    char id[40];
    snprintf(id, sizeof id, "order%zu-%d", number, turned);
    draw_order(v->out, m, turned, id);
  }
  fputs("<figcaption>Nothing in the program decides between the two.</figcaption></figure>",
        v->out);
}

static void write_report(const View *v, const Mistake *m, size_t number) {
  bool error = !strcmp(m->severity, "error");
  fprintf(v->out, "<li class=\"report\"><p class=\"what\"><span class=\"%s\">",
          error ? "bad" : "dim");
  html_text(v->out, "%s:", m->severity);
  fputs("</span> ", v->out);
  html_text(v->out, "%s", m->sentence);
  if (m->kernel)
    html_text(v->out, ", in %s", m->kernel);
  fputs("</p><ul>", v->out);
  write_who(v, m->file, m->line, m->threads, m->thread, m->block, m->did ? m->did : "did this");
  write_who(v, m->other_file, m->other_line, m->other_threads, m->other_thread, m->other_block,
            m->other_did);
  fputs("</ul>", v->out);
  write_orders(v, m, number);
  if (m->detail) {
    fputs("<p>", v->out);
    html_text(v->out, "%s", m->detail);
    fputs("</p>", v->out);
  }
  if (m->cause) {
    fputs("<p>", v->out);
    html_text(v->out, "%s", m->cause);
    fputs("</p>", v->out);
  }
  fputs("</li>\n", v->out);
}

void write_reports(const View *v) {
  const Recording *r = v->recording;
  fputs("<section id=\"reports\" aria-labelledby=\"reports-h\"><h2 id=\"reports-h\">"
        "Mistakes that the device found</h2>\n",
        v->out);
  if (!r->mistake_count && v->recording->damage[0])
    fputs("<p>None, as far as the program came.</p>", v->out);
  else if (!r->mistake_count)
    fputs("<p>None: no access out of bounds, no race, no memory read that nothing "
          "wrote.</p>",
          v->out);
  else
    fputs("<p>The numbers on this page are those of a program with mistakes.</p><ol>\n", v->out);
  for (size_t i = 0; i < r->mistake_count; i++)
    write_report(v, &r->mistakes[i], i);
  fputs(r->mistake_count ? "</ol></section>\n" : "</section>\n", v->out);
}
