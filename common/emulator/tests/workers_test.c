/* Tests parallel workers. Each numbered item of work must be executed exactly once per round, also
 * in a forked process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine/workers.h"

enum { WORKERS = 5, ROUNDS = 200, SECONDS = 60 };

static void count(void *counts, uint32_t number) {
  atomic_fetch_add(&((atomic_int *)counts)[number], 1);
}

static void run_rounds(uint32_t most) {
  const uint32_t workers = workers_ready(most);
  atomic_int counts[WORKERS] = {0};
  assert_true(workers >= 1 && workers <= most);
  for (int i = 0; i < ROUNDS; i++) {
    workers_run(workers, count, counts);
    for (uint32_t k = 0; k < WORKERS; k++)
      assert_int_equal(atomic_load(&counts[k]), k < workers ? i + 1 : 0);
  }
}

static void test_rounds(void **state) {
  (void)state;
  run_rounds(1);
  run_rounds(WORKERS);
  run_rounds(2);
  workers_run(0, count, NULL);
}

static void test_forked(void **state) {
  (void)state;
  run_rounds(WORKERS);
  pid_t child = fork();
  if (child == 0) {
    alarm(SECONDS); /* ends a child that waits for threads that fork did not copy */
    run_rounds(WORKERS);
    _exit(0);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rounds),
      cmocka_unit_test(test_forked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
