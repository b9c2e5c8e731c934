/* Formats numbers for the terminal and the page. */
#include <math.h>
#include <string.h>

#include "profile.h"

const char *count_text(uint64_t value, char out[NUMBER_ROOM]) {
  const char *unit = "kMGTPE";
  double v = (double)value;
  if (value < 1000) {
    snprintf(out, NUMBER_ROOM, "%u", (unsigned)value);
    return out;
  }
  v /= 1000;
  while (v >= 999.5 && unit[1]) {
    v /= 1000;
    unit++;
  }
  snprintf(out, NUMBER_ROOM, v < 9.95 ? "%.1f%c" : "%.0f%c", v, *unit);
  return out;
}

const char *rate_text(double value, char out[NUMBER_ROOM]) {
  if (isnan(value))
    *out = 0;
  else
    snprintf(out, NUMBER_ROOM, fabs(value - round(value)) < 0.005 ? "%.0f" : "%.1f", value);
  return out;
}

const char *share_text(uint64_t part, uint64_t whole, char out[NUMBER_ROOM]) {
  double share = 100 * share_of(part, whole);
  if (isnan(share) || part == 0)
    *out = 0;
  else
    snprintf(out, NUMBER_ROOM, share < 1 ? "<1%%" : "%.0f%%", share);
  return out;
}

void finding_share(const Finding *f, char *out, size_t size) {
  char share[NUMBER_ROOM];
  const char *of;
  const Tally *t = &f->tally;
  if (f->kind == FINDING_IDLE_LANES || f->kind == FINDING_LOCAL) {
    share_text(t->executed, t->all_executed, share);
    of = "instructions";
  } else if (f->kind == FINDING_CONFLICTS || f->kind == FINDING_SHARED_LOADS) {
    share_text(t->shared.moved, t->all_wavefronts, share);
    of = "shared traffic";
  } else {
    share_text(t->global.moved, t->all_sectors, share);
    of = "global traffic";
  }
  snprintf(out, size, "%.*s\u00a0%% of its %s", (int)strcspn(share, "%"), share, of);
}
