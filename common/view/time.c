/* Writes the section about the predicted time on a card: a table of all kernels, and details of one
 * kernel. The details are the use of the pipes and memories, the stall reasons, the occupancy, a
 * roofline and a timeline.
 */
#include <stdlib.h>
#include <string.h>

#include "emulator/state/device.h"
#include "emulator/words.h"
#include "view.h"

static bool any_predicted(const Recording *r) {
  for (size_t i = 0; i < r->kernel_count; i++)
    if (r->kernels[i].predicted)
      return true;
  return false;
}

bool has_time(const View *v) { return any_predicted(v->recording); }

/* ---- all kernels ----------------------------------------------------------------------------- */
static void write_row(const View *v, const Kernel *k) {
  const Predicted *p = k->predicted;
  char time[NUMBER_ROOM];
  Wait wait = longest_stall(p->waits);
  fputs("<tr><th scope=\"row\"><code>", v->out);
  html_text(v->out, "%s", k->name);
  fputs("</code></th>", v->out);
  fputs("<td class=\"num\">", v->out);
  html_text(v->out, "%s", time_text(p->us, time));
  fputs("</td><td>", v->out);
  html_text(v->out, "%s", busy_sentence(predicted_busiest(p)));
  fputs("</td><td class=\"num\">", v->out);
  html_text(v->out, "%.0f %%", 100 * p->busy[predicted_busiest(p)]);
  fputs("</td><td class=\"num\">", v->out);
  if (wait != WAIT_SELECTED)
    html_text(v->out, "%s (%.0f %%)", stall_name(wait), 100 * p->waits[wait]);
  fputs("</td><td class=\"num\">", v->out);
  html_text(v->out, "%u of %u", p->warps, p->most_warps);
  fputs("</td><td class=\"num\">", v->out);
  html_text(v->out, "%u", p->registers);
  fputs("</td></tr>\n", v->out);
}

static void write_table(const View *v) {
  fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"table of predicted "
        "times\"><table><thead><tr>"
        "<th scope=\"col\">kernel</th><th scope=\"col\">one launch</th><th "
        "scope=\"col\">busiest</th><th "
        "scope=\"col\">busy</th><th scope=\"col\">warps wait most for</th><th scope=\"col\">warps "
        "that fit</th><th "
        "scope=\"col\">registers</th></tr></thead><tbody>\n",
        v->out);
  for (size_t i = 0; i < v->recording->kernel_count; i++)
    if (v->recording->kernels[i].predicted)
      write_row(v, &v->recording->kernels[i]);
  fputs("</tbody></table></div>\n", v->out);
  char legend[600];
  longest_stalls_legend(v->recording, legend, sizeof legend);
  fputs("<p class=\"dim\">", v->out);
  html_text(v->out, "%s", legend);
  fputs("</p>\n", v->out);
}

/* ---- one kernel ------------------------------------------------------------------------------ */
static void write_bar(const View *v, const char *name, const char *meaning, double share) {
  fputs("<tr><th scope=\"row\">", v->out);
  html_text(v->out, "%s", name);
  fprintf(v->out, "</th><td class=\"num meter\"><span class=\"bar\" style=\"width:%.0f%%\"></span>",
          100 * share);
  html_text(v->out, "%.0f %%", 100 * share);
  fputs("</td><td>", v->out);
  html_text(v->out, "%s", meaning);
  fputs("</td></tr>\n", v->out);
}

static void begin_bars(const View *v, const char *heading, const char *note, const char *caption) {
  fputs("<h3>", v->out);
  html_text(v->out, "%s", heading);
  fputs("</h3>", v->out);
  if (note) {
    fputs("<p>", v->out);
    html_text(v->out, "%s", note);
    fputs("</p>", v->out);
  }
  fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"", v->out);
  html_text(v->out, "%s", caption);
  fputs("\"><table class=\"bars\"><tbody>\n", v->out);
}

static void write_busy(const View *v, const Predicted *p) {
  begin_bars(v, "How busy the parts are",
             "Those of the multiprocessors that have a block; l2 and dram are the whole card's.",
             "shares of the time that a part is busy");
  for (Resource r = 0; r < RESOURCES; r++)
    if (p->busy[r] >= 0.005)
      write_bar(v, busy_name(r), busy_sentence(r), p->busy[r]);
  fputs("</tbody></table></div>\n", v->out);
}

static void write_waits(const View *v, const Predicted *p) {
  begin_bars(v, "What its warps do and wait for", NULL, "shares of the time of resident warps");
  for (Wait w = 0; w < WAITS; w++)
    if (p->waits[w] >= 0.005)
      write_bar(v, stall_name(w), stall_meaning(w), p->waits[w]);
  fputs("</tbody></table></div>\n", v->out);
}

/* Writes the number of waves of the grid, which the page calls turns, and the number of blocks in
 * the last wave. */
static void write_turns(const View *v, const Predicted *p) {
  double blocks = predicted_grid(p), places, last, turns = predicted_turns(p, &places, &last);
  char number[2][COUNT_BYTES];
  if (turns < 2)
    html_text(v->out, "The grid has %s blocks, and the card places for %s: all run at once.",
              sentence_count(number[0], blocks), sentence_count(number[1], places));
  else
    html_text(
        v->out,
        "The grid has %s blocks, and the card places for %s at a time: a block that finds "
        "none waits until another ends. That makes %.0f turns; the last has %.0f block%s, and "
        "%.0f places stay empty.",
        sentence_count(number[0], blocks), sentence_count(number[1], places), turns, last,
        last == 1 ? "" : "s", places - last);
}

/* Writes the occupancy: how many blocks fit into a multiprocessor, and which resource limits them.
 */
static void write_occupancy(const View *v, const Kernel *k) {
  const Predicted *p = k->predicted;
  const Device *card = device_named(p->card);
  const double blocks = predicted_grid(p);
  fputs("<h3>Occupancy, and how the grid fills the card</h3><p>", v->out);
  html_text(v->out,
            "%u block%s of %u warps fit%s into a multiprocessor at a time, %u of %u warps "
            "(%.0f\u00a0%%); "
            "more would need more %s than it has. ",
            p->blocks, p->blocks == 1 ? "" : "s", p->blocks ? p->warps / p->blocks : 0,
            p->blocks == 1 ? "s" : "", p->warps, p->most_warps,
            p->most_warps ? 100.0 * p->warps / p->most_warps : 0,
            strcmp(p->occupancy_limit, "shared") ? p->occupancy_limit : "shared memory");
  html_text(v->out, "A thread needs about %u registers. ", p->registers);
  if (p->spilled)
    html_text(v->out, "%u more do not fit and live in local memory, which is slow. ", p->spilled);
  html_text(v->out, "On average %.1f warps were in it at a time. ", p->achieved);
  if (card && blocks < card->sms)
    html_text(v->out,
              "The grid has %.0f blocks for %u multiprocessors: %.0f of them get nothing to do. "
              "More blocks%s would reach more of them.",
              blocks, card->sms, card->sms - blocks,
              k->block[0] * k->block[1] * k->block[2] > 2 * LANES ? ", of fewer threads each,"
                                                                  : "");
  else if (card && p->blocks)
    write_turns(v, p);
  fputs("</p>\n", v->out);
}

typedef bool (*Draw)(FILE *, const Kernel *, const char *id);

static void write_picture(View *v, const Kernel *k, Draw draw, const char *caption) {
  char id[32], *picture = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&picture, &length);
  snprintf(id, sizeof id, "time%u", v->maps++);
  bool drawn = draw(out, k, id);
  fclose(out);
  if (drawn) {
    fputs("<figure><div class=\"scroll\" tabindex=\"0\" role=\"group\" "
          "aria-label=\"picture\">",
          v->out);
    fwrite(picture, 1, length, v->out);
    fputs("</div><figcaption>", v->out);
    html_text(v->out, "%s", caption);
    fputs("</figcaption></figure>\n", v->out);
  }
  free(picture);
}

const Kernel *timed_kernel(const View *v) {
  return v->lead && v->lead->predicted ? v->lead : longest_kernel(v->recording, v->source);
}

void write_how_long(const View *v) {
  const Kernel *k = timed_kernel(v);
  char sentence[400];
  predicted_sentence(k->predicted, sentence, sizeof sentence);
  fputs("<p class=\"what\">", v->out);
  html_text(v->out, "%s %s.", k->name, sentence);
  fputs("</p>", v->out);
}

/* Describes the timeline: the number of clocks per square, and where the picture ends. */
static void say_timeline(const Predicted *p, char *out, size_t size) {
  const Timeline *t = &p->timeline;
  char shown[COUNT_BYTES], whole[COUNT_BYTES];
  double all;
  int used =
      snprintf(out, size,
               "The multiprocessor that has the most blocks, from the launch on. A square is "
               "%u clocks of a warp, in the colour of what it did for most of them. A warp "
               "issues in few of its clocks, so its squares show what it waits for; where a "
               "whole column waits, there is little left that could issue.",
               t->clocks);
  if (timeline_cut(p, &all) && used > 0 && (size_t)used < size)
    snprintf(out + used, size - (size_t)used,
             " The picture ends after %s of about %s clocks: further on the model did not follow "
             "the warps one by one.",
             sentence_count(shown, (double)(timeline_columns(t) * t->clocks)),
             sentence_count(whole, all));
}

static void write_one(View *v, const Kernel *k) {
  char error[STATED_ERROR_BYTES];
  write_how_long(v);
  fputs("<p class=\"dim\">", v->out);
  html_text(v->out, "A prediction: %s. Marks never depend on predicted times.",
            stated_error_text(error, k->predicted->limit));
  if (k->predicted->unknown)
    html_text(v->out, " What the model does not know of this kernel: %s.", k->predicted->unknown);
  fputs("</p>\n", v->out);
  write_table(v);
  write_busy(v, k->predicted);
  write_waits(v, k->predicted);
  write_occupancy(v, k);
  write_picture(
      v, k, draw_roofline,
      "The roofs of the whole card, and the kernel below them: once for each memory it uses, "
      "at the bytes it asks of that one. The roofs of device memory, L2 and the multiply-adds are "
      "rates that kernels reach, less than the data sheet's numbers. L1 and shared memory have "
      "the bytes of each clock. The dashes show how far the kernel is from its roof; "
      "from one grid line to the next is a factor of ten.");
  char caption[600];
  say_timeline(k->predicted, caption, sizeof caption);
  write_picture(v, k, draw_timeline, caption);
}

void write_time(View *v) {
  const Kernel *k = timed_kernel(v);
  if (!k)
    return;
  fputs(
      "<section id=\"time\" aria-labelledby=\"time-h\"><h2 id=\"time-h\">How long, and why</h2>\n",
      v->out);
  write_one(v, k);
  fputs("</section>\n", v->out);
}
