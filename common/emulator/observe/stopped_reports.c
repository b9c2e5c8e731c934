/* Writes the reports of endless loops, of barriers and warp functions that some threads never
 * reach, of other threads that cannot continue, and of refused launches. */
#include "report_places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../state/settings.h"
#include "names.h"

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

/* Reports that a kernel waits for the host. This is not a mistake, but the device does not support
 * such a program, because the host continues only when the kernel has ended. */
static void host_awaited(ThreadPlace p) {
  stopped(p, REPORT_UNSUPPORTED, "is still waiting here",
          "kernel waits for a store by the host, which continues only after the kernel");
}

static void endless(ThreadPlace p) {
  if (p.warp->polled && polls_host_memory(p.warp)) {
    host_awaited(p);
    return;
  }
  Report r = report_of(REPORT_ENDLESS, p, "is still looping here");
  snprintf(r.sentence, sizeof r.sentence,
           "kernel does not end: a warp took more than %" PRIu64 " branches",
           machine_settings()->branch_limit);
  report_file(&r);
}

static void left_out(ThreadPlace p, uint32_t mask) {
  Report r = report_of(REPORT_MASK, p, "executed it");
  snprintf(r.sentence, sizeof r.sentence,
           "lane %u executes a warp function whose mask 0x%08x does not name it", p.lane, mask);
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
/* Fills in r->other with a thread of the block that is not at the barrier, because it has returned
 * or waits at another line. */
static void place_missing(Report *r, const Block *b, uint32_t line) {
  for (uint32_t i = 0; i < b->nwarps; i++) {
    const Warp *w = &b->warps[i];
    uint32_t gone = w->existing & ~w->alive;
    if (!gone)
      continue;
    mistake_place(&r->other, w, lowest(gone), w->observed->exit_line[lowest(gone)]);
    snprintf(r->other.did, sizeof r->other.did, "has already ended");
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
        r->cause = "The mask of a warp function names lanes that do not reach the call. Keep the "
                   "call out of conditions, or name only the lanes that reach it.";
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
    snprintf(r.other.did, sizeof r.other.did, "waits at this barrier");
  } else {
    snprintf(r.sentence, sizeof r.sentence, "barrier that %u of %u threads never reach", missing,
             expected);
    place_missing(&r, first.warp->block, first.line);
  }
  report_file(&r);
}

static void barrier_count(ThreadPlace p, uint32_t number, uint32_t expected, uint32_t come) {
  Report r = report_of(REPORT_DEADLOCK, p, "waits at the barrier");
  snprintf(r.sentence, sizeof r.sentence, "barrier %u waits for %u threads, but %u reach it",
           number, expected, come);
  r.cause =
      "The count of a named barrier must be the number of all threads that reach the barrier.";
  if (number >= BARRIERS) {
    snprintf(r.sentence, sizeof r.sentence,
             "barrier %u does not exist: a block has %d, numbered from 0", number, BARRIERS);
    r.cause = "The kernel uses a barrier number that does not exist.";
  }
  report_file(&r);
}

static void lanes_missing(ThreadPlace p, uint32_t missing) {
  Report r = report_of(REPORT_DEADLOCK, p, "waits here");
  snprintf(r.sentence, sizeof r.sentence, "lanes of a warp wait for lanes that never arrive");
  snprintf(r.detail, sizeof r.detail, "the mask also names lanes 0x%08x", missing);
  if (missing & p.warp->asleep) {
    unsigned other = lowest(missing & p.warp->asleep);
    mistake_place(&r.other, p.warp, other, path_insn(sleeping_path(p.warp, other))->line);
    snprintf(r.other.did, sizeof r.other.did, "waits here");
  }
  report_file(&r);
}

static void grid_barrier_absent(ThreadPlace p) {
  Report r = report_of(REPORT_TRAP, p, "came here");
  snprintf(r.sentence, sizeof r.sentence, "grid barrier in a launch that is not cooperative");
  r.cause = "grid.sync() needs all blocks to run at once. Launch with cudaLaunchCooperativeKernel.";
  report_file(&r);
}

static void grid_barrier_lost(ThreadPlace p, uint64_t missing, uint64_t blocks) {
  Report r = report_of(REPORT_DEADLOCK, p, "waits for the grid");
  snprintf(r.sentence, sizeof r.sentence,
           "grid barrier that %" PRIu64 " of %" PRIu64 " blocks never reach", missing, blocks);
  r.cause = "Every block must reach the same grid.sync(). Keep grid.sync() out of conditions, and "
            "put early returns after it.";
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
  r.cause = "Blocks that wait for one another must all be on the card at once. Launch fewer "
            "blocks, or use cudaLaunchCooperativeKernel, which refuses a grid that does not fit.";
  report_file(&r);
}

static void refused(const PtxFunction *f) {
  Report r = report_make(REPORT_UNSUPPORTED);
  r.kernel = f->name;
  snprintf(r.sentence, sizeof r.sentence, "%s", f->refusal);
  report_file(&r);
  report_launch_done(UINT64_MAX);
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
           "each thread stores a value in shared memory, and then another value in the same place");
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
           "more than %zu threads launch kernels at the same time, but a GPU keeps only %zu "
           "pending launches",
           most, most);
  r.cause = "A GPU may refuse the other launches, and only cudaGetLastError() in the kernel "
            "reports this. Raise the limit before the launch: "
            "cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, ...).";
  report_file(&r);
}

static void children_endless(const PtxFunction *child) {
  Report r = report_make(REPORT_ENDLESS);
  r.kernel = child->name;
  snprintf(r.sentence, sizeof r.sentence, "kernels that launch kernels do not end");
  r.cause = "A kernel that launches itself needs a case in which it launches nothing.";
  report_file(&r);
}

void mistake_tell(const Mistake *m) {
  switch (m->kind) {
  case MISTAKE_ENDLESS:
    endless(m->at);
    break;
  case MISTAKE_HOST_AWAITED:
    host_awaited(m->at);
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
  case MISTAKE_REFUSED:
    refused(m->function);
    break;
  }
}
