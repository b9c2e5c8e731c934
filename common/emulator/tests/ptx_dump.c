/* Prints a decoded module, for development: ptx_dump FILE.ptx [FUNCTION] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../ptx/program.h"

static const char *const form_names[PTX_FORMS] = {
    "alu",    "sreg",  "local_addr", "pack",  "unpack", "ld",      "st",       "ld_param", "ld_arg",
    "st_arg", "atom",  "tex",        "fence", "copies", "barrier", "syncwarp", "shfl",     "vote",
    "match",  "redux", "activemask", "mma",   "rows",   "call",    "trap",     "sleep"};
static const char *const space_names[PTX_SPACES] = {"generic", "global", "const",
                                                    "shared",  "local",  "param"};
static const char *const end_names[] = {"fall", "branch", "if", "table", "ret", "exit"};
static const char *const constant_names[] = {"value", "variable", "shared", "dynamic", "function"};

static void print_slot(const char *label, uint32_t offset) {
  if (offset != PTX_NO_REG)
    printf(" %s=%u", label, offset / PTX_SLOT_BYTES);
}

static void print_instruction(const PtxModule *module, const PtxInsn *insn) {
  char text[160];
  ptx_instruction_text(module, insn, text, sizeof text);
  printf("  %-10s", insn->form == PTX_ALU ? ptx_op_name((PtxOp)insn->op) : form_names[insn->form]);
  if (insn->guard != PTX_NO_REG)
    printf(" @%s%u", insn->flags & PTX_NEG_PRED ? "!" : "", insn->guard / PTX_SLOT_BYTES);
  print_slot("d", insn->d);
  print_slot("e", insn->e);
  print_slot("a", insn->a);
  print_slot("b", insn->b);
  print_slot("c", insn->c);
  print_slot("mask", insn->mask);
  for (uint32_t i = 0; i < insn->count; i++)
    print_slot("list", insn->list[i]);
  if (insn->imm)
    printf(" imm=%lld", (long long)insn->imm);
  if (insn->form == PTX_LD || insn->form == PTX_ST || insn->form == PTX_ATOM)
    printf(" %s parameter=%d merged=%u-%u", space_names[insn->space], insn->parameter,
           insn->merged.bytes, insn->merged.before);
  if (insn->form == PTX_CALL)
    printf(" %s %d", insn->call->name, insn->call->function);
  printf(" sub=%u flags=%u .%s", insn->sub, insn->flags, ptx_type_name((PtxType)insn->type));
  printf("   ; %s  %s:%u:%u\n", text, ptx_file(module, insn->line), ptx_line(module, insn->line),
         insn->column);
}

static void print_block(const PtxModule *module, const PtxFunction *function, uint32_t b) {
  const PtxBlock *block = &function->blocks[b];
  printf(" block %u\n", b);
  for (uint32_t i = 0; i < block->count; i++)
    print_instruction(module, &function->code[block->first + i]);
  printf("  -> %s", end_names[block->end]);
  if (block->predicate != PTX_NO_REG)
    printf(" %s%u", block->negated ? "!" : "", block->predicate / PTX_SLOT_BYTES);
  if (block->end == PTX_END_BRANCH || block->end == PTX_END_IF)
    printf(" taken %u", block->taken);
  if (block->end == PTX_END_FALL || block->end == PTX_END_IF)
    printf(" next %u", block->next);
  for (uint32_t i = 0; i < block->ntable; i++)
    printf(" %u", block->table[i]);
  printf("   line %u\n", ptx_line(module, block->line));
}

static void print_function(const PtxModule *module, const PtxFunction *function) {
  printf("%s %s: %u slots (%u constants), at least %u registers, %u instructions, %u blocks\n",
         function->is_entry ? "entry" : "function", function->name, function->nslots,
         function->nconstants, function->live_registers, function->ncode, function->nblocks);
  if (function->refusal)
    printf(" refused: %s\n", function->refusal);
  printf(" parameters %u bytes, arguments %u, local %u, shared %u; granules %u %u%s%s\n",
         function->param_bytes, function->argument_bytes, function->local_bytes,
         function->shared_bytes, function->shared_granule, function->global_granule,
         function->accesses_unknown & ~PTX_READS ? ", writes through an unknown pointer" : "",
         function->has_fence ? ", has a fence" : "");
  for (uint32_t i = 0; function->accesses_parameter && i < function->nparams; i++)
    if (function->accesses_parameter[i] & ~PTX_READS)
      printf(" writes parameter %u\n", i);
  for (uint32_t i = 0; i < function->nundefined; i++)
    printf(" slot %u is undefined at first\n", function->undefined[i] / PTX_SLOT_BYTES);
  for (uint32_t i = 0; i < function->nconstants; i++) {
    const PtxConstant *c = &function->constants[i];
    printf(" slot %u = %s %u + 0x%llx (%u bytes)\n", c->slot / PTX_SLOT_BYTES,
           constant_names[c->kind], c->symbol, (unsigned long long)c->value, c->bytes);
  }
  for (uint32_t b = 0; b < function->nblocks; b++)
    print_block(module, function, b);
}

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  *length = 0;
  for (size_t got = 1; file && got; *length += got) {
    text = realloc(text, *length + 65536);
    got = text ? fread(text + *length, 1, 65536, file) : 0;
  }
  if (file)
    fclose(file);
  return text;
}

int main(int argc, char **argv) {
  char error[512];
  size_t length;
  char *text = argc > 1 ? read_file(argv[1], &length) : NULL;
  if (!text) {
    fprintf(stderr, "ptx_dump: cannot read %s\n",
            argc > 1 ? argv[1] : "(no file): ptx_dump FILE.ptx");
    return 2;
  }
  PtxModule *module = ptx_load(text, length, error, sizeof error);
  free(text);
  if (!module) {
    fprintf(stderr, "%s: %s\n", argv[1], error);
    return 2;
  }
  for (uint32_t i = 0; i < module->nvariables; i++)
    printf("variable %u %s: %llu bytes, %u patches\n", i, module->variables[i].name,
           (unsigned long long)module->variables[i].bytes, module->variables[i].npatches);
  for (uint32_t i = 0; i < module->nshared; i++)
    printf("shared %u %s: %llu bytes\n", i, module->shared[i].name,
           (unsigned long long)module->shared[i].bytes);
  for (uint32_t i = 0; i < module->nfunctions; i++)
    if (argc < 3 || strcmp(module->functions[i].name, argv[2]) == 0)
      print_function(module, &module->functions[i]);
  ptx_free(module);
  return 0;
}
