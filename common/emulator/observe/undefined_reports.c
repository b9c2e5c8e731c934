/* Writes the reports about uses of undefined values. */
#include "report_places.h"

#include <stdio.h>
#include <string.h>

#include "elements.h"

/* Checks whether a 2-D copy left the address undefined because its width was given in elements
 * instead of bytes. If so, adds this cause to the report and returns true. */
static bool look_for_width(Report *r, const Allocation *a, uint64_t address, unsigned element) {
  const CopiedRows *rows = a ? a->copied : NULL;
  const uint64_t at = rows ? address - a->address - rows->at : 0;
  if (!rows || address - a->address < rows->at || at / rows->pitch >= rows->rows ||
      at % rows->pitch < rows->width || at % rows->pitch >= rows->width * element ||
      rows->width * element > rows->pitch)
    return false;
  snprintf(r->detail, sizeof r->detail,
           "a 2-D copy wrote the first %zu bytes of each row, which is %zu elements", rows->width,
           rows->width / element);
  r->cause = "The width of a 2-D copy is in bytes, not in elements. Multiply it by sizeof.";
  return true;
}

/* Checks whether the undefined address is in the padding after a row of pitched memory. If so, adds
 * this cause to the report and returns true. */
static bool look_for_gap(Report *r, const Allocation *a, uint64_t address) {
  const CopiedRows *rows = a ? a->copied : NULL;
  const uint64_t at = rows ? address - a->address - rows->at : 0;
  if (!rows || !a->pitch || a->pitch != rows->pitch || address - a->address < rows->at ||
      at / rows->pitch >= rows->rows || at % rows->pitch < rows->width)
    return false;
  snprintf(r->detail, sizeof r->detail,
           "its rows begin every %zu bytes, and a copy wrote the first %zu of each", a->pitch,
           rows->width);
  r->cause = "Rows of memory from cudaMallocPitch begin one pitch apart. Multiply the number of "
             "the row by the pitch, not by the width.";
  return true;
}

/* Checks whether a copy or memset wrote only a part of the buffer because its size was given in
 * elements instead of bytes. If so, adds this cause to the report. Also tries look_for_width and
 * look_for_gap. */
static void look_for_elements(Report *r, uint64_t address, unsigned element) {
  const Allocation *a = memory_find(address);
  uint64_t first;
  if (look_for_width(r, a, address, element) || look_for_gap(r, a, address))
    return;
  size_t missing = a ? memory_undefined(a, a->address, a->bytes, 1, &first) : 0;
  if (!missing || missing == a->bytes || (a->bytes - missing) * element != a->bytes ||
      first - a->address != a->bytes - missing)
    return;
  snprintf(r->detail, sizeof r->detail, "only the first %zu of its %zu bytes were written",
           a->bytes - missing, a->bytes);
  r->cause = "cudaMemcpy and cudaMemset count bytes, not elements. Multiply the count by sizeof.";
}

/* Returns true if the buffer exists and no byte of it is defined. */
static bool never_filled(const Allocation *a) {
  uint64_t first;
  return a && memory_undefined(a, a->address, a->bytes, 1, &first) == a->bytes;
}

/* Reports the use of a value that a shuffle read from an absent lane. */
static void absent(Warp *w, const Origin *origin, unsigned lane, uint32_t line, const char *use) {
  const unsigned reader = origin->lanes >> lane & 1 ? lane : lowest(origin->lanes);
  Report r = report_at(w, REPORT_MASK, origin->insn->line, reader);
  snprintf(r.at.did, sizeof r.at.did, "asked for the value of lane %u",
           (unsigned)origin->address[reader]);
  mistake_place(&r.other, w, lane, line);
  snprintf(r.other.did, sizeof r.other.did, "%s", use);
  snprintf(r.sentence, sizeof r.sentence, "shuffle from a lane that does not take part");
  snprintf(r.detail, sizeof r.detail, "the mask of the lanes that take part is 0x%08x",
           origin->present);
  report_file(&r);
}

void mistake_undefined(Warp *w, const Origin *origin, unsigned lane, uint32_t line,
                       const char *use) {
  if (origin && origin->insn->form == PTX_SHFL) {
    absent(w, origin, lane, line, use);
    return;
  }
  const Allocation *memory = origin && origin->space == PTX_GLOBAL
                                 ? memory_find(origin->address[lowest(origin->lanes)])
                                 : NULL;
  const bool managed = memory && memory->kind == MEMORY_MANAGED;
  Report r = report_at(w, managed ? REPORT_UNWRITTEN_MANAGED : REPORT_UNINITIALISED, line, lane);
  snprintf(r.at.did, sizeof r.at.did, "%s", use);
  if (!origin) {
    snprintf(r.sentence, sizeof r.sentence, "use of a variable that was never set");
    r.cause = "The variable needs a value on every path that leads here.";
    report_file(&r);
    return;
  }
  /* The lane that read the value may have passed it on by a shuffle. */
  unsigned reader = origin->lanes >> lane & 1 ? lane : lowest(origin->lanes);
  r.other = r.at;
  mistake_place(&r.at, w, reader, origin->insn->line);
  snprintf(r.at.did, sizeof r.at.did, "read it");
  if (report_again(&r))
    return;
  describe(&r, w, (PtxSpace)origin->space, origin->address[reader],
           ptx_type_bytes((PtxType)origin->insn->type));
  char element[128];
  int n = snprintf(r.sentence, sizeof r.sentence, "read of %s memory that was never written",
                   managed ? "managed" : r.space);
  if (origin->space == PTX_LOCAL)
    /* PTX has no names for local arrays. */
    r.cause = "Each thread has its own copy of this array. An array that the block shares is "
              "declared with __shared__.";
  else
    snprintf(r.sentence + n, sizeof r.sentence - (size_t)n, ": %s",
             element_text(&r, element, sizeof element));
  if (origin->space == PTX_GLOBAL && !managed)
    look_for_elements(&r, origin->address[reader], ptx_type_bytes((PtxType)origin->insn->type));
  if (never_filled(memory) && argument_buffer(w, origin->insn) == memory) {
    r.argument = origin->insn->parameter + 1;
    r.made_call = memory->made;
  }
  report_file(&r);
}

void mistake_undefined_atomic(Warp *w, const PtxInsn *insn, unsigned lane, PtxSpace space,
                              uint64_t address) {
  Origin origin = {.insn = insn, .lanes = 1u << lane, .space = (uint8_t)space};
  origin.address[lane] = address;
  mistake_undefined(w, &origin, lane, insn->line, "changed it by an atomic operation");
}
