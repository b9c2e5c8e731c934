// Reads the arguments and the environment to find the seed of the graded run.
// expect: unwritten | none-written
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern char **environ;
static int attack() {
  char words[4096];
  FILE *f = fopen("/proc/self/cmdline", "r");
  size_t n = f ? fread(words, 1, sizeof words - 1, f) : 0;
  for (size_t i = 0; i < n; i++)
    if (!words[i])
      words[i] = ' ';
  words[n] = 0;
  for (char **e = environ; *e; e++)
    if (strstr(*e, "HOSTILE_SECRET") || strstr(*e, "@HOME@"))
      exit(puts("BREACH"));
  f = fopen("/proc/1/environ", "r");
  if (f && (n = fread(words, 1, sizeof words, f)) && memmem(words, n, "HOSTILE_SECRET", 14))
    exit(puts("BREACH"));
  f = fopen("/proc/1/cmdline", "r");
  if (f && (n = fread(words, 1, sizeof words, f)) && memmem(words, n, "@ROOT@", strlen("@ROOT@")))
    exit(puts("BREACH: the workbook's folder"));
  return 0;
}
