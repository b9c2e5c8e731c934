/* Detects floating-point sums that are rounded and to which several warps add. On a GPU the last
 * digits of such a sum differ from run to run. On the emulated device they are the same in each
 * run, so host code that compares with == may accept the result. The emulator does not see how the
 * host compares. So it does not report a mistake, but prints one note at the end of the program. */
#include "sum_order.h"

#include <stdio.h>

#include "../state/settings.h"
#include "names.h"
#include "observed.h"

static struct {
  /* The kernel with such a sum; NULL: no kernel so far. */
  const PtxFunction *kernel;
  const PtxModule *module;
  uint32_t line;
} found;

void sum_order_note(Warp *w, const PtxInsn *insn, uint64_t address) {
  RoundedSum *sum = &w->worker->observed->rounded;
  const Block *b = w->block;
  if (sum->insn)
    return;
  if (sum->address == address && (sum->start_order != b->start_order || sum->warp != w->number))
    sum->insn = insn;
  sum->address = address;
  sum->start_order = b->start_order;
  sum->warp = w->number;
}

void sum_order_collect(Worker *worker) {
  const PtxInsn *insn = worker->observed->rounded.insn;
  const Run *run = worker->run;
  if (!insn || (found.kernel && found.kernel != run->function))
    return;
  if (found.kernel && found.line <= insn->line)
    return;
  found.kernel = run->function;
  found.module = run->module;
  found.line = insn->line;
}

void sum_order_tell(void) {
  char kernel[80];
  if (!found.kernel || machine_settings()->quiet || machine_settings()->seed)
    return;
  name_plain(found.kernel->name, kernel, sizeof kernel);
  fprintf(
      stderr,
      "note: several warps add to one float, and the sum is rounded   in kernel %s\n"
      "      added here   %s:%u\n"
      "      A GPU adds in any order, so the last digits change from run to run. Compare with a "
      "tolerance. LOCKSTEP_SEED=1 shows another order.\n",
      kernel, ptx_file(found.module, found.line), ptx_line(found.module, found.line));
}
