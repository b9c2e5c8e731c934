/* Writes the reports of invalid accesses: out of bounds, misaligned, or to read-only memory. */
#include "report_places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "../state/pieces.h"
#include "host_lines.h"
#include "elements.h"

/* The largest distance, in elements, at which an address before a buffer is attributed to this
 * buffer. */
#define FAR_BELOW 65536

static const char *access_verb(const PtxInsn *insn) {
  return insn->form == PTX_LD || insn->form == PTX_TEX ? "read"
         : insn->form == PTX_ST                        ? "write"
                                                       : "atomic operation";
}

static const char *access_past(const PtxInsn *insn) {
  return insn->form == PTX_LD || insn->form == PTX_TEX ? "read it"
         : insn->form == PTX_ST                        ? "wrote it"
                                                       : "changed it by an atomic operation";
}

#define NULL_PAGE 65536

/* Returns true if the address may be NULL plus a large index: it is low, and the host has no memory
 * mapped there. */
static bool is_null_and_more(uint64_t address) {
  unsigned char there;
  return address < NULL_PAGE ||
         (address < UINT64_C(1) << 40 &&
          mincore((void *)(uintptr_t)(address / NULL_PAGE * NULL_PAGE), 1, &there) != 0);
}

static ReportKind kind_of_address(PtxSpace space, uint64_t address, const Allocation *given) {
  if (given || space == PTX_SHARED || space == PTX_LOCAL || space == PTX_PARAM)
    return REPORT_OUT_OF_BOUNDS;
  if (is_null_and_more(address))
    return REPORT_NULL_POINTER;
  if (!memory_is_device(address))
    return memory_nearest(address) ? REPORT_OUT_OF_BOUNDS : REPORT_HOST_POINTER;
  const Allocation *near = memory_nearest(address);
  PieceAt piece;
  if (near && near->kind == MEMORY_HEAP && pieces_at(near, address, &piece))
    return piece.live || address - piece.address >= piece.bytes ? REPORT_OUT_OF_BOUNDS
                                                                : REPORT_USE_AFTER_FREE;
  return near && !near->live && address - near->address < near->bytes ? REPORT_USE_AFTER_FREE
                                                                      : REPORT_OUT_OF_BOUNDS;
}

/* Writes the sentence for an access before a buffer, for example "4 bytes before A: element -1". */
static void say_before(Report *r, const Around *around, const char *verb, uint64_t distance) {
  int n = snprintf(r->sentence, sizeof r->sentence, "%s out of bounds: %" PRIu64 " bytes before %s",
                   verb, distance, r->buffer[0] ? r->buffer : r->space);
  if (distance % around->element)
    return;
  uint64_t index = distance / around->element;
  r->elements_before = index;
  snprintf(r->sentence + n, sizeof r->sentence - (size_t)n, ": element -%" PRIu64, index);
  if (index > FAR_BELOW)
    r->cause = "An int that grows past 2147483647 continues at -2147483648. Compute such an index "
               "in size_t.";
}

static const char unsigned_wraps[] = "An unsigned index below 0 continues at 4294967295. Compare "
                                     "before the subtraction, or use an int.";

/* Describes an access whose 32-bit unsigned index wrapped around below 0. The wraparound adds
 * `span` bytes to the address of an element before the buffer. Returns false if no buffer begins
 * shortly after `address - span`. */
static bool say_wrapped(Report *r, const Around *around, const char *verb, uint64_t address) {
  const uint64_t span = ((uint64_t)UINT32_MAX + 1) * around->element;
  const Allocation *a = address > span ? memory_nearest(address - span) : NULL;
  if (!a || address - span >= a->address ||
      a->address - (address - span) > (uint64_t)FAR_BELOW * around->element)
    return false;
  Around meant = {.element = around->element};
  describe_allocation(r, &meant, a, address);
  snprintf(r->sentence, sizeof r->sentence, "%s out of bounds: %s, element %" PRIu64, verb,
           r->buffer, (address - a->address) / meant.element);
  r->cause = unsigned_wraps;
  return true;
}

/* Decides how the report describes the first elements after the last row. The program may have used
 * a row index that is too large, or a column index that is too large in the last row. The position
 * of the thread in the grid may show which index is wrong. Otherwise, r->detail gives the second
 * description. If the column is wrong, changes row and column of the report and returns true. */
static bool behind_last_row(Report *r, const Warp *w, const Around *around) {
  const uint32_t *size = w->block->run->launch->block;
  int64_t x = (int64_t)r->at.block[0] * size[0] + r->at.thread[0];
  int64_t y = (int64_t)r->at.block[1] * size[1] + r->at.thread[1];
  int64_t columns = (int64_t)around->columns, last = (int64_t)around->rows - 1;
  if (columns < 2 || r->row != last + 1 || size[1] < 2 || y == last + 1)
    return false;
  bool behind = y == last || x == columns + r->column;
  if (!behind && x == last + 1)
    return false;
  snprintf(r->detail, sizeof r->detail, "the same place is row %" PRId64 ", column %" PRId64,
           behind ? r->row : last, behind ? r->column : columns + r->column);
  if (behind) {
    r->row = last;
    r->column += columns;
  }
  return behind;
}

/* Writes the sentence for an access after a buffer, for example "A, row 5, column 0; its rows are 0
 * to 4", or for a vector "x, element 5; its elements are 0 to 4". */
static void say_out_of_bounds(Report *r, const Warp *w, const Around *around, const char *verb,
                              uint64_t address) {
  char element[128], has[80];
  bool behind = r->row >= 0 && around->rows && behind_last_row(r, w, around);
  const bool vector = r->row >= 0 && around->columns == 1;
  element_text(r, element, sizeof element);
  if (vector)
    snprintf(element, sizeof element, "%s, element %" PRId64, r->buffer, r->row);
  if (behind)
    snprintf(has, sizeof has, "its columns are 0 to %zu", around->columns - 1);
  else if (r->row >= 0 && around->rows && !vector)
    snprintf(has, sizeof has, "its rows are 0 to %zu", around->rows - 1);
  else if (around->bytes / around->element > 1)
    snprintf(has, sizeof has, "its elements are 0 to %" PRIu64,
             around->bytes / around->element - 1);
  else
    snprintf(has, sizeof has, "it has %" PRIu64, around->bytes / around->element);
  if (!around->bytes && r->buffer[0])
    snprintf(r->sentence, sizeof r->sentence, "%s out of bounds: %s has 0 bytes", verb, r->buffer);
  else if (!around->bytes && say_wrapped(r, around, verb, address))
    return;
  else if (!around->bytes)
    snprintf(r->sentence, sizeof r->sentence,
             "%s out of bounds: address 0x%" PRIx64 " is in no buffer", verb, address);
  else if (bytes_before(r, around, address))
    say_before(r, around, verb, bytes_before(r, around, address));
  else
    snprintf(r->sentence, sizeof r->sentence, "%s out of bounds: %s; %s", verb, element, has);
}

/* If the buffer has no name, adds the number of the kernel argument from which the address was
 * computed. */
static void name_argument(Report *r, const Warp *w, const PtxInsn *insn, const Allocation *near) {
  if (w->frame->function == w->block->run->function && insn->parameter >= 0 &&
      !(near && near->name)) {
    r->argument = insn->parameter + 1;
    snprintf(r->detail, sizeof r->detail, "the pointer comes from argument %d of the kernel",
             r->argument);
  }
}

static bool forgot_dynamic_shared(const Warp *w, const Report *r) {
  return r->space && strcmp(r->space, "shared") == 0 && !w->block->run->launch->dynamic_shared &&
         w->block->shared_bytes == 0;
}

/* The prefix of the mangled names of virtual function tables. */
#define VIRTUAL_TABLE "_ZTV"

/* Writes the sentence for an access through an invalid pointer, for example "write through a null
 * pointer: NULL plus 400000 bytes". */
static void say_no_device_pointer(Report *r, const Warp *w, const PtxInsn *insn, const char *verb,
                                  uint64_t address) {
  const Launch *launch = w->block->run->launch;
  const bool of_kernel = w->frame->function == w->block->run->function && insn->parameter >= 0;
  const char *variable =
      launch->host_copies && of_kernel ? launch->host_copies[insn->parameter] : NULL;
  const int n = snprintf(r->sentence, sizeof r->sentence, "%s through a %s", verb,
                         r->kind == REPORT_NULL_POINTER ? "null pointer"
                                                        : "pointer that is not a device pointer");
  if (r->kind == REPORT_NULL_POINTER && address >= NULL_PAGE)
    snprintf(r->sentence + n, sizeof r->sentence - (size_t)n, ": NULL plus %" PRIu64 " bytes",
             address);
  if (r->kind == REPORT_HOST_POINTER && host_is_in(address, VIRTUAL_TABLE)) {
    snprintf(r->sentence, sizeof r->sentence,
             "use of the virtual functions or bases of an object that host code created");
    r->cause = "The object holds the address of a table in host memory, and so does each copy of "
               "it. Create the object in a kernel, with new or in device memory.";
  }
  if (!variable)
    return;
  snprintf(r->sentence + n, sizeof r->sentence - (size_t)n, ": the host's copy of %s", variable);
  r->cause = "In host code, the name of a __constant__ or __device__ variable is not a device "
             "address. Use the name in the kernel, or pass what cudaGetSymbolAddress() returns.";
}

static void out_of_bounds(Warp *w, const PtxInsn *insn, unsigned lane, PtxSpace space,
                          uint64_t address, unsigned bytes) {
  const Allocation *given = space == PTX_GLOBAL ? argument_buffer(w, insn) : NULL;
  ReportKind kind = kind_of_address(space, address, given);
  if (kind == REPORT_OUT_OF_BOUNDS && space == PTX_GLOBAL && (given || memory_nearest(address)))
    elements_note(given ? given : memory_nearest(address), address, bytes);
  ReportSource source = {insn, kind, w->number * WARP_LANES + lane, w->block->start_order};
  if (report_repeats(&source))
    return;
  Report r = report_at(w, kind, insn->line, lane);
  strcpy(r.at.did, access_past(insn));
  if (report_again_from(&r, &source))
    return;
  r.at.column = insn->column;
  Around around = describe_within(&r, w, space, address, bytes, given);
  const char *verb = access_verb(insn);
  char element[128];
  if (kind == REPORT_NULL_POINTER || kind == REPORT_HOST_POINTER) {
    r.element = -1;
    r.buffer[0] = 0;
    say_no_device_pointer(&r, w, insn, verb, address);
    r.other_call = kind == REPORT_NULL_POINTER ? memory_empty_made() : NULL;
    if (r.other_call)
      strcpy(r.other.did, "0 bytes were allocated, which gives NULL");
  } else if (kind == REPORT_USE_AFTER_FREE) {
    snprintf(r.sentence, sizeof r.sentence, "%s of freed memory: %s", verb,
             element_text(&r, element, sizeof element));
    r.other_call = memory_nearest(address)->freed;
    if (r.other_call)
      strcpy(r.other.did, "freed before");
  } else {
    r.bytes_there = around.bytes;
    say_out_of_bounds(&r, w, &around, verb, address);
    if (r.element > (int64_t)UINT32_MAX - FAR_BELOW && r.element <= UINT32_MAX)
      r.cause = unsigned_wraps;
    else if (r.element > INT32_MAX)
      r.cause = "An int holds at most 2147483647. A larger index needs size_t. Look at the "
                "guard, and at the step of the loop.";
    if (forgot_dynamic_shared(w, &r))
      r.cause = "The launch provides no dynamic shared memory. Its size in bytes is the third "
                "value in <<< >>>.";
  }
  if (space == PTX_GLOBAL)
    name_argument(&r, w, insn, given ? given : memory_nearest(address));
  report_file(&r);
}

static void misaligned(Warp *w, const PtxInsn *insn, unsigned lane, PtxSpace space,
                       uint64_t address, unsigned bytes) {
  Report r = report_at(w, REPORT_MISALIGNED, insn->line, lane);
  strcpy(r.at.did, access_past(insn));
  if (report_again(&r))
    return;
  r.at.column = insn->column;
  Around around = describe(&r, w, space, address, bytes);
  int n = snprintf(r.sentence, sizeof r.sentence,
                   "%s of %u bytes at an address that is not a multiple of %u", access_verb(insn),
                   bytes, bytes);
  if (r.element >= 0)
    snprintf(r.sentence + n, sizeof r.sentence - (size_t)n, ": byte %" PRIu64 " of %s",
             address - around.start, r.buffer[0] ? r.buffer : r.space);
  const Allocation *array = space == PTX_GLOBAL ? allocation_around(address) : NULL;
  if (array && array->kind == MEMORY_ARRAY)
    r.cause = "The x of a surface function counts bytes. Multiply it by the size of an element.";
  report_file(&r);
}

static void constant_written(Warp *w, const PtxInsn *insn, unsigned lane, uint64_t address,
                             unsigned bytes) {
  Report r = report_at(w, REPORT_READ_ONLY, insn->line, lane);
  char element[128];
  describe(&r, w, PTX_CONST, address, bytes);
  snprintf(r.sentence, sizeof r.sentence, "%s to constant memory: %s", access_verb(insn),
           element_text(&r, element, sizeof element));
  snprintf(r.at.did, sizeof r.at.did, "%s", access_past(insn));
  report_file(&r);
}

void mistake_access(Warp *w, const PtxInsn *insn, unsigned lane, PtxSpace space, uint64_t address,
                    unsigned bytes, ReportKind kind) {
  if (kind == REPORT_MISALIGNED)
    misaligned(w, insn, lane, space, address, bytes);
  else if (kind == REPORT_READ_ONLY)
    constant_written(w, insn, lane, address, bytes);
  else
    out_of_bounds(w, insn, lane, space, address, bytes);
}
