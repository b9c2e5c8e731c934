/* Writes a report as an HTML page in one file. The page has no script and loads no other file. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "draw/markup.h"
#include "emulator/words.h"
#include "race.h"

/* The style sheet of the page: common/view/page.css followed by common/race/page.css. */
extern const char race_css[], race_css_end[];
__asm__(".section .rodata\n"
        ".globl race_css, race_css_end\n"
        "race_css: .incbin \"common/view/page.css\"\n"
        ".incbin \"common/race/page.css\"\n"
        "race_css_end: .byte 0\n"
        ".text\n");

static void text(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void text(FILE *out, const char *format, ...) {
  char *all = NULL;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&all, format, arguments) >= 0)
    markup_text(out, all);
  va_end(arguments);
  free(all);
}

static void write_head(FILE *out, const Report *r) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
        out);
  text(out, "%s", r->title);
  fputs("</title>\n<style>\n", out);
  fwrite(race_css, 1, (size_t)(race_css_end - race_css), out);
  fputs("</style></head>\n<body><header><h1>", out);
  text(out, "%s", r->title);
  fputs("</h1><p class=\"dim\">emulated device", out);
  if (r->command) {
    fputs(" · made anew by <code>", out);
    text(out, "%s", r->command);
    fputs("</code>", out);
  }
  fputs("</p></header>\n<main>\n", out);
}

/* ---- panels ---------------------------------------------------------------------------------- */
static void write_warp(FILE *out, const Story *s, const Panel *p, int which) {
  const bool acts = p->actor == which;
  fprintf(out, "<div class=\"warp%s\"><b>", acts ? " acts" : "");
  text(out, "%s%s", s->actor[which], acts ? " (acts now)" : "");
  fputs("</b>", out);
  text(out, "%s", p->waits[which]);
  if (acts && p->line && p->file) {
    fputs("<code>", out);
    text(out, "%u  %s", p->line, line_of_source(p->file, p->line));
    fputs("</code>", out);
  }
  fputs("</div>", out);
}

static void write_panel(FILE *out, const Story *s, size_t i, const char *word) {
  const Panel *p = &s->panels[i];
  fprintf(out, "<li class=\"panel\"><p><span class=\"nr\">%zu</span>", i + 1);
  text(out, "%s", p->says);
  fputs("</p>", out);
  if (p->waits[0][0] && p->waits[1][0]) {
    fputs("<div class=\"stage\">", out);
    write_warp(out, s, p, 0);
    fputs("<div class=\"word\"><b>", out);
    text(out, "%s", s->word);
    fprintf(out, "</b><output%s>", p->word[0] ? " class=\"changed\"" : "");
    text(out, "%s", p->word[0] ? p->word : word);
    fputs("</output></div>", out);
    write_warp(out, s, p, 1);
    fputs("</div>", out);
  } else if (p->word[0]) {
    fputs("<div class=\"word\"><b>", out);
    text(out, "%s", s->element);
    fputs("</b><output class=\"changed\">", out);
    text(out, "%s", p->word);
    fputs("</output></div>", out);
  }
  fputs("</li>\n", out);
}

static void write_panels(FILE *out, const Story *s) {
  const char *word = "";
  fputs("<section aria-labelledby=\"panels-h\"><h2 id=\"panels-h\">How it goes wrong</h2>\n"
        "<ol class=\"panels\">\n",
        out);
  for (size_t i = 0; i < s->npanels; i++) {
    write_panel(out, s, i, word);
    word = s->panels[i].word[0] ? s->panels[i].word : word;
  }
  fputs("</ol><p>The other order: ", out);
  text(out, "%s", s->contrast);
  fputs("</p></section>\n", out);
}

/* ---- reports and barriers -------------------------------------------------------------------- */
static void write_race(FILE *out, const Race *r, const char *cause) {
  fputs("<p class=\"what\">", out);
  text(out, "%s", r->sentence);
  fputs("</p><ul>", out);
  for (int i = 0; i < 2; i++) {
    const Place *p = i ? &r->other : &r->at;
    char name[WHO_BYTES] = "a thread";
    if (p->has_thread)
      who_text(name, p->thread, p->block);
    fputs("<li>", out);
    text(out, "line %u: %s %s: ", p->line, name, p->did ? p->did : "was here");
    fputs("<code>", out);
    text(out, "%s", line_of_source(p->file, p->line));
    fputs("</code></li>", out);
  }
  fputs("</ul><p>", out);
  text(out, "%s", cause);
  fputs("</p>\n", out);
}

static void write_proof(FILE *out, const Proof *p) {
  fputs("<section aria-labelledby=\"barriers-h\"><h2 id=\"barriers-h\">The barriers that do this "
        "work</h2>\n",
        out);
  for (size_t i = 0; i < p->count; i++) {
    const Barrier *b = &p->barriers[i];
    fputs("<h3>", out);
    text(out, "line %u", b->line);
    fputs("</h3><pre class=\"quote\">", out);
    text(out, "%s", line_of_source(b->file, b->line));
    fputs("</pre>", out);
    if (!b->tried)
      fputs("<p>There was no time to try the run without it: RACE_SECONDS=60 allows more.</p>",
            out);
    else if (!b->without.nraces)
      fputs("<p>Without it nothing races for this input. One with more rounds may need it.</p>",
            out);
    else
      fputs("<p>Without it:</p>", out), write_race(out, &b->without.races[0], b->happens);
  }
  fputs(p->count ? "</section>\n" : "<p>The run came to no barrier.</p></section>\n", out);
}

void page_write(FILE *out, const Report *r) {
  char verdict[700];
  write_head(out, r);
  fputs("<p class=\"note\"><strong>", out);
  text(out, "%s", verdict_text(r, verdict, sizeof verdict));
  fputs("</strong></p>\n", out);
  if (r->story && r->story->npanels)
    write_panels(out, r->story);
  const Race *race = r->story && r->story->race ? r->story->race
                     : r->found->plain.nraces   ? r->found->plain.races
                                                : NULL;
  if (race) {
    fputs(
        "<section aria-labelledby=\"report-h\"><h2 id=\"report-h\">What the device reports</h2>\n",
        out);
    write_race(out, race, race->cause);
    fputs("</section>\n", out);
  }
  if (r->proof)
    write_proof(out, r->proof);
  fputs("</main>\n</body></html>\n", out);
}
