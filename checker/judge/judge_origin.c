/* A right result: who has computed it, from which inputs, and did it take the operations that it takes? */
#include "judge.h"

#include <string.h>

#include "emulator.h"
#include "words.h"

/* Is there nothing to tell apart: the same number all over, or an input? */
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

/* Right, but whose work is it? */
bool judge_origin(Verdict *verdict, const Expected *e, const Trial *trial, bool on_gpu) {
  const ResultFile *output = &trial->output;
  if (!on_gpu && json_object_size(trial->log.kernels) == 0) {
    verdict_set(verdict, VERDICT_NOT_LAUNCHED,
                "the result is right, but a kernel was never launched");
    verdict_cause(verdict, "%s has to be computed on the device", e->name);
    return false;
  }
  size_t bytes = e->rows * e->columns * output->element_bytes;
  LogOrigin origin = log_origin(&trial->log, bytes, output->hash);
  if (e->subject->finished_by_host || origin == ORIGIN_UNKNOWN || origin == ORIGIN_DEVICE)
    return true;
  if (origin == ORIGIN_HOST) {
    verdict_say(verdict, VERDICT_NOT_RETURNED);
    verdict_cause(verdict,
                  "computed by the host? No cudaMemcpy to the host brought these bytes: %s has "
                  "to stay as the kernel stored it",
                  e->name);
  } else if (!commonplace(e, output)) {
    verdict_say(verdict, VERDICT_SENT);
    verdict_cause(verdict,
                  "these very bytes were copied to the device: %s has to be computed there",
                  e->name);
  }
  return verdict->headline[0] == '\0';
}

/* The same sizes came out right with numbers of which none is 0. */
static void blame_zeros(Verdict *verdict) {
  verdict_line(verdict, "",
               "the numbers are 0 to 9 here; with others all that it takes is computed");
  verdict_cause(verdict, "a condition leaves out terms with a factor of 0, and such a term need "
                         "not be 0: 0 times infinity is not a number, and has to show in the sum");
  verdict->explained = true;
}

/* Numbers that are right and were not computed are known from elsewhere. */
bool judge_operations(Verdict *verdict, const Expected *e, const Log *log) {
  const char *kernel;
  json_t *event;
  double done = 0, needed = e->subject->operations ? e->subject->operations(&e->instance) : 0;
  json_object_foreach(log->kernels, kernel, event) done += log_counter(log, kernel, "flop");
  if (done >= needed)
    return true;
  verdict_say(verdict, VERDICT_NOT_COMPUTED);
  char wanted[COUNT_BYTES], did[COUNT_BYTES];
  verdict_cause(verdict, "%s takes %s additions and multiplications, the kernels did %s", e->name,
                sentence_count(wanted, needed), sentence_count(did, done));
  if (e->run->fill == FILL_WHOLE && 2 * done > needed)
    blame_zeros(verdict);
  return false;
}

/* Who only reads has no need of atomic operations, and no counter of loads would see that. */
bool judge_inputs(Verdict *verdict, const Expected *e, const Log *log) {
  const char *kernel;
  json_t *event;
  LogAccess access;
  char place[200];
  if (e->run->own_launch)
    return true; /* whose parameters are whatever it likes */
  json_object_foreach(log->kernels, kernel, event) {
    for (int i = 0; i < problem_inputs(e->instance.problem); i++) {
      if (!log_atomic(log, kernel, i, &access))
        continue;
      const char *name = e->instance.problem->operands[i].name;
      verdict_set(verdict, VERDICT_ATOMIC_INPUT, "%s has atomic operations on %s, an input", kernel,
                  name);
      place_format(place, sizeof place, access.file, access.line);
      verdict_line(verdict, place, "here");
      verdict_cause(verdict, "read %s as any other memory: what loads cost is counted", name);
      return false;
    }
  }
  return true;
}

/* A replay gives the device other inputs than host code has seen, and knows which elements are neither. */
bool judge_written(Verdict *verdict, const Expected *e, const Log *log) {
  if (log->sent > 0)
    verdict_line(verdict, "", "%.0f elements that the host made were copied to the device",
                 log->sent);
  if (log->written == 0)
    return false;
  if (json_object_size(log->kernels) == 0)
    verdict_set(verdict, VERDICT_NOT_LAUNCHED, "the host wrote %s: a kernel was never launched",
                e->name);
  else
    verdict_set(verdict, VERDICT_NOT_RETURNED,
                "%.0f elements of %s come from the host: it is not what the device returned",
                log->written, e->name);
  verdict_cause(verdict,
                "computed by the host? No copy from the device brought these bytes: %s has to stay "
                "as the kernel stored it",
                e->name);
  return false;
}
