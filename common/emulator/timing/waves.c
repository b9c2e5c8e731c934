#include "waves.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "registers.h"

enum {
  /* Approximate number of PTX instructions to replay. */
  MOST_STEPS = 120000,
  SIMULATED_WAVES = 8,
  /* Clocks between the first blocks of an SM. Measured on an H200: 6 blocks per clock on the whole
   * card. */
  FIRST_CLOCKS = 22
};

#define PI 3.14159265358979323846

typedef struct Grid {
  /* Blocks of the SM that has the most: resident at the same time, and in all. */
  uint32_t resident, each;
  uint32_t simulated;
  /* Number of SMs that have blocks. */
  double active;
} Grid;

static double recorded_instructions(const Trace *t) {
  double sum = 0;
  for (uint32_t i = 0; i < t->nsampled; i++)
    for (uint32_t k = 0; k < t->nwarps; k++)
      for (uint32_t s = 0; s < t->blocks[i].warps[k].nstretches; s++)
        sum += t->blocks[i].warps[k].recorded[s];
  return sum / t->nsampled;
}

/* Estimates how many registers the assembler allocates per thread. More registers allow more loads
 * in flight, and up to 32 cost no resident warp on any of these GPUs. Above that, ptxas 13 was seen
 * to allocate twice what exceeds 25, at most 18 more than needed. With a known block size, it
 * allocates no more than keep the same number of blocks resident. *spilled: the registers that do
 * not fit. */
enum { FREE_REGISTERS = 32, NEED_OF_FREE = 25, MOST_EXTRA = 18 };
static uint32_t estimate_registers(const Trace *t, const Device *d, uint32_t *spilled) {
  const PtxFunction *f = t->kernel;
  uint32_t need = registers_needed(t->module, f),
           extra = 2 * (need - NEED_OF_FREE) + FREE_REGISTERS - need;
  if (need <= NEED_OF_FREE)
    extra = need + 8 < FREE_REGISTERS ? 8 : FREE_REGISTERS - need;
  uint32_t wanted = (need + (extra < MOST_EXTRA ? extra : MOST_EXTRA) + 7) / 8 * 8;
  uint32_t most = occupancy_registers_left(d, f);
  most = most < d->registers_per_thread ? most : d->registers_per_thread;
  *spilled = need > most ? need - most : 0;
  if (f->max_threads && !*spilled) {
    uint32_t blocks = occupancy_of(d, f->max_threads, need, t->shared_bytes).blocks;
    uint32_t beside = blocks ? occupancy_registers_beside(d, f->max_threads, blocks) : wanted;
    wanted = wanted < beside || beside < need ? wanted : beside;
  }
  wanted = wanted < 16 ? 16 : wanted;
  return wanted < most ? wanted : most;
}

/* Returns the bytes that spilled registers move to local memory and back. */
static double spill_bytes(const Trace *t, uint32_t given) {
  uint32_t *words = registers_spilled(t->module, t->kernel, given);
  /* Summed over the sampled warps. */
  double sum = 0;
  for (uint32_t i = 0; i < t->nsampled; i++)
    for (uint32_t k = 0; k < t->nwarps; k++) {
      const TracedWarp *w = &t->blocks[i].warps[k];
      for (uint32_t r = 0; r < w->nruns; r++)
        if (&t->module->functions[w->runs[r].function] == t->kernel)
          sum += words[w->runs[r].block] * stretch_weight(w, w->runs[r].stretch);
    }
  free(words);
  return 4 * WARP_LANES * sum * (double)t->nblocks / t->nsampled;
}

/* Returns how many clocks it takes to transfer the spilled registers; 0 if L1 can hold the spilled
 * registers of all threads of an SM. */
static double spill_clocks(const Trace *t, const Device *d, const Prediction *p, double resident,
                           double dram) {
  const double bytes = 4.0 * p->spilled * p->occupancy.warps * WARP_LANES;
  const double shared = occupancy_block_shared(d, t->shared_bytes) * resident;
  if (!p->spilled || bytes + shared < d->l1_bytes)
    return 0;
  return spill_bytes(t, p->registers) / dram;
}

static Grid plan_grid(const Trace *t, const Device *d, const Occupancy *o) {
  Grid g = {.active = t->nblocks < d->sms ? (double)t->nblocks : d->sms};
  uint64_t each = (t->nblocks + d->sms - 1) / d->sms;
  g.each = each > UINT32_MAX ? UINT32_MAX : (uint32_t)each;
  g.resident = o->blocks < 1 ? 1 : o->blocks < g.each ? o->blocks : g.each;
  double steps = recorded_instructions(t), most = steps > 0 ? MOST_STEPS / steps : 1;
  uint32_t waves = SIMULATED_WAVES * g.resident;
  g.simulated = most < g.resident ? g.resident : most < waves ? (uint32_t)most : waves;
  g.simulated = g.simulated < g.each ? g.simulated : g.each;
  return g;
}

static bool is_neighbour(const Trace *t, uint32_t sample) {
  bool neighbour = false;
  for (int k = 0; k < 3; k++)
    neighbour = neighbour || (t->neighbour[k] == sample && t->nsampled < t->nblocks);
  return neighbour;
}

/* Lists the samples that the replay runs: all but the neighbours of the middle block, which run on
 * other SMs. */
static uint32_t choose_samples(const Trace *t, uint32_t *list) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->nsampled; i++)
    if (!is_neighbour(t, i))
      list[n++] = i;
  return n;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Returns the clocks of all blocks of the SM. Blocks that were not replayed follow at the rate of
 * the last full waves. */
static double with_the_rest(const Grid *g, Replayed *r) {
  const uint32_t left = g->each - g->simulated, wave = g->resident;
  if (!left)
    return r->clocks;
  qsort(r->finished, g->simulated, sizeof *r->finished, ascending);
  if (g->simulated < 2 * wave)
    return r->clocks + left * r->full_clocks / (r->full_share * g->simulated);
  /* The rate of the last one or two full waves. The first wave is not typical, because all its
   * blocks start together. */
  const uint32_t last = g->simulated - wave, waves = last / wave > 2 ? 2 : 1;
  double from = r->finished[last - waves * wave], to = r->finished[last];
  double end = r->finished[g->simulated - 1], stretch = end > 0 ? r->clocks / end : 1;
  return r->clocks + left * stretch * (to - from) / (waves * wave);
}

static void fill_in(Prediction *p, const Trace *t, const Replayed *r) {
  double all = 0;
  for (int w = 0; w < WAITS; w++)
    all += r->waits[w];
  for (Resource k = 0; k < RESOURCES; k++)
    p->busy[k] = r->clocks > 0 ? r->busy[k] / r->clocks : 0;
  p->achieved = r->clocks > 0 ? all / r->clocks : 0;
  p->nlines = t->module->nlines;
  p->line_waits = r->line_waits;
  for (int w = 0; w < WAITS && all > 0; w++)
    p->waits[w] = r->waits[w] / all;
  for (size_t i = 0; i < (size_t)p->nlines * WAITS && all > 0; i++)
    p->line_waits[i] /= all;
  p->timeline = r->timeline;
  p->timeline_warps = r->timeline_warps;
  p->timeline_clocks = (uint32_t)r->timeline_clocks;
}

/* A set of kernel parameters; has() and add() take the one from which an instruction's address
 * derives. */
enum { MOST_PARAMETERS = 64 };
typedef struct Parameters {
  bool has[MOST_PARAMETERS];
} Parameters;
static bool has(const Parameters *p, const PtxInsn *insn) {
  return insn->parameter >= 0 && insn->parameter < MOST_PARAMETERS && p->has[insn->parameter];
}
static void add(Parameters *p, const PtxInsn *insn) {
  if (insn->parameter >= 0 && insn->parameter < MOST_PARAMETERS)
    p->has[insn->parameter] = true;
}

/* Returns true if several sampled blocks load from the same line of these parameters, or change it
 * by atomic operations if `atomics` is true. */
static bool several_read(const Trace *t, const Parameters *parameters, bool atomics) {
  for (uint32_t i = 0; i < t->nsampled; i++)
    for (uint32_t k = 0; k < t->nwarps && !is_neighbour(t, i); k++) {
      const TracedWarp *w = &t->blocks[i].warps[k];
      for (uint32_t n = 0; n < w->naccesses; n++) {
        const TracedAccess *a = &w->accesses[n];
        const PtxInsn *insn = &t->kernel->code[a->insn < t->kernel->ncode ? a->insn : 0];
        const bool reads = insn->form == PTX_LD || (atomics && insn->form == PTX_ATOM);
        if (a->space == PTX_GLOBAL && a->lines && reads && has(parameters, insn) &&
            !line_is_private(traced_line(w->lines[a->line])))
          return true;
      }
    }
  return false;
}

/* Returns true if sampled blocks read what blocks that did not run would have written. */
static bool reads_of_others(const Trace *t) {
  Parameters stored = {{false}};
  for (uint32_t i = 0; i < t->kernel->ncode; i++)
    if (t->kernel->code[i].form == PTX_ST || t->kernel->code[i].form == PTX_ATOM)
      add(&stored, &t->kernel->code[i]);
  return several_read(t, &stored, false);
}

/* Returns true if blocks may repeat a compare-and-swap because another thread was faster. The
 * emulator runs sampled blocks one after the other, so it sees no repetition. */
static bool repeats_swaps(const Trace *t) {
  Parameters swapped = {{false}};
  for (uint32_t i = 0; i < t->kernel->ncode; i++)
    if (t->kernel->code[i].form == PTX_ATOM && t->kernel->code[i].sub == PTX_ATOM_CAS)
      add(&swapped, &t->kernel->code[i]);
  return several_read(t, &swapped, true);
}

/* spread_of_samples() returns the standard deviation of the executed instructions of sampled
 * blocks, as a share of their mean. Above UNEVEN, other blocks may differ from the sampled ones. */
#define UNEVEN 0.5
static double spread_of_samples(const Trace *t) {
  double sum = 0, squares = 0;
  for (uint32_t i = 0; i < t->nsampled; i++) {
    double executed = 0;
    for (uint32_t k = 0; k < t->nwarps; k++)
      executed += (double)t->blocks[i].warps[k].executed;
    sum += executed;
    squares += executed * executed;
  }
  const double n = t->nsampled, mean = sum / n, variance = squares / n - mean * mean;
  return mean > 0 && variance > 0 ? sqrt(variance) / mean : 0;
}

static double executed_by(const Trace *t, uint32_t sample) {
  double sum = 0;
  for (uint32_t k = 0; k < t->nwarps; k++)
    sum += (double)t->blocks[sample].warps[k].executed;
  return sum;
}

/* Returns the mean number of instructions of all blocks of the launch, divided by the mean of the n
 * sampled blocks in `list`. If `list` is NULL, these are the first n samples. */
static double others(const Trace *t, const uint32_t *list, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += executed_by(t, list ? list[i] : i);
  return t->instructions && sum > 0 ? (double)t->instructions / (double)t->nblocks * n / sum : 1;
}

/* Returns true if the blocks of a launch that ran in full do on average as much as the sampled
 * ones, within a factor of two. The samples of a launch with few busy blocks, or with one that
 * finishes what the others began, are not typical. */
static bool is_typical(const Trace *t) {
  const double ratio = others(t, NULL, t->nsampled);
  return t->nsampled == t->nblocks || (ratio > 0.5 && ratio < 2);
}

/* Returns true if the arrays that resident threads have in local memory do not fit in L1. Accesses
 * to them are modelled as hits. */
static bool local_exceeds_l1(const Trace *t, const Device *d, const Prediction *p) {
  const double shared = (double)occupancy_block_shared(d, t->shared_bytes) * p->occupancy.blocks;
  const double local = (double)t->kernel->local_bytes * p->occupancy.warps * WARP_LANES;
  bool accessed = false;
  for (uint32_t i = 0; i < t->nsampled && !accessed; i++)
    for (uint32_t k = 0; k < t->nwarps && !accessed; k++)
      for (uint32_t n = 0; n < t->blocks[i].warps[k].naccesses && !accessed; n++)
        accessed = t->blocks[i].warps[k].accesses[n].space == PTX_LOCAL;
  return accessed && local + shared > d->l1_bytes;
}

/* Atomic operations on one chunk of L2 are serialized. Their time is not known unless they are
 * 32-bit or floating-point sums. */
#define NOTICED 0.1
static const char *unknown_of(const Trace *t, const Device *d, const Prediction *p,
                              bool last_unknown, double clocks, double unmeasured) {
  if (t->waits_for_others)
    return "how long blocks wait for one another";
  if (!t->instructions && t->nsampled < t->nblocks && reads_of_others(t))
    return "what blocks would have written that did not run, which others read";
  if (!t->instructions && t->nsampled < t->nblocks && spread_of_samples(t) > UNEVEN)
    return "how much blocks have to do that did not run";
  if (last_unknown)
    return "how much the block does that ends last: blocks differ a lot, and few were sampled";
  if (!is_typical(t))
    return "which blocks do the work: the sampled ones do much more, or less, than others";
  if (repeats_swaps(t))
    return "how often a compare-and-swap is repeated because another thread was faster";
  if (local_exceeds_l1(t, d, p))
    return "how often L1 has no room for arrays in local memory";
  if (p->spilled)
    return "how often registers are spilled to local memory";
  if (unmeasured > NOTICED * clocks)
    return "atomics of many threads meet in one place of global memory";
  return NULL;
}

/* Returns the expected maximum of n normally distributed numbers, in standard deviations above the
 * mean. */
static double deviations(double n) {
  const double root = sqrt(2 * log(n));
  return n < 2   ? 0
         : n < 8 ? 1.03 * log(n) / log(4)
                 : root - (log(log(n)) + log(4 * PI)) / (2 * root);
}

/* Returns the standard deviation of a scheduler's work, as a share of the work. It is computed from
 * neighbouring blocks: work that changes slowly along the grid does not count, because an SM gets
 * blocks from the whole grid. */
static double spread_of_blocks(const Trace *t, double schedulers) {
  double squares = 0, work = 0, n = 0;
  for (int i = 0; i < 3; i++)
    for (uint32_t k = 0; k < t->nwarps && t->neighbour[i] != UINT32_MAX; k++, n++) {
      double here = (double)t->blocks[t->middle].warps[k].executed;
      double there = (double)t->blocks[t->neighbour[i]].warps[k].executed;
      squares += (here - there) * (here - there) / 2;
      work += (here + there) / 2;
    }
  return work > 0 ? sqrt(squares / n / fmax(t->nwarps / schedulers, 1)) / (work / n) : 0;
}

/* Returns how many times as much work the busiest scheduler of the card has as the busiest one of a
 * single SM, which the replay has found. It is 1 if not all blocks are resident at once. */
static double busiest(const Trace *t, const Device *d, const Grid *g) {
  const uint64_t rest = t->nblocks % d->sms;
  if (g->each > g->resident)
    return 1;
  double spread = spread_of_blocks(t, d->schedulers) / sqrt(g->each);
  return (1 + deviations(d->schedulers * (rest ? (double)rest : g->active)) * spread) /
         (1 + deviations(d->schedulers) * spread);
}

static double longest_of(const Trace *t, uint32_t sample) {
  double most = 0;
  for (uint32_t k = 0; k < t->nwarps; k++)
    most = fmax(most, (double)t->blocks[sample].warps[k].executed);
  return most;
}

/* Returns how many times as many instructions the longest warp of the launch executes as the
 * longest one of the replayed blocks. It is the longest warp of all samples. If the work is uneven,
 * it is longer by the standard deviation times the logarithm of warps per sampled warp, as for an
 * exponential distribution. */
static double longest(const Trace *t, const uint32_t *blocks, uint32_t n) {
  const double warps = (double)t->nsampled * t->nwarps, all = (double)t->nblocks * t->nwarps;
  double replayed = 0, most = 0, sum = 0, squares = 0;
  for (uint32_t i = 0; i < n; i++)
    replayed = fmax(replayed, longest_of(t, blocks[i]));
  for (uint32_t i = 0; i < t->nsampled; i++) {
    most = fmax(most, longest_of(t, i));
    for (uint32_t k = 0; k < t->nwarps; k++) {
      const double executed = (double)t->blocks[i].warps[k].executed;
      sum += executed;
      squares += executed * executed;
    }
  }
  const double mean = sum / warps, deviation = sqrt(fmax(squares / warps - mean * mean, 0));
  if (deviation > UNEVEN * mean)
    most += deviation * log(all / warps);
  return replayed > 0 ? most / replayed : 1;
}

/* Returns true if all SMs share the resource. */
static bool is_shared_by_sms(Resource limit) {
  return limit == RESOURCE_L2 || limit == RESOURCE_DRAM || limit == RESOURCE_START;
}

/* Returns true if a scheduler with more work ends later. This is false if the limiting resource is
 * shared by all SMs, or if nothing limits. */
static bool by_scheduler(Resource limit) { return !is_shared_by_sms(limit) && limit != RESOURCES; }

/* Returns the line of global memory on which the warp's first atomic operation is executed whose
 * value the program uses; 0 if there is none. */
static uint64_t line_of_counter(const Trace *t, const TracedWarp *w) {
  for (uint32_t n = 0; n < w->naccesses; n++) {
    const TracedAccess *a = &w->accesses[n];
    if (a->most && a->space == PTX_GLOBAL && a->insn < t->kernel->ncode &&
        t->kernel->code[a->insn].d != PTX_NO_REG)
      return traced_line(w->lines[a->line]);
  }
  return 0;
}

/* Returns true if all sampled warps use one counter. Then warps take their work from it until none
 * is left. The emulator runs blocks one after the other, so the first ones take all the work. On a
 * GPU, each resident warp takes as much as the others. */
static bool takes_work(const Trace *t) {
  const uint64_t line = line_of_counter(t, &t->blocks[0].warps[0]);
  bool same = line && !line_is_private(line) && t->instructions;
  for (uint32_t i = 0; i < t->nsampled && same; i++)
    for (uint32_t k = 0; k < t->nwarps && same; k++)
      same = line_of_counter(t, &t->blocks[i].warps[k]) == line;
  return same;
}

/* Returns true if all blocks are resident at once and their work differs so much that the launch
 * takes as long as the busiest ones. */
static bool lasts_as_the_busiest(const Trace *t, const Grid *g) {
  return g->each <= g->resident && spread_of_samples(t) > UNEVEN;
}

/* Returns true if the blocks of one SM together differ by more than their mean. The block that ends
 * last is then seldom among the samples. */
static bool last_is_unknown(const Trace *t, const Grid *g) {
  return lasts_as_the_busiest(t, g) && t->nsampled < t->nblocks &&
         spread_of_samples(t) > sqrt(g->each);
}

/* Fills blocks[] with the samples that the SM runs, in order. With `uneven`, the busiest are first.
 * Otherwise, if not all are needed, they begin in the middle of the grid, whose blocks an SM runs
 * side by side. */
static void arrange(const Trace *t, const Grid *g, bool uneven, uint32_t *samples, uint32_t n,
                    uint32_t *blocks) {
  for (uint32_t i = 1; i < n && uneven; i++)
    for (uint32_t k = i; k && executed_by(t, samples[k]) > executed_by(t, samples[k - 1]); k--) {
      const uint32_t less = samples[k - 1];
      samples[k - 1] = samples[k];
      samples[k] = less;
    }
  uint32_t first = 0;
  for (uint32_t i = 0; i < n && g->simulated < n && !uneven; i++)
    first = samples[i] == t->middle ? i : first;
  for (uint32_t i = 0; i < g->simulated; i++)
    blocks[i] = samples[(first + i) % n];
}

struct Forecast {
  Trace *trace;
  const Device *device;
  /* The prediction so far. */
  Prediction known;
  Grid grid;
  Footprint footprint;
};

Forecast *forecast_begin(Trace *t, const Device *d) {
  Forecast *forecast = calloc(1, sizeof *forecast);
  assert(forecast);
  *forecast = (Forecast){.trace = t, .device = d};
  Prediction *p = &forecast->known;
  p->registers = estimate_registers(t, d, &p->spilled);
  p->occupancy =
      occupancy_of(d, t->block[0] * t->block[1] * t->block[2], p->registers, t->shared_bytes);
  forecast->grid = plan_grid(t, d, &p->occupancy);
  double at_once = (double)p->occupancy.blocks * d->sms;
  p->waves = at_once > 0 ? (double)t->nblocks / at_once : 0;
  /* The distance of the sampled blocks of one SM. */
  footprint_number_lines(t, (uint64_t)at_once + 2 * d->sms);
  forecast->footprint =
      footprint_of(t, d, at_once < (double)t->nblocks ? (uint64_t)at_once : t->nblocks);
  return forecast;
}

Prediction forecast_end(Forecast *forecast, LoweredFunction **lowered) {
  Trace *t = forecast->trace;
  const Device *d = forecast->device;
  Prediction p = forecast->known;
  Grid g = forecast->grid;
  const double clock_hz = 1e3 * d->clock_khz;
  uint32_t *samples = calloc(t->nsampled, sizeof *samples);
  uint32_t *blocks = calloc(g.simulated, sizeof *blocks);
  assert(samples && blocks);
  uint32_t n = choose_samples(t, samples);
  const bool uneven = lasts_as_the_busiest(t, &g);
  arrange(t, &g, uneven, samples, n, blocks);
  double l2_share = d->l2_bytes_clock / g.active,
         dram = d->memory_share * device_peak_memory_rate(d) / clock_hz;
  double l2 = l2_share < d->l2_bytes_clock_sm ? l2_share : d->l2_bytes_clock_sm;
  ReplayPlan plan = {.trace = t,
                     .lowered = lowered,
                     .device = d,
                     .footprint = &forecast->footprint,
                     .blocks = blocks,
                     .nblocks = g.simulated,
                     .resident = g.resident,
                     .different = n,
                     .l2_clocks = SECTOR_BYTES / l2,
                     .dram_clocks = SECTOR_BYTES * g.active / dram,
                     .first_clocks = FIRST_CLOCKS,
                     .active = g.active,
                     .whole = g.simulated == g.each};
  Replayed r = replay_run(&plan);
  double clocks = with_the_rest(&g, &r);
  fill_in(&p, t, &r);
  const Resource limit = prediction_limit(&p);
  const bool shared_out = uneven && takes_work(t);
  /* Latencies limit, and no block waits for another to end: the longest warp ends last. */
  if (!shared_out && limit == RESOURCES && g.each <= g.resident)
    clocks *= fmax(longest(t, blocks, g.simulated), 1);
  else if (!uneven || shared_out || is_shared_by_sms(limit))
    clocks *= others(t, blocks, g.simulated);
  clocks += spill_clocks(t, d, &p, g.resident, dram);
  if (!uneven && by_scheduler(limit))
    clocks *= busiest(t, d, &g);
  double unmeasured;
  const double meeting = footprint_meeting(t, &unmeasured);
  clocks = fmax(clocks, meeting * (shared_out ? others(t, NULL, t->nsampled) : 1));
  p.us = 1e6 * clocks / clock_hz + 1e-3 * d->launch_ns;
  double times = g.active * g.each / g.simulated;
  times *= shared_out ? others(t, blocks, g.simulated) : 1;
  p.l2_bytes = r.l2_sectors * SECTOR_BYTES * times;
  p.dram_bytes = r.dram_sectors * SECTOR_BYTES * times;
  p.unknown = unknown_of(t, d, &p, last_is_unknown(t, &g), clocks, unmeasured);
  free(r.finished);
  free(samples);
  free(blocks);
  free(forecast);
  return p;
}

void prediction_free(Prediction *p) {
  free(p->line_waits);
  free(p->timeline);
  memset(p, 0, sizeof *p);
}
