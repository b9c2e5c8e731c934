/* Whose turn it is on a GPU that many share, as in a class. The checker says so, which no other program can: what
 * takes long and disturbs nobody, to start and to make a context, is done before it is asked, and what it is asked for is
 * given back early. LOCKSTEP_TURN=N is a descriptor: a letter goes out, and one comes back when it is our turn. Without, the
 * device is ours.
 */
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
    die("LOCKSTEP_TURN: nobody hears");
}

void turn_take(Turn turn) {
  char answer;
  if (line() < 0)
    return;
  say(turn);
  if (read(line(), &answer, 1) != 1)
    die("LOCKSTEP_TURN: nobody answers");
}

void turn_leave(void) {
  if (line() >= 0)
    say(TURN_OVER);
}
