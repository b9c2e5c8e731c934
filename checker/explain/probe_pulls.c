/* Bodies, taken apart: each one alone pulls the others, so each pull is seen by itself. */
#include "explain/probe.h"

#include <math.h>
#include <stdlib.h>

/* What body k, alone, does to body i: so many times what it should, along that and across; and at which distance. */
typedef struct Pull {
  size_t body, k;
  double along, across, distance;
  double wanted[2], got[2];
  double to[2], from[2]; /* positions */
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

/* Pulls that count so or so many times. */
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

/* ---- a law of the student's own -------------------------------------------------------------- */

/* What a pull along an axis may be made of: a number, divided by so many lengths. */
typedef struct Quantity {
  const char *name;
  double (*of)(const Pull *);
} Quantity;

static double dx(const Pull *p) { return p->from[0] - p->to[0]; }
static double dy(const Pull *p) { return p->from[1] - p->to[1]; }
static double x_k(const Pull *p) { return p->from[0]; }
static double y_k(const Pull *p) { return p->from[1]; }
static double x_i(const Pull *p) { return p->to[0]; }
static double y_i(const Pull *p) { return p->to[1]; }
static double x_sum(const Pull *p) { return p->from[0] + p->to[0]; }
static double y_sum(const Pull *p) { return p->from[1] + p->to[1]; }
static double x_less_y(const Pull *p) { return p->from[0] - p->to[1]; }
static double y_less_x(const Pull *p) { return p->from[1] - p->to[0]; }
static double one(const Pull *p) { return (void)p, 1; }
static double d(const Pull *p) { return hypot(dx(p), dy(p)); }
static double legs(const Pull *p) { return fabs(dx(p)) + fabs(dy(p)); }
static double to_y_k(const Pull *p) { return hypot(dx(p), y_k(p)); }
static double to_x_k(const Pull *p) { return hypot(x_k(p), dy(p)); }
static double to_y_i(const Pull *p) { return hypot(dx(p), y_i(p)); }
static double to_x_i(const Pull *p) { return hypot(x_i(p), dy(p)); }
static double r_k(const Pull *p) { return hypot(x_k(p), y_k(p)); }
static double r_i(const Pull *p) { return hypot(x_i(p), y_i(p)); }
static double r_sum(const Pull *p) { return hypot(x_sum(p), y_sum(p)); }
static double x_of_sum(const Pull *p) { return hypot(x_sum(p), dy(p)); }
static double y_of_sum(const Pull *p) { return hypot(dx(p), y_sum(p)); }
static double less(const Pull *p) { return sqrt(dx(p) * dx(p) - dy(p) * dy(p)); }
static double both(const Pull *p) { return sqrt(dx(p) * dy(p)); }
static double x_twice(const Pull *p) { return sqrt(dx(p) * dx(p) + dx(p) * dy(p)); }
static double y_twice(const Pull *p) { return sqrt(dy(p) * dy(p) + dx(p) * dy(p)); }
static double root_of_legs(const Pull *p) { return sqrt(legs(p)); }
static double of_both(const Pull *p) { return dx(p) + dy(p); }
static double root_of_d(const Pull *p) { return sqrt(d(p)); }
static double leg_x(const Pull *p) { return fabs(dx(p)); }
static double leg_y(const Pull *p) { return fabs(dy(p)); }

/* dx is x_k - x_i, dy is y_k - y_i, and d the distance. */
static const Quantity numbers_above[] = {
    {"dx", dx},
    {"dy", dy},
    {"x_k", x_k},
    {"y_k", y_k},
    {"x_i", x_i},
    {"y_i", y_i},
    {"1", one},
    {"(x_k + x_i)", x_sum},
    {"(y_k + y_i)", y_sum},
    {"(x_k - y_i)", x_less_y},
    {"(y_k - x_i)", y_less_x},
};
static const Quantity lengths[] = {
    {"d", d},
    {"|dx|", leg_x},
    {"|dy|", leg_y},
    {"(|dx| + |dy|)", legs},
    {"sqrt(dx² + y_k²)", to_y_k},
    {"sqrt(x_k² + dy²)", to_x_k},
    {"sqrt(dx² + y_i²)", to_y_i},
    {"sqrt(x_i² + dy²)", to_x_i},
    {"sqrt(x_k² + y_k²)", r_k},
    {"sqrt(x_i² + y_i²)", r_i},
    {"sqrt((x_k + x_i)² + (y_k + y_i)²)", r_sum},
    {"sqrt((x_k + x_i)² + dy²)", x_of_sum},
    {"sqrt(dx² + (y_k + y_i)²)", y_of_sum},
    {"sqrt(dx² - dy²)", less},
    {"sqrt(dx dy)", both},
    {"sqrt(dx² + dx dy)", x_twice},
    {"sqrt(dy² + dx dy)", y_twice},
    {"sqrt(|dx| + |dy|)", root_of_legs},
    {"sqrt(d)", root_of_d},
    {"(dx + dy)", of_both},
};
enum {
  ABOVE = sizeof numbers_above / sizeof *numbers_above,
  LENGTHS = sizeof lengths / sizeof *lengths
};

/* The number times MG, divided by a length to some power, and by another one. */
typedef struct Fall {
  size_t above, length[2];
  int power[2];
  double factor, added; /* added: to the square of the first length */
} Fall;

static double fall_value(const Fall *f, const Pull *p) {
  double first = lengths[f->length[0]].of(p);
  if (!(first * first + f->added >= NBODY_NEAR * NBODY_NEAR))
    return 0; /* too close, or the root of a negative number */
  return f->factor * numbers_above[f->above].of(p) /
         (pow(first * first + f->added, f->power[0] / 2.0) *
          pow(lengths[f->length[1]].of(p), f->power[1]));
}

/* As somebody may have written it. */
static bool plain(double factor) {
  static const double numbers[] = {1, 0.5, 2, 1 / NBODY_MG, NBODY_MG};
  bool found = false;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    found |= fabs(fabs(factor) - numbers[i]) <= 0.02 * numbers[i];
  return found;
}

/* What each other body alone does to one body along an axis, some of the bodies. Where those that are too close
 * pull, too, in spite of that, their pulls come on top, the same in all. */
typedef struct Felt {
  Pull *pulls; /* of one body after the other */
  size_t bodies, each, axis;
  const Pull *most, *least, *between; /* on the first body */
  double spread;
} Felt;

static Felt felt_of(const Pull *pulls, size_t count, size_t n, size_t axis) {
  enum { BODIES_MOST = 12 };
  Felt f = {.bodies = n < BODIES_MOST ? n : BODIES_MOST, .each = n - 1, .axis = axis};
  size_t at = 0;
  f.pulls = calloc(f.bodies * f.each, sizeof *f.pulls);
  if (!f.pulls)
    bad_input("out of memory");
  for (size_t body = 0; body < f.bodies; body++)
    for (size_t x = 0; x < count; x++)
      if (pulls[x].body == body)
        f.pulls[at++] = pulls[x];
  f.most = f.least = f.pulls;
  for (size_t x = 0; x < f.each; x++) {
    const Pull *p = &f.pulls[x];
    f.most = p->got[axis] > f.most->got[axis] ? p : f.most;
    f.least = p->got[axis] < f.least->got[axis] ? p : f.least;
  }
  f.between = f.pulls + (f.most == f.pulls || f.least == f.pulls ? f.each / 2 : 0);
  f.spread = f.most->got[axis] - f.least->got[axis];
  return f;
}

static bool falls(const Fall *f, const Felt *felt, double room) {
  double most = room * felt->spread;
  for (size_t body = 0; body < felt->bodies; body++) {
    const Pull *own = felt->pulls + body * felt->each;
    double off = 0;
    for (size_t x = 0; x < felt->each; x++)
      off += (own[x].got[felt->axis] - fall_value(f, &own[x])) / (double)felt->each;
    for (size_t x = 0; x < felt->each; x++)
      if (!(fabs(own[x].got[felt->axis] - fall_value(f, &own[x]) - off) <=
            most + 1e-6 * fabs(own[x].to[felt->axis])))
        return false;
  }
  return true;
}

/* Does it fit the first body in three places, with a factor that somebody may have written? */
static bool may_fall(Fall *f, const Felt *felt, double room) {
  size_t axis = felt->axis;
  f->factor = 1;
  double least = fall_value(f, felt->least), more = fall_value(f, felt->most) - least;
  f->factor = felt->spread / more;
  return isfinite(f->factor) && plain(f->factor / (NBODY_MG * NBODY_TAU * NBODY_TAU / 2)) &&
         fabs(felt->between->got[axis] - felt->least->got[axis] - fall_value(f, felt->between) +
              f->factor * least) <= 2 * room * felt->spread;
}

/* The best that fits; one length first, then two. */
static bool find_fall(const Felt *felt, Fall *f) {
  static const double rooms[] = {0.003, 0.03};
  const double near2 = NBODY_NEAR * NBODY_NEAR;
  const double added[] = {0, near2, NBODY_NEAR, 2 * near2, 1e-3, 1e-5, 1e-6, 0.1, 1};
  if (felt->each < 8 || !(felt->spread > 1e-4 * fabs(felt->pulls->to[felt->axis])))
    return false; /* too little to tell anything from rounding */
  for (size_t room = 0; room < 2; room++)
    for (int second = 0; second <= 3; second++)
      for (size_t l = 0; l < LENGTHS * (second ? LENGTHS : 1); l++)
        for (int first = second ? 1 : 0; first <= 6; first++)
          for (size_t a = 0; a < ABOVE * (second ? 1 : sizeof added / sizeof *added); a++) {
            *f = (Fall){.above = (a + felt->axis) % ABOVE,
                        .length = {l % LENGTHS, l / LENGTHS},
                        .power = {first, second},
                        .added = added[a / ABOVE]};
            if (may_fall(f, felt, rooms[room]) && falls(f, felt, rooms[room]))
              return true;
          }
  return false;
}

/* "MG dx / (d² |dx|)" */
static void put_fall(const Fall *f, char *out, size_t size) {
  const double part = NBODY_MG * NBODY_TAU * NBODY_TAU / 2;
  double times = f->factor / part;
  size_t at = 0, used = (f->power[0] > 0) + (f->power[1] > 0);
  if (fabs(fabs(times) - 1) > 0.02)
    at = (size_t)snprintf(out, size, "%.3g ", times);
  else if (times < 0)
    at = (size_t)snprintf(out, size, "-");
  at += (size_t)snprintf(out + at, size - at, "MG %s", numbers_above[f->above].name);
  if (used)
    at += (size_t)snprintf(out + at, size - at, " / %s", used > 1 ? "(" : "");
  for (size_t i = 0; i < 2; i++)
    if (f->power[i]) {
      const char *space = i && f->power[0] ? " " : "", *name = lengths[f->length[i]].name;
      at += f->power[i] == 1
                ? (size_t)snprintf(out + at, size - at, "%s%s", space, name)
                : (size_t)snprintf(out + at, size - at, "%s%s^%d", space, name, f->power[i]);
    }
  if (used > 1)
    snprintf(out + at, size - at, ")");
}

static bool is_the_law(const Fall *f, size_t axis) {
  const double part = NBODY_MG * NBODY_TAU * NBODY_TAU / 2;
  return f->above == axis && f->length[0] == 0 && f->power[0] == 3 && f->power[1] == 0 &&
         f->added == 0 && fabs(f->factor / part - 1) < 0.02;
}

static bool say_formula(const Pull *pulls, size_t count, size_t n, Verdict *verdict) {
  Fall f[2];
  char text[2][120];
  bool known[2], wrong[2];
  for (size_t axis = 0; axis < 2; axis++) {
    Felt felt = felt_of(pulls, count, n, axis);
    known[axis] = find_fall(&felt, &f[axis]);
    free(felt.pulls);
    if (known[axis] && f[axis].added > 0) {
      verdict_proven(verdict, SAID(ADDED_TO_SQUARE, f[axis].added));
      return true;
    }
    wrong[axis] = known[axis] && !is_the_law(&f[axis], axis);
    if (known[axis])
      put_fall(&f[axis], text[axis], sizeof text[axis]);
  }
  if (wrong[0] && wrong[1])
    verdict_proven(verdict, SAID(PULLS_COME_OUT, text[0], text[1]));
  else if (wrong[0] || wrong[1])
    verdict_proven(verdict, SAID(PULL_COMES_OUT_ALONG, wrong[1] ? "y" : "x", text[wrong[1]]));
  return wrong[0] || wrong[1];
}

/* A pull that falls with another power of the distance, or along other axes. */
static bool say_which_law(const Pull *pulls, size_t count, size_t n, const char *place,
                          Verdict *verdict) {
  size_t none = 0;
  for (size_t x = 0; x < count; x++)
    none += pulls[x].got[0] == 0 && pulls[x].got[1] == 0;
  if (none == count) {
    verdict_proven(verdict, SAID(NO_PULLS));
    return true;
  }
  const Pull *shown = &pulls[0]; /* the one that is off most */
  for (size_t x = 1; x < count; x++)
    if (hypot(pulls[x].along - 1, pulls[x].across) > hypot(shown->along - 1, shown->across))
      shown = &pulls[x];
  const double off = hypot(shown->along - 1, shown->across);
  if (off <= 0.02 && off >= 2e-4) {
    verdict_proven(verdict, SAID(PULLS_APPROXIMATE, 100 * off));
    return true;
  }
  if (off <= 0.02)
    return false; /* the law is right */
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
  return mixes || say_formula(pulls, count, n, verdict);
}

/* Body k alone is pulled by all others, so its acceleration is like no other one: which body gets it? */
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
            say_which_law(pulls, count, n, place, verdict);
  }
  free(pulls);
  trial_free(&trial);
  return known;
}
