/* Statements to instructions.
 *
 * An opcode is cut at its dots: the first part chooses a handler, the rest are modifiers. Whatever
 * has no handler of its own is an operation of ops.def: its canonical spelling is the opcode less
 * the modifiers that become flags. Operands become virtual registers; a literal or an address
 * becomes a constant, a virtual register that is filled before the launch. The same constant is
 * made once.
 */
#include <stdarg.h>
#include <stdio.h>

#include "ptx.h"

/* ---- refusing
 * ------------------------------------------------------------------------------------------- */

static void describe_place(Decoder *decoder, char *out, size_t size) {
  const PtxLine *place = &decoder->loader->lines.items[decoder->line];
  if (decoder->line && place->file < decoder->loader->files.count)
    snprintf(out, size, "%s:%u", decoder->loader->files.items[place->file], place->line);
  else
    snprintf(out, size, "PTX line %u", decoder->statement->ptx_line);
}

void refuse(Decoder *decoder, const char *format, ...) {
  char place[512], reason[256], text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  describe_place(decoder, place, sizeof place);
  Slice name = decoder->statement->name;
  snprintf(text, sizeof text, "%.*s (%s) %s", (int)(name.length < 60 ? name.length : 60),
           name.start, place, reason);
  decoder->source->refusal = arena_text(decoder->loader->module->arena, text, strlen(text));
  longjmp(decoder->refused, 1);
}

void refuse_opcode(Decoder *decoder) {
  refuse(decoder, "is not implemented by the emulated device");
}

code_statement(Decoder *decoder) {
  const Statement *statement = decoder->statement;
  if (statement->kind == STATEMENT_LABEL)
    flow_label(decoder, statement->label);
  if (statement->kind != STATEMENT_INSTRUCTION)
    return;
  locate(decoder);
  split_opcode(decoder);
  collect_operands(decoder);
  if (statement->guard != NONE &&
      decoder->source->registers.items[statement->guard].class != CLASS_PREDICATE)
    refuse(decoder, "is guarded by a register that is no predicate");
  for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++)
    if (slice_is(decoder->part[0], handlers[i].name)) {
      handlers[i].decode(decoder);
      return;
    }
  decode_operation(decoder);
}

bool writes_list(PtxForm form) {
  return form == PTX_UNPACK || form == PTX_LD || form == PTX_LD_PARAM || form == PTX_LD_ARG;
}

static void decode_statements(Decoder *decoder) {
  flow_begin(decoder);
  for (uint32_t i = 0; i < decoder->source->statements.count; i++) {
    decoder->statement = &decoder->source->statements.items[i];
    decode_statement(decoder);
  }
  flow_finish(decoder);
  trace_parameters(decoder);
  assign_registers(decoder);
}

void decode_function(Loader *loader, Source *source) {
  static const Statement none = {.guard = NONE};
  Decoder *decoder = arena_take(loader->scratch, sizeof *decoder);
  decoder->loader = loader;
  decoder->source = source;
  decoder->function = &loader->functions.items[source->function];
  decoder->statement = &none;
  if (setjmp(decoder->refused) == 0) {
    decode_statements(decoder);
    return;
  }
  decoder->function->refusal = source->refusal;
  decoder->function->ncode = decoder->function->nblocks = 0;
}
