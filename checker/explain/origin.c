/* Judges the origin of a correct result: whether the device or the host computed it, from which
 * inputs, and with how many operations. */
#include "explain/judge.h"

#include <string.h>

#include "emulator.h"
#include "words.h"

/* Returns true if the output does not identify its origin, because all of its elements are the same
 * number, or because it is equal to an input. */
static bool commonplace(const Expected *e, const ResultFile *output) {
  size_t count = e->rows * e->columns, same = 1;
  while (same < count && output->values[same] == output->values[0])
    same++;
  for (int i = 0; same < count && i < problem_inputs(e->instance.problem); i++)
    if (operand_bytes(&e->instance, i) == count * output->element_bytes &&
        emulator_hash(e->instance.operand[i], count * output->element_bytes) == output->hash)
      return true;
  return same >= count;
}

/* Rejects a correct result that no kernel computed, or that the host sent to the device. */
bool judge_origin(Verdict *verdict, const Expected *e, const Trial *trial, bool on_gpu) {
  const ResultFile *output = &trial->output;
  if (!on_gpu && json_object_size(trial->log.kernels) == 0) {
    verdict_set(verdict, VERDICT_NOT_LAUNCHED, SAID(RIGHT_BUT_NOT_LAUNCHED));
    verdict_cause(verdict, SAID(COMPUTE_ON_DEVICE, e->name));
    return false;
  }
  size_t bytes = e->rows * e->columns * output->element_bytes;
  LogOrigin origin = log_origin(&trial->log, bytes, output->hash);
  if (e->subject->finished_by_host || origin == ORIGIN_UNKNOWN || origin == ORIGIN_DEVICE)
    return true;
  if (origin == ORIGIN_HOST) {
    verdict_say(verdict, VERDICT_NOT_RETURNED);
    verdict_cause(verdict, SAID(HOST_COMPUTED, e->name));
  } else if (!commonplace(e, output)) {
    verdict_say(verdict, VERDICT_SENT);
    verdict_cause(verdict, SAID(BYTES_WERE_SENT, e->name));
  }
  return !verdict_failed(verdict);
}

/* Adds the cause that the kernel skips terms that are 0. The cause is proven: with numbers other
 * than 0, the result at the same sizes is right and all operations are executed. */
static void blame_zeros(Verdict *verdict) {
  verdict_fact(verdict, "", SAID(NUMBERS_WITH_ZEROS));
  verdict_cause(verdict, SAID(ZERO_TERMS_LEFT_OUT));
  verdict->certainty = CERTAINTY_PROVEN;
}

/* Rejects a correct result if the kernels executed fewer operations than the computation needs.
 * Then the kernels did not compute all of the result. */
bool judge_operations(Verdict *verdict, const Expected *e, const Log *log) {
  const char *kernel;
  json_t *event;
  double done = 0, needed = e->subject->operations ? e->subject->operations(&e->instance) : 0;
  json_object_foreach(log->kernels, kernel, event) done += log_counter(log, kernel, "flop");
  if (done >= needed)
    return true;
  verdict_say(verdict, VERDICT_NOT_COMPUTED);
  char wanted[COUNT_BYTES], did[COUNT_BYTES];
  verdict_cause(verdict, SAID(OPERATIONS_MISSING, e->name, sentence_count(wanted, needed),
                              sentence_count(did, done)));
  if (e->run->fill == FILL_WHOLE && 2 * done > needed)
    blame_zeros(verdict);
  return false;
}

/* Rejects atomic operations on inputs. No lab needs an atomic operation to read an input, and the
 * counters of loads do not include atomic operations. */
bool judge_inputs(Verdict *verdict, const Expected *e, const Log *log) {
  const char *kernel;
  json_t *event;
  LogAccess access;
  char place[200];
  if (e->run->own_launch)
    /* The student's own launch may have any parameters. */
    return true;
  json_object_foreach(log->kernels, kernel, event) {
    for (int i = 0; i < problem_inputs(e->instance.problem); i++) {
      if (!log_atomic(log, kernel, i, &access))
        continue;
      const char *name = e->instance.problem->operands[i].name;
      verdict_set(verdict, VERDICT_ATOMIC_INPUT, SAID(ATOMIC_ON_INPUT, kernel, name));
      place_format(place, sizeof place, access.file, access.line);
      verdict_fact(verdict, place, SAID(HERE));
      verdict_cause(verdict, SAID(READ_INPUT_PLAINLY, name));
      return false;
    }
  }
  return true;
}

/* Finds elements that the host computed instead of the device. A replay uses other inputs than the
 * host code had, so a value that the host computed does not match them. */
bool judge_written(Verdict *verdict, const Expected *e, const Log *log) {
  if (log->sent > 0)
    verdict_fact(verdict, "", SAID(ELEMENTS_SENT, log->sent));
  if (log->written == 0)
    return false;
  if (json_object_size(log->kernels) == 0)
    verdict_set(verdict, VERDICT_NOT_LAUNCHED, SAID(HOST_WROTE, e->name));
  else
    verdict_set(verdict, VERDICT_NOT_RETURNED, SAID(HOST_WROTE_SOME, log->written, e->name));
  verdict_cause(verdict, SAID(HOST_COMPUTED_REPLAY, e->name));
  return false;
}
