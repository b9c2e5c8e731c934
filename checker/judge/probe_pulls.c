/* Bodies, taken apart: each one alone pulls the others, so each pull is seen by itself. */
#include "probe.h"

#include <math.h>
#include <stdlib.h>

/* What body k, alone, does to body i: so many times what it should, along that and across; and at which distance. */
typedef struct Pull {
  size_t body, k;
  double along, across, distance;
  double wanted[2], got[2];
} Pull;

static Pull pull_of(const JudgedRun *run, size_t element_bytes, const ResultFile *output, size_t n,
                    size_t body, size_t k) {
  const Recipe recipe = {FILL_LIT, k};
  const Problem *problem = run->subject->problem;
  double r[2], by[2], d2 = 0, size = 0;
  Pull pull = {.body = body, .k = k};
  for (size_t c = 0; c < 2; c++) {
    r[c] = problem->fill(&recipe, run->size, NBODY_R0, body, c);
    by[c] = problem->fill(&recipe, run->size, NBODY_R0, k, c);
    if (element_bytes == sizeof(float)) {
      r[c] = (float)r[c];
      by[c] = (float)by[c];
    }
    d2 += (by[c] - r[c]) * (by[c] - r[c]);
  }
  pull.distance = sqrt(d2);
  for (size_t c = 0; c < 2; c++) {
    size_t at = ((k * 2 + 1) * n + body) * 2 + c;
    pull.wanted[c] = NBODY_MG * NBODY_TAU * NBODY_TAU / 2 * (by[c] - r[c]) / (d2 * pull.distance);
    pull.got[c] = output->states[at] == ELEMENT_VALUE ? output->values[at] - r[c] : NAN;
    size += pull.wanted[c] * pull.wanted[c];
  }
  pull.along = (pull.got[0] * pull.wanted[0] + pull.got[1] * pull.wanted[1]) / size;
  pull.across = (pull.got[1] * pull.wanted[0] - pull.got[0] * pull.wanted[1]) / size;
  return pull;
}

static bool about(double a, double b) { return fabs(a - b) <= 0.02 * fmax(1, fabs(b)); }

/* Pulls that count so or so many times. */
static bool say_which_pull(const Pull *pulls, size_t count, size_t n, const char *place,
                           Verdict *verdict) {
  Findings f = {0};
  char where[200], line[120];
  for (size_t x = 0; x < count; x++) {
    const Pull *one = &pulls[x];
    double times = round(one->along);
    bool plain = about(one->along, times) && about(one->across, 0);
    if (plain && times != 1)
      findings_note(&f, (Astray){.kind = times == 0 ? KIND_MISSING : KIND_TIMES,
                                 .row = one->body,
                                 .i = one->k,
                                 .weight = times});
    if (!plain) {
      free(f.all);
      return false;
    }
  }
  size_t told = f.count;
  Kind kind = f.of[KIND_MISSING] >= f.of[KIND_TIMES] ? KIND_MISSING : KIND_TIMES;
  if (told > 0 && told < count) {
    /* Of itself a body shows nothing here: that pair counts as one of the others. */
    for (size_t i = 0; i < n; i++) {
      size_t like = 0;
      for (size_t x = 0; x < f.count; x++)
        like += f.all[x].kind == kind && f.all[x].i == i;
      if (like * 2 > n)
        findings_note(&f, (Astray){.kind = kind, .row = i, .i = i, .weight = 1});
    }
    Probe p = {.output_name = "body ", .m = n, .k = n, .n = 1};
    const Astray *one = findings_example(&f, kind);
    if (kind == KIND_MISSING)
      snprintf(line, sizeof line, "body %zu does not pull body %zu", one->i, one->row);
    else
      snprintf(line, sizeof line, "body %zu pulls body %zu %.0f times as much as it should", one->i,
               one->row, one->weight);
    findings_coordinates[BY_ROW] = "i";
    findings_coordinates[BY_I] = "k";
    findings_where(&p, &f, kind, where, sizeof where);
    findings_coordinates[BY_ROW] = "row";
    findings_coordinates[BY_I] = "i";
    verdict_line(verdict, place, "%s", line);
    verdict_cause(verdict,
                  kind == KIND_MISSING ? "%s the pull of body k on body i is not in its sum"
                                       : "%s the pull of body k on body i is in its sum "
                                         "more than once, or with another sign",
                  where);
  }
  free(f.all);
  return told > 0 && told < count;
}

/* A pull that falls with another power of the distance, or along other axes. */
static bool say_which_law(const Pull *pulls, size_t count, const char *place, Verdict *verdict) {
  size_t none = 0;
  for (size_t x = 0; x < count; x++)
    none += pulls[x].got[0] == 0 && pulls[x].got[1] == 0;
  if (none == count) {
    verdict_cause(
        verdict, "no body pulls another one: with two bodies apart from each other, neither moves");
    return true;
  }
  const Pull *shown = &pulls[0]; /* the one that is off most */
  for (size_t x = 1; x < count; x++)
    if (hypot(pulls[x].along - 1, pulls[x].across) > hypot(shown->along - 1, shown->across))
      shown = &pulls[x];
  const double part = NBODY_MG * NBODY_TAU * NBODY_TAU / 2;
  verdict_line(verdict, place,
               "at a distance of (%.3f, %.3f) body %zu pulls by MG * (%.4g, %.4g), wanted is MG * "
               "(%.4g, %.4g)",
               shown->wanted[0] / part * pow(shown->distance, 3),
               shown->wanted[1] / part * pow(shown->distance, 3), shown->k, shown->got[0] / part,
               shown->got[1] / part, shown->wanted[0] / part, shown->wanted[1] / part);
  double power = NAN, factor[2][2] = {{0}}, xx = 0, xy = 0, yy = 0, of[2][2] = {{0}};
  bool falls = true, mixes = true;
  const Pull *one = &pulls[0], *other = one;
  for (size_t x = 0; x < count && other == one; x++)
    other = fabs(pulls[x].distance / one->distance - 1) > 0.5 ? &pulls[x] : one;
  if (one->along > 0 && other->along > 0 && other != one)
    power = round(log(other->along / one->along) / log(other->distance / one->distance));
  double scale = one->along / pow(one->distance, power);
  for (size_t x = 0; x < count; x++) {
    const Pull *p = &pulls[x];
    double expected = scale * pow(p->distance, power);
    falls &= fabs(p->along - expected) <= 0.05 * fabs(expected) &&
             fabs(p->across) <= 0.05 * fabs(expected);
    xx += p->wanted[0] * p->wanted[0];
    xy += p->wanted[0] * p->wanted[1];
    yy += p->wanted[1] * p->wanted[1];
    for (size_t c = 0; c < 2; c++) {
      of[c][0] += p->got[c] * p->wanted[0];
      of[c][1] += p->got[c] * p->wanted[1];
    }
  }
  if (falls && power != 0) {
    verdict_cause(verdict,
                  "r_k - r_i is divided by the power %.0f of the distance: the law wants its cube",
                  3 - power);
    return true;
  }
  for (size_t c = 0; c < 2; c++) {
    factor[c][0] = (of[c][0] * yy - of[c][1] * xy) / (xx * yy - xy * xy);
    factor[c][1] = (of[c][1] * xx - of[c][0] * xy) / (xx * yy - xy * xy);
  }
  for (size_t x = 0; x < count && mixes; x++)
    for (size_t c = 0; c < 2; c++) {
      const Pull *p = &pulls[x];
      double expected = factor[c][0] * p->wanted[0] + factor[c][1] * p->wanted[1];
      mixes &= fabs(p->got[c] - expected) <= 0.02 * hypot(p->wanted[0], p->wanted[1]);
    }
  if (mixes)
    verdict_cause(verdict,
                  "a pull (x, y) comes out as (%.3g x %+.3g y, %.3g x %+.3g y): who has which "
                  "coordinate and which factor?",
                  factor[0][0], factor[0][1], factor[1][0], factor[1][1]);
  return mixes;
}

bool probe_pulls(Check *check, const JudgedRun *run, Verdict *verdict) {
  size_t n = (size_t)run->size[NBODY_N], count = 0;
  JudgedRun step = *run;
  Pull *pulls = calloc(n * n, sizeof *pulls);
  char place[200];
  bool known = false;
  step.size[NBODY_STEPS] = 1;
  if (!pulls)
    bad_input("out of memory");
  Trial trial = probe_start(check, &step, n);
  probe_place_of_store(run, &trial.log, place, sizeof place);
  if (trial.output.there && trial.output.rows * trial.output.columns == 4 * n * n) {
    for (size_t k = 0; k < n; k++)
      for (size_t body = 0; body < n; body++)
        if (body != k)
          pulls[count++] = pull_of(&step, check_element_bytes(check), &trial.output, n, body, k);
    known = say_which_pull(pulls, count, n, place, verdict) ||
            say_which_law(pulls, count, place, verdict);
  }
  free(pulls);
  trial_free(&trial);
  return known;
}
