/* What host code must wait for before it touches memory that both sides share.
 *
 * A kernel that was launched, and a copy that was queued, are done here before the call returns, so
 * host code that forgets to wait would find the right values. On a GPU it may find the old ones. So
 * the bytes that kernels and queued copies wrote to managed and pinned memory count as unsettled
 * until a call waits; meanwhile their pages are closed to the host, and the fault handler asks here
 * whether the byte that was touched is one of them. Where it is not, its page is opened, and what else lies on it is seen no more.
 */
#include "runtime.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool any_unsettled; /* some bytes may be */

/* What the handler found, until it can be reported: host code may have been stopped anywhere. */
enum { TOUCHED_MOST = 16 };
static struct {
  uint32_t number; /* of the allocation */
  size_t offset;
  CallSite site;
} touched[TOUCHED_MOST];
static unsigned ntouched;

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static void protect(const Allocation *a, size_t from, size_t to, int rights) {
  size_t page = page_bytes();
  to = (to + page - 1) / page * page; /* the rest of the last page is nobody's */
  if (from < to)
    mprotect(a->view + from, to - from, rights);
}

static bool page_unsettled(const Allocation *a, size_t from) {
  size_t to = from + page_bytes() < a->bytes ? from + page_bytes() : a->bytes;
  return memory_unsettled(a, from, to);
}

void runtime_shared_memory_close(void) {
  size_t page = page_bytes();
  for (Allocation *a = memory_next(NULL); a; a = memory_next(a)) {
    if (!a->dirty)
      continue;
    any_unsettled = true;
    for (size_t from = 0, to; from < a->bytes; from = to) {
      bool close = page_unsettled(a, from);
      for (to = from + page; to < a->bytes && page_unsettled(a, to) == close;)
        to += page;
      if (close)
        protect(a, from, to, PROT_NONE);
    }
  }
}

static void open_all(bool settle) {
  for (Allocation *a = memory_next(NULL); any_unsettled && a; a = memory_next(a)) {
    if (!a->dirty)
      continue;
    protect(a, 0, a->bytes, PROT_READ | PROT_WRITE);
    if (settle)
      memory_settle(a);
  }
  any_unsettled = any_unsettled && !settle;
}

void runtime_shared_memory_open(void) { open_all(false); }
void runtime_shared_memory_settle(void) { open_all(true); }

bool runtime_shared_memory_touched(const void *address) {
  Allocation *a = any_unsettled ? memory_find(runtime_address(address)) : NULL;
  if (!a || !a->dirty)
    return false;
  size_t offset = (size_t)(runtime_address(address) - a->address);
  if (!memory_unsettled(a, offset, offset + 1)) {
    size_t page = offset / page_bytes() * page_bytes();
    protect(a, page, page + 1, PROT_READ | PROT_WRITE);
    return true;
  }
  protect(a, 0, a->bytes, PROT_READ | PROT_WRITE);
  memory_settle(a); /* said once */
  if (ntouched < TOUCHED_MOST) {
    touched[ntouched].number = a->number;
    touched[ntouched].offset = offset;
    call_site(&touched[ntouched++].site);
  }
  return true;
}

static void report_touched(const Allocation *a, size_t offset, const CallSite *site) {
  char name[80];
  Report report = report_make(REPORT_NOT_WAITED);
  snprintf(report.sentence, sizeof report.sentence,
           "host code touched byte %zu of %s before it waited for what writes there", offset,
           runtime_buffer_name(a, name, sizeof name));
  strcpy(report.at.did, "touched here");
  report_file_from(&report, site, NULL);
}

void runtime_report_touched(void) {
  for (unsigned i = 0; i < ntouched; i++)
    for (Allocation *a = memory_next(NULL); a; a = memory_next(a))
      if (a->number == touched[i].number)
        report_touched(a, touched[i].offset, &touched[i].site);
  ntouched = 0;
}
