/* Measures on a GPU whether a student's kernel is about as fast as the kernel of the reference
 * solution.
 *
 * Absolute times cannot be compared with a gate, because every GPU is different. So the student's
 * program and the reference program run at the same time and measure alternately, A B A B. Each
 * program writes the times of its repetitions to a file. The ratio of each pair of rounds is
 * compared, because a temporary slowdown affects both rounds of a pair. If the ratios of the pairs
 * or the times within the rounds differ much, the times are noisy and not graded. */
#include "facts/facts.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/harness.h"

/* Times are noisy if their interquartile range, divided by the median, is larger. */
static const double NOISE = 0.10;
/* The time limit of each program in seconds, including the slow start of a GPU. */
static const double LIMIT_S = 60;
enum { FEWEST_TIMES = 5 };

/* ---- files of times -------------------------------------------------------------------------- */

size_t times_read(const char *path, double *times, size_t most, double *least) {
  char line[64], *end;
  size_t count = 0;
  FILE *file = fopen(path, "r");
  bool good = file && fgets(line, sizeof line, file) && !strcmp(line, "LOCKSTEP times, ms\n");
  *least = NAN;
  while (good && count < most && fgets(line, sizeof line, file)) {
    bool bound = count == 0 && isnan(*least) && strncmp(line, "at least ", 9) == 0;
    double value = strtod(line + (bound ? 9 : 0), &end);
    good = end != line && *end == '\n' && isfinite(value) && value > 0;
    if (bound)
      *least = value;
    else
      times[count++] = value;
  }
  if (file)
    fclose(file);
  return good ? count : 0;
}

/* ---- judging times --------------------------------------------------------------------------- */

static double scatter_of(double *values, size_t count) {
  return (timing_quantile(values, (int)count, 0.75) - timing_quantile(values, (int)count, 0.25)) /
         timing_quantile(values, (int)count, 0.5);
}

bool speed_read(Speed *speed, const char *student, const char *reference) {
  static double times[2][MOST_REPEATS];
  const char *const paths[] = {student, reference};
  double least[2];
  *speed = (Speed){.rounds = 0};
  for (int who = 0; who < 2; who++) {
    size_t count = times_read(paths[who], times[who], MOST_REPEATS, &least[who]);
    size_t each = count / SPEED_ROUNDS;
    if (each < FEWEST_TIMES || count % SPEED_ROUNDS)
      return false;
    for (size_t round = 0; round < SPEED_ROUNDS; round++) {
      double *those = times[who] + round * each;
      speed->medians[who][round] = timing_quantile(those, (int)each, 0.5);
      speed->within[2 * round + (size_t)who] = scatter_of(those, each);
    }
  }
  speed->rounds = SPEED_ROUNDS;
  /* The bound in the student's file is not trusted. */
  speed->least = least[1];
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
  if (speed->student < speed->least && speed->reference >= speed->least)
    return SPEED_IMPOSSIBLE;
  return speed->ratio <= SPEED_GATE ? SPEED_GOOD : SPEED_SLOW;
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* One of the two programs, and the process of the checker that runs and supervises it. */
typedef struct Runner {
  const char *program;
  /* The file with its times. */
  char times[320];
  int process, line;
  /* Used in the child process only: the program has asked for its next round. */
  bool asked;
  bool ended;
  ChildEnd end;
} Runner;

/* Messages from the child processes. ENDED is followed by a ChildEnd. The parent answers ASKED with
 * any letter. */
enum { ASKED = 'a', DONE = 'd', ENDED = 'e' };

/* The data of the callbacks of a child process. */
typedef struct Shared {
  Runner *runner;
  const Settings *settings;
} Shared;

static void tell(const Runner *runner, const void *what, size_t length) {
  if (send(runner->line, what, length, MSG_NOSIGNAL) != (ssize_t)length)
    /* The parent is gone. */
    _exit(1);
}

/* Called as Turns.take. Before the rounds, it locks the GPU against other programs. For each round,
 * it asks the parent for permission. */
static bool take_round(void *data, bool alone) {
  const Shared *shared = data;
  Runner *runner = shared->runner;
  char letter = ASKED;
  if (!alone)
    return gpu_take(shared->settings, false);
  if (!runner->asked)
    tell(runner, &letter, 1);
  runner->asked = true;
  ssize_t length = recv(runner->line, &letter, 1, MSG_DONTWAIT);
  if (length == 0)
    /* The other program has failed. */
    _exit(1);
  return length == 1;
}

static void leave_round(void *data) {
  Runner *runner = ((const Shared *)data)->runner;
  char letter = DONE;
  gpu_leave();
  if (runner->asked)
    tell(runner, &letter, 1);
  runner->asked = false;
}

/* Runs one of the programs. Called in a child process, which ends here. */
static void run_in_rounds(Check *check, Runner *runner, const char *variant, int size) {
  char number[24], rounds[24], log[340];
  Shared shared = {runner, check->settings};
  Turns turns = {take_round, leave_round, &shared};
  snprintf(number, sizeof number, "%d", size);
  snprintf(rounds, sizeof rounds, "%d", SPEED_ROUNDS);
  snprintf(log, sizeof log, "%s.log", runner->times);
  const char *arguments[] = {runner->program, "--variant", variant,       "--size",
                             number,          "--seed",    "1",           "--no-check",
                             "--rounds",      rounds,      "--statistic", "median",
                             "--times",       "",          NULL,          NULL};
  const char **last = &arguments[sizeof arguments / sizeof *arguments - 2];
  if (runner->program == check->settings->build.reference)
    *last = "--roof";
  Leavings leavings = {
      .log = log, .output = runner->times, .named = last - 1, .seconds = LIMIT_S, .turns = &turns};
  ChildEnd end = check_run(check->settings, arguments, &leavings);
  char letter = ENDED;
  unlink(log);
  tell(runner, &letter, 1);
  tell(runner, &end, sizeof end);
  _exit(0);
}

static void start_runner(Check *check, Runner *runner, const char *variant, int size) {
  int line[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) != 0)
    bad_input("cannot make a pipe: %s", strerror(errno));
  unlink(runner->times);
  runner->process = child_of_ours();
  if (runner->process < 0)
    bad_input("cannot start a process: %s", strerror(errno));
  if (runner->process == 0) {
    close(line[0]);
    runner->line = line[1];
    run_in_rounds(check, runner, variant, size);
  }
  close(line[1]);
  runner->line = line[0];
}

/* Waits for the message `wanted`. Returns false if the program ended first. */
static bool hear(Runner *runner, char wanted) {
  char letter;
  while (!runner->ended) {
    runner->ended = recv(runner->line, &letter, 1, MSG_WAITALL) != 1;
    if (runner->ended)
      /* The child process has called bad_input, which has printed the reason. */
      exit(2);
    if (letter == wanted)
      return true;
    if (letter == ENDED)
      runner->ended = recv(runner->line, &runner->end, sizeof runner->end, MSG_WAITALL) ==
                      (ssize_t)sizeof runner->end;
  }
  return false;
}

/* Lets the programs run their rounds in the order A B A B. The first round begins when both
 * programs are ready and the GPU is locked for them alone. */
static bool play(const Settings *settings, Runner runners[2]) {
  bool good = hear(&runners[0], ASKED) && hear(&runners[1], ASKED);
  while (good && !gpu_take(settings, true))
    gpu_wait();
  for (int turn = 0; turn < 2 * SPEED_ROUNDS && good; turn++) {
    Runner *runner = &runners[turn % 2];
    good = (turn < 2 || hear(runner, ASKED)) && send(runner->line, "y", 1, MSG_NOSIGNAL) == 1 &&
           hear(runner, DONE);
  }
  gpu_leave();
  return good;
}

/* Waits until both programs have ended. If one program has failed, kills the other program. */
static void end_runners(Runner runners[2], bool good) {
  for (int who = 0; who < 2; who++)
    if (good)
      hear(&runners[who], ENDED);
    else if (!runners[who].ended)
      kill(runners[who].process, SIGKILL);
  for (int who = 0; who < 2; who++) {
    close(runners[who].line);
    waitpid(runners[who].process, NULL, 0);
    child_used(runners[who].end.used);
  }
}

/* Returns the reason why a program left no times. A program that the checker killed because the
 * other program failed counts as measured. */
static SpeedEnd end_of(const Runner *runner) {
  if (!runner->ended)
    return SPEED_MEASURED;
  if (runner->end.how != CHILD_EXITED)
    return SPEED_ENDED_BADLY;
  return access(runner->times, R_OK) == 0 ? SPEED_MEASURED : SPEED_LEFT_NONE;
}

SpeedEnd speed_measure(Check *check, const char *variant, int size, Speed *speed, ChildEnd *end) {
  const Settings *settings = check->settings;
  Runner runners[] = {{.program = settings->build.program}, {.program = settings->build.reference}};
  int place = gpu_place(settings);
  for (int who = 0; who < 2; who++) {
    snprintf(runners[who].times, sizeof runners[who].times, "%s/%s.times", check->folder,
             who == 0 ? "student" : "reference");
    start_runner(check, &runners[who], variant, size);
  }
  bool played = play(settings, runners);
  end_runners(runners, played);
  if (place >= 0)
    close(place);
  SpeedEnd how = SPEED_MEASURED;
  for (int who = 0; who < 2 && how == SPEED_MEASURED; who++) {
    how = end_of(&runners[who]);
    *end = runners[who].end;
  }
  if (how == SPEED_MEASURED && !(played && speed_read(speed, runners[0].times, runners[1].times)))
    how = SPEED_UNREADABLE;
  unlink(runners[0].times);
  unlink(runners[1].times);
  return how;
}
