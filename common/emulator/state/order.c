/* Parses the text of a prescribed order (order.h). */
#include "order.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"

static PrescribedOrder order;

static const char *const accesses[HOLD_ACCESSES] = {"read", "write", "change"};

static void refuse(const char *text) {
  environment_refuse("LOCKSTEP_ORDER", text,
                     "want items like `hold launch 1 block 0 warp 2 write line 39 time 1`, "
                     "`skip line 45`, `turns launch 1 block 0 0*12 3*1` or `plain`, separated by "
                     "semicolons");
}

/* Reads the number after a word of an item. Returns false if there is no number. */
static bool number(char **rest, int base, uint64_t *out) {
  const char *word = strtok_r(NULL, " ", rest);
  char *end;
  if (!word)
    return false;
  *out = strtoull(word, &end, base);
  return end != word && !*end;
}

/* Reads the words of a hold item. They may be in any order. */
static bool read_hold(char **rest, Hold *h) {
  *h = (Hold){.launch = 1, .lanes = UINT32_MAX, .time = 1, .access = HOLD_ACCESSES};
  for (const char *word; (word = strtok_r(NULL, " ", rest));) {
    uint64_t value = 0;
    bool known = false;
    for (int i = 0; i < HOLD_ACCESSES; i++)
      if (!strcmp(word, accesses[i])) {
        h->access = (HoldAccess)i;
        known = true;
      }
    if (!strcmp(word, "blocks")) {
      h->blocks = known = true;
    } else if (!known) {
      const bool lanes = !strcmp(word, "lanes");
      if (!number(rest, lanes ? 16 : 10, &value))
        return false;
      if (lanes)
        h->lanes = (uint32_t)value;
      else if (!strcmp(word, "launch"))
        h->launch = value;
      else if (!strcmp(word, "block"))
        h->block = value;
      else if (!strcmp(word, "warp"))
        h->warp = (uint32_t)value;
      else if (!strcmp(word, "line"))
        h->line = (uint32_t)value;
      else if (!strcmp(word, "time"))
        h->time = (uint32_t)value;
      else
        return false;
    }
  }
  return h->access != HOLD_ACCESSES && h->line && h->lanes;
}

static bool read_skip(char **rest) {
  uint64_t line;
  const char *word = strtok_r(NULL, " ", rest);
  if (!word || strcmp(word, "line") != 0 || !number(rest, 10, &line) || order.nskips == SKIPS_MOST)
    return false;
  order.skips[order.nskips++] = (uint32_t)line;
  return true;
}

/* Reads one turn, such as `3*12`: the number of the warp and its number of steps. */
static bool read_turn(const char *word) {
  char *end;
  const uint64_t warp = strtoull(word, &end, 10);
  if (end == word || *end != '*')
    return false;
  const char *count = end + 1;
  const uint64_t steps = strtoull(count, &end, 10);
  if (end == count || *end || warp > UINT32_MAX || !steps || steps > UINT32_MAX)
    return false;
  if ((order.nturns & (order.nturns - 1)) == 0) {
    const size_t room = order.nturns ? 2 * order.nturns : 1;
    order.turns = realloc(order.turns, room * sizeof *order.turns);
    if (!order.turns)
      abort();
  }
  order.turns[order.nturns++] = (Turn){(uint32_t)warp, (uint32_t)steps};
  return true;
}

static bool read_turns(char **rest) {
  if (order.stepping)
    return false;
  order.stepping = true;
  order.step_launch = 1;
  for (const char *word; (word = strtok_r(NULL, " ", rest));) {
    const bool launch = !strcmp(word, "launch"), block = !strcmp(word, "block");
    if (launch || block) {
      if (!number(rest, 10, launch ? &order.step_launch : &order.step_block))
        return false;
    } else if (!read_turn(word)) {
      return false;
    }
  }
  return true;
}

static bool read_item(char *item) {
  char *rest;
  const char *word = strtok_r(item, " ", &rest);
  if (!word)
    return true;
  if (!strcmp(word, "plain"))
    return !strtok_r(NULL, " ", &rest);
  if (!strcmp(word, "skip"))
    return read_skip(&rest);
  if (!strcmp(word, "turns"))
    return read_turns(&rest);
  return !strcmp(word, "hold") && order.nholds < HOLDS_MOST &&
         read_hold(&rest, &order.holds[order.nholds++]);
}

static void read_order(void) {
  const char *text = getenv("LOCKSTEP_ORDER"), *tape = getenv("LOCKSTEP_TAPE");
  order.tape = tape && *tape ? tape : NULL;
  order.wanted = (text && *text) || order.tape;
  char *copy = strdup(text ? text : ""), *rest = copy;
  for (char *item; rest && (item = strsep(&rest, ";"));)
    if (!read_item(item))
      refuse(text);
  free(copy);
}

const PrescribedOrder *prescribed_order(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_order);
  return &order;
}
