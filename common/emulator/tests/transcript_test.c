/* Tests transcripts that are recorded with other inputs and replayed with the graded inputs. The
 * replay of a damaged transcript must end with a one-line message or with a result, never with a
 * crash. The recorded program is lab 01's solution. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../transcript/transcript.h"
#include "scratch.h"

enum { DAMAGED = 300, SECONDS = 3 };
static char replay[300], recorded[300], object[300];
static char transcript[SCRATCH_MOST], output[SCRATCH_MOST];
static unsigned char *whole;
static size_t whole_bytes;

/* Runs a program and returns its wait status. The program writes the transcript to file descriptor
 * 9. */
static int start(const char *program, const char *seed) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    alarm(SECONDS);
    freopen("/dev/null", "w", stdout);
    freopen("/dev/null", "w", stderr);
    if (program == recorded) {
      FILE *to = fopen(transcript, "w");
      dup2(fileno(to), 9);
      setenv("LOCKSTEP_TRANSCRIPT", "9", 1);
      setenv("LOCKSTEP_CHECKS", "0", 1);
    }
    setenv("LOCKSTEP_OBJECT", object, 1);
    setenv("LOCKSTEP_REPLAY", transcript, 1);
    execl(program, program, "--variant", "host", "--m", "9", "--k", "5", "--n", "7", "--seed", seed,
          "--output", output, (char *)NULL);
    _exit(127);
  }
  int status;
  waitpid(pid, &status, 0);
  return status;
}

static unsigned char *read_whole(const char *path, size_t *bytes) {
  enum { MOST = 1 << 20 };
  unsigned char *all = malloc(MOST);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_non_null(all);
  *bytes = fread(all, 1, MOST, file);
  fclose(file);
  return all;
}

static void write_whole(const void *data, size_t bytes) {
  FILE *file = fopen(transcript, "w");
  assert_non_null(file);
  assert_true(fwrite(data, 1, bytes, file) == bytes);
  fclose(file);
}

/* The program compares each result with the correct answer for the inputs of its own seed. */
static void test_other_inputs(void **state) {
  (void)state;
  assert_int_equal(start(recorded, "3"), 0);
  size_t first_bytes, second_bytes;
  unsigned char *first = read_whole(output, &first_bytes);
  assert_int_equal(start(replay, "4"), 0);
  unsigned char *second = read_whole(output, &second_bytes);
  assert_int_equal(first_bytes, second_bytes);
  assert_true(memcmp(first, second, first_bytes) != 0);
  free(first);
  free(second);
  whole = read_whole(transcript, &whole_bytes);
  assert_true(whole_bytes > 500);
}

static uint64_t state_of_chance = 88172645463325252u;
static size_t chance(size_t below) {
  state_of_chance ^= state_of_chance << 13, state_of_chance ^= state_of_chance >> 7;
  state_of_chance ^= state_of_chance << 17;
  return (size_t)(state_of_chance % below);
}

/* Damages a transcript: replaces words by values that lengths, addresses and call numbers should
 * not have, copies words over others, and truncates it. Returns its new length. */
static size_t damage(unsigned char *data, size_t bytes) {
  static const uint64_t words[] = {
      0,          1,          7,          1u << 16,   UINT32_MAX,     INT64_MAX,
      UINT64_MAX, 1ull << 33, 1ull << 40, 1ull << 47, 0x400000000200, 0x380000010000};
  for (size_t times = 1 + chance(3); times > 0; times--) {
    size_t at = chance(bytes / 8) * 8, from = chance(bytes / 8) * 8;
    switch (chance(5)) {
    case 0:
      data[at + chance(8)] ^= (unsigned char)(1 << chance(8));
      break;
    case 1:
    case 2:
      memcpy(data + at, &words[chance(sizeof words / sizeof *words)], 8);
      break;
    case 3:
      memcpy(data + at, data + from, 8);
      break;
    default:
      if (chance(4) == 0)
        return at;
      data[at] = (unsigned char)chance(256); /* may change the number of a call */
    }
  }
  return bytes;
}

static void test_damaged(void **state) {
  unsigned char *data = malloc(whole_bytes);
  int refused = 0;
  (void)state;
  assert_non_null(data);
  for (int i = 0; i < DAMAGED; i++) {
    memcpy(data, whole, whole_bytes);
    write_whole(data, damage(data, whole_bytes));
    int status = start(replay, "4");
    bool long_grid =
        WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM; /* time limits are the checker's task */
    if (!long_grid && (!WIFEXITED(status) || WEXITSTATUS(status) > 2))
      fail_msg("damage %d: wait status %x; the transcript is %s", i, (unsigned)status, transcript);
    refused += WIFEXITED(status) && WEXITSTATUS(status) == 2;
  }
  assert_true(refused > DAMAGED / 10);
  free(data);
}

/* Marks a one-dimensional copy as a copy of rows. The checks of rows must cover all bytes that are
 * copied. */
static void test_rows_where_none_are(void **state) {
  enum { HEAD = 3, MOST = 1 << 16 };
  uint64_t words[MOST];
  size_t at = 0, count = whole_bytes / 8;
  (void)state;
  assert_true(whole_bytes <= sizeof words);
  memcpy(words, whole, whole_bytes);
  while (at < count && (words[at] & UINT16_MAX) != TRANSCRIPT_cudaMemcpy)
    at += HEAD + (words[at] >> 32) + (words[at] >> 16 & UINT16_MAX) + (words[at + 2] + 7) / 8;
  assert_true(at < count);
  uint64_t *copy = words + at + HEAD + (words[at] >> 32);
  TranscriptCopy asked;
  memcpy(&asked, copy, sizeof asked);
  assert_int_equal(asked.rows, 1);
  asked.rows = asked.width, asked.width = 1;
  memcpy(copy, &asked, sizeof asked);
  write_whole(words, whole_bytes);
  int status = start(replay, "4");
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
}

int main(void) {
  const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
  const char *compiled = getenv("COMPILED") ? getenv("COMPILED") : build; /* set by make sanitize */
  snprintf(replay, sizeof replay, "%s/emulated-clang/replay/01-naive.float", build);
  snprintf(recorded, sizeof recorded, "%s/tests/recorded/01-naive.float", build);
  snprintf(object, sizeof object, "%s/emulated-clang/solutions/01-naive.float.o", compiled);
  close(scratch_file(transcript, "transcript"));
  close(scratch_file(output, "output"));
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_other_inputs),
                                     cmocka_unit_test(test_damaged),
                                     cmocka_unit_test(test_rows_where_none_are)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
