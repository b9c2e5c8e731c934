/* Prints the page in the terminal: the most expensive lines with advice, the kernels, then the
 * source with its counters on the left. Lines are at most as wide as the terminal, and at most 100
 * columns. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/screen.h"
#include "profile.h"

enum {
  MOST_WIDTH = 100,
  MOST_FINDINGS = 3,
  CONTEXT = 1,   /* lines printed above and below a line with counters */
  SMALL_GAP = 4, /* longest gap between two contexts that is printed */
  TAB = 4,
  MOST_INDENT = 12
};

typedef struct Paint {
  const char *worst, *other, *dim, *bold, *off;
} Paint;

typedef struct Writer {
  FILE *out;
  int width;
  Paint paint;
  const Source *source;
  /* The findings that the page lists. */
  const Finding *listed[MOST_FINDINGS];
  size_t listed_count;
  /* Findings.small */
  bool small;
} Writer;

/* ---- text ------------------------------------------------------------------------------------ */
static bool is_start(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

static int width_of(const char *text) { return screen_places(text, SIZE_MAX); }

static int advance(char c, int column) { return c == '\t' ? TAB - column % TAB : is_start(c); }

/* Prints as much of a line as fits into `room` columns. Tabs become blanks, and "…" replaces the
 * text that is cut off. If the line is too long, a deep indentation is shortened first. */
static void print_cut(FILE *out, const char *text, int room) {
  int width = 0, indent = 0, column = 0;
  for (const char *c = text; *c; c++)
    width += advance(*c, width);
  for (; *text == ' ' || *text == '\t'; text++)
    indent += advance(*text, indent);
  if (width > room && indent > MOST_INDENT) {
    width -= indent - MOST_INDENT;
    indent = MOST_INDENT;
  }
  fprintf(out, "%*s", indent, "");
  for (column = indent; *text; text++) {
    int wide = advance(*text, column);
    if (width > room && wide && column + wide > room - 1) {
      fputs("…", out);
      return;
    }
    column += wide;
    if (*text == '\t')
      fprintf(out, "%*s", wide, "");
    else
      fputc(*text, out);
  }
}

/* Prints text after a label, wrapped between words. Continuation lines are aligned with the
 * first. */
static void print_wrapped(const Writer *w, int indent, const char *label, const char *text) {
  screen_wrapped(w->out, indent, label, text, w->width);
}

/* ---- what costs most ------------------------------------------------------------------------- */
static const char *source_text(const Source *s, const char *file, unsigned line) {
  const char *text = s && same_file(file, s->path) ? source_line(s, line) : NULL;
  return text ? text + strspn(text, " \t") : NULL;
}

/* Formats for example "worst line 36, matmul and 1 other: 97% of its global traffic". */
static void say_where(char *out, size_t size, const Finding *f, bool worst, bool in_source) {
  char others[32] = "", share[64];
  if (f->more_kernels)
    snprintf(others, sizeof others, " and %u other%s", f->more_kernels,
             f->more_kernels > 1 ? "s" : "");
  finding_share(f, share, sizeof share);
  snprintf(out, size, "%s line %u%s%s, %s%s: %s", worst ? "worst" : "then", f->line,
           in_source ? "" : " of ", in_source ? "" : f->file, f->kernel->name, others, share);
}

static void print_finding(const Writer *w, size_t number) {
  const Finding *f = w->listed[number];
  const char *text = source_text(w->source, f->file, f->line);
  Advice advice = advise(f, w->source);
  char label[8], where[400];
  snprintf(label, sizeof label, "%zu  ", number + 1);
  say_where(where, sizeof where, f, number == 0, text);
  fputs(number ? w->paint.other : w->paint.worst, w->out);
  print_wrapped(w, 0, label, where);
  fputs(w->paint.off, w->out);
  if (text) {
    fprintf(w->out, "      ");
    print_cut(w->out, text, w->width - 6);
    fputc('\n', w->out);
  }
  print_wrapped(w, 3, "", advice.what);
  print_wrapped(w, 3, "", advice.why);
  print_wrapped(w, 3, "try: ", advice.attempt);
  fputc('\n', w->out);
}

static void print_findings(const Writer *w, const Recording *r, const Page *page) {
  for (size_t i = 0; i < w->listed_count; i++)
    print_finding(w, i);
  if (!w->listed_count && recording_is_wrong(r))
    fprintf(w->out, "First repair the mistake; then this page shows what makes it faster.\n\n");
  else if (!w->listed_count && touches_memory(r, w->source) && w->small)
    fprintf(
        w->out,
        "No line wastes 5 %% of its kernel's traffic. Columns s/req and c/req show the rest.\n\n");
  else if (!w->listed_count && touches_memory(r, w->source))
    fprintf(w->out, "No line wastes traffic: accesses are coalesced, banks do not conflict.\n\n");
  else if (!w->listed_count)
    fprintf(w->out, "Your kernels touch no memory yet%s%s. The given ones:\n\n",
            page->again ? "; next: " : "", page->again ? page->again : "");
}

/* ---- the kernels ----------------------------------------------------------------------------- */
static int name_width(const Recording *r, int most) {
  int width = 6;
  for (size_t i = 0; i < r->kernel_count; i++)
    if (width_of(r->kernels[i].name) > width)
      width = width_of(r->kernels[i].name);
  return width < most ? width : most;
}

static void print_kernel(const Writer *w, const Kernel *k, int name) {
  Tally t = tally_kernel(k);
  char cell[7][NUMBER_ROOM], row[200], shape[80];
  int used = snprintf(row, sizeof row, "%-*.*s %5s %5s %5s  %7s %5s  %5s %5s", name, name, k->name,
                      count_text(k->launches, cell[0]), count_text(t.executed, cell[1]),
                      rate_text(active_lanes(&t), cell[2]),
                      t.global.moved ? count_text(t.global.moved, cell[3]) : "",
                      rate_text(per_request(&t.global), cell[4]),
                      t.shared.moved ? count_text(t.shared.moved, cell[5]) : "",
                      rate_text(excess_per_request(&t.shared), cell[6]));
  int wide = snprintf(shape, sizeof shape, "%ux%ux%u blocks of %ux%ux%u", k->grid[0], k->grid[1],
                      k->grid[2], k->block[0], k->block[1], k->block[2]);
  if (used + 4 + wide <= w->width)
    used += snprintf(row + used, sizeof row - (size_t)used, "  %s", shape);
  if (w->source && source_gives(w->source, k))
    used += snprintf(row + used, sizeof row - (size_t)used, " *");
  while (used > 0 && row[used - 1] == ' ')
    used--;
  fprintf(w->out, "%.*s\n", used, row);
}

static void print_kernels(const Writer *w, const Recording *r) {
  int name = name_width(r, w->width - 50);
  bool given = false, together = false;
  fprintf(w->out, "%s%-*s                     global        shared\n", w->paint.bold, name, "");
  fprintf(w->out, "%-*s  runs instr lanes  sectors s/req  waves c/req%s\n", name, "kernel",
          w->paint.off);
  for (size_t i = 0; i < r->kernel_count; i++) {
    print_kernel(w, &r->kernels[i], name);
    given = given || (w->source && source_gives(w->source, &r->kernels[i]));
    together |= r->kernels[i].launches > 1;
  }
  if (together)
    fprintf(w->out, "runs: launches of the kernel; what is counted is of all of them together\n");
  if (given)
    fprintf(w->out, "* given with the lab, not to be changed\n");
}

/* ---- the predicted time ---------------------------------------------------------------------- */
static void print_prediction(const Writer *w, const Recording *r) {
  const Kernel *k = longest_kernel(r, w->source);
  char sentence[400], text[700], error[STATED_ERROR_BYTES];
  if (!k)
    return;
  predicted_sentence(k->predicted, sentence, sizeof sentence);
  snprintf(text, sizeof text, "%s %s.%s%s%s", k->name, sentence,
           k->predicted->unknown ? " What the model does not know: " : "",
           k->predicted->unknown ? k->predicted->unknown : "", k->predicted->unknown ? "." : "");
  print_wrapped(w, 0, "", text);
  fprintf(w->out, "%s", w->paint.dim);
  snprintf(text, sizeof text, "predicted: %s", stated_error_text(error, k->predicted->limit));
  print_wrapped(w, 0, "", text);
  fprintf(w->out, "%s\n", w->paint.off);
}

static void print_time(const Writer *w, const Kernel *k, int name) {
  const Predicted *p = k->predicted;
  char time[NUMBER_ROOM], warps[24], waits[40] = "";
  Wait wait = longest_stall(p->waits);
  time_text(p->us, time);
  snprintf(warps, sizeof warps, "%u/%u", p->warps, p->most_warps);
  if (wait != WAIT_SELECTED)
    snprintf(waits, sizeof waits, "%-18s %3.0f%%", stall_name(wait), 100 * p->waits[wait]);
  fprintf(w->out, "%-*.*s  %*s%s  %-7s %4.0f%%  %-23s  %4u %6s%s\n", name, name, k->name,
          8 - width_of(time), "", time, p->limit, 100 * p->busy[predicted_busiest(p)], waits,
          p->registers, warps,
          p->spilled   ? " *"
          : p->unknown ? " ?"
                       : "");
}

static void print_times(const Writer *w, const Recording *r) {
  int name = name_width(r, w->width - 65);
  bool spilled = false;
  char card[80] = "";
  for (size_t i = 0; i < r->kernel_count; i++) {
    const Kernel *k = &r->kernels[i];
    if (!k->predicted)
      continue;
    if (!*card) {
      predicted_card(k->predicted, card, sizeof card);
      fprintf(w->out,
              "\n%spredicted for %s, one launch:\n%-*s      time  limit    busy  %-23s  "
              "regs  warps%s\n",
              w->paint.bold, card, name, "kernel", "its warps wait most", w->paint.off);
    }
    print_time(w, k, name);
    spilled = spilled || k->predicted->spilled;
  }
  char legend[600];
  longest_stalls_legend(r, legend, sizeof legend);
  if (*legend)
    print_wrapped(w, 0, "", legend);
  if (spilled)
    fprintf(w->out, "* more registers than a thread may have: the rest are in local memory\n");
}

/* ---- the source ------------------------------------------------------------------------------ */
/* The groups of columns for which a file has values. */
typedef struct Columns {
  bool global, shared, time;
} Columns;

static Columns columns_of(const Tally *lines, size_t count) {
  Columns c = {false, false, false};
  for (size_t i = 0; i < count; i++) {
    c.global = c.global || lines[i].global.requests;
    c.shared = c.shared || lines[i].shared.requests;
    c.time = c.time || lines[i].time > 0;
  }
  return c;
}

/* Prints the headings of the columns. Returns the column in which the source begins. */
static int print_columns_head(const Writer *w, Columns c) {
  fprintf(w->out, "%s  line%s instr lanes%s%s%s\n", w->paint.bold, c.time ? " time wait " : "",
          c.global ? " s/req glob" : "", c.shared ? " c/req shar" : "", w->paint.off);
  return 18 + (c.time ? 11 : 0) + (c.global ? 11 : 0) + (c.shared ? 11 : 0) + 2;
}

/* Returns the position, from 1, of the line in the list of findings; 0 if it is not listed. */
static size_t listed_as(const Writer *w, const char *file, unsigned line) {
  for (size_t i = 0; i < w->listed_count; i++)
    if (w->listed[i]->line == line && !strcmp(w->listed[i]->file, file))
      return i + 1;
  return 0;
}

static void print_waiting(const Writer *w, const Tally *t) {
  Wait wait = t ? longest_stall(t->waits) : WAIT_SELECTED;
  bool any = t && t->time >= 0.005 * t->all_time && t->time > 0;
  if (any)
    fprintf(w->out, " %3.0f%% %-5s", 100 * t->time / t->all_time,
            wait == WAIT_SELECTED ? "" : stall_word(wait));
  else
    fprintf(w->out, "%11s", "");
}

static void print_numbers(const Writer *w, Columns c, const Tally *t) {
  char cell[6][NUMBER_ROOM];
  if (c.time)
    print_waiting(w, t);
  fprintf(w->out, " %5s %5s", t ? count_text(t->executed, cell[0]) : "",
          t ? rate_text(active_lanes(t), cell[1]) : "");
  if (c.global)
    fprintf(w->out, " %5s %4s", t ? rate_text(per_request(&t->global), cell[2]) : "",
            t ? share_text(t->global.moved, t->all_sectors, cell[3]) : "");
  if (c.shared)
    fprintf(w->out, " %5s %4s", t ? rate_text(excess_per_request(&t->shared), cell[4]) : "",
            t ? share_text(t->shared.moved, t->all_wavefronts, cell[5]) : "");
}

static void print_line(const Writer *w, Columns c, const char *file, unsigned number,
                       const Tally *t, const char *text, int margin) {
  size_t listed = t ? listed_as(w, file, number) : 0;
  const char *paint = listed == 1 ? w->paint.worst
                      : listed    ? w->paint.other
                      : t         ? ""
                                  : w->paint.dim;
  fputs(paint, w->out);
  if (listed)
    fprintf(w->out, "%zu>%4u", listed, number);
  else
    fprintf(w->out, "  %4u", number);
  if (t || *text)
    print_numbers(w, c, t);
  if (*text)
    fputs("  ", w->out);
  print_cut(w->out, text, w->width - margin);
  fprintf(w->out, "%s\n", *paint ? w->paint.off : "");
}

static const Tally *tally_at(const Tally *lines, size_t count, const char *file, unsigned line) {
  for (size_t i = 0; i < count; i++)
    if (lines[i].line == line && !strcmp(lines[i].file, file))
      return &lines[i];
  return NULL;
}

/* Chooses the lines to print: lines with counters, their context, and short gaps between them. */
static bool *choose_lines(const Source *s, const Tally *lines, size_t count, const char *file) {
  bool *shown = calloc(s->count + 2, sizeof *shown);
  assert(shown);
  size_t last = 0;
  for (size_t n = 1; n <= s->count; n++) {
    if (!tally_at(lines, count, file, (unsigned)n))
      continue;
    size_t from = last && n - last - 1 <= SMALL_GAP + 2 * CONTEXT ? last : n - CONTEXT;
    for (size_t i = from ? from : 1; i <= n + CONTEXT && i <= s->count; i++)
      shown[i] = true;
    last = n;
  }
  return shown;
}

static void print_file(const Writer *w, const Source *s, const char *file, const Tally *lines,
                       size_t count) {
  Columns c = columns_of(lines, count);
  bool *shown = choose_lines(s, lines, count, file), gap = false;
  fprintf(w->out, "\n%s\n", s->path);
  int margin = print_columns_head(w, c);
  for (unsigned n = 1; n <= s->count; n++) {
    if (!shown[n]) {
      gap = true;
      continue;
    }
    if (gap)
      fprintf(w->out, "%s    ...%s\n", w->paint.dim, w->paint.off);
    gap = false;
    print_line(w, c, file, n, tally_at(lines, count, file, n), s->lines[n - 1], margin);
  }
  free(shown);
}

static void print_legend(const Writer *w, Columns c) {
  char text[1000] = "Of all kernels that run a line together: instr: warp instructions executed; "
                    "lanes: active threads of 32.";
  size_t used = strlen(text);
  if (c.time)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             " time: share of the predicted time; wait: what its warps wait for "
                             "most: long: global memory; short: shared memory; math, mio, lg: "
                             "a pipe or queue that is full; barr: barrier; arith: a result. "
                             "It counts for the line that waits, often after the one that loads.");
  if (c.global)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             " s/req: sectors of 32 bytes per request to global memory; "
                             "glob: share of its traffic (sectors).");
  if (c.shared)
    snprintf(
        text + used, sizeof text - used,
        " c/req: bank conflicts per request to shared memory, a load or store; shar: share of its "
        "traffic (wavefronts).");
  fputc('\n', w->out);
  print_wrapped(w, 0, "", text);
}

/* Prints the student's file first, then other files that contain lines of kernels. */
static void print_files(const Writer *w, const Recording *r) {
  size_t count;
  Tally *lines = tally_lines(r, NULL, &count);
  for (int others = 0; others <= 1; others++)
    for (size_t i = 0; i < count; i++) {
      const char *file = lines[i].file;
      bool first = i == 0 || strcmp(lines[i - 1].file, file) != 0;
      bool own = w->source && same_file(file, w->source->path);
      if (!first || source_is_system(file) || own == others ||
          (others && w->source && w->source->alone))
        continue;
      Source s = source_read(file);
      if (s.count)
        print_file(w, &s, file, lines, count);
      source_free(&s);
    }
  print_legend(w, columns_of(lines, count));
  free(lines);
}

/* ---- the page -------------------------------------------------------------------------------- */
/* Prints a warning that the counters are those of a wrong program. Only reported errors make a
 * program wrong, not reported warnings. */
static void print_mistakes(const Writer *w, const Recording *r, const Page *page) {
  const Mistake *first = NULL;
  size_t count = 0;
  for (size_t i = 0; i < r->mistake_count; i++)
    if (!strcmp(r->mistakes[i].severity, "error")) {
      first = first ? first : &r->mistakes[i];
      count++;
    }
  if (!first)
    return;
  char text[600];
  snprintf(text, sizeof text,
           "%zu mistake%s reported, the first: %.200s%s%s. The numbers below are those of a wrong "
           "program%s%s.",
           count, count > 1 ? "s" : "", first->sentence, first->kernel ? ", in " : "",
           first->kernel ? first->kernel : "", page->again ? ": first " : "",
           page->again ? page->again : "");
  fputs(w->paint.worst, w->out);
  print_wrapped(w, 0, "", text);
  fprintf(w->out, "%s\n", w->paint.off);
}

static void print_nothing(const Writer *w, const Recording *r, const Page *page) {
  char line[500];
  snprintf(line, sizeof line, "%s: %s, so there is nothing to show yet%s%s",
           w->source ? w->source->path : "the program",
           r->kernel_count ? "its kernels ran and touched no memory" : "it launched no kernel",
           page->again ? "; next: " : "", page->again ? page->again : "");
  print_wrapped(w, 0, "", line);
}

bool annotate(FILE *out, const Recording *r, const Source *source, const Findings *findings,
              const Page *page) {
  Writer w = {.out = out, .source = source};
  w.width = page->width < MOST_WIDTH ? page->width : MOST_WIDTH;
  w.paint = page->colours ? (Paint){"\033[1;31m", "\033[33m", "\033[2m", "\033[1m", "\033[0m"}
                          : (Paint){"", "", "", "", ""};
  w.listed_count = findings_choose(findings, w.listed, MOST_FINDINGS);
  w.small = findings->small;
  if (page->title) {
    print_wrapped(&w, 0, "", page->title);
    fputc('\n', out);
  }
  print_mistakes(&w, r, page);
  if (!touches_memory(r, NULL)) {
    print_nothing(&w, r, page);
    return false;
  }
  print_prediction(&w, r);
  print_findings(&w, r, page);
  print_kernels(&w, r);
  print_times(&w, r);
  print_files(&w, r);
  return true;
}
