/* Fuzzes the PTX reader. For damaged and hostile PTX, ptx_load must return a module or a one-line
 * error, and never crash, hang or leak. Then the module is traversed once, so that the sanitizer
 * checks every list that the machine would read, and assertions check the machine's assumptions.
 *
 * For libFuzzer (clang -fsanitize=fuzzer) this file is the target. mutate.c contains the mutations,
 * and corpus/ the first inputs. Built with -DPTX_REPLAY, the file has a main function that loads
 * the files named on the command line, and variants of them: truncated, or with one byte
 * changed. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../ptx/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

/* Address sanitizer keeps 256 MiB of freed memory from being reused, which causes cache misses. One
 * run frees less than a megabyte, so 4 MiB are enough. */
const char *__asan_default_options(void) { return "quarantine_size_mb=4"; }

static void check_slot(const PtxFunction *function, uint32_t offset) {
  assert(offset == PTX_NO_REG ||
         (offset % PTX_SLOT_BYTES == 0 && offset / PTX_SLOT_BYTES < function->nslots));
}

static void check_instruction(const PtxModule *module, const PtxFunction *function,
                              const PtxInsn *insn) {
  char text[64];
  const uint32_t slots[] = {insn->d, insn->a, insn->b, insn->c, insn->e, insn->mask, insn->guard};
  assert(insn->form < PTX_FORMS && insn->type < PTX_TYPES && insn->space < PTX_SPACES);
  assert((insn->form == PTX_ALU) == (insn->op < PTX_OP_COUNT));
  assert(insn->form != PTX_CALL || insn->call);
  assert(insn->parameter < (int)function->nparams && insn->line < module->nlines);
  for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
    check_slot(function, slots[i]);
  for (uint32_t i = 0; i < insn->count; i++)
    check_slot(function, insn->list[i]);
  for (uint32_t i = 0; insn->form == PTX_CALL && i < insn->call->nargs; i++)
    assert(insn->call->args[i].offset + insn->call->args[i].bytes <= function->argument_bytes);
  ptx_instruction_text(module, insn, text, sizeof text);
}

static void check_function(const PtxModule *module, const PtxFunction *function) {
  uint32_t code = 0;
  for (uint32_t b = 0; b < function->nblocks; b++) {
    const PtxBlock *block = &function->blocks[b];
    assert(block->first == code && block->taken < function->nblocks);
    assert(block->next < function->nblocks && block->line < module->nlines);
    check_slot(function, block->predicate);
    for (uint32_t i = 0; i < block->count; i++)
      check_instruction(module, function, &function->code[code++]);
    for (uint32_t i = 0; i < block->ntable; i++)
      assert(block->table[i] < function->nblocks);
  }
  assert(code == function->ncode);
  for (uint32_t i = 0; i < function->nconstants && function->nblocks; i++)
    check_slot(function, function->constants[i].slot);
  for (uint32_t i = 0; i < function->nundefined; i++)
    check_slot(function, function->undefined[i]);
}

static void check_module(const PtxModule *module) {
  for (uint32_t i = 0; i < module->nfunctions; i++)
    check_function(module, &module->functions[i]);
  for (uint32_t i = 0; i < module->nvariables; i++)
    for (uint32_t k = 0; k < module->variables[i].npatches; k++) {
      assert(module->variables[i].patches[k].offset + 8 <= module->variables[i].bytes);
      assert(module->variables[i].patches[k].variable < module->nvariables);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char error[128];
  PtxModule *module = ptx_load((const char *)data, size, error, sizeof error);
  if (module)
    check_module(module);
  else
    assert(error[0] && !strchr(error, '\n'));
  ptx_free(module);
  return 0;
}

#ifdef PTX_REPLAY
enum { MOST_BYTES = 1 << 20, CHANGES = 200 };

static void replay(uint8_t *data, size_t size) {
  LLVMFuzzerTestOneInput(data, size);
  for (size_t i = 0; i < CHANGES && size; i++) {
    size_t at = i * 7919 % size;
    uint8_t before = data[at];
    LLVMFuzzerTestOneInput(data, at);
    data[at] = (uint8_t) "0%{}[];,.:-x"[i % 12];
    LLVMFuzzerTestOneInput(data, size);
    data[at] = before;
  }
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    uint8_t *data = malloc(MOST_BYTES);
    if (!file || !data) {
      fprintf(stderr, "fuzz_ptx: cannot read %s\n", argv[i]);
      return 2;
    }
    replay(data, fread(data, 1, MOST_BYTES, file));
    free(data);
    fclose(file);
  }
  return 0;
}
#endif
