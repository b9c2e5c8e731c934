/* N bodies as a Subject of judge.c: how far rounding may move a position, and which common mistake
 * explains a wrong trajectory.
 *
 * The margin: each step rounds a position three times. A rounding error is at most the relative
 * precision of the element type times the largest coordinate. The factor 2 allows for the rounding
 * of the accelerations. Gravity moves a body by a hundred times the margin in one step. The initial
 * state (harness/nbody.c) ensures this for all compared steps.
 *
 * A suspect is another law of motion, simulated here in double. It explains an output if all
 * positions of the first steps agree. Later steps are not compared: some mistakes move bodies so
 * far that their positions depend on the rounding. */
#include "explain/explain.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/harness.h"

enum { TILE = 256, WARP = 32 };

static void bodies_margin(const Instance *instance, double *margin) {
  size_t count = 2 * (size_t)instance->size[NBODY_N], steps = (size_t)instance->size[NBODY_STEPS];
  double unit = instance->element_bytes == sizeof(float) ? FLT_EPSILON : DBL_EPSILON, extent = 0;
  for (size_t at = 0; at < count * (steps + 1); at++) {
    extent = fmax(extent, fabs(instance->gold[at]));
    margin[at] = 2 * unit * (2 + (double)(at / count));
  }
  for (size_t at = 0; at < count * (steps + 1); at++)
    margin[at] *= extent;
}

/* ---- laws of motion ------------------------------------------------------------------------- */

/* The laws of force between two bodies: the right law, and the laws that common mistakes give. */
typedef enum Law {
  LAW_RIGHT,
#define MOTION(id, says)
#define LAW(id, says, steps) LAW_##id,
#include "explain/bodies.mistakes.def"
} Law;

typedef enum Motion {
  MOTION_RIGHT,
#define MOTION(id, says) MOTION_##id,
#define LAW(id, says, steps)
#include "explain/bodies.mistakes.def"
} Motion;

typedef struct Suspect {
  Law law;
  Motion motion;
  size_t steps;
  SayId says;
} Suspect;

static const Suspect suspects[] = {
#define MOTION(id, says) {LAW_RIGHT, MOTION_##id, 3, SAY_##says},
#define LAW(id, says, steps) {LAW_##id, MOTION_RIGHT, steps, SAY_##says},
#include "explain/bodies.mistakes.def"
};

static double squared_distance(Law law, double dx, double dy) {
  switch (law) {
  case LAW_DX_PLAIN:
    return dx + dy * dy;
  case LAW_DY_PLAIN:
    return dx * dx + dy;
  case LAW_DX_ALONE:
    return 2 * dx * dx;
  case LAW_DY_ALONE:
    return 2 * dy * dy;
  case LAW_DX_BY_DY:
    return dx * dx + dx * dy;
  case LAW_DIFFERENCE:
    return dx * dx - dy * dy;
  default:
    return dx * dx + dy * dy;
  }
}

static bool too_close(Law law, double near, double dx, double dy) {
  switch (law) {
  case LAW_LEGS:
    return fabs(dx) + fabs(dy) < near;
  case LAW_LARGER_LEG:
    return fmax(fabs(dx), fabs(dy)) < near;
  default:
    return squared_distance(law, dx, dy) < near * near;
  }
}

static double weight_of(Law law, double near, double dx, double dy) {
  double d2 = squared_distance(law, dx, dy);
  bool close = too_close(law, near, dx, dy);
  if (d2 == 0)
    return 0;
  switch (law) {
  case LAW_SQUARE:
    return close ? 0 : 1 / d2;
  case LAW_SIXTH:
    return close ? 0 : 1 / (d2 * d2 * d2);
  case LAW_FOURTH:
    return close ? 0 : 1 / (d2 * d2);
  case LAW_SOFTENED:
    d2 += near * near;
    return 1 / (d2 * sqrt(d2));
  case LAW_LENGTH:
    return close ? 0 : 1 / sqrt(d2);
  case LAW_NOT_DIVIDED:
    return close ? 0 : 1;
  case LAW_WIDE_LIMIT:
    return d2 < NBODY_NEAR ? 0 : 1 / (d2 * sqrt(d2));
  case LAW_INVERTED:
    return close ? 1 / (d2 * sqrt(d2)) : 0;
  case LAW_NO_LIMIT:
    return 1 / (d2 * sqrt(d2));
  default:
    return close ? 0 : 1 / (d2 * sqrt(d2));
  }
}

/* Stores in `pair` the positions that the law uses for the attracted body and for body k. Returns
 * false if the law ignores body k. */
static bool choose_pair(Law law, const double *r, size_t n, size_t i, size_t k, double pair[4]) {
  static const double origin[2] = {0, 0};
  size_t own = i, other = k, in_tile = k / TILE * TILE + i % TILE;
  bool counts = k < n;
  if (law == LAW_WHOLE_TILES)
    counts = k < n / TILE * TILE;
  else if (law == LAW_FIRST_TILE)
    counts = k < n && k < TILE;
  else if (law == LAW_LAST_TILE)
    counts = k < n && k >= (n - 1) / TILE * TILE;
  else if (law == LAW_SAME_TILE)
    other = k % TILE;
  else if (law == LAW_FULL_TILES)
    counts = true;
  else if (law == LAW_OWN_IN_TILE)
    own = in_tile < n       ? in_tile
          : in_tile >= TILE ? in_tile - TILE
                            /* The tile has no such body, so the thread reads the value of the
                             * previous phase. */
                            : i;
  else if (law == LAW_LAST_BODY)
    counts = k + 1 == n;
  else if (law == LAW_NOT_FIRST)
    counts = k < n && k > 0;
  else if (law == LAW_NOT_LAST)
    counts = k + 1 < n;
  else if (law == LAW_SHARE_LESS)
    counts = k < n && k % TILE < TILE - WARP;
  else if (law == LAW_FIRST_SHARE)
    counts = k < n && k % TILE < WARP;
  else if (law == LAW_LATER)
    counts = k < n && k > i;
  else if (law == LAW_EARLIER)
    counts = k < i;
  else if (law == LAW_OWN_BLOCK)
    other = i / TILE * TILE + k % TILE < n ? i / TILE * TILE + k % TILE : 0;
  else if (law == LAW_LAST_AGAIN || law == LAW_FIRST_AGAIN)
    counts = true;
  else if (law == LAW_LAST_IN_WARP)
    counts = k < (n + WARP - 1) / WARP * WARP;
  if (k >= n && law == LAW_FIRST_AGAIN)
    other = k % n;
  else if (k >= n && law != LAW_FULL_TILES)
    other = n - 1;
  memcpy(pair, r + 2 * own, 2 * sizeof *pair);
  memcpy(pair + 2, other < n ? r + 2 * other : origin, 2 * sizeof *pair);
  return counts;
}

static void accelerate(Law law, double near, const double *r, size_t n, size_t i, double *a) {
  double x = 0, y = 0, scale = law == LAW_NO_MG ? 1 : NBODY_MG;
  size_t last = (n + TILE - 1) / TILE * TILE;
  for (size_t k = 0; k < last && law != LAW_NONE; k++) {
    double pair[4];
    if (!choose_pair(law, r, n, i, k, pair))
      continue;
    double dx = pair[2] - pair[0], dy = pair[3] - pair[1], w = weight_of(law, near, dx, dy);
    if (law == LAW_EACH_WARP)
      w *= fmin((double)(k / WARP), TILE / WARP - 1) + 1;
    x += dx * w;
    y += dy * w;
  }
  if (law == LAW_REPELS)
    scale = -scale;
  if (law == LAW_FIRST_SHARE)
    scale *= TILE / WARP;
  if (law == LAW_MG_TWICE)
    scale *= scale;
  a[0] = scale * (law == LAW_SWAPPED ? y : x);
  a[1] = scale * (law == LAW_SWAPPED || law == LAW_X_ONLY ? x : y);
}

static void move(Motion motion, const double *start, const double *now, double *v, const double *a,
                 double *next) {
  const double tau = NBODY_TAU, was[2] = {v[0], v[1]};
  for (size_t i = 0; i < 2; i++) {
    double from = motion == MOTION_FROM_START ? start[i] : now[i];
    double before = was[motion == MOTION_OTHER_V ? !i : i];
    double half = motion == MOTION_NO_HALF ? 1 : motion == MOTION_NO_A ? 0 : 0.5;
    double gain = motion == MOTION_V_ADDED ? 1 : motion == MOTION_V_LESS ? -tau : tau;
    if (motion == MOTION_FROM_REST)
      v[i] = 0;
    if (motion == MOTION_HALF_TAU)
      half /= tau;
    if (motion != MOTION_SAME_V)
      v[i] += a[motion == MOTION_OTHER_A ? i ^ 1 : i] * gain;
    double pace = motion == MOTION_VELOCITY_FIRST ? v[i] : motion == MOTION_NO_V ? 0 : before;
    next[i] = from + pace * tau + half * a[i] * tau * tau;
    if (motion == MOTION_STANDS)
      next[i] = from;
  }
}

/* The positions that follow from a suspect's law, in which pairs closer than `near` do not attract.
 * The simulation computes one body at a time, and only when its position is compared, because the
 * first bodies contradict most laws. */
typedef struct Course {
  const Suspect *suspect;
  double near;
  const Instance *instance;
  /* The number of coordinates that have been simulated. */
  size_t known;
  double *r, *v;
} Course;

static Course course_begin(const Suspect *suspect, double near, const Instance *instance) {
  size_t count = 2 * (size_t)instance->size[NBODY_N];
  Course c = {suspect,       near, instance, count, numbers(count * (suspect->steps + 1)),
              numbers(count)};
  memcpy(c.r, instance->gold, count * sizeof *c.r);
  for (size_t i = 0; i < count; i++)
    c.v[i] = element_get(instance->operand[NBODY_V0], instance->element_bytes, i);
  return c;
}

static double course_at(Course *c, size_t at) {
  size_t n = (size_t)c->instance->size[NBODY_N], count = 2 * n;
  for (; c->known <= at; c->known += 2) {
    size_t i = c->known % count;
    double *next = c->r + c->known, *now = next - count, a[2];
    accelerate(c->suspect->law, c->near, now - i, n, i / 2, a);
    move(c->suspect->motion, c->r + i, now, c->v + i, a, next);
  }
  return c->r[at];
}

static void course_end(Course *c) {
  free(c->r);
  free(c->v);
}

/* Compares an output with a suspect. A mistake moves bodies much further than rounding does; a
 * tolerance of 2 % of the distance allows for rounding in the law itself. axis 'x' or 'y': the
 * mistake was made along that axis only. Such a mistake is compared for one step only. In later
 * steps it also affects the positions along the other axis. */
static Alibi alibi_of(Course *course, char axis, const double *margin, const ResultFile *output) {
  const Suspect *suspect = course->suspect;
  const Instance *instance = course->instance;
  size_t count = 2 * (size_t)instance->size[NBODY_N], steps = (size_t)instance->size[NBODY_STEPS];
  size_t told = 0;
  for (size_t at = count; at < count * ((steps < suspect->steps ? steps : suspect->steps) + 1);
       at++) {
    if (axis && told && at % count == 0)
      break;
    bool right = axis && "xy"[at % 2] != axis;
    double expected = right ? instance->gold[at] : course_at(course, at);
    double slip = fabs(expected - instance->gold[at]);
    if (output->states[at] != ELEMENT_VALUE)
      continue;
    if (!(fabs(output->values[at] - expected) <= margin[at] + 0.02 * slip))
      return ALIBI_CONTRADICTED;
    told += slip > 4 * margin[at];
  }
  return told >= 4 ? ALIBI_NONE : ALIBI_SILENT;
}

/* Finds a wrong distance limit by comparing pairs at rest. If some pairs wrongly do not attract,
 * sets *lost and stores their largest distance in *limit. If some pairs wrongly attract, stores
 * their smallest distance. Returns false if neither or both of these cases occur. */
static bool other_limit(const Instance *instance, const double *margin, const ResultFile *output,
                        double *limit, bool *lost) {
  size_t n = (size_t)instance->size[NBODY_N], count = 2 * n;
  double most = 0, least = NBODY_NEAR;
  const double *r = instance->gold;
  for (size_t at = count; instance->recipe.fill == FILL_PAIRS && at < 2 * count; at++) {
    size_t i = (at - count) / 2, other = nbody_other(n, i);
    if (other >= n || fabs(output->values[at] - instance->gold[at]) <= margin[at])
      continue;
    double d = hypot(r[2 * i] - r[2 * other], r[2 * i + 1] - r[2 * other + 1]);
    most = fmax(most, d);
    least = fmin(least, d);
  }
  *lost = most > NBODY_NEAR;
  *limit = *lost ? most * (1 + 1e-9) : least;
  return *lost == !(least < NBODY_NEAR);
}

static void find_limit(const Instance *instance, const double *margin, const ResultFile *output,
                       Hypotheses *found) {
  const Suspect suspect = {.law = LAW_RIGHT, .steps = 1};
  double limit;
  bool lost;
  if (found->count || !other_limit(instance, margin, output, &limit, &lost))
    return;
  Course course = course_begin(&suspect, limit, instance);
  if (alibi_of(&course, 0, margin, output) == ALIBI_NONE)
    hypotheses_add(found, lost ? SAID(LIMIT_TOO_WIDE, limit) : SAID(LIMIT_TOO_NARROW, limit));
  course_end(&course);
}

static void find(const Instance *instance, const double *margin, const ResultFile *output,
                 bool motions, Hypotheses *found) {
  for (size_t i = 0; i < sizeof suspects / sizeof suspects[0]; i++) {
    const Suspect *suspect = &suspects[i];
    if (!motions && suspect->motion != MOTION_RIGHT)
      continue;
    Course course = course_begin(suspect, NBODY_NEAR, instance);
    Alibi alibi = alibi_of(&course, 0, margin, output);
    hypotheses_judge(found, alibi, suspect->says);
    /* Also tries the mistake along one axis only. Exchanged axes always affect both axes. */
    const bool axes = alibi == ALIBI_CONTRADICTED && suspect->says != SAY_COORDINATES_SWAPPED;
    for (const char *axis = axes ? "xy" : ""; *axis; axis++)
      switch (alibi_of(&course, *axis, margin, output)) {
      case ALIBI_NONE:
        hypotheses_add(found, SAID(ALONG_AXIS, *axis == 'x' ? "x" : "y", phrase(suspect->says)));
        break;
      case ALIBI_SILENT:
        hypotheses_judge(found, ALIBI_SILENT, SAY_ALONG_AXIS);
        break;
      case ALIBI_CONTRADICTED:
        break;
      }
    course_end(&course);
  }
  for (size_t at = 0; at < 2 * (size_t)instance->size[NBODY_N] && !found->count; at++)
    if (fabs(output->values[at] - instance->gold[at]) > margin[at]) {
      hypotheses_add(found, SAID(START_OVERWRITTEN));
      /* If the first row of the output differs from the input, no law of motion explains it. */
      return;
    }
  find_limit(instance, margin, output, found);
}

/* Also tries the mistakes in the motion. These mistakes belong to task 2, which is checked only
 * after task 1 has shown that the law is right. */
static void bodies_suspect(const Instance *instance, const double *margin, const ResultFile *output,
                           Hypotheses *found) {
  find(instance, margin, output, true, found);
}

static void accelerations_suspect(const Instance *instance, const double *margin,
                                  const ResultFile *output, Hypotheses *found) {
  find(instance, margin, output, false, found);
}

/* ---- words for the verdict ------------------------------------------------------------------- */

static void bodies_element(const Instance *instance, size_t at, char *name, size_t size) {
  size_t count = 2 * (size_t)instance->size[NBODY_N];
  snprintf(name, size, "%c of body %zu at step %zu", at % 2 ? 'y' : 'x', at % count / 2,
           at / count);
}

/* Adds a fact if the velocity of the centre of all bodies changes. This velocity is constant if the
 * two forces of each pair cancel each other. */
static void bodies_remark(const Instance *instance, const ResultFile *output, Verdict *verdict) {
  size_t count = 2 * (size_t)instance->size[NBODY_N], steps = (size_t)instance->size[NBODY_STEPS];
  double off[2] = {0, 0};
  for (size_t i = 0; i < count; i++)
    off[i % 2] += output->values[count * steps + i] - instance->gold[count * steps + i];
  double drift = hypot(off[0], off[1]) / (double)count * 2;
  if (drift > 1e-6)
    verdict_fact(verdict, "", SAID(MOMENTUM_LOST, drift));
}

/* Explains an observer's report. A thread stores only the values of its own body, so a thread that
 * accesses the values of another thread's body has a wrong index. */
static void bodies_blame(const Instance *instance, const json_t *report, Verdict *verdict) {
  long long block = json_integer_value(json_array_get(json_object_get(report, "block"), 0));
  long long own =
      block * TILE + json_integer_value(json_array_get(json_object_get(report, "thread"), 0));
  const json_t *column = json_object_get(report, "column");
  long long met = column ? json_integer_value(column) : own;
  (void)instance;
  if (verdict->kind == VERDICT_OUT_OF_BOUNDS && json_object_get(report, "row"))
    verdict_cause(verdict, SAID(NO_SUCH_BODY));
  if (verdict->kind == VERDICT_UNINITIALISED && strcmp(text_at(report, "buffer"), "R") == 0)
    verdict_cause(verdict, SAID(PAST_STEP));
  if (verdict_is_race(verdict) && strcmp(text_at(report, "kernel"), "move") == 0 && met != own &&
      json_is_true(json_object_get(report, "wrote")))
    verdict_cause(verdict, SAID(MEETS_OTHER_BODY, own, met));
  if (verdict_is_race(verdict) && strcmp(text_at(report, "kernel"), "move") != 0 &&
      strcmp(text_at(report, "buffer"), "R") == 0 &&
      !json_is_true(json_object_get(report, "other_wrote")))
    verdict_cause(verdict, SAID(POSITION_STILL_READ));
}

/* The sentence about a body without a position depends on whether a kernel or the host moves the
 * bodies. */
#define SUBJECT(suspect_, cause, by_host)                                                          \
  {                                                                                                \
    .problem = &nbody_problem, .pulls = true, .margin = bodies_margin, .suspect = suspect_,        \
    .never_stored = cause, .turned_away = cause, .grid_too_small = SAY_BLOCKS_OF_FEWER_BODIES,     \
    .stores = "A", .not_stored = SAY_A_NOT_STORED, .read_back = SAY_A_READ_BACK,                   \
    .element = bodies_element, .remark = bodies_remark, .blame = bodies_blame,                     \
    .by_hand = SAY_FOLLOW_BODIES_BY_HAND, .not_a_number = SAY_BODIES_NAN,                          \
    .finished_by_host = by_host, .drawn_most = {700, 3}, .drawn_work = 900,                        \
  }

const Subject bodies_subject = SUBJECT(bodies_suspect, SAY_BODIES_NOT_STORED, false);
const Subject accelerations_subject =
    SUBJECT(accelerations_suspect, SAY_BODY_WITHOUT_ACCELERATION, true);
