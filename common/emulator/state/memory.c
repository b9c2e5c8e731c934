/* Implements the device's address space (memory.h).
 *
 * Device addresses are in a range of the host's address space that is reserved and inaccessible, so
 * host code that dereferences a device pointer faults, as with a GPU. The bytes are mapped in a
 * second range of the same size, so adding a constant to a device address gives the host pointer.
 * Constant memory has a separate window of addresses (PTX_CONST_WINDOW). A guard zone surrounds
 * each allocation, so an index slightly beyond a buffer never reaches another buffer. Addresses are
 * never reused, so a pointer to freed memory is always recognised. The pages of freed memory are
 * returned to the operating system. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../ptx/program.h"
#include "device.h"
#include "memory.h"
#include "settings.h"

/* The largest and the smallest size in bytes of an address range that is tried. Reserving a range
 * allocates no memory. */
#define MOST_BYTES (UINT64_C(1) << 42)
#define LEAST_BYTES (UINT64_C(1) << 33)
#define GUARD 65536 /* in bytes; a multiple of every page size in use */
#define ALIGN 512   /* in bytes, as for cudaMalloc */
#define HUGE_PAGE (2 << 20)
/* The preferred start addresses. Device memory begins at the first of device_begins that is free;
 * memory shared with the host begins at SHARED_BEGIN. With fixed start addresses, a program that
 * makes the same requests gets the same device addresses in every process. The second element is
 * for systems with 39-bit addresses, such as some Arm kernels. 0x400000000000 is not used, because
 * qemu-user maps relocated memory there. */
static const uint64_t device_begins[] = {UINT64_C(0x480000000000), UINT64_C(0x2000000000)};
#define SHARED_BEGIN UINT64_C(0x380000000000)

static struct {
  /* `device`: start of the range of device addresses. `view`: start of the range that contains the
   * bytes. */
  uint8_t *device, *view;
  /* The size of each range in bytes, which the operating system may limit. */
  uint64_t bytes;
  /* Number of bytes allocated from the start of the ranges. */
  uint64_t used;
  /* Number of bytes allocated from the start of the constant window. */
  uint64_t constants;
  /* Number of bytes allocated from SHARED_BEGIN. */
  uint64_t shared;
  /* The list of live allocations, in the order of their numbers. */
  Allocation *first, *last;
  /* Number of allocations that were ever made. */
  uint32_t count;
  size_t live_bytes, live;
  /* The memory size of the card in bytes. */
  size_t total_bytes;
  /* The part of total_bytes that this computer can provide. */
  size_t room_bytes;
  /* All allocations, live and freed, except unregistered memory, in ascending order of address. */
  Allocation **sorted;
  uint32_t nsorted, capacity;
  /* List of unregistered allocations. They are kept because reports may refer to them. */
  Allocation *unregistered;
} space;

/* Reserves a range of addresses that starts at `begin`, or at any address if `begin` is 0. Returns
 * NULL if this is impossible. */
static uint8_t *reserve_at(uint64_t begin, uint64_t bytes) {
  void *wanted = (void *)(uintptr_t)begin;
  void *at = mmap(wanted, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    return NULL;
  if (at == wanted || !wanted)
    return at;
  munmap(at, bytes);
  return NULL;
}

/* Reserves both ranges, one directly after the other. Uses the largest size that `ulimit -v`
 * allows. First tries the preferred addresses, then any address. */
static uint8_t *reserve(uint64_t *bytes) {
  uint8_t *at = NULL;
  for (*bytes = MOST_BYTES; !at && *bytes >= LEAST_BYTES; *bytes >>= 1)
    for (size_t i = 0; !at && i < sizeof device_begins / sizeof *device_begins; i++)
      at = reserve_at(device_begins[i], 2 * *bytes + HUGE_PAGE);
  if (at) {
    *bytes <<= 1; /* undoes the last halving by the loop */
    return at;
  }
  for (*bytes = MOST_BYTES; *bytes >= LEAST_BYTES; *bytes >>= 1)
    if ((at = reserve_at(0, 2 * *bytes + HUGE_PAGE)))
      return at;
  fprintf(stderr, "the emulated device needs 16 GiB of address space: raise `ulimit -v`\n");
  exit(2);
}

static void start(void) {
  if (space.device)
    return;
  space.device = reserve(&space.bytes);
  space.device += -(uintptr_t)space.device % HUGE_PAGE;
  space.view = space.device + space.bytes; /* open_view makes it accessible later */
  space.used = ALIGN;
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
  size_t half = pages > 0 && page > 0 ? (size_t)pages * (size_t)page / 2 : (size_t)4 << 30;
  space.total_bytes = selected_device()->memory_bytes;
  space.room_bytes = space.total_bytes < half ? space.total_bytes : half;
  if (machine_settings()->memory_bytes)
    space.total_bytes = space.room_bytes = machine_settings()->memory_bytes;
  if (machine_settings()->pretend)
    /* With LOCKSTEP_PRETEND, no device memory is used. */
    space.room_bytes = space.total_bytes;
}

static uint64_t round_up(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

/* Makes bytes of the view accessible. The range is extended to multiples of GUARD bytes. */
static uint8_t *open_view(uint64_t offset, size_t bytes) {
  uint64_t from = offset / GUARD * GUARD, to = round_up(offset + bytes, GUARD);
  if (mprotect(space.view + from, to - from, PROT_READ | PROT_WRITE) != 0)
    return NULL;
  return space.view + offset;
}

/* Returns the number of chunks of MEMORY_CHUNK bytes, including a partial chunk. */
static size_t chunks(size_t bytes) { return bytes / MEMORY_CHUNK + 1; }

static uint8_t *map(void *where, size_t bytes, int protection) {
  void *at = mmap(where, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

static bool place_in_space(Allocation *a) {
  /* Large buffers use huge pages. With small pages, accesses along a column of a matrix would touch
   * a different page in each row. */
  bool large = a->bytes >= HUGE_PAGE;
  uint64_t offset = round_up(space.used, large ? HUGE_PAGE : GUARD);
  if (offset + a->bytes + 2 * GUARD > space.bytes)
    return false;
  a->view = open_view(offset, a->bytes);
  if (!a->view)
    return false;
  if (large)
    /* Ignore a failure: small pages work too. */
    madvise(a->view, a->bytes, MADV_HUGEPAGE);
  a->address = (uint64_t)(uintptr_t)space.device + offset;
  space.used = round_up(offset + a->bytes, GUARD) + GUARD;
  return true;
}

static bool place_in_window(Allocation *a) {
  uint64_t offset = space.constants + GUARD;
  if (offset + a->bytes + GUARD > PTX_CONST_WINDOW_BYTES || !place_in_space(a))
    return false;
  a->address = PTX_CONST_WINDOW + offset;
  space.constants = round_up(offset + a->bytes, GUARD);
  return true;
}

/* Maps pinned or managed memory at an address that host and device share, between two inaccessible
 * guard zones. */
static bool place_on_host(Allocation *a) {
  size_t span = round_up(a->bytes, GUARD);
  uint8_t *at = map((void *)(uintptr_t)(SHARED_BEGIN + space.shared), span + 2 * GUARD, PROT_NONE);
  space.shared += span + 2 * GUARD;
  if (!at || mprotect(at + GUARD, span, PROT_READ | PROT_WRITE) != 0)
    return false;
  a->view = at + GUARD;
  a->address = (uint64_t)(uintptr_t)a->view;
  return true;
}

static void enter(Allocation *a) {
  if (space.nsorted == space.capacity) {
    space.capacity = space.capacity ? 2 * space.capacity : 64;
    space.sorted = realloc(space.sorted, space.capacity * sizeof *space.sorted);
    assert(space.sorted);
  }
  a->number = ++space.count;
  uint32_t at = space.nsorted++;
  for (; at > 0 && space.sorted[at - 1]->address > a->address; at--)
    space.sorted[at] = space.sorted[at - 1];
  space.sorted[at] = a;
  a->previous = space.last;
  *(space.last ? &space.last->next : &space.first) = a;
  space.last = a;
  space.live++;
  space.live_bytes += a->registered ? 0 : a->bytes;
}

/* The fill pattern of managed memory: a value that programs rarely store, and NaN as float and as
 * double. */
#define UNWRITTEN UINT32_C(0xfffba5c3)
static void fill_unwritten(Allocation *a) {
  const uint32_t word = UNWRITTEN;
  for (size_t at = 0; at + sizeof word <= a->bytes; at += sizeof word)
    memcpy(a->view + at, &word, sizeof word);
}

void memory_see_host(Allocation *a) {
  if (!a->see_host || a->all_defined)
    return;
  for (size_t at = 0; at + sizeof(uint32_t) <= a->bytes; at += sizeof(uint32_t)) {
    // One bit for each of the next 64 bytes.
    uint64_t known = 0;
    uint32_t word;
    if (at % 64 == 0 && at + 64 <= a->bytes) {
      memcpy(&known, a->defined + at / 8, sizeof known);
      if (known == UINT64_MAX) {
        at += 64 - sizeof word;
        continue;
      }
    }
    const uint8_t four = (uint8_t)(15u << at % 8);
    if ((a->defined[at / 8] & four) == four)
      continue;
    memcpy(&word, a->view + at, sizeof word);
    if (word != UNWRITTEN)
      a->defined[at / 8] |= four;
  }
  /* The remaining bytes are less than a word. The pattern cannot show whether they were written, so
   * they count as written. */
  memory_define(a, a->address + a->bytes / sizeof(uint32_t) * sizeof(uint32_t),
                a->bytes % sizeof(uint32_t));
}

Allocation *memory_allocate(size_t bytes, MemoryKind kind, const char *name) {
  assert(bytes > 0);
  start();
  if (bytes > space.room_bytes - space.live_bytes || bytes > space.bytes / 2)
    return NULL;
  Allocation *a = calloc(1, sizeof *a);
  assert(a);
  a->bytes = bytes;
  a->kind = (uint8_t)kind;
  a->live = true;
  a->name = name ? strdup(name) : NULL;
  bool on_host = kind == MEMORY_MANAGED || kind == MEMORY_PINNED;
  if (!(on_host                   ? place_on_host(a)
        : kind == MEMORY_CONSTANT ? place_in_window(a)
                                  : place_in_space(a))) {
    free((char *)a->name);
    free(a);
    return NULL;
  }
  bool on_device = kind == MEMORY_DEVICE || kind == MEMORY_ARRAY || kind == MEMORY_HEAP;
  bool pretended = machine_settings()->pretend && on_device;
  a->see_host = kind == MEMORY_MANAGED && !machine_settings()->zeroed;
  if (!pretended)
    memset(a->view, machine_settings()->zeroed ? 0 : 0xff, bytes);
  if (a->see_host)
    fill_unwritten(a);
  /* The host may write pinned memory without a call, so it counts as written. */
  a->all_defined = pretended || !(on_device || a->see_host);
  if (!a->all_defined) {
    a->defined = map(NULL, bytes / 8 + 16, PROT_READ | PROT_WRITE);
    a->all_defined = !a->defined;
  }
  if (on_host) {
    a->unsettled = map(NULL, bytes / 8 + 16, PROT_READ | PROT_WRITE);
    a->in_use = map(NULL, bytes / 8 + 16, PROT_READ | PROT_WRITE);
    a->awaited = map(NULL, chunks(bytes), PROT_READ | PROT_WRITE);
  }
  enter(a);
  return a;
}

Allocation *memory_register(void *pointer, size_t bytes) {
  uint64_t address = (uint64_t)(uintptr_t)pointer;
  assert(bytes > 0);
  start();
  if (memory_is_device(address) || bytes > UINT64_MAX - address)
    return NULL;
  for (uint32_t i = 0; i < space.nsorted; i++)
    if (space.sorted[i]->live && space.sorted[i]->address < address + bytes &&
        address < space.sorted[i]->address + space.sorted[i]->bytes)
      return NULL;
  Allocation *a = calloc(1, sizeof *a);
  assert(a);
  *a = (Allocation){.address = address,
                    .bytes = bytes,
                    .view = pointer,
                    .kind = MEMORY_PINNED,
                    .live = true,
                    .registered = true,
                    .all_defined = true};
  enter(a);
  return a;
}

Allocation *memory_share(void *pointer, size_t bytes, const char *name) {
  Allocation *a = memory_register(pointer, bytes);
  if (a)
    a->kind = MEMORY_VARIABLE, a->name = strdup(name);
  return a;
}

/* Returns the index in `sorted` of the last allocation that starts at or below the address; -1:
 * there is no such allocation. */
static int64_t last_below(uint64_t address) {
  int64_t low = 0, high = (int64_t)space.nsorted - 1;
  while (low <= high) {
    int64_t middle = (low + high) / 2;
    if (space.sorted[middle]->address <= address)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return high;
}

Allocation *memory_find(uint64_t address) {
  int64_t at = last_below(address);
  Allocation *a = at < 0 ? NULL : space.sorted[at];
  return a && a->live && address - a->address < a->bytes ? a : NULL;
}

static uint64_t distance(const Allocation *a, uint64_t address) {
  if (address < a->address)
    return a->address - address;
  return address - a->address < a->bytes ? 0 : address - a->address - a->bytes + 1;
}

Allocation *memory_nearest(uint64_t address) {
  const uint64_t far = UINT64_C(1) << 30;
  int64_t at = last_below(address);
  Allocation *best = NULL;
  for (int64_t i = at < 0 ? 0 : at; i <= at + 1 && i < (int64_t)space.nsorted; i++)
    if (!best || distance(space.sorted[i], address) < distance(best, address))
      best = space.sorted[i];
  return best && distance(best, address) < far ? best : NULL;
}

bool memory_is_device(uint64_t address) {
  return space.device && (address - (uint64_t)(uintptr_t)space.device < space.bytes ||
                          address - PTX_CONST_WINDOW < PTX_CONST_WINDOW_BYTES);
}

static void unmap_shadow(Allocation *a) {
  if (a->defined)
    munmap(a->defined, a->bytes / 8 + 16);
  if (a->unsettled)
    munmap(a->unsettled, a->bytes / 8 + 16);
  if (a->in_use)
    munmap(a->in_use, a->bytes / 8 + 16);
  if (a->awaited)
    munmap(a->awaited, chunks(a->bytes));
  free(a->opened);
  a->defined = a->unsettled = a->in_use = a->awaited = a->opened = NULL;
  a->dirty = false;
}

static void retire(Allocation *a) {
  a->live = false;
  *(a->previous ? &a->previous->next : &space.first) = a->next;
  *(a->next ? &a->next->previous : &space.last) = a->previous;
  space.live--;
  space.live_bytes -= a->registered ? 0 : a->bytes;
  unmap_shadow(a);
}

void memory_unregister(Allocation *a) {
  uint32_t at = 0;
  retire(a);
  while (space.sorted[at] != a)
    at++;
  space.nsorted--;
  memmove(&space.sorted[at], &space.sorted[at + 1], (space.nsorted - at) * sizeof *space.sorted);
  a->next = space.unregistered;
  space.unregistered = a;
}

bool memory_free(uint64_t address, bool *freed_before) {
  int64_t at = last_below(address);
  Allocation *a = at < 0 ? NULL : space.sorted[at];
  *freed_before = a && a->address == address && !a->live;
  if (!a || a->address != address || !a->live)
    return false;
  if (a->registered) {
    memory_unregister(a);
    return true;
  }
  retire(a);
  size_t span = round_up(a->bytes, GUARD);
  /* Return the pages to the operating system but keep the addresses reserved, so that a later
   * access by host code faults, and an access by a kernel is recognised. */
  mmap(a->view, span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return true;
}

void memory_define(Allocation *a, uint64_t address, size_t bytes) {
  if (a->all_defined || bytes == 0)
    return;
  uint64_t from = address - a->address, to = from + bytes;
  assert(to <= a->bytes);
  if (from == 0 && to == a->bytes) {
    a->all_defined = true;
    return;
  }
  for (; from < to && from % 8; from++)
    a->defined[from / 8] |= (uint8_t)(1 << from % 8);
  for (; to > from && to % 8; to--)
    a->defined[(to - 1) / 8] |= (uint8_t)(1 << (to - 1) % 8);
  memset(a->defined + from / 8, 0xff, (to - from) / 8);
}

void memory_undefine(Allocation *a, uint64_t address, size_t bytes) {
  uint64_t from = address - a->address, to = from + bytes;
  if (a->all_defined)
    return;
  for (; from < to && from % 8; from++)
    a->defined[from / 8] &= (uint8_t) ~(1 << from % 8);
  for (; to > from && to % 8; to--)
    a->defined[(to - 1) / 8] &= (uint8_t) ~(1 << (to - 1) % 8);
  memset(a->defined + from / 8, 0, (to - from) / 8);
}

static bool byte_defined(const Allocation *a, uint64_t offset) {
  return a->all_defined || (a->defined[offset / 8] >> offset % 8 & 1);
}

void memory_define_like(Allocation *to, uint64_t to_address, const Allocation *from,
                        uint64_t from_address, size_t bytes) {
  if (to->all_defined && from->all_defined)
    return;
  if (from->all_defined) {
    memory_define(to, to_address, bytes);
    return;
  }
  uint64_t source = from_address - from->address;
  for (size_t i = 0; i < bytes; i++)
    if (byte_defined(from, source + i))
      memory_define(to, to_address + i, 1);
}

/* Returns the first offset in [at, end) of a byte that is defined (`to` is true) or undefined (`to`
 * is false); `end`: there is no such byte. */
static uint64_t next_change(const Allocation *a, uint64_t at, uint64_t end, bool to) {
  const uint8_t skipped = to ? 0 : 0xff;
  while (at < end && byte_defined(a, at) != to)
    at += at % 8 == 0 && end - at >= 8 && a->defined[at / 8] == skipped ? 8 : 1;
  return at;
}

size_t memory_undefined(const Allocation *a, uint64_t address, size_t bytes, size_t gap,
                        uint64_t *first) {
  size_t sum = 0;
  uint64_t at = address - a->address, end = at + bytes;
  while (!a->all_defined && (at = next_change(a, at, end, false)) < end) {
    uint64_t begin = at;
    at = next_change(a, begin, end, true);
    if (at - begin < gap)
      continue;
    if (!sum)
      *first = a->address + begin;
    sum += at - begin;
  }
  return sum;
}

/* Sets the bits [from, to) of the bitmap. The stores are atomic, because several workers may set
 * bits in the same byte at the same time. */
static void mark(uint8_t *map, uint64_t from, uint64_t to) {
  for (; from % 64 == 0 && from + 64 <= to; from += 64) {
    uint64_t *word = (uint64_t *)(void *)(map + from / 8);
    if (__atomic_load_n(word, __ATOMIC_RELAXED) != UINT64_MAX)
      /* A store of all ones cannot clear a bit that another worker sets at the same time. */
      __atomic_store_n(word, UINT64_MAX, __ATOMIC_RELAXED);
  }
  for (uint64_t here; from < to; from = here) {
    here = from / 8 * 8 + 8 < to ? from / 8 * 8 + 8 : to;
    uint8_t bits = (uint8_t)((0xff >> (8 - (here - from))) << from % 8);
    if ((__atomic_load_n(&map[from / 8], __ATOMIC_RELAXED) & bits) != bits)
      __atomic_fetch_or(&map[from / 8], bits, __ATOMIC_RELAXED);
  }
}

static bool any_marked(const uint8_t *map, uint64_t from, uint64_t to) {
  for (; from < to && from % 8; from++)
    if (map[from / 8] >> from % 8 & 1)
      return true;
  for (; from + 8 <= to; from += 8)
    if (map[from / 8])
      return true;
  for (; from < to; from++)
    if (map[from / 8] >> from % 8 & 1)
      return true;
  return false;
}

void memory_await(Allocation *a, uint64_t from, uint64_t to, unsigned what) {
  to = to < a->bytes ? to : a->bytes;
  for (uint64_t i = from / MEMORY_CHUNK; i * MEMORY_CHUNK < to; i++)
    if ((__atomic_load_n(&a->awaited[i], __ATOMIC_RELAXED) & what) != what)
      __atomic_fetch_or(&a->awaited[i], (uint8_t)what, __ATOMIC_RELAXED);
}

unsigned memory_awaited(const Allocation *a, uint64_t from, uint64_t to) {
  unsigned what = 0;
  for (uint64_t i = from / MEMORY_CHUNK; i * MEMORY_CHUNK < to; i++)
    what |= a->awaited[i];
  return what;
}

void memory_unsettle(Allocation *a, uint64_t from, uint64_t to) {
  if (!a->unsettled)
    return;
  a->dirty = true;
  memory_await(a, from, to, MEMORY_UNSETTLED);
  mark(a->unsettled, from, to);
}

bool memory_unsettled(const Allocation *a, uint64_t from, uint64_t to) {
  return any_marked(a->unsettled, from, to);
}

void memory_use(Allocation *a, uint64_t from, uint64_t to) {
  if (!a->in_use)
    return;
  a->dirty = true;
  memory_await(a, from, to, MEMORY_IN_USE);
  mark(a->in_use, from, to);
}

bool memory_in_use(const Allocation *a, uint64_t from, uint64_t to) {
  return any_marked(a->in_use, from, to);
}

void memory_settle(Allocation *a) {
  a->dirty = false;
  madvise(a->unsettled, a->bytes / 8 + 16, MADV_DONTNEED);
  madvise(a->in_use, a->bytes / 8 + 16, MADV_DONTNEED);
  madvise(a->awaited, chunks(a->bytes), MADV_DONTNEED);
}

/* Stores the current call site in *site. Overwrites an earlier call site, because the allocations
 * of a graph are made and freed repeatedly. */
static void note_site(CallSite **site) {
  if (*site || (*site = malloc(sizeof **site)))
    call_site(*site);
}

void memory_copied_here(Allocation *a, CopiedRows rows) {
  a->copied = a->copied ? a->copied : malloc(sizeof *a->copied);
  if (!a->copied)
    return;
  *a->copied = rows;
  call_site(&a->copied->site);
}
void memory_made_here(Allocation *a) { note_site(&a->made); }
void memory_freed_here(Allocation *a) { note_site(&a->freed); }

static CallSite *empty;
void memory_made_empty(void) { note_site(&empty); }
const CallSite *memory_empty_made(void) { return empty; }

void memory_totals(size_t *free_bytes, size_t *total_bytes, size_t *live_allocations) {
  start();
  *free_bytes = space.room_bytes - space.live_bytes;
  *total_bytes = space.total_bytes;
  *live_allocations = space.live;
}

Allocation *memory_next(Allocation *a) { return a ? a->next : space.first; }
