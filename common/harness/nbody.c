/* N bodies in the plane that attract one another: their initial states, the correct answer (gold),
 * and two variants that compute it on a CPU.
 *
 *   a_i = G·m · sum over k of (r_k − r_i) / |r_k − r_i|³     pairs closer than 0.01 m add nothing
 *   r_i ← r_i + v_i·τ + a_i·τ²/2                             v_i is the velocity before the step
 *   v_i ← v_i + a_i·τ
 *
 * A position is two elements, x and y. R holds the positions of all steps: row s·n + i is body i at
 * step s, so rows 0 to n − 1 are the initial positions.
 *
 * In the lecture's initial state (--fill linear), bodies fly apart at up to 5·10¹¹ m/s, and gravity
 * moves them by only 10⁻¹¹ m per step. A kernel that computes no acceleration at all would give the
 * same digits. Therefore the default (--fill uniform) is a slow, dense cluster, in which every term
 * of the sum changes the result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static const double PI = 3.14159265358979323846;

/* ---- the initial state ----------------------------------------------------------------------- */

/* Returns random number `which` of a body, in [-1, 1). */
static double random_number(const Recipe *recipe, size_t body, size_t which) {
  return fill_element(&(Recipe){FILL_UNIFORM, recipe->seed}, NBODY_R0, NULL, body, which);
}

/* Returns an element of the lecture's initial state: radius rand·10⁻⁴ with rand from 0 to 2³¹ − 1,
 * speed 10·radius², perpendicular to the radius. */
static double lecture_fill(const Recipe *recipe, int operand, size_t body, size_t column) {
  double phi = PI * random_number(recipe, body, 0);
  double radius = (random_number(recipe, body, 1) + 1) / 2 * 2147483647 * 1e-4;
  double speed = 10 * radius * radius;
  if (operand == NBODY_R0)
    return radius * (column == 0 ? cos(phi) : sin(phi));
  return speed * (column == 0 ? -sin(phi) : cos(phi));
}

/* Places one body near the middle of each square of a grid. The distances are such that no pair
 * moves near the limit of 0.01 m within the compared steps, because at the limit rounding would
 * decide whether the bodies attract each other.
 *
 * Two of every eight bodies are placed beside the preceding body instead. One is a companion, which
 * moves with the preceding body at a distance of a few millimetres, clearly below the limit. The
 * other circles with the preceding body at a distance of 0.08 m. Code that compares the square of
 * the distance with 0.01 would ignore such a pair. */
static double cluster_fill(const Recipe *recipe, int n, int operand, size_t body, size_t column) {
  const double square = 0.3, jitter = 0.04, apart = 0.003, radius = 0.04;
  bool companion = body % 8 == 7, circling = body % 8 == 3;
  size_t side = (size_t)ceil(sqrt(n)), near = body - (companion || circling);
  size_t place = column == 0 ? near % side : near / side;
  double turn = circling ? 1 : body % 8 == 2 && body + 1 < (size_t)n ? -1 : 0;
  if (operand == NBODY_V0) {
    double around = column == 1 ? turn * sqrt(NBODY_MG / (4 * radius)) : 0;
    return random_number(recipe, near, 2 + column) + around;
  }
  double at = square * ((double)place - (double)side / 2) +
              jitter * random_number(recipe, near, column) + (column == 0 ? turn * radius : 0);
  return companion ? at + apart * (random_number(recipe, body, column) < 0 ? -1 : 1) : at;
}

/* Assigns bodies to pairs for --fill pairs. In the first half of the bodies, the two bodies of a
 * pair have consecutive numbers. In the second half, their numbers differ by a quarter of n, so
 * that no tile contains both. */
typedef struct Paired {
  /* `pair`: the number of the pair. `second`: 0 for the first body of the pair, 1 for the second.
   * `other`: the number of the other body, or n if there is none. */
  size_t pair, second, other;
  bool apart;
} Paired;

static Paired paired(size_t n, size_t body) {
  const size_t half = n / 4 * 2, far = CEIL_DIV(n - half, 2), rest = body - half;
  Paired place = {body / 2, body % 2, body ^ 1, false};
  if (body >= half)
    place = (Paired){half / 2 + rest % far, rest / far, rest < far ? body + far : body - far, true};
  place.other = place.other < n ? place.other : n;
  return place;
}

size_t nbody_other(size_t n, size_t body) { return paired(n, body).other; }

/* Places two bodies at rest in each square of a grid. The distance of a pair is 0, or below or
 * above the limit of 0.01 m, along an axis, along a diagonal, or in another direction. All
 * coordinate differences are exact in float, so rounding does not decide which pairs attract each
 * other in the first step. After this step the bodies move apart. */
static double pairs_fill(const Recipe *recipe, int n, int operand, size_t body, size_t column) {
  static const double apart[] = {0,      0.004, 0.006, 0.0075, 0.0085, 0.00995, 0.01005, 0.0115,
                                 0.0135, 0.016, 0.02,  0.025,  0.035,  0.05,    0.08};
  static const double direction[][2] = {
      {1, 0}, {0, -1}, {0.7071, 0.7071}, {-0.7071, 0.7071}, {0.6, -0.8}, {-0.9, -0.4}, {-1, 0}};
  const size_t distances = sizeof apart / sizeof *apart,
               directions = sizeof direction / sizeof *direction;
  const double exact = 1 << 15;
  const Paired of = paired((size_t)n, body);
  size_t side = (size_t)ceil(sqrt(CEIL_DIV(n, 2))), kind = of.pair + (size_t)recipe->seed;
  /* A close pair in a tile affects the cost of the tile, so which pairs are close must not depend
   * on the seed. */
  size_t distance = of.apart ? of.pair : kind;
  size_t place = column == 0 ? of.pair % side : of.pair / side;
  if (operand == NBODY_V0)
    return 0;
  double to_other = apart[distance % distances] * direction[kind / distances % directions][column];
  return 0.5 * ((double)place - (double)(side / 2)) +
         (of.second ? round(exact * to_other) / exact : 0);
}

/* Places all bodies closer to one another than the limit, except body number `seed`. Only that body
 * attracts the others. Its distance from them has one of three values, and its direction differs
 * for each seed. */
static double lonely_fill(const Recipe *recipe, int operand, size_t body, size_t column) {
  const double centre[] = {0.5, -0.3}, near = 0.003, apart = 0.03;
  if (operand == NBODY_V0)
    return 0;
  if (body != recipe->seed)
    return centre[column] + near * random_number(&(Recipe){FILL_LIT, 1}, body, column) / 2;
  double distance = apart * (double)(1 << body % 3), turn = 2.4 * (double)body;
  return centre[column] + distance * (column == 0 ? cos(turn) : sin(turn));
}

static double nbody_fill(const Recipe *recipe, const int *size, int operand, size_t body,
                         size_t column) {
  switch (recipe->fill) {
  case FILL_UNIFORM:
  case FILL_UNIT:
  case FILL_INFINITE:
    return cluster_fill(recipe, size[NBODY_N], operand, body, column);
  case FILL_LINEAR:
    return lecture_fill(recipe, operand, body, column);
  case FILL_PAIRS:
    return pairs_fill(recipe, size[NBODY_N], operand, body, column);
  case FILL_LIT:
    return lonely_fill(recipe, operand, body, column);
  case FILL_WHOLE:
    break;
  }
  return operand == NBODY_V0 ? 0 : fill_element(recipe, operand, NULL, body, column);
}

/* ---- one step -------------------------------------------------------------------------------- */

typedef struct Bodies {
  /* Positions before the step. */
  const void *now;
  void *a;
  size_t n;
} Bodies;

#define DEFINE_STEP(real, square_root)                                                             \
  static void accelerate_##real(size_t i, void *context) {                                         \
    const Bodies *bodies = context;                                                                \
    const real *r = bodies->now;                                                                   \
    real *a = (real *)bodies->a + 2 * i, x = r[2 * i], y = r[2 * i + 1], ax = 0, ay = 0;           \
    const real near = (real)(NBODY_NEAR * NBODY_NEAR);                                             \
    for (size_t k = 0; k < bodies->n; k++) {                                                       \
      real dx = r[2 * k] - x, dy = r[2 * k + 1] - y, d2 = dx * dx + dy * dy;                       \
      real w = d2 >= near ? 1 / (d2 * square_root(d2)) : 0;                                        \
      ax += dx * w;                                                                                \
      ay += dy * w;                                                                                \
    }                                                                                              \
    a[0] = (real)NBODY_MG * ax;                                                                    \
    a[1] = (real)NBODY_MG * ay;                                                                    \
  }                                                                                                \
  static void move_##real(const real *now, const real *a, real *v, real *next, size_t count) {     \
    const real tau = (real)NBODY_TAU;                                                              \
    for (size_t i = 0; i < count; i++) {                                                           \
      next[i] = now[i] + v[i] * tau + a[i] * tau * tau / 2;                                        \
      v[i] += a[i] * tau;                                                                          \
    }                                                                                              \
  }
DEFINE_STEP(float, sqrtf)
DEFINE_STEP(double, sqrt)

void nbody_move(size_t element_bytes, const void *now, const void *a, void *v, void *next, int n) {
  if (element_bytes == sizeof(float))
    move_float(now, a, v, next, 2 * (size_t)n);
  else
    move_double(now, a, v, next, 2 * (size_t)n);
}

static bool simulate(const int *size, size_t element_bytes, const void *r0, const void *v0, void *R,
                     int threads) {
  size_t n = (size_t)size[NBODY_N], bytes = 2 * n * element_bytes;
  void *v = malloc(bytes), *a = malloc(bytes);
  bool enough = v && a;
  if (enough) {
    memcpy(v, v0, bytes);
    memcpy(R, r0, bytes);
  }
  for (int step = 0; enough && step < size[NBODY_STEPS]; step++) {
    char *now = (char *)R + (size_t)step * bytes;
    Bodies bodies = {now, a, n};
    threads_for(n, threads, element_bytes == sizeof(float) ? accelerate_float : accelerate_double,
                &bodies);
    nbody_move(element_bytes, now, a, v, now + bytes, size[NBODY_N]);
  }
  free(v);
  free(a);
  return enough;
}

/* ---- the problem ----------------------------------------------------------------------------- */

static void nbody_gold(const Instance *instance, double *output) {
  size_t count = 2 * (size_t)instance->size[NBODY_N];
  double *start = malloc(2 * count * sizeof *start);
  for (size_t i = 0; start && i < 2 * count; i++)
    start[i] = element_get(instance->operand[i < count ? NBODY_R0 : NBODY_V0],
                           instance->element_bytes, i % count);
  if (!start ||
      !simulate(instance->size, sizeof(double), start, start + count, output, threads_usable()))
    die("out of memory: choose smaller sizes");
  free(start);
}

/* Every step rounds a position a few times. In the cluster, errors also grow because neighbours
 * fall towards each other. After some steps a pair passes the limit of 0.01 m in one precision and
 * not in the other. From then on even correct results differ, so they are not compared. */
static double nbody_tolerance(const Instance *instance) {
  double unit = instance->element_bytes == sizeof(float) ? 1e-7 : 1e-15;
  int steps = instance->size[NBODY_STEPS];
  if (instance->recipe.fill != FILL_LINEAR && steps > NBODY_COMPARED)
    return INFINITY;
  return unit * (5 + steps);
}

/* Counts per pair: two differences, 3 operations for the square of the distance, its root, 2 for
 * the weight, and two multiply-adds. */
static double nbody_flop(const int *size) {
  return 12.0 * size[NBODY_N] * size[NBODY_N] * size[NBODY_STEPS];
}

static Shape nbody_shape(const int *size, int operand) {
  size_t n = (size_t)size[NBODY_N];
  return (Shape){operand == NBODY_R ? n * ((size_t)size[NBODY_STEPS] + 1) : n, 2};
}

const Problem nbody_problem = {
    .formula = "r ← r + v·τ + a·τ²/2, v ← v + a·τ",
    .about =
        "The result holds the positions (x, y) at all steps: row s·n + i is body i at step s, "
        "for s from 0 to `steps`. --size sets n only.\n"
        "--fill uniform is a dense cluster. Results are compared up to 12 steps, because rounding "
        "errors alone separate later trajectories. whole puts the bodies at whole-number "
        "coordinates. pairs makes pairs of bodies whose distance is near the limit. linear is the "
        "lecture's disc, which is so wide and fast that gravity hardly shows.",
    .size_names = {"n", "steps"},
    .scaled = 1,
    .operands = {{"r0", 0, 0, {0, 0}}, {"v0", 0, 0, {0, 0}}, {"R", 0, 0, {0, 0}}},
    .shape = nbody_shape,
    .fill = nbody_fill,
    .gold = nbody_gold,
    .tolerance = nbody_tolerance,
    .flop = nbody_flop,
};

/* ---- on the CPU ------------------------------------------------------------------------------ */

static cudaError_t run_on_cpu(const Run *run, int threads) {
  bool enough = simulate(run->size, run->instance->element_bytes, run->operand[NBODY_R0],
                         run->operand[NBODY_V0], run->operand[NBODY_R], threads);
  return enough ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t nbody_cpu(const Run *run) { return run_on_cpu(run, 1); }

cudaError_t nbody_threads(const Run *run) { return run_on_cpu(run, run->threads); }
