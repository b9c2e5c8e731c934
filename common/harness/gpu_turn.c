/* Turns on a GPU that several programs share, as in a class. The checker schedules them. Work that
 * takes long and does not disturb others (starting, creating a context) is done before a turn, and
 * the device is released early. LOCKSTEP_TURN=N is a descriptor: the program writes a letter and
 * reads one when its turn begins. Without it, the device is not shared. */
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
