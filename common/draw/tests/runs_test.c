/* Compares the words and sectors that request.c computes with the counters of the device, for all
 * accesses in runs of the solutions.
 *
 *   BUILD=build runs_test      BUILD is the folder that contains the programs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../draw.h"
#include "emulator/tests/scratch.h"

static const char *build;

static void check_access(const Recording *r, const Kernel *k, const Access *a) {
  Request request = request_of(r, k, a, NULL);
  if (a->space == SPACE_SHARED) {
    Schedule s = request_schedule(&request);
    assert_int_equal(s.wavefronts, a->sample->wavefronts);
    assert_int_equal(s.ideal, a->sample->ideal);
  } else {
    assert_int_equal(request_footprint(&request).count, a->sample->sectors);
  }
}

static void same_as_counted(void **state) {
  static const char *const labs[] = {"01-naive", "02-shared", "03-bank-conflicts",
                                     "04-ilp",   "05-matvec", "06-nbody"};
  unsigned checked = 0;
  (void)state;
  for (size_t lab = 0; lab < sizeof labs / sizeof *labs; lab++) {
    char log[SCRATCH_MOST], command[1000];
    close(scratch_file(log, "draw-runs"));
    snprintf(command, sizeof command,
             "LOCKSTEP_LOG=%s %s/emulated-clang/solutions/%s.float --no-check --repeats 1 --size "
             "70 >/dev/null",
             log, build, labs[lab]);
    assert_int_equal(system(command), 0);
    Recording r = recording_read(log);
    remove(log);
    assert_string_equal(r.damage, "");
    for (size_t k = 0; k < r.kernel_count; k++)
      for (size_t i = 0; i < r.kernels[k].access_count; i++)
        if (r.kernels[k].accesses[i].sample) {
          check_access(&r, &r.kernels[k], &r.kernels[k].accesses[i]);
          checked++;
        }
    recording_free(&r);
  }
  assert_true(checked > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_as_counted),
  };
  build = getenv("BUILD") ? getenv("BUILD") : "build";
  return cmocka_run_group_tests(tests, NULL, NULL);
}
