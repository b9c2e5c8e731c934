/* Draws sizes from the seed. A task has a list of runs with fixed sizes (tasks/). This file draws
 * the sizes of one more run. The additional run detects a student's file that works only for the
 * fixed sizes. Each file has its own seed (facts/seed.c). The ranges for products are in
 * product.c. */
#include "explain/judge.h"

static int common_divisor(int a, int b) { return b ? common_divisor(b, a % b) : a; }

/* Returns the greatest common divisor of this size over all runs. */
static int step_of(const JudgedRun *runs, size_t count, int which) {
  int step = 0;
  for (size_t i = 0; i < count; i++)
    step = common_divisor(runs[i].size[which], step);
  return step;
}

/* Returns the index of the first size that is equal to size k in all runs. If no earlier size is
 * equal, returns k. */
static int twin_of(const JudgedRun *runs, size_t count, int k) {
  for (int other = 0; other < k; other++) {
    size_t same = 0;
    while (same < count && runs[same].size[other] == runs[same].size[k])
      same++;
    if (same == count)
      return other;
  }
  return k;
}

JudgedRun judged_drawn(const Check *check, JudgedRun run, const SizeRange *ranges, double work) {
  seed_sizes(check->settings->run.seed, run.variant, ranges,
             (size_t)problem_sizes(run.subject->problem), work, run.size);
  run.drawn = true;
  return run;
}

JudgedRun drawn_beside(const Check *check, const JudgedRun *runs, size_t count) {
  const Subject *subject = runs->subject;
  SizeRange ranges[MAX_SIZES];
  double work = subject->drawn_work;
  for (int k = 0; k < problem_sizes(subject->problem); k++) {
    int step = step_of(runs, count, k), largest = 0, most = subject->drawn_most[k];
    for (size_t i = 0; i < count; i++)
      largest = runs[i].size[k] > largest ? runs[i].size[k] : largest;
    /* The listed sizes are multiples of the tile. In this case the drawn sizes stay small, too. */
    if (step > 1 && 2 * largest < most)
      most = 2 * largest;
    ranges[k] = (SizeRange){step, step, most > step ? most : step};
    if (twin_of(runs, count, k) < k) {
      work /= ranges[k].most;
      ranges[k] = (SizeRange){1, 1, 1};
    }
  }
  JudgedRun run = judged_drawn(check, *runs, ranges, work);
  run.fill = 0;
  for (int k = 0; k < problem_sizes(subject->problem); k++)
    run.size[k] = run.size[twin_of(runs, count, k)];
  return run;
}
