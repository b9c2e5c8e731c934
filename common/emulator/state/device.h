/* The emulated card: provides its row of devices.def, and the bank mode, which a program may
 * change.
 *
 * LOCKSTEP_CARD selects the card; the default is the H200. LOCKSTEP_CLOCK changes the clock of the
 * card. Both are read when the card is first needed. */
#ifndef STATE_DEVICE_H
#define STATE_DEVICE_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#include "constants.h"

typedef struct Device {
  /* The value of LOCKSTEP_CARD that selects the card. */
  const char *name;
#define COLUMN(type, declaration, meaning) type declaration;
#include "../devices.def"
} Device;

#define DEFAULT_CARD "h200"

/* Returns the emulated card. Ends the program with one line and status 2 if LOCKSTEP_CARD names no
 * card. */
const Device *selected_device(void);
/* Returns the card with this name; NULL: there is no such card. */
const Device *device_named(const char *name);
/* Returns card number `index` in the order of devices.def; NULL after the last card. */
const Device *device_at(size_t index);

static inline uint32_t device_warps_per_sm(const Device *d) {
  return d->threads_per_sm / WARP_LANES;
}
/* Returns the peak rate of device memory in bytes per second. The memory transfers data twice per
 * clock. */
static inline double device_peak_memory_rate(const Device *d) {
  return 2.0 * 1000.0 * d->memory_khz * d->memory_bits / 8;
}

/* Returns the reachable fraction of the peak rate of multiply-adds (clock times lanes). If a
 * scheduler must issue a multiply-add in every clock to reach the peak, it cannot issue the other
 * instructions of a loop: 64.3 and 64.5 of 66.9 TFLOP/s were measured on an H100 and an H200. With
 * half as many lanes the scheduler has free clocks: 33.2 of 33.5 TFLOP/s were measured in double
 * precision. */
static inline double device_multiply_add_share(const Device *d, bool wide) {
  const uint32_t lanes = wide ? d->fp64_lanes : d->fp32_lanes;
  return lanes * d->issue_clocks >= d->schedulers * WARP_LANES ? 0.963 : 0.992;
}
/* Returns the rate of all L1 caches in bytes per second. An L1 cache delivers 128 bytes per
 * wavefront. A wavefront takes `wavefront_clocks`, or the clocks that the load/store units need for
 * the addresses of a warp, if these are more (sources: timing/replay.c). */
static inline double device_l1_rate(const Device *d) {
  const double addresses = (double)WARP_LANES / d->lsu_lanes;
  const double clocks = addresses > d->wavefront_clocks ? addresses : d->wavefront_clocks;
  return 128 / clocks * 1000.0 * d->clock_khz * d->sms;
}

/* ---- shared-memory banks: the card's default, the program's choice, or LOCKSTEP_BANKS -------- */
typedef enum BankChoice { BANK_CHOICE_DEFAULT, BANK_CHOICE_4, BANK_CHOICE_8 } BankChoice;

/* Returns the bank mode of a card for the program's choice. Only cards with 8-byte banks offer a
 * choice. */
BankMode device_bank_mode(const Device *, BankChoice);
/* Returns the bank mode of the next launch: LOCKSTEP_BANKS if it is set, otherwise the choice for
 * the kernel, otherwise the choice for the program (choose_banks). */
BankMode selected_bank_mode(BankChoice of_kernel);
void choose_banks(BankChoice of_program);

#endif
