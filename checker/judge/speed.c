/* On a GPU: is a kernel about as fast as the reference solution's?
 *
 * Seconds say nothing, as every GPU has its own. So the student's program and the reference program
 * run in turns, A B A B, each writes the times of its runs into a file, and what counts is the ratio
 * of each pair: what slows one of them down for a while slows its neighbour down, too. Where the
 * pairs disagree, or the runs of one program among themselves, nothing is graded.
 */
#include "checker.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/harness.h"

static const double GATE = 1.25;  /* times the reference's time */
static const double NOISE = 0.10; /* quartiles of the ratios further apart than that: noisy */
static const double LIMIT_S = 60; /* for one run of a program; a GPU takes a while to start */
enum { FEWEST_TIMES = 5 };

/* ---- files of times -------------------------------------------------------------------------- */

size_t times_read(const char *path, double *times, size_t most) {
  char line[64], *end;
  size_t count = 0;
  FILE *file = fopen(path, "r");
  bool good = file && fgets(line, sizeof line, file) && !strcmp(line, "LOCKSTEP times, ms\n");
  while (good && count < most && fgets(line, sizeof line, file)) {
    times[count] = strtod(line, &end);
    good = end != line && *end == '\n' && isfinite(times[count]) && times[count] > 0;
    count++;
  }
  if (file)
    fclose(file);
  return good ? count : 0;
}

/* ---- from times to a word -------------------------------------------------------------------- */

static double scatter_of(double *values, size_t count) {
  return (timing_quantile(values, (int)count, 0.75) - timing_quantile(values, (int)count, 0.25)) /
         timing_quantile(values, (int)count, 0.5);
}

bool speed_add(Speed *speed, const char *student, const char *reference) {
  static double times[2][MOST_REPEATS];
  const char *const paths[] = {student, reference};
  if (speed->rounds == SPEED_ROUNDS)
    return false;
  for (int who = 0; who < 2; who++) {
    size_t count = times_read(paths[who], times[who], MOST_REPEATS);
    if (count < FEWEST_TIMES)
      return false;
    speed->medians[who][speed->rounds] = timing_quantile(times[who], (int)count, 0.5);
    speed->within[2 * speed->rounds + (size_t)who] = scatter_of(times[who], count);
  }
  speed->rounds++;
  return true;
}

SpeedWord speed_judge(Speed *speed) {
  double ratios[SPEED_ROUNDS];
  for (size_t i = 0; i < speed->rounds; i++)
    ratios[i] = speed->medians[0][i] / speed->medians[1][i];
  speed->ratio = timing_quantile(ratios, (int)speed->rounds, 0.5);
  speed->student = timing_quantile(speed->medians[0], (int)speed->rounds, 0.5);
  speed->reference = timing_quantile(speed->medians[1], (int)speed->rounds, 0.5);
  speed->scatter = fmax(scatter_of(ratios, speed->rounds),
                        timing_quantile(speed->within, 2 * (int)speed->rounds, 0.5));
  if (!(speed->scatter <= NOISE))
    return SPEED_NOISY;
  return speed->ratio <= GATE ? SPEED_GOOD : SPEED_SLOW;
}

bool speed_verdict(Verdict *verdict, Speed *speed) {
  switch (speed_judge(speed)) {
  case SPEED_NOISY:
    verdict_set(verdict, VERDICT_NOISY, "not graded: noisy, the repeats scatter by %.0f %%",
                100 * speed->scatter);
    return false;
  case SPEED_SLOW:
    verdict_set(verdict, VERDICT_SLOW, "takes %.2f × the time of the reference solution, gate %.2f",
                speed->ratio, GATE);
    verdict_line(verdict, "", "now %.4g ms, the reference %.4g ms, medians of %zu runs in turns",
                 speed->student, speed->reference, speed->rounds);
    verdict_cause(verdict, "the result is right; DEVICE=emulated counts what it costs");
    return false;
  default:
    verdict_line(verdict, "", "%.2f × the time of the reference solution, gate %.2f", speed->ratio,
                 GATE);
    return true;
  }
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* One start of a program, times into `path`; false, with a verdict, when it left none. */
static bool measure(Check *check, const char *program, const char *variant, int size,
                    const char *path) {
  char number[24], log[160];
  snprintf(number, sizeof number, "%d", size);
  snprintf(log, sizeof log, "%s.log", path);
  const char *arguments[] = {program,      "--variant", variant, "--size",      number,
                             "--no-check", "--seed",    "1",     "--statistic", "median",
                             "--times",    path,        NULL};
  Leavings leavings = {.log = log,
                       .output = path,
                       .named = &arguments[sizeof arguments / sizeof *arguments - 2],
                       .seconds = LIMIT_S};
  unlink(path);
  Trial trial = {.end = check_run(check->settings, arguments, &leavings)};
  unlink(log);
  if (!verdict_ending(&check->verdict, &trial, true))
    return false;
  if (access(path, R_OK) == 0)
    return true;
  verdict_set(&check->verdict, VERDICT_NO_TIMES, "the program left no times");
  if (trial.end.last_words[0])
    verdict_line(&check->verdict, "", "its last words: %s", trial.end.last_words);
  return false;
}

void check_speed(Check *check, const char *variant, int size) {
  const Settings *settings = check->settings;
  char student[320], reference[320];
  Speed speed = {0};
  snprintf(student, sizeof student, "%s/student.times", check->folder);
  snprintf(reference, sizeof reference, "%s/reference.times", check->folder);
  bool good = true;
  for (int round = 0; round < SPEED_ROUNDS && good; round++) {
    bool taken = gpu_take(settings, true);
    good = measure(check, settings->program, variant, size, student) &&
           measure(check, settings->reference, variant, size, reference);
    gpu_leave(taken);
    if (good && !speed_add(&speed, student, reference)) {
      verdict_set(&check->verdict, VERDICT_NO_TIMES, "the times cannot be read");
      good = false;
    }
  }
  unlink(student);
  unlink(reference);
  if (good && !speed_verdict(&check->verdict, &speed))
    check_again(check, "--variant %s --size %d", variant, size);
}
