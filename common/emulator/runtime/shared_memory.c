/* Detects host code that accesses managed or pinned memory before it has waited for the device.
 *
 * The emulated device finishes a kernel or copy before the call returns, so host code that does not
 * wait would read the correct values. On a GPU, it may read old values, or change bytes that the
 * device has not read. Therefore, until the host has waited, the bytes that kernels and queued
 * copies have written to such memory are marked as unsettled, and the bytes that they have read are
 * marked as in use. During this time, pages with unsettled bytes are inaccessible ("closed"), and
 * pages with bytes in use are read-only. The fault handler checks whether the accessed byte is
 * marked. If the byte is not marked, the handler makes the page accessible, and later accesses to
 * this page are not detected.
 *
 * On a card whose concurrentManagedAccess is 0, the host must not access any managed memory while a
 * kernel runs. For such a card, all managed memory is closed after a launch. */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Some memory may have bytes that are unsettled or in use. */
static bool any_unsettled;
/* All managed memory is closed because a kernel may run (concurrentManagedAccess is 0). */
static bool barred;
/* The program attaches memory to streams (cudaStreamAttachMemAsync). */
static bool attached;

/* Accesses that the fault handler has found. A later runtime call reports them, because a signal
 * handler must not call most library functions. */
enum { TOUCHED_MOST = 16 };
static struct Touch {
  /* Number of the allocation. */
  uint32_t number;
  size_t offset;
  /* True: the host wrote to a byte in use. False: it accessed an unsettled byte. */
  bool wrote;
  /* The page was closed only because of `barred`. */
  bool barred;
  CallSite site, by;
  /* `other.did` describes the work for which the host has not waited, which was queued at `by`. "":
   * this work is unknown. */
  ReportPlace other;
} touched[TOUCHED_MOST];
static unsigned ntouched;

static size_t page_bytes(void) {
  static size_t bytes;
  return bytes ? bytes : (bytes = (size_t)sysconf(_SC_PAGESIZE));
}

static void protect(const Allocation *a, size_t from, size_t to, int rights) {
  size_t page = page_bytes();
  /* Round up. This is safe, because the last page is not shared with another allocation. */
  to = (to + page - 1) / page * page;
  if (from < to)
    mprotect(a->view + from, to - from, rights);
}

static size_t page_end(const Allocation *a, size_t from) {
  return from + page_bytes() < a->bytes ? from + page_bytes() : a->bytes;
}

/* Returns the access rights that the host must have to the page that begins at `from`. */
static int rights_to(const Allocation *a, size_t from) {
  const unsigned what = memory_awaited(a, from, page_end(a, from));
  return what & MEMORY_UNSETTLED ? PROT_NONE
         : what & MEMORY_IN_USE  ? PROT_READ
                                 : PROT_READ | PROT_WRITE;
}

static void close_pages(Allocation *a) {
  const size_t page = page_bytes(), pages = (a->bytes + page - 1) / page;
  a->opened = a->opened ? a->opened : malloc(pages);
  if (a->opened)
    memset(a->opened, 0, pages);
  for (size_t from = 0, to; from < a->bytes; from = to) {
    const int rights = rights_to(a, from);
    for (to = from + page; to < a->bytes && rights_to(a, to) == rights;)
      to += page;
    if (rights == (PROT_READ | PROT_WRITE))
      continue;
    protect(a, from, to, rights);
    a->closed[0] = a->closed[1] && a->closed[0] < from ? a->closed[0] : from;
    a->closed[1] = a->closed[1] > to ? a->closed[1] : to;
  }
}

static void open_pages(Allocation *a) {
  if (a->closed[1])
    protect(a, a->closed[0], a->closed[1], PROT_READ | PROT_WRITE);
  a->closed[1] = 0;
}

void runtime_shared_memory_close(void) {
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a))
    if (a->dirty) {
      any_unsettled = true;
      close_pages(a);
    }
}

void runtime_shared_memory_attached(void) { attached = true; }

void runtime_shared_memory_bar(void) {
  if (selected_device()->concurrent_managed || attached || !machine_settings()->checks)
    return;
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a)) {
    if (a->kind != MEMORY_MANAGED)
      continue;
    protect(a, 0, a->bytes, PROT_NONE);
    a->closed[0] = 0;
    a->closed[1] = a->bytes;
    a->dirty = barred = any_unsettled = true;
  }
}

static void open_all(bool settle) {
  for (Allocation *a = memory_next(NULL); any_unsettled && a; a = memory_next(a)) {
    if (!a->dirty)
      continue;
    open_pages(a);
    if (settle)
      memory_settle(a);
  }
  any_unsettled = any_unsettled && !settle;
  barred = barred && !settle;
}

void runtime_shared_memory_open(void) { open_all(false); }

void runtime_shared_memory_settle(void) {
  if (!any_unsettled)
    return;
  open_all(true);
  if (!order_tracked())
    return;
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a))
    stream_races_unsettle(a);
  runtime_shared_memory_close();
}

/* Adds an access of the host to `touched`. Returns NULL if the table is full. */
static struct Touch *remember_place(const Allocation *a, size_t offset) {
  if (ntouched == TOUCHED_MOST)
    return NULL;
  struct Touch *t = &touched[ntouched++];
  *t = (struct Touch){.number = a->number, .offset = offset};
  call_site(&t->site);
  return t;
}

static void remember(const Allocation *a, size_t offset, bool wrote) {
  struct Touch *t = remember_place(a, offset);
  const StreamTouch *by = t ? stream_races_at(a, offset, !wrote) : NULL;
  if (t)
    t->wrote = wrote;
  if (by)
    stream_races_say(by, !wrote, &t->other, &t->by);
}

/* Records an access to memory that is closed because of `barred`. Makes all managed memory
 * accessible until the next launch, so that only one access is reported. */
static void remember_barred(const Allocation *a, size_t offset) {
  for (Allocation *each = memory_next(NULL); each; each = memory_next(each))
    if (each->kind == MEMORY_MANAGED && each->dirty)
      open_pages(each);
  barred = false;
  struct Touch *t = remember_place(a, offset);
  if (t)
    t->barred = true;
}

bool runtime_shared_memory_touched(const void *address) {
  Allocation *a = any_unsettled ? memory_find(runtime_address(address)) : NULL;
  if (!a || !a->dirty)
    return false;
  const size_t offset = (size_t)(runtime_address(address) - a->address);
  if (barred && a->kind == MEMORY_MANAGED && !memory_unsettled(a, offset, offset + 1)) {
    remember_barred(a, offset);
    return true;
  }
  const size_t number = offset / page_bytes(), page = number * page_bytes();
  const bool unsettled = memory_unsettled(a, offset, offset + 1);
  const bool readable = rights_to(a, page) == PROT_READ || (a->opened && a->opened[number]);
  if (unsettled || (readable && memory_in_use(a, offset, offset + 1))) {
    open_pages(a);
    remember(a, offset, !unsettled);
    memory_settle(a); /* so that only this access is reported */
  } else if (readable || !a->opened || !memory_in_use(a, page, page_end(a, page))) {
    protect(a, page, page + 1, PROT_READ | PROT_WRITE);
  } else {
    /* Make the page readable. If the repeated access faults again, it is a write. */
    a->opened[number] = 1;
    protect(a, page, page + 1, PROT_READ);
  }
  return true;
}

void runtime_shared_memory_handed(void *address, size_t bytes, bool to_fill) {
  Allocation *a = any_unsettled && bytes ? memory_find(runtime_address(address)) : NULL;
  if (!a || !a->dirty)
    return;
  size_t from = (size_t)(runtime_address(address) - a->address);
  const size_t to = bytes < a->bytes - from ? from + bytes : a->bytes;
  const bool unsettled = memory_unsettled(a, from, to);
  if (!unsettled && !(to_fill && memory_in_use(a, from, to))) {
    protect(a, from / page_bytes() * page_bytes(), to, PROT_READ | PROT_WRITE);
    return;
  }
  while (!(unsettled ? memory_unsettled(a, from, from + 1) : memory_in_use(a, from, from + 1)))
    from++;
  open_pages(a);
  remember(a, from, !unsettled);
  memory_settle(a); /* so that only this access is reported */
}

static void report_touched(const Allocation *a, unsigned i) {
  char name[80];
  Report report =
      touched[i].barred ? not_on_a_gpu(NOT_ON_A_GPU_MANAGED_BUSY) : report_make(REPORT_NOT_WAITED);
  if (touched[i].barred)
    snprintf(report.sentence, sizeof report.sentence,
             "host code touched byte %zu of %s, managed memory, while a kernel may run",
             touched[i].offset, runtime_buffer_name(a, name, sizeof name));
  else
    snprintf(report.sentence, sizeof report.sentence,
             "host code %s byte %zu of %s before it waited for what %s there",
             touched[i].wrote ? "wrote" : "touched", touched[i].offset,
             runtime_buffer_name(a, name, sizeof name), touched[i].wrote ? "reads" : "writes");
  strcpy(report.at.did, "touched here");
  report.other = touched[i].other;
  report_file_from(&report, &touched[i].site, touched[i].other.did[0] ? &touched[i].by : NULL);
}

void runtime_report_touched(void) {
  for (unsigned i = 0; i < ntouched; i++)
    for (Allocation *a = memory_next(NULL); a; a = memory_next(a))
      if (a->number == touched[i].number)
        report_touched(a, i);
  ntouched = 0;
}
