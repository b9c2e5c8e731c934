/* Writes the whole page. Its content security policy forbids scripts and other files. */
#include "view.h"

/* The first byte of the style sheet page.css, and the byte after its end. */
extern const char page_css[], page_css_end[];
__asm__(".section .rodata\n"
        ".globl page_css, page_css_end\n"
        "page_css: .incbin \"common/view/page.css\"\n"
        "page_css_end: .byte 0\n"
        ".text\n");

/* Writes the CSS for a page with several kernels: it shows the numbers, colours and maps of the
 * chosen kernel only. The selectors start at .pick, a sibling of the listing. With body:has(...)
 * Chromium would search the page once per line, which takes seconds on a long page. */
static void write_choice_style(const View *v) {
  for (size_t k = 0; v->recording->kernel_count > 1 && k < v->recording->kernel_count; k++) {
    char chosen[64];
    snprintf(chosen, sizeof chosen, ".pick:has(#pick%zu:checked)~.listing", k);
    fprintf(v->out, "%s .k:not(.k%zu){display:none}\n", chosen, k);
    for (int level = 1; level <= 4; level++)
      fprintf(v->out,
              "%s .k%zuh%d>summary{background:var(--h%d)}"
              "%s .k%zuh%d>summary .no{color:var(--ink)}\n",
              chosen, k, level, level, chosen, k, level);
  }
}

static void write_head(const View *v) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
        v->out);
  html_text(v->out, "%s", v->title);
  fputs("</title>\n<style>\n", v->out);
  fwrite(page_css, 1, (size_t)(page_css_end - page_css), v->out);
  write_choice_style(v);
  fprintf(v->out, "@media (prefers-color-scheme:dark){%s}\n</style></head>\n", svg_dark_style());
}

static void write_header(const View *v, bool compiled, bool ran) {
  fputs("<body><a class=\"skip\" href=\"#source\">to the source</a>\n<header><h1>", v->out);
  html_text(v->out, "%s", v->title);
  fputs("</h1><p class=\"dim\">", v->out);
  html_text(v->out, "%s", v->subtitle ? v->subtitle : "emulated device");
  if (v->command) {
    fputs(" · made anew by ", v->out);
    html_command(v->out, v->command);
  }
  fputs("</p><nav aria-label=\"sections\"><ul>", v->out);
  if (has_marks(v))
    fputs("<li><a href=\"#verdict\">Verdict</a></li>", v->out);
  if (!compiled)
    fputs("<li><a href=\"#compiler\">Compiler</a></li>", v->out);
  else
    fputs("<li><a href=\"#reports\">Mistakes</a></li>", v->out);
  if (ran && !v->withheld)
    fputs("<li><a href=\"#worst\">What costs most</a></li><li><a "
          "href=\"#kernels\">Kernels</a></li>",
          v->out);
  if (has_time(v) && !v->withheld)
    fputs("<li><a href=\"#time\">How long</a></li>", v->out);
  if (ran && !v->withheld)
    fputs("<li><a href=\"#words\">Words</a></li>", v->out);
  fputs("<li><a href=\"#source\">Line by line</a></li>", v->out);
  fputs("</ul></nav></header>\n<main>\n", v->out);
}

static void write_compiler(const View *v) {
  fputs("<section id=\"compiler\" aria-labelledby=\"compiler-h\"><h2 id=\"compiler-h\">It does not "
        "compile</h2><pre class=\"scroll\" tabindex=\"0\">",
        v->out);
  html_text(v->out, "%s", v->compile_log);
  fputs("</pre></section>\n", v->out);
}

static void write_glossary(const View *v) {
  fputs(
      "<section id=\"words\" class=\"glossary\" aria-labelledby=\"words-h\"><h2 id=\"words-h\">The "
      "words on this page</h2><dl>"
      "<dt>warp, lane</dt><dd>32 threads with neighbouring numbers run together, each instruction "
      "for all 32 at once: a warp. Each of the 32 is a lane.</dd>"
      "<dt>request</dt><dd>One instruction of a warp that loads or stores: up to 32 addresses at "
      "once.</dd>"
      "<dt>sector</dt><dd>Global memory moves in pieces of 32 bytes. A request of 32 neighbouring "
      "floats needs 4 sectors; one of 32 floats far apart needs 32, eight times as much.</dd>"
      "<dt>bank</dt><dd>Shared memory lies in 32 banks, word after word: word w is in bank "
      "w&nbsp;mod&nbsp;32. A bank hands out one word at a time, to all lanes that want that "
      "one.</dd>"
      "<dt>wavefront, bank conflict</dt><dd>One round in which every bank may hand out a word. "
      "Lanes "
      "that want different words of the same bank need several: each round beyond what the size "
      "of a lane's word alone would need is a bank conflict.</dd>"
      "<dt>multiprocessor</dt><dd>A card has many. Each takes whole blocks, as many as its "
      "registers, shared memory and places for warps allow (<em>occupancy</em>), and the next one "
      "when a block ends.</dd>"
      "<dt>scheduler, issue</dt><dd>A multiprocessor has a few schedulers. Each picks a warp every "
      "clock, if one can go on, and sends its next instruction on its way: it issues.</dd>"
      "<dt>latency</dt><dd>How long an instruction takes until others may use what it computes or "
      "loads. Other warps issue meanwhile; where all wait, the time is lost.</dd>"
      "<dt>L1, L2, device memory (dram)</dt><dd>Where global memory's sectors come from: the cache "
      "of a multiprocessor, the cache of the card, its memory chips; each slower than the one "
      "before.</dd></dl></section>\n",
      v->out);
}

/* If the program did not end normally, writes why some numbers are missing. */
static void write_ending(const View *v) {
  const char *why = v->recording->damage;
  if (v->status == 124) {
    fputs("<p class=\"note\"><strong>The program was stopped: it came to no end by "
          "itself.</strong> Is there a loop whose condition stays true? Numbers of kernels are "
          "written at its end, so they are missing.</p>",
          v->out);
  } else if (v->status > 128) {
    fputs("<p class=\"note\"><strong>", v->out);
    html_text(v->out, "The program crashed (signal %d).", v->status - 128);
    fputs("</strong> Numbers of kernels are written at its end, so they are missing.</p>", v->out);
  } else if (*why) {
    fputs("<p class=\"note\">", v->out);
    html_text(v->out, "%s", why);
    fputs("</p>", v->out);
  }
}

void write_page(View *v) {
  bool ran = v->recording->kernel_count > 0;
  write_head(v);
  write_header(v, !v->compile_log, ran);
  write_glance(v);
  if (has_marks(v))
    write_marks(v);
  if (v->compile_log) {
    write_compiler(v);
  } else {
    write_ending(v);
    write_reports(v);
    if (!ran && !v->recording->damage[0])
      fputs("<p class=\"note\">The program launched no kernel.</p>\n", v->out);
  }
  if (ran && !v->withheld) {
    write_before(v);
    write_worst(v);
    write_kernels(v);
    write_time(v);
    write_glossary(v);
  }
  write_listings(v);
  fputs("</main>\n</body></html>\n", v->out);
}
