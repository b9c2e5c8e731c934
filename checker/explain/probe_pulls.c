/* Probes for N bodies. In each run one body attracts all others, so each force can be observed
 * separately. */
#include "explain/probe.h"

#include <math.h>
#include <stdlib.h>

/* The force with which body k attracts `body`. `along` and `across` are its components along the
 * right force and at a right angle to it, as multiples of the right force. */
typedef struct Pull {
  size_t body, k;
  double along, across, distance;
  double wanted[2], got[2];
  /* The positions of `body` and of body k. */
  double to[2], from[2];
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
    pull.to[c] = r[c];
    pull.from[c] = by[c];
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

/* Adds the cause that forces are missing or are added several times. Returns false if the forces
 * are wrong in another way. */
static bool say_which_pull(const Pull *pulls, size_t count, size_t n, const char *place,
                           Verdict *verdict) {
  Findings f = {0};
  char where[200];
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
    /* A body exerts no force on itself, so this force cannot be missing. The pair of a body with
     * itself is marked like most of its other pairs, so the condition in the sentence needs no
     * exception. */
    for (size_t i = 0; i < n; i++) {
      size_t like = 0;
      for (size_t x = 0; x < f.count; x++)
        like += f.all[x].kind == kind && f.all[x].i == i;
      if (like * 2 > n)
        findings_note(&f, (Astray){.kind = kind, .row = i, .i = i, .weight = 1});
    }
    Probe p = {.output_name = "body ", .m = n, .k = n, .n = 1};
    const Astray *one = findings_example(&f, kind);
    verdict_fact(verdict, place,
                 kind == KIND_MISSING ? SAID(BODY_DOES_NOT_PULL, one->i, one->row)
                                      : SAID(BODY_PULLS_TIMES, one->i, one->row, one->weight));
    findings_coordinates[BY_ROW] = "i";
    findings_coordinates[BY_I] = "k";
    findings_where(&p, &f, kind, where, sizeof where);
    findings_coordinates[BY_ROW] = "row";
    findings_coordinates[BY_I] = "i";
    verdict_proven(verdict, kind == KIND_MISSING ? SAID(PULL_MISSING, where)
                                                 : SAID(PULL_COUNTED_OFTEN, where));
  }
  free(f.all);
  return told > 0 && told < count;
}

/* Adds the cause if all forces are zero or only approximate, or if each of their components is a
 * mix of x and y. Returns false if the law is right or remains unknown. */
static bool say_which_law(const Pull *pulls, size_t count, const char *place, Verdict *verdict) {
  size_t none = 0;
  for (size_t x = 0; x < count; x++)
    none += pulls[x].got[0] == 0 && pulls[x].got[1] == 0;
  if (none == count) {
    verdict_proven(verdict, SAID(NO_PULLS));
    return true;
  }
  /* The force with the largest error. */
  const Pull *shown = &pulls[0];
  for (size_t x = 1; x < count; x++)
    if (hypot(pulls[x].along - 1, pulls[x].across) > hypot(shown->along - 1, shown->across))
      shown = &pulls[x];
  const double off = hypot(shown->along - 1, shown->across);
  if (off <= 0.02 && off >= 2e-4) {
    verdict_proven(verdict, SAID(PULLS_APPROXIMATE, 100 * off));
    return true;
  }
  if (off <= 0.02)
    return false;
  const double part = NBODY_MG * NBODY_TAU * NBODY_TAU / 2;
  verdict_fact(verdict, place,
               SAID(PULL_AT_DISTANCE, shown->wanted[0] / part * pow(shown->distance, 3),
                    shown->wanted[1] / part * pow(shown->distance, 3), shown->k,
                    shown->got[0] / part, shown->got[1] / part, shown->wanted[0] / part,
                    shown->wanted[1] / part));
  double factor[2][2] = {{0}}, xx = 0, xy = 0, yy = 0, of[2][2] = {{0}};
  bool mixes = true;
  for (size_t x = 0; x < count; x++) {
    const Pull *p = &pulls[x];
    xx += p->wanted[0] * p->wanted[0];
    xy += p->wanted[0] * p->wanted[1];
    yy += p->wanted[1] * p->wanted[1];
    for (size_t c = 0; c < 2; c++) {
      of[c][0] += p->got[c] * p->wanted[0];
      of[c][1] += p->got[c] * p->wanted[1];
    }
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
    verdict_proven(verdict,
                   SAID(PULL_MIXED, factor[0][0], factor[0][1], factor[1][0], factor[1][1]));
  return mixes;
}

/* Adds the cause that some bodies have the acceleration of another body. In probe k the other
 * bodies are too close to attract each other, and all of them attract body k. So the acceleration
 * of body k differs from all other accelerations and can be recognized. */
static bool say_whose(const JudgedRun *run, size_t element_bytes, const ResultFile *output,
                      size_t n, Verdict *verdict) {
  size_t told = 0, others = 0, at = 0;
  char list[160] = "";
  for (size_t k = 0; k < n && n >= 4; k++) {
    double sum[2] = {0}, got[2] = {0};
    for (size_t body = 0; body < n; body++)
      for (size_t c = 0; c < 2 && body != k; c++)
        sum[c] -= pull_of(run, element_bytes, output, n, body, k).wanted[c];
    for (size_t body = 0; body < n; body++) {
      Pull one = pull_of(run, element_bytes, output, n, body, k);
      for (size_t c = 0; c < 2; c++)
        got[c] = one.got[c];
      if (!(hypot(got[0] - sum[0], got[1] - sum[1]) <= 0.03 * hypot(sum[0], sum[1])))
        continue;
      told++;
      others += body != k;
      if (body != k && others <= 3)
        at += (size_t)snprintf(list + at, sizeof list - at, "%sbody %zu gets that of body %zu",
                               others > 1 ? ", " : "", body, k);
      break;
    }
  }
  if (told * 10 < n * 9 || others == 0)
    return false;
  verdict_proven(verdict, SAID(ACCELERATIONS_OF_OTHERS, list, others > 3 ? " …" : ""));
  return true;
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
    known = say_whose(&step, check_element_bytes(check), &trial.output, n, verdict) ||
            say_which_pull(pulls, count, n, place, verdict) ||
            say_which_law(pulls, count, place, verdict);
  }
  free(pulls);
  trial_free(&trial);
  return known;
}
