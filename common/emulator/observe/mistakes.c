/* Turns a mistake of a lane into a report that helps the user. */
#include "mistakes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "../state/pieces.h"
#include "../state/settings.h"
#include "elements.h"
#include "host_lines.h"
#include "names.h"
#include "shared_races.h"

/* ---- places ---------------------------------------------------------------------------------- */
static void place_thread(ReportPlace *p, const Run *run, uint64_t block, uint32_t number) {
  const uint32_t *size = run->launch->block, *grid = run->launch->grid;
  p->thread[0] = number % size[0];
  p->thread[1] = number / size[0] % size[1];
  p->thread[2] = number / size[0] / size[1];
  p->block[0] = (uint32_t)(block % grid[0]);
  p->block[1] = (uint32_t)(block / grid[0] % grid[1]);
  p->block[2] = (uint32_t)(block / grid[0] / grid[1]);
  p->has_thread = true;
}

static void place_line(ReportPlace *p, const Run *run, uint32_t line) {
  p->file = ptx_file(run->module, line);
  p->line = ptx_line(run->module, line);
}

void mistake_place(ReportPlace *p, const Warp *w, unsigned lane, uint32_t line) {
  place_line(p, w->block->run, line);
  place_thread(p, w->block->run, w->block->number, w->number * WARP_LANES + lane);
}

static Report report_at(const Warp *w, ReportKind kind, uint32_t line, unsigned lane) {
  Report r = report_make(kind);
  r.kernel = w->block->run->function->name;
  r.start_order = w->block->start_order;
  mistake_place(&r.at, w, lane, line);
  return r;
}

/* ---- memory ---------------------------------------------------------------------------------- */
const PtxVariable *mistake_shared_variable(const PtxModule *m, const PtxFunction *f,
                                           uint64_t address, uint32_t *start) {
  const PtxVariable *best = NULL;
  uint32_t dynamic = (f->shared_bytes + 15) / 16 * 16;
  for (uint32_t i = 0; i < m->nshared; i++) {
    const PtxVariable *v = &m->shared[i];
    uint32_t from = v->is_extern ? dynamic : f->shared_offset[i];
    if (from == UINT32_MAX || address < from)
      continue;
    if (!best || from >= *start) {
      best = v;
      *start = from;
    }
  }
  return best;
}

/* The buffer around an address. */
typedef struct Around {
  /* Address and size of the buffer; bytes 0: there is none near. */
  uint64_t start, bytes;
  /* Size of an element in bytes. */
  unsigned element;
  /* 0: unknown */
  size_t rows, columns;
} Around;

static void describe_shared(Report *r, Around *around, const Warp *w, uint64_t address) {
  const Block *b = w->block;
  uint32_t start = 0;
  const PtxVariable *v = mistake_shared_variable(b->run->module, b->run->function, address, &start);
  r->space = "shared";
  around->start = start;
  around->bytes = b->shared_bytes - start;
  if (!v)
    return;
  name_plain(v->name, r->buffer, sizeof r->buffer);
  if (!v->is_extern)
    around->bytes = v->bytes;
}

static void describe_local(Report *r, Around *around, const Warp *w) {
  const Frame *f = w->frame;
  r->space = "local";
  snprintf(r->buffer, sizeof r->buffer, "the thread's local memory");
  around->start = f->local_base;
  around->bytes = f->function->local_bytes;
}

/* The buffer passed in the kernel argument from which the access's pointer derives; NULL: unknown.
 * An index far out of range may hit the space beside, or inside, another buffer. */
static const Allocation *argument_buffer(const Warp *w, const PtxInsn *insn) {
  const PtxFunction *f = w->block->run->function;
  if (insn->parameter < 0 || w->frame->function != f)
    return NULL;
  return launch_buffer(w->block->run->launch, &f->params[insn->parameter]);
}

static void describe_allocation(Report *r, Around *around, const Allocation *a, uint64_t address) {
  if (!a)
    return;
  r->space = a->kind == MEMORY_CONSTANT ? "constant" : "global";
  PieceAt piece;
  if (a->kind == MEMORY_HEAP && pieces_at(a, address, &piece)) {
    snprintf(r->buffer, sizeof r->buffer, "%" PRIu64 " bytes that malloc or new returned",
             piece.bytes);
    *around = (Around){.start = piece.address, .bytes = piece.bytes, .element = around->element};
    return;
  }
  if (a->name)
    name_plain(a->name, r->buffer, sizeof r->buffer);
  else
    snprintf(r->buffer, sizeof r->buffer, "allocation %" PRIu32 " (%zu bytes)", a->number,
             a->bytes);
  *around = (Around){a->address, a->bytes,
                     a->element_bytes ? (unsigned)a->element_bytes : around->element, a->rows,
                     a->columns};
}

static const Allocation *allocation_around(uint64_t address) {
  const Allocation *a = memory_find(address);
  return a ? a : memory_nearest(address);
}

/* Distance from an address to the buffer after it in bytes; 0: the address is not before the
 * buffer. Shared addresses have 32 bits, so an index below the first variable wraps around. */
static uint64_t bytes_before(const Report *r, const Around *around, uint64_t address) {
  if (address < around->start)
    return around->start - address;
  const bool wraps = r->space && strcmp(r->space, "shared") == 0 && address > INT32_MAX;
  return wraps ? around->start + UINT32_MAX + 1 - address : 0;
}

static void place_element(Report *r, const Around *around, uint64_t address) {
  if (!around->bytes || bytes_before(r, around, address))
    return;
  r->element = (int64_t)((address - around->start) / around->element);
  if (around->columns) {
    r->row = r->element / (int64_t)around->columns;
    r->column = r->element % (int64_t)around->columns;
  }
}

/* Fills in buffer, element, row and column of an address. `given`: the buffer that it was meant
 * for, if known. */
static Around describe_within(Report *r, const Warp *w, PtxSpace space, uint64_t address,
                              unsigned bytes, const Allocation *given) {
  Around around = {.element = bytes};
  r->space = "global";
  if (space == PTX_SHARED)
    describe_shared(r, &around, w, address);
  else if (space == PTX_LOCAL)
    describe_local(r, &around, w);
  else
    describe_allocation(r, &around, given ? given : allocation_around(address), address);
  place_element(r, &around, address);
  return around;
}

static Around describe(Report *r, const Warp *w, PtxSpace space, uint64_t address, unsigned bytes) {
  return describe_within(r, w, space, address, bytes, NULL);
}

static const char *element_text(const Report *r, char *out, size_t size) {
  if (r->element < 0)
    snprintf(out, size, "%s", r->buffer[0] ? r->buffer : "memory");
  else if (r->row >= 0)
    snprintf(out, size, "%s, row %" PRId64 ", column %" PRId64, r->buffer, r->row, r->column);
  else
    snprintf(out, size, "%s, element %" PRId64, r->buffer[0] ? r->buffer : r->space, r->element);
  return out;
}

/* In elements: no off-by-a-few index is this far below the first element. */
#define FAR_BELOW 65536

/* ---- wrong addresses ------------------------------------------------------------------------- */
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

/* Returns true if nothing of the host is mapped there, so that the address may be NULL plus a large
 * index. */
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

/* "4 bytes before A: element -1" */
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

/* With an unsigned index of 32 bits, an element just before the buffer is that far behind it. */
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

/* The first elements after the last row may belong to a row that does not exist, or extend the last
 * row. The position of the thread in the grid may tell which was meant; otherwise the report says
 * both. */
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

/* "A, row 5, column 0; its rows are 0 to 4", or of a vector "x, element 5; its elements are 0 to 4"
 */
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

/* Adds which kernel argument the pointer came from, if the buffer has no name. */
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

/* Prefix of the mangled names of virtual function tables. */
#define VIRTUAL_TABLE "_ZTV"

/* "write through a null pointer: NULL plus 400000 bytes" */
static void say_no_device_pointer(Report *r, const Warp *w, const PtxInsn *insn, const char *verb,
                                  uint64_t address) {
  const Launch *launch = w->block->run->launch;
  const bool of_kernel = w->frame->function == w->block->run->function && insn->parameter >= 0;
  const char *variable =
      launch->host_copies && of_kernel ? launch->host_copies[insn->parameter] : NULL;
  const int n = snprintf(r->sentence, sizeof r->sentence, "%s through a %s", verb,
                         r->kind == REPORT_NULL_POINTER ? "null pointer"
                                                        : "pointer that is not the device's");
  if (r->kind == REPORT_NULL_POINTER && address >= NULL_PAGE)
    snprintf(r->sentence + n, sizeof r->sentence - (size_t)n, ": NULL plus %" PRIu64 " bytes",
             address);
  if (r->kind == REPORT_HOST_POINTER && host_is_in(address, VIRTUAL_TABLE)) {
    snprintf(r->sentence, sizeof r->sentence,
             "use of the virtual functions or bases of an object that host code made");
    r->cause = "Such an object has the address of the host's table of them, and a copy keeps it. "
               "Make the object in a kernel, with new or in memory of the device.";
  }
  if (!variable)
    return;
  snprintf(r->sentence + n, sizeof r->sentence - (size_t)n, ": the host's copy of %s", variable);
  r->cause = "In host code, the name of a __constant__ or __device__ variable is no address on the "
             "device. Use the name in the kernel, or pass what cudaGetSymbolAddress() returns.";
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
      r.cause =
          "An int holds at most 2147483647, and an index beyond that needs size_t. Look at the "
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
                   "%s of %u bytes at an address that is no multiple of %u", access_verb(insn),
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

/* ---- races ----------------------------------------------------------------------------------- */
static const char *const access_did[] = {[ACCESS_READS] = "read it",
                                         [ACCESS_WRITES] = "wrote it",
                                         [ACCESS_CHANGES] = "changed it atomically"};

/* The shadow remembers one of several readers, and it happens to be the writer itself. */
static void unnamed(ReportPlace *p, const char *who, const char *what) {
  p->has_thread = false;
  assert(strlen(who) + 1 + strlen(what) < sizeof p->did);
  stpcpy(stpcpy(stpcpy(p->did, who), " "), what);
}

static void place_earlier(Report *r, const Warp *w, unsigned lane, const Earlier *e,
                          AccessKind now) {
  const Run *run = w->block->run;
  const PtxInsn *before = module_site(run->module, e->site);
  r->other = r->at; /* the earlier access first */
  strcpy(r->at.did, access_did[e->kind]);
  strcpy(r->other.did, access_did[now]);
  r->at.wrote = e->kind == ACCESS_WRITES;
  r->other.wrote = now == ACCESS_WRITES;
  place_line(&r->at, run, before ? before->line : 0);
  place_thread(&r->at, run, e->block, e->thread);
  if (e->block == w->block->number && e->thread == w->number * WARP_LANES + lane)
    unnamed(&r->at, "another lane of its warp", access_did[e->kind]);
}

static ReportKind race_kind(const Warp *w, const Earlier *e) {
  const bool within = e->block == w->block->number;
  return e->same_value                         ? REPORT_SAME_VALUE
         : !within                             ? REPORT_RACE_GLOBAL
         : e->together                         ? REPORT_RACE_LANES
         : e->thread / WARP_LANES == w->number ? REPORT_RACE_WARP
                                               : REPORT_RACE_SHARED;
}

static const char atomic_beside_plain[] =
    "An atomic operation is atomic only for other atomic operations. Make the plain access atomic "
    "too, or put a barrier between the two.";
static const char one_block_only[] =
    "An atomic operation with the suffix _block is atomic only for the threads of one block. Other "
    "blocks need the one without it.";
static const char barrier_of_one_block[] =
    "__syncthreads() orders the threads of one block only, and blocks run in any order. Use two "
    "launches in one stream, or a cooperative launch with grid.sync().";
static const char two_sizes[] = "Atomic operations of different sizes are not atomic for each "
                                "other. Use one size for the variable.";

static const char no_fence[] =
    "No fence and flag order the two accesses. The first needs a __threadfence() before the atomic "
    "operation that tells the other block; the second needs one after the operation that reads it.";

static const char other_lane_heard[] =
    "Another lane of the warp has waited for the first access, and this lane has not met it since. "
    "The lanes need a __syncwarp() after the wait.";

/* The cause when one or both threads hold a lock. */
static const char *lock_cause(const Earlier *e, bool locked) {
  return !e->locked || !locked
             ? "Only one of the two threads holds the lock. The other one must take it too."
         : !e->same_lock ? "The two threads hold different locks. All threads that use this "
                           "variable must take the same one."
                         : "The lock needs a __threadfence() after the atomicCAS that takes it, "
                           "and one before the operation that releases it.";
}

/* Returns true if one line loads and stores through the same register, as in counts[i]++. */
static bool is_one_change(const PtxInsn *before, const PtxInsn *now) {
  return before && before->line == now->line && before->form != now->form && before->a == now->a &&
         before->imm == now->imm;
}

/* Blocks that exchange values around a barrier: it was probably taken for one of the whole grid. */
static const char *barrier_cause(const PtxFunction *f, AccessKind a, AccessKind b) {
  bool waits = false;
  for (uint32_t i = 0; i < f->ncode && !waits; i++)
    waits = f->code[i].form == PTX_BARRIER;
  return waits && a != b ? barrier_of_one_block : NULL;
}

/* The cause of a race; NULL: the kind's own text. */
static const char *race_cause(const Warp *w, unsigned lane, const PtxInsn *insn, PtxSpace space,
                              ReportKind kind, const Earlier *e, AccessKind now) {
  const PtxInsn *before = module_site(w->block->run->module, e->site);
  const bool is_volatile = (insn->flags | (before ? before->flags : 0)) & PTX_VOLATILE;
  const bool changes = e->kind == ACCESS_CHANGES || now == ACCESS_CHANGES;
  if (kind == REPORT_SAME_VALUE || kind == REPORT_RACE_LANES)
    return NULL;
  if (e->heard)
    return other_lane_heard;
  if (e->kind == ACCESS_CHANGES && now == ACCESS_CHANGES)
    return kind == REPORT_RACE_GLOBAL ? one_block_only : two_sizes;
  if (changes)
    return kind == REPORT_RACE_GLOBAL && w->worker->run->observed->orders ? NULL
                                                                          : atomic_beside_plain;
  const bool locked = w->observed->order.inside >> lane & 1;
  if (space == PTX_GLOBAL && (e->locked || locked))
    return lock_cause(e, locked);
  if (kind == REPORT_RACE_GLOBAL)
    return w->worker->run->observed->orders ? no_fence
                                            : barrier_cause(w->worker->run->function, e->kind, now);
  if (is_one_change(before, insn))
    return "Each of these threads loads the element, changes it and stores it, so one change is "
           "lost. Use an atomic operation, such as atomicAdd().";
  if (space == PTX_GLOBAL && before && before->line == insn->line && e->kind != now)
    return "If several threads change this element, use an atomic operation, such as atomicAdd(). "
           "Otherwise a barrier must separate the reads from the writes.";
  if (space == PTX_GLOBAL && kind == REPORT_RACE_SHARED && e->kind == ACCESS_WRITES &&
      now == ACCESS_WRITES)
    return "Two threads of the block store to the same element. Give each its own element, or use "
           "an atomic operation.";
  if (is_volatile && space == PTX_SHARED)
    return kind == REPORT_RACE_WARP
               ? "The keyword volatile orders nothing. Lanes of a warp need a __syncwarp()."
               : "The keyword volatile orders nothing. Only __syncthreads() or an atomic operation "
                 "does.";
  return kind == REPORT_RACE_SHARED && space == PTX_SHARED
             ? shared_race_cause(w, e, insn->site, now)
             : NULL;
}

void mistake_race(Warp *w, const PtxInsn *insn, unsigned lane, PtxSpace space, uint64_t address,
                  const Earlier *e, AccessKind now) {
  const ReportKind kind = race_kind(w, e);
  const bool within = e->block == w->block->number;
  Report r = report_at(w, kind, insn->line, lane);
  char element[128];
  place_earlier(&r, w, lane, e, now);
  if (report_again(&r))
    return;
  describe(&r, w, space, address, space == PTX_SHARED ? 4 : ptx_type_bytes((PtxType)insn->type));
  const char *what = kind == REPORT_SAME_VALUE   ? "same value written twice"
                     : kind == REPORT_RACE_LANES ? "different values written at once"
                                                 : "race";
  if (space == PTX_SHARED)
    snprintf(r.sentence, sizeof r.sentence, "%s on %s, word %" PRId64, what,
             r.buffer[0] ? r.buffer : "shared memory", r.element);
  else
    snprintf(r.sentence, sizeof r.sentence, "%s %s on %s", what,
             within ? "within a block" : "between blocks",
             element_text(&r, element, sizeof element));
  const char *cause = race_cause(w, lane, insn, space, kind, e, now);
  r.cause = cause ? cause : r.cause;
  report_file(&r);
}

void mistake_pending(Warp *w, const PtxInsn *insn, unsigned lane, uint32_t offset, uint32_t thread,
                     uint32_t site, bool writes_now) {
  const PtxInsn *before = module_site(w->block->run->module, site);
  Report r = report_at(w, REPORT_COPY_PENDING, insn->line, lane);
  r.other = r.at;
  strcpy(r.other.did, access_did[writes_now ? ACCESS_WRITES : ACCESS_READS]);
  strcpy(r.at.did, "began to copy to it");
  place_line(&r.at, w->block->run, before ? before->line : 0);
  place_thread(&r.at, w->block->run, w->block->number, thread);
  if (report_again(&r))
    return;
  describe(&r, w, PTX_SHARED, offset, 4);
  snprintf(r.sentence, sizeof r.sentence,
           "%s before its asynchronous copy is there: %s, word %" PRId64,
           writes_now ? "write" : "read", r.buffer[0] ? r.buffer : "shared memory", r.element);
  report_file(&r);
}

static const char *global_race_cause(const Run *run, const GlobalRace *race) {
  const bool changes = race->kind[0] == ACCESS_CHANGES || race->kind[1] == ACCESS_CHANGES;
  return race->same_value ? NULL
         : race->mixed    ? two_sizes
         : race->in_block ? one_block_only
         : changes        ? atomic_beside_plain
         : run->function->meets_by_atomics
             ? "An atomic operation orders only its own variable. A __threadfence() before it and "
               "one after it order the rest."
             : barrier_cause(run->function, race->kind[0], race->kind[1]);
}

void mistake_global_race(const Run *run, const GlobalRace *race, uint64_t times) {
  const PtxInsn *insn[2] = {module_site(run->module, race->site[0]),
                            module_site(run->module, race->site[1])};
  Report r = report_make(race->same_value ? REPORT_SAME_VALUE : REPORT_RACE_GLOBAL);
  ReportPlace *places[2] = {&r.at, &r.other};
  r.kernel = run->function->name;
  for (unsigned i = 0; i < 2; i++) {
    place_line(places[i], run, insn[i] ? insn[i]->line : 0);
    place_thread(places[i], run, race->block[i], race->thread[i]);
    snprintf(places[i]->did, sizeof places[i]->did, "%s", access_did[race->kind[i]]);
    places[i]->wrote = race->kind[i] == ACCESS_WRITES;
    if (race->block[i] == GLOBAL_RACE_BLOCKS)
      unnamed(places[i], "one of the last blocks", access_did[race->kind[i]]);
  }
  Around around = {.element = insn[1] ? ptx_type_bytes((PtxType)insn[1]->type) : 4};
  describe_allocation(&r, &around, race->memory, race->address);
  place_element(&r, &around, race->address);
  char element[128];
  snprintf(r.sentence, sizeof r.sentence, "%s between blocks on %s",
           race->same_value ? "same value written twice" : "race",
           element_text(&r, element, sizeof element));
  const char *cause = global_race_cause(run, race);
  r.cause = cause ? cause : r.cause;
  report_file_times(&r, times);
}

/* Returns true, with an explanation, if the address is beyond what a 2-D copy wrote in a row, but
 * within what it would have written had its width been multiplied by the element size. */
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

/* Returns true, with an explanation, if the address is between the rows of pitched memory, after
 * what a copy wrote of a row. */
static bool look_for_gap(Report *r, const Allocation *a, uint64_t address) {
  const CopiedRows *rows = a ? a->copied : NULL;
  const uint64_t at = rows ? address - a->address - rows->at : 0;
  if (!rows || !a->pitch || a->pitch != rows->pitch || address - a->address < rows->at ||
      at / rows->pitch >= rows->rows || at % rows->pitch < rows->width)
    return false;
  snprintf(r->detail, sizeof r->detail,
           "its rows begin every %zu bytes, and a copy wrote the first %zu of each", a->pitch,
           rows->width);
  r->cause =
      "Rows of memory from cudaMallocPitch are as far apart as the pitch that it returned. Count "
      "rows in that, and not in their width.";
  return true;
}

/* Explains the report if the written part ends where a copy or memset would end that was given
 * elements instead of bytes. */
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

/* Returns true if no byte of this buffer is defined. */
static bool never_filled(const Allocation *a) {
  uint64_t first;
  return a && memory_undefined(a, a->address, a->bytes, 1, &first) == a->bytes;
}

/* ---- undefined values, endless kernels ------------------------------------------------------- */
/* Reports a use of the value of an absent lane in a shuffle. */
static void absent(Warp *w, const Origin *origin, unsigned lane, uint32_t line, const char *use) {
  const unsigned reader = origin->lanes >> lane & 1 ? lane : lowest(origin->lanes);
  Report r = report_at(w, REPORT_MASK, origin->insn->line, reader);
  snprintf(r.at.did, sizeof r.at.did, "wanted the value of lane %u",
           (unsigned)origin->address[reader]);
  mistake_place(&r.other, w, lane, line);
  snprintf(r.other.did, sizeof r.other.did, "%s", use);
  snprintf(r.sentence, sizeof r.sentence, "shuffle from a lane that does not take part");
  snprintf(r.detail, sizeof r.detail, "the lanes that take part are 0x%08x", origin->present);
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
    snprintf(r.sentence, sizeof r.sentence, "use of a variable that nothing set");
    r.cause = "The variable needs a value on every path that leads here.";
    report_file(&r);
    return;
  }
  /* A shuffle may have passed the value from the lane that read it to another. */
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
    /* Local arrays have no names in PTX. */
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

/* Returns true if the warp polls memory that the host may write. */
static bool looks_at_host_memory(const Warp *w) {
  uint32_t known = w->npolled < POLLED ? w->npolled : POLLED;
  for (uint32_t i = 0; i < known; i++) {
    const Allocation *a = memory_find(w->polled_at[i]);
    if (a && (a->kind == MEMORY_PINNED || a->kind == MEMORY_MANAGED))
      return true;
  }
  return false;
}

static Report report_of(ReportKind kind, ThreadPlace p, const char *did) {
  Report r = report_at(p.warp, kind, p.line, p.lane);
  snprintf(r.at.did, sizeof r.at.did, "%s", did);
  return r;
}

static void stopped(ThreadPlace p, ReportKind kind, const char *did, const char *sentence) {
  Report r = report_of(kind, p, did);
  snprintf(r.sentence, sizeof r.sentence, "%s", sentence);
  report_file(&r);
}

/* A launch runs to its end before the host continues, so a kernel that waits for the host is not at
 * fault. */
bool mistake_waits_for_host(const Warp *w, uint32_t line, unsigned lane) {
  if (!looks_at_host_memory(w))
    return false;
  stopped((ThreadPlace){w, lane, line}, REPORT_UNSUPPORTED, "is still waiting here",
          "kernel waits for the host to write, which goes on when the kernel has ended");
  return true;
}

static void endless(ThreadPlace p) {
  if (p.warp->polled && mistake_waits_for_host(p.warp, p.line, p.lane))
    return;
  Report r = report_of(REPORT_ENDLESS, p, "is still looping here");
  snprintf(r.sentence, sizeof r.sentence,
           "kernel does not end: a warp took more than %" PRIu64 " branches",
           machine_settings()->branch_limit);
  report_file(&r);
}

static void left_out(ThreadPlace p, uint32_t mask) {
  Report r = report_of(REPORT_MASK, p, "executed it");
  snprintf(r.sentence, sizeof r.sentence,
           "lane %u executes a warp function whose mask 0x%08x leaves it out", p.lane, mask);
  report_file(&r);
}

static void kinder(ThreadPlace p, NotOnAGpu which, const char *did, const char *sentence) {
  const Warp *w = p.warp;
  Report r = not_on_a_gpu(which);
  r.kernel = w->block->run->function->name;
  r.start_order = w->block->start_order;
  mistake_place(&r.at, w, p.lane, p.line);
  snprintf(r.at.did, sizeof r.at.did, "%s", did);
  snprintf(r.sentence, sizeof r.sentence, "%s", sentence);
  report_file(&r);
}

/* ---- deadlocks ------------------------------------------------------------------------------- */
/* Fills in a thread of the block that is not at the barrier: it has returned, or waits elsewhere.
 */
static void place_missing(Report *r, const Block *b, uint32_t line) {
  for (uint32_t i = 0; i < b->nwarps; i++) {
    const Warp *w = &b->warps[i];
    uint32_t gone = w->existing & ~w->alive;
    if (!gone)
      continue;
    mistake_place(&r->other, w, lowest(gone), w->observed->exit_line[lowest(gone)]);
    snprintf(r->other.did, sizeof r->other.did, "has come to its end already");
    return;
  }
  for (uint32_t i = 0; i < b->nwarps; i++)
    EACH_SET(lane, b->warps[i].asleep) {
      const PtxInsn *there = path_insn(sleeping_path(&b->warps[i], lane));
      if (there->line == line)
        continue;
      mistake_place(&r->other, &b->warps[i], lane, there->line);
      snprintf(r->other.did, sizeof r->other.did, "waits here");
      if (there->form != PTX_BARRIER) {
        snprintf(r->other.did, sizeof r->other.did, "waits here for other lanes of its warp");
        r->cause = "The mask of a warp function names lanes that do not reach it. Keep the call "
                   "out of conditions, or name only the lanes that reach it.";
      }
      return;
    }
}

static void barrier_missed(ThreadPlace first, ThreadPlace odd, uint32_t missing,
                           uint32_t expected) {
  Report r =
      report_of(REPORT_BARRIER, first, odd.warp ? "waits at this barrier" : "waits at the barrier");
  if (odd.warp) {
    mistake_place(&r.other, odd.warp, odd.lane, odd.line);
    snprintf(r.sentence, sizeof r.sentence, "threads of one block wait at different barriers");
    snprintf(r.other.did, sizeof r.other.did, "waits at this one");
  } else {
    snprintf(r.sentence, sizeof r.sentence, "barrier that %u of %u threads never reach", missing,
             expected);
    place_missing(&r, first.warp->block, first.line);
  }
  report_file(&r);
}

static void barrier_count(ThreadPlace p, uint32_t number, uint32_t expected, uint32_t come) {
  Report r = report_of(REPORT_DEADLOCK, p, "waits at the barrier");
  snprintf(r.sentence, sizeof r.sentence, "barrier %u is for %u threads, and %u come", number,
           expected, come);
  r.cause = "The count of a named barrier is the number of all threads that reach it.";
  if (number >= BARRIERS) {
    snprintf(r.sentence, sizeof r.sentence, "barrier %u of a block that has %d, from 0 on", number,
             BARRIERS);
    r.cause = "The kernel has no such barrier.";
  }
  report_file(&r);
}

static void lanes_missing(ThreadPlace p, uint32_t missing) {
  Report r = report_of(REPORT_DEADLOCK, p, "waits here");
  snprintf(r.sentence, sizeof r.sentence, "lanes of a warp wait for others that do not come");
  snprintf(r.detail, sizeof r.detail, "the mask here names lanes 0x%08x, too", missing);
  if (missing & p.warp->asleep) {
    unsigned other = lowest(missing & p.warp->asleep);
    mistake_place(&r.other, p.warp, other, path_insn(sleeping_path(p.warp, other))->line);
    snprintf(r.other.did, sizeof r.other.did, "waits here");
  }
  report_file(&r);
}

static void grid_barrier_absent(ThreadPlace p) {
  Report r = report_of(REPORT_TRAP, p, "came here");
  snprintf(r.sentence, sizeof r.sentence,
           "barrier of the grid in a launch that is not cooperative");
  r.cause = "grid.sync() needs all blocks to run at once. Launch with cudaLaunchCooperativeKernel.";
  report_file(&r);
}

static void grid_barrier_lost(ThreadPlace p, uint64_t missing, uint64_t blocks) {
  Report r = report_of(REPORT_DEADLOCK, p, "waits for the grid");
  snprintf(r.sentence, sizeof r.sentence,
           "barrier of the grid that %" PRIu64 " of %" PRIu64 " blocks never reach", missing,
           blocks);
  r.cause = "Every block must reach the same grid.sync(). Keep it out of conditions, and put early "
            "returns after it.";
  report_file(&r);
}

static void too_many_wait(const Warp *w, uint64_t fit, uint64_t waiting) {
  Report r = report_make(REPORT_DEADLOCK);
  r.kernel = w->block->run->function->name;
  const Path *p = &w->paths[0];
  place_line(&r.at, w->block->run, p->frame->function->blocks[p->block].line);
  snprintf(r.at.did, sizeof r.at.did, "blocks wait here");
  snprintf(r.sentence, sizeof r.sentence,
           "%" PRIu64 " blocks fit on the card at once, and %" PRIu64 " wait for one another", fit,
           waiting);
  r.cause = "Blocks that wait for one another must all be on the card. Launch fewer, or use "
            "cudaLaunchCooperativeKernel, which refuses more than fit.";
  report_file(&r);
}

void mistake_refused(const PtxFunction *f) {
  Report r = report_make(REPORT_UNSUPPORTED);
  r.kernel = f->name;
  snprintf(r.sentence, sizeof r.sentence, "%s", f->refusal);
  report_file(&r);
}

void mistake_lost_store(const Run *run) {
  const PtxFunction *f = run->function;
  Report r = report_make(REPORT_LOST_STORE);
  r.kernel = f->name;
  r.space = "shared";
  place_line(&r.at, run, f->lost_line);
  place_line(&r.other, run, f->lost_to);
  strcpy(r.at.did, "stored here");
  strcpy(r.other.did, "stored again here");
  snprintf(r.sentence, sizeof r.sentence,
           "each thread stores a value in shared memory, and then another one in the same place");
  report_file(&r);
}

/* ---- kernels that launch kernels ------------------------------------------------------------- */
static void child_refused(ThreadPlace p, const PtxFunction *child, const char *why) {
  Report r = report_of(REPORT_LAUNCH, p, "launched it");
  char name[80] = "";
  if (child)
    name_plain(child->name, name, sizeof name);
  snprintf(r.sentence, sizeof r.sentence, "%s%s%s", name, child ? ": " : "", why);
  report_file(&r);
}

static void children_too_many(const PtxFunction *parent, size_t most) {
  Report r = report_make(REPORT_LAUNCH);
  r.kernel = parent->name;
  snprintf(r.sentence, sizeof r.sentence,
           "more than %zu threads launch kernels at once, where a GPU keeps %zu launches waiting",
           most, most);
  r.cause =
      "it may refuse the others, which only the kernel's cudaGetLastError tells: "
      "cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, ...) before the launch makes room";
  report_file(&r);
}

static void children_endless(const PtxFunction *child) {
  Report r = report_make(REPORT_ENDLESS);
  r.kernel = child->name;
  snprintf(r.sentence, sizeof r.sentence, "kernels that launch kernels do not end");
  r.cause = "A kernel that launches itself needs a case in which it does not.";
  report_file(&r);
}

void mistake_tell(const Mistake *m) {
  switch (m->kind) {
  case MISTAKE_ENDLESS:
    endless(m->at);
    break;
  case MISTAKE_STOPPED:
    stopped(m->at, m->report, m->did, m->sentence);
    break;
  case MISTAKE_KINDER:
    kinder(m->at, m->on_a_gpu, m->did, m->sentence);
    break;
  case MISTAKE_MASK:
    left_out(m->at, m->lanes);
    break;
  case MISTAKE_LANES:
    lanes_missing(m->at, m->lanes);
    break;
  case MISTAKE_BARRIER:
    barrier_missed(m->at, m->odd, (uint32_t)m->missing, (uint32_t)m->expected);
    break;
  case MISTAKE_BARRIER_COUNT:
    barrier_count(m->at, m->number, (uint32_t)m->expected, (uint32_t)m->come);
    break;
  case MISTAKE_GRID_BARRIER:
    grid_barrier_absent(m->at);
    break;
  case MISTAKE_GRID_LOST:
    grid_barrier_lost(m->at, m->missing, m->expected);
    break;
  case MISTAKE_TOO_MANY_WAIT:
    too_many_wait(m->at.warp, m->expected, m->come);
    break;
  case MISTAKE_CHILD_REFUSED:
    child_refused(m->at, m->function, m->sentence);
    break;
  case MISTAKE_CHILDREN_TOO_MANY:
    children_too_many(m->function, m->expected);
    break;
  case MISTAKE_CHILDREN_ENDLESS:
    children_endless(m->function);
    break;
  }
}
