/* The options of bench_kernels, read from its arguments and from LOCKSTEP_WORKERS. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>

struct Options {
  bool tiny, csv, list, check, processor;
  int repeats, workers;
  const char *only;
};

static const char usage[] =
    "usage: bench_kernels [OPTION]... [NAME]   all kernels; those whose name contains NAME; or "
    "`shapes`\n"
    "  --list       names and themes only\n"
    "  --csv        one line a kernel, no tables\n"
    "  --check      exit status 1 where a goal is missed\n"
    "  --tiny       sizes for a test: results are checked, speeds mean nothing\n"
    "  --processor  by the time that processors worked, not by the clock: for a busy machine\n"
    "  --repeats N  timed launches of a kernel, default 3\n";

static Options read_options(int count, char **arguments) {
  Options options = {};
  options.repeats = 3;
  for (int i = 1; i < count; i++) {
    const char *word = arguments[i];
    if (!strcmp(word, "--tiny"))
      options.tiny = true;
    else if (!strcmp(word, "--csv"))
      options.csv = true;
    else if (!strcmp(word, "--list"))
      options.list = true;
    else if (!strcmp(word, "--check"))
      options.check = true;
    else if (!strcmp(word, "--processor"))
      options.processor = true;
    else if (!strcmp(word, "--repeats") && i + 1 < count && atoi(arguments[i + 1]) > 0)
      options.repeats = atoi(arguments[++i]);
    else if (word[0] != '-' && !options.only)
      options.only = word;
    else {
      fputs(usage, stderr);
      exit(2);
    }
  }
  if (options.tiny)
    options.repeats = 1;
  return options;
}

/* Returns the number of workers that the device would use, and stores it in LOCKSTEP_WORKERS, so
 * that rates per core are right. */
static int set_workers() {
  char number[16];
  cpu_set_t usable;
  const char *given = getenv("LOCKSTEP_WORKERS");
  if (given && atoi(given) > 0)
    return atoi(given);
  int workers = sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : 1;
  snprintf(number, sizeof number, "%d", workers);
  setenv("LOCKSTEP_WORKERS", number, 1);
  return workers;
}

static bool wanted(const Options *options, const char *name) {
  return !options->only || strstr(name, options->only);
}

#endif
