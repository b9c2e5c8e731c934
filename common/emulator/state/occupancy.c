/* Computes occupancy.
 *
 * Registers are allocated per warp, rounded up to a unit, and each scheduler of a multiprocessor
 * has an equal part of the registers and warps. Shared memory is allocated per block, rounded up to
 * a unit. Since compute capability 8.0 each block uses slightly more shared memory than it
 * requests. Source: cuda_occupancy.h of the CUDA Toolkit. */
#include "occupancy.h"

#include <stdbool.h>

static uint32_t round_up(uint32_t value, uint32_t piece) {
  return (value + piece - 1) / piece * piece;
}
static uint32_t warps_of(uint32_t threads) { return (threads + WARP_LANES - 1) / WARP_LANES; }

/* Returns the unit in which the registers of a warp are allocated. On Fermi it is twice as large
 * for some numbers of registers per thread: 21, 22, 29, 30, ... 46. */
static uint32_t register_piece(const Device *d, uint32_t registers) {
  uint32_t rest = registers % 8;
  bool odd = d->capability[0] == 2 && registers > 16 && registers < 48 && (rest == 5 || rest == 6);
  return odd ? 2 * d->registers_unit : d->registers_unit;
}

static uint32_t warp_registers(const Device *d, uint32_t registers) {
  return round_up(registers * WARP_LANES, register_piece(d, registers));
}

/* At launch, the hardware checks the registers as if each scheduler got the same number of warps of
 * the block. */
uint32_t occupancy_block_registers(const Device *d, uint32_t threads, uint32_t registers) {
  return warp_registers(d, registers) * round_up(warps_of(threads), d->schedulers);
}

static uint32_t by_registers(const Device *d, uint32_t threads, uint32_t registers) {
  if (registers == 0)
    return UINT32_MAX;
  if (occupancy_block_registers(d, threads, registers) > d->registers_per_block)
    return 0;
  uint32_t warps = d->registers_per_sm / d->schedulers / warp_registers(d, registers);
  return warps * d->schedulers / warps_of(threads);
}

uint32_t occupancy_registers_for(const Device *d, uint32_t threads) {
  uint32_t registers = d->registers_per_thread;
  while (registers > 1 && occupancy_block_registers(d, threads, registers) > d->registers_per_block)
    registers--;
  return registers;
}

uint32_t occupancy_registers_beside(const Device *d, uint32_t threads, uint32_t blocks) {
  uint32_t registers = occupancy_registers_for(d, threads);
  while (registers > 16 && by_registers(d, threads, registers) < blocks)
    registers--;
  return registers;
}

uint32_t occupancy_registers_left(const Device *d, const PtxFunction *f) {
  const uint32_t left = f->max_threads
                            ? occupancy_registers_beside(d, f->max_threads, f->min_blocks)
                            : d->registers_per_thread;
  return f->max_registers && f->max_registers < left ? f->max_registers : left;
}

uint32_t occupancy_block_shared(const Device *d, uint32_t shared) {
  return round_up(shared + d->shared_reserved, d->shared_unit);
}

uint32_t occupancy_shared_for(const Device *d, uint32_t blocks) {
  uint32_t share = d->shared_per_sm / blocks / d->shared_unit * d->shared_unit;
  uint32_t rest = share > d->shared_reserved ? share - d->shared_reserved : 0;
  return rest < d->shared_per_block_optin ? rest : d->shared_per_block_optin;
}

static uint32_t by_shared(const Device *d, uint32_t shared) {
  uint32_t taken = occupancy_block_shared(d, shared);
  return shared > d->shared_per_block_optin ? 0 : taken ? d->shared_per_sm / taken : UINT32_MAX;
}

Occupancy occupancy_of(const Device *d, uint32_t threads, uint32_t registers, uint32_t shared) {
  if (threads == 0 || threads > d->threads_per_block)
    return (Occupancy){0, 0, OCCUPANCY_THREADS};
  const uint32_t allowed[] = {
      [OCCUPANCY_BLOCKS] = d->blocks_per_sm,
      [OCCUPANCY_THREADS] = device_warps_per_sm(d) / warps_of(threads),
      [OCCUPANCY_REGISTERS] = by_registers(d, threads, registers),
      [OCCUPANCY_SHARED] = by_shared(d, shared),
  };
  OccupancyLimit least = OCCUPANCY_BLOCKS;
  for (OccupancyLimit each = OCCUPANCY_THREADS; each <= OCCUPANCY_SHARED; each++)
    if (allowed[each] < allowed[least])
      least = each;
  return (Occupancy){allowed[least], allowed[least] * warps_of(threads), least};
}
