/* Lets several programs share one GPU in turns, which the checker assigns. Before its turn, a
 * program does slow work that does not disturb others: it starts and creates a context. It releases
 * the device as early as possible.
 *
 * LOCKSTEP_TURN is a file descriptor: the program writes the letter of the requested turn, and
 * reads one letter when the turn begins. Without this variable, the device is not shared. */
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"

static int line(void) {
  static int known = -2;
  if (known == -2) {
    const char *number = getenv("LOCKSTEP_TURN");
    known = number ? atoi(number) : -1;
  }
  return known;
}

static void say(Turn turn) {
  char letter = (char)turn;
  if (write(line(), &letter, 1) != 1)
    die("LOCKSTEP_TURN: cannot write to the checker");
}

void turn_take(Turn turn) {
  char answer;
  if (line() < 0)
    return;
  say(turn);
  if (read(line(), &answer, 1) != 1)
    die("LOCKSTEP_TURN: no answer from the checker");
}

void turn_leave(void) {
  if (line() >= 0)
    say(TURN_OVER);
}
