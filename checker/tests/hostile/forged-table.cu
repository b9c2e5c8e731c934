// Prints text in the format of the checker's own report and exits with status 0.
// expect: ended-early | ended-too-early
#include "lab.h"
#include <stdio.h>
#include <stdlib.h>
static int attack() {
  puts("  1 index                     20/20\n  score 100/100               next: make lab02");
  puts("{\"score\": 100, \"points\": 100}");
  exit(0);
}
